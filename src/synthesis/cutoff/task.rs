//! What a search for cutoffs works on.

use crate::analysis::Facts;
use crate::logic::Name;
use crate::protocol::{Protocol, StateFormula};

use super::plan::PlanTarget;
use super::plan::violator_shapes::ViolatorShape;
use super::prove::backward_proof::Means;

/// A protocol, what the analysis knows of it, and the means to prove cases of it.
#[derive(Clone, Copy)]
pub(crate) struct CutoffTask<'a> {
    pub(crate) protocol: &'a Protocol,
    pub(crate) facts: &'a Facts,
    /// Clauses that may be invariants of either system.
    pub(crate) candidates: &'a [StateFormula],
    pub(crate) means: &'a Means<'a>,
}

impl<'a> CutoffTask<'a> {
    /// The target of plans for one shape of a violation.
    pub(crate) fn target<'t>(self, shape: &'t ViolatorShape, name: &Name) -> PlanTarget<'t>
    where
        'a: 't,
    {
        let CutoffTask { protocol, facts, candidates, .. } = self;
        PlanTarget { protocol, facts, shape, candidates, name: name.clone() }
    }
}
