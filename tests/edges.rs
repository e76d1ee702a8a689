//! Edge cases of the program: nothing to prove, nowhere to write, numbers beyond reason, a
//! terminal.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use tempfile::TempDir;

const LOCK: &str = "sort node\nrelation holds(node)\nrelation free\ninit ~holds(N)\ninit free\n\
    action take(n: node) { require free; free := false; holds(n) := true }\n\
    safety [one] holds(N1) & holds(N2) -> N1 = N2\n";

/// A folder with a protocol, one without a property, and one with a lemma only.
fn workplace() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("room");
    let open = LOCK.split("safety").next().unwrap_or_default();
    write("lock.rml", LOCK);
    write("open.rml", open);
    write("lemma.rml", &LOCK.replace("safety", "lemma"));
    write("open.cut", "certificate 1\nprotocol open\n");
    write("lemma.cut", "certificate 1\nprotocol lemma\n");
    folder
}

fn rmlcut(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    command.current_dir(folder).args(arguments).output().expect("the program starts")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes text")
}

#[test]
fn without_safety_no_command_has_a_verdict() {
    let folder = workplace();
    for protocol in ["open.rml", "lemma.rml"] {
        for command in [&["synth"][..], &["check"], &["explore"], &["bench"], &["show", "literal"]]
        {
            let output = rmlcut(folder.path(), &[command, &[protocol]].concat());
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(64), "{command:?} {protocol}: {said}");
            assert!(said.contains("there is no `safety` line"), "{command:?} {protocol}: {said}");
        }
        // What is not about proofs says so and goes on.
        for command in [&["show", "protocol"][..], &["show", "lint"], &["export", "--to", "ivy"]] {
            let output = rmlcut(folder.path(), &[command, &[protocol]].concat());
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(0), "{command:?} {protocol}: {said}");
            assert!(said.contains("warning[RML0606]"), "{command:?} {protocol}: {said}");
        }
    }
    let asked: [&[&str]; 2] =
        [&["explore", "open.rml", "--deadlock"], &["explore", "lemma.rml", "--property", "one"]];
    for arguments in asked {
        let output = rmlcut(folder.path(), arguments);
        assert!(text(&output.stdout).contains(" at node="), "{arguments:?}: {output:?}");
        assert_ne!(output.status.code(), Some(64), "{arguments:?}");
    }
}

#[test]
fn a_folder_without_protocols_is_nothing_to_measure() {
    let folder = workplace();
    fs::create_dir(folder.path().join("empty")).expect("room");
    fs::write(folder.path().join("empty/notes.txt"), "none").expect("room");
    let output = rmlcut(folder.path(), &["bench", "empty"]);
    assert_eq!(output.status.code(), Some(64));
    assert!(text(&output.stderr).contains("empty: there is no protocol (.rml)"), "{output:?}");
    assert_eq!(text(&output.stdout), "");
    // Said before anything is proved.
    let output = rmlcut(folder.path(), &["bench", "lock.rml", "nowhere.rml"]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(3), ""));
    assert!(text(&output.stderr).contains("nowhere.rml"), "{output:?}");
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_the_search() {
    let folder = workplace();
    let refusals = [
        ("missing/lock.cut", 3, "cannot write missing/lock.cut"),
        (".", 3, "cannot write .: "),
        ("new/", 3, "cannot write new/"),
        ("lock.rml/lock.cut", 3, "cannot write lock.rml/lock.cut"),
        ("./lock.rml", 64, "would replace the protocol"),
    ];
    for (place, code, words) in refusals {
        let output = rmlcut(folder.path(), &["synth", "lock.rml", "-o", place]);
        assert_eq!(output.status.code(), Some(code), "{place}: {output:?}");
        assert!(text(&output.stderr).contains(words), "{place}: {output:?}");
        assert_eq!(text(&output.stdout), "", "{place}: nothing was searched for");
    }
    assert_eq!(fs::read_to_string(folder.path().join("lock.rml")).expect("the protocol"), LOCK);
    let output = rmlcut(folder.path(), &["synth", "lock.rml", "-o", "lock.cut"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let names = fs::read_dir(folder.path()).expect("our folder").count();
    assert_eq!(names, 6, "the certificate, and nothing that was tried");
    let arguments = ["check", "lock.rml", "--smt2", "lock.rml/evidence"];
    let output = rmlcut(folder.path(), &arguments);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(3), ""), "{output:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_certificate_that_cannot_be_written_is_printed() {
    let folder = workplace();
    for format in ["text", "json"] {
        let arguments = ["synth", "lock.rml", "-o", "/dev/full", "--format", format];
        let output = rmlcut(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let printed = text(&output.stdout);
        assert!(printed.contains("certificate 1 for lock"), "the certificate: {printed}");
        assert!(!printed.contains("is in /dev/full"), "{printed}");
        assert!(text(&output.stderr).contains("cannot write /dev/full"), "{output:?}");
    }
}

#[test]
fn numbers_beyond_reason_are_refused_with_their_limit() {
    let folder = workplace();
    let refusals: [(&[&str], &str); 10] = [
        (&["explore", "lock.rml", "--threads", "257"], "1..=256"),
        (&["explore", "lock.rml", "--threads", "0"], "1..=256"),
        (&["synth", "lock.rml", "--jobs", "99999999"], "1..=256"),
        (&["bench", "lock.rml", "--jobs", "0"], "1..=256"),
        (&["synth", "lock.rml", "--residual", "101"], "1..=100"),
        (&["check", "lock.rml", "--residual", "0"], "1..=100"),
        (&["explore", "lock.rml", "--size", "node=1001"], "between 1 and 1000 elements"),
        (&["explore", "lock.rml", "--size", "node=99999999999999999999"], "between 1 and 1000"),
        (&["export", "--to", "tla", "lock.rml", "--size", "node=4000000000"], "between 1 and 1000"),
        (&["export", "--to", "tla", "lock.rml", "--size", "node=0"], "between 1 and 1000"),
    ];
    for (arguments, limit) in refusals {
        let output = rmlcut(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(64), "{arguments:?}: {output:?}");
        assert!(text(&output.stderr).contains(limit), "{arguments:?}: {output:?}");
    }
    let output = rmlcut(folder.path(), &["explore", "lock.rml", "--threads", "256"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// Runs the program on a terminal of its own; `None` where there is no tool for that.
#[cfg(target_os = "linux")]
fn on_a_terminal(folder: &Path, command: &str, no_colour: &str) -> Option<String> {
    let mut script = Command::new("script");
    script.current_dir(folder).env("NO_COLOR", no_colour);
    let output = script.args(["-qec", command, "/dev/null"]).output().ok()?;
    Some(text(&output.stdout).to_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn marks_are_coloured_on_a_terminal_only() {
    let folder = workplace();
    let found = rmlcut(folder.path(), &["synth", "lock.rml", "-o", "lock.cut"]);
    assert_eq!(found.status.code(), Some(0), "{found:?}");
    let piped = rmlcut(folder.path(), &["check", "lock.rml"]);
    let report = text(&piped.stdout);
    assert!(report.contains('✓') && !report.contains('\x1b'), "{report}");
    let command = format!("{} check lock.rml", env!("CARGO_BIN_EXE_rmlcut"));
    if let Some(shown) = on_a_terminal(folder.path(), &command, "") {
        assert!(shown.contains("\x1b[32m✓\x1b[0m"), "{shown}");
        let plain = on_a_terminal(folder.path(), &command, "1").unwrap_or_default();
        assert!(plain.contains('✓') && !plain.contains('\x1b'), "{plain}");
        let command = format!("{command} --format json");
        let json = on_a_terminal(folder.path(), &command, "").unwrap_or_default();
        assert!(!json.contains('\x1b'), "{json}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_run_shows_its_phase_on_a_terminal_only() {
    let folder = workplace();
    let protocol = "protocols/leader-election/ring_consuming.rml";
    let protocol = Path::new(env!("CARGO_MANIFEST_DIR")).join(protocol).display().to_string();
    let arguments = ["synth", &protocol, "--timeout", "3"];
    let piped = rmlcut(folder.path(), &arguments);
    assert!(!text(&piped.stderr).contains("cutoff search"), "{piped:?}");
    let command = format!("{} {}", env!("CARGO_BIN_EXE_rmlcut"), arguments.join(" "));
    if let Some(shown) = on_a_terminal(folder.path(), &command, "") {
        assert!(shown.contains("ring_consuming: 0 of 3 s, solver "), "{shown}");
        assert!(shown.contains("cutoff search"), "{shown}");
        let clock = |second: u32| shown.contains(&format!(": {second} of 3 s"));
        assert!(!(4..100).any(clock), "a clock past its limit: {shown}");
    }
}

#[test]
fn the_names_of_the_paper_are_explained() {
    let folder = workplace();
    for command in ["synth", "check"] {
        let help = rmlcut(folder.path(), &[command, "--help"]);
        for line in ["  L, C   the protocol", "  S, A   the parts", "  gamma  the", "  tau    the"]
        {
            assert!(text(&help.stdout).contains(line), "{command}: {line}");
        }
    }
    let found = rmlcut(folder.path(), &["synth", "lock.rml"]);
    for line in ["  S     the parts of the state", "  A     the", "  gamma what", "  tau   what"] {
        assert!(text(&found.stdout).contains(line), "{line}: {found:?}");
    }
}
