//! The search where no short clause helps: property-directed reachability with universal clauses.
//!
//! Frame `i` over-approximates what is reached in `i` steps: its clauses hold initially, and every
//! step from frame `i - 1` keeps them. A state before a step that breaks a property is removed from
//! the last frame by its diagram, if no step from the frame before leads to it; otherwise the state
//! before that step is removed first. A diagram without the literals that are not needed is a clause
//! over at most as many elements as the state has. Two equal frames are an invariant.

use crate::budget::Stop;
use crate::certificate::InvariantSystem;
use crate::protocol::{State, StateFormula};
use crate::smt::IllSorted;
use crate::synthesis::mine::{Diagram, DiagramPart, Miner};

use super::counterexample::{InductionMoment, is_false, step_moment};
use super::induction::{ClauseId, Induction, InductionAnswer};

/// The most frames: an invariant that needs more is out of reach.
const MAX_FRAMES: usize = 40;

/// A property-directed search.
pub(super) struct Directed<'s, 'a> {
    pub(super) system: InvariantSystem<'a>,
    pub(super) stop: Stop,
    pub(super) induction: &'s mut Induction<'a>,
    pub(super) miner: &'s mut Miner<'a>,
    /// The properties, which all frames but the first suppose.
    pub(super) properties: Vec<ClauseId>,
}

/// A clause of all frames up to one.
struct FrameLemma {
    clause: ClauseId,
    formula: StateFormula,
    level: usize,
}

/// The frames of a search.
struct Frames {
    /// The initial condition as a clause: the first frame.
    initial: ClauseId,
    lemmas: Vec<FrameLemma>,
}

/// Whether a state can be removed from a frame.
enum Blocking {
    /// No step from the frame before leads into its diagram.
    Possible,
    /// One does, from this state.
    After(State),
    /// An initial state, or one that is known to be reachable, is like it; or the solver does not know.
    Hopeless,
}

impl Directed<'_, '_> {
    /// Clauses that make an invariant together with the properties; none if there are none made of
    /// diagrams, or no time is left.
    pub(super) fn run(&mut self) -> Result<Option<Vec<StateFormula>>, IllSorted> {
        let initial = self.induction.state(&self.system.protocol.initial())?;
        let mut frames = Frames { initial, lemmas: Vec::new() };
        for level in 1..=MAX_FRAMES {
            loop {
                let before = match self.bad_step(&frames, level)? {
                    DirectedSearch::Nothing => break,
                    DirectedSearch::Found(before) => before,
                    DirectedSearch::Unknown => return Ok(None),
                };
                if !self.block(&mut frames, before, level)? {
                    return Ok(None);
                }
            }
            self.propagate(&mut frames, level)?;
            let closed = (1..=level).find(|at| frames.lemmas.iter().all(|it| it.level != *at));
            if let Some(closed) = closed {
                let kept = frames.lemmas.into_iter().filter(|lemma| lemma.level > closed);
                return Ok(Some(kept.map(|lemma| lemma.formula).collect()));
            }
        }
        Ok(None)
    }

    /// What a frame supposes.
    fn supposed(&self, frames: &Frames, level: usize) -> Vec<ClauseId> {
        if level == 0 {
            return vec![frames.initial];
        }
        let lemmas = frames.lemmas.iter().filter(|lemma| lemma.level >= level);
        self.properties.iter().copied().chain(lemmas.map(|lemma| lemma.clause)).collect()
    }

    /// A state of a frame before a step that breaks a property.
    fn bad_step(&mut self, frames: &Frames, level: usize) -> Result<DirectedSearch, IllSorted> {
        let supposed = self.supposed(frames, level);
        for property in self.properties.clone() {
            for action in 0..self.system.actions.len() {
                if self.stop.is_set() {
                    return Ok(DirectedSearch::Unknown);
                }
                match self.induction.keeps(action, property, &supposed)? {
                    InductionAnswer::Valid(_) => {}
                    InductionAnswer::Unknown(_) => return Ok(DirectedSearch::Unknown),
                    InductionAnswer::Refuted(model) => {
                        let moment = step_moment(self.system, self.system.actions[action], &model);
                        let InductionMoment::After { before, .. } = moment else {
                            return Ok(DirectedSearch::Unknown);
                        };
                        return Ok(DirectedSearch::Found(before));
                    }
                }
            }
        }
        Ok(DirectedSearch::Nothing)
    }

    /// Removes a state from a frame, after the states of earlier frames that lead to it; whether
    /// that is possible.
    fn block(
        &mut self,
        frames: &mut Frames,
        state: State,
        level: usize,
    ) -> Result<bool, IllSorted> {
        let mut open = vec![(state, level)];
        while let Some((state, level)) = open.last() {
            if self.stop.is_set() {
                return Ok(false);
            }
            let gone = |lemma: &FrameLemma| {
                lemma.level >= *level && is_false(self.system, state, &lemma.formula)
            };
            if frames.lemmas.iter().any(gone) {
                open.pop();
                continue;
            }
            let diagram = self.miner.diagram(state);
            let part = diagram.whole();
            match self.blocking(frames, &diagram, part, *level)? {
                Blocking::Hopeless => return Ok(false),
                Blocking::After(before) if *level > 1 => {
                    let level = *level - 1;
                    open.push((before, level));
                }
                Blocking::After(_) => return Ok(false),
                Blocking::Possible => {
                    let part = self.generalised(frames, &diagram, part, *level)?;
                    let formula = self.miner.forbidding(&diagram, part);
                    let clause = self.induction.state(&formula)?;
                    frames.lemmas.push(FrameLemma { clause, formula, level: *level });
                    open.pop();
                }
            }
        }
        Ok(true)
    }

    /// Whether a part of a diagram can be removed from a frame.
    fn blocking(
        &mut self,
        frames: &Frames,
        diagram: &Diagram,
        part: DiagramPart,
        level: usize,
    ) -> Result<Blocking, IllSorted> {
        if self.stop.is_set() || self.miner.occurs(diagram, part) {
            return Ok(Blocking::Hopeless);
        }
        let sketch = self.induction.sketch(&self.miner.forbidding(diagram, part));
        if !self.induction.begins(&sketch)? {
            return Ok(Blocking::Hopeless);
        }
        let supposed = self.supposed(frames, level - 1);
        for action in 0..self.system.actions.len() {
            match self.induction.would_keep(action, &sketch, &supposed)? {
                InductionAnswer::Valid(_) => {}
                InductionAnswer::Unknown(_) => return Ok(Blocking::Hopeless),
                InductionAnswer::Refuted(model) => {
                    let moment = step_moment(self.system, self.system.actions[action], &model);
                    return Ok(match moment {
                        InductionMoment::After { before, .. } => Blocking::After(before),
                        InductionMoment::Initially(_) => Blocking::Hopeless,
                    });
                }
            }
        }
        Ok(Blocking::Possible)
    }

    /// A part of a diagram with few literals that can still be removed from a frame.
    fn generalised(
        &mut self,
        frames: &Frames,
        diagram: &Diagram,
        mut part: DiagramPart,
        level: usize,
    ) -> Result<DiagramPart, IllSorted> {
        for group in diagram.groups() {
            let smaller = part & !group;
            if smaller != part
                && smaller != 0
                && matches!(self.blocking(frames, diagram, smaller, level)?, Blocking::Possible)
            {
                part = smaller;
            }
        }
        Ok(part)
    }

    /// Lifts every clause to the last frame that keeps it.
    fn propagate(&mut self, frames: &mut Frames, last: usize) -> Result<(), IllSorted> {
        for level in 1..=last {
            let supposed = self.supposed(frames, level);
            for index in 0..frames.lemmas.len() {
                if frames.lemmas[index].level == level
                    && self.is_kept(frames.lemmas[index].clause, &supposed)?
                {
                    frames.lemmas[index].level += 1;
                }
            }
        }
        Ok(())
    }

    fn is_kept(&mut self, clause: ClauseId, supposed: &[ClauseId]) -> Result<bool, IllSorted> {
        for action in 0..self.system.actions.len() {
            let late = self.stop.is_set();
            if late
                || !matches!(
                    self.induction.keeps(action, clause, supposed)?,
                    InductionAnswer::Valid(_)
                )
            {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// The answer to a search for a step.
enum DirectedSearch {
    Nothing,
    Found(State),
    Unknown,
}
