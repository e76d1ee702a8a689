//! The results for the traces that a text asks for, as text.

use crate::finite::FiniteOutcome;
use crate::finite::question::expected_run::{Beginning, CheckedRun, ExpectedRun};
use crate::protocol::Protocol;
use crate::report::text::explore::{covered, size};
use crate::report::text::trace;

/// Every trace with its outcome, and the run where there is one.
pub fn text(protocol: &Protocol, runs: &[CheckedRun]) -> String {
    let mut out = String::new();
    for run in runs {
        out.push_str(&format!("\ntrace at line {}: {}\n", run.line, summary(protocol, run)));
        match (&run.explored.outcome, &run.run) {
            (_, Some(found)) => out.push_str(&trace::run(protocol, found)),
            (FiniteOutcome::Safe(coverage) | FiniteOutcome::Unknown(_, coverage), None) => {
                out.push_str(&covered(protocol, &run.explored, coverage));
            }
            (FiniteOutcome::Unsafe(..), None) => {}
        }
    }
    out
}

/// The outcome of one trace in a line.
pub(crate) fn summary(protocol: &Protocol, run: &CheckedRun) -> String {
    let size = size(protocol, &run.explored.size);
    let from = match run.beginning {
        Beginning::Initial => "",
        Beginning::Anywhere => " from some state, initial or not",
    };
    let outcome = match &run.explored.outcome {
        FiniteOutcome::Unsafe(..) => format!("reachable{from} at {size}"),
        FiniteOutcome::Safe(_) => format!("not reachable at {size}"),
        FiniteOutcome::Unknown(reason, _) => format!("unknown at {size}: {reason}"),
    };
    let judged = match (run.is_as_expected(), run.expected) {
        (Some(true), _) => ", as the text says",
        (Some(false), _) => ", although the text says that it is not",
        (None, ExpectedRun::Possible) => "; the text says that it is at some size",
        (None, ExpectedRun::Impossible) => "",
    };
    format!("{outcome}{judged}")
}
