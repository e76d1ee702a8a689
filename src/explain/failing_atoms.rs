//! Where a formula fails, and which atoms make it fail there.

use std::collections::BTreeSet;

use crate::certificate::{ProductFormula, ProductSymbol, TwoSystems, print_product_clause};
use crate::logic::{
    Declarations as _, Formula, FormulaKind, Quantifier, Structure, Term, Value, Var,
    VariableAssignment, Vocabulary, evaluate_formula, evaluate_term, print_formula,
    substitute_formula, tuples,
};

use super::completed_model::Scene;
use super::element_names::ElementNames;
use super::missing_witness::Witnesses;
use super::relevance::RelevantEntry;
use super::{Fact, Failing, NamedElement};

/// The elements for which a formula fails: its outermost universal variables with their values.
pub(super) fn failing_instance<V: Vocabulary>(
    structure: &Structure<V>,
    assignment: &VariableAssignment<V>,
    formula: &Formula<V>,
) -> Option<FactInstance<V>> {
    let FormulaKind::Quantified(Quantifier::Forall, vars, body) = formula.kind() else {
        return Some(FactInstance {
            vars: Vec::new(),
            matrix: formula.clone(),
            assignment: assignment.clone(),
        });
    };
    let extents = vars.iter().map(|var| structure.extent(var.sort)).collect::<Option<Vec<_>>>()?;
    tuples(&extents).find_map(|tuple| {
        let mut inner = assignment.clone();
        inner.extend(vars.iter().cloned().zip(tuple));
        let fails = evaluate_formula(structure, &inner, body) == Ok(false);
        fails.then(|| FactInstance { vars: vars.clone(), matrix: body.clone(), assignment: inner })
    })
}

/// A formula at some values of its outermost universal variables.
pub(super) struct FactInstance<V: Vocabulary> {
    pub(super) vars: Vec<Var<V>>,
    pub(super) matrix: Formula<V>,
    pub(super) assignment: VariableAssignment<V>,
}

/// An atom of the product with its arguments' values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FactAtom {
    pub(super) symbol: ProductSymbol,
    pub(super) args: Vec<Value>,
    pub(super) holds: bool,
}

/// The relational atoms of a formula, each once, with their truth.
pub(super) fn atoms(scene: &Scene<'_>, instance: &FactInstance<TwoSystems>) -> Vec<FactAtom> {
    let mut found: Vec<FactAtom> = Vec::new();
    leaves(&instance.matrix, &mut |leaf| {
        let FormulaKind::Holds(symbol, args) = leaf.kind() else { return };
        let value = |arg: &Term<TwoSystems>| {
            evaluate_term(&scene.structure, &instance.assignment, arg).ok()
        };
        let Some(args) = args.iter().map(value).collect::<Option<Vec<_>>>() else { return };
        let holds = scene.structure.tables.get(symbol).and_then(|table| table.get(&args));
        let atom = FactAtom { symbol: *symbol, args, holds: holds == Some(Value::Bool(true)) };
        if !found.contains(&atom) {
            found.push(atom);
        }
    });
    found
}

/// The parts of a formula that connectives do not divide any further.
pub(super) fn leaves<V: Vocabulary>(formula: &Formula<V>, visit: &mut dyn FnMut(&Formula<V>)) {
    match formula.kind() {
        FormulaKind::Not(inner) => leaves(inner, visit),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => {
            parts.iter().for_each(|part| leaves(part, visit));
        }
        FormulaKind::Implies(left, right) | FormulaKind::Iff(left, right) => {
            leaves(left, visit);
            leaves(right, visit);
        }
        FormulaKind::If(condition, then, otherwise) => {
            leaves(condition, visit);
            leaves(then, visit);
            leaves(otherwise, visit);
        }
        FormulaKind::Truth(_)
        | FormulaKind::Holds(..)
        | FormulaKind::Equal(..)
        | FormulaKind::Compare(..)
        | FormulaKind::Quantified(..) => visit(formula),
    }
}

/// A formula of the product that fails, in words.
pub(super) fn failing(
    scene: &Scene<'_>,
    elements: &ElementNames<'_>,
    what: String,
    formula: &ProductFormula,
) -> Failing {
    let text = print_product_clause(scene.names, formula);
    let found = failing_instance(&scene.structure, &scene.assignment, formula);
    let Some(instance) = found else {
        let (at, facts, missing) = (Vec::new(), Vec::new(), Vec::new());
        return Failing { what, formula: text, at, facts, missing };
    };
    let at = instance.vars.iter().filter_map(|var| {
        let value = instance.assignment.get(var)?;
        let value = elements.name(var.sort, *value);
        Some(NamedElement { name: var.name.to_string(), value })
    });
    let witnesses = Witnesses {
        structure: &scene.structure,
        names: scene.names,
        element: &|sort, value| elements.name(sort, value),
    };
    Failing {
        what,
        formula: text,
        at: at.collect(),
        facts: leaf_facts(scene, elements, &instance),
        missing: witnesses.missing(&instance.assignment, &instance.matrix),
    }
}

/// Every leaf of an instance with its truth, in words.
fn leaf_facts(
    scene: &Scene<'_>,
    elements: &ElementNames<'_>,
    instance: &FactInstance<TwoSystems>,
) -> Vec<Fact> {
    let mut facts: Vec<Fact> = Vec::new();
    let mut add = |text: String, holds: bool| {
        let fact = Fact { text, holds };
        if !facts.contains(&fact) {
            facts.push(fact);
        }
    };
    leaves(&instance.matrix, &mut |leaf| {
        let truth = evaluate_formula(&scene.structure, &instance.assignment, leaf);
        let Ok(holds) = truth else { return };
        let value = |term: &Term<TwoSystems>| {
            let value = evaluate_term(&scene.structure, &instance.assignment, term).ok()?;
            Some((value, elements.name(term.sort(), value)))
        };
        match leaf.kind() {
            FormulaKind::Holds(symbol, args) => {
                let args: Option<Vec<Value>> =
                    args.iter().map(|arg| value(arg).map(|(value, _)| value)).collect();
                if let Some(args) = args {
                    add(elements.applied(*symbol, &args), holds);
                }
            }
            FormulaKind::Equal(left, right) if !holds => {
                if let (Some((_, left)), Some((_, right))) = (value(left), value(right)) {
                    add(format!("{left} = {right}"), holds);
                }
            }
            // Of an `exists` without a witness there is more to say.
            FormulaKind::Quantified(Quantifier::Exists, ..) if !holds => {}
            FormulaKind::Equal(..) | FormulaKind::Quantified(..) | FormulaKind::Compare(..) => {
                let named = named(elements, &instance.assignment, leaf);
                if !matches!(named.kind(), FormulaKind::Truth(_)) {
                    add(print_formula(scene.names, &named), holds);
                }
            }
            _ => {}
        }
    });
    facts
}

/// A formula in which the names of elements stand for the variables.
fn named(
    elements: &ElementNames<'_>,
    assignment: &VariableAssignment<TwoSystems>,
    formula: &ProductFormula,
) -> ProductFormula {
    let known = assignment.iter().map(|(var, value)| {
        let element = Var::new(elements.name(var.sort, *value), var.sort);
        (var.clone(), Term::var(element))
    });
    substitute_formula(formula, &known.collect())
}

/// Everything that holds of some symbols, but for what is hidden.
pub(super) fn state(
    scene: &Scene<'_>,
    elements: &ElementNames<'_>,
    symbols: impl Iterator<Item = ProductSymbol>,
    hidden: &BTreeSet<RelevantEntry>,
) -> Vec<String> {
    let mut facts = Vec::new();
    for symbol in symbols {
        let Some(table) = scene.structure.tables.get(&symbol) else { continue };
        for (args, value) in table.entries() {
            let fact = elements.fact(symbol, &args, value);
            facts.extend(fact.filter(|_| !hidden.contains(&(symbol, args))));
        }
    }
    facts
}

/// What differs between two scenes, with `+` and `-`.
pub(super) fn changes(
    before: &Scene<'_>,
    after: &Scene<'_>,
    elements: &ElementNames<'_>,
    symbols: impl Iterator<Item = ProductSymbol>,
) -> Vec<String> {
    let mut changes = Vec::new();
    for symbol in symbols {
        let tables = (before.structure.tables.get(&symbol), after.structure.tables.get(&symbol));
        let (Some(old), Some(new)) = tables else { continue };
        for ((args, from), (_, to)) in old.entries().zip(new.entries()) {
            if from == to {
                continue;
            }
            let is_relation = before.names.symbol(symbol).rank.result.is_none();
            changes.push(match (is_relation, to) {
                (true, Value::Bool(true)) => format!("+ {}", elements.applied(symbol, &args)),
                (true, _) => format!("- {}", elements.applied(symbol, &args)),
                (false, _) => match elements.fact(symbol, &args, to) {
                    Some(fact) => format!("+ {fact}"),
                    None => continue,
                },
            });
        }
    }
    changes
}
