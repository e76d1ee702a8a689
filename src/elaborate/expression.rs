//! Expressions to sorted terms and formulas of any vocabulary: the entry points.
//!
//! Sorts are inferred over one whole expression. Every error in it is reported, not only the
//! first; the result is there only if there is none.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::syntax::surface::{Binder, Expression};
use crate::logic::{Formula, Term, Var, Vocabulary};

use super::codes;
use super::resolve::Resolve;
use super::sorts::draft::{DraftVar, Solution};
use super::sorts::infer::Inference;
use super::sorts::mismatch::MismatchPlace;

/// What an expression is elaborated in.
pub struct Context<'a, V: Vocabulary, R> {
    /// What the names mean.
    pub resolver: &'a R,
    /// Variables in scope, beyond those that the resolver knows.
    pub variables: &'a [Var<V>],
    /// How capitalised names without a binder are treated.
    pub unbound: Unbound,
}

/// How to treat a capitalised name without a binder.
#[derive(Clone, Copy, Debug)]
pub enum Unbound {
    /// It is universally quantified over the whole expression.
    Universal,
    /// It is refused.
    Refused(WhyRefused),
}

/// How an unbound capitalised name is refused: "`N` `why`".
#[derive(Clone, Copy, Debug)]
pub struct WhyRefused {
    /// The code of the message.
    pub code: Code,
    /// The message, after the name.
    pub why: &'static str,
    /// What to do about it.
    pub hint: &'static str,
}

impl Unbound {
    /// Every variable needs a binder.
    pub const NEEDS_BINDER: Unbound = Unbound::Refused(WhyRefused {
        code: codes::UNBOUND_VARIABLE,
        why: "is not bound",
        hint: "bind it with `forall` or `exists`",
    });
}

/// A formula; with [`Unbound::Universal`] it is closed by quantifying what is unbound.
pub fn formula<V: Vocabulary, R: Resolve<V>>(
    context: &Context<'_, V, R>,
    expression: &Expression,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Formula<V>> {
    let mut inference = Inference::new(context, diagnostics);
    let draft = inference.formula(expression);
    let (solved, closure) = inference.solve()?;
    let solution = solved.solution();
    let body = solution.formula(&draft?);
    Some(Formula::forall(vars(&solution, &closure), body))
}

/// A formula with parameters, whose sorts are found from their uses where they are not written.
pub fn definition<V: Vocabulary, R: Resolve<V>>(
    context: &Context<'_, V, R>,
    params: &[Binder],
    body: &Expression,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<(Vec<Var<V>>, Formula<V>)> {
    let mut inference = Inference::new(context, diagnostics);
    let (params, draft) = inference.bound(params, body);
    let (solved, _) = inference.solve()?;
    let solution = solved.solution();
    Some((vars(&solution, &params), solution.formula(&draft?)))
}

/// A term of a given sort; nothing can be quantified over it, so `Universal` refuses as well.
pub fn term<V: Vocabulary, R: Resolve<V>>(
    context: &Context<'_, V, R>,
    expression: &Expression,
    sort: V::Sort,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Term<V>> {
    let unbound = match context.unbound {
        Unbound::Universal => Unbound::NEEDS_BINDER,
        refused @ Unbound::Refused(_) => refused,
    };
    let context = Context { unbound, ..*context };
    let mut inference = Inference::new(&context, diagnostics);
    let wanted = inference.slots.known(sort, None);
    let draft = inference.term_of(expression, wanted, &MismatchPlace::Value);
    let (solved, _) = inference.solve()?;
    Some(solved.solution().term(&draft?))
}

fn vars<V: Vocabulary>(solution: &Solution<'_, V>, drafts: &[DraftVar]) -> Vec<Var<V>> {
    drafts.iter().map(|draft| solution.var(draft)).collect()
}
