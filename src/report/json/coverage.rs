//! What a protocol was never seen to do, as JSON.

use serde::Serialize;

use super::Sizes;
use super::explore::{ExpectedRunReport, expected};
use crate::coverage::Exercise;
use crate::logic::Name;
use crate::protocol::Protocol;
use crate::report::text::coverage::Covered;

/// What was looked for and not seen, and where.
#[derive(Serialize)]
pub(crate) struct CoverageReport<'a> {
    never_possible: Vec<&'a str>,
    premise_never_holds: Vec<&'a str>,
    complete: bool,
    up_to: Sizes,
    cutoff_sizes: Vec<Sizes>,
    int: Option<(i64, i64)>,
    sizes: usize,
    exhausted: usize,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    runs: Vec<ExpectedRunReport>,
}

impl<'a> CoverageReport<'a> {
    /// The report; `None` if no state was visited.
    pub(crate) fn new(protocol: &Protocol, covered: Covered<'a>) -> Option<Self> {
        let Covered::Seen(Exercise { idle, unmet, looked, runs }) = covered else { return None };
        Some(CoverageReport {
            never_possible: names(idle),
            premise_never_holds: names(unmet),
            complete: looked.is_complete(),
            up_to: Sizes::new(protocol, &looked.up_to),
            cutoff_sizes: looked
                .cutoff_sizes
                .iter()
                .map(|size| Sizes::new(protocol, size))
                .collect(),
            int: looked.window,
            sizes: looked.sizes,
            exhausted: looked.exhausted,
            runs: expected(protocol, None, runs),
        })
    }
}

/// Names as plain strings.
pub(crate) fn names(names: &[Name]) -> Vec<&str> {
    names.iter().map(|name| &**name).collect()
}
