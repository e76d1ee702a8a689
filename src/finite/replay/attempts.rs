//! Finding the invocation, and the choices of its havocs, that a given step stands for.

use std::collections::BTreeSet;

use super::{Refused, ReplayFailure, Replayer};
use crate::finite::question::size_estimate::Scale;
use crate::logic::{Table, Value};
use crate::protocol::{
    Blocked, ChoiceValues, ExecutionError, ExternalStep, Invocation, ReachedState, Sort, State,
    execute_to,
};

/// No more choices of one invocation are tried.
const MAX_CHOICES: u64 = 1 << 16;

/// The result of trying a given step.
pub(super) enum InvocationAttempt {
    /// It is a step: this invocation with these choices.
    Made(Invocation, ChoiceValues),
    /// Nothing that it may stand for is possible, for these reasons.
    Impossible(Vec<Refused>),
    /// Something is possible and leads elsewhere.
    Elsewhere(Invocation, Box<State>),
}

impl Replayer<'_> {
    /// Tries everything that a given step may stand for.
    pub(super) fn attempt(
        &mut self,
        given: &ExternalStep,
    ) -> Result<InvocationAttempt, ReplayFailure> {
        let before = self.run.last().clone();
        let mut search = InvocationSearch {
            before: &before,
            given,
            failed: None,
            elsewhere: None,
            refused: Vec::new(),
        };
        let actions = match given.action {
            Some(action) => action..action + 1,
            None => 0..self.protocol.actions.len(),
        };
        for action in actions {
            if let Some(made) = self.action(action, &mut search)? {
                return Ok(made);
            }
        }
        let InvocationSearch { failed, elsewhere, refused, .. } = search;
        match (failed, elsewhere) {
            (Some(trouble), _) => Err(trouble),
            (None, Some((invocation, state))) => {
                Ok(InvocationAttempt::Elsewhere(invocation, state))
            }
            (None, None) => Ok(InvocationAttempt::Impossible(refused)),
        }
    }

    /// Tries every invocation of an action that agrees with what is given.
    fn action(
        &mut self,
        action: usize,
        search: &mut InvocationSearch<'_>,
    ) -> Result<Option<InvocationAttempt>, ReplayFailure> {
        let params = &self.protocol.actions[action].params;
        let mut candidates = Vec::new();
        for (index, param) in params.iter().enumerate() {
            let given = search.given.args.get(index).copied().flatten();
            let values = match (given, param.sort) {
                (Some(value), _) => vec![value],
                (None, Sort::Int) => {
                    search.failed.get_or_insert(ReplayFailure::IntegerArgument);
                    search.integers()
                }
                (None, sort) => search.before.extents[&sort].values().collect(),
            };
            candidates.push(values);
        }
        let lengths = candidates.iter().map(|values| values.len() as u128);
        let count = lengths.fold(1, u128::saturating_mul);
        for index in 0..count {
            let invocation = Invocation { action, args: tuple_at(&candidates, index) };
            if let Some(made) = self.invocation(invocation, search)? {
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    fn invocation(
        &mut self,
        invocation: Invocation,
        search: &mut InvocationSearch<'_>,
    ) -> Result<Option<InvocationAttempt>, ReplayFailure> {
        let weight = self.weight(&invocation, search.before);
        self.spend(weight)?;
        // What the next state determines is tried in any case.
        let affordable = u64::try_from(self.search / weight.max(1)).unwrap_or(u64::MAX);
        let most = affordable.clamp(1, MAX_CHOICES);
        let after = &search.given.state;
        let reached = execute_to(self.protocol, search.before, &invocation, after, most);
        let tries = match &reached {
            Ok((_, tried)) => *tried,
            Err(ExecutionError::TooManyChoices(_)) => most,
            Err(_) => 1,
        };
        self.search = self.search.saturating_sub(weight.saturating_mul(u128::from(tries - 1)));
        match reached {
            Ok((ReachedState::Given(choices), _)) => {
                return Ok(Some(InvocationAttempt::Made(invocation, choices)));
            }
            Ok((ReachedState::Other(state), _)) => {
                search.elsewhere.get_or_insert((invocation, state));
            }
            Ok((ReachedState::Impossible(blocked), choices)) => {
                search.refuse(Refused { invocation, blocked, choices, invocations: 1 });
            }
            Err(ExecutionError::TooManyChoices(_)) => {
                search.failed.get_or_insert(ReplayFailure::TooManyChoices);
            }
            Err(error) => {
                search.failed.get_or_insert(error.into());
            }
        }
        Ok(None)
    }

    /// What one attempt evaluates and copies.
    fn weight(&self, invocation: &Invocation, before: &State) -> u128 {
        let body = &self.protocol.actions[invocation.action].body;
        let formulas = Scale { extents: &before.extents }.block(body);
        let values: u128 = before.tables.values().map(|table| table.values().len() as u128).sum();
        formulas.saturating_add(values.saturating_mul(body.len() as u128 + 1))
    }
}

/// A given step, and what was tried for it.
struct InvocationSearch<'a> {
    before: &'a State,
    given: &'a ExternalStep,
    /// Why the first attempt that has no answer has none.
    failed: Option<ReplayFailure>,
    /// Where the first attempt that is possible leads.
    elsewhere: Option<(Invocation, Box<State>)>,
    /// What is not possible, by the condition that fails.
    refused: Vec<Refused>,
}

impl InvocationSearch<'_> {
    /// Counts an invocation that is not possible among those that fail at the same place.
    fn refuse(&mut self, refused: Refused) {
        let place = |refused: &Refused| {
            (refused.invocation.action, refused.blocked.as_ref().map(Blocked::span))
        };
        match self.refused.iter_mut().find(|known| place(known) == place(&refused)) {
            Some(known) => known.invocations += 1,
            None => self.refused.push(refused),
        }
    }

    /// The integers that an argument may be: those of both states. There are always others.
    fn integers(&self) -> Vec<Value> {
        let tables = self.before.tables.values().chain(self.given.state.tables.values());
        let values = tables.flat_map(Table::values).copied();
        let integers: BTreeSet<Value> =
            values.filter(|value| matches!(value, Value::Int(_))).collect();
        integers.into_iter().collect()
    }
}

/// The tuple at a position, the last place moving fastest.
fn tuple_at(candidates: &[Vec<Value>], index: u128) -> Vec<Value> {
    let mut rest = index;
    let mut args = Vec::new();
    for values in candidates.iter().rev() {
        let count = values.len().max(1) as u128;
        let position = usize::try_from(rest % count).unwrap_or_default();
        args.extend(values.get(position));
        rest /= count;
    }
    args.reverse();
    args
}
