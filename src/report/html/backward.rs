//! The backward analysis as a graph: which action sets what which guard needs.

use crate::analysis::{ActionInvocation, BackwardResult, Facts, PropertyFacts, Subsumes};
use crate::picture::{GraphArrow, GraphNode, Markup, SymbolWords, graph};
use crate::protocol::Protocol;
use crate::report::text::analysis::atom_text;

/// A graph for each property.
pub(super) fn section(protocol: &Protocol, facts: &Facts, words: &SymbolWords) -> Markup {
    let mut out = Markup::new();
    out.element("p", &[("class", &"legend")], |legend| {
        legend.text(
            "Read from the right: the violation, the facts it needs (blue), the actions that set \
             them (orange), and what the guards of these actions need. ",
        );
        legend.leaf("code", &[], "*");
        legend.text(
            " is any element. A box that is pointed at shows what it is joined to; a click keeps \
             it so. The analysis guides the search; no verdict rests on it.",
        );
    });
    for (index, (property, own)) in protocol.properties.iter().zip(&facts.properties).enumerate() {
        out.leaf("h3", &[], &property.name);
        let (mut nodes, arrows) = drawn(protocol, facts, own, &property.name);
        for node in nodes.iter_mut().filter(|node| node.class == "clause") {
            node.label = in_words(&node.label, words);
        }
        out.element("figure", &[], |figure| {
            figure.append(&graph(&format!("analysis-{index}"), &nodes, &arrows));
        });
        table(&mut out, &nodes, &arrows);
    }
    out
}

/// `Start(*)` for `at_Start(*)`, and `ballot(*) = 2` for `ballot_is_2(*)`.
fn in_words(label: &str, words: &SymbolWords) -> String {
    let (sign, atom) = label.strip_prefix('~').map_or(("", label), |atom| ("~", atom));
    let (name, args) = atom.split_at(atom.find('(').unwrap_or(atom.len()));
    let Some(word) = words.get(name) else { return label.to_owned() };
    match word.text.split_once(" = ") {
        Some((variable, value)) => format!("{sign}{variable}{args} = {value}"),
        None => format!("{sign}{}{args}", word.text),
    }
}

/// The same as a table: every fact, what sets it, and what needs it.
fn table(out: &mut Markup, nodes: &[GraphNode], arrows: &[GraphArrow]) {
    let labels = |ends: Vec<usize>| {
        let mut labels: Vec<&str> = ends.iter().map(|end| nodes[*end].label.as_str()).collect();
        labels.dedup();
        labels.join(", ")
    };
    out.element("details", &[], |details| {
        details.leaf("summary", &[], "the same as a table");
        details.element("table", &[("class", &"plain mono")], |table| {
            table.element("tr", &[], |row| {
                ["fact", "set by", "needed by"].iter().for_each(|own| row.leaf("th", &[], own));
            });
            let facts = nodes.iter().enumerate().filter(|(_, node)| node.class == "clause");
            for (position, fact) in facts {
                let into = arrows.iter().filter(|arrow| arrow.to == position);
                let from = arrows.iter().filter(|arrow| arrow.from == position);
                let set_by = labels(into.map(|arrow| arrow.from).collect());
                let needed_by = labels(from.map(|arrow| arrow.to).collect());
                table.element("tr", &[], |row| {
                    row.leaf("td", &[], &fact.label);
                    row.leaf("td", &[], if set_by.is_empty() { "initial states" } else { &set_by });
                    row.leaf("td", &[], &needed_by);
                });
            }
        });
    });
}

fn drawn(
    protocol: &Protocol,
    facts: &Facts,
    own: &PropertyFacts,
    property: &str,
) -> (Vec<GraphNode>, Vec<GraphArrow>) {
    let PropertyFacts { violation, relevance, uses, .. } = own;
    let clause = |clause| atom_text::clause(&protocol.signature, violation, clause);
    let invocation = |it: &ActionInvocation| atom_text::invocation(protocol, violation, it);
    let clauses: Vec<_> = relevance.state().collect();
    let invocations: Vec<_> = relevance.actions().collect();
    let rounds = relevance.rounds;
    let mut nodes = vec![GraphNode {
        label: format!("violates {property}"),
        hint: property.to_owned(),
        class: "end",
        column: 2 * rounds + 2,
    }];
    nodes.extend(clauses.iter().map(|own| GraphNode {
        label: clause(own),
        hint: "a fact that a violation may need".to_owned(),
        class: "clause",
        column: 2 * (rounds - first_round(&relevance.found, *own)) + 1,
    }));
    nodes.extend(invocations.iter().map(|own| GraphNode {
        label: invocation(own),
        hint: "an action that may set it".to_owned(),
        class: "action",
        column: 2 * (rounds - first_round(&relevance.invoked, *own)) + 2,
    }));
    let action = |position: usize| 1 + clauses.len() + position;
    let mut arrows = Vec::new();
    for (position, uses) in uses.iter().enumerate() {
        let from = 1 + position;
        if uses.in_violation {
            let hint = "violated by this".to_owned();
            arrows.push(GraphArrow { from, to: 0, hint, class: "breaks" });
        }
        for (by, need) in &uses.needed_by {
            let footprint = &facts.footprints[invocations[*by].action];
            let hint = atom_text::need(protocol, invocations[*by].action, footprint, *need);
            arrows.push(GraphArrow { from, to: action(*by), hint, class: "needs" });
        }
        for by in &uses.set_by {
            let hint =
                format!("{} sets {}", invocation(invocations[*by]), clause(clauses[position]));
            arrows.push(GraphArrow { from: action(*by), to: from, hint, class: "sets" });
        }
    }
    (nodes, arrows)
}

/// The first round in which something, or a special case of it, was found.
fn first_round<T: Subsumes, R>(found: &[BackwardResult<T, R>], item: &T) -> usize {
    let own = found.iter().filter(|found| item.subsumes(&found.item));
    own.map(|found| found.round).min().unwrap_or(0)
}
