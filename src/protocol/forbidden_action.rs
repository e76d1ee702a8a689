//! Actions that are there to be impossible: what they do is what a property denies.

use crate::logic::{Formula, FormulaKind, TermKind};

use super::{Action, Assignment, Command, Protocol, RightSide, StateFormula, StateTerm, SymbolId};

impl Protocol {
    /// Whether an action makes a relation true that a property says is never true, as in
    /// `error := true` with `safety ~error`: in a safe protocol it is never possible.
    pub fn raises_alarm(&self, action: &Action) -> bool {
        let denied = |symbol: SymbolId| {
            self.properties.iter().any(|property| denied_everywhere(&property.matrix, symbol))
        };
        let raised = |assignment: &Assignment| {
            let RightSide::Formula(value) = &assignment.value else { return false };
            *value == Formula::truth(true) && denied(assignment.target)
        };
        action.body.iter().any(|command| match command {
            Command::Assign(assignment) => raised(assignment),
            Command::Together(assignments, _) => assignments.iter().any(raised),
            Command::Require(..) | Command::If(..) | Command::Relate(..) => false,
        })
    }
}

/// Whether a formula says that a relation holds nowhere.
fn denied_everywhere(matrix: &StateFormula, symbol: SymbolId) -> bool {
    let FormulaKind::Not(inner) = matrix.kind() else { return false };
    let FormulaKind::Holds(relation, arguments) = inner.kind() else { return false };
    let is_var = |argument: &StateTerm| matches!(argument.kind(), TermKind::Var(_));
    *relation == symbol && arguments.iter().all(is_var)
}
