//! `rmlcut bench --stage process`: every process among the paths, proved for any number of copies,
//! beside what the printed analysis says of it.

use std::path::PathBuf;
use std::time::Instant;

use super::synth::{BenchLimits, protocols_called};
use crate::budget::Budget;
use crate::certificate::ProofArgument;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, CommandResult, read};
use crate::cli::terminal::progress;
use crate::finite::Silent;
use crate::judge::JudgeError;
use crate::judge::request::JudgeRequest;
use crate::pipeline;
use crate::pipeline::{StageOutput, StageResult, Strategy, SynthError, Synthesis};
use crate::protocol::Protocol;
use crate::report::bench::process::{PrintedConditions, ProcessBench, ProcessRow};
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
    let found = progress::during(&protocol.name, limits.timeout, |news| {
        let config = limits.config(news);
        pipeline::synth((protocol, process.as_ref()), Strategy::Search, &config)
    });
    let Synthesis { outcome, equals, .. } = match found {
        Ok(found) => found,
        Err(SynthError::Judge(error)) => return Err(error),
        Err(error @ SynthError::Literal(_)) => {
            return Err(JudgeError::Engine(crate::finite::EngineError::Bug(error.to_string())));
        }
    };
    let seconds = start.elapsed().as_secs_f64();
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
        printed: printed(source),
    })
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
