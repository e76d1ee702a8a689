//! What the definitions of a protocol say of the states of a run.

use super::{Change, ShownValue};
use crate::logic::{Extent, evaluate_formula, print_application, tuples};
use crate::protocol::{NamedDefinition, Protocol, Rigidity, State, element_name};

/// Every instance of a definition that holds in a state; those that are rigid, or the others.
pub(super) fn facts(protocol: &Protocol, state: &State, rigidity: Rigidity) -> Vec<String> {
    let signature = &protocol.signature;
    let rigid = rigidity == Rigidity::Rigid;
    let own = signature.definitions().iter();
    let own = own.filter(|definition| signature.is_rigid(definition) == rigid);
    own.flat_map(|definition| values(protocol, state, definition))
        .filter_map(|(fact, holds)| (holds == Some(true)).then_some(fact))
        .collect()
}

/// Every instance of a definition that differs between two states.
pub fn defined_changes(protocol: &Protocol, before: &State, after: &State) -> Vec<Change> {
    let mut changes = Vec::new();
    for definition in protocol.signature.definitions() {
        let old = values(protocol, before, definition);
        let new = values(protocol, after, definition);
        for ((location, from), (_, to)) in old.into_iter().zip(new) {
            let both = from.zip(to).filter(|(from, to)| from != to);
            changes.extend(both.map(|(from, to)| Change {
                location,
                from: ShownValue::Truth(from),
                to: ShownValue::Truth(to),
            }));
        }
    }
    changes
}

/// The truth of a definition at all arguments; `None` where the state does not determine it.
fn values(
    protocol: &Protocol,
    state: &State,
    definition: &NamedDefinition,
) -> Vec<(String, Option<bool>)> {
    let NamedDefinition { name, params, body, .. } = definition;
    let extents: Option<Vec<Extent>> =
        params.iter().map(|param| state.extent(param.sort)).collect();
    let all = extents.iter().flat_map(|extents| tuples(extents));
    let values = all.map(|tuple| {
        let args = params.iter().zip(&tuple);
        let args: Vec<String> = args
            .map(|(param, value)| element_name(&protocol.signature, param.sort, *value).to_string())
            .collect();
        let at = params.iter().cloned().zip(tuple).collect();
        (print_application(name, &args), evaluate_formula(state, &at, body).ok())
    });
    values.collect()
}
