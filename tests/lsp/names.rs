//! Hover, definitions, references, renaming, completion, outlines and colours, after edits.

use serde_json::{Value, json};

use super::{answer, change, conversation, goodbye, initialize, open, request};

const PROTOCOL: &str = "file:///nowhere/lock.rml";
const CERTIFICATE: &str = "file:///nowhere/lock.cut";

const LOCK: &str = "\
sort node
sort status = { idle, busy }
# Who has the lock.
relation holds(node)
relation free
function state(node): status
init ~holds(N) & free
action take(n: node) {
  require free & state(n) = idle
  free := false
  holds(n) := true
}
safety [one] holds(N1) & holds(N2) -> N1 = N2
";

const PROOF: &str = "\
case two for one {
  params a: node, b: node
  violators N1 = a, N2 = b
  cut node = { x, y }
  sim node(n) := x if n = a else y
  gamma [held] holds_L(N) -> holds_C(sim(N))
  lockstep take(n) do take(sim(n))
}
";

fn place(line: u32, character: u32) -> Value {
    json!({ "line": line, "character": character })
}

/// A request about a place of a text.
fn about(id: i32, method: &str, uri: &str, at: (u32, u32), more: &Value) -> String {
    let mut params = json!({ "textDocument": { "uri": uri }, "position": place(at.0, at.1) });
    for (name, value) in more.as_object().into_iter().flatten() {
        params[name] = value.clone();
    }
    request(id, &format!("textDocument/{method}"), &params)
}

/// The answers to some requests about the protocol and its certificate, both open.
fn answers(asked: &[String]) -> Vec<Value> {
    let script = [initialize(&[]), open(PROTOCOL, LOCK), open(CERTIFICATE, PROOF), asked.concat()];
    let (messages, complaints, code) = conversation(&(script.concat() + &goodbye()));
    assert_eq!((complaints.as_str(), code), ("", Some(0)));
    (2..).take(asked.len()).map(|id| answer(&messages, id).clone()).collect()
}

/// The places of an answer: for each the file, the line and the column.
fn places(answer: &Value) -> Vec<(String, u64, u64)> {
    let place = |location: &Value| {
        let start = &location["range"]["start"];
        let file = location["uri"].as_str().and_then(|uri| uri.rsplit('/').next());
        let number = |field: &str| start[field].as_u64().expect("a number");
        (file.expect("an address").to_owned(), number("line"), number("character"))
    };
    answer["result"].as_array().expect("a list").iter().map(place).collect()
}

#[test]
fn a_name_says_what_it_is() {
    let none = &Value::Null;
    let answers = answers(&[
        about(2, "hover", PROTOCOL, (10, 3), none),
        about(3, "hover", PROTOCOL, (6, 12), none),
        about(4, "hover", PROTOCOL, (8, 30), none),
        about(5, "hover", CERTIFICATE, (5, 16), none),
        about(6, "hover", PROTOCOL, (0, 1), none),
        about(7, "hover", CERTIFICATE, (6, 12), none),
    ]);
    let text = |answer: &Value| answer["result"]["contents"]["value"].as_str().map(str::to_owned);
    let holds = text(&answers[0]).expect("a name");
    assert_eq!(
        holds,
        "```rml\nrelation holds(node)\n```\n\nAssigned by `take`.\n\nWho has the lock."
    );
    assert_eq!(text(&answers[1]).as_deref(), Some("```rml\nN: node\n```\n\nA variable."));
    assert!(text(&answers[2]).expect("a name").contains("An element of `status`."));
    let large = text(&answers[3]).expect("a name");
    assert!(large.contains("`holds_L` is `holds` in the large instance `L`."), "{large}");
    assert!(large.contains("Declared in lock.rml, line 4."), "{large}");
    assert_eq!(answers[4]["result"], Value::Null);
    assert!(text(&answers[5]).expect("a name").starts_with("```rml\naction take(n: node)\n```"));
}

#[test]
fn definitions_and_references_cross_from_text_to_text() {
    let declaration = json!({ "context": { "includeDeclaration": true } });
    let answers = answers(&[
        about(2, "definition", CERTIFICATE, (5, 16), &Value::Null),
        about(3, "references", PROTOCOL, (3, 10), &declaration),
        about(4, "references", CERTIFICATE, (2, 13), &declaration),
        about(5, "documentHighlight", PROTOCOL, (7, 12), &Value::Null),
        about(6, "definition", PROTOCOL, (7, 0), &Value::Null),
    ]);
    let location = &answers[0]["result"];
    assert_eq!(location["uri"], PROTOCOL);
    assert_eq!(location["range"]["start"], place(3, 9));
    let (rml, cut) = ("lock.rml".to_owned(), "lock.cut".to_owned());
    assert_eq!(
        places(&answers[1]),
        [
            (rml.clone(), 3, 9),
            (rml.clone(), 6, 6),
            (rml.clone(), 10, 2),
            (rml.clone(), 12, 13),
            (rml.clone(), 12, 25),
            (cut.clone(), 5, 15),
            (cut.clone(), 5, 29),
        ]
    );
    // The variable of the property that the certificate calls a violator.
    assert_eq!(places(&answers[2]), [(rml.clone(), 12, 19), (rml, 12, 38), (cut, 2, 12)]);
    let highlighted = answers[3]["result"].as_array().expect("a list");
    let kinds: Vec<u64> = highlighted.iter().filter_map(|one| one["kind"].as_u64()).collect();
    assert_eq!(kinds, [3, 2, 2], "{highlighted:#?}");
    assert_eq!(answers[4]["result"], Value::Null);
}

#[test]
fn a_new_name_reaches_both_open_texts() {
    let to = |name: &str| json!({ "newName": name });
    let answers = answers(&[
        about(2, "rename", PROTOCOL, (3, 10), &to("has_lock")),
        about(3, "rename", CERTIFICATE, (5, 16), &to("has_lock")),
        about(4, "rename", PROTOCOL, (3, 10), &to("free")),
        about(5, "rename", PROTOCOL, (3, 10), &to("require")),
        about(6, "rename", PROTOCOL, (3, 10), &to("n")),
        about(7, "rename", PROTOCOL, (0, 1), &to("x")),
        about(8, "prepareRename", CERTIFICATE, (5, 16), &Value::Null),
        about(9, "rename", CERTIFICATE, (1, 9), &to("x")),
        about(10, "rename", CERTIFICATE, (1, 9), &to("first")),
    ]);
    for renamed in &answers[..2] {
        let changes = &renamed["result"]["changes"];
        assert_eq!(changes[PROTOCOL].as_array().map(Vec::len), Some(5));
        let edits = changes[CERTIFICATE].as_array().expect("edits of the certificate");
        assert_eq!(edits.len(), 2);
        // Only the name is replaced, not the system behind it.
        let range = json!({ "start": place(5, 15), "end": place(5, 20) });
        assert_eq!(edits[0], json!({ "range": range, "newText": "has_lock" }));
    }
    for (answer, words) in answers[2..6].iter().zip([
        "already a relation (line 5)",
        "reserved word",
        "already a parameter (line 8)",
        "no name here",
    ]) {
        let said = answer["error"]["message"].as_str().expect("a refusal");
        assert!(said.contains(words), "{said}");
        assert_eq!(answer["error"]["code"], -32803);
    }
    assert_eq!(answers[6]["result"]["placeholder"], "holds");
    assert_eq!(answers[6]["result"]["range"]["end"], place(5, 20));
    let taken = answers[7]["error"]["message"].as_str().expect("a refusal");
    assert!(taken.contains("already an element of the cutoff instance"), "{taken}");
    assert_eq!(answers[8]["result"]["changes"][CERTIFICATE].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_text_with_syntax_errors_keeps_its_names() {
    let to = json!({ "newName": "has_lock" });
    let script = [
        initialize(&[]),
        open(PROTOCOL, LOCK),
        change(PROTOCOL, [(9, 10), (9, 15)], ":="),
        about(2, "rename", PROTOCOL, (3, 10), &to),
        about(3, "hover", PROTOCOL, (10, 3), &Value::Null),
        change(PROTOCOL, [(9, 10), (9, 12)], "false"),
        about(4, "rename", PROTOCOL, (3, 10), &to),
        goodbye(),
    ];
    let (messages, _, _) = conversation(&script.concat());
    let said = answer(&messages, 2)["error"]["message"].as_str().expect("a refusal").to_owned();
    assert!(said.contains("syntax errors"), "{said}");
    assert!(answer(&messages, 3)["result"]["contents"]["value"].is_string());
    assert_eq!(
        answer(&messages, 4)["result"]["changes"][PROTOCOL].as_array().map(Vec::len),
        Some(5)
    );
}

#[test]
fn proposals_fit_their_place() {
    // Each edit types something at the end of a text, and asks there.
    let typed = |id: i32, uri: &str, at: (u32, u32), text: &str| {
        let column = at.1 + u32::try_from(text.len()).expect("a short text");
        change(uri, [at, at], text) + &about(id, "completion", uri, (at.0, column), &Value::Null)
    };
    let script = [
        initialize(&[]),
        open(PROTOCOL, LOCK),
        open(CERTIFICATE, PROOF),
        typed(2, PROTOCOL, (8, 32), " & ho"),
        typed(3, PROTOCOL, (3, 19), ", st"),
        typed(4, CERTIFICATE, (0, 13), "o"),
        typed(5, CERTIFICATE, (5, 44), " & ho"),
        typed(6, CERTIFICATE, (8, 0), "rank "),
        typed(7, PROTOCOL, (13, 0), "saf"),
        goodbye(),
    ];
    let (messages, _, _) = conversation(&script.concat());
    let item = |id: i32, label: &str| {
        let items = answer(&messages, id)["result"].as_array().expect("a list");
        items.iter().find(|item| item["label"] == label).cloned()
    };
    let holds = item(2, "holds").expect("a relation");
    assert_eq!(holds["detail"], "relation holds(node)");
    assert_eq!(holds["documentation"], "Who has the lock.");
    assert_eq!(holds["textEdit"]["range"]["start"], place(8, 35));
    assert!(item(2, "n").is_some() && item(2, "idle").is_some() && item(2, "exists").is_some());
    assert!(item(2, "node").is_none() && item(2, "action").is_none() && item(2, "N1").is_none());
    assert!(item(3, "status").is_some() && item(3, "holds").is_none());
    assert!(item(4, "one").is_some() && item(4, "take").is_none());
    assert!(item(5, "holds_L").is_some() && item(5, "holds_C").is_some() && item(5, "x").is_some());
    assert!(item(6, "one").is_some() && item(6, "holds").is_none());
    assert!(item(7, "safety").is_some() && item(7, "holds").is_none());
}

#[test]
fn arguments_are_named_while_they_are_written() {
    let script = [
        initialize(&[]),
        open(PROTOCOL, LOCK),
        change(PROTOCOL, [(13, 0), (13, 0)], "safety state("),
        about(2, "signatureHelp", PROTOCOL, (13, 13), &Value::Null),
        about(3, "signatureHelp", PROTOCOL, (13, 3), &Value::Null),
        goodbye(),
    ];
    let (messages, _, _) = conversation(&script.concat());
    let help = &answer(&messages, 2)["result"];
    assert_eq!(help["signatures"][0]["label"], "state(node): status");
    assert_eq!(help["signatures"][0]["parameters"][0]["label"], "node");
    assert_eq!(help["activeParameter"], 0);
    assert_eq!(answer(&messages, 3)["result"], Value::Null);
}

#[test]
fn outlines_and_colours_follow_the_text() {
    let whole = |id: i32, method: &str, uri: &str| {
        request(id, &format!("textDocument/{method}"), &json!({ "textDocument": { "uri": uri } }))
    };
    let answers = answers(&[
        whole(2, "documentSymbol", PROTOCOL),
        whole(3, "documentSymbol", CERTIFICATE),
        whole(4, "semanticTokens/full", PROTOCOL),
        whole(5, "semanticTokens/full", CERTIFICATE),
    ]);
    let names = |list: &Value| -> Vec<String> {
        let items = list.as_array().into_iter().flatten();
        items.filter_map(|item| item["name"].as_str().map(str::to_owned)).collect()
    };
    let outline = &answers[0]["result"];
    assert_eq!(names(outline), ["node", "status", "holds", "free", "state", "init", "take", "one"]);
    assert_eq!(names(&outline[1]["children"]), ["idle", "busy"]);
    let case = &answers[1]["result"][0];
    assert_eq!(case["name"], "two");
    assert_eq!(names(&case["children"]), ["held", "take"]);
    // `sort` is a keyword, `node` a declared type; then the next line.
    let data: Vec<u64> = answers[2]["result"]["data"]
        .as_array()
        .map(|data| data.iter().filter_map(Value::as_u64).collect())
        .expect("numbers");
    assert_eq!(data[..15], [0, 0, 4, 0, 0, 0, 5, 4, 4, 1, 1, 0, 4, 0, 0]);
    assert!(answers[3]["result"]["data"].as_array().is_some_and(|data| data.len() > 100));
}

#[test]
fn texts_that_are_not_open_are_refused() {
    let script = [
        initialize(&[]),
        about(2, "hover", PROTOCOL, (0, 0), &Value::Null),
        open(PROTOCOL, LOCK),
        about(3, "hover", PROTOCOL, (99, 99), &Value::Null),
        about(4, "hover", "file:///nowhere/other.rml", (3, 10), &Value::Null),
        super::notification(
            "textDocument/didClose",
            &json!({ "textDocument": { "uri": PROTOCOL } }),
        ),
        about(5, "definition", PROTOCOL, (3, 10), &Value::Null),
        about(6, "completion", "not an address", (0, 0), &Value::Null),
        open("file:///nowhere/a.ivy", "#lang ivy1.7\ntype t\n"),
        about(7, "hover", "file:///nowhere/a.ivy", (1, 5), &Value::Null),
        goodbye(),
    ];
    let (messages, complaints, code) = conversation(&script.concat());
    for id in [2, 4, 5, 6] {
        assert_eq!(answer(&messages, id)["error"]["code"], -32602, "{id}");
    }
    for id in [3, 7] {
        assert_eq!(answer(&messages, id)["result"], Value::Null, "{id}");
    }
    assert_eq!((complaints.as_str(), code), ("", Some(0)));
}

#[test]
fn a_certificate_alone_is_not_renamed_into_a_closed_protocol() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("lock.rml"), LOCK).expect("the folder is writable");
    let uri = format!("file://{}/lock.cut", folder.path().display());
    let to = json!({ "newName": "has_lock" });
    let script = [
        initialize(&[]),
        open(&uri, PROOF),
        about(2, "definition", &uri, (5, 16), &Value::Null),
        about(3, "rename", &uri, (5, 16), &to),
        goodbye(),
    ];
    let (messages, _, _) = conversation(&script.concat());
    let target = answer(&messages, 2)["result"]["uri"].as_str().expect("an address").to_owned();
    assert_eq!(target, uri.replace(".cut", ".rml"));
    let said = answer(&messages, 3)["error"]["message"].as_str().expect("a refusal").to_owned();
    assert!(said.contains("open that file first"), "{said}");
}
