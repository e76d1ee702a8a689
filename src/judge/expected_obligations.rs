//! The obligations that a certificate must have, listed from the certificate alone: one that was
//! never generated is as open as one that is refuted, so an empty list proves nothing.

use std::collections::BTreeSet;

use crate::certificate::{
    Case, Certificate, Closing, Invariant, Mode, ObligationKind, ProofArgument, statement_name,
    title,
};
use crate::logic::Name;
use crate::protocol::{Protocol, Statement};

use super::Judged;
use super::conclude::Gap;

/// The obligations of the whole: *cover* of every property, or those of an invariant.
pub(super) fn expected_of_whole(certificate: &Certificate) -> Vec<ObligationKind> {
    let large = &certificate.large;
    match &certificate.argument {
        ProofArgument::Cutoff(_) => {
            let names = large.properties.iter().map(|property| property.name.clone());
            names.map(|property| ObligationKind::Cover { property }).collect()
        }
        ProofArgument::Invariant(invariant) => {
            let actions: Vec<usize> = (0..large.actions.len()).collect();
            expected_of_invariant(large, &actions, &[], invariant)
        }
    }
}

/// *rigid*, *start*, *step* and *safety* of a case.
pub(super) fn expected_of_case(large: &Protocol, case: &Case) -> Vec<ObligationKind> {
    let axioms = names(&case.small.axioms).map(|axiom| ObligationKind::Rigid { axiom });
    let inits = names(&case.small.init).map(|init| ObligationKind::StartInit { init });
    let mut expected: Vec<ObligationKind> = axioms.chain(inits).collect();
    for clause in &case.gamma {
        expected.push(ObligationKind::StartGamma { clause: clause.name.clone() });
    }
    for (position, action) in large.actions.iter().enumerate() {
        let alternatives = case.lockstep.get(position).into_iter().flatten();
        for (alternative, answer) in (1..).zip(alternatives) {
            let fired = (1..).zip(&answer.moves).filter(|(_, next)| next.mode == Mode::Fire);
            expected.extend(fired.map(|(position, _)| ObligationKind::Enabled {
                action: action.name.clone(),
                alternative,
                position,
            }));
            expected.extend(case.gamma.iter().map(|clause| ObligationKind::Keeps {
                action: action.name.clone(),
                alternative,
                clause: clause.name.clone(),
            }));
        }
    }
    let property = &large.properties[case.property].name;
    expected.push(ObligationKind::Safety { property: property.clone() });
    expected
}

/// The obligations of the invariant that closes a case; `None` if the case is closed by search.
pub(super) fn expected_of_closing(case: &Case) -> Option<Vec<ObligationKind>> {
    let Closing::Invariant(invariant) = &case.closing else { return None };
    let only: Vec<Name> = case.only.iter().map(|only| only.name.clone()).collect();
    Some(expected_of_invariant(&case.small, &case.answering_actions(), &only, invariant))
}

fn expected_of_invariant(
    protocol: &Protocol,
    actions: &[usize],
    further: &[Name],
    invariant: &Invariant,
) -> Vec<ObligationKind> {
    let mut expected = Vec::new();
    for clause in invariant.clauses.iter().map(|clause| &clause.name) {
        expected.push(ObligationKind::Initiation { clause: clause.clone() });
        expected.extend(actions.iter().map(|action| ObligationKind::Consecution {
            action: protocol.actions[*action].name.clone(),
            clause: clause.clone(),
        }));
    }
    let properties = protocol.properties.iter().map(|property| &property.name).chain(further);
    expected.extend(properties.map(|name| ObligationKind::Implication { property: name.clone() }));
    expected
}

fn names(statements: &[Statement]) -> impl Iterator<Item = Name> {
    let numbered = statements.iter().enumerate();
    numbered.map(|(index, statement)| statement_name(statement.label.as_ref(), index))
}

/// The expected obligations of a case, or of the whole certificate, that were not judged.
pub(super) fn missing(
    case: Option<&Name>,
    expected: &[ObligationKind],
    judged: &[Judged],
) -> Vec<Gap> {
    let own = judged.iter().map(|judged| &judged.obligation);
    let made: BTreeSet<&ObligationKind> =
        own.filter(|own| own.case.as_ref() == case).map(|own| &own.kind).collect();
    let absent = expected.iter().filter(|kind| !made.contains(kind));
    absent.map(|kind| Gap::Obligation(title(case, kind))).collect()
}
