//! Which guard stands in the way of an action: the first conjunct of a `require` that fails where
//! it stands.

use crate::logic::{VariableAssignment, evaluate_formula};
use crate::protocol::{
    ChoiceValues, Command, Invocation, OneState, Protocol, State, StateFormula, execute_with,
};

/// A guard that fails, and the state in which it does.
pub(super) struct GuardObstacle {
    pub(super) guard: StateFormula,
    pub(super) state: State,
    /// The values of the action's parameters.
    pub(super) assignment: VariableAssignment<OneState>,
}

/// The first guard of an invocation that fails; `None` if none does, or it cannot be evaluated.
pub(super) fn obstacle(
    protocol: &Protocol,
    state: &State,
    invocation: &Invocation,
    choices: &ChoiceValues,
) -> Option<GuardObstacle> {
    let action = &protocol.actions[invocation.action];
    let assignment: VariableAssignment<OneState> =
        action.params.iter().cloned().zip(invocation.args.iter().copied()).collect();
    let walk = GuardWalk { protocol, state, invocation, choices, assignment };
    walk.block(&[], &action.body)
}

struct GuardWalk<'a> {
    protocol: &'a Protocol,
    state: &'a State,
    invocation: &'a Invocation,
    choices: &'a ChoiceValues,
    assignment: VariableAssignment<OneState>,
}

impl GuardWalk<'_> {
    /// Goes through a block that comes after `before`.
    fn block(&self, before: &[Command], block: &[Command]) -> Option<GuardObstacle> {
        let mut path = before.to_vec();
        for command in block {
            match command {
                Command::Require(formula, _) => {
                    let state = self.run(&path)?;
                    for guard in formula.conjuncts() {
                        if !evaluate_formula(&state, &self.assignment, &guard).ok()? {
                            return Some(GuardObstacle {
                                guard,
                                state,
                                assignment: self.assignment.clone(),
                            });
                        }
                    }
                }
                Command::If(condition, then, otherwise, _) => {
                    let state = self.run(&path)?;
                    let taken = match evaluate_formula(&state, &self.assignment, condition).ok()? {
                        true => then,
                        false => otherwise,
                    };
                    if let Some(obstacle) = self.block(&path, taken) {
                        return Some(obstacle);
                    }
                }
                Command::Assign(_) | Command::Together(..) | Command::Relate(..) => {}
            }
            path.push(command.clone());
        }
        None
    }

    /// The state after some commands.
    fn run(&self, path: &[Command]) -> Option<State> {
        let mut protocol = self.protocol.clone();
        protocol.actions[self.invocation.action].body = path.to_vec();
        execute_with(&protocol, self.state, self.invocation, self.choices).ok()?
    }
}
