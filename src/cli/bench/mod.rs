//! `rmlcut bench`: what protocols cost to prove, or how long a stage takes and how that grows with
//! the size of its input.

pub(in crate::cli) mod answer;
pub(in crate::cli) mod check;
pub(in crate::cli) mod explore;
pub(in crate::cli) mod generated;
pub(in crate::cli) mod stop;
pub(in crate::cli) mod synth;

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::command_output::{CommandAnswer, ExitStatus};
use super::synth::SearchStrategy;
use super::terminal::interrupt;
use super::{Format, limits};
use crate::report::json::Measurement;
use crate::source::SourceFile;
use crate::{pipeline, report};

const EXAMPLES: &str = "\
Without --stage, every protocol is proved and the results are printed as a table. A folder stands for
all protocols (.rml) in it and below it.

With --stage, inputs are generated in two sizes, the larger ten times the smaller: a stage whose time
is proportional to its input has a ratio of 10.

The stage `explore` recounts the tables of a document, in which each row has a protocol, a size and
the number of its states.

The stage `check` checks every certificate below a folder, without the cutoff instances, and compares
the time with what Z3 alone needs for the same obligations; it also checks generated certificates of
two sizes.

The stage `stop` runs `synth`, `check`, `explore` and `bench` on protocols below a folder, each no longer
than --timeout, interrupts each at 20 moments and lets its time run out, and reports how long that took.

The stage `answer` proves every protocol below a folder as `rmlcut synth` does, and beside that
looks for each kind of proof alone: how much longer the verdict takes than the faster kind.

Examples:
  rmlcut bench protocols/
  rmlcut bench --timeout 20 --format json protocols/storage lock.rml
  rmlcut bench --strategy literal protocols/
  rmlcut bench --stage protocol
  rmlcut bench --stage check protocols
  rmlcut bench --stage stop --timeout 10 protocols
  rmlcut bench --stage answer protocols
  rmlcut bench --stage surface-ivy
  rmlcut bench --stage explore protocols/README.md";

/// The arguments of `rmlcut bench`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct BenchArguments {
    /// Stage to measure
    #[arg(long, value_parser = names().map(|name| chosen(&name)))]
    stage: Option<Chosen>,
    /// Protocols and folders of protocols; for the stage `explore`, the document with the tables
    /// [default: protocols/README.md]; for `check`, `answer` and `stop`, a folder [default: protocols]
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
    /// Measure this many times and take the best
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
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
    work: fn(&SourceFile) -> BenchOutcome,
}

/// Whether the stage did what it should.
enum BenchOutcome {
    Done,
    Failed,
}

const BENCHMARKS: &[Benchmark] = &[
    reading("surface", "reading a text", "generated.rml", generated::rml),
    reading("surface-ivy", "reading a text in Ivy", "generated.ivy", generated::ivy),
    reading("surface-pyv", "reading a text in mypyvy", "generated.pyv", generated::mypyvy),
    Benchmark {
        work: |source| outcome(&pipeline::read_protocol(source)),
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
        work: |source| outcome(&pipeline::format(source)),
    }
}

/// The document with the counts, unless another is named.
const TABLES: &str = "protocols/README.md";

/// Where certificates are, unless it was said.
const FOLDER: &str = "protocols";

/// What each protocol may cost.
fn costs(arguments: &BenchArguments) -> synth::BenchLimits {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    synth::BenchLimits {
        stop: interrupt::on_ctrl_c(),
        timeout: arguments.timeout,
        threads: arguments.jobs.map_or_else(cores, usize::from),
        strategy: arguments.strategy,
    }
}

/// Proves the protocols that are named.
fn proved(arguments: &BenchArguments, format: Format) -> CommandAnswer {
    if arguments.paths.is_empty() {
        let remarks = "error: name protocols, folders of protocols, or a --stage\n".to_owned();
        return CommandAnswer { output: String::new(), remarks, status: ExitStatus::WrongInput };
    }
    synth::run(&arguments.paths, &costs(arguments), format)
}

/// Measures one stage.
pub(super) fn run(arguments: &BenchArguments, format: Format) -> CommandAnswer {
    let benchmark = match arguments.stage {
        None => return proved(arguments, format),
        Some(Chosen::Generated(benchmark)) => benchmark,
        Some(Chosen::Explore) => {
            let tables = arguments.paths.first().map_or(Path::new(TABLES), PathBuf::as_path);
            return explore::run(tables, arguments.repeat, format);
        }
        Some(Chosen::Check) => {
            let folder = arguments.paths.first().map_or(Path::new(FOLDER), PathBuf::as_path);
            return check::run(folder, arguments.repeat, format);
        }
        Some(Chosen::Stop) => {
            let folder = arguments.paths.first().map_or(Path::new(FOLDER), PathBuf::as_path);
            return stop::run(folder, arguments.timeout, format);
        }
        Some(Chosen::Answer) => {
            let folder = [PathBuf::from(FOLDER)];
            let named = !arguments.paths.is_empty();
            let paths = if named { arguments.paths.as_slice() } else { &folder };
            return answer::run(paths, &costs(arguments), arguments.repeat, format);
        }
    };
    let measure = |size| Measurement { size, time: best_time(benchmark, size, arguments.repeat) };
    let measurements = benchmark.sizes.map(measure);
    let output = match format {
        Format::Text => text(benchmark, &measurements),
        Format::Json | Format::Itf => {
            report::json::measured(benchmark.stage, benchmark.unit, &measurements)
        }
    };
    CommandAnswer::success(output)
}

/// The shortest of several times; `None` if the stage failed.
fn best_time(benchmark: &Benchmark, size: usize, repeat: u32) -> Option<Duration> {
    let source = SourceFile::new(benchmark.file, (benchmark.input)(size));
    let once = |_| {
        let start = Instant::now();
        let outcome = (benchmark.work)(&source);
        match outcome {
            BenchOutcome::Done => Some(start.elapsed()),
            BenchOutcome::Failed => None,
        }
    };
    (0..repeat).map(once).collect::<Option<Vec<_>>>()?.into_iter().min()
}

fn text(benchmark: &Benchmark, measurements: &[Measurement; 2]) -> String {
    let mut output = format!("{}: {}\n", benchmark.stage, benchmark.summary);
    for Measurement { size, time } in measurements {
        let time = time.map_or("failed".to_owned(), |time| format!("{:.3} s", time.as_secs_f64()));
        // Writing to a string cannot fail.
        let _ = writeln!(output, "{size:>8} {}  {time}", benchmark.unit);
    }
    if let Some(ratio) = report::json::ratio(measurements) {
        let _ = writeln!(output, "   ratio  {ratio:.1}");
    }
    output
}

fn outcome<T, E>(result: &Result<T, E>) -> BenchOutcome {
    if result.is_ok() { BenchOutcome::Done } else { BenchOutcome::Failed }
}

fn names() -> PossibleValuesParser {
    let values = BENCHMARKS.iter().map(|entry| (entry.stage, entry.summary));
    let values = values.chain([
        (EXPLORE, "visiting every state of finite instances"),
        (CHECK, "judging certificates"),
        (STOP, "answering Ctrl-C and keeping --timeout"),
        (ANSWER, "from a protocol to the verdict, beside each kind of proof alone"),
    ]);
    values.map(|(stage, summary)| PossibleValue::new(stage).help(summary)).into()
}

const EXPLORE: &str = "explore";
const CHECK: &str = "check";
const STOP: &str = "stop";
const ANSWER: &str = "answer";

fn chosen(name: &str) -> Chosen {
    let generated = BENCHMARKS.iter().find(|entry| entry.stage == name);
    let other = match name {
        CHECK => Chosen::Check,
        STOP => Chosen::Stop,
        ANSWER => Chosen::Answer,
        _ => Chosen::Explore,
    };
    generated.map_or(other, Chosen::Generated)
}
