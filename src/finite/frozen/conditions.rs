//! What runs and sets of states depend on, as conditions on the frozen flags.

use std::collections::BTreeSet;

use super::{FrozenInstance, FrozenRun, FrozenSize, ReachedStates, with_wires};
use crate::budget::Stop;
use crate::finite::ground::GroundTransition;
use crate::finite::ground::bit_layout::read;
use crate::finite::ground::circuit::Wire;
use crate::logic::Value;
use crate::protocol::SymbolId;

/// A condition on the frozen flags: a wire of one instance of one size. Inputs of havocs in it
/// stand for some value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FrozenCondition {
    pub(super) instance: usize,
    pub(super) wire: Wire,
}

/// Something that a completion has to be able to do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wanted {
    /// The action happens in some run.
    Action(usize),
    /// The action happens in some run with different values for each of these pairs of parameters.
    Apart(usize, Vec<(usize, usize)>),
    /// An assignment of the action changes something in some run, and nothing later in the action
    /// undoes it.
    Effect(usize, Effect),
}

impl Wanted {
    /// The action that does it.
    pub(crate) fn action(&self) -> usize {
        match self {
            Wanted::Action(action) | Wanted::Apart(action, _) | Wanted::Effect(action, _) => {
                *action
            }
        }
    }
}

/// What an assignment changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Effect {
    /// The symbol.
    pub(crate) symbol: SymbolId,
    /// For each of its arguments the position of the parameter that it is; `None` for others.
    pub(crate) at: Vec<Option<usize>>,
    /// What it becomes, if that is written.
    pub(crate) becomes: Option<bool>,
}

impl FrozenSize {
    /// The condition under which a run exists: every step is possible where it is taken and leads
    /// where it led.
    pub(crate) fn run_condition(&mut self, run: &FrozenRun) -> FrozenCondition {
        let instance = &mut self.instances[run.instance];
        let mut before = run.path.initial.clone();
        let mut whole = Wire::TRUE;
        for step in &run.path.steps {
            let transition = instance.system.transitions[step.transition].clone();
            let frozen = &instance.frozen;
            let bits = instance.system.layout.bits();
            let fixed = |input: u32| {
                if frozen.contains(&input) {
                    return None;
                }
                if input < bits {
                    return Some(read(&before, input, 1) == 1);
                }
                let picked = step.picked.iter();
                let mut picked =
                    picked.filter(|(start, width, _)| (*start..start + width).contains(&input));
                Some(picked.next().is_some_and(|(start, _, code)| code >> (input - start) & 1 == 1))
            };
            let wires: Vec<Wire> = std::iter::once(transition.guard)
                .chain(transition.writes.iter().map(|(_, wire)| *wire))
                .collect();
            let images = instance.system.circuit.restrict(&wires, fixed);
            whole = instance.system.circuit.and(whole, images[0]);
            for ((bit, _), image) in transition.writes.iter().zip(&images[1..]) {
                let as_written = if read(&step.state, *bit, 1) == 1 { *image } else { !*image };
                whole = instance.system.circuit.and(whole, as_written);
            }
            before.clone_from(&step.state);
        }
        FrozenCondition { instance: run.instance, wire: whole }
    }

    /// Which of the things wanted happen among these states; `None` if the work was stopped.
    pub(crate) fn met(
        &mut self,
        reached: &ReachedStates,
        values: &[bool],
        wanted: &[Wanted],
        stop: &Stop,
    ) -> Option<Vec<bool>> {
        let mut met = vec![false; wanted.len()];
        for (instance, store) in self.instances.iter_mut().zip(&reached.stores) {
            for state in store.iter() {
                if met.iter().all(|own| *own) {
                    return Some(met);
                }
                if stop.is_set() {
                    return None;
                }
                for step in instance.steps_at(state, Some(values)) {
                    for (met, wanted) in met.iter_mut().zip(wanted) {
                        *met = *met || instance.serves(&step, state, wanted) != Wire::FALSE;
                    }
                }
            }
        }
        Some(met)
    }

    /// Conditions one of which holds wherever other values of the frozen flags behave differently
    /// in some of these states; `None` if the work was stopped.
    pub(crate) fn differences(
        &mut self,
        reached: &ReachedStates,
        values: &[bool],
        stop: &Stop,
    ) -> Option<Vec<FrozenCondition>> {
        let mut found = BTreeSet::new();
        let pairs = self.instances.iter_mut().zip(&reached.stores);
        for (number, (instance, store)) in pairs.enumerate() {
            for state in store.iter() {
                if stop.is_set() {
                    return None;
                }
                let open = instance.steps_at(state, None);
                for step in open {
                    let now = instance.with_frozen(&step, values);
                    let circuit = &mut instance.system.circuit;
                    let same = circuit.iff(step.guard, now.guard);
                    found.insert(FrozenCondition { instance: number, wire: !same });
                    for ((_, other), (_, own)) in step.writes.iter().zip(&now.writes) {
                        let same = circuit.iff(*other, *own);
                        let wire = circuit.and(now.guard, !same);
                        found.insert(FrozenCondition { instance: number, wire });
                    }
                }
            }
        }
        found.retain(|condition| condition.wire != Wire::FALSE);
        Some(found.into_iter().collect())
    }
}

impl Effect {
    /// Whether a place is meant, for these values of the parameters.
    fn is_at(&self, (symbol, place): &(SymbolId, Vec<Value>), args: &[Value]) -> bool {
        let mut places = self.at.iter().zip(place);
        *symbol == self.symbol
            && places.all(|(at, value)| at.is_none_or(|param| args.get(param) == Some(value)))
    }
}

impl FrozenInstance {
    /// The steps of a state, as far as the frozen flags decide them; those that never happen are
    /// left out.
    fn steps_at(&mut self, state: &[u64], values: Option<&[bool]>) -> Vec<GroundTransition> {
        let images = self.images_at(state, values);
        let mut images = images.into_iter();
        let transitions = self.system.transitions.iter();
        let steps = transitions.map(|transition| with_wires(transition, &mut images));
        let possible = |step: &GroundTransition| {
            step.guard != Wire::FALSE && step.valid_choices != Wire::FALSE
        };
        steps.filter(possible).collect()
    }

    /// The steps that are possible in a state for some values of the frozen flags, with the numbers
    /// of their transitions; `None` if some of them have choices.
    pub(super) fn every_step_at(
        &mut self,
        state: &[u64],
        values: &[bool],
    ) -> Option<Vec<(usize, GroundTransition)>> {
        let mut images = self.images_at(state, Some(values)).into_iter();
        let mut steps = Vec::new();
        for (number, transition) in self.system.transitions.iter().enumerate() {
            let step = with_wires(transition, &mut images);
            match step.guard.as_constant() {
                Some(true) if step.choices.is_empty() => steps.push((number, step)),
                Some(false) => {}
                _ => return None,
            }
        }
        Some(steps)
    }

    /// A transition in a state, as far as the frozen flags decide it.
    pub(super) fn open_step(&mut self, transition: usize, state: &[u64]) -> GroundTransition {
        let (frozen, bits) = (&self.frozen, self.system.layout.bits());
        let fixed = |input: u32| match frozen.contains(&input) {
            true => None,
            false => (input < bits).then(|| read(state, input, 1) == 1),
        };
        let own = &self.system.transitions[transition];
        let wires = super::wires_of(own);
        let mut images = self.system.circuit.restrict(&wires, fixed).into_iter();
        with_wires(own, &mut images)
    }

    /// All wires of all transitions in a state.
    pub(super) fn images_at(&mut self, state: &[u64], values: Option<&[bool]>) -> Vec<Wire> {
        let (frozen, bits) = (&self.frozen, self.system.layout.bits());
        let fixed = |input: u32| match frozen.iter().position(|own| *own == input) {
            Some(position) => values.map(|values| values[position]),
            None => (input < bits).then(|| read(state, input, 1) == 1),
        };
        self.steps.at(&mut self.system.circuit, fixed)
    }

    /// A step for given values of the frozen flags.
    pub(super) fn with_frozen(
        &mut self,
        step: &GroundTransition,
        values: &[bool],
    ) -> GroundTransition {
        let frozen = &self.frozen;
        let fixed = |input: u32| {
            let position = frozen.iter().position(|own| *own == input)?;
            Some(values[position])
        };
        let wires = super::wires_of(step);
        let images = self.system.circuit.restrict(&wires, fixed);
        with_wires(step, &mut images.into_iter())
    }

    /// When a step does something wanted.
    pub(super) fn serves(
        &mut self,
        step: &GroundTransition,
        state: &[u64],
        wanted: &Wanted,
    ) -> Wire {
        let circuit = &mut self.system.circuit;
        match wanted {
            Wanted::Action(action) if step.actions.contains(action) => step.guard,
            Wanted::Apart(action, pairs) if step.actions.contains(action) => {
                let args = &step.invocation.args;
                let differ = |(one, two): &(usize, usize)| args.get(*one) != args.get(*two);
                if pairs.iter().all(differ) { step.guard } else { Wire::FALSE }
            }
            Wanted::Effect(action, effect) if step.actions.contains(action) => {
                let args = &step.invocation.args;
                let is_meant = |bit: u32| {
                    let place = self.places.get(&bit);
                    let is_now = read(state, bit, 1) == 1;
                    effect.becomes.is_none_or(|value| value != is_now)
                        && place.is_some_and(|place| effect.is_at(place, args))
                };
                let written = step.writes.iter().filter(|(bit, _)| is_meant(*bit));
                let changed: Vec<Wire> = written
                    .map(|(bit, wire)| if read(state, *bit, 1) == 1 { !*wire } else { *wire })
                    .collect();
                let changed = circuit.any(changed);
                circuit.and(step.guard, changed)
            }
            Wanted::Action(_) | Wanted::Apart(..) | Wanted::Effect(..) => Wire::FALSE,
        }
    }
}
