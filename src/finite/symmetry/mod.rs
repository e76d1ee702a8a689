//! One representative per orbit: among the images of a state under the renamings that keep the
//! instance as it is, the one with the smallest colours, and of these the smallest packed state.
//!
//! Where many elements are interchangeable, they are sorted instead (`sorting`). A subgroup is used
//! when the whole group is too large for either: less is identified, nothing is lost.

pub(crate) mod colors;
pub(crate) mod isomorphism;
mod sorting;

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::ground::bit_layout::{BitLayout, write};
use super::question::coverage::Counted;
use crate::logic::{Extent, Table, Value, tuples};
use crate::protocol::{Signature, Sort, SymbolId};
use colors::{Colouring, code, for_each_bit};
use isomorphism::{Renaming, RigidFacts};
use sorting::Sorting;

/// The most renamings of an instance.
const MAX_RENAMINGS: usize = 5040;

/// The most bytes for the maps of all renamings.
const MAX_BYTES: usize = 64 << 20;

/// The most bits of a state that are numbered by u16.
const MAX_BITS: u32 = 1 << 16;

/// So few renamings are all tried; among more, colours choose.
const FEW: usize = 6;

/// More renamings than these are not listed where sorting does as well.
const MANY: usize = 24;

/// Measured: 0.7 microseconds with eight elements, 2.4 with twenty.
const EFFORT_PER_ELEMENT: u64 = 3;

/// The renamings of an instance, as maps of packed states.
#[derive(Clone, Debug, Default)]
pub(super) struct Symmetries {
    colouring: Colouring,
    elements: usize,
    /// Empty if only the identity keeps the instance, or if elements are sorted.
    maps: Vec<PackedMap>,
    sorting: Option<Sorting>,
    counted: Counted,
}

/// A renaming, as a map of packed states.
#[derive(Clone, Debug)]
struct PackedMap {
    /// The element that each element is the image of.
    origins: Vec<u16>,
    /// Where each bit goes: plain bits, and the first bits of cells that hold an element.
    bits: Vec<u16>,
    /// The image of every element.
    images: Vec<u16>,
}

/// Room to look for a representative in.
pub(super) struct Room {
    image: Vec<u64>,
    best: Vec<u64>,
    rough: Vec<u64>,
    colours: Vec<u64>,
    candidates: Vec<usize>,
}

impl Symmetries {
    /// The renamings that keep the rigid symbols of an instance.
    pub(super) fn of(
        signature: &Signature,
        extents: &BTreeMap<Sort, Extent>,
        rigid: &BTreeMap<SymbolId, Table>,
        layout: &BitLayout,
    ) -> Self {
        let facts = RigidFacts::new(signature, extents, rigid);
        let elements = facts.len();
        // Cells stay inside bytes, which may take more bits than are counted; without renaming
        // nothing is lost.
        if u16::try_from(elements).is_err() || layout.bits() > MAX_BITS {
            return Symmetries::default();
        }
        let bytes_per_map = 2 * (layout.bits() as usize + 2 * elements);
        let limit = MAX_RENAMINGS.min(MAX_BYTES / bytes_per_map.max(1)).max(1);
        let colouring = Colouring::new(signature, layout, &facts);
        let builder = MapBuilder { signature, layout, facts: &facts };
        let sorts = facts.interchangeable();
        let sorted = |sorts, counted| {
            let sorting = Some(Sorting::new(signature, layout, &facts, sorts));
            let colouring = colouring.clone();
            Symmetries { colouring, elements, maps: Vec::new(), sorting, counted }
        };
        if permutations(&sorts) > MANY && are_all_renamings(&facts, &sorts) {
            return sorted(sorts, Counted::UpToSymmetry);
        }
        // Renamings of elements that no state mentions are the identity on states.
        let (renamings, counted) = group(&facts, limit);
        if counted != Counted::UpToSymmetry && permutations(&sorts) > renamings.len() {
            return sorted(sorts, Counted::UpToSomeSymmetry);
        }
        let maps: BTreeMap<(Vec<u16>, Vec<u16>), PackedMap> =
            renamings.iter().map(|renaming| builder.map(renaming)).collect();
        let maps: Vec<PackedMap> = maps.into_values().collect();
        let maps = if maps.len() > 1 { maps } else { Vec::new() };
        Symmetries { colouring, elements, maps, sorting: None, counted }
    }

    /// About how long a representative takes, in steps of the symbolic engine.
    pub(super) fn effort(&self) -> u64 {
        let is_trivial = self.maps.is_empty() && self.sorting.is_none();
        if is_trivial { 0 } else { EFFORT_PER_ELEMENT * self.elements as u64 }
    }

    /// Which states are counted once.
    pub(super) fn counted(&self) -> Counted {
        match &self.sorting {
            Some(sorting) if !sorting.is_exact() => self.counted.max(Counted::UpToSomeSymmetry),
            _ => self.counted,
        }
    }

    /// Room for states of so many words.
    pub(super) fn room(&self, words: usize) -> Room {
        let (image, best) = (vec![0; words], vec![0; words]);
        let (rough, colours) = (vec![0; self.elements], vec![0; self.elements]);
        Room { image, best, rough, colours, candidates: Vec::new() }
    }

    /// Replaces a state by the representative of its orbit.
    #[inline]
    pub(super) fn normalize(&self, state: &mut [u64], room: &mut Room) {
        if let Some(sorting) = &self.sorting {
            return sorting.normalize(&self.colouring, state);
        }
        if self.maps.is_empty() {
            return;
        }
        self.choose(state, room);
        let Room { image, best, candidates, .. } = room;
        for (number, candidate) in candidates.iter().enumerate() {
            self.apply(&self.maps[*candidate], state, image);
            if number == 0 || *image < *best {
                std::mem::swap(image, best);
            }
        }
        state.copy_from_slice(best);
    }

    /// The maps that give a state its smallest colours; all, if there are few.
    fn choose(&self, state: &[u64], room: &mut Room) {
        room.candidates.clear();
        if self.maps.len() <= FEW {
            room.candidates.extend(0..self.maps.len());
            return;
        }
        self.colouring.colours(state, &mut room.rough, &mut room.colours);
        let mut best = &self.maps[0].origins;
        for (number, map) in self.maps.iter().enumerate() {
            match compare(&room.colours, &map.origins, best) {
                Ordering::Less => {
                    best = &map.origins;
                    room.candidates.clear();
                    room.candidates.push(number);
                }
                Ordering::Equal => room.candidates.push(number),
                Ordering::Greater => {}
            }
        }
    }

    #[inline]
    fn apply(&self, map: &PackedMap, state: &[u64], image: &mut [u64]) {
        image.fill(0);
        for_each_bit(state, &self.colouring.plain, |bit| {
            let to = map.bits[bit] as usize;
            image[to / 64] |= 1 << (to % 64);
        });
        for cell in &self.colouring.cells {
            let value = map.images[cell.first + code(state, cell)] as usize - cell.first;
            write(image, u32::from(map.bits[cell.bit as usize]), cell.width, value as u64);
        }
    }
}

/// Compares the colours that two renamings give to the elements, one after the other.
#[inline]
fn compare(colours: &[u64], one: &[u16], other: &[u16]) -> Ordering {
    let pairs = one.iter().zip(other);
    let pairs = pairs.map(|(one, other)| (colours[*one as usize], colours[*other as usize]));
    let first = pairs.map(|(one, other)| one.cmp(&other)).find(|order| order.is_ne());
    first.unwrap_or(Ordering::Equal)
}

/// How many permutations these sorts have.
fn permutations(sorts: &[Range<usize>]) -> usize {
    let counts = sorts.iter().flat_map(|sort| 1..=sort.len());
    counts.fold(1, |product, factor| product.saturating_mul(factor))
}

/// Whether no renaming keeps the facts but permutations of these sorts.
fn are_all_renamings(facts: &RigidFacts, sorts: &[Range<usize>]) -> bool {
    let fixed = sorts.iter().cloned().flatten().collect();
    let others = facts.automorphisms(&fixed, 1, &mut MAX_WORK.clone());
    others.is_some_and(|others| others.len() == 1)
}

/// How much is done to find renamings: images tried. A thousand elements that are all alike have
/// too many renamings even to find a small subgroup.
const MAX_WORK: usize = 1 << 26;

/// All renamings that keep the facts, or those of a subgroup if they are too many.
fn group(facts: &RigidFacts, limit: usize) -> (Vec<Renaming>, Counted) {
    let mut fixed = BTreeSet::new();
    let mut work = MAX_WORK;
    for number in (0..facts.len()).rev() {
        if let Some(renamings) = facts.automorphisms(&fixed, limit, &mut work) {
            let counted = match (fixed.is_empty(), renamings.len()) {
                (true, _) => Counted::UpToSymmetry,
                (false, 0 | 1) => Counted::Each,
                (false, _) => Counted::UpToSomeSymmetry,
            };
            return (renamings, counted);
        }
        if work == 0 {
            break;
        }
        fixed.insert(number);
    }
    (vec![(0..facts.len()).collect()], Counted::Each)
}

struct MapBuilder<'a> {
    signature: &'a Signature,
    layout: &'a BitLayout,
    facts: &'a RigidFacts,
}

impl MapBuilder<'_> {
    /// The map of a renaming, and what it does to states: two maps with the same effect are one.
    fn map(&self, renaming: &Renaming) -> ((Vec<u16>, Vec<u16>), PackedMap) {
        let mut bits = vec![0; self.layout.words() * 64];
        let mut effect: Vec<u16> = (0..renaming.len()).map(small).collect();
        for (id, block) in self.layout.blocks() {
            let symbol = self.signature.symbol(id);
            for (args, cell) in tuples(&block.arguments).zip(block.cells()) {
                let places = symbol.params.iter().zip(args);
                let image: Vec<Value> =
                    places.map(|(sort, arg)| self.rename(renaming, *sort, arg)).collect();
                let image = block.position(&image).map_or(*cell, |at| block.cells()[at]);
                for bit in 0..block.width {
                    bits[(cell + bit) as usize] = small((image + bit) as usize);
                }
            }
            if let (Some(extent @ Extent::Elements(_)), Some(sort)) = (block.result, symbol.result)
                && let Some(first) = self.facts.number(sort, 0)
            {
                (first..first + extent.len()).for_each(|own| effect[own] = small(renaming[own]));
            }
        }
        let mut origins = vec![0; renaming.len()];
        for (element, image) in renaming.iter().enumerate() {
            origins[*image] = small(element);
        }
        let images = renaming.iter().copied().map(small).collect();
        ((bits.clone(), effect), PackedMap { origins, bits, images })
    }

    fn rename(&self, renaming: &Renaming, sort: Sort, value: Value) -> Value {
        match value {
            Value::Element(element) => match self.facts.number(sort, element) {
                Some(number) => Value::Element(self.facts.element(renaming[number])),
                None => value,
            },
            Value::Bool(_) | Value::Int(_) => value,
        }
    }
}

/// The number of a bit or of an element: states that are renamed have at most 65536 bits.
fn small(number: usize) -> u16 {
    u16::try_from(number).expect("bits of a state and renamed elements are numbered by u16")
}
