//! The time of a search, and what is kept for its last words.

use std::time::{Duration, Instant};

use super::InvariantConfig;

/// When to stop: first with the search, then with everything.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) start: Instant,
    /// The end of the search by templates.
    pub(super) templates: Instant,
    /// The end of the search: what is left is for saying what is known.
    pub(super) search: Instant,
    pub(super) end: Instant,
}

/// The most time for saying what is known.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The part of the search, in tenths, that belongs to the templates.
const TEMPLATES: u32 = 7;

impl Clock {
    pub(super) fn start(config: &InvariantConfig) -> Self {
        let start = Instant::now();
        let end = start + config.time;
        let search = end - LAST_WORDS.min(config.time / 10);
        let templates = start + (search - start) / 10 * TEMPLATES;
        Clock { start, templates, search, end }
    }

    /// The same with questions that end with everything else.
    pub(super) fn limited(self, config: &InvariantConfig) -> InvariantConfig {
        let mut limited = config.clone();
        limited.question.cancellation = config.question.cancellation.until(self.end);
        limited
    }

    /// Whether the search by templates is over.
    pub(super) fn is_late(self) -> bool {
        Instant::now() >= self.templates
    }

    /// Whether the search is over.
    pub(super) fn is_over(self) -> bool {
        Instant::now() >= self.search
    }
}
