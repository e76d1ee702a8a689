//! The JSON forms against their schemas: everything that is written is described, and the other way
//! round.

use std::fs;
use std::path::Path;

use rmlcut::certificate::outline_certificate;
use rmlcut::report::json::certificate;
use serde_json::{Value, json};

use super::program::Desk;
use super::verdicts::{HEADER, LOCK, TWO};
use super::{certificate, protocol};

fn schema(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar").join(name);
    serde_json::from_str(&fs::read_to_string(path).expect("the schema is there")).expect("JSON")
}

/// What is wrong with a value, by the part of JSON Schema that our schemas use.
fn problems(root: &Value, schema: &Value, value: &Value, place: &str) -> Vec<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.trim_start_matches("#/$defs/");
        return problems(root, &root["$defs"][name], value, place);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let fits = |choice: &Value| problems(root, choice, value, place).is_empty();
        return if choices.iter().any(fits) {
            Vec::new()
        } else {
            vec![format!("{place}: {value}")]
        };
    }
    if let Some(words) = schema["enum"].as_array() {
        return if words.contains(value) { Vec::new() } else { vec![format!("{place}: {value}")] };
    }
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if schema["type"] != kind {
        return vec![format!("{place}: {kind}, not {}", schema["type"])];
    }
    let mut found = Vec::new();
    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
        found.extend(problems(root, &schema["items"], item, &format!("{place}[{index}]")));
    }
    for (key, inner) in value.as_object().into_iter().flatten() {
        let place = format!("{place}.{key}");
        match (&schema["properties"][key], &schema["additionalProperties"]) {
            (Value::Null, Value::Bool(false)) => found.push(format!("{place}: not described")),
            (Value::Null, Value::Null) => {}
            (Value::Null, other) => found.extend(problems(root, other, inner, &place)),
            (known, _) => found.extend(problems(root, known, inner, &place)),
        }
    }
    for name in schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if value.get(name).is_none() {
            found.push(format!("{place}: `{name}` is missing"));
        }
    }
    found
}

pub(crate) fn assert_fits(name: &str, value: &Value) {
    let schema = schema(name);
    let found = problems(&schema, &schema, value, "$");
    assert!(found.is_empty(), "{found:#?}");
}

fn report(desk: &Desk, options: &[&str]) -> Value {
    let arguments = [&["check", "lock.rml", "lock.cut", "--format", "json"], options].concat();
    let output = desk.command().args(arguments).output().expect("the program starts");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn reports_are_as_described() {
    let desk = Desk::new(LOCK, TWO);
    let safe = report(&desk, &["--smt2", "evidence"]);
    assert_eq!((&safe["verdict"], &safe["evidence"]["scripts"]), (&json!("safe"), &json!(11)));
    assert_fits("check.schema.json", &safe);
    let some = report(&desk, &["--only", "cover"]);
    assert_eq!(some["gaps"].as_array().map(Vec::len), Some(11));
    assert_fits("check.schema.json", &some);
    let desk = Desk::new(LOCK, &TWO.replace("do give(sim(n))", "stutter"));
    let unproved = report(&desk, &[]);
    assert_fits("check.schema.json", &unproved);
    let refuted = unproved["obligations"].as_array().expect("a list").iter();
    let mut refuted = refuted.filter(|own| own["answer"] == "refuted");
    let counterexample = &refuted.next().expect("one is refuted")["counterexample"];
    assert_eq!(counterexample["fails"]["facts"][1], json!({ "atom": "free_C", "holds": false }));
    let desk = Desk::new(&LOCK.replace("require held(n); free", "free"), TWO);
    let violated = report(&desk, &[]);
    assert_eq!(violated["cases"][0]["finite"]["result"], "violated");
    assert_fits("check.schema.json", &violated);
    desk.write("lock.cut", TWO);
    assert_fits("check.schema.json", &report(&desk, &["--rebase"]));
    let desk = Desk::new(LOCK, "invariant {\n  [one] held(N) & held(M) -> N = M\n}\n");
    assert_fits("check.schema.json", &report(&desk, &[]));
}

#[test]
fn certificates_are_as_described() {
    let user = protocol(LOCK);
    for body in [
        TWO.to_owned(),
        "lemma [free] free -> ~held(N)\nhistory relation seen(node)\nhistory init ~seen(N)\n\
         history after take { seen(n) := true }\nrank free, one\ncase all for one {\n  \
         violators none\n  relax { action take(n: node) { held(n) := true } }\n  \
         only [calm] free -> ~held(N)\n  lockstep take(n) {\n    \
         when free_L do try take(n) then give(n)\n    otherwise stutter\n  }\n  \
         lockstep give stutter\n  close by invariant { [free] free }\n}\n"
            .to_owned(),
        "invariant {\n  [one] held(N) & held(M) -> N = M\n}\n".to_owned(),
    ] {
        let certificate = certificate(&user, &format!("{HEADER}{body}"));
        let data = certificate::certificate(&outline_certificate(&user, &certificate));
        assert_fits("certificate.schema.json", &data);
    }
}

#[test]
fn the_description_bites() {
    let schema = schema("certificate.schema.json");
    let user = protocol(LOCK);
    let certificate = certificate(&user, &format!("{HEADER}{TWO}"));
    let data = certificate::certificate(&outline_certificate(&user, &certificate));
    let mut more = data.clone();
    more["cases"][0]["colour"] = json!("red");
    let mut less = data.clone();
    less["cases"][0].as_object_mut().expect("an object").remove("gamma");
    let mut other = data;
    other["cases"][0]["lockstep"][0]["alternatives"][0]["moves"][0]["try"] = json!("yes");
    for wrong in [more, less, other] {
        assert_eq!(problems(&schema, &schema, &wrong, "$").len(), 1);
    }
}
