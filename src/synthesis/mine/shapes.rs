//! Which contexts a clause can have: how many relations hold, how many further variables there are,
//! and whether something may be said to exist.

use super::atoms::Existence;
use super::language::ClauseLanguage;
use super::samples::View;
use crate::protocol::{Signature, Sort};
use crate::synthesis::combinations::multisets;
use crate::synthesis::predicate::Predicate;

/// The most predicates that a clause supposes to hold.
const LARGEST_SKELETON: usize = 3;

/// The most extra variables.
const MAX_EXTRA: usize = 2;

/// The most relations that hold, and the most extra variables, each of another sort, in clauses that
/// claim that something exists.
const WITNESSED_SKELETON: usize = 2;
const WITNESSED_EXTRA: usize = 3;

/// The most relations that hold beside a lasting atom.
const LASTING_SKELETON: usize = 2;

/// What determines a context: predicates that hold, sorts of extra variables, and the sort of what
/// may be said to exist.
pub(super) type ClauseShape = (Vec<Predicate>, Vec<Sort>, Existence);

/// The literals of clauses, the most frequent ones first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MinerScope {
    /// Variables for elements of declared sorts; integers are compared with each other.
    Elements,
    /// Also comparisons with numbers.
    Numbers,
    /// Also variables for integers, at least one.
    Integers,
    /// As `Elements`, and one of the lasting atoms.
    Lasting,
    /// As `Elements`, and that something exists.
    Witnesses,
    /// Also where that depends on an element of its own sort.
    Cycles,
}

impl MinerScope {
    pub(super) fn allows(self, extra_sorts: &[Sort]) -> bool {
        self != MinerScope::Integers || extra_sorts.contains(&Sort::Int)
    }
}

/// The contexts in which a clause of this length could exclude a state.
pub(super) fn clause_shapes(
    language: &ClauseLanguage<'_>,
    view: &View<'_>,
    length: usize,
    scope: MinerScope,
) -> Vec<ClauseShape> {
    let predicates = language.skeletal.iter().copied();
    let predicates: Vec<Predicate> =
        predicates.filter(|predicate| view.tuples(*predicate).next().is_some()).collect();
    let signature = language.signature;
    let mut sorts: Vec<Sort> = signature.sized_sorts().map(Sort::Declared).collect();
    if scope == MinerScope::Integers {
        sorts.push(Sort::Int);
    }
    if matches!(scope, MinerScope::Witnesses | MinerScope::Cycles) {
        return witnessed_shapes(language.signature, &predicates, &sorts, length);
    }
    if scope == MinerScope::Lasting {
        return lasting_shapes(language, &predicates, length);
    }
    let mut shapes = Vec::new();
    for skeleton in multisets(&predicates, length.min(LARGEST_SKELETON)) {
        let literals = length - skeleton.len();
        let room = MAX_EXTRA.min(LARGEST_SKELETON - skeleton.len());
        let extra_sorts = multisets(&sorts, literals.min(room)).into_iter();
        let extra_sorts = extra_sorts.filter(|sorts| scope.allows(sorts));
        shapes.extend(extra_sorts.map(|sorts| (skeleton.clone(), sorts, Existence::Nothing)));
    }
    shapes
}

/// The contexts of the lasting atoms.
fn lasting_shapes(
    language: &ClauseLanguage<'_>,
    predicates: &[Predicate],
    length: usize,
) -> Vec<ClauseShape> {
    let mut shapes = Vec::new();
    for skeleton in multisets(predicates, (length - 1).min(LASTING_SKELETON)) {
        for (index, atom) in language.lasting_atoms.iter().enumerate() {
            shapes.push((skeleton.clone(), atom.params.clone(), Existence::Lasting(index)));
        }
    }
    shapes
}

/// The contexts in which something may be said to exist.
fn witnessed_shapes(
    signature: &Signature,
    predicates: &[Predicate],
    sorts: &[Sort],
    length: usize,
) -> Vec<ClauseShape> {
    let is_changed = |sort: &Sort| {
        signature
            .mutable()
            .any(|(_, symbol)| symbol.params.contains(sort) || symbol.result == Some(*sort))
    };
    let mut shapes = Vec::new();
    for skeleton in multisets(predicates, (length - 1).min(WITNESSED_SKELETON)) {
        for extra in multisets(sorts, WITNESSED_EXTRA) {
            if extra.windows(2).any(|pair| pair[0] == pair[1]) {
                continue;
            }
            let of_sort = sorts.iter().filter(|sort| is_changed(sort));
            shapes.extend(
                of_sort.map(|sort| (skeleton.clone(), extra.clone(), Existence::Witness(*sort))),
            );
        }
    }
    shapes
}
