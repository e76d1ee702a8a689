//! What QuickSilver's printed conditions grant, against what is true, over random processes.

use rmlcut::analysis::phases::{Grant, analyse_phases};
use rmlcut::budget::Stop;
use rmlcut::finite::Random;
use rmlcut::process::Process;
use rmlcut::process::local::LocalStates;
use rmlcut::synthesis::counters::covered;

use super::setting;
use crate::equals::build::{at_most, random};

/// Cutoffs that were granted, and those above which a size is unsafe that the cutoff is not.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally {
    granted: usize,
    wrong: usize,
}

impl Tally {
    fn count(&mut self, granted: Option<usize>, least: Option<usize>) {
        if let Some(cutoff) = granted {
            self.granted += 1;
            self.wrong += usize::from(least.is_some_and(|size| size > cutoff));
        }
    }
}

/// The least number of processes that violate the specification.
fn least(process: &Process, locals: &LocalStates) -> Option<usize> {
    let minimal = covered(process, locals, &Stop::never()).expect("few configurations");
    let initial = minimal.iter().filter(|states| states.iter().all(|state| *state == 0));
    initial.map(Vec::len).min()
}

#[test]
fn printed_cutoffs_against_the_truth() {
    let processes = setting("RMLCUT_PRINTED", 1_500);
    let mut source = Random(2021);
    let mut readings = [Tally::default(), Tally::default(), Tally::default()];
    let (mut cases, mut compatible) = (0, 0);
    for _ in 0..processes {
        let mut process = random(&mut source);
        let mut grants: Vec<(Grant, Option<usize>)> = Vec::new();
        for (bound, point) in (0..2).flat_map(|bound| (0..4).map(move |point| (bound, point))) {
            if point >= process.points.len() {
                continue;
            }
            process.specifications.clear();
            at_most(&mut process, bound, point);
            let analysis = analyse_phases(&process).expect("few local states");
            cases += 1;
            if !analysis.is_compatible() {
                continue;
            }
            compatible += 1;
            let least = least(&process, &analysis.locals);
            grants.extend(analysis.grants.into_iter().map(|grant| (grant, least)));
        }
        for (grant, least) in grants {
            let granted = [grant.simple, grant.walks, grant.closed];
            for (tally, granted) in readings.iter_mut().zip(granted) {
                tally.count(granted, least);
            }
        }
    }
    println!("{processes} processes, {cases} cases, {compatible} phase-compatible");
    for (reading, tally) in ["simple paths", "walks", "holes closed"].iter().zip(&readings) {
        println!("{reading}: {} granted, {} wrong", tally.granted, tally.wrong);
    }
    let [simple, walks, closed] = readings;
    assert!(simple.wrong > 0, "the printed lemma has counterexamples");
    assert!(walks.wrong <= simple.wrong && closed.wrong <= walks.wrong);
}
