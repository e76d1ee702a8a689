//! Which inputs of a circuit are frozen flags.

use rustc_hash::FxHashMap;

/// The input of every frozen flag, in the order in which the flags were given.
pub(super) struct FrozenFlags {
    inputs: Vec<u32>,
    positions: FxHashMap<u32, usize>,
}

impl FrozenFlags {
    pub(super) fn new(inputs: Vec<u32>) -> Self {
        let positions = inputs.iter().enumerate().map(|(position, input)| (*input, position));
        FrozenFlags { positions: positions.collect(), inputs }
    }

    /// The inputs, flag by flag.
    pub(super) fn inputs(&self) -> impl Iterator<Item = u32> {
        self.inputs.iter().copied()
    }

    /// The position of the flag that an input is.
    pub(super) fn position(&self, input: u32) -> Option<usize> {
        self.positions.get(&input).copied()
    }

    /// Whether an input is a flag.
    pub(super) fn contains(&self, input: u32) -> bool {
        self.positions.contains_key(&input)
    }

    /// The value of the flag that an input is.
    pub(super) fn value(&self, input: u32, values: &[bool]) -> Option<bool> {
        self.position(input).map(|position| values[position])
    }
}
