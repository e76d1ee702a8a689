//! What was found out about a protocol, with every name written out.

use std::collections::BTreeMap;
use std::fmt;

use crate::finite::FiniteOutcome;
use crate::finite::question::request::Explored;
use crate::judge;
use crate::protocol::{Protocol, Size};
use crate::report::text;

/// What was found out about a protocol. It prints as one line, and the run after it if there is
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verdict {
    /// Safe at every size.
    Safe,
    /// Safe where these sorts have at most so many elements.
    SafeUpTo(BTreeMap<String, u32>),
    /// Safe at this size; nothing is known of others.
    SafeAt(BTreeMap<String, u32>),
    /// A run violates a safety property.
    Unsafe {
        /// The property and the size, in one line.
        summary: String,
        /// The run, step by step.
        run: String,
    },
    /// Neither proved nor refuted: the reason, in one line.
    Unproved(String),
}

impl Verdict {
    /// The verdict of the judge, with a summary in one line.
    pub(super) fn new(protocol: &Protocol, verdict: &judge::Verdict, summary: String) -> Self {
        match verdict {
            judge::Verdict::Safe => Verdict::Safe,
            judge::Verdict::SafeUpTo(bounds) => Verdict::SafeUpTo(named(protocol, bounds)),
            judge::Verdict::Unsafe(violated) => {
                let run = text::trace::trace(protocol, &violated.claims, &violated.violation);
                Verdict::Unsafe { summary, run }
            }
            judge::Verdict::Unproved(_) => Verdict::Unproved(summary),
        }
    }

    pub(super) fn of_exploration(protocol: &Protocol, explored: &Explored) -> Self {
        let summary = text::explore::verdict(protocol, explored);
        match &explored.outcome {
            FiniteOutcome::Safe(_) => Verdict::SafeAt(named(protocol, &explored.size)),
            FiniteOutcome::Unsafe(violation, _) if !explored.is_false_lemma(protocol) => {
                let run = text::trace::trace(protocol, &explored.claims, violation);
                Verdict::Unsafe { summary, run }
            }
            FiniteOutcome::Unsafe(..) | FiniteOutcome::Unknown(..) => Verdict::Unproved(summary),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Safe => f.write_str("safe"),
            Verdict::SafeUpTo(bounds) => write!(f, "safe up to {}", sizes(bounds)),
            Verdict::SafeAt(size) => write!(f, "safe at {}", sizes(size)),
            Verdict::Unsafe { summary, run } => write!(f, "{summary}\n{run}"),
            Verdict::Unproved(summary) => f.write_str(summary),
        }
    }
}

fn named(protocol: &Protocol, size: &Size) -> BTreeMap<String, u32> {
    let name = |sort| protocol.signature.sort_name(sort).to_string();
    size.iter().map(|(sort, count)| (name(*sort), *count)).collect()
}

fn sizes(sizes: &BTreeMap<String, u32>) -> String {
    if sizes.is_empty() {
        return "the only size".to_owned();
    }
    sizes.iter().map(|(sort, count)| format!("{sort}={count}")).collect::<Vec<_>>().join(", ")
}
