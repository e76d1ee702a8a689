//! Obligation *finite* of a case: its cutoff instance is safe, at every size of the residual
//! sorts that can be closed, or up to stated bounds.

use std::collections::{BTreeMap, BTreeSet};

use crate::certificate::{
    Case, Closing, Invariant, InvariantSystem, element_var, invariant_obligations,
};
use crate::finite::{
    Budget, Claim, Coverage, Engine, EngineError, Failure, Outcome, Progress, Question, Reason,
    Slicing, Symmetry, Violation,
};
use crate::logic::Name;
use crate::protocol::{Command, Protocol, RightSide, Size, Sort, SortId, StateFormula};
use crate::smt::ProverError;

use super::{JudgeConfig, Judged, judge_obligations};

/// How cutoff instances are searched.
pub struct FiniteConfig<'a> {
    /// Who searches.
    pub engine: &'a dyn Engine,
    /// What one instance may cost.
    pub budget: Budget,
    /// Residual sorts are tried at every size up to this one.
    pub residual: u32,
    /// Receives news.
    pub progress: &'a dyn Progress,
}

/// How a cutoff instance was closed, or why not.
#[derive(Clone, Debug)]
pub enum FiniteResult {
    /// γ alone was inductive.
    NotNeeded,
    /// Every instance that matters is safe.
    Closed(Closed),
    /// An invariant was given, and something about it is not proved.
    Invariant(Vec<Judged>),
    /// A run of the cutoff instance violates something.
    Violated {
        /// The run: of the protocol that `C` runs.
        violation: Box<Violation>,
        /// What it violates.
        claim: Name,
    },
    /// Not closed, and why.
    Open(String),
}

/// How a cutoff instance was closed.
#[derive(Clone, Debug)]
pub enum Closed {
    /// By search, at every size: there are no residual sorts.
    Exhausted(Vec<(Size, Coverage)>),
    /// By search, with the residual sorts at every size up to these.
    UpTo(BTreeMap<SortId, u32>, Vec<(Size, Coverage)>),
    /// By an inductive invariant, at every size of the residual sorts.
    Invariant(Vec<Judged>),
}

/// The positions of the actions that `C` can do in a case.
pub fn tau_actions(case: &Case) -> Vec<usize> {
    let alternatives = case.lockstep.iter().flatten();
    let moves = alternatives.flat_map(|alternative| &alternative.moves);
    let actions: BTreeSet<usize> = moves.map(|next| next.action).collect();
    actions.into_iter().collect()
}

/// Closes the cutoff instance of a case, as the certificate says.
///
/// # Errors
/// When the prover cannot be asked at all.
pub fn finite_case(case: &Case, config: &JudgeConfig<'_>) -> Result<FiniteResult, ProverError> {
    match &case.closing {
        Closing::Invariant(invariant) => by_invariant(case, invariant, config),
        Closing::Search => Ok(by_search(case, &config.finite)),
    }
}

fn by_invariant(
    case: &Case,
    invariant: &Invariant,
    config: &JudgeConfig<'_>,
) -> Result<FiniteResult, ProverError> {
    let actions = tau_actions(case);
    let only = case.only.iter().map(|only| (only.name.clone(), only.formula.clone()));
    let further: Vec<(Name, StateFormula)> = only.collect();
    let system = InvariantSystem {
        protocol: &case.small,
        cut: &case.cut,
        actions: &actions,
        further: &further,
        case: &case.name,
    };
    let judged = judge_obligations(invariant_obligations(system, invariant), config)?;
    let closed = judged.iter().all(Judged::is_valid);
    Ok(if closed {
        FiniteResult::Closed(Closed::Invariant(judged))
    } else {
        FiniteResult::Invariant(judged)
    })
}

fn by_search(case: &Case, config: &FiniteConfig<'_>) -> FiniteResult {
    let actions = tau_actions(case);
    if speaks_of_int(&case.small, &actions, case) {
        let why = "C uses int, which no search can exhaust: close it by an invariant";
        return FiniteResult::Open(why.to_owned());
    }
    let residual: Vec<SortId> = case
        .small
        .signature
        .sorts()
        .filter(|sort| case.cut.iter().all(|cut| cut.sort != *sort))
        .collect();
    let mut coverage = Vec::new();
    for size in sizes(case, &residual, config.residual) {
        match search(case, &actions, &size, config) {
            Searched::Safe(found) => coverage.push((size, found)),
            Searched::Empty => {}
            Searched::Stop(result) => return result,
        }
    }
    if coverage.is_empty() {
        let why = "no size that was tried has an instance with an initial state";
        return FiniteResult::Open(why.to_owned());
    }
    FiniteResult::Closed(if residual.is_empty() {
        Closed::Exhausted(coverage)
    } else {
        let bounds = residual.iter().map(|sort| (*sort, config.residual)).collect();
        Closed::UpTo(bounds, coverage)
    })
}

/// Every combination of residual sizes from 1 to the bound, the cut sorts as they are.
fn sizes(case: &Case, residual: &[SortId], bound: u32) -> Vec<Size> {
    let cut = case.cut.iter().map(|cut| {
        (cut.sort, u32::try_from(cut.elements.len()).expect("few elements"))
    });
    let mut all: Vec<Size> = vec![cut.collect()];
    for sort in residual {
        all = all
            .into_iter()
            .flat_map(|size| {
                (1..=bound).map(move |count| {
                    let mut size = size.clone();
                    size.insert(*sort, count);
                    size
                })
            })
            .collect();
    }
    all
}

enum Searched {
    Safe(Coverage),
    /// There is no instance of this size, or none with an initial state.
    Empty,
    Stop(FiniteResult),
}

fn search(case: &Case, actions: &[usize], size: &Size, config: &FiniteConfig<'_>) -> Searched {
    let question = question(case, actions, size.clone());
    match config.engine.check(&question, &config.budget, config.progress) {
        Ok(Outcome::Safe(coverage)) => Searched::Safe(coverage),
        Ok(Outcome::Unknown(Reason::NoInstance | Reason::NoInitialState, _)) => Searched::Empty,
        Ok(Outcome::Unknown(reason, _)) => Searched::Stop(FiniteResult::Open(format!(
            "at {}: {reason}",
            describe(&case.small, size)
        ))),
        Ok(Outcome::Unsafe(violation, _)) => {
            let claim = match &violation.failure {
                Failure::Claim(position, _) => question.claims[*position].name.clone(),
                Failure::Deadlock => "deadlock".into(),
            };
            Searched::Stop(FiniteResult::Violated { violation, claim })
        }
        Err(error) => Searched::Stop(FiniteResult::Open(failed(&case.small, size, &error))),
    }
}

fn failed(protocol: &Protocol, size: &Size, error: &EngineError) -> String {
    format!("at {}: {error}", describe(protocol, size))
}

/// What *finite* asks: everything that `Φ_C` stands for, under the actions of the lockstep.
fn question<'a>(case: &'a Case, actions: &[usize], size: Size) -> Question<'a> {
    let mut question = Question::new(&case.small, size);
    question.actions = actions.to_vec();
    question.slicing = Slicing::Sliced;
    question.symmetry = Symmetry::Reduced;
    let pinned = case.cut.iter().flat_map(|cut| {
        (0..cut.elements.len()).map(|index| {
            (element_var(cut, index), u32::try_from(index).expect("few elements"))
        })
    });
    let pinned: Vec<_> = pinned.collect();
    for only in &case.only {
        let free = only.formula.free_vars();
        let own = pinned.iter().filter(|(var, _)| free.contains(var)).cloned().collect();
        question.claims.push(Claim {
            name: only.name.clone(),
            vars: Vec::new(),
            matrix: only.formula.clone(),
            pinned: own,
        });
    }
    question
}

/// `node=2, seqnum=3`
pub(super) fn describe(protocol: &Protocol, size: &Size) -> String {
    let parts = size.iter();
    let parts = parts.map(|(sort, count)| format!("{}={count}", protocol.signature.sort_name(*sort)));
    parts.collect::<Vec<_>>().join(", ")
}

/// Whether anything that the search would look at is an integer.
fn speaks_of_int(protocol: &Protocol, actions: &[usize], case: &Case) -> bool {
    let signature = &protocol.signature;
    let of_symbol = |symbol: &crate::protocol::SymbolId| {
        let symbol = signature.symbol(*symbol);
        symbol.params.contains(&Sort::Int) || symbol.result == Some(Sort::Int)
    };
    let mut symbols = BTreeSet::new();
    for action in actions {
        let action = &protocol.actions[*action];
        if action.params.iter().any(|param| param.sort == Sort::Int) {
            return true;
        }
        collect(&action.body, &mut symbols);
    }
    for property in &protocol.properties {
        if property.vars.iter().any(|var| var.sort == Sort::Int) {
            return true;
        }
        symbols.extend(property.matrix.symbols());
    }
    for only in &case.only {
        symbols.extend(only.formula.symbols());
    }
    symbols.iter().any(of_symbol)
}

/// Every symbol that commands read or write.
fn collect(commands: &[Command], into: &mut BTreeSet<crate::protocol::SymbolId>) {
    for command in commands {
        match command {
            Command::Require(formula, _) => into.extend(formula.symbols()),
            Command::Assign(assignment) => {
                into.insert(assignment.target);
                match &assignment.value {
                    RightSide::Formula(formula) => into.extend(formula.symbols()),
                    RightSide::Term(term) => into.extend(term.symbols()),
                    RightSide::Havoc(_) => {}
                }
            }
            Command::If(condition, then, otherwise, _) => {
                into.extend(condition.symbols());
                collect(then, into);
                collect(otherwise, into);
            }
            Command::Relate(targets, ..) => {
                into.extend(targets.iter().map(|(symbol, _)| *symbol));
            }
        }
    }
}
