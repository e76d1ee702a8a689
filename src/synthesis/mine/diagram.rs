//! A state as a conjunction of literals about its elements.

use crate::protocol::{Rigidity, Signature, Sort, State, StateFormula};

use super::atoms::{AtomContext, Bits, Existence, MinedAtom};
use super::cube::{CubePattern, LiteralCube};
use super::language::ClauseLanguage;
use super::samples::{Samples, number};

/// The most elements of one sort, and the most integers, that a diagram speaks of.
const MAX_ELEMENTS: usize = 4;
const MAX_INTEGERS: usize = 3;

/// The literals that are true of a state whose elements are called by variables.
///
/// A part of them that no reachable state makes true is a clause that may be invariant.
#[derive(Clone, Debug)]
pub struct Diagram {
    context: AtomContext,
    truth: Bits,
}

/// A set of literals of a diagram.
pub type DiagramPart = Bits;

impl Diagram {
    /// The diagram of a state.
    pub(super) fn of(
        signature: &Signature,
        language: &ClauseLanguage<'_>,
        samples: &mut Samples,
        state: &State,
    ) -> Self {
        let (sorts, values) = elements(signature, state);
        let context = language.context(&[], &sorts, Existence::Nothing);
        let snapshot = samples.convert(signature, state);
        let truth = context.truth(&samples.view(&snapshot), &values);
        Diagram { context, truth }
    }

    /// All literals.
    pub fn whole(&self) -> DiagramPart {
        (0..self.context.atoms.len()).fold(0, |all, index| all | 1 << index)
    }

    /// Parts that may be left out together, the larger ones first, then one literal after another.
    pub fn groups(&self) -> Vec<DiagramPart> {
        let atoms = || self.context.atoms.iter().enumerate();
        let of = |chosen: &dyn Fn(&MinedAtom) -> bool| {
            let chosen = atoms().filter(|(_, atom)| chosen(atom));
            chosen.fold(0, |part, (index, _)| part | 1 << index)
        };
        let mut groups = Vec::new();
        for var in (0..self.context.vars.len()).rev() {
            groups.push(of(&|atom| atom.vars().contains(&var)));
        }
        for (index, first) in atoms() {
            if let MinedAtom::Holds(predicate, _) = first {
                let same =
                    of(&|atom| matches!(atom, MinedAtom::Holds(other, _) if other == predicate));
                groups.push(same & !self.truth);
                groups.push(same & self.truth);
            }
            if index == 0 {
                groups.push(of(&|atom| matches!(atom, MinedAtom::AtMost(..))));
            }
        }
        groups.extend((0..self.context.atoms.len()).rev().map(|index| 1 << index));
        groups.retain(|group| *group != 0);
        let mut seen = std::collections::BTreeSet::new();
        groups.retain(|group| seen.insert(*group));
        groups
    }

    /// Whether some reachable state of the samples makes a part true.
    pub(super) fn occurs(&self, part: DiagramPart, samples: &Samples) -> bool {
        let pattern = CubePattern::new(self.cube(part));
        samples.reachable().any(|position| pattern.occurs(&samples.state(position)))
    }

    /// The clause that no state makes a part true.
    pub(super) fn clause(
        &self,
        part: DiagramPart,
        language: &ClauseLanguage<'_>,
        signature: &Signature,
    ) -> StateFormula {
        self.cube(part).clause(language, signature)
    }

    fn cube(&self, chosen: DiagramPart) -> LiteralCube<'_> {
        LiteralCube { context: &self.context, chosen, truth: self.truth }
    }
}

/// The elements of a state: their sorts and numbers, and integers at which symbols are looked up.
fn elements(signature: &Signature, state: &State) -> (Vec<Sort>, Vec<i32>) {
    let (mut sorts, mut values) = (Vec::new(), Vec::new());
    for sort in signature.sized_sorts().map(Sort::Declared) {
        let size = state.extent(sort).map_or(1, |extent| extent.len()).min(MAX_ELEMENTS);
        sorts.extend(vec![sort; size]);
        values.extend((0..size).filter_map(|index| i32::try_from(index).ok()));
    }
    if signature.symbols().any(|(_, symbol)| symbol.params.contains(&Sort::Int)) {
        let integers = signature.symbols().filter(|(_, symbol)| {
            let constant = symbol.params.is_empty() && symbol.result == Some(Sort::Int);
            constant && symbol.rigidity == Rigidity::Mutable
        });
        let mut found: Vec<i32> = integers
            .filter_map(|(id, _)| state.tables.get(&id)?.entries().next())
            .map(|(_, value)| number(value))
            .collect();
        found.sort_unstable();
        found.dedup();
        found.truncate(MAX_INTEGERS);
        sorts.extend(vec![Sort::Int; found.len()]);
        values.extend(found);
    }
    (sorts, values)
}
