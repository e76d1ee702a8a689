//! The outermost universal block: what may be moved to the front, and what may not.

use std::collections::BTreeSet;

use proptest::prelude::*;
use rmlcut::logic::{
    Formula, FormulaKind, Name, Node, Quantifier, Var, VariableAssignment, evaluate_formula,
    split_universal,
};

use crate::smt::toy::{self, Sort, Symbol, Toy, ToyFormula, v, var};
use crate::smt::{cases, formulas};

proptest! {
    #![proptest_config(cases(2_000))]

    /// Splitting off the universal block changes the truth of a formula nowhere, and leaves
    /// nothing that could be split off.
    #[test]
    fn splitting_keeps_the_meaning(structure in toy::structures(), formula in formulas::formulas()) {
        let (vars, matrix) = checked(&formula).map_err(TestCaseError::fail)?;
        let nothing = VariableAssignment::new();
        let before = evaluate_formula(&structure, &nothing, &formula);
        let after = evaluate_formula(&structure, &nothing, &Formula::forall(vars, matrix));
        prop_assert_eq!(before, after);
    }
}

/// The block and the rest of a formula, or what is wrong with them.
fn checked(formula: &ToyFormula) -> Result<(Vec<Var<Toy>>, ToyFormula), String> {
    let reserved = BTreeSet::from([Name::from("X1"), Name::from("X_1")]);
    let (vars, matrix) = split_universal(formula, &reserved);
    let names: BTreeSet<Name> = vars.iter().map(|var| var.name.clone()).collect();
    if names.len() < vars.len() || names.iter().any(|name| reserved.contains(name)) {
        return Err(format!("{vars:?} are not called apart"));
    }
    if movable(&matrix, true) {
        return Err(format!("there is more to split off from {matrix:?}"));
    }
    let mut hides = false;
    Node::Formula(&matrix).visit(&mut |node| {
        if let Node::Formula(inner) = node
            && let FormulaKind::Quantified(_, bound, _) = inner.kind()
        {
            hides |=
                bound.iter().any(|var| names.contains(&var.name) || reserved.contains(&var.name));
        }
    });
    if hides { Err(format!("a binder of {matrix:?} hides a name")) } else { Ok((vars, matrix)) }
}

/// Whether a quantifier of universal force could be moved to the front.
fn movable(formula: &ToyFormula, positive: bool) -> bool {
    match formula.kind() {
        FormulaKind::Not(inner) => movable(inner, !positive),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => {
            parts.iter().any(|part| movable(part, positive))
        }
        FormulaKind::Implies(left, right) => movable(left, !positive) || movable(right, positive),
        FormulaKind::If(_, then, otherwise) => {
            movable(then, positive) || movable(otherwise, positive)
        }
        FormulaKind::Quantified(quantifier, ..) => (*quantifier == Quantifier::Forall) == positive,
        _ => false,
    }
}

fn link(left: &str, right: &str) -> ToyFormula {
    Formula::holds(Symbol::Link, vec![v(left, Sort::Node), v(right, Sort::Node)])
}

fn over(quantifier: Quantifier, name: &str, body: ToyFormula) -> ToyFormula {
    Formula::quantified(quantifier, vec![var(name, Sort::Node)], body)
}

/// The names of the block, and the rest as text.
fn split(formula: &ToyFormula) -> (Vec<String>, String) {
    let (vars, matrix) = split_universal(formula, &BTreeSet::new());
    let names = vars.iter().map(|var| var.name.to_string()).collect();
    (names, rmlcut::logic::print_formula(&toy::Names, &matrix))
}

#[test]
fn no_exists_is_moved_over_a_forall() {
    let inner = over(Quantifier::Forall, "Z", link("Y", "Z"));
    let formula = over(Quantifier::Forall, "X", over(Quantifier::Exists, "Y", inner));
    let expected = "exists Y: node. forall Z: node. link'(Y, Z)";
    assert_eq!(split(&formula), (vec!["X".to_owned()], expected.to_owned()));
}

#[test]
fn what_stands_under_an_equivalence_stays_there() {
    let flag = Formula::holds(Symbol::Flag, Vec::new());
    let formula = Formula::iff(flag, over(Quantifier::Forall, "X", link("X", "X")));
    let expected = "flag <-> forall X: node. link'(X, X)";
    assert_eq!(split(&formula), (Vec::new(), expected.to_owned()));
}

#[test]
fn a_binder_that_stays_does_not_hide_one_that_was_moved() {
    let some = over(Quantifier::Exists, "X", link("X", "X"));
    let all = over(Quantifier::Forall, "X", link("X", "X"));
    let expected = "(exists X_1: node. link'(X_1, X_1)) | link'(X, X)";
    assert_eq!(split(&Formula::or([some, all])), (vec!["X".to_owned()], expected.to_owned()));
}
