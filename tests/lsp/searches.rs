//! Lenses that explore, prove and check: the server answers while they run, and edits and clients
//! end them.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::{LOCK, change, framed, goodbye, notification, open, request};

const URI: &str = "file:///nowhere/lock.rml";

/// Long enough for anything that should happen, on a busy machine.
const LONG: Duration = Duration::from_secs(120);

/// A server that is talked to line by line.
struct Session {
    server: Child,
    input: ChildStdin,
    output: Receiver<Value>,
    /// Everything that came so far.
    seen: Vec<Value>,
}

impl Session {
    fn start() -> Self {
        let mut server = Command::new(env!("CARGO_BIN_EXE_rmlcut"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = server.stdin.take().expect("the input is a pipe");
        let mut reader = BufReader::new(server.stdout.take().expect("the output is a pipe"));
        let (sender, output) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut reader) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let mut session = Session { server, input, output, seen: Vec::new() };
        let capabilities = json!({
            "workspace": { "codeLens": { "refreshSupport": true } },
            "window": { "workDoneProgress": true },
        });
        session.send(&request(1, "initialize", &json!({ "capabilities": capabilities })));
        session.send(&notification("initialized", &json!({})));
        session
    }

    fn send(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).expect("the server reads");
    }

    /// The first message, also among those seen before, of which something is true.
    fn wait(&mut self, is_meant: impl Fn(&Value) -> bool) -> Value {
        if let Some(message) = self.seen.iter().find(|message| is_meant(message)) {
            return message.clone();
        }
        loop {
            let message = self.output.recv_timeout(LONG).expect("the server answers");
            self.seen.push(message.clone());
            if is_meant(&message) {
                return message;
            }
        }
    }

    fn answer(&mut self, id: i32) -> Value {
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    fn run(&mut self, id: i32, command: &str, uri: &str) {
        let params = json!({ "command": format!("rmlcut.{command}"), "arguments": [uri] });
        self.send(&request(id, "workspace/executeCommand", &params));
    }

    /// The titles of the lenses of a text, each with its line.
    fn lenses(&mut self, id: i32, uri: &str) -> Vec<(u64, String)> {
        let params = json!({ "textDocument": { "uri": uri } });
        self.send(&request(id, "textDocument/codeLens", &params));
        let answer = self.answer(id);
        let lens = |lens: &Value| {
            let line = lens["range"]["start"]["line"].as_u64().expect("a line");
            (line, lens["command"]["title"].as_str().expect("a title").to_owned())
        };
        answer["result"].as_array().expect("a list").iter().map(lens).collect()
    }

    fn end(mut self) {
        self.send(&goodbye());
        assert_eq!(self.server.wait().expect("the server ends").code(), Some(0));
    }
}

fn read(reader: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().strip_prefix("Content-Length: ") {
            Some(number) => length = number.parse().ok()?,
            None => break,
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    serde_json::from_slice(&body).ok()
}

fn titled(titles: &[(u64, &str)]) -> Vec<(u64, String)> {
    titles.iter().map(|(line, title)| (*line, (*title).to_owned())).collect()
}

/// A protocol that takes long to explore and to prove: a counter behind a large state.
fn slow() -> String {
    let mut text = String::from("sort node\nsort value\n");
    for number in 0..6 {
        text += &format!("relation r{number}(node, node, value)\n");
    }
    text += "relation bad(node)\ninit ~bad(N)\n";
    for number in 0..6 {
        text += &format!(
            "action flip{number}(a: node, b: node, v: value) {{\n  r{number}(a, b, v) := *\n}}\n"
        );
    }
    text += "action fail(n: node) {\n  require r0(n, n, V) & r1(n, N, V) & ~r2(N, n, V) & r3(N, M, V)\n  \
             require ~r4(N, M, V) & r5(N, N, V) & exists A: node, B: node, X: value. ~r0(A, B, X)\n  \
             bad(n) := true\n}\nsafety [fine] ~bad(N) | exists A: node. ~r3(N, A, V)\n";
    text
}

#[test]
fn verdicts_stand_beside_the_property() {
    let mut session = Session::start();
    session.send(&open(URI, LOCK));
    assert_eq!(session.lenses(2, URI), titled(&[(9, "explore"), (9, "prove")]));
    session.run(3, "explore", URI);
    let answer = session.answer(3);
    assert_eq!(answer["result"]["verdict"], "safe at every size up to node=2");
    let safe = (9, "safe at every size up to node=2");
    assert_eq!(session.lenses(4, URI), titled(&[(9, "explore"), (9, "prove"), safe]));
    session.run(5, "prove", URI);
    let answer = session.answer(5);
    assert_eq!(answer["result"]["verdict"], "safe", "{answer}");
    let certificate = answer["result"]["certificate"].as_str().expect("a certificate").to_owned();
    assert!(certificate.contains("certificate 1 for lock"), "{certificate}");
    assert_eq!(session.lenses(6, URI)[2], (9, "safe".to_owned()));
    // The client was told to ask for lenses again, and shown that something runs.
    session.wait(|message| message["method"] == "workspace/codeLens/refresh");
    session.wait(|message| message["method"] == "window/workDoneProgress/create");
    session.wait(|message| message["params"]["value"]["kind"] == "begin");
    session.wait(|message| message["params"]["value"]["kind"] == "end");
    session.wait(|message| {
        let messages = message["params"]["diagnostics"].as_array();
        messages.is_some_and(|list| list.iter().any(|one| one["message"] == "safe"))
    });
    // An edit takes the verdict away.
    session.send(&change(URI, [(0, 0), (0, 0)], "\n"));
    assert_eq!(session.lenses(7, URI), titled(&[(10, "explore"), (10, "prove")]));
    session.end();
}

#[test]
fn a_violation_is_shown_with_its_run() {
    let mut session = Session::start();
    session.send(&open(URI, &LOCK.replace("  require free\n", "")));
    session.run(2, "explore", URI);
    let verdict = session.answer(2)["result"]["verdict"].clone();
    assert_eq!(verdict, "unsafe at node=2: [one] fails after 2 steps");
    let published = session.wait(|message| {
        let messages = message["params"]["diagnostics"].as_array();
        messages.is_some_and(|list| list.iter().any(|one| one["code"] == "verdict"))
    });
    let messages = published["params"]["diagnostics"].as_array().cloned().expect("a list");
    let found = messages.iter().find(|one| one["code"] == "verdict").expect("it was there");
    assert_eq!((&found["severity"], &found["range"]["start"]["line"]), (&json!(1), &json!(8)));
    let words = found["message"].as_str().expect("words");
    assert!(words.contains("1. take(") && words.contains("fails: "), "{words}");
    session.run(3, "prove", URI);
    let answer = session.answer(3);
    let verdict = answer["result"]["verdict"].as_str().expect("a verdict");
    assert!(verdict.starts_with("unsafe: [one] fails after 2 steps"), "{verdict}");
    session.end();
}

#[test]
fn a_certificate_is_checked_clause_by_clause() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    let read = |path: &str| std::fs::read_to_string(path).expect("the corpus is readable");
    let protocol = read("protocols/mutual-exclusion/lock_server.rml");
    write("lock_server.rml", &protocol).expect("the folder is writable");
    let uri = format!("file://{}/lock_server.cut", folder.path().display());
    let certificate = read("protocols/mutual-exclusion/lock_server.cut");
    let mut session = Session::start();
    session.send(&open(&uri, &certificate));
    assert_eq!(session.lenses(2, &uri), titled(&[(0, "check")]));
    session.run(3, "check", &uri);
    assert_eq!(session.answer(3)["result"]["verdict"], "safe");
    let lenses = session.lenses(4, &uri);
    let clauses = |lenses: &[(u64, String)], mark: &str| {
        lenses.iter().filter(|(_, title)| title.starts_with(mark)).count()
    };
    let lines = certificate.lines().filter(|line| line.trim().starts_with("gamma")).count();
    assert!(lines > 0, "{certificate}");
    assert_eq!(clauses(&lenses, "\u{2713} holds"), lines, "{lenses:#?}");
    // A clause that is too strong is pointed at.
    let gamma = certificate.lines().position(|line| line.trim().starts_with("gamma"));
    let gamma = u32::try_from(gamma.expect("a clause")).expect("a short text");
    session.send(&change(&uri, [(gamma, 0), (gamma, 0)], "  gamma [wrong] false\n"));
    session.run(5, "check", &uri);
    let verdict = session.answer(5)["result"]["verdict"].clone();
    assert!(verdict.as_str().is_some_and(|verdict| verdict.starts_with("unproved")), "{verdict}");
    let lenses = session.lenses(6, &uri);
    let wrong: Vec<&(u64, String)> =
        lenses.iter().filter(|(_, title)| title.starts_with("\u{2717} fails initially")).collect();
    assert_eq!(wrong.len(), 1, "{lenses:#?}");
    assert_eq!(wrong[0].0, u64::from(gamma));
    session.end();
}

#[test]
fn the_server_answers_while_a_proof_runs_and_an_edit_ends_it() {
    let mut session = Session::start();
    session.send(&open(URI, &slow()));
    session.run(2, "prove", URI);
    session.wait(|message| message["params"]["value"]["kind"] == "begin");
    let position = json!({ "line": 2, "character": 10 });
    let at = json!({ "textDocument": { "uri": URI }, "position": position });
    session.send(&request(3, "textDocument/hover", &at));
    assert!(session.answer(3)["result"]["contents"]["value"].is_string());
    let titles = session.lenses(4, URI);
    assert!(titles.iter().any(|(_, title)| title == "proving… (cancel)"), "{titles:?}");
    assert!(!session.seen.iter().any(|message| message["id"] == 2), "it is a long proof");
    session.send(&change(URI, [(0, 0), (0, 0)], "# edited\n"));
    assert_eq!(session.answer(2)["error"]["code"], -32801);
    let titles = session.lenses(5, URI);
    assert!(titles.iter().all(|(_, title)| title == "explore" || title == "prove"), "{titles:?}");
    session.end();
}

#[test]
fn a_client_cancels_what_it_asked_for() {
    let mut session = Session::start();
    session.send(&open(URI, &slow()));
    session.run(2, "prove", URI);
    session.wait(|message| message["params"]["value"]["kind"] == "begin");
    session.send(&notification("$/cancelRequest", &json!({ "id": 2 })));
    assert_eq!(session.answer(2)["error"]["code"], -32800);
    session.run(3, "prove", URI);
    let token = json!("rmlcut/3");
    session.wait(|message| message["params"]["token"] == token);
    session.send(&notification("window/workDoneProgress/cancel", &json!({ "token": token })));
    assert_eq!(session.answer(3)["error"]["code"], -32800);
    session.run(4, "prove", URI);
    session.run(5, "cancel", URI);
    assert_eq!(session.answer(4)["error"]["code"], -32800);
    assert_eq!(session.answer(5)["result"], Value::Null);
    // A second request replaces the first.
    session.run(6, "prove", URI);
    session.run(7, "explore", URI);
    assert_eq!(session.answer(6)["error"]["code"], -32800);
    session.send(&notification("$/cancelRequest", &json!({ "id": 7 })));
    assert_eq!(session.answer(7)["error"]["code"], -32800);
    session.end();
}

#[test]
fn searches_that_make_no_sense_are_refused() {
    let certificate = "file:///nowhere/lock.cut";
    let mut session = Session::start();
    session.send(&open(URI, "sort node\n"));
    session.send(&open("file:///nowhere/alone.cut", ""));
    session.run(2, "everything", URI);
    session.run(3, "prove", "file:///nowhere/closed.rml");
    session.run(4, "check", URI);
    session.run(5, "prove", "file:///nowhere/alone.cut");
    session.run(6, "check", "file:///nowhere/alone.cut");
    session.run(7, "prove", URI);
    session.send(&open(certificate, "invariant {\n"));
    session.run(8, "check", certificate);
    session.send(&request(9, "workspace/executeCommand", &json!({ "command": "rmlcut.prove" })));
    session.send(&framed("{}"));
    for (id, words) in [
        (2, "is not a command"),
        (3, "is not open"),
        (4, "only a certificate can be checked"),
        (5, "it can only be checked"),
        (6, "the protocol is not beside"),
        (7, "the text has errors: there is no `safety` line"),
        (8, "the text has errors"),
        (9, "the argument is the address of a text"),
    ] {
        let answer = session.answer(id);
        let said = answer["error"]["message"].as_str().unwrap_or_default().to_owned();
        assert!(said.contains(words), "{id}: {answer}");
    }
    session.end();
}

#[test]
fn requests_that_were_cancelled_while_they_waited_are_answered() {
    let mut session = Session::start();
    session.send(&open(URI, &slow()));
    // All at once: whether each is cancelled in time is the server's haste, but each is answered.
    let params = json!({ "textDocument": { "uri": URI } });
    let mut burst = String::new();
    for id in 100..140 {
        burst += &request(id, "textDocument/semanticTokens/full", &params);
    }
    for id in 100..140 {
        burst += &notification("$/cancelRequest", &json!({ "id": id }));
    }
    session.send(&burst);
    for id in 100..140 {
        let answer = session.answer(id);
        let is_cancelled = answer["error"]["code"] == -32800;
        assert!(is_cancelled || answer["result"]["data"].is_array(), "{answer}");
    }
    session.send(&notification("$/cancelRequest", &json!({ "id": "nothing" })));
    session.send(&notification("$/cancelRequest", &json!([])));
    session.end();
}

#[test]
fn other_languages_are_explored_and_proved() {
    let uri = "file:///nowhere/lock.pyv";
    let text = "sort node\nmutable relation holds(node)\nmutable relation free()\n\
        init !holds(N)\ninit free()\n\
        transition take(n: node)\n  modifies holds, free\n  & free() & !new(free())\n  \
        & (forall N. new(holds(N)) <-> holds(N) | N = n)\n\
        safety [one] holds(N) & holds(M) -> N = M\n";
    let mut session = Session::start();
    session.send(&open(uri, text));
    assert_eq!(session.lenses(2, uri), titled(&[(0, "explore"), (0, "prove")]));
    session.run(3, "explore", uri);
    let answer = session.answer(3);
    assert_eq!(answer["result"]["verdict"], "safe at every size up to node=2", "{answer}");
    let titles = session.lenses(4, uri);
    let verdict = "safe at every size up to node=2";
    assert!(titles.iter().any(|(_, title)| title == verdict), "{titles:?}");
    session.end();
}
