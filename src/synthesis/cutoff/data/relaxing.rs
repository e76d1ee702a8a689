//! A cutoff instance that may do more: where an action needs two values to differ, they may also both
//! be the element that stands for all others, because these can differ in `L`.

use crate::certificate::Case;
use crate::logic::{Formula, FormulaKind, Quantifier, Term};
use crate::protocol::{Action, Command, Sort, StateFormula};

use crate::synthesis::cutoff::plan::maps::SortMap;

/// The case with such variants of its actions; `None` if no action needs values to differ.
pub(super) fn relax(case: Case, maps: &[SortMap]) -> Option<Case> {
    let relaxed = |action: &Action| Action {
        body: action.body.iter().map(|command| relaxed_command(command, maps)).collect(),
        ..action.clone()
    };
    let actions: Vec<Action> = case.small.actions.iter().map(relaxed).collect();
    if actions == case.small.actions {
        return None;
    }
    let mut case = case;
    case.small.actions = actions;
    case.relaxed = true;
    Some(case)
}

fn relaxed_command(command: &Command, maps: &[SortMap]) -> Command {
    match command {
        Command::Require(formula, span) => Command::Require(weaker(formula, maps), *span),
        other => other.clone(),
    }
}

/// The formula where merged values count as different from themselves.
fn weaker(formula: &StateFormula, maps: &[SortMap]) -> StateFormula {
    let parts = |parts: &[StateFormula]| -> Vec<StateFormula> {
        parts.iter().map(|part| weaker(part, maps)).collect()
    };
    match formula.kind() {
        FormulaKind::And(own) => Formula::and(parts(own)),
        FormulaKind::Or(own) => Formula::or(parts(own)),
        FormulaKind::Quantified(Quantifier::Forall, vars, body) => {
            Formula::forall(vars.clone(), weaker(body, maps))
        }
        FormulaKind::Quantified(Quantifier::Exists, vars, body) => {
            Formula::exists(vars.clone(), weaker(body, maps))
        }
        FormulaKind::Not(inner) => match inner.kind() {
            FormulaKind::Equal(left, right) => {
                let own = |map: &&SortMap| Sort::Declared(map.sort) == left.sort();
                let Some(map) = maps.iter().find(own) else { return formula.clone() };
                let rest = u32::try_from(map.rest).expect("few elements");
                let merged = Term::element(rest, left.sort());
                let both = [left, right].map(|side| Formula::equal(side.clone(), merged.clone()));
                Formula::or([formula.clone(), Formula::and(both)])
            }
            _ => formula.clone(),
        },
        _ => formula.clone(),
    }
}
