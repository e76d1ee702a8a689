//! The facts about a protocol as text: `S` and `A` as in §2.3 of the paper, and why.

pub(crate) mod action_facts;
pub(crate) mod atom_text;
pub mod domains;
pub mod literal;
pub mod phases;

use crate::analysis::{
    ActionInvocation, ClauseReason, ClauseUse, Facts, NeededClause, PropertyFacts, SortNeed,
};
use crate::logic::{Declarations, print_formula, print_vars};
use crate::protocol::{OneState, Property, PropertyKind, Protocol};

use super::counts::{count, line};
use super::show::Detail;
use action_facts::{footprint_text, structure_text};

/// How wide a line may become before a set is broken.
const WIDTH: usize = 100;

/// The facts as text.
pub fn text(protocol: &Protocol, facts: &Facts, detail: Detail) -> String {
    let mut out = String::new();
    if detail == Detail::Steps {
        for (index, footprint) in facts.footprints.iter().enumerate() {
            out += &footprint_text(protocol, index, footprint);
        }
        out += "\n";
    }
    let structure = structure_text(protocol, &facts.structure);
    if !structure.is_empty() {
        out += &structure;
        out += "\n";
    }
    let properties = protocol.properties.iter().zip(&facts.properties);
    let texts = properties.map(|(property, of_property)| {
        PropertyText { protocol, facts, property, of_property }.text(detail)
    });
    out += &texts.collect::<Vec<_>>().join("\n");
    out
}

/// `S` and `A` of every property, as in §2.3 of the paper, without the reasons.
pub fn sets(protocol: &Protocol, facts: &Facts) -> String {
    let properties = protocol.properties.iter().zip(&facts.properties);
    let texts = properties.map(|(property, of_property)| {
        let text = PropertyText { protocol, facts, property, of_property };
        let mut out = format!("a violation of {} needs\n", property.name);
        out += &set("S", &text.state());
        out += &set("A", &text.actions());
        out
    });
    texts.collect()
}

struct PropertyText<'a> {
    protocol: &'a Protocol,
    facts: &'a Facts,
    property: &'a Property,
    of_property: &'a PropertyFacts,
}

impl PropertyText<'_> {
    fn text(&self, detail: Detail) -> String {
        let names: &dyn Declarations<OneState> = &self.protocol.signature;
        let kind = match self.property.kind {
            PropertyKind::Safety => "safety",
            PropertyKind::Lemma => "lemma",
        };
        let mut out = format!("{kind} {}\n", self.property.name);
        line!(out, 1, "violated by {}", self.violators(names));
        let violated = print_formula(names, &self.of_property.violation.formula);
        line!(out, 1, "when {violated}");
        if detail == Detail::Steps {
            out += &self.rounds();
        }
        let (state, actions) = (self.state(), self.actions());
        out += &set("S", &state);
        out += &set("A", &actions);
        line!(out, 1, "{}", self.counts(state.len()));
        line!(out, 1, "elements: {}", self.elements());
        out += &self.reasons();
        out
    }

    fn violators(&self, names: &dyn Declarations<OneState>) -> String {
        match self.of_property.violation.violators.as_slice() {
            [] => "no particular element".to_owned(),
            violators => print_vars(names, violators),
        }
    }

    fn state(&self) -> Vec<String> {
        let PropertyFacts { violation, relevance, .. } = self.of_property;
        atom_text::clauses(&self.protocol.signature, violation, relevance.state())
    }

    fn actions(&self) -> Vec<String> {
        let PropertyFacts { violation, relevance, .. } = self.of_property;
        atom_text::invocations(self.protocol, violation, relevance.actions())
    }

    fn counts(&self, clauses: usize) -> String {
        let relevance = &self.of_property.relevance;
        let mut actions: Vec<usize> = relevance.actions().map(|it| it.action).collect();
        actions.sort_unstable();
        actions.dedup();
        format!(
            "{}, {} of {}, after {}",
            count(clauses, "clause"),
            actions.len(),
            count(self.protocol.actions.len(), "action"),
            count(relevance.rounds, "round"),
        )
    }

    fn elements(&self) -> String {
        let needs = self.of_property.sorts.iter().map(|need| self.sort_need(need));
        needs.collect::<Vec<_>>().join(", ")
    }

    fn sort_need(&self, need: &SortNeed) -> String {
        let sort = self.protocol.signature.sort_name(need.sort);
        let others = if need.others { " + others" } else { "" };
        format!("{sort}={}{others}", need.violators.len())
    }

    fn reasons(&self) -> String {
        let relevance = &self.of_property.relevance;
        let mut out = String::new();
        for (clause, uses) in relevance.state().zip(&self.of_property.uses) {
            line!(out, 1, "{}", self.clause(clause));
            out += &self.uses(uses);
        }
        out
    }

    fn uses(&self, uses: &ClauseUse) -> String {
        let relevance = &self.of_property.relevance;
        let invocations: Vec<&ActionInvocation> = relevance.actions().collect();
        let mut out = String::new();
        if uses.in_violation {
            line!(out, 2, "violates {}", self.property.name);
        }
        for (by, need) in &uses.needed_by {
            let invocation = invocations[*by];
            let footprint = &self.facts.footprints[invocation.action];
            let need = atom_text::need(self.protocol, invocation.action, footprint, *need);
            line!(out, 2, "needed by {}: {need}", self.invocation(invocation));
        }
        let setters = uses.set_by.iter().map(|by| self.invocation(invocations[*by]));
        match setters.collect::<Vec<_>>().as_slice() {
            [] => line!(out, 2, "set by no action, only at the start"),
            setters => line!(out, 2, "set by {}", setters.join(", ")),
        }
        out
    }

    fn rounds(&self) -> String {
        let relevance = &self.of_property.relevance;
        let mut out = String::new();
        line!(out, 1, "start");
        for found in relevance.found.iter().filter(|found| found.round == 0) {
            line!(out, 2, "{}", self.clause(&found.item));
        }
        for round in 1..=relevance.rounds {
            line!(out, 1, "round {round}");
            out += &self.round(round);
        }
        out
    }

    /// The new invocations with what each sets, and under each the new clauses it needs.
    fn round(&self, round: usize) -> String {
        let relevance = &self.of_property.relevance;
        let mut out = String::new();
        for (position, found) in relevance.invoked.iter().enumerate() {
            let needed = self.newly_needed(round, position);
            if found.round != round && needed.is_empty() {
                continue;
            }
            let sets = self.clause(&relevance.found[found.because.sets].item);
            let invocation = self.invocation(&found.item);
            if found.round == round {
                line!(out, 2, "{invocation} sets {sets}");
            } else {
                line!(out, 2, "{invocation} again");
            }
            out += &needed;
        }
        out
    }

    fn newly_needed(&self, round: usize, invocation: usize) -> String {
        let relevance = &self.of_property.relevance;
        let action = relevance.invoked[invocation].item.action;
        let mut out = String::new();
        for found in relevance.found.iter().filter(|found| found.round == round) {
            if let ClauseReason::Needed { by, at } = found.because
                && by == invocation
            {
                let need =
                    atom_text::need(self.protocol, action, &self.facts.footprints[action], at);
                line!(out, 3, "needs {}: {need}", self.clause(&found.item));
            }
        }
        out
    }

    fn clause(&self, clause: &NeededClause) -> String {
        atom_text::clause(&self.protocol.signature, &self.of_property.violation, clause)
    }

    fn invocation(&self, invocation: &ActionInvocation) -> String {
        atom_text::invocation(self.protocol, &self.of_property.violation, invocation)
    }
}

/// `S = {a, b, c}`, broken between members when it gets too long.
fn set(name: &str, members: &[String]) -> String {
    let mut out = format!("  {name} = {{");
    let indent = out.len();
    let mut column = indent;
    for (index, member) in members.iter().enumerate() {
        let separator = if index == 0 { "" } else { ", " };
        if index > 0 && column + separator.len() + member.len() + 1 > WIDTH {
            out += ",\n";
            out += &" ".repeat(indent);
            column = indent;
        } else {
            out += separator;
            column += separator.len();
        }
        column += member.len();
        out += member;
    }
    out += "}\n";
    out
}
