//! Suspicions that need a prover: protocols that are legal and, in part, say nothing.
//!
//! A warning is only given for what was proved; what the prover does not know is passed over.
//! [`free_at_the_start`] needs no prover.

mod process;
mod start;

pub use process::{
    ABOUT_NOTHING, IDLE_HANDLER, NEVER_HAPPENS, ONLY_AFTER_CRASHES, UNREACHED_LOCATION,
    about_process,
};
pub use start::{FREE_AT_THE_START, free_at_the_start};

use std::collections::BTreeMap;

use crate::budget::Budget;
use crate::diagnostic::{Code, Diagnostic};
use crate::logic::{Formula, Term, Translation, translate_formula};
use crate::protocol::{
    Action, OneState, Property, PropertyKind, Protocol, Sort, StateFormula, Statement, StepFormula,
    StepNames, StepSymbol, SymbolId, TwoStates, guard_weight, summarize,
};
use crate::smt::{Discharge, Prover, Query};

/// The axioms contradict one another.
pub const CONTRADICTORY_AXIOMS: Code = Code("RML0701");
/// No state is initial.
pub const NO_INITIAL_STATE: Code = Code("RML0702");
/// An action that no state allows.
pub const IMPOSSIBLE_ACTION: Code = Code("RML0703");
/// A property that says nothing about the actions.
pub const VACUOUS_PROPERTY: Code = Code("RML0704");

/// An action that no reachable state of a small instance allows.
pub const NEVER_POSSIBLE: Code = Code("RML0706");
/// A property whose premise holds in no reachable state of a small instance.
pub const PREMISE_NEVER_HOLDS: Code = Code("RML0707");
/// A `reach` line that no run of a small instance reaches.
pub const NOT_REACHED: Code = Code("RML0708");

/// In larger protocols only this many actions are checked.
const MAX_ACTIONS: usize = 200;

/// Larger guards are not checked.
const LARGEST_GUARD: u64 = 100_000;

/// A prover for questions about a state and about a step.
pub trait Provers: Prover<OneState> + Prover<TwoStates> {}

impl<P: Prover<OneState> + Prover<TwoStates>> Provers for P {}

/// What is suspicious about a protocol, in the order of its text.
pub fn lint(protocol: &Protocol, prover: &impl Provers, budget: &Budget) -> Vec<Diagnostic> {
    let linter = Linter { protocol, prover, budget };
    let mut found = match linter.contradiction(&[], &protocol.axioms) {
        // Everything follows from a contradiction: no more is to be learnt.
        Some(axiom) => vec![contradictory_axioms(axiom)],
        None => linter.beyond_axioms(),
    };
    found.sort_by_key(|diagnostic| diagnostic.primary.span);
    found
}

struct Linter<'a, P> {
    protocol: &'a Protocol,
    prover: &'a P,
    budget: &'a Budget,
}

impl<'a, P: Provers> Linter<'a, P> {
    fn axioms(&self) -> Vec<StateFormula> {
        self.protocol.axioms.iter().map(|axiom| axiom.formula.clone()).collect()
    }

    /// The first line that contradicts what was said before it.
    fn contradiction(
        &self,
        known: &[StateFormula],
        lines: &'a [Statement],
    ) -> Option<&'a Statement> {
        let mut hypotheses = known.to_vec();
        hypotheses.extend(lines.iter().map(|line| line.formula.clone()));
        if lines.is_empty() || !self.follows(hypotheses, Formula::truth(false)) {
            return None;
        }
        let culprit = (0..lines.len()).find(|last| {
            let mut hypotheses = known.to_vec();
            hypotheses.extend(lines[..=*last].iter().map(|line| line.formula.clone()));
            self.follows(hypotheses, Formula::truth(false))
        });
        Some(&lines[culprit.unwrap_or(lines.len() - 1)])
    }

    fn beyond_axioms(&self) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        if let Some(line) = self.contradiction(&self.axioms(), &self.protocol.init) {
            found.push(no_initial_state(line));
        }
        let wanted = |_: &&Action| !self.budget.stop.is_set();
        for action in self.protocol.actions.iter().take(MAX_ACTIONS).take_while(wanted) {
            if self.is_impossible(action) {
                found.push(impossible_action(action));
            }
        }
        for property in &self.protocol.properties {
            if self.follows(self.axioms(), property.formula()) {
                found.push(vacuous_property(property, self.protocol));
            }
        }
        found
    }

    fn follows(&self, hypotheses: Vec<StateFormula>, goal: StateFormula) -> bool {
        let declarations = &self.protocol.signature;
        let query = Query { declarations, hypotheses, goal, observed: Vec::new() };
        matches!(self.prover.discharge(&query, self.budget), Ok(Discharge::Valid))
    }

    fn is_impossible(&self, action: &Action) -> bool {
        if guard_weight(action) > LARGEST_GUARD {
            return false;
        }
        let signature = &self.protocol.signature;
        let mut hypotheses: Vec<StepFormula> = self
            .axioms()
            .iter()
            .map(|axiom| translate_formula(axiom, BTreeMap::new(), BeforeAction))
            .collect();
        hypotheses.push(summarize(signature, action).guard);
        let names = StepNames { signature, action };
        let goal = Formula::truth(false);
        let query = Query { declarations: &names, hypotheses, goal, observed: Vec::new() };
        matches!(self.prover.discharge(&query, self.budget), Ok(Discharge::Valid))
    }
}

fn contradictory_axioms(axiom: &Statement) -> Diagnostic {
    let message = "the axioms contradict one another: there is no instance";
    Diagnostic::warning(CONTRADICTORY_AXIOMS, message, axiom.span)
        .labelled("this cannot hold together with the axioms before it")
}

fn no_initial_state(line: &Statement) -> Diagnostic {
    let message = "there is no initial state";
    Diagnostic::warning(NO_INITIAL_STATE, message, line.span)
        .labelled("this cannot hold together with the axioms and the lines before it")
}

fn impossible_action(action: &Action) -> Diagnostic {
    let message = format!("`{}` is possible in no state", action.name);
    Diagnostic::warning(IMPOSSIBLE_ACTION, message, action.span)
        .hint("what it requires contradicts itself or the axioms")
}

fn vacuous_property(property: &Property, protocol: &Protocol) -> Diagnostic {
    let kind = match property.kind {
        PropertyKind::Safety => "safety property",
        PropertyKind::Lemma => "lemma",
    };
    let why = if protocol.axioms.is_empty() {
        "is true of every state"
    } else {
        "follows from the axioms alone"
    };
    let message = format!("the {kind} `{}` {why}", property.name);
    Diagnostic::warning(VACUOUS_PROPERTY, message, property.span)
        .hint("it says nothing about the actions")
}

/// Reads every symbol in the state before the step.
struct BeforeAction;

impl Translation<OneState, TwoStates> for BeforeAction {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: SymbolId, args: Vec<Term<TwoStates>>, sort: Sort) -> Term<TwoStates> {
        Term::apply(StepSymbol::Pre(symbol), args, sort)
    }

    fn holds(&self, symbol: SymbolId, args: Vec<Term<TwoStates>>) -> StepFormula {
        Formula::holds(StepSymbol::Pre(symbol), args)
    }
}
