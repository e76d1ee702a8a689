//! Definitions over symbols that change: where Ivy itself loses track of their values.

use std::collections::BTreeSet;

use crate::diagnostic::Diagnostic;
use crate::frontend::ivy::names::declared_names::IvyTable;
use crate::frontend::ivy::parse::unsupported::DEFINITIONS;
use crate::frontend::lowering::variables::is_variable;
use crate::logic::Name;
use crate::source::Span;

impl IvyTable {
    /// Refuses definitions that Ivy does not keep up to date.
    ///
    /// After an assignment, Ivy visits the definitions once, in the order written, and renews
    /// those that mention what has changed. One that changes by way of a later one keeps its old
    /// value, and steps that would change it are lost.
    pub(crate) fn check_order(&self, mutable: &BTreeSet<Name>, diagnostics: &mut Vec<Diagnostic>) {
        let changes = |name: &Name| !self.symbols_under(name).is_disjoint(mutable);
        for (index, name) in self.defined.iter().enumerate() {
            let used = self.definitions.used(name);
            let mut later = self.defined[index + 1..].iter();
            let late = later.find(|later| used.contains(*later) && changes(later));
            if let (Some(late), Some(definition)) = (late, self.definitions.get(name)) {
                let message = format!("`{name}` uses `{late}`, which changes and is defined later");
                let hint = format!(
                    "write the definition of `{late}` first: in this order Ivy does not notice \
                     that `{name}` changes"
                );
                let span = definition.body.span;
                diagnostics.push(Diagnostic::error(DEFINITIONS, message, span).hint(hint));
            }
        }
    }

    /// The refusal of a definition that is read after an assignment to a symbol it depends on.
    ///
    /// Where a parameter of the definition is lower-case, Ivy writes the definition out for the
    /// first and the last state of an action only.
    pub(crate) fn refuse_stale(
        &self,
        read: &BTreeSet<Name>,
        assigned: &BTreeSet<Name>,
        span: Span,
    ) -> Option<Diagnostic> {
        let stale = read.iter().flat_map(|name| self.definitions_under(name)).find(|name| {
            let definition = self.definitions.get(name);
            let by_place = definition.is_some_and(|definition| {
                definition.params.iter().any(|param| !is_variable(param))
            });
            by_place && !self.symbols_under(name).is_disjoint(assigned)
        })?;
        let message = format!("`{stale}` is read after an assignment to a symbol it depends on");
        let hint = format!(
            "give `{stale}` parameters that start upper-case: with others Ivy does not say what \
             it is between the first and the last state of an action"
        );
        Some(Diagnostic::error(DEFINITIONS, message, span).hint(hint))
    }

    /// A definition and all that it uses, directly or not.
    fn definitions_under(&self, name: &Name) -> BTreeSet<Name> {
        let mut found = BTreeSet::new();
        let mut waiting = vec![name.clone()];
        while let Some(next) = waiting.pop() {
            if self.definitions.contains(&next) && found.insert(next.clone()) {
                waiting.extend(self.definitions.used(&next));
            }
        }
        found
    }

    /// The symbols that a definition depends on, directly or not, by their names in RML.
    fn symbols_under(&self, name: &Name) -> BTreeSet<Name> {
        let definitions = self.definitions_under(name);
        let used = definitions.iter().flat_map(|definition| self.definitions.used(definition));
        used.filter_map(|used| self.names.get(&used).cloned()).collect()
    }
}
