//! The fuzz targets on stable: past crashes, and the texts of the repository damaged at random.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rmlcut::finite::replay::{EFFORT, ReplayAnswer, replay};
use rmlcut::pipeline::{read_protocol, read_trace};
use rmlcut::source::SourceFile;

use crate::agreement::dice::Dice;
use crate::campaign::setting;

#[path = "../../fuzz/entry.rs"]
mod entry;

/// A target with the folders that hold its seeds and the ending of their names.
struct Target {
    name: &'static str,
    run: fn(&str),
    seeds: &'static [&'static str],
    ending: &'static str,
}

/// Where the texts of the other languages are.
const LANGUAGES: &[&str] =
    &["protocols", "tests/accepted", "tests/ivy", "tests/mypyvy", "tests/rejected"];

const TARGETS: [Target; 8] = [
    Target {
        name: "rml",
        run: entry::rml,
        seeds: &["protocols", "tests/rejected", "tests/accepted"],
        ending: "rml",
    },
    Target { name: "ivy", run: entry::ivy, seeds: LANGUAGES, ending: "ivy" },
    Target { name: "mypyvy", run: entry::mypyvy, seeds: LANGUAGES, ending: "pyv" },
    Target { name: "mercury", run: entry::mercury, seeds: LANGUAGES, ending: "mer" },
    Target { name: "artifact", run: entry::artifact, seeds: LANGUAGES, ending: "ch" },
    Target { name: "cut", run: entry::cut, seeds: &["protocols", "fuzz/seeds"], ending: "cut" },
    Target { name: "itf", run: entry::itf, seeds: &["fuzz/seeds"], ending: "itf" },
    Target { name: "generated", run: entry::proved, seeds: &["tests/accepted"], ending: "rml" },
];

fn texts(folder: &str, ending: &str) -> Vec<String> {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == ending) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.iter().map(|path| fs::read_to_string(path).expect("a text")).collect()
}

/// Pieces that mean something in one of the languages.
const PIECES: &[&str] = &[
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    ",",
    ".",
    ":",
    ":=",
    "=",
    "~",
    "&",
    "|",
    "->",
    "<->",
    "*",
    "'",
    "forall X. ",
    "exists x:node. ",
    "if ",
    " else ",
    "require ",
    "init ",
    "sort s\n",
    "\n",
    "#",
    "9223372036854775807",
    "-1",
    "é",
    "\u{feff}",
    "\0",
    "_C",
    "_L'",
    "sim(",
    "stutter",
    "do ",
    "otherwise ",
    "\"",
    "null",
    "\\u12",
    "1e999",
    "action ",
    "individual ",
    "module ",
    "object ",
    "new(",
    "old(",
    "modifies ",
    "{\"#set\":[]}",
    "{\"#bigint\":\"2\"}",
    "\"node1\"",
    "node4000000000",
];

/// The texts that a target begins with.
fn seeds(target: &Target) -> Vec<String> {
    target.seeds.iter().flat_map(|folder| texts(folder, target.ending)).collect()
}

/// A text that differs from a seed at one or a few places.
fn damaged(seeds: &[String], dice: &mut Dice) -> String {
    let mut text: Vec<char> = dice.pick(seeds).chars().collect();
    for _ in 0..1 + dice.below(4) {
        let place = dice.below(text.len() + 1);
        let end = (place + dice.below(12)).min(text.len());
        match dice.below(4) {
            0 => drop(text.drain(place..end)),
            1 => {
                let piece = text[place..end].to_vec();
                let to = dice.below(text.len() + 1);
                text.splice(to..to, piece);
            }
            2 => {
                let other: Vec<char> = dice.pick(seeds).chars().collect();
                let from = dice.below(other.len() + 1);
                let until = (from + dice.below(40)).min(other.len());
                text.splice(place..end, other[from..until].iter().copied());
            }
            _ => drop(text.splice(place..end, dice.pick(PIECES).chars())),
        }
    }
    text.into_iter().collect()
}

/// Runs a target on damaged texts until the time or the number is up; returns how many there were
/// and the longest time of one.
fn fuzz(target: &Target, seed: u64, most: usize, time: Duration) -> (usize, Duration) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "{} has no seeds", target.name);
    let mut dice = Dice::new(seed);
    let start = Instant::now();
    let mut longest = Duration::ZERO;
    for count in 0..most {
        if start.elapsed() > time {
            return (count, longest);
        }
        let text = damaged(&seeds, &mut dice);
        let begun = Instant::now();
        let run = std::panic::catch_unwind(|| (target.run)(&text));
        assert!(run.is_ok(), "{} crashes on:\n{text}", target.name);
        longest = longest.max(begun.elapsed());
    }
    (most, longest)
}

#[test]
fn fuzz_seeds_and_past_crashes() {
    for target in &TARGETS {
        seeds(target).iter().for_each(|text| (target.run)(text));
        let crashes = texts(&format!("fuzz/crashes/{}", target.name), "txt");
        crashes.iter().for_each(|text| (target.run)(text));
    }
}

#[test]
fn the_fuzz_seeds_of_traces_are_runs() {
    let user = read_protocol(&SourceFile::new("traced.rml", entry::TRACED_PROTOCOL))
        .expect("it is right")
        .0;
    let answers = texts("fuzz/seeds", "itf").into_iter().map(|text| {
        let trace = read_trace(&user, &SourceFile::new("seed.itf", text)).expect("it is right").0;
        replay(&user, &trace, EFFORT).expect("an answer").answer
    });
    let failing = answers.map(|answer| match answer {
        ReplayAnswer::Run(failures) => failures.len(),
        other => panic!("{other:?}"),
    });
    assert_eq!(failing.collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn fuzz_for_a_moment() {
    for target in &TARGETS {
        let (count, _) = fuzz(target, 5, 300, Duration::from_secs(3));
        assert!(count > 0, "{}", target.name);
    }
}

#[test]
#[ignore = "the long run: see tests/campaign.md"]
fn fuzz_for_long() {
    let time = Duration::from_secs(setting("RMLCUT_SECONDS", 1_800) as u64);
    let seed = setting("RMLCUT_SEED", 500) as u64;
    for target in &TARGETS {
        let (count, longest) = fuzz(target, seed, usize::MAX, time);
        println!("| {} | {count} texts | longest {longest:?} |", target.name);
    }
}
