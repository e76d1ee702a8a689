//! The `rmlcut` program.
fn main() {}
