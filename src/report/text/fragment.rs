//! The sort graph of obligations, for people and programs.

use serde::Serialize;

use super::counts::{count, line};
use crate::explain::{CyclicObligation, Fragment, SortEdge};
use crate::report::json;

/// So many reasons are given for an edge; all of them with `--verbose`.
const FEW: usize = 3;

/// The graph as text: first whether it is stratified.
pub(super) fn text(fragment: &Fragment, all: bool) -> String {
    let mut out = String::new();
    let obligations = count(fragment.obligations, "obligation");
    match fragment.cyclic.len() {
        0 => line!(out, 0, "stratified: the solver decides all of {obligations}"),
        cyclic => line!(out, 0, "not stratified: {cyclic} of {obligations} may end as unknown"),
    }
    if !fragment.edges.is_empty() {
        line!(out, 0, "");
        line!(out, 0, "edges");
    }
    for SortEdge { from, to, because } in &fragment.edges {
        let shown = if all { because.len() } else { FEW };
        let more = because.len().saturating_sub(shown);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let because = because.iter().take(shown).cloned().collect::<Vec<_>>().join(", ");
        line!(out, 1, "{from} -> {to}: {because}{more}");
    }
    if !fragment.cyclic.is_empty() {
        line!(out, 0, "");
        line!(out, 0, "cycles");
    }
    for cyclic in &fragment.cyclic {
        let CyclicObligation { title, cycle, because } = cyclic;
        line!(out, 1, "{title}: {} (by {})", cycle.join(" -> "), because.join(", "));
    }
    out
}

#[derive(Serialize)]
struct FragmentReport<'a> {
    stratified: bool,
    obligations: usize,
    edges: Vec<EdgeReport<'a>>,
    cycles: Vec<CycleReport<'a>>,
}

#[derive(Serialize)]
struct EdgeReport<'a> {
    from: &'a str,
    to: &'a str,
    because: &'a [String],
}

#[derive(Serialize)]
struct CycleReport<'a> {
    obligation: &'a str,
    sorts: &'a [String],
    because: &'a [String],
}

/// The graph as JSON.
pub(super) fn data(fragment: &Fragment) -> json::Data {
    let edges = fragment.edges.iter();
    let cycles = fragment.cyclic.iter();
    json::data(&FragmentReport {
        stratified: fragment.cyclic.is_empty(),
        obligations: fragment.obligations,
        edges: edges
            .map(|edge| EdgeReport { from: &edge.from, to: &edge.to, because: &edge.because })
            .collect(),
        cycles: cycles
            .map(|own| CycleReport {
                obligation: &own.title,
                sorts: &own.cycle,
                because: &own.because,
            })
            .collect(),
    })
}
