//! What a bound on one sort means for another: said beside a verdict, never part of it.

use std::collections::BTreeSet;

use crate::certificate::{Certificate, ProofArgument};
use crate::logic::{Formula, Name, Term};
use crate::protocol::{Protocol, Sort, SortId, StateFormula, StateVar, SymbolId};
use crate::smt::ProverError;

use super::vacuity::initially;
use super::{Bounds, JudgeConfig};

/// An injective rigid function from a cut sort into a bounded one: where it exists, a bound on the
/// latter is one on the former.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SizeRelation {
    /// The function.
    pub function: Name,
    /// The cut sort.
    pub from: SortId,
    /// The bounded sort.
    pub into: SortId,
}

/// Such relations from cut sorts into bounded ones.
pub(super) fn size_relations(
    user: &Protocol,
    certificate: &Certificate,
    bounds: &Bounds,
    config: &JudgeConfig<'_>,
) -> Result<Vec<SizeRelation>, ProverError> {
    let ProofArgument::Cutoff(cases) = &certificate.argument else { return Ok(Vec::new()) };
    let cut: BTreeSet<SortId> =
        cases.iter().flat_map(|case| case.cut.iter().map(|cut| cut.sort)).collect();
    let mut relations = Vec::new();
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
            relations.push(SizeRelation { function: declared.name.clone(), from: *from, into });
        }
    }
    Ok(relations)
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
