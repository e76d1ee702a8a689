//! Z3 by itself: a script read by its own parser and answered by one solver, without our help.
//!
//! Nothing is proved here; it is what our own use of the library is measured against.

use std::time::Duration;

use z3::{Config, Params, SatResult, Solver, with_z3_config};

use super::{LibraryError, load};
use crate::smt::smtlib::ScriptStatus;

/// What Z3 says about a script, in a context of its own.
///
/// # Errors
/// When there is no library that can be used.
pub fn answer(script: &str, timeout: Duration) -> Result<ScriptStatus, LibraryError> {
    load()?;
    Ok(with_z3_config(&Config::new(), || {
        let solver = Solver::new();
        let mut params = Params::new();
        params.set_bool("ctrl_c", false);
        params.set_u32("timeout", u32::try_from(timeout.as_millis()).unwrap_or(u32::MAX));
        solver.set_params(&params);
        solver.from_string(script.to_owned());
        match solver.check() {
            SatResult::Unsat => ScriptStatus::Unsat,
            SatResult::Sat => ScriptStatus::Sat,
            SatResult::Unknown => ScriptStatus::Unknown,
        }
    }))
}
