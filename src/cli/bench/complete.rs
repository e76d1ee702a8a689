//! `rmlcut bench --stage complete`: every sketch among the paths completed, beside enumeration, and
//! every other protocol repaired.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::synth::{BenchLimits, protocols_called};
use crate::budget::Budget;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, CommandResult, read};
use crate::complete::{
    CompleteAnswer, CompleteError, CompleteRequest, Learning, RepairAnswer, codes,
};
use crate::finite::{ENGINES, FiniteOutcome, Question, SMALL_INTEGERS, Silent, SmallSizes, check};
use crate::pipeline;
use crate::protocol::Protocol;
use crate::report::bench::complete::{CompleteBench, RepairRow, SketchCost, SketchRow};
use crate::report::text::complete::{complete_verdict, repair_verdict};
use crate::source::SourceFile;

/// The extensions of the files that may be sketches.
const EXTENSIONS: &[&str] = &["rml", "mer", "ch"];

/// How many repairs are asked for, and the most edits of each.
const REPAIRS: usize = 3;
const EDITS: u32 = 2;

/// The part of the time for the proof of one answer.
const PROOF_SHARE: u32 = 4;

/// How many states of an instance are compared with those of the original.
const STATES: u64 = 200_000;

/// Measures every sketch and every protocol to repair among the paths.
pub(crate) fn run(paths: &[PathBuf], limits: &BenchLimits, format: Format) -> CommandResult {
    let mut bench = CompleteBench::default();
    for file in protocols_called(paths, EXTENSIONS, format)? {
        if limits.stop.is_set() {
            break;
        }
        let source = read(format, &file)?;
        let failed = |error: CompleteError| match error {
            CompleteError::Text(messages) => CommandAnswer::refused(format, &source, &messages),
            CompleteError::Trace(trace, messages) => {
                CommandAnswer::refused(format, &trace, &messages)
            }
            CompleteError::Judge(error) => crate::cli::check::failed(format, &error),
        };
        match pipeline::complete(&source, &request(limits, 1, Learning::Clauses)) {
            Ok(answer) => {
                let enumerated = request(limits, 1, Learning::Nothing);
                let enumerated = pipeline::complete(&source, &enumerated).map_err(failed)?;
                bench.sketches.push(sketch_row(&source, &answer, &enumerated));
            }
            Err(CompleteError::Text(messages)) if is_no_sketch(&messages) => {
                let wanted = request(limits, REPAIRS, Learning::Clauses);
                let answer = pipeline::repair(&source, &wanted).map_err(failed)?;
                bench.repairs.push(repair_row((&source, &file), &answer, limits));
            }
            Err(error) => return Err(failed(error)),
        }
    }
    Ok(super::answer(format, &bench))
}

fn is_no_sketch(messages: &[crate::diagnostic::Diagnostic]) -> bool {
    messages.iter().all(|own| own.code == codes::NO_HOLES)
}

fn request(limits: &BenchLimits, answers: usize, learning: Learning) -> CompleteRequest {
    CompleteRequest {
        stop: limits.stop.within(limits.timeout),
        proof_time: limits.timeout / PROOF_SHARE,
        answers,
        threads: limits.threads,
        most_edits: EDITS,
        keep: Vec::new(),
        learning,
        seed: 0,
    }
}

fn seconds(time: Option<Duration>) -> Option<f64> {
    time.map(|own| own.as_secs_f64())
}

fn sketch_row(
    source: &SourceFile,
    answer: &CompleteAnswer,
    enumerated: &CompleteAnswer,
) -> SketchRow {
    let cost = |answer: &CompleteAnswer| SketchCost {
        tried: answer.iterations.tried,
        safety: answer.iterations.safety,
        reach: answer.iterations.reach,
        dead: answer.iterations.dead,
        liveness: answer.iterations.liveness,
        seconds_to_first: seconds(answer.times.first),
    };
    SketchRow {
        sketch: source.name().to_owned(),
        verdict: complete_verdict(answer),
        holes: answer.holes,
        completions: crate::report::text::complete::space(answer.space),
        learnt: cost(answer),
        enumerated: cost(enumerated),
        seconds: answer.times.total.as_secs_f64(),
    }
}

fn repair_row(
    (source, file): (&SourceFile, &Path),
    answer: &RepairAnswer,
    limits: &BenchLimits,
) -> RepairRow {
    let original = original(source, file);
    let is_original = |protocol: &Protocol| {
        original.as_ref().is_some_and(|original| has_as_many_states(original, protocol, limits))
    };
    let own = answer.repairs.iter().position(|own| is_original(&own.completion.protocol));
    RepairRow {
        protocol: answer.protocol.name.to_string(),
        verdict: repair_verdict(answer, EDITS),
        seconds_to_first: seconds(answer.times.first),
        repairs: answer.repairs.len(),
        proved: answer.repairs.iter().filter(|own| own.completion.is_safe()).count(),
        original: own.map(|position| position + 1),
        tried: answer.iterations.tried,
        dead: answer.iterations.dead + answer.iterations.reach,
        seconds: answer.times.total.as_secs_f64(),
    }
}

/// The protocol into which a bug was seeded: the header of the file names it.
fn original(source: &SourceFile, file: &Path) -> Option<Protocol> {
    let named = source.text().lines().find_map(|line| line.strip_prefix("# from: "))?;
    let name = named.split_whitespace().next()?;
    let folders = file.ancestors().skip(1);
    let text = folders.into_iter().find_map(|own| std::fs::read_to_string(own.join(name)).ok())?;
    pipeline::read_protocol(&SourceFile::new(name, text)).ok().map(|(protocol, _)| protocol)
}

/// Whether two protocols reach equally many states at two and three elements of every sort.
fn has_as_many_states(original: &Protocol, repaired: &Protocol, limits: &BenchLimits) -> bool {
    let count = |protocol: &Protocol, elements: u32| {
        let stop = limits.stop.within(limits.timeout);
        let budget = Budget { max_states: STATES, max_memory: 1 << 30, ..Budget::until(stop) };
        let mut question = Question::new(protocol, SmallSizes::new(protocol).alike(elements));
        question.window = protocol.signature.uses_int().then_some(SMALL_INTEGERS);
        match check(ENGINES[0], &question, &budget, &Silent).ok()? {
            FiniteOutcome::Safe(coverage) => Some(coverage.visited),
            FiniteOutcome::Unsafe(..) | FiniteOutcome::Unknown(..) => None,
        }
    };
    let two = |protocol: &Protocol| count(protocol, 2);
    let three = |protocol: &Protocol| count(protocol, 3);
    let (here, there) = (two(original), two(repaired));
    here.is_some() && here == there && three(original) == three(repaired)
}
