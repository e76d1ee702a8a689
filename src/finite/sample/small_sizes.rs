//! The small sizes that searches look at: all sorts alike, one sort larger than the others.

use crate::protocol::{Protocol, Rigidity, Size, Sort, SortId, element_count};

/// The range that stands in for ℤ where nothing else is asked for.
pub const SMALL_INTEGERS: (i64, i64) = (-1, 4);

/// Chooses sizes for a protocol, in which some sorts have a fixed number of elements.
#[derive(Clone, Debug)]
pub struct SmallSizes<'a> {
    /// The protocol.
    pub protocol: &'a Protocol,
    /// The sorts with a fixed number of elements.
    pub fixed: Size,
}

impl<'a> SmallSizes<'a> {
    /// Sizes in which a sort has as many elements as the axioms fix.
    pub fn new(protocol: &'a Protocol) -> Self {
        let sorts = protocol.signature.sized_sorts();
        let fixed = sorts.filter_map(|sort| Some((sort, protocol.fixed_size(sort)?))).collect();
        SmallSizes { protocol, fixed }
    }

    /// The sorts whose number of elements is not fixed.
    pub fn free(&self) -> impl Iterator<Item = SortId> {
        self.protocol.signature.sized_sorts().filter(|sort| !self.fixed.contains_key(sort))
    }

    /// As many elements of every sort.
    pub fn alike(&self, count: u32) -> Size {
        let sorts = self.protocol.signature.sized_sorts();
        sorts.map(|sort| (sort, self.fixed.get(&sort).copied().unwrap_or(count))).collect()
    }

    /// One free sort with its own number of elements, and as many of every other.
    pub fn with_one(&self, sort: SortId, count: u32, others: u32) -> Size {
        let mut size = self.alike(others);
        size.insert(sort, count);
        size
    }

    /// The free sort that most arguments of mutable symbols have.
    pub fn busiest(&self) -> Option<SortId> {
        self.free().max_by_key(|sort| (places(self.protocol, *sort), sort.0))
    }

    /// The free sorts without structure: no rigid symbol takes them, and no function has them as
    /// its result.
    pub fn without_structure(&self) -> impl Iterator<Item = SortId> {
        let signature = &self.protocol.signature;
        self.free().filter(|sort| {
            let sort = Sort::Declared(*sort);
            !signature.symbols().any(|(_, symbol)| {
                let rigid = symbol.rigidity == Rigidity::Rigid && symbol.params.contains(&sort);
                rigid || symbol.result == Some(sort)
            })
        })
    }

    /// How many invocations the actions have at a size, an integer counting for two elements.
    pub fn invocation_count(&self, actions: &[usize], size: &Size) -> u64 {
        let count = |sort: Sort| match sort {
            Sort::Declared(id) => {
                element_count(&self.protocol.signature, size, id).map_or(1, u64::from)
            }
            Sort::Int => 2,
        };
        let actions = actions.iter().map(|action| &self.protocol.actions[*action]);
        let each = actions.map(|action| {
            let counts = action.params.iter().map(|param| count(param.sort));
            counts.fold(1, u64::saturating_mul)
        });
        each.fold(0, u64::saturating_add)
    }
}

/// In how many ways the elements can be renamed, at most.
pub fn renamings(size: &Size) -> u32 {
    let factors = size.values().flat_map(|count| 1..=*count);
    factors.fold(1, u32::saturating_mul)
}

/// How many arguments of mutable symbols are of a sort.
pub fn places(protocol: &Protocol, sort: SortId) -> usize {
    let params = protocol.signature.mutable().flat_map(|(_, symbol)| &symbol.params);
    params.filter(|param| **param == Sort::Declared(sort)).count()
}
