//! `rmlcut lsp` as an editor uses it: recorded conversations, and neovim where it is installed.

mod emacs;
mod fixes;
mod names;
mod neovim;
mod searches;

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

const LOCK: &str = "sort node\nrelation holds(node)\nrelation free\ninit ~holds(N) & free\n\
    action take(n: node) {\n  require free\n  free := false\n  holds(n) := true\n}\n\
    safety [one] holds(N1) & holds(N2) -> N1 = N2\n";

/// A message with its header.
fn framed(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

fn notification(method: &str, params: &Value) -> String {
    framed(&json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string())
}

fn request(id: i32, method: &str, params: &Value) -> String {
    framed(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }).to_string())
}

fn initialize(encodings: &[&str]) -> String {
    let general = json!({ "general": { "positionEncodings": encodings } });
    let start = request(1, "initialize", &json!({ "capabilities": general }));
    start + &notification("initialized", &json!({}))
}

fn open(uri: &str, text: &str) -> String {
    let document = json!({ "uri": uri, "languageId": "rml", "version": 1, "text": text });
    notification("textDocument/didOpen", &json!({ "textDocument": document }))
}

/// Replaces what is between two places, each a line and a column.
fn change(uri: &str, [from, to]: [(u32, u32); 2], text: &str) -> String {
    let at = |(line, character): (u32, u32)| json!({ "line": line, "character": character });
    let edit = json!({ "range": { "start": at(from), "end": at(to) }, "text": text });
    let document = json!({ "uri": uri, "version": 2 });
    let params = json!({ "textDocument": document, "contentChanges": [edit] });
    notification("textDocument/didChange", &params)
}

fn goodbye() -> String {
    request(99, "shutdown", &Value::Null) + &notification("exit", &Value::Null)
}

/// Everything that the server writes in a conversation, its complaints, and its exit code.
fn conversation(script: &str) -> (Vec<Value>, String, Option<i32>) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_rmlcut"))
        .arg("lsp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the server starts");
    let mut input = server.stdin.take().expect("the input is a pipe");
    input.write_all(script.as_bytes()).expect("the server reads");
    drop(input);
    let output = server.wait_with_output().expect("the server ends");
    let text = String::from_utf8(output.stdout).expect("messages are text");
    let bodies = text.split("Content-Length: ").skip(1);
    let bodies = bodies.map(|part| part.split_once("\r\n\r\n").expect("a header ends").1);
    let messages = bodies.map(|body| serde_json::from_str(body).expect("a message is JSON"));
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    (messages.collect(), complaints, output.status.code())
}

/// The published messages about a text, one list for each time.
fn published(messages: &[Value], uri: &str) -> Vec<Vec<Value>> {
    let published = messages.iter().filter(|message| {
        message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri
    });
    let lists = published.map(|message| message["params"]["diagnostics"].as_array().cloned());
    lists.map(|list| list.expect("a list of messages")).collect()
}

fn answer(messages: &[Value], id: i32) -> &Value {
    messages.iter().find(|message| message["id"] == id).expect("every request is answered")
}

#[test]
fn messages_follow_every_edit() {
    let uri = "file:///nowhere/lock.rml";
    let script = [
        initialize(&["utf-16"]),
        open(uri, LOCK),
        change(uri, [(7, 2), (7, 7)], "holdz"),
        change(uri, [(7, 2), (7, 7)], "holds"),
        goodbye(),
    ];
    let (messages, complaints, code) = conversation(&script.concat());
    let lists = published(&messages, uri);
    assert_eq!(lists.iter().map(Vec::len).collect::<Vec<_>>(), [0, 1, 0], "{lists:#?}");
    let message = &lists[1][0];
    assert_eq!(message["range"]["start"], json!({ "line": 7, "character": 2 }));
    assert_eq!(message["severity"], 1);
    assert!(message["message"].as_str().is_some_and(|text| text.contains("did you mean `holds`")));
    assert_eq!((complaints.as_str(), code), ("", Some(0)));
}

#[test]
fn columns_are_counted_as_agreed() {
    let uri = "file:///nowhere/wide.rml";
    // The place of `q` is column 13 in units of UTF-16 and 16 in bytes.
    let text = "sort node\nrelation p(node)\ninit ∀ X. ¬p(X)\nsafety ∀ X. ¬q(X)\n";
    for (offered, column) in [(vec!["utf-16"], 13), (vec!["utf-16", "utf-8"], 16), (vec![], 13)] {
        let script = [initialize(&offered), open(uri, text), goodbye()];
        let (messages, _, _) = conversation(&script.concat());
        let wrong = &published(&messages, uri)[0];
        let found = wrong.iter().find(|message| message["severity"] == 1);
        let start = &found.expect("`q` is not declared")["range"]["start"];
        assert_eq!(start, &json!({ "line": 3, "character": column }), "{offered:?}");
    }
}

#[test]
fn a_certificate_is_read_with_the_open_protocol() {
    let (protocol, certificate) = ("file:///nowhere/lock.rml", "file:///nowhere/lock.cut");
    let script = [
        initialize(&[]),
        open(certificate, "invariant { [one] holds(N1) & holds(N2) -> N1 = N2 }\n"),
        open(protocol, LOCK),
        goodbye(),
    ];
    let (messages, _, _) = conversation(&script.concat());
    let lists = published(&messages, certificate);
    assert!(lists[0][0]["message"].as_str().is_some_and(|text| text.contains("not beside")));
    assert!(
        lists[1][0]["message"]
            .as_str()
            .is_some_and(|text| text.contains("missing certificate header"))
    );
}

#[test]
fn other_languages_get_messages() {
    for name in ["a.ivy", "a.pyv", "a.mer", "a.ch"] {
        let uri = format!("file:///nowhere/{name}");
        let script = [initialize(&[]), open(&uri, "this is nothing\n"), goodbye()];
        let (messages, _, _) = conversation(&script.concat());
        assert!(!published(&messages, &uri)[0].is_empty(), "{name}");
    }
}

#[test]
fn texts_are_formatted() {
    let uri = "file:///nowhere/lock.rml";
    let format = |id| {
        let params = json!({ "textDocument": { "uri": uri },
            "options": { "tabSize": 2, "insertSpaces": true } });
        request(id, "textDocument/formatting", &params)
    };
    let script = [
        initialize(&[]),
        open(uri, "sort   node\nrelation p( node )\nsafety p(N)\n"),
        format(2),
        open(uri, "sort\n"),
        format(3),
        goodbye(),
    ];
    let (messages, _, _) = conversation(&script.concat());
    let edits = &answer(&messages, 2)["result"];
    assert!(edits[0]["newText"].as_str().is_some_and(|text| text.starts_with("sort node\n")));
    assert_eq!(edits[0]["range"]["end"], json!({ "line": 3, "character": 0 }));
    assert_eq!(answer(&messages, 3)["result"], Value::Null);
}

#[test]
fn nonsense_is_refused_and_the_server_lives() {
    let uri = "file:///nowhere/lock.rml";
    let script = [
        request(7, "textDocument/formatting", &json!({})),
        initialize(&[]),
        framed("{ this is not JSON"),
        framed("[1, 2]"),
        request(2, "textDocument/everything", &json!({})),
        request(3, "textDocument/formatting", &json!({ "textDocument": 5 })),
        request(4, "initialize", &json!({ "capabilities": {} })),
        notification("textDocument/didChange", &json!({ "textDocument": [] })),
        change("file:///nowhere/closed.rml", [(0, 0), (9, 9)], "x"),
        open(uri, LOCK),
        change(uri, [(999, 9), (5, 99_999)], "\n"),
        goodbye(),
    ];
    let (messages, complaints, code) = conversation(&script.concat());
    let code_of = |id: i32| answer(&messages, id)["error"]["code"].clone();
    assert_eq!(code_of(7), -32002);
    assert_eq!(code_of(2), -32601);
    assert_eq!(code_of(3), -32602);
    assert_eq!(code_of(4), -32600);
    let nameless = messages.iter().filter(|message| message["error"]["code"] == -32700);
    assert_eq!(nameless.count(), 2);
    assert_eq!(published(&messages, uri).len(), 2);
    assert_eq!((complaints.as_str(), code), ("", Some(0)));
}

#[test]
fn the_end_is_as_the_protocol_says() {
    let (_, complaints, code) = conversation(&notification("exit", &Value::Null));
    assert_eq!((complaints.as_str(), code), ("", Some(1)));
    let late = [initialize(&[]), request(2, "shutdown", &Value::Null)].concat()
        + &request(3, "shutdown", &Value::Null)
        + &notification("exit", &Value::Null);
    let (messages, _, code) = conversation(&late);
    assert_eq!((answer(&messages, 3)["error"]["code"].clone(), code), (json!(-32600), Some(0)));
    let (_, complaints, code) = conversation(&initialize(&[]));
    assert_eq!(complaints, "error: the editor closed the connection without `exit`\n");
    assert_eq!(code, Some(3));
}

#[test]
fn a_sketch_is_no_mistake() {
    let sketch = LOCK.replace("require free", "require ??");
    let uri = "file:///nowhere/lock.rml";
    let store = concat!(env!("CARGO_MANIFEST_DIR"), "/protocols/sketches/distributed_store.mer");
    let store = std::fs::read_to_string(store).expect("a sketch of the corpus");
    let process = "file:///nowhere/store.mer";
    let script = [initialize(&[]), open(uri, &sketch), open(process, &store), goodbye()];
    let (messages, _, _) = conversation(&script.concat());
    for (uri, line) in [(uri, 5), (process, 24)] {
        let list = &published(&messages, uri)[0];
        assert_eq!(list.len(), 1, "{list:#?}");
        assert_eq!(list[0]["severity"], 3);
        assert_eq!(list[0]["range"]["start"]["line"], line);
        assert!(list[0]["message"].as_str().is_some_and(|text| text.contains("rmlcut complete")));
    }
}
