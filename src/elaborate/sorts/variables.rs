//! The variables of one expression: bound, given from outside, or closed over the whole.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::surface::{Binder, Expression, Identifier};
use crate::logic::{Name, Vocabulary};
use crate::source::Span;

use super::draft::{Draft, DraftFormula, DraftTerm, DraftVar};
use super::infer::Inference;
use super::messages::{
    capitalised, hides_declared, hides_unbound, hides_variable, no_sort, repeated_binder,
    unbound_variable, unknown_name, unknown_sort, unknown_symbol, unknown_variables,
};
use super::mismatch::with_article;
use super::slots::Slot;
use crate::elaborate::codes;
use crate::elaborate::expression::Unbound;
use crate::elaborate::resolve::{Lookup, Resolve, is_capitalised};

/// The variables of one expression.
#[derive(Default)]
pub(crate) struct Variables {
    in_scope: BTreeMap<Name, VariableEntry>,
    /// Capitalised names without binder, by first occurrence.
    unbound: Vec<Introduced>,
    /// Every binder, in the order written.
    binders: Vec<Introduced>,
    /// The last binder of each name whose scope has ended.
    ended: BTreeMap<Name, Span>,
}

/// A variable in scope.
struct VariableEntry {
    var: DraftVar,
    /// Where it was introduced, if in this expression.
    span: Option<Span>,
    mentioned: bool,
}

/// A variable and where it was introduced.
struct Introduced {
    var: DraftVar,
    span: Span,
}

impl Variables {
    /// A variable that is in scope from outside.
    pub(crate) fn given(&mut self, var: DraftVar) {
        self.enter(var, None);
    }

    fn enter(&mut self, var: DraftVar, span: Option<Span>) -> Option<VariableEntry> {
        self.in_scope.insert(var.name.clone(), VariableEntry { var, span, mentioned: false })
    }

    /// The variable called `name`, if one is in scope: it is mentioned now.
    pub(crate) fn mention(&mut self, name: &str) -> Option<DraftVar> {
        let entry = self.in_scope.get_mut(name)?;
        entry.mentioned = true;
        Some(entry.var.clone())
    }

    /// The variables to quantify over, by first occurrence.
    pub(crate) fn closure(&self) -> Vec<DraftVar> {
        self.unbound.iter().map(|introduced| introduced.var.clone()).collect()
    }
}

impl<V: Vocabulary, R: Resolve<V>> Inference<'_, V, R> {
    /// An undeclared name: a variable to close over, or an error.
    pub(crate) fn unbound(&mut self, name: &Name, span: Span) -> Option<Draft<V>> {
        if !is_capitalised(name) {
            self.note_unknown_name(name, span);
            return None;
        }
        match self.context.unbound {
            Unbound::Refused(why) => {
                self.error(unbound_variable(name, span, why));
                None
            }
            Unbound::Universal => {
                let var = DraftVar { name: name.clone(), slot: self.slots.unknown() };
                if let Some(binder) = self.variables.ended.get(name).copied() {
                    self.error(hides_unbound(name, binder, span));
                }
                self.variables.enter(var.clone(), Some(span));
                self.variables.unbound.push(Introduced { var: var.clone(), span });
                Some(Draft::Term(DraftTerm::Var(var.clone()), var.slot))
            }
        }
    }

    /// Reports an undeclared name, used like a symbol with these arguments.
    pub(crate) fn unknown(&mut self, name: &str, span: Span, args: &[Expression]) {
        let near = self.nearest(name, || self.known_names());
        self.error(unknown_symbol(name, span, near.as_ref(), args));
    }

    /// An undeclared name that could be a variable: all of them are reported in one message, after
    /// the expression.
    fn note_unknown_name(&mut self, name: &Name, span: Span) {
        if let Some(near) = self.nearest(name, || self.known_names()) {
            return self.error(unknown_name(name, span, Some(&near)));
        }
        self.failed = true;
        self.unknown_names.push(Identifier::new(name.clone(), span));
    }

    /// Reports the undeclared names that could be variables.
    pub(crate) fn report_unknown_names(&mut self) {
        let mut uses = std::mem::take(&mut self.unknown_names);
        let mut unknown: Vec<Identifier> = Vec::new();
        for name in &uses {
            if unknown.iter().all(|known| known.value != name.value) {
                unknown.push(name.clone());
            }
        }
        if let [first, others @ ..] = unknown.as_slice() {
            // A variable of that name would become the same one.
            let taken = self.taken_names();
            if unknown.iter().any(|name| taken.contains(&*capitalised(&name.value))) {
                uses.clear();
            }
            uses.sort_by_key(|name| name.span);
            self.error(unknown_variables(first, others, (self.context.unbound, &uses)));
        }
    }

    /// The names that mean something anywhere in this expression.
    pub(crate) fn taken_names(&self) -> BTreeSet<Name> {
        let variables = &self.variables;
        let introduced = variables.binders.iter().chain(&variables.unbound);
        let introduced = introduced.map(|introduced| introduced.var.name.clone());
        introduced.chain(self.known_names()).collect()
    }

    fn known_names(&self) -> Vec<Name> {
        let mut names: Vec<Name> = self.variables.in_scope.keys().cloned().collect();
        names.extend(self.context.resolver.names());
        names
    }

    /// A quantifier's variables and body, both elaborated in any case.
    pub(crate) fn bound(
        &mut self,
        binders: &[Binder],
        body: &Expression,
    ) -> (Vec<DraftVar>, Option<DraftFormula<V>>) {
        let mut vars: Vec<(DraftVar, Span)> = Vec::new();
        let mut hidden = Vec::new();
        for binder in binders {
            let name = &binder.name.value;
            let repeated = vars.iter().find(|(var, _)| var.name == *name).cloned();
            if let Some((var, first)) = repeated {
                self.repeated(binder, &var, first);
                continue;
            }
            self.check_hides_nothing(binder);
            let slot = self.binder_slot(binder);
            let var = DraftVar { name: name.clone(), slot };
            hidden.push(self.variables.enter(var.clone(), Some(binder.name.span)));
            let span = binder.name.span;
            self.variables.binders.push(Introduced { var: var.clone(), span });
            vars.push((var, span));
        }
        let body = self.formula(body);
        for ((var, _), hidden) in vars.iter().zip(hidden) {
            self.leave(&var.name, hidden);
        }
        (vars.into_iter().map(|(var, _)| var).collect(), body)
    }

    fn leave(&mut self, name: &Name, hidden: Option<VariableEntry>) {
        let entry = match hidden {
            Some(hidden) => self.variables.in_scope.insert(name.clone(), hidden),
            None => self.variables.in_scope.remove(name),
        };
        let Some(VariableEntry { span: Some(span), mentioned, .. }) = entry else { return };
        self.variables.ended.insert(name.clone(), span);
        if !mentioned {
            let message = format!("`{name}` is not used");
            self.warn(Diagnostic::warning(codes::UNUSED_VARIABLE, message, span));
        }
    }

    /// The same name again in one binder means the same variable.
    fn repeated(&mut self, binder: &Binder, var: &DraftVar, first: Span) {
        self.warn(repeated_binder(&binder.name, first));
        let slot = self.binder_slot(binder);
        if let Err((known, other)) = self.slots.unite(var.slot, slot, binder.name.span) {
            let resolver = self.context.resolver;
            let known = with_article(&resolver.sort_name(known.sort));
            let other = with_article(&resolver.sort_name(other.sort));
            let message = format!("`{}` cannot be {known} and {other}", var.name);
            let span = binder.sort.as_ref().map_or(binder.name.span, |sort| sort.span);
            self.error(Diagnostic::error(codes::SORT_MISMATCH, message, span));
        }
    }

    fn binder_slot(&mut self, binder: &Binder) -> Slot {
        let Some(written) = &binder.sort else { return self.slots.unknown() };
        match self.context.resolver.sort(&written.value) {
            Some(sort) => self.slots.known(sort, Some(written.span)),
            None => {
                let resolver = self.context.resolver;
                let near = self.nearest(&written.value, || resolver.sort_names());
                self.error(unknown_sort(&written.value, written.span, near));
                self.slots.unknown()
            }
        }
    }

    fn check_hides_nothing(&mut self, binder: &Binder) {
        let name = &binder.name.value;
        if let Some(entry) = self.variables.in_scope.get(name) {
            return self.error(hides_variable(&binder.name, entry.span));
        }
        let (what, declared) = match self.lookup(name) {
            Lookup::Unknown | Lookup::Mistaken => return,
            Lookup::Variable(_, declared) => ("parameter", declared),
            Lookup::Symbol(candidate) => ("symbol", candidate.declared),
            Lookup::Element(_, _, declared) => ("element", declared),
            Lookup::Overloaded(candidates) => ("symbol", candidates[0].declared),
            Lookup::Definition(found) => ("definition", found.declared),
            Lookup::Refused(refusal) => ("symbol", refusal.related.map(|label| label.span)),
        };
        self.error(hides_declared(&binder.name, what, declared));
    }

    /// Reports the variables whose sort cannot be inferred.
    pub(crate) fn check_sorts_known(&mut self) {
        let introduced = self.variables.binders.iter().chain(&self.variables.unbound);
        let open: Vec<(Name, Span)> = introduced
            .filter(|introduced| self.slots.get(introduced.var.slot).is_none())
            .map(|introduced| (introduced.var.name.clone(), introduced.span))
            .collect();
        for (name, span) in open {
            self.error(no_sort(&name, span));
        }
    }
}
