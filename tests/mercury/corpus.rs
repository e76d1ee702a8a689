//! The models of agreement-based systems: headers, index, state counts, and the broken ones.

use std::fs;
use std::path::{Path, PathBuf};

use rmlcut::finite::FiniteOutcome;

use super::{explore, explore_at, protocol};
use crate::support::corpus::{Expectation, expectation};
use crate::support::tables::{readme, rows};

/// The columns of the index of these models.
const INDEX: [&str; 4] = ["model", "from", "expect", "what it is"];

/// The columns of their state counts.
const COUNTS: [&str; 3] = ["model", "processes", "states"];

/// A model: its name below `protocols/agreement`, its text and its header.
struct Model {
    name: String,
    text: String,
    expectation: Expectation,
    from: String,
}

fn models() -> Vec<Model> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols/agreement");
    let mut found = Vec::new();
    for folder in [root.clone(), root.join("broken")] {
        for item in fs::read_dir(&folder).expect("the folder is readable") {
            let path: PathBuf = item.expect("the folder is readable").path();
            if path.extension().is_some_and(|extension| extension == "mer") {
                found.push(model(&root, &path));
            }
        }
    }
    found.sort_by(|left, right| left.name.cmp(&right.name));
    found
}

fn model(root: &Path, path: &Path) -> Model {
    let name = path.strip_prefix(root).expect("below the folder").to_string_lossy().into_owned();
    let text = fs::read_to_string(path).expect("a model is text");
    let line = |prefix: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix(prefix));
        line.unwrap_or_else(|| panic!("{name}: no line `{prefix}…`")).to_owned()
    };
    let expectation = expectation(&line("// expect: ")).expect("an expectation");
    Model { expectation, from: line("// from: "), name, text }
}

fn linked(cell: &str) -> Option<&str> {
    let (name, path) = cell.strip_prefix('[')?.strip_suffix(')')?.split_once("](agreement/")?;
    (path.strip_suffix(".mer")?.rsplit('/').next()? == name).then_some(path)
}

#[test]
fn the_index_repeats_the_headers() {
    let document = readme();
    let rows = rows(&document, &INDEX);
    let models = models();
    assert_eq!(rows.len(), models.len());
    for row in rows {
        let name = linked(&row[0]).expect("a link to a model");
        let model = models.iter().find(|model| model.name == name);
        let model = model.unwrap_or_else(|| panic!("{name} does not exist"));
        assert_eq!([&row[1], &row[2]], [&model.from, &model.expectation.to_string()], "{name}");
    }
}

#[test]
fn the_counts_are_found() {
    let models = models();
    let mut seen = 0;
    for row in rows(&readme(), &COUNTS) {
        let name = linked(&row[0]).expect("a link to a model");
        let model = models.iter().find(|model| model.name == name).expect("a model");
        let processes: u32 = row[1].parse().expect("a number");
        let stated: u64 = row[2].parse().expect("a number");
        let protocol = protocol("model.mer", &model.text);
        match explore(&protocol, processes) {
            FiniteOutcome::Safe(coverage) => {
                let states = coverage.visited.expect("every state was visited").states;
                assert_eq!(states, stated, "{name} with {processes} processes");
            }
            other => panic!("{name}: {other:?}"),
        }
        seen += 1;
    }
    assert!(seen >= 12);
}

#[test]
fn the_broken_are_unsafe_as_stated_and_not_before() {
    let mut seen = 0;
    for model in models() {
        let Expectation::Unsafe { size, steps, .. } = &model.expectation else { continue };
        let protocol = protocol("model.mer", &model.text);
        let least: Vec<(&str, u32)> = size
            .iter()
            .map(|(sort, number)| (&**sort, u32::try_from(*number).expect("a small number")))
            .collect();
        match explore_at(&protocol, &least) {
            FiniteOutcome::Unsafe(violation, _) => {
                assert_eq!(Some(violation.trace.steps.len()), *steps, "{}", model.name);
            }
            other => panic!("{}: {other:?}", model.name),
        }
        for (index, (sort, number)) in least.iter().enumerate() {
            for fewer in 1..*number {
                let mut size = least.clone();
                size[index] = (sort, fewer);
                let outcome = explore_at(&protocol, &size);
                assert!(matches!(outcome, FiniteOutcome::Safe(_)), "{} at {size:?}", model.name);
            }
        }
        seen += 1;
    }
    assert!(seen >= 17);
}

#[test]
fn the_safe_are_safe_with_three_processes() {
    for model in models() {
        if matches!(model.expectation, Expectation::Inductive | Expectation::Safe { .. }) {
            let protocol = protocol("model.mer", &model.text);
            let outcome = explore(&protocol, 3);
            assert!(matches!(outcome, FiniteOutcome::Safe(_)), "{}", model.name);
        }
    }
}
