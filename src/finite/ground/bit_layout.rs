//! The numbering of ground atoms: which bits of a packed state hold which symbol at which
//! arguments. This is the only place that knows it.

use std::collections::BTreeMap;

use crate::logic::{Extent, Table, Value, tuple_count, tuple_position};
use crate::protocol::{Signature, Sort, SymbolId};

/// The bits of one symbol: a block of equally wide cells, one for each argument tuple.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SymbolBits {
    /// The ranges of the arguments.
    pub(crate) arguments: Vec<Extent>,
    /// The range of the value; `None` for a relation.
    pub(crate) result: Option<Extent>,
    /// The first bit of each cell, in the order of `tuples`.
    cells: Vec<u32>,
    /// How many bits a cell has.
    pub(crate) width: u32,
}

impl SymbolBits {
    /// The first bit of every cell, in the order of the argument tuples.
    pub(crate) fn cells(&self) -> &[u32] {
        &self.cells
    }

    /// The values of a cell, each at its code.
    pub(crate) fn values(&self) -> Vec<Value> {
        match self.result {
            None => vec![Value::Bool(false), Value::Bool(true)],
            Some(extent) => extent.values().collect(),
        }
    }

    /// The position of a tuple among the cells; `None` outside the window.
    pub(crate) fn position(&self, args: &[Value]) -> Option<usize> {
        tuple_position(&self.arguments, args)
    }
}

/// Where every symbol of a state lies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct BitLayout {
    blocks: BTreeMap<SymbolId, SymbolBits>,
    bits: u32,
}

impl BitLayout {
    /// Lays out symbols one after the other; a cell never crosses a byte unless it is wider.
    pub(crate) fn new(
        signature: &Signature,
        extents: &BTreeMap<Sort, Extent>,
        symbols: impl IntoIterator<Item = SymbolId>,
    ) -> Self {
        let mut layout = BitLayout::default();
        for id in symbols {
            let symbol = signature.symbol(id);
            let arguments = symbol.params.iter().map(|sort| extents[sort]).collect();
            let result = symbol.result.map(|sort| extents[&sort]);
            let block = layout.allocate(arguments, result);
            layout.blocks.insert(id, block);
        }
        layout
    }

    /// Bits for one more block, which stays nameless.
    pub(crate) fn allocate(
        &mut self,
        arguments: Vec<Extent>,
        result: Option<Extent>,
    ) -> SymbolBits {
        let width = width(result);
        let count = tuple_count(&arguments);
        let mut cells = Vec::with_capacity(count);
        for _ in 0..count {
            let used = self.bits % 8;
            let skipped = if width <= 8 && used + width > 8 { 8 - used } else { 0 };
            let start = self.bits + skipped;
            cells.push(start);
            self.bits = start.checked_add(width).expect("memory ends before 2^32 bits");
        }
        SymbolBits { arguments, result, cells, width }
    }

    /// How many bits are taken.
    pub(crate) fn bits(&self) -> u32 {
        self.bits
    }

    /// How many words a packed state has; at least one.
    pub(crate) fn words(&self) -> usize {
        (self.bits as usize).div_ceil(64).max(1)
    }

    /// The bits that belong to a cell; the others only keep cells inside bytes and stay 0.
    pub(crate) fn used_bits(&self) -> Vec<u32> {
        let blocks = self.blocks.values();
        let cells =
            blocks.flat_map(|block| block.cells.iter().map(move |cell| (*cell, block.width)));
        cells.flat_map(|(cell, width)| cell..cell + width).collect()
    }

    /// Packed words with these bits.
    pub(crate) fn pack_bits(&self, bits: &[u32], values: &[bool]) -> Vec<u64> {
        let mut words = vec![0; self.words()];
        for (bit, value) in bits.iter().zip(values) {
            write(&mut words, *bit, 1, u64::from(*value));
        }
        words
    }

    /// The symbols that are laid out, with their blocks.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = (SymbolId, &SymbolBits)> {
        self.blocks.iter().map(|(symbol, block)| (*symbol, block))
    }

    /// The tables of the laid-out symbols in a packed state.
    pub(crate) fn unpack(&self, words: &[u64]) -> BTreeMap<SymbolId, Table> {
        let unpack = |block: &SymbolBits| {
            let values = block.values();
            let cells = block.cells().iter().map(|cell| {
                let code = usize::try_from(read(words, *cell, block.width)).ok();
                *code.and_then(|code| values.get(code)).unwrap_or(&values[0])
            });
            Table::of_values(block.arguments.clone(), cells.collect())
        };
        self.blocks.iter().map(|(symbol, block)| (*symbol, unpack(block))).collect()
    }
}

/// The bits that a value of this range needs.
pub(crate) fn width(result: Option<Extent>) -> u32 {
    match result {
        None => 1,
        Some(extent) => usize::BITS - extent.len().saturating_sub(1).leading_zeros(),
    }
}

/// The bits `start .. start + width` of packed words.
pub(crate) fn read(words: &[u64], start: u32, width: u32) -> u64 {
    (0..width).fold(0, |code, bit| {
        let at = start + bit;
        code | ((words[at as usize / 64] >> (at % 64)) & 1) << bit
    })
}

/// Changes the bits `start .. start + width` of packed words.
pub(crate) fn write(words: &mut [u64], start: u32, width: u32, code: u64) {
    for bit in 0..width {
        let (word, mask) = ((start + bit) as usize / 64, 1 << ((start + bit) % 64));
        if code >> bit & 1 == 1 {
            words[word] |= mask;
        } else {
            words[word] &= !mask;
        }
    }
}
