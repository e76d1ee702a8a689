//! The best attempt at a certificate, when nothing better was found: to be continued by hand.

use std::collections::BTreeSet;

use super::{Origin, ReadCertificate, read_certificate};
use crate::budget::Budget;
use crate::certificate::{Case, Certificate, ProofArgument, print_certificate};
use crate::finite::Silent;
use crate::judge::Judgement;
use crate::judge::request::{Cutoffs, JudgeRequest};
use crate::protocol::Protocol;
use crate::prove::ProofOutcome;
use crate::source::SourceFile;
use crate::synthesis::is_endless;
use crate::synthesis::literal::literal;

/// An incomplete certificate.
pub struct BestAttempt {
    /// The certificate's text.
    pub source: SourceFile,
    /// The certificate as read back from its text, so that its spans are places in the text, and
    /// its judgement. Missing if there was no time to check it.
    pub checked: Option<(Certificate, Judgement)>,
}

const WARNING: &str = "\
Not a proof: the best attempt of `rmlcut synth`, to be continued by hand.
`rmlcut check PROTOCOL CERTIFICATE --watch` reports what is missing, each time it is saved.";

/// The best attempt of a run that proved nothing, checked as far as the budget allows.
///
/// `name` is the file name of the certificate in messages.
pub fn best_attempt(
    user: &Protocol,
    outcome: &ProofOutcome,
    name: &str,
    budget: &Budget,
) -> Option<BestAttempt> {
    if outcome.violation().is_some() {
        return None;
    }
    let certificate = match outcome.judged.as_deref() {
        Some((certificate, _)) => certificate.clone(),
        None => complete(user, outcome.attempt.as_deref())?,
    };
    if let ProofArgument::Cutoff(cases) = &certificate.argument
        && cases.iter().any(is_endless)
    {
        return None;
    }
    let source = SourceFile::new(name, print_certificate(user, &certificate, WARNING));
    let checked = check_attempt(user, &source, budget);
    Some(BestAttempt { source, checked })
}

/// The nearest attempt, with the paper's own cases for the properties that have none.
fn complete(user: &Protocol, nearest: Option<&Certificate>) -> Option<Certificate> {
    let (large, mut cases) = match nearest.cloned() {
        Some(Certificate { large, argument: ProofArgument::Cutoff(cases) }) => (large, cases),
        Some(Certificate { argument: ProofArgument::Invariant(_), .. }) | None => {
            (user.clone(), Vec::new())
        }
    };
    let lemmas = large.properties.len() - user.properties.len();
    let small = Protocol { properties: large.properties.clone(), ..user.clone() };
    if let Ok(Certificate { argument: ProofArgument::Cutoff(guessed), .. }) = literal(user) {
        let known: BTreeSet<usize> = cases.iter().map(|case| case.property).collect();
        let guessed = guessed.into_iter().map(|case| Case {
            property: case.property + lemmas,
            small: small.clone(),
            ..case
        });
        cases.extend(guessed.filter(|case| !known.contains(&case.property)));
        cases.sort_by_key(|case| case.property);
    }
    (!cases.is_empty()).then_some(Certificate { large, argument: ProofArgument::Cutoff(cases) })
}

fn check_attempt(
    user: &Protocol,
    source: &SourceFile,
    budget: &Budget,
) -> Option<(Certificate, Judgement)> {
    if budget.stop.is_set() {
        return None;
    }
    let read = read_certificate(user, source, Origin::ThisText).ok()?;
    let ReadCertificate { certificate, .. } = read;
    let request = JudgeRequest { cutoffs: Cutoffs::Skipped, ..JudgeRequest::new(budget.clone()) };
    let judgement = super::check(user, &certificate, &request, None, &Silent).ok()?;
    Some((certificate, judgement))
}
