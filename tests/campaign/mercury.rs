//! Random Mercury processes, with and without sets, crashes and a written environment: what `synth`
//! says of them against what small instances show.

use std::collections::BTreeMap;
use std::time::Duration;

use rmlcut::budget::{Budget, Stop};
use rmlcut::finite::{ENGINES, FiniteOutcome, Question, Random, Silent, check};
use rmlcut::judge::Verdict;
use rmlcut::pipeline::{read_process, read_protocol};
use rmlcut::process::{Crash, Process};
use rmlcut::protocol::{Protocol, Size};
use rmlcut::prove::{Prefer, ProveConfig, prove_equals};
use rmlcut::source::SourceFile;
use rmlcut::synthesis::counters::{CounterAnswer, count};

use super::setting;
use crate::equals::build;
use crate::mercury::random;

/// The largest instance that is explored.
const LARGEST: u32 = 5;

/// A process of one of three kinds.
fn text(seed: u64) -> String {
    match seed % 3 {
        0 => random::process(seed),
        1 => random::with_environment(seed),
        _ => build::mercury(&build::random(&mut Random(seed))),
    }
}

/// The least number of processes that violate a property, and whether all sizes were explored.
fn least(protocol: &Protocol) -> (Option<u32>, bool) {
    let sort = protocol.signature.sorts().next().expect("the sort of processes");
    for processes in 1..=LARGEST {
        let size: Size = [(sort, processes)].into_iter().collect();
        let budget = Budget {
            max_states: 30_000,
            max_memory: 1 << 30,
            threads: 1,
            ..Budget::until(Stop::never())
        };
        match check(ENGINES[0], &Question::new(protocol, size), &budget, &Silent) {
            Ok(FiniteOutcome::Unsafe(..)) => return (Some(processes), true),
            Ok(FiniteOutcome::Safe(_)) => {}
            _ => return (None, false),
        }
    }
    (None, true)
}

/// Where counters decide: crashes everywhere, and no process knows another one.
fn counters_agree(protocol: &Protocol, process: &Process, explored: (Option<u32>, bool)) -> bool {
    if !process.links.is_empty() || process.crash != Crash::Everywhere {
        return true;
    }
    let (least, complete) = explored;
    match count(protocol, process, &Stop::never()) {
        CounterAnswer::Unsafe(processes) if processes <= LARGEST as usize => {
            !complete && least.is_none() || least.map(|own| own as usize) == Some(processes)
        }
        CounterAnswer::Unsafe(_) | CounterAnswer::Safe(_) => least.is_none(),
        CounterAnswer::NotApplicable(_) => true,
    }
}

#[test]
fn random_mercury_processes_are_judged_as_small_instances_show() {
    let first = setting("RMLCUT_SEED", 0) as u64;
    let number = setting("RMLCUT_MERCURY", 12) as u64;
    let time = Duration::from_millis(setting("RMLCUT_SYNTH_MS", 1_000) as u64);
    let mut verdicts: BTreeMap<&str, usize> = BTreeMap::new();
    for seed in first..first + number {
        let text = text(seed);
        let source = SourceFile::new("random.mer", text.clone());
        let (protocol, _) = read_protocol(&source).unwrap_or_else(|why| panic!("{text}\n{why:?}"));
        let process = read_process(&source).expect("a process");
        let explored = least(&protocol);
        assert!(counters_agree(&protocol, &process, explored), "seed {seed}: counters\n{text}");
        let config = ProveConfig {
            stop: Stop::never().within(time),
            prefer: Prefer::Invariant,
            patience: 1,
            proved: &|| {},
            residual: 3,
            threads: 1,
            progress: &Silent,
        };
        let (outcome, _) =
            prove_equals(&protocol, Some(&process), &config).expect("the solver answers");
        let verdict = match &outcome.verdict {
            Verdict::Safe => {
                assert_eq!(explored.0, None, "seed {seed}: safe, and {explored:?}\n{text}");
                "safe"
            }
            Verdict::Unsafe(found) => {
                let (_, property) = protocol.property(&found.claim).expect("a property");
                let replays = found.violation.trace.violates(&protocol, property);
                assert!(replays, "seed {seed}: no replay\n{text}");
                "unsafe"
            }
            _ => "unproved",
        };
        *verdicts.entry(verdict).or_default() += 1;
        *verdicts.entry("explored to the end").or_default() += usize::from(explored.1);
    }
    println!("seeds {first} to {}: {verdicts:?}", first + number - 1);
    assert!(verdicts.contains_key("unsafe"), "{verdicts:?}");
}
