//! `rmlcut check`: does this certificate prove this protocol?

mod evidence;
mod watch;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::budget::{Budget, Stop};
use crate::cli::command_output::{
    CommandAnswer, CommandResult, ExitStatus, colour, read, read_protocol,
};
use crate::cli::files::cache::{Cache, CachePlace};
use crate::cli::files::{self, FileCommand, Voice};
use crate::cli::terminal::{input, interrupt};
use crate::cli::{Format, OutputFormat, TERMS, limits, report as page};
use crate::coverage::exercise;
use crate::diagnostic::Diagnostic;
use crate::finite::Silent;
use crate::judge::request::{Cutoffs, JudgeRequest, SolverChoice};
use crate::judge::{CaseJudgement, FiniteResult, JudgeError, Judged, Judgement, Verdict};
use crate::pipeline::{Origin, Proofs, ReadCertificate, WatchMemory, illustrate_proof};
use crate::protocol::Protocol;
use crate::report::ci::findings;
use crate::report::json::Remarks;
use crate::report::text::check::Checked;
use crate::report::text::coverage::Covered;
use crate::smt::{Discharge, UnknownReason};
use crate::source::SourceFile;
use crate::{pipeline, report};

const EXAMPLES: &str = "\
Examples:
  rmlcut check protocol.rml protocol.cut
  rmlcut check protocol.rml --only 'step reshard*keeps'
  rmlcut check protocol.rml protocol.cut --watch
  rmlcut check protocol.rml protocol.cut --solver both --smt2 evidence
  rmlcut check protocols --cache .rmlcut --format github

A folder stands for every protocol in it and below it, each with the certificate of the same name
beside it: `lock.cut` for `lock.rml`. A protocol without a certificate counts as unproved, and the
exit code is the worst of all. Whoever can write to the folder of --cache can make a verdict: trust
it as you trust the program.

Exit code: 0 safe, 1 unsafe, 2 unproved or safe only up to a bound, 3 environment error (unreadable
file, missing solver), 64 invalid input, 70 internal error, or two solvers that contradict each
other.";

/// The arguments of `rmlcut check`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = format!("{TERMS}\n\n{EXAMPLES}"))]
pub(super) struct CheckArguments {
    /// Protocol, or a folder of protocols
    protocol: PathBuf,
    #[command(flatten)]
    choice: input::PropertyChoice,
    /// Certificate [default: the protocol's name with `.cut`]
    certificate: Option<PathBuf>,
    /// Check only obligations whose name contains PATTERN; `*` matches anything
    #[arg(long, value_name = "PATTERN")]
    only: Option<String>,
    /// Time limit for each obligation and for each size of a cutoff instance
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = crate::cli::seconds)]
    timeout: Duration,
    /// Time limit for the whole check; what is not reached by then is reported as not checked
    #[arg(long, value_name = "SECONDS", value_parser = crate::cli::seconds)]
    total: Option<Duration>,
    /// Limit for each obligation in Z3's resource units, which do not depend on the machine
    #[arg(long, value_name = "N")]
    rlimit: Option<u32>,
    /// Search residual sorts at every size up to N
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = limits::residual())]
    residual: u32,
    /// Solver that discharges the obligations
    #[arg(long, value_enum, default_value_t = SolverName::Z3)]
    solver: SolverName,
    /// Path of `cvc5`, or of a Python interpreter with the module `cvc5`
    #[arg(long, value_name = "PATH")]
    cvc5: Option<OsString>,
    /// Write every obligation to this folder, as an SMT-LIB script
    #[arg(long, value_name = "DIR")]
    smt2: Option<PathBuf>,
    /// Also write cvc5's proofs to the folder, in the Alethe format
    #[arg(long, requires = "smt2")]
    proofs: bool,
    /// Check again whenever one of the files is saved, until Ctrl-C
    #[arg(long)]
    watch: bool,
    /// Accept a certificate that was made for another version of the protocol
    #[arg(long)]
    rebase: bool,
    /// Do not search the cutoff instances
    #[arg(long)]
    no_finite: bool,
    /// Exit with 2 if some action is never possible, or some premise never holds, at small sizes
    #[arg(long)]
    strict: bool,
    /// Also write a page with pictures to this file
    #[arg(long, value_name = "FILE.html")]
    report: Option<PathBuf>,
    /// Keep results in this folder, and take them from it where nothing has changed
    #[arg(long, value_name = "DIR", conflicts_with_all = ["watch", "report", "smt2"])]
    cache: Option<PathBuf>,
    /// In a folder, pass over protocols without a certificate
    #[arg(long)]
    skip_missing: bool,
}

/// A solver as users name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SolverName {
    /// Z3
    Z3,
    /// cvc5
    Cvc5,
    /// Both; they must agree
    Both,
}

/// Checks one certificate, or one after another as they are saved.
pub(super) fn run(arguments: &CheckArguments, output: OutputFormat) -> CommandResult {
    if arguments.cache.is_some() && arguments.solver != SolverName::Z3 {
        return Err(CommandAnswer::usage_error(
            "--cache keeps results of Z3 only: cvc5 is another program, which may change",
        ));
    }
    if !arguments.watch || arguments.protocol.is_dir() {
        return files::run(arguments, output);
    }
    if output.ci().is_some() {
        return Err(CommandAnswer::usage_error("--watch is for people: --format text or json"));
    }
    let format = output.internal();
    ensure_places(arguments, format)?;
    Ok(watch::watching(arguments, format, &interrupt::on_ctrl_c()))
}

/// Refuses places for results before any work is done for them.
fn ensure_places(arguments: &CheckArguments, format: Format) -> Result<(), CommandAnswer> {
    if let Some(folder) = &arguments.smt2 {
        evidence::ensure_only_evidence(folder)
            .map_err(|error| evidence::failure(format, &error))?;
    }
    let inputs = [arguments.protocol.as_path(), &arguments.certificate()];
    page::ensure_writable(arguments.report.as_deref(), &inputs, format)
}

impl FileCommand for CheckArguments {
    const NAME: &'static str = "check";

    fn subject(&self) -> &Path {
        &self.protocol
    }

    fn on(&self, protocol: &Path, certificate: Option<&Path>) -> Option<Self> {
        let certificate = Some(certificate?.to_owned());
        Some(CheckArguments { protocol: protocol.to_owned(), certificate, ..self.clone() })
    }

    fn skips_missing(&self) -> bool {
        self.skip_missing
    }

    fn choice(&self) -> &input::PropertyChoice {
        &self.choice
    }

    fn option_of_one_file(&self) -> Option<&'static str> {
        let given = [
            (self.certificate.is_some(), "a certificate"),
            (self.only.is_some(), "--only"),
            (self.smt2.is_some(), "--smt2"),
            (self.watch, "--watch"),
            (self.report.is_some(), "--report"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
    }

    fn run_one(&self, format: Format, voice: Voice) -> CommandResult {
        ensure_places(self, format)?;
        let answer = once(self, format, &interrupt::on_ctrl_c(), None)?;
        Ok(answer.coloured(format, voice))
    }
}

/// What a check is about, read from its files.
struct Subject {
    text: SourceFile,
    protocol: Protocol,
    source: SourceFile,
    read: ReadCertificate,
    /// What is suspicious about the protocol.
    warnings: Vec<Diagnostic>,
    /// Messages that do not stand in the way.
    remarks: String,
}

fn subject(
    arguments: &CheckArguments,
    format: Format,
    (text, source): (SourceFile, SourceFile),
    stop: &Stop,
) -> Result<Subject, CommandAnswer> {
    let protocol = pipeline::read_provable(&text);
    let (protocol, mut warnings) =
        protocol.map_err(|messages| CommandAnswer::refused(format, &text, &messages))?;
    let origin = if arguments.rebase { Origin::AnyText } else { Origin::ThisText };
    let read = pipeline::read_certificate(&protocol, &source, origin);
    let read = read.map_err(|messages| CommandAnswer::refused(format, &source, &messages))?;
    warnings.extend(pipeline::suspicions(&protocol, stop));
    let render = report::text::diagnostics::render;
    let remarks = render(&text, &warnings, colour()) + &render(&source, &read.warnings, colour());
    Ok(Subject { text, protocol, source, read, warnings, remarks })
}

/// Checks once, or finds the result of an earlier check of the same texts.
fn once(
    arguments: &CheckArguments,
    format: Format,
    stop: &Stop,
    memory: Option<&WatchMemory>,
) -> CommandResult {
    let stop = arguments.total.map_or_else(|| stop.clone(), |total| stop.within(total));
    let text = read_protocol(format, &arguments.protocol, &arguments.choice)?;
    let texts = match read(format, &arguments.certificate()) {
        Ok(certificate) => (text, certificate),
        // What is wrong with the protocol comes first.
        Err(unreadable) => match pipeline::read_provable(&text) {
            Ok(_) => return Err(unreadable),
            Err(messages) => return Err(CommandAnswer::refused(format, &text, &messages)),
        },
    };
    let cache = Cache::of(arguments.cache.as_deref(), format)?;
    let options = CheckArguments { cache: None, skip_missing: false, ..arguments.clone() };
    let run = (CheckArguments::NAME, format!("{options:?}"));
    let cache = cache.map(|cache| cache.place(&run, format, &[&texts.0, &texts.1]));
    if let Some(found) = cache.as_ref().and_then(CachePlace::find) {
        return Ok(found);
    }
    let (answer, verdict) = judged(arguments, format, texts, &stop, memory)?;
    let is_complete = matches!(verdict, Verdict::Safe | Verdict::Unsafe(_)) && !stop.is_set();
    Ok(match cache {
        Some(cache) => cache.keep(answer, is_complete),
        None => answer,
    })
}

/// The result of judging a certificate.
fn judged(
    arguments: &CheckArguments,
    format: Format,
    texts: (SourceFile, SourceFile),
    stop: &Stop,
    memory: Option<&WatchMemory>,
) -> Result<(CommandAnswer, Verdict), CommandAnswer> {
    let subject = subject(arguments, format, texts, stop)?;
    let Subject { text, protocol, source, read, .. } = &subject;
    let request = request(arguments, stop);
    let judgement = pipeline::check(protocol, &read.certificate, &request, memory, &Silent)
        .map_err(|error| failed(format, &error))?;
    if let Some(only) =
        arguments.only.as_ref().filter(|_| !stop.is_set() && is_untouched(&judgement))
    {
        let error = NothingMatches(only.clone());
        return Err(CommandAnswer::failure(format, ExitStatus::WrongInput, &error));
    }
    let verdict = report::text::check::headline(protocol, &judgement);
    let evidence = evidence::written(arguments, format, &request, &judgement, &verdict)?;
    let asked = !matches!(judgement.verdict, Verdict::Unsafe(_)) && arguments.only.is_none();
    let coverage = asked.then(|| exercise(protocol, Some(&read.certificate), stop)).flatten();
    let checked = Checked {
        changes: read.changes.as_ref(),
        evidence: evidence.as_ref(),
        coverage: match asked {
            true => Covered::asked(coverage.as_ref()),
            false => Covered::NotAsked,
        },
        ..Checked::new((protocol, text), (&read.certificate, source), &judgement)
    };
    let output = match format {
        Format::Text | Format::Itf => report::text::check::text(&checked),
        Format::Json => {
            let remarks = Remarks { source: text, warnings: &subject.warnings };
            report::json::check::document(&checked, &remarks)
        }
    };
    let status = status(&judgement);
    let status = if arguments.strict { status.strictly(coverage.as_ref()) } else { status };
    let answer = CommandAnswer {
        remarks: subject.remarks.clone(),
        status,
        ..CommandAnswer::success(output)
    }
    .with_findings(findings::of_check(&checked))
    .with_findings(findings::of_diagnostics(text, &subject.warnings))
    .with_findings(findings::of_diagnostics(source, &read.warnings))
    .with_findings(findings::of_coverage((protocol, text), coverage.as_ref()));
    let answer = page::written(answer, arguments.report.as_deref(), || {
        let illustration = illustrate_proof(protocol, &read.certificate, &judgement, stop);
        let certificate = (&read.certificate, Some(source.text()));
        report::html::proved(protocol, text, certificate, &judgement, &illustration)
    });
    Ok((answer, judgement.verdict))
}

/// A pattern that no obligation has in its name.
#[derive(Debug, thiserror::Error)]
#[error(
    "--only {0}: no obligation has such a name; `rmlcut show obligations` lists them, `: finite` \
     is the cutoff instance"
)]
struct NothingMatches(String);

/// Whether nothing was looked at.
fn is_untouched(judgement: &Judgement) -> bool {
    let left_open = |case: &CaseJudgement| matches!(case.finite, FiniteResult::NotAsked);
    judgement.problems.is_empty()
        && judgement.obligations().all(Judged::is_unchecked)
        && judgement.cases.iter().all(left_open)
}

/// There is no judgement.
pub(super) fn failed(format: Format, error: &JudgeError) -> CommandAnswer {
    let status =
        if error.is_bug() { ExitStatus::InternalError } else { ExitStatus::EnvironmentError };
    CommandAnswer::failure(format, status, error)
}

/// Solvers that contradict each other are worse than no proof: something trusted is wrong.
fn status(judgement: &Judgement) -> ExitStatus {
    let contradicted = |judged: &Judged| {
        matches!(judged.discharge, Discharge::Unknown(UnknownReason::Disagreement(_)))
    };
    if judgement.obligations_with_nested().into_iter().any(contradicted) {
        return ExitStatus::InternalError;
    }
    match &judgement.verdict {
        Verdict::Safe => ExitStatus::Success,
        Verdict::Unsafe(_) => ExitStatus::No,
        Verdict::SafeUpTo(_) | Verdict::Unproved(_) => ExitStatus::Unproved,
    }
}

impl CheckArguments {
    /// The certificate's file.
    fn certificate(&self) -> PathBuf {
        let beside = || self.protocol.with_extension("cut");
        self.certificate.clone().unwrap_or_else(beside)
    }

    fn proofs_wanted(&self) -> Proofs {
        if self.proofs { Proofs::Wanted } else { Proofs::NotWanted }
    }
}

fn request(arguments: &CheckArguments, stop: &Stop) -> JudgeRequest {
    JudgeRequest {
        only: arguments.only.clone(),
        solver: match arguments.solver {
            SolverName::Z3 => SolverChoice::Z3,
            SolverName::Cvc5 => SolverChoice::Cvc5,
            SolverName::Both => SolverChoice::Both,
        },
        cvc5: arguments.cvc5.clone(),
        budget: Budget {
            time: arguments.timeout,
            resources: arguments.rlimit,
            max_memory: 4096 << 20,
            threads: limits::threads_or_cores(None),
            ..Budget::until(stop.clone())
        },
        cutoffs: if arguments.no_finite { Cutoffs::Skipped } else { Cutoffs::Searched },
        residual: arguments.residual,
    }
}
