//! Rigid structures up to renaming: a canonical form, and the renamings that change nothing.
//!
//! Colours are refined until they are stable; remaining ties are broken one element at a time.

use itertools::Itertools as _;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::logic::{Extent, Table, Value};
use crate::protocol::{Signature, Sort, SymbolId};

/// The most leaves that the search for a canonical form looks at.
const MAX_LEAVES: usize = 20_000;

/// A place in a fact: an element of the structure, or what is never renamed: an integer, or an
/// element of an enumeration by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum RigidItem {
    Element(usize),
    Fixed(i64),
}

/// That a relation holds of a tuple, or that a function has its last item as value.
pub(crate) type RigidFact = (SymbolId, Vec<RigidItem>);

/// A structure as a set of facts about elements that are numbered across all sorts.
#[derive(Clone, Debug)]
pub(crate) struct RigidFacts {
    facts: BTreeSet<RigidFact>,
    /// The sort of every element.
    sorts: Vec<Sort>,
    /// The number of the first element of every sort.
    first: BTreeMap<Sort, usize>,
}

/// A renaming: the image of every element, numbered across all sorts.
pub(crate) type Renaming = Vec<usize>;

impl RigidFacts {
    pub(crate) fn new(
        signature: &Signature,
        extents: &BTreeMap<Sort, Extent>,
        tables: &BTreeMap<SymbolId, Table>,
    ) -> Self {
        let mut facts =
            RigidFacts { facts: BTreeSet::new(), sorts: Vec::new(), first: BTreeMap::new() };
        for (sort, extent) in extents {
            if let Extent::Elements(size) = extent
                && !signature.is_enumeration(*sort)
            {
                facts.first.insert(*sort, facts.sorts.len());
                facts.sorts.extend((0..*size).map(|_| *sort));
            }
        }
        for (id, table) in tables {
            let symbol = signature.symbol(*id);
            for (args, value) in table.entries() {
                let mut places: Vec<(Sort, Value)> =
                    symbol.params.iter().copied().zip(args).collect();
                places.extend(symbol.result.map(|sort| (sort, value)));
                if value != Value::Bool(false) {
                    let items = places.iter().map(|(sort, value)| facts.item(*sort, *value));
                    let items = items.collect();
                    facts.facts.insert((*id, items));
                }
            }
        }
        facts
    }

    fn item(&self, sort: Sort, value: Value) -> RigidItem {
        match value {
            Value::Element(element) => match self.number(sort, element) {
                Some(number) => RigidItem::Element(number),
                None => RigidItem::Fixed(i64::from(element)),
            },
            Value::Int(int) => RigidItem::Fixed(int),
            Value::Bool(truth) => RigidItem::Fixed(i64::from(truth)),
        }
    }

    /// The number of an element across all sorts; `None` for an element of an enumeration.
    pub(crate) fn number(&self, sort: Sort, element: u32) -> Option<usize> {
        self.first.get(&sort).map(|first| first + element as usize)
    }

    /// The element of a sort that a number stands for.
    pub(crate) fn element(&self, number: usize) -> u32 {
        let first = self.first[&self.sorts[number]];
        u32::try_from(number - first).expect("elements of a sort are numbered by u32")
    }

    /// A form that two structures share iff one is a renaming of the other; `None` if the search
    /// for it is too long.
    pub(crate) fn canonical(&self) -> Option<Vec<RigidFact>> {
        let mut search = Canonical { facts: self, twins: self.twins(), best: None, leaves: 0 };
        let mut colours: Vec<usize> = vec![0; self.sorts.len()];
        for (colour, sort) in colours.iter_mut().zip(&self.sorts) {
            *colour = self.first[sort];
        }
        search.descend(colours)?;
        search.best
    }

    /// For every element, a smaller one that can be exchanged with it alone, if there is one.
    fn twins(&self) -> Vec<Vec<bool>> {
        let count = self.sorts.len();
        let mut twins = vec![vec![false; count]; count];
        for [other, one] in (0..count).array_combinations() {
            if self.sorts[one] == self.sorts[other] {
                let mut exchange: Renaming = (0..count).collect();
                exchange.swap(one, other);
                let keeps = self.is_kept(&exchange);
                twins[one][other] = keeps;
                twins[other][one] = keeps;
            }
        }
        twins
    }

    /// The sorts of several elements of which every permutation keeps all facts: the numbers of
    /// their elements.
    pub(crate) fn interchangeable(&self) -> Vec<Range<usize>> {
        let sorts = self.first.iter().map(|(sort, first)| {
            let size = self.sorts.iter().filter(|other| *other == sort).count();
            *first..first + size
        });
        // Exchanges of neighbours generate every permutation.
        let keeps = |sort: &Range<usize>| {
            let exchange = |element: usize| {
                let mut exchange: Renaming = (0..self.sorts.len()).collect();
                exchange.swap(element - 1, element);
                exchange
            };
            (sort.start + 1..sort.end).all(|element| self.is_kept(&exchange(element)))
        };
        sorts.filter(|sort| sort.len() > 1 && keeps(sort)).collect()
    }

    /// Whether a renaming maps every fact to a fact.
    fn is_kept(&self, renaming: &Renaming) -> bool {
        self.facts.iter().all(|(symbol, items)| {
            let renamed = items.iter().map(|item| rename(*item, renaming)).collect();
            self.facts.contains(&(*symbol, renamed))
        })
    }

    /// Colours refined until elements of one colour see the same colours around them.
    fn refine(&self, mut colours: Vec<usize>) -> Vec<usize> {
        loop {
            let mut seen: Vec<Vec<_>> = vec![Vec::new(); colours.len()];
            for (symbol, items) in &self.facts {
                let view: Vec<RigidItem> =
                    items.iter().map(|item| rename(*item, &colours)).collect();
                for (place, item) in items.iter().enumerate() {
                    if let RigidItem::Element(element) = item {
                        seen[*element].push((*symbol, place, view.clone()));
                    }
                }
            }
            let signatures: Vec<_> = colours
                .iter()
                .zip(seen)
                .map(|(colour, mut seen)| {
                    seen.sort();
                    (*colour, seen)
                })
                .collect();
            let mut ranks = signatures.clone();
            ranks.sort();
            ranks.dedup();
            let rank = |signature| ranks.binary_search(signature).unwrap_or_default();
            let refined: Vec<usize> = signatures.iter().map(rank).collect();
            if refined == colours {
                return colours;
            }
            colours = refined;
        }
    }

    /// Every renaming that keeps all facts and the fixed elements; `None` if there are more than
    /// `limit`, or if the work is too much: the rest of the allowance is returned.
    pub(crate) fn automorphisms(
        &self,
        fixed: &BTreeSet<usize>,
        limit: usize,
        work: &mut usize,
    ) -> Option<Vec<Renaming>> {
        let start = (0..self.sorts.len()).map(|number| {
            let own = if fixed.contains(&number) { 1 + number } else { 0 };
            self.first[&self.sorts[number]] * (1 + self.sorts.len()) + own
        });
        let colours = self.refine(start.collect());
        let mut by_last: Vec<Vec<&RigidFact>> = vec![Vec::new(); self.sorts.len()];
        for fact in &self.facts {
            let last = fact.1.iter().filter_map(|item| match item {
                RigidItem::Element(element) => Some(*element),
                RigidItem::Fixed(_) => None,
            });
            if let Some(last) = last.max() {
                by_last[last].push(fact);
            }
        }
        let (used, found) = (vec![false; colours.len()], Vec::new());
        let mut search = Automorphisms { facts: self, colours, by_last, used, limit, work, found };
        search.extend(&mut Vec::new())?;
        Some(search.found)
    }

    /// The numbers of all elements.
    pub(crate) fn len(&self) -> usize {
        self.sorts.len()
    }
}

fn rename(item: RigidItem, images: &[usize]) -> RigidItem {
    match item {
        RigidItem::Element(element) => RigidItem::Element(images[element]),
        RigidItem::Fixed(_) => item,
    }
}

struct Canonical<'a> {
    facts: &'a RigidFacts,
    twins: Vec<Vec<bool>>,
    best: Option<Vec<RigidFact>>,
    leaves: usize,
}

impl Canonical<'_> {
    fn descend(&mut self, colours: Vec<usize>) -> Option<()> {
        let colours = self.facts.refine(colours);
        let Some(cell) = first_tie(&colours) else {
            return self.leaf(&colours);
        };
        let mut tried: Vec<usize> = Vec::new();
        for element in cell {
            // Exchanging twins of one colour changes nothing: one of them stands for both.
            if tried.iter().any(|other| self.twins[*other][element]) {
                continue;
            }
            tried.push(element);
            let mut individual: Vec<usize> = colours.iter().map(|colour| 2 * colour + 1).collect();
            individual[element] -= 1;
            self.descend(individual)?;
        }
        Some(())
    }

    fn leaf(&mut self, ranks: &[usize]) -> Option<()> {
        self.leaves += 1;
        if self.leaves > MAX_LEAVES {
            return None;
        }
        let renamed = self.facts.facts.iter().map(|(symbol, items)| {
            (*symbol, items.iter().map(|item| rename(*item, ranks)).collect())
        });
        let mut form: Vec<RigidFact> = renamed.collect();
        form.sort();
        if self.best.as_ref().is_none_or(|best| form < *best) {
            self.best = Some(form);
        }
        Some(())
    }
}

/// The elements of the first colour that several have.
fn first_tie(colours: &[usize]) -> Option<Vec<usize>> {
    let mut cells: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (element, colour) in colours.iter().enumerate() {
        cells.entry(*colour).or_default().push(element);
    }
    cells.into_values().find(|cell| cell.len() > 1)
}

struct Automorphisms<'a> {
    facts: &'a RigidFacts,
    colours: Vec<usize>,
    /// The facts whose greatest element this is.
    by_last: Vec<Vec<&'a RigidFact>>,
    /// The elements that are images already.
    used: Vec<bool>,
    limit: usize,
    work: &'a mut usize,
    found: Vec<Renaming>,
}

impl Automorphisms<'_> {
    fn extend(&mut self, images: &mut Renaming) -> Option<()> {
        let element = images.len();
        if element == self.colours.len() {
            if self.found.len() == self.limit {
                return None;
            }
            self.found.push(images.clone());
            return Some(());
        }
        *self.work = self.work.saturating_sub(self.colours.len());
        if *self.work == 0 {
            return None;
        }
        for image in 0..self.colours.len() {
            if self.colours[image] != self.colours[element] || self.used[image] {
                continue;
            }
            images.push(image);
            self.used[image] = true;
            if self.keeps_facts(element, images) {
                self.extend(images)?;
            }
            self.used[image] = false;
            images.pop();
        }
        Some(())
    }

    fn keeps_facts(&self, element: usize, images: &[usize]) -> bool {
        self.by_last[element].iter().all(|(symbol, items)| {
            let renamed = items.iter().map(|item| rename(*item, images)).collect();
            self.facts.facts.contains(&(*symbol, renamed))
        })
    }
}
