//! Numbers that look random and are the same in every run: a 64-bit xorshift generator.

/// A generator; its state is the seed, which must not be zero.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// A number below `limit`, or 0 if that is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // The low bits of a xorshift generator are the least random ones.
        let number = (self.0 >> 11) % limit.max(1) as u64;
        usize::try_from(number).unwrap_or(0)
    }
}
