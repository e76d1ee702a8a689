//! The conditions that the paper prints (§5.3, "Cutoff Verification"): not sound, and never used
//! on the way to a verdict.
//!
//! The printed step condition has the step of `C` among its hypotheses. Where `C` cannot do the
//! step, it holds for nothing; three unsafe protocols pass it. Nor does the paper ask that the
//! cases cover every violation, or that `C` satisfies the axioms.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::certificate::{Assume, Case, Hypothesis, Obligation, ObligationKind, case_obligations};
use crate::logic::Name;
use crate::protocol::Protocol;

/// An action and one of its alternatives.
type PrintedPlace = (Name, usize);

/// `φ_init`, `φ_step` and `φ_safety` of a case as printed: that `C` can do the step is assumed.
pub fn as_printed(large: &Protocol, case: &Case) -> Vec<Obligation> {
    let steps = case_obligations(large, case, Assume::Nothing);
    let mut assumed: BTreeMap<PrintedPlace, Vec<Hypothesis>> = BTreeMap::new();
    for obligation in &steps {
        if let ObligationKind::Enabled { action, alternative, .. } = &obligation.kind {
            let guard = Hypothesis::new("C can do the step", obligation.goal.clone());
            assumed.entry((action.clone(), *alternative)).or_default().push(guard);
        }
    }
    let mut printed = Vec::new();
    for mut obligation in steps {
        match &obligation.kind {
            ObligationKind::StartInit { .. } | ObligationKind::StartGamma { .. } => {}
            ObligationKind::Keeps { action, alternative, .. } => {
                let guards = assumed.get(&(action.clone(), *alternative));
                let mut hypotheses = Vec::clone(&obligation.hypotheses);
                hypotheses.extend(guards.into_iter().flatten().cloned());
                obligation.hypotheses = Arc::new(hypotheses);
            }
            ObligationKind::Cover { .. }
            | ObligationKind::Rigid { .. }
            | ObligationKind::Enabled { .. }
            | ObligationKind::Safety { .. }
            | ObligationKind::Initiation { .. }
            | ObligationKind::Consecution { .. }
            | ObligationKind::Implication { .. } => continue,
        }
        printed.push(obligation);
    }
    let sound = case_obligations(large, case, Assume::CutoffSafe);
    printed.extend(sound.into_iter().filter(|it| matches!(it.kind, ObligationKind::Safety { .. })));
    printed
}
