//! The symbolic run of a step: what `L` becomes, and what `C` becomes after its answering moves.

use std::collections::{BTreeMap, BTreeSet};

use crate::logic::{
    Body, Declarations as _, Definition, Expand, Formula, Name, Term, Translation, Var, free_vars,
    translate_formula,
};
use crate::protocol::{
    Action, ActionSummary, Protocol, Signature, Sort, StepSymbol, TwoStates, summarize,
};

use super::expand_definitions::{CaseContext, CaseDefinitions};
use super::product::large_sort;
use super::{
    Mode, Move, ProductDefinition, ProductFormula, ProductNames, ProductSort, ProductSymbol,
    ProductTerm, TwoSystems,
};

/// An action of `L` in the product: its parameters are free variables.
pub(super) struct LargeStep {
    /// When it is possible.
    pub(super) guard: ProductFormula,
    /// What the symbols of `L` become: under `Large` for γ, under `LargePost` for conditions.
    pub(super) after: CaseDefinitions,
}

/// The step of `L` under one action.
pub(super) fn large_step(signature: &Signature, action: &Action) -> LargeStep {
    let summary = summarize(signature, action);
    let guard = translate_formula(&summary.guard, BTreeMap::new(), StepOfLarge);
    let mut after = BTreeMap::new();
    for (symbol, definition) in &summary.updates {
        let params = definition
            .params
            .iter()
            .map(|param| Var::new(param.name.clone(), large_sort(param.sort)))
            .collect();
        let body = definition.body.translate(BTreeMap::new(), StepOfLarge);
        after.insert(ProductSymbol::Large(*symbol), Definition { params, body });
    }
    LargeStep { guard, after }
}

/// Definitions that read `L'` as updates of `L`: symbols that do not change are those before.
pub(super) fn after_as_post(signature: &Signature, step: &LargeStep) -> CaseDefinitions {
    let mut post = BTreeMap::new();
    for (symbol, declared) in signature.symbols() {
        let changed = step.after.get(&ProductSymbol::Large(symbol)).cloned();
        let definition = changed.unwrap_or_else(|| {
            let params: Vec<_> = declared
                .params
                .iter()
                .enumerate()
                .map(|(index, sort)| Var::new(format!("x{}", index + 1), large_sort(*sort)))
                .collect();
            let args = params.iter().cloned().map(Term::var).collect();
            let same = ProductSymbol::Large(symbol);
            let body = Body::applied(same, args, declared.result.map(large_sort));
            Definition { params, body }
        });
        post.insert(ProductSymbol::LargePost(symbol), definition);
    }
    post
}

struct StepOfLarge;

impl Translation<TwoStates, TwoSystems> for StepOfLarge {
    fn sort(&self, sort: Sort) -> ProductSort {
        large_sort(sort)
    }

    fn apply(&self, symbol: StepSymbol, args: Vec<ProductTerm>, sort: ProductSort) -> ProductTerm {
        Term::apply(step_of_large(symbol), args, sort)
    }

    fn holds(&self, symbol: StepSymbol, args: Vec<ProductTerm>) -> ProductFormula {
        Formula::holds(step_of_large(symbol), args)
    }
}

fn step_of_large(symbol: StepSymbol) -> ProductSymbol {
    match symbol {
        StepSymbol::Pre(id) => ProductSymbol::Large(id),
        StepSymbol::Post(id) => ProductSymbol::LargePost(id),
        StepSymbol::Choice(id) => ProductSymbol::LargeChoice(id),
    }
}

/// The combined effect of the answering moves of `C`.
pub(super) struct CutoffRun {
    /// For each move that must be possible: its position from 1, and its guard there.
    pub(super) enabled: Vec<(usize, ProductFormula)>,
    /// What the symbols of `C` become.
    pub(super) after: CaseDefinitions,
}

/// Runs moves from the state of `C` before them. Arguments and choices are read in that state.
///
/// `read` puts `L'` and all definitions in place.
pub(super) fn run_moves(
    context: &CaseContext<'_>,
    moves: &[Move],
    read: &dyn Fn(&ProductTerm) -> ProductTerm,
    read_definition: &dyn Fn(&ProductDefinition) -> ProductDefinition,
) -> CutoffRun {
    let mut run = CutoffRun { enabled: Vec::new(), after: BTreeMap::new() };
    for (index, next) in moves.iter().enumerate() {
        let action = &context.case.small.actions[next.action];
        let args: Vec<ProductTerm> = next.args.iter().map(read).collect();
        let choices = next
            .choices
            .iter()
            .map(|(choice, definition)| (*choice, read_definition(definition)))
            .collect();
        let summary = summarize(&context.case.small.signature, action);
        let step = CutoffStep { context, action, args, choices, before: &run.after };
        let guard = step.formula(&summary.guard);
        let updated = step.updates(&summary);
        match next.mode {
            Mode::Fire => {
                run.enabled.push((index + 1, guard));
                run.after.extend(updated);
            }
            Mode::Try => {
                let kept = attempted(&context.names, &guard, &updated, &run.after);
                run.after.extend(kept);
            }
        }
    }
    run
}

/// `if guard then updated else before`, for every updated symbol.
fn attempted(
    names: &ProductNames,
    guard: &ProductFormula,
    updated: &CaseDefinitions,
    before: &CaseDefinitions,
) -> CaseDefinitions {
    let mut kept = BTreeMap::new();
    for (symbol, definition) in updated {
        let args: Vec<ProductTerm> = definition.params.iter().cloned().map(Term::var).collect();
        let old = value(names, before, *symbol, args);
        let body = Body::if_then_else(guard.clone(), definition.body.clone(), old);
        kept.insert(*symbol, Definition { params: definition.params.clone(), body });
    }
    kept
}

/// A symbol of `C` at arguments, in a symbolic state. The arguments were read already, perhaps in an
/// earlier state, and stay as they are.
fn value(
    names: &ProductNames,
    state: &CaseDefinitions,
    symbol: ProductSymbol,
    args: Vec<ProductTerm>,
) -> Body<TwoSystems> {
    match state.get(&symbol) {
        Some(definition) => definition.at(&args),
        None => Body::applied(symbol, args, names.symbol(symbol).rank.result),
    }
}

/// One action of `C` with its arguments and choices, in a symbolic state.
struct CutoffStep<'a> {
    context: &'a CaseContext<'a>,
    action: &'a Action,
    args: Vec<ProductTerm>,
    choices: BTreeMap<crate::protocol::ChoiceId, ProductDefinition>,
    before: &'a CaseDefinitions,
}

impl CutoffStep<'_> {
    fn bindings(&self) -> BTreeMap<Var<TwoStates>, ProductTerm> {
        let params = self.action.params.iter();
        let params = params.map(|param| Var::new(param.name.clone(), param.sort));
        params.zip(self.args.iter().cloned()).collect()
    }

    fn formula(&self, formula: &Formula<TwoStates>) -> ProductFormula {
        self.context.expand(&translate_formula(formula, self.bindings(), self))
    }

    fn updates(&self, summary: &ActionSummary) -> CaseDefinitions {
        let mut updates = BTreeMap::new();
        for (symbol, definition) in &summary.updates {
            let definition = self.definition(definition);
            updates.insert(ProductSymbol::Cutoff(*symbol), definition);
        }
        updates
    }

    /// The parameters are renamed so that no argument of the move mentions them.
    fn definition(&self, definition: &Definition<TwoStates>) -> ProductDefinition {
        let taken = self.inserted_names();
        let mut bindings = self.bindings();
        let mut params = Vec::new();
        for param in &definition.params {
            let name =
                crate::logic::fresh_name(&Name::from(format!("c{}", params.len() + 1)), |name| {
                    taken.contains(name)
                });
            let renamed = Var::new(name, self.context.names.cutoff_sort(param.sort));
            bindings.insert(param.clone(), Term::var(renamed.clone()));
            params.push(renamed);
        }
        let body = definition.body.translate(bindings, self);
        self.context.expand_definition(&Definition { params, body })
    }

    fn at(&self, symbol: StepSymbol, args: Vec<ProductTerm>) -> Body<TwoSystems> {
        match symbol {
            StepSymbol::Pre(id) | StepSymbol::Post(id) => {
                value(&self.context.names, self.before, ProductSymbol::Cutoff(id), args)
            }
            StepSymbol::Choice(id) => self.choices[&id].at(&args),
        }
    }
}

impl Translation<TwoStates, TwoSystems> for &CutoffStep<'_> {
    fn sort(&self, sort: Sort) -> ProductSort {
        self.context.names.cutoff_sort(sort)
    }

    fn apply(&self, symbol: StepSymbol, args: Vec<ProductTerm>, sort: ProductSort) -> ProductTerm {
        match self.at(symbol, args) {
            Body::Term(term) => term,
            Body::Formula(_) => unreachable!("a function of sort {sort:?} has a term for value"),
        }
    }

    fn holds(&self, symbol: StepSymbol, args: Vec<ProductTerm>) -> ProductFormula {
        match self.at(symbol, args) {
            Body::Formula(formula) => formula,
            Body::Term(_) => unreachable!("a relation has a formula for value"),
        }
    }

    fn inserted_names(&self) -> BTreeSet<Name> {
        let mut names: BTreeSet<Name> = BTreeSet::new();
        let mut add = |vars: BTreeSet<Var<TwoSystems>>| {
            names.extend(vars.into_iter().map(|var| var.name));
        };
        for arg in &self.args {
            add(arg.free_vars());
        }
        for definition in self.choices.values().chain(self.before.values()) {
            add(free_vars(definition.body.node()));
        }
        names
    }
}

/// The names of an obligation about one action of `L`.
pub(super) fn names_for(
    context: &CaseContext<'_>,
    large: &Protocol,
    action: usize,
) -> ProductNames {
    let mut names = ProductNames::clone(&context.names);
    names.action = Some(large.actions[action].clone());
    names
}

/// A clause between the states after the step.
pub(super) fn after_step(
    clause: &ProductFormula,
    large: &LargeStep,
    cutoff: &CutoffRun,
) -> ProductFormula {
    let mut both = large.after.clone();
    both.extend(cutoff.after.iter().map(|(symbol, definition)| (*symbol, definition.clone())));
    translate_formula(clause, BTreeMap::new(), Expand(&both))
}
