//! What `rmlcut explore` found, as text: the verdict first, then the why.

use super::counts::{after, count, line};
use super::trace;
use super::trace::own_words;
use crate::finite::question::request::{DEFAULT_SIZE, Explored};
use crate::finite::question::sweep::Sweep;
use crate::finite::{
    ClaimFailure, Counted, Coverage, Deadlocks, FiniteOutcome, FiniteReason, Unseen,
};
use crate::process::Described;
use crate::protocol::Protocol;
pub use crate::protocol::print_size as size;

/// The outcome of an exploration as text.
pub fn text(
    (protocol, described): (&Protocol, Option<&Described>),
    explored: &Explored,
    sweep: Option<&Sweep>,
) -> String {
    let swept = sweep.and_then(|sweep| sweep_verdict(protocol, sweep));
    let mut out = format!("{}\n", swept.unwrap_or_else(|| verdict(protocol, explored)));
    if let Some(sweep) = sweep {
        out.push_str(&sizes_searched(protocol, sweep));
    }
    match &explored.outcome {
        FiniteOutcome::Safe(coverage) | FiniteOutcome::Unknown(_, coverage) => {
            out.push_str(&claim_names(explored));
            out.push_str(&defaults(protocol, explored));
            out.push_str(&covered(protocol, explored, coverage));
            if let FiniteOutcome::Safe(coverage) = &explored.outcome {
                out.push_str(&never(coverage));
                if let Some((low, high)) = explored.window {
                    line!(out, 0, "no integer leaves {low}..{high}");
                }
            }
        }
        FiniteOutcome::Unsafe(violation, coverage) => {
            out.push_str(&defaults(protocol, explored));
            out.push_str(&covered(protocol, explored, coverage));
            if let Some(searched) = &explored.searched {
                let searched = size(protocol, searched);
                line!(out, 0, "found at {searched}, and shown without elements that do not matter");
            }
            out.push('\n');
            out.push_str(&match described {
                Some(own) => own_words::violation(own, protocol, &explored.claims, violation),
                None => trace::trace(protocol, &explored.claims, violation),
            });
            if explored.is_false_lemma(protocol) {
                out.push_str(&false_lemma(explored));
            }
        }
    }
    out
}

/// The first line for a sweep that found no violation.
pub(crate) fn sweep_verdict(protocol: &Protocol, sweep: &Sweep) -> Option<String> {
    let up_to = size(protocol, &sweep.up_to);
    match &sweep.searched.last()?.outcome {
        FiniteOutcome::Unsafe(..) => None,
        _ if sweep.is_safe() => Some(format!("safe at every size up to {up_to}")),
        _ if sweep.is_cut_short || sweep.open().next().is_some() => {
            Some(format!("unknown up to {up_to}: not every size was searched to the end"))
        }
        FiniteOutcome::Safe(_) | FiniteOutcome::Unknown(..) => None,
    }
}

/// Every size of a sweep with its outcome.
fn sizes_searched(protocol: &Protocol, sweep: &Sweep) -> String {
    let mut out = String::new();
    for explored in &sweep.searched {
        let size = size(protocol, &explored.size);
        let outcome = match &explored.outcome {
            FiniteOutcome::Safe(coverage) => match coverage.visited {
                Some(counts) => format!("safe, {}", count(counts.states, "state")),
                None => "safe".to_owned(),
            },
            FiniteOutcome::Unsafe(..) => "a violation".to_owned(),
            FiniteOutcome::Unknown(reason, _) => reason_text(reason),
        };
        line!(out, 1, "{size}: {outcome}");
    }
    out
}

/// What a false lemma means, and what is known of the safety properties.
fn false_lemma(explored: &Explored) -> String {
    let besides = match &explored.without_lemmas {
        Some(FiniteOutcome::Safe(_)) => "no safety property fails at this size\n".to_owned(),
        Some(FiniteOutcome::Unknown(reason, _)) => {
            format!(
                "whether a safety property fails at this size is not known: {}\n",
                reason_text(reason)
            )
        }
        Some(FiniteOutcome::Unsafe(..)) | None => String::new(),
    };
    format!("\n{FALSE_LEMMA}\n{besides}")
}

/// What to do about a lemma that fails.
pub(crate) const FALSE_LEMMA: &str = "every lemma of the protocol has to be proved, and this one \
                                      is false: correct it or take it out";

/// The first line: the verdict and the size.
pub fn verdict(protocol: &Protocol, explored: &Explored) -> String {
    let size = size(protocol, &explored.size);
    match &explored.outcome {
        FiniteOutcome::Safe(_) => format!("safe at {size}"),
        FiniteOutcome::Unsafe(violation, _) => {
            let steps = after(violation.trace.steps.len());
            let what = match &violation.failure {
                ClaimFailure::Claim(claim, _) => {
                    format!("[{}] fails", explored.claims[*claim].name)
                }
                ClaimFailure::Deadlock => "no action is possible".to_owned(),
            };
            match explored.is_false_lemma(protocol) {
                true => format!("unproved at {size}: lemma {what} {steps}"),
                false => format!("unsafe at {size}: {what} {steps}"),
            }
        }
        FiniteOutcome::Unknown(reason, _) => {
            format!("unknown at {size}: {}", reason_text(reason))
        }
    }
}

/// Why there is no answer; a limit by the option that sets it.
pub(crate) fn reason_text(reason: &FiniteReason) -> String {
    match reason {
        FiniteReason::Timeout => "stopped by --timeout".to_owned(),
        FiniteReason::MaxStates(limit) => format!("stopped by --max-states {limit}"),
        FiniteReason::MaxMemory(limit) => {
            format!("stopped by --max-memory {} MiB", limit.div_ceil(1 << 20))
        }
        other => other.to_string(),
    }
}

fn claim_names(explored: &Explored) -> String {
    let mut names: Vec<String> =
        explored.claims.iter().map(|claim| format!("[{}]", claim.name)).collect();
    if explored.deadlocks == Deadlocks::Reported {
        names.push("no deadlock".to_owned());
    }
    format!("checked: {}\n", names.join(", "))
}

/// The sizes that were not given.
fn defaults(protocol: &Protocol, explored: &Explored) -> String {
    let mut out = String::new();
    // What is shown may have fewer elements than what was searched.
    let searched = explored.searched.as_ref().unwrap_or(&explored.size);
    let sorts_of_size = |count: u32| {
        let sorts = explored.defaulted.iter().filter(|sort| searched[*sort] == count);
        let sorts = sorts.map(|sort| &**protocol.signature.sort_name(*sort));
        sorts.collect::<Vec<_>>().join(", ")
    };
    let whole = sorts_of_size(DEFAULT_SIZE);
    if !whole.is_empty() {
        line!(out, 0, "default size {DEFAULT_SIZE} used for {whole} (set with --size)");
    }
    let reduced = sorts_of_size(1);
    if !reduced.is_empty() {
        let states = explored.patience;
        line!(
            out,
            0,
            "size 1 used for {reduced}, as size {DEFAULT_SIZE} has more than {states} states"
        );
    }
    out
}

/// What was looked at, in a line or two.
pub(crate) fn covered(protocol: &Protocol, explored: &Explored, coverage: &Coverage) -> String {
    let mut out = String::new();
    let instances = count(coverage.instances, "instance");
    match (&coverage.visited, &coverage.total) {
        (None, Some(total)) => {
            line!(out, 0, "explored: {instances}, {}", count(total, "state"));
        }
        (Some(counts), _) => {
            let visited = count(counts.instances, "instance");
            let states = count(counts.states, "state") + symmetry(coverage.counted);
            let transitions = count(counts.transitions, "transition");
            line!(out, 0, "explored: {visited}, {states}, {transitions}, depth {}", counts.depth);
        }
        (None, None) => line!(out, 0, "decided: {instances}, by the {} engine", explored.engine),
    }
    if !coverage.left_out.is_empty() {
        let names = coverage.left_out.iter().map(|id| &*protocol.signature.symbol(*id).name);
        let names = names.collect::<Vec<_>>().join(", ");
        line!(out, 0, "left out, as nothing reads it: {names}");
    }
    out
}

/// What no reachable state of this size shows, where all were visited.
fn never(coverage: &Coverage) -> String {
    let mut out = String::new();
    let Some(Unseen { actions, premises }) = &coverage.unseen else { return out };
    if !actions.is_empty() {
        line!(out, 0, "never possible at this size: {}", actions.join(", "));
    }
    if !premises.is_empty() {
        let names: Vec<String> = premises.iter().map(|name| format!("[{name}]")).collect();
        line!(out, 0, "premise never holds at this size: {}", names.join(", "));
    }
    out
}

/// What a count of states leaves out.
pub(crate) fn symmetry(counted: Counted) -> &'static str {
    match counted {
        Counted::UpToSymmetry => " up to symmetry",
        Counted::UpToSomeSymmetry => " up to some symmetries",
        Counted::Each => "",
    }
}
