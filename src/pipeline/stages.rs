//! The stages whose results can be looked at, one table for the command line, the tests of the
//! corpus and the folders of snapshots.

use std::time::Duration;

use super::literal::LiteralRow;
use super::{Origin, ReadCertificate, read_certificate, read_process, read_protocol};
use crate::analysis::Facts;
use crate::analysis::phases::{PhaseAnalysis, Suggestion, analyse_phases, suggestions};
use crate::budget::{Budget, Stop, cores};
use crate::certificate::{Certificate, Invariant, NamedFormula, Obligation, ProofArgument};
use crate::coverage::Exercise;
use crate::diagnostic::Diagnostic;
use crate::explain::{self, Fragment};
use crate::finite::Silent;
use crate::frontend::syntax::codes;
use crate::judge::{JudgeError, Judgement, every_obligation};
use crate::logic::print_vars;
use crate::process::Process;
use crate::process::local::Unlisted;
use crate::protocol::{Protocol, print_protocol};
use crate::smt::ProverError;
use crate::smt::smtlib::{ScriptStatus, script};
use crate::smt::z3::{ModelSize, Z3};
use crate::source::{SourceFile, Span};
use crate::{analysis, coverage, frontend, judge, lint};

/// A stage whose result can be looked at.
pub struct Stage {
    /// The word by which users ask for it; also the name of its folder of snapshots.
    pub name: &'static str,
    /// What it shows, in a few words.
    pub summary: &'static str,
    /// Computes its result.
    pub run: StageRun,
    /// Whether it has nothing to show without the solver.
    pub asks_the_solver: bool,
    /// Whether its results for the corpus are kept as snapshots. The others are long and add
    /// nothing to another stage.
    pub has_snapshots: bool,
}

/// How a stage computes its result.
pub enum StageRun {
    /// From a protocol text.
    OfProtocol(fn(&SourceFile) -> Result<StageOutput, Vec<Diagnostic>>),
    /// From the text of a process.
    OfProcess(fn(&SourceFile) -> Result<StageOutput, Vec<Diagnostic>>),
    /// From several protocol texts, side by side.
    OfProtocols(fn(&[SourceFile]) -> Result<StageOutput, StageError>),
    /// From a protocol text, with a certificate text where there is one.
    OfEither(fn(&SourceFile, Option<&SourceFile>) -> Result<StageOutput, StageError>),
    /// From a protocol text and a certificate text.
    OfCertificate(fn(&SourceFile, &SourceFile) -> Result<StageOutput, StageError>),
}

/// Why a stage has no result.
pub enum StageError {
    /// The protocol at this position is wrong.
    Protocol(usize, Vec<Diagnostic>),
    /// The certificate is wrong.
    Certificate(Vec<Diagnostic>),
    /// There is no judgement.
    Judge(JudgeError),
}

/// The result of a stage and what is legal but suspicious.
pub struct StageOutput {
    /// The result.
    pub result: StageResult,
    /// What is legal but suspicious.
    pub warnings: Vec<Diagnostic>,
}

impl From<StageResult> for StageOutput {
    fn from(result: StageResult) -> Self {
        StageOutput { result, warnings: Vec::new() }
    }
}

/// The result of a stage.
pub enum StageResult {
    /// A text that another tool, or this one, reads.
    Text(String),
    /// The warnings are the result.
    Lint,
    /// What a violation needs.
    Analysis(Protocol, Facts),
    /// The phases of a process, and edits for what stands in their way.
    Phases(Box<Process>, Box<PhaseAnalysis>, Vec<Suggestion>),
    /// Which sorts are data.
    Domains(Box<super::Domains>),
    /// The paper's algorithm on several protocols.
    Literal(Vec<LiteralRow>),
    /// A certificate with its protocol.
    Certificate(Protocol, Certificate),
    /// The obligations of a certificate.
    Obligations(Vec<Obligation>),
    /// The sort graphs of obligations.
    Fragment(Fragment),
    /// A certificate with its protocol and its judgement.
    Verdict(Protocol, Certificate, Judgement),
}

/// All stages, in the order in which they run. `rmlcut show`, the tests of the corpus and the
/// folders of snapshots follow this table.
pub const STAGES: &[Stage] = &[
    Stage {
        name: "surface",
        summary: "the syntax tree, with the line and columns of every node",
        run: StageRun::OfProtocol(surface),
        asks_the_solver: false,
        has_snapshots: true,
    },
    Stage {
        name: "protocol",
        summary: "the protocol, with every name resolved and every sort written out",
        run: StageRun::OfProtocol(protocol),
        asks_the_solver: false,
        has_snapshots: true,
    },
    Stage {
        name: "lint",
        summary: "code that is legal but suspicious",
        run: StageRun::OfProtocol(lint),
        asks_the_solver: true,
        has_snapshots: true,
    },
    Stage {
        name: "analysis",
        summary: "the state (S) and the actions (A) that a violation needs, and why",
        run: StageRun::OfProtocol(analysis),
        asks_the_solver: false,
        has_snapshots: true,
    },
    Stage {
        name: "phases",
        summary: "the phases of a process, and what a printed cutoff condition says of it",
        run: StageRun::OfProcess(phases),
        asks_the_solver: false,
        has_snapshots: false,
    },
    Stage {
        name: "domains",
        summary: "which sorts are data, and how many values of each are enough",
        run: StageRun::OfEither(super::domains::domains),
        asks_the_solver: true,
        has_snapshots: false,
    },
    Stage {
        name: "literal",
        summary: "the paper's algorithm, under its printed and under the sound conditions",
        run: StageRun::OfProtocols(super::literal::literal),
        asks_the_solver: true,
        has_snapshots: false,
    },
    Stage {
        name: "certificate",
        summary: "the certificate, with every name resolved and every default written out",
        run: StageRun::OfCertificate(certificate),
        asks_the_solver: false,
        has_snapshots: true,
    },
    Stage {
        name: "obligations",
        summary: "the proof obligations",
        run: StageRun::OfCertificate(obligations),
        asks_the_solver: false,
        has_snapshots: true,
    },
    Stage {
        name: "fragment",
        summary: "the quantifier alternations of the obligations, and whether they are stratified",
        run: StageRun::OfEither(fragment),
        asks_the_solver: false,
        has_snapshots: true,
    },
    Stage {
        name: "smtlib",
        summary: "the proof obligations as SMT-LIB scripts",
        run: StageRun::OfCertificate(smtlib),
        asks_the_solver: false,
        has_snapshots: false,
    },
    Stage {
        name: "verdict",
        summary: "the verdict and what was checked",
        run: StageRun::OfCertificate(verdict),
        asks_the_solver: true,
        has_snapshots: true,
    },
];

fn surface(source: &SourceFile) -> Result<StageOutput, Vec<Diagnostic>> {
    let (module, warnings) = frontend::parse(source).accept()?;
    Ok(StageOutput { result: StageResult::Text(frontend::dump(&module, source)), warnings })
}

fn protocol(source: &SourceFile) -> Result<StageOutput, Vec<Diagnostic>> {
    let (protocol, warnings) = read_protocol(source)?;
    let text = print_protocol(&protocol) + &violators(&protocol);
    Ok(StageOutput { result: StageResult::Text(text), warnings })
}

/// Comments that say which elements violate each property.
fn violators(protocol: &Protocol) -> String {
    let mut out = String::from("\n");
    for property in &protocol.properties {
        let vars = print_vars(&protocol.signature, &property.vars);
        let vars = if vars.is_empty() { "none" } else { &vars };
        out.push_str(&format!("# violators of [{}]: {vars}\n", property.name));
    }
    if protocol.properties.is_empty() { String::new() } else { out }
}

fn lint(source: &SourceFile) -> Result<StageOutput, Vec<Diagnostic>> {
    let (protocol, mut warnings) = read_protocol(source)?;
    warnings.extend(findings(&protocol, read_process(source).as_ref()));
    warnings.sort_by_key(|diagnostic| diagnostic.primary.span);
    Ok(StageOutput { result: StageResult::Lint, warnings })
}

/// Every warning of `show lint` beyond those of reading the text.
pub fn findings(protocol: &Protocol, process: Option<&Process>) -> Vec<Diagnostic> {
    let mut found = suspicions(protocol, &Stop::never());
    found.extend(lint::free_at_the_start(protocol));
    if let Some(process) = process {
        // Actions of the lowered protocol are not what the text speaks of.
        found.retain(|message| message.code != lint::IMPOSSIBLE_ACTION);
        let unused = coverage::process::unused(protocol, process, &Stop::never());
        found.extend(unused.iter().flat_map(|unused| lint::about_process(process, unused)));
        return found;
    }
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
    let Exercise { idle, unmet, looked, runs } = &exercise;
    let idle = idle.iter().filter_map(|name| protocol.action(name)).map(|(_, action)| {
        let words = coverage::idle(protocol, looked);
        let message = format!("`{}` is {words}", action.name);
        Diagnostic::warning(lint::NEVER_POSSIBLE, message, action.span)
            .hint("something that it requires is never made true, or takes more elements")
    });
    let unmet = unmet.iter().filter_map(|name| protocol.property(name)).map(|(_, property)| {
        let words = coverage::unmet(protocol, looked);
        let message = format!("the premise of `{}` {words}", property.name);
        Diagnostic::warning(lint::PREMISE_NEVER_HOLDS, message, property.span)
            .hint("it says nothing about these instances")
    });
    let unreached = runs.iter().filter(|run| run.is_unreached_goal()).map(|run| {
        let looked = run.looked.as_ref().unwrap_or(looked);
        let message = format!("this is {}", coverage::unreached(protocol, looked));
        Diagnostic::warning(lint::NOT_REACHED, message, run.expected.span)
            .hint("no run up to these sizes does this; it may take more elements")
    });
    idle.chain(unmet).chain(unreached).collect()
}

/// What is suspicious about a protocol, as far as the solver can decide within a fixed effort and
/// before the stop.
pub fn suspicions(protocol: &Protocol, stop: &Stop) -> Vec<Diagnostic> {
    let prover = Z3 { models: ModelSize::Any };
    let time = Budget { time: Duration::from_secs(10), ..Budget::until(stop.clone()) };
    lint::lint(protocol, &prover, &Budget { resources: Some(2_000_000), ..time })
}

fn analysis(source: &SourceFile) -> Result<StageOutput, Vec<Diagnostic>> {
    let (protocol, warnings) = read_protocol(source)?;
    let facts = analysis::analyse(&protocol);
    Ok(StageOutput { result: StageResult::Analysis(protocol, facts), warnings })
}

/// The phases of a process, what stands in their way, and edits that were tried.
///
/// # Errors
/// What is wrong with the text, or why it has no phases.
pub fn phases(source: &SourceFile) -> Result<StageOutput, Vec<Diagnostic>> {
    let (_, warnings) = read_protocol(source)?;
    let language = frontend::frontend(source).language;
    let Some(process) = read_process(source) else {
        let message = format!("phases are those of a process, and {language} has none");
        let hint = "`rmlcut show analysis` says what a violation of a protocol needs";
        return Err(vec![
            Diagnostic::error(codes::NO_PROCESS, message, Span::default()).hint(hint),
        ]);
    };
    let analysis = analyse_phases(&process).map_err(|why| {
        let message = match why {
            Unlisted::MoreThan(most) => format!("a process has more than {most} local states"),
            Unlisted::UnboundedData => {
                "variables of an unbounded domain have no finite number of local states".to_owned()
            }
            Unlisted::WrittenEnvironment => {
                "an environment with a state of its own has no phases".to_owned()
            }
        };
        vec![Diagnostic::error(codes::NO_PROCESS, message, Span::default())]
    })?;
    let edits = suggestions(&process, &analysis);
    let result = StageResult::Phases(Box::new(process), Box::new(analysis), edits);
    Ok(StageOutput { result, warnings })
}

fn read_both(
    text: &SourceFile,
    source: &SourceFile,
) -> Result<(Protocol, Certificate), StageError> {
    let read = read_protocol(text).map_err(|messages| StageError::Protocol(0, messages));
    let (protocol, _) = read?;
    let read = read_certificate(&protocol, source, Origin::ThisText);
    let ReadCertificate { certificate, .. } = read.map_err(StageError::Certificate)?;
    Ok((protocol, certificate))
}

fn certificate(text: &SourceFile, source: &SourceFile) -> Result<StageOutput, StageError> {
    let (protocol, certificate) = read_both(text, source)?;
    Ok(StageResult::Certificate(protocol, certificate).into())
}

fn obligations(text: &SourceFile, source: &SourceFile) -> Result<StageOutput, StageError> {
    let (_, certificate) = read_both(text, source)?;
    Ok(StageResult::Obligations(every_obligation(&certificate)).into())
}

/// Without a certificate, the obligations are those of the properties as an invariant.
fn fragment(text: &SourceFile, source: Option<&SourceFile>) -> Result<StageOutput, StageError> {
    let certificate = match source {
        Some(source) => read_both(text, source)?.1,
        None => {
            let read = read_protocol(text).map_err(|messages| StageError::Protocol(0, messages));
            let (large, _) = read?;
            let clauses = large.properties.iter().map(|property| NamedFormula {
                name: property.name.clone(),
                formula: property.formula(),
                span: property.span,
            });
            let argument = ProofArgument::Invariant(Invariant { clauses: clauses.collect() });
            Certificate { large, argument }
        }
    };
    let found = explain::fragment(&every_obligation(&certificate));
    Ok(StageResult::Fragment(found).into())
}

fn smtlib(text: &SourceFile, source: &SourceFile) -> Result<StageOutput, StageError> {
    let (_, certificate) = read_both(text, source)?;
    let mut out = String::new();
    for obligation in every_obligation(&certificate) {
        let script = script(&judge::query(&obligation), ScriptStatus::Unknown);
        let script = script.map_err(|error| StageError::Judge(ProverError::from(error).into()))?;
        out.push_str(&format!("; {}\n{script}\n", obligation.title()));
    }
    Ok(StageResult::Text(out).into())
}

fn verdict(text: &SourceFile, source: &SourceFile) -> Result<StageOutput, StageError> {
    let (protocol, certificate) = read_both(text, source)?;
    let judgement = super::check(&protocol, &certificate, &usual_request(), None, &Silent);
    let judgement = judgement.map_err(StageError::Judge)?;
    Ok(StageResult::Verdict(protocol, certificate, judgement).into())
}

fn usual_request() -> judge::request::JudgeRequest {
    const TIME: Duration = Duration::from_secs(60);
    judge::request::JudgeRequest::new(Budget {
        max_memory: 4096 << 20,
        threads: cores(),
        ..Budget::of_time(TIME)
    })
}
