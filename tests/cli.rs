//! Promises of the program as a whole: its exit codes, and where its words go.

use std::io::Read;
use std::process::{Command, Output, Stdio};

fn rmlcut(arguments: &[&str]) -> Output {
    program().args(arguments).output().expect("the program starts")
}

/// The program, started elsewhere and without help in finding its libraries.
fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    command.current_dir(std::env::temp_dir()).env_remove("LD_LIBRARY_PATH");
    command
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes text")
}

#[test]
fn the_version_names_the_solver() {
    let output = rmlcut(&["--version"]);
    let expected = format!("rmlcut {} (Z3 5.3.2.0)\n", env!("CARGO_PKG_VERSION"));
    assert_eq!((text(&output.stdout), output.status.code()), (expected.as_str(), Some(0)));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn help_is_an_answer_and_wrong_usage_an_error() {
    let help = rmlcut(&["--help"]);
    assert!(text(&help.stdout).contains("Usage: rmlcut") && help.stderr.is_empty());
    assert_eq!(help.status.code(), Some(0));
    for wrong in [&["frobnicate"][..], &["--frobnicate"], &["completions"], &[]] {
        let output = rmlcut(wrong);
        assert_eq!(output.status.code(), Some(64), "{wrong:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{wrong:?}");
    }
}

#[test]
fn every_command_teaches_by_example() {
    let help = rmlcut(&["--help"]);
    let (_, commands) = text(&help.stdout).split_once("Commands:\n").expect("there are commands");
    let (commands, _) = commands.split_once("\n\n").expect("the list ends");
    let names = commands.lines().filter_map(|line| line.split_whitespace().next());
    let names: Vec<&str> = names.filter(|name| *name != "help").collect();
    assert!(names.len() > 3, "{commands}");
    for name in names {
        let help = rmlcut(&["help", name]);
        assert!(text(&help.stdout).contains("Example"), "`rmlcut help {name}` has no example");
        assert!(text(&help.stdout).contains(&format!("  rmlcut {name} ")), "{name}");
    }
}

#[test]
fn reading_takes_time_in_proportion() {
    let output = rmlcut(&["bench", "--stage", "protocol", "--repeat", "1", "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // Ten times the input: 10 if linear, 100 if quadratic; machines are busy at times.
    let ratio = value["ratio"].as_f64().expect("a number");
    assert!(ratio < 40.0, "{value}");
    assert_eq!(rmlcut(&["bench", "--stage", "frobnicate"]).status.code(), Some(64));
}

#[test]
fn completions_are_for_known_shells() {
    let known = rmlcut(&["completions", "bash"]);
    assert_eq!(known.status.code(), Some(0));
    assert!(text(&known.stdout).contains("complete -F _rmlcut"));
    let unknown = rmlcut(&["completions", "abacus"]);
    assert_eq!(unknown.status.code(), Some(64));
    assert!(text(&unknown.stderr).contains("abacus"));
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let mut child = program()
        .args(["completions", "zsh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut remarks = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut remarks).expect("text");
    assert_eq!(remarks, "");
    assert_eq!(child.wait().expect("the program ends").code(), Some(0));
}

/// A folder of its own for one test, removed at the end.
struct Folder(std::path::PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("rmlcut-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }

    /// A file in the folder with this text.
    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file can be written");
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left over is in the system's folder for such things.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// At most one holder: two nodes show it.
const LOCK: &str = "\
sort node
relation holds(node)
relation free
init ~holds(N)
init free
action take(n: node) {
  require free
  free := false
  holds(n) := true
}
action give(n: node) {
  require holds(n)
  holds(n) := false
  free := true
}
safety [one_holder] holds(N1) & holds(N2) -> N1 = N2
";

/// At most one holder, but messages in flight may be merged: the paper's algorithm fails.
const PASSING: &str = "\
sort node
relation holds(node)
relation sent(node)
init holds(N1) & holds(N2) -> N1 = N2
init ~sent(N)
action send(n: node, m: node) {
  require holds(n)
  holds(n) := false
  sent(m) := true
}
action receive(n: node) {
  require sent(n)
  sent(n) := false
  holds(n) := true
}
safety [one_holder] holds(N1) & holds(N2) -> N1 = N2
";

/// No instance is looked at in no time, so there is nothing to say of it.
const OUT_OF_TIME: &[&str] = &["synth", "--timeout", "0"];

#[test]
fn what_is_proved_begins_with_the_verdict_and_checks_again() {
    let folder = Folder::new("proved");
    let protocol = folder.file("lock.rml", LOCK);
    let certificate = folder.0.join("lock.cut").display().to_string();
    let output = rmlcut(&["synth", &protocol, "-o", &certificate]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}{}", text(&output.stderr));
    assert!(said.starts_with("safe\n"), "{said}");
    for part in ["lemmas ", "obligations ", "time ", &certificate] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(text(&output.stderr), "");
    let written = std::fs::read_to_string(&certificate).expect("the certificate was written");
    assert!(written.starts_with("# Found by `rmlcut synth`: safe."), "{written}");
    let checked = rmlcut(&["check", &protocol, &certificate]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stdout));
}

#[test]
fn what_is_not_proved_can_be_continued_by_hand() {
    let folder = Folder::new("unproved");
    let protocol = folder.file("passing.rml", PASSING);
    let attempt = folder.0.join("passing.cut").display().to_string();
    let output = rmlcut(&[OUT_OF_TIME, &[&protocol, "-o", &attempt]].concat());
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.starts_with("unproved: no certificate was found\n"), "{said}");
    assert!(
        said.contains("what to try") && said.contains("explore PROTOCOL --size node=4"),
        "{said}"
    );
    let written = std::fs::read_to_string(&attempt).expect("the attempt was written");
    assert!(written.starts_with("# Not a proof"), "{written}");
    let checked = rmlcut(&["check", &protocol, &attempt]);
    assert_eq!(checked.status.code(), Some(2), "{}", text(&checked.stdout));
}

#[test]
fn a_lemma_that_is_false_is_shown() {
    let folder = Folder::new("lemma");
    let protocol = folder.file("lock.rml", &format!("{LOCK}lemma [wrong] free\n"));
    let output = rmlcut(&["synth", &protocol]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.starts_with("unproved: lemma [wrong] fails after 1 step at node=1\n"), "{said}");
    assert!(said.contains("take(node0)") && said.contains("correct it or take it out"), "{said}");
    let racy = format!("{}lemma [wrong] free\n", LOCK.replace("  require free\n", ""));
    let output = rmlcut(&["synth", &folder.file("racy.rml", &racy)]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stdout).starts_with("unsafe: [one_holder] fails after 2 steps"));
}

#[test]
fn the_baseline_claims_no_more_than_the_judge() {
    let folder = Folder::new("literal");
    let protocol = folder.file("lock.rml", LOCK);
    let output = rmlcut(&["synth", "--strategy", "literal", &protocol]);
    let said = text(&output.stdout);
    assert!(said.starts_with("safe\ncutoff       node=2: "), "{said}");
    let protocol = folder.file("passing.rml", PASSING);
    let output = rmlcut(&["synth", "--strategy", "literal", &protocol]);
    let said = text(&output.stdout);
    assert!(said.starts_with("unproved: ") && output.status.code() == Some(2), "{said}");
    let nodeless = folder.file("no.rml", "relation r\ninit ~r\nsafety [s] ~r\n");
    let output = rmlcut(&["synth", "--strategy", "literal", &nodeless]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("s mentions no node"));
}

#[test]
fn suspicions_are_reported_and_change_no_verdict() {
    let folder = Folder::new("suspicious");
    let odd = LOCK.replace("require holds(n)\n", "require holds(n) & ~holds(n)\n");
    let protocol = folder.file("odd.rml", &odd);
    let output = rmlcut(&["synth", &protocol, "--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("RML0703"), "{}", text(&output.stderr));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["diagnostics"][0]["code"], "RML0703", "{value}");
    // A search sees by itself which actions are idle.
    let output = rmlcut(&["explore", "--size", "node=2", &protocol]);
    assert_eq!((output.status.code(), text(&output.stderr)), (Some(0), ""));
    assert!(text(&output.stdout).contains("never possible at this size: give\n"));
    let fine = folder.file("fine.rml", LOCK);
    let output = rmlcut(&["explore", "--size", "node=2", &fine]);
    assert!(!text(&output.stdout).contains("never possible"), "{}", text(&output.stdout));
}

#[test]
fn a_certificate_alone_is_on_standard_output() {
    let folder = Folder::new("alone");
    folder.file("lock.rml", LOCK);
    let protocol = folder.0.join("lock.rml").display().to_string();
    let alone = rmlcut(&["synth", &protocol, "-o", "-"]);
    assert_eq!(alone.status.code(), Some(0), "{}", text(&alone.stderr));
    assert!(text(&alone.stderr).starts_with("safe\n"), "{}", text(&alone.stderr));
    assert!(!std::path::Path::new("-").exists());
    folder.file("lock.cut", text(&alone.stdout));
    let checked = rmlcut(&["check", &protocol]);
    assert_eq!(checked.status.code(), Some(0), "{}", text(&checked.stderr));
    let mixed = rmlcut(&["synth", &protocol, "-o", "-", "--format", "json"]);
    assert_eq!((mixed.status.code(), text(&mixed.stdout)), (Some(64), ""));
    assert!(text(&mixed.stderr).contains("leave `-o -` out"), "{}", text(&mixed.stderr));
}

#[test]
fn engines_are_measured_on_the_same_instances() {
    let folder = Folder::new("engines");
    folder.file("lock.rml", LOCK);
    let table = |states: &str| {
        let heads = "| file | size | reachable |\n|---|---|---|\n";
        folder.file("sizes.md", &format!("{heads}| [lock](lock.rml) | node=2 | {states} |\n"))
    };
    let bench = |more: &[&str]| {
        let path = folder.0.join("sizes.md").display().to_string();
        rmlcut(&[&["bench", "--stage", "engines", "--format", "json", &path], more].concat())
    };
    table("3");
    let output = bench(&[]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let runs = value["rows"][0]["runs"].as_array().expect("runs");
    let engines: Vec<_> = runs.iter().filter_map(|run| run["engine"].as_str()).collect();
    assert_eq!(engines, ["default", "symbolic", "explicit", "sat"]);
    assert!(runs.iter().all(|run| run["verdict"] == "safe"), "{value}");
    assert_eq!(runs[1]["states"], "3", "{value}");
    assert_eq!(output.status.code(), Some(0));
    table("7");
    assert_eq!(bench(&[]).status.code(), Some(1), "a wrong count is noticed");
    folder.file("sizes.md", "no table\n");
    assert_eq!(bench(&[]).status.code(), Some(64));
}

#[test]
fn a_summary_says_which_values_never_occur_together() {
    let folder = Folder::new("summary");
    folder.file("lock.rml", LOCK);
    let path = folder.0.join("lock.rml").display().to_string();
    let explore = |more: &[&str]| {
        let output = rmlcut(&[&["explore", &path, "--size", "node=3"], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        text(&output.stdout).to_owned()
    };
    let output = explore(&["--summary"]);
    let expected =
        ["  holds(Node1): false, true", "  holds(Node1) & holds(Node2)", "  holds(Node1) & free"];
    for line in expected {
        assert!(output.lines().any(|own| own == line), "{line} in {output}");
    }
    let json = explore(&["--summary", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let pair = serde_json::json!(["holds(Node1)", "holds(Node2)"]);
    let mut combinations = value["values"]["combinations"].as_array().expect("a list").iter();
    let both = combinations.find(|own| own["places"] == pair).expect("both are looked at");
    assert_eq!(both["never"], serde_json::json!([["true", "true"]]));
    assert_eq!(both["occurring"].as_array().map(Vec::len), Some(3));
    assert!(!explore(&[]).contains("never together"), "only where it is asked for");
}

#[test]
fn many_protocols_make_a_table() {
    let folder = Folder::new("bench");
    folder.file("lock.rml", LOCK);
    folder.file("racy.rml", &LOCK.replace("  require free\n", ""));
    folder.file("notes.txt", "no protocol\n");
    folder.file("wrong.rml", "relation r(knode)\n");
    let path = folder.0.display().to_string();
    let output = rmlcut(&["bench", &path, "--timeout", "20", "--format", "json"]);
    assert_eq!(output.status.code(), Some(64), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("wrong.rml:1:12"), "{}", text(&output.stderr));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = value["rows"].as_array().expect("rows");
    let verdict = |row: &serde_json::Value| row["verdict"].as_str().map(str::to_owned);
    let verdicts: Vec<_> = rows.iter().filter_map(verdict).collect();
    assert_eq!(verdicts[0], "safe");
    assert!(verdicts[1].starts_with("unsafe: [one_holder] fails"), "{verdicts:?}");
    assert_eq!((rows.len(), &*verdicts[2]), (3, "refused"));
    let argument = &rows[0]["argument"];
    assert_eq!(argument["cut_sorts"], serde_json::json!([{ "node": 2 }]), "{argument}");
    assert_eq!(rmlcut(&["bench"]).status.code(), Some(64));
    assert_eq!(rmlcut(&["bench", "nowhere.rml"]).status.code(), Some(3));
}

#[test]
fn only_a_comparison_takes_several_protocols() {
    let folder = Folder::new("several");
    let (one, two) = (folder.file("one.rml", LOCK), folder.file("two.rml", LOCK));
    let output = rmlcut(&["show", "literal", &one, &two]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).matches("one_holder").count() >= 2);
    assert_eq!(rmlcut(&["show", "protocol", &one, &two]).status.code(), Some(64));
    assert_eq!(rmlcut(&["show", "literal"]).status.code(), Some(64));
}

/// A protocol of the corpus whose invariant is found long before its cutoff.
const COHERENCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/protocols/coherence/msi.rml");

#[test]
fn a_skipped_proof_is_reported_with_the_options_that_wait() {
    let output = rmlcut(&["synth", "--timeout", "600", COHERENCE]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(said.starts_with("safe\ninductive "), "the verdict is printed once: {said}");
    let options = "--prefer cutoff --patience 10";
    let line = format!("\nnot awaited  a cutoff: {options} waits for it\n");
    assert!(said.contains("\nby cutoff    not waited for, ") && said.contains(&line), "{said}");
    let output = rmlcut(&["synth", "--timeout", "600", COHERENCE, "--format", "json"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(value["not_waited_for"]["kind"], "cutoff", "{value}");
    assert_eq!(value["not_waited_for"]["options"], options);
    let wrong = rmlcut(&["synth", COHERENCE, "--patience", "0"]);
    assert_eq!(wrong.status.code(), Some(64), "{}", text(&wrong.stdout));
}

#[test]
fn the_answer_is_measured_beside_each_kind_alone() {
    let folder = Folder::new("answers");
    folder.file("lock.rml", LOCK);
    folder.file("racy.rml", &LOCK.replace("  require free\n", ""));
    let path = folder.0.display().to_string();
    let stage = ["bench", "--stage", "answer", "--repeat", "1", &path];
    let output = rmlcut(&[&stage[..], &["--format", "json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let rows = value["rows"].as_array().expect("rows");
    assert_eq!((rows.len(), &rows[0]["verdict"]), (2, &"safe".into()), "{value}");
    assert!(rows[0]["ratio"].as_f64().is_some_and(|ratio| ratio > 0.0), "{value}");
    assert!(rows[1]["ratio"].is_null() && rows[1]["answer"].is_null(), "{value}");
    assert_eq!(value["median_ratio"], rows[0]["ratio"]);
    let said = rmlcut(&stage);
    assert!(text(&said.stdout).contains("1 of 2 proved\ntime to the verdict over that of"));
    assert_eq!(rmlcut(&["bench", "--stage", "answer", "nowhere"]).status.code(), Some(3));
}

/// Whether the solver decides the obligations, with a certificate and without one.
#[test]
fn the_fragment_is_shown() {
    let below = |path: &str| format!("{}/protocols/{path}", env!("CARGO_MANIFEST_DIR"));
    let paxos = below("consensus/single_decree_paxos");
    let (protocol, certificate) = (format!("{paxos}.rml"), format!("{paxos}.cut"));
    let shown = |arguments: &[&str]| {
        let output = rmlcut(&[&["show", "fragment"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        String::from_utf8(output.stdout).expect("it is text")
    };
    assert!(shown(&[&protocol, &certificate]).starts_with("not stratified: "));
    let json = shown(&[&protocol, &certificate, "--format", "json"]);
    assert!(json.contains("\"stratified\": false"), "{json}");
    let alone = shown(&[&below("services/request_response.rml")]);
    assert!(alone.starts_with("stratified: "), "{alone}");
    assert!(alone.contains("client -> request: asked_for"), "{alone}");
    // An enumeration has no further elements: nothing alternates with it.
    let enumerated = shown(&[&below("coherence/mesi.rml")]);
    assert!(enumerated.starts_with("stratified: "), "{enumerated}");
    assert!(!enumerated.contains("cache_state"), "{enumerated}");
    assert_eq!(rmlcut(&["show", "fragment", "a", "b", "c"]).status.code(), Some(3));
}
