//! What `rmlcut show` shows: the result of a stage as text, and for programs.

use super::analysis::domains::ShownDomains;
use super::analysis::literal;
use super::analysis::phases::ShownPhases;
use super::check::obligations;
use super::{analysis, check, diagnostics, fragment};
use crate::certificate::{outline_certificate, print_certificate};
use crate::pipeline::{StageOutput, StageResult};
use crate::report::json;
use crate::source::SourceFile;

/// How much of a result to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The result.
    Results,
    /// Also how the stage arrived at it.
    Steps,
}

/// The result as text; `source` is the text of the first protocol.
///
/// A verdict comes without counterexamples: another solver may find others.
pub fn text(source: &SourceFile, output: &StageOutput, detail: Detail) -> String {
    match &output.result {
        StageResult::Text(text) => text.clone(),
        StageResult::Lint if output.warnings.is_empty() => "nothing is suspicious\n".to_owned(),
        StageResult::Lint => diagnostics::summary(source, &output.warnings),
        StageResult::Analysis(protocol, facts) => analysis::text(protocol, facts, detail),
        StageResult::Phases(process, analysis, suggestions) => {
            ShownPhases { source, process, analysis, suggestions }.text()
        }
        StageResult::Domains(domains) => ShownDomains { source, domains }.text(),
        StageResult::Literal(rows) => literal::text(rows, detail),
        StageResult::Certificate(protocol, certificate) => {
            print_certificate(protocol, certificate, "")
        }
        StageResult::Obligations(all) => obligations::text(all),
        StageResult::Fragment(found) => fragment::text(found, detail == Detail::Steps),
        StageResult::Verdict(protocol, certificate, judgement) => {
            // A summary points at no place, so that any text will do for the certificate's.
            let (protocol, certificate) = ((protocol, source), (certificate, source));
            check::summary(&check::Checked::new(protocol, certificate, judgement))
        }
    }
}

/// The result for programs, where there is more than the text.
pub fn data(source: &SourceFile, result: &StageResult) -> Option<json::Data> {
    match result {
        StageResult::Analysis(protocol, facts) => Some(json::analysis::json(protocol, facts)),
        StageResult::Phases(process, analysis, suggestions) => {
            Some(json::phases::json(&ShownPhases { source, process, analysis, suggestions }))
        }
        StageResult::Domains(domains) => {
            Some(json::domains::json(&ShownDomains { source, domains }))
        }
        StageResult::Literal(rows) => Some(literal::json(rows)),
        StageResult::Certificate(protocol, certificate) => {
            Some(json::certificate::certificate(&outline_certificate(protocol, certificate)))
        }
        StageResult::Fragment(found) => Some(fragment::data(found)),
        StageResult::Text(_)
        | StageResult::Lint
        | StageResult::Obligations(_)
        | StageResult::Verdict(..) => None,
    }
}
