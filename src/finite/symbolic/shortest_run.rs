//! A shortest run to a bad state, walked back through the reachable states.

use rustc_hash::FxHashMap;

use super::diagram::{BOTTOM, Diagram, Diagrams};
use super::transition_relations::{Access, Event, Variables};
use crate::finite::engine::PackedStep;
use crate::finite::ground::GroundSystem;
use crate::finite::question::reason::FiniteReason;

/// Sets of reachable states by their distance from a bad one: the first layer is bad, the last one
/// has an initial state.
pub(super) fn layers(
    diagrams: &mut Diagrams,
    events: &[Event],
    reachable: Diagram,
    initial: Diagram,
    bad: Diagram,
) -> Result<Vec<Diagram>, FiniteReason> {
    let mut layers = vec![bad];
    let mut unseen = without(diagrams, reachable, bad)?;
    loop {
        let last = layers[layers.len() - 1];
        if last == Diagram::FALSE || diagrams.and(last, initial)? != Diagram::FALSE {
            return Ok(layers);
        }
        let mut before = Diagram::FALSE;
        for event in events {
            let found = fire(diagrams, event, last, Direction::Backward)?;
            before = diagrams.or(before, found)?;
        }
        let new = diagrams.and(before, unseen)?;
        unseen = without(diagrams, unseen, new)?;
        layers.push(new);
    }
}

fn without(
    diagrams: &mut Diagrams,
    set: Diagram,
    removed: Diagram,
) -> Result<Diagram, FiniteReason> {
    let kept = diagrams.not(removed)?;
    diagrams.and(set, kept)
}

/// A run from an initial state in the last layer to a state in the first one; `None` if there is
/// none, which would be a defect.
#[allow(clippy::type_complexity)]
pub(super) fn walk(
    diagrams: &mut Diagrams,
    variables: &Variables,
    system: &mut GroundSystem,
    events: &[Event],
    layers: &[Diagram],
    initial: Diagram,
) -> Result<Option<(Vec<u64>, Vec<PackedStep>)>, FiniteReason> {
    let words = system.layout.words();
    let Some((last, nearer)) = layers.split_last() else { return Ok(None) };
    let starts = diagrams.and(*last, initial)?;
    let Some(values) = diagrams.solution(starts) else { return Ok(None) };
    let first = variables.pack(words, &values);
    let (mut state, mut steps) = (first.clone(), Vec::new());
    for layer in nearer.iter().rev() {
        let here = diagrams.cube(variables.values(&state))?;
        let mut found = None;
        for event in events {
            let image = fire(diagrams, event, here, Direction::Forward)?;
            let next = diagrams.and(image, *layer)?;
            if let Some(values) = diagrams.solution(next) {
                found = Some((event.transition, variables.pack(words, &values)));
                break;
            }
        }
        let Some((transition, next)) = found else { return Ok(None) };
        let Some(picked) = picked(diagrams, variables, system, transition, &state, &next)? else {
            return Ok(None);
        };
        steps.push(PackedStep { transition, picked, state: next.clone() });
        state = next;
    }
    Ok(Some((first, steps)))
}

/// What havocs pick: first input, width and code.
type Picked = Vec<(u32, u32, u64)>;

/// What the havocs of a transition pick on the way from one state to another.
fn picked(
    diagrams: &mut Diagrams,
    variables: &Variables,
    system: &mut GroundSystem,
    transition: usize,
    before: &[u64],
    after: &[u64],
) -> Result<Option<Picked>, FiniteReason> {
    use crate::finite::ground::bit_layout::read;
    let first = system.first_choice();
    let own = &system.transitions[transition];
    let writes = own.writes.iter().map(|(_, wire)| *wire);
    let wires: Vec<_> = [own.guard, own.valid_choices].into_iter().chain(writes).collect();
    let targets: Vec<bool> = own.writes.iter().map(|(bit, _)| read(after, *bit, 1) == 1).collect();
    let fixed = |input: u32| (input < first).then(|| read(before, input, 1) == 1);
    let wires = system.circuit.restrict(&wires, fixed);
    let mut all = wires[0];
    all = system.circuit.and(all, wires[1]);
    for (wire, value) in wires[2..].iter().zip(&targets) {
        all = system.circuit.and(all, if *value { *wire } else { !*wire });
    }
    let chosen = variables.choices(diagrams, &system.circuit, all)?;
    let Some(chosen) = chosen else { return Ok(None) };
    let is_true = |input: u32| chosen.iter().any(|(own, value)| *own == input && *value);
    let mut picked = Vec::new();
    for block in system.transitions[transition].choices.values() {
        for cell in block.cells() {
            let bits = (0..block.width).filter(|bit| is_true(first + cell + bit));
            let code = bits.fold(0, |code, bit| code | 1 << bit);
            picked.push((first + cell, block.width, code));
        }
    }
    Ok(Some(picked))
}

/// Which way an event is fired.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Backward,
}

/// The states one step after or before those of a set.
fn fire(
    diagrams: &mut Diagrams,
    event: &Event,
    set: Diagram,
    direction: Direction,
) -> Result<Diagram, FiniteReason> {
    let mut step = Step { diagrams, event, direction, known: FxHashMap::default() };
    step.image(set, event.relation, 0)
}

/// One event fired once.
struct Step<'e, 'd> {
    diagrams: &'d mut Diagrams,
    event: &'e Event,
    direction: Direction,
    known: FxHashMap<(Diagram, Diagram, usize), Diagram>,
}

impl Step<'_, '_> {
    fn image(
        &mut self,
        set: Diagram,
        relation: Diagram,
        position: usize,
    ) -> Result<Diagram, FiniteReason> {
        if set == Diagram::FALSE || relation == Diagram::FALSE {
            return Ok(Diagram::FALSE);
        }
        let Some((own, access)) = self.event.levels.get(position).copied() else {
            return Ok(set);
        };
        let key = (set, relation, position);
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let level = match self.diagrams.variable(set) {
            BOTTOM => own,
            variable => own.min(variable / 2),
        };
        let (low, high) = self.diagrams.cofactors(set, 2 * level);
        let (low, high) = if level < own {
            let low = self.image(low, relation, position)?;
            (low, self.image(high, relation, position)?)
        } else {
            let (from_low, from_high) = self.diagrams.cofactors(relation, 2 * level);
            match access {
                Access::Read => {
                    let low = self.image(low, from_low, position + 1)?;
                    (low, self.image(high, from_high, position + 1)?)
                }
                Access::Write => {
                    let (to, above) = (2 * level + 1, position + 1);
                    let (low_low, low_high) = self.diagrams.cofactors(from_low, to);
                    let (high_low, high_high) = self.diagrams.cofactors(from_high, to);
                    let pairs = match self.direction {
                        Direction::Forward => [[low_low, high_low], [low_high, high_high]],
                        Direction::Backward => [[low_low, low_high], [high_low, high_high]],
                    };
                    let mut results = [Diagram::FALSE; 2];
                    for (result, relations) in results.iter_mut().zip(pairs) {
                        for (set, relation) in [low, high].into_iter().zip(relations) {
                            let part = self.image(set, relation, above)?;
                            *result = self.diagrams.or(*result, part)?;
                        }
                    }
                    (results[0], results[1])
                }
            }
        };
        let result = self.diagrams.node(2 * level, low, high)?;
        self.known.insert(key, result);
        Ok(result)
    }
}
