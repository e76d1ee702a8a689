//! Lines, labels and parameters: what the texts of all languages are put together from.

use std::fmt::Write as _;

use super::names::ExportNames;
use crate::logic::{Name, Var, Vocabulary};
use crate::protocol::{Protocol, Sort, StateVar, print_goals};

/// Adds a line.
pub(super) fn line(text: &mut String, content: &str) {
    writeln!(text, "{content}").expect("writing to a string succeeds");
}

/// The `reach` lines as comments: no other language asks for runs of any length.
pub(super) fn goals(protocol: &Protocol, comment: &str, text: &mut String) {
    for goal in print_goals(protocol) {
        line(text, &format!("{comment} {goal}"));
    }
}

/// A label as a name; no symbol is in its way.
pub(super) fn label(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

/// A label between brackets and a blank, if there is one.
pub(super) fn bracketed(name: Option<&Name>) -> String {
    name.map_or(String::new(), |name| format!("[{}] ", label(name)))
}

/// The parameters of an action with the names they get, in the vocabulary of its formulas.
pub(super) fn parameters<V: Vocabulary<Sort = Sort>>(
    names: &ExportNames,
    params: &[StateVar],
) -> Vec<(Var<V>, String)> {
    let mut scope: Vec<(Var<V>, String)> = Vec::new();
    for param in params {
        let name = names.free(&param.name, &called(&scope));
        scope.push((Var::new(param.name.clone(), param.sort), name));
    }
    scope
}

/// What the variables in scope are called.
pub(super) fn called<V: Vocabulary>(scope: &[(Var<V>, String)]) -> Vec<String> {
    scope.iter().map(|(_, name)| name.clone()).collect()
}
