//! A small vocabulary with one of everything, and finite structures for it.

use std::collections::BTreeMap;

use proptest::prelude::*;
use rmlcut::logic::{
    Declarations, Domain, Extent, Formula, Rank, SortDeclaration, Structure, SymbolDeclaration,
    Table, Term, Value, Var, Vocabulary, tuples,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Toy {}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Sort {
    Node,
    /// Another sort that is also called `node`: a solver must not take the two for one.
    Twin,
    Color,
    Int,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Symbol {
    Link,
    Flag,
    /// A relation with a name that means something to solvers.
    And,
    First,
    Next,
    Image,
    Paint,
    Red,
    Green,
    Count,
    Weight,
    /// A relation over the integers.
    Seen,
}

pub(crate) const SYMBOLS: &[Symbol] = &[
    Symbol::Link,
    Symbol::Flag,
    Symbol::And,
    Symbol::First,
    Symbol::Next,
    Symbol::Image,
    Symbol::Paint,
    Symbol::Red,
    Symbol::Green,
    Symbol::Count,
    Symbol::Weight,
];

impl Vocabulary for Toy {
    type Sort = Sort;
    type Symbol = Symbol;
}

pub(crate) type ToyFormula = Formula<Toy>;
pub(crate) type ToyTerm = Term<Toy>;

pub(crate) struct Names;

impl Declarations<Toy> for Names {
    fn sort(&self, sort: Sort) -> SortDeclaration {
        let (name, domain) = match sort {
            Sort::Node | Sort::Twin => ("node", Domain::Finite),
            Sort::Color => ("color", Domain::Enumeration(vec!["red".into(), "green".into()])),
            Sort::Int => ("int", Domain::Int),
        };
        SortDeclaration { name: name.into(), domain }
    }

    fn symbol(&self, symbol: Symbol) -> SymbolDeclaration<Toy> {
        use Sort::{Color, Int, Node, Twin};
        let (name, params, result) = match symbol {
            Symbol::Link => ("link'", vec![Node, Node], None),
            Symbol::Flag => ("flag", vec![], None),
            Symbol::And => ("and", vec![Twin], None),
            Symbol::First => ("X", vec![], Some(Node)),
            Symbol::Next => ("next", vec![Node], Some(Node)),
            Symbol::Image => ("image", vec![Node], Some(Twin)),
            Symbol::Paint => ("paint", vec![Node], Some(Color)),
            Symbol::Red => ("red", vec![], Some(Color)),
            Symbol::Green => ("green", vec![], Some(Color)),
            Symbol::Count => ("count", vec![], Some(Int)),
            Symbol::Weight => ("weight", vec![Node], Some(Int)),
            Symbol::Seen => ("seen", vec![Int], None),
        };
        SymbolDeclaration { name: name.into(), rank: Rank { params, result } }
    }

    fn enumerated(&self, symbol: Symbol) -> Option<(Sort, usize)> {
        match symbol {
            Symbol::Red => Some((Sort::Color, 0)),
            Symbol::Green => Some((Sort::Color, 1)),
            _ => None,
        }
    }
}

pub(crate) fn var(name: &str, sort: Sort) -> Var<Toy> {
    Var::new(name, sort)
}

/// The variable `name` as a term.
pub(crate) fn v(name: &str, sort: Sort) -> ToyTerm {
    Term::var(var(name, sort))
}

pub(crate) fn apply(symbol: Symbol, args: Vec<ToyTerm>) -> ToyTerm {
    let result = Names.symbol(symbol).rank.result.expect("a function");
    Term::apply(symbol, args, result)
}

pub(crate) fn int(value: i64) -> ToyTerm {
    Term::integer(value, Sort::Int)
}

/// Any structure with up to three elements a sort.
pub(crate) fn structures() -> impl Strategy<Value = Structure<Toy>> {
    (1u32..=3, 1u32..=3).prop_flat_map(|(nodes, twins)| {
        let extents = BTreeMap::from([
            (Sort::Node, Extent::Elements(nodes)),
            (Sort::Twin, Extent::Elements(twins)),
            (Sort::Color, Extent::Elements(2)),
            (Sort::Int, Extent::Window { low: -3, high: 3 }),
        ]);
        let entries = prop::collection::vec(any::<u32>(), 40);
        entries.prop_map(move |random| structure(extents.clone(), &random))
    })
}

fn structure(extents: BTreeMap<Sort, Extent>, random: &[u32]) -> Structure<Toy> {
    let mut random = random.iter().copied().cycle();
    let mut structure = Structure::new(extents);
    for &symbol in SYMBOLS {
        let rank = Names.symbol(symbol).rank;
        let params: Vec<Extent> = rank.params.iter().map(|sort| structure.extents[sort]).collect();
        let mut table = Table::constant(params.clone(), Value::Bool(false));
        for args in tuples(&params) {
            let number = random.next().expect("a cycle never ends") as usize;
            let value = match (Names.enumerated(symbol), rank.result) {
                (Some((sort, index)), _) => structure.extents[&sort].value(index),
                (None, None) => Value::Bool(number.is_multiple_of(2)),
                (None, Some(sort)) => {
                    let extent = structure.extents[&sort];
                    extent.value(number % extent.len())
                }
            };
            table.set(&args, value);
        }
        structure.tables.insert(symbol, table);
    }
    structure
}

/// Formulas that hold in this structure and, up to renaming elements, in no other.
pub(crate) fn diagram(structure: &Structure<Toy>) -> Vec<ToyFormula> {
    let mut facts = Vec::new();
    for sort in [Sort::Node, Sort::Twin] {
        let any = v("any", sort);
        let elements: Vec<ToyTerm> =
            structure.extents[&sort].values().map(|value| name(value, sort)).collect();
        let is_one = elements.iter().map(|element| Formula::equal(any.clone(), element.clone()));
        facts.push(Formula::forall(vec![var("any", sort)], Formula::or(is_one)));
        for (index, left) in elements.iter().enumerate() {
            for right in &elements[..index] {
                facts.push(Formula::equal(left.clone(), right.clone()).negate());
            }
        }
    }
    for (&symbol, table) in &structure.tables {
        let rank = Names.symbol(symbol).rank;
        for (args, value) in table.entries() {
            let args: Vec<ToyTerm> =
                args.iter().zip(&rank.params).map(|(arg, sort)| name(*arg, *sort)).collect();
            facts.push(match (value, rank.result) {
                (Value::Bool(true), _) => Formula::holds(symbol, args),
                (Value::Bool(false), _) => Formula::holds(symbol, args).negate(),
                (value, sort) => {
                    Formula::equal(apply(symbol, args), name(value, sort.expect("a function")))
                }
            });
        }
    }
    facts
}

/// The name of an element in a diagram.
fn name(value: Value, sort: Sort) -> ToyTerm {
    match (value, sort) {
        (Value::Int(value), _) => int(value),
        (Value::Element(0), Sort::Color) => apply(Symbol::Red, vec![]),
        (_, Sort::Color) => apply(Symbol::Green, vec![]),
        (value, sort) => v(&format!("{value:?}"), sort),
    }
}
