//! What counters and views said about a system of equal processes.

use crate::prove::{CountersSaid, EqualsReport, ProvedCutoff, ViewsSaid};
use crate::report::text::counts::{count, line};
use crate::synthesis::counters::Uncovered;
use crate::synthesis::views::NoViews;

/// One line for each method that was tried, and the cutoff that was proved.
pub fn text(report: &EqualsReport) -> String {
    let mut out = String::new();
    if let Some(said) = report.counters {
        line!(out, 0, "by counters  {}", counters(said));
    }
    if let Some(said) = report.views {
        line!(out, 0, "by views     {}", views(said));
    }
    match report.cutoff {
        ProvedCutoff::NotAsked => {}
        ProvedCutoff::At(processes) => line!(out, 0, "cutoff       {processes} (proved)"),
        ProvedCutoff::Open => line!(out, 0, "cutoff       none proved"),
    }
    out
}

/// The method that was decisive.
pub fn method(report: &EqualsReport) -> &'static str {
    match (report.counters, report.views) {
        (Some(CountersSaid::Proved { .. } | CountersSaid::Violated(_)), _) => "counters",
        (_, Some(ViewsSaid::Proved { .. })) => "views",
        _ => "search",
    }
}

/// What the counters said.
pub fn counters(said: CountersSaid) -> String {
    match said {
        CountersSaid::Proved { local_states, clauses } => {
            format!("{}, {}", count(local_states, "local state"), count(clauses, "clause"))
        }
        CountersSaid::Violated(processes) => {
            format!("unsafe from {} on", processes_of(processes))
        }
        CountersSaid::Unconfirmed(processes) => format!(
            "no answer: {} would violate a property if it did not matter who knows whom and who \
             crashes, and no run shows it",
            processes_of(processes)
        ),
        CountersSaid::NotInductive => "no answer: the solver does not confirm it".to_owned(),
        CountersSaid::NotApplicable(why) => match why {
            Uncovered::LocalStates(most) => {
                format!("not tried: a process has more than {most} local states")
            }
            Uncovered::Configurations(most) => {
                format!("no answer: more than {most} combinations of local states")
            }
            Uncovered::UnboundedData => {
                "not tried: variables have values of an unbounded domain".to_owned()
            }
            Uncovered::Environment => {
                "not tried: the environment has a state of its own".to_owned()
            }
            Uncovered::Names => "not tried: a local state has no relation".to_owned(),
            Uncovered::Stopped => "no answer in its share of the time".to_owned(),
        },
    }
}

/// What the views said.
pub fn views(said: ViewsSaid) -> String {
    match said {
        ViewsSaid::Proved { pairs, size, widened, clauses } => {
            let widened = match widened {
                0 => String::new(),
                widened => format!(", widened {}", count(widened, "time")),
            };
            let clauses = count(clauses, "clause");
            format!("{pairs} pairs from sizes up to {size}{widened}, {clauses}")
        }
        ViewsSaid::NotConfirmed => "no answer: the judge does not confirm it".to_owned(),
        ViewsSaid::Nothing(why) => match why {
            NoViews::Shape => {
                "not tried: the protocol is about more than relations of one sort".to_owned()
            }
            NoViews::TooWide => {
                "no answer: what three elements look like allows a violation".to_owned()
            }
            NoViews::Undecided => "no answer in its share of the effort".to_owned(),
        },
    }
}

fn processes_of(number: usize) -> String {
    if number == 1 { "1 process".to_owned() } else { format!("{number} processes") }
}
