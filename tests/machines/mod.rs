//! Machines, messages and networks: an interpreter of what is written, which shares nothing with
//! the lowering, takes the same steps from the same states.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

mod attacks;
mod meaning;
mod random;
mod terms;
mod words;
mod world;
