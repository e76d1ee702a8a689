//! Combinations of values in a set of states.

use std::collections::{BTreeMap, BTreeSet};

use super::diagram::{Diagram, Diagrams};
use super::summary::SeenValue;
use crate::finite::question::reason::FiniteReason;

/// The values of one place, each with the states in which it has them.
pub(super) type Conditions = Vec<(SeenValue, Diagram)>;

/// For some places, the combinations of values that occur.
pub(super) type Occurring = BTreeMap<Vec<usize>, BTreeSet<Vec<SeenValue>>>;

/// Walks through the combinations of values that occur in a set of states.
pub(super) struct Combining<'a> {
    diagrams: &'a mut Diagrams,
    conditions: &'a [Conditions],
    together: usize,
    chosen: Vec<(usize, SeenValue)>,
    seen: &'a mut Occurring,
}

impl<'a> Combining<'a> {
    /// Combines at most so many values at a time.
    pub(super) fn new(
        diagrams: &'a mut Diagrams,
        conditions: &'a [Conditions],
        together: usize,
        seen: &'a mut Occurring,
    ) -> Self {
        Combining { diagrams, conditions, together, chosen: Vec::new(), seen }
    }

    /// Adds every combination that extends the chosen values, which the states have, by values at
    /// places from `first` on.
    pub(super) fn extend(&mut self, states: Diagram, first: usize) -> Result<(), FiniteReason> {
        let conditions = self.conditions;
        for (place, values) in conditions.iter().enumerate().skip(first) {
            for (value, here) in values {
                let states = self.diagrams.and(states, *here)?;
                if states == Diagram::FALSE {
                    continue;
                }
                self.chosen.push((place, *value));
                let (places, together) = self.chosen.iter().copied().unzip();
                let places: Vec<usize> = places;
                self.seen.entry(places).or_default().insert(together);
                if self.chosen.len() < self.together {
                    self.extend(states, place + 1)?;
                }
                self.chosen.pop();
            }
        }
        self.diagrams.check_budget_after(0)
    }
}

/// The values that occur at each of some places and never together, while those at all but
/// one of them do.
pub(super) fn never(seen: &Occurring, places: &[usize]) -> BTreeSet<Vec<SeenValue>> {
    let mut missing = BTreeSet::from([Vec::new()]);
    for place in places {
        let longer = missing.iter().flat_map(|values: &Vec<SeenValue>| {
            let own = seen.get([*place].as_slice()).into_iter().flatten();
            own.map(move |value| [values.as_slice(), value].concat())
        });
        missing = longer.collect();
    }
    let occurs = |places: &[usize], values: &Vec<SeenValue>| {
        seen.get(places).is_some_and(|own| own.contains(values))
    };
    let without = |index: usize, values: &[SeenValue]| {
        let (mut others, mut left) = (places.to_vec(), values.to_vec());
        others.remove(index);
        left.remove(index);
        others.is_empty() || occurs(&others, &left)
    };
    missing.retain(|values| {
        !occurs(places, values) && (0..places.len()).all(|index| without(index, values))
    });
    missing
}
