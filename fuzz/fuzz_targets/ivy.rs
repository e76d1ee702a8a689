//! Fuzzes `entry::ivy`.

#![no_main]

#[allow(dead_code)]
#[path = "../entry.rs"]
mod entry;

libfuzzer_sys::fuzz_target!(|text: &str| entry::ivy(text));
