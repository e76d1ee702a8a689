//! Chooses the engine: states are visited one by one while they are few, then held as sets.
//!
//! Neither engine is better everywhere, and nothing says beforehand how many states there are. So
//! they take turns until one has the answer, and neither spends more than the other: that costs at
//! most twice what the better one costs alone. Turns are measured in successors and in nodes of
//! diagrams, not in seconds: the same engine answers on every machine.

use super::engine::Engine;
use super::error::EngineError;
use super::explicit::Explicit;
use super::question::coverage::{Coverage, Progress};
use super::question::reason::FiniteReason;
use super::question::{FiniteOutcome, Question};
use super::sat::Sat;
use super::symbolic::Symbolic;
use super::{Instances, check_instances};
use crate::budget::{Budget, Stop, Turn};

/// What visiting states may cost before sets are built at all: about a hundredth of a second, in
/// nodes of diagrams that are asked for.
const HEAD_START: u64 = 1 << 18;

/// The stack of the thread that writes out an instance for the symbolic engine, which then searches
/// on a larger one.
const GROUNDING: usize = 1 << 24;

/// Searches every instance of the size that the question is about, with the engine that suits.
///
/// # Errors
/// When the question is wrong or too large, or two parts of the tool disagree.
pub fn check_with_any(
    question: &Question<'_>,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<(&'static str, FiniteOutcome), EngineError> {
    let instances = &Instances::of(question, budget)?;
    let sides = Turn::pair(HEAD_START).map(|turn| Side { turn, stop: budget.stop.child() });
    let [visiting, holding] = &sides;
    let (visited, held) = std::thread::scope(|scope| {
        let hold = || holding.search(&Symbolic, visiting, (question, instances), budget, progress);
        let thread = std::thread::Builder::new().stack_size(GROUNDING).spawn_scoped(scope, hold);
        if thread.is_err() {
            holding.turn.end();
        }
        let visited = visiting.search(&Explicit, holding, (question, instances), budget, progress);
        let held = thread.ok().and_then(|thread| thread.join().ok());
        (visited, held.unwrap_or(Ok(Ended::Unsuitable)))
    });
    match (visited?, held?) {
        (Ended::Answered(outcome), _) => Ok((Explicit.name(), outcome)),
        (_, Ended::Answered(outcome)) => Ok((Symbolic.name(), outcome)),
        // What was visited is all that is known.
        (Ended::Stopped(reason, coverage), _) => {
            Ok((Explicit.name(), FiniteOutcome::Unknown(reason, coverage)))
        }
        (_, Ended::Stopped(reason, coverage)) => {
            Ok((Symbolic.name(), FiniteOutcome::Unknown(reason, coverage)))
        }
        (Ended::Unsuitable, Ended::Unsuitable) => {
            Ok((Sat.name(), check_instances(&Sat, question, instances, budget, progress)?))
        }
    }
}

/// How the search of one engine ended.
enum Ended {
    Answered(FiniteOutcome),
    /// By the budget, or because the other engine has the answer.
    Stopped(FiniteReason, Coverage),
    /// It would not answer, however long it worked.
    Unsuitable,
}

/// One of two engines that take turns.
struct Side {
    turn: Turn,
    stop: Stop,
}

impl Side {
    /// Searches when it is this side's turn; an answer ends the other side.
    fn search(
        &self,
        engine: &dyn Engine,
        other: &Side,
        (question, instances): (&Question<'_>, &Instances),
        budget: &Budget,
        progress: &dyn Progress,
    ) -> Result<Ended, EngineError> {
        let stop = self.stop.taking(&self.turn);
        stop.charge(0);
        // Both sides keep what they know until one has the answer.
        let limited = Budget { stop, max_memory: budget.max_memory / 2, ..budget.clone() };
        let ended = match check_instances(engine, question, instances, &limited, progress) {
            Ok(FiniteOutcome::Unknown(FiniteReason::MaxMemory(_), _))
            | Err(EngineError::TooManyInitialStates { .. } | EngineError::TooManyChoices(_)) => {
                Ok(Ended::Unsuitable)
            }
            Ok(FiniteOutcome::Unknown(reason, coverage)) if limited.stop.is_set() => {
                Ok(Ended::Stopped(reason, coverage))
            }
            Ok(outcome) => Ok(Ended::Answered(outcome)),
            Err(error) => Err(error),
        };
        if matches!(ended, Ok(Ended::Answered(_)) | Err(_)) {
            other.stop.cancel();
        }
        self.turn.end();
        ended
    }
}
