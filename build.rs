//! Finds libz3.
fn main() {}
