//! `rmlcut bench --stage explore`: the counts in tables, repeated, with what they cost.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use super::tables::{RowError, TableRow};
use super::{shortest, tables};
use crate::budget::{Budget, Stop};
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, CommandResult, ExitStatus, read};
use crate::cli::terminal::{input, interrupt};
use crate::finite::question::request;
use crate::finite::question::request::FiniteRequest;
use crate::finite::{Deadlocks, FiniteOutcome, Silent, Slicing, StateCounts, Symmetry};
use crate::pipeline;
use crate::protocol::Protocol;
use crate::report::bench::explore::{ExploreBench, ExploreRow, Started};

/// Why a table cannot be repeated.
#[derive(Debug, thiserror::Error)]
enum TableError {
    /// No table with the columns that are needed.
    #[error("{0}: there is no table with the columns `file`, `size` and `states`")]
    NoTable(String),
    /// A row that cannot be read.
    #[error(transparent)]
    Row(#[from] RowError),
    /// A protocol that is refused.
    #[error("{0} is not a protocol")]
    NoProtocol(String),
    /// An exploration that has no outcome.
    #[error("{0}: {1}")]
    Failed(String, String),
}

/// One row of a table, with the number of its states.
struct Wanted {
    row: TableRow,
    states: u64,
}

/// Repeats every row of the tables of a document.
pub(crate) fn run(tables: &Path, repeat: u32, format: Format) -> CommandResult {
    let document = read(format, tables)?;
    let folder = tables.parent().unwrap_or(Path::new("."));
    let rows = measure(document.text(), document.name(), folder, repeat)
        .map_err(|error| CommandAnswer::failure(format, ExitStatus::WrongInput, &error))?;
    let process = started(&rows, folder, repeat);
    Ok(super::answer(format, &ExploreBench { rows, process, peak_bytes: peak_memory() }))
}

fn measure(
    document: &str,
    name: &str,
    folder: &Path,
    repeat: u32,
) -> Result<Vec<ExploreRow>, TableError> {
    let counted = |row: TableRow| {
        let states = row.states.parse().map_err(|_| RowError(row.states.clone()))?;
        Ok::<Wanted, RowError>(Wanted { row, states })
    };
    let rows = tables::rows(document, "states")?.into_iter();
    let mut wanted = rows.map(counted).collect::<Result<Vec<Wanted>, RowError>>()?;
    if wanted.is_empty() {
        return Err(TableError::NoTable(name.to_owned()));
    }
    wanted.sort_by_key(|row| row.states);
    let stop = interrupt::on_ctrl_c();
    let mut rows = Vec::new();
    for wanted in &wanted {
        let row = repeat_row(wanted, folder, repeat, &stop);
        // What was interrupted counts for nothing; the rows before it do.
        if stop.is_set() {
            break;
        }
        rows.push(row?);
    }
    Ok(rows)
}

fn repeat_row(
    wanted: &Wanted,
    folder: &Path,
    repeat: u32,
    stop: &Stop,
) -> Result<ExploreRow, TableError> {
    let path = folder.join(&wanted.row.file);
    let no_protocol = || TableError::NoProtocol(path.display().to_string());
    let source = input::read(&path).map_err(|_| no_protocol())?;
    let (protocol, _) = pipeline::read_protocol(&source).map_err(|_| no_protocol())?;
    let explored = |threads| {
        let request = request(wanted, threads, stop)?;
        shortest(repeat, || explored_once(wanted, &protocol, &request))
    };
    let ((instances, counts), seconds_one_thread) = explored(1)?;
    let (_, seconds_two_threads) = explored(2)?;
    Ok(ExploreRow {
        file: wanted.row.file.clone(),
        size: wanted.row.size.clone(),
        stated: wanted.states,
        instances,
        packed_bytes: counts.packed,
        counts: counts.into(),
        seconds_one_thread,
        seconds_two_threads,
    })
}

/// How many instances and states there are.
fn explored_once(
    wanted: &Wanted,
    protocol: &Protocol,
    request: &FiniteRequest,
) -> Result<(u64, StateCounts), TableError> {
    let failed = |why: String| TableError::Failed(wanted.row.file.clone(), why);
    let explored = request::explore(protocol, request, &Silent);
    let coverage = match explored.map_err(|error| failed(error.to_string()))?.outcome {
        FiniteOutcome::Safe(coverage) | FiniteOutcome::Unsafe(_, coverage) => coverage,
        FiniteOutcome::Unknown(_, coverage) => coverage,
    };
    let nothing = || failed("nothing was visited".to_owned());
    Ok((coverage.instances, coverage.visited.ok_or_else(nothing)?))
}

fn request(wanted: &Wanted, threads: usize, stop: &Stop) -> Result<FiniteRequest, TableError> {
    let (sizes, window) = wanted.row.parts()?;
    Ok(FiniteRequest {
        sizes,
        window,
        properties: Vec::new(),
        engine: Some("explicit".to_owned()),
        deadlocks: Deadlocks::Ignored,
        symmetry: Symmetry::Distinguished,
        slicing: Slicing::Whole,
        budget: Budget { max_memory: 16 << 30, threads, ..Budget::until(stop.clone()) },
        patience: u64::MAX,
    })
}

/// How much longer than starting the program its answer takes, at the smallest size of each
/// protocol; `None` where the program cannot be started.
fn started(rows: &[ExploreRow], folder: &Path, repeat: u32) -> Option<Started> {
    let program = std::env::current_exe().ok()?;
    let best = |arguments: &[String]| {
        let mut command = Command::new(&program);
        command.args(arguments).stdout(Stdio::null()).stderr(Stdio::null());
        shortest(repeat.max(5), || command.status()).ok().map(|(_, seconds)| seconds)
    };
    let seconds_version = best(&["--version".to_owned()])?;
    let mut smallest: BTreeMap<&str, &ExploreRow> = BTreeMap::new();
    for row in rows {
        smallest.entry(&row.file).or_insert(row);
    }
    let protocols = smallest.len();
    let mut slowest: Option<Started> = None;
    for row in smallest.into_values() {
        let path = folder.join(&row.file).display().to_string();
        let mut arguments = vec!["explore".to_owned(), path];
        let (file, size, states) = (row.file.clone(), row.size.clone(), String::new());
        arguments.extend(TableRow { file, size, states }.options());
        let seconds_explore = best(&arguments)?;
        if slowest.as_ref().is_none_or(|slowest| slowest.seconds_explore < seconds_explore) {
            let (file, size) = (row.file.clone(), row.size.clone());
            slowest = Some(Started { file, size, seconds_version, seconds_explore, protocols });
        }
    }
    slowest
}

/// The most memory that the process has held, in bytes, where the system says.
pub(crate) fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.trim().strip_suffix(" kB")?.trim().parse().ok()?;
    Some(kilobytes << 10)
}
