//! The symbolic meaning of an action: when it is possible, and what every symbol becomes.
//!
//! Written independently of `execute`; a property test holds the two against each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::logic::{
    Body, Definition, Formula, Name, Term, Translation, Var, fresh_name, translate_formula,
    translate_term,
};

use super::{
    Action, Argument, Assignment, ChoiceId, Command, OneState, RightSide, Signature, Sort,
    StateFormula, StateTerm, StepFormula, StepSymbol, StepTerm, StepVar, SymbolId, TwoStates,
};

/// An action as a guard and explicit updates over the state before and the choices.
///
/// `Post` occurs nowhere; the action's parameters are free variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionSummary {
    /// Every `require` on the executed path, each in the state reached there.
    pub guard: StepFormula,
    /// What the assigned symbols become; all others stay.
    pub updates: BTreeMap<SymbolId, Definition<TwoStates>>,
}

/// The guard and the updates of an action.
pub fn summarize(signature: &Signature, action: &Action) -> ActionSummary {
    let mut summary = ActionSummary { guard: Formula::truth(true), updates: BTreeMap::new() };
    TransitionRunner::new(signature, action).block(&action.body, &mut summary);
    summary
}

/// Runs commands on symbolic states.
pub(super) struct TransitionRunner<'a> {
    signature: &'a Signature,
    /// Names of the action's parameters: argument variables must differ from them.
    taken: BTreeSet<Name>,
}

impl<'a> TransitionRunner<'a> {
    pub(super) fn new(signature: &'a Signature, action: &Action) -> Self {
        let taken = action.params.iter().map(|param| param.name.clone()).collect();
        TransitionRunner { signature, taken }
    }

    fn block(&self, commands: &[Command], state: &mut ActionSummary) {
        for command in commands {
            self.command(command, state);
        }
    }

    fn command(&self, command: &Command, state: &mut ActionSummary) {
        match command {
            Command::Require(formula, _) => {
                let required = self.formula(state, formula);
                state.guard = Formula::and([state.guard.clone(), required]);
            }
            Command::Assign(assignment) => {
                let definition = self.assigned(state, assignment);
                state.updates.insert(assignment.target, definition);
            }
            Command::Together(assignments, _) => {
                let written = assignments.iter().map(|assignment| {
                    let definition = self.assigned(state, assignment);
                    (assignment.target, definition)
                });
                let written: Vec<_> = written.collect();
                state.updates.extend(written);
            }
            Command::If(condition, then, otherwise, _) => {
                self.branch(condition, then, otherwise, state);
            }
            Command::Relate(targets, formula, _) => self.relate(targets, formula, state),
        }
    }

    /// Both branches run from here; a guard counts only in the branch taken.
    fn branch(
        &self,
        condition: &StateFormula,
        then: &[Command],
        otherwise: &[Command],
        state: &mut ActionSummary,
    ) {
        let condition = self.formula(state, condition);
        let run = |commands| {
            let mut branch =
                ActionSummary { guard: Formula::truth(true), updates: state.updates.clone() };
            self.block(commands, &mut branch);
            branch
        };
        let (yes, no) = (run(then), run(otherwise));
        let mut updates = BTreeMap::new();
        let changed: BTreeSet<SymbolId> =
            yes.updates.keys().chain(no.updates.keys()).copied().collect();
        for symbol in changed {
            let params = self.params(symbol);
            let args: Vec<StepTerm> = params.iter().cloned().map(Term::var).collect();
            let body = Body::if_then_else(
                condition.clone(),
                self.value(&yes, symbol, args.clone()),
                self.value(&no, symbol, args),
            );
            updates.insert(symbol, Definition { params, body });
        }
        state.guard = Formula::and([
            state.guard.clone(),
            Formula::implies(condition.clone(), yes.guard),
            Formula::implies(condition.negate(), no.guard),
        ]);
        state.updates = updates;
    }

    fn assigned(&self, state: &ActionSummary, assignment: &Assignment) -> Definition<TwoStates> {
        let params = self.params(assignment.target);
        let args: Vec<StepTerm> = params.iter().cloned().map(Term::var).collect();
        let mut bindings = BTreeMap::new();
        let mut matches = Vec::new();
        for (argument, arg) in assignment.arguments.iter().zip(&args) {
            match argument {
                Argument::At(term) => {
                    matches.push(Formula::equal(arg.clone(), self.term(state, term)));
                }
                Argument::Every(var) => match bindings.get(var) {
                    // A repeated pattern variable matches equal elements only.
                    Some(first) => matches.push(Formula::equal(arg.clone(), Term::clone(first))),
                    None => {
                        bindings.insert(var.clone(), arg.clone());
                    }
                },
            }
        }
        let current = Current { runner: self, state };
        let value = match &assignment.value {
            RightSide::Formula(formula) => {
                Body::Formula(translate_formula(formula, bindings, current))
            }
            RightSide::Term(term) => Body::Term(translate_term(term, bindings, current)),
            RightSide::Havoc(choice) => {
                let vars = assignment.pattern_vars();
                let picked = vars.iter().map(|var| bindings[var].clone()).collect();
                self.symbol_at(StepSymbol::Choice(*choice), assignment.target, picked)
            }
        };
        let old = self.value(state, assignment.target, args);
        Definition { params, body: Body::if_then_else(Formula::and(matches), value, old) }
    }

    fn relate(
        &self,
        targets: &[(SymbolId, ChoiceId)],
        formula: &StepFormula,
        state: &mut ActionSummary,
    ) {
        let mut after = state.updates.clone();
        for (symbol, choice) in targets {
            let params = self.params(*symbol);
            let args = params.iter().cloned().map(Term::var).collect();
            let body = self.symbol_at(StepSymbol::Choice(*choice), *symbol, args);
            after.insert(*symbol, Definition { params, body });
        }
        let after = ActionSummary { guard: Formula::truth(true), updates: after };
        let related = RelatedStates { runner: self, before: state, after: &after };
        let required = translate_formula(formula, BTreeMap::new(), related);
        state.guard = Formula::and([state.guard.clone(), required]);
        state.updates = after.updates;
    }

    fn formula(&self, state: &ActionSummary, formula: &StateFormula) -> StepFormula {
        translate_formula(formula, BTreeMap::new(), Current { runner: self, state })
    }

    fn term(&self, state: &ActionSummary, term: &StateTerm) -> StepTerm {
        translate_term(term, BTreeMap::new(), Current { runner: self, state })
    }

    /// Argument variables for a symbol's definition.
    pub(super) fn params(&self, symbol: SymbolId) -> Vec<StepVar> {
        let sorts = &self.signature.symbol(symbol).params;
        let name = |index: usize| {
            fresh_name(&Name::from(format!("x{}", index + 1)), |name| self.taken.contains(name))
        };
        sorts.iter().enumerate().map(|(index, sort)| Var::new(name(index), *sort)).collect()
    }

    /// The value of a symbol in a symbolic state.
    pub(super) fn value(
        &self,
        state: &ActionSummary,
        symbol: SymbolId,
        args: Vec<StepTerm>,
    ) -> Body<TwoStates> {
        match state.updates.get(&symbol) {
            Some(definition) => definition.at(&args),
            None => self.symbol_at(StepSymbol::Pre(symbol), symbol, args),
        }
    }

    /// `timed(args)`, with the result of `symbol`.
    pub(super) fn symbol_at(
        &self,
        timed: StepSymbol,
        symbol: SymbolId,
        args: Vec<StepTerm>,
    ) -> Body<TwoStates> {
        Body::applied(timed, args, self.signature.symbol(symbol).result)
    }
}

/// Reads a one-state expression in a symbolic state.
struct Current<'a> {
    runner: &'a TransitionRunner<'a>,
    state: &'a ActionSummary,
}

impl Translation<OneState, TwoStates> for Current<'_> {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: SymbolId, args: Vec<StepTerm>, sort: Sort) -> StepTerm {
        match self.runner.value(self.state, symbol, args) {
            Body::Term(term) => term,
            Body::Formula(_) => unreachable!("a function of sort {sort:?} has a term for value"),
        }
    }

    fn holds(&self, symbol: SymbolId, args: Vec<StepTerm>) -> StepFormula {
        match self.runner.value(self.state, symbol, args) {
            Body::Formula(formula) => formula,
            Body::Term(_) => unreachable!("a relation has a formula for value"),
        }
    }

    fn inserted_names(&self) -> BTreeSet<Name> {
        self.runner.taken.clone()
    }
}

/// Reads a two-state expression between two symbolic states.
struct RelatedStates<'a> {
    runner: &'a TransitionRunner<'a>,
    before: &'a ActionSummary,
    after: &'a ActionSummary,
}

impl RelatedStates<'_> {
    fn value(&self, symbol: StepSymbol, args: Vec<StepTerm>) -> Option<Body<TwoStates>> {
        match symbol {
            StepSymbol::Pre(symbol) => Some(self.runner.value(self.before, symbol, args)),
            StepSymbol::Post(symbol) => Some(self.runner.value(self.after, symbol, args)),
            StepSymbol::Choice(_) => None,
        }
    }
}

impl Translation<TwoStates, TwoStates> for RelatedStates<'_> {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: StepSymbol, args: Vec<StepTerm>, sort: Sort) -> StepTerm {
        match self.value(symbol, args.clone()) {
            Some(Body::Term(term)) => term,
            _ => Term::apply(symbol, args, sort),
        }
    }

    fn holds(&self, symbol: StepSymbol, args: Vec<StepTerm>) -> StepFormula {
        match self.value(symbol, args.clone()) {
            Some(Body::Formula(formula)) => formula,
            _ => Formula::holds(symbol, args),
        }
    }

    fn inserted_names(&self) -> BTreeSet<Name> {
        self.runner.taken.clone()
    }
}
