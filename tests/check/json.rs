//! Certificates in their JSON form: read like the text, and refused at the very place.

use std::fs;

use rmlcut::certificate::outline_certificate;
use rmlcut::frontend::parse_certificate;
use rmlcut::pipeline::{Origin, read_certificate};
use rmlcut::report::json_certificate;
use rmlcut::source::SourceFile;
use serde_json::{Value, json};

use super::program::{Answer, Desk};
use super::verdicts::{HEADER, LOCK, TWO};
use super::{certificate, protocol};

fn written(body: &str) -> Value {
    let user = protocol(LOCK);
    let certificate = certificate(&user, &format!("{HEADER}{body}"));
    json_certificate::data(&outline_certificate(&user, &certificate))
}

/// Every message about a JSON text, each as `line:column message`.
fn messages(text: &str) -> Vec<String> {
    let source = SourceFile::new("lock.json", text);
    let parsed = parse_certificate(&source);
    let mut found = parsed.diagnostics;
    if found.is_empty() {
        let read = read_certificate(&protocol(LOCK), &source, Origin::AnyText);
        found = read.err().unwrap_or_default();
    }
    let place = |offset| source.position(offset);
    found.iter().map(|own| format!("{} {}", place(own.primary.span.start), own.message)).collect()
}

#[test]
fn what_show_writes_check_reads() {
    let desk = Desk::new(LOCK, TWO);
    let show = ["show", "certificate", "lock.rml", "--format", "json"];
    let shown = desk.command().args(show).output().expect("the program starts").stdout;
    fs::write(desk.path("lock.json"), &shown).expect("the folder is writable");
    let check = ["check", "lock.rml", "lock.json"];
    let answer = Answer::of(&desk.command().args(check).output().expect("the program starts"));
    assert_eq!((answer.first_line(), answer.code), ("safe", Some(0)), "{}", answer.err);
    let lost = String::from_utf8(shown).expect("text").replace("\"give\"", "\"take\"");
    desk.write("lock.json", &lost);
    let answer = Answer::of(&desk.command().args(check).output().expect("the program starts"));
    assert_eq!((answer.out.as_str(), answer.code), ("", Some(64)), "{}", answer.err);
    assert!(answer.err.contains("`take` is answered twice"), "{}", answer.err);
    assert!(answer.err.contains("lock.json:"), "{}", answer.err);
}

#[test]
fn a_refuted_obligation_is_shown_at_its_place_in_the_json() {
    let desk = Desk::new(LOCK, TWO);
    let mut own = written(&TWO.replace("do give(sim(n))", "stutter"));
    own["sha256"] = json!(rmlcut::certificate::digest(&protocol(LOCK)));
    own["protocol"] = json!("lock");
    desk.write("lock.json", &serde_json::to_string_pretty(&own).expect("JSON"));
    let check = ["check", "lock.rml", "lock.json"];
    let answer = Answer::of(&desk.command().args(check).output().expect("the program starts"));
    assert_eq!((answer.first_line(), answer.code), ("unproved: 1 gap", Some(2)), "{}", answer.err);
    let place = answer.out.split("\n✗ two: step give / keeps free\n  lock.json:").nth(1);
    let line = place.and_then(|rest| rest.split(':').next()).expect("a place");
    let text = fs::read_to_string(desk.path("lock.json")).expect("it is there");
    let line = text.lines().nth(line.parse::<usize>().expect("a line") - 1).expect("a line");
    assert!(line.contains("\"formula\": \"free_"), "{line}");
}

#[test]
fn the_forms_say_the_same() {
    let user = protocol(LOCK);
    for body in [
        TWO.to_owned(),
        "lemma [calm] free -> ~held(N)\nhistory relation seen(node)\nhistory init ~seen(N)\n\
         history after take { seen(n) := true }\nrank calm, one\ncase all for one {\n  \
         violators none\n  relax { action take(n: node) { held(n) := true } }\n  \
         only [calm] free -> ~held(N)\n  lockstep take(n) {\n    \
         when free_L do try take(n) then give(n)\n    otherwise stutter\n  }\n  \
         lockstep give stutter\n  close by invariant { [free] free }\n}\n"
            .to_owned(),
        "invariant {\n  [one] held(N) & held(M) -> N = M\n}\n".to_owned(),
    ] {
        let data = written(&body);
        // Some writers escape what need not be.
        let plain = data.to_string();
        let escaped = plain.replace('>', "\\u003e").replace('&', "\\u0026").replace('/', "\\/");
        for text in [plain, escaped] {
            let source = SourceFile::new("lock.json", text.clone());
            let read = read_certificate(&user, &source, Origin::AnyText);
            let read = read.map_err(|_| messages(&text)).expect("it is read");
            let again = json_certificate::data(&outline_certificate(&user, &read.certificate));
            assert_eq!(again, data);
        }
    }
}

/// `rmlcut synth -o lock.json` writes the text form, whatever the name.
#[test]
fn a_name_does_not_make_the_form() {
    let user = protocol(LOCK);
    let json = written(TWO).to_string();
    let text = format!("# a comment\n{HEADER}{TWO}");
    for (name, form) in [("lock.cut", &json), ("lock.json", &text), ("lock", &json)] {
        let read = read_certificate(&user, &SourceFile::new(name, form.as_str()), Origin::AnyText);
        assert!(read.is_ok(), "{name}: {form}");
    }
}

#[test]
fn wrong_json_is_refused_at_its_place() {
    let text = serde_json::to_string_pretty(&written(TWO)).expect("JSON");
    assert_eq!(messages(&text), Vec::<String>::new());
    let line = |part: &str| text.lines().position(|line| line.contains(part)).expect(part) + 1;
    let refused = |from: &str, to: &str, part: &str, message: &str| {
        assert!(text.contains(from), "{from}");
        let found = messages(&text.replacen(from, to, 1));
        let start = format!("{}:", line(part));
        let said = found.iter().any(|own| own.starts_with(&start) && own.contains(message));
        assert!(said, "{message} at {start}\n{found:#?}");
    };
    refused("\"lemmas\": []", "\"lemmas\": {}", "\"lemmas\"", "expected a list");
    refused("\"lemmas\": []", "\"lemmas\": [", "\"lemmas\"", "expected a value, found `,`");
    refused("\"format\": 1", "\"format\": 1.5", "\"format\"", "expected an integer");
    refused("\"format\": 1", "\"format\": 2", "\"format\"", "this is format 2");
    refused("\"rank\"", "\"ranks\"", "\"rank\"", "there is no key `ranks` here");
    refused("\"rank\": null", "\"lemmas\": []", "\"rank\"", "`lemmas` is given twice");
    refused("\"gamma\":", "\"gamma2\":", "\"gamma\":", "there is no key `gamma2` here");
    refused("\"na\"", "\"na nb\"", "\"na\"", "expected");
    refused("\"na\"", "7", "\"na\"", "expected a string");
    refused("\"try\": false", "\"try\": \"no\"", "\"try\": false", "expected `true` or `false`");
    refused("\"sim(n)\"", "\"sim(n), sim(n)\"", "\"sim(n)\"", "expected");
    refused("\"sim(n)\"", "\"sim(n\"", "\"sim(n)\"", "this parenthesis is never closed");
    refused("\"sim(n)\"", "\"sim(m)\"", "\"sim(n)\"", "unknown name `m`");
    let deep = format!("\"{}x{}\"", "(".repeat(500), ")".repeat(500));
    refused("\"sim(n)\"", &deep, "\"sim(n)\"", "nested more than");
}

/// What a string says cannot reach beyond its place.
#[test]
fn strings_are_not_pasted() {
    let text = serde_json::to_string_pretty(&written(TWO)).expect("JSON");
    for (from, to) in [
        ("\"sim(n)\"", "\"sim(n)) then take(sim(n)\""),
        ("\"name\": \"free\"", "\"name\": \"free] true\\n  gamma [other\""),
        ("\"name\": \"two\"", "\"name\": \"two for one { }\\ncase three\""),
        ("\"property\": \"one\"", "\"property\": \"one {\""),
    ] {
        assert!(text.contains(from), "{from}");
        assert!(!messages(&text.replacen(from, to, 1)).is_empty(), "{to}");
    }
}

#[test]
fn parts_that_the_text_form_cannot_leave_out_are_needed() {
    let mut none = written(TWO);
    none["cases"][0]["cut"][0]["elements"] = json!([]);
    let mut two = written(TWO);
    two["cases"][0]["cut"][0]["sim"]["params"] = json!(["n", "m"]);
    let mut silent = written(TWO);
    silent["cases"][0]["lockstep"][0]["alternatives"] = json!([]);
    for (wrong, message) in [
        (none, "`node` needs at least one element"),
        (two, "a map has one parameter"),
        (silent, "`take` has no alternative"),
    ] {
        let found = messages(&wrong.to_string());
        assert!(found.iter().any(|own| own.ends_with(message)), "{message}\n{found:#?}");
    }
}

#[test]
fn hostile_json_is_refused_soon() {
    for text in [
        "[".repeat(2_000_000),
        "{\"cases\":".repeat(200_000),
        "\"".to_owned() + &"\\".repeat(1_000_001),
        "\u{feff}{}".to_owned(),
        "{}".to_owned(),
        "null".to_owned(),
        "{\"certificate\": {\"certificate\": {}}}".to_owned(),
        format!("{{\"{}\": 1}}", "k".repeat(1_000_000)),
    ] {
        assert!(!messages(&text).is_empty(), "{}", text.chars().take(40).collect::<String>());
    }
}
