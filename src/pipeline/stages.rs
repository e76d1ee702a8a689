//! The stages whose results can be looked at, one table for the command line, the tests of the
//! corpus and the folders of snapshots.

use std::time::Duration;

use super::{Origin, ReadCertificate, read_certificate, read_protocol};
use crate::budget::{Budget, Stop};
use crate::certificate::{Certificate, outline_certificate, print_certificate};
use crate::coverage::Exercise;
use crate::diagnostic::Diagnostic;
use crate::finite::Silent;
use crate::judge::request::{Cutoffs, SolverChoice};
use crate::judge::{JudgeError, every_obligation};
use crate::protocol::{Protocol, print_protocol};
use crate::report::text::check::Checked;
use crate::report::text::coverage::Covered;
use crate::smt::ProverError;
use crate::smt::smtlib::{ScriptStatus, script};
use crate::smt::z3::{ModelSize, Z3};
use crate::source::SourceFile;
use crate::{analysis, coverage, frontend, judge, lint, report};

/// A stage whose result can be looked at.
pub struct Stage {
    /// The word by which users ask for it; also the name of its folder of snapshots.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub summary: &'static str,
    /// How it is shown.
    pub show: Show,
    /// Whether it has nothing to show without the solver.
    pub asks_the_solver: bool,
    /// Whether what it shows of the corpus is kept.
    pub kept: Kept,
}

/// How a stage is shown.
pub enum Show {
    /// Its result for a protocol text.
    OfProtocol(fn(&SourceFile, Detail) -> Result<Shown, Vec<Diagnostic>>),
    /// Its result for several protocol texts, side by side.
    OfProtocols(fn(&[SourceFile], Detail) -> Result<Shown, Unshown>),
    /// Its result for a protocol text and a certificate text.
    OfCertificate(fn(&SourceFile, &SourceFile) -> Result<Shown, Refusal>),
}

/// Whether what a stage shows of the corpus is kept among the snapshots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kept {
    /// It is, in a folder of the stage's name.
    Snapshots,
    /// It is not: it is long and says nothing that another stage does not.
    Nothing,
}

/// Why a stage has nothing to show of a certificate.
pub enum Refusal {
    /// The protocol is wrong.
    Protocol(Vec<Diagnostic>),
    /// The certificate is wrong.
    Certificate(Vec<Diagnostic>),
    /// There is no judgement.
    Judge(JudgeError),
}

/// Why a stage has nothing to show of several protocols.
pub enum Unshown {
    /// The protocol at this position is wrong.
    Protocol(usize, Vec<Diagnostic>),
    /// The solver could not be asked.
    Judge(JudgeError),
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
        summary: "the syntax tree, with the line and columns of every node",
        show: Show::OfProtocol(surface),
        asks_the_solver: false,
        kept: Kept::Snapshots,
    },
    Stage {
        name: "protocol",
        summary: "the protocol, with every name resolved and every sort written out",
        show: Show::OfProtocol(protocol),
        asks_the_solver: false,
        kept: Kept::Snapshots,
    },
    Stage {
        name: "lint",
        summary: "code that is legal but suspicious",
        show: Show::OfProtocol(lint),
        asks_the_solver: true,
        kept: Kept::Snapshots,
    },
    Stage {
        name: "analysis",
        summary: "the state (S) and the actions (A) that a violation needs, and why",
        show: Show::OfProtocol(analysis),
        asks_the_solver: false,
        kept: Kept::Snapshots,
    },
    Stage {
        name: "literal",
        summary: "the paper's algorithm, under its printed and under the sound conditions",
        show: Show::OfProtocols(super::literal::literal),
        asks_the_solver: true,
        kept: Kept::Nothing,
    },
    Stage {
        name: "certificate",
        summary: "the certificate, with every name resolved and every default written out",
        show: Show::OfCertificate(certificate),
        asks_the_solver: false,
        kept: Kept::Snapshots,
    },
    Stage {
        name: "obligations",
        summary: "the proof obligations",
        show: Show::OfCertificate(obligations),
        asks_the_solver: false,
        kept: Kept::Snapshots,
    },
    Stage {
        name: "smtlib",
        summary: "the proof obligations as SMT-LIB scripts",
        show: Show::OfCertificate(smtlib),
        asks_the_solver: false,
        kept: Kept::Nothing,
    },
    Stage {
        name: "verdict",
        summary: "the verdict and what was checked",
        show: Show::OfCertificate(verdict),
        asks_the_solver: true,
        kept: Kept::Snapshots,
    },
];

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
    warnings.extend(findings(&protocol));
    warnings.sort_by_key(|diagnostic| diagnostic.primary.span);
    let text = match warnings.len() {
        0 => "nothing is suspicious\n".to_owned(),
        _ => report::text::diagnostics::summary(source, &warnings),
    };
    Ok(Shown { text, data: None, warnings })
}

/// Everything that `show lint` has to say of a protocol beyond what its text is read with.
pub fn findings(protocol: &Protocol) -> Vec<Diagnostic> {
    let mut found = suspicions(protocol, &Stop::never());
    found.extend(lint::free_at_the_start(protocol));
    for message in never_seen(protocol) {
        // What no state allows, no reachable state does: one message is enough.
        if found.iter().all(|known| known.primary.span != message.primary.span) {
            found.push(message);
        }
    }
    found
}

/// What the protocol never does in small instances.
fn never_seen(protocol: &Protocol) -> Vec<Diagnostic> {
    let Some(exercise) = coverage::exercise(protocol, None, &Stop::never()) else {
        return Vec::new();
    };
    let Exercise { idle, unmet, looked } = &exercise;
    let idle = idle.iter().filter_map(|name| protocol.action(name)).map(|(_, action)| {
        let words = report::text::coverage::idle(protocol, looked);
        let message = format!("`{}` is {words}", action.name);
        Diagnostic::warning(lint::NEVER_POSSIBLE, message, action.span)
            .hint("something that it requires is never made true, or takes more elements")
    });
    let unmet = unmet.iter().filter_map(|name| protocol.property(name)).map(|(_, property)| {
        let words = report::text::coverage::unmet(protocol, looked);
        let message = format!("the premise of `{}` {words}", property.name);
        Diagnostic::warning(lint::PREMISE_NEVER_HOLDS, message, property.span)
            .hint("it says nothing about these instances")
    });
    idle.chain(unmet).collect()
}

/// What is suspicious about a protocol, as far as the solver can tell within a fixed effort, unless
/// it is time to stop before.
pub fn suspicions(protocol: &Protocol, stop: &Stop) -> Vec<Diagnostic> {
    let prover = Z3 { models: ModelSize::Any };
    let time = Budget { time: Duration::from_secs(10), ..Budget::until(stop.clone()) };
    lint::lint(protocol, &prover, &Budget { resources: Some(2_000_000), ..time })
}

fn analysis(source: &SourceFile, detail: Detail) -> Result<Shown, Vec<Diagnostic>> {
    let (protocol, warnings) = read_protocol(source)?;
    let facts = analysis::analyse(&protocol);
    let depth = match detail {
        Detail::Results => report::text::analysis::AnalysisDepth::Results,
        Detail::Steps => report::text::analysis::AnalysisDepth::Rounds,
    };
    let text = report::text::analysis::text(&protocol, &facts, depth);
    let data = Some(report::json::analysis::json(&protocol, &facts));
    Ok(Shown { text, data, warnings })
}

/// A protocol, a certificate for it, and what is suspicious about them.
struct BothResults {
    protocol: Protocol,
    certificate: Certificate,
}

fn both(text: &SourceFile, source: &SourceFile) -> Result<BothResults, Refusal> {
    let (protocol, _) = read_protocol(text).map_err(Refusal::Protocol)?;
    let read = read_certificate(&protocol, source, Origin::ThisText);
    let ReadCertificate { certificate, .. } = read.map_err(Refusal::Certificate)?;
    Ok(BothResults { protocol, certificate })
}

fn certificate(text: &SourceFile, source: &SourceFile) -> Result<Shown, Refusal> {
    let BothResults { protocol, certificate } = both(text, source)?;
    let data = report::json::certificate::data(&outline_certificate(&protocol, &certificate));
    let text = print_certificate(&protocol, &certificate, "");
    Ok(Shown { text, data: Some(data), warnings: Vec::new() })
}

fn obligations(text: &SourceFile, source: &SourceFile) -> Result<Shown, Refusal> {
    let BothResults { certificate, .. } = both(text, source)?;
    let all = every_obligation(&certificate);
    Ok(Shown { text: report::text::obligations::text(&all), data: None, warnings: Vec::new() })
}

fn smtlib(text: &SourceFile, source: &SourceFile) -> Result<Shown, Refusal> {
    let BothResults { certificate, .. } = both(text, source)?;
    let mut out = String::new();
    for obligation in every_obligation(&certificate) {
        let script = script(&judge::query(&obligation), ScriptStatus::Unknown);
        let script = script.map_err(|error| Refusal::Judge(ProverError::from(error).into()))?;
        out.push_str(&format!("; {}\n{script}\n", obligation.title()));
    }
    Ok(Shown { text: out, data: None, warnings: Vec::new() })
}

/// The whole judgement, but for counter-models: another solver may find others.
fn verdict(text: &SourceFile, source: &SourceFile) -> Result<Shown, Refusal> {
    let BothResults { protocol, certificate } = both(text, source)?;
    let judgement = super::check(&protocol, &certificate, &usual_request(), None, &Silent);
    let checked = Checked {
        protocol: &protocol,
        text,
        certificate: &certificate,
        source,
        changes: None,
        evidence: None,
        coverage: Covered::NotAsked,
        judgement: &judgement.map_err(Refusal::Judge)?,
    };
    Ok(Shown { text: report::text::check::summary(&checked), data: None, warnings: Vec::new() })
}

fn usual_request() -> judge::request::JudgeRequest {
    const PATIENCE: Duration = Duration::from_secs(60);
    judge::request::JudgeRequest {
        only: None,
        solver: SolverChoice::Z3,
        cvc5: None,
        budget: Budget { max_memory: 4096 << 20, ..Budget::of_time(PATIENCE) },
        cutoffs: Cutoffs::Searched,
        residual: 3,
    }
}
