//! Actions that are there to be impossible: what they do is what a property denies.

use crate::logic::{Formula, FormulaKind, TermKind};
use crate::protocol::{
    Action, Assignment, Command, Protocol, RightSide, StateFormula, StateTerm, SymbolId,
};

/// Whether an action makes a relation true that a property says is never true, as in
/// `error := true` with `safety ~error`: in a safe protocol it is never possible.
pub(super) fn is_forbidden(protocol: &Protocol, action: &Action) -> bool {
    let denied = |symbol: SymbolId| {
        protocol.properties.iter().any(|property| denied_everywhere(&property.matrix, symbol))
    };
    let forbidden = |assignment: &Assignment| {
        let RightSide::Formula(value) = &assignment.value else { return false };
        *value == Formula::truth(true) && denied(assignment.target)
    };
    action.body.iter().any(|command| match command {
        Command::Assign(assignment) => forbidden(assignment),
        Command::Together(assignments, _) => assignments.iter().any(forbidden),
        Command::Require(..) | Command::If(..) | Command::Relate(..) => false,
    })
}

/// Whether a formula says that a relation holds nowhere.
fn denied_everywhere(matrix: &StateFormula, symbol: SymbolId) -> bool {
    let FormulaKind::Not(inner) = matrix.kind() else { return false };
    let FormulaKind::Holds(relation, arguments) = inner.kind() else { return false };
    let is_var = |argument: &StateTerm| matches!(argument.kind(), TermKind::Var(_));
    *relation == symbol && arguments.iter().all(is_var)
}
