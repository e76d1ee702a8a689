//! The state graph of a small instance, with a picture of the state that is picked.

use std::collections::BTreeSet;

use super::run::{FilmData, data};
use crate::analysis::RigidStructure;
use crate::logic::{VariableAssignment, evaluate_formula};
use crate::picture::{
    Filming, Frame, GraphArrow, GraphNode, Markup, Stage, SymbolWords, graph, own_names,
};
use crate::play::StateGraph;
use crate::protocol::{Protocol, print_size};
use crate::report::text::counts::count;
use crate::report::text::trace;

/// The graph and a picture.
pub(super) fn section(
    protocol: &Protocol,
    structure: &RigidStructure,
    words: &SymbolWords,
    own: &StateGraph,
) -> Markup {
    let mut out = Markup::new();
    let Some(first) = own.states.first() else { return out };
    let (states, steps) = (count(own.states.len(), "state"), count(own.steps.len(), "step"));
    let several = if own.instances > 1 {
        format!(" This is one of {} instances of this size.", own.instances)
    } else {
        String::new()
    };
    let size = print_size(protocol, &own.size);
    let text = format!(
        "{size}: {states}, {steps}. Initial states have a green border, states that violate a \
         property a red one; a click on a state draws it. A search visits \
         fewer of them: it counts symmetric ones once, and leaves out what the properties do not \
         depend on.{several}"
    );
    out.leaf("p", &[("class", &"legend")], text);
    let protocol = &protocol.with_names_of(&first.state);
    let name = own_names(protocol);
    let filming = Filming { protocol, structure, name: &name, words };
    let film = filming.film(&first.state, own.states.iter().skip(1).map(|state| &state.state)).ok();
    let film = film.filter(|film| film.too_large.is_none());
    let root: &[(&'static str, &dyn std::fmt::Display)] =
        &[("class", &"pick"), ("data-film", &"film-states"), ("tabindex", &0)];
    let drawn = nodes_and_arrows(protocol, own);
    let Some(film) = film else {
        let text = "The states are too large to be drawn; one that is pointed at shows its facts.";
        out.leaf("p", &[("class", &"note")], text);
        out.element("figure", &[], |figure| {
            figure.append(&graph("state-graph", &drawn.0, &drawn.1))
        });
        return out;
    };
    out.element("div", root, |pick| {
        pick.element("figure", &[], |figure| {
            figure.append(&graph("state-graph", &drawn.0, &drawn.1));
        });
        pick.element("figure", &[], |figure| {
            figure.leaf("figcaption", &[("class", &"title mono")], "state 0");
            let stage = Stage::new(&film, protocol, structure, &first.state);
            let frame = Frame::of(&film, 0, BTreeSet::new());
            figure.append(&stage.picture("picture-states", &frame));
        });
        pick.element("ul", &[("class", &"changes")], |_| {});
    });
    let titles = (1..).zip(&film.changes);
    let titles = titles
        .map(|(number, changes)| (format!("state {number}"), &*changes.added, &*changes.removed));
    data(
        &mut out,
        "film-states",
        &FilmData {
            first: "state 0",
            facts: film.items.iter().map(|item| item.fact.as_str()).collect(),
            start: &film.start,
            steps: titles.collect(),
            changes: false,
            marked: Vec::new(),
        },
    );
    out
}

fn nodes_and_arrows(protocol: &Protocol, own: &StateGraph) -> (Vec<GraphNode>, Vec<GraphArrow>) {
    let properties: Vec<_> =
        protocol.properties.iter().map(|property| (&property.name, property.formula())).collect();
    let nodes = own.states.iter().enumerate().map(|(number, state)| {
        let fails = properties.iter().find(|(_, formula)| {
            evaluate_formula(&state.state, &VariableAssignment::new(), formula) == Ok(false)
        });
        let facts = trace::atoms(protocol, &state.state, crate::protocol::Rigidity::Mutable);
        let facts = if facts.is_empty() { "no facts".to_owned() } else { facts.join("\n") };
        GraphNode {
            label: number.to_string(),
            hint: match fails {
                Some((name, _)) => format!("[{name}] fails\n{facts}"),
                None => facts,
            },
            class: match (fails, state.depth) {
                (Some(_), _) => "end",
                (None, 0) => "first",
                (None, _) => "",
            },
            column: state.depth,
        }
    });
    let mut arrows: Vec<GraphArrow> = Vec::new();
    for step in &own.steps {
        let hint = trace::invocation(protocol, &step.invocation);
        match arrows.iter_mut().find(|known| (known.from, known.to) == (step.from, step.to)) {
            Some(known) => known.hint = format!("{}\n{hint}", known.hint),
            None => arrows.push(GraphArrow { from: step.from, to: step.to, hint, class: "" }),
        }
    }
    (nodes.collect(), arrows)
}
