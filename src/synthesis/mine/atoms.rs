//! Atoms about variables, the contexts they belong to, and their truth in a state.

use std::collections::BTreeSet;

use crate::protocol::{Sort, SortId, SymbolId};
use crate::synthesis::predicate::Predicate;

use super::samples::View;

/// A set of atoms of a context, or their truth.
pub(crate) type Bits = u128;

/// The most atoms of a context: one bit each.
pub(crate) const MAX_ATOMS: usize = 128;

/// The most variables of a context in which something exists.
pub(crate) const MAX_VARS: usize = 12;

/// Something that has a value once the variables of a context have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum AtomOperand {
    /// A variable of the context.
    Var(usize),
    /// A function or constant applied to variables.
    Apply(SymbolId, Vec<usize>),
    /// An integer.
    Integer(i32),
    /// An element of an enumeration, by its position.
    Element(u32, SortId),
}

/// Something that is true or false once the variables of a context have values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum MinedAtom {
    /// A predicate holds.
    Holds(Predicate, Vec<AtomOperand>),
    /// Two operands have the same value.
    Equal(AtomOperand, AtomOperand),
    /// The first integer is at most the second plus a constant.
    AtMost(AtomOperand, AtomOperand, i32),
    /// Some element of a sort has all these literals, in which it is the variable after those of
    /// the context: the one with this number.
    Exists(usize, Sort, Vec<(MinedAtom, bool)>),
}

/// What the clauses of a context may say to exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Existence {
    Nothing,
    /// An element of a sort.
    Witness(Sort),
    /// What one of the lasting atoms of the language says of the extra variables.
    Lasting(usize),
}

/// Predicates that hold of variables, further variables, and atoms about all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct AtomContext {
    /// The sorts of the variables: those of the skeleton, each once, then the further ones.
    pub(crate) vars: Vec<Sort>,
    /// The predicates that hold, of variables that occur nowhere else in the skeleton.
    pub(crate) skeleton: Vec<(Predicate, Vec<usize>)>,
    /// What else can be said.
    pub(crate) atoms: Vec<MinedAtom>,
    /// The atoms that never change.
    pub(crate) rigid: Bits,
    /// The atoms that say that two variables are equal.
    pub(crate) equalities: Bits,
    /// The atoms that, if they are to hold, belong in the skeleton.
    pub(crate) premises: Bits,
    /// The atoms that compare with a number: they count how often something happened.
    pub(crate) counting: Bits,
    /// The atoms that say that something exists.
    pub(crate) witnessed: Bits,
    /// Those among them in which what exists depends on an element of its own sort: the solver may
    /// not decide questions about them.
    pub(crate) cyclic: Bits,
}

impl AtomContext {
    /// Whether the skeleton says so already.
    pub(super) fn has(&self, atom: &MinedAtom) -> bool {
        let MinedAtom::Holds(predicate, args) = atom else { return false };
        self.skeleton.iter().any(|(known, own)| {
            let same = own.iter().zip(args).all(|(own, arg)| *arg == AtomOperand::Var(*own));
            known == predicate && same
        })
    }

    /// The truth of all atoms.
    pub(crate) fn truth(&self, view: &View<'_>, values: &[i32]) -> Bits {
        let mut bits = 0;
        for (index, atom) in self.atoms.iter().enumerate() {
            bits |= Bits::from(atom.holds(view, values)) << index;
        }
        bits
    }

    /// The values of the variables for which the skeleton holds.
    pub(crate) fn matches(&self, view: &View<'_>, found: &mut dyn FnMut(&[i32])) {
        let mut values = vec![0; self.vars.len()];
        self.extend(view, 0, &mut values, found);
    }

    fn extend(
        &self,
        view: &View<'_>,
        depth: usize,
        values: &mut Vec<i32>,
        found: &mut dyn FnMut(&[i32]),
    ) {
        if let Some((predicate, vars)) = self.skeleton.get(depth) {
            for tuple in view.tuples(*predicate) {
                for (var, value) in vars.iter().zip(tuple) {
                    values[*var] = *value;
                }
                self.extend(view, depth + 1, values, found);
            }
            return;
        }
        let bound: usize = self.skeleton.iter().map(|(_, vars)| vars.len()).sum();
        let next = bound + depth - self.skeleton.len();
        if next == self.vars.len() {
            return found(values);
        }
        for value in view.range(self.vars[next]) {
            values[next] = value;
            self.extend(view, depth + 1, values, found);
        }
    }
}

impl MinedAtom {
    /// Whether it holds; where an operand has no value it does not.
    pub(crate) fn holds(&self, view: &View<'_>, values: &[i32]) -> bool {
        match self {
            MinedAtom::Holds(predicate, args) => {
                let mut numbers = [0; 8];
                for (number, arg) in numbers.iter_mut().zip(args) {
                    let Some(value) = arg.value(view, values) else { return false };
                    *number = value;
                }
                view.holds(*predicate, &numbers[..args.len().min(8)])
            }
            MinedAtom::Equal(left, right) => {
                let left = left.value(view, values);
                left.is_some() && left == right.value(view, values)
            }
            MinedAtom::AtMost(left, right, offset) => {
                match (left.value(view, values), right.value(view, values)) {
                    (Some(left), Some(right)) => {
                        i64::from(left) <= i64::from(right) + i64::from(*offset)
                    }
                    _ => false,
                }
            }
            MinedAtom::Exists(witness, sort, literals) => {
                let mut inner = [0; MAX_VARS + 2];
                let Some(inner) = inner.get_mut(..=*witness) else { return false };
                inner[..*witness].copy_from_slice(&values[..*witness]);
                view.range(*sort).any(|element| {
                    inner[*witness] = element;
                    literals.iter().all(|(atom, holds)| atom.holds(view, inner) == *holds)
                })
            }
        }
    }

    /// Whether something exists that depends on an element of its own sort, or that something else
    /// depends on; `sorts` are those of the
    /// variables of the context.
    pub(super) fn is_cyclic(&self, sorts: &[Sort]) -> bool {
        let MinedAtom::Exists(_, sort, literals) = self else { return false };
        self.vars().iter().any(|var| sorts[*var] == *sort)
            || literals.iter().any(|(atom, _)| matches!(atom, MinedAtom::Exists(..)))
    }

    /// The variables that occur.
    pub(crate) fn vars(&self) -> BTreeSet<usize> {
        let operands = match self {
            MinedAtom::Exists(witness, _, literals) => {
                let mut vars: BTreeSet<usize> =
                    literals.iter().flat_map(|(atom, _)| atom.vars()).collect();
                vars.remove(witness);
                return vars;
            }
            MinedAtom::Holds(_, args) => args.iter().collect(),
            MinedAtom::Equal(left, right) | MinedAtom::AtMost(left, right, _) => vec![left, right],
        };
        let vars = operands.into_iter().flat_map(|operand| match operand {
            AtomOperand::Var(var) => vec![*var],
            AtomOperand::Apply(_, args) => args.clone(),
            AtomOperand::Integer(_) | AtomOperand::Element(..) => Vec::new(),
        });
        vars.collect()
    }
}

impl AtomOperand {
    fn value(&self, view: &View<'_>, values: &[i32]) -> Option<i32> {
        match self {
            AtomOperand::Var(var) => Some(values[*var]),
            AtomOperand::Integer(value) => Some(*value),
            AtomOperand::Element(index, _) => i32::try_from(*index).ok(),
            AtomOperand::Apply(symbol, args) => match args.as_slice() {
                [] => view.value(*symbol, &[]),
                [arg] => view.value(*symbol, &[values[*arg]]),
                args => {
                    let args: Vec<i32> = args.iter().map(|arg| values[*arg]).collect();
                    view.value(*symbol, &args)
                }
            },
        }
    }
}
