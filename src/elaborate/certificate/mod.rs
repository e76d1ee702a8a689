//! Certificate files to certificates: names, sorts, defaults and the rules of their form.
//!
//! What a certificate claims is not judged here; `certificate::validate` repeats the rules that
//! the theorem rests on.

mod case;
mod clauses;
mod cut;
mod definitions;
mod extend;
mod header;
mod lockstep;
mod names;
mod violators;

pub use header::{Origin, check_header};

use crate::certificate::{Case, Certificate, Invariant, ProofArgument};
use crate::diagnostic::Diagnostic;
use crate::frontend::certificate::surface::CertificateFile;
use crate::protocol::Protocol;
use crate::source::Span;

use super::codes;

/// The result of elaborating a certificate.
#[derive(Clone, Debug)]
pub struct ElaboratedCertificate {
    /// The certificate, unless there was an error.
    pub certificate: Option<Certificate>,
    /// What is wrong or suspicious.
    pub diagnostics: Vec<Diagnostic>,
}

/// Elaborates a certificate for a protocol.
///
/// The header is not checked: whether the certificate is for this very text is the caller's
/// question.
pub fn elaborate_certificate(user: &Protocol, file: &CertificateFile) -> ElaboratedCertificate {
    let mut diagnostics = Vec::new();
    let certificate = build(user, file, &mut diagnostics);
    for diagnostic in &mut diagnostics {
        // What the protocol declares has no place in this text.
        diagnostic.secondary.retain(|label| label.span != Span::default());
    }
    let refused = diagnostics.iter().any(Diagnostic::is_error);
    ElaboratedCertificate { certificate: certificate.filter(|_| !refused), diagnostics }
}

fn build(
    user: &Protocol,
    file: &CertificateFile,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Certificate> {
    let large = extend::large_protocol(user, file, diagnostics)?;
    let argument = match &file.invariant {
        Some(invariant) => {
            if let Some(case) = file.cases.first() {
                let message = "a certificate has cases or an invariant, not both";
                diagnostics.push(
                    Diagnostic::error(codes::CERTIFICATE_FORM, message, case.value.name.span)
                        .also(invariant.span, "the invariant"),
                );
            }
            let clauses = clauses::invariant_clauses(&large, &[], &invariant.value, diagnostics);
            ProofArgument::Invariant(Invariant { clauses })
        }
        None => ProofArgument::Cutoff(cases(user, &large, file, diagnostics)),
    };
    Some(Certificate { large, argument })
}

fn cases(
    user: &Protocol,
    large: &Protocol,
    file: &CertificateFile,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Case> {
    if file.cases.is_empty() {
        let message = "a certificate needs at least one case, or an invariant";
        diagnostics.push(Diagnostic::error(codes::CERTIFICATE_FORM, message, Span::default()));
    }
    let mut cases: Vec<Case> = Vec::new();
    for item in &file.cases {
        let name = &item.value.name;
        if let Some(first) = cases.iter().find(|case| case.name == name.value) {
            let message = format!("two cases are named `{}`", name.value);
            diagnostics.push(
                Diagnostic::error(codes::DECLARED_TWICE, message, name.span)
                    .also(first.span, "the first one"),
            );
        }
        cases.extend(case::case(user, large, item, diagnostics));
    }
    cases
}
