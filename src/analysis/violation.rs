//! `S_init` of the paper (§5.3): the negated property, with one element for each of its variables.

use crate::analysis::polarity::Polarity;
use crate::logic::{Formula, FormulaKind};
use crate::protocol::{Property, Rigidity, Signature, StateFormula, StateVar, SymbolId};

use super::atom::{NeededClause, Violator};
use super::atoms_read::read_by_formula;
use super::scoped_names::Violators;

/// How a property is violated: by which elements, and what holds of them then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NegatedProperty {
    /// The elements that take part, called like the property's variables.
    pub violators: Vec<StateVar>,
    /// Which violator each of the property's variables is, in the order of the property.
    pub of_vars: Vec<(StateVar, Violator)>,
    /// What holds of them: the negation of the property's matrix, in the property's variables.
    pub formula: StateFormula,
    /// The conjuncts of `formula` that never change: over violators and rigid symbols only.
    pub rigid: Vec<StateFormula>,
    /// The mutable atoms of `formula`: the clauses that the analysis starts from.
    pub clauses: Vec<NeededClause>,
}

/// Which variables of a property stand for the same element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ViolationShape<'a> {
    /// All are different elements.
    Distinct,
    /// The two variables of each pair are one element.
    Coinciding(&'a [(StateVar, StateVar)]),
}

/// The violation of a property by elements of the given shape.
pub fn violation(
    signature: &Signature,
    property: &Property,
    shape: &ViolationShape<'_>,
) -> NegatedProperty {
    let (violators, of_vars) = violators(property, shape);
    let is_rigid = |id: &SymbolId| signature.symbol(*id).rigidity == Rigidity::Rigid;
    let conjuncts = conjuncts_of_negation(&property.matrix);
    let formula = Formula::and(conjuncts.clone());
    let rigid = conjuncts.into_iter().filter(|part| part.symbols().iter().all(is_rigid)).collect();
    let names = Violators { signature, vars: &of_vars };
    let clauses = read_by_formula(&names, &property.matrix, Polarity::Negative);
    NegatedProperty { clauses, violators, of_vars, formula, rigid }
}

/// One violator for each class of coinciding variables, named after the first of the class.
fn violators(
    property: &Property,
    shape: &ViolationShape<'_>,
) -> (Vec<StateVar>, Vec<(StateVar, Violator)>) {
    let mut class: Vec<usize> = (0..property.vars.len()).collect();
    if let ViolationShape::Coinciding(pairs) = shape {
        for (one, two) in *pairs {
            let position = |var| property.vars.iter().position(|own| own == var);
            if let (Some(one), Some(two)) = (position(one), position(two)) {
                let (keep, drop) = (class[one].min(class[two]), class[one].max(class[two]));
                class.iter_mut().filter(|of| **of == drop).for_each(|of| *of = keep);
            }
        }
    }
    let mut firsts = class.clone();
    firsts.sort_unstable();
    firsts.dedup();
    let of_vars = property.vars.iter().zip(&class).map(|(var, of)| {
        let position = firsts.iter().position(|first| first == of);
        (var.clone(), Violator(position.expect("every class has a first variable")))
    });
    let of_vars = of_vars.collect();
    (firsts.into_iter().map(|first| property.vars[first].clone()).collect(), of_vars)
}

/// The conjuncts of a negated matrix, with negation pushed through `->`, `|` and `~`.
fn conjuncts_of_negation(matrix: &StateFormula) -> Vec<StateFormula> {
    match matrix.kind() {
        FormulaKind::Implies(premise, conclusion) => {
            let mut parts = premise.conjuncts();
            parts.extend(conjuncts_of_negation(conclusion));
            parts
        }
        FormulaKind::Or(parts) => parts.iter().flat_map(conjuncts_of_negation).collect(),
        FormulaKind::Not(inner) => inner.conjuncts(),
        _ => Formula::conjuncts(&matrix.negate()),
    }
}
