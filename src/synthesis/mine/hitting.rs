//! Small sets of atoms that tell one row from all others: minimal hitting sets.

use super::atoms::Bits;

/// The most sets that are listed: shorter clauses come first, and more of one length would only
/// delay the search for the next gap.
const MAX_SETS: usize = 64;

/// The most steps of one search: what it would find later is not worth the wait.
const MAX_STEPS: usize = 20_000;

/// How many open differences are looked at for the narrowest.
const LOOK_AHEAD: usize = 32;

/// How many atoms a set has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SetSize {
    /// Atoms that are not cheap.
    pub(crate) dear: usize,
    /// Cheap ones.
    pub(crate) cheap: usize,
}

/// How atoms may be combined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct AtomKinds {
    /// The cheap ones.
    pub(crate) cheap: Bits,
    /// Those of which a set has at most one.
    pub(crate) single: Bits,
}

/// Sets of exactly this size that meet every difference, none with a smaller one inside.
///
/// A difference that is empty cannot be met: there are no sets then.
pub(crate) fn hitting_sets(differences: &[Bits], kinds: AtomKinds, size: SetSize) -> Vec<Bits> {
    let mut found = Vec::new();
    let mut search = HittingSearch { differences, kinds, found: &mut found, left: MAX_STEPS };
    search.extend(0, 0, size);
    found.retain(|set| is_minimal(*set, differences));
    found.sort_unstable();
    found.dedup();
    found
}

struct HittingSearch<'a> {
    differences: &'a [Bits],
    kinds: AtomKinds,
    found: &'a mut Vec<Bits>,
    /// How many more steps may be made.
    left: usize,
}

impl HittingSearch<'_> {
    /// `refused`: atoms that were tried at an earlier branch, so that no set is found twice.
    fn extend(&mut self, chosen: Bits, refused: Bits, left: SetSize) {
        if self.found.len() >= MAX_SETS || self.left == 0 {
            return;
        }
        self.left -= 1;
        let open = self.differences.iter().copied().filter(|difference| difference & chosen == 0);
        let narrow = open
            .take(LOOK_AHEAD)
            .map(|difference| difference & !refused)
            .min_by_key(|difference| difference.count_ones());
        let Some(mut rest) = narrow else {
            if left.dear == 0 && left.cheap == 0 {
                self.found.push(chosen);
            }
            return;
        };
        let mut refused = refused;
        while rest != 0 {
            let bit = rest & rest.wrapping_neg();
            rest &= !bit;
            let left = if bit & self.kinds.cheap != 0 {
                left.cheap.checked_sub(1).map(|cheap| SetSize { cheap, ..left })
            } else {
                left.dear.checked_sub(1).map(|dear| SetSize { dear, ..left })
            };
            if let Some(left) = left {
                let single = self.kinds.single;
                let others = if bit & single != 0 { single } else { 0 };
                self.extend(chosen | bit, refused | others, left);
            }
            refused |= bit;
        }
    }
}

/// Whether no atom can be left out.
fn is_minimal(set: Bits, differences: &[Bits]) -> bool {
    let mut rest = set;
    while rest != 0 {
        let bit = rest & rest.wrapping_neg();
        rest &= !bit;
        let smaller = set & !bit;
        if differences.iter().all(|difference| difference & smaller != 0) {
            return false;
        }
    }
    true
}

/// Where a row differs from all others, as far as is allowed; the narrowest first.
///
/// `None` if one of them does not differ.
pub(crate) fn differences(row: Bits, others: &[Bits], allowed: Bits) -> Option<Vec<Bits>> {
    // Most rows are there: that is seen before anything is sorted.
    if others.iter().any(|other| (other ^ row) & allowed == 0) {
        return None;
    }
    let mut all: Vec<Bits> = others.iter().map(|other| (other ^ row) & allowed).collect();
    all.sort_unstable();
    all.dedup();
    all.sort_by_key(|difference| difference.count_ones());
    Some(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dear(differences: &[Bits], dear: usize) -> Vec<Bits> {
        hitting_sets(differences, AtomKinds::default(), SetSize { dear, cheap: 0 })
    }

    #[test]
    fn sets_meet_every_difference_and_nothing_can_be_left_out() {
        let differences = differences(0, &[0b0011, 0b0101, 0b1000], !0).expect("none is the row");
        assert_eq!(dear(&differences, 1), vec![]);
        assert_eq!(dear(&differences, 2), vec![0b1001]);
        assert_eq!(dear(&differences, 3), vec![0b1110]);
    }

    #[test]
    fn cheap_atoms_are_counted_apart() {
        let differences = [0b0001, 0b1000];
        assert_eq!(dear(&differences, 1), vec![]);
        let kinds = AtomKinds { cheap: 0b1000, single: 0 };
        let found = hitting_sets(&differences, kinds, SetSize { dear: 1, cheap: 1 });
        assert_eq!(found, vec![0b1001]);
    }

    #[test]
    fn of_some_atoms_a_set_has_only_one() {
        let differences = [0b0011, 0b1100];
        let size = SetSize { dear: 2, cheap: 0 };
        let kinds = AtomKinds { cheap: 0, single: 0b0110 };
        assert_eq!(hitting_sets(&differences, kinds, size), vec![0b0101, 0b1001, 0b1010]);
    }

    #[test]
    fn a_row_that_is_there_cannot_be_told_apart() {
        assert_eq!(super::differences(0b01, &[0b11, 0b01], !0), None);
        assert_eq!(super::differences(0b01, &[0b11], 0b01), None);
    }

    #[test]
    fn without_other_rows_nothing_needs_to_be_said() {
        assert_eq!(dear(&[], 0), vec![0]);
        assert_eq!(dear(&[], 1), Vec::<Bits>::new());
    }
}
