//! `rmlcut check`: does this certificate prove this protocol?

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::command_output::{
    CommandAnswer, CommandResult, ExitStatus, colour, painted, read, read_protocol,
};
use super::evidence::FolderError;
use super::terminal::watch::Watched;
use super::terminal::{input, interrupt};
use super::{Format, TERMS, evidence, limits, report as page};
use crate::budget::{Budget, Stop};
use crate::coverage::exercise;
use crate::diagnostic::Diagnostic;
use crate::finite::Silent;
use crate::judge::request::{Cutoffs, JudgeRequest, SolverChoice};
use crate::judge::{CaseJudgement, FiniteResult, JudgeError, Judged, Judgement, Verdict};
use crate::pipeline::{Origin, Proofs, ReadCertificate, Round, WatchMemory, illustrate_proof};
use crate::protocol::Protocol;
use crate::report::json::Remarks;
use crate::report::text::check::{Checked, EvidenceWritten};
use crate::report::text::coverage::Covered;
use crate::smt::{Discharge, Proof, UnknownReason};
use crate::source::SourceFile;
use crate::{pipeline, report};

const EXAMPLES: &str = "\
Examples:
  rmlcut check protocol.rml protocol.cut
  rmlcut check protocol.rml --only 'step reshard*keeps'
  rmlcut check protocol.rml protocol.cut --watch
  rmlcut check protocol.rml protocol.cut --solver both --smt2 evidence

Exit code: 0 safe, 1 unsafe, 2 unproved or safe only up to a bound, 3 environment error (unreadable
file, missing solver), 64 invalid input, 70 internal error, or two solvers that contradict each
other.";

/// The arguments of `rmlcut check`.
#[derive(clap::Args)]
#[command(after_help = format!("{TERMS}\n\n{EXAMPLES}"))]
pub(super) struct CheckArguments {
    /// Protocol
    protocol: PathBuf,
    #[command(flatten)]
    choice: input::PropertyChoice,
    /// Certificate [default: the protocol's name with `.cut`]
    certificate: Option<PathBuf>,
    /// Check only obligations whose name contains PATTERN; `*` matches anything
    #[arg(long, value_name = "PATTERN")]
    only: Option<String>,
    /// Time limit for each obligation and for each size of a cutoff instance
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = super::seconds)]
    timeout: Duration,
    /// Time limit for the whole check; what is not reached by then is reported as not checked
    #[arg(long, value_name = "SECONDS", value_parser = super::seconds)]
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
pub(super) fn run(arguments: &CheckArguments, format: Format) -> CommandResult {
    let stop = interrupt::on_ctrl_c();
    if let Some(folder) = &arguments.smt2 {
        evidence::ensure_ours(folder).map_err(|error| evidence_failure(format, &error))?;
    }
    let inputs = [arguments.protocol.as_path(), &arguments.certificate()];
    page::ensure_writable(arguments.report.as_deref(), &inputs, format)?;
    if arguments.watch {
        Ok(watching(arguments, format, &stop))
    } else {
        once(arguments, format, &stop, None)
    }
}

/// Checks again whenever a file is saved, until interrupted. The last answer is the answer.
fn watching(arguments: &CheckArguments, format: Format, stop: &Stop) -> CommandAnswer {
    let memory = WatchMemory::default();
    let mut watched = Watched::new([arguments.protocol.clone(), arguments.certificate()]);
    loop {
        let answer = once(arguments, format, stop, Some(&memory)).unwrap_or_else(|ended| ended);
        let status = answer.status;
        let silent = CommandAnswer { status, ..CommandAnswer::success(String::new()) };
        if stop.is_set() {
            return silent;
        }
        let Round { known, asked } = memory.end_round();
        super::write_out(&answer);
        let cached =
            if known > 0 { format!(" ({known} cached, {asked} checked)") } else { String::new() };
        remark(&format!("watching{cached}: save a file to check again, Ctrl-C to quit\n"));
        if format == Format::Text {
            // The end of a long report is what is on the screen.
            let verdict = answer.output.lines().next().unwrap_or("refused: see the messages above");
            super::write_out(&CommandAnswer::success(format!("{verdict}\n")));
        }
        let mut away =
            |path: &Path| remark(&format!("{} is gone: waiting for it\n", path.display()));
        let saved = watched.wait(&|| stop.is_set(), &mut away);
        if stop.is_set() {
            return silent;
        }
        let names: Vec<String> = saved.iter().map(|path| path.display().to_string()).collect();
        remark(&format!("\n{}: saved\n", names.join(", ")));
    }
}

fn remark(text: &str) {
    super::write_out(&CommandAnswer {
        remarks: text.to_owned(),
        ..CommandAnswer::success(String::new())
    });
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
    stop: &Stop,
) -> Result<Subject, CommandAnswer> {
    let text = read_protocol(format, &arguments.protocol, &arguments.choice)?;
    let protocol = pipeline::read_provable(&text);
    let (protocol, mut warnings) =
        protocol.map_err(|messages| CommandAnswer::refused(format, &text, &messages))?;
    let source = read(format, &arguments.certificate())?;
    let origin = if arguments.rebase { Origin::AnyText } else { Origin::ThisText };
    let read = pipeline::read_certificate(&protocol, &source, origin);
    let read = read.map_err(|messages| CommandAnswer::refused(format, &source, &messages))?;
    warnings.extend(pipeline::suspicions(&protocol, stop));
    let render = report::text::diagnostics::render;
    let remarks = render(&text, &warnings, colour()) + &render(&source, &read.warnings, colour());
    Ok(Subject { text, protocol, source, read, warnings, remarks })
}

fn once(
    arguments: &CheckArguments,
    format: Format,
    stop: &Stop,
    memory: Option<&WatchMemory>,
) -> CommandResult {
    let stop = &arguments.total.map_or_else(|| stop.clone(), |total| stop.within(total));
    let subject = subject(arguments, format, stop)?;
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
    let evidence = written_evidence(arguments, format, &request, &judgement, &verdict)?;
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
        Format::Text | Format::Itf => painted(report::text::check::text(&checked)),
        Format::Json => {
            let remarks = Remarks { source: text, warnings: &subject.warnings };
            report::json::check::document(&checked, &remarks)
        }
    };
    let status = status(&judgement);
    let status = if arguments.strict { status.strictly(coverage.as_ref()) } else { status };
    let answer = CommandAnswer { output, remarks: subject.remarks.clone(), status };
    Ok(page::written(answer, arguments.report.as_deref(), || {
        let illustration = illustrate_proof(protocol, &read.certificate, &judgement, stop);
        let certificate = (&read.certificate, Some(source.text()));
        report::html::proved(protocol, text, certificate, &judgement, &illustration)
    }))
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

/// Writes what `--smt2` and `--proofs` ask for.
fn written_evidence(
    arguments: &CheckArguments,
    format: Format,
    request: &JudgeRequest,
    judgement: &Judgement,
    verdict: &str,
) -> Result<Option<EvidenceWritten>, CommandAnswer> {
    let Some(folder) = &arguments.smt2 else { return Ok(None) };
    let failed = |error: JudgeError| failed(format, &error);
    let evidence = pipeline::evidence(judgement, request, arguments.proofs_wanted());
    let evidence = evidence.map_err(failed)?;
    let mut files = vec![(
        evidence::README.to_owned(),
        report::text::check::evidence::readme(
            verdict,
            &evidence.exhibits,
            evidence.proofs.as_deref(),
        ),
    )];
    for exhibit in &evidence.exhibits {
        files.push((format!("{}.smt2", exhibit.stem), exhibit.script.clone()));
    }
    let mut stored = 0;
    for (exhibit, proof) in evidence.exhibits.iter().zip(evidence.proofs.iter().flatten()) {
        if let Some(Proof::Alethe(text)) = proof {
            stored += 1;
            files.push((format!("{}.alethe", exhibit.stem), text.clone()));
        }
    }
    evidence::write(folder, &files).map_err(|error| evidence_failure(format, &error))?;
    Ok(Some(EvidenceWritten {
        folder: folder.display().to_string(),
        scripts: evidence.exhibits.len(),
        proofs: evidence.proofs.map(|_| stored),
    }))
}

fn evidence_failure(format: Format, error: &FolderError) -> CommandAnswer {
    let status = match error {
        FolderError::Occupied(_) => ExitStatus::WrongInput,
        FolderError::Unwritable { .. } => ExitStatus::EnvironmentError,
    };
    CommandAnswer::failure(format, status, error)
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
    if judgement.obligations().any(contradicted) {
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
