//! `rmlcut check` as users run it: options, exit codes, first lines, files.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use rmlcut::certificate::digest;
use tempfile::TempDir;

use super::protocol;
use super::verdicts::{LOCK, TWO};

/// A folder with a protocol and a certificate, `lock.rml` and `lock.cut`.
pub(super) struct Desk {
    folder: TempDir,
}

impl Desk {
    pub(super) fn new(protocol_text: &str, body: &str) -> Self {
        let desk = Desk { folder: tempfile::tempdir().expect("a folder") };
        desk.write("lock.rml", protocol_text);
        desk.write("lock.cut", &with_header(protocol_text, body));
        desk
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("the folder is writable");
    }

    pub(super) fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rmlcut"));
        command.current_dir(self.folder.path()).env("PATH", "/nowhere");
        command
    }

    fn check(&self, options: &[&str]) -> Answer {
        let arguments = [&["check", "lock.rml", "lock.cut"], options].concat();
        Answer::of(&self.command().args(arguments).output().expect("the program starts"))
    }
}

pub(super) fn with_header(protocol_text: &str, body: &str) -> String {
    let digest = digest(&protocol(protocol_text));
    format!("certificate 1 for lock\nsha256 {digest}\n{body}")
}

/// The first block of a kind in the description of the language that has these words.
fn described(kind: &str, words: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/README.md");
    let text = fs::read_to_string(path).expect("it is there");
    let fence = format!("```{kind}\n");
    let mut blocks = text.split(&fence).skip(1).filter_map(|rest| rest.split("```").next());
    blocks.find(|block| block.contains(words)).expect("it is described").to_owned()
}

#[test]
fn the_documented_certificate_is_accepted() {
    let desk = Desk::new(LOCK, TWO);
    desk.write("lock.rml", &described("rml", "grant_msg"));
    desk.write("lock.cut", &described("cut", "grant_msg"));
    let answer = desk.check(&[]);
    assert_eq!((answer.first_line(), answer.code), ("safe", Some(0)), "{}", answer.err);
}

/// What the program said.
pub(super) struct Answer {
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

impl Answer {
    pub(super) fn of(output: &Output) -> Self {
        let text =
            |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("the program writes text");
        Answer { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
    }

    pub(super) fn first_line(&self) -> &str {
        self.out.lines().next().unwrap_or_default()
    }
}

#[test]
fn the_first_line_is_the_verdict_and_the_exit_code_agrees() {
    let safe = Desk::new(LOCK, TWO).check(&[]);
    assert_eq!((safe.first_line(), safe.code), ("safe", Some(0)), "{}", safe.err);
    let lost = TWO.replace("do give(sim(n))", "stutter");
    let unproved = Desk::new(LOCK, &lost).check(&[]);
    assert_eq!((unproved.first_line(), unproved.code), ("unproved: 1 gap", Some(2)));
    assert!(unproved.out.contains("\n✗ two: step give / keeps free\n  lock.cut:"));
    let broken = LOCK.replace("require held(n); free", "free");
    let unsafe_one = Desk::new(&broken, TWO).check(&[]);
    assert_eq!(unsafe_one.first_line(), "unsafe: [one] fails after 3 steps at node=2");
    assert_eq!(unsafe_one.code, Some(1));
    assert!(unsafe_one.out.contains("fails: [one]"), "{}", unsafe_one.out);
}

#[test]
fn the_report_lists_what_was_checked() {
    let report = Desk::new(LOCK, TWO).check(&[]).out;
    for said in [
        "safety       one\n",
        "lemmas       none\n",
        "obligations  11 valid\n",
        "case two for one\n",
        "  cut        node=2 (na, nb)\n",
        "  residual   none\n",
        "  finite     exhausted: 1 size, 1 instance, 2 states up to symmetry\n",
        "         enabled  free  held\n  start           ✓     ✓\n  take   ✓        ✓     ✓\n",
    ] {
        assert!(report.contains(said), "{said}\n{report}");
    }
}

#[test]
fn a_certificate_is_found_beside_its_protocol() {
    let desk = Desk::new(LOCK, TWO);
    let output = desk.command().args(["check", "lock.rml"]).output().expect("the program starts");
    assert_eq!(Answer::of(&output).first_line(), "safe");
    fs::remove_file(desk.path("lock.cut")).expect("it is there");
    let output = desk.command().args(["check", "lock.rml"]).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn only_some_obligations_and_no_search_leave_gaps() {
    let desk = Desk::new(LOCK, TWO);
    let some = desk.check(&["--only", "step take*keeps"]);
    assert_eq!(some.code, Some(2));
    let valid = "unproved: 2 obligations valid; not checked: 9 obligations, 1 cutoff instance";
    assert_eq!(some.first_line(), valid);
    assert!(some.out.contains("obligations  2 valid, 9 not checked"), "{}", some.out);
    let finite = desk.check(&["--only", "finite"]);
    assert_eq!(finite.first_line(), "unproved: not checked: 11 obligations");
    assert!(finite.out.contains("finite     exhausted"), "{}", finite.out);
    let nothing = desk.check(&["--only", "step tale"]);
    assert_eq!((nothing.code, nothing.out.as_str()), (Some(64), ""));
    assert!(nothing.err.contains("no obligation has such a name"), "{}", nothing.err);
    let open = desk.check(&["--no-finite"]);
    let valid = "unproved: 11 obligations valid; not checked: 1 cutoff instance";
    assert_eq!((open.first_line(), open.code), (valid, Some(2)));
    let starved = desk.check(&["--rlimit", "1"]);
    assert_eq!(starved.code, Some(2));
    assert!(starved.out.contains("resource limit"), "{}", starved.out);
}

#[test]
fn residual_sorts_are_searched_up_to_the_bound() {
    let tickets = LOCK.replace("sort node", "sort node, ticket").replace(
        "action take(n: node) {",
        "relation used(ticket)\naction take(n: node, t: ticket) { require ~used(t); used(t) := true;",
    );
    let case = TWO
        .replace("take(n) do take(sim(n))", "take(n, t) do take(sim(n), t)")
        .replace("  gamma [free]", "  gamma [used] used_C(T) -> used_L(T)\n  gamma [free]");
    let desk = Desk::new(&tickets, &case);
    let two = desk.check(&["--residual", "2"]);
    assert_eq!((two.first_line(), two.code), ("safe up to ticket=2", Some(2)), "{}", two.err);
    assert_eq!(desk.check(&[]).first_line(), "safe up to ticket=3");
    assert_eq!(desk.check(&["--residual", "0"]).code, Some(64));
    assert_eq!(desk.check(&["--residual", "101"]).code, Some(64));
    let more = tickets.replace("sort node, ticket", "sort node, ticket, seat");
    let many = Desk::new(&more, &case).check(&["--residual", "100"]);
    assert_eq!(many.code, Some(2), "{}", many.err);
    assert!(
        many.out.contains("more than 4096 combinations of sizes of the residual sorts (bound 100)")
    );
}

#[test]
fn another_version_is_refused_unless_rebased() {
    let desk = Desk::new(LOCK, TWO);
    let grown = LOCK.replace("relation free", "relation spare\nrelation free");
    desk.write("lock.rml", &grown);
    let refused = desk.check(&[]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(64), ""));
    assert!(refused.err.contains("this certificate is for another version of `lock`"));
    let rebased = desk.check(&["--rebase"]);
    assert_eq!((rebased.first_line(), rebased.code), ("safe", Some(0)), "{}", rebased.err);
    let digest = digest(&protocol(&grown));
    for said in [
        "was made for another version",
        "does not mention relation spare",
        &format!("sha256 {digest}"),
    ] {
        assert!(rebased.out.contains(said), "{said}\n{}", rebased.out);
    }
    let renamed = desk.path("other.rml");
    fs::write(&renamed, LOCK).expect("the folder is writable");
    let output = desk
        .command()
        .args(["check", "other.rml", "lock.cut"])
        .output()
        .expect("the program starts");
    assert!(Answer::of(&output).err.contains("this certificate is for `lock`"));
    let gone = LOCK.replace("held", "has");
    desk.write("lock.rml", &gone);
    let unknown = desk.check(&["--rebase"]);
    assert_eq!(unknown.code, Some(64));
    assert!(unknown.err.contains("unknown name `held_L`"), "{}", unknown.err);
}

#[test]
fn another_format_is_refused_in_any_case() {
    let desk = Desk::new(LOCK, TWO);
    desk.write("lock.cut", &with_header(LOCK, TWO).replace("certificate 1", "certificate 2"));
    for options in [&[][..], &["--rebase"]] {
        let refused = desk.check(options);
        assert_eq!(refused.code, Some(64));
        assert!(refused.err.contains("unsupported format 2"), "{}", refused.err);
    }
    desk.write("lock.cut", TWO);
    assert!(desk.check(&[]).err.contains("missing certificate header"));
    assert_eq!(desk.check(&["--rebase"]).first_line(), "safe");
}

#[test]
fn evidence_is_written_for_every_obligation() {
    let lost = TWO.replace("do give(sim(n))", "stutter");
    let desk = Desk::new(LOCK, &lost);
    let answer = desk.check(&["--smt2", "evidence", "--no-finite"]);
    assert!(answer.out.contains("evidence     10 scripts in evidence\n"), "{}", answer.out);
    let read = |name: &str| fs::read_to_string(desk.path("evidence").join(name)).expect(name);
    let valid = read("01-cover-one.smt2");
    assert!(valid.starts_with("; cover one\n(set-info :smt-lib-version 2.6)\n(set-logic UF)\n"));
    assert!(valid.contains("(set-info :status unsat)") && valid.ends_with("(check-sat)\n(exit)\n"));
    assert!(read("08-two-step-give-keeps-free.smt2").contains("(set-info :status sat)"));
    let page = read("README.md");
    assert!(page.contains("| 01-cover-one.smt2 | cover one | unsat |"), "{page}");
    desk.write("evidence/notes.txt", "mine");
    let refused = desk.check(&["--smt2", "evidence"]);
    assert_eq!((refused.code, refused.out.as_str()), (Some(64), ""));
    assert!(refused.err.contains("choose another folder"), "{}", refused.err);
    assert_eq!(desk.check(&["--proofs"]).code, Some(64));
}

#[test]
fn a_missing_solver_is_named() {
    let missing = Desk::new(LOCK, TWO).check(&["--solver", "both", "--no-finite"]);
    assert_eq!((missing.code, missing.out.as_str()), (Some(3), ""));
    assert!(missing.err.contains("cvc5 was not found"), "{}", missing.err);
}

/// Stands in for cvc5: says one thing, whatever it is asked.
#[cfg(unix)]
fn oracle(desk: &Desk, says: &str) -> String {
    use std::os::unix::fs::PermissionsExt as _;
    let path = desk.path("oracle");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && echo 'This is cvc5 version 1.2.3' && exit\n\
         while read -r line; do :; done\necho '{says}'\n"
    );
    fs::write(&path, script).expect("the folder is writable");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    path.display().to_string()
}

#[cfg(unix)]
#[test]
fn two_solvers_must_agree() {
    let desk = Desk::new(LOCK, TWO);
    let agree = oracle(&desk, "unsat");
    let both = desk.check(&["--solver", "both", "--cvc5", &agree]);
    assert_eq!((both.first_line(), both.code), ("safe", Some(0)), "{}", both.err);
    let oppose = oracle(&desk, "sat");
    let both = desk.check(&["--solver", "both", "--cvc5", &oppose]);
    assert_eq!(both.code, Some(70));
    assert!(both.first_line().starts_with("unproved: "), "{}", both.out);
    assert!(both.out.contains("!!! THE SOLVERS DISAGREE about cover one: "), "{}", both.out);
    let unsure = oracle(&desk, "unknown");
    let both = desk.check(&["--solver", "both", "--cvc5", &unsure]);
    assert_eq!(both.code, Some(2));
    assert!(both.out.contains("not confirmed: Z3 proves it, cvc5 does not"), "{}", both.out);
    let alone = desk.check(&["--solver", "cvc5", "--cvc5", &oracle(&desk, "unsat")]);
    // Who proves everything proves that there is nothing to prove.
    assert_eq!(alone.code, Some(2));
    assert!(alone.out.contains("✗ no instance of the protocol has an initial state"));
}

#[cfg(unix)]
#[test]
fn a_file_that_is_saved_is_checked_again() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;
    let desk = Desk::new(LOCK, &TWO.replace("do give(sim(n))", "stutter"));
    let mut command = desk.command();
    command.args(["check", "lock.rml", "lock.cut", "--watch"]);
    let mut child =
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts");
    let mut said = BufReader::new(child.stderr.take().expect("piped")).lines();
    // Printed before the next round: how many answers were cached, and how many were new.
    let mut round = || loop {
        let line = said.next().expect("a remark").expect("text");
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["watching:", "save", ..] => return (0, 0),
            ["watching", known, "cached,", new, "checked):", ..] => {
                let known = known.trim_start_matches('(');
                return (known.parse().expect("a count"), new.parse().expect("a count"));
            }
            _ => {}
        }
    };
    assert_eq!(round(), (0, 0));
    desk.write("lock.cut", &with_header(LOCK, TWO));
    let (known, new): (usize, usize) = round();
    // All but those of the action whose answer was changed.
    assert!(known >= 6 && new > 0, "{known} {new}");
    // An unreadable text does not clear the cache; editors replace files by others.
    desk.write("lock.cut", "oops");
    assert_eq!(round(), (0, 0));
    desk.write("new.cut", &with_header(LOCK, TWO));
    fs::rename(desk.path("new.cut"), desk.path("lock.cut")).expect("there is room");
    let (known, new) = round();
    assert!(known > 6 && new == 0, "{known} {new}");
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(interrupt.expect("kill is there").success());
    let mut out = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().expect("piped"), &mut out)
        .expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(0), "{out}");
    // Every round begins and ends with its verdict.
    assert!(out.starts_with("unproved: 1 gap\n"), "{out}");
    assert!(out.contains("\nunproved: 1 gap\nsafe\n"), "{out}");
    assert!(out.contains("\nsafe\nrefused: see the messages above\nsafe\n"), "{out}");
    assert!(out.ends_with("\nsafe\n"), "{out}");
}

#[test]
fn nothing_but_evidence_is_ever_written() {
    let desk = Desk::new(LOCK, TWO);
    let before = snapshot(&desk.path(""));
    for options in [&["--rebase"][..], &["--format", "json"], &["--only", "nothing"]] {
        desk.check(options);
    }
    assert_eq!(snapshot(&desk.path("")), before);
}

fn snapshot(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut files: Vec<(PathBuf, String)> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let text = fs::read_to_string(&path).expect("text");
            (path, text)
        })
        .collect();
    files.sort();
    files
}
