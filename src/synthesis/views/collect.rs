//! The views of small instances.

use std::collections::BTreeSet;

use itertools::Itertools as _;

use crate::budget::{Budget, Stop};
use crate::finite::{Question, sample};
use crate::logic::Value;
use crate::protocol::{Protocol, Size, Sort, SortId, State, SymbolId};

/// The most elements of a view.
pub(super) const WIDEST: usize = 3;

/// The most atoms of a view: one bit for each.
const MOST_ATOMS: usize = 128;

/// The largest instances that are looked at, and the most states of one.
const LARGEST: u32 = 6;
const MOST_STATES: u64 = 20_000;

/// The most views of so many elements.
const MOST_VIEWS: usize = 20_000;

/// What holds of some elements: a bit for each atom.
pub(super) type View = u128;

/// A relation of some of the elements of a view.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) symbol: SymbolId,
    /// The elements, by their positions in the view.
    pub(super) args: Vec<usize>,
}

/// The views of one, two and three elements that are known to occur, or that must be allowed.
pub(super) struct Views {
    pub(super) sort: Sort,
    /// For every number of elements: the atoms about them.
    pub(super) atoms: Vec<Vec<Atom>>,
    /// For every number of elements: what was seen.
    pub(super) seen: Vec<BTreeSet<View>>,
    /// The size of the largest instance that was looked at to the end.
    pub(super) size: u32,
}

impl Views {
    /// No views yet; `None` if the protocol is about more than relations of one sort.
    pub(super) fn of(protocol: &Protocol) -> Option<Self> {
        let [id] = protocol.signature.sorts().collect_vec()[..] else { return None };
        let sort = Sort::Declared(id);
        let mut atoms: Vec<Vec<Atom>> = Vec::new();
        for width in 1..=WIDEST {
            let mut own = Vec::new();
            for (symbol, declared) in protocol.signature.symbols() {
                if declared.result.is_some() || declared.params.iter().any(|param| *param != sort) {
                    return None;
                }
                let tuples = tuples(width, declared.params.len());
                own.extend(tuples.map(|args| Atom { symbol, args }));
            }
            if own.len() > MOST_ATOMS {
                break;
            }
            atoms.push(own);
        }
        let seen = vec![BTreeSet::new(); atoms.len()];
        (atoms.len() > 1).then_some(Views { sort, atoms, seen, size: 0 })
    }

    /// Adds the views of all reachable states of growing instances, until one adds none.
    pub(super) fn collect(&mut self, protocol: &Protocol, sort: SortId, stop: &Stop) {
        for count in 1..=LARGEST {
            let size: Size = [(sort, count)].into_iter().collect();
            let budget = Budget {
                max_states: MOST_STATES,
                max_memory: 1 << 30,
                ..Budget::until(stop.clone())
            };
            let Ok(found) = sample(&Question::new(protocol, size), &budget) else { return };
            let before = self.count();
            for instance in &found.reachable.instances {
                for state in instance.states() {
                    if stop.is_set() || self.seen.iter().any(|seen| seen.len() > MOST_VIEWS) {
                        return;
                    }
                    self.add(&state);
                }
            }
            if found.missing.is_some() {
                return;
            }
            self.size = count;
            if count as usize > WIDEST && self.count() == before {
                return;
            }
        }
    }

    /// How many views there are.
    pub(super) fn count(&self) -> usize {
        self.seen.iter().map(BTreeSet::len).sum()
    }

    /// Adds the views of a state.
    pub(super) fn add(&mut self, state: &State) {
        for width in 1..=self.atoms.len() {
            for elements in self.choices(state, width) {
                let view = self.view(state, &elements);
                self.seen[width - 1].insert(view);
            }
        }
    }

    /// A part of a state, of as few elements as possible, that is no view.
    pub(super) fn unseen(&self, state: &State) -> Option<(usize, View)> {
        (1..=self.atoms.len()).find_map(|width| {
            let mut views = self.choices(state, width).map(|elements| self.view(state, &elements));
            let unseen = views.find(|view| !self.seen[width - 1].contains(view));
            unseen.map(|view| (width, view))
        })
    }

    /// Every list of so many distinct elements.
    fn choices(&self, state: &State, width: usize) -> impl Iterator<Item = Vec<u32>> + use<> {
        let size = state.extents.get(&self.sort).map_or(0, |extent| extent.len());
        let elements = (0..size).filter_map(|element| u32::try_from(element).ok());
        elements.permutations(width)
    }

    fn view(&self, state: &State, elements: &[u32]) -> View {
        let atoms = self.atoms[elements.len() - 1].iter().enumerate();
        let true_atoms = atoms.filter(|(_, atom)| {
            let args: Vec<Value> =
                atom.args.iter().map(|position| Value::Element(elements[*position])).collect();
            let value = state.tables.get(&atom.symbol).and_then(|table| table.get(&args));
            value == Some(Value::Bool(true))
        });
        true_atoms.fold(0, |view, (bit, _)| view | 1 << bit)
    }
}

/// Every list of so many positions of a view.
fn tuples(width: usize, arity: usize) -> impl Iterator<Item = Vec<usize>> {
    let nothing = (arity == 0).then(Vec::new);
    (0..arity).map(|_| 0..width).multi_cartesian_product().filter(move |_| arity > 0).chain(nothing)
}
