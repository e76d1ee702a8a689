//! Initial conditions: `init` lines and the statements of `after init` as formulas.

pub(in crate::frontend::ivy) mod after_init;
pub(in crate::frontend::ivy) mod assigned_cases;
pub(in crate::frontend::ivy) mod initial_condition;
