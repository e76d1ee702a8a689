//! Violations of cutoff instances, preferably of what the user wants to be safe. A run of the user's
//! own protocol is replayed before it counts as one.

use crate::finite::{Claim, ClaimFailure, ClaimViolation, EngineError, FiniteOutcome, Question};
use crate::logic::Name;
use crate::protocol::{PropertyKind, Size};

use super::finite::FiniteSearch;

/// A run of a finite instance that violates something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FiniteViolation {
    /// The run; of a cutoff instance, one of the protocol that `C` runs, whole.
    pub violation: Box<ClaimViolation>,
    /// What it violates.
    pub claim: Name,
    /// Everything that was claimed; the failure is one of these.
    pub claims: Vec<Claim>,
    /// The size of the instance.
    pub size: Size,
}

impl FiniteSearch<'_> {
    /// A violation, preferably of what the user wants to be safe.
    pub(super) fn violated(
        &self,
        question: &Question<'_>,
        violation: Box<ClaimViolation>,
    ) -> Result<FiniteViolation, EngineError> {
        let found = name_violation(question, violation);
        let is_safety = |name: &Name| {
            let property = self.user.property(name);
            property.is_some_and(|(_, property)| property.kind == PropertyKind::Safety)
        };
        if self.case.relaxed || is_safety(&found.claim) {
            return Ok(found);
        }
        let mut of_user = question.clone();
        of_user.claims.retain(|claim| is_safety(&claim.name));
        Ok(match self.ask(&of_user)? {
            Ok(FiniteOutcome::Unsafe(violation, _)) => name_violation(&of_user, violation),
            _ => found,
        })
    }
}

fn name_violation(question: &Question<'_>, violation: Box<ClaimViolation>) -> FiniteViolation {
    let claim = match &violation.failure {
        ClaimFailure::Claim(position, _) => question.claims[*position].name.clone(),
        ClaimFailure::Deadlock => "deadlock".into(),
    };
    FiniteViolation {
        violation,
        claim,
        claims: question.claims.clone(),
        size: question.size.clone(),
    }
}
