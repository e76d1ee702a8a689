//! What a window of integers stands for: whether they start inside, and what is about all of ℤ.
//!
//! Only those that the axioms or `init` fix start inside. Any other integer may start anywhere in ℤ, so that exploring a window is a bound from the
//! beginning.

use std::collections::BTreeMap;

use super::slice::Slice;
use super::{Claim, Question};
use crate::finite::error::EngineError;
use crate::logic::{FormulaKind, Name, Node, Quantifier, TermKind, Vocabulary, bound_sorts};
use crate::protocol::{
    Action, Protocol, Sort, StateFormula, StateTerm, StateVar, SymbolId, summarize,
};

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

/// What quantifies over the integers, so that no finite range says what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntegerQuantifiers {
    /// The properties that do: the others can be searched for without them.
    pub properties: Vec<Name>,
    /// What else does, in words: nothing can be searched without it.
    pub elsewhere: Option<&'static str>,
}

impl IntegerQuantifiers {
    /// Those of a protocol.
    pub fn of(protocol: &Protocol) -> Self {
        let properties =
            protocol.properties.iter().filter(|own| Claim::from(*own).ranges_over_int());
        IntegerQuantifiers {
            properties: properties.map(|own| own.name.clone()).collect(),
            elsewhere: beside_claims(protocol),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.properties.is_empty() && self.elsewhere.is_none()
    }
}

impl Claim {
    /// Whether it is about all integers.
    pub fn ranges_over_int(&self) -> bool {
        self.vars.iter().any(|var| var.sort == Sort::Int) || ranges(&self.matrix)
    }
}

/// What quantifies over the integers, in words.
pub(crate) fn integer_quantifier(question: &Question<'_>) -> String {
    match question.claims.iter().find(|claim| claim.ranges_over_int()) {
        Some(claim) => format!("[{}]", claim.name),
        None => beside_claims(question.protocol).unwrap_or("an action").to_owned(),
    }
}

fn beside_claims(protocol: &Protocol) -> Option<&'static str> {
    if protocol.axioms.iter().any(|axiom| ranges(&axiom.formula)) {
        Some("an axiom")
    } else if protocol.init.iter().any(|line| ranges(&line.formula)) {
        Some("an `init` line")
    } else if protocol.actions.iter().any(|own| ranges_in_action(protocol, own)) {
        Some("an action")
    } else {
        None
    }
}

fn ranges_in_action(protocol: &Protocol, action: &Action) -> bool {
    let summary = summarize(&protocol.signature, action);
    over_int(Node::Formula(&summary.guard))
        || summary.updates.values().any(|update| over_int(update.body.node()))
}

/// Whether a quantifier of a formula ranges over the integers.
fn ranges(formula: &StateFormula) -> bool {
    over_int(Node::Formula(formula))
}

fn over_int<V: Vocabulary<Sort = Sort>>(node: Node<'_, V>) -> bool {
    bound_sorts(node).contains(&Sort::Int)
}
