//! Whether integers start inside the window: only those that the axioms or `init` fix do.
//!
//! Any other integer may start anywhere in ℤ, so that exploring a window is a bound from the
//! beginning.

use std::collections::BTreeMap;

use super::Question;
use super::slice::Slice;
use crate::finite::error::EngineError;
use crate::logic::{FormulaKind, Node, Quantifier, TermKind};
use crate::protocol::{Sort, StateFormula, StateTerm, StateVar, SymbolId};

/// Whether every integer of a slice starts at a fixed place inside the window.
///
/// # Errors
/// When an integer starts outside.
pub(crate) fn starts_inside(question: &Question<'_>, slice: &Slice) -> Result<bool, EngineError> {
    let signature = &question.protocol.signature;
    let kept = slice.state.iter().chain(&slice.rigid);
    let integers: Vec<SymbolId> =
        kept.copied().filter(|id| signature.symbol(*id).result == Some(Sort::Int)).collect();
    let fixed = fixed_integers(question);
    let (low, high) = question.window.unwrap_or((0, -1));
    for symbol in &integers {
        if let Some(value) = fixed.get(symbol).filter(|value| !(low..=high).contains(*value)) {
            let symbol = signature.symbol(*symbol).name.to_string();
            return Err(EngineError::StartsOutside { symbol, value: *value, low, high });
        }
    }
    Ok(integers.iter().all(|symbol| fixed.contains_key(symbol)))
}

/// The symbols that one conjunct of the axioms or of `init` sets to the same integer everywhere.
pub(crate) fn fixed_integers(question: &Question<'_>) -> BTreeMap<SymbolId, i64> {
    let protocol = question.protocol;
    let mut equations = Vec::new();
    for statement in protocol.axioms.iter().chain(&protocol.init) {
        collect(&statement.formula, &mut Vec::new(), &mut equations);
    }
    let mut fixed = BTreeMap::new();
    loop {
        let known = fixed.len();
        for (symbol, term) in &equations {
            if let Some(value) = constant(term, &fixed) {
                fixed.entry(*symbol).or_insert(value);
            }
        }
        if fixed.len() == known {
            return fixed;
        }
    }
}

/// The conjuncts `f(X, Y) = t` with distinct universal variables.
fn collect(
    formula: &StateFormula,
    universal: &mut Vec<StateVar>,
    equations: &mut Vec<(SymbolId, StateTerm)>,
) {
    match formula.kind() {
        FormulaKind::And(parts) => {
            parts.iter().for_each(|part| collect(part, universal, equations));
        }
        FormulaKind::Quantified(Quantifier::Forall, vars, body) => {
            let depth = universal.len();
            universal.extend(vars.iter().cloned());
            collect(body, universal, equations);
            universal.truncate(depth);
        }
        FormulaKind::Equal(left, right) => {
            for (side, other) in [(left, right), (right, left)] {
                equations.extend(defined(side, universal).map(|symbol| (symbol, other.clone())));
            }
        }
        _ => {}
    }
}

/// The symbol that a term applies to distinct universal variables.
fn defined(term: &StateTerm, universal: &[StateVar]) -> Option<SymbolId> {
    let TermKind::Apply(symbol, args, Sort::Int) = term.kind() else { return None };
    let mut seen: Vec<&StateVar> = Vec::new();
    for arg in args {
        let TermKind::Var(var) = arg.kind() else { return None };
        if !universal.contains(var) || seen.contains(&var) {
            return None;
        }
        seen.push(var);
    }
    Some(*symbol)
}

fn constant(term: &StateTerm, fixed: &BTreeMap<SymbolId, i64>) -> Option<i64> {
    match term.kind() {
        TermKind::Integer(value, _) => Some(*value),
        TermKind::Apply(symbol, _, _) => fixed.get(symbol).copied(),
        TermKind::Add(left, right) => constant(left, fixed)?.checked_add(constant(right, fixed)?),
        TermKind::Subtract(left, right) => {
            constant(left, fixed)?.checked_sub(constant(right, fixed)?)
        }
        TermKind::Var(_) | TermKind::Element(..) | TermKind::If(..) => None,
    }
}

/// What quantifies over the integers, in words.
pub(crate) fn integer_quantifier(question: &Question<'_>) -> String {
    let protocol = question.protocol;
    let over = |vars: &[StateVar]| vars.iter().any(|var| var.sort == Sort::Int);
    let claim = question.claims.iter().find(|claim| over(&claim.vars) || ranges(&claim.matrix));
    if let Some(claim) = claim {
        format!("[{}]", claim.name)
    } else if protocol.axioms.iter().any(|axiom| ranges(&axiom.formula)) {
        "an axiom".to_owned()
    } else if protocol.init.iter().any(|line| ranges(&line.formula)) {
        "an `init` line".to_owned()
    } else {
        "an action".to_owned()
    }
}

/// Whether a quantifier of a formula ranges over the integers.
fn ranges(formula: &StateFormula) -> bool {
    let mut found = false;
    Node::Formula(formula).visit(&mut |node| {
        if let Node::Formula(formula) = node
            && let FormulaKind::Quantified(_, vars, _) = formula.kind()
        {
            found |= vars.iter().any(|var| var.sort == Sort::Int);
        }
    });
    found
}
