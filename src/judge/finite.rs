//! Obligation *finite* of a case: its cutoff instance is safe, at every size of the residual
//! sorts that can be closed, or up to stated bounds.

use std::ops::ControlFlow::{self, Break, Continue};

use crate::budget::Budget;
use crate::certificate::{
    Case, Closing, InvariantSystem, Obligation, cutoff_system, element_var, invariant_obligations,
    labelled_system,
};
use crate::finite::{
    Claim, Coverage, ENGINES, EngineError, FiniteOutcome, FiniteReason, Progress, Question,
    Slicing, check, check_with_any,
};
use crate::protocol::{Protocol, Size, SortId, sizes_up_to};

use super::{
    Bounds, FiniteViolation, Gap, JudgeConfig, JudgeError, Judged, Judgement, Verdict,
    every_obligation, judge, judge_obligations,
};

/// How cutoff instances are searched.
pub struct FiniteConfig<'a> {
    /// What one search may cost.
    pub budget: Budget,
    /// Residual sorts are tried at every size up to this one.
    pub residual: u32,
    /// Receives the counts of the search.
    pub progress: &'a dyn Progress,
}

/// How a cutoff instance was closed, or was to be.
#[derive(Clone, Debug)]
pub enum FiniteResult {
    /// γ alone already refutes the violation: no cutoff instance is needed.
    NotNeeded,
    /// It was not checked.
    NotAsked,
    /// By a search of instances of these sizes, with this verdict.
    Searched(Vec<(Size, Coverage)>, Verdict),
    /// By an invariant, at every size of the residual sorts, if all of this is valid.
    Invariant(Vec<Judged>),
    /// By another certificate about the cutoff instance, judged on its own.
    Certificate(Box<Judgement>),
}

/// Closes the cutoff instance of a case, as the certificate says.
///
/// # Errors
/// When the prover cannot be run, or two parts of the tool disagree.
pub fn finite_case(
    user: &Protocol,
    case: &Case,
    config: &JudgeConfig<'_>,
) -> Result<FiniteResult, JudgeError> {
    match (&case.closing, &config.finite) {
        (Closing::Invariant(_), _) => {
            Ok(FiniteResult::Invariant(judge_obligations(closing_obligations(case), config)?))
        }
        (Closing::Certificate(own), _) => {
            let judgement = judge(&cutoff_system(case), own, config)?;
            Ok(FiniteResult::Certificate(Box::new(judgement)))
        }
        (Closing::Search, Some(finite))
            if !finite.budget.stop.is_set()
                && (config.wanted)(&format!("{}: finite", case.name)) =>
        {
            let (labelled, actions) = (labelled_system(case), case.answering_actions());
            let search = FiniteSearch { user, case, labelled, actions, config: finite };
            Ok(search.every_size()?)
        }
        (Closing::Search, _) => Ok(FiniteResult::NotAsked),
    }
}

/// The obligations of what closes a case; none if it is closed by search.
pub(super) fn closing_obligations(case: &Case) -> Vec<Obligation> {
    let invariant = match &case.closing {
        Closing::Search => return Vec::new(),
        Closing::Certificate(own) => return every_obligation(own),
        Closing::Invariant(invariant) => invariant,
    };
    let actions = case.answering_actions();
    invariant_obligations(InvariantSystem::of_cutoff(case, &actions), invariant)
}

/// The most combinations of sizes of the residual sorts that are searched: each is a search.
const MAX_SIZES: u32 = 4096;

/// The search of one case's cutoff instance.
pub(super) struct FiniteSearch<'a> {
    pub(super) user: &'a Protocol,
    pub(super) case: &'a Case,
    /// What is explored if actions name elements of `C`.
    labelled: Option<Protocol>,
    actions: Vec<usize>,
    config: &'a FiniteConfig<'a>,
}

impl FiniteSearch<'_> {
    fn every_size(&self) -> Result<FiniteResult, EngineError> {
        let residual = self.case.residual();
        let exponent = u32::try_from(residual.len()).unwrap_or(u32::MAX);
        let many = self.config.residual.checked_pow(exponent).filter(|count| *count <= MAX_SIZES);
        if many.is_none() {
            let bound = self.config.residual;
            let why = format!(
                "more than {MAX_SIZES} combinations of sizes of the residual sorts (bound {bound})"
            );
            return Ok(FiniteResult::Searched(Vec::new(), self.open(why)));
        }
        let mut searches = Vec::new();
        for size in self.sizes(&residual) {
            match self.at(&size)? {
                Continue(found) => searches.extend(found.map(|found| (size, found))),
                Break(verdict) => return Ok(FiniteResult::Searched(searches, verdict)),
            }
        }
        let bounds: Bounds = residual.iter().map(|sort| (*sort, self.config.residual)).collect();
        let verdict = if searches.is_empty() {
            self.open("no size that was tried has an instance with an initial state".to_owned())
        } else if bounds.is_empty() {
            Verdict::Safe
        } else {
            Verdict::SafeUpTo(bounds)
        };
        Ok(FiniteResult::Searched(searches, verdict))
    }

    /// Every combination of residual sizes from 1 to the bound, the other sorts as they are; small
    /// ones first.
    fn sizes(&self, residual: &[SortId]) -> Vec<Size> {
        let cut = self
            .case
            .cut
            .iter()
            .map(|cut| (cut.sort, u32::try_from(cut.elements.len()).expect("few elements")));
        let small = &self.case.small;
        let uncut = self.case.uncut().into_iter();
        let sized = uncut.filter(|sort| small.signature.elements(*sort).is_none());
        let fixed = sized.filter_map(|sort| Some((sort, small.fixed_size(sort)?)));
        let largest = residual.iter().map(|sort| (*sort, self.config.residual));
        let mut all = sizes_up_to(cut.chain(fixed).collect(), largest);
        all.sort_by_key(|size| size.values().sum::<u32>());
        all
    }

    /// What was searched, nothing if no instance of the size has an initial state; or a verdict
    /// that settles the case.
    fn at(&self, size: &Size) -> Result<ControlFlow<Verdict, Option<Coverage>>, EngineError> {
        let mut question = self.question(size.clone());
        let mut outcome = self.ask(&question)?;
        if matches!(outcome, Ok(FiniteOutcome::Unknown(FiniteReason::OnlyInSlice, _))) {
            // A slice may have runs that the whole does not have; the whole decides.
            question.slicing = Slicing::Whole;
            outcome = self.ask(&question)?;
        }
        Ok(match outcome {
            Ok(FiniteOutcome::Safe(coverage)) => Continue(Some(coverage)),
            Ok(FiniteOutcome::Unknown(
                FiniteReason::NoInstance | FiniteReason::NoInitialState,
                _,
            )) => Continue(None),
            Ok(FiniteOutcome::Unknown(reason, _)) => Break(self.open_at(size, &reason.to_string())),
            Ok(FiniteOutcome::Unsafe(violation, _)) => {
                let found = self.violated(&question, violation)?;
                Break(Verdict::Unsafe(FiniteViolation { size: size.clone(), ..found }))
            }
            Err(EngineError::NoWindow) => {
                let why = "C uses int, which no search exhausts: close the case by an invariant";
                Break(self.open(why.to_owned()))
            }
            Err(error) => Break(self.open_at(size, &error.to_string())),
        })
    }

    fn open(&self, why: String) -> Verdict {
        Verdict::Unproved(vec![Gap::Finite { case: self.case.name.clone(), why }])
    }

    fn open_at(&self, size: &Size, why: &str) -> Verdict {
        let signature = &self.case.small.signature;
        let size =
            size.iter().map(|(sort, count)| format!("{}={count}", signature.sort_name(*sort)));
        let size = size.collect::<Vec<_>>().join(", ");
        self.open(format!("at {size}: {why}"))
    }

    /// Asks the engines until one decides; what stands in the way of all is inside.
    pub(super) fn ask(
        &self,
        question: &Question<'_>,
    ) -> Result<Result<FiniteOutcome, EngineError>, EngineError> {
        let budget = self.config.budget.one_question();
        let answer = check_with_any(question, &budget, self.config.progress);
        let answer = match answer.map(|(_, outcome)| outcome) {
            // What is too much for engines that know all states may be little for a solver.
            Ok(FiniteOutcome::Unknown(
                FiniteReason::Timeout | FiniteReason::MaxStates(_) | FiniteReason::MaxMemory(_),
                _,
            )) => {
                let budget = self.config.budget.one_question();
                check(ENGINES[1], question, &budget, self.config.progress)
            }
            answer => answer,
        };
        match answer {
            Err(error) if error.is_bug() => Err(error),
            answer => Ok(answer),
        }
    }

    /// What *finite* asks: everything that `Φ_C` stands for, under the actions of the lockstep.
    fn question(&self, mut size: Size) -> Question<'_> {
        if let Some(system) = &self.labelled {
            size.retain(|sort, _| system.signature.elements(*sort).is_none());
            let (actions, slicing) = (self.actions.clone(), Slicing::Sliced);
            return Question { actions, slicing, ..Question::new(system, size) };
        }
        let mut question = Question::new(&self.case.small, size);
        question.actions = self.actions.clone();
        question.slicing = Slicing::Sliced;
        let elements = self.case.cut.iter().flat_map(|cut| {
            (0..cut.elements.len())
                .map(|index| (element_var(cut, index), u32::try_from(index).expect("few elements")))
        });
        let elements: Vec<_> = elements.collect();
        for only in &self.case.only {
            let free = only.formula.free_vars();
            question.claims.push(Claim {
                name: only.name.clone(),
                vars: Vec::new(),
                matrix: only.formula.clone(),
                pinned: elements.iter().filter(|(var, _)| free.contains(var)).cloned().collect(),
            });
        }
        question
    }
}
