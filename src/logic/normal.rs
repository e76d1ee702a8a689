//! The outermost universal block of a formula, split off; nothing else about it changes.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Formula, FormulaKind, Name, Node, Quantifier, Term, Var, Vocabulary, fresh_name,
    substitute_apart, substitute_formula, variable_names,
};

/// A formula as `∀ vars. matrix`, with every quantifier of universal force in front that stands
/// below no quantifier of existential force, under no `<->` and in no condition.
///
/// An `exists` is never moved over a `forall` and never replaced by a function: its witness may
/// change from state to state. Variables of `vars`, and binders that remain in the matrix, get
/// names that are neither `reserved` nor free in the formula and that hide no other.
pub fn split_universal<V: Vocabulary>(
    formula: &Formula<V>,
    reserved: &BTreeSet<Name>,
) -> (Vec<Var<V>>, Formula<V>) {
    let mut taken = reserved.clone();
    taken.extend(formula.free_vars().into_iter().map(|var| var.name));
    let mut splitter = Splitter { vars: Vec::new(), taken };
    let matrix = splitter.formula(formula, true);
    let Splitter { vars, taken } = splitter;
    (vars, substitute_apart(&matrix, BTreeMap::new(), &taken))
}

struct Splitter<V: Vocabulary> {
    vars: Vec<Var<V>>,
    taken: BTreeSet<Name>,
}

impl<V: Vocabulary> Splitter<V> {
    /// `positive` unless the formula stands under an odd number of negations.
    fn formula(&mut self, formula: &Formula<V>, positive: bool) -> Formula<V> {
        match formula.kind() {
            FormulaKind::Not(inner) => self.formula(inner, !positive).negate(),
            FormulaKind::And(parts) => Formula::and(self.all(parts, positive)),
            FormulaKind::Or(parts) => Formula::or(self.all(parts, positive)),
            FormulaKind::Implies(premise, conclusion) => Formula::implies(
                self.formula(premise, !positive),
                self.formula(conclusion, positive),
            ),
            // A condition has both forces: what it binds stays where it is.
            FormulaKind::If(condition, then, otherwise) => Formula::if_then_else(
                condition.clone(),
                self.formula(then, positive),
                self.formula(otherwise, positive),
            ),
            FormulaKind::Quantified(quantifier, vars, body) => {
                let is_universal = (*quantifier == Quantifier::Forall) == positive;
                if is_universal { self.pulled(vars, body, positive) } else { formula.clone() }
            }
            // The sides of an equivalence have both forces, and so have conditions inside terms.
            FormulaKind::Iff(..)
            | FormulaKind::Truth(_)
            | FormulaKind::Holds(..)
            | FormulaKind::Equal(..)
            | FormulaKind::Compare(..) => formula.clone(),
        }
    }

    fn all(&mut self, parts: &[Formula<V>], positive: bool) -> Vec<Formula<V>> {
        parts.iter().map(|part| self.formula(part, positive)).collect()
    }

    /// Moves the variables to the front, under names of their own.
    fn pulled(&mut self, vars: &[Var<V>], body: &Formula<V>, positive: bool) -> Formula<V> {
        let inside = variable_names(Node::Formula(body));
        let mut bindings = BTreeMap::new();
        for var in vars {
            let name = fresh_name(&var.name, |name| {
                self.taken.contains(name) || (*name != var.name && inside.contains(name))
            });
            self.taken.insert(name.clone());
            let renamed = Var::new(name, var.sort);
            bindings.insert(var.clone(), Term::var(renamed.clone()));
            self.vars.push(renamed);
        }
        let body = substitute_formula(body, &bindings);
        self.formula(&body, positive)
    }
}
