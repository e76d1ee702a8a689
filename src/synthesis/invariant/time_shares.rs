//! How the time of a search is divided.

use std::time::{Duration, Instant};

use crate::budget::Stop;

/// When to stop: first with the templates, then with the search; the rest is for reporting what is
/// known.
#[derive(Clone, Debug)]
pub(super) struct SearchClock {
    pub(super) start: Instant,
    /// Ends the search by templates.
    pub(super) templates: Stop,
    /// Ends the search.
    pub(super) search: Stop,
}

/// The most time for reporting what is known.
const REPORTING: Duration = Duration::from_secs(2);

/// The part of the search, in tenths, that belongs to the templates, which are tried first; the
/// property-directed search gets the rest.
const TEMPLATES: u32 = 7;

impl SearchClock {
    /// Divides the time until everything has to stop.
    pub(super) fn start(stop: &Stop) -> Self {
        let time = stop.remaining();
        let search = stop.within(time - REPORTING.min(time / 10));
        let templates = search.share(TEMPLATES, 10);
        SearchClock { start: Instant::now(), templates, search }
    }
}
