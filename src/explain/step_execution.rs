//! The step of a counter-model played through by the concrete semantics: what `L` does, and how far
//! `C` gets with its answer.

use std::collections::BTreeMap;

use crate::certificate::{Case, Mode, Move, ProductSymbol, ProductVar};
use crate::logic::{Table, evaluate_term};
use crate::protocol::{ChoiceId, ChoiceValues, Invocation, Protocol, State, execute_with};

use super::MoveOutcome;
use super::completed_model::Scene;

/// One move of `C` as it was played.
pub(super) struct PlayedMove {
    pub(super) invocation: Invocation,
    pub(super) choices: ChoiceValues,
    /// The state in which it was tried.
    pub(super) before: State,
    pub(super) outcome: MoveOutcome,
}

/// An action of `L`, or of the one system there is: its arguments, and the state after it.
pub(super) fn play_action(
    scene: &Scene<'_>,
    protocol: &Protocol,
    action: usize,
    state: &State,
    choice: &dyn Fn(ChoiceId) -> ProductSymbol,
    param: &dyn Fn(usize) -> ProductVar,
) -> Option<(Invocation, State)> {
    let declared = &protocol.actions[action];
    let args = (0..declared.params.len()).map(|index| scene.assignment.get(&param(index)).copied());
    let invocation = Invocation { action, args: args.collect::<Option<Vec<_>>>()? };
    let ids = (0..u32::try_from(declared.choices.len()).ok()?).map(ChoiceId);
    let choices: Option<BTreeMap<ChoiceId, Table>> =
        ids.map(|id| Some((id, scene.structure.tables.get(&choice(id))?.clone()))).collect();
    let after = execute_with(protocol, state, &invocation, &choices?).ok()??;
    Some((invocation, after))
}

/// Plays the moves of `C` one after another, up to the first that is not possible.
pub(super) fn play_moves(
    scene: &Scene<'_>,
    case: &Case,
    moves: &[Move],
) -> Option<(Vec<PlayedMove>, State)> {
    let mut state = scene.cutoff();
    let mut played = Vec::new();
    for next in moves {
        let (invocation, choices) = evaluate_move(scene, next)?;
        let before = state.clone();
        let after = execute_with(&case.small, &before, &invocation, &choices).ok()?;
        let outcome = match (&after, next.mode) {
            (Some(_), _) => MoveOutcome::Done,
            (None, Mode::Try) => MoveOutcome::Skipped,
            (None, Mode::Fire) => MoveOutcome::Impossible,
        };
        if let Some(after) = after {
            state = after;
        }
        played.push(PlayedMove { invocation, choices, before, outcome });
        if outcome == MoveOutcome::Impossible {
            break;
        }
    }
    Some((played, state))
}

/// The arguments and choices of a move, read before the first one.
fn evaluate_move(scene: &Scene<'_>, next: &Move) -> Option<(Invocation, ChoiceValues)> {
    let value = |term| evaluate_term(&scene.structure, &scene.assignment, term).ok();
    let args = next.args.iter().map(value).collect::<Option<Vec<_>>>()?;
    let choices = next
        .choices
        .iter()
        .map(|(id, definition)| Some((*id, scene.tabulate(definition)?)))
        .collect::<Option<ChoiceValues>>()?;
    Some((Invocation { action: next.action, args }, choices))
}
