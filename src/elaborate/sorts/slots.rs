//! Sort variables (slots), unified as the uses of variables are visited.

use crate::logic::Vocabulary;
use crate::source::Span;

/// A sort that may still be unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slot(usize);

/// A known sort, with the place that made it known.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownSort<V: Vocabulary> {
    /// The sort.
    pub(crate) sort: V::Sort,
    /// The annotation or the first use that fixed it; `None` for what is fixed by declaration.
    pub(crate) because: Option<Span>,
}

enum SlotState<V: Vocabulary> {
    Same(Slot),
    Known(KnownSort<V>),
    Unknown,
}

/// All slots of one statement.
pub(crate) struct Slots<V: Vocabulary>(Vec<SlotState<V>>);

impl<V: Vocabulary> Slots<V> {
    pub(crate) fn new() -> Self {
        Slots(Vec::new())
    }

    /// An unknown sort.
    pub(crate) fn unknown(&mut self) -> Slot {
        self.push(SlotState::Unknown)
    }

    /// A known sort.
    pub(crate) fn known(&mut self, sort: V::Sort, because: Option<Span>) -> Slot {
        self.push(SlotState::Known(KnownSort { sort, because }))
    }

    fn push(&mut self, state: SlotState<V>) -> Slot {
        self.0.push(state);
        Slot(self.0.len() - 1)
    }

    /// The sort, if it is known by now.
    pub(crate) fn get(&self, slot: Slot) -> Option<KnownSort<V>> {
        let mut slot = slot;
        loop {
            match &self.0[slot.0] {
                SlotState::Same(next) => slot = *next,
                SlotState::Known(known) => return Some(*known),
                SlotState::Unknown => return None,
            }
        }
    }

    /// The slot that stands for all that were united with this one; shortens the way to it.
    fn representative(&mut self, slot: Slot) -> Slot {
        let mut root = slot;
        while let SlotState::Same(next) = self.0[root.0] {
            root = next;
        }
        let mut walk = slot;
        while let SlotState::Same(next) = self.0[walk.0] {
            self.0[walk.0] = SlotState::Same(root);
            walk = next;
        }
        root
    }

    /// Makes two sorts one. A sort that becomes known here is known because of `place`.
    ///
    /// # Errors
    /// When both are known and differ: the two sorts, left and right.
    pub(crate) fn unite(
        &mut self,
        left: Slot,
        right: Slot,
        place: Span,
    ) -> Result<(), (KnownSort<V>, KnownSort<V>)> {
        let (left, right) = (self.representative(left), self.representative(right));
        if left == right {
            return Ok(());
        }
        match (self.get(left), self.get(right)) {
            (Some(known), Some(other)) if known.sort != other.sort => return Err((known, other)),
            (Some(_), Some(_)) | (None, None) => self.0[right.0] = SlotState::Same(left),
            (Some(known), None) => self.settle(right, left, known, place),
            (None, Some(known)) => self.settle(left, right, known, place),
        }
        Ok(())
    }

    /// `open` becomes what `fixed` is: through `place`, unless `fixed` has its own reason.
    fn settle(&mut self, open: Slot, fixed: Slot, known: KnownSort<V>, place: Span) {
        self.0[open.0] = match known.because {
            Some(_) => SlotState::Same(fixed),
            None => SlotState::Known(KnownSort { sort: known.sort, because: Some(place) }),
        };
    }
}
