//! `rmlcut bench PROTOCOLS`: the verdict and the cost of each, in one table.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::budget::Stop;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, CommandResult, ExitStatus, read};
use crate::cli::synth::SearchStrategy;
use crate::cli::terminal::progress;
use crate::effort::Effort;
use crate::finite::Progress;
use crate::judge::JudgeError;
use crate::pipeline;
use crate::pipeline::SynthError;
use crate::protocol::Protocol;
use crate::prove::{Prefer, ProveConfig};
use crate::report::bench::profile::SynthProfile;
use crate::report::bench::synth;
use crate::report::bench::synth::{SynthBench, SynthRow};
use crate::report::text::synth::Cost;

/// What each protocol may cost.
pub(crate) struct BenchLimits {
    /// Ends the whole bench.
    pub(crate) stop: Stop,
    /// Time for the search.
    pub(crate) timeout: Duration,
    /// How many threads may explore one instance.
    pub(crate) threads: usize,
    /// How certificates are looked for.
    pub(crate) strategy: SearchStrategy,
    /// Whether to say where the time went.
    pub(crate) profile: bool,
}

/// The extension of the files that are looked for in folders.
pub(crate) const EXTENSION: &str = "rml";

/// Proves every protocol among the paths.
pub(crate) fn run(paths: &[PathBuf], limits: &BenchLimits, format: Format) -> CommandResult {
    let files = protocols(paths, format)?;
    let (mut rows, mut remarks) = (Vec::new(), String::new());
    for file in &files {
        if limits.stop.is_set() {
            break;
        }
        let source = read(format, file)?;
        let protocol = match pipeline::read_provable(&source) {
            Ok((protocol, _)) => protocol,
            Err(messages) => {
                remarks.push_str(&CommandAnswer::refused(format, &source, &messages).remarks);
                rows.push(unread(file));
                continue;
            }
        };
        let row = proved(&protocol, limits);
        rows.push(row.map_err(|error| crate::cli::check::failed(format, &error))?);
    }
    let is_stopped = limits.stop.is_set();
    if is_stopped {
        let begun = rows.len();
        remarks.push_str(&format!("interrupted in protocol {begun} of {}\n", files.len()));
    }
    let status = match (is_stopped, remarks.is_empty()) {
        (true, _) => ExitStatus::Unproved,
        (false, true) => ExitStatus::Success,
        (false, false) => ExitStatus::WrongInput,
    };
    Ok(CommandAnswer { remarks, status, ..super::answer(format, &SynthBench { rows }) })
}

/// A folder without anything to prove.
#[derive(Debug, thiserror::Error)]
#[error("{0}: there is no protocol ({1}) in this folder or below it")]
struct NoProtocol(String, String);

/// The files that are named, and the protocols below the folders that are.
pub(crate) fn protocols(paths: &[PathBuf], format: Format) -> Result<Vec<PathBuf>, CommandAnswer> {
    protocols_called(paths, &[EXTENSION], format)
}

/// The same for files with other extensions.
pub(crate) fn protocols_called(
    paths: &[PathBuf],
    extensions: &[&str],
    format: Format,
) -> Result<Vec<PathBuf>, CommandAnswer> {
    let mut files = Vec::new();
    for path in paths {
        let before = files.len();
        collect(path, extensions, &mut files).map_err(|error| {
            let error = io::Error::new(error.kind(), format!("{}: {error}", path.display()));
            CommandAnswer::failure(format, ExitStatus::EnvironmentError, &error)
        })?;
        if files.len() == before {
            let wanted: Vec<String> = extensions.iter().map(|own| format!(".{own}")).collect();
            let error = NoProtocol(path.display().to_string(), wanted.join(", "));
            return Err(CommandAnswer::failure(format, ExitStatus::WrongInput, &error));
        }
    }
    Ok(files)
}

/// The row of a file that is no protocol, or states nothing to prove.
fn unread(file: &Path) -> SynthRow {
    let protocol = file.file_stem().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    let (verdict, cost) = ("refused".to_owned(), Cost::default());
    SynthRow { protocol, verdict, argument: None, seconds_to_verdict: None, cost, profile: None }
}

/// A file, or the protocols below a folder, in the order of their names.
pub(crate) fn collect(path: &Path, extensions: &[&str], into: &mut Vec<PathBuf>) -> io::Result<()> {
    if !fs::metadata(path)?.is_dir() {
        into.push(path.to_owned());
        return Ok(());
    }
    let entries = fs::read_dir(path)?.map(|entry| entry.map(|entry| entry.path()));
    let mut entries = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    entries.sort();
    for entry in entries {
        let is_wanted = |own: &str| extensions.contains(&own);
        let is_protocol = entry.extension().and_then(|own| own.to_str()).is_some_and(is_wanted);
        if entry.is_dir() || is_protocol {
            collect(&entry, extensions, into)?;
        }
    }
    Ok(())
}

impl BenchLimits {
    /// What one protocol may cost, from now on.
    pub(crate) fn config<'a>(&self, progress: &'a dyn Progress) -> ProveConfig<'a> {
        ProveConfig {
            stop: self.stop.within(self.timeout),
            prefer: Prefer::Cutoff,
            patience: 1,
            proved: &|| {},
            residual: RESIDUAL,
            threads: self.threads,
            progress,
        }
    }
}

fn proved(protocol: &Protocol, limits: &BenchLimits) -> Result<SynthRow, JudgeError> {
    let (started, before) = (Instant::now(), Effort::so_far());
    let first_proof = OnceLock::new();
    let announced = || {
        first_proof.get_or_init(|| started.elapsed());
    };
    let outcome = progress::during(&protocol.name, limits.timeout, |news| {
        let config = ProveConfig { proved: &announced, ..limits.config(news) };
        pipeline::prove_with(protocol, limits.strategy.into(), &config)
    });
    let (total, effort) = (started.elapsed(), Effort::so_far().since(before));
    let cost = Cost::new(total, effort);
    let row = match outcome {
        Ok(outcome) => synth::row(protocol, &outcome, cost),
        Err(SynthError::Judge(error)) => return Err(error),
        Err(SynthError::Literal(error)) => SynthRow {
            protocol: protocol.name.to_string(),
            verdict: format!("unproved: {error}"),
            argument: None,
            seconds_to_verdict: None,
            cost,
            profile: None,
        },
    };
    // A proof is announced before it is made smaller; everything else is reported at the end.
    let verdict = row
        .seconds_to_verdict
        .map(|end| first_proof.get().map_or(end, |first: &Duration| first.as_secs_f64()));
    let profile = limits.profile.then(|| SynthProfile::new(&effort));
    Ok(SynthRow { seconds_to_verdict: verdict, profile, ..row })
}

/// Residual sorts are tried up to this size.
const RESIDUAL: u32 = 3;
