//! Facts about a protocol: what its actions read and write, what a violation needs, what its rigid
//! symbols are. None of them is trusted: they guide a search whose results are checked.

mod atom;
mod atoms_read;
mod interference;
pub mod phases;
mod polarity;
mod provenance;
pub mod regions;
mod rigid_laws;
mod rigid_models;
mod scoped_names;
mod violation_sizes;

mod footprint;

mod violation;

mod causes;

mod backward;

mod data;

mod structure;

pub use atom::{
    ActionAtom, ActionInvocation, ActionLocal, AtomEntry, AtomValue, NeededAtom, NeededClause,
    Subsumes, Violator,
};
pub use backward::{
    BackwardNeed, BackwardResult, ClauseReason, InvocationReason, Relevance, trace_back,
};
pub use causes::{Cause, Instantiation, actions_that_set, instantiate, pattern_match};
pub use data::{DataBreak, DataBreakKind, DataSort, data_sorts};
pub use footprint::{
    Footprint, FootprintUpdate, Guard, GuardSource, UpdateSource, ValueReads, footprint, footprints,
};
pub use interference::{Consumption, QuantifiedGuard, consumptions, quantified_guards};
pub use provenance::{ClauseUse, clause_uses};
pub use structure::{
    CyclicOrder, End, Extreme, Intersection, Membership, Order, OrderKind, RigidStructure,
    rigid_structure,
};
pub use violation::{NegatedProperty, ViolationShape, violation};
pub use violation_sizes::{SortNeed, sort_needs};

use crate::protocol::Protocol;

/// Everything the analysis finds out about a protocol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// What each action reads and writes, in order.
    pub footprints: Vec<Footprint>,
    /// Which updates undo what guards need.
    pub consumptions: Vec<Consumption>,
    /// The quantifiers in guards.
    pub quantified_guards: Vec<QuantifiedGuard>,
    /// What the rigid symbols are.
    pub structure: RigidStructure,
    /// What a violation of each property needs, in order.
    pub properties: Vec<PropertyFacts>,
}

/// What a violation of one property needs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyFacts {
    /// The violation, with all violators different.
    pub violation: NegatedProperty,
    /// The clauses and invocations that can contribute to it.
    pub relevance: Relevance,
    /// Which invocations need and which set each clause of `S`.
    pub uses: Vec<ClauseUse>,
    /// What it needs of each sort.
    pub sorts: Vec<SortNeed>,
}

/// Analyses a protocol.
pub fn analyse(protocol: &Protocol) -> Facts {
    let footprints = footprints(protocol);
    let properties = protocol.properties.iter().map(|property| {
        let violation = violation(&protocol.signature, property, &ViolationShape::Distinct);
        analyse_violation(protocol, &footprints, violation)
    });
    Facts {
        properties: properties.collect(),
        consumptions: consumptions(&footprints),
        quantified_guards: quantified_guards(protocol),
        structure: rigid_structure(protocol),
        footprints,
    }
}

/// Analyses one violation: what it needs, which invocations need and set what, and how many elements.
pub fn analyse_violation(
    protocol: &Protocol,
    footprints: &[Footprint],
    violation: NegatedProperty,
) -> PropertyFacts {
    let relevance = trace_back(protocol, footprints, &violation.clauses);
    let uses = clause_uses(footprints, &violation, &relevance);
    let sorts = sort_needs(protocol, &violation, &relevance);
    PropertyFacts { violation, relevance, uses, sorts }
}
