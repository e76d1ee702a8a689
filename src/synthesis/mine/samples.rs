//! States of small instances in a compact form, for trying very many formulas on them.
//!
//! Which states these are is not known here: reachable ones, and ones that must be counted as such.

use std::collections::{BTreeMap, BTreeSet};

use crate::logic::{Extent, Table, Value, tuples};
use crate::protocol::{Rigidity, Signature, Sort, State, SymbolId};
use crate::synthesis::predicate::Predicate;

/// The ranges and the addresses of all symbols, common to many states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SampleFrame {
    /// How many elements each declared sort has.
    sizes: Vec<i32>,
    /// The integers that variables range over.
    window: (i32, i32),
    /// Where each symbol lies.
    blocks: Vec<SampleBlock>,
}

/// Where one symbol lies.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SampleBlock {
    offset: usize,
    extents: Vec<Extent>,
    /// The argument tuples in the order of the cells.
    tuples: Vec<Vec<i32>>,
}

/// One state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Snapshot {
    /// Its frame.
    frame: usize,
    /// Its interpretation of the rigid symbols.
    pub(crate) world: usize,
    cells: Vec<i32>,
}

/// Many states.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    frames: Vec<SampleFrame>,
    worlds: BTreeMap<(usize, Vec<i32>), usize>,
    /// The first state of every world that has one.
    first: BTreeMap<usize, usize>,
    states: Vec<Snapshot>,
    /// The positions of states that only count as reachable.
    allowed: BTreeSet<usize>,
}

/// One state with its addresses.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    frame: &'a SampleFrame,
    cells: &'a [i32],
}

impl Samples {
    /// How many states there are.
    pub(crate) fn len(&self) -> usize {
        self.states.len()
    }

    /// The state at a position.
    pub(crate) fn state(&self, position: usize) -> View<'_> {
        self.view(&self.states[position])
    }

    /// One state for each interpretation of the rigid symbols.
    pub(crate) fn worlds(&self) -> Vec<View<'_>> {
        self.first.values().map(|position| self.view(&self.states[*position])).collect()
    }

    /// A state of this collection, or one that was only converted.
    pub(crate) fn view<'a>(&'a self, state: &'a Snapshot) -> View<'a> {
        View { frame: &self.frames[state.frame], cells: &state.cells }
    }

    /// Adds a state that counts as reachable until it is forgotten.
    pub(crate) fn allow(&mut self, signature: &Signature, state: &State) {
        self.allowed.insert(self.states.len());
        self.add(signature, state);
    }

    /// Adds a reachable state.
    pub(crate) fn add(&mut self, signature: &Signature, state: &State) {
        let snapshot = self.convert(signature, state);
        self.first.entry(snapshot.world).or_insert(self.states.len());
        self.states.push(snapshot);
    }

    /// The positions of the states that are reachable.
    pub(crate) fn reachable(&self) -> impl Iterator<Item = usize> {
        (0..self.states.len()).filter(|position| !self.allowed.contains(position))
    }

    /// Forgets the states that only count as reachable; where each of the others is from now on.
    pub(crate) fn forget_allowed(&mut self) -> BTreeMap<usize, usize> {
        let moved: BTreeMap<usize, usize> = self.reachable().zip(0..).collect();
        self.states = self.reachable().map(|position| self.states[position].clone()).collect();
        self.first.clear();
        for (position, state) in self.states.iter().enumerate() {
            self.first.entry(state.world).or_insert(position);
        }
        self.allowed.clear();
        moved
    }

    /// A state in compact form, which is not added.
    pub(crate) fn convert(&mut self, signature: &Signature, state: &State) -> Snapshot {
        let known = self.frames.iter().rposition(|frame| frame.fits(signature, state));
        let frame = known.unwrap_or_else(|| {
            self.frames.push(frame(signature, state));
            self.frames.len() - 1
        });
        let mut cells = Vec::new();
        let mut rigid = Vec::new();
        for (id, symbol) in signature.symbols() {
            let Some(table) = state.tables.get(&id) else { continue };
            let start = cells.len();
            cells.extend(table.values().iter().map(|value| number(*value)));
            if symbol.rigidity == Rigidity::Rigid {
                rigid.extend_from_slice(&cells[start..]);
            }
        }
        let next = self.worlds.len();
        let world = *self.worlds.entry((frame, rigid)).or_insert(next);
        Snapshot { frame, world, cells }
    }
}

impl SampleFrame {
    /// Whether a state has these ranges.
    fn fits(&self, signature: &Signature, state: &State) -> bool {
        self.sizes == sizes(signature, state)
            && self.window == window(state)
            && signature.symbols().zip(&self.blocks).all(|((id, _), block)| {
                let table = state.tables.get(&id);
                table.is_some_and(|table| table.extents() == block.extents)
            })
    }
}

fn sizes(signature: &Signature, state: &State) -> Vec<i32> {
    let size = |sort| state.extent(Sort::Declared(sort)).map_or(1, Extent::len);
    signature.sorts().map(|sort| i32::try_from(size(sort)).unwrap_or(i32::MAX)).collect()
}

fn window(state: &State) -> (i32, i32) {
    match state.extent(Sort::Int) {
        Some(Extent::Window { low, high }) => (clamp(low), clamp(high)),
        Some(Extent::Elements(_)) | None => (0, -1),
    }
}

fn frame(signature: &Signature, state: &State) -> SampleFrame {
    let mut offset = 0;
    let mut block = |id: SymbolId| {
        let extents = state.tables.get(&id).map(Table::extents)?.to_vec();
        let tuples: Vec<Vec<i32>> =
            tuples(&extents).map(|tuple| tuple.into_iter().map(number).collect()).collect();
        let block = SampleBlock { offset, extents, tuples };
        offset += block.tuples.len();
        Some(block)
    };
    let nowhere = || SampleBlock { offset: 0, extents: Vec::new(), tuples: Vec::new() };
    let blocks = signature.symbols().map(|(id, _)| block(id).unwrap_or_else(nowhere)).collect();
    SampleFrame { sizes: sizes(signature, state), window: window(state), blocks }
}

/// A value as a number; integers beyond 32 bits stay at the end of the range.
pub(crate) fn number(value: Value) -> i32 {
    match value {
        Value::Bool(truth) => i32::from(truth),
        Value::Element(element) => i32::try_from(element).unwrap_or(i32::MAX),
        Value::Int(int) => clamp(int),
    }
}

fn clamp(int: i64) -> i32 {
    i32::try_from(int.clamp(-1_000_000, 1_000_000)).expect("clamped to six digits")
}

/// What the cells of a predicate's symbol have where it holds.
fn cell(predicate: Predicate) -> i32 {
    i32::try_from(predicate.value()).unwrap_or(i32::MAX)
}

impl<'a> View<'a> {
    /// The value of a symbol; `None` outside the window, or if the symbol is unknown here.
    pub(crate) fn value(&self, symbol: SymbolId, args: &[i32]) -> Option<i32> {
        let block = &self.frame.blocks[symbol.0 as usize];
        if block.tuples.is_empty() {
            return None;
        }
        let mut position = 0;
        for (extent, arg) in block.extents.iter().zip(args) {
            let (low, len) = match extent {
                Extent::Elements(size) => (0, *size as usize),
                Extent::Window { low, .. } => (clamp(*low), extent.len()),
            };
            let index = usize::try_from(arg - low).ok().filter(|index| *index < len)?;
            position = position * len + index;
        }
        Some(self.cells[block.offset + position])
    }

    /// Whether a predicate holds of arguments; not outside the window.
    pub(crate) fn holds(&self, predicate: Predicate, args: &[i32]) -> bool {
        self.value(predicate.symbol, args).is_some_and(|value| value == cell(predicate))
    }

    /// The tuples of which a predicate holds.
    pub(crate) fn tuples(&self, predicate: Predicate) -> impl Iterator<Item = &'a [i32]> + use<'a> {
        let block = &self.frame.blocks[predicate.symbol.0 as usize];
        let wanted = cell(predicate);
        let cells = &self.cells[block.offset..block.offset + block.tuples.len()];
        let pairs = block.tuples.iter().zip(cells);
        pairs.filter(move |(_, cell)| **cell == wanted).map(|(tuple, _)| tuple.as_slice())
    }

    /// What variables of a sort range over.
    pub(crate) fn range(&self, sort: Sort) -> std::ops::Range<i32> {
        match sort {
            Sort::Declared(id) => 0..self.frame.sizes[id.0 as usize],
            Sort::Int => self.frame.window.0..self.frame.window.1 + 1,
        }
    }
}
