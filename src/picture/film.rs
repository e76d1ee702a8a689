//! States as items to draw: elements, facts about one element, and facts that join two.
//!
//! All states of a run share one drawing: an item has one place, and each state says which items
//! are seen. Nothing moves while one steps through a run, except what changes.

use std::collections::BTreeMap;

use crate::analysis::RigidStructure;
use crate::logic::{Extent, Table, Value, tuple_count};
use crate::protocol::{Protocol, Rigidity, Sort, SortId, State, Symbol, SymbolId, element_name};

/// An element of an instance.
pub type ElementId = (SortId, u32);

/// Where an item is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ItemPlace {
    /// Above everything: it is about no element.
    Global,
    /// On an element.
    On(ElementId),
    /// Between two elements.
    Between(ElementId, ElementId),
}

/// A fact: a tuple of a relation, or a value of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Where it is drawn.
    pub place: ItemPlace,
    /// What is written there.
    pub label: String,
    /// The whole fact, as text.
    pub fact: String,
    /// Facts that exclude each other, such as the values of one function, have the same number:
    /// they are drawn in one place.
    pub slot: usize,
    /// The number of its colour.
    pub colour: usize,
    /// Whether it can change.
    pub rigidity: Rigidity,
}

/// What differs from one state to the next, by the positions of items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ItemChanges {
    /// What holds now.
    pub added: Vec<usize>,
    /// What does not hold any more.
    pub removed: Vec<usize>,
}

/// States of one instance, ready to be drawn.
#[derive(Clone, Debug)]
pub struct Film {
    /// The elements that are drawn, with their names, by sort.
    pub elements: BTreeMap<SortId, Vec<String>>,
    /// Every fact of every state.
    pub items: Vec<Item>,
    /// The items of the first state.
    pub start: Vec<usize>,
    /// How each further state differs from the one before it.
    pub changes: Vec<ItemChanges>,
    /// Why it is shown as tables and not as pictures, if so.
    pub too_large: Option<TooLarge>,
}

/// Why states are not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// Too many elements.
    #[error("{0} elements are too many to draw")]
    Elements(usize),
    /// Too many facts.
    #[error("{0} facts are too many to draw")]
    Facts(usize),
}

/// No more elements are drawn.
const MAX_ELEMENTS: usize = 40;

/// No more facts are drawn in one picture.
const MAX_DRAWN: usize = 400;

/// No more facts are listed.
const MAX_ITEMS: usize = 100_000;

/// What people call a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolWord {
    /// What they call it.
    pub text: String,
    /// Of the symbols that have the same name here, at most one holds for an element.
    pub one_of: Option<String>,
}

/// What people call a symbol, by its name, where that is not its name.
pub type SymbolWords = BTreeMap<String, SymbolWord>;

/// What an element is called.
pub type ElementNaming<'a> = &'a dyn Fn(Sort, Value) -> String;

/// How states of a protocol are turned into items.
pub struct Filming<'a> {
    /// The protocol.
    pub protocol: &'a Protocol,
    /// What its rigid symbols are: an order and a ring are seen from where elements stand.
    pub structure: &'a RigidStructure,
    /// What elements are called.
    pub name: ElementNaming<'a>,
    /// What symbols are called.
    pub words: &'a SymbolWords,
}

/// The names that the protocol itself has for elements.
pub fn own_names(protocol: &Protocol) -> impl Fn(Sort, Value) -> String {
    |sort, value| element_name(&protocol.signature, sort, value).to_string()
}

impl Filming<'_> {
    /// States one after another as one film.
    ///
    /// # Errors
    /// When there is too much to see.
    pub fn film<'s>(
        &self,
        first: &State,
        later: impl IntoIterator<Item = &'s State>,
    ) -> Result<Film, TooLarge> {
        let (elements, many) = self.elements(first);
        let mut items =
            Items { of: self, known: BTreeMap::new(), slots: BTreeMap::new(), items: Vec::new() };
        let mut start = Vec::new();
        for (id, symbol) in self.protocol.signature.symbols() {
            let Some(table) = first.tables.get(&id) else { continue };
            if self.is_hidden(id) {
                continue;
            }
            refuse_many(table)?;
            for (args, value) in table.entries() {
                start.extend(items.fact_item((id, symbol), args, value)?);
            }
        }
        let mut before = first.clone();
        let mut changes = Vec::new();
        for state in later {
            changes.push(self.changes(&mut items, &before, state)?);
            before.clone_from(state);
        }
        let items = items.items;
        let facts = items.len();
        let crowded = (facts > MAX_DRAWN).then_some(TooLarge::Facts(facts));
        Ok(Film { elements, items, start, changes, too_large: many.or(crowded) })
    }

    fn changes(
        &self,
        items: &mut Items<'_, '_>,
        before: &State,
        after: &State,
    ) -> Result<ItemChanges, TooLarge> {
        let mut changes = ItemChanges::default();
        for (id, symbol) in self.protocol.signature.mutable() {
            let (Some(old), Some(new)) = (before.tables.get(&id), after.tables.get(&id)) else {
                continue;
            };
            if old == new {
                continue;
            }
            for ((args, from), (_, to)) in old.entries().zip(new.entries()) {
                if from != to {
                    changes.removed.extend(items.fact_item((id, symbol), args.clone(), from)?);
                    changes.added.extend(items.fact_item((id, symbol), args, to)?);
                }
            }
        }
        Ok(changes)
    }

    /// The elements of every sort that is drawn, unless there are too many.
    fn elements(&self, state: &State) -> (BTreeMap<SortId, Vec<String>>, Option<TooLarge>) {
        let sorts = self.protocol.signature.sorts().filter(|sort| !self.is_colour(*sort));
        let mut drawn = BTreeMap::new();
        let mut count = 0;
        for sort in sorts {
            let Some(Extent::Elements(size)) = state.extent(Sort::Declared(sort)) else { continue };
            count += size as usize;
            if count > MAX_ELEMENTS {
                return (BTreeMap::new(), Some(TooLarge::Elements(count)));
            }
            let name = |index| (self.name)(Sort::Declared(sort), Value::Element(index));
            drawn.insert(sort, (0..size).map(name).collect());
        }
        (drawn, None)
    }

    /// An enumeration is seen as colours.
    fn is_colour(&self, sort: SortId) -> bool {
        self.protocol.fixed_size(sort).is_some()
    }

    /// What is seen from where elements stand, and names of colours.
    fn is_hidden(&self, symbol: SymbolId) -> bool {
        let declared = self.protocol.signature.symbol(symbol);
        let names_colour = declared.params.is_empty()
            && declared.rigidity == Rigidity::Rigid
            && matches!(declared.result, Some(Sort::Declared(sort)) if self.is_colour(sort));
        names_colour
            || self.structure.orders.iter().any(|order| order.relation == symbol)
            || self.structure.cyclic_orders.iter().any(|order| order.relation == symbol)
    }
}

/// A table that is not even looked at.
fn refuse_many(table: &Table) -> Result<(), TooLarge> {
    let entries = tuple_count(table.extents());
    if entries > MAX_ITEMS { Err(TooLarge::Facts(entries)) } else { Ok(()) }
}

/// The items that are known so far.
struct Items<'a, 'b> {
    of: &'a Filming<'b>,
    known: BTreeMap<(SymbolId, Vec<Value>, Value), usize>,
    slots: BTreeMap<Slot, usize>,
    items: Vec<Item>,
}

/// What facts that exclude each other have in common.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    /// A fact that excludes none.
    Own(SymbolId, Vec<Value>, Value),
    /// The values of a function at one place.
    Function(SymbolId, Vec<Value>),
    /// The symbols of which one holds.
    OneOf(String, Vec<Value>),
}

impl Items<'_, '_> {
    /// The position of a fact; `None` for what does not hold.
    fn fact_item(
        &mut self,
        (id, symbol): (SymbolId, &Symbol),
        args: Vec<Value>,
        value: Value,
    ) -> Result<Option<usize>, TooLarge> {
        if value == Value::Bool(false) {
            return Ok(None);
        }
        let key = (id, args, value);
        if let Some(known) = self.known.get(&key) {
            return Ok(Some(*known));
        }
        let position = self.items.len();
        if position >= MAX_ITEMS {
            return Err(TooLarge::Facts(position + 1));
        }
        let word = self.of.words.get(&*symbol.name);
        let kind = match word.and_then(|word| word.one_of.as_ref()) {
            Some(name) => Slot::OneOf(name.clone(), key.1.clone()),
            None if symbol.result.is_some() => Slot::Function(id, key.1.clone()),
            None => Slot::Own(id, key.1.clone(), value),
        };
        let count = self.slots.len();
        let slot = *self.slots.entry(kind).or_insert(count);
        self.items.push(Item { slot, ..self.draw((id, symbol), &key.1, value) });
        self.known.insert(key, position);
        Ok(Some(position))
    }

    fn draw(&self, (id, symbol): (SymbolId, &Symbol), args: &[Value], value: Value) -> Item {
        let name = |(sort, value): &(Sort, Value)| (self.of.name)(*sort, *value);
        let at: Vec<(Sort, Value)> =
            symbol.params.iter().copied().zip(args.iter().copied()).collect();
        let result = symbol.result.map(|sort| (sort, value));
        let element = |(sort, value): &(Sort, Value)| match (sort, value) {
            (Sort::Declared(sort), Value::Element(index)) if !self.of.is_colour(*sort) => {
                Some((*sort, *index))
            }
            _ => None,
        };
        let all: Vec<(Sort, Value)> = at.iter().copied().chain(result).collect();
        let drawn: Vec<(usize, ElementId)> = all
            .iter()
            .enumerate()
            .filter_map(|(position, place)| Some((position, element(place)?)))
            .collect();
        let (place, ends) = match drawn.as_slice() {
            [] => (ItemPlace::Global, Vec::new()),
            [(only, element)] => (ItemPlace::On(*element), vec![*only]),
            [(first, from), (second, to), ..] if from.0 == to.0 => {
                (between(*from, *to), vec![*first, *second])
            }
            [(first, from), .., (last, to)] => (between(*from, *to), vec![*first, *last]),
        };
        let rest_of_at = at.iter().enumerate().filter(|(position, _)| !ends.contains(position));
        let rest: Vec<String> = rest_of_at.map(|(_, place)| name(place)).collect();
        let word = self.of.words.get(&*symbol.name);
        let word = word.map(|word| word.text.as_str());
        let mut label = word.unwrap_or(&symbol.name).to_owned();
        if !rest.is_empty() {
            label = format!("{label} {}", rest.join(" "));
        }
        let is_written =
            |result: &&(Sort, Value)| !(ends.contains(&at.len()) && element(result).is_some());
        if let Some(result) = result.as_ref().filter(is_written) {
            label = format!("{label} = {}", name(result));
        }
        if matches!(place, ItemPlace::On(_)) && ends.len() == 2 {
            label.push_str(" ↻");
        }
        let names: Vec<String> = at.iter().map(name).collect();
        let mut fact = match (word, &*names) {
            (Some(word), [only]) => format!("{only}: {word}"),
            (Some(word), names) => format!("{word}({})", names.join(", ")),
            (None, []) => symbol.name.to_string(),
            (None, names) => format!("{}({})", symbol.name, names.join(", ")),
        };
        if let Some(result) = &result {
            fact = format!("{fact} = {}", name(result));
        }
        let colour = self.colour(id, &all);
        Item { place, label, fact, slot: 0, colour, rigidity: symbol.rigidity }
    }

    /// The element of an enumeration, or else the symbol.
    fn colour(&self, id: SymbolId, all: &[(Sort, Value)]) -> usize {
        let of_enumeration = all.iter().rev().find_map(|place| match place {
            (Sort::Declared(sort), Value::Element(index)) if self.of.is_colour(*sort) => {
                Some(*index as usize)
            }
            _ => None,
        });
        of_enumeration.unwrap_or(id.0 as usize)
    }
}

fn between(from: ElementId, to: ElementId) -> ItemPlace {
    if from == to { ItemPlace::On(from) } else { ItemPlace::Between(from, to) }
}

impl Film {
    /// The facts on an element, each with the row of its card in which it is written.
    pub fn rows(&self, element: ElementId) -> Vec<(usize, usize)> {
        let mut slots: Vec<usize> = Vec::new();
        let own = self.items.iter().enumerate();
        own.filter(|(_, item)| item.place == ItemPlace::On(element))
            .map(|(position, item)| {
                let row = slots.iter().position(|slot| *slot == item.slot).unwrap_or_else(|| {
                    slots.push(item.slot);
                    slots.len() - 1
                });
                (position, row)
            })
            .collect()
    }

    /// The items that are seen in a state, in order.
    pub fn frame(&self, number: usize) -> Vec<usize> {
        let mut seen: std::collections::BTreeSet<usize> = self.start.iter().copied().collect();
        for changes in self.changes.iter().take(number) {
            for removed in &changes.removed {
                seen.remove(removed);
            }
            seen.extend(changes.added.iter().copied());
        }
        seen.into_iter().collect()
    }
}
