//! Combinations of literals that never occur, and the clauses that say so.

use std::collections::{BTreeMap, BTreeSet};

use crate::logic::{Formula, FormulaKind, Literal, Name, Term, TermKind, Var, substitute_formula};
use crate::protocol::{Signature, Sort, StateFormula, StateVar};

use super::language::{Atom, Bits, Context, Language, Operand};

/// Literals of a context: its skeleton, and some atoms with their truth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cube<'a> {
    /// The context.
    pub(crate) context: &'a Context,
    /// Which atoms.
    pub(crate) chosen: Bits,
    /// Their truth.
    pub(crate) truth: Bits,
}

impl Cube<'_> {
    /// The clause that no variables make all literals true.
    pub(crate) fn clause(&self, language: &Language<'_>, signature: &Signature) -> StateFormula {
        let vars: Vec<StateVar> = self.context.vars.iter().enumerate().map(placeholder).collect();
        let mut literals = Vec::new();
        for (relation, args) in &self.context.skeleton {
            let args = args.iter().map(|arg| Operand::Var(*arg)).collect();
            literals.push(language.literal(&Atom::Holds(*relation, args), true, &vars));
        }
        for (index, atom) in self.context.atoms.iter().enumerate() {
            if self.chosen >> index & 1 == 1 {
                literals.push(language.literal(atom, self.truth >> index & 1 == 1, &vars));
            }
        }
        let literals = without_equations(literals);
        name_variables(signature, never(literals))
    }
}

fn placeholder((index, sort): (usize, &Sort)) -> StateVar {
    Var::new(format!("?{index}"), *sort)
}

/// Replaces variables by what they are said to be equal to.
fn without_equations(mut literals: Vec<StateFormula>) -> Vec<StateFormula> {
    loop {
        let equation = literals.iter().enumerate().find_map(|(at, literal)| {
            let FormulaKind::Equal(left, right) = literal.kind() else { return None };
            let defined = |var: &_, term: &_| match Term::kind(var) {
                TermKind::Var(var) if !Term::free_vars(term).contains(var) => {
                    Some((at, var.clone(), Term::clone(term)))
                }
                _ => None,
            };
            defined(left, right).or_else(|| defined(right, left))
        });
        let Some((at, var, term)) = equation else { return literals };
        literals.remove(at);
        let bindings = BTreeMap::from([(var, term)]);
        for literal in &mut literals {
            *literal = substitute_formula(literal, &bindings);
        }
    }
}

/// `positive & … -> negative | …`, closed.
fn never(literals: Vec<StateFormula>) -> StateFormula {
    let mut seen = BTreeSet::new();
    let (mut premises, mut conclusions) = (Vec::new(), Vec::new());
    for literal in literals.into_iter().filter(|literal| seen.insert(literal.clone())) {
        match Literal::of(&literal) {
            Literal { positive: true, atom } => premises.push(atom),
            Literal { positive: false, atom } => conclusions.push(atom),
        }
    }
    Formula::implies(Formula::and(premises), Formula::or(conclusions))
}

/// Closes a formula; variables are called after their sorts, in the order of their occurrence.
fn name_variables(signature: &Signature, matrix: StateFormula) -> StateFormula {
    let mut order: Vec<StateVar> = Vec::new();
    crate::logic::Node::Formula(&matrix).visit(&mut |node| {
        if let crate::logic::Node::Term(term) = node
            && let TermKind::Var(var) = term.kind()
            && !order.contains(var)
        {
            order.push(var.clone());
        }
    });
    let letter = |sort: Sort| match sort {
        Sort::Declared(id) => signature.sort_name(id).chars().next().unwrap_or('x'),
        Sort::Int => 'i',
    };
    let letter = |sort: Sort| letter(sort).to_ascii_uppercase();
    let mut bindings = BTreeMap::new();
    let mut named = Vec::new();
    for (at, var) in order.iter().enumerate() {
        let same = |other: &&StateVar| letter(other.sort) == letter(var.sort);
        let name: Name = match order.iter().filter(same).count() {
            1 => letter(var.sort).to_string().into(),
            _ => {
                let number = order[..at].iter().filter(same).count() + 1;
                format!("{}{number}", letter(var.sort)).into()
            }
        };
        let renamed = Var::new(name, var.sort);
        bindings.insert(var.clone(), Term::var(renamed.clone()));
        named.push(renamed);
    }
    Formula::forall(named, substitute_formula(&matrix, &bindings))
}
