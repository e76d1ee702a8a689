//! A violated `exists`, in words: no element qualifies, and how near the best one came.

use crate::logic::{
    Declarations, Formula, FormulaKind, Quantifier, Structure, Term, Value, Var,
    VariableAssignment, Vocabulary, evaluate_formula, print_formula, print_vars,
    substitute_formula, tuple_count, tuples,
};

/// So many combinations of elements are compared at most.
const MOST_COMBINATIONS: usize = 100_000;

/// A state, and how to speak of it.
pub struct Witnesses<'a, V: Vocabulary> {
    /// The state.
    pub structure: &'a Structure<V>,
    /// The names of sorts and symbols.
    pub names: &'a dyn Declarations<V>,
    /// The names of elements.
    pub element: &'a dyn Fn(V::Sort, Value) -> String,
}

impl<V: Vocabulary> Witnesses<'_, V> {
    /// One sentence for every `exists` that makes a false formula false.
    pub fn missing(&self, assignment: &VariableAssignment<V>, formula: &Formula<V>) -> Vec<String> {
        let mut found = Vec::new();
        self.visit(assignment, formula, true, &mut found);
        found
    }

    /// Looks for the reasons why a formula does not have the wanted truth.
    fn visit(
        &self,
        assignment: &VariableAssignment<V>,
        formula: &Formula<V>,
        wanted: bool,
        found: &mut Vec<String>,
    ) {
        if evaluate_formula(self.structure, assignment, formula) != Ok(!wanted) {
            return;
        }
        let mut each = |parts: &[(&Formula<V>, bool)]| {
            parts.iter().for_each(|(part, wanted)| self.visit(assignment, part, *wanted, found));
        };
        match formula.kind() {
            FormulaKind::Not(inner) => each(&[(inner, !wanted)]),
            FormulaKind::And(parts) | FormulaKind::Or(parts) => {
                parts.iter().for_each(|part| self.visit(assignment, part, wanted, found));
            }
            FormulaKind::Implies(premise, conclusion) => {
                each(&[(premise, !wanted), (conclusion, wanted)]);
            }
            FormulaKind::Iff(left, right) if wanted => each(&[(left, true), (right, true)]),
            FormulaKind::If(condition, then, otherwise) => {
                let holds = evaluate_formula(self.structure, assignment, condition) == Ok(true);
                each(&[(if holds { then } else { otherwise }, wanted)]);
            }
            FormulaKind::Quantified(Quantifier::Exists, vars, body) if wanted => {
                found.extend(self.sentence(assignment, vars, body));
            }
            FormulaKind::Truth(_)
            | FormulaKind::Holds(..)
            | FormulaKind::Equal(..)
            | FormulaKind::Compare(..)
            | FormulaKind::Iff(..)
            | FormulaKind::Quantified(..) => {}
        }
    }

    fn sentence(
        &self,
        assignment: &VariableAssignment<V>,
        vars: &[Var<V>],
        body: &Formula<V>,
    ) -> Option<String> {
        let extents = vars.iter().map(|var| self.structure.extent(var.sort));
        let extents = extents.collect::<Option<Vec<_>>>()?;
        if tuple_count(&extents) > MOST_COMBINATIONS {
            return None;
        }
        let parts = body.conjuncts();
        let fails = |inner: &VariableAssignment<V>| -> Vec<&Formula<V>> {
            let holds = |part: &Formula<V>| evaluate_formula(self.structure, inner, part);
            parts.iter().filter(|part| holds(part) != Ok(true)).collect()
        };
        let mut nearest: Option<(VariableAssignment<V>, Vec<&Formula<V>>)> = None;
        for tuple in tuples(&extents) {
            let mut inner = assignment.clone();
            inner.extend(vars.iter().cloned().zip(tuple));
            let failing = fails(&inner);
            if nearest.as_ref().is_none_or(|(_, known)| failing.len() < known.len()) {
                nearest = Some((inner, failing));
            }
        }
        let (inner, failing) = nearest?;
        let at = vars.iter().filter_map(|var| {
            let value = inner.get(var)?;
            Some(format!("{} = {}", var.name, (self.element)(var.sort, *value)))
        });
        let at = at.collect::<Vec<_>>().join(", ");
        let failing = failing.into_iter().map(|part| format!("`{}`", self.print(&inner, part)));
        let failing = failing.collect::<Vec<_>>();
        let verb = if failing.len() == 1 { "fails" } else { "fail" };
        Some(format!(
            "no {} satisfies `{}`; nearest: {at}, where {} {verb}",
            print_vars(self.names, vars),
            self.print(assignment, body),
            failing.join(" and "),
        ))
    }

    /// A formula with the names of elements for its variables.
    fn print(&self, assignment: &VariableAssignment<V>, formula: &Formula<V>) -> String {
        let named = assignment.iter().map(|(var, value)| {
            (var.clone(), Term::var(Var::new((self.element)(var.sort, *value), var.sort)))
        });
        print_formula(self.names, &substitute_formula(formula, &named.collect()))
    }
}
