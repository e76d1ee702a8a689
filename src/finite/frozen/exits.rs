//! Where sets of states are left: what has to change for other values of the frozen flags to do what
//! these values never do.

use std::collections::BTreeSet;

use rustc_hash::FxHashSet;

use super::{FrozenCondition, FrozenInstance, FrozenSize, ReachedStates, Wanted, with_wires};
use crate::budget::Stop;
use crate::finite::ground::GroundTransition;
use crate::finite::ground::bit_layout::{read, write};
use crate::finite::ground::circuit::Wire;

/// The most bits of havocs that are counted through in one step.
const MAX_CHOICE_BITS: usize = 8;

/// Conditions on the frozen flags about a set of states that has the initial ones.
pub(crate) struct Exits {
    /// One of these holds wherever other values lead out of the states.
    pub(crate) leaves: Vec<FrozenCondition>,
    /// For each thing wanted: one of these holds wherever it happens among the states.
    pub(crate) serves: Vec<Vec<FrozenCondition>>,
}

/// A set of states of an instance: what some values reach, perhaps without one action.
struct StateSet<'a> {
    known: FxHashSet<&'a [u64]>,
    values: &'a [bool],
    without: Option<usize>,
}

/// The conditions of one instance.
struct Wires {
    leaves: BTreeSet<Wire>,
    serves: Vec<BTreeSet<Wire>>,
}

impl FrozenSize {
    /// How other values of the frozen flags lead out of these states, which are those that `values`
    /// reach, perhaps `without` one action, or do something wanted among them; `None` if the work
    /// was stopped.
    pub(crate) fn exits(
        &mut self,
        reached: &ReachedStates,
        (values, without): (&[bool], Option<usize>),
        wanted: &[Wanted],
        stop: &Stop,
    ) -> Option<Exits> {
        let serves = wanted.iter().map(|_| Vec::new()).collect();
        let mut exits = Exits { leaves: Vec::new(), serves };
        let pairs = self.instances.iter_mut().zip(&reached.stores);
        for (number, (instance, store)) in pairs.enumerate() {
            let set = StateSet { known: store.iter().collect(), values, without };
            let serves = wanted.iter().map(|_| BTreeSet::new()).collect();
            let mut found = Wires { leaves: BTreeSet::new(), serves };
            let mut premises = instance.premises();
            for state in store.iter() {
                if stop.is_set() {
                    return None;
                }
                let spoken_of = instance.spoken_of(state, &mut premises);
                for (wanted, found) in wanted.iter().zip(&mut found.serves) {
                    if wanted.claim().is_some_and(|claim| spoken_of[claim]) {
                        found.insert(Wire::TRUE);
                    }
                }
                instance.exits_at((state, stop), &set, wanted, &mut found)?;
            }
            let condition = |wire: &Wire| FrozenCondition { instance: number, wire: *wire };
            let possible = |wires: &BTreeSet<Wire>| {
                let wires = wires.iter().filter(|wire| **wire != Wire::FALSE);
                wires.map(condition).collect::<Vec<_>>()
            };
            exits.leaves.extend(possible(&found.leaves));
            for (all, own) in exits.serves.iter_mut().zip(&found.serves) {
                all.extend(possible(own));
            }
        }
        Some(exits)
    }
}

impl FrozenInstance {
    /// When some step of a state leads out of the set, or does something wanted; `None` if the work
    /// was stopped.
    fn exits_at(
        &mut self,
        (state, stop): (&[u64], &Stop),
        set: &StateSet<'_>,
        wanted: &[Wanted],
        found: &mut Wires,
    ) -> Option<()> {
        for (_, step) in self.steps_at(state, None) {
            if stop.is_set() {
                return None;
            }
            let is_left_out = set.without.is_some_and(|own| step.actions.contains(&own));
            for (wanted, found) in wanted.iter().zip(&mut found.serves) {
                found.insert(self.serves(&step, state, wanted));
            }
            let now = self.with_frozen(&step, set.values);
            // What no flag decides was done before, unless it was left out: it leads to a known
            // state.
            if step == now && !is_left_out {
                continue;
            }
            if step.choices.is_empty() {
                found.leaves.insert(self.leaves_as(&step, &now, state, &set.known));
            } else {
                found.leaves.extend(self.leaves(&step, (state, stop), set)?);
            }
        }
        Some(())
    }

    /// When a step leads out of the known states, or may; `None` if the work was stopped.
    fn leaves(
        &mut self,
        step: &GroundTransition,
        (state, stop): (&[u64], &Stop),
        set: &StateSet<'_>,
    ) -> Option<Vec<Wire>> {
        let wires = super::wires_of(step);
        let choices: Vec<u32> = {
            let support = self.system.circuit.support(wires.iter().copied());
            support.into_iter().filter(|input| !self.frozen.contains(*input)).collect()
        };
        if choices.len() > MAX_CHOICE_BITS {
            // Too many to count through: any change may lead out.
            let writes = step.writes.iter();
            let changed: Vec<Wire> = writes
                .map(|(bit, wire)| if read(state, *bit, 1) == 1 { !*wire } else { *wire })
                .collect();
            let changed = self.system.circuit.any(changed);
            return Some(vec![self.system.circuit.and(step.guard, changed)]);
        }
        let mut found = Vec::new();
        for picked in 0..1_u32 << choices.len() {
            if stop.is_set() {
                return None;
            }
            let fixed = |input: u32| {
                let position = choices.iter().position(|own| *own == input)?;
                Some(picked >> position & 1 == 1)
            };
            let images = self.system.circuit.restrict(&wires, fixed);
            let step = with_wires(step, &mut images.into_iter());
            if step.guard != Wire::FALSE && step.valid_choices != Wire::FALSE {
                let now = self.with_frozen(&step, set.values);
                found.push(self.leaves_as(&step, &now, state, &set.known));
            }
        }
        Some(found)
    }

    /// When a step without choices, which for the given values is `now`, leads out of the known
    /// states, or may.
    fn leaves_as(
        &mut self,
        step: &GroundTransition,
        now: &GroundTransition,
        state: &[u64],
        known: &FxHashSet<&[u64]>,
    ) -> Wire {
        let mut next = state.to_vec();
        let mut other = Wire::FALSE;
        for ((bit, open), (_, wire)) in step.writes.iter().zip(&now.writes) {
            let value = *wire == Wire::TRUE;
            write(&mut next, *bit, 1, u64::from(value));
            let differs = if value { !*open } else { *open };
            other = self.system.circuit.or(other, differs);
        }
        let mut room = self.system.symmetries.room(next.len());
        self.system.symmetries.normalize(&mut next, &mut room);
        match known.contains(&next[..]) {
            true => self.system.circuit.and(step.guard, other),
            false => step.guard,
        }
    }
}
