//! Evidence that can be checked independently: every obligation as an SMT-LIB script, and proofs.

use crate::budget::Budget;
use crate::judge::{Judged, Judgement, query};
use crate::smt::cvc5::{Cvc5, ExternalError};
use crate::smt::smtlib::{Enumerations, ScriptStatus, script_with};
use crate::smt::{Discharge, Proof, ProverError, in_parallel};

/// One obligation as a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exhibit {
    /// Its title.
    pub title: String,
    /// The name of its file, without the ending.
    pub stem: String,
    /// What we expect a solver to say.
    pub status: ScriptStatus,
    /// The script.
    pub script: String,
}

/// Every obligation of a judgement as a self-contained script.
///
/// # Errors
/// When an obligation is ill-sorted, which is an internal error.
pub fn exhibits(judgement: &Judgement) -> Result<Vec<Exhibit>, ProverError> {
    let all: Vec<&Judged> = judgement.obligations_with_nested();
    let digits = all.len().to_string().len();
    let exhibits = all.iter().enumerate().map(|(index, judged)| {
        let title = judged.obligation.title();
        let status = match &judged.discharge {
            Discharge::Valid => ScriptStatus::Unsat,
            Discharge::Refuted(_) => ScriptStatus::Sat,
            Discharge::Unknown(_) => ScriptStatus::Unknown,
        };
        let script = script_with(&query(&judged.obligation), status, Enumerations::Constants)?;
        let stem = format!("{:0digits$}-{}", index + 1, file_name(&title));
        Ok(Exhibit { script: format!("; {title}\n{script}"), title, stem, status })
    });
    exhibits.collect()
}

/// A title as a file name: letters, digits and `_`, with `-` between the words.
fn file_name(title: &str) -> String {
    let words = title.split(|character: char| !character.is_alphanumeric() && character != '_');
    words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// Asks cvc5 for a proof of every script that should have no model; `None` for the others.
///
/// # Errors
/// When the solver cannot be run.
pub fn proofs(
    exhibits: &[Exhibit],
    cvc5: &Cvc5,
    budget: &Budget,
) -> Result<Vec<Option<Proof>>, ExternalError> {
    let prove = |exhibit: &Exhibit| match exhibit.status {
        ScriptStatus::Unsat => cvc5.prove(&exhibit.script, budget).map(Some),
        ScriptStatus::Sat | ScriptStatus::Unknown => Ok(None),
    };
    in_parallel(exhibits, budget.threads, prove).into_iter().collect()
}
