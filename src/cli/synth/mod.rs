//! `rmlcut synth`: the main job, from a protocol to a verdict and a certificate.

mod destination;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use destination::{Destination, not_written};

use crate::budget::{Budget, Stop};
use crate::certificate::print_certificate;
use crate::cli::command_output::{CommandAnswer, CommandResult, ExitStatus, read_protocol};
use crate::cli::files::cache::{Cache, CachePlace};
use crate::cli::files::{FileCommand, Voice};
use crate::cli::terminal::output::FirstLine;
use crate::cli::terminal::{input, interrupt, output, progress};
use crate::cli::{Format, TERMS, limits, report as page};
use crate::coverage::Exercise;
use crate::effort::Effort;
use crate::finite::Progress;
use crate::judge::Verdict;
use crate::pipeline::{BestAttempt, Strategy, SynthError, Synthesis};
use crate::protocol::Protocol;
use crate::prove::{Prefer, ProofOutcome, ProveConfig};
use crate::report::ci::findings;
use crate::report::json::Remarks;
use crate::report::text::check::{Checked, brief};
use crate::report::text::coverage::Covered;
use crate::report::text::synth::{Cost, ReportDepth, Synthesized};
use crate::source::SourceFile;
use crate::{pipeline, report};

/// How long the best attempt is checked when nothing was proved.
const ATTEMPT_TIME: Duration = Duration::from_millis(500);

/// How many counterexamples to the best attempt are shown.
const ATTEMPT_COUNTEREXAMPLES: usize = 2;

/// The part of the time that warnings may take.
const LINT_SHARE: u32 = 4;

const EXAMPLES: &str = "\
Examples:
  rmlcut synth protocol.rml
  rmlcut synth -o protocol.cut protocol.rml
  rmlcut synth --explain --timeout 120 protocol.rml
  rmlcut synth --prefer cutoff --patience 20 --timeout 600 protocol.rml
  rmlcut synth protocols --cache .rmlcut --format junit

A folder stands for every protocol in it and below it, each with its own --timeout; the exit code is
the worst of all. Whoever can write to the folder of --cache can make a verdict: trust it as you trust
the program.

The verdict is known, and said, with the first proof. Which proof is the answer is decided after a
short wait for the preferred kind, which is counted in Z3's effort and not in seconds: the same
certificate comes out on every machine.

Exit code: 0 safe, 1 unsafe, 2 unproved or safe only up to a bound, 3 environment error (for
example, the output cannot be written), 64 invalid input, 70 internal error.";

/// The arguments of `rmlcut synth`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = format!("{TERMS}\n\n{EXAMPLES}"))]
pub(super) struct SynthArguments {
    /// Protocol to prove, or a folder of protocols; `-` for standard input
    file: PathBuf,
    #[command(flatten)]
    choice: input::PropertyChoice,
    /// Write the certificate to this file; `-` for standard output, with the report on standard error
    #[arg(short, long)]
    output: Option<PathBuf>,
    /// Give up after this many seconds
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Search residual sorts at every size up to N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = limits::residual())]
    residual: u32,
    /// Number of threads [default: all cores]; with 1, the searches run one after another
    #[arg(long, value_name = "N", value_parser = limits::threads())]
    jobs: Option<u16>,
    /// Preferred kind of proof: the answer unless it costs much more than the other kind
    #[arg(long, value_enum, default_value_t = Preference::Cutoff)]
    prefer: Preference,
    /// Wait N times as long as usual for the preferred kind once the other kind is proved. Usually
    /// the wait ends when the preferred kind has cost 2.5 million Z3 resource units (a few
    /// seconds), or four times what the other proof did, if that is more
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    patience: u32,
    /// How to search for a certificate
    #[arg(long, value_enum, default_value_t = SearchStrategy::Search)]
    strategy: SearchStrategy,
    /// Report every attempt and why it failed
    #[arg(long)]
    explain: bool,
    /// Exit with 2 if some action is never possible, or some premise never holds, at small sizes
    #[arg(long)]
    strict: bool,
    /// Also write a page with pictures to this file
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Keep results in this folder, and take them from it where nothing has changed
    #[arg(long, value_name = "DIR", conflicts_with_all = ["output", "report"])]
    cache: Option<PathBuf>,
}

/// Which kind of proof is preferred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Preference {
    /// A cutoff, with an invariant only for what it leaves unbounded
    Cutoff,
    /// An inductive invariant of the protocol itself
    Invariant,
}

/// How to search for a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum SearchStrategy {
    /// All methods
    Search,
    /// The paper's algorithm exactly as published, as a baseline
    Literal,
}

impl From<SearchStrategy> for Strategy {
    fn from(strategy: SearchStrategy) -> Self {
        match strategy {
            SearchStrategy::Search => Strategy::Search,
            SearchStrategy::Literal => Strategy::Literal,
        }
    }
}

impl FileCommand for SynthArguments {
    const NAME: &'static str = "synth";

    fn subject(&self) -> &Path {
        &self.file
    }

    fn on(&self, protocol: &Path, _certificate: Option<&Path>) -> Option<Self> {
        Some(SynthArguments { file: protocol.to_owned(), ..self.clone() })
    }

    fn skips_missing(&self) -> bool {
        false
    }

    fn choice(&self) -> &input::PropertyChoice {
        &self.choice
    }

    fn option_of_one_file(&self) -> Option<&'static str> {
        let given = [(self.output.is_some(), "--output"), (self.report.is_some(), "--report")];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
    }

    fn run_one(&self, format: Format, voice: Voice) -> CommandResult {
        run(self, format, voice)
    }
}

/// The place of the result in the cache that was asked for.
fn cached(
    arguments: &SynthArguments,
    format: Format,
    source: &SourceFile,
) -> Result<Option<CachePlace>, CommandAnswer> {
    let cache = Cache::of(arguments.cache.as_deref(), format)?;
    let options = SynthArguments { cache: None, ..arguments.clone() };
    let run = (SynthArguments::NAME, format!("{options:?}"));
    Ok(cache.map(|cache| cache.place(&run, format, &[source])))
}

/// Proves one protocol, or finds the result of an earlier proof of the same text.
fn run(arguments: &SynthArguments, format: Format, voice: Voice) -> CommandResult {
    let source = read_protocol(format, &arguments.file, &arguments.choice)?;
    let cache = cached(arguments, format, &source)?;
    if let Some(found) = cache.as_ref().and_then(CachePlace::find) {
        return Ok(found.coloured(format, voice));
    }
    let limit = Duration::from_secs(arguments.timeout);
    let stop = interrupt::on_ctrl_c().within(limit);
    let verdict = FirstLine::new("safe\n");
    let (answer, is_decided) = searched(arguments, format, &source, (&stop, limit), &|| {
        if voice == Voice::Terminal {
            verdict.write();
        }
    })?;
    let answer = match cache {
        Some(cache) => cache.keep(answer, is_decided && !stop.is_set()),
        None => answer,
    };
    let mut answer = answer.coloured(format, voice);
    answer.output = verdict.rest(answer.output);
    Ok(answer)
}

/// The result of a search, and whether a longer one could not say more. What `proved` writes is the
/// first line of the report.
fn searched(
    arguments: &SynthArguments,
    format: Format,
    source: &SourceFile,
    (stop, limit): (&Stop, Duration),
    proved: &(dyn Fn() + Sync),
) -> Result<(CommandAnswer, bool), CommandAnswer> {
    let (protocol, mut warnings) = pipeline::read_provable(source)
        .map_err(|messages| CommandAnswer::refused(format, source, &messages))?;
    let described = pipeline::read_described(source);
    let process = described.as_ref().and_then(|own| own.process());
    let destination = Destination::new(arguments, format)?;
    page::ensure_writable(arguments.report.as_deref(), &[&arguments.file], format)?;
    let (started, before) = (Instant::now(), Effort::so_far());
    warnings.extend(pipeline::suspicions(&protocol, &stop.share(1, LINT_SHARE)));
    let is_report_first = format == Format::Text && destination != Destination::Alone;
    let outcome = progress::during(&protocol.name, limit, |news| {
        let proved_now: &(dyn Fn() + Sync) = if is_report_first { proved } else { &|| {} };
        let config = ProveConfig { proved: proved_now, ..config(arguments, stop.clone(), news) };
        pipeline::synth((&protocol, process), arguments.strategy.into(), &config)
    });
    let Synthesis { outcome, equals, coverage } =
        outcome.map_err(|error| failed(format, &error))?;
    let cost = Cost::new(started.elapsed(), Effort::so_far().since(before));
    let found = certificate_text(arguments, source, &protocol, &outcome);
    let (mut written, mut unwritten) = (None, None);
    if let (Destination::File(path), Some((text, _))) = (destination, &found) {
        match output::replace(path, text) {
            Ok(()) => written = Some(path.display().to_string()),
            Err(error) => unwritten = Some(error),
        }
    }
    let status = status(&outcome);
    let text = found.as_ref().map(|(text, _)| text.as_str());
    let synthesized = Synthesized {
        described: described.as_ref(),
        protocol: &protocol,
        outcome: &outcome,
        equals: &equals,
        certificate: text.filter(|_| destination != Destination::Alone),
        written: written.as_deref(),
        attempt_report: found.as_ref().and_then(|(_, report)| report.as_deref()),
        coverage: covered(coverage.as_ref(), status),
        cost,
    };
    let remarks = Remarks { source, warnings: &warnings };
    let output = rendered(arguments, format, &synthesized, &remarks);
    let status = if arguments.strict { status.strictly(coverage.as_ref()) } else { status };
    let answer = CommandAnswer { status, ..CommandAnswer::success(output) };
    let mut answer = answer
        .with_findings(findings::of_synth((&protocol, source), &outcome))
        .with_warnings(source, &warnings)
        .with_findings(findings::of_coverage((&protocol, source), coverage.as_ref()));
    if destination == Destination::Alone {
        answer.remarks.push_str(&answer.output);
        answer.output = text.unwrap_or_default().to_owned();
    }
    let answer = match unwritten {
        Some(error) => not_written(answer, &error),
        None => answer,
    };
    let page = arguments.report.as_deref();
    let report = found.as_ref().and_then(|(_, report)| report.as_deref());
    let shown = (text, report);
    let answer = page::written(answer, page, || page_text(&protocol, source, &outcome, shown));
    Ok((answer, matches!(outcome.verdict, Verdict::Safe | Verdict::Unsafe(_))))
}

/// The result as a page.
fn page_text(
    protocol: &Protocol,
    source: &SourceFile,
    outcome: &ProofOutcome,
    found: (Option<&str>, Option<&str>),
) -> String {
    let stop = interrupt::on_ctrl_c().within(ATTEMPT_TIME);
    let illustration = match outcome.judged.as_deref() {
        Some((certificate, judgement)) => {
            pipeline::illustrate_proof(protocol, certificate, judgement, &stop)
        }
        None => pipeline::illustrate(protocol),
    };
    report::html::synthesized(protocol, source, outcome, found, &illustration)
}

fn rendered(
    arguments: &SynthArguments,
    format: Format,
    synthesized: &Synthesized<'_>,
    remarks: &Remarks<'_>,
) -> String {
    let depth = if arguments.explain { ReportDepth::Attempts } else { ReportDepth::Result };
    match format {
        Format::Text | Format::Itf => report::text::synth::text(synthesized, depth),
        Format::Json => report::json::synth::document(synthesized, remarks),
    }
}

/// Without a proof, missing coverage is not worth a line.
fn covered(coverage: Option<&Exercise>, status: ExitStatus) -> Covered<'_> {
    match (coverage, status) {
        (None, ExitStatus::No | ExitStatus::Unproved) => Covered::NotAsked,
        (coverage, _) => Covered::asked(coverage),
    }
}

/// The text of the certificate; for an attempt also the checker's report.
fn certificate_text(
    arguments: &SynthArguments,
    source: &SourceFile,
    protocol: &Protocol,
    outcome: &ProofOutcome,
) -> Option<(String, Option<String>)> {
    if let Some((certificate, _)) = outcome.judged.as_deref()
        && matches!(outcome.verdict, Verdict::Safe | Verdict::SafeUpTo(_))
    {
        let comment = report::text::synth::comment(protocol, outcome);
        return Some((print_certificate(protocol, certificate, &comment), None));
    }
    let name = arguments.output.as_ref().map(|path| path.display().to_string());
    let name = name.unwrap_or_else(|| "the attempt".to_owned());
    let budget = Budget {
        threads: limits::threads_or_cores(arguments.jobs),
        ..Budget::until(interrupt::on_ctrl_c().within(ATTEMPT_TIME))
    };
    let BestAttempt { source: attempt, checked } =
        pipeline::best_attempt(protocol, outcome, &name, &budget)?;
    let report = checked.map(|(certificate, judgement)| {
        let checked = Checked::new((protocol, source), (&certificate, &attempt), &judgement);
        brief(&checked, ATTEMPT_COUNTEREXAMPLES)
    });
    let report = report.filter(|report| !report.trim().is_empty());
    Some((attempt.text().to_owned(), report))
}

fn config<'a>(
    arguments: &SynthArguments,
    stop: Stop,
    progress: &'a dyn Progress,
) -> ProveConfig<'a> {
    ProveConfig {
        stop,
        prefer: match arguments.prefer {
            Preference::Cutoff => Prefer::Cutoff,
            Preference::Invariant => Prefer::Invariant,
        },
        patience: arguments.patience,
        residual: arguments.residual,
        threads: limits::threads_or_cores(arguments.jobs),
        proved: &|| {},
        progress,
    }
}

fn failed(format: Format, error: &SynthError) -> CommandAnswer {
    match error {
        SynthError::Judge(error) => crate::cli::check::failed(format, error),
        SynthError::Literal(_) => {
            let output = match format {
                Format::Text | Format::Itf => format!("unproved: {error}\n"),
                Format::Json => report::json::failed(&error.to_string()),
            };
            CommandAnswer { status: ExitStatus::Unproved, ..CommandAnswer::success(output) }
        }
    }
}

fn status(outcome: &ProofOutcome) -> ExitStatus {
    match outcome.verdict {
        Verdict::Safe => ExitStatus::Success,
        Verdict::Unsafe(_) => ExitStatus::No,
        Verdict::SafeUpTo(_) | Verdict::Unproved(_) => ExitStatus::Unproved,
    }
}
