//! `rmlcut bench`: how long a stage takes, and how that grows with the size of its input.

use std::fmt::Write;
use std::time::{Duration, Instant};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::Format;
use super::answer::Answer;
use crate::pipeline;
use crate::report::{self, json::Measurement};
use crate::source::SourceFile;

const EXAMPLES: &str = "\
Inputs are generated, in two sizes, the larger ten times the smaller: a stage whose time is
proportional to its input has a ratio of 10.

Example:
  rmlcut bench --stage protocol";

/// What `rmlcut bench` is told.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Arguments {
    /// The stage to measure
    #[arg(long, value_parser = names().map(|name| benchmark(&name)))]
    stage: &'static Benchmark,
    /// Measure so many times and take the best
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
}

/// Something to measure.
struct Benchmark {
    stage: &'static str,
    summary: &'static str,
    /// What the input consists of, in the plural.
    unit: &'static str,
    /// Two sizes of input, the smaller first.
    sizes: [usize; 2],
    input: fn(usize) -> String,
    work: fn(&SourceFile) -> Outcome,
}

/// Whether the stage did what it should.
enum Outcome {
    Done,
    Failed,
}

const BENCHMARKS: &[Benchmark] = &[
    Benchmark {
        stage: "surface",
        summary: "reading a text",
        unit: "actions",
        sizes: [1_000, 10_000],
        input: many_actions,
        work: |source| outcome(&pipeline::format(source)),
    },
    Benchmark {
        stage: "protocol",
        summary: "reading a text and finding its names and sorts",
        unit: "actions",
        sizes: [1_000, 10_000],
        input: many_actions,
        work: |source| outcome(&pipeline::read_protocol(source)),
    },
];

/// Measures one stage.
pub(super) fn run(arguments: &Arguments, format: Format) -> Answer {
    let benchmark = arguments.stage;
    let measure = |size| Measurement { size, time: best_time(benchmark, size, arguments.repeat) };
    let measurements = benchmark.sizes.map(measure);
    let output = match format {
        Format::Text => text(benchmark, &measurements),
        Format::Json | Format::Itf => {
            report::json::measured(benchmark.stage, benchmark.unit, &measurements)
        }
    };
    Answer::success(output)
}

/// The shortest of several times; `None` if the stage failed.
fn best_time(benchmark: &Benchmark, size: usize, repeat: u32) -> Option<Duration> {
    let source = SourceFile::new("generated.rml", (benchmark.input)(size));
    let once = |_| {
        let start = Instant::now();
        let outcome = (benchmark.work)(&source);
        match outcome {
            Outcome::Done => Some(start.elapsed()),
            Outcome::Failed => None,
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

fn outcome<T, E>(result: &Result<T, E>) -> Outcome {
    if result.is_ok() { Outcome::Done } else { Outcome::Failed }
}

/// A protocol with so many actions of ordinary size.
fn many_actions(count: usize) -> String {
    let mut text = String::from(
        "sort node\nsort key\nrelation holds(node, key)\nrelation busy(node)\n\
         function last(node): key\nsafety holds(N, K) & holds(M, K) -> N = M\n",
    );
    for index in 0..count {
        let _ = write!(
            text,
            "\naction step_{index}(n: node, k: key) {{\n  \
               require holds(n, k) & ~busy(n)\n  \
               require forall M. holds(M, k) -> M = n\n  \
               holds(n, k) := false\n  \
               busy(n) := true\n  \
               if last(n) = k {{ holds(n, *) := false }} else {{ last(n) := * }}\n}}\n"
        );
    }
    text
}

fn names() -> PossibleValuesParser {
    let values = BENCHMARKS.iter();
    values.map(|entry| PossibleValue::new(entry.stage).help(entry.summary)).into()
}

fn benchmark(name: &str) -> &'static Benchmark {
    let mut entries = BENCHMARKS.iter();
    entries.find(|entry| entry.stage == name).expect("only names in the table pass the parser")
}
