//! Fuzzes `entry::mercury`.

#![no_main]

#[allow(dead_code)]
#[path = "../entry.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|text: &str| entry::mercury(text));
