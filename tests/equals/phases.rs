//! The printed analysis, on the systems that show what is wrong with it.

use rmlcut::analysis::phases::{Clause, PhaseAnalysis, analyse_phases, suggestions};
use rmlcut::process::{EventKind, Participants, Process, Role};

use super::build::{RECEIVE, SEND, at_most, event, process};

fn analysed(process: &Process) -> PhaseAnalysis {
    analyse_phases(process).expect("few local states")
}

/// What is granted: with simple paths, with walks, with the holes closed.
fn granted(process: &Process) -> [Option<usize>; 3] {
    let grants = analysed(process).grants;
    [grants[0].simple, grants[0].walks, grants[0].closed]
}

#[test]
fn an_empty_set_of_paths_grants_a_wrong_cutoff() {
    let mut one = process(&["Start", "Home", "Target"]);
    let paths = [(SEND, 0, 1), (RECEIVE, 0, 2), (RECEIVE, 1, 1), (RECEIVE, 2, 2)];
    event(&mut one, EventKind::Broadcast, &paths);
    at_most(&mut one, 0, 2);
    assert_eq!(granted(&one), [Some(1), Some(1), None]);
}

#[test]
fn simple_paths_grant_a_wrong_cutoff() {
    let mut bounce = process(&["Start", "Target", "Side"]);
    let paths = [(SEND, 0, 1), (RECEIVE, 0, 0), (RECEIVE, 1, 2), (RECEIVE, 2, 1)];
    event(&mut bounce, EventKind::Broadcast, &paths);
    at_most(&mut bounce, 1, 1);
    assert_eq!(granted(&bounce), [Some(2), None, None]);
}

#[test]
fn an_election_is_two_phases() {
    let mut lock = process(&["Candidate", "Leader", "Replica"]);
    let partition = EventKind::Partition { participants: Participants::All, winners: 1 };
    event(&mut lock, partition, &[(Role::Win, 0, 1), (Role::Lose, 0, 2)]);
    event(&mut lock, EventKind::Broadcast, &[(SEND, 1, 0), (RECEIVE, 2, 0)]);
    at_most(&mut lock, 1, 1);
    let analysis = analysed(&lock);
    assert_eq!(analysis.phases.len(), 2);
    let clauses: Vec<Clause> = analysis.findings.iter().map(|finding| finding.clause).collect();
    assert_eq!(clauses, [Clause::ActingReacts], "the leader does not receive its own message");
}

#[test]
fn edits_are_shown_if_they_repair_the_clause() {
    let mut lock = process(&["Candidate", "Leader", "Replica"]);
    let partition = EventKind::Partition { participants: Participants::All, winners: 1 };
    event(&mut lock, partition, &[(Role::Win, 0, 1), (Role::Lose, 0, 2)]);
    event(&mut lock, EventKind::Broadcast, &[(SEND, 1, 0), (RECEIVE, 2, 0)]);
    at_most(&mut lock, 1, 1);
    let analysis = analysed(&lock);
    let suggestions = suggestions(&lock, &analysis);
    let edits = &suggestions[0].edits;
    assert!(!edits.is_empty());
    assert!(edits.iter().all(|edit| edit.safe == Some(true)), "{edits:?}");
}
