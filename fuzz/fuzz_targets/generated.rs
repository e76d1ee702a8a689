//! Fuzzes `entry::whole` with protocols that make sense: the bytes choose what is generated.

#![no_main]

#[path = "../../tests/agreement/dice.rs"]
mod dice;
#[allow(dead_code)]
#[path = "../entry.rs"]
mod entry;
#[path = "../../tests/campaign/generate.rs"]
mod generate;

libfuzzer_sys::fuzz_target!(|seed: u64| {
    entry::whole(&generate::protocol(&mut dice::Dice::new(seed)));
});
