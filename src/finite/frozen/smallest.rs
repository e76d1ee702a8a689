//! A smallest set of contradicting requirements.
//!
//! Every such set meets every set of requirements whose absence makes the others possible. A smallest
//! set that meets all of those known so far either contradicts itself, and then nothing smaller does,
//! or it can be extended to as many requirements as are possible together; the rest is one more set
//! to meet.

use crate::finite::question::reason::FiniteReason;

/// After so many rounds, or so many steps of one search for a set that meets the others, the smallest
/// one that is known has to do.
const ROUNDS: usize = 200;
const STEPS: usize = 100_000;

/// A smallest contradicting subset of `all`, or the known one if there are too many to tell.
pub(super) fn smallest(
    all: &[usize],
    known: Vec<usize>,
    contradicts: &mut dyn FnMut(&[usize]) -> Result<bool, FiniteReason>,
) -> Result<Vec<usize>, FiniteReason> {
    let mut to_meet: Vec<Vec<usize>> = Vec::new();
    for _ in 0..ROUNDS {
        let Some(mut some) = meeting_all(&to_meet, known.len()) else { break };
        if contradicts(&some)? {
            return Ok(some);
        }
        for number in all {
            if some.contains(number) {
                continue;
            }
            some.push(*number);
            if contradicts(&some)? {
                some.pop();
            }
        }
        to_meet.push(all.iter().copied().filter(|own| !some.contains(own)).collect());
    }
    Ok(known)
}

/// A smallest set that meets all of these, if it has fewer members than `below` and is soon found.
fn meeting_all(sets: &[Vec<usize>], below: usize) -> Option<Vec<usize>> {
    let mut steps = STEPS;
    (0..below).find_map(|most| {
        let mut chosen = Vec::new();
        meets(sets, most, &mut chosen, &mut steps).then(|| {
            chosen.sort_unstable();
            chosen
        })
    })
}

fn meets(sets: &[Vec<usize>], most: usize, chosen: &mut Vec<usize>, steps: &mut usize) -> bool {
    let open = sets.iter().find(|set| !set.iter().any(|own| chosen.contains(own)));
    let Some(open) = open else { return true };
    if chosen.len() == most || *steps == 0 {
        return false;
    }
    for own in open {
        *steps = steps.saturating_sub(1);
        chosen.push(*own);
        if meets(sets, most, chosen, steps) {
            return true;
        }
        chosen.pop();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The smallest contradicting set by trying all subsets.
    fn brute(count: usize, contradicts: &dyn Fn(&[usize]) -> bool) -> usize {
        let subsets = (0..1_usize << count)
            .map(|code| (0..count).filter(|own| code >> own & 1 == 1).collect::<Vec<_>>());
        subsets.filter(|own| contradicts(own)).map(|own| own.len()).min().expect("all contradict")
    }

    #[test]
    fn no_smaller_set_contradicts() {
        // Deletion from the left finds {4, 5, 6, 7}; {0, 1} and {2, 3, 7} contradict too.
        let bad: &[&[usize]] = &[&[0, 1], &[2, 3, 7], &[4, 5, 6, 7]];
        for some in 1..8_usize {
            let sets: Vec<&[usize]> =
                (0..3).filter(|own| some >> own & 1 == 1).map(|own| bad[own]).collect();
            let contradicts =
                |own: &[usize]| sets.iter().any(|set| set.iter().all(|one| own.contains(one)));
            let all: Vec<usize> = (0..8).collect();
            let known = sets.last().expect("at least one").to_vec();
            let found = smallest(&all, known, &mut |own| Ok(contradicts(own)));
            let found = found.unwrap_or_else(|_| panic!("nothing stops it"));
            assert!(contradicts(&found));
            assert_eq!(found.len(), brute(8, &contradicts));
        }
    }
}
