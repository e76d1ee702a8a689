//! What guards and properties say about the existence of something, as atoms for clauses.
//!
//! A node that has joined a later round votes no more: the guard that says so is the predicate that
//! an invariant speaks of, and no symbol of the protocol need record it. What a property promises to
//! exist has often existed since long before, and an invariant says so in the same words.

use crate::logic::{Formula, FormulaKind, Node, Quantifier, Term, TermKind};
use crate::protocol::{Command, Protocol, Rigidity, Sort, StateFormula, StateTerm, StateVar};
use crate::synthesis::predicate::Predicate;

use super::atoms::{AtomOperand, MinedAtom};

/// The most literals, and the most free variables, of such an atom.
const MAX_LITERALS: usize = 2;
const MAX_PARAMS: usize = 2;

/// The most literals about what a property promises.
const MAX_PROMISED: usize = 4;

/// Some element of a sort has a few literals; its number is that of the parameters.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GuardAtom {
    pub(super) params: Vec<Sort>,
    pub(super) sort: Sort,
    pub(super) literals: Vec<Literal>,
}

/// An atom and whether it holds.
pub(super) type Literal = (MinedAtom, bool);

impl GuardAtom {
    /// The atom about some variables of a context; its own element is the variable `witness`.
    pub(super) fn at(&self, args: &[usize], witness: usize) -> MinedAtom {
        let renaming = Renaming { args, witness };
        MinedAtom::Exists(witness, self.sort, renaming.literals(&self.literals))
    }
}

/// The variables of a context in the place of the parameters of an atom; those after the parameters
/// come after those of the context.
struct Renaming<'a> {
    args: &'a [usize],
    witness: usize,
}

impl Renaming<'_> {
    fn var(&self, var: usize) -> usize {
        let beyond = |var: usize| self.witness + var - self.args.len();
        self.args.get(var).copied().unwrap_or_else(|| beyond(var))
    }

    fn operand(&self, operand: &AtomOperand) -> AtomOperand {
        match operand {
            AtomOperand::Var(var) => AtomOperand::Var(self.var(*var)),
            other => other.clone(),
        }
    }

    fn literals(&self, literals: &[Literal]) -> Vec<Literal> {
        let renamed = literals.iter().map(|(atom, holds)| {
            let atom = match atom {
                MinedAtom::Holds(own, args) => {
                    MinedAtom::Holds(*own, args.iter().map(|arg| self.operand(arg)).collect())
                }
                MinedAtom::Equal(left, right) => {
                    MinedAtom::Equal(self.operand(left), self.operand(right))
                }
                MinedAtom::AtMost(left, right, offset) => {
                    MinedAtom::AtMost(self.operand(left), self.operand(right), *offset)
                }
                MinedAtom::Exists(own, sort, inner) => {
                    MinedAtom::Exists(self.var(*own), *sort, self.literals(inner))
                }
            };
            (atom, *holds)
        });
        renamed.collect()
    }
}

/// The atoms in the guards of a protocol that compare something that changes with something that
/// does not.
pub(super) fn guard_atoms(protocol: &Protocol) -> Vec<GuardAtom> {
    let mut found = Vec::new();
    let mut pending: Vec<&Command> = protocol.actions.iter().flat_map(|own| &own.body).collect();
    while let Some(command) = pending.pop() {
        let guard = match command {
            Command::Require(guard, _) => guard,
            Command::If(guard, yes, no, _) => {
                pending.extend(yes.iter().chain(no));
                guard
            }
            Command::Assign(_) | Command::Together(..) | Command::Relate(..) => continue,
        };
        Node::Formula(guard).visit(&mut |node| {
            if let Node::Formula(formula) = node {
                found.extend(guard_atom(protocol, formula));
            }
        });
    }
    found.sort();
    found.dedup();
    found
}

/// What the properties of a protocol say that exists.
pub(super) fn promised_atoms(protocol: &Protocol) -> Vec<GuardAtom> {
    let mut found = Vec::new();
    for property in &protocol.properties {
        Node::Formula(&property.matrix).visit(&mut |node| {
            if let Node::Formula(formula) = node {
                found.extend(existence(formula).map(|(atom, _)| atom));
            }
        });
    }
    found.retain(|atom| atom.literals.len() <= MAX_PROMISED && atom.params.len() <= MAX_PARAMS);
    found.sort();
    found.dedup();
    found
}

fn guard_atom(protocol: &Protocol, formula: &StateFormula) -> Option<GuardAtom> {
    let (atom, _) = existence(formula)?;
    let rigidity = |symbol| protocol.signature.symbol(symbol).rigidity;
    let is_mutable = |(atom, _): &&(MinedAtom, bool)| match atom {
        MinedAtom::Holds(own, _) => rigidity(own.symbol) == Rigidity::Mutable,
        _ => false,
    };
    let changing = atom.literals.iter().filter(is_mutable).count();
    let is_wanted = (1..=MAX_PARAMS).contains(&atom.params.len())
        && atom.literals.len() == MAX_LITERALS
        && changing == 1;
    is_wanted.then_some(atom)
}

/// What a formula says, or denies, to exist, and which of the two.
pub(super) fn existence(formula: &StateFormula) -> Option<(GuardAtom, bool)> {
    let vars: Vec<StateVar> = formula.free_vars().into_iter().collect();
    let (sort, literals, exists) = quantified(formula, &vars)?;
    let params: Vec<Sort> = vars.iter().map(|var| var.sort).collect();
    let is_integer = params.iter().chain([&sort]).any(|sort| *sort == Sort::Int);
    (!is_integer).then_some((GuardAtom { params, sort, literals }, exists))
}

/// The literals of an element that a formula says, or denies, to exist, its sort, and which of the
/// two; its number follows those of the variables.
pub(super) fn quantified(
    formula: &StateFormula,
    vars: &[StateVar],
) -> Option<(Sort, Vec<Literal>, bool)> {
    let FormulaKind::Quantified(quantifier, bound, body) = formula.kind() else { return None };
    let [own] = bound.as_slice() else { return None };
    let exists = *quantifier == Quantifier::Exists;
    let mut literals = Vec::new();
    collect_literals(body, exists, &mut literals)?;
    let mut vars = vars.to_vec();
    vars.push(own.clone());
    let atoms = literals.iter().map(|(atom, holds)| Some((mined(atom, &vars)?, *holds)));
    Some((own.sort, atoms.collect::<Option<_>>()?, exists))
}

/// The literals of a conjunction, of a formula or of its negation; `None` if it is none.
pub(super) fn collect_literals(
    formula: &StateFormula,
    holds: bool,
    literals: &mut Vec<(StateFormula, bool)>,
) -> Option<()> {
    match (formula.kind(), holds) {
        (FormulaKind::Not(inner), _) => collect_literals(inner, !holds, literals),
        (FormulaKind::And(parts), true) | (FormulaKind::Or(parts), false) => {
            parts.iter().try_for_each(|part| collect_literals(part, holds, literals))
        }
        (FormulaKind::Implies(premise, conclusion), false) => {
            collect_literals(premise, true, literals)?;
            collect_literals(conclusion, false, literals)
        }
        (FormulaKind::Holds(..) | FormulaKind::Equal(..), _) => {
            literals.push((Formula::clone(formula), holds));
            Some(())
        }
        _ => None,
    }
}

/// An atom over variables alone.
pub(super) fn mined(atom: &StateFormula, vars: &[StateVar]) -> Option<MinedAtom> {
    let operand = |term: &StateTerm| match Term::kind(term) {
        TermKind::Var(var) => vars.iter().position(|own| own == var).map(AtomOperand::Var),
        _ => None,
    };
    match atom.kind() {
        FormulaKind::Holds(symbol, args) => {
            let args = args.iter().map(operand).collect::<Option<_>>()?;
            Some(MinedAtom::Holds(Predicate::relation(*symbol), args))
        }
        FormulaKind::Equal(left, right) => Some(MinedAtom::Equal(operand(left)?, operand(right)?)),
        _ => None,
    }
}
