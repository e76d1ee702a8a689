//! The facts about a protocol as JSON.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::analysis::{
    ActionInvocation, AtomValue, BackwardNeed, ClauseReason, ClauseUse, End, Facts, Footprint,
    NeededClause, OrderKind, PropertyFacts, RigidStructure, SortNeed,
};
use crate::protocol::{Property, PropertyKind, Protocol, Sort, SymbolId};

use crate::report::text::analysis::atom_text;

/// The facts as JSON.
pub fn json(protocol: &Protocol, facts: &Facts) -> Value {
    let footprints = facts.footprints.iter().enumerate();
    let properties = protocol.properties.iter().zip(&facts.properties);
    let texts = properties.map(|(property, of_property)| {
        PropertyJson { protocol, facts, of_property }.json(property)
    });
    json!({
        "protocol": &*protocol.name,
        "actions": footprints.map(|(at, it)| footprint(protocol, at, it)).collect::<Vec<_>>(),
        "rigid": structure(protocol, &facts.structure),
        "properties": texts.collect::<Vec<_>>(),
    })
}

fn footprint(protocol: &Protocol, index: usize, footprint: &Footprint) -> Value {
    let (signature, action) = (&protocol.signature, &protocol.actions[index]);
    let atom = |read| atom_text::action_atom(signature, action, read);
    let names = |symbols: BTreeSet<SymbolId>| -> Vec<String> {
        symbols.into_iter().map(|symbol| signature.symbol(symbol).name.to_string()).collect()
    };
    let updates = footprint.updates.iter().map(|update| {
        let reads: Vec<String> = update.reads(&AtomValue::<()>::Any).map(atom).collect();
        json!({ "update": atom_text::update(signature, action, &update.atom), "reads": reads })
    });
    json!({
        "action": &*action.name,
        "params": action.params.iter().map(|param| &*param.name).collect::<Vec<_>>(),
        "guards": footprint.guards.iter().map(|guard| atom(&guard.atom)).collect::<Vec<_>>(),
        "updates": updates.collect::<Vec<_>>(),
        "reads": names(footprint.reads()),
        "writes": names(footprint.writes()),
        "rigid": names(footprint.rigid.clone()),
    })
}

fn structure(protocol: &Protocol, structure: &RigidStructure) -> Value {
    let signature = &protocol.signature;
    let name = |symbol: SymbolId| signature.symbol(symbol).name.to_string();
    let sort = |sort| signature.sort_name(sort).to_string();
    let orders = structure.orders.iter().map(|order| {
        let strict = order.kind == OrderKind::Strict;
        json!({ "relation": name(order.relation), "sort": sort(order.sort), "strict": strict })
    });
    let cyclic = structure
        .cyclic_orders
        .iter()
        .map(|order| json!({ "relation": name(order.relation), "sort": sort(order.sort) }));
    let intersections = structure.intersections.iter().map(|it| {
        json!({
            "members": sort(it.first.members),
            "sets": [sort(it.first.sets), sort(it.second.sets)],
            "relations": [name(it.first.relation), name(it.second.relation)],
        })
    });
    let extremes = structure.extremes.iter().map(|extreme| {
        let end = match extreme.end {
            End::Least => "least",
            End::Greatest => "greatest",
        };
        json!({ "constant": name(extreme.constant), "order": name(extreme.order), "end": end })
    });
    json!({
        "orders": orders.collect::<Vec<_>>(),
        "cyclic_orders": cyclic.collect::<Vec<_>>(),
        "injections": structure.injections.iter().map(|it| name(*it)).collect::<Vec<_>>(),
        "intersections": intersections.collect::<Vec<_>>(),
        "extremes": extremes.collect::<Vec<_>>(),
    })
}

struct PropertyJson<'a> {
    protocol: &'a Protocol,
    facts: &'a Facts,
    of_property: &'a PropertyFacts,
}

impl PropertyJson<'_> {
    fn json(&self, property: &Property) -> Value {
        let relevance = &self.of_property.relevance;
        let kind = match property.kind {
            PropertyKind::Safety => "safety",
            PropertyKind::Lemma => "lemma",
        };
        let state = relevance.state().zip(&self.of_property.uses);
        let state = state.map(|(clause, uses)| self.state_entry(clause, uses));
        json!({
            "property": &*property.name,
            "kind": kind,
            "violators": self.violators(),
            "S": state.collect::<Vec<_>>(),
            "A": relevance.actions().map(|it| self.invocation(it)).collect::<Vec<_>>(),
            "sorts": self.sorts(),
            "rounds": (0..=relevance.rounds).map(|round| self.round(round)).collect::<Vec<_>>(),
        })
    }

    fn violators(&self) -> Vec<Value> {
        let signature = &self.protocol.signature;
        let sort = |sort| match sort {
            Sort::Declared(sort) => signature.sort_name(sort).to_string(),
            Sort::Int => "int".to_owned(),
        };
        let violators = self.of_property.violation.violators.iter();
        violators.map(|var| json!({ "name": &*var.name, "sort": sort(var.sort) })).collect()
    }

    fn sorts(&self) -> Vec<Value> {
        let name = |sort| self.protocol.signature.sort_name(sort).to_string();
        let value = |need: &SortNeed| {
            let violators = need.violators.len();
            json!({ "sort": name(need.sort), "violators": violators, "others": need.others })
        };
        self.of_property.sorts.iter().map(value).collect()
    }

    fn state_entry(&self, clause: &NeededClause, uses: &ClauseUse) -> Value {
        let invocations: Vec<&ActionInvocation> = self.of_property.relevance.actions().collect();
        let needed = uses.needed_by.iter().map(|(by, need)| self.need(invocations[*by], *need));
        let set = uses.set_by.iter().map(|by| self.invocation(invocations[*by]));
        json!({
            "clause": self.clause(clause),
            "in_violation": uses.in_violation,
            "needed_by": needed.collect::<Vec<_>>(),
            "set_by": set.collect::<Vec<_>>(),
        })
    }

    fn round(&self, round: usize) -> Value {
        let relevance = &self.of_property.relevance;
        let clauses = relevance.found.iter().filter(|found| found.round == round);
        let clauses = clauses.map(|found| {
            let because = match found.because {
                ClauseReason::Violation => json!("violation"),
                ClauseReason::Needed { by, at } => self.need(&relevance.invoked[by].item, at),
            };
            json!({ "clause": self.clause(&found.item), "because": because })
        });
        let invocations = relevance.invoked.iter().filter(|found| found.round == round);
        let invocations = invocations.map(|found| {
            let sets = self.clause(&relevance.found[found.because.sets].item);
            json!({ "invocation": self.invocation(&found.item), "sets": sets })
        });
        json!({
            "invocations": invocations.collect::<Vec<_>>(),
            "clauses": clauses.collect::<Vec<_>>(),
        })
    }

    fn need(&self, invocation: &ActionInvocation, need: BackwardNeed) -> Value {
        let footprint = &self.facts.footprints[invocation.action];
        let at = atom_text::need(self.protocol, invocation.action, footprint, need);
        json!({ "invocation": self.invocation(invocation), "at": at })
    }

    fn clause(&self, clause: &NeededClause) -> String {
        atom_text::clause(&self.protocol.signature, &self.of_property.violation, clause)
    }

    fn invocation(&self, invocation: &ActionInvocation) -> String {
        atom_text::invocation(self.protocol, &self.of_property.violation, invocation)
    }
}
