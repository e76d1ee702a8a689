//! A judgement as users ask for it: solvers by name, a pattern for obligations, limits.

use std::ffi::OsString;

use crate::budget::Budget;
use crate::certificate::{Certificate, TwoSystems};
use crate::finite::Progress;
use crate::protocol::Protocol;
use crate::smt::cvc5::Cvc5;
use crate::smt::z3::{ModelSize, Z3};
use crate::smt::{Agreement, AgreementNeed, AnswerCache, Prover, ProverError, Remembering};

use super::{FiniteConfig, JudgeConfig, JudgeError, Judgement, judge};

/// The solvers that discharge obligations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverChoice {
    /// Z3, which is linked in.
    Z3,
    /// cvc5, which is a program of its own; Z3 only shows counter-models.
    Cvc5,
    /// Both, and they must agree.
    Both,
}

/// Whether cutoff instances are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cutoffs {
    /// They are.
    Searched,
    /// They are left open.
    Skipped,
}

/// How a certificate is to be judged.
#[derive(Clone, Debug)]
pub struct JudgeRequest {
    /// Only obligations whose title matches are looked at.
    pub only: Option<String>,
    /// The solvers that discharge them.
    pub solver: SolverChoice,
    /// Where cvc5 is, if it was given.
    pub cvc5: Option<OsString>,
    /// What each obligation, and each search of a cutoff instance, may cost.
    pub budget: Budget,
    /// Whether cutoff instances are searched.
    pub cutoffs: Cutoffs,
    /// Residual sorts are tried at every size up to this one.
    pub residual: u32,
}

impl JudgeRequest {
    /// Every obligation by Z3, and every cutoff instance, with residual sorts up to size 3.
    pub fn new(budget: Budget) -> Self {
        JudgeRequest {
            only: None,
            solver: SolverChoice::Z3,
            cvc5: None,
            budget,
            cutoffs: Cutoffs::Searched,
            residual: 3,
        }
    }

    /// The second solver, where the request names one or where it is usually found.
    ///
    /// # Errors
    /// When it is not there, or what is there is not cvc5.
    pub fn find_cvc5(&self) -> Result<Cvc5, ProverError> {
        Ok(Cvc5::find(self.cvc5.clone(), &self.budget.stop)?)
    }
}

/// Judges a certificate as requested, with the answers of earlier rounds.
///
/// # Errors
/// When there is no judgement: a solver is missing, or two parts of the tool disagree.
pub fn check(
    user: &Protocol,
    certificate: &Certificate,
    request: &JudgeRequest,
    memory: Option<&AnswerCache<TwoSystems>>,
    progress: &dyn Progress,
) -> Result<Judgement, JudgeError> {
    let first = Z3 { models: ModelSize::Small };
    let second = match request.solver {
        SolverChoice::Z3 => None,
        SolverChoice::Cvc5 => Some((AgreementNeed::Second, request.find_cvc5()?)),
        SolverChoice::Both => Some((AgreementNeed::Both, request.find_cvc5()?)),
    };
    let together = second.as_ref().map(|(need, second)| Agreement { need: *need, first, second });
    let prover: &dyn Prover<TwoSystems> = match &together {
        Some(together) => together,
        None => &first,
    };
    let remembering = memory.map(|memory| Remembering { prover, memory });
    let prover: &dyn Prover<TwoSystems> = match &remembering {
        Some(remembering) => remembering,
        None => prover,
    };
    let wanted = |title: &str| request.only.as_ref().is_none_or(|only| matches(only, title));
    let finite =
        FiniteConfig { budget: request.budget.clone(), residual: request.residual, progress };
    let config = JudgeConfig {
        prover,
        budget: request.budget.clone(),
        wanted: &wanted,
        finite: match request.cutoffs {
            Cutoffs::Searched => Some(finite),
            Cutoffs::Skipped => None,
        },
    };
    judge(user, certificate, &config)
}

/// Whether a title contains the pattern, in which `*` stands for anything.
pub fn matches(pattern: &str, title: &str) -> bool {
    let mut rest = title;
    pattern.split('*').all(|part| match rest.find(part) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns_match_anywhere_and_in_order() {
        let title = "owners: step reshard #2 / keeps table";
        for pattern in ["", "*", "reshard", "step reshard*keeps", "owners*table", "#2"] {
            assert!(matches(pattern, title), "{pattern}");
        }
        for pattern in ["Reshard", "keeps*step", "tables", "reshard*reshard"] {
            assert!(!matches(pattern, title), "{pattern}");
        }
    }
}
