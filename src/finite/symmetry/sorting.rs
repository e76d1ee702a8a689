//! Representatives by sorting: where every permutation of a sort keeps the instance, the elements
//! are put in the order of their colours in the state, and only ties are tried one by one.
//!
//! Colours do not depend on how elements are numbered, so two states that a permutation maps to
//! each other get the same representative. Whatever the colours are, the representative is an image
//! of the state under a permutation of such sorts.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::colors::{Colouring, code, for_each_bit, mix};
use super::isomorphism::RigidFacts;
use crate::finite::ground::bit_layout::{BitLayout, write};
use crate::logic::{Extent, Value, tuples};
use crate::protocol::Signature;

/// The most arrangements of ties that are compared for one state.
const MAX_LEAVES: usize = 5040;

/// The sorts whose elements are sorted, and where the bits of a state go.
#[derive(Clone, Debug)]
pub(super) struct Sorting {
    /// The elements of each such sort.
    sorts: Vec<Range<usize>>,
    /// A colour to begin with: of their own for elements that stay where they are.
    seeds: Vec<u64>,
    /// Where each bit belongs.
    homes: Vec<Home>,
    /// The first bits of the cells of every symbol.
    cells: Vec<Vec<u32>>,
    /// Whether some state had too many ties to compare them all.
    gave_up: Arc<AtomicBool>,
}

/// The cell that a bit belongs to.
#[derive(Clone, Debug, Default)]
struct Home {
    /// The symbol, by its position in the layout.
    block: usize,
    /// The position of the cell among those of the symbol.
    cell: usize,
    /// The position of the bit in the cell.
    offset: u32,
    /// The arguments that are elements, each with the distance between cells of neighbours.
    arguments: Vec<(usize, usize)>,
}

impl Sorting {
    /// Sorts the elements of these sorts; every permutation of each must keep the instance.
    pub(super) fn new(
        signature: &Signature,
        layout: &BitLayout,
        facts: &RigidFacts,
        sorts: Vec<Range<usize>>,
    ) -> Self {
        let sorted = |element: usize| sorts.iter().position(|sort| sort.contains(&element));
        let seed = |element: usize| match sorted(element) {
            Some(_) => 0,
            None => mix(1 + element as u64),
        };
        let seeds = (0..facts.len()).map(seed).collect();
        let mut homes = vec![Home::default(); layout.words() * 64];
        let mut cells = Vec::new();
        for (block, (id, bits)) in layout.blocks().enumerate() {
            let params = &signature.symbol(id).params;
            for (cell, (args, first)) in tuples(&bits.arguments).zip(bits.cells()).enumerate() {
                let mut stride = 1;
                let mut arguments = Vec::new();
                for ((sort, extent), arg) in params.iter().zip(&bits.arguments).zip(&args).rev() {
                    if let (Extent::Elements(_), Value::Element(element)) = (extent, arg)
                        && let Some(number) = facts.number(*sort, *element)
                    {
                        arguments.push((number, stride));
                    }
                    stride *= extent.len();
                }
                for offset in 0..bits.width {
                    let home = Home { block, cell, offset, arguments: arguments.clone() };
                    homes[(first + offset) as usize] = home;
                }
            }
            cells.push(bits.cells().to_vec());
        }
        Sorting { sorts, seeds, homes, cells, gave_up: Arc::default() }
    }

    /// Whether every state so far got the representative of its whole orbit.
    pub(super) fn is_exact(&self) -> bool {
        !self.gave_up.load(Ordering::Relaxed)
    }

    /// Replaces a state by its representative.
    pub(super) fn normalize(&self, colouring: &Colouring, state: &mut [u64]) {
        let mut search = Arrangement { sorting: self, colouring, state, best: None, leaves: 0 };
        search.descend(self.seeds.clone());
        if search.leaves > MAX_LEAVES {
            self.gave_up.store(true, Ordering::Relaxed);
        }
        if let Some(best) = search.best {
            state.copy_from_slice(&best);
        }
    }

    /// The image of a state under a renaming of elements.
    fn apply(&self, colouring: &Colouring, state: &[u64], images: &[usize]) -> Vec<u64> {
        let mut image = vec![0; state.len()];
        for_each_bit(state, &colouring.plain, |bit| {
            let to = self.destination(bit, images);
            image[to / 64] |= 1 << (to % 64);
        });
        for cell in &colouring.cells {
            let value = images[cell.first + code(state, cell)] - cell.first;
            let to = self.destination(cell.bit as usize, images);
            let to = u32::try_from(to).expect("bits are numbered by u32");
            write(&mut image, to, cell.width, value as u64);
        }
        image
    }

    /// Where a bit goes.
    fn destination(&self, bit: usize, images: &[usize]) -> usize {
        let home = &self.homes[bit];
        let moved = home.arguments.iter().fold(home.cell, |cell, (element, stride)| {
            cell + images[*element] * stride - element * stride
        });
        (self.cells[home.block][moved] + home.offset) as usize
    }
}

/// The search for the least image of a state among those that sort its colours.
struct Arrangement<'a> {
    sorting: &'a Sorting,
    colouring: &'a Colouring,
    state: &'a [u64],
    best: Option<Vec<u64>>,
    leaves: usize,
}

impl Arrangement<'_> {
    /// Breaks the first tie in every way, and tells the first image it meets.
    fn descend(&mut self, seeds: Vec<u64>) -> Vec<u64> {
        let colours = self.refine(seeds);
        let Some(tied) = self.first_tie(&colours) else {
            return self.leaf(&colours);
        };
        let mut firsts: Vec<Vec<u64>> = Vec::new();
        for element in tied {
            let chosen = individual(&colours, element);
            // Two first images that are equal are so by a renaming that keeps the state and all
            // earlier choices: the rest of this branch is like that of the other one.
            if !firsts.is_empty() && firsts.contains(&self.first_leaf(chosen.clone())) {
                continue;
            }
            if self.leaves > MAX_LEAVES {
                break;
            }
            firsts.push(self.descend(chosen));
        }
        firsts.swap_remove(0)
    }

    /// The image at the end of the first choices.
    fn first_leaf(&mut self, seeds: Vec<u64>) -> Vec<u64> {
        let mut colours = self.refine(seeds);
        while let Some(tied) = self.first_tie(&colours) {
            colours = self.refine(individual(&colours, tied[0]));
        }
        self.leaf(&colours)
    }

    fn leaf(&mut self, colours: &[u64]) -> Vec<u64> {
        self.leaves += 1;
        let mut images: Vec<usize> = (0..colours.len()).collect();
        for sort in &self.sorting.sorts {
            let mut order: Vec<usize> = sort.clone().collect();
            order.sort_by_key(|element| colours[*element]);
            for (element, place) in order.into_iter().zip(sort.clone()) {
                images[element] = place;
            }
        }
        let image = self.sorting.apply(self.colouring, self.state, &images);
        if self.best.as_ref().is_none_or(|best| image < *best) {
            self.best = Some(image.clone());
        }
        image
    }

    /// Colours that tell apart whatever their neighbours' colours tell apart.
    fn refine(&self, mut colours: Vec<u64>) -> Vec<u64> {
        let mut kinds = self.kinds(&colours);
        let (mut rough, mut next) = (vec![0; colours.len()], vec![0; colours.len()]);
        loop {
            self.colouring.colours_from(&colours, self.state, &mut rough, &mut next);
            std::mem::swap(&mut colours, &mut next);
            let now = self.kinds(&colours);
            if now <= kinds {
                return colours;
            }
            kinds = now;
        }
    }

    /// How many colours the sorted elements have.
    fn kinds(&self, colours: &[u64]) -> usize {
        let kinds = self.sorting.sorts.iter().map(|sort| {
            let mut own = colours[sort.clone()].to_vec();
            own.sort_unstable();
            own.dedup();
            own.len()
        });
        kinds.sum()
    }

    /// One of each kind among the first elements of one colour that are not all interchangeable.
    fn first_tie(&self, colours: &[u64]) -> Option<Vec<usize>> {
        for sort in &self.sorting.sorts {
            let mut order: Vec<usize> = sort.clone().collect();
            order.sort_by_key(|element| colours[*element]);
            for group in order.chunk_by(|one, other| colours[*one] == colours[*other]) {
                let mut kinds: Vec<usize> = Vec::new();
                for element in group {
                    if !kinds.iter().any(|kind| self.are_twins(*kind, *element)) {
                        kinds.push(*element);
                    }
                }
                if kinds.len() > 1 {
                    return Some(kinds);
                }
            }
        }
        None
    }

    /// Whether exchanging two elements leaves the state as it is.
    fn are_twins(&self, one: usize, other: usize) -> bool {
        let mut images: Vec<usize> = (0..self.sorting.seeds.len()).collect();
        images.swap(one, other);
        self.sorting.apply(self.colouring, self.state, &images) == self.state
    }
}

/// The same colours, but one for an element alone.
fn individual(colours: &[u64], element: usize) -> Vec<u64> {
    let mut individual = colours.to_vec();
    individual[element] = mix(individual[element] ^ 0x5bd1_e995);
    individual
}
