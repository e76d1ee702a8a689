//! How many states a diagram stands for, exactly.

use rustc_hash::FxHashMap;

use super::diagram::{BOTTOM, Diagram, Diagrams};
use crate::finite::question::natural::Natural;

/// How many states with this many levels are in a set.
pub(super) fn count(diagrams: &Diagrams<'_>, set: Diagram, levels: u32) -> Natural {
    let mut known = FxHashMap::default();
    below(diagrams, set, levels, &mut known).doubled(level(diagrams, set, levels))
}

fn level(diagrams: &Diagrams<'_>, set: Diagram, levels: u32) -> u32 {
    match diagrams.variable(set) {
        BOTTOM => levels,
        variable => variable / 2,
    }
}

/// How many values of the levels from the first node on are in a set.
fn below(
    diagrams: &Diagrams<'_>,
    set: Diagram,
    levels: u32,
    known: &mut FxHashMap<Diagram, Natural>,
) -> Natural {
    match set {
        Diagram::FALSE => return Natural::default(),
        Diagram::TRUE => return Natural::one(),
        _ => {}
    }
    if let Some(count) = known.get(&set) {
        return count.clone();
    }
    let own = level(diagrams, set, levels);
    let (low, high) = diagrams.cofactors(set, 2 * own);
    let mut part = |child: Diagram| {
        let skipped = level(diagrams, child, levels) - own - 1;
        below(diagrams, child, levels, known).doubled(skipped)
    };
    let count = part(low).plus(&part(high));
    known.insert(set, count.clone());
    count
}
