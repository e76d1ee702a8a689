//! Clauses on demand: what holds in all states that were looked at and not in a given one.
//!
//! Few of the known states are kept at hand; a clause that holds in those is tried on all, and a
//! state that refutes it is kept at hand from then on.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use rustc_hash::FxHashSet;

use crate::budget::Stop;
use crate::effort::{EffortPart, measured};
use crate::finite::SmallSizes;
use crate::logic::{Node, bound_sorts};
use crate::protocol::{Protocol, State, StateFormula};

use super::atoms::{AtomContext, Bits};
use super::cube::{CubePattern, LiteralCube};
use super::diagram::{Diagram, DiagramPart};
use super::exact::ExactStates;
use super::hitting::{AtomKinds, SetSize, differences, hitting_sets};
use super::language::ClauseLanguage;
use super::samples::{Samples, Snapshot};
use super::sampling::{SampleSize, Sampled, sample_states};
use super::shapes::{ClauseShape, MinerScope, clause_shapes};
use super::widen::WideCube;

/// The largest number of literals of a clause, not counting equations between variables. The number
/// of candidates grows exponentially with it.
const LARGEST_CLAUSE: usize = 5;

/// The same for clauses that are tried before any that says that something exists.
const LARGEST_PLAIN: usize = 3;

/// The same for clauses that are tried before those with a lasting atom.
const BEFORE_LASTING: usize = 2;

/// The most equations between variables.
const MAX_EQUATIONS: usize = 4;

/// How many states are at hand in the beginning: all among the first ones, which are the smallest.
const FIRST_AT_HAND: usize = 48;
const FIRST_STATES: usize = 4_000;

/// Knows states that an invariant must allow, and finds clauses that all of them satisfy.
pub struct Miner<'a> {
    protocol: &'a Protocol,
    language: ClauseLanguage<'a>,
    samples: Samples,
    /// States of larger instances, which no clause is tried on before it holds in the samples.
    exact: ExactStates<'a>,
    /// The positions of the states at hand.
    at_hand: Vec<usize>,
    contexts: BTreeMap<ClauseShape, KnownStates>,
    /// Whether a clause may say that something exists.
    witnesses: bool,
}

/// A context, and the rows that occur in it.
struct KnownStates {
    context: AtomContext,
    rows: FxHashSet<Bits>,
    listed: Vec<Bits>,
    /// How many of the states at hand have been looked at.
    looked: usize,
}

/// A clause that holds in all states at hand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ClauseCandidate {
    /// Equations between its variables: the fewer, the stronger.
    equations: usize,
    extra_sorts: usize,
    clause: StateFormula,
    shape: ClauseShape,
    chosen: Bits,
    truth: Bits,
}

impl<'a> Miner<'a> {
    /// Explores small instances of a protocol.
    pub fn new(sizes: &SmallSizes<'a>, actions: &[usize], size: SampleSize, stop: &Stop) -> Self {
        let protocol = sizes.protocol;
        let (samples, exhausted) = sample_states(Sampled { sizes, actions }, size, stop);
        let exact = ExactStates::new(sizes, actions, &exhausted);
        let language = ClauseLanguage::new(protocol);
        let first = samples.len().min(FIRST_STATES);
        let at_hand = (0..first).step_by(first.div_ceil(FIRST_AT_HAND).max(1)).collect();
        let contexts = BTreeMap::new();
        let witnesses = protocol.properties.iter().any(|own| is_quantified(&own.matrix));
        Miner { protocol, language, samples, exact, at_hand, contexts, witnesses }
    }

    /// Lets clauses say that something exists; whether that is new. States that only had to be
    /// allowed because no other clause excludes them are forgotten.
    pub fn say_exists(&mut self) -> bool {
        let is_new = !std::mem::replace(&mut self.witnesses, true);
        if is_new {
            let moved = self.samples.forget_allowed();
            self.at_hand = self.at_hand.iter().filter_map(|at| moved.get(at).copied()).collect();
            self.contexts.clear();
        }
        is_new
    }

    fn has_lasting(&self) -> bool {
        !self.language.lasting_atoms.is_empty()
    }

    /// How many states are known.
    pub fn states(&self) -> usize {
        self.samples.len()
    }

    /// Adds a state that an invariant must allow.
    pub fn allow(&mut self, state: &State) {
        self.samples.allow(&self.protocol.signature, state);
        self.at_hand.push(self.samples.len() - 1);
    }

    /// Whether a clause is false in a reachable state of an instance that is too large to be
    /// listed; that state is known from then on.
    pub fn refutes(&mut self, clause: &StateFormula, stop: &Stop) -> bool {
        let Some(state) = self.exact.refute(clause, stop) else { return false };
        self.samples.add(&self.protocol.signature, &state);
        self.at_hand.push(self.samples.len() - 1);
        true
    }

    /// Every literal about a state.
    pub fn diagram(&mut self, state: &State) -> Diagram {
        Diagram::of(&self.protocol.signature, &self.language, &mut self.samples, state)
    }

    /// Whether a part of a diagram is true in a state that is known to be reachable.
    pub fn occurs(&self, diagram: &Diagram, part: DiagramPart) -> bool {
        diagram.occurs(part, &self.samples)
    }

    /// The clause that a part of a diagram is true nowhere.
    pub fn forbidding(&self, diagram: &Diagram, part: DiagramPart) -> StateFormula {
        diagram.clause(part, &self.language, &self.protocol.signature)
    }

    /// A short clause that all known states satisfy and this one does not, and that is not among
    /// those `refused`.
    pub fn exclude(
        &mut self,
        state: &State,
        refused: &BTreeSet<StateFormula>,
        stop: &Stop,
    ) -> Option<StateFormula> {
        measured(EffortPart::Candidates, || self.excluding(state, refused, stop))
    }

    fn excluding(
        &mut self,
        state: &State,
        refused: &BTreeSet<StateFormula>,
        stop: &Stop,
    ) -> Option<StateFormula> {
        let snapshot = self.samples.convert(&self.protocol.signature, state);
        let mut scopes = vec![MinerScope::Elements];
        if self.protocol.signature.uses_int() {
            scopes.extend([MinerScope::Numbers, MinerScope::Integers]);
        }
        if self.witnesses {
            scopes.extend([MinerScope::Witnesses, MinerScope::Cycles]);
        }
        let (mut wanted, mut first) = (Vec::new(), 1);
        if self.has_lasting() {
            wanted.push((MinerScope::Elements, 1..=BEFORE_LASTING));
            wanted.push((MinerScope::Lasting, 1..=LARGEST_CLAUSE));
            first = BEFORE_LASTING + 1;
        }
        // A short clause that says that something exists is more likely than a long one that does not.
        let lengths = match self.witnesses || self.has_lasting() {
            true => vec![1..=LARGEST_PLAIN, LARGEST_PLAIN + 1..=LARGEST_CLAUSE],
            false => vec![1..=LARGEST_CLAUSE],
        };
        for own in lengths {
            wanted.extend(scopes.iter().map(|scope| match scope {
                MinerScope::Elements => (*scope, first.max(*own.start())..=*own.end()),
                _ => (*scope, own.clone()),
            }));
        }
        wanted.into_iter().find_map(|wanted| self.shortest(&snapshot, wanted, refused, stop))
    }

    /// A shortest clause of one scope and some lengths.
    fn shortest(
        &mut self,
        snapshot: &Snapshot,
        (scope, lengths): (MinerScope, RangeInclusive<usize>),
        refused: &BTreeSet<StateFormula>,
        stop: &Stop,
    ) -> Option<StateFormula> {
        for length in lengths {
            let view = self.samples.view(snapshot);
            let shapes = clause_shapes(&self.language, &view, length, scope);
            for equations in 0..=MAX_EQUATIONS {
                loop {
                    let size = (length, equations);
                    let mut candidates = self.candidates(snapshot, (&shapes, scope), size, stop);
                    candidates.retain(|candidate| !refused.contains(&candidate.clause));
                    if candidates.is_empty() {
                        break;
                    }
                    if let Some(found) = self.confirm(candidates, stop) {
                        return Some(self.widened(found, refused, stop));
                    }
                    if stop.is_set() {
                        return None;
                    }
                }
                if stop.is_set() {
                    return None;
                }
            }
        }
        None
    }

    /// The first candidate that holds in all known states.
    fn confirm(
        &mut self,
        candidates: Vec<ClauseCandidate>,
        stop: &Stop,
    ) -> Option<ClauseCandidate> {
        let before = self.at_hand.len();
        for candidate in candidates {
            if stop.is_set() {
                return None;
            }
            let context = &self.contexts[&candidate.shape].context;
            let cube = LiteralCube { context, chosen: candidate.chosen, truth: candidate.truth };
            let pattern = CubePattern::new(cube);
            let occurs = |position: &usize| pattern.occurs(&self.samples.state(*position));
            if self.at_hand[before..].iter().any(occurs) {
                continue;
            }
            match (0..self.samples.len()).find(occurs) {
                None if self.refutes(&candidate.clause, stop) => {}
                None => return Some(candidate),
                Some(position) => self.at_hand.push(position),
            }
        }
        None
    }

    /// A candidate for as many elements of enumerations as known states allow, unless that is
    /// refused.
    fn widened(
        &mut self,
        found: ClauseCandidate,
        refused: &BTreeSet<StateFormula>,
        stop: &Stop,
    ) -> StateFormula {
        let context = &self.contexts[&found.shape].context;
        let cube = LiteralCube { context, chosen: found.chosen, truth: found.truth };
        let signature = &self.protocol.signature;
        let wide = WideCube::around(cube, signature, &|pattern| {
            let mut all = 0..self.samples.len();
            stop.is_set() || all.any(|position| pattern.occurs(&self.samples.state(position)))
        });
        let wide = wide.map(|wide| wide.clause(&self.language, signature));
        match wide.filter(|clause| !refused.contains(clause)) {
            Some(clause) if !self.refutes(&clause, stop) => clause,
            _ => found.clause,
        }
    }

    /// Clauses with this many literals and equations that hold in the states at hand, the simpler
    /// ones first.
    fn candidates(
        &mut self,
        snapshot: &Snapshot,
        (shapes, scope): (&[ClauseShape], MinerScope),
        (length, equations): (usize, usize),
        stop: &Stop,
    ) -> Vec<ClauseCandidate> {
        let mut found = BTreeSet::new();
        for shape in shapes {
            if stop.is_set() {
                break;
            }
            let size = SetSize { dear: length - shape.0.len(), cheap: equations };
            self.look(shape);
            found.extend(self.in_context(snapshot, (shape, scope), size, stop));
        }
        found.into_iter().collect()
    }

    fn in_context(
        &self,
        snapshot: &Snapshot,
        (shape, scope): (&ClauseShape, MinerScope),
        size: SetSize,
        stop: &Stop,
    ) -> Vec<ClauseCandidate> {
        let known = &self.contexts[shape];
        let context = &known.context;
        let view = self.samples.view(snapshot);
        let mut rows = BTreeSet::new();
        context.matches(&view, &mut |values| {
            rows.insert(context.truth(&view, values));
        });
        let unsaid = match scope {
            MinerScope::Elements | MinerScope::Lasting | MinerScope::Cycles => context.counting,
            MinerScope::Witnesses => context.counting | context.cyclic,
            MinerScope::Numbers | MinerScope::Integers => 0,
        };
        let mut found = Vec::new();
        // The search for hitting sets may use all of its steps for every single row.
        let is_open = |truth: &Bits| {
            scope != MinerScope::Lasting || truth & context.witnessed != context.witnessed
        };
        for truth in rows.into_iter().filter(is_open).take_while(|_| !stop.is_set()) {
            // What exists is a premise like any other, and was said without a quantifier.
            let allowed = !(truth & (context.premises | context.witnessed) | unsaid);
            let Some(differences) = differences(truth, &known.listed, allowed) else { continue };
            let kinds = AtomKinds { cheap: truth & context.equalities, single: context.witnessed };
            for chosen in hitting_sets(&differences, kinds, size) {
                let cube = LiteralCube { context, chosen, truth };
                if self.is_realised(cube) {
                    found.push(ClauseCandidate {
                        equations: size.cheap,
                        extra_sorts: shape.1.len(),
                        clause: cube.clause(&self.language, &self.protocol.signature),
                        shape: shape.clone(),
                        chosen,
                        truth,
                    });
                }
            }
        }
        found
    }

    /// Makes sure that the rows of a context are those of all states at hand.
    fn look(&mut self, shape: &ClauseShape) {
        let known = self.contexts.entry(shape.clone()).or_insert_with(|| KnownStates {
            context: self.language.context(&shape.0, &shape.1, shape.2),
            rows: FxHashSet::default(),
            listed: Vec::new(),
            looked: 0,
        });
        let context = &known.context;
        for position in &self.at_hand[known.looked..] {
            let view = self.samples.state(*position);
            context.matches(&view, &mut |values| {
                let row = context.truth(&view, values);
                if known.rows.insert(row) {
                    known.listed.push(row);
                }
            });
        }
        known.looked = self.at_hand.len();
    }

    /// Whether the rigid part of a cube is true in some sampled instance: otherwise it is about
    /// instances that were not sampled, or about none.
    fn is_realised(&self, cube: LiteralCube<'_>) -> bool {
        let rigid = cube.rigid_part();
        let pattern = CubePattern::without_skeleton(rigid);
        rigid.chosen == 0 || self.samples.worlds().iter().any(|world| pattern.occurs(world))
    }
}

/// Whether a formula has a quantifier.
fn is_quantified(formula: &StateFormula) -> bool {
    !bound_sorts(Node::Formula(formula)).is_empty()
}
