//! Phases, phase-compatibility and printed cutoffs of a process, as JSON.

use serde::Serialize;

use super::{Data, data};
use crate::analysis::phases::{Clause, Edit, Grant, Transition, independence};
use crate::report::text::analysis::phases::ShownPhases;

#[derive(Serialize)]
struct PhasesReport<'a> {
    process: &'a str,
    local_states: usize,
    phases: Vec<Vec<String>>,
    compatible: bool,
    compatible_without_initiability: bool,
    findings: Vec<FindingReport>,
    cutoffs: Vec<CutoffReport<'a>>,
}

#[derive(Serialize)]
struct FindingReport {
    clause: &'static str,
    event: String,
    state: String,
    place: Option<String>,
    initiable: bool,
    text: String,
    edits: Vec<EditReport>,
}

#[derive(Serialize)]
struct EditReport {
    text: String,
    small_instances_safe: Option<bool>,
    compatible: bool,
}

#[derive(Serialize)]
struct CutoffReport<'a> {
    property: &'a str,
    printed_simple_paths: Option<usize>,
    printed_walks: Option<usize>,
    holes_closed: Option<usize>,
    /// A way to what the property speaks of that others have a part in, and edits that were tried.
    dependent_way: Option<String>,
    edits: Vec<EditReport>,
}

/// The analysis as data.
pub fn json(shown: &ShownPhases<'_>) -> Data {
    let analysis = shown.analysis;
    let edits = |number: usize| {
        let own = shown.suggestions.iter().filter(move |own| own.finding == number);
        own.flat_map(|own| &own.edits).map(|edit| edit_report(shown, edit))
    };
    let findings = analysis.findings.iter().enumerate().map(|(number, finding)| {
        let leaf = finding.transition.unwrap_or(finding.because).leaf;
        FindingReport {
            clause: clause(finding.clause),
            event: shown.process.event(finding.event).name.to_string(),
            state: shown.state(finding.state),
            place: leaf.map(|leaf| shown.place(shown.process.leaves[leaf].span)),
            initiable: finding.initiable,
            text: shown.finding(finding),
            edits: edits(number).collect(),
        }
    });
    let phases = analysis.phases.iter();
    data(&PhasesReport {
        process: &shown.process.name,
        local_states: analysis.locals.states.len(),
        phases: phases
            .map(|phase| phase.iter().map(|state| shown.state(*state)).collect())
            .collect(),
        compatible: analysis.is_compatible(),
        compatible_without_initiability: analysis.is_strictly_compatible(),
        findings: findings.collect(),
        cutoffs: analysis
            .grants
            .iter()
            .map(|grant| CutoffReport {
                property: &grant.property,
                printed_simple_paths: grant.simple,
                printed_walks: grant.walks,
                holes_closed: grant.closed,
                dependent_way: way(grant).map(|way| shown.path(way)),
                edits: way(grant)
                    .map(|way| independence(shown.process, way))
                    .unwrap_or_default()
                    .iter()
                    .map(|edit| edit_report(shown, edit))
                    .collect(),
            })
            .collect(),
    })
}

fn edit_report(shown: &ShownPhases<'_>, edit: &Edit) -> EditReport {
    EditReport {
        text: shown.edit(edit),
        small_instances_safe: edit.safe,
        compatible: edit.compatible,
    }
}

/// The way that is shown where the printed conditions, with their holes closed, grant nothing.
fn way(grant: &Grant) -> Option<&[Transition]> {
    (grant.closed.is_none() && !grant.dependent.is_empty()).then_some(&grant.dependent[..])
}

fn clause(clause: Clause) -> &'static str {
    match clause {
        Clause::ActingReacts => "1",
        Clause::PhaseReacts => "2",
        Clause::ActorsAgree => "3(i)",
        Clause::ReactorsFollow => "3(ii)",
    }
}
