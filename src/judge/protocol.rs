//! Questions about the protocol itself: whether anything is to be proved, and what a bound means.

use std::collections::BTreeSet;

use crate::certificate::{
    Argument, Certificate, Invariant, InvariantClause, InvariantSystem, Obligation,
    invariant_obligations,
};
use crate::logic::{Formula, Name, Term};
use crate::protocol::{Protocol, Sort, SortId, StateFormula, StateVar, SymbolId};
use crate::smt::{Discharge, ProverError, discharge_all};
use crate::source::Span;

use super::{Bounds, JudgeConfig, query};

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

/// Whether no instance of any size has an initial state: then everything holds, for no good reason.
pub(super) fn is_vacuous(user: &Protocol, config: &JudgeConfig<'_>) -> Result<bool, ProverError> {
    holds_initially(user, Formula::truth(false), config)
}

/// The ties that matter for bounds.
pub(super) fn ties(
    user: &Protocol,
    certificate: &Certificate,
    bounds: &Bounds,
    config: &JudgeConfig<'_>,
) -> Result<Vec<Tie>, ProverError> {
    let Argument::Cutoff(cases) = &certificate.argument else { return Ok(Vec::new()) };
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
            && holds_initially(user, injective(symbol, *from, into), config)?
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
fn holds_initially(
    user: &Protocol,
    formula: StateFormula,
    config: &JudgeConfig<'_>,
) -> Result<bool, ProverError> {
    let clause = InvariantClause { name: "initially".into(), formula, span: Span::default() };
    let system =
        InvariantSystem { protocol: user, cut: &[], actions: &[], further: &[], case: &"".into() };
    let obligations = invariant_obligations(system, &Invariant { clauses: vec![clause] });
    // Without actions there is one initiation and what follows from the clause.
    let initiation: Vec<&Obligation> = obligations.iter().take(1).collect();
    let queries: Vec<_> = initiation.into_iter().map(query).collect();
    let answers = discharge_all(config.prover, &queries, &config.budget)?;
    Ok(answers.iter().all(Discharge::is_valid))
}
