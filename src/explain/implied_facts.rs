//! Facts that need not be shown: those of rigid relations that follow from the others by the
//! axioms, such as that an order is reflexive.

use std::collections::BTreeSet;

use crate::logic::{
    FormulaKind, Quantifier, Term, Value, Var, VariableAssignment, evaluate_formula, evaluate_term,
    tuples,
};
use crate::protocol::{OneState, Protocol, Rigidity, State, StateFormula, SymbolId};

/// A true entry of a relation.
pub(super) type RigidFact = (SymbolId, Vec<Value>);

/// With more facts than this, all are shown.
const MAX_FACTS: usize = 64;

/// More instances of axioms than this are not looked at.
const MAX_INSTANCES: usize = 4_000;

/// The facts of rigid relations in a state that follow from those that remain.
pub(super) fn forced(protocol: &Protocol, state: &State) -> BTreeSet<RigidFact> {
    let facts = facts(protocol, state);
    let Some(instances) = instances(protocol, state) else { return BTreeSet::new() };
    if facts.len() > MAX_FACTS {
        return BTreeSet::new();
    }
    let deduction = Deduction { state, facts: &facts, instances: &instances };
    let mut shown: BTreeSet<RigidFact> = facts.iter().cloned().collect();
    let mut hidden = BTreeSet::new();
    for fact in &facts {
        shown.remove(fact);
        if deduction.follows(&shown, fact) {
            hidden.insert(fact.clone());
        } else {
            shown.insert(fact.clone());
        }
    }
    hidden
}

fn facts(protocol: &Protocol, state: &State) -> Vec<RigidFact> {
    let mut facts = Vec::new();
    for (symbol, declared) in protocol.signature.symbols() {
        let table = state.tables.get(&symbol).filter(|_| declared.rigidity == Rigidity::Rigid);
        for (args, value) in table.into_iter().flat_map(|table| table.entries()) {
            if value == Value::Bool(true) {
                facts.push((symbol, args));
            }
        }
    }
    facts
}

/// An axiom at some elements.
type AxiomInstance = (StateFormula, VariableAssignment<OneState>);

/// Every axiom at all elements of its outermost variables; `None` if these are too many.
fn instances(protocol: &Protocol, state: &State) -> Option<Vec<AxiomInstance>> {
    let mut all = Vec::new();
    for axiom in &protocol.axioms {
        let (vars, matrix): (&[Var<OneState>], _) = match axiom.formula.kind() {
            FormulaKind::Quantified(Quantifier::Forall, vars, matrix) => (vars, matrix.clone()),
            _ => (&[], axiom.formula.clone()),
        };
        let extents = vars.iter().map(|var| state.extent(var.sort)).collect::<Option<Vec<_>>>()?;
        let count = extents.iter().try_fold(1_usize, |all, own| all.checked_mul(own.len()))?;
        if all.len().checked_add(count)? > MAX_INSTANCES {
            return None;
        }
        for tuple in tuples(&extents) {
            let assignment = vars.iter().cloned().zip(tuple).collect();
            all.push((matrix.clone(), assignment));
        }
    }
    Some(all)
}

struct Deduction<'a> {
    state: &'a State,
    facts: &'a [RigidFact],
    instances: &'a [AxiomInstance],
}

impl Deduction<'_> {
    /// Whether a fact follows from some others, one axiom at a time.
    fn follows(&self, known: &BTreeSet<RigidFact>, wanted: &RigidFact) -> bool {
        let mut known = known.clone();
        loop {
            if self.is_next(&known, wanted) {
                return true;
            }
            let open = self.facts.iter().filter(|fact| !known.contains(*fact));
            let next: Vec<RigidFact> =
                open.filter(|fact| self.is_next(&known, fact)).cloned().collect();
            if next.is_empty() {
                return false;
            }
            known.extend(next);
        }
    }

    /// Whether an axiom is certainly false without a fact.
    fn is_next(&self, known: &BTreeSet<RigidFact>, fact: &RigidFact) -> bool {
        let without = Without { state: self.state, known, fact };
        let mut instances = self.instances.iter();
        instances.any(|(matrix, assignment)| without.truth(matrix, assignment) == Some(false))
    }
}

/// What is known of the rigid relations: some facts, and that one fact is none.
struct Without<'a> {
    state: &'a State,
    known: &'a BTreeSet<RigidFact>,
    fact: &'a RigidFact,
}

impl Without<'_> {
    /// The truth of a formula, where what is known decides it.
    fn truth(
        &self,
        formula: &StateFormula,
        assignment: &VariableAssignment<OneState>,
    ) -> Option<bool> {
        let part = |part: &StateFormula| self.truth(part, assignment);
        match formula.kind() {
            FormulaKind::Truth(value) => Some(*value),
            FormulaKind::Holds(symbol, args) => self.holds(*symbol, args, assignment),
            FormulaKind::Equal(..) | FormulaKind::Compare(..) => {
                evaluate_formula(self.state, assignment, formula).ok()
            }
            FormulaKind::Not(inner) => part(inner).map(|truth| !truth),
            FormulaKind::And(parts) => all(parts.iter().map(part)),
            FormulaKind::Or(parts) => any(parts.iter().map(part)),
            FormulaKind::Implies(left, right) => {
                any([part(left).map(|truth| !truth), part(right)].into_iter())
            }
            FormulaKind::Iff(left, right) => Some(part(left)? == part(right)?),
            FormulaKind::If(condition, then, otherwise) => {
                if part(condition)? {
                    part(then)
                } else {
                    part(otherwise)
                }
            }
            FormulaKind::Quantified(quantifier, vars, body) => {
                let extents = vars.iter().map(|var| self.state.extent(var.sort));
                let extents = extents.collect::<Option<Vec<_>>>()?;
                let parts = tuples(&extents).map(|tuple| {
                    let mut inner = assignment.clone();
                    inner.extend(vars.iter().cloned().zip(tuple));
                    self.truth(body, &inner)
                });
                match quantifier {
                    Quantifier::Forall => all(parts),
                    Quantifier::Exists => any(parts),
                }
            }
        }
    }

    fn holds(
        &self,
        symbol: SymbolId,
        args: &[Term<OneState>],
        assignment: &VariableAssignment<OneState>,
    ) -> Option<bool> {
        let value = |arg| evaluate_term(self.state, assignment, arg).ok();
        let args = args.iter().map(value).collect::<Option<Vec<Value>>>()?;
        let fact = (symbol, args);
        if fact == *self.fact {
            return Some(false);
        }
        self.known.contains(&fact).then_some(true)
    }
}

/// A conjunction of which parts may be unknown.
fn all(mut parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut sum = Some(true);
    let is_false = parts.any(|part| {
        sum = sum.filter(|_| part.is_some());
        part == Some(false)
    });
    if is_false { Some(false) } else { sum }
}

/// A disjunction of which parts may be unknown.
fn any(parts: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    all(parts.map(|part| part.map(|truth| !truth))).map(|truth| !truth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::read_protocol;
    use crate::protocol::{Size, blank_state, extents};
    use crate::source::SourceFile;

    /// The facts that are shown of a state with these pairs in its only relation.
    fn shown(axioms: &str, size: u32, pairs: &[(u32, u32)]) -> Vec<(u32, u32)> {
        let text =
            format!("sort t\nrigid relation le(t, t)\nvariable x: t\n{axioms}\nsafety x = x\n");
        let source = SourceFile::new("test.rml", text);
        let (protocol, _) = read_protocol(&source).expect("the protocol is right");
        let sizes: Size = protocol.signature.sized_sorts().map(|sort| (sort, size)).collect();
        let mut state =
            blank_state(&protocol.signature, &extents(&protocol.signature, &sizes, None));
        let (le, _) = protocol.signature.symbols().next().expect("there is a relation");
        let table = state.tables.get_mut(&le).expect("it has a table");
        for (one, other) in pairs {
            table.set(&[Value::Element(*one), Value::Element(*other)], Value::Bool(true));
        }
        let hidden = forced(&protocol, &state);
        let is_told = |(one, other): &&(u32, u32)| {
            !hidden.contains(&(le, vec![Value::Element(*one), Value::Element(*other)]))
        };
        pairs.iter().filter(is_told).copied().collect()
    }

    const ORDER: &str = "axiom le(X, Y) | le(Y, X)\naxiom le(X, Y) & le(Y, X) -> X = Y\n\
        axiom le(X, Y) & le(Y, Z) -> le(X, Z)";

    #[test]
    fn of_an_order_only_neighbours_are_shown() {
        let pairs = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)];
        assert_eq!(shown(ORDER, 3, &pairs), [(0, 1), (1, 2)]);
        assert_eq!(shown("", 3, &pairs), pairs);
    }

    #[test]
    fn what_is_hidden_follows_from_what_is_shown() {
        let symmetric = "axiom le(X, Y) -> le(Y, X)\naxiom exists X, Y. le(X, Y)";
        assert_eq!(shown(symmetric, 2, &[(0, 1), (1, 0)]), [(1, 0)]);
        assert_eq!(shown(symmetric, 2, &[(0, 0)]), [(0, 0)]);
    }
}
