//! Violations in an initial state, or one step after it, in instances of any size: the solver
//! shows one, the concrete semantics replays it.

use std::time::Duration;

use crate::budget::{Budget, Stop};
use crate::certificate::{
    Invariant, InvariantSystem, Obligation, ObligationKind, StateClause, invariant_obligations,
};
use crate::effort::{Phase, during};
use crate::finite::{Claim, ClaimFailure, ClaimViolation};
use crate::judge::{FiniteViolation, query};
use crate::logic::Name;
use crate::protocol::{Property, PropertyKind, Protocol, Size, Sort, Trace, guard_weight};
use crate::smt::Prover;
use crate::smt::z3::{ModelSize, Z3};
use crate::source::Span;
use crate::synthesis::invariant::model_run;

/// What one question may cost, in the solver's units and in time.
const EFFORT: u32 = 2_000_000;
const TIME: Duration = Duration::from_secs(2);

/// All questions together take no longer.
const ALL_TIME: Duration = Duration::from_secs(3);

/// Larger guards are skipped, and so are actions beyond these.
const LARGEST_GUARD: u64 = 100_000;
const MAX_ACTIONS: usize = 200;

/// A violation of some property of this kind, at a size that is as small as the solver finds.
pub(super) fn violated(
    protocol: &Protocol,
    kind: PropertyKind,
    stop: &Stop,
) -> Option<FiniteViolation> {
    during(Phase::ViolationSearch, || search(protocol, kind, &stop.within(ALL_TIME)))
}

fn search(protocol: &Protocol, kind: PropertyKind, stop: &Stop) -> Option<FiniteViolation> {
    let start = Start { protocol, kind, stop };
    let actions = (0..protocol.actions.len()).take(MAX_ACTIONS);
    let small = actions.filter(|own| guard_weight(&protocol.actions[*own]) <= LARGEST_GUARD);
    start.after(None).or_else(|| small.into_iter().find_map(|action| start.after(Some(action))))
}

struct Start<'a> {
    protocol: &'a Protocol,
    kind: PropertyKind,
    stop: &'a Stop,
}

impl Start<'_> {
    fn properties(&self) -> impl Iterator<Item = (usize, &Property)> {
        let all = self.protocol.properties.iter();
        all.filter(|property| property.kind == self.kind).enumerate()
    }

    /// A violation in an initial state, or after this action in one.
    fn after(&self, action: Option<usize>) -> Option<FiniteViolation> {
        let actions: Vec<usize> = action.into_iter().collect();
        let system = InvariantSystem::of_protocol(self.protocol, &actions);
        let mut obligations = invariant_obligations(system, &self.clauses());
        obligations.retain(|obligation| self.property(obligation, action).is_some());
        obligations.iter().find_map(|obligation| {
            let budget =
                Budget { time: TIME, resources: Some(EFFORT), ..Budget::until(self.stop.clone()) };
            let (position, property) = self.property(obligation, action)?;
            let prover = Z3 { models: ModelSize::Small };
            // What the solver does not know is left to the other searches.
            let answer = prover.discharge(&query(obligation), &budget.one_question()).ok()?;
            self.replay(model_run(system, action, answer.counter_model()?)?, position, property)
        })
    }

    /// Before a step: the initial condition, and that the properties hold.
    fn clauses(&self) -> Invariant {
        let clause = |name: &Name, formula| StateClause {
            name: name.clone(),
            formula,
            span: Span::default(),
        };
        let initial = clause(&"".into(), self.protocol.initial());
        let properties = self.properties().map(|(_, own)| clause(&own.name, own.formula()));
        Invariant { clauses: std::iter::once(initial).chain(properties).collect() }
    }

    /// The property that an obligation is about, if it is about the moment after this action.
    fn property(
        &self,
        obligation: &Obligation,
        after: Option<usize>,
    ) -> Option<(usize, &Property)> {
        let name = match &obligation.kind {
            ObligationKind::Initiation { clause } if after.is_none() => clause,
            ObligationKind::Consecution { clause, .. } => clause,
            _ => return None,
        };
        self.properties().find(|(_, property)| property.name == *name)
    }

    /// Only what the concrete semantics confirms is a violation.
    fn replay(
        &self,
        trace: Trace,
        position: usize,
        property: &Property,
    ) -> Option<FiniteViolation> {
        if !trace.violates(self.protocol, property) {
            return None;
        }
        let elements = trace.violation(property).ok()??;
        let size = self.protocol.signature.sized_sorts().map(|sort| {
            let extent = trace.initial.extent(Sort::Declared(sort));
            let count = extent.map_or(0, |extent| extent.len());
            (sort, u32::try_from(count).unwrap_or(u32::MAX))
        });
        let size: Size = size.collect();
        let failure = ClaimFailure::Claim(position, elements);
        let violation = Box::new(ClaimViolation { failure, trace });
        let claims = self.properties().map(|(_, property)| Claim::from(property)).collect();
        Some(FiniteViolation { violation, claim: property.name.clone(), claims, size })
    }
}
