//! SARIF, JUnit XML and annotations: right for the programs that read them, whatever names occur.

use std::fs;

use serde_json::Value;

use super::{Folder, LOCK, PROOF, Run, broken, without};

/// Names that mean something to one format or another.
const HOSTILE: [&str; 6] = [
    "new\nline::error file=x::y.rml",
    "::error file=a,line=1::b.rml",
    "<&\"'>]]>.rml",
    "per%0Acent%,colon:.rml",
    "control\u{1}\u{1b}[31m\u{7f}.rml",
    "quote\"\\\u{202e}ünï.rml",
];

fn hostile() -> Folder {
    let folder = Folder::new(&[("z.rml", LOCK)]);
    for name in HOSTILE {
        folder.write(name, "sort\n");
    }
    folder
}

fn sarif(run: &Run) -> Value {
    let log: Value = serde_json::from_str(&run.out).expect("JSON");
    let absent = missing_parts(&log);
    assert_eq!(absent, Vec::<String>::new(), "{}", run.out);
    log
}

/// What SARIF 2.1.0 requires of the parts that we write and is not there.
fn missing_parts(log: &Value) -> Vec<String> {
    let mut missing = Vec::new();
    let mut need = |what: &str, is_met: bool| {
        if !is_met {
            missing.push(what.to_owned());
        }
    };
    need("version", log["version"] == "2.1.0");
    need("runs", log["runs"].as_array().is_some_and(|runs| !runs.is_empty()));
    for run in log["runs"].as_array().into_iter().flatten() {
        let driver = &run["tool"]["driver"];
        need("tool.driver.name", driver["name"].is_string());
        need("columnKind", run["columnKind"] == "unicodeCodePoints");
        let rules = driver["rules"].as_array().cloned().unwrap_or_default();
        need("rule.id", rules.iter().all(|rule| rule["id"].is_string()));
        for invocation in run["invocations"].as_array().into_iter().flatten() {
            need("executionSuccessful", invocation["executionSuccessful"].is_boolean());
            need("exitCode", invocation["exitCode"].is_u64());
        }
        need("results", run["results"].is_array());
        for result in run["results"].as_array().into_iter().flatten() {
            need("message.text", result["message"]["text"].is_string());
            let level = result["level"].as_str().unwrap_or_default();
            need("level", ["error", "warning", "note", "none"].contains(&level));
            let index = result["ruleIndex"].as_u64().unwrap_or(u64::MAX);
            let rule = usize::try_from(index).ok().and_then(|index| rules.get(index));
            need("ruleIndex", rule.is_some_and(|rule| rule["id"] == result["ruleId"]));
            let place = &result["locations"][0]["physicalLocation"];
            let uri = place["artifactLocation"]["uri"].as_str().unwrap_or_default();
            let legal = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/%:".contains(&byte);
            need("uri", !uri.is_empty() && uri.bytes().all(legal));
            if let Some(region) = place.get("region") {
                let at = |name: &str| region[name].as_u64().unwrap_or(0);
                need("startLine", at("startLine") >= 1 && at("startColumn") >= 1);
                need("endLine", at("endLine") >= at("startLine") && at("endColumn") >= 1);
            }
        }
    }
    missing
}

/// A percent-encoded text.
fn decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digits = [rest.next(), rest.next()].map(|digit| digit.expect("two digits"));
            let digits = std::str::from_utf8(&digits).expect("digits").to_owned();
            bytes.push(u8::from_str_radix(&digits, 16).expect("a number"));
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).expect("text")
}

#[test]
fn sarif_has_every_finding_with_its_place() {
    let folder = Folder::new(&[
        ("bad.rml", &broken()),
        ("good.rml", LOCK),
        ("odd.rml", &format!("{LOCK}action never(n: node) {{ require false; free := n = n }}\n")),
        ("wrong.rml", "sort node\nrelation r(nod)\n"),
    ]);
    let run = folder.run(&["synth", ".", "--format", "sarif"]);
    let log = sarif(&run);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let of = |name: &str| {
        let uri = |result: &&Value| {
            result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == name
        };
        results.iter().filter(uri).collect::<Vec<_>>()
    };
    let violated = of("bad.rml");
    assert_eq!(violated[0]["ruleId"], "violated");
    assert_eq!(violated[0]["message"]["text"], "unsafe: [one] fails after 2 steps at node=2");
    let region = &violated[0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&8.into(), &1.into()));
    assert!(of("good.rml").is_empty());
    assert!(of("odd.rml").iter().all(|result| result["level"] != "error"));
    assert!(of("odd.rml").iter().any(|result| result["ruleId"] == "coverage"), "{}", run.out);
    assert_eq!(of("wrong.rml")[0]["level"], "error");
    assert_eq!(of("wrong.rml")[0]["locations"][0]["physicalLocation"]["region"]["startLine"], 2);
    let files = log["runs"][0]["properties"]["files"].as_array().expect("files");
    let verdicts: Vec<&Value> = files.iter().map(|file| &file["verdict"]).collect();
    assert_eq!(verdicts, ["unsafe", "safe", "safe", "refused"]);
    assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], 64);
    assert_eq!(
        (run.code, &log["runs"][0]["invocations"][0]["executionSuccessful"]),
        (Some(64), &false.into())
    );
}

#[test]
fn a_refuted_obligation_is_found_in_the_certificate() {
    let proof = without("two");
    let folder = Folder::new(&[("lock.rml", LOCK), ("lock.cut", &proof)]);
    let run = folder.run(&["check", "lock.rml", "--format", "sarif"]);
    let log = sarif(&run);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let refuted = results.iter().find(|result| result["ruleId"] == "obligation").expect("one");
    let place = &refuted["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "lock.cut");
    assert_eq!(place["region"]["startLine"], 5);
    let run = folder.run(&["check", "lock.rml", "--format", "github"]);
    assert!(run.out.contains("\n::error file=lock.cut,line=5,col=9,"), "{}", run.out);
    assert!(run.out.contains("\n::error file=lock.rml,line=8,col=1,"), "{}", run.out);
    assert_eq!(run.code, Some(2));
}

#[test]
fn one_file_has_every_format() {
    let folder = Folder::new(&[("bad.rml", &broken()), ("lock.rml", LOCK), ("lock.cut", PROOF)]);
    for (arguments, code) in [
        (&["explore", "bad.rml"][..], 1),
        (&["synth", "bad.rml"], 1),
        (&["check", "lock.rml"], 0),
        (&["check", "bad.rml"], 3),
        (&["explore", "gone.rml"], 3),
        (&["report", "lock.rml"], 0),
        (&["explore", "bad.rml", "--size", "edge=2"], 64),
    ] {
        let run = |format| folder.run(&[arguments, &["--format", format]].concat());
        let log = run("sarif");
        sarif(&log);
        assert_eq!(log.code, Some(code), "{arguments:?}: {}", log.remarks);
        let xml = run("junit");
        assert_eq!(cases(&xml.out).len(), 1, "{}", xml.out);
        assert_eq!(xml.code, Some(code), "{arguments:?}");
        let lines = run("github");
        let is_marked = lines.out.lines().any(|line| line.starts_with("::error "));
        assert_eq!(is_marked, code != 0, "{arguments:?}: {}", lines.out);
        assert_eq!(lines.code, Some(code), "{arguments:?}");
    }
}

/// The test cases of a document, each with its name and what stands in it; the whole must be
/// well-formed.
fn cases(xml: &str) -> Vec<(String, Vec<String>)> {
    let legal = |c: char| matches!(c, '\t' | '\n' | '\r') || (c >= ' ' && c != '\u{7f}');
    assert!(xml.chars().all(legal), "{xml:?}");
    let body = xml.strip_prefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n").expect("a header");
    let (mut open, mut cases) = (Vec::new(), Vec::<(String, Vec<String>)>::new());
    for part in body.split('<').skip(1) {
        let (tag, text) = part.split_once('>').expect("a tag ends");
        assert!(!text.contains('>'), "{part}");
        for piece in text.split('&').chain(tag.split('&')).skip(1) {
            let known = ["amp;", "lt;", "gt;", "quot;", "apos;", "#9;", "#10;", "#13;"];
            let is_plain = !text.contains('&') && !tag.contains('&');
            assert!(
                is_plain
                    || piece == tag.split('&').next().unwrap_or_default()
                    || known.iter().any(|own| piece.starts_with(own)),
                "&{piece}"
            );
        }
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name));
            continue;
        }
        let name = tag.split([' ', '/']).next().expect("a name").to_owned();
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if name == "testcase" {
            let label = tag.split(" name=\"").nth(1).and_then(|rest| rest.split('"').next());
            cases.push((plain(label.expect("a name")), Vec::new()));
        } else if let Some((_, inside)) = cases.last_mut() {
            inside.push(name.clone());
        }
        if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    cases
}

/// A text of XML as it was.
fn plain(text: &str) -> String {
    let mut text = text.to_owned();
    for (name, c) in [
        ("#9", "\t"),
        ("#10", "\n"),
        ("#13", "\r"),
        ("lt", "<"),
        ("gt", ">"),
        ("quot", "\""),
        ("apos", "'"),
        ("amp", "&"),
    ] {
        text = text.replace(&format!("&{name};"), c);
    }
    text
}

#[test]
fn junit_has_a_case_for_each_file() {
    let folder =
        Folder::new(&[("bad.rml", &broken()), ("good.rml", LOCK), ("wrong.rml", "sort\n")]);
    let run = folder.run(&["synth", ".", "--format", "junit"]);
    let out = ["system-out"].map(str::to_owned);
    let with = |kind: &str| [kind.to_owned(), out[0].clone()].to_vec();
    assert_eq!(
        cases(&run.out),
        [
            ("./bad.rml".to_owned(), with("failure")),
            ("./good.rml".to_owned(), out.to_vec()),
            ("./wrong.rml".to_owned(), with("error")),
        ]
    );
    let counts = "tests=\"3\" failures=\"1\" errors=\"1\"";
    assert!(run.out.contains(&format!("<testsuites name=\"rmlcut\" {counts}>")), "{}", run.out);
    assert!(run.out.contains("1. take(node0)"), "the trace is shown: {}", run.out);
}

#[test]
fn hostile_names_are_text_in_every_format() {
    let folder = hostile();
    let mut names: Vec<String> = HOSTILE.iter().map(|name| format!("./{name}")).collect();
    names.sort();
    let run = folder.run(&["synth", ".", "--format", "sarif"]);
    let log = sarif(&run);
    let results = log["runs"][0]["results"].as_array().expect("results");
    let uri =
        |own: &Value| own["locations"][0]["physicalLocation"]["artifactLocation"]["uri"].clone();
    let mut found: Vec<String> =
        results.iter().map(|own| decoded(uri(own).as_str().expect("a name"))).collect();
    found.dedup();
    let below = |name: &String| name.strip_prefix("./").expect("below here").to_owned();
    assert_eq!(found, names.iter().map(below).collect::<Vec<_>>());

    let run = folder.run(&["synth", ".", "--format", "junit"]);
    let found: Vec<String> = cases(&run.out).into_iter().map(|(name, _)| name).collect();
    let spelt = |name: &String| {
        name.replace('\u{1}', "\\u{1}").replace('\u{1b}', "\\u{1b}").replace('\u{7f}', "\\u{7f}")
    };
    let mut expected: Vec<String> = names.iter().map(spelt).collect();
    expected.push("./z.rml".to_owned());
    assert_eq!(found, expected);

    let run = folder.run(&["synth", ".", "--format", "github"]);
    let commands: Vec<&str> =
        run.out.lines().filter(|line| line.trim_start().starts_with("::")).collect();
    let mut files = Vec::new();
    for command in commands {
        let (properties, message) =
            command.strip_prefix("::error ").and_then(|rest| rest.split_once("::")).expect("ours");
        let file = properties.split(',').next().and_then(|own| own.strip_prefix("file="));
        files.push(decoded(file.expect("a file")));
        assert!(properties.split(',').all(|own| own.contains('=')), "{command}");
        assert!(!message.is_empty());
    }
    files.dedup();
    let mut expected: Vec<String> = names.iter().map(spelt).map(|own| below(&own)).collect();
    expected.sort();
    assert_eq!(files, expected);
    assert!(run.out.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", run.out);
    let is_command = |line: &str| line.trim_start().starts_with("::") || line.contains("\n::");
    assert!(!run.remarks.lines().any(is_command), "{}", run.remarks);

    let run = folder.run(&["synth", "."]);
    assert_eq!(run.out.lines().count(), 1 + HOSTILE.len() + 1, "a line for each: {:?}", run.out);
    assert!(run.out.chars().all(|c| c == '\n' || !c.is_control()), "{:?}", run.out);
    let run = folder.run(&["synth", ".", "--format", "json"]);
    let json: Value = serde_json::from_str(&run.out).expect("JSON");
    let files = json["files"].as_array().expect("files").iter();
    let found: Vec<&str> = files.filter_map(|file| file["file"].as_str()).collect();
    assert_eq!(found[..HOSTILE.len()], names);
    assert!(fs::metadata(folder.path("z.rml")).is_ok());
}
