//! The best attempt at a certificate, when nothing better was found: to be continued by hand.

use std::collections::BTreeSet;

use super::{Origin, ReadCertificate, read_certificate};
use crate::budget::{Budget, Stop};
use crate::certificate::{Case, Certificate, ProofArgument, print_certificate};
use crate::finite::Silent;
use crate::judge::Verdict;
use crate::judge::request::{Cutoffs, JudgeRequest, SolverChoice};
use crate::protocol::Protocol;
use crate::prove::ProofOutcome;
use crate::report::text::check::{Checked, brief};
use crate::report::text::coverage::Covered;
use crate::source::SourceFile;
use crate::synthesis::is_endless;
use crate::synthesis::literal::literal;

/// An attempt as text, and what the checker says of it.
pub struct BestAttempt {
    /// The certificate's text.
    pub text: String,
    /// What fails, with counterexamples, as far as it could be told in the time.
    pub report: Option<String>,
}

/// How many counterexamples are shown.
const MOST: usize = 2;

const WARNING: &str = "\
Not a proof: the best attempt of `rmlcut synth`, to be continued by hand.
`rmlcut check PROTOCOL CERTIFICATE --watch` tells what is still missing, each time it is saved.";

/// The best attempt of a run that proved nothing, checked until it is time to stop.
///
/// `text` is the protocol's text, `name` what to call the certificate's.
pub fn best_attempt(
    text: &SourceFile,
    user: &Protocol,
    outcome: &ProofOutcome,
    name: &str,
    stop: &Stop,
) -> Option<BestAttempt> {
    let certificate = match outcome {
        ProofOutcome::Unsafe(_) | ProofOutcome::FalseLemma(_) => return None,
        ProofOutcome::Judged { judgement, .. }
            if matches!(judgement.verdict, Verdict::Unsafe(_)) =>
        {
            return None;
        }
        ProofOutcome::Judged { certificate, .. } => Certificate::clone(certificate),
        ProofOutcome::Nothing { attempt, .. } => completed(user, attempt.as_deref())?,
    };
    if let ProofArgument::Cutoff(cases) = &certificate.argument
        && cases.iter().any(is_endless)
    {
        return None;
    }
    let written = print_certificate(user, &certificate, WARNING);
    let source = SourceFile::new(name, written.as_str());
    let report = checked(text, user, &source, stop).filter(|report| !report.trim().is_empty());
    Some(BestAttempt { text: written, report })
}

/// What came nearest, with the paper's own cases for the properties that have none.
fn completed(user: &Protocol, nearest: Option<&Certificate>) -> Option<Certificate> {
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

/// What the checker says of the text, with places in it.
fn checked(text: &SourceFile, user: &Protocol, source: &SourceFile, stop: &Stop) -> Option<String> {
    if stop.is_set() {
        return None;
    }
    let read = read_certificate(user, source, Origin::ThisText).ok()?;
    let ReadCertificate { certificate, .. } = read;
    let judgement = super::check(user, &certificate, &request(stop), None, &Silent).ok()?;
    let checked = Checked {
        protocol: user,
        text,
        certificate: &certificate,
        source,
        changes: None,
        judgement: &judgement,
        evidence: None,
        coverage: Covered::NotAsked,
    };
    Some(brief(&checked, MOST))
}

fn request(stop: &Stop) -> JudgeRequest {
    JudgeRequest {
        only: None,
        solver: SolverChoice::Z3,
        cvc5: None,
        budget: Budget::until(stop.clone()),
        cutoffs: Cutoffs::Skipped,
        residual: 1,
    }
}
