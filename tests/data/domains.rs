//! `rmlcut show domains`: which sorts are data, what Venus prints for them, and what is checked.

use rmlcut::certificate::digest;
use rmlcut::pipeline::{STAGES, StageRun, read_protocol};
use rmlcut::report;
use rmlcut::report::text::show::Detail;
use rmlcut::source::SourceFile;

use crate::certificates::composed::{CHANGES, CHANGES_OF_DATA, COPY, data};

fn file(path: &str) -> SourceFile {
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols").join(path);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|why| panic!("{path}: {why}"));
    SourceFile::new(path, text)
}

/// What is shown of a text, as text and as JSON.
fn shown(source: &SourceFile) -> (String, String) {
    let stage = STAGES.iter().find(|stage| stage.name == "domains").expect("a stage");
    let StageRun::OfEither(run) = stage.run else { panic!("it takes a certificate, or none") };
    let Ok(output) = run(source, None) else { panic!("{}: refused", source.name()) };
    let text = report::text::show::text(source, &output, Detail::Results);
    let json = report::json::shown(source, stage.name, &text, &output);
    (text, json)
}

/// What is printed and what is checked for each sort of data, in order.
fn cutoffs(path: &str) -> Vec<(Option<u64>, Option<u64>)> {
    let (text, json) = shown(&file(path));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let sorts = json["domains"].as_array().unwrap_or_else(|| panic!("{json}")).iter();
    let data = sorts.filter(|sort| sort["is_data"] == true);
    data.map(|sort| {
        assert_eq!(sort["printed"]["is_proof"], false, "{text}");
        (sort["printed"]["cutoff"].as_u64(), sort["checked"].as_u64())
    })
    .collect()
}

#[test]
fn the_printed_cutoffs_are_those_of_the_paper() {
    for name in ["consortium", "consortium_three", "consortium_broadcast", "consortium_check"] {
        let path = format!("agreement/data_{name}.mer");
        assert_eq!(cutoffs(&path), [(Some(3), Some(2))], "{name}");
    }
    assert_eq!(cutoffs("agreement/data_register.mer"), [(Some(2), Some(2))]);
    assert_eq!(cutoffs("agreement/data_register_two.mer"), [(Some(2), Some(2)); 2]);
}

#[test]
fn the_printed_conditions_accept_systems_that_have_no_such_cutoff() {
    assert_eq!(cutoffs("agreement/broken/data_two_elections.mer"), [(Some(2), None)]);
    assert_eq!(cutoffs("agreement/broken/data_pair_by_pair.mer"), [(Some(2), None)]);
}

#[test]
fn what_is_no_data_is_said_with_its_place() {
    let source = SourceFile::new(
        "sorts.rml",
        "sort node, value, id\nconstant none: value\norder le on id\nfunction pid(node): id\n\
         function stored(node): value\nrelation seen(value)\ninit stored(N) = none & ~seen(V)\n\
         action put(n: node, v: value) { stored(n) := v }\n\
         safety pid(N) = pid(M) -> le(pid(N), pid(M))\n",
    );
    let (text, _) = shown(&source);
    let wanted = [
        "node         not data: its values are not only stored and compared",
        "5:1: `stored` has something for each of its values",
        "value        data: only stored and compared, in stored, seen; named none",
        "3:1: `le` tells its values apart and never changes",
    ];
    for wanted in wanted {
        assert!(text.contains(wanted), "{wanted}\n{text}");
    }
}

#[test]
fn asking_about_all_values_is_more_than_comparing_them() {
    let source = SourceFile::new(
        "asks.rml",
        "sort value\nvariable last: value\nrelation seen(value)\n\
         action see(v: value) { seen(v) := true }\n\
         action end(v: value) {\n  require seen(V)\n  last := v\n}\nsafety seen(V) | ~seen(V)\n",
    );
    let (text, _) = shown(&source);
    assert!(text.contains("6:3: `end` asks about all of its values, or about any"), "{text}");
}

#[test]
fn a_relaxed_case_that_is_not_closed_is_no_cutoff() {
    let relaxed = CHANGES_OF_DATA.replace("GUARD", "v != stored(n) | v = rest");
    for (protocol, case, is_cutoff) in [(COPY, data(""), true), (CHANGES, relaxed, false)] {
        let source = SourceFile::new("example.rml", protocol);
        let (user, _) = read_protocol(&source).expect("it is right");
        let header = format!("certificate 1 for example\nsha256 {}\n\n", digest(&user));
        let text = header + &case.replace("CLOSING", "");
        let certificate = SourceFile::new("example.cut", text);
        let stage = STAGES.iter().find(|stage| stage.name == "domains").expect("a stage");
        let StageRun::OfEither(run) = stage.run else { panic!("it takes a certificate") };
        let Ok(output) = run(&source, Some(&certificate)) else { panic!("refused") };
        let shown = report::text::show::text(&source, &output, Detail::Results);
        assert_eq!(shown.contains("checked    2"), is_cutoff, "{shown}");
    }
}
