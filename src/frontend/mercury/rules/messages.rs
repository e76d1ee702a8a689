//! Messages about names.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::near_names::nearest;
use crate::frontend::mercury::codes;
use crate::frontend::syntax::surface::Identifier;
use crate::logic::Name;

/// A name that is not declared, with the nearest one that is.
pub(crate) fn unknown(what: &str, name: &Identifier, known: Vec<Name>) -> Diagnostic {
    let message = format!("there is no {what} `{}`", name.value);
    let refusal = Diagnostic::error(codes::UNKNOWN, message, name.span);
    match nearest(&name.value, &known) {
        Some(near) => refusal.hint(format!("did you mean `{near}`?")).instead(near.to_string()),
        None => refusal,
    }
}

/// Names in a row.
pub(crate) fn one_of(names: &[Name]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
