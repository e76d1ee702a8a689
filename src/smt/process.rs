//! Runs a program with a text to read, and stops it when time is up or the work is cancelled.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use crate::budget::{Stop, Stopped};

const LOOK_EVERY: Duration = Duration::from_millis(5);

/// How long the output of a program that ended may take to arrive.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How a run ended.
pub(super) enum Ended {
    Finished(Finished),
    Stopped(Stopped),
}

/// What a program said before it ended by itself.
pub(super) struct Finished {
    pub(super) success: bool,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

/// Runs a program to its end, or until it has to stop.
pub(super) fn run(
    program: &OsStr,
    arguments: &[&str],
    input: &str,
    stop: &Stop,
) -> io::Result<Ended> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    write(child.stdin.take(), input.to_owned());
    let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
    Ok(match wait(&mut child, stop)? {
        Wait::Over(status) => Ended::Finished(Finished {
            success: status.success(),
            stdout: stdout.recv_timeout(LAST_WORDS).unwrap_or_default(),
            stderr: stderr.recv_timeout(LAST_WORDS).unwrap_or_default(),
        }),
        Wait::Stopped(why) => Ended::Stopped(why),
    })
}

/// Writes without waiting: a program may well speak before it has read everything.
fn write(stream: Option<impl Write + Send + 'static>, text: String) {
    thread::spawn(move || {
        // A program that stops reading gives the reason in its output.
        let _ = stream.map(|mut stream| stream.write_all(text.as_bytes()));
    });
}

/// Reads to the end, without waiting: a stopped program may leave children that hold the stream.
fn read(stream: Option<impl Read + Send + 'static>) -> Receiver<String> {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before a failure is worth reporting; whether anyone still listens is not.
        let _ = stream.map(|mut stream| stream.read_to_end(&mut bytes));
        let _ = sender.send(String::from_utf8_lossy(&bytes).into_owned());
    });
    receiver
}

enum Wait {
    Over(ExitStatus),
    Stopped(Stopped),
}

/// Waits for the end, and brings it about when it is time to stop.
fn wait(child: &mut Child, stop: &Stop) -> io::Result<Wait> {
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Wait::Over(status));
        }
        if let Some(why) = stop.why() {
            child.kill()?;
            child.wait()?;
            return Ok(Wait::Stopped(why));
        }
        thread::sleep(LOOK_EVERY);
    }
}
