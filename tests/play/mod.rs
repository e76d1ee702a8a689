//! `rmlcut play` as people use it: through a pipe, in a terminal, and in a browser.

mod browser;
mod http;
mod terminal;

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// The lock of the README with its bug.
const LOCK: &str = "sort node\nrelation holds(node)\nrelation free\ninit ~holds(N)\ninit free\n\
    action take(n: node) {\n  require free\n  holds(n) := true\n}\n\
    action give(n: node) {\n  require holds(n)\n  holds(n) := false\n  free := true\n}\n\
    safety [one_holder] holds(N1) & holds(N2) -> N1 = N2\n";

/// A folder with the lock in it.
struct Workplace {
    folder: tempfile::TempDir,
}

impl Workplace {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("lock.rml"), LOCK).expect("a file");
        Workplace { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    fn rmlcut(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program runs")
    }

    /// Plays with these lines of input.
    fn play(&self, arguments: &[&str], lines: &str) -> Output {
        let all = [&["play", "lock.rml"], arguments].concat();
        let mut command = self.command(&all);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        let input = child.stdin.take().expect("a pipe");
        // The program may have ended before it has read everything.
        let _ = { input }.write_all(lines.as_bytes());
        child.wait_with_output().expect("the program ends")
    }

    /// A server, and its address.
    fn serve(&self, arguments: &[&str]) -> (Server, String) {
        let all = [&["play", "lock.rml", "--serve"], arguments].concat();
        let mut command = self.command(&all);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the program runs");
        let mut line = String::new();
        let output = child.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("an address");
        (Server(child), line.trim().to_owned())
    }
}

/// A server, ended with the test.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn text(output: &[u8]) -> String {
    String::from_utf8(output.to_vec()).expect("text")
}

#[test]
fn steps_are_taken_by_number_and_by_name() {
    let run = Workplace::new().play(&["--size", "node=2"], "1\ntake(node1)\nback 2\nquit\n1\n");
    assert!(run.status.success(), "{run:?}");
    let output = text(&run.stdout);
    assert!(output.starts_with("initial state\n"), "{output}");
    assert!(output.contains("  2  take(node1)   + holds(node1)\n"), "{output}");
    assert!(output.contains("not possible: give (why ACTION says why)\n"), "{output}");
    assert!(output.contains("after 2 steps: take(node1)\n"), "{output}");
    assert!(output.contains("fails: [one_holder]"), "{output}");
    assert!(output.contains("undid 2 steps\ninitial state\n"), "{output}");
    assert_eq!(output.matches("after 1 step: ").count(), 1, "nothing follows quit: {output}");
    assert_eq!(text(&run.stderr), "");
}

#[test]
fn an_action_that_is_not_possible_is_explained_with_values() {
    let run = Workplace::new().play(&[], "why give(node1)\nwhy give\ngive node0\nwhy take\n");
    let output = text(&run.stdout);
    let expected = "give(node1) is not possible: `require holds(n)` fails (lock.rml:11:3)\n      holds(node1) is false\n";
    assert!(output.contains(expected), "{output}");
    assert!(output.contains("it fails for 1 other invocation as well"), "{output}");
    assert!(output.contains("give(node0) is not possible"), "{output}");
    assert!(output.ends_with("take is possible\n"), "{output}");
}

#[test]
fn a_run_is_saved_replayed_and_loaded() {
    let work = Workplace::new();
    let run = work.play(&["--size", "node=2"], "random 7\nsave run.itf.json\nrun\n");
    let output = text(&run.stdout);
    assert!(output.contains("took 7 random steps"), "{output}");
    assert!(output.contains("the run is in run.itf.json"), "{output}");
    let replayed = work.rmlcut(&["replay", "lock.rml", "run.itf.json"]);
    assert!(text(&replayed.stdout).starts_with("a run "), "{replayed:?}");
    let again = work.play(&["--load", "run.itf.json"], "back 100\n");
    assert!(text(&again.stdout).contains("undid 7 steps"), "{again:?}");
    let other = work.play(&["--size", "node=2"], "load run.itf.json\nback 2\n");
    assert!(text(&other.stdout).contains("after 5 steps"), "{other:?}");
    // The same seed takes the same steps.
    let seeded = |seed| work.play(&["--seed", seed], "random 7\n").stdout;
    assert_eq!(seeded("5"), seeded("5"));
}

#[test]
fn a_violation_found_by_the_search_is_played_on() {
    let work = Workplace::new();
    let found = work.rmlcut(&["explore", "lock.rml", "--format", "itf"]);
    std::fs::write(work.path("trace.itf.json"), &found.stdout).expect("a file");
    let run = work.play(&["--load", "trace.itf.json"], "");
    let output = text(&run.stdout);
    assert!(output.starts_with("after 2 steps: take(node1)\n"), "{output}");
    assert!(output.contains("fails: [one_holder]"), "{output}");
}

#[test]
fn that_nothing_qualifies_is_said_below_a_violated_exists() {
    let work = Workplace::new();
    let some = LOCK.replace("holds(N1) & holds(N2) -> N1 = N2", "free & (exists N. holds(N))");
    std::fs::write(work.path("lock.rml"), some).expect("a file");
    let output = work.play(&["--size", "node=1"], "quit\n");
    let shown = text(&output.stdout);
    let sentence =
        "no N: node satisfies `holds(N)`; nearest: N = node0, where `holds(node0)` fails";
    assert!(shown.contains(sentence), "{shown}");
}

#[test]
fn what_is_no_command_is_one_line_and_the_game_goes_on() {
    let lines = "dance\n99\nback much\ntake(nobody)\ntake a b\nwhy\nsave\nload nothing.json\n\
        load lock.rml\nsave /nowhere/run.json\nrestart 5\n1\n";
    let run = Workplace::new().play(&[], lines);
    let complaints = text(&run.stderr);
    assert!(
        complaints.lines().filter(|line| line.starts_with("error")).count() >= 11,
        "{complaints}"
    );
    assert!(text(&run.stdout).contains("after 1 step: take(node0)"), "{run:?}");
    assert!(run.status.success());
    for arguments in [["--size", "thing=2"], ["--load", "lock.rml"]] {
        let run = Workplace::new().play(&arguments, "");
        assert_eq!(run.status.code(), Some(64), "{run:?}");
    }
}

#[test]
fn each_answer_is_one_line_of_json() {
    let run = Workplace::new().play(&["--format", "json"], "1\nwhy give(node1)\ndance\n");
    let lines: Vec<serde_json::Value> = text(&run.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a document"))
        .collect();
    assert_eq!(lines.len(), 4);
    assert_eq!(lines[1]["taken"], "take(node0)");
    assert_eq!(lines[1]["state"], serde_json::json!(["holds(node0)", "free"]));
    assert_eq!(lines[0]["not_possible"], serde_json::json!(["give"]));
    assert!(lines[3]["message"].as_str().expect("a text").contains("`dance`"));
}

#[test]
fn processes_are_played_in_their_own_words() {
    let work = Workplace::new();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/protocols/agreement/lock_service.mer");
    std::fs::copy(path, work.path("lock.mer")).expect("a copy");
    let mut command = work.command(&["play", "lock.mer", "--size", "process=2"]);
    let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.expect("the program runs");
    let input = child.stdin.take().expect("a pipe");
    { input }.write_all(b"elect(process1)\n").expect("it reads");
    let shown = text(&child.wait_with_output().expect("it ends").stdout);
    for line in [
        "  process0 at Candidate\n  process1 at Candidate\n",
        "  1  elect(process0)   process0: Candidate → Leader, process1: Candidate → Replica\n",
        "after 1 step: elect(process1)\n  process0 at Replica\n  process1 at Leader\n",
    ] {
        assert!(shown.contains(line), "{line}: {shown}");
    }
}

#[test]
fn a_closed_pipe_ends_the_game_in_silence() {
    let work = Workplace::new();
    let mut command = work.command(&["play", "lock.rml"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    drop(child.stdout.take());
    let input = child.stdin.take().expect("a pipe");
    // The program may have ended before it has read everything.
    let _ = { input }.write_all("random 3\n".repeat(1000).as_bytes());
    let run = child.wait_with_output().expect("it ends");
    assert_eq!((text(&run.stderr).as_str(), run.status.code()), ("", Some(0)));
}
