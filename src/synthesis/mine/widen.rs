//! Clauses about several elements of an enumeration at once: a clause supposes that functions have
//! certain elements as values, and often holds where they have others.

use super::atoms::{AtomOperand, Bits, MinedAtom};
use super::cube::{CubePattern, LiteralCube, closed_clause, placeholders};
use super::language::ClauseLanguage;
use crate::logic::Formula;
use crate::protocol::{Signature, StateFormula};
use crate::synthesis::predicate::Predicate;

/// The most cubes that stand for one more element.
const MAX_CUBES: usize = 24;

/// A cube in which functions may have one of several elements.
pub(super) struct WideCube<'a> {
    cube: LiteralCube<'a>,
    /// For each predicate of the skeleton: those that may hold in its place, itself among them.
    alternatives: Vec<Vec<Predicate>>,
}

impl<'a> WideCube<'a> {
    /// A cube with as many elements as possible where no part of it occurs; `None` if there are
    /// no more than the cube has.
    pub(super) fn around(
        cube: LiteralCube<'a>,
        signature: &Signature,
        occurs: &dyn Fn(&CubePattern<'_>) -> bool,
    ) -> Option<Self> {
        // One element has one value, so two that have different ones are different: saying so
        // loses nothing, and lets both have the same value.
        let apart = different(cube);
        let distinct =
            LiteralCube { chosen: cube.chosen | apart, truth: cube.truth & !apart, ..cube };
        let mut best = WideCube::grown(cube, signature, occurs);
        if apart != 0 {
            let other = WideCube::grown(distinct, signature, occurs);
            if other.size() > best.size() {
                best = other;
            }
        }
        (best.size() > cube.context.skeleton.len()).then_some(best)
    }

    fn grown(
        cube: LiteralCube<'a>,
        signature: &Signature,
        occurs: &dyn Fn(&CubePattern<'_>) -> bool,
    ) -> Self {
        let skeleton = cube.context.skeleton.iter();
        let alternatives = skeleton.map(|(predicate, _)| vec![*predicate]).collect();
        let mut wide = WideCube { cube, alternatives };
        for (at, (own, _)) in cube.context.skeleton.iter().enumerate() {
            for other in Predicate::of(signature, own.symbol) {
                if other != *own && wide.allows(at, other, occurs) {
                    wide.alternatives[at].push(other);
                }
            }
        }
        wide.alternatives.iter_mut().for_each(|own| own.sort());
        wide
    }

    /// Whether nothing occurs with this predicate at this place of the skeleton.
    fn allows(
        &self,
        at: usize,
        other: Predicate,
        occurs: &dyn Fn(&CubePattern<'_>) -> bool,
    ) -> bool {
        let mut cubes: Vec<Vec<(Predicate, Vec<usize>)>> = vec![Vec::new()];
        for (index, (_, vars)) in self.cube.context.skeleton.iter().enumerate() {
            let own = if index == at { &[other] } else { self.alternatives[index].as_slice() };
            if cubes.len() * own.len() > MAX_CUBES {
                return false;
            }
            let longer = cubes.iter().flat_map(|cube| {
                own.iter().map(|predicate| {
                    cube.iter().cloned().chain([(*predicate, vars.clone())]).collect()
                })
            });
            cubes = longer.collect();
        }
        !cubes.iter().any(|skeleton| occurs(&CubePattern::of(self.cube, skeleton)))
    }

    fn size(&self) -> usize {
        self.alternatives.iter().map(Vec::len).sum()
    }

    /// The clause that no variables make it true.
    pub(super) fn clause(
        &self,
        language: &ClauseLanguage<'_>,
        signature: &Signature,
    ) -> StateFormula {
        let vars = placeholders(self.cube.context);
        let mut literals = Vec::new();
        for ((own, args), wide) in self.cube.context.skeleton.iter().zip(&self.alternatives) {
            let args: Vec<AtomOperand> = args.iter().map(|arg| AtomOperand::Var(*arg)).collect();
            let literal = |predicate: &Predicate, holds: bool| {
                language.literal(&MinedAtom::Holds(*predicate, args.clone()), holds, &vars)
            };
            let all = Predicate::of(signature, own.symbol);
            let others = all.iter().filter(|predicate| !wide.contains(predicate));
            // What a function has not is shorter where it may have most elements.
            if wide.len() > all.len() - wide.len() && wide.len() > 1 {
                literals.extend(others.map(|other| literal(other, false)));
            } else {
                literals.push(Formula::or(wide.iter().map(|one| literal(one, true))));
            }
        }
        literals
            .extend(self.cube.literals().map(|(atom, holds)| language.literal(atom, holds, &vars)));
        closed_clause(signature, literals)
    }
}

/// The equations between variables that cannot hold, since a function has different elements there,
/// as far as the clause does not mention them.
fn different(cube: LiteralCube<'_>) -> Bits {
    let skeleton = &cube.context.skeleton;
    let mut bits = 0;
    for (at, (one, vars)) in skeleton.iter().enumerate() {
        for (other, others) in &skeleton[at + 1..] {
            if one == other || one.symbol != other.symbol {
                continue;
            }
            let places = vars.iter().zip(others).map(|(left, right)| equation(cube, *left, *right));
            let open: Vec<Option<Bits>> = places
                .filter(|bit| !bit.is_some_and(|bit| cube.chosen & cube.truth & bit != 0))
                .collect();
            if let [Some(bit)] = open.as_slice() {
                bits |= bit & !cube.chosen;
            }
        }
    }
    bits
}

/// The atom that two variables are equal.
fn equation(cube: LiteralCube<'_>, left: usize, right: usize) -> Option<Bits> {
    let (left, right) = (AtomOperand::Var(left), AtomOperand::Var(right));
    let same = |atom: &MinedAtom| match atom {
        MinedAtom::Equal(one, other) => {
            (one, other) == (&left, &right) || (one, other) == (&right, &left)
        }
        _ => false,
    };
    cube.context.atoms.iter().position(same).map(|index| 1 << index)
}
