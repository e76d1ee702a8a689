//! The reachable states of small instances, kept so that many formulas can be tried on them.
//!
//! What holds here is a guess about other instances and a fact about none of them.

use crate::budget::Budget;
use crate::effort;
use crate::effort::EffortPart;
use crate::finite::error::EngineError;
use crate::finite::explicit::bytecode::Test;
use crate::finite::explicit::explore;
use crate::finite::explicit::state_store::Store;
use crate::finite::ground::{GroundSystem, ground};
use crate::finite::model::initial::has_initial_state;
use crate::finite::model::instances::instances;
use crate::finite::question::coverage::Silent;
use crate::finite::question::reason::FiniteReason;
use crate::finite::question::{Claim, Deadlocks, Question, Symmetry};
use crate::finite::{Prepared, SearchEnding, prepare};
use crate::protocol::State;

/// The reachable states of every instance of one size.
#[derive(Clone, Debug)]
pub struct Reachable {
    /// The instances that have an initial state.
    pub instances: Vec<ReachableInstance>,
    labelled: bool,
}

/// The reachable states of one instance.
#[derive(Clone, Debug)]
pub struct ReachableInstance {
    pub(crate) system: GroundSystem,
    pub(crate) store: Store,
}

/// Lists the reachable states of every instance of the question's size.
///
/// The claims are not checked; they count for slicing, and for whether elements have an identity.
///
/// # Errors
/// When the question is wrong or too large. The inner error: why the list would be incomplete.
pub fn reachable(
    question: &Question<'_>,
    budget: &Budget,
) -> Result<Result<Reachable, FiniteReason>, EngineError> {
    let found = sample(question, budget)?;
    Ok(match found.missing {
        Some(reason) => Err(reason),
        None => Ok(found.reachable),
    })
}

/// Reachable states of instances, perhaps not all of them.
#[derive(Clone, Debug)]
pub struct Sample {
    /// What was found: nearest to the initial states first.
    pub reachable: Reachable,
    /// Why something is missing, if something is.
    pub missing: Option<FiniteReason>,
}

/// Lists reachable states of every instance of the question's size, as far as the budget goes.
///
/// # Errors
/// When the question is wrong or too large.
pub fn sample(question: &Question<'_>, budget: &Budget) -> Result<Sample, EngineError> {
    effort::measured(EffortPart::Instances, || sample_instances(question, budget))
}

fn sample_instances(question: &Question<'_>, budget: &Budget) -> Result<Sample, EngineError> {
    let Prepared { slice, extents, truncated } = prepare(question)?;
    let reachable = Reachable::new(question);
    let mut sample = Sample { reachable, missing: truncated.then(|| window(question)) };
    let rigid = match instances(question, &slice, &extents, budget)? {
        Ok(found) => {
            sample.lacks(found.truncated.then(|| window(question)));
            found.rigid
        }
        Err(reason) => {
            sample.lacks(Some(reason));
            return Ok(sample);
        }
    };
    for rigid in rigid {
        let mut system = match ground(question, (&slice, &extents), rigid, &budget.stop)? {
            Ok(system) => system,
            Err(reason) => {
                sample.lacks(Some(reason));
                break;
            }
        };
        system.claims.clear();
        match has_initial_state(&system, budget) {
            Ok(true) => {}
            Ok(false) => continue,
            Err(reason) => {
                sample.lacks(Some(reason));
                continue;
            }
        }
        let found = explore(&mut system, Deadlocks::Ignored, budget, &Silent)?;
        match found.search.ending {
            SearchEnding::Unknown(reason, ()) => sample.lacks(Some(reason)),
            SearchEnding::Safe(()) | SearchEnding::Unsafe(_, ()) => {
                sample.lacks(found.search.bound_hit.then(|| window(question)));
            }
        }
        sample.reachable.instances.push(ReachableInstance { system, store: found.store });
    }
    Ok(sample)
}

impl Sample {
    fn lacks(&mut self, reason: Option<FiniteReason>) {
        self.missing = self.missing.take().or(reason);
    }
}

fn window(question: &Question<'_>) -> FiniteReason {
    let (low, high) = question.window.unwrap_or((0, -1));
    FiniteReason::Window(low, high)
}

impl Reachable {
    /// No states yet.
    pub(crate) fn new(question: &Question<'_>) -> Self {
        Reachable { instances: Vec::new(), labelled: !question.may_rename() }
    }

    /// How many states there are.
    pub fn len(&self) -> u64 {
        self.instances.iter().map(ReachableInstance::len).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a claim holds in all states; where it depends on an integer outside the window it
    /// counts as false.
    ///
    /// # Errors
    /// When the claim cannot be evaluated, or names elements where they have no identity.
    pub fn all_satisfy(&mut self, claim: &Claim) -> Result<bool, EngineError> {
        if !claim.pinned.is_empty() && !self.labelled {
            return Err(EngineError::PinnedUnderSymmetry(claim.name.to_string()));
        }
        for instance in &mut self.instances {
            if !instance.all_satisfy(claim)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl ReachableInstance {
    /// How many states there are.
    pub fn len(&self) -> u64 {
        self.store.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Every state, as a structure with the rigid symbols; symbols that were sliced away are
    /// missing.
    pub fn states(&self) -> impl Iterator<Item = State> {
        self.store.iter().map(|packed| {
            let mut state = State::new(self.system.extents.clone());
            state.tables.extend(self.system.rigid.clone());
            state.tables.extend(self.system.layout.unpack(packed));
            state
        })
    }

    fn all_satisfy(&mut self, claim: &Claim) -> Result<bool, EngineError> {
        let claim = self.system.claim(claim)?;
        let fails = self.system.circuit.or(!claim.holds, claim.undefined);
        let fails = Test::compile(&self.system.circuit, fails);
        Ok(!self.store.iter().any(|state| fails.holds(state)))
    }
}

impl Question<'_> {
    /// The same question with no two states or instances identified.
    pub fn labelled(self) -> Self {
        Question { symmetry: Symmetry::Labelled, ..self }
    }
}
