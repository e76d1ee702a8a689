//! Small sets of atoms that tell one row from all others: minimal hitting sets.

use super::language::Bits;

/// The most sets that are listed.
const MOST_SETS: usize = 64;

/// Sets of exactly `size` atoms, each meeting every difference, none with a smaller one inside.
///
/// Atoms of `costly` come last. A difference that is empty cannot be met: there are no sets then.
pub(crate) fn hitting_sets(differences: &[Bits], size: usize) -> Vec<Bits> {
    let mut found = Vec::new();
    search(differences, 0, 0, size, &mut found);
    found.retain(|set| is_minimal(*set, differences));
    found.sort_unstable();
    found.dedup();
    found
}

/// `refused`: atoms that were tried at an earlier branch, so that no set is found twice.
fn search(differences: &[Bits], chosen: Bits, refused: Bits, left: usize, found: &mut Vec<Bits>) {
    if found.len() >= MOST_SETS {
        return;
    }
    let open = differences.iter().copied().filter(|difference| difference & chosen == 0);
    // The narrowest of the first few that are not met yet.
    let Some(narrow) = open.take(32).min_by_key(|difference| (difference & !refused).count_ones())
    else {
        if left == 0 {
            found.push(chosen);
        }
        return;
    };
    if left == 0 {
        return;
    }
    let mut refused = refused;
    let mut rest = narrow & !refused;
    while rest != 0 {
        let bit = rest & rest.wrapping_neg();
        rest &= !bit;
        search(differences, chosen | bit, refused, left - 1, found);
        refused |= bit;
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

/// The differences between a row and all others, the narrowest first, without repetition.
///
/// `None` if one of them is the row itself.
pub(crate) fn differences(row: Bits, others: &[Bits]) -> Option<Vec<Bits>> {
    let mut all: Vec<Bits> = others.iter().map(|other| other ^ row).collect();
    all.sort_unstable_by_key(|difference| (difference.count_ones(), *difference));
    all.dedup();
    if all.first() == Some(&0) { None } else { Some(all) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_meet_every_difference_and_nothing_can_be_left_out() {
        let differences = differences(0b0000, &[0b0011, 0b0101, 0b1000]).expect("none is the row");
        assert_eq!(hitting_sets(&differences, 1), vec![]);
        assert_eq!(hitting_sets(&differences, 2), vec![0b1001]);
        assert_eq!(hitting_sets(&differences, 3), vec![0b1110]);
    }

    #[test]
    fn a_row_that_is_there_cannot_be_told_apart() {
        assert_eq!(super::differences(0b01, &[0b11, 0b01]), None);
    }

    #[test]
    fn without_other_rows_nothing_needs_to_be_said() {
        assert_eq!(hitting_sets(&[], 0), vec![0]);
        assert_eq!(hitting_sets(&[], 1), Vec::<Bits>::new());
    }
}
