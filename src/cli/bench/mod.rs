//! `rmlcut bench`: what protocols cost to prove, or how long a stage takes and how that grows with
//! the size of its input.

pub(crate) mod answer;
pub(crate) mod check;
pub(crate) mod complete;
pub(crate) mod engines;
pub(crate) mod explore;
pub(crate) mod generated;
pub(crate) mod lsp;
pub(crate) mod process;
pub(crate) mod report;
pub(crate) mod stop;
pub(crate) mod synth;
mod tables;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::command_output::{CommandAnswer, CommandResult, ExitStatus};
use super::synth::SearchStrategy;
use super::terminal::interrupt;
use super::{Format, limits};
use crate::pipeline;
use crate::report::bench;
use crate::report::bench::BenchReport;
use crate::report::bench::generated::{GrowthBench, Measurement};
use crate::source::SourceFile;

const EXAMPLES: &str = "\
Without --stage, every protocol is proved and the results are printed as a table. A folder stands for
all protocols (.rml) in it and below it. With --profile, a second table says where the time went.

With --stage, inputs are generated in two sizes, the larger ten times the smaller: a stage whose time
is proportional to its input has a ratio of 10.

The stage `explore` recounts the tables of a document, in which each row has a protocol, a size and
the number of its states.

The stage `check` checks every certificate below a folder, without the cutoff instances, and compares
the time with what Z3 alone needs for the same obligations; it also checks generated certificates of
two sizes.

The stage `report` checks every certificate below a folder and draws its page: how long that takes
beyond the check, and how large the page is.

The stage `lsp` types into a generated text of 500 lines, as an editor would, and reports how long it
waits for messages and for answers about names.

The stage `stop` runs `synth`, `check`, `explore` and `bench` on protocols below a folder, each no longer
than --timeout, interrupts each at 20 moments and lets its time run out, and reports how long that took.

The stage `answer` proves every protocol below a folder as `rmlcut synth` does, and beside that
looks for each kind of proof alone: how much longer the verdict takes than the faster kind.

The stage `process` proves every process (.mer, .ch) below a folder for any number of copies, and shows
what its phases are and which cutoff the printed conditions would grant.

The stage `engines` searches the instances of the tables with a column `reachable` by every engine,
each in a process of its own, and with TLC if --tlc names its tla2tools.jar: how long each takes, and
where each no longer answers within --timeout, which limits the processor time of a run.

The stage `complete` completes every sketch below a folder, beside a search that excludes one
completion at a time, and repairs every other protocol there.

Examples:
  rmlcut bench protocols/
  rmlcut bench --timeout 20 --format json protocols/storage lock.rml
  rmlcut bench --profile protocols/
  rmlcut bench --strategy literal protocols/
  rmlcut bench --stage protocol
  rmlcut bench --stage check protocols
  rmlcut bench --stage report protocols
  rmlcut bench --stage lsp
  rmlcut bench --stage stop --timeout 10 protocols
  rmlcut bench --stage answer protocols
  rmlcut bench --stage process protocols/agreement
  rmlcut bench --stage complete protocols/broken
  rmlcut bench --stage engines --tlc tla2tools.jar --timeout 30
  rmlcut bench --stage surface-ivy
  rmlcut bench --stage explore protocols/README.md";

/// The arguments of `rmlcut bench`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct BenchArguments {
    /// Stage to measure
    #[arg(long, value_parser = names().map(|name| chosen(&name)))]
    stage: Option<Chosen>,
    /// Protocols and folders of protocols; for the stages `explore` and `engines`, the document
    /// with the tables [default: protocols/README.md]; for `check`, `report`, `answer` and `stop`, a folder [default: protocols]
    paths: Vec<PathBuf>,
    /// Give up on a protocol after this many seconds
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = super::seconds)]
    timeout: Duration,
    /// Number of threads that explore one instance [default: all cores]
    #[arg(long, value_name = "N", value_parser = limits::threads())]
    jobs: Option<u16>,
    /// How to search for certificates
    #[arg(long, value_enum, default_value_t = SearchStrategy::Search)]
    strategy: SearchStrategy,
    /// Say where the time went: in each phase, in guessing clauses, and in questions to the solver
    #[arg(long, conflicts_with = "stage")]
    profile: bool,
    /// Measure this many times and take the best
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// A tla2tools.jar, for the stage `engines`
    #[arg(long, value_name = "FILE.jar")]
    tlc: Option<PathBuf>,
}

/// The stage that was asked for.
#[derive(Clone, Copy)]
enum Chosen {
    /// On generated texts.
    Generated(&'static Benchmark),
    /// On the rows of tables.
    Explore,
    /// On certificates.
    Check,
    /// On runs that are interrupted.
    Stop,
    /// On protocols.
    Answer,
    /// On certificates, as pages.
    Report,
    /// On processes.
    Process,
    /// On key strokes.
    Lsp,
    /// On sketches, and on protocols to repair.
    Complete,
    /// On instances, with every engine.
    Engines,
}

/// Something to measure.
struct Benchmark {
    stage: &'static str,
    summary: &'static str,
    /// What the input consists of, in the plural.
    unit: &'static str,
    /// Two sizes of input, the smaller first.
    sizes: [usize; 2],
    /// The name of the input, which says its language.
    file: &'static str,
    input: fn(usize) -> String,
    /// Whether the stage did what it should.
    work: fn(&SourceFile) -> bool,
}

const BENCHMARKS: &[Benchmark] = &[
    reading("surface", "reading a text", "generated.rml", generated::rml),
    reading("surface-ivy", "reading a text in Ivy", "generated.ivy", generated::ivy),
    reading("surface-pyv", "reading a text in mypyvy", "generated.pyv", generated::mypyvy),
    Benchmark {
        work: |source| pipeline::read_protocol(source).is_ok(),
        ..reading(
            "protocol",
            "reading a text and finding its names and sorts",
            "generated.rml",
            generated::rml,
        )
    },
];

/// Reading a text of one language.
const fn reading(
    stage: &'static str,
    summary: &'static str,
    file: &'static str,
    input: fn(usize) -> String,
) -> Benchmark {
    Benchmark {
        stage,
        summary,
        unit: "actions",
        sizes: [1_000, 10_000],
        file,
        input,
        work: |source| pipeline::format(source).is_ok(),
    }
}

/// The document with the counts, unless another is named.
const TABLES: &str = "protocols/README.md";

/// Where certificates are, unless it was said.
const FOLDER: &str = "protocols";

/// The folder of the protocols to repair, below that.
const BROKEN: &str = "broken";

/// What each protocol may cost.
fn costs(arguments: &BenchArguments) -> synth::BenchLimits {
    synth::BenchLimits {
        stop: interrupt::on_ctrl_c(),
        timeout: arguments.timeout,
        threads: limits::threads_or_cores(arguments.jobs),
        strategy: arguments.strategy,
        profile: arguments.profile,
    }
}

/// Proves the protocols that are named.
fn proved(arguments: &BenchArguments, format: Format) -> CommandResult {
    if arguments.paths.is_empty() {
        let message = "name protocols, folders of protocols, or a --stage";
        return Err(CommandAnswer::usage_error(message));
    }
    synth::run(&arguments.paths, &costs(arguments), format)
}

/// Measures one stage.
pub(super) fn run(arguments: &BenchArguments, format: Format) -> CommandResult {
    let BenchArguments { paths, repeat, .. } = arguments;
    let first = |otherwise| paths.first().map_or(Path::new(otherwise), PathBuf::as_path);
    match arguments.stage {
        None => proved(arguments, format),
        Some(Chosen::Generated(benchmark)) => Ok(answer(format, &growth(benchmark, *repeat))),
        Some(Chosen::Explore) => explore::run(first(TABLES), *repeat, format),
        Some(Chosen::Engines) => {
            engines::run(first(TABLES), arguments.tlc.as_deref(), arguments.timeout, format)
        }
        Some(Chosen::Check) => check::run(first(FOLDER), *repeat, format),
        Some(Chosen::Report) => report::run(first(FOLDER), *repeat, format),
        Some(Chosen::Lsp) => Ok(lsp::run(*repeat, format)),
        Some(Chosen::Stop) => stop::run(first(FOLDER), arguments.timeout, format),
        Some(Chosen::Answer) => {
            let folder = [PathBuf::from(FOLDER)];
            let paths = if paths.is_empty() { &folder } else { paths.as_slice() };
            answer::run(paths, &costs(arguments), *repeat, format)
        }
        Some(Chosen::Process) => {
            let folder = [PathBuf::from(FOLDER)];
            let paths = if paths.is_empty() { &folder } else { paths.as_slice() };
            process::run(paths, &costs(arguments), format)
        }
        Some(Chosen::Complete) => {
            let folder = [Path::new(FOLDER).join(BROKEN)];
            let paths = if paths.is_empty() { &folder } else { paths.as_slice() };
            complete::run(paths, &costs(arguments), format)
        }
    }
}

/// What was measured, in the requested format.
fn answer(format: Format, report: &impl BenchReport) -> CommandAnswer {
    let output = match format {
        Format::Text => report.text(),
        Format::Json | Format::Itf => bench::json(report),
    };
    let status = if report.is_as_expected() { ExitStatus::Success } else { ExitStatus::No };
    CommandAnswer { status, ..CommandAnswer::success(output) }
}

/// Does some work several times; its last result, and the shortest time in seconds.
fn shortest<T, E>(repeat: u32, mut work: impl FnMut() -> Result<T, E>) -> Result<(T, f64), E> {
    let mut once = || {
        let start = Instant::now();
        work().map(|result| (result, start.elapsed().as_secs_f64()))
    };
    let mut best = once()?;
    for _ in 1..repeat {
        let (result, seconds) = once()?;
        best = (result, seconds.min(best.1));
    }
    Ok(best)
}

/// A stage on generated inputs of two sizes.
fn growth(benchmark: &Benchmark, repeat: u32) -> GrowthBench {
    let measure = |size| {
        let source = SourceFile::new(benchmark.file, (benchmark.input)(size));
        let measured = shortest(repeat, || (benchmark.work)(&source).then_some(()).ok_or(()));
        Measurement { size, seconds: measured.ok().map(|(_, seconds)| seconds) }
    };
    let Benchmark { stage, summary, unit, sizes, .. } = benchmark;
    GrowthBench::new(stage, summary, unit, sizes.map(measure))
}

fn names() -> PossibleValuesParser {
    let values = BENCHMARKS.iter().map(|entry| (entry.stage, entry.summary));
    let values = values.chain([
        (EXPLORE, "visiting every state of finite instances"),
        (CHECK, "judging certificates"),
        (REPORT, "drawing pages of certificates, beyond checking them"),
        (LSP, "messages and answers for an editor after a key stroke"),
        (STOP, "answering Ctrl-C and keeping --timeout"),
        (ANSWER, "from a protocol to the verdict, beside each kind of proof alone"),
        (PROCESS, "processes for any number of copies, beside their printed analysis"),
        (ENGINES, "every engine and TLC on the same instances"),
        (COMPLETE, "completing sketches, beside enumeration, and repairing protocols"),
    ]);
    values.map(|(stage, summary)| PossibleValue::new(stage).help(summary)).into()
}

const EXPLORE: &str = "explore";
const CHECK: &str = "check";
const REPORT: &str = "report";
const LSP: &str = "lsp";
const STOP: &str = "stop";
const ANSWER: &str = "answer";
const PROCESS: &str = "process";
const COMPLETE: &str = "complete";
const ENGINES: &str = "engines";

fn chosen(name: &str) -> Chosen {
    let generated = BENCHMARKS.iter().find(|entry| entry.stage == name);
    let other = match name {
        CHECK => Chosen::Check,
        REPORT => Chosen::Report,
        LSP => Chosen::Lsp,
        STOP => Chosen::Stop,
        ANSWER => Chosen::Answer,
        PROCESS => Chosen::Process,
        COMPLETE => Chosen::Complete,
        ENGINES => Chosen::Engines,
        _ => Chosen::Explore,
    };
    generated.map_or(other, Chosen::Generated)
}
