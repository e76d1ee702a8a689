//! Standard structures on sorts: a name for a rigid relation and the axioms that make it a total
//! order, a ring, a tree, or membership in sets that intersect.
//!
//! The axioms are what every proof rests on. The record says which of them belong together.

use crate::logic::{Formula, Name, Term, Var};
use crate::source::Span;

use super::{OneState, Sort, SortId, StateFormula, StateTerm, StateVar, SymbolId};

/// A declared structure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    /// What it is.
    pub kind: StructureKind,
    /// Where it was declared.
    pub span: Span,
}

/// What a structure is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StructureKind {
    /// `order le on s`: a total order, `le(X, X)` included.
    Order(OnSort),
    /// `ring btw on s`: clockwise from the first, the second comes before the third.
    Ring(OnSort),
    /// `tree above on s`: the first is the second, or further towards the one root.
    Tree(OnSort),
    /// `quorums q of s`: any two sets have a member in common; with two families, one of each.
    Quorums {
        /// The sort of the members.
        members: SortId,
        /// One or two families.
        families: Vec<Family>,
    },
}

/// A relation on one sort.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnSort {
    /// The relation.
    pub relation: SymbolId,
    /// What it is about.
    pub sort: SortId,
}

/// A sort whose elements are sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The sort of the sets.
    pub sets: SortId,
    /// Whether an element is a member of a set.
    pub member: SymbolId,
}

impl Structure {
    /// The rigid symbols that it declares.
    pub fn symbols(&self) -> Vec<SymbolId> {
        match &self.kind {
            StructureKind::Order(on) | StructureKind::Ring(on) | StructureKind::Tree(on) => {
                vec![on.relation]
            }
            StructureKind::Quorums { families, .. } => {
                families.iter().map(|family| family.member).collect()
            }
        }
    }

    /// The sorts that it is about.
    pub fn sorts(&self) -> Vec<SortId> {
        match &self.kind {
            StructureKind::Order(on) | StructureKind::Ring(on) | StructureKind::Tree(on) => {
                vec![on.sort]
            }
            StructureKind::Quorums { members, families } => {
                families.iter().map(|family| family.sets).chain([*members]).collect()
            }
        }
    }

    /// The sorts whose elements it arranges: not the members of quorums.
    pub fn arranged(&self) -> Vec<SortId> {
        match &self.kind {
            StructureKind::Quorums { families, .. } => {
                families.iter().map(|family| family.sets).collect()
            }
            StructureKind::Order(_) | StructureKind::Ring(_) | StructureKind::Tree(_) => {
                self.sorts()
            }
        }
    }

    /// The axioms, each with what it says in a word.
    pub fn axioms(&self) -> Vec<(&'static str, StateFormula)> {
        match &self.kind {
            StructureKind::Order(on) => order(*on),
            StructureKind::Ring(on) => ring(*on),
            StructureKind::Tree(on) => tree(*on),
            StructureKind::Quorums { members, families } => quorums(*members, families),
        }
    }
}

/// `next(X, Y)` for an order: `Y` comes directly after `X`. Its parameters and its body.
pub fn successor_in(order: OnSort) -> (Vec<StateVar>, StateFormula) {
    let [x, y, z] = ["X", "Y", "Z"].map(|name| variable(name, order.sort));
    let le = |one: &StateTerm, two: &StateTerm| related(order, &[one, two]);
    let later = Formula::and([le(&x, &z), Formula::equal(x.clone(), z.clone()).negate()]);
    let body = Formula::and([
        le(&x, &y),
        Formula::equal(x.clone(), y.clone()).negate(),
        Formula::forall(vec![var("Z", order.sort)], Formula::implies(later, le(&y, &z))),
    ]);
    (vec![var("X", order.sort), var("Y", order.sort)], body)
}

fn var(name: &str, sort: SortId) -> StateVar {
    Var::new(Name::from(name), Sort::Declared(sort))
}

fn variable(name: &str, sort: SortId) -> StateTerm {
    Term::var(var(name, sort))
}

fn related(on: OnSort, args: &[&StateTerm]) -> StateFormula {
    Formula::holds(on.relation, args.iter().copied().cloned().collect())
}

fn equal_terms(one: &StateTerm, two: &StateTerm) -> StateFormula {
    Formula::equal(one.clone(), two.clone())
}

fn implies(premises: impl IntoIterator<Item = StateFormula>, then: StateFormula) -> StateFormula {
    Formula::implies(Formula::and(premises), then)
}

/// Closes a formula over variables of one sort.
fn all(names: &[&str], sort: SortId, body: StateFormula) -> Formula<OneState> {
    Formula::forall(names.iter().map(|name| var(name, sort)).collect(), body)
}

fn antisymmetric(on: OnSort) -> StateFormula {
    let [x, y] = ["X", "Y"].map(|name| variable(name, on.sort));
    let both = [related(on, &[&x, &y]), related(on, &[&y, &x])];
    all(&["X", "Y"], on.sort, implies(both, equal_terms(&x, &y)))
}

fn transitive(on: OnSort) -> StateFormula {
    let [x, y, z] = ["X", "Y", "Z"].map(|name| variable(name, on.sort));
    let both = [related(on, &[&x, &y]), related(on, &[&y, &z])];
    all(&["X", "Y", "Z"], on.sort, implies(both, related(on, &[&x, &z])))
}

fn order(on: OnSort) -> Vec<(&'static str, StateFormula)> {
    let [x, y] = ["X", "Y"].map(|name| variable(name, on.sort));
    let total = Formula::or([related(on, &[&x, &y]), related(on, &[&y, &x])]);
    vec![
        ("antisymmetric", antisymmetric(on)),
        ("transitive", transitive(on)),
        ("total", all(&["X", "Y"], on.sort, total)),
    ]
}

fn ring(on: OnSort) -> Vec<(&'static str, StateFormula)> {
    let [w, x, y, z] = ["W", "X", "Y", "Z"].map(|name| variable(name, on.sort));
    let btw = |a: &StateTerm, b: &StateTerm, c: &StateTerm| related(on, &[a, b, c]);
    let distinct = || {
        Formula::and([
            equal_terms(&x, &y).negate(),
            equal_terms(&y, &z).negate(),
            equal_terms(&x, &z).negate(),
        ])
    };
    let three = |body| all(&["X", "Y", "Z"], on.sort, body);
    let both = [btw(&w, &x, &y), btw(&w, &y, &z)];
    let either = Formula::or([btw(&x, &y, &z), btw(&x, &z, &y)]);
    vec![
        ("distinct", three(implies([btw(&x, &y, &z)], distinct()))),
        ("rotates", three(implies([btw(&x, &y, &z)], btw(&y, &z, &x)))),
        ("one_way", three(implies([btw(&x, &y, &z)], btw(&x, &z, &y).negate()))),
        ("transitive", all(&["W", "X", "Y", "Z"], on.sort, implies(both, btw(&w, &x, &z)))),
        ("total", three(implies([distinct()], either))),
    ]
}

fn tree(on: OnSort) -> Vec<(&'static str, StateFormula)> {
    let [x, y, z] = ["X", "Y", "Z"].map(|name| variable(name, on.sort));
    let above = |one: &StateTerm, two: &StateTerm| related(on, &[one, two]);
    let comparable = Formula::or([above(&x, &y), above(&y, &x)]);
    let one_way = implies([above(&x, &z), above(&y, &z)], comparable);
    let root = all(&["Y"], on.sort, above(&x, &y));
    vec![
        ("reflexive", all(&["X"], on.sort, above(&x, &x))),
        ("antisymmetric", antisymmetric(on)),
        ("transitive", transitive(on)),
        ("one_way_up", all(&["X", "Z", "Y"], on.sort, one_way)),
        ("root", Formula::exists(vec![var("X", on.sort)], root)),
    ]
}

fn quorums(members: SortId, families: &[Family]) -> Vec<(&'static str, StateFormula)> {
    let (Some(first), Some(second)) = (families.first(), families.last()) else {
        return Vec::new();
    };
    let common = variable("N", members);
    let [one, two] = [("Q1", first), ("Q2", second)].map(|(name, family)| {
        let set = var(name, family.sets);
        let member = Formula::holds(family.member, vec![common.clone(), Term::var(set.clone())]);
        (set, member)
    });
    let both = Formula::exists(vec![var("N", members)], Formula::and([one.1, two.1]));
    vec![("intersect", Formula::forall(vec![one.0, two.0], both))]
}
