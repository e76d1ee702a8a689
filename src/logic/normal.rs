//! Universal formulas with their quantifiers in front.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Formula, FormulaKind, Name, Node, Polarity, Quantifier, Term, Var, Vocabulary, fresh_name,
    substitute_formula, variable_names,
};

/// A universal formula as `∀ vars. matrix`, the matrix without quantifiers.
///
/// `None` if a quantifier of existential force occurs, counting one whose polarity is both (under
/// `<->` or in the condition of an `if`).
pub fn prenex_universal<V: Vocabulary>(formula: &Formula<V>) -> Option<(Vec<Var<V>>, Formula<V>)> {
    let taken = formula.free_vars().into_iter().map(|var| var.name).collect();
    let mut prenex = Prenex { vars: Vec::new(), taken, universal: true };
    let matrix = prenex.formula(formula, Polarity::Positive);
    prenex.universal.then_some((prenex.vars, matrix))
}

struct Prenex<V: Vocabulary> {
    vars: Vec<Var<V>>,
    taken: BTreeSet<Name>,
    universal: bool,
}

impl<V: Vocabulary> Prenex<V> {
    fn formula(&mut self, formula: &Formula<V>, polarity: Polarity) -> Formula<V> {
        match formula.kind() {
            FormulaKind::Truth(_) => formula.clone(),
            FormulaKind::Holds(..) | FormulaKind::Equal(..) | FormulaKind::Compare(..) => {
                self.atom(formula)
            }
            FormulaKind::Not(inner) => self.formula(inner, polarity.flip()).negate(),
            FormulaKind::And(parts) => Formula::and(self.all(parts, polarity)),
            FormulaKind::Or(parts) => Formula::or(self.all(parts, polarity)),
            FormulaKind::Implies(premise, conclusion) => Formula::implies(
                self.formula(premise, polarity.flip()),
                self.formula(conclusion, polarity),
            ),
            FormulaKind::Iff(left, right) => Formula::iff(
                self.formula(left, Polarity::Both),
                self.formula(right, Polarity::Both),
            ),
            FormulaKind::If(condition, then, otherwise) => Formula::if_then_else(
                self.formula(condition, Polarity::Both),
                self.formula(then, polarity),
                self.formula(otherwise, polarity),
            ),
            FormulaKind::Quantified(quantifier, vars, body) => {
                self.quantified(*quantifier, vars, body, polarity)
            }
        }
    }

    /// Atoms may hide quantifiers in the conditions of their terms: those have both polarities.
    fn atom(&mut self, formula: &Formula<V>) -> Formula<V> {
        Node::Formula(formula).visit(&mut |node| {
            if let Node::Formula(inner) = node
                && matches!(inner.kind(), FormulaKind::Quantified(..))
            {
                self.universal = false;
            }
        });
        formula.clone()
    }

    fn all(&mut self, parts: &[Formula<V>], polarity: Polarity) -> Vec<Formula<V>> {
        parts.iter().map(|part| self.formula(part, polarity)).collect()
    }

    fn quantified(
        &mut self,
        quantifier: Quantifier,
        vars: &[Var<V>],
        body: &Formula<V>,
        polarity: Polarity,
    ) -> Formula<V> {
        let force = match polarity {
            Polarity::Positive => quantifier,
            Polarity::Negative => quantifier.dual(),
            Polarity::Both => Quantifier::Exists,
        };
        if force == Quantifier::Exists {
            self.universal = false;
        }
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
        self.formula(&body, polarity)
    }
}
