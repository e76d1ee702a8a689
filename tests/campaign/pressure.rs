//! Environment failures: full disks, kills, unwritable places, two runs at once, solvers that hang
//! or die. The old file survives, the exit code tells what happened, and `safe` is never reported.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use tempfile::TempDir;

const LOCK: &str = "sort node
relation free
relation held(node)
init free & ~held(N)
action take(n: node) {
  require free
  free := false
  held(n) := true
}
action give(n: node) {
  require held(n)
  free := true
  held(n) := false
}
safety [one] held(N) & held(M) -> N = M
";

const OLD: &str = "# what was here before\n";

/// A folder with a protocol, and a certificate of old.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("there is room");
        fs::write(folder.path().join("lock.rml"), LOCK).expect("there is room");
        fs::write(folder.path().join("lock.cut"), OLD).expect("there is room");
        Desk { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        command.current_dir(self.folder.path()).args(arguments);
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program starts")
    }

    /// Runs the program from a shell that runs a command first.
    fn under(&self, words: &str, arguments: &str) -> Output {
        let program = env!("CARGO_BIN_EXE_rmlcut");
        let mut shell = Command::new("sh");
        shell.current_dir(self.folder.path()).arg("-c");
        shell.arg(format!("{words}; exec '{program}' {arguments}")).output().expect("a shell")
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.folder.path()).expect("the folder is readable");
        let names = entries.map(|entry| entry.expect("readable").file_name());
        let mut names: Vec<String> =
            names.map(|name| name.to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    fn certificate(&self) -> String {
        fs::read_to_string(self.path("lock.cut")).expect("the file is there")
    }
}

fn remarks(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const SYNTH: &[&str] = &["synth", "--timeout", "20", "-o", "lock.cut", "lock.rml"];

#[test]
fn a_certificate_replaces_the_old_one_and_is_accepted() {
    let desk = Desk::new();
    assert_eq!(desk.run(SYNTH).status.code(), Some(0));
    assert_eq!(desk.run(&["check", "lock.rml"]).status.code(), Some(0));
    assert_eq!(desk.names(), ["lock.cut", "lock.rml"]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported_and_keeps_the_old_file() {
    let desk = Desk::new();
    // No file may grow beyond nothing: the system's own way to say that there is no room. The
    // limit also holds for memory that the solver's library would be unpacked into.
    let library = option_env!("RMLCUT_Z3_BUILT").unwrap_or_default();
    let setting = format!("export RMLCUT_Z3_LIBRARY='{library}'; trap '' XFSZ; ulimit -f 0");
    let output = desk.under(&setting, "synth -o lock.cut lock.rml");
    assert_eq!(output.status.code(), Some(3), "{}", remarks(&output));
    assert!(remarks(&output).contains("cannot write lock.cut"), "{}", remarks(&output));
    assert_eq!(desk.certificate(), OLD);
    assert_eq!(desk.names(), ["lock.cut", "lock.rml"], "no draft is left");
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_is_written_to_and_never_replaced() {
    use std::os::unix::fs::FileTypeExt as _;
    let desk = Desk::new();
    let output = desk.run(&["synth", "-o", "/dev/full", "lock.rml"]);
    assert_eq!(output.status.code(), Some(3), "{}", remarks(&output));
    assert!(remarks(&output).contains("No space left"), "{}", remarks(&output));
    let is_device =
        |path: &str| fs::metadata(path).is_ok_and(|found| found.file_type().is_char_device());
    assert!(is_device("/dev/full"));
    assert_eq!(desk.run(&["synth", "-o", "/dev/null", "lock.rml"]).status.code(), Some(0));
    assert!(is_device("/dev/null"));
}

#[cfg(target_os = "linux")]
#[test]
fn places_that_cannot_be_written_are_named() {
    let desk = Desk::new();
    fs::create_dir(desk.path("folder")).expect("there is room");
    for place in ["/proc/lock.cut", "nowhere/lock.cut", "folder"] {
        let output = desk.run(&["synth", "-o", place, "lock.rml"]);
        assert_eq!(output.status.code(), Some(3), "{place}: {}", remarks(&output));
        assert!(remarks(&output).contains(&format!("cannot write {place}")), "{place}");
    }
    assert_eq!(desk.names(), ["folder", "lock.cut", "lock.rml"]);
}

#[test]
fn a_killed_run_leaves_the_old_file_or_the_new_one() {
    let desk = Desk::new();
    assert_eq!(desk.run(SYNTH).status.code(), Some(0));
    let whole = desk.certificate();
    for wait in [0, 5, 20, 60, 150, 400, 1_000] {
        fs::write(desk.path("lock.cut"), OLD).expect("there is room");
        let mut run = desk.command(SYNTH).stdout(Stdio::null()).spawn().expect("it starts");
        std::thread::sleep(Duration::from_millis(wait));
        run.kill().expect("it may have ended already");
        run.wait().expect("it ends");
        let found = desk.certificate();
        // On a busy machine another proof may be found first.
        let is_whole = || desk.run(&["check", "lock.rml"]).status.code() == Some(0);
        assert!(found == OLD || found == whole || is_whole(), "after {wait} ms:\n{found}");
    }
}

#[test]
fn two_runs_on_one_file_leave_a_complete_certificate() {
    let desk = Desk::new();
    let runs: Vec<_> = (0..2)
        .map(|_| desk.command(SYNTH).stdout(Stdio::null()).spawn().expect("it starts"))
        .collect();
    for mut run in runs {
        assert_eq!(run.wait().expect("it ends").code(), Some(0));
    }
    assert_eq!(desk.run(&["check", "lock.rml"]).status.code(), Some(0));
    assert_eq!(desk.names(), ["lock.cut", "lock.rml"]);
}

#[cfg(unix)]
#[test]
fn solvers_that_hang_die_or_are_old_prove_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::new();
    assert_eq!(desk.run(SYNTH).status.code(), Some(0));
    let fake = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/smt/fake-cvc5");
    for (behaviour, code) in [("hangs", 2), ("crashes", 3), ("ancient", 3), ("undecided", 2)] {
        let solver = desk.path(behaviour);
        fs::copy(&fake, &solver).expect("there is room");
        fs::set_permissions(&solver, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let named = format!("./{behaviour}");
        let time = if behaviour == "hangs" { "1" } else { "20" };
        let output = desk.run(&[
            "check",
            "lock.rml",
            "--solver",
            "both",
            "--cvc5",
            &named,
            "--timeout",
            time,
            "--only",
            "cover",
        ]);
        let said = remarks(&output) + &String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(code), "{behaviour}: {said}");
        assert!(!said.starts_with("safe"), "{behaviour}: {said}");
    }
    let output = desk.run(&["check", "lock.rml", "--solver", "both", "--cvc5", "./none"]);
    assert_eq!(output.status.code(), Some(3), "{}", remarks(&output));
}

#[test]
fn a_memory_limit_is_an_answer_and_never_safe() {
    let desk = Desk::new();
    let bits: String = (0..24).map(|bit| format!("relation b{bit}\ninit ~b{bit}\n")).collect();
    let flips: String =
        (0..24).map(|bit| format!("action f{bit} {{ b{bit} := ~b{bit} }}\n")).collect();
    let all: Vec<String> = (0..24).map(|bit| format!("~b{bit}")).collect();
    let text = format!("sort node\n{bits}{flips}safety {} | true\n", all.join(" | "));
    fs::write(desk.path("many.rml"), text).expect("there is room");
    let options = ["explore", "many.rml", "--max-memory", "1", "--engine", "explicit"];
    let output = desk.run(&options);
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &remarks(&output);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("--max-memory"), "{said}");
}

#[test]
fn a_certificate_of_another_version_is_refused_with_a_message() {
    let desk = Desk::new();
    assert_eq!(desk.run(SYNTH).status.code(), Some(0));
    let future = desk.certificate().replace("certificate 1 for", "certificate 2 for");
    fs::write(desk.path("lock.cut"), &future).expect("there is room");
    let output = desk.run(&["check", "lock.rml"]);
    assert_eq!(output.status.code(), Some(64), "{}", remarks(&output));
    assert_eq!(desk.certificate(), future, "it is left alone");
}
