//! `rmlcut bench --stage stop`: how long runs take to answer Ctrl-C, and how well they keep
//! `--timeout`.
//!
//! Runs are started as processes of their own and interrupted at moments that are chosen at random
//! from a fixed seed, all over the time that they take.

use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use super::synth;
use crate::budget::Stop;
use crate::cli::Format;
use crate::cli::command_output::{CommandAnswer, CommandResult, ExitStatus};
use crate::cli::terminal::{input, interrupt};
use crate::pipeline;
use crate::report::bench::stop::{Row, StopBench};

/// At how many moments each run is interrupted.
const MOMENTS: u32 = 20;

/// A run that has not answered after this time hangs, and is killed.
const HANG: Duration = Duration::from_secs(30);

/// The time limits that runs are given, in seconds.
const LIMITS: [u64; 3] = [1, 2, 4];

/// How many runs of each kind there are.
const SYNTH: usize = 4;
const OTHERS: usize = 2;

/// How many elements each sort has where instances are explored.
const ELEMENTS: u32 = 4;

/// Something to interrupt.
struct Run {
    arguments: Vec<String>,
    /// Whether `--timeout` limits the whole run.
    is_limited: bool,
}

/// Interrupts runs on the protocols below a folder, none of which may take longer than `longest`.
pub(crate) fn run(folder: &Path, longest: Duration, format: Format) -> CommandResult {
    let rows = rows(folder, longest)
        .map_err(|error| CommandAnswer::failure(format, ExitStatus::EnvironmentError, &error))?;
    Ok(super::answer(format, &StopBench::new(&rows)))
}

fn rows(folder: &Path, longest: Duration) -> io::Result<Vec<Row>> {
    let (program, stop) = (std::env::current_exe()?, interrupt::on_ctrl_c());
    let mut rows = Vec::new();
    for (seed, run) in (1..).zip(&runs(folder)?) {
        if stop.is_set() {
            break;
        }
        rows.push(measured(&program, run, (longest, seed), &stop)?);
    }
    Ok(rows)
}

/// Runs of every kind, on protocols that are spread evenly over the folder.
fn runs(folder: &Path) -> io::Result<Vec<Run>> {
    let mut files = Vec::new();
    synth::collect(folder, &[synth::EXTENSION], &mut files)?;
    let certified: Vec<PathBuf> =
        files.iter().filter(|file| file.with_extension("cut").exists()).cloned().collect();
    let mut runs = Vec::new();
    let mut add = |command: &str, path: &Path, more: Vec<String>| {
        let arguments = [command.to_owned(), path.display().to_string()].into_iter().chain(more);
        runs.push(Run { arguments: arguments.collect(), is_limited: command != "check" });
    };
    for file in spread(&files, SYNTH) {
        add("synth", file, Vec::new());
    }
    for file in spread(&certified, OTHERS) {
        add("check", file, Vec::new());
    }
    for file in spread(&files, OTHERS) {
        add("explore", file, sizes(file));
    }
    for file in spread(&certified, OTHERS) {
        add("bench", file, Vec::new());
    }
    Ok(runs)
}

/// At most so many of the items, evenly chosen.
fn spread(items: &[PathBuf], most: usize) -> impl Iterator<Item = &PathBuf> {
    items.iter().step_by(items.len().div_ceil(most).max(1))
}

/// Every sort of a protocol with many elements, and some integers.
fn sizes(file: &Path) -> Vec<String> {
    let Ok(source) = input::read(file) else { return Vec::new() };
    let Ok((protocol, _)) = pipeline::read_protocol(&source) else { return Vec::new() };
    let signature = &protocol.signature;
    let mut more = Vec::new();
    for sort in signature.sized_sorts() {
        more.extend(["--size".to_owned(), format!("{}={ELEMENTS}", signature.sort_name(sort))]);
    }
    if signature.uses_int() {
        more.extend(["--int".to_owned(), "0..4".to_owned()]);
    }
    more
}

/// Interrupts one run again and again, and then lets its time run out.
fn measured(
    program: &Path,
    run: &Run,
    (longest, seed): (Duration, u64),
    stop: &Stop,
) -> io::Result<Row> {
    let whole = interrupted(program, &run.arguments, longest)?;
    let length = longest.min(whole.total);
    let mut row = Row::new(run.arguments.join(" "));
    let mut random = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for _ in 0..MOMENTS {
        if stop.is_set() {
            break;
        }
        // Xorshift: the same moments every time, as parts of the length.
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let part = (random >> 11) as f64 / (1_u64 << 53) as f64;
        let ended = interrupted(program, &run.arguments, length.mul_f64(part))?;
        row.answers.extend(ended.answer);
        row.hangs += u32::from(ended.hung);
        row.lost += u32::from(ended.lost);
    }
    for limit in LIMITS.iter().filter(|_| run.is_limited) {
        if stop.is_set() {
            break;
        }
        let limited = ["--timeout".to_owned(), limit.to_string()];
        let arguments: Vec<String> = run.arguments.iter().cloned().chain(limited).collect();
        let ended = interrupted(program, &arguments, HANG)?;
        row.hangs += u32::from(ended.hung || ended.answer.is_some());
        row.limits.push((Duration::from_secs(*limit), ended.total));
    }
    Ok(row)
}

/// How a run ended.
struct Ended {
    /// How long it took altogether.
    total: Duration,
    /// How long it took to answer; `None` if it ended before it was interrupted.
    answer: Option<Duration>,
    /// Whether it did not answer at all.
    hung: bool,
    /// Whether it ended without a result after it was interrupted.
    lost: bool,
}

/// Starts a run and interrupts it after some time, if it still works then.
fn interrupted(program: &Path, arguments: &[String], after: Duration) -> io::Result<Ended> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let start = Instant::now();
    let child = command.spawn()?;
    let process = child.id();
    let output = waiting(child);
    if output.recv_timeout(after).is_ok() {
        return Ok(Ended { total: start.elapsed(), answer: None, hung: false, lost: false });
    }
    let asked = Instant::now();
    signal(process, false);
    let received = output.recv_timeout(HANG);
    let (answer, hung) = (asked.elapsed(), received.is_err());
    if hung {
        signal(process, true);
    }
    let lost = !hung && !received.is_ok_and(|output| output.is_ok_and(|own| has_result(&own)));
    Ok(Ended { total: start.elapsed(), answer: Some(answer), hung, lost })
}

/// A run that was interrupted while it was reading has nothing to say; every other one has.
fn has_result(output: &Output) -> bool {
    !output.stdout.is_empty() || output.status.code().is_none()
}

fn waiting(child: Child) -> mpsc::Receiver<io::Result<Output>> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        // The receiver is gone after a hang.
        let _ = sender.send(child.wait_with_output());
    });
    receiver
}

/// Interrupts a process as Ctrl-C does, or kills it.
#[cfg(unix)]
fn signal(process: u32, kill: bool) {
    use nix::sys::signal::{Signal, kill as send};
    use nix::unistd::Pid;
    let signal = if kill { Signal::SIGKILL } else { Signal::SIGINT };
    if let Ok(process) = i32::try_from(process) {
        // A process that is gone needs no signal.
        let _ = send(Pid::from_raw(process), signal);
    }
}

#[cfg(not(unix))]
fn signal(_process: u32, _kill: bool) {}
