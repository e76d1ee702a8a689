//! What a proof owes, counted from the certificate alone: an obligation that nobody made is as open
//! as one that is refuted, so an empty list proves nothing.

use std::collections::BTreeSet;

use crate::certificate::{
    Case, Certificate, Closing, Invariant, Mode, ObligationKind, ProofArgument, statement_name,
};
use crate::logic::Name;
use crate::protocol::{Protocol, Statement};

use super::Judged;
use super::conclude::Gap;
use super::finite::tau_actions;

/// What the certificate owes as a whole: *cover* of every property, or all of an invariant.
pub(super) fn owed_by_whole(certificate: &Certificate) -> Vec<ObligationKind> {
    let large = &certificate.large;
    match &certificate.argument {
        ProofArgument::Cutoff(_) => {
            let names = large.properties.iter().map(|property| property.name.clone());
            names.map(|property| ObligationKind::Cover { property }).collect()
        }
        ProofArgument::Invariant(invariant) => {
            let actions: Vec<usize> = (0..large.actions.len()).collect();
            owed_by_invariant(large, &actions, &[], invariant)
        }
    }
}

/// *rigid*, *start*, *step* and *safety* of a case.
pub(super) fn owed_by_case(large: &Protocol, case: &Case) -> Vec<ObligationKind> {
    let axioms = names(&case.small.axioms).map(|axiom| ObligationKind::Rigid { axiom });
    let inits = names(&case.small.init).map(|init| ObligationKind::StartInit { init });
    let mut owed: Vec<ObligationKind> = axioms.chain(inits).collect();
    for clause in &case.gamma {
        owed.push(ObligationKind::StartGamma { clause: clause.name.clone() });
    }
    for (position, action) in large.actions.iter().enumerate() {
        let alternatives = case.lockstep.get(position).into_iter().flatten();
        for (alternative, answer) in (1..).zip(alternatives) {
            let fired = (1..).zip(&answer.moves).filter(|(_, next)| next.mode == Mode::Fire);
            owed.extend(fired.map(|(position, _)| ObligationKind::Enabled {
                action: action.name.clone(),
                alternative,
                position,
            }));
            owed.extend(case.gamma.iter().map(|clause| ObligationKind::Keeps {
                action: action.name.clone(),
                alternative,
                clause: clause.name.clone(),
            }));
        }
    }
    let property = &large.properties[case.property].name;
    owed.push(ObligationKind::Safety { property: property.clone() });
    owed
}

/// What the invariant that closes a case owes; `None` if the case is closed by search.
pub(super) fn owed_by_closing(case: &Case) -> Option<Vec<ObligationKind>> {
    let Closing::Invariant(invariant) = &case.closing else { return None };
    let only: Vec<Name> = case.only.iter().map(|only| only.name.clone()).collect();
    Some(owed_by_invariant(&case.small, &tau_actions(case), &only, invariant))
}

fn owed_by_invariant(
    protocol: &Protocol,
    actions: &[usize],
    further: &[Name],
    invariant: &Invariant,
) -> Vec<ObligationKind> {
    let mut owed = Vec::new();
    for clause in invariant.clauses.iter().map(|clause| &clause.name) {
        owed.push(ObligationKind::Initiation { clause: clause.clone() });
        owed.extend(actions.iter().map(|action| ObligationKind::Consecution {
            action: protocol.actions[*action].name.clone(),
            clause: clause.clone(),
        }));
    }
    let properties = protocol.properties.iter().map(|property| &property.name).chain(further);
    owed.extend(properties.map(|name| ObligationKind::Implication { property: name.clone() }));
    owed
}

fn names(statements: &[Statement]) -> impl Iterator<Item = Name> {
    let numbered = statements.iter().enumerate();
    numbered.map(|(index, statement)| statement_name(statement.label.as_ref(), index))
}

/// What is owed under the name of a case, empty for the whole, and was never made.
pub(super) fn missing(case: &Name, owed: &[ObligationKind], judged: &[Judged]) -> Vec<Gap> {
    let own = judged.iter().map(|judged| &judged.obligation);
    let made: BTreeSet<&ObligationKind> =
        own.filter(|own| own.case == *case).map(|own| &own.kind).collect();
    let absent = owed.iter().filter(|kind| !made.contains(kind));
    let title = |kind: &ObligationKind| match case.is_empty() {
        true => kind.to_string(),
        false => format!("{case}: {kind}"),
    };
    absent.map(|kind| Gap::Obligation(title(kind))).collect()
}
