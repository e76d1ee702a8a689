//! Z3 against cvc5 on every obligation of a certificate.

use std::ffi::OsString;
use std::sync::Arc;
use std::time::Duration;

use rmlcut::certificate::Certificate;
use rmlcut::finite::Silent;
use rmlcut::judge::FiniteLimits;
use rmlcut::judge::request::{Cutoffs, Request, Solver, check};
use rmlcut::protocol::Protocol;
use rmlcut::smt::{Budget, Discharge, Reason};

use crate::pace::stretched;

/// Where cvc5 is, if `RMLCUT_CVC5` says so: the program, or a Python that has the module.
pub(crate) fn second_solver() -> Option<OsString> {
    std::env::var_os("RMLCUT_CVC5")
}

/// Asks both solvers about every obligation; returns how many both have proved.
pub(crate) fn solvers_agree(
    user: &Protocol,
    certificate: &Certificate,
    cvc5: OsString,
) -> Result<usize, String> {
    let time = stretched(Duration::from_secs(5));
    let request = Request {
        only: None,
        solver: Solver::Both,
        cvc5: Some(cvc5),
        budget: Budget::of_time(time),
        cutoffs: Cutoffs::Skipped,
        limits: FiniteLimits {
            time,
            deadline: None,
            max_states: 1,
            max_memory: 1 << 20,
            threads: 1,
            cancelled: Arc::default(),
        },
        residual: 1,
    };
    let judgement = check(user, certificate, &request, None, &Silent);
    let judgement = judgement.map_err(|error| format!("both solvers: {error}"))?;
    let mut proved = 0;
    for judged in judgement.obligations() {
        match &judged.discharge {
            Discharge::Valid => proved += 1,
            Discharge::Unknown(Reason::Disagreement(who)) => {
                return Err(format!("{}: {who}", judged.obligation.title()));
            }
            Discharge::Refuted(_) | Discharge::Unknown(_) => {}
        }
    }
    Ok(proved)
}
