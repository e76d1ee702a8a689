//! Default sizes: two elements of every sort, or one where two have too many states to wait for.

use std::cmp::Reverse;

use super::Question;
use crate::protocol::{Size, Sort, SortId, extents};

/// The size of a sort that none is given for.
pub const DEFAULT_SIZE: u32 = 2;

/// The most states that are visited at a default size before a smaller one is tried.
pub const PATIENCE: u64 = 500_000;

/// The next smaller default size, if there is one.
///
/// The sort of which the claims name the fewest elements becomes smaller first: a violation needs
/// as many elements as it names. Among several it is the one that makes states smallest, and then
/// the one declared last.
pub(crate) fn smaller(question: &Question<'_>, defaulted: &[SortId]) -> Option<Size> {
    let candidates = defaulted.iter().copied().filter(|sort| question.size[sort] > 1);
    let with_one = |sort: SortId| {
        let mut size = question.size.clone();
        size.insert(sort, 1);
        size
    };
    let bits = |size: &Size| {
        let signature = &question.protocol.signature;
        let extents = extents(&question.protocol.signature, size, question.window);
        super::size_estimate::bits_needed(
            signature,
            &extents,
            signature.symbols().map(|(id, _)| id),
        )
    };
    let next = candidates
        .min_by_key(|sort| (named(question, *sort), bits(&with_one(*sort)), Reverse(*sort)))?;
    Some(with_one(next))
}

/// The most elements of a sort that a claim names.
fn named(question: &Question<'_>, sort: SortId) -> usize {
    let of_claim = question
        .claims
        .iter()
        .map(|claim| claim.vars.iter().filter(|var| var.sort == Sort::Declared(sort)).count());
    of_claim.max().unwrap_or(0)
}
