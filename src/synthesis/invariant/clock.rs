//! The time of a search, and what is kept for its last words.

use std::time::{Duration, Instant};

use crate::budget::Stop;

/// When to stop: first with the templates, then with the search; the rest is for saying what is
/// known.
#[derive(Clone, Debug)]
pub(super) struct SearchClock {
    pub(super) start: Instant,
    /// Ends the search by templates.
    pub(super) templates: Stop,
    /// Ends the search: what is left is for saying what is known.
    pub(super) search: Stop,
}

/// The most time for saying what is known.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The part of the search, in tenths, that belongs to the templates.
const TEMPLATES: u32 = 7;

impl SearchClock {
    /// Divides the time until everything has to stop.
    pub(super) fn start(stop: &Stop) -> Self {
        let time = stop.remaining();
        let search = stop.within(time - LAST_WORDS.min(time / 10));
        let templates = search.share(TEMPLATES, 10);
        SearchClock { start: Instant::now(), templates, search }
    }
}
