//! Questions about the protocol itself: whether anything is to be proved, and what a bound means.

use std::collections::BTreeSet;

use crate::certificate::{
    Certificate, Invariant, InvariantSystem, ProofArgument, StateClause, TwoSystems,
    invariant_obligations,
};
use crate::finite::{Engine, FiniteOutcome, Question, check};
use crate::logic::{Formula, Name, Term};
use crate::protocol::{Protocol, Sort, SortId, StateFormula, StateVar, SymbolId};
use crate::smt::{Discharge, ProverError};
use crate::source::Span;

use super::{Bounds, JudgeConfig, JudgeError, query};

/// An injective rigid function from a cut sort into a bounded one: where it exists, a bound on the
/// latter is one on the former.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tie {
    /// The function.
    pub function: Name,
    /// The cut sort.
    pub from: SortId,
    /// The bounded sort.
    pub into: SortId,
}

/// Whether some instance has an initial state: without one everything holds, for no good reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum InitialState {
    /// One was seen.
    Seen,
    /// There is none, at any size.
    Impossible,
    /// Nobody found one, and nobody proved that there is none.
    Unknown,
}

/// Sizes at which an initial state is looked for where the prover does not know: so many elements
/// of every sort.
const SMALL: std::ops::RangeInclusive<u32> = 1..=3;

/// Looks for an initial state of some instance.
pub(super) fn start(user: &Protocol, config: &JudgeConfig<'_>) -> Result<InitialState, JudgeError> {
    Ok(match initially(user, Formula::truth(false), config)? {
        Discharge::Valid => InitialState::Impossible,
        Discharge::Refuted(_) => InitialState::Seen,
        Discharge::Unknown(_) => match SMALL.clone().any(|count| starts_at(user, count, config)) {
            true => InitialState::Seen,
            false => InitialState::Unknown,
        },
    })
}

/// Whether an instance with so many elements of every sort has an initial state.
fn starts_at(user: &Protocol, count: u32, config: &JudgeConfig<'_>) -> bool {
    let Some(finite) = config.finite.as_ref().filter(|_| !user.signature.uses_int()) else {
        return false;
    };
    let size = user.sizes(|_| count);
    let question =
        Question { claims: Vec::new(), actions: Vec::new(), ..Question::new(user, size) };
    let budget = finite.budget.one_question();
    let found = |engine: &&dyn Engine| check(*engine, &question, &budget, finite.progress);
    finite.engines.iter().any(|engine| matches!(found(engine), Ok(FiniteOutcome::Safe(_))))
}

/// The ties that matter for bounds.
pub(super) fn ties(
    user: &Protocol,
    certificate: &Certificate,
    bounds: &Bounds,
    config: &JudgeConfig<'_>,
) -> Result<Vec<Tie>, ProverError> {
    let ProofArgument::Cutoff(cases) = &certificate.argument else { return Ok(Vec::new()) };
    let cut: BTreeSet<SortId> =
        cases.iter().flat_map(|case| case.cut.iter().map(|cut| cut.sort)).collect();
    let mut ties = Vec::new();
    for (symbol, declared) in user.signature.rigid() {
        let ([Sort::Declared(from)], Some(Sort::Declared(into))) =
            (declared.params.as_slice(), declared.result)
        else {
            continue;
        };
        if cut.contains(from)
            && bounds.contains_key(&into)
            && initially(user, injective(symbol, *from, into), config)?.is_valid()
        {
            ties.push(Tie { function: declared.name.clone(), from: *from, into });
        }
    }
    Ok(ties)
}

fn injective(function: SymbolId, from: SortId, into: SortId) -> StateFormula {
    let var = |name: &str| StateVar::new(name, Sort::Declared(from));
    let at = |var: StateVar| Term::apply(function, vec![Term::var(var)], Sort::Declared(into));
    let same = |left, right| Formula::equal(left, right);
    let (x, y) = (var("X"), var("Y"));
    let images = same(at(x.clone()), at(y.clone()));
    let elements = same(Term::var(x.clone()), Term::var(y.clone()));
    Formula::forall(vec![x, y], Formula::implies(images, elements))
}

/// Whether a formula follows from the axioms and the initial condition.
fn initially(
    user: &Protocol,
    formula: StateFormula,
    config: &JudgeConfig<'_>,
) -> Result<Discharge<TwoSystems>, ProverError> {
    let clause = StateClause { name: "initially".into(), formula, span: Span::default() };
    let system = InvariantSystem::of_protocol(user, &[]);
    let obligations = invariant_obligations(system, &Invariant { clauses: vec![clause] });
    // Without actions there is one initiation and what follows from the clause.
    let initiation = obligations.first().expect("every clause has an initiation");
    config.prover.discharge(&query(initiation), &config.budget)
}
