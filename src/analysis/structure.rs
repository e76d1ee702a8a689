//! What the rigid symbols are: orders, cyclic orders, injections, intersecting quorums.
//!
//! Declared structures are known; others are recognised by what the axioms entail, never by name or
//! by how the axioms are written.

use std::collections::BTreeSet;

use crate::logic::{Formula, Term, Var};
use crate::protocol::{
    Family, OnSort, Protocol, Sort, SortId, StateFormula, StateTerm, Structure, StructureKind,
    SymbolId,
};

use super::rigid_laws::{Law, differ, entailed, holds};

/// What is known of the rigid symbols of a protocol.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RigidStructure {
    /// Total orders.
    pub orders: Vec<Order>,
    /// Rings: total cyclic orders.
    pub cyclic_orders: Vec<CyclicOrder>,
    /// Functions that map different arguments to different values.
    pub injections: Vec<SymbolId>,
    /// Families of sets that pairwise have a member in common.
    pub intersections: Vec<Intersection>,
    /// Constants that are first or last in an order.
    pub extremes: Vec<Extreme>,
}

/// A relation that is a total order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    /// The binary relation.
    pub relation: SymbolId,
    /// What it orders.
    pub sort: SortId,
    /// Whether elements are related to themselves.
    pub kind: OrderKind,
}

/// `<=` or `<`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum OrderKind {
    /// Every element is related to itself.
    Reflexive,
    /// No element is related to itself.
    Strict,
}

/// A ternary relation that is a total cyclic order of distinct elements: going round from the
/// first, the second comes before the third.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CyclicOrder {
    /// The ternary relation.
    pub relation: SymbolId,
    /// What stands in a ring.
    pub sort: SortId,
}

/// Any set of one family and any set of another have a member in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Intersection {
    /// Membership in the sets of the first family.
    pub first: Membership,
    /// Membership in the sets of the second; the same for one family.
    pub second: Membership,
}

/// A binary relation read as membership.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Membership {
    /// The relation.
    pub relation: SymbolId,
    /// The position of the member among the arguments; the set is the other one.
    pub member: usize,
    /// The sort of members.
    pub members: SortId,
    /// The sort of sets.
    pub sets: SortId,
}

/// A constant at an end of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extreme {
    /// The constant.
    pub constant: SymbolId,
    /// The order, by its relation.
    pub order: SymbolId,
    /// Which end.
    pub end: End,
}

/// An end of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// Nothing is before it.
    Least,
    /// Nothing is after it.
    Greatest,
}

/// Recognises the rigid structure of a protocol.
pub fn rigid_structure(protocol: &Protocol) -> RigidStructure {
    let mut structure = declared(protocol);
    let known: BTreeSet<SymbolId> =
        protocol.signature.structures().iter().flat_map(Structure::symbols).collect();
    for (id, symbol) in protocol.signature.rigid().filter(|(id, _)| !known.contains(id)) {
        match (symbol.params.as_slice(), symbol.result) {
            ([Sort::Declared(one), Sort::Declared(two)], None) if one == two => {
                structure.orders.extend(order(protocol, id, *one));
            }
            ([Sort::Declared(one), Sort::Declared(two), Sort::Declared(three)], None)
                if one == two && two == three =>
            {
                structure.cyclic_orders.extend(cyclic_order(protocol, id, *one));
            }
            (params @ [_, ..], Some(result)) if is_injective(protocol, id, params, result) => {
                structure.injections.push(id);
            }
            _ => {}
        }
    }
    let found = intersections(protocol, &structure.intersections);
    structure.intersections.extend(found);
    structure.extremes = extremes(protocol, &structure.orders);
    structure
}

/// What is declared as a structure.
fn declared(protocol: &Protocol) -> RigidStructure {
    let mut structure = RigidStructure::default();
    for own in protocol.signature.structures() {
        match &own.kind {
            StructureKind::Order(OnSort { relation, sort }) => structure.orders.push(Order {
                relation: *relation,
                sort: *sort,
                kind: OrderKind::Reflexive,
            }),
            StructureKind::Ring(OnSort { relation, sort }) => {
                let (relation, sort) = (*relation, *sort);
                structure.cyclic_orders.push(CyclicOrder { relation, sort });
            }
            StructureKind::Quorums { members, families } => {
                let membership = |family: &Family| Membership {
                    relation: family.member,
                    member: 0,
                    members: *members,
                    sets: family.sets,
                };
                let ends = families.first().zip(families.last());
                structure.intersections.extend(ends.map(|(first, second)| Intersection {
                    first: membership(first),
                    second: membership(second),
                }));
            }
            StructureKind::Tree(_) => {}
        }
    }
    structure
}

fn order(protocol: &Protocol, relation: SymbolId, sort: SortId) -> Option<Order> {
    let sorts = [Sort::Declared(sort); 3];
    let related = |one: &StateTerm, two: &StateTerm| holds(relation, &[one, two]);
    let same = |one: &StateTerm, two: &StateTerm| Formula::equal(one.clone(), two.clone());
    let law = |count: usize, matrix: &dyn Fn(&[StateTerm]) -> StateFormula| {
        entailed(protocol, &Law::over(&sorts[..count], matrix))
    };
    let is_total_order = law(2, &|x| {
        Formula::or([same(&x[0], &x[1]), related(&x[0], &x[1]), related(&x[1], &x[0])])
    }) && law(2, &|x| {
        let both = Formula::and([related(&x[0], &x[1]), related(&x[1], &x[0])]);
        Formula::implies(both, same(&x[0], &x[1]))
    }) && law(3, &|x| {
        let both = Formula::and([related(&x[0], &x[1]), related(&x[1], &x[2])]);
        Formula::implies(both, related(&x[0], &x[2]))
    });
    let kind = if !is_total_order {
        return None;
    } else if law(1, &|x| related(&x[0], &x[0])) {
        OrderKind::Reflexive
    } else if law(1, &|x| related(&x[0], &x[0]).negate()) {
        OrderKind::Strict
    } else {
        return None;
    };
    Some(Order { relation, sort, kind })
}

fn cyclic_order(protocol: &Protocol, relation: SymbolId, sort: SortId) -> Option<CyclicOrder> {
    let sorts = [Sort::Declared(sort); 4];
    let between =
        |x: &[StateTerm], at: [usize; 3]| holds(relation, &[&x[at[0]], &x[at[1]], &x[at[2]]]);
    let law = |count: usize, matrix: &dyn Fn(&[StateTerm]) -> StateFormula| {
        entailed(protocol, &Law::over(&sorts[..count], matrix))
    };
    let is_cyclic = law(3, &|x| Formula::implies(between(x, [0, 1, 2]), between(x, [1, 2, 0])))
        && law(3, &|x| Formula::implies(between(x, [0, 1, 2]), between(x, [0, 2, 1]).negate()))
        && law(3, &|x| {
            let distinct =
                Formula::and([differ(&x[0], &x[1]), differ(&x[1], &x[2]), differ(&x[0], &x[2])]);
            Formula::implies(distinct, Formula::or([between(x, [0, 1, 2]), between(x, [0, 2, 1])]))
        })
        && law(4, &|x| {
            let both = Formula::and([between(x, [0, 1, 2]), between(x, [0, 2, 3])]);
            Formula::implies(both, between(x, [0, 1, 3]))
        });
    is_cyclic.then_some(CyclicOrder { relation, sort })
}

fn is_injective(protocol: &Protocol, function: SymbolId, params: &[Sort], result: Sort) -> bool {
    let sorts = [params, params].concat();
    let law = Law::over(&sorts, |x| {
        let (left, right) = x.split_at(params.len());
        let value = |args: &[StateTerm]| Term::apply(function, args.to_vec(), result);
        let pairs = left.iter().zip(right);
        let equal = pairs.map(|(one, two)| Formula::equal(one.clone(), two.clone()));
        Formula::implies(Formula::equal(value(left), value(right)), Formula::and(equal))
    });
    entailed(protocol, &law)
}

/// The intersections that are not known yet.
fn intersections(protocol: &Protocol, known: &[Intersection]) -> Vec<Intersection> {
    let memberships = memberships(protocol);
    let mut found = Vec::new();
    for (index, first) in memberships.iter().enumerate() {
        for second in &memberships[index..] {
            let pair = Intersection { first: *first, second: *second };
            if first.members == second.members
                && !known.contains(&pair)
                && intersect(protocol, first, second)
            {
                found.push(pair);
            }
        }
    }
    found
}

/// Every reading of a binary rigid relation between two sorts as membership.
fn memberships(protocol: &Protocol) -> Vec<Membership> {
    let mut found = Vec::new();
    for (relation, symbol) in protocol.signature.rigid() {
        if let ([Sort::Declared(one), Sort::Declared(two)], None) =
            (symbol.params.as_slice(), symbol.result)
            && one != two
        {
            found.push(Membership { relation, member: 0, members: *one, sets: *two });
            found.push(Membership { relation, member: 1, members: *two, sets: *one });
        }
    }
    found
}

fn intersect(protocol: &Protocol, first: &Membership, second: &Membership) -> bool {
    let sorts = [Sort::Declared(first.sets), Sort::Declared(second.sets)];
    let law = Law::over(&sorts, |x| {
        let member = Var::new("member", Sort::Declared(first.members));
        let common = Term::var(member.clone());
        let contains = |family: &Membership, set: &StateTerm| match family.member {
            0 => holds(family.relation, &[&common, set]),
            _ => holds(family.relation, &[set, &common]),
        };
        let both = Formula::and([contains(first, &x[0]), contains(second, &x[1])]);
        Formula::exists(vec![member], both)
    });
    entailed(protocol, &law)
}

fn extremes(protocol: &Protocol, orders: &[Order]) -> Vec<Extreme> {
    let mut found = Vec::new();
    for order in orders {
        let sort = Sort::Declared(order.sort);
        let rigid = protocol.signature.rigid();
        let constants = rigid.filter(|(_, it)| it.params.is_empty() && it.result == Some(sort));
        for (constant, _) in constants {
            let is_end = |end: &End| is_extreme(protocol, order, constant, *end);
            let ends = [End::Least, End::Greatest].into_iter().filter(is_end);
            found.extend(ends.map(|end| Extreme { constant, order: order.relation, end }));
        }
    }
    found
}

fn is_extreme(protocol: &Protocol, order: &Order, constant: SymbolId, end: End) -> bool {
    let sort = Sort::Declared(order.sort);
    let extreme = Term::apply(constant, Vec::new(), sort);
    let law = Law::over(&[sort], |x| {
        let (one, two) = match end {
            End::Least => (&extreme, &x[0]),
            End::Greatest => (&x[0], &extreme),
        };
        Formula::or([Formula::equal(one.clone(), two.clone()), holds(order.relation, &[one, two])])
    });
    entailed(protocol, &law)
}
