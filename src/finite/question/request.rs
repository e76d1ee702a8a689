//! A question as users put it: names for sorts, properties and engines, sizes that may be missing.

use std::collections::BTreeMap;

pub use super::default_sizes::{DEFAULT_SIZE, PATIENCE};

use super::coverage::Progress;
use super::default_sizes::smaller;
use super::reason::FiniteReason;
use super::{Claim, ClaimFailure, Deadlocks, FiniteOutcome, Question, Slicing, Symmetry};
use crate::budget::Budget;
use crate::finite::ENGINES;
use crate::finite::engine::Engine;
use crate::finite::error::EngineError;
use crate::logic::Name;
use crate::protocol::{PropertyKind, Protocol, Size, SortId};

/// What to explore.
#[derive(Clone, Debug)]
pub struct FiniteRequest {
    /// Sizes by the names of the sorts.
    pub sizes: Vec<(String, u32)>,
    /// The range that stands in for ℤ, both ends included.
    pub window: Option<(i64, i64)>,
    /// The properties to check, by name; all if there is none.
    pub properties: Vec<String>,
    /// The engine, by name; `None` for the one that suits.
    pub engine: Option<String>,
    /// Whether a state without a possible action is a violation.
    pub deadlocks: Deadlocks,
    /// Whether states that differ by a renaming count as different.
    pub symmetry: Symmetry,
    /// Whether symbols that nothing reads are left out.
    pub slicing: Slicing,
    /// How much may be spent.
    pub budget: Budget,
    /// The most states that are visited at default sizes before smaller ones are tried.
    pub patience: u64,
}

/// What was explored, and the outcome.
#[derive(Clone, Debug)]
pub struct Explored {
    /// The size.
    pub size: Size,
    /// The sorts whose size was not given.
    pub defaulted: Vec<SortId>,
    /// Where these are smaller than usual: with more elements there are more states than this.
    pub patience: u64,
    /// The range that stood in for ℤ, if the protocol has integers.
    pub window: Option<(i64, i64)>,
    /// What was checked.
    pub claims: Vec<Claim>,
    /// Whether deadlocks were looked for.
    pub deadlocks: Deadlocks,
    /// The engine that answered.
    pub engine: &'static str,
    /// The answer. A violation is one of a lemma only if none of a safety property was found.
    pub outcome: FiniteOutcome,
    /// Where a lemma fails, the answer for the safety properties alone, if some were checked.
    pub without_lemmas: Option<FiniteOutcome>,
    /// Where elements that do not matter were taken out of a violation: the size that was searched.
    pub searched: Option<Size>,
}

impl Explored {
    /// Whether the violation is one of a lemma: then nothing is known to be unsafe.
    pub fn is_false_lemma(&self, protocol: &Protocol) -> bool {
        is_of_lemma(protocol, &self.claims, &self.outcome)
    }

    /// The same with a violation in which every element matters, where that can be had.
    pub fn shrunk(mut self, protocol: &Protocol) -> Self {
        let FiniteOutcome::Unsafe(violation, _) = &mut self.outcome else { return self };
        let ClaimFailure::Claim(claim, values) = &mut violation.failure else { return self };
        let Some((_, property)) = protocol.property(&self.claims[*claim].name) else { return self };
        let small = violation.trace.without_idle_elements(protocol, property);
        let Ok(Some(violators)) = small.violation(property) else { return self };
        let size: Size = self.size.keys().map(|sort| (*sort, small.count(*sort))).collect();
        if size != self.size {
            *values = violators;
            violation.trace = small;
            self.searched = Some(std::mem::replace(&mut self.size, size));
        }
        self
    }
}

fn is_of_lemma(protocol: &Protocol, claims: &[Claim], outcome: &FiniteOutcome) -> bool {
    let FiniteOutcome::Unsafe(violation, _) = outcome else { return false };
    match &violation.failure {
        ClaimFailure::Claim(claim, _) => is_lemma(protocol, &claims[*claim]),
        ClaimFailure::Deadlock => false,
    }
}

fn is_lemma(protocol: &Protocol, claim: &Claim) -> bool {
    let property = protocol.property(&claim.name);
    property.is_some_and(|(_, property)| property.kind == PropertyKind::Lemma)
}

/// Why a request is not a question.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// No such sort.
    #[error("there is no sort `{name}`; the sorts are {known}")]
    UnknownSort {
        /// The name that was given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A size given twice.
    #[error("the size of `{0}` is given twice")]
    SizeTwice(String),
    /// A sort without elements.
    #[error("`{0}` has size 0, but every sort has at least one element")]
    Empty(String),
    /// A size of a sort that is given with its elements.
    #[error("`{0}` is an enumeration: its elements are declared, and it has no other size")]
    Enumeration(String),
    /// A size that the axioms exclude.
    #[error("`{name}` has exactly {fixed} elements, by the axioms, and not {count}")]
    Fixed {
        /// The sort.
        name: String,
        /// How many elements it has.
        fixed: u32,
        /// The size that was given.
        count: u32,
    },
    /// A size for the integers.
    #[error("`int` has no size: it is the set of all integers")]
    SizeOfIntegers,
    /// A sweep over too many sizes.
    #[error("{0} sizes to search; {1} is the limit")]
    TooManySizes(usize, usize),
    /// A range without integers.
    #[error("{0}..{1} is empty")]
    EmptyWindow(i64, i64),
    /// No such property.
    #[error("there is no property `{name}`; the properties are {known}")]
    UnknownProperty {
        /// The name that was given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// Nothing to check.
    #[error("there is no `safety` line: there is nothing to check")]
    NothingToCheck,
    /// No such engine.
    #[error("there is no engine `{name}`; the engines are {known}")]
    UnknownEngine {
        /// The name that was given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// The question cannot be answered.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

/// Explores a protocol as requested.
///
/// # Errors
/// When the request is wrong or too large.
pub fn explore(
    protocol: &Protocol,
    request: &FiniteRequest,
    progress: &dyn Progress,
) -> Result<Explored, RequestError> {
    let (size, defaulted) = size(protocol, &request.sizes)?;
    if let Some((low, high)) = request.window.filter(|(low, high)| low > high) {
        return Err(RequestError::EmptyWindow(low, high));
    }
    let claims = claims(protocol, &request.properties)?;
    let is_asked = !request.properties.is_empty() || request.deadlocks == Deadlocks::Reported;
    if !is_asked && !protocol.states_safety() {
        return Err(RequestError::NothingToCheck);
    }
    let mut question = Question {
        window: request.window,
        claims,
        deadlocks: request.deadlocks,
        symmetry: request.symmetry,
        slicing: request.slicing,
        ..Question::new(protocol, size)
    };
    let (engine, outcome) = loop {
        let smaller = smaller(&question, &defaulted);
        let mut budget = request.budget.clone();
        if smaller.is_some() {
            budget.max_states = budget.max_states.min(request.patience);
        }
        match (answer(&question, request, &budget, progress)?, smaller) {
            ((_, FiniteOutcome::Unknown(FiniteReason::MaxStates(_), _)), Some(size))
                if request.budget.max_states > request.patience =>
            {
                question.size = size;
            }
            (answer, _) => break answer,
        }
    };
    let (engine, outcome, without_lemmas) = match is_of_lemma(protocol, &question.claims, &outcome)
    {
        true => beside_lemma(&question, request, (engine, outcome), progress)?,
        false => (engine, outcome, None),
    };
    Ok(Explored {
        size: question.size,
        defaulted,
        patience: request.patience,
        window: request.window.filter(|_| protocol.signature.uses_int()),
        claims: question.claims,
        deadlocks: request.deadlocks,
        engine,
        outcome,
        without_lemmas,
        searched: None,
    })
}

/// A lemma fails: whether a safety property fails as well is the more important answer.
fn beside_lemma(
    question: &Question<'_>,
    request: &FiniteRequest,
    (engine, found): (&'static str, FiniteOutcome),
    progress: &dyn Progress,
) -> Result<(&'static str, FiniteOutcome, Option<FiniteOutcome>), RequestError> {
    let mut of_safety = question.clone();
    of_safety.claims.retain(|claim| !is_lemma(question.protocol, claim));
    if of_safety.claims.is_empty() && of_safety.deadlocks == Deadlocks::Ignored {
        return Ok((engine, found, None));
    }
    match answer(&of_safety, request, &request.budget, progress)? {
        (engine, FiniteOutcome::Unsafe(mut violation, coverage)) => {
            if let ClaimFailure::Claim(claim, _) = &mut violation.failure {
                let name = &of_safety.claims[*claim].name;
                let all = question.claims.iter();
                *claim = all.take_while(|claim| claim.name != *name).count();
            }
            Ok((engine, FiniteOutcome::Unsafe(violation, coverage), None))
        }
        (_, outcome) => Ok((engine, found, Some(outcome))),
    }
}

fn answer(
    question: &Question<'_>,
    request: &FiniteRequest,
    budget: &Budget,
    progress: &dyn Progress,
) -> Result<(&'static str, FiniteOutcome), RequestError> {
    Ok(match &request.engine {
        Some(name) => {
            let engine = engine(name)?;
            (engine.name(), crate::finite::check(engine, question, budget, progress)?)
        }
        None => crate::finite::check_with_any(question, budget, progress)?,
    })
}

fn engine(name: &str) -> Result<&'static dyn Engine, RequestError> {
    let engine = ENGINES.iter().find(|engine| engine.name() == name).copied();
    engine.ok_or_else(|| RequestError::UnknownEngine {
        name: name.to_owned(),
        known: ENGINES.iter().map(|engine| engine.name()).collect::<Vec<_>>().join(", "),
    })
}

/// Every sort with its size, and the sorts that got the default.
///
/// # Errors
/// When a sort or a size is wrong.
pub fn size(
    protocol: &Protocol,
    given: &[(String, u32)],
) -> Result<(Size, Vec<SortId>), RequestError> {
    let signature = &protocol.signature;
    let mut size: Size = BTreeMap::new();
    for (name, count) in given {
        if name == "int" {
            return Err(RequestError::SizeOfIntegers);
        }
        let sort = signature.find_sort(name).ok_or_else(|| RequestError::UnknownSort {
            name: name.clone(),
            known: listed(signature.sized_sorts().map(|sort| signature.sort_name(sort))),
        })?;
        if signature.elements(sort).is_some() {
            return Err(RequestError::Enumeration(name.clone()));
        }
        if *count == 0 {
            return Err(RequestError::Empty(name.clone()));
        }
        if let Some(fixed) = protocol.fixed_size(sort).filter(|fixed| fixed != count) {
            return Err(RequestError::Fixed { name: name.clone(), fixed, count: *count });
        }
        if size.insert(sort, *count).is_some() {
            return Err(RequestError::SizeTwice(name.clone()));
        }
    }
    let is_missing =
        |sort: &SortId| !size.contains_key(sort) && protocol.fixed_size(*sort).is_none();
    let missing: Vec<SortId> = signature.sized_sorts().filter(is_missing).collect();
    let size = protocol.sizes(|sort| size.get(&sort).copied().unwrap_or(DEFAULT_SIZE));
    Ok((size, missing))
}

/// The properties of these names, or all. What others rest on is never left out: without it they
/// would be about runs that end too early.
fn claims(protocol: &Protocol, names: &[String]) -> Result<Vec<Claim>, RequestError> {
    if names.is_empty() {
        return Ok(protocol.properties.iter().map(Claim::from).collect());
    }
    let claim = |name: &String| match protocol.property(name) {
        Some((_, property)) => Ok(Claim::from(property)),
        None => Err(RequestError::UnknownProperty {
            name: name.clone(),
            known: listed(protocol.properties.iter().map(|property| &property.name)),
        }),
    };
    let mut claims = names.iter().map(claim).collect::<Result<Vec<_>, _>>()?;
    let owed = protocol.properties.iter().filter(|property| property.is_owed);
    claims.extend(
        owed.filter(|owed| !names.iter().any(|name| **name == *owed.name)).map(Claim::from),
    );
    Ok(claims)
}

fn listed<'a>(names: impl Iterator<Item = &'a Name>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
