//! Quick fixes: applied to the text, each takes its message away.

use serde_json::{Value, json};

use super::{answer, change, conversation, goodbye, initialize, open, published, request};

/// The actions that are offered for a whole text.
fn actions(id: i32, uri: &str) -> String {
    let range = json!({
        "start": { "line": 0, "character": 0 },
        "end": { "line": 999, "character": 0 },
    });
    let params = json!({
        "textDocument": { "uri": uri },
        "range": range,
        "context": { "diagnostics": [], "only": ["quickfix"] },
    });
    request(id, "textDocument/codeAction", &params)
}

/// Opens a text, takes the only fix, and returns its title and how many errors are left.
fn mended(name: &str, beside: Option<(&str, &str)>, text: &str) -> (String, usize) {
    let uri = format!("file:///nowhere/{name}");
    let other = beside
        .map_or_else(String::new, |(name, text)| open(&format!("file:///nowhere/{name}"), text));
    let start = [initialize(&[]), other, open(&uri, text)].concat();
    let (messages, _, _) = conversation(&[start.clone(), actions(2, &uri), goodbye()].concat());
    let offered = answer(&messages, 2)["result"].as_array().cloned().expect("a list");
    let fix = offered.first().cloned().unwrap_or_default();
    let edit = &fix["edit"]["changes"][&uri][0];
    let at = |end: &str| {
        let number = |field: &str| edit["range"][end][field].as_u64().unwrap_or_default();
        let number = |field: &str| u32::try_from(number(field)).expect("a small number");
        (number("line"), number("character"))
    };
    let new = edit["newText"].as_str().unwrap_or_default();
    let edited = change(&uri, [at("start"), at("end")], new);
    let (messages, _, _) = conversation(&[start, edited, goodbye()].concat());
    let last = published(&messages, &uri).pop().expect("messages");
    let errors = last.iter().filter(|message| message["severity"] == 1).count();
    (fix["title"].as_str().unwrap_or("nothing is offered").to_owned(), errors)
}

const LOCK: &str = "\
sort node
relation holds(node)
relation free
init ~holds(N) & free
action take(n: node) {
  require free
  free := false
  holds(n) := true
}
safety [one] holds(N1) & holds(N2) -> N1 = N2
";

#[test]
fn hints_are_offered_as_edits() {
    for (right, wrong, title) in [
        ("  holds(n) := true", "  holdz(n) := true", "Replace `holdz` by `holds`"),
        ("init ~holds(N) & free", "init ~holdz(N) & free", "Replace `holdz` by `holds`"),
        ("take(n: node)", "take(n: nod)", "Replace `nod` by `node`"),
        ("N1) & holds", "N1) && holds", "Replace `&&` by `&`"),
        ("N1) & holds", "N1) /\\ holds", "Replace `/\\` by `&`"),
        ("N1) & holds", "N1) and holds", "Replace `and` by `&`"),
        ("free := false", "free = false", "Replace `=` by `:=`"),
        ("free := false", "free := FALSE", "Replace `FALSE` by `false`"),
        ("safety", "saftey", "Replace `saftey` by `safety`"),
        ("safety [one] holds", "safety one holds", "Replace `one` by `[one]`"),
        ("safety [one]", "safety [one]:", "Remove `:`"),
        ("require free", "require: free", "Remove `:`"),
        ("take(n: node) {", "take(n: node) = {", "Remove `=`"),
        ("require free", "require /\\ free", "Remove `/\\`"),
        ("false\n  holds", "false holds", "Replace `holds` by `; holds`"),
        ("relation free", "relation free // at first", "Replace `//` by `#`"),
        ("safety", "conjecture", "Replace `conjecture` by `safety`"),
    ] {
        let text = LOCK.replacen(right, wrong, 1);
        assert_ne!(text, LOCK, "{wrong}");
        assert_eq!(mended("lock.rml", None, &text), (title.to_owned(), 0), "{wrong}");
    }
}

#[test]
fn other_languages_are_mended_too() {
    let corpus = |path: &str| {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols");
        std::fs::read_to_string(root.join(path)).expect("a protocol of the corpus")
    };
    for (name, path, right, wrong) in [
        ("lock.mer", "agreement/lock_service.mer", "goto Candidate", "goto Candidat"),
        ("ring.rml", "machines/ring_token.rml", "network fifo", "network fif"),
    ] {
        let text = corpus(path).replacen(right, wrong, 1);
        assert_ne!(text, corpus(path), "{path}");
        let word = |text: &str| text.split(' ').next_back().unwrap_or_default().to_owned();
        let title = format!("Replace `{}` by `{}`", word(wrong), word(right));
        assert_eq!(mended(name, None, &text), (title, 0), "{path}");
    }
}

#[test]
fn every_place_of_a_mistake_has_its_fix() {
    let text = LOCK.replace("holds(N1) & holds(N2)", "holdz(N1) & holdz(N2)");
    let (title, errors) = mended("lock.rml", None, &text);
    assert_eq!((title.as_str(), errors), ("Replace `holdz` by `holds`", 1));
}

#[test]
fn a_certificate_gets_its_header() {
    let invariant =
        "invariant {\n  [one] (holds(N) -> ~free) & (holds(N) & holds(M) -> N = M)\n}\n";
    let (title, errors) = mended("lock.cut", Some(("lock.rml", LOCK)), invariant);
    assert!(title.starts_with("Insert `certificate 1 for lock … sha256 "), "{title}");
    assert_eq!(errors, 0);
    let old = format!("certificate 1 for lock\nsha256 {}\n\n{invariant}", "0".repeat(64));
    let (title, errors) = mended("lock.cut", Some(("lock.rml", LOCK)), &old);
    assert!(title.starts_with("Replace `0000"), "{title}");
    assert_eq!(errors, 0);
}

#[test]
fn searches_are_offered_where_there_are_no_lenses() {
    let uri = "file:///nowhere/lock.rml";
    let params = json!({
        "textDocument": { "uri": uri },
        "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } },
        "context": { "diagnostics": [] },
    });
    let asked = request(2, "textDocument/codeAction", &params);
    let (messages, _, _) =
        conversation(&[initialize(&[]), open(uri, LOCK), asked, goodbye()].concat());
    let offered = answer(&messages, 2)["result"].as_array().cloned().expect("a list");
    let commands: Vec<&Value> = offered.iter().map(|one| &one["command"]["command"]).collect();
    assert_eq!(commands, ["rmlcut.explore", "rmlcut.prove"]);
}
