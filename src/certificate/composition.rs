//! The cutoff instance of a case as a protocol of its own, so that another certificate can be about
//! that very instance: each cut sort is the enumeration of its named elements, the actions are those
//! that answer, and everything that *finite* checks is a safety property.

use std::collections::{BTreeMap, BTreeSet};

use crate::logic::{Name, Term, substitute_formula};
use crate::protocol::{
    Property, PropertyKind, Protocol, Signature, Sort, StateTerm, StateVar, is_well_formed,
};

use super::{Case, element_var};

/// The sorts and symbols of `C`: a cut sort has its named elements and no others.
pub fn cutoff_signature(case: &Case) -> Signature {
    let listed = case.cut.iter().map(|cut| (cut.sort, cut.elements.clone()));
    case.small.signature.with_elements(listed)
}

/// The protocol whose instances are the cutoff instances of a case.
pub fn cutoff_system(case: &Case) -> Protocol {
    let mut system = all_actions(case);
    // A move that does not exist is refused elsewhere.
    let answering = case.answering_actions().into_iter();
    let actions = answering.filter_map(|action| system.actions.get(action).cloned());
    system.actions = actions.collect();
    system
}

/// The cutoff instance as *finite* has to explore it where actions name elements of `C`: these are
/// then not interchangeable. `None` if no action does.
pub fn labelled_system(case: &Case) -> Option<Protocol> {
    let names_none = |action| is_well_formed(&case.small.signature, action);
    (!case.small.actions.iter().all(names_none)).then(|| all_actions(case))
}

/// The cutoff instance with every action of the protocol that it runs.
fn all_actions(case: &Case) -> Protocol {
    let small = &case.small;
    let signature = cutoff_signature(case);
    let as_safety = |own: &Property| Property { kind: PropertyKind::Safety, ..own.clone() };
    let mut properties: Vec<Property> = small.properties.iter().map(as_safety).collect();
    let elements = named_elements(case);
    let reserved: BTreeSet<Name> = elements.keys().map(|var| var.name.clone()).collect();
    for only in &case.only {
        let known: BTreeSet<&Name> = properties.iter().map(|own| &own.name).collect();
        let numbered = (1_u32..).map(|number| Name::from(format!("only_{number}")));
        let mut names = std::iter::once(only.name.clone()).chain(numbered);
        let name = names.find(|name| !name.is_empty() && !known.contains(name));
        let name = name.expect("there are infinitely many names");
        let formula = substitute_formula(&only.formula, &elements);
        let named = (name, PropertyKind::Safety);
        properties.push(Property::new(named, &formula, &reserved, only.span));
    }
    let name = case.name.clone();
    Protocol { name, signature, properties, expected_runs: Vec::new(), ..small.clone() }
}

/// What the variables that stand for named elements stand for.
fn named_elements(case: &Case) -> BTreeMap<StateVar, StateTerm> {
    let of_cuts = case.cut.iter().flat_map(|cut| {
        (0..cut.elements.len()).map(|index| {
            let number = u32::try_from(index).expect("few elements");
            (element_var(cut, index), Term::element(number, Sort::Declared(cut.sort)))
        })
    });
    of_cuts.collect()
}
