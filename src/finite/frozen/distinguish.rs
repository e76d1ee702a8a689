//! A run that tells two choices of the frozen flags apart.

use super::{Claims, FrozenInstance, FrozenSize, with_wires};
use crate::budget::Budget;
use crate::finite::engine::{PackedPath, PackedStep, SearchEnding};
use crate::finite::ground::GroundClaim;
use crate::finite::ground::bit_layout::{read, write};
use crate::finite::ground::circuit::Wire;
use crate::finite::question::Question;
use crate::finite::replay::lift::lift_run;
use crate::protocol::{Protocol, Trace};

impl FrozenSize {
    /// A shortest run for some values whose last step is impossible, or leads elsewhere, for others;
    /// a run of the protocol that was ground.
    pub(crate) fn distinguishing_run(
        &mut self,
        protocol: &Protocol,
        (own, other): (&[bool], &[bool]),
        budget: &Budget,
    ) -> Option<Trace> {
        let mut paths = self.instances.iter_mut().enumerate();
        let (number, path) = paths.find_map(|(number, instance)| {
            Some((number, instance.differing(own, other, budget)?))
        })?;
        let path = self.instances[number].with_values(&path, own);
        let mut question = Question::new(protocol, self.size.clone());
        question.window = self.window;
        lift_run(&question, &self.instances[number].system, &path, budget).ok()?.ok()
    }
}

impl FrozenInstance {
    fn differing(&mut self, own: &[bool], other: &[bool], budget: &Budget) -> Option<PackedPath> {
        let differences = self.differences_of(own, other);
        let anywhere = self.system.circuit.any(differences.iter().map(|(_, wire)| *wire));
        let same = GroundClaim { holds: !anywhere, undefined: Wire::FALSE };
        let (search, _) = self.search(own, &Claims::Instead(same), budget).ok()?;
        let SearchEnding::Unsafe(mut path, _) = search.ending else { return None };
        let last = path.steps.last().map_or(&path.initial, |step| &step.state).clone();
        let at = |input: u32| read(&last, input, 1) == 1;
        let (number, _) =
            differences.iter().find(|(_, wire)| self.system.circuit.evaluate(*wire, at))?;
        let images = self.wires_for(own);
        let mut state = last.clone();
        for (bit, wire) in images.into_iter().nth(*number)?.writes {
            write(&mut state, bit, 1, u64::from(self.system.circuit.evaluate(wire, at)));
        }
        path.steps.push(PackedStep { transition: *number, picked: Vec::new(), state });
        path.claim = None;
        Some(path)
    }

    /// Where each transition without choices does for some values what it does not for others.
    fn differences_of(&mut self, own: &[bool], other: &[bool]) -> Vec<(usize, Wire)> {
        let (own, other) = (self.wires_for(own), self.wires_for(other));
        let circuit = &mut self.system.circuit;
        let mut found = Vec::new();
        for (number, (own, other)) in own.iter().zip(&other).enumerate() {
            if !own.choices.is_empty() {
                continue;
            }
            let mut same = other.guard;
            for ((_, one), (_, two)) in own.writes.iter().zip(&other.writes) {
                let equal = circuit.iff(*one, *two);
                same = circuit.and(same, equal);
            }
            found.push((number, circuit.and(own.guard, !same)));
        }
        found
    }

    /// Every transition for some values of the frozen flags.
    fn wires_for(&mut self, values: &[bool]) -> Vec<crate::finite::ground::GroundTransition> {
        let frozen = &self.frozen;
        let value = |input| frozen.value(input, values);
        let mut images = self.steps.at(&mut self.system.circuit, value).into_iter();
        self.system.transitions.iter().map(|own| with_wires(own, &mut images)).collect()
    }
}
