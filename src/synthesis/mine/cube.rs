//! Combinations of literals that never occur, and the clauses that say so.

use std::collections::{BTreeMap, BTreeSet};

use crate::logic::{
    Comparison, Formula, FormulaKind, Name, Term, TermKind, Var, substitute_formula,
};
use crate::protocol::{Signature, Sort, StateFormula, StateVar};

use super::atoms::{AtomContext, AtomOperand, Bits, MinedAtom};
use super::language::{ClauseLanguage, letter};
use super::samples::View;
use crate::synthesis::predicate::Predicate;

/// Literals of a context: its skeleton, and some atoms with their truth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LiteralCube<'a> {
    /// The context.
    pub(crate) context: &'a AtomContext,
    /// Which atoms.
    pub(crate) chosen: Bits,
    /// Their truth.
    pub(crate) truth: Bits,
}

impl<'a> LiteralCube<'a> {
    /// The chosen atoms with their truth.
    pub(super) fn literals(&self) -> impl Iterator<Item = (&'a MinedAtom, bool)> + use<'a> {
        let LiteralCube { context, chosen, truth } = *self;
        let atoms = context.atoms.iter().enumerate();
        let atoms = atoms.filter(move |(index, _)| chosen >> index & 1 == 1);
        atoms.map(move |(index, atom)| (atom, truth >> index & 1 == 1))
    }

    /// Its literals about rigid symbols and equality.
    pub(crate) fn rigid_part(&self) -> LiteralCube<'a> {
        LiteralCube { chosen: self.chosen & self.context.rigid, ..*self }
    }

    /// The clause that no variables make all literals true.
    pub(crate) fn clause(
        &self,
        language: &ClauseLanguage<'_>,
        signature: &Signature,
    ) -> StateFormula {
        let vars = placeholders(self.context);
        let mut literals = Vec::new();
        for (predicate, args) in &self.context.skeleton {
            let args = args.iter().map(|arg| AtomOperand::Var(*arg)).collect();
            literals.push(language.literal(&MinedAtom::Holds(*predicate, args), true, &vars));
        }
        for (atom, holds) in self.literals() {
            literals.push(language.literal(atom, holds, &vars));
        }
        closed_clause(signature, literals)
    }
}

/// A cube in the order in which it is looked for: bind, then test what is bound.
pub(crate) struct CubePattern<'a> {
    context: &'a AtomContext,
    skeleton: &'a [(Predicate, Vec<usize>)],
    /// What is tested once so many steps are done: one for each predicate of the skeleton, then one
    /// for each further variable that is used.
    tests: Vec<Vec<(&'a MinedAtom, bool)>>,
    /// The further variables that are used.
    further: Vec<usize>,
}

impl<'a> CubePattern<'a> {
    /// Prepares the search for a cube.
    pub(crate) fn new(cube: LiteralCube<'a>) -> Self {
        CubePattern::of(cube, &cube.context.skeleton)
    }

    /// Prepares the search for the chosen literals alone.
    pub(crate) fn without_skeleton(cube: LiteralCube<'a>) -> Self {
        CubePattern::of(cube, &[])
    }

    /// Prepares the search for a cube that has these predicates instead of its skeleton.
    pub(super) fn of(cube: LiteralCube<'a>, skeleton: &'a [(Predicate, Vec<usize>)]) -> Self {
        let context = cube.context;
        let literals: Vec<(&MinedAtom, bool)> = cube.literals().collect();
        let bound: usize = skeleton.iter().map(|(_, vars)| vars.len()).sum();
        let used: BTreeSet<usize> = literals.iter().flat_map(|(atom, _)| atom.vars()).collect();
        let further: Vec<usize> = used.into_iter().filter(|var| *var >= bound).collect();
        let step = |var: usize| match further.iter().position(|other| *other == var) {
            Some(position) => skeleton.len() + position + 1,
            None => 1 + skeleton.iter().take_while(|(_, vars)| !vars.contains(&var)).count(),
        };
        let mut tests = vec![Vec::new(); skeleton.len() + further.len() + 1];
        for (atom, holds) in literals {
            let last = atom.vars().into_iter().map(step).max().unwrap_or(0);
            tests[last].push((atom, holds));
        }
        CubePattern { context, skeleton, tests, further }
    }

    /// Whether some values of the variables make all literals true.
    pub(crate) fn occurs(&self, view: &View<'_>) -> bool {
        let mut values = vec![0; self.context.vars.len()];
        self.from(view, 0, &mut values)
    }

    fn from(&self, view: &View<'_>, step: usize, values: &mut Vec<i32>) -> bool {
        if self.tests[step].iter().any(|(atom, holds)| atom.holds(view, values) != *holds) {
            return false;
        }
        if let Some((predicate, vars)) = self.skeleton.get(step) {
            return view.tuples(*predicate).any(|tuple| {
                for (var, value) in vars.iter().zip(tuple) {
                    values[*var] = *value;
                }
                self.from(view, step + 1, values)
            });
        }
        match self.further.get(step - self.skeleton.len()) {
            None => true,
            Some(var) => view.range(self.context.vars[*var]).any(|value| {
                values[*var] = value;
                self.from(view, step + 1, values)
            }),
        }
    }
}

/// The variables of a context, before they have names.
pub(super) fn placeholders(context: &AtomContext) -> Vec<StateVar> {
    let vars = context.vars.iter().enumerate();
    vars.map(|(index, sort)| Var::new(format!("?{index}"), *sort)).collect()
}

/// The clause that some literals are never true at once.
pub(super) fn closed_clause(signature: &Signature, literals: Vec<StateFormula>) -> StateFormula {
    name_variables(signature, never(without_equations(literals)))
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
        match literal.kind() {
            FormulaKind::Not(atom) => conclusions.push(atom.clone()),
            _ => premises.push(literal),
        }
    }
    // An order reads better as what follows than as what never is.
    if conclusions.is_empty()
        && let Some(at) = premises.iter().rposition(|premise| reversed(premise).is_some())
    {
        conclusions.extend(reversed(&premises.remove(at)));
    }
    Formula::implies(Formula::and(premises), Formula::or(conclusions))
}

/// `right <= left` for `left < right`, and the other way round.
fn reversed(formula: &StateFormula) -> Option<StateFormula> {
    let FormulaKind::Compare(order, left, right) = formula.kind() else { return None };
    let other = match order {
        Comparison::Less => Comparison::LessEqual,
        Comparison::LessEqual => Comparison::Less,
    };
    Some(Formula::compare(other, right.clone(), left.clone()))
}

/// Closes a formula; variables are called after their sorts, in the order of their occurrence.
fn name_variables(signature: &Signature, matrix: StateFormula) -> StateFormula {
    let free = matrix.free_vars();
    let mut order: Vec<StateVar> = Vec::new();
    crate::logic::Node::Formula(&matrix).visit(&mut |node| {
        if let crate::logic::Node::Term(term) = node
            && let TermKind::Var(var) = term.kind()
            && free.contains(var)
            && !order.contains(var)
        {
            order.push(var.clone());
        }
    });
    let letter = |sort: Sort| letter(signature, sort);
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
