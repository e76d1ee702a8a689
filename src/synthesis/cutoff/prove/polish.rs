//! Makes a proved case easier to read: moves that are always possible are marked as such, clauses
//! that are not needed are dropped, and the rest are renumbered.

use std::collections::BTreeSet;

use crate::budget::Budget;
use crate::certificate::{
    Assume, Case, Mode, Obligation, ObligationKind, TwoSystems, case_obligations,
};
use crate::logic::Name;
use crate::protocol::Protocol;
use crate::smt::z3::{ModelSize, Z3};
use crate::smt::{ProverError, Query, discharge_all};

use super::minimize::fewest_clauses;

/// The case in which attempts that always succeed are moves, with as few clauses as that allows.
pub(crate) fn polish(large: &Protocol, case: Case, budget: &Budget) -> Result<Case, ProverError> {
    // Without the solver nothing can be dropped, and writing down all obligations takes a while.
    if budget.stop.is_set() {
        return Ok(renumbered(case));
    }
    let mut bold = case.clone();
    set_modes(&mut bold, |_, _, _| Mode::Fire);
    let enabled: Vec<Obligation> = case_obligations(large, &bold, Assume::CutoffSafe)
        .into_iter()
        .filter(|obligation| matches!(obligation.kind, ObligationKind::Enabled { .. }))
        .collect();
    let answers = valid(&enabled, budget)?;
    let always = |wanted: (usize, usize, usize)| {
        enabled
            .iter()
            .zip(&answers)
            .any(|(obligation, valid)| *valid && place(large, &obligation.kind) == Some(wanted))
    };
    set_modes(&mut bold, |action, alternative, position| {
        if always((action, alternative, position)) { Mode::Fire } else { Mode::Try }
    });
    let case = if is_proved(large, &bold, budget)? { bold } else { case };
    Ok(renumbered(fewest_clauses(large, &case, budget)?))
}

/// The case with the numbers at the ends of clause names as small as can be.
fn renumbered(mut case: Case) -> Case {
    let stem = |name: &Name| -> Name {
        let digits = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let numbered = digits.len() < name.len();
        match digits.strip_suffix('_') {
            Some(stem) if numbered && !stem.is_empty() => stem.into(),
            _ => name.clone(),
        }
    };
    let mut used: BTreeSet<Name> = BTreeSet::new();
    for clause in &mut case.gamma {
        let stem = stem(&clause.name);
        let numbers = (2..).map(|number| Name::from(format!("{stem}_{number}")));
        let mut names = [stem.clone()].into_iter().chain(numbers);
        let fresh = names.find(|name| !used.contains(name));
        clause.name = fresh.expect("numbers do not end");
        used.insert(clause.name.clone());
    }
    case
}

fn place(large: &Protocol, kind: &ObligationKind) -> Option<(usize, usize, usize)> {
    match kind {
        ObligationKind::Enabled { action, alternative, position } => {
            let (index, _) = large.action(action)?;
            Some((index, alternative - 1, position - 1))
        }
        _ => None,
    }
}

fn set_modes(case: &mut Case, mode: impl Fn(usize, usize, usize) -> Mode) {
    for (action, alternatives) in case.lockstep.iter_mut().enumerate() {
        for (alternative, answer) in alternatives.iter_mut().enumerate() {
            for (position, next) in answer.moves.iter_mut().enumerate() {
                next.mode = mode(action, alternative, position);
            }
        }
    }
}

/// Whether every obligation of a case is valid.
fn is_proved(large: &Protocol, case: &Case, budget: &Budget) -> Result<bool, ProverError> {
    let valid = valid(&case_obligations(large, case, Assume::CutoffSafe), budget)?;
    Ok(valid.iter().all(|valid| *valid))
}

fn valid(obligations: &[Obligation], budget: &Budget) -> Result<Vec<bool>, ProverError> {
    let queries: Vec<Query<'_, TwoSystems>> = obligations
        .iter()
        .map(|obligation| Query {
            declarations: &*obligation.names,
            hypotheses: obligation.hypotheses.iter().map(|known| known.formula.clone()).collect(),
            goal: obligation.goal.clone(),
            observed: Vec::new(),
        })
        .collect();
    let answers = discharge_all(&Z3 { models: ModelSize::Any }, &queries, budget)?;
    Ok(answers.iter().map(|answer| answer.is_valid()).collect())
}
