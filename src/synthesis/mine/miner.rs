//! Clauses on demand: what holds in all states that were looked at and not in a given one.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use crate::protocol::{Protocol, Sort, SortId, State, StateFormula, SymbolId};

use super::cube::Cube;
use super::hitting::{differences, hitting_sets};
use super::language::{Atom, Bits, Context, Language};
use super::samples::{Samples, Snapshot, View};
use super::sampling::{SampleConfig, Sampled, collect};

/// The largest number of literals of a clause.
const LARGEST_CLAUSE: usize = 5;

/// The most relations that a clause supposes to hold.
const LARGEST_SKELETON: usize = 2;

/// The most further variables.
const MOST_FURTHER: usize = 2;

/// The most rows of one context.
const MOST_ROWS: usize = 1 << 18;

/// The most matches of one context that are evaluated.
const MOST_MATCHES: usize = 1 << 22;

/// Knows states that an invariant must allow, and finds clauses that all of them satisfy.
pub struct Miner<'a> {
    protocol: &'a Protocol,
    language: Language<'a>,
    samples: Samples,
    contexts: BTreeMap<Shape, Known>,
}

/// What determines a context.
type Shape = (Vec<SymbolId>, Vec<Sort>);

/// A context, and the rows that occur in it.
struct Known {
    context: Context,
    rows: FxHashSet<Bits>,
    listed: Vec<Bits>,
    /// How many states have been looked at; `None` if there were too many rows.
    looked: Option<usize>,
}

impl<'a> Miner<'a> {
    /// Explores small instances of a protocol; some sorts have a fixed number of elements.
    pub fn new(
        protocol: &'a Protocol,
        fixed: &[(SortId, u32)],
        actions: &[usize],
        config: &SampleConfig,
    ) -> Self {
        let samples = collect(Sampled { protocol, fixed, actions }, config);
        let language = Language::new(protocol);
        Miner { protocol, language, samples, contexts: BTreeMap::new() }
    }

    /// How many states are known.
    pub fn states(&self) -> usize {
        self.samples.len()
    }

    /// Adds a state that an invariant must allow.
    pub fn allow(&mut self, state: &State) {
        self.samples.add(&self.protocol.signature, state);
    }

    /// The shortest clauses that all known states satisfy and this one does not, without those
    /// that are `refused`.
    pub fn exclude(
        &mut self,
        state: &State,
        refused: &BTreeSet<StateFormula>,
    ) -> Vec<StateFormula> {
        let snapshot = self.samples.convert(&self.protocol.signature, state);
        for length in 1..=LARGEST_CLAUSE {
            let mut clauses = self.exclude_by(&snapshot, length);
            clauses.retain(|clause| !refused.contains(clause));
            if !clauses.is_empty() {
                return clauses;
            }
        }
        Vec::new()
    }

    /// Clauses with this many literals, the simpler ones first.
    fn exclude_by(&mut self, snapshot: &Snapshot, length: usize) -> Vec<StateFormula> {
        let mut found: Vec<(usize, usize, StateFormula)> = Vec::new();
        for shape in self.shapes(snapshot, length) {
            let size = length - shape.0.len();
            self.look(&shape);
            let known = &self.contexts[&shape];
            if known.looked.is_none() {
                continue;
            }
            let mut rows = FxHashSet::default();
            let view = self.samples.view(snapshot);
            known.context.matches(&view, &mut |values| {
                rows.insert(known.context.truth(&view, values));
            });
            let mut rows: Vec<Bits> = rows.into_iter().collect();
            rows.sort_unstable();
            for truth in rows {
                let Some(differences) = differences(truth, &known.listed) else { continue };
                for chosen in hitting_sets(&differences, size) {
                    let cube = Cube { context: &known.context, chosen, truth };
                    if self.is_realised(cube) {
                        let merged = (chosen & truth & known.context.equalities).count_ones();
                        let clause = cube.clause(&self.language, &self.protocol.signature);
                        found.push((merged as usize, shape.1.len(), clause));
                    }
                }
            }
        }
        found.sort();
        let mut clauses: Vec<StateFormula> = Vec::new();
        for (_, _, clause) in found {
            if !clauses.contains(&clause) {
                clauses.push(clause);
            }
        }
        clauses
    }

    /// The contexts in which a clause of this length could exclude a state.
    fn shapes(&self, snapshot: &Snapshot, length: usize) -> Vec<Shape> {
        let view = self.samples.view(snapshot);
        let holding: Vec<SymbolId> = self
            .language
            .relations
            .iter()
            .copied()
            .filter(|relation| view.tuples(*relation).next().is_some())
            .collect();
        let signature = &self.protocol.signature;
        let mut sorts: Vec<Sort> = signature.sorts().map(Sort::Declared).collect();
        if signature.uses_int() {
            sorts.push(Sort::Int);
        }
        let mut shapes = Vec::new();
        for skeleton in multisets(&holding, length.min(LARGEST_SKELETON)) {
            for further in multisets(&sorts, (length - skeleton.len()).min(MOST_FURTHER)) {
                shapes.push((skeleton.clone(), further));
            }
        }
        shapes
    }

    /// Makes sure that the rows of a context are those of all states.
    fn look(&mut self, shape: &Shape) {
        let known = self.contexts.entry(shape.clone()).or_insert_with(|| Known {
            context: self.language.context(&shape.0, &shape.1),
            rows: FxHashSet::default(),
            listed: Vec::new(),
            looked: Some(0),
        });
        let Some(first) = known.looked else { return };
        let mut matches = 0;
        for view in self.samples.since(first) {
            let context = &known.context;
            context.matches(&view, &mut |values| {
                matches += 1;
                let row = context.truth(&view, values);
                if known.rows.insert(row) {
                    known.listed.push(row);
                }
            });
            if known.rows.len() > MOST_ROWS || matches > MOST_MATCHES {
                known.looked = None;
                known.rows = FxHashSet::default();
                known.listed = Vec::new();
                return;
            }
        }
        known.looked = Some(self.samples.len());
    }

    /// Whether what a cube says of the rigid symbols is true somewhere: otherwise it speaks of
    /// instances that nobody has looked at, or of none.
    fn is_realised(&self, cube: Cube<'_>) -> bool {
        let context = cube.context;
        let rigid = cube.chosen & context.rigid;
        let atoms = context.atoms.iter().enumerate();
        let literals: Vec<(&Atom, bool)> = atoms
            .filter(|(index, _)| rigid >> index & 1 == 1)
            .map(|(index, atom)| (atom, cube.truth >> index & 1 == 1))
            .collect();
        if literals.is_empty() {
            return true;
        }
        let vars: BTreeSet<usize> = literals.iter().flat_map(|(atom, _)| atom.vars()).collect();
        let vars: Vec<usize> = vars.into_iter().collect();
        let mut values = vec![0; context.vars.len()];
        self.samples
            .worlds()
            .iter()
            .any(|world| satisfied(world, context, &literals, &vars, &mut values))
    }
}

/// Whether some values of the variables make all literals true.
fn satisfied(
    world: &View<'_>,
    context: &Context,
    literals: &[(&Atom, bool)],
    vars: &[usize],
    values: &mut Vec<i32>,
) -> bool {
    let Some((var, rest)) = vars.split_first() else {
        return literals.iter().all(|(atom, holds)| atom.holds(world, values) == *holds);
    };
    world.range(context.vars[*var]).any(|value| {
        values[*var] = value;
        satisfied(world, context, literals, rest, values)
    })
}

/// All multisets of at most `most` items, the smaller ones first.
fn multisets<T: Copy>(items: &[T], most: usize) -> Vec<Vec<T>> {
    let mut all: Vec<(usize, Vec<T>)> = vec![(0, Vec::new())];
    let mut first = 0;
    for _ in 0..most {
        let last = all.len();
        for index in first..last {
            let (start, prefix) = all[index].clone();
            for (position, item) in items.iter().enumerate().skip(start) {
                let mut longer = prefix.clone();
                longer.push(*item);
                all.push((position, longer));
            }
        }
        first = last;
    }
    all.into_iter().map(|(_, set)| set).collect()
}
