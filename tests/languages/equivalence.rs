//! Whether two protocols are the same: by Z3, formula by formula, and by their reachable states.

use std::collections::BTreeMap;
use std::time::Duration;

use rmlcut::budget::{Budget, Stop};
use rmlcut::finite;
use rmlcut::finite::{Claim, ENGINES, EngineError, FiniteOutcome, Question, Silent, StateCounts};
use rmlcut::logic::{
    Body, Declarations, Definition, Formula, Term, Translation, Vocabulary, substitute_formula,
    translate_formula,
};
use rmlcut::protocol::{
    Action, ActionSummary, OneState, Protocol, Size, Sort, StepFormula, StepNames, StepSymbol,
    StepTerm, StepVar, SymbolId, TwoStates, print_sort_declaration, summarize,
};
use rmlcut::smt::z3::{ModelSize, Z3};
use rmlcut::smt::{Discharge, Prover, Query};

use rmlcut::logic::Var;

/// The first difference between two protocols; `None` if there is none.
pub(crate) fn difference(one: &Protocol, other: &Protocol) -> Option<String> {
    let shape = |protocol: &Protocol| {
        let signature = &protocol.signature;
        let sorts: Vec<String> =
            signature.sorts().map(|sort| print_sort_declaration(signature, sort)).collect();
        let symbols: Vec<String> = signature
            .symbols()
            .map(|(_, symbol)| {
                // A word of the language cannot be a name in it.
                let rank = (&symbol.params, symbol.result);
                format!("{}: {rank:?}", symbol.name.trim_end_matches('_'))
            })
            .collect();
        (sorts, symbols)
    };
    if shape(one) != shape(other) {
        return Some(format!("declarations: {:?} and {:?}", shape(one), shape(other)));
    }
    let signature = &one.signature;
    let axiom = one.axiom();
    if !equivalent(signature, &[], &axiom, &other.axiom()) {
        return Some("axioms".to_owned());
    }
    if !equivalent(signature, &[axiom], &one.initial(), &other.initial()) {
        return Some("initial states".to_owned());
    }
    if one.actions.len() != other.actions.len() || one.properties.len() != other.properties.len() {
        return Some("numbers of actions or properties".to_owned());
    }
    for property in &one.properties {
        let same = other.property(&property.name).is_some_and(|(_, twin)| {
            equivalent(signature, &[], &property.formula(), &twin.formula())
        });
        if !same {
            return Some(format!("property {}", property.name));
        }
    }
    one.actions.iter().find_map(|action| {
        let twin = other.action(&action.name).map(|(_, twin)| twin);
        let same = twin.is_some_and(|twin| same_action(one, other, action, twin));
        (!same).then(|| format!("action {}", action.name))
    })
}

fn equivalent<V: Vocabulary>(
    declarations: &dyn Declarations<V>,
    hypotheses: &[Formula<V>],
    one: &Formula<V>,
    other: &Formula<V>,
) -> bool
where
    Z3: Prover<V>,
{
    let goal = Formula::iff(one.clone(), other.clone());
    follows(declarations, hypotheses, goal)
}

fn follows<V: Vocabulary>(
    declarations: &dyn Declarations<V>,
    hypotheses: &[Formula<V>],
    goal: Formula<V>,
) -> bool
where
    Z3: Prover<V>,
{
    let query = Query { declarations, hypotheses: hypotheses.to_vec(), goal, observed: Vec::new() };
    let prover = Z3 { models: ModelSize::Any };
    let budget = Budget::of_time(Duration::from_secs(20));
    matches!(prover.discharge(&query, &budget), Ok(Discharge::Valid))
}

/// Equal guards, and equal values of every symbol where the guard holds; choices are the same.
fn same_action(one: &Protocol, other: &Protocol, action: &Action, twin: &Action) -> bool {
    let choices = |action: &Action| -> Vec<_> {
        action.choices.iter().map(|choice| (choice.params.clone(), choice.result)).collect()
    };
    let sorts = |action: &Action| -> Vec<_> { action.params.iter().map(|p| p.sort).collect() };
    if choices(action) != choices(twin) || sorts(action) != sorts(twin) {
        return false;
    }
    let names = StepNames { signature: &one.signature, action };
    let first = summarize(&one.signature, action);
    let second = renamed(summarize(&other.signature, twin), twin, action);
    let symbols: Vec<SymbolId> = one.signature.symbols().map(|(id, _)| id).collect();
    // What an action is where the axioms fail is not part of the protocol.
    let axiom = translate_formula(&one.axiom(), BTreeMap::new(), BeforeStep);
    equivalent(&names, &[axiom], &first.guard, &second.guard)
        && symbols.into_iter().all(|symbol| {
            let goal = same_value(one, symbol, &first, &second);
            follows(&names, std::slice::from_ref(&first.guard), goal)
        })
}

/// Reads a formula in the state before a step.
struct BeforeStep;

impl Translation<OneState, TwoStates> for BeforeStep {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: SymbolId, args: Vec<StepTerm>, sort: Sort) -> StepTerm {
        Term::apply(StepSymbol::Pre(symbol), args, sort)
    }

    fn holds(&self, symbol: SymbolId, args: Vec<StepTerm>) -> StepFormula {
        Formula::holds(StepSymbol::Pre(symbol), args)
    }
}

/// The twin's summary with the names of the parameters of the action.
fn renamed(summary: ActionSummary, twin: &Action, action: &Action) -> ActionSummary {
    let step = |action: &Action| -> Vec<StepVar> {
        action.params.iter().map(|p| StepVar::new(p.name.clone(), p.sort)).collect()
    };
    let bindings: BTreeMap<StepVar, _> =
        step(twin).into_iter().zip(step(action).into_iter().map(Term::var)).collect();
    let guard = substitute_formula(&summary.guard, &bindings);
    let updates = summary.updates.into_iter().map(|(symbol, definition)| {
        let body = match definition.body {
            Body::Formula(body) => Body::Formula(substitute_formula(&body, &bindings)),
            Body::Term(body) => Body::Term(rmlcut::logic::substitute_term(&body, &bindings)),
        };
        (symbol, Definition { body, ..definition })
    });
    ActionSummary { guard, updates: updates.collect() }
}

fn same_value(
    protocol: &Protocol,
    symbol: SymbolId,
    one: &ActionSummary,
    other: &ActionSummary,
) -> Formula<TwoStates> {
    let declared = protocol.signature.symbol(symbol);
    let places = declared.params.iter().enumerate();
    let args: Vec<Term<TwoStates>> = places
        .map(|(index, sort)| Term::var(Var::new(format!("the argument {index}"), *sort)))
        .collect();
    let value = |summary: &ActionSummary| match summary.updates.get(&symbol) {
        Some(update) => update.at(&args),
        None => Body::applied(StepSymbol::Pre(symbol), args.clone(), declared.result),
    };
    match (value(one), value(other)) {
        (Body::Formula(one), Body::Formula(other)) => Formula::iff(one, other),
        (Body::Term(one), Body::Term(other)) => Formula::equal(one, other),
        _ => Formula::truth(false),
    }
}

/// What an exploration of the same size counts: everything of one instance size, all states.
pub(crate) fn counts(protocol: &Protocol, size: u32) -> StateCounts {
    let counts = match explored(protocol, size, Vec::new()) {
        Ok(FiniteOutcome::Safe(coverage) | FiniteOutcome::Unsafe(_, coverage)) => coverage.visited,
        Ok(FiniteOutcome::Unknown(_, coverage)) => coverage.visited,
        // Too many choices to visit one by one.
        Err(_) => None,
    };
    // Memory is no property of the protocol.
    StateCounts { memory: 0, ..counts.unwrap_or_default() }
}

/// Whether no reachable state with so many elements of each sort violates a property.
pub(crate) fn is_safe(protocol: &Protocol, size: u32) -> bool {
    let claims = protocol.properties.iter().map(Claim::from).collect();
    match explored(protocol, size, claims) {
        Ok(FiniteOutcome::Safe(_)) => true,
        Ok(FiniteOutcome::Unsafe(..)) => false,
        other => panic!("neither safe nor unsafe: {other:?}"),
    }
}

fn explored(
    protocol: &Protocol,
    size: u32,
    claims: Vec<Claim>,
) -> Result<FiniteOutcome, EngineError> {
    let size: Size = protocol.signature.sized_sorts().map(|sort| (sort, size)).collect();
    let window = protocol.signature.uses_int().then_some((-1, 3));
    let question = Question { window, claims, ..Question::new(protocol, size) };
    let budget = Budget {
        max_states: 20_000,
        max_memory: 1 << 28,
        threads: 1,
        ..Budget::until(Stop::never())
    };
    finite::check(ENGINES[0], &question, &budget, &Silent)
}

/// Asserts that two protocols are the same in every way we can tell.
pub(crate) fn assert_same(name: &str, one: &Protocol, other: &Protocol) {
    if let Some(found) = difference(one, other) {
        panic!(
            "{name} differs in its {found}\n{}\nand\n{}",
            rmlcut::protocol::print_protocol(one),
            rmlcut::protocol::print_protocol(other)
        );
    }
    // Without assignments a language may not tell what is rigid; then other things are counted.
    let rigid = |protocol: &Protocol| -> Vec<_> {
        protocol.signature.symbols().map(|(_, symbol)| symbol.rigidity).collect()
    };
    if rigid(one) == rigid(other) {
        assert_eq!(counts(one, 1), counts(other, 1), "{name} at size 1");
    }
}

#[test]
fn a_difference_is_found() {
    let read = |text: &str| super::read(&rmlcut::source::SourceFile::new("t.rml", text));
    let text = "sort node\nrelation p(node)\ninit ~p(N)\n\
                action a(n: node) {\n  require ~p(n)\n  p(n) := true\n}\nsafety [s] p(X) -> p(X)\n";
    let first = read(text);
    assert_eq!(difference(&first, &read(text)), None);
    let same = text.replace("require ~p(n)", "require p(n) -> exists M. ~p(M) & p(M)");
    assert_eq!(difference(&first, &read(&same)), None);
    for (from, to, found) in [
        ("init ~p(N)", "init p(N)", "initial states"),
        ("require ~p(n)", "require true", "action a"),
        ("p(n) := true", "p(n) := false", "action a"),
        ("p(n) := true", "p(N) := true", "action a"),
        ("p(X) -> p(X)", "p(X) -> p(Y)", "property s"),
    ] {
        let other = read(&text.replace(from, to));
        assert_eq!(difference(&first, &other).as_deref(), Some(found), "{to}");
    }
}
