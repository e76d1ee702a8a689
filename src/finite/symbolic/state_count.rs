//! How many states a diagram stands for, exactly.

use rustc_hash::FxHashMap;

use super::diagram::{BOTTOM, Diagram, Diagrams};
use crate::finite::question::natural::Natural;
use crate::finite::question::reason::FiniteReason;

/// How many states with this many levels are in a set.
pub(super) fn count(
    diagrams: &Diagrams,
    set: Diagram,
    levels: u32,
) -> Result<Natural, FiniteReason> {
    let mut known = FxHashMap::default();
    Ok(below(diagrams, set, levels, &mut known)?.doubled(level(diagrams, set, levels)))
}

fn level(diagrams: &Diagrams, set: Diagram, levels: u32) -> u32 {
    match diagrams.variable(set) {
        BOTTOM => levels,
        variable => variable / 2,
    }
}

/// How many values of the levels from the first node on are in a set.
fn below(
    diagrams: &Diagrams,
    set: Diagram,
    levels: u32,
    known: &mut FxHashMap<Diagram, Natural>,
) -> Result<Natural, FiniteReason> {
    match set {
        Diagram::FALSE => return Ok(Natural::default()),
        Diagram::TRUE => return Ok(Natural::one()),
        _ => {}
    }
    if let Some(count) = known.get(&set) {
        return Ok(count.clone());
    }
    let own = level(diagrams, set, levels);
    let (low, high) = diagrams.cofactors(set, 2 * own);
    let mut part = |child: Diagram| -> Result<Natural, FiniteReason> {
        let skipped = level(diagrams, child, levels) - own - 1;
        Ok(below(diagrams, child, levels, known)?.doubled(skipped))
    };
    let count = part(low)?.plus(&part(high)?);
    known.insert(set, count.clone());
    diagrams.check_budget_after(known.len())?;
    Ok(count)
}
