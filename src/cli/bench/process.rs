//! `rmlcut bench --stage process`: every process among the paths, proved for any number of copies,
//! beside what the printed analysis says of it.

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Instant;

use super::synth::{BenchLimits, protocols_called};
use crate::budget::Budget;
use crate::certificate::ProofArgument;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, CommandResult, read};
use crate::cli::terminal::progress;
use crate::finite::question::request;
use crate::finite::question::request::FiniteRequest;
use crate::finite::{Deadlocks, FiniteOutcome, Silent, Slicing, Symmetry};
use crate::judge::JudgeError;
use crate::judge::request::JudgeRequest;
use crate::pipeline;
use crate::pipeline::{StageOutput, StageResult, Strategy, SynthError, Synthesis};
use crate::protocol::Protocol;
use crate::prove::ProveConfig;
use crate::report::bench::process::{PrintedConditions, ProcessBench, ProcessRow, Published};
use crate::report::text::synth;
use crate::report::text::synth::equal_processes;
use crate::source::SourceFile;

/// The extensions of the files that describe a process.
const EXTENSIONS: &[&str] = &["mer", "ch"];

/// Measures every process among the paths.
pub(crate) fn run(paths: &[PathBuf], limits: &BenchLimits, format: Format) -> CommandResult {
    let mut rows = Vec::new();
    for file in protocols_called(paths, EXTENSIONS, format)? {
        if limits.stop.is_set() {
            break;
        }
        let source = read(format, &file)?;
        let (protocol, _) = pipeline::read_provable(&source)
            .map_err(|messages| CommandAnswer::refused(format, &source, &messages))?;
        let row = row(&source, &protocol, limits);
        rows.push(row.map_err(|error| crate::cli::check::failed(format, &error))?);
    }
    Ok(super::answer(format, &ProcessBench { rows }))
}

fn row(
    source: &SourceFile,
    protocol: &Protocol,
    limits: &BenchLimits,
) -> Result<ProcessRow, JudgeError> {
    let process = pipeline::read_process(source);
    let start = Instant::now();
    let proved = OnceLock::new();
    let found = progress::during(&protocol.name, limits.timeout, |news| {
        let on_proof = || {
            let _ = proved.set(start.elapsed());
        };
        let config = ProveConfig { proved: &on_proof, ..limits.config(news) };
        pipeline::synth((protocol, process.as_ref()), Strategy::Search, &config)
    });
    let Synthesis { outcome, equals, .. } = match found {
        Ok(found) => found,
        Err(SynthError::Judge(error)) => return Err(error),
        Err(error @ SynthError::Literal(_)) => {
            return Err(JudgeError::Engine(crate::finite::EngineError::Bug(error.to_string())));
        }
    };
    // The cutoff is looked for after the proof.
    let seconds = proved.get().copied().unwrap_or_else(|| start.elapsed()).as_secs_f64();
    let (clauses, seconds_to_check) = match outcome.judged.as_deref() {
        Some((certificate, _)) => {
            let request = JudgeRequest::new(Budget::of_time(limits.timeout));
            let start = Instant::now();
            pipeline::check(protocol, certificate, &request, None, &Silent)?;
            let clauses = match &certificate.argument {
                ProofArgument::Invariant(invariant) => Some(invariant.clauses.len()),
                ProofArgument::Cutoff(_) => None,
            };
            (clauses, Some(start.elapsed().as_secs_f64()))
        }
        None => (None, None),
    };
    Ok(ProcessRow {
        process: protocol.name.to_string(),
        verdict: synth::verdict(protocol, &outcome),
        by: equal_processes::method(&equals),
        seconds,
        seconds_to_check,
        clauses,
        proved_cutoff: equals.proved_cutoff(),
        published: published(source, limits),
        printed: printed(source),
    })
}

/// What the header of a model says was published of it: `// published: cutoff 3, phases 2`; and what
/// exploring it with so many processes costs.
fn published(source: &SourceFile, limits: &BenchLimits) -> Option<Published> {
    let line = source.text().lines().find_map(|line| line.strip_prefix("// published: "))?;
    let (cutoff, phases) = line.strip_prefix("cutoff ")?.split_once(", phases ")?;
    let (cutoff, phases) = (cutoff.parse().ok()?, phases.parse().ok()?);
    let request = FiniteRequest {
        sizes: vec![("process".to_owned(), cutoff)],
        window: None,
        properties: Vec::new(),
        engine: None,
        deadlocks: Deadlocks::Ignored,
        symmetry: Symmetry::Reduced,
        slicing: Slicing::Sliced,
        budget: Budget::of_time(limits.timeout),
        patience: request::PATIENCE,
    };
    let start = Instant::now();
    let explored = pipeline::explore(source, &request, &Silent).ok();
    let seconds = start.elapsed().as_secs_f64();
    let states = explored.and_then(|(_, explored, _)| match explored.outcome {
        FiniteOutcome::Safe(coverage) => Some(coverage.visited?.states),
        FiniteOutcome::Unsafe(..) | FiniteOutcome::Unknown(..) => None,
    });
    Some(Published { cutoff, phases, seconds_to_explore: seconds, states })
}

/// What the printed conditions say, where they apply.
fn printed(source: &SourceFile) -> Option<PrintedConditions> {
    let StageOutput { result, .. } = pipeline::phases(source).ok()?;
    let StageResult::Phases(_, analysis, _) = result else { return None };
    let cutoffs = analysis.grants.iter().map(|grant| grant.simple);
    Some(PrintedConditions {
        local_states: analysis.locals.states.len(),
        phases: analysis.phases.len(),
        compatible: analysis.is_compatible(),
        cutoff: cutoffs.collect::<Option<Vec<usize>>>().and_then(|all| all.into_iter().max()),
    })
}
