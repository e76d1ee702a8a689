//! Initial conditions: `init` lines and the statements of `after init` as formulas.

pub(crate) mod after_init;
pub(crate) mod assigned_cases;
pub(crate) mod initial_condition;
