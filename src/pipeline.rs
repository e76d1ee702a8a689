//! The whole tool on one screen: what each command does with a text, stage after stage.

use std::time::Duration;

use crate::analysis;
use crate::certificate::{self, Certificate, Changes, Provenance, TwoSystems};
use crate::diagnostic::Diagnostic;
pub use crate::elaborate::certificate::Origin;
use crate::elaborate::certificate::{check_header, elaborate_certificate};
use crate::elaborate::{self, Elaborated};
use crate::finite::request::{Explored, Request, RequestError};
use crate::finite::{self, Progress};
use crate::frontend;
use crate::judge::{self, JudgeError, Judgement};
use crate::lint;
use crate::protocol::{Protocol, print_protocol};
use crate::report;
use crate::smt::z3::{ModelSize, Z3};
use crate::smt::{self, Budget};
use crate::source::SourceFile;

/// A stage whose result can be looked at.
pub struct Stage {
    /// The word by which users ask for it; also the name of its folder of snapshots.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub summary: &'static str,
    /// Its result for a protocol text.
    pub show: fn(&SourceFile, Detail) -> Result<Shown, Vec<Diagnostic>>,
}

/// How much a stage tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What it found.
    Results,
    /// Also how it got there.
    Steps,
}

/// What a stage has to show.
pub struct Shown {
    /// The result as text.
    pub text: String,
    /// The result for programs, where it has more than its text to say.
    pub data: Option<report::json::Data>,
    /// What is legal and suspicious.
    pub warnings: Vec<Diagnostic>,
}

/// All stages, in the order in which they run. `rmlcut show`, the tests of the corpus and the
/// folders of snapshots follow this table.
pub const STAGES: &[Stage] = &[
    Stage {
        name: "surface",
        summary: "the text as a tree, every node with its line and columns",
        show: surface,
    },
    Stage {
        name: "protocol",
        summary: "the protocol with every name resolved and every sort written out",
        show: protocol,
    },
    Stage {
        name: "lint",
        summary: "what is legal and suspicious, as far as the solver can tell",
        show: lint,
    },
    Stage {
        name: "analysis",
        summary: "the state and the actions that a violation needs, and why",
        show: analysis,
    },
];

/// Why an exploration has no outcome.
pub enum ExploreError {
    /// The text is wrong.
    Text(Vec<Diagnostic>),
    /// The request is wrong or too large.
    Request(RequestError),
}

/// Searches every instance of one size for a violation.
///
/// # Errors
/// When the text or the request is wrong.
pub fn explore(
    source: &SourceFile,
    request: &Request,
    progress: &dyn Progress,
) -> Result<(Protocol, Explored, Vec<Diagnostic>), ExploreError> {
    let (protocol, warnings) = read_protocol(source).map_err(ExploreError::Text)?;
    let explored = finite::request::explore(&protocol, request, progress);
    Ok((protocol, explored.map_err(ExploreError::Request)?, warnings))
}

/// A certificate text as a certificate for a protocol.
pub struct ReadCertificate {
    /// The certificate.
    pub certificate: Certificate,
    /// How the protocol differs from the one that the certificate was made for.
    pub changes: Option<Changes>,
    /// What is legal and suspicious.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a certificate for a protocol.
///
/// # Errors
/// Everything that is wrong with the text, in its order.
pub fn read_certificate(
    user: &Protocol,
    source: &SourceFile,
    origin: Origin,
) -> Result<ReadCertificate, Vec<Diagnostic>> {
    let parsed = frontend::parse_certificate(source);
    let mut messages = parsed.diagnostics;
    messages.extend(check_header(user, &parsed.file, origin));
    if messages.iter().any(Diagnostic::is_error) {
        return Err(messages);
    }
    let elaborated = elaborate_certificate(user, &parsed.file);
    messages.extend(elaborated.diagnostics);
    messages.sort_by_key(|message| message.primary.span);
    let made_for = parsed.file.header.map(|header| Provenance {
        protocol: header.protocol.value,
        digest: header.digest.value.to_lowercase().into(),
    });
    let changes = certificate::changes(user, made_for, source.text());
    match elaborated.certificate {
        Some(certificate) => Ok(ReadCertificate { certificate, changes, warnings: messages }),
        None => Err(messages),
    }
}

/// What is remembered from one check to the next.
pub type Memory = smt::Memory<TwoSystems>;

/// Judges a certificate for a protocol; answers that are remembered are not asked for again.
///
/// # Errors
/// When there is no judgement: a solver is missing, or two parts of the tool disagree.
pub fn check(
    user: &Protocol,
    certificate: &Certificate,
    request: &judge::request::Request,
    memory: Option<&Memory>,
    progress: &dyn Progress,
) -> Result<Judgement, JudgeError> {
    judge::request::check(user, certificate, request, memory, progress)
}

/// A protocol in the canonical form of our own language.
pub enum Formatted {
    /// It was in our own language; its comments are included.
    Canonical(String),
    /// It was in another one, of this name; its comments are not included.
    Translated(&'static str, String),
}

/// The canonical text of a protocol.
///
/// # Errors
/// Everything that is wrong with how the text is written; whether it makes sense does not matter.
pub fn format(source: &SourceFile) -> Result<Formatted, Vec<Diagnostic>> {
    let parsed = frontend::parse(source);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(parsed.diagnostics);
    }
    let language = frontend::frontend(source).language;
    if language == frontend::FRONTENDS[0].language {
        return Ok(Formatted::Canonical(frontend::format(&parsed, source)));
    }
    if let Some(span) = parsed.module.first_relation_of_states() {
        let message = "RML has no formulas about two states";
        return Err(vec![Diagnostic::error(frontend::codes::UNTRANSLATABLE, message, span)]);
    }
    Ok(Formatted::Translated(language, frontend::print_module(&parsed.module)))
}

fn surface(source: &SourceFile, _detail: Detail) -> Result<Shown, Vec<Diagnostic>> {
    let (module, warnings) = frontend::parse(source).accept()?;
    Ok(Shown { text: frontend::dump(&module, source), data: None, warnings })
}

fn protocol(source: &SourceFile, _detail: Detail) -> Result<Shown, Vec<Diagnostic>> {
    let (protocol, warnings) = read_protocol(source)?;
    Ok(Shown { text: print_protocol(&protocol), data: None, warnings })
}

fn lint(source: &SourceFile, _detail: Detail) -> Result<Shown, Vec<Diagnostic>> {
    let (protocol, mut warnings) = read_protocol(source)?;
    warnings.extend(suspicions(&protocol));
    warnings.sort_by_key(|diagnostic| diagnostic.primary.span);
    let text = match warnings.len() {
        0 => "nothing is suspicious\n".to_owned(),
        _ => report::diagnostics::summary(source, &warnings),
    };
    Ok(Shown { text, data: None, warnings })
}

/// What is suspicious about a protocol, as far as the solver can tell within a fixed effort.
pub fn suspicions(protocol: &Protocol) -> Vec<Diagnostic> {
    let prover = Z3 { models: ModelSize::Any };
    let time = Budget::of_time(Duration::from_secs(10));
    lint::lint(protocol, &prover, &Budget { resources: Some(2_000_000), ..time })
}

fn analysis(source: &SourceFile, detail: Detail) -> Result<Shown, Vec<Diagnostic>> {
    let (protocol, warnings) = read_protocol(source)?;
    let facts = analysis::analyse(&protocol);
    let depth = match detail {
        Detail::Results => report::analysis::Depth::Results,
        Detail::Steps => report::analysis::Depth::Rounds,
    };
    let text = report::analysis::text(&protocol, &facts, depth);
    let data = Some(report::json_analysis::json(&protocol, &facts));
    Ok(Shown { text, data, warnings })
}

/// A protocol text as a protocol, with what is legal and suspicious about it.
///
/// # Errors
/// Everything that is wrong with the text, in its order.
pub fn read_protocol(source: &SourceFile) -> Result<(Protocol, Vec<Diagnostic>), Vec<Diagnostic>> {
    let parsed = frontend::parse(source);
    let mut diagnostics = parsed.diagnostics;
    let complete = !diagnostics.iter().any(Diagnostic::is_error);
    let Elaborated { protocol, diagnostics: more } =
        elaborate::elaborate(protocol_name(source.name()), &parsed.module);
    // What could not be read may have declared what seems to be missing.
    diagnostics.extend(
        more.into_iter().filter(|message| complete || !elaborate::is_about_absence(message)),
    );
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    match protocol {
        Some(protocol) if complete => Ok((protocol, diagnostics)),
        _ => Err(diagnostics),
    }
}

/// The file's name without folders and extension.
fn protocol_name(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}
