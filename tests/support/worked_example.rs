//! Examples in documents, followed as a reader would: files are saved, commands are run, and what
//! they write must be what the document shows.
//!
//! The first word of a fenced block says what to do with it: `rml FILE` saves a file, `diff FILE`
//! edits one, `cut FILE` shows parts of one, `console` has commands after `$ ` and their output, and
//! `text --watch` is what a command with `--watch` writes after an edit. A line `…` stands for any
//! lines; `> ` in a session of the player is what the reader types.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The longest time until a watched file is noticed and checked, on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The fenced blocks of a text, each with what follows its fence.
pub(crate) fn blocks(text: &str) -> Vec<(&str, &str)> {
    let fenced = text.split("```").skip(1).step_by(2);
    fenced.filter_map(|block| block.split_once('\n')).collect()
}

/// A text after a patch without line numbers.
fn patched(text: &str, patch: &str) -> String {
    let lines = |dropped: char| -> String {
        let kept = patch.lines().filter(|line| !line.starts_with(dropped));
        kept.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect()
    };
    let (before, after) = (lines('+'), lines('-'));
    assert_eq!(text.matches(&before).count(), 1, "the patch applies once:\n{patch}");
    text.replace(&before, &after)
}

/// Whether an output is the one that is shown, in which a line `…` stands for any lines.
fn is_shown(output: &str, shown: &str) -> bool {
    let mut parts = shown.split("…\n").peekable();
    let Some(mut rest) = parts.next().and_then(|first| output.strip_prefix(first)) else {
        return false;
    };
    while let Some(part) = parts.next() {
        // The last part is the end, wherever else it may occur.
        let is_end = parts.peek().is_none() && !part.is_empty();
        match if is_end { rest.rfind(part) } else { rest.find(part) } {
            Some(place) => rest = &rest[place + part.len()..],
            None => return false,
        }
    }
    rest.is_empty() || shown.ends_with("…\n")
}

/// A reader at work, in an empty folder.
pub(crate) struct WorkedExample {
    folder: TempDir,
    /// The file that blocks without a name are about.
    protocol: &'static str,
    /// The exit code of the last command.
    code: Option<i32>,
    watching: Option<Watching>,
}

/// A command that runs until Ctrl-C.
struct Watching {
    child: Child,
    output: PathBuf,
    /// How much of its output was compared.
    read: usize,
}

impl WorkedExample {
    pub(crate) fn new(protocol: &'static str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        WorkedExample { folder, protocol, code: None, watching: None }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("there is room");
        // As editors do it: a program that watches never sees half a file.
        let draft = path.with_extension("draft");
        fs::write(&draft, text).and_then(|()| fs::rename(draft, path)).expect("there is room");
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("written before")
    }

    /// Does what a document says; how many commands there were.
    pub(crate) fn follow(&mut self, document: &str) -> usize {
        let mut commands = 0;
        for (fence, text) in blocks(document) {
            let (kind, file) = fence.split_once(' ').unwrap_or((fence, self.protocol));
            match kind {
                "rml" => self.write(file, text),
                "diff" => self.write(file, &patched(&self.text(file), text)),
                "cut" => {
                    let shown = format!("…\n{text}…\n");
                    assert!(is_shown(&self.text(file), &shown), "{file} has not\n{text}");
                }
                "text" => self.watched(text),
                "console" => {
                    let sessions = format!("\n{text}");
                    for session in sessions.split("\n$ ").skip(1) {
                        let (command, shown) = session.split_once('\n').unwrap_or((session, ""));
                        // Only the last session of a block keeps the end of its last line.
                        let shown = match shown {
                            "" => String::new(),
                            shown => format!("{}\n", shown.trim_end_matches('\n')),
                        };
                        self.session(command, &shown);
                        commands += 1;
                    }
                }
                other => assert_eq!(other, "yaml", "a kind of block that is not followed"),
            }
        }
        self.stop_watching();
        commands
    }

    fn session(&mut self, command: &str, shown: &str) {
        self.stop_watching();
        if command == "echo $?" {
            let code = self.code.expect("a command before");
            assert_eq!(format!("{code}\n"), shown, "the exit code");
            return;
        }
        let command = command.strip_prefix("rmlcut ").expect("a command of ours");
        if command.ends_with("--watch") {
            self.watching = Some(self.watch(command));
            return self.watched(shown);
        }
        let typed = |line: &&str| line.starts_with("> ");
        let input: String =
            shown.lines().filter(typed).map(|line| format!("{}\n", &line[2..])).collect();
        let rest: String =
            shown.lines().filter(|line| !typed(line)).map(|line| format!("{line}\n")).collect();
        let (output, code) = self.run_with(command, &input);
        self.code = code;
        assert!(is_shown(&output, &rest), "{command}\n{output}\nis not\n{rest}");
    }

    /// What a command shows on a terminal, and its exit code.
    pub(crate) fn run(&self, command: &str) -> (String, Option<i32>) {
        self.run_with(command, "")
    }

    fn run_with(&self, command: &str, input: &str) -> (String, Option<i32>) {
        let (command, target) = match command.split_once(" > ") {
            Some((command, target)) => (command, Some(target)),
            None => (command, None),
        };
        let mut child = self
            .program(command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(input.as_bytes()).expect("it reads");
        drop(stdin);
        let run = child.wait_with_output().expect("it ends");
        let remarks = String::from_utf8(run.stderr).expect("text");
        let output = String::from_utf8(run.stdout).expect("text");
        let shown = match target {
            Some(target) => {
                self.write(target, &output);
                remarks
            }
            None => remarks + &output,
        };
        (shown, run.status.code())
    }

    fn program(&self, command: &str) -> Command {
        let mut program = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        program.args(command.split(' ')).current_dir(self.folder.path());
        program
    }

    fn watch(&self, command: &str) -> Watching {
        let output = self.path("watched.txt");
        let file = File::create(&output).expect("there is room");
        let mut program = self.program(command);
        let child = program.stdin(Stdio::null()).stdout(file).stderr(Stdio::null()).spawn();
        Watching { child: child.expect("it starts"), output, read: 0 }
    }

    /// Waits until the command that watches has written what is shown.
    fn watched(&mut self, shown: &str) {
        let watching = self.watching.as_mut().expect("a command that watches");
        let (start, mut before) = (Instant::now(), String::new());
        loop {
            let output = fs::read_to_string(&watching.output).expect("text");
            let new = &output[watching.read..];
            // Twice the same: it has finished writing.
            if is_shown(new, shown) && before == output {
                watching.read = output.len();
                return;
            }
            assert!(start.elapsed() < PATIENCE, "watching shows\n{new}\nnot\n{shown}");
            before = output;
            thread::sleep(Duration::from_millis(200));
        }
    }

    fn stop_watching(&mut self) {
        if let Some(mut watching) = self.watching.take() {
            // It may have ended by itself.
            let _ = watching.child.kill();
            let _ = watching.child.wait();
        }
    }
}

impl Drop for WorkedExample {
    fn drop(&mut self) {
        self.stop_watching();
    }
}

#[test]
fn another_output_is_noticed() {
    assert!(is_shown("a\nb\nc\n", "a\n…\nc\n"));
    assert!(is_shown("a\nb\n", "a\n…\n"));
    assert!(is_shown("a\nc\nb\nc\n", "a\n…\nc\n"));
    for (output, shown) in [("a\nb\n", "a\n"), ("a\nb\n", "b\n…\n"), ("a\nb\n", "a\n…\nc\n")] {
        assert!(!is_shown(output, shown), "{output:?} {shown:?}");
    }
    assert_eq!(patched("a\nb\n", " a\n+x\n b\n"), "a\nx\nb\n");
}
