//! Random well-sorted closed formulas over the toy vocabulary.

use proptest::prelude::*;
use rmlcut::logic::{Comparison, Formula, Quantifier, Term};

use crate::smt::toy::{Sort, Symbol, ToyFormula, ToyTerm, apply, int, v, var};

/// A recipe that becomes a formula once the variables in scope are known.
#[derive(Clone, Debug)]
enum Recipe {
    Truth(bool),
    Atom(u8, [u8; 2]),
    Not(Box<Recipe>),
    Join(u8, Vec<Recipe>),
    Choose(Box<[Recipe; 3]>),
    Bind(Quantifier, Vec<(Sort, bool)>, Box<Recipe>),
}

/// Closed formulas without quantifiers over the integers.
pub(crate) fn formulas() -> impl Strategy<Value = ToyFormula> {
    recipes().prop_map(|recipe| build(&recipe, &mut Vec::new()))
}

fn recipes() -> impl Strategy<Value = Recipe> {
    let leaf = prop_oneof![
        1 => any::<bool>().prop_map(Recipe::Truth),
        9 => any::<(u8, [u8; 2])>().prop_map(|(kind, seeds)| Recipe::Atom(kind, seeds)),
    ];
    leaf.prop_recursive(5, 40, 3, |inner| {
        let sort = prop_oneof![Just(Sort::Node), Just(Sort::Twin), Just(Sort::Color)];
        let quantifier = prop_oneof![Just(Quantifier::Forall), Just(Quantifier::Exists)];
        let binders = prop::collection::vec((sort, any::<bool>()), 1..3);
        prop_oneof![
            1 => inner.clone().prop_map(|part| Recipe::Not(Box::new(part))),
            3 => (any::<u8>(), prop::collection::vec(inner.clone(), 2..4))
                .prop_map(|(kind, parts)| Recipe::Join(kind, parts)),
            1 => [inner.clone(), inner.clone(), inner.clone()]
                .prop_map(|parts| Recipe::Choose(Box::new(parts))),
            4 => (quantifier, binders, inner)
                .prop_map(|(quantifier, binders, body)| {
                    Recipe::Bind(quantifier, binders, Box::new(body))
                }),
        ]
    })
}

fn build(recipe: &Recipe, scope: &mut Vec<(String, Sort)>) -> ToyFormula {
    match recipe {
        Recipe::Truth(value) => Formula::truth(*value),
        Recipe::Atom(kind, seeds) => atom(*kind, *seeds, scope),
        Recipe::Not(part) => build(part, scope).negate(),
        Recipe::Join(kind, parts) => {
            let parts: Vec<ToyFormula> = parts.iter().map(|part| build(part, scope)).collect();
            match kind % 4 {
                0 => Formula::and(parts),
                1 => Formula::or(parts),
                2 => Formula::implies(parts[0].clone(), parts[1].clone()),
                _ => Formula::iff(parts[0].clone(), parts[1].clone()),
            }
        }
        Recipe::Choose(parts) => {
            let [condition, then, otherwise] = parts.each_ref().map(|part| build(part, scope));
            Formula::if_then_else(condition, then, otherwise)
        }
        Recipe::Bind(quantifier, binders, body) => {
            let depth = scope.len();
            for (sort, shadow) in binders {
                // Names repeat on purpose: with another sort they are other variables.
                let name = if *shadow { "X".to_owned() } else { format!("X{}", scope.len()) };
                scope.push((name, *sort));
            }
            let body = build(body, scope);
            let mut vars: Vec<_> =
                scope.drain(depth..).map(|(name, sort)| var(&name, sort)).collect();
            vars.dedup();
            Formula::quantified(*quantifier, vars, body)
        }
    }
}

fn atom(kind: u8, seeds: [u8; 2], scope: &[(String, Sort)]) -> ToyFormula {
    let [left, right] = seeds;
    let equal = |sort| Formula::equal(term(sort, left, scope), term(sort, right, scope));
    match kind % 9 {
        0 => Formula::holds(
            Symbol::Link,
            vec![term(Sort::Node, left, scope), term(Sort::Node, right, scope)],
        ),
        1 => Formula::holds(Symbol::Flag, vec![]),
        2 => Formula::holds(Symbol::And, vec![term(Sort::Twin, left, scope)]),
        3 => equal(Sort::Node),
        4 => equal(Sort::Twin),
        5 => equal(Sort::Color),
        6 => equal(Sort::Int),
        7 => Formula::compare(
            Comparison::Less,
            term(Sort::Int, left, scope),
            term(Sort::Int, right, scope),
        ),
        _ => Formula::compare(
            Comparison::LessEqual,
            term(Sort::Int, left, scope),
            term(Sort::Int, right, scope),
        ),
    }
}

/// A term of the sort, chosen by the bits of a seed.
fn term(sort: Sort, seed: u8, scope: &[(String, Sort)]) -> ToyTerm {
    let rest = seed / 4;
    let visible: Vec<_> = scope.iter().filter(|(_, bound)| *bound == sort).collect();
    if seed % 4 < 2 && !visible.is_empty() {
        let (name, sort) = visible[rest as usize % visible.len()];
        return v(name, *sort);
    }
    let deeper = seed % 4 == 3 && rest > 0;
    match sort {
        Sort::Node if deeper => apply(Symbol::Next, vec![term(Sort::Node, rest, scope)]),
        Sort::Node => apply(Symbol::First, vec![]),
        Sort::Twin => apply(Symbol::Image, vec![term(Sort::Node, rest, scope)]),
        Sort::Color if deeper => apply(Symbol::Paint, vec![term(Sort::Node, rest, scope)]),
        Sort::Color if seed % 4 == 2 => apply(Symbol::Red, vec![]),
        Sort::Color => apply(Symbol::Green, vec![]),
        Sort::Int => match seed % 8 {
            0 | 1 => int(i64::from(rest) - 2),
            2 => apply(Symbol::Count, vec![]),
            3 => apply(Symbol::Weight, vec![term(Sort::Node, rest, scope)]),
            4 => Term::add(int(1), apply(Symbol::Count, vec![])),
            5 => Term::subtract(apply(Symbol::Count, vec![]), int(2)),
            _ => Term::if_then_else(
                Formula::holds(Symbol::Flag, vec![]),
                apply(Symbol::Count, vec![]),
                int(0),
            ),
        },
    }
}
