//! Sort inference for applications: a symbol, its arity and the sorts of its arguments.

use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::surface::{Expression, Identifier};
use crate::logic::{Node, Vocabulary};
use crate::source::Span;

use super::draft::{Draft, DraftFormula, DraftSymbol, DraftTerm};
use super::infer::Inference;
use super::messages::{too_large, wrong_arity};
use super::mismatch::MismatchPlace;
use super::overload::Overload;
use super::slots::Slot;
use crate::elaborate::codes;
use crate::elaborate::definitions::{Extent, LARGEST};
use crate::elaborate::resolve::{Lookup, NameCandidate, Resolve};

impl<V: Vocabulary, R: Resolve<V>> Inference<'_, V, R> {
    pub(crate) fn application(
        &mut self,
        name: &Identifier,
        args: &[Expression],
        span: Span,
    ) -> Option<Draft<V>> {
        let found = if self.variables.mention(&name.value).is_some() {
            None
        } else {
            Some(self.lookup(&name.value)).filter(|found| !matches!(found, Lookup::Variable(..)))
        };
        match found {
            None => {
                let message = format!("`{}` is a variable and takes no arguments", name.value);
                self.error(Diagnostic::error(codes::APPLIED_VARIABLE, message, name.span));
                self.report_errors_in(args)
            }
            Some(Lookup::Unknown) => {
                self.unknown(&name.value, name.span, args);
                // Unknown whether its arguments should be terms.
                for arg in args {
                    self.either(arg);
                }
                None
            }
            Some(found) => self.symbol(name, found, args, span),
        }
    }

    /// Reports errors in the arguments of an application that is itself an error.
    fn report_errors_in(&mut self, args: &[Expression]) -> Option<Draft<V>> {
        for arg in args {
            self.term(arg);
        }
        None
    }

    pub(crate) fn symbol(
        &mut self,
        name: &Identifier,
        found: Lookup<V>,
        args: &[Expression],
        span: Span,
    ) -> Option<Draft<V>> {
        match found {
            Lookup::Symbol(candidate) => {
                let NameCandidate { symbol, rank, declared } = candidate;
                let params: Vec<Slot> =
                    rank.params.iter().map(|sort| self.slots.known(*sort, None)).collect();
                let args = self.arguments(name, &params, declared, args, span)?;
                let result = rank.result.map(|sort| self.slots.known(sort, None));
                Some(applied(DraftSymbol::Fixed(symbol), args, result))
            }
            Lookup::Overloaded(candidates) => {
                let arity = candidates[0].rank.params.len();
                let params: Vec<Slot> = (0..arity).map(|_| self.slots.unknown()).collect();
                let result = candidates[0].rank.result.map(|_| self.slots.unknown());
                let declared = candidates[0].declared;
                let args = self.arguments(name, &params, declared, args, span)?;
                let name = name.clone();
                let index = self.overloads.push(Overload { name, candidates, params, result });
                Some(applied(DraftSymbol::Overloaded(index), args, result))
            }
            Lookup::Definition(found) => {
                let params = found.params.iter();
                let params: Vec<Slot> =
                    params.map(|param| self.slots.known(param.sort, None)).collect();
                let args = self.arguments(name, &params, found.declared, args, span)?;
                self.written_out += Extent::of(Node::Formula(&found.formula)).size;
                if self.written_out > LARGEST {
                    self.error(too_large(&name.value, name.span));
                    return None;
                }
                Some(Draft::Formula(DraftFormula::Defined(Box::new(found), args)))
            }
            Lookup::Refused(refusal) => {
                self.error(refusal.at(name.span));
                self.report_errors_in(args)
            }
            Lookup::Mistaken => {
                self.failed = true;
                self.report_errors_in(args)
            }
            Lookup::Element(_, _, declared) => {
                self.error(wrong_arity(&name.value, 0, args.len(), span, declared));
                self.report_errors_in(args)
            }
            Lookup::Variable(..) | Lookup::Unknown => None,
        }
    }

    fn arguments(
        &mut self,
        name: &Identifier,
        params: &[Slot],
        declared: Option<Span>,
        args: &[Expression],
        span: Span,
    ) -> Option<Vec<DraftTerm<V>>> {
        if params.len() != args.len() {
            self.error(wrong_arity(&name.value, params.len(), args.len(), span, declared));
            self.report_errors_in(args)?;
        }
        let mut drafts = Vec::new();
        for (index, (arg, param)) in args.iter().zip(params).enumerate() {
            let place =
                MismatchPlace::Argument { symbol: &name.value, position: index + 1, declared };
            drafts.push(self.term_of(arg, *param, &place));
        }
        drafts.into_iter().collect()
    }
}

fn applied<V: Vocabulary>(
    symbol: DraftSymbol<V>,
    args: Vec<DraftTerm<V>>,
    result: Option<Slot>,
) -> Draft<V> {
    match result {
        Some(slot) => Draft::Term(DraftTerm::Apply(symbol, args, slot), slot),
        None => Draft::Formula(DraftFormula::Holds(symbol, args)),
    }
}
