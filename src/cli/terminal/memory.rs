//! Running out of memory under a limit of the system (`ulimit -v`): one line and exit code 3, and
//! what was proved is reported.
//!
//! An allocation that fails ends a process on the spot, in our code as in the solver's. So where
//! there is a limit, the work is done by a child process, which stops when little memory is left,
//! and the parent reports how the child ended.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::budget::Stop;
use crate::cli::command_output::CommandAnswer;

#[cfg(unix)]
pub(crate) use limited::{is_short, supervised, watch};

/// Reports what was found, unless the lack of memory is why there is no result.
pub(crate) fn with_shortage(answer: CommandAnswer) -> (CommandAnswer, Option<ExitCode>) {
    use crate::cli::command_output::ExitStatus;
    let is_cut_short = matches!(answer.status, ExitStatus::Unproved | ExitStatus::InternalError);
    if is_cut_short && is_short() { (answer, Some(ExitCode::from(SHORT))) } else { (answer, None) }
}

/// How the process that works says that its memory was too small.
const SHORT: u8 = 75;

#[cfg(unix)]
mod limited {
    use super::{ExitCode, OsString, SHORT, Stop};
    use std::io::{self, Read, Write};
    use std::os::unix::process::ExitStatusExt;
    use std::process::{Command, Stdio};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;
    use std::{fs, thread};

    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    use nix::sys::signal::Signal;

    use crate::cli::command_output::ExitStatus;

    /// Marks the process that works.
    const WORKER: &str = "RMLCUT_LIMITED";

    /// The part of the memory that must be left, and how often that is looked at.
    const RESERVE: u64 = 5;
    const LOOK: Duration = Duration::from_millis(10);

    static IS_SHORT: AtomicBool = AtomicBool::new(false);

    /// Whether the work was stopped because little memory was left.
    pub(crate) fn is_short() -> bool {
        IS_SHORT.load(Ordering::Acquire)
    }

    /// The bytes that a process may have, if there is a limit.
    fn limit() -> Option<u64> {
        let (soft, _) = getrlimit(Resource::RLIMIT_AS).ok()?;
        (soft != RLIM_INFINITY).then_some(soft)
    }

    /// Does the work in a process of its own, if the memory is limited.
    pub(crate) fn supervised(arguments: &[OsString]) -> Option<ExitCode> {
        let limit = limit().filter(|_| std::env::var_os(WORKER).is_none())?;
        let mut command = Command::new(std::env::current_exe().ok()?);
        command.args(arguments.iter().skip(1)).env(WORKER, "1").stderr(Stdio::piped());
        // Otherwise every thread reserves 64 MiB.
        command.env("MALLOC_ARENA_MAX", "1");
        // Printing a backtrace without memory waits forever for a lock that the panic holds.
        command.env("RUST_BACKTRACE", "0");
        let mut child = command.spawn().ok()?;
        // The worker receives Ctrl-C as well, and answers.
        let _ = ctrlc::set_handler(|| {});
        let mut messages = Vec::new();
        if let Some(mut stderr) = child.stderr.take() {
            // What was read before a failure is shown.
            let _ = stderr.read_to_end(&mut messages);
        }
        let status = child.wait().ok()?;
        let ended = [Signal::SIGABRT, Signal::SIGSEGV, Signal::SIGBUS, Signal::SIGILL];
        let is_out = status.signal().is_some_and(|own| ended.iter().any(|end| *end as i32 == own))
            || matches!(status.code(), Some(code) if code == i32::from(SHORT) || code == 127);
        let mut stderr = io::stderr().lock();
        if is_out {
            let _ = writeln!(
                stderr,
                "error: out of memory: the system allows {} MiB (ulimit -v)",
                limit >> 20
            );
            return Some(ExitCode::from(ExitStatus::EnvironmentError as u8));
        }
        let _ = stderr.write_all(&messages);
        if let Some(signal) = status.signal() {
            let _ = writeln!(stderr, "error: ended by signal {signal} before there was an answer");
            return Some(ExitCode::from(ExitStatus::EnvironmentError as u8));
        }
        let code = status.code().and_then(|code| u8::try_from(code).ok());
        Some(code.map_or(ExitCode::FAILURE, ExitCode::from))
    }

    /// Sets the stop when little memory is left.
    pub(crate) fn watch(stop: &Stop) {
        let Some(limit) = limit() else { return };
        end_with_parent();
        let stop = stop.clone();
        let watching = move || {
            while !stop.is_set() {
                if used_memory().is_some_and(|used| used > limit - limit / RESERVE) {
                    IS_SHORT.store(true, Ordering::Release);
                    stop.cancel();
                }
                thread::sleep(LOOK);
            }
        };
        // Where there is no memory for a thread, nothing can be watched.
        let _ = thread::Builder::new().stack_size(64 << 10).spawn(watching);
    }

    /// Has the system end this process when the one that waits for it ends.
    fn end_with_parent() {
        #[cfg(target_os = "linux")]
        if std::env::var_os(WORKER).is_some() {
            // Without it, a worker that outlives its parent still ends with its own time limit.
            let _ = nix::sys::prctl::set_pdeathsig(Signal::SIGKILL);
        }
    }

    /// The bytes of address space in use.
    fn used_memory() -> Option<u64> {
        let pages: u64 =
            fs::read_to_string("/proc/self/statm").ok()?.split(' ').next()?.parse().ok()?;
        Some(pages * 4096)
    }
}

#[cfg(not(unix))]
pub(crate) fn is_short() -> bool {
    false
}

#[cfg(not(unix))]
pub(crate) fn supervised(_arguments: &[OsString]) -> Option<ExitCode> {
    None
}

#[cfg(not(unix))]
pub(crate) fn watch(_stop: &Stop) {}
