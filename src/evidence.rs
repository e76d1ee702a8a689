//! Evidence that can be checked independently: every obligation as an SMT-LIB script, and proofs.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::budget::Budget;
use crate::judge::{Judged, Judgement, query};
use crate::smt::cvc5::{Cvc5, ExternalError};
use crate::smt::smtlib::{Enumerations, ScriptStatus, script_with};
use crate::smt::{Discharge, Proof, ProverError};

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
    let all: Vec<&Judged> = judgement.obligations().collect();
    let digits = all.len().to_string().len();
    let exhibits = all.iter().enumerate().map(|(index, judged)| {
        let title = judged.obligation.title();
        let status = match &judged.discharge {
            Discharge::Valid => ScriptStatus::Unsat,
            Discharge::Refuted(_) => ScriptStatus::Sat,
            Discharge::Unknown(_) => ScriptStatus::Unknown,
        };
        let script = script_with(&query(&judged.obligation), status, Enumerations::Constants)?;
        let stem = format!("{:0digits$}-{}", index + 1, slug(&title));
        Ok(Exhibit { script: format!("; {title}\n{script}"), title, stem, status })
    });
    exhibits.collect()
}

/// A title as a file name: letters, digits and `_`, with `-` between the words.
fn slug(title: &str) -> String {
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
    threads: usize,
) -> Result<Vec<Option<Proof>>, ExternalError> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(exhibit) = exhibits.get(index) else { return Ok(found) };
            let proof = match exhibit.status {
                ScriptStatus::Unsat => Some(cvc5.prove(&exhibit.script, budget)?),
                ScriptStatus::Sat | ScriptStatus::Unknown => None,
            };
            found.push((index, proof));
        }
    };
    let found: Result<Vec<_>, ExternalError> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let joined = workers.into_iter().map(|worker| worker.join());
        joined.map(|found| found.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    let mut found: Vec<(usize, Option<Proof>)> = found?.into_iter().flatten().collect();
    found.sort_by_key(|(index, _)| *index);
    Ok(found.into_iter().map(|(_, proof)| proof).collect())
}
