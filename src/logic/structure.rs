//! Finite structures: domains, and a table for every symbol.

use std::collections::BTreeMap;

use super::Vocabulary;

/// What a term or an atom denotes in a structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An element of a finite sort, numbered from 0.
    Element(u32),
    /// An integer.
    Int(i64),
}

/// The elements that a structure gives to a sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Extent {
    /// The elements `0..size`.
    Elements(u32),
    /// The integers `low..=high`: a window onto ℤ, not all of it.
    Window {
        /// The least integer of the window.
        low: i64,
        /// The greatest integer of the window.
        high: i64,
    },
}

impl Extent {
    /// How many values there are.
    pub fn len(self) -> usize {
        match self {
            Extent::Elements(size) => size as usize,
            Extent::Window { low, high } => {
                let count = i128::from(high) - i128::from(low) + 1;
                usize::try_from(count.max(0)).unwrap_or(usize::MAX)
            }
        }
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The value at a position.
    pub fn value(self, index: usize) -> Value {
        match self {
            Extent::Elements(_) => {
                Value::Element(u32::try_from(index).expect("an index below a u32 size"))
            }
            Extent::Window { low, .. } => {
                Value::Int(low + i64::try_from(index).expect("an index inside an i64 window"))
            }
        }
    }

    /// The position of a value; `None` if it lies outside.
    pub fn index(self, value: Value) -> Option<usize> {
        match (self, value) {
            (Extent::Elements(size), Value::Element(element)) if element < size => {
                Some(element as usize)
            }
            (Extent::Window { low, high }, Value::Int(int)) if low <= int && int <= high => {
                usize::try_from(int - low).ok()
            }
            _ => None,
        }
    }

    /// All values, in order.
    pub fn values(self) -> impl Iterator<Item = Value> {
        (0..self.len()).map(move |index| self.value(index))
    }
}

/// The values of one symbol at all arguments, in row-major order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Table {
    extents: Vec<Extent>,
    values: Vec<Value>,
}

impl Table {
    /// A table that has `value` everywhere.
    pub fn constant(extents: Vec<Extent>, value: Value) -> Self {
        let len = tuple_count(&extents);
        Table { extents, values: vec![value; len] }
    }

    /// A table with these values, in the order of the argument tuples.
    ///
    /// # Panics
    /// When there are more or fewer values than argument tuples.
    pub fn of_values(extents: Vec<Extent>, values: Vec<Value>) -> Self {
        assert_eq!(values.len(), tuple_count(&extents), "one value for every argument tuple");
        Table { extents, values }
    }

    /// The values, in the order of the argument tuples.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// The ranges of the arguments.
    pub fn extents(&self) -> &[Extent] {
        &self.extents
    }

    /// The value at arguments; `None` where an integer argument lies outside the window.
    pub fn get(&self, args: &[Value]) -> Option<Value> {
        self.offset(args).map(|offset| self.values[offset])
    }

    /// Changes the value at arguments; an integer argument outside the window changes nothing.
    pub fn set(&mut self, args: &[Value], value: Value) {
        if let Some(offset) = self.offset(args) {
            self.values[offset] = value;
        }
    }

    /// Every argument tuple with its value, in order.
    pub fn entries(&self) -> impl Iterator<Item = (Vec<Value>, Value)> {
        tuples(&self.extents).zip(self.values.iter().copied())
    }

    fn offset(&self, args: &[Value]) -> Option<usize> {
        debug_assert_eq!(args.len(), self.extents.len(), "a table is read at its arity");
        tuple_position(&self.extents, args)
    }
}

/// The position of a tuple among those that [`tuples`] lists; `None` if a value lies outside.
pub fn tuple_position(extents: &[Extent], tuple: &[Value]) -> Option<usize> {
    let mut places = extents.iter().zip(tuple);
    places.try_fold(0, |position, (extent, value)| {
        Some(position * extent.len() + extent.index(*value)?)
    })
}

/// All tuples over the given ranges, the last position moving fastest: one at a time, because there
/// may be more than fit into memory.
pub fn tuples(extents: &[Extent]) -> Tuples {
    let is_possible = extents.iter().all(|extent| !extent.is_empty());
    Tuples { extents: extents.to_vec(), next: is_possible.then(|| vec![0; extents.len()]) }
}

/// How many tuples there are over the given ranges; the largest number if there are more.
pub fn tuple_count(extents: &[Extent]) -> usize {
    extents.iter().map(|extent| extent.len()).fold(1, usize::saturating_mul)
}

/// Tuples, one after another.
#[derive(Clone, Debug)]
pub struct Tuples {
    extents: Vec<Extent>,
    /// The positions of the next one in its ranges.
    next: Option<Vec<usize>>,
}

impl Iterator for Tuples {
    type Item = Vec<Value>;

    fn next(&mut self) -> Option<Vec<Value>> {
        let next = self.next.as_mut()?;
        let values = self.extents.iter().zip(next.iter());
        let tuple = values.map(|(extent, index)| extent.value(*index)).collect();
        for (extent, index) in self.extents.iter().zip(next).rev() {
            *index += 1;
            if *index < extent.len() {
                return Some(tuple);
            }
            *index = 0;
        }
        self.next = None;
        Some(tuple)
    }
}

/// A finite structure for a vocabulary: an extent for every sort, a table for every symbol.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Structure<V: Vocabulary> {
    /// What every sort ranges over.
    pub extents: BTreeMap<V::Sort, Extent>,
    /// The value of every symbol.
    pub tables: BTreeMap<V::Symbol, Table>,
}

impl<V: Vocabulary> Structure<V> {
    /// A structure with these sorts and no symbols yet.
    pub fn new(extents: BTreeMap<V::Sort, Extent>) -> Self {
        Structure { extents, tables: BTreeMap::new() }
    }

    /// What a sort ranges over.
    pub fn extent(&self, sort: V::Sort) -> Option<Extent> {
        self.extents.get(&sort).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tuples_are_listed_in_order_and_counted_without_listing() {
        let extents = [Extent::Elements(2), Extent::Window { low: -1, high: 1 }];
        let all: Vec<Vec<Value>> = tuples(&extents).collect();
        assert_eq!(all.len(), tuple_count(&extents));
        assert!(all.windows(2).all(|pair| pair[0] < pair[1]));
        for (position, tuple) in all.iter().enumerate() {
            assert_eq!(tuple_position(&extents, tuple), Some(position));
        }
        assert_eq!(tuple_position(&extents, &[Value::Element(0), Value::Int(2)]), None);
        assert_eq!(tuples(&[]).collect::<Vec<_>>(), [Vec::new()]);
        assert_eq!(tuples(&[Extent::Elements(2), Extent::Elements(0)]).next(), None);
        assert_eq!(tuple_count(&[Extent::Elements(4); 100]), usize::MAX);
        assert_eq!(tuples(&[Extent::Elements(4); 100]).take(5).count(), 5);
    }
}
