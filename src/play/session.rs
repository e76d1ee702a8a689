//! A run that is made by hand: what is possible next, what is not, and the way back.

use std::collections::BTreeMap;

use crate::budget::Stop;
use crate::finite::Random;
use crate::finite::replay::Refused;
use crate::logic::{Extent, Value, tuple_count, tuples};
use crate::protocol::{
    Blocked, ExecutionError, Invocation, Protocol, ReachedState, State, Step, Trace, execute,
    execute_to,
};

/// No action is tried with more arguments, and no more steps are offered.
const MAX_INVOCATIONS: usize = 20_000;
const MAX_OPTIONS: usize = 2_000;

/// So many choices of havocs are tried to find out why an action is not possible.
const MAX_TRIED: u64 = 1 << 12;

/// A run, made step by step.
#[derive(Clone, Debug)]
pub struct Session {
    /// The states in which a run can begin.
    pub starts: Vec<State>,
    /// The run so far.
    pub run: Trace,
    random: Random,
}

/// What can be done in a state, in the order of the actions.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The possible steps.
    pub steps: Vec<Step>,
    /// Actions whose steps are not, or not all, listed, and why.
    pub unlisted: Vec<(usize, Unlisted)>,
}

/// Why steps are not listed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unlisted {
    /// There are too many.
    #[error("there are too many possibilities to list")]
    TooMany,
    /// They cannot be executed.
    #[error(transparent)]
    Execution(#[from] ExecutionError),
}

impl Session {
    /// A session at the first of some states; `None` if there is none.
    pub fn new(starts: Vec<State>, seed: u64) -> Option<Self> {
        let initial = starts.first()?.clone();
        let run = Trace { initial, steps: Vec::new() };
        Some(Session { starts, run, random: Random(seed.max(1)) })
    }

    /// A session that goes on from the end of a run.
    pub fn continuing(run: Trace, seed: u64) -> Self {
        Session { starts: vec![run.initial.clone()], run, random: Random(seed.max(1)) }
    }

    /// The state at the end of the run.
    pub fn state(&self) -> &State {
        self.run.last()
    }

    /// The state before the last step, if there was one.
    pub fn before(&self) -> Option<&State> {
        let last = self.run.steps.len().checked_sub(1)?;
        Some(last.checked_sub(1).map_or(&self.run.initial, |step| &self.run.steps[step].state))
    }

    /// Everything that is possible now.
    pub fn options(&self, protocol: &Protocol, stop: &Stop) -> Options {
        let mut options = Options::default();
        for action in 0..protocol.actions.len() {
            if let Err(why) = self.possible(protocol, action, stop, &mut options.steps) {
                options.unlisted.push((action, why));
            }
        }
        options
    }

    fn possible(
        &self,
        protocol: &Protocol,
        action: usize,
        stop: &Stop,
        steps: &mut Vec<Step>,
    ) -> Result<(), Unlisted> {
        for invocation in invocations(protocol, self.state(), action)? {
            if stop.is_set() || steps.len() >= MAX_OPTIONS {
                return Err(Unlisted::TooMany);
            }
            for successor in execute(protocol, self.state(), &invocation)? {
                let (choices, state) = (successor.choices, successor.state);
                let step = Step { invocation: invocation.clone(), choices, state };
                // Choices that make no difference are not offered twice.
                let is_known =
                    |known: &Step| known.invocation == step.invocation && known.state == step.state;
                if !steps
                    .iter()
                    .rev()
                    .take_while(|it| it.invocation == step.invocation)
                    .any(is_known)
                {
                    steps.push(step);
                }
            }
        }
        Ok(())
    }

    /// Makes a step.
    pub fn take(&mut self, step: Step) {
        self.run.steps.push(step);
    }

    /// Undoes some steps; how many there were.
    pub fn back(&mut self, steps: usize) -> usize {
        let undone = steps.min(self.run.steps.len());
        self.run.steps.truncate(self.run.steps.len() - undone);
        undone
    }

    /// Begins again, in one of the initial states; whether there is such a one.
    pub fn restart(&mut self, start: usize) -> bool {
        let Some(initial) = self.starts.get(start) else { return false };
        self.run = Trace { initial: initial.clone(), steps: Vec::new() };
        true
    }

    /// Makes random steps, until there are so many, nothing is possible or it is time to stop; how
    /// many were made.
    pub fn random_walk(&mut self, protocol: &Protocol, steps: usize, stop: &Stop) -> usize {
        for made in 0..steps {
            let mut options = self.options(protocol, stop).steps;
            if options.is_empty() || stop.is_set() {
                return made;
            }
            let chosen = self.random.below(options.len());
            self.take(options.swap_remove(chosen));
        }
        steps
    }

    /// Why invocations of an action are not possible: every condition that fails, once. `given` are
    /// the arguments that matter; all are tried for the others.
    pub fn blocked(
        &self,
        protocol: &Protocol,
        action: usize,
        given: &[Option<Value>],
        stop: &Stop,
    ) -> Result<Vec<Refused>, Unlisted> {
        let mut found: BTreeMap<Option<usize>, Refused> = BTreeMap::new();
        for invocation in invocations(protocol, self.state(), action)? {
            if stop.is_set() {
                break;
            }
            let agrees = |(given, own): (&Option<Value>, &Value)| given.is_none_or(|it| it == *own);
            if !given.iter().zip(&invocation.args).all(agrees) {
                continue;
            }
            let tried = execute_to(protocol, self.state(), &invocation, self.state(), MAX_TRIED)?;
            let (ReachedState::Impossible(blocked), choices) = tried else { continue };
            let place = blocked.as_ref().map(|blocked: &Blocked| blocked.span().start);
            found.entry(place).and_modify(|known| known.invocations += 1).or_insert(Refused {
                invocation,
                blocked,
                choices,
                invocations: 1,
            });
        }
        Ok(found.into_values().collect())
    }
}

/// Every way to invoke an action.
fn invocations(
    protocol: &Protocol,
    state: &State,
    action: usize,
) -> Result<impl Iterator<Item = Invocation> + use<>, Unlisted> {
    let params = &protocol.actions[action].params;
    let extents: Vec<Extent> = params.iter().map(|param| state.extents[&param.sort]).collect();
    if tuple_count(&extents) > MAX_INVOCATIONS {
        return Err(Unlisted::TooMany);
    }
    Ok(tuples(&extents).map(move |args| Invocation { action, args }))
}
