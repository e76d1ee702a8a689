//! The premise of a property: what has to hold somewhere for the property to say anything.

use crate::logic::{Formula, FormulaKind, Quantifier};

use super::{Property, StateFormula, StateVar};

impl Property {
    /// The premise, closed: `∃ vars. A` for `∀ vars. A → B`; see [`premise`].
    pub fn premise(&self) -> Option<StateFormula> {
        premise(&self.vars, &self.matrix)
    }
}

/// What has to hold of some elements for `∀ vars. matrix` to say anything, as a closed formula.
///
/// That of `A → B` is `A`, together with that of `B`. A clause with negated and other parts is an
/// implication in disguise: `¬A₁ ∨ ¬A₂ ∨ B` is `A₁ ∧ A₂ → B`. A clause that only denies has no
/// premise: what it denies is the violation itself, which holds nowhere if all is well.
pub fn premise(vars: &[StateVar], matrix: &StateFormula) -> Option<StateFormula> {
    let (mut vars, mut parts) = (vars.to_vec(), Vec::new());
    collect(matrix, &mut vars, &mut parts);
    (!parts.is_empty()).then(|| Formula::exists(vars, Formula::and(parts)))
}

fn collect(formula: &StateFormula, vars: &mut Vec<StateVar>, parts: &mut Vec<StateFormula>) {
    match formula.kind() {
        FormulaKind::Quantified(Quantifier::Forall, bound, body) => {
            vars.extend(bound.iter().cloned());
            collect(body, vars, parts);
        }
        FormulaKind::Implies(condition, conclusion) => {
            parts.push(condition.clone());
            collect(conclusion, vars, parts);
        }
        FormulaKind::Or(disjuncts) => {
            let denied = |part: &StateFormula| match part.kind() {
                FormulaKind::Not(inner) => Some(inner.clone()),
                _ => None,
            };
            let conditions: Vec<StateFormula> = disjuncts.iter().filter_map(denied).collect();
            if conditions.len() < disjuncts.len() {
                parts.extend(conditions);
            }
        }
        FormulaKind::Truth(_)
        | FormulaKind::Holds(..)
        | FormulaKind::Equal(..)
        | FormulaKind::Compare(..)
        | FormulaKind::Not(_)
        | FormulaKind::And(_)
        | FormulaKind::Iff(..)
        | FormulaKind::If(..)
        | FormulaKind::Quantified(Quantifier::Exists, ..) => {}
    }
}
