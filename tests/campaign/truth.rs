//! The truth about small sizes, by looking at every state; nothing of the proofs is used.

use std::cell::OnceCell;
use std::time::Duration;

use rmlcut::budget::{Budget, Stop};
use rmlcut::finite;
use rmlcut::finite::{ENGINES, FiniteOutcome, FiniteReason, Question, Silent, Slicing, Symmetry};
use rmlcut::protocol::{Protocol, Size};

use crate::campaign::pace::stretched;

/// The range that stands in for ℤ.
const WINDOW: (i64, i64) = (-1, 4);

/// What one exploration may cost; the time is that of an idle machine.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) states: u64,
    pub(crate) time: Duration,
}

impl Limits {
    pub(crate) fn budget(self, threads: usize) -> Budget {
        Budget {
            max_states: self.states,
            max_memory: 1 << 28,
            threads,
            ..Budget::until(Stop::never().within(stretched(self.time)))
        }
    }
}

/// What was seen at one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Seen {
    /// All properties hold in every reachable state.
    Safe,
    /// A run of so many steps violates one.
    Unsafe(usize),
    /// The size has no instance, or none with an initial state.
    Nothing,
    /// Too large to tell.
    Open,
}

/// A question about all properties at a size, without symmetry reduction.
pub(crate) fn question(protocol: &Protocol, size: Size) -> Question<'_> {
    let mut question = Question::new(protocol, size);
    question.window = protocol.signature.uses_int().then_some(WINDOW);
    question.symmetry = Symmetry::Distinguished;
    question.slicing = Slicing::Whole;
    question
}

/// The results at several sizes, computed on demand.
pub(crate) struct Truth<'a> {
    pub(crate) protocol: &'a Protocol,
    pub(crate) sizes: Vec<Size>,
    pub(crate) limits: Limits,
    seen: OnceCell<Result<Vec<(Size, Seen)>, String>>,
}

impl<'a> Truth<'a> {
    pub(crate) fn new(protocol: &'a Protocol, sizes: Vec<Size>, limits: Limits) -> Self {
        Truth { protocol, sizes, limits, seen: OnceCell::new() }
    }

    /// What is to be seen at every size, as far as the limits allow.
    pub(crate) fn seen(&self) -> Result<&[(Size, Seen)], String> {
        let look = |size: &Size| {
            let seen = look(&question(self.protocol, size.clone()), self.limits)?;
            Ok((size.clone(), seen))
        };
        let seen = self.seen.get_or_init(|| self.sizes.iter().map(look).collect());
        seen.as_deref().map_err(Clone::clone)
    }
}

/// What one question is answered with; replays every violation.
fn look(question: &Question<'_>, limits: Limits) -> Result<Seen, String> {
    let outcome = finite::check(ENGINES[0], question, &limits.budget(1), &Silent);
    match outcome {
        Ok(FiniteOutcome::Safe(_)) => Ok(Seen::Safe),
        Ok(FiniteOutcome::Unsafe(violation, _)) => {
            let replayed = violation.trace.replay(question.protocol);
            replayed.map_err(|error| format!("explore: a trace does not replay: {error}"))?;
            Ok(Seen::Unsafe(violation.trace.steps.len()))
        }
        Ok(FiniteOutcome::Unknown(FiniteReason::NoInstance | FiniteReason::NoInitialState, _)) => {
            Ok(Seen::Nothing)
        }
        Ok(FiniteOutcome::Unknown(..)) => Ok(Seen::Open),
        Err(error) if error.is_bug() => Err(format!("explore: {error}")),
        Err(_) => Ok(Seen::Open),
    }
}

/// Sizes to look at: the first, each sort alone one larger, all one larger, all two larger.
pub(crate) fn ladder(first: &Size) -> Vec<Size> {
    let larger = |by: u32| first.iter().map(|(sort, count)| (*sort, count + by)).collect();
    let alone = first.keys().map(|sort| {
        let mut size = first.clone();
        size.entry(*sort).and_modify(|count| *count += 1);
        size
    });
    let alone: Vec<Size> = if first.len() > 1 { alone.collect() } else { Vec::new() };
    [vec![first.clone()], alone, vec![larger(1), larger(2)]].concat()
}
