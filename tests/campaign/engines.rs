//! One finite question solved in every way: all answers are the same.

use rmlcut::budget::Budget;
use rmlcut::finite;
use rmlcut::finite::{
    ENGINES, Engine, FiniteOutcome, FiniteReason, Question, Silent, Slicing, Symmetry,
};

use crate::campaign::truth::Limits;

/// Asks both engines, with and without symmetry and slicing, on one thread and on two.
///
/// Returns whether there was anything to compare: what hits a limit is no answer.
pub(crate) fn engines_agree(question: &Question<'_>, limits: Limits) -> Result<bool, String> {
    let Some(expected) = answer(ENGINES[0], question, &limits.budget(1))? else {
        return Ok(false);
    };
    let agree = |how: &str, found: Option<String>| match found {
        Some(found) if found != expected => Err(format!("{how}: {found}, otherwise {expected}")),
        _ => Ok(()),
    };
    agree("two threads", answer(ENGINES[0], question, &limits.budget(2))?)?;
    for engine in ENGINES {
        for symmetry in [Symmetry::Reduced, Symmetry::Distinguished, Symmetry::Labelled] {
            for slicing in [Slicing::Whole, Slicing::Sliced] {
                let asked = Question { symmetry, slicing, ..question.clone() };
                let found = answer(*engine, &asked, &limits.budget(1))?;
                agree(&format!("{}, {symmetry:?}, {slicing:?}", engine.name()), found)?;
            }
        }
    }
    Ok(true)
}

/// The answer in one word, with the length of the shortest run; nothing where a limit was hit.
fn answer(
    engine: &dyn Engine,
    question: &Question<'_>,
    budget: &Budget,
) -> Result<Option<String>, String> {
    match finite::check(engine, question, budget, &Silent) {
        Ok(FiniteOutcome::Safe(_)) => Ok(Some("safe".to_owned())),
        Ok(FiniteOutcome::Unsafe(violation, _)) => {
            let replayed = violation.trace.replay(question.protocol);
            replayed.map_err(|error| format!("{}: no run: {error}", engine.name()))?;
            Ok(Some(format!("unsafe in {}", violation.trace.steps.len())))
        }
        Ok(FiniteOutcome::Unknown(reason, _)) => Ok(match reason {
            FiniteReason::NoInstance | FiniteReason::NoInitialState => Some(reason.to_string()),
            _ => None,
        }),
        Err(error) if error.is_bug() => Err(format!("{}: {error}", engine.name())),
        Err(_) => Ok(None),
    }
}
