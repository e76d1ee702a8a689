//! The stages of every command, from texts to results; rendering is the report's.

mod best_attempt;
mod complete;
mod domains;
mod export;
mod illustration;
mod literal;
mod modern;
mod stages;
mod synth;
mod traces;

pub use best_attempt::{BestAttempt, best_attempt};
pub use complete::{complete, repair};
pub use domains::Domains;
pub use export::{ExportFailure, ExportRequest, export};
pub use illustration::{Illustration, illustrate, illustrate_proof, illustrate_size};
pub use literal::LiteralRow;
pub use stages::{
    STAGES, Stage, StageError, StageOutput, StageResult, StageRun, findings, phases, suspicions,
};
pub use synth::{Strategy, SynthError, Synthesis, prove_with, synth};
pub use traces::{read_trace, run_traces};

use crate::budget::Budget;
use crate::certificate::{Certificate, Changes, Provenance, TwoSystems};
use crate::diagnostic::{Diagnostic, Severity, once};
use crate::elaborate::Elaborated;
pub use crate::elaborate::certificate::Origin;
use crate::elaborate::certificate::{check_header, elaborate_certificate};
use crate::evidence::Exhibit;
use crate::finite::question::request::{Explored, FiniteRequest, RequestError};
use crate::finite::question::sweep::Sweep;
use crate::finite::{FiniteReason, Progress, Question, Summary};
use crate::judge::{JudgeError, Judgement};
use crate::logic::Name;
use crate::process::{Described, Process};
use crate::protocol::Protocol;
use crate::smt::{Proof, ProverError};
use crate::source::{SourceFile, Span};
use crate::{certificate, elaborate, evidence, finite, frontend, judge, smt};

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
    request: &FiniteRequest,
    progress: &dyn Progress,
) -> Result<(Protocol, Explored, Vec<Diagnostic>), ExploreError> {
    let (protocol, warnings) = read_protocol(source).map_err(ExploreError::Text)?;
    let explored = finite::question::request::explore(&protocol, request, progress);
    Ok((protocol, explored.map_err(ExploreError::Request)?, warnings))
}

/// Which values occur together in the reachable states of the size that was explored.
///
/// # Errors
/// When the size is too large.
pub fn summarize_values(
    protocol: &Protocol,
    explored: &Explored,
    budget: &Budget,
) -> Result<Result<Summary, FiniteReason>, ExploreError> {
    let size = explored.searched.as_ref().unwrap_or(&explored.size).clone();
    let question = Question { window: explored.window, ..Question::new(protocol, size) };
    let summary = finite::summarize(&question, budget);
    summary.map_err(|error| ExploreError::Request(error.into()))
}

/// Searches every size up to a given one for a violation, in order of cost.
///
/// # Errors
/// When the text or the request is wrong.
pub fn sweep(
    source: &SourceFile,
    up_to: &[(String, u32)],
    request: &FiniteRequest,
    progress: &dyn Progress,
) -> Result<(Protocol, Sweep, Vec<Diagnostic>), ExploreError> {
    let (protocol, warnings) = read_protocol(source).map_err(ExploreError::Text)?;
    let swept = finite::question::sweep::sweep(&protocol, up_to, request, progress);
    Ok((protocol, swept.map_err(ExploreError::Request)?, warnings))
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
    messages.dedup();
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

/// The name of the protocol that a certificate says it was made for.
pub fn certified_name(source: &SourceFile) -> Option<Name> {
    Some(frontend::parse_certificate(source).file.header?.protocol.value)
}

/// Answers of earlier checks, for `--watch`.
pub type WatchMemory = smt::AnswerCache<TwoSystems>;
pub use crate::judge::request::check;
pub use crate::smt::Round;

/// Whether proofs are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proofs {
    /// They are, of everything that is valid.
    Wanted,
    /// They are not.
    NotWanted,
}

/// Evidence that can be checked independently.
pub struct Evidence {
    /// Every obligation as a script.
    pub exhibits: Vec<Exhibit>,
    /// A proof for each of them that is valid, if proofs were asked for.
    pub proofs: Option<Vec<Option<Proof>>>,
}

/// Evidence for a judgement.
///
/// # Errors
/// When a solver is missing that should prove, or the tool contradicts itself.
pub fn evidence(
    judgement: &Judgement,
    request: &judge::request::JudgeRequest,
    wanted: Proofs,
) -> Result<Evidence, JudgeError> {
    let exhibits = evidence::exhibits(judgement)?;
    let proofs = match wanted {
        Proofs::NotWanted => None,
        Proofs::Wanted => {
            let cvc5 = request.find_cvc5()?;
            let proofs = evidence::proofs(&exhibits, &cvc5, &request.budget);
            Some(proofs.map_err(ProverError::from)?)
        }
    };
    Ok(Evidence { exhibits, proofs })
}

/// A protocol in the canonical form of our own language.
pub enum Formatted {
    /// It was in our own language; its comments are included.
    Canonical(String),
    /// It was in another one; comments are not included.
    Translated {
        /// The name of the other language.
        from: &'static str,
        /// The text in our own.
        text: String,
        /// What is worth saying of the translation.
        notes: Vec<Diagnostic>,
    },
}

/// Which constructs a formatted text has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    /// Those that were written.
    AsWritten,
    /// Declared structures in place of their axioms.
    Modern,
    /// Plain RML: machines and messages written out.
    Plain,
}

/// The canonical text of a protocol.
///
/// # Errors
/// Everything that is wrong with how the text is written; whether it makes sense does not matter.
pub fn format(source: &SourceFile) -> Result<Formatted, Vec<Diagnostic>> {
    format_as(source, Spelling::AsWritten)
}

/// The canonical text of a protocol, with the constructs of a spelling.
///
/// # Errors
/// As for [`format`].
pub fn format_as(source: &SourceFile, spelling: Spelling) -> Result<Formatted, Vec<Diagnostic>> {
    let mut parsed = frontend::parse(source);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        return Err(once(parsed.diagnostics));
    }
    let language = frontend::frontend(source).language;
    if spelling == Spelling::Modern {
        parsed.module = modern::modern(protocol_name(source.name()), &parsed.module);
    }
    let is_translated = spelling == Spelling::Plain && parsed.machines.is_some();
    if language == frontend::FRONTENDS[0].language && !is_translated {
        return Ok(Formatted::Canonical(frontend::format(&parsed, source)));
    }
    if let Some(span) = parsed.module.first_relation_of_states() {
        return Err(vec![untranslatable(span)]);
    }
    let text = frontend::print_module(&parsed.module);
    Ok(Formatted::Translated { from: language, text, notes: parsed.diagnostics })
}

fn untranslatable(span: Span) -> Diagnostic {
    let message = "this transition relates two states by a formula: RML has assignments only";
    Diagnostic::error(frontend::syntax::codes::UNTRANSLATABLE, message, span)
        .labelled("no assignments say the same")
        .hint(
            "all other commands read this file as it is, and `export --to pyv` writes the formula",
        )
}

/// A protocol text as a protocol, with what is legal and suspicious about it.
///
/// # Errors
/// Everything that is wrong with the text, in its order.
pub fn read_protocol(source: &SourceFile) -> Result<(Protocol, Vec<Diagnostic>), Vec<Diagnostic>> {
    read_with_every_message(source).map_err(once)
}

/// The same, with a message at every place where a mistake is made again: for editors.
///
/// # Errors
/// As for [`read_protocol`].
pub fn read_with_every_message(
    source: &SourceFile,
) -> Result<(Protocol, Vec<Diagnostic>), Vec<Diagnostic>> {
    let parsed = frontend::parse(source);
    let mut diagnostics = parsed.diagnostics;
    let complete = !diagnostics.iter().any(Diagnostic::is_error);
    // What stands for machines with mistakes has mistakes of its own.
    if !complete && parsed.machines.is_some() {
        return Err(diagnostics);
    }
    let Elaborated { protocol, diagnostics: more } =
        elaborate::elaborate(protocol_name(source.name()), &parsed.module);
    // What could not be read may have declared what seems to be missing, and one message about a
    // place is enough. The lint reports what a process does not use, in its terms.
    let own_words = parsed.process.is_none();
    let errors = diagnostics.iter().filter(|message| message.is_error());
    let wrong: Vec<Span> = errors.map(|message| message.primary.span).collect();
    diagnostics.extend(more.into_iter().filter(|message| {
        (complete && own_words || !elaborate::is_about_absence(message))
            && !wrong.contains(&message.primary.span)
    }));
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    if parsed.machines.is_some() {
        diagnostics = one_for_each_place(diagnostics);
    }
    match protocol {
        Some(protocol) if complete => Ok((protocol, diagnostics)),
        _ => Err(diagnostics.into_iter().map(|message| before_hash(message, source)).collect()),
    }
}

/// One message about each place. What is written once in a machine may stand several times in the
/// protocol that it means; the shortest words are about the least of that.
fn one_for_each_place(messages: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut kept: Vec<Diagnostic> = Vec::new();
    for message in messages {
        let words = message.message.len();
        let same = |last: &&mut Diagnostic| {
            last.primary.span == message.primary.span && last.severity == message.severity
        };
        match kept.last_mut().filter(same) {
            Some(last) if last.message.len() <= words => {}
            Some(last) => *last = message,
            None => kept.push(message),
        }
    }
    kept
}

/// The extensions of protocol files, in the order of preference.
pub fn protocol_extensions() -> impl Iterator<Item = &'static str> {
    frontend::FRONTENDS.iter().map(|frontend| frontend.extension)
}

/// The process that a text describes, if it is in a language of processes and right.
pub fn read_process(source: &SourceFile) -> Option<Process> {
    frontend::parse(source).process
}

/// What a right text describes, if that is not relations and actions.
pub fn read_described(source: &SourceFile) -> Option<Described> {
    let parsed = frontend::parse(source);
    let machines = parsed.machines.map(|read| Described::Machines(read.meaning));
    parsed.process.map(|own| Described::Process(Box::new(own))).or(machines)
}

/// A protocol text as a protocol that can be proved: one that states what is to be proved.
///
/// # Errors
/// Everything that is wrong with the text, in its order.
pub fn read_provable(source: &SourceFile) -> Result<(Protocol, Vec<Diagnostic>), Vec<Diagnostic>> {
    let (protocol, messages) = read_protocol(source)?;
    if protocol.states_safety() {
        return Ok((protocol, messages));
    }
    let as_error = |message: Diagnostic| match message.code {
        elaborate::codes::NO_SAFETY => Diagnostic { severity: Severity::Error, ..message },
        _ => message,
    };
    Err(messages.into_iter().map(as_error).collect())
}

/// A term where a formula is needed, and then `#`: elsewhere that is an operator.
fn before_hash(mut message: Diagnostic, source: &SourceFile) -> Diagnostic {
    let rest = source.text().get(message.primary.span.end..).unwrap_or_default();
    let hash = rest.trim_start_matches([' ', '\t']).starts_with('#');
    if hash && message.code == elaborate::codes::FORMULA_NEEDED && message.hint.is_none() {
        message.hint = Some("`#` begins a comment; \"is not\" is written `!=`".to_owned());
    }
    message
}

/// The file's name without folders and extension.
fn protocol_name(file: &str) -> &str {
    let name = file.rsplit(['/', '\\']).next().unwrap_or(file);
    name.split_once('.').map_or(name, |(stem, _)| stem)
}
