//! What runs and sets of states depend on, as conditions on the frozen flags.

use std::collections::BTreeSet;

use super::flags::FrozenFlags;
use super::partial::PartialEvaluation;
use super::{FrozenInstance, FrozenRun, FrozenSize, ReachedStates, with_wires};
use crate::budget::Stop;
use crate::finite::ground::bit_layout::read;
use crate::finite::ground::circuit::Wire;
use crate::finite::ground::{GroundSystem, GroundTransition};
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
    /// The property at this position, which holds, is about some elements: its premise does too.
    Premise(usize),
}

impl Wanted {
    /// The action that does it, if it is one that does.
    pub(crate) fn action(&self) -> Option<usize> {
        match self {
            Wanted::Action(action) | Wanted::Apart(action, _) | Wanted::Effect(action, _) => {
                Some(*action)
            }
            Wanted::Premise(_) => None,
        }
    }

    /// The claim whose premise is meant.
    pub(super) fn claim(&self) -> Option<usize> {
        match self {
            Wanted::Premise(claim) => Some(*claim),
            Wanted::Action(_) | Wanted::Apart(..) | Wanted::Effect(..) => None,
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
                if frozen.contains(input) {
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
            let mut chosen = instance.chosen(values);
            let mut premises = instance.premises();
            for state in store.iter() {
                if met.iter().all(|own| *own) {
                    return Some(met);
                }
                if stop.is_set() {
                    return None;
                }
                let spoken_of = instance.spoken_of(state, &mut premises);
                for (met, wanted) in met.iter_mut().zip(wanted) {
                    *met |= wanted.claim().is_some_and(|claim| spoken_of[claim]);
                }
                for (_, step) in instance.steps_at(state, Some(&mut chosen)) {
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
                for (_, step) in open {
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

/// The bits of a state as inputs; frozen flags and what havocs pick are left open.
fn fixed_at<'a>(
    frozen: &'a FrozenFlags,
    system: &GroundSystem,
    state: &'a [u64],
) -> impl Fn(u32) -> Option<bool> + use<'a> {
    let bits = system.layout.bits();
    move |input| {
        let is_state = !frozen.contains(input) && input < bits;
        is_state.then(|| read(state, input, 1) == 1)
    }
}

impl FrozenInstance {
    /// For every claim, where it holds and its premise as well.
    pub(super) fn premises(&mut self) -> PartialEvaluation {
        let pairs: Vec<(Wire, Wire)> = self
            .system
            .claims
            .iter()
            .zip(&self.system.premises)
            .map(|(claim, premise)| (claim.holds, *premise))
            .collect();
        let circuit = &mut self.system.circuit;
        let wires = pairs.into_iter().map(|(holds, premise)| circuit.and(holds, premise));
        let wires = wires.collect();
        PartialEvaluation::new(wires)
    }

    /// Which claims hold in a state together with their premises.
    pub(super) fn spoken_of(
        &mut self,
        state: &[u64],
        premises: &mut PartialEvaluation,
    ) -> Vec<bool> {
        let fixed = fixed_at(&self.frozen, &self.system, state);
        let images = premises.at(&mut self.system.circuit, fixed);
        images.into_iter().map(|wire| wire == Wire::TRUE).collect()
    }

    /// The steps of a state with the numbers of their transitions, for chosen values of the frozen
    /// flags or as far as they decide it; those that never happen are left out.
    pub(super) fn steps_at(
        &mut self,
        state: &[u64],
        chosen: Option<&mut PartialEvaluation>,
    ) -> Vec<(usize, GroundTransition)> {
        let fixed = fixed_at(&self.frozen, &self.system, state);
        let evaluation = chosen.unwrap_or(&mut self.steps);
        evaluation.restart();
        let mut steps = Vec::new();
        let mut end = 0;
        for (number, transition) in self.system.transitions.iter().enumerate() {
            let wires = end..end + super::wire_count(transition);
            end = wires.end;
            let circuit = &mut self.system.circuit;
            if evaluation.image(circuit, wires.start, &fixed) == Wire::FALSE {
                continue;
            }
            let images = wires.map(|wire| evaluation.image(circuit, wire, &fixed));
            let step = with_wires(transition, &mut images.collect::<Vec<_>>().into_iter());
            if step.valid_choices != Wire::FALSE {
                steps.push((number, step));
            }
        }
        steps
    }

    /// The steps that are possible in a state for chosen values of the frozen flags, with the numbers
    /// of their transitions; `None` if some of them have choices.
    pub(super) fn every_step_at(
        &mut self,
        state: &[u64],
        chosen: &mut PartialEvaluation,
    ) -> Option<Vec<(usize, GroundTransition)>> {
        let steps = self.steps_at(state, Some(chosen));
        let is_plain =
            |step: &GroundTransition| step.guard == Wire::TRUE && step.choices.is_empty();
        steps.iter().all(|(_, step)| is_plain(step)).then_some(steps)
    }

    /// A transition in a state, as far as the frozen flags decide it.
    pub(super) fn open_step(&mut self, transition: usize, state: &[u64]) -> GroundTransition {
        let fixed = fixed_at(&self.frozen, &self.system, state);
        let own = &self.system.transitions[transition];
        let wires = super::wires_of(own);
        let mut images = self.system.circuit.restrict(&wires, fixed).into_iter();
        with_wires(own, &mut images)
    }

    /// All wires of all transitions for some values of the frozen flags: few gates are left.
    pub(super) fn chosen(&mut self, values: &[bool]) -> PartialEvaluation {
        let frozen = &self.frozen;
        let images = self.steps.at(&mut self.system.circuit, |input| frozen.value(input, values));
        PartialEvaluation::new(images)
    }

    /// A step for given values of the frozen flags.
    pub(super) fn with_frozen(
        &mut self,
        step: &GroundTransition,
        values: &[bool],
    ) -> GroundTransition {
        let frozen = &self.frozen;
        let wires = super::wires_of(step);
        let fixed = |input| frozen.value(input, values);
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
            Wanted::Action(_) | Wanted::Apart(..) | Wanted::Effect(..) | Wanted::Premise(_) => {
                Wire::FALSE
            }
        }
    }
}
