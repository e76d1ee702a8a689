//! What a packed state says about each element, as a number that no renaming changes.
//!
//! Elements that a renaming exchanges have equal colours in the two states; elements with equal
//! colours may still differ.

use super::isomorphism::RigidFacts;
use crate::finite::ground::bit_layout::{BitLayout, read};
use crate::logic::{Extent, Value, tuples};
use crate::protocol::{Signature, Sort};

/// An element in a place of a ground atom, and the weight of the place.
type ElementMark = (u16, u64);

/// Which elements the bits of a state are about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Colouring {
    /// The bits that are atoms by themselves: truth values, and the bits of integers and of
    /// elements of enumerations, which are never renamed.
    pub(crate) plain: Vec<u64>,
    /// The cells whose value is an element.
    pub(crate) cells: Vec<ElementCell>,
    /// The marks of every plain bit.
    marks: Vec<Vec<ElementMark>>,
}

/// A cell whose value is an element.
#[derive(Clone, Debug)]
pub(crate) struct ElementCell {
    /// The first bit.
    pub(crate) bit: u32,
    /// How many bits it has.
    pub(crate) width: u32,
    /// The number of the first element of its sort.
    pub(crate) first: usize,
    /// The weight of being the value.
    weight: u64,
    /// The marks of the arguments.
    marks: Vec<ElementMark>,
}

impl Colouring {
    pub(crate) fn new(signature: &Signature, layout: &BitLayout, facts: &RigidFacts) -> Self {
        let bits = layout.words() * 64;
        let mut colouring = Colouring {
            plain: vec![0; layout.words()],
            cells: Vec::new(),
            marks: vec![Vec::new(); bits],
        };
        let mut weights = Weights::default();
        for (id, block) in layout.blocks() {
            let symbol = signature.symbol(id);
            let own: Vec<Vec<u64>> = (0..=block.width)
                .map(|_| symbol.params.iter().map(|_| weights.fresh()).collect())
                .collect();
            let value = weights.fresh();
            for (args, bit) in tuples(&block.arguments).zip(block.cells()) {
                let marks = |weights: &[u64]| marks(facts, &symbol.params, &args, weights);
                if let (Some(Extent::Elements(_)), Some(sort)) = (block.result, symbol.result)
                    && let Some(first) = facts.number(sort, 0)
                {
                    let (bit, width) = (*bit, block.width);
                    let marks = marks(&own[0]);
                    colouring.cells.push(ElementCell { bit, width, first, weight: value, marks });
                } else {
                    for (bit, weights) in (*bit..*bit + block.width).zip(&own) {
                        colouring.plain[bit as usize / 64] |= 1 << (bit % 64);
                        colouring.marks[bit as usize] = marks(weights);
                    }
                }
            }
        }
        colouring
    }

    /// The colours of all elements in a state; `rough` is room for as many.
    pub(crate) fn colours(&self, state: &[u64], rough: &mut [u64], colours: &mut [u64]) {
        self.colours_from(&[], state, rough, colours);
    }

    /// The same, where the elements differ by what they had before: nothing, or these numbers.
    pub(crate) fn colours_from(
        &self,
        seeds: &[u64],
        state: &[u64],
        rough: &mut [u64],
        colours: &mut [u64],
    ) {
        rough.fill(0);
        for (colour, seed) in rough.iter_mut().zip(seeds) {
            *colour = mix(*seed);
        }
        self.atoms(state, |marks, value| {
            for (element, weight) in marks.iter().chain(&value) {
                let colour = &mut rough[*element as usize];
                *colour = colour.wrapping_add(*weight);
            }
        });
        colours.copy_from_slice(rough);
        self.atoms(state, |marks, value| {
            let whole = marks.iter().chain(&value).fold(0_u64, |whole, (element, weight)| {
                whole.wrapping_add(mix(rough[*element as usize] ^ weight))
            });
            for (element, weight) in marks.iter().chain(&value) {
                let colour = &mut colours[*element as usize];
                *colour = colour.wrapping_add(mix(whole ^ weight.rotate_left(32)));
            }
        });
    }

    /// Visits the atoms that hold in a state: their arguments, and their value if it is an element.
    fn atoms(&self, state: &[u64], mut visit: impl FnMut(&[ElementMark], Option<ElementMark>)) {
        for_each_bit(state, &self.plain, |bit| visit(&self.marks[bit], None));
        for cell in &self.cells {
            let value = u16::try_from(cell.first + code(state, cell)).ok();
            visit(&cell.marks, value.map(|value| (value, cell.weight)));
        }
    }
}

/// The code of the element in a cell.
pub(crate) fn code(state: &[u64], cell: &ElementCell) -> usize {
    usize::try_from(read(state, cell.bit, cell.width)).expect("codes of elements are small")
}

/// Visits the bits of a state that are set and belong to a mask.
#[inline]
pub(crate) fn for_each_bit(state: &[u64], mask: &[u64], mut visit: impl FnMut(usize)) {
    for (word, (bits, mask)) in state.iter().zip(mask).enumerate() {
        let mut rest = bits & mask;
        while rest != 0 {
            visit(word * 64 + rest.trailing_zeros() as usize);
            rest &= rest - 1;
        }
    }
}

fn marks(facts: &RigidFacts, sorts: &[Sort], args: &[Value], weights: &[u64]) -> Vec<ElementMark> {
    let places = sorts.iter().zip(args).zip(weights);
    let elements = places.filter_map(|((sort, arg), weight)| match arg {
        // An integer belongs to the atom, like an element of an enumeration: never renamed, and left
        // out of the colours.
        Value::Element(element) => Some((facts.number(*sort, *element)?, *weight)),
        Value::Bool(_) | Value::Int(_) => None,
    });
    let small = elements.filter_map(|(number, weight)| Some((u16::try_from(number).ok()?, weight)));
    small.collect()
}

/// Numbers without a pattern, always the same.
#[derive(Default)]
struct Weights(u64);

impl Weights {
    fn fresh(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }
}

/// Spreads every bit of a number over all of it.
pub(crate) fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
