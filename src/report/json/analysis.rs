//! The facts about a protocol as JSON.

use std::collections::BTreeSet;

use serde::Serialize;

use super::{Data, data};
use crate::analysis::{
    ActionInvocation, AtomValue, BackwardNeed, ClauseReason, ClauseUse, End, Facts, Footprint,
    NeededClause, OrderKind, PropertyFacts, RigidStructure,
};
use crate::protocol::{Property, PropertyKind, Protocol, Sort, SymbolId};
use crate::report::text::analysis::atom_text;

#[derive(Serialize)]
struct AnalysisReport<'a> {
    protocol: &'a str,
    actions: Vec<ActionReport<'a>>,
    rigid: StructureReport<'a>,
    properties: Vec<PropertyReport<'a>>,
}

#[derive(Serialize)]
struct ActionReport<'a> {
    action: &'a str,
    params: Vec<&'a str>,
    guards: Vec<String>,
    updates: Vec<UpdateReport>,
    reads: Vec<&'a str>,
    writes: Vec<&'a str>,
    rigid: Vec<&'a str>,
}

#[derive(Serialize)]
struct UpdateReport {
    update: String,
    reads: Vec<String>,
}

#[derive(Serialize)]
struct StructureReport<'a> {
    orders: Vec<OrderReport<'a>>,
    cyclic_orders: Vec<OrderReport<'a>>,
    injections: Vec<&'a str>,
    intersections: Vec<IntersectionReport<'a>>,
    extremes: Vec<ExtremeReport<'a>>,
}

#[derive(Serialize)]
struct OrderReport<'a> {
    relation: &'a str,
    sort: &'a str,
    /// Missing for a cyclic order.
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

#[derive(Serialize)]
struct IntersectionReport<'a> {
    members: &'a str,
    sets: [&'a str; 2],
    relations: [&'a str; 2],
}

#[derive(Serialize)]
struct ExtremeReport<'a> {
    constant: &'a str,
    order: &'a str,
    end: &'static str,
}

#[derive(Serialize)]
struct PropertyReport<'a> {
    property: &'a str,
    kind: &'static str,
    violators: Vec<ViolatorReport<'a>>,
    #[serde(rename = "S")]
    state: Vec<ClauseReport>,
    #[serde(rename = "A")]
    actions: Vec<String>,
    sorts: Vec<SortReport<'a>>,
    rounds: Vec<RoundReport>,
}

#[derive(Serialize)]
struct ViolatorReport<'a> {
    name: &'a str,
    sort: &'a str,
}

#[derive(Serialize)]
struct SortReport<'a> {
    sort: &'a str,
    violators: usize,
    others: bool,
}

#[derive(Serialize)]
struct ClauseReport {
    clause: String,
    in_violation: bool,
    needed_by: Vec<ReasonReport>,
    set_by: Vec<String>,
}

#[derive(Serialize)]
struct RoundReport {
    invocations: Vec<FoundInvocationReport>,
    clauses: Vec<FoundClauseReport>,
}

#[derive(Serialize)]
struct FoundInvocationReport {
    invocation: String,
    sets: String,
}

#[derive(Serialize)]
struct FoundClauseReport {
    clause: String,
    because: ReasonReport,
}

/// Why a clause matters: the word `violation`, or the invocation and where it reads the clause.
#[derive(Serialize)]
#[serde(untagged)]
enum ReasonReport {
    Violation(&'static str),
    Need { invocation: String, at: String },
}

/// The facts as JSON.
pub fn json(protocol: &Protocol, facts: &Facts) -> Data {
    let footprints = facts.footprints.iter().enumerate();
    let properties = protocol.properties.iter().zip(&facts.properties);
    data(&AnalysisReport {
        protocol: &protocol.name,
        actions: footprints.map(|(at, own)| action(protocol, at, own)).collect(),
        rigid: structure(protocol, &facts.structure),
        properties: properties
            .map(|(property, own)| PropertyContext { protocol, facts, own }.report(property))
            .collect(),
    })
}

fn action<'a>(protocol: &'a Protocol, index: usize, footprint: &Footprint) -> ActionReport<'a> {
    let (signature, action) = (&protocol.signature, &protocol.actions[index]);
    let atom = |read| atom_text::action_atom(signature, action, read);
    let names = |symbols: &BTreeSet<SymbolId>| {
        symbols.iter().map(|symbol| &*signature.symbol(*symbol).name).collect()
    };
    let updates = footprint.updates.iter().map(|update| UpdateReport {
        update: atom_text::update(signature, action, &update.atom),
        reads: update.reads(&AtomValue::<()>::Any).map(atom).collect(),
    });
    ActionReport {
        action: &action.name,
        params: action.params.iter().map(|param| &*param.name).collect(),
        guards: footprint.guards.iter().map(|guard| atom(&guard.atom)).collect(),
        updates: updates.collect(),
        reads: names(&footprint.reads()),
        writes: names(&footprint.writes()),
        rigid: names(&footprint.rigid),
    }
}

fn structure<'a>(protocol: &'a Protocol, structure: &RigidStructure) -> StructureReport<'a> {
    let signature = &protocol.signature;
    let name = |symbol: SymbolId| &*signature.symbol(symbol).name;
    let sort = |sort| &**signature.sort_name(sort);
    let orders = structure.orders.iter().map(|order| OrderReport {
        relation: name(order.relation),
        sort: sort(order.sort),
        strict: Some(order.kind == OrderKind::Strict),
    });
    let cyclic_orders = structure.cyclic_orders.iter().map(|order| OrderReport {
        relation: name(order.relation),
        sort: sort(order.sort),
        strict: None,
    });
    let intersections = structure.intersections.iter().map(|own| IntersectionReport {
        members: sort(own.first.members),
        sets: [sort(own.first.sets), sort(own.second.sets)],
        relations: [name(own.first.relation), name(own.second.relation)],
    });
    let extremes = structure.extremes.iter().map(|extreme| ExtremeReport {
        constant: name(extreme.constant),
        order: name(extreme.order),
        end: match extreme.end {
            End::Least => "least",
            End::Greatest => "greatest",
        },
    });
    StructureReport {
        orders: orders.collect(),
        cyclic_orders: cyclic_orders.collect(),
        injections: structure.injections.iter().map(|symbol| name(*symbol)).collect(),
        intersections: intersections.collect(),
        extremes: extremes.collect(),
    }
}

/// What the facts about one property are written with.
struct PropertyContext<'a> {
    protocol: &'a Protocol,
    facts: &'a Facts,
    own: &'a PropertyFacts,
}

impl<'a> PropertyContext<'a> {
    fn report(&self, property: &'a Property) -> PropertyReport<'a> {
        let relevance = &self.own.relevance;
        let state = relevance.state().zip(&self.own.uses);
        PropertyReport {
            property: &property.name,
            kind: match property.kind {
                PropertyKind::Safety => "safety",
                PropertyKind::Lemma => "lemma",
            },
            violators: self.violators(),
            state: state.map(|(clause, uses)| self.state_entry(clause, uses)).collect(),
            actions: relevance.actions().map(|own| self.invocation(own)).collect(),
            sorts: self.sorts(),
            rounds: (0..=relevance.rounds).map(|round| self.round(round)).collect(),
        }
    }

    fn violators(&self) -> Vec<ViolatorReport<'a>> {
        let violators = self.own.violation.violators.iter();
        violators
            .map(|var| ViolatorReport {
                name: &var.name,
                sort: match var.sort {
                    Sort::Declared(sort) => self.protocol.signature.sort_name(sort),
                    Sort::Int => "int",
                },
            })
            .collect()
    }

    fn sorts(&self) -> Vec<SortReport<'a>> {
        let sorts = self.own.sorts.iter().map(|need| SortReport {
            sort: self.protocol.signature.sort_name(need.sort),
            violators: need.violators.len(),
            others: need.others,
        });
        sorts.collect()
    }

    fn state_entry(&self, clause: &NeededClause, uses: &ClauseUse) -> ClauseReport {
        let invocations: Vec<&ActionInvocation> = self.own.relevance.actions().collect();
        let needed = uses.needed_by.iter().map(|(by, need)| self.need(invocations[*by], *need));
        let set = uses.set_by.iter().map(|by| self.invocation(invocations[*by]));
        ClauseReport {
            clause: self.clause(clause),
            in_violation: uses.in_violation,
            needed_by: needed.collect(),
            set_by: set.collect(),
        }
    }

    fn round(&self, round: usize) -> RoundReport {
        let relevance = &self.own.relevance;
        let clauses = relevance.found.iter().filter(|found| found.round == round);
        let clauses = clauses.map(|found| FoundClauseReport {
            clause: self.clause(&found.item),
            because: match found.because {
                ClauseReason::Violation => ReasonReport::Violation("violation"),
                ClauseReason::Needed { by, at } => self.need(&relevance.invoked[by].item, at),
            },
        });
        let invocations = relevance.invoked.iter().filter(|found| found.round == round);
        let invocations = invocations.map(|found| FoundInvocationReport {
            invocation: self.invocation(&found.item),
            sets: self.clause(&relevance.found[found.because.sets].item),
        });
        RoundReport { invocations: invocations.collect(), clauses: clauses.collect() }
    }

    fn need(&self, invocation: &ActionInvocation, need: BackwardNeed) -> ReasonReport {
        let footprint = &self.facts.footprints[invocation.action];
        let at = atom_text::need(self.protocol, invocation.action, footprint, need);
        ReasonReport::Need { invocation: self.invocation(invocation), at }
    }

    fn clause(&self, clause: &NeededClause) -> String {
        atom_text::clause(&self.protocol.signature, &self.own.violation, clause)
    }

    fn invocation(&self, invocation: &ActionInvocation) -> String {
        atom_text::invocation(self.protocol, &self.own.violation, invocation)
    }
}
