//! `rmlcut bench --stage engines`: the same instances with every engine, and with TLC where it is
//! named.
//!
//! Every run is a process of its own, TLC's like ours, so that start-up, reading and memory count
//! alike; what is reported is processor time, which other work on the machine hardly changes.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::tables;
use super::tables::TableRow;
use crate::budget::Stop;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, CommandResult, ExitStatus, read};
use crate::cli::terminal::{input, interrupt};
use crate::export::LANGUAGES;
use crate::pipeline;
use crate::pipeline::ExportRequest;
use crate::report::bench::engines::{EngineRow, EngineRun, EnginesBench, TLC};

/// The column with the number of all states.
const COLUMN: &str = "reachable";

/// What our own runs are called, with the engine to ask for.
const ENGINES: [(&str, Option<&str>); 4] = [
    ("default", None),
    ("symbolic", Some("symbolic")),
    ("explicit", Some("explicit")),
    ("sat", Some("sat")),
];

/// How many times as long a process may wait for the processor as it may use it.
const MOST_WAITING: u32 = 20;

/// How often a process is asked whether it has ended.
const POLL: Duration = Duration::from_millis(5);

/// Why there are no results.
#[derive(Debug, thiserror::Error)]
enum EnginesError {
    #[error("{0}: there is no table with the columns `file`, `size` and `reachable`")]
    NoTable(String),
    #[error(transparent)]
    Row(#[from] tables::RowError),
    #[error("{0} cannot be run: {1}")]
    Process(String, io::Error),
    #[error("{0} cannot be written for TLC")]
    NotExported(String),
}

/// Runs every row of the tables of a document, none longer than `longest`.
pub(crate) fn run(
    document: &Path,
    tlc: Option<&Path>,
    longest: Duration,
    format: Format,
) -> CommandResult {
    let text = read(format, document)?;
    let folder = document.parent().unwrap_or(Path::new("."));
    let failed = |error: EnginesError| {
        let status = match error {
            EnginesError::Process(..) => ExitStatus::EnvironmentError,
            _ => ExitStatus::WrongInput,
        };
        CommandAnswer::failure(format, status, &error)
    };
    let rows = tables::rows(text.text(), COLUMN).map_err(|error| failed(error.into()))?;
    if rows.is_empty() {
        return Err(failed(EnginesError::NoTable(text.name().to_owned())));
    }
    let scratch = Scratch::new()
        .map_err(|error| failed(EnginesError::Process("a temporary folder".to_owned(), error)))?;
    let bench = Runs {
        folder,
        tlc,
        longest,
        stop: interrupt::on_ctrl_c(),
        scratch: &scratch.path,
        ended: BTreeSet::new(),
    };
    let rows = bench.measure(&rows).map_err(failed)?;
    let seconds = longest.as_secs();
    Ok(super::answer(format, &EnginesBench { seconds, rows }))
}

/// A folder for the models of TLC and its files, removed at the end.
struct Scratch {
    path: PathBuf,
}

impl Scratch {
    fn new() -> io::Result<Self> {
        let path = std::env::temp_dir().join(format!("rmlcut-engines-{}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Scratch { path })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed is left to the system.
        let _ = fs::remove_dir_all(&self.path);
    }
}

struct Runs<'a> {
    folder: &'a Path,
    tlc: Option<&'a Path>,
    longest: Duration,
    stop: Stop,
    scratch: &'a Path,
    /// The engines that did not answer for a file: larger sizes of it are not tried.
    ended: BTreeSet<(String, &'static str)>,
}

impl Runs<'_> {
    fn measure(mut self, rows: &[TableRow]) -> Result<Vec<EngineRow>, EnginesError> {
        let mut measured = Vec::new();
        for row in rows {
            let mut runs = Vec::new();
            for (name, engine) in ENGINES {
                runs.extend(self.unless_ended(row, name, |own| own.rmlcut(row, engine))?);
            }
            if let Some(jar) = self.tlc {
                runs.extend(self.unless_ended(row, TLC, |own| own.tlc(row, jar))?);
            }
            // What was interrupted counts for nothing; the rows before it do.
            if self.stop.is_set() {
                break;
            }
            let TableRow { file, size, states } = row;
            let (file, size, reachable) = (file.clone(), size.clone(), states.clone());
            measured.push(EngineRow { file, size, reachable, runs });
        }
        Ok(measured)
    }

    fn unless_ended(
        &mut self,
        row: &TableRow,
        name: &'static str,
        run: impl FnOnce(&Self) -> Result<(Finished, Answer), EnginesError>,
    ) -> Result<Option<EngineRun>, EnginesError> {
        let key = (row.file.clone(), name);
        if self.stop.is_set() || self.ended.contains(&key) {
            return Ok(None);
        }
        let (finished, (verdict, states)) = run(self)?;
        if verdict.is_none() {
            self.ended.insert(key);
        }
        Ok(Some(EngineRun { engine: name, seconds: finished.seconds, verdict, states }))
    }

    fn rmlcut(
        &self,
        row: &TableRow,
        engine: Option<&str>,
    ) -> Result<(Finished, Answer), EnginesError> {
        let program = std::env::current_exe()
            .map_err(|error| EnginesError::Process("rmlcut".to_owned(), error))?;
        let mut command = Command::new(program);
        command.arg("explore").arg(self.folder.join(&row.file)).args(row.options());
        command.args(["--threads", "1", "--format", "json"]);
        command.args(engine.into_iter().flat_map(|engine| ["--engine", engine]));
        let finished = self.finish("rmlcut", command)?;
        let answer = rmlcut_answer(&finished.output);
        Ok((finished, answer))
    }

    fn tlc(&self, row: &TableRow, jar: &Path) -> Result<(Finished, Answer), EnginesError> {
        let unwritten = || EnginesError::NotExported(row.file.clone());
        let written = |_: io::Error| unwritten();
        let source = input::read(&self.folder.join(&row.file)).map_err(|_| unwritten())?;
        let language = LANGUAGES.iter().find(|language| language.word == "tla");
        let (sizes, integers) = row.parts()?;
        let request = ExportRequest { name: Some("Model".to_owned()), sizes, integers };
        let exported = language.and_then(|own| pipeline::export(&source, None, own, &request).ok());
        let (exported, _) = exported.ok_or_else(unwritten)?;
        fs::write(self.scratch.join("Model.tla"), exported.text).map_err(written)?;
        let configuration = exported.configuration.unwrap_or_default();
        fs::write(self.scratch.join("Model.cfg"), configuration).map_err(written)?;
        let jar = jar.canonicalize().unwrap_or_else(|_| jar.to_owned());
        let mut command = Command::new("java");
        command.current_dir(self.scratch).args(["-XX:+UseParallelGC", "-cp"]).arg(jar);
        command.args(["tlc2.TLC", "-workers", "1", "-deadlock", "-metadir", "states"]);
        command.args(["-config", "Model.cfg", "Model.tla"]);
        let finished = self.finish("java", command)?;
        let answer = tlc_answer(&finished.output);
        Ok((finished, answer))
    }

    /// Runs a process to its end, or kills it when its time is up.
    fn finish(&self, name: &str, mut command: Command) -> Result<Finished, EnginesError> {
        let failed = |error| EnginesError::Process(name.to_owned(), error);
        let output = self.scratch.join("output");
        // To a file: nothing has to read a pipe meanwhile.
        let file = File::create(&output).map_err(failed)?;
        command.stdin(Stdio::null()).stdout(file).stderr(Stdio::null());
        let (start, before) = (Instant::now(), processor_time());
        let mut child = command.spawn().map_err(failed)?;
        loop {
            if child.try_wait().map_err(failed)?.is_some() {
                break;
            }
            if self.is_over(start, child.id()) || self.stop.is_set() {
                // A process that has just ended cannot be killed.
                let _ = child.kill();
                child.wait().map_err(failed)?;
                break;
            }
            std::thread::sleep(POLL);
        }
        let elapsed = start.elapsed().as_secs_f64();
        let spent = processor_time().zip(before).map(|(after, before)| after - before);
        let output = fs::read_to_string(&output).unwrap_or_default();
        Ok(Finished { output, seconds: spent.unwrap_or(elapsed) })
    }

    /// Whether the time of a process is up: its processor time, where the system says, so that other
    /// work on the machine ends no run early.
    fn is_over(&self, start: Instant, process: u32) -> bool {
        let elapsed = start.elapsed();
        let own = ticks(&format!("/proc/{process}/stat"), OWN_TICKS);
        let spent = own.map_or(elapsed, Duration::from_secs_f64);
        spent > self.longest || elapsed > self.longest * MOST_WAITING
    }
}

/// A process that has ended.
struct Finished {
    output: String,
    /// Processor time, or the time that passed where the system does not say.
    seconds: f64,
}

/// The verdict, if there is one, and the number of states, if the engine counts them.
type Answer = (Option<String>, Option<String>);

fn rmlcut_answer(output: &str) -> Answer {
    let Ok(report) = serde_json::from_str::<serde_json::Value>(output) else {
        return (None, None);
    };
    let verdict = report["verdict"].as_str().filter(|verdict| *verdict != "unknown");
    let coverage = &report["coverage"];
    let total = coverage["total_states"].as_str().map(str::to_owned);
    let visited = || Some(coverage["counts"]["states"].as_u64()?.to_string());
    (verdict.map(str::to_owned), total.or_else(visited))
}

fn tlc_answer(output: &str) -> Answer {
    let verdict = if output.contains("No error has been found") {
        Some("safe".to_owned())
    } else if output.contains(" is violated") {
        Some("unsafe".to_owned())
    } else {
        None
    };
    let states = output.lines().rev().find_map(|line| {
        let before = line.split_once(" distinct states found")?.0;
        before.rsplit(' ').next().map(|count| count.replace(',', ""))
    });
    (verdict, states)
}

/// The processor time of all processes that this one has started and that have ended, in seconds,
/// where the system says.
fn processor_time() -> Option<f64> {
    ticks("/proc/self/stat", TICKS_OF_CHILDREN)
}

/// Where the status of a process has the ticks that it spent itself: in the program and in the
/// system.
const OWN_TICKS: [usize; 2] = [11, 12];

/// The same for its children that have ended.
const TICKS_OF_CHILDREN: [usize; 2] = [13, 14];

/// The sum of some ticks in the status of a process, in seconds.
fn ticks(status: &str, fields: [usize; 2]) -> Option<f64> {
    let status = fs::read_to_string(status).ok()?;
    // The name of the program, in parentheses, may have blanks.
    let all: Vec<&str> = status.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |field: usize| all.get(field)?.parse::<f64>().ok();
    // A tick is a hundredth of a second.
    Some((ticks(fields[0])? + ticks(fields[1])?) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_of_tlc_are_read() {
        let safe = "Model checking completed. No error has been found.\n\
                    1173 states generated, 1,240 distinct states found, 0 states left on queue.\n";
        assert_eq!(tlc_answer(safe), (Some("safe".to_owned()), Some("1240".to_owned())));
        let unsafe_ = "Error: Invariant agreement is violated.\n";
        assert_eq!(tlc_answer(unsafe_), (Some("unsafe".to_owned()), None));
        let stopped = "Progress(9): 7 distinct states found (2 ds/min), 3 left";
        assert_eq!(tlc_answer(stopped), (None, Some("7".to_owned())));
    }
}
