//! Stop means stop: Ctrl-C, `--timeout` and limits of memory end a run in time, and what it knows
//! by then is reported.
//!
//! The promise is a second; the margins here are wide, because tests run beside other tests and
//! without optimisation. `rmlcut bench --stage stop` measures.

#![cfg(unix)]
// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use tempfile::TempDir;

/// Nothing takes longer than this to answer.
const MARGIN: Duration = Duration::from_secs(15);

const LOCK: &str = "sort node\nrelation held(node)\nrelation free\ninit ~held(N)\ninit free\n\
    action take(n: node) { require free; free := false; held(n) := true }\n\
    action give(n: node) { require held(n); free := true; held(n) := false }\n\
    safety [one] held(N1) & held(N2) -> N1 = N2\n";

/// So many pigeons do not fit into one hole less: true, and too hard for any solver.
const PIGEONS: usize = 13;

fn pigeonhole() -> String {
    let at = |pigeon: usize, hole: usize| format!("r(p{pigeon}, h{hole})");
    let housed = |pigeon| {
        let holes: Vec<String> = (1..PIGEONS).map(|hole| at(pigeon, hole)).collect();
        format!("({})", holes.join(" | "))
    };
    let all: Vec<String> = (0..PIGEONS).map(housed).collect();
    let mut shared = Vec::new();
    for hole in 1..PIGEONS {
        for one in 0..PIGEONS {
            for other in 0..one {
                shared.push(format!("{} & {}", at(one, hole), at(other, hole)));
            }
        }
    }
    format!("{} -> {}", all.join(" & "), shared.join(" | "))
}

/// A protocol with ten actions of which nothing is ever decided.
fn hard() -> String {
    with_property(&format!("safety [fits] {}\n", pigeonhole()))
}

/// The same with a property that is easy.
fn easy() -> String {
    with_property("relation late\ninit ~late\nsafety [calm] ~late\n")
}

fn with_property(property: &str) -> String {
    let mut text = "sort pigeon, place\nrelation r(pigeon, place)\nrelation done(pigeon)\n\
        init ~done(X)\n"
        .to_owned();
    for pigeon in 0..PIGEONS {
        let _ = writeln!(text, "constant p{pigeon}: pigeon");
    }
    for hole in 1..PIGEONS {
        let _ = writeln!(text, "constant h{hole}: place");
    }
    for action in 0..10 {
        let _ = writeln!(
            text,
            "action move{action}(x: pigeon, y: place, z: place) {{ require r(x, y) & ~done(x); \
             r(x, y) := false; r(x, z) := true; done(p{action}) := true }}"
        );
    }
    text + property
}

/// An invariant for the easy property, with clauses that the solver works on forever.
fn hard_certificate() -> String {
    let holes = pigeonhole();
    format!("invariant {{\n  [calm] ~late\n  [fits] {holes}\n  [again] ({holes}) | late\n}}\n")
}

/// A folder of files for one test.
struct Files(TempDir);

impl Files {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().expect("there is room");
        for (name, text) in files {
            fs::write(folder.path().join(name), text).expect("there is room");
        }
        Files(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn start(&self, arguments: &[&str]) -> Child {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        command.args(arguments).current_dir(self.0.path());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// Runs the program, and interrupts it after some time.
    fn interrupted(&self, arguments: &[&str], after: Duration) -> Output {
        let child = self.start(arguments);
        thread::sleep(after);
        interrupt(&child);
        let asked = Instant::now();
        let output = child.wait_with_output().expect("it ends");
        assert!(asked.elapsed() < MARGIN, "{arguments:?}: {:?}", asked.elapsed());
        output
    }

    /// Runs the program, which must end in its time.
    fn limited(&self, arguments: &[&str], limit: Duration) -> Output {
        let start = Instant::now();
        let output = self.start(arguments).wait_with_output().expect("it ends");
        let late = start.elapsed().saturating_sub(limit);
        assert!(late < 2 * MARGIN, "{arguments:?}: {late:?} late");
        output
    }
}

fn interrupt(child: &Child) {
    let process = i32::try_from(child.id()).expect("a process number");
    // It may have ended by itself.
    let _ = kill(Pid::from_raw(process), Signal::SIGINT);
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("the program writes text")
}

#[test]
fn interrupted_runs_answer_with_what_they_have() {
    let (hard, easy, claim) = (hard(), easy(), hard_certificate());
    let files = Files::new(&[("hard.rml", &hard), ("easy.rml", &easy), ("easy.cut", &claim)]);
    let runs: [(&[&str], &str); 4] = [
        (&["synth", "hard.rml", "--timeout", "900"], "unproved"),
        (&["check", "easy.rml", "--rebase", "--timeout", "900"], "unproved"),
        (&["explore", "hard.rml", "--size", "pigeon=3,place=3"], "unknown"),
        (&["bench", "hard.rml", "--timeout", "900"], ""),
    ];
    for (arguments, verdict) in runs {
        for seconds in [3, 6] {
            let output = files.interrupted(arguments, Duration::from_secs(seconds));
            let (printed, code) = (text(&output.stdout), output.status.code());
            assert!(
                printed.starts_with(verdict) && !printed.is_empty(),
                "{arguments:?}: {printed}"
            );
            assert_eq!(code, Some(2), "{arguments:?}: {printed}");
        }
    }
}

#[test]
fn what_was_not_reached_is_not_checked_and_nothing_is_refuted() {
    let (easy, claim) = (easy(), hard_certificate());
    let files = Files::new(&[("easy.rml", &easy), ("easy.cut", &claim)]);
    let check = ["check", "easy.rml", "--rebase", "--timeout", "900"];
    let output = files.interrupted(&check, Duration::from_secs(4));
    let printed = text(&output.stdout);
    assert!(printed.lines().next().is_some_and(|line| line.contains("not checked: ")), "{printed}");
    assert!(!printed.contains("refuted"), "{printed}");
    let output =
        files.interrupted(&[&check[..], &["--format", "json"]].concat(), Duration::from_secs(4));
    assert!(text(&output.stdout).contains("\"answer\": \"not checked\""));
    // Left alone, a certificate is checked as a whole.
    let invariant = "invariant {\n  [one] held(N1) & held(N2) -> N1 = N2\n  \
        [calm] free -> ~held(N)\n}\n";
    let files = Files::new(&[("lock.rml", LOCK), ("lock.cut", invariant)]);
    let output = files.limited(&["check", "lock.rml", "--rebase"], Duration::from_secs(60));
    assert!(text(&output.stdout).starts_with("safe\n"), "{}", text(&output.stdout));
    assert!(!text(&output.stdout).contains("not checked"));
}

#[test]
fn an_interrupted_bench_prints_its_rows() {
    let hard = hard();
    let files = Files::new(&[("a_lock.rml", LOCK), ("hard.rml", &hard)]);
    let bench = ["bench", ".", "--timeout", "900"];
    let output = files.interrupted(&bench, Duration::from_secs(20));
    let (rows, remarks) = (text(&output.stdout), text(&output.stderr));
    assert!(rows.contains("a_lock"), "{rows}");
    assert!(remarks.contains("interrupted in protocol"), "{remarks}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_second_interrupt_ends_the_program_at_once() {
    let (easy, claim) = (easy(), hard_certificate());
    let files = Files::new(&[("easy.rml", &easy), ("easy.cut", &claim)]);
    let child = files.start(&["check", "easy.rml", "--rebase", "--timeout", "900"]);
    thread::sleep(Duration::from_secs(3));
    interrupt(&child);
    interrupt(&child);
    let asked = Instant::now();
    child.wait_with_output().expect("it ends");
    assert!(asked.elapsed() < MARGIN);
}

#[test]
fn a_time_limit_is_kept_while_the_solver_works() {
    let (hard, easy, claim) = (hard(), easy(), hard_certificate());
    let files = Files::new(&[("hard.rml", &hard), ("easy.rml", &easy), ("easy.cut", &claim)]);
    let limit = Duration::from_secs(3);
    for arguments in [
        &["synth", "hard.rml", "--timeout", "3"][..],
        &["bench", "hard.rml", "--timeout", "3"],
        &["explore", "hard.rml", "--size", "pigeon=3,place=3", "--timeout", "3"],
        &["check", "easy.rml", "--rebase", "--timeout", "3", "--only", "initiation / fits"],
        &["check", "easy.rml", "--rebase", "--timeout", "900", "--total", "3"],
    ] {
        let output = files.limited(arguments, limit);
        assert!(!output.stdout.is_empty(), "{arguments:?}: {}", text(&output.stderr));
    }
}

/// One batch of states takes minutes: each has dozens of successors, and each of these is sorted.
#[test]
fn a_time_limit_is_kept_while_slow_states_are_visited() {
    let graph = "sort node\nrelation r(node, node)\ninit ~r(X, Y)\n\
        action add(x: node, y: node) { require x != y; r(x, y) := true }\n\
        action drop(x: node, y: node) { require r(x, y); r(x, y) := false }\n\
        safety [plain] ~r(X, X)\n";
    let files = Files::new(&[("graph.rml", graph)]);
    let explicit = ["explore", "graph.rml", "--engine", "explicit", "--timeout", "3"];
    let size = ["--size", "node=11"];
    let output = files.limited(&[&explicit[..], &size].concat(), Duration::from_secs(3));
    assert_eq!(output.status.code(), Some(2), "not all states were visited");
    assert!(!output.stdout.is_empty(), "{}", text(&output.stderr));
}

fn many_variables() -> String {
    let path: Vec<String> = (0..29).map(|at| format!("r(X{at}, X{})", at + 1)).collect();
    format!(
        "sort node\nrelation r(node, node)\ninit ~r(X, Y)\n\
         action add(x: node, y: node) {{ require x != y; r(x, y) := true }}\n\
         action drop(x: node, y: node) {{ require r(x, y); r(x, y) := false }}\n\
         safety [long] {} -> ~r(X0, X0)\n",
        path.join(" & ")
    )
}

fn many_arguments() -> String {
    let list = |item: &dyn Fn(usize) -> String| (0..20).map(item).collect::<Vec<_>>().join(", ");
    format!(
        "sort node\nrelation r({})\nrelation p(node)\ninit ~r({vars})\ninit ~p(X)\n\
         action set({}) {{ require ~p(x0); r({}) := true }}\n\
         action mark(x: node) {{ p(x) := true }}\nsafety [s] r({vars}) -> X0 = X1 | ~r({})\n",
        list(&|_| "node".to_owned()),
        list(&|at| format!("x{at}: node")),
        list(&|at| format!("x{at}")),
        list(&|_| "X0".to_owned()),
        vars = list(&|at| format!("X{at}")),
    )
}

fn many_actions() -> String {
    let mut text =
        "sort node\nrelation p(node)\nrelation q(node)\ninit ~p(X)\ninit ~q(X)\n".to_owned();
    for action in 0..3_000 {
        let _ = writeln!(text, "action a{action}(x: node) {{ require ~p(x); q(x) := true }}");
    }
    text + "safety [s] p(X) -> q(X)\n"
}

/// Every command on a hostile file ends in its time.
fn survives(hostile: &str) {
    let invariant = "invariant {\n  [all] forall X: node. X = X\n}\n";
    let files = Files::new(&[("hostile.rml", hostile), ("hostile.cut", invariant)]);
    for arguments in [
        &["synth", "hostile.rml", "--timeout", "5"][..],
        &["check", "hostile.rml", "--rebase", "--timeout", "5"],
        &["explore", "hostile.rml", "--timeout", "5"],
        &["bench", "hostile.rml", "--timeout", "5"],
        &["show", "lint", "hostile.rml"],
        &["show", "analysis", "hostile.rml"],
    ] {
        let output = files.limited(arguments, Duration::from_secs(5));
        let code = output.status.code();
        let is_answer = matches!(code, Some(0..=2 | 64));
        assert!(is_answer, "{arguments:?}: {code:?} {}", text(&output.stderr));
    }
}

#[test]
fn a_property_with_many_variables_is_survived() {
    survives(&many_variables());
}

#[test]
fn a_relation_with_many_arguments_is_survived() {
    survives(&many_arguments());
}

#[test]
fn a_file_with_many_actions_is_survived() {
    survives(&many_actions());
}

/// Runs the program on a file with so many KiB of address space.
fn with_memory(kib: Option<u32>, file: &Path) -> Output {
    let limit = kib.map_or("unlimited".to_owned(), |kib| kib.to_string());
    let script = format!("ulimit -v {limit}; exec \"$0\" synth --timeout 60 \"$1\"");
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(env!("CARGO_BIN_EXE_rmlcut")).arg(file);
    command.output().expect("the shell starts")
}

#[test]
fn too_little_memory_is_one_line() {
    let files = Files::new(&[("lock.rml", LOCK)]);
    let file = files.path("lock.rml");
    let output = with_memory(Some(140_000), &file);
    let messages = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{messages}");
    assert!(messages.starts_with("error: out of memory: "), "{messages}");
    assert_eq!(messages.lines().count(), 1, "{messages}");
    let output = with_memory(None, &file);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).starts_with("safe\n"));
}

#[test]
fn a_finished_proof_survives_an_interrupt() {
    use std::io::{BufRead, BufReader};
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let protocol = fs::read_to_string(project.join("protocols/coherence/msi.rml"));
    let files = Files::new(&[("msi.rml", &protocol.expect("it is in the corpus"))]);
    // Its invariant is found at once, and its cutoff only after many times that effort.
    let patient = ["synth", "msi.rml", "-o", "msi.cut", "--patience", "100000", "--timeout", "600"];
    let mut child = files.start(&patient);
    let mut output = BufReader::new(child.stdout.take().expect("it is piped"));
    let mut first = String::new();
    output.read_line(&mut first).expect("it prints text");
    assert_eq!(first, "safe\n");
    interrupt(&child);
    let asked = Instant::now();
    let status = child.wait().expect("it ends");
    assert!(asked.elapsed() < MARGIN, "{:?}", asked.elapsed());
    assert_eq!(status.code(), Some(0));
    let checked = files.start(&["check", "msi.rml", "msi.cut"]).wait_with_output();
    assert!(checked.expect("it ends").stdout.starts_with(b"safe\n"));
}
