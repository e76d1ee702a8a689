//! `rmlcut bench --stage check`: what judging certificates costs beyond the solver, and how it
//! grows.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::explore::peak_memory;
use super::shortest;
use crate::budget::{Budget, cores};
use crate::certificate::Certificate;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, CommandResult, ExitStatus};
use crate::cli::terminal::{input, interrupt};
use crate::finite::Silent;
use crate::judge::request::{Cutoffs, JudgeRequest};
use crate::judge::{every_obligation, query};
use crate::pipeline;
use crate::pipeline::Origin;
use crate::protocol::Protocol;
use crate::report::bench::check::{CheckBench, CheckRow, Generated};
use crate::smt::smtlib::script;
use crate::smt::{smtlib, z3 as solver};
use crate::source::SourceFile;

/// Patience with one obligation.
const PATIENCE: Duration = Duration::from_secs(60);

/// How many cases the generated certificates have.
const CASES: [usize; 2] = [10, 100];

/// Why there is nothing to measure.
#[derive(Debug, thiserror::Error)]
pub(super) enum BenchError {
    /// No certificate beside a protocol.
    #[error("{}: there is no certificate below", .0.display())]
    NoCertificate(PathBuf),
    /// A file that is refused.
    #[error("{0} is refused")]
    Refused(String),
    /// A judgement that failed.
    #[error("{0}: {1}")]
    Failed(String, String),
}

/// Measures every certificate below a folder, or below the folder of a document, and generated ones.
pub(crate) fn run(place: &Path, repeat: u32, format: Format) -> CommandResult {
    let folder = if place.is_dir() { place } else { place.parent().unwrap_or(Path::new(".")) };
    let measured = measure(folder, repeat)
        .map_err(|error| CommandAnswer::failure(format, ExitStatus::WrongInput, &error))?;
    Ok(super::answer(format, &measured))
}

fn measure(folder: &Path, repeat: u32) -> Result<CheckBench, BenchError> {
    let stop = interrupt::on_ctrl_c();
    let mut generated = Vec::new();
    // Before everything else: the peak of memory only ever rises.
    for cases in CASES {
        if stop.is_set() {
            break;
        }
        let texts = generated_texts(cases);
        let (obligations, seconds_check) = shortest(repeat, || check(&texts))?;
        generated.push(Generated { obligations, seconds_check, peak_bytes: peak_memory() });
    }
    let certificates = certificates(folder);
    if certificates.is_empty() {
        return Err(BenchError::NoCertificate(folder.to_owned()));
    }
    let mut rows = Vec::new();
    for path in certificates {
        if stop.is_set() {
            break;
        }
        let texts = Texts::read(&path)?;
        let scripts = scripts(&texts)?;
        let (obligations, seconds_check) = shortest(repeat, || check(&texts))?;
        let (_, seconds_z3) = shortest(repeat, || Ok(alone(&scripts)))?;
        // What was interrupted counts for nothing; the rows before it do.
        if stop.is_set() {
            break;
        }
        let file = texts.certificate.name().to_owned();
        rows.push(CheckRow { file, obligations, seconds_z3, seconds_check });
    }
    Ok(CheckBench { rows, generated })
}

/// Every certificate that has its protocol beside it, sorted.
pub(super) fn certificates(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        let entries = std::fs::read_dir(next).into_iter().flatten().flatten();
        for path in entries.map(|entry| entry.path()) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cut")
                && path.with_extension("rml").exists()
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// A protocol and a certificate for it, as texts.
pub(super) struct Texts {
    pub(super) protocol: SourceFile,
    pub(super) certificate: SourceFile,
    origin: Origin,
}

impl Texts {
    pub(super) fn read(certificate: &Path) -> Result<Self, BenchError> {
        let read = |path: &Path| {
            input::read(path).map_err(|_| BenchError::Refused(path.display().to_string()))
        };
        Ok(Texts {
            protocol: read(&certificate.with_extension("rml"))?,
            certificate: read(certificate)?,
            origin: Origin::ThisText,
        })
    }

    pub(super) fn parse(&self) -> Result<(Protocol, Certificate), BenchError> {
        let refused = |_| BenchError::Refused(self.certificate.name().to_owned());
        let (protocol, _) = pipeline::read_protocol(&self.protocol).map_err(refused)?;
        let read = pipeline::read_certificate(&protocol, &self.certificate, self.origin);
        let certificate = read.map_err(refused)?.certificate;
        Ok((protocol, certificate))
    }

    pub(super) fn failed(&self, why: impl ToString) -> BenchError {
        BenchError::Failed(self.certificate.name().to_owned(), why.to_string())
    }
}

/// All that `rmlcut check --no-finite` does, from the texts to the verdict; how many obligations.
fn check(texts: &Texts) -> Result<usize, BenchError> {
    let (protocol, certificate) = texts.parse()?;
    let judgement = pipeline::check(&protocol, &certificate, &request(), None, &Silent);
    let judgement = judgement.map_err(|error| texts.failed(error))?;
    Ok(judgement.obligations().count())
}

fn scripts(texts: &Texts) -> Result<Vec<String>, BenchError> {
    let (_, certificate) = texts.parse()?;
    let scripts = every_obligation(&certificate).into_iter().map(|obligation| {
        let script = script(&query(&obligation), smtlib::ScriptStatus::Unknown);
        script.map_err(|error| texts.failed(error))
    });
    scripts.collect()
}

/// Z3 on the same obligations, one after another in this process.
fn alone(scripts: &[String]) -> usize {
    let stop = interrupt::on_ctrl_c();
    let asked = scripts.iter().take_while(|_| !stop.is_set());
    let answers = asked.map(|script| solver::answer(script, PATIENCE));
    answers.filter(|answer| *answer == Ok(smtlib::ScriptStatus::Unsat)).count()
}

pub(super) fn request() -> JudgeRequest {
    let stop = interrupt::on_ctrl_c();
    let budget = Budget { time: PATIENCE, threads: cores(), ..Budget::until(stop) };
    JudgeRequest { cutoffs: Cutoffs::Skipped, ..JudgeRequest::new(budget) }
}

/// A lock and a certificate with so many cases of ten obligations each.
fn generated_texts(cases: usize) -> Texts {
    let protocol = "sort node\nrelation held(node)\nrelation free\ninit ~held(N)\ninit free\n\
        action take(n: node) { require free; free := false; held(n) := true }\n\
        action give(n: node) { require held(n); free := true; held(n) := false }\n\
        safety [one] held(N1) & held(N2) -> N1 = N2\n";
    let mut certificate = String::new();
    for index in 0..cases {
        // Writing to a string cannot fail.
        let _ = write!(
            certificate,
            "case two_{index} for one {{\n  params a: node, b: node\n  violators N1 = a, N2 = b\n  \
             cut node = {{ x, y }}\n  sim node(n) := x if n = a else y\n  \
             gamma [held] held_L(N) -> held_C(sim(N))\n  gamma [free] free_L -> free_C\n  \
             lockstep take(n) do take(sim(n))\n  lockstep give(n) do give(sim(n))\n}}\n"
        );
    }
    Texts {
        protocol: SourceFile::new("generated.rml", protocol),
        certificate: SourceFile::new("generated.cut", certificate),
        origin: Origin::AnyText,
    }
}
