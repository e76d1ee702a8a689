//! Answers whether a formula is valid, by asking an SMT solver.

pub mod z3;
