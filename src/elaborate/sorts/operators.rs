//! Sort inference for equations, orders, arithmetic, `if … else …` and `old`/`new`.

use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::surface::{Arithmetic, Expression, Moment};
use crate::logic::{Comparison, Vocabulary};
use crate::source::Span;

use super::draft::{Draft, DraftFormula, DraftTerm};
use super::infer::Inference;
use super::messages::formula_equation;
use super::mismatch::MismatchPlace;
use crate::elaborate::codes;
use crate::elaborate::resolve::{ReadableStates, Resolve};

impl<V: Vocabulary, R: Resolve<V>> Inference<'_, V, R> {
    pub(crate) fn equation(
        &mut self,
        left: &Expression,
        right: &Expression,
        span: Span,
        negated: bool,
    ) -> Option<DraftFormula<V>> {
        match (self.either(left), self.either(right)) {
            (Some(Draft::Term(first, wanted)), Some(Draft::Term(second, found))) => {
                self.unite(wanted, found, right, &MismatchPlace::Equation { left })?;
                Some(DraftFormula::Equal(Box::new((first, second))))
            }
            (Some(_), Some(_)) => {
                self.error(formula_equation([left, right], span, negated));
                None
            }
            // The error in one side has been reported.
            _ => None,
        }
    }

    pub(crate) fn conditional(
        &mut self,
        then: &Expression,
        condition: &Expression,
        otherwise: &Expression,
        span: Span,
    ) -> Option<Draft<V>> {
        let (first, condition, second) =
            (self.either(then), self.formula(condition), self.either(otherwise));
        match (first?, condition?, second?) {
            (Draft::Formula(first), condition, Draft::Formula(second)) => {
                Some(Draft::Formula(DraftFormula::If(Box::new((condition, first, second)))))
            }
            (Draft::Term(first, wanted), condition, Draft::Term(second, found)) => {
                self.unite(wanted, found, otherwise, &MismatchPlace::Branch { then })?;
                Some(Draft::Term(DraftTerm::If(Box::new((condition, first, second))), wanted))
            }
            (Draft::Formula(_), _, Draft::Term(..)) | (Draft::Term(..), _, Draft::Formula(_)) => {
                let message = "one branch is a formula, the other a term";
                self.error(Diagnostic::error(codes::MIXED_BRANCHES, message, span));
                None
            }
        }
    }

    pub(crate) fn integer_draft(&mut self, term: DraftTerm<V>) -> Draft<V> {
        let slot = self.slots.known(self.context.resolver.integers(), None);
        Draft::Term(term, slot)
    }

    /// Both operands; if neither is an integer, one message is enough.
    fn integer_operands(
        &mut self,
        left: &Expression,
        right: &Expression,
        operator: &str,
    ) -> Option<(DraftTerm<V>, DraftTerm<V>)> {
        let Some(left) = self.integer_operand(left, operator) else {
            match self.last_code() {
                Some(codes::INTEGER_NEEDED) => self.term(right).map(|_| ()),
                _ => self.integer_operand(right, operator).map(|_| ()),
            };
            return None;
        };
        Some((left, self.integer_operand(right, operator)?))
    }

    fn integer_operand(&mut self, operand: &Expression, operator: &str) -> Option<DraftTerm<V>> {
        let wanted = self.slots.known(self.context.resolver.integers(), None);
        self.term_of(operand, wanted, &MismatchPlace::Integer { operator })
    }

    pub(crate) fn negative(&mut self, inner: &Expression) -> Option<Draft<V>> {
        let operand = self.integer_operand(inner, "-")?;
        let negative = match operand {
            DraftTerm::Integer(value) => DraftTerm::Integer(value.wrapping_neg()),
            other => DraftTerm::Arithmetic(
                Arithmetic::Subtract,
                Box::new((DraftTerm::Integer(0), other)),
            ),
        };
        Some(self.integer_draft(negative))
    }

    pub(crate) fn arithmetic(
        &mut self,
        operation: Arithmetic,
        left: &Expression,
        right: &Expression,
    ) -> Option<Draft<V>> {
        let operator = match operation {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
        };
        let operands = self.integer_operands(left, right, operator)?;
        Some(self.integer_draft(DraftTerm::Arithmetic(operation, Box::new(operands))))
    }

    pub(crate) fn comparison(
        &mut self,
        comparison: Comparison,
        left: &Expression,
        right: &Expression,
        flipped: bool,
    ) -> Option<DraftFormula<V>> {
        let operator = match (comparison, flipped) {
            (Comparison::Less, false) => "<",
            (Comparison::LessEqual, false) => "<=",
            (Comparison::Less, true) => ">",
            (Comparison::LessEqual, true) => ">=",
        };
        let (left, right) = self.integer_operands(left, right, operator)?;
        let sides = if flipped { (right, left) } else { (left, right) };
        Some(DraftFormula::Compare(comparison, Box::new(sides)))
    }

    pub(crate) fn at(
        &mut self,
        moment: Moment,
        inner: &Expression,
        span: Span,
    ) -> Option<Draft<V>> {
        let word = match moment {
            Moment::Old => "old",
            Moment::New => "new",
        };
        if self.context.resolver.states() == ReadableStates::One {
            let message = format!("`{word}` is only allowed in formulas about two states");
            self.error(Diagnostic::error(codes::MISPLACED_MOMENT, message, span));
            self.either(inner);
            return None;
        }
        // The innermost word decides.
        let outside = self.moment.replace(moment);
        let draft = self.either(inner);
        self.moment = outside;
        draft
    }
}
