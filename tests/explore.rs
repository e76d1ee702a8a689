//! `rmlcut explore` as users see it: verdicts, traces, formats, limits and exit codes.

use rmlcut::budget::{Budget, Stop};
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A protocol in a folder of its own.
struct Protocol {
    _folder: TempDir,
    file: PathBuf,
}

impl Protocol {
    fn new(text: &str) -> Self {
        let folder = TempDir::new().expect("there is room");
        let file = folder.path().join("test.rml");
        fs::write(&file, text).expect("there is room");
        Protocol { _folder: folder, file }
    }

    fn explore(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        command.arg("explore").arg(&self.file).args(arguments);
        command.output().expect("the program starts")
    }

    /// Standard output and the exit code; standard error has warnings at most.
    fn answer(&self, arguments: &[&str]) -> (String, Option<i32>) {
        let output = self.explore(arguments);
        assert!(!text(&output.stderr).contains("error"), "{arguments:?}: {}", text(&output.stderr));
        (text(&output.stdout).to_owned(), output.status.code())
    }

    /// The message of a refusal; nothing is on standard output.
    fn refusal(&self, arguments: &[&str]) -> String {
        let output = self.explore(arguments);
        assert_eq!(output.status.code(), Some(64), "{arguments:?}");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
        text(&output.stderr).trim_end().to_owned()
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes text")
}

const LOCK: &str = "
sort node
sort epoch
rigid relation le(epoch, epoch)
constant first: node
axiom le(X, Y) | le(Y, X)
axiom le(X, Y) & le(Y, X) -> X = Y
axiom le(X, Y) & le(Y, Z) -> le(X, Z)
relation holds(node)
relation free
function at(node): epoch
init holds(N) <-> N = first
init ~free
init le(at(N), E)
action release(n: node) { require holds(n); holds(n) := false; free := true }
action take(n: node, e: epoch) { require free & ~le(e, at(n)); holds(n) := true; at(n) := e }
action forget { free := false }
safety [one] holds(N) & holds(M) -> N = M
safety [held] free -> ~holds(N)
lemma [alone] free & holds(N) & holds(M) -> N = M
";

#[test]
fn a_violation_is_a_trace_of_changes() {
    let (output, code) = Protocol::new(LOCK).answer(&["--size", "node=2,epoch=2", "--no-shrink"]);
    let expected = "\
unsafe at node=2, epoch=2: [held] fails after 2 steps
explored: 1 instance, 5 states up to symmetry, 9 transitions, depth 2

instance:
   le(epoch0, epoch0)
   le(epoch0, epoch1)
   le(epoch1, epoch1)
   first = node0
initially:
   holds(node0)
   at(node0) = epoch0
   at(node1) = epoch0
1. release(node0)
   - holds(node0)
   + free
2. take(node1, epoch1)
   + holds(node1)
   - at(node1) = epoch0
   + at(node1) = epoch1
fails: [held] free -> ~holds(N) for N = node1
";
    // The counts depend on where the search stopped inside the last level.
    let without_counts = |text: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !line.starts_with("explored:"));
        let lines = lines.map(|line| line.replace("node0", "?").replace("node1", "?"));
        lines.collect()
    };
    assert_eq!(without_counts(&output), without_counts(expected), "{output}");
    assert_eq!(code, Some(1));
}

/// A property alone would be about runs that end where the network is exceeded; and the sizes that
/// are shown are not those that were chosen for want of others.
#[test]
fn a_selected_property_is_checked_with_the_bound_it_rests_on() {
    let text = "message ping from node to node\nnetwork bag\nsort word\nrelation broken(word)\n\
                init ~broken(W)\nmachine node {\n  states one, two\n\
                  action again in one { send ping to me\nsend ping to me\ngoto two }\n\
                  action harm(w: word) in two { broken(w) := true }\n}\nsafety [fine] ~broken(W)\n";
    let (output, code) = Protocol::new(text).answer(&["--property", "fine"]);
    assert_eq!(code, Some(1), "{output}");
    assert!(output.contains("[network_bound] fails"), "{output}");
    assert!(output.contains("default size 2 used for"), "{output}");
    assert!(!output.contains("has more than"), "{output}");
}

#[test]
fn one_property_can_be_selected() {
    let protocol = Protocol::new(LOCK);
    let (output, code) = protocol.answer(&["--size", "node=1,epoch=2", "--property", "one"]);
    assert!(output.starts_with("safe at node=1, epoch=2\nchecked: [one]\n"), "{output}");
    assert_eq!(code, Some(0));
    let both = ["--size", "node=1,epoch=2", "--property", "one", "--property", "held"];
    let (output, code) = protocol.answer(&both);
    assert!(output.starts_with("unsafe at node=1, epoch=2: [held] fails"), "{output}");
    assert_eq!(code, Some(1));
}

#[test]
fn engines_and_threads_can_be_chosen() {
    let protocol = Protocol::new(LOCK);
    let options: [&[&str]; 5] = [
        &["--engine", "sat"],
        &["--engine", "explicit", "--threads", "1"],
        &["--threads", "3", "--no-symmetry"],
        &["--slice"],
        &["--slice", "--engine", "sat", "--symmetry"],
    ];
    for options in options {
        let safe = protocol.answer(&[&["--size", "node=2,epoch=1"], options].concat());
        assert!(safe.0.starts_with("safe at node=2, epoch=1\n"), "{options:?}: {safe:?}");
        assert_eq!(safe.1, Some(0));
        let wrong = protocol.answer(&[&["--size", "node=2,epoch=2"], options].concat());
        assert!(wrong.0.contains("[held] fails after 2 steps"), "{options:?}: {wrong:?}");
        assert_eq!(wrong.1, Some(1));
    }
}

#[test]
fn missing_sizes_are_stated() {
    let (output, _) = Protocol::new(LOCK).answer(&["--size", "epoch=1"]);
    assert!(output.starts_with("safe at node=2, epoch=1\n"), "{output}");
    assert!(output.contains("default size 2 used for node (set with --size)\n"), "{output}");
}

/// The first lines of a report at the default sizes, with this much patience.
fn at_default_sizes(text: &str, patience: u64) -> String {
    use rmlcut::finite::question::request::{FiniteRequest, explore};
    use rmlcut::finite::{Deadlocks, Silent, Slicing, Symmetry};
    let source = rmlcut::source::SourceFile::new("test.rml", text);
    let (protocol, _) = rmlcut::pipeline::read_protocol(&source).expect("the protocol is right");
    let budget = Budget {
        max_states: u64::MAX,
        max_memory: 1 << 30,
        threads: 1,
        ..Budget::until(Stop::never())
    };
    let request = FiniteRequest {
        sizes: Vec::new(),
        window: None,
        properties: Vec::new(),
        engine: None,
        deadlocks: Deadlocks::Ignored,
        symmetry: Symmetry::Distinguished,
        slicing: Slicing::Whole,
        budget,
        patience,
    };
    let explored = explore(&protocol, &request, &Silent).expect("the request is right");
    rmlcut::report::text::explore::text((&protocol, None), &explored, None)
}

const MARKS: &str = "
sort item, node, colour
relation marked(item, node, colour)
relation broken
init ~marked(I, N, C)
init ~broken
action mark(i: item, n: node, c: colour) { marked(i, n, c) := true }
safety [fine] marked(I, N, C1) & marked(I, M, C2) -> ~broken
";

#[test]
fn default_sizes_are_such_that_there_is_an_answer() {
    // 2^8, 2^4 and 2^2 states; two nodes and two colours may be needed for a violation.
    let used = |patience| {
        let text = at_default_sizes(MARKS, patience);
        let lines =
            text.lines().filter(|line| line.starts_with("safe") || line.contains(" used for "));
        lines.collect::<Vec<_>>().join("; ")
    };
    assert_eq!(
        used(1000),
        "safe at item=2, node=2, colour=2; default size 2 used for item, node, colour (set with --size)"
    );
    assert_eq!(
        used(100),
        "safe at item=1, node=2, colour=2; default size 2 used for node, colour (set with --size); \
         size 1 used for item, as size 2 has more than 100 states"
    );
    assert_eq!(
        used(10),
        "safe at item=1, node=2, colour=1; default size 2 used for node (set with --size); \
         size 1 used for item, colour, as size 2 has more than 10 states"
    );
    // Where nothing can become smaller the search goes to its end.
    assert!(used(1).starts_with("safe at item=1, node=1, colour=1; "), "{}", used(1));
}

#[test]
fn actions_that_never_happen_are_named() {
    let text = "sort node\nrelation on(node)\nrelation broken\ninit ~on(N)\ninit ~broken\n\
                action flip(n: node) { on(n) := ~on(n) }\n\
                action third(a: node, b: node, c: node) {\n\
                  require a != b & b != c & a != c\n  broken := true\n}\n\
                safety [fine] ~broken\n";
    let protocol = Protocol::new(text);
    let (output, code) = protocol.answer(&["--size", "node=2"]);
    assert!(output.ends_with("\nnever possible at this size: third\n"), "{output}");
    assert_eq!(code, Some(0));
    let (output, _) = protocol.answer(&["--size", "node=2", "--format", "json"]);
    let json: Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!(json["coverage"]["never_possible"], serde_json::json!(["third"]));
    let (output, code) = protocol.answer(&["--size", "node=3"]);
    assert!(output.starts_with("unsafe at node=3: "), "{output}");
    assert_eq!(code, Some(1));
}

#[test]
fn the_solver_runs_only_where_a_size_is_empty() {
    // A property that says nothing is a matter for `show lint`.
    let vacuous = "sort node\nrelation on(node)\ninit ~on(N)\n\
                   action flip(n: node) { on(n) := true }\nsafety [idle] on(N) -> on(N)\n";
    let (output, code) = Protocol::new(vacuous).answer(&["--size", "node=2"]);
    assert_eq!((output.lines().next(), code), (Some("safe at node=2"), Some(0)));
    let nowhere = "sort node\nrelation on(node)\ninit on(N)\ninit ~on(N)\nsafety [fine] on(N)\n";
    let output = Protocol::new(nowhere).explore(&["--size", "node=2"]);
    assert!(text(&output.stdout).contains("no initial state"));
    assert!(text(&output.stderr).contains("there is no initial state"));
}

#[test]
fn wrong_requests_are_refused_with_a_message() {
    let protocol = Protocol::new(LOCK);
    let known = "the sorts are `node`, `epoch`";
    let cases: [(&[&str], &str); 9] = [
        (&["--size", "nod=2"], &format!("error: --size: there is no sort `nod`; {known}")),
        (&["--size", "node=0"], "`node` must have between 1 and 1000 elements"),
        (&["--size", "node=2,node=3"], "error: --size: the size of `node` is given twice"),
        (&["--int", "4..0"], "error: --int: 4..0 is empty"),
        (&["--engine", "magic"], "there is no engine `magic`; the engines are explicit, sat"),
        (&["--property", "two"], "there is no property `two`; the properties are `one`, `held`"),
        (&["--size", "node"], "write sort=count, as in node=3"),
        (&["--size", "node=many"], "`many` is not a number of elements"),
        (&["--size", "node=300,epoch=300"], "a state of this size takes"),
    ];
    for (arguments, words) in cases {
        let refusal = protocol.refusal(arguments);
        assert!(refusal.contains(words), "{arguments:?}: {refusal}");
    }
}

const COUNTER: &str = "
variable c: int
init c = 0
action step { c := c + 1 }
safety [small] c < 7
";

#[test]
fn integers_need_a_range_and_a_range_is_a_bound() {
    let protocol = Protocol::new(COUNTER);
    assert!(protocol.refusal(&[]).contains("give a range to explore"));
    for all in ["0..65536", "-20000000..20000000", "-9223372036854775808..9223372036854775807"] {
        let refusal = protocol.refusal(&["--int", all]);
        assert!(refusal.contains("integers; 65536 is the limit"), "{all}: {refusal}");
    }
    let (output, code) = protocol.answer(&["--int", "0..4"]);
    assert!(output.starts_with("unknown at the only size: no violation within int 0..4\n"));
    assert_eq!(code, Some(2), "{output}");
    let (output, code) = protocol.answer(&["--int", "-2..7"]);
    assert!(output.contains("[small] fails after 7 steps"), "{output}");
    assert!(output.contains("   - c = 6\n   + c = 7\n"), "{output}");
    assert_eq!(code, Some(1));
}

#[test]
fn a_quantifier_over_integers_is_refused_with_a_range_that_suffices() {
    let text = "variable c: int\nrelation seen(int)\ninit c = 0\naction step { c := c + 1 }\n\
                safety [all] seen(X) -> X < c\n";
    let refusal = Protocol::new(text).refusal(&["--int", "0..4"]);
    assert!(refusal.starts_with("error: [all] quantifies over int"), "{refusal}");
    let text = "variable c: int\ninit c = 0\naction step { require c < 3; c := c + 1 }\n\
                safety [small] c < 7\n";
    let (output, code) = Protocol::new(text).answer(&["--int", "0..4"]);
    assert!(output.starts_with("safe at the only size\n"), "{output}");
    assert!(output.ends_with("\nno integer leaves 0..4\n"), "{output}");
    assert_eq!(code, Some(0));
}

const SWITCHES: &str = "
sort node
relation on(node)
relation broken
init ~on(N)
init ~broken
action flip(n: node) { on(n) := ~on(n) }
safety [fine] ~broken
";

#[test]
fn limits_end_with_what_is_known() {
    let protocol = Protocol::new(SWITCHES);
    let base = ["--size", "node=22", "--no-symmetry", "--engine", "explicit"];
    let limits: [(&[&str], &str); 3] = [
        (&["--max-states", "1000"], "stopped by --max-states"),
        (&["--timeout", "0.2"], "stopped by --timeout"),
        (&["--max-memory", "1"], "stopped by --max-memory 1 MiB"),
    ];
    for (limit, words) in limits {
        let (output, code) = protocol.answer(&[&base, limit].concat());
        let first = output.lines().next().unwrap_or_default();
        assert!(first.starts_with("unknown at node=22: ") && first.contains(words), "{output}");
        assert!(output.contains(" states, "), "{output}");
        assert_eq!(code, Some(2));
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_with_what_is_known() {
    use std::process::Stdio;
    let protocol = Protocol::new(SWITCHES);
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    command.arg("explore").arg(&protocol.file).args(["--size", "node=40", "--no-symmetry"]);
    command
        .args(["--engine", "explicit", "--max-memory", "2000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn().expect("the program starts");
    std::thread::sleep(std::time::Duration::from_secs(1));
    let id = child.id().to_string();
    let interrupted = Command::new("kill").args(["-INT", &id]).status().expect("kill starts");
    assert!(interrupted.success(), "the search was still under way");
    let output = child.wait_with_output().expect("the program ends");
    let answer = text(&output.stdout);
    assert!(answer.starts_with("unknown at node=40: interrupted\n"), "{answer}");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn a_size_without_instances_is_not_safe() {
    let text = "sort node\nrigid relation r(node)\naxiom exists X, Y. X != Y & r(X)\n\
                relation bad\ninit ~bad\nsafety [good] ~bad\n";
    let (output, code) = Protocol::new(text).answer(&["--size", "node=1"]);
    let expected = "unknown at node=1: no instance: the axioms are unsatisfiable\n";
    assert!(output.starts_with(expected), "{output}");
    assert_eq!(code, Some(2));
}

#[test]
fn deadlocks_are_shown_on_request() {
    let text = "sort node\nrelation used(node)\nrelation broken\ninit ~used(N)\ninit ~broken\n\
                action take(n: node) { require ~used(n); used(n) := true }\n\
                safety [fine] ~broken\n";
    let protocol = Protocol::new(text);
    let (output, code) = protocol.answer(&["--size", "node=2"]);
    assert_eq!((output.lines().next(), code), (Some("safe at node=2"), Some(0)));
    let (output, code) = protocol.answer(&["--size", "node=2", "--deadlock"]);
    assert!(output.starts_with("unsafe at node=2: no action is possible after 2 steps\n"));
    assert!(output.ends_with("fails: no action is possible\n"), "{output}");
    assert_eq!(code, Some(1));
}

#[test]
fn json_has_the_same_facts_as_the_text() {
    let protocol = Protocol::new(LOCK);
    let (output, code) = protocol.answer(&[
        "--size",
        "node=2,epoch=2",
        "--no-symmetry",
        "--no-shrink",
        "--format",
        "json",
    ]);
    let json: Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!(json["verdict"], "unsafe");
    assert_eq!(json["size"], serde_json::json!({ "node": 2, "epoch": 2 }));
    assert_eq!(json["violation"]["what"]["property"], "held");
    let steps = json["violation"]["steps"].as_array().expect("steps");
    assert_eq!(steps.len(), 2);
    assert_eq!(steps[1]["action"], "take");
    assert_eq!(steps[1]["changes"].as_array().map(Vec::len), Some(2));
    assert_eq!(code, Some(1));
    let (output, _) = protocol.answer(&["--size", "node=2,epoch=1", "--format", "json"]);
    let json: Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!((&json["verdict"], &json["violation"]), (&Value::from("safe"), &Value::Null));
}

#[test]
fn viewers_get_the_trace_as_itf() {
    let protocol = Protocol::new(LOCK);
    let output = protocol.explore(&["--size", "node=2,epoch=2", "--no-shrink", "--format", "itf"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("unsafe at node=2, epoch=2: "));
    let itf: Value = serde_json::from_str(text(&output.stdout)).expect("JSON");
    let vars: Vec<&str> = itf["vars"].as_array().unwrap().iter().flat_map(Value::as_str).collect();
    let states = itf["states"].as_array().expect("states");
    assert_eq!(states.len(), 3);
    for (index, state) in states.iter().enumerate() {
        assert_eq!(state["#meta"]["index"], index);
        assert!(vars.iter().all(|var| !state[*var].is_null()), "every variable has a value");
    }
    assert_eq!(states[0]["free"], false);
    assert_eq!(states[1]["holds"], serde_json::json!({ "#set": [] }));
    assert_eq!(states[2]["at"]["#map"].as_array().map(Vec::len), Some(2));
    assert_eq!(states[2]["mbt::actionTaken"], "take");
    let safe = protocol.explore(&["--size", "node=2,epoch=1", "--format", "itf"]);
    assert_eq!((text(&safe.stdout), safe.status.code()), ("", Some(0)));
}

#[test]
fn only_explorations_are_traces() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
    let output = command.args(["completions", "bash", "--format", "itf"]).output();
    let output = output.expect("the program starts");
    assert_eq!(output.status.code(), Some(64));
    assert!(text(&output.stderr).contains("only `rmlcut explore` writes traces"));
}

#[test]
fn too_many_initial_states_are_held_as_a_set() {
    let text = "sort node\nrelation r(node, node)\nrelation bad\ninit ~bad\n\
                action go(n: node) { require r(n, n) & bad; bad := true }\n\
                safety [good] ~bad\n";
    let protocol = Protocol::new(text);
    let (output, code) = protocol.answer(&["--size", "node=9"]);
    assert_eq!((output.lines().next(), code), (Some("safe at node=9"), Some(0)));
    let states = 1_u128 << 81;
    assert!(output.contains(&format!("explored: 1 instance, {states} states\n")), "{output}");
    let refusal = protocol.refusal(&["--size", "node=9", "--engine", "explicit"]);
    assert!(refusal.contains("at least 2^81 initial states"), "{refusal}");
}

#[test]
fn symmetry_is_exact_beyond_seven_elements() {
    let protocol = Protocol::new(
        "sort node\nrelation on(node)\ninit ~on(N)\naction flip(n: node) { on(n) := true }\n\
         safety [fine] on(N) | ~on(N)\n",
    );
    let explored = |size: &str| {
        let (output, _) = protocol.answer(&["--size", size]);
        let (json, _) = protocol.answer(&["--size", size, "--format", "json"]);
        let json: Value = serde_json::from_str(&json).expect("JSON");
        let line = output.lines().find(|line| line.starts_with("explored: "));
        let line = line.expect("it says what it explored").to_owned();
        (line, json["coverage"]["up_to_symmetry"].as_bool())
    };
    // Up to symmetry there are as many states as numbers of nodes that are on.
    let (line, whole) = explored("node=7");
    assert!(line.starts_with("explored: 1 instance, 8 states up to symmetry, "), "{line}");
    assert_eq!(whole, Some(true));
    let (line, whole) = explored("node=8");
    assert!(line.starts_with("explored: 1 instance, 9 states up to symmetry, "), "{line}");
    assert_eq!(whole, Some(true));
}

#[test]
fn an_instance_with_a_violation_counts() {
    let text = "sort node\nconstant first: node\nconstant other: node\nrelation on(node)\n\
                init ~on(N)\naction flip(n: node) { on(n) := true }\n\
                safety [apart] on(N) -> first = other\n";
    let (output, _) = Protocol::new(text).answer(&["--size", "node=2", "--format", "json"]);
    let json: Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!(json["verdict"], "unsafe");
    assert_eq!(json["coverage"]["instances"], 2);
    // The same with states that are not visited.
    let arguments = ["--size", "node=2", "--engine", "sat", "--format", "json"];
    let (output, _) = Protocol::new(text).answer(&arguments);
    let json: Value = serde_json::from_str(&output).expect("JSON");
    assert_eq!(json["coverage"]["instances"], 2);
}
