//! The results for the runs that a text expects, as text.

use crate::coverage::{CheckedRun, unreached};
use crate::finite::FiniteOutcome;
use crate::protocol::{Beginning, Expectation, ExpectedRun, Protocol, print_goal};
use crate::report::text::counts::count;
use crate::report::text::explore::{covered, size};
use crate::report::text::trace;
use crate::source::SourceFile;

/// Every expected run with its outcome, and the run where there is one.
pub fn text(protocol: &Protocol, source: &SourceFile, runs: &[CheckedRun]) -> String {
    let mut out = String::new();
    for run in runs {
        let title = match run.expected.expectation {
            Expectation::Reachable => title(protocol, &run.expected),
            Expectation::Possible | Expectation::Impossible => {
                format!("trace at line {}", source.position(run.expected.span.start).line)
            }
        };
        out.push_str(&format!("\n{title}: {}\n", summary(protocol, run)));
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

/// What a run is called: a `reach` line by its label or itself, a trace by its number.
pub(crate) fn title(protocol: &Protocol, run: &ExpectedRun) -> String {
    let is_trace = |run: &ExpectedRun| run.expectation != Expectation::Reachable;
    match (&run.label, is_trace(run)) {
        (Some(label), _) => format!("reach [{label}]"),
        (None, false) => print_goal(protocol, run),
        (None, true) => {
            let traces = protocol.expected_runs.iter().filter(|run| is_trace(run));
            let number = traces.take_while(|own| *own != run).count() + 1;
            format!("trace {number}")
        }
    }
}

/// The outcome of one run in a line.
pub(crate) fn summary(protocol: &Protocol, run: &CheckedRun) -> String {
    let size = size(protocol, &run.explored.size);
    let from = match run.expected.beginning {
        Beginning::Initial => "",
        Beginning::Anywhere => " from some state, initial or not",
    };
    let outcome = match (&run.explored.outcome, &run.looked, &run.run) {
        (FiniteOutcome::Unsafe(..), _, Some(found))
            if run.expected.expectation == Expectation::Reachable =>
        {
            format!("reached in {} at {size}", count(found.steps.len(), "step"))
        }
        (FiniteOutcome::Unsafe(..), ..) => format!("reachable{from} at {size}"),
        (_, Some(looked), _) => unreached(protocol, looked),
        (FiniteOutcome::Safe(_), ..) => format!("not reachable at {size}"),
        (FiniteOutcome::Unknown(reason, _), ..) => format!("unknown at {size}: {reason}"),
    };
    let judged = match (run.is_as_expected(), run.expected.expectation) {
        (_, Expectation::Reachable) | (None, Expectation::Impossible) => "",
        (Some(true), _) => ", as the text says",
        (Some(false), _) => ", although the text says that it is not",
        (None, Expectation::Possible) => "; the text says that it is at some size",
    };
    format!("{outcome}{judged}")
}

/// The outcome of one run in a line, with its steps.
pub(crate) fn with_steps(protocol: &Protocol, run: &CheckedRun) -> String {
    let outcome = format!("{}: {}", title(protocol, &run.expected), summary(protocol, run));
    let Some(found) = &run.run else { return outcome };
    let named = protocol.with_names_of(&found.initial);
    let steps = found.steps.iter().map(|step| trace::invocation(&named, &step.invocation));
    let steps = steps.collect::<Vec<_>>().join(", ");
    if steps.is_empty() { outcome } else { format!("{outcome}: {steps}") }
}
