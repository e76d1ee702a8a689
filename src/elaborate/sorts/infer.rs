//! One traversal of an expression: resolves names, unifies sorts, reports errors.

use std::collections::BTreeSet;

use crate::diagnostic::{Code, Diagnostic, refuse};
use crate::frontend::syntax::surface::{Expression, ExpressionKind, Identifier, Moment};
use crate::logic::{Name, Vocabulary};
use crate::source::Span;

use super::draft::{Draft, DraftFormula, DraftTerm, DraftVar, Solution};
use super::messages::{formula_needed, sketch};
use super::mismatch::{MismatchPlace, mismatch};
use super::overload::Overloads;
use super::slots::{Slot, Slots};
use super::variables::Variables;
use crate::diagnostic::near_names::nearest;
use crate::elaborate::codes;
use crate::elaborate::expression::Context;
use crate::elaborate::resolve::{Lookup, NameCandidate, Resolve};

/// After this many messages no more hints are computed: searching for near names takes time.
pub(crate) const HINTS: usize = 100;

/// The state of the walk.
pub(crate) struct Inference<'a, V: Vocabulary, R> {
    pub(crate) context: &'a Context<'a, V, R>,
    pub(crate) slots: Slots<V>,
    pub(crate) variables: Variables,
    pub(crate) overloads: Overloads<V>,
    /// Inside `old(…)` or `new(…)`.
    pub(crate) moment: Option<Moment>,
    /// Undeclared names that look like variables, by first occurrence.
    pub(crate) unknown_names: Vec<Identifier>,
    diagnostics: &'a mut Vec<Diagnostic>,
    pub(crate) failed: bool,
    /// How many parts the definitions in this expression have, written out.
    pub(crate) written_out: usize,
}

/// The result of a traversal without errors.
pub(crate) struct Solved<V: Vocabulary> {
    slots: Slots<V>,
    chosen: Vec<NameCandidate<V>>,
    integers: V::Sort,
    taken: BTreeSet<Name>,
}

impl<V: Vocabulary> Solved<V> {
    pub(crate) fn solution(&self) -> Solution<'_, V> {
        let Solved { slots, chosen, integers, taken } = self;
        Solution { slots, chosen, integers: *integers, taken }
    }
}

impl<'a, V: Vocabulary, R: Resolve<V>> Inference<'a, V, R> {
    pub(crate) fn new(
        context: &'a Context<'a, V, R>,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Self {
        let mut inference = Inference {
            context,
            slots: Slots::new(),
            variables: Variables::default(),
            overloads: Overloads::new(),
            moment: None,
            unknown_names: Vec::new(),
            diagnostics,
            failed: false,
            written_out: 0,
        };
        for var in context.variables {
            let slot = inference.slots.known(var.sort, None);
            inference.variables.given(DraftVar { name: var.name.clone(), slot });
        }
        inference
    }

    pub(crate) fn error(&mut self, diagnostic: Diagnostic) {
        self.failed = true;
        refuse(self.diagnostics, diagnostic);
    }

    /// The code of the last message.
    pub(crate) fn last_code(&self) -> Option<Code> {
        self.diagnostics.last().map(|diagnostic| diagnostic.code)
    }

    pub(crate) fn warn(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// The name nearest to `name`, as long as there are not too many messages already.
    pub(crate) fn nearest(
        &self,
        name: &str,
        candidates: impl FnOnce() -> Vec<Name>,
    ) -> Option<Name> {
        if self.diagnostics.len() < HINTS { nearest(name, &candidates()) } else { None }
    }

    /// The result, with the variables to quantify over; `None` if there was an error.
    pub(crate) fn solve(mut self) -> Option<(Solved<V>, Vec<DraftVar>)> {
        self.report_unknown_names();
        let chosen = self.choose_overloads();
        // An error may be the reason why a sort is unknown: it was reported already.
        if !self.failed {
            self.check_sorts_known();
        }
        if self.failed {
            return None;
        }
        let integers = self.context.resolver.integers();
        let closure = self.variables.closure();
        let taken = if self.written_out == 0 { BTreeSet::new() } else { self.taken_names() };
        Some((Solved { slots: self.slots, chosen: chosen?, integers, taken }, closure))
    }

    pub(crate) fn formula(&mut self, expression: &Expression) -> Option<DraftFormula<V>> {
        match self.either(expression)? {
            Draft::Formula(formula) => Some(formula),
            Draft::Term(_, slot) => {
                let known = self.slots.get(slot);
                let sort = known.map(|known| self.context.resolver.sort_name(known.sort));
                self.error(formula_needed(expression, sort));
                None
            }
        }
    }

    pub(crate) fn term(&mut self, expression: &Expression) -> Option<(DraftTerm<V>, Slot)> {
        match self.either(expression)? {
            Draft::Term(term, slot) => Some((term, slot)),
            Draft::Formula(_) => {
                let message = "expected a term, found a formula";
                self.error(Diagnostic::error(codes::TERM_NEEDED, message, expression.span));
                None
            }
        }
    }

    /// A term of the sort that its place needs.
    pub(crate) fn term_of(
        &mut self,
        expression: &Expression,
        wanted: Slot,
        place: &MismatchPlace<'_>,
    ) -> Option<DraftTerm<V>> {
        let (term, found) = self.term(expression)?;
        self.unite(wanted, found, expression, place)?;
        Some(term)
    }

    pub(crate) fn unite(
        &mut self,
        wanted: Slot,
        found: Slot,
        expression: &Expression,
        place: &MismatchPlace<'_>,
    ) -> Option<()> {
        match self.slots.unite(wanted, found, expression.span) {
            Ok(()) => Some(()),
            Err((wanted, found)) => {
                let resolver = self.context.resolver;
                self.error(mismatch(resolver, place, expression, wanted, found));
                None
            }
        }
    }

    pub(crate) fn either(&mut self, expression: &Expression) -> Option<Draft<V>> {
        let span = expression.span;
        let formula = match &*expression.kind {
            ExpressionKind::Name(name) => return self.name(name, span),
            ExpressionKind::Apply(name, args) => return self.application(name, args, span),
            ExpressionKind::If { then, condition, otherwise } => {
                return self.conditional(then, condition, otherwise, span);
            }
            ExpressionKind::At(moment, inner) => return self.at(*moment, inner, span),
            ExpressionKind::Hole(_) => {
                self.error(sketch(span));
                return None;
            }
            ExpressionKind::Integer(value) => {
                return Some(self.integer_draft(DraftTerm::Integer(*value)));
            }
            ExpressionKind::Negative(inner) => return self.negative(inner),
            ExpressionKind::Arithmetic(operation, left, right) => {
                return self.arithmetic(*operation, left, right);
            }
            ExpressionKind::Truth(value) => DraftFormula::Truth(*value),
            ExpressionKind::Equal { left, right, negated } => {
                let equal = self.equation(left, right, span, *negated)?;
                if *negated { DraftFormula::Not(Box::new(equal)) } else { equal }
            }
            ExpressionKind::Compare { comparison, left, right, flipped } => {
                self.comparison(*comparison, left, right, *flipped)?
            }
            ExpressionKind::Not(inner) => DraftFormula::Not(Box::new(self.formula(inner)?)),
            ExpressionKind::And(parts) => DraftFormula::And(self.formulas(parts)?),
            ExpressionKind::Or(parts) => DraftFormula::Or(self.formulas(parts)?),
            ExpressionKind::Connective(connective, left, right) => {
                let (left, right) = (self.formula(left), self.formula(right));
                DraftFormula::Connective(*connective, Box::new((left?, right?)))
            }
            ExpressionKind::Quantified(quantifier, binders, body) => {
                let (vars, body) = self.bound(binders, body);
                DraftFormula::Quantified(*quantifier, vars, Box::new(body?))
            }
        };
        Some(Draft::Formula(formula))
    }

    /// Infers all parts, also after an error, so that all errors are reported.
    fn formulas(&mut self, parts: &[Expression]) -> Option<Vec<DraftFormula<V>>> {
        let drafts: Vec<_> = parts.iter().map(|part| self.formula(part)).collect();
        drafts.into_iter().collect()
    }

    fn name(&mut self, name: &Name, span: Span) -> Option<Draft<V>> {
        if let Some(var) = self.variables.mention(name) {
            return Some(Draft::Term(DraftTerm::Var(var.clone()), var.slot));
        }
        match self.lookup(name) {
            Lookup::Unknown => self.unbound(name, span),
            Lookup::Variable(var, _) => {
                let slot = self.slots.known(var.sort, None);
                Some(Draft::Term(DraftTerm::Var(DraftVar { name: var.name, slot }), slot))
            }
            Lookup::Element(index, sort, _) => {
                let slot = self.slots.known(sort, None);
                Some(Draft::Term(DraftTerm::Element(index, slot), slot))
            }
            found @ (Lookup::Symbol(_)
            | Lookup::Overloaded(_)
            | Lookup::Definition(_)
            | Lookup::Refused(_)
            | Lookup::Mistaken) => {
                self.symbol(&Identifier::new(name.clone(), span), found, &[], span)
            }
        }
    }

    pub(crate) fn lookup(&self, name: &str) -> Lookup<V> {
        self.context.resolver.resolve(name, self.moment.unwrap_or(Moment::Old))
    }
}
