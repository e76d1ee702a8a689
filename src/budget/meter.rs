//! How much was done for a search, in the solver's own units: the same on every machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Counts effort, and says when it is too much; all clones count together.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    counts: Arc<MeterCounts>,
}

#[derive(Debug)]
struct MeterCounts {
    spent: AtomicU64,
    most: AtomicU64,
}

impl Default for MeterCounts {
    fn default() -> Self {
        MeterCounts { spent: AtomicU64::new(0), most: AtomicU64::new(u64::MAX) }
    }
}

impl Meter {
    /// What has been spent.
    pub fn spent(&self) -> u64 {
        self.counts.spent.load(Ordering::Acquire)
    }

    /// From now on more than this is too much, whatever was allowed before.
    pub fn allow(&self, most: u64) {
        self.counts.most.store(most, Ordering::Release);
    }

    /// Whether more was spent than is allowed.
    pub fn is_overdrawn(&self) -> bool {
        self.spent() > self.counts.most.load(Ordering::Acquire)
    }

    /// What may still be spent.
    pub fn left(&self) -> u64 {
        self.counts.most.load(Ordering::Acquire).saturating_sub(self.spent())
    }

    pub(crate) fn add(&self, effort: u64) {
        self.counts.spent.fetch_add(effort, Ordering::AcqRel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_count_together() {
        let meter = Meter::default();
        let clone = meter.clone();
        meter.add(3);
        clone.add(4);
        assert_eq!(meter.spent(), 7);
        assert!(!meter.is_overdrawn());
        clone.allow(6);
        assert!(meter.is_overdrawn());
        clone.allow(7);
        assert!(!meter.is_overdrawn());
        assert_eq!(meter.left(), 0);
        clone.allow(9);
        assert_eq!(meter.left(), 2);
    }
}
