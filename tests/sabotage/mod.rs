//! Mutants of the checker itself: for every line that soundness rests on, some test fails when the
//! line is wrong.
//!
//! The source stays as it is. A copy of the project is made in which each of these lines asks which
//! one is to be wrong; it is built once, and each test is run with its line made wrong.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]
// The long test says how far it is.
#![allow(clippy::print_stderr)]

mod complete;
mod engines;
mod judgement;
mod list;
mod mercury;
mod obligations;
mod rules;
mod workshop;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use list::{OWN_TESTS, SABOTAGE, Sabotage};
use workshop::{TestEnd, Workshop};

fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A line of the list in the text of its file: what is before it, the part itself, what follows.
fn parts<'a>(text: &'a str, own: &Sabotage) -> Option<(&'a str, &'a str, &'a str)> {
    let (before, rest) = own.line.split_once('«').unwrap_or(("", own.line));
    let (part, after) = rest.split_once('»').unwrap_or((rest, ""));
    let line = format!("{before}{part}{after}");
    let mut places = text.match_indices(&line);
    let (start, _) = places.next()?;
    if places.next().is_some() {
        return None;
    }
    let start = start + before.len();
    Some((&text[..start], &text[start..start + part.len()], &text[start + part.len()..]))
}

#[test]
fn every_line_of_the_list_is_in_the_source_once() {
    for own in SABOTAGE.iter() {
        let text = fs::read_to_string(project().join("src").join(own.file)).expect(own.file);
        assert!(parts(&text, own).is_some(), "{}: `{}` must be there once", own.file, own.line);
    }
}

#[test]
fn every_test_of_the_list_exists() {
    for own in SABOTAGE.iter() {
        let (suite, test) = own.suite_and_test();
        let (module, name) = test.rsplit_once("::").expect("a module and a name");
        let file = |folder: &Path, module: &str| {
            folder.join(module).to_string_lossy().replace("::", "/") + ".rs"
        };
        let source = project().join("src");
        let (alone, inside) =
            (file(&source, module), file(&source, module.trim_end_matches("::tests")));
        let file = match suite {
            OWN_TESTS if Path::new(&alone).exists() => alone,
            OWN_TESTS => inside,
            suite => file(&project().join("tests").join(suite), module),
        };
        let text = fs::read_to_string(&file).unwrap_or_else(|why| panic!("{file}: {why}"));
        let plain = text.contains(&format!("fn {name}("));
        assert!(plain || text.contains(&format!("\n    {name}: \"")), "{}", own.test);
    }
}

#[test]
fn no_line_is_mutated_twice_in_the_same_way() {
    let ways: BTreeSet<_> = SABOTAGE.iter().map(|own| (own.file, own.line, own.instead)).collect();
    assert_eq!(ways.len(), SABOTAGE.len());
}

/// The copy is made once: both tests below read it.
static WORKSHOP: LazyLock<Workshop> = LazyLock::new(|| Workshop::new(project()));

#[test]
#[ignore = "compiles the library once more; `.ci/run` does it"]
fn the_mutants_compile() {
    WORKSHOP.check();
}

/// The most time for a test without any sabotage.
const LONGEST: Duration = Duration::from_secs(1200);

/// A mutant may take this many times as long as the test itself, and some seconds more. One that
/// takes longer counts as noticed: the test does not pass.
const TIMES: u32 = 10;
const AT_LEAST: Duration = Duration::from_secs(20);

#[test]
#[ignore = "builds the project once more; run with `cargo test --test all sabotage:: -- --ignored`"]
fn every_mutant_is_killed() {
    // `RMLCUT_ONLY` chooses lines by words of what they are for, of their file or of their test,
    // separated by commas.
    let only = std::env::var("RMLCUT_ONLY").unwrap_or_default();
    let is_chosen = |own: &Sabotage| {
        only.split(',').any(|words| [own.why, own.file, own.test].iter().any(|t| t.contains(words)))
    };
    let chosen: Vec<(usize, &Sabotage)> = SABOTAGE
        .iter()
        .enumerate()
        .filter_map(|(number, own)| is_chosen(own).then_some((number, *own)))
        .collect();
    assert!(!chosen.is_empty(), "no line is about `{only}`");
    let programs = WORKSHOP.build();
    let mut limits: BTreeMap<&str, Duration> = BTreeMap::new();
    let mut unnoticed = Vec::new();
    for (number, own) in chosen {
        let (suite, test) = own.suite_and_test();
        let limit = *limits.entry(own.test).or_insert_with(|| {
            let start = Instant::now();
            let end = programs.run(suite, test, None, LONGEST);
            assert!(end == TestEnd::Passed, "{test} fails without any sabotage");
            start.elapsed() * TIMES + AT_LEAST
        });
        let start = Instant::now();
        let end = programs.run(suite, test, Some(number), limit);
        let word = match end {
            TestEnd::Passed => "NOT NOTICED",
            TestEnd::Failed => "noticed",
            TestEnd::OutOfTime => "out of time",
        };
        eprintln!("{:6.1} s {word}: {} ({})", start.elapsed().as_secs_f64(), own.why, own.file);
        if end == TestEnd::Passed {
            unnoticed.push(own.why);
        }
    }
    assert!(unnoticed.is_empty(), "{unnoticed:#?}");
}
