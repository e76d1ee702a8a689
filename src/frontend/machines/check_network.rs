//! What no step reads or writes: the network itself, be it through definitions.
//!
//! Sending is written out as several assignments. What a step reads while it sends must therefore
//! not depend on the messages on their way.

use std::collections::BTreeMap;

use super::check::Checker;
use super::codes;
use super::table::{Kind, ME, Table};
use crate::diagnostic::Diagnostic;
use crate::frontend::lowering::variables::{free_names, open_variables};
use crate::frontend::syntax::surface::{
    AssignStatement, DefinitionItem, Expression, Identifier, Item, Statement, StatementKind,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

/// The names that depend on the network, each with the message or symbol it depends on: symbols of
/// the lowered protocol, and definitions.
pub(super) fn network_names(table: &Table<'_>, items: &[Spanned<Item>]) -> BTreeMap<Name, Name> {
    let symbols = table.network_symbols().into_iter();
    let mut names: BTreeMap<Name, Name> = symbols.map(|name| (name.clone(), name)).collect();
    let definitions: Vec<&DefinitionItem> = items
        .iter()
        .filter_map(|item| match &item.value {
            Item::Define(definition) => Some(definition),
            _ => None,
        })
        .collect();
    loop {
        let before = names.len();
        for definition in &definitions {
            let read = free_names(&definition.value).into_iter().find_map(|name| {
                let message = table.message(&name).map(|message| message.name.value.clone());
                message.or_else(|| names.get(&name).cloned())
            });
            if let Some(read) = read {
                names.entry(definition.name.value.clone()).or_insert(read);
            }
        }
        if names.len() == before {
            return names;
        }
    }
}

impl Checker<'_, '_> {
    /// Whether a name in a step depends on the network, which is refused.
    pub(super) fn depends_on_network(&mut self, name: &Name, span: Span) -> bool {
        let Some(read) = self.network.get(name) else { return false };
        let text = if read == name {
            format!("`{name}` belongs to the network: machines neither read nor write it")
        } else {
            format!("`{name}` depends on `{read}`: a machine does not see what is on its way")
        };
        let hint = "send messages with `send`, receive them with `on`, and keep what matters";
        self.refuse(Diagnostic::error(codes::FOREIGN, text, span).hint(hint));
        true
    }

    /// Actions outside of machines do not touch the network.
    pub(super) fn plain_actions(&mut self, items: &[Spanned<Item>]) {
        for item in items {
            if let Item::Action(action) = &item.value {
                self.plain_statements(&action.body);
            }
        }
    }

    fn plain_statements(&mut self, body: &[Statement]) {
        for statement in body {
            match &statement.value {
                StatementKind::Assign(one) => self.plain_assignment(one),
                StatementKind::Together(all) => {
                    all.iter().for_each(|one| self.plain_assignment(one));
                }
                StatementKind::If(_, then, otherwise) => {
                    self.plain_statements(then);
                    self.plain_statements(otherwise);
                }
                StatementKind::Require(_) | StatementKind::Relate(..) => {}
            }
        }
    }

    fn plain_assignment(&mut self, assignment: &AssignStatement) {
        let target = &assignment.target;
        if self.table.message(&target.value).is_some() {
            let text = format!("`{}` is a message: only machines send messages", target.value);
            let refusal = Diagnostic::error(codes::MISPLACED, text, target.span);
            self.refuse(refusal.hint("use `send` in an action of a machine"));
        } else if self.network.contains_key(&target.value) {
            let text = format!("`{}` belongs to the network: it is not assigned", target.value);
            let refusal = Diagnostic::error(codes::MISPLACED, text, target.span);
            self.refuse(refusal.hint("it changes when machines send and receive messages"));
        }
    }

    /// A message goes to one machine with one content, unless it says to which ones.
    pub(super) fn no_open_variables(&mut self, expression: &Expression, each: Option<&Name>) {
        let except: Vec<Name> = each.into_iter().cloned().collect();
        for open in open_variables(expression, &except) {
            let name = &open.name.value;
            let text = format!("`{name}` has no value in this `send`");
            let refusal = Diagnostic::error(codes::CONTENTS, text, open.name.span);
            let hint = "use a parameter of the action; `to all N if …` names the receivers";
            self.refuse(refusal.hint(hint));
        }
    }

    /// Refuses a name that is taken by the machine itself.
    pub(super) fn not_me(&mut self, kind: &Kind<'_>, name: &Identifier) {
        if &*name.value == ME {
            let text = format!("`{ME}` is the `{}` itself", kind.name().value);
            let refusal = Diagnostic::error(codes::MISPLACED, text, name.span);
            self.refuse(refusal.hint("choose another name"));
        }
    }
}
