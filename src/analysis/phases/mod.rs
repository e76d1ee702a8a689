//! QuickSilver's analysis of a process: phases, phase-compatibility and cutoff-amenability.
//!
//! It is reported and compared, and never believed: the printed lemma is false, and no verdict
//! depends on anything here.

mod amenable;
mod compatible;
mod sets;
mod suggest;

pub use amenable::{Amenability, Grant, amenability};
pub use compatible::{Clause, Finding, findings};
pub use sets::{Phase, Sets, Transition, TransitionKind};
pub use suggest::{Edit, EditKind, Suggestion, independence, suggestions};

use crate::process::Process;
use crate::process::local::{LocalStates, Unlisted, local_states};

/// The most local states that are analysed.
const MOST_STATES: usize = 400;

/// What the analysis says about a process.
#[derive(Clone, Debug)]
pub struct PhaseAnalysis {
    /// The local states.
    pub locals: LocalStates,
    /// The phases, each a set of local states.
    pub phases: Vec<Phase>,
    /// Every way in which phase-compatibility fails.
    pub findings: Vec<Finding>,
    /// For every specification, whether a cutoff is granted.
    pub grants: Vec<Grant>,
}

/// Analyses a process.
///
/// # Errors
/// When its local states cannot be listed.
pub fn analyse_phases(process: &Process) -> Result<PhaseAnalysis, Unlisted> {
    let locals = local_states(process, MOST_STATES)?;
    let sets = Sets::of(process, &locals);
    let phases = sets.phases();
    let findings = findings(process, &sets, &phases);
    let grants = amenability(process, &locals, &sets);
    Ok(PhaseAnalysis { locals, phases, findings, grants })
}

impl PhaseAnalysis {
    /// Whether every clause holds, where only events that can be initiated count.
    pub fn is_compatible(&self) -> bool {
        self.findings.iter().all(|finding| !finding.initiable)
    }

    /// Whether every clause holds, whether or not events can be initiated.
    pub fn is_strictly_compatible(&self) -> bool {
        self.findings.is_empty()
    }
}
