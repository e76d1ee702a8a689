//! One representative per orbit: the smallest packed state among the renamings that keep the
//! instance as it is.
//!
//! A subgroup is used when the whole group is too large: less is identified, nothing is lost.

use std::collections::{BTreeMap, BTreeSet};

use super::isomorphism::{Facts, Renaming};
use super::layout::{Block, Layout, read, write};
use crate::logic::{Extent, Table, Value, tuples};
use crate::protocol::{Signature, Sort, SymbolId};

/// The most renamings that are tried on every state.
const MAX_RENAMINGS: usize = 5040;

/// The most bytes for the tables of all renamings.
const MAX_TABLES: usize = 64 << 20;

/// The renamings of an instance, as maps of packed states; the identity is left out.
#[derive(Clone, Debug, Default)]
pub(super) struct Symmetries {
    maps: Vec<PackedMap>,
}

/// A map of packed states, byte by byte: for every byte of the state and each of its values, the
/// bits that it contributes to the image.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PackedMap {
    words: usize,
    images: Vec<u64>,
}

impl Symmetries {
    /// The renamings that keep the rigid symbols of an instance.
    pub(super) fn of(
        signature: &Signature,
        extents: &BTreeMap<Sort, Extent>,
        rigid: &BTreeMap<SymbolId, Table>,
        layout: &Layout,
    ) -> Self {
        let is_wide = |(_, block): (SymbolId, &Block)| {
            block.width > 8 && matches!(block.result, Some(Extent::Elements(_)))
        };
        if layout.blocks().any(is_wide) {
            return Symmetries::default();
        }
        let facts = Facts::new(signature, extents, rigid);
        let bytes_per_map = table_bytes(layout) * 256 * layout.words() * 8;
        let limit = MAX_RENAMINGS.min(MAX_TABLES / bytes_per_map.max(1)).max(1);
        let identity: Renaming = (0..facts.len()).collect();
        let builder = MapBuilder { signature, layout, facts: &facts };
        let maps: BTreeSet<PackedMap> =
            group(&facts, limit).iter().map(|renaming| builder.map(renaming)).collect();
        let same = builder.map(&identity);
        Symmetries { maps: maps.into_iter().filter(|map| *map != same).collect() }
    }

    /// Replaces a state by the representative of its orbit; `image` is room for one state.
    #[inline]
    pub(super) fn normalize(&self, state: &mut [u64], image: &mut [u64], best: &mut [u64]) {
        if self.maps.is_empty() {
            return;
        }
        best.copy_from_slice(state);
        for map in &self.maps {
            map.apply(state, image);
            if *image < *best {
                best.copy_from_slice(image);
            }
        }
        state.copy_from_slice(best);
    }
}

/// All renamings that keep the facts, or those of a subgroup if they are too many.
fn group(facts: &Facts, limit: usize) -> Vec<Renaming> {
    let mut fixed = BTreeSet::new();
    for number in (0..facts.len()).rev() {
        if let Some(renamings) = facts.automorphisms(&fixed, limit) {
            return renamings;
        }
        fixed.insert(number);
    }
    vec![(0..facts.len()).collect()]
}

impl PackedMap {
    #[inline]
    fn apply(&self, state: &[u64], image: &mut [u64]) {
        image.fill(0);
        for (byte, rows) in self.images.chunks_exact(256 * self.words).enumerate() {
            let value = (state[byte / 8] >> (byte % 8 * 8)) as usize & 0xff;
            let row = &rows[value * self.words..(value + 1) * self.words];
            for (word, bits) in image.iter_mut().zip(row) {
                *word |= bits;
            }
        }
    }
}

fn table_bytes(layout: &Layout) -> usize {
    (layout.bits() as usize).div_ceil(8)
}

struct MapBuilder<'a> {
    signature: &'a Signature,
    layout: &'a Layout,
    facts: &'a Facts,
}

impl MapBuilder<'_> {
    fn map(&self, renaming: &Renaming) -> PackedMap {
        let words = self.layout.words();
        let mut map = PackedMap { words, images: vec![0; table_bytes(self.layout) * 256 * words] };
        for (id, block) in self.layout.blocks() {
            let symbol = self.signature.symbol(id);
            for (args, cell) in tuples(&block.arguments).iter().zip(block.cells()) {
                let places = symbol.params.iter().zip(args);
                let image: Vec<Value> =
                    places.map(|(sort, arg)| self.rename(renaming, *sort, *arg)).collect();
                let image = block.position(&image).map_or(*cell, |at| block.cells()[at]);
                let codes = self.codes(renaming, symbol.result, block);
                self.move_cell(&mut map, (*cell, image), block.width, &codes);
            }
        }
        map
    }

    fn rename(&self, renaming: &Renaming, sort: Sort, value: Value) -> Value {
        match value {
            Value::Element(element) => {
                let image = renaming[self.facts.number(sort, element)];
                Value::Element(self.facts.element(image))
            }
            Value::Bool(_) | Value::Int(_) => value,
        }
    }

    /// The image of every code of a block's values; `None` if codes do not change.
    fn codes(&self, renaming: &Renaming, result: Option<Sort>, block: &Block) -> Option<Vec<u64>> {
        let sort = result.filter(|sort| *sort != Sort::Int)?;
        let extent = block.result?;
        let images = extent.values().map(|value| {
            let image = self.rename(renaming, sort, value);
            extent.index(image).unwrap_or_default() as u64
        });
        Some(images.collect())
    }

    fn move_cell(
        &self,
        map: &mut PackedMap,
        (from, to): (u32, u32),
        width: u32,
        codes: &Option<Vec<u64>>,
    ) {
        match codes {
            _ if width == 0 => {}
            // Without renamed values every bit moves by itself.
            None => (0..width).for_each(|bit| move_bits(map, from + bit, to + bit, 1, &[0, 1])),
            Some(codes) => move_bits(map, from, to, width, codes),
        }
    }
}

/// Moves bits that lie in one byte, replacing their code.
fn move_bits(map: &mut PackedMap, from: u32, to: u32, width: u32, codes: &[u64]) {
    let byte = from as usize / 8;
    let words = map.words;
    for value in 0..256_u64 {
        let code = read(&[value], from % 8, width);
        let image = usize::try_from(code).ok().and_then(|code| codes.get(code).copied());
        let start = (byte * 256 + usize::try_from(value).unwrap_or_default()) * words;
        let row = &mut map.images[start..start + words];
        write(row, to, width, image.unwrap_or(code));
    }
}
