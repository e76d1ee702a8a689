//! What actions read and write, and what rigid symbols are, as text.

use crate::analysis::{AtomValue, End, Footprint, Intersection, OrderKind, RigidStructure};
use crate::logic::{Declarations, print_vars};
use crate::protocol::{OneState, Protocol, SymbolId};

use super::atom_text;
use crate::report::text::counts::line;

/// The guard atoms and updates of an action (§5.1 of the paper).
pub(crate) fn footprint_text(protocol: &Protocol, index: usize, footprint: &Footprint) -> String {
    let (signature, action) = (&protocol.signature, &protocol.actions[index]);
    let names: &dyn Declarations<OneState> = signature;
    let mut out = match action.params.as_slice() {
        [] => format!("action {}\n", action.name),
        params => format!("action {}({})\n", action.name, print_vars(names, params)),
    };
    for guard in &footprint.guards {
        let atom = atom_text::action_atom(signature, action, &guard.atom);
        line!(out, 1, "guard {atom}");
    }
    for update in &footprint.updates {
        let text = atom_text::update(signature, action, &update.atom);
        line!(out, 1, "update {text}");
        for read in update.reads(&AtomValue::<()>::Any) {
            let read = atom_text::action_atom(signature, action, read);
            line!(out, 2, "reads {read}");
        }
    }
    out
}

/// The rigid structure, a line for each fact.
pub(crate) fn structure_text(protocol: &Protocol, structure: &RigidStructure) -> String {
    let name = |symbol: SymbolId| &protocol.signature.symbol(symbol).name;
    let sort = |sort| protocol.signature.sort_name(sort);
    let mut out = String::new();
    for order in &structure.orders {
        let kind = match order.kind {
            OrderKind::Reflexive => "total order",
            OrderKind::Strict => "strict total order",
        };
        let (relation, sort) = (name(order.relation), sort(order.sort));
        line!(out, 0, "{relation} is a {kind} of {sort}");
    }
    for cycle in &structure.cyclic_orders {
        let (relation, sort) = (name(cycle.relation), sort(cycle.sort));
        line!(out, 0, "{relation} is a cyclic order of {sort}");
    }
    for function in &structure.injections {
        line!(out, 0, "{} is injective", name(*function));
    }
    for Intersection { first, second } in &structure.intersections {
        let (sets, others) = (sort(first.sets), sort(second.sets));
        let (one, two) = (name(first.relation), name(second.relation));
        let pair = if first == second {
            format!("any two of {sets} have a {} in common by {one}", sort(first.members))
        } else {
            let members = sort(first.members);
            format!("any {sets} and {others} have a {members} in common by {one} and {two}")
        };
        line!(out, 0, "{pair}");
    }
    for extreme in &structure.extremes {
        let end = match extreme.end {
            End::Least => "least",
            End::Greatest => "greatest",
        };
        let (constant, order) = (name(extreme.constant), name(extreme.order));
        line!(out, 0, "{constant} is the {end} by {order}");
    }
    out
}
