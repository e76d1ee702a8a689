//! Choices that the bytes of a fuzzer make, one byte for each; when they are spent, a fixed stream.
//!
//! A small change of the bytes is a small change of what is generated, which the fuzzer can learn
//! from.

/// The bytes, and how many choices were made.
pub(crate) struct Dice {
    bytes: Vec<u8>,
    made: usize,
}

impl Dice {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        Dice { bytes: bytes.to_vec(), made: 0 }
    }

    /// Whether bytes are left.
    pub(crate) fn is_fresh(&self) -> bool {
        self.made < self.bytes.len()
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let mixed = self.made.wrapping_mul(0x9e37_79b9) >> 8;
        let number = self.bytes.get(self.made).map_or(mixed, |byte| usize::from(*byte));
        self.made += 1;
        number % bound
    }

    /// Yes, so often in a hundred.
    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of several.
    pub(crate) fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}
