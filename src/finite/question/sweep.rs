//! All sizes up to a given one, in order of cost, until one of them is unsafe.

use super::FiniteOutcome;
use super::coverage::Progress;
use super::reason::FiniteReason;
use super::request::{Explored, FiniteRequest, RequestError, explore, size};
use super::size_estimate::bits_needed;
use crate::protocol::{Protocol, Size, extents, sizes_up_to};

/// The most sizes of one sweep.
const MAX_SIZES: usize = 4096;

/// The sizes that were searched, and the one that decides.
#[derive(Clone, Debug)]
pub struct Sweep {
    /// The largest size.
    pub up_to: Size,
    /// The sizes that were searched, in order, each with its outcome; the last one is unsafe, or
    /// all that could be searched were.
    pub searched: Vec<Explored>,
    /// Whether a limit ended the sweep before the last size.
    pub is_cut_short: bool,
}

impl Sweep {
    /// The sizes whose states were not all visited, although there are some.
    pub fn open(&self) -> impl Iterator<Item = &Explored> {
        self.searched.iter().filter(|explored| match &explored.outcome {
            FiniteOutcome::Unknown(reason, _) => !is_hollow(reason),
            FiniteOutcome::Safe(_) | FiniteOutcome::Unsafe(..) => false,
        })
    }

    /// Whether every size was searched to its end and some size has an instance.
    pub fn is_safe(&self) -> bool {
        let is_safe = |explored: &Explored| matches!(explored.outcome, FiniteOutcome::Safe(_));
        let is_settled = |explored: &Explored| match &explored.outcome {
            FiniteOutcome::Safe(_) => true,
            FiniteOutcome::Unknown(reason, _) => is_hollow(reason),
            FiniteOutcome::Unsafe(..) => false,
        };
        !self.is_cut_short
            && self.searched.iter().all(is_settled)
            && self.searched.iter().any(is_safe)
    }

    /// The size that decides: the unsafe one, or else the last one whose states could not all be
    /// visited, or else the last one.
    pub fn deciding(&self) -> Option<&Explored> {
        let last = self.searched.last()?;
        match &last.outcome {
            FiniteOutcome::Unsafe(..) => Some(last),
            FiniteOutcome::Safe(_) | FiniteOutcome::Unknown(..) => {
                let safe = |own: &&Explored| matches!(own.outcome, FiniteOutcome::Safe(_));
                let safe = self.searched.iter().rfind(safe);
                self.open().last().or(safe).or(Some(last))
            }
        }
    }
}

/// Whether there was nothing to search.
fn is_hollow(reason: &FiniteReason) -> bool {
    matches!(reason, FiniteReason::NoInstance | FiniteReason::NoInitialState)
}

/// Explores every size up to the given ones; a sort without one has up to two elements, one with a
/// size in the request has exactly that many.
///
/// # Errors
/// When the request is wrong or there are too many sizes.
pub fn sweep(
    protocol: &Protocol,
    up_to: &[(String, u32)],
    request: &FiniteRequest,
    progress: &dyn Progress,
) -> Result<Sweep, RequestError> {
    let (largest, _) = size(protocol, up_to)?;
    let (exact, _) = size(protocol, &request.sizes)?;
    let signature = &protocol.signature;
    let given = |name: &str| request.sizes.iter().any(|(own, _)| own == name);
    let range = signature.sized_sorts().map(|sort| {
        let name = signature.sort_name(sort);
        let is_exact = given(name) || protocol.fixed_size(sort).is_some();
        (sort, is_exact, if given(name) { exact[&sort] } else { largest[&sort] })
    });
    let range: Vec<_> = range.collect();
    if let Some((sort, ..)) = range.iter().find(|(sort, ..)| {
        let name = signature.sort_name(*sort);
        given(name) && up_to.iter().any(|(own, _)| **own == **name)
    }) {
        return Err(RequestError::SizeTwice(signature.sort_name(*sort).to_string()));
    }
    let number = range.iter().fold(1_usize, |number, (_, is_exact, most)| match is_exact {
        true => number,
        false => number.saturating_mul(*most as usize),
    });
    if number > MAX_SIZES {
        return Err(RequestError::TooManySizes(number, MAX_SIZES));
    }
    let fixed: Size = range.iter().filter(|own| own.1).map(|own| (own.0, own.2)).collect();
    let free = range.iter().filter(|own| !own.1).map(|own| (own.0, own.2));
    let mut sizes = sizes_up_to(fixed, free);
    sizes.sort_by_cached_key(|size| cost(protocol, size, request.window));
    let up_to: Size = range.iter().map(|own| (own.0, own.2)).collect();
    let mut swept = Sweep { up_to, searched: Vec::new(), is_cut_short: false };
    for size in sizes {
        if request.budget.stop.is_set() && !swept.searched.is_empty() {
            swept.is_cut_short = true;
            break;
        }
        let named = size.iter().map(|(sort, n)| (signature.sort_name(*sort).to_string(), *n));
        let at_size = FiniteRequest { sizes: named.collect(), ..request.clone() };
        let explored = explore(protocol, &at_size, progress)?;
        let is_unsafe = matches!(explored.outcome, FiniteOutcome::Unsafe(..));
        swept.searched.push(explored);
        if is_unsafe {
            break;
        }
    }
    Ok(swept)
}

/// The bits of a state, then the number of elements.
fn cost(protocol: &Protocol, size: &Size, window: Option<(i64, i64)>) -> (u128, u32) {
    let symbols = protocol.signature.symbols().map(|(id, _)| id);
    let bits =
        bits_needed(&protocol.signature, &extents(&protocol.signature, size, window), symbols);
    (bits, size.values().sum())
}
