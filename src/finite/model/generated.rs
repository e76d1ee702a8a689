//! Interpretations of the declared structures, made directly: one for each class of renamings of
//! their sorts.
//!
//! A structure is only made if the protocol has all of its axioms, and if nothing was made on its
//! sorts before: elements are named by the first structure and cannot be named again. All others are
//! found by solving, as any rigid symbol is.

use std::collections::{BTreeMap, BTreeSet};

use super::instances::Rigid;
use crate::budget::Budget;
use crate::finite::error::EngineError;
use crate::finite::question::Question;
use crate::finite::question::reason::{FiniteReason, interruption};
use crate::finite::question::slice::Slice;
use crate::logic::{Extent, Table, Value, tuples};
use crate::protocol::{OnSort, Sort, SortId, Structure, StructureKind};

/// What was made.
pub(crate) struct Generated {
    /// The interpretations of the structures that were made; one without any symbol if none were.
    pub(crate) tables: Vec<Rigid>,
    /// The positions of the axioms that hold by construction.
    pub(crate) axioms: BTreeSet<usize>,
}

/// Every combination of the structures of a question that can be made.
pub(crate) fn generated(
    question: &Question<'_>,
    slice: &Slice,
    extents: &BTreeMap<Sort, Extent>,
    limit: usize,
    budget: &Budget,
) -> Result<Result<Generated, FiniteReason>, EngineError> {
    let mut all = Generated { tables: vec![Rigid::new()], axioms: BTreeSet::new() };
    let mut named: BTreeSet<SortId> = BTreeSet::new();
    for structure in question.protocol.signature.structures() {
        let sorts = structure.sorts();
        if !question.may_rename() || sorts.iter().any(|sort| !is_open(question, &named, *sort)) {
            continue;
        }
        let distinct: BTreeSet<&SortId> = sorts.iter().collect();
        if distinct.len() != sorts.len() {
            continue;
        }
        let kept = structure.symbols().iter().all(|symbol| slice.rigid.contains(symbol));
        let Some(axioms) = positions(question, structure).filter(|_| kept) else { continue };
        let Some(sizes) = sizes(extents, &sorts) else { continue };
        let tables = match tables(structure, &sizes, limit, budget) {
            Ok(tables) => tables,
            Err(reason) => return Ok(Err(reason)),
        };
        let estimate = tables.len().saturating_mul(all.tables.len());
        if estimate > limit {
            return Err(EngineError::TooManyInstances { limit, estimate: estimate as u128 });
        }
        let combined = all.tables.iter().flat_map(|earlier| {
            tables.iter().map(|own| earlier.clone().into_iter().chain(own.clone()).collect())
        });
        all.tables = combined.collect();
        all.axioms.extend(axioms);
        named.extend(sorts);
    }
    Ok(Ok(all))
}

/// Whether the elements of a sort have no names yet.
fn is_open(question: &Question<'_>, named: &BTreeSet<SortId>, sort: SortId) -> bool {
    !named.contains(&sort) && question.protocol.fixed_size(sort).is_none()
}

/// Where the axioms of a structure stand in the protocol, if all of them do.
fn positions(question: &Question<'_>, structure: &Structure) -> Option<Vec<usize>> {
    let axioms = &question.protocol.axioms;
    let own = structure.axioms().into_iter();
    own.map(|(_, formula)| axioms.iter().position(|axiom| axiom.formula == formula)).collect()
}

/// How many elements sorts have.
fn sizes(extents: &BTreeMap<Sort, Extent>, sorts: &[SortId]) -> Option<BTreeMap<SortId, u32>> {
    let size = |sort: &SortId| match extents.get(&Sort::Declared(*sort)) {
        Some(Extent::Elements(size)) => Some((*sort, *size)),
        _ => None,
    };
    sorts.iter().map(size).collect()
}

/// One interpretation for each class; more than `limit` are cut off after the first one too many.
fn tables(
    structure: &Structure,
    sizes: &BTreeMap<SortId, u32>,
    limit: usize,
    budget: &Budget,
) -> Result<Vec<Rigid>, FiniteReason> {
    let relation = |on: OnSort, arity: usize, holds: &dyn Fn(&[usize]) -> bool| {
        Rigid::from([(on.relation, table(&vec![sizes[&on.sort]; arity], holds))])
    };
    match &structure.kind {
        StructureKind::Order(on) => Ok(vec![relation(*on, 2, &|at| at[0] <= at[1])]),
        StructureKind::Ring(on) => {
            let size = sizes[&on.sort] as usize;
            let far = |from: usize, to: usize| (to + size - from) % size;
            let clockwise = |at: &[usize]| {
                let (second, third) = (far(at[0], at[1]), far(at[0], at[2]));
                0 < second && second < third
            };
            Ok(vec![relation(*on, 3, &clockwise)])
        }
        StructureKind::Tree(on) => {
            let levels = Levels::of(sizes[&on.sort] as usize);
            let mut all = Vec::new();
            for tree in levels.take(limit + 1) {
                if let Some(reason) = interruption(&budget.stop) {
                    return Err(reason);
                }
                let above = |at: &[usize]| is_above(&tree, at[0], at[1]);
                all.push(relation(*on, 2, &above));
            }
            Ok(all)
        }
        StructureKind::Quorums { members, families } => {
            let columns = families.iter().map(|family| sizes[&family.sets] as usize).collect();
            let mut sets =
                SetFamilies { columns, groups: Vec::new(), chosen: Vec::new(), found: Vec::new() };
            sets.groups.push(vec![sizes[members] as usize]);
            sets.choose(limit, budget)?;
            let interpreted = sets.found.iter().map(|chosen| {
                let mut first = 0;
                let own = families.iter().map(|family| {
                    let sets = &chosen[first..first + sizes[&family.sets] as usize];
                    first += sets.len();
                    let extents = [sizes[members], sizes[&family.sets]];
                    (family.member, table(&extents, &|at| sets[at[1]][at[0]]))
                });
                own.collect()
            });
            Ok(interpreted.collect())
        }
    }
}

/// The table of a relation over sorts of these sizes.
fn table(sizes: &[u32], holds: &dyn Fn(&[usize]) -> bool) -> Table {
    let extents: Vec<Extent> = sizes.iter().map(|size| Extent::Elements(*size)).collect();
    let values = tuples(&extents).map(|tuple| {
        let at: Vec<usize> = tuple.iter().map(|value| element(*value)).collect();
        Value::Bool(holds(&at))
    });
    let values = values.collect();
    Table::of_values(extents, values)
}

fn element(value: Value) -> usize {
    match value {
        Value::Element(element) => element as usize,
        Value::Int(_) | Value::Bool(_) => unreachable!("structures are about declared sorts"),
    }
}

/// Every rooted tree with a number of nodes, up to renaming: for each node, the root first and each
/// before those below it, how far it is from the root (Beyer and Hedetniemi, 1980).
struct Levels {
    next: Option<Vec<usize>>,
}

impl Levels {
    /// The trees with so many nodes, at least one; the path comes first.
    fn of(nodes: usize) -> Self {
        Levels { next: Some((0..nodes).collect()) }
    }
}

impl Iterator for Levels {
    type Item = Vec<usize>;

    fn next(&mut self) -> Option<Vec<usize>> {
        let tree = self.next.take()?;
        // The last node that is not just below the root moves up to its grandparent; what follows
        // repeats the subtree before it.
        if let Some(moved) = tree.iter().rposition(|level| *level > 1) {
            let parent = parent(&tree, moved);
            let mut next = tree.clone();
            for node in moved..next.len() {
                next[node] = next[node - (moved - parent)];
            }
            self.next = Some(next);
        }
        Some(tree)
    }
}

/// The node directly above another one that is not the root.
fn parent(tree: &[usize], node: usize) -> usize {
    let level = tree[node];
    tree[..node].iter().rposition(|other| other + 1 == level).unwrap_or(0)
}

/// Whether a node is another one or above it.
fn is_above(tree: &[usize], upper: usize, lower: usize) -> bool {
    let mut node = lower;
    while tree[node] > tree[upper] {
        node = parent(tree, node);
    }
    node == upper
}

/// Families of sets, one of each class of renamings and a few more: each set as its truth for each
/// member. In the greatest of a class no two sets of a family and no two members are out of order.
struct SetFamilies {
    /// How many sets each family has.
    columns: Vec<usize>,
    /// After each set, the sizes of the groups of members that no set tells apart so far.
    groups: Vec<Vec<usize>>,
    chosen: Vec<Vec<bool>>,
    found: Vec<Vec<Vec<bool>>>,
}

impl SetFamilies {
    fn choose(&mut self, limit: usize, budget: &Budget) -> Result<(), FiniteReason> {
        if self.found.len() > limit {
            return Ok(());
        }
        if let Some(reason) = interruption(&budget.stop) {
            return Err(reason);
        }
        if self.chosen.len() == self.columns.iter().sum::<usize>() {
            self.found.push(self.chosen.clone());
            return Ok(());
        }
        let groups = self.groups.last().cloned().unwrap_or_default();
        // From each group the first so many members, at first all.
        let mut counts = groups.clone();
        loop {
            let set: Vec<bool> = groups
                .iter()
                .zip(&counts)
                .flat_map(|(size, count)| (0..*size).map(move |place| place < *count))
                .collect();
            if self.fits(&set) {
                let parts = groups.iter().zip(&counts);
                let parts = parts.flat_map(|(size, count)| [*count, size - count]);
                self.groups.push(parts.filter(|part| *part > 0).collect());
                self.chosen.push(set);
                self.choose(limit, budget)?;
                self.chosen.pop();
                self.groups.pop();
            }
            // The next smaller choice.
            let Some(last) = counts.iter().rposition(|count| *count > 0) else { return Ok(()) };
            counts[last] -= 1;
            counts[last + 1..].copy_from_slice(&groups[last + 1..]);
        }
    }

    /// Whether a set is not greater than the one before it in its family, and has a member in common
    /// with each that it must meet.
    fn fits(&self, set: &[bool]) -> bool {
        let place = self.chosen.len();
        let first = self.columns[0];
        let begins = place == 0 || (self.columns.len() > 1 && place == first);
        let in_order = begins || self.chosen[place - 1].as_slice() >= set;
        let meets = |other: &Vec<bool>| other.iter().zip(set).any(|(one, two)| *one && *two);
        let met = match self.columns.len() {
            1 => &self.chosen[..],
            _ if place < first => &[],
            _ => &self.chosen[..first],
        };
        in_order && set.contains(&true) && met.iter().all(meets)
    }
}
