//! The kinds of proof, and how much one of the preferred kind may cost beside one of the other kind.
//!
//! With a proof of the other kind at hand that cost `e`, one of the preferred kind is the answer if
//! it costs at most `times · max(FLOOR, TIMES · e)`, where `times` is what the user asks for. All
//! of this is in the solver's units: what the answer is does not depend on the machine.

/// A kind of proof: which one is the answer if both are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// A cutoff, with an invariant only for what it leaves unbounded.
    Cutoff,
    /// An inductive invariant of the protocol itself.
    Invariant,
}

impl Prefer {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Prefer::Cutoff => "cutoff",
            Prefer::Invariant => "invariant",
        }
    }

    /// The other kind.
    pub fn other(self) -> Self {
        match self {
            Prefer::Cutoff => Prefer::Invariant,
            Prefer::Invariant => Prefer::Cutoff,
        }
    }
}

/// What the preferred kind may cost in any case, in solver units: the paper's protocols keep their
/// cutoffs with it (`sharded_kv` needs 2.1 million).
const FLOOR: u64 = 2_500_000;

/// How many times the cost of the other kind it may cost.
const TIMES: u64 = 4;

/// The patience with the preferred kind.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    times: u64,
}

impl Patience {
    /// So many times the usual one, and at least once.
    pub(super) fn of(times: u32) -> Self {
        Patience { times: u64::from(times.max(1)) }
    }

    /// What the preferred kind may cost in any case.
    pub(super) fn floor(self) -> u64 {
        FLOOR.saturating_mul(self.times)
    }

    /// What a proof of the preferred kind may cost to be the answer, beside a proof of the other
    /// kind that cost so much.
    pub(super) fn for_the_preferred(self, other: u64) -> u64 {
        self.floor().max(other.saturating_mul(TIMES).saturating_mul(self.times))
    }

    /// What a proof of the other kind may cost to be the answer, beside a proof of the preferred
    /// kind that cost so much; nothing if that is the answer anyway.
    pub(super) fn for_the_other(self, preferred: u64) -> u64 {
        match preferred > self.floor() {
            true => (preferred - 1) / TIMES.saturating_mul(self.times),
            false => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_kinds_are_limited_by_the_same_rule() {
        for times in [1, 3] {
            let patience = Patience::of(times);
            let floor = patience.floor();
            for preferred in [1, floor, floor + 1, 5 * floor, 5 * floor + 7] {
                let most = patience.for_the_other(preferred);
                let is_preferred = |other| preferred <= patience.for_the_preferred(other);
                assert!(is_preferred(most + 1), "{preferred} beside {}", most + 1);
                assert!(most == 0 || !is_preferred(most), "{preferred} beside {most}");
            }
        }
    }
}
