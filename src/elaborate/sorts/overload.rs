//! Overloaded names: one of several symbols, chosen once the sorts around it are known.

use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::surface::Identifier;
use crate::logic::Vocabulary;

use super::infer::Inference;
use super::slots::{Slot, Slots};
use crate::elaborate::codes;
use crate::elaborate::resolve::{NameCandidate, Resolve};

/// A use of an overloaded name.
pub(crate) struct Overload<V: Vocabulary> {
    pub(crate) name: Identifier,
    pub(crate) candidates: Vec<NameCandidate<V>>,
    pub(crate) params: Vec<Slot>,
    pub(crate) result: Option<Slot>,
}

/// The uses of overloaded names in one expression.
pub(crate) struct Overloads<V: Vocabulary>(Vec<Overload<V>>);

impl<V: Vocabulary> Overloads<V> {
    pub(crate) fn new() -> Self {
        Overloads(Vec::new())
    }

    /// Remembers a use; its position stands for it.
    pub(crate) fn push(&mut self, overload: Overload<V>) -> usize {
        self.0.push(overload);
        self.0.len() - 1
    }
}

impl<V: Vocabulary> Overload<V> {
    /// The candidates that agree with what is known of the sorts.
    fn fitting(&self, slots: &Slots<V>) -> Vec<&NameCandidate<V>> {
        let agrees = |slot: Slot, sort: V::Sort| match slots.get(slot) {
            Some(known) => known.sort == sort,
            None => true,
        };
        let fits = |candidate: &&NameCandidate<V>| {
            let params = self.params.iter().zip(&candidate.rank.params);
            let result = self.result.zip(candidate.rank.result);
            params.map(|(slot, sort)| (*slot, *sort)).chain(result).all(|(s, t)| agrees(s, t))
        };
        self.candidates.iter().filter(fits).collect()
    }

    /// Makes the sorts around this use those of the candidate, which fits.
    fn commit(&self, slots: &mut Slots<V>, candidate: &NameCandidate<V>) {
        let params = self.params.iter().copied().zip(candidate.rank.params.iter().copied());
        for (slot, sort) in params.chain(self.result.zip(candidate.rank.result)) {
            let known = slots.known(sort, None);
            // Each slot agrees by itself; two that are united may not, and then the next round
            // finds that nothing fits.
            let _ = slots.unite(known, slot, self.name.span);
        }
    }
}

impl<V: Vocabulary, R: Resolve<V>> Inference<'_, V, R> {
    /// Chooses a symbol for each overloaded name; `None` if one cannot be chosen.
    pub(crate) fn choose_overloads(&mut self) -> Option<Vec<NameCandidate<V>>> {
        let overloads = std::mem::take(&mut self.overloads.0);
        let mut open: Vec<&Overload<V>> = overloads.iter().collect();
        loop {
            let before = open.len();
            open.retain(|overload| match overload.fitting(&self.slots)[..] {
                [only] => {
                    overload.commit(&mut self.slots, only);
                    false
                }
                _ => true,
            });
            if open.len() == before {
                break;
            }
        }
        let chosen: Vec<_> = overloads.iter().map(|overload| self.chosen(overload)).collect();
        chosen.into_iter().collect()
    }

    fn chosen(&mut self, overload: &Overload<V>) -> Option<NameCandidate<V>> {
        let fitting = overload.fitting(&self.slots);
        let name = &overload.name.value;
        let (message, hint) = match fitting[..] {
            [only] => return Some(only.clone()),
            [] => (format!("no `{name}` matches these sorts"), None),
            _ => (
                format!("`{name}` is ambiguous"),
                Some("write the sort of a variable in its binder"),
            ),
        };
        let mut diagnostic = Diagnostic::error(codes::AMBIGUOUS, message, overload.name.span);
        diagnostic.hint = hint.map(str::to_owned);
        self.error(diagnostic);
        None
    }
}
