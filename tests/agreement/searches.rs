//! Both engines, with and without renaming, against a search that executes actions on structures
//! one by one, from all first states of all instances: random protocols, claims about named
//! elements among them, and unread numbers.

use std::collections::{BTreeMap, BTreeSet};

use rmlcut::budget::{Budget, Stop};
use rmlcut::finite::{
    Claim, ENGINES, EngineError, FiniteOutcome, FiniteReason, Question, Silent, Slicing, Symmetry,
    check,
};
use rmlcut::logic::{Extent, Formula, Value, VariableAssignment, evaluate_formula, tuples};
use rmlcut::protocol::{
    Action, Assignment as Assign, Choice, ChoiceId, Command, OneState, Protocol, RightSide,
    Rigidity, Size, Sort, State, StateFormula, StateVar, SymbolId, blank_state, extents,
    print_protocol, successors, symbols_read,
};
use rmlcut::source::Span;

use crate::agreement::dice::Dice;
use crate::agreement::expressions::Expressions;
use crate::agreement::protocols::{self, Statements};

/// Protocols that are compared in each part.
const CASES: usize = 120;

/// The most structures that are looked at one by one.
const STRUCTURES: usize = 3_000;

#[test]
fn engines_agree_with_execution_1() {
    compare_random_protocols(21);
}

#[test]
fn engines_agree_with_execution_2() {
    compare_random_protocols(22);
}

fn compare_random_protocols(seed: u64) {
    let mut dice = Dice::new(seed);
    let (mut safe, mut violated, mut none) = (0, 0, 0);
    while safe + violated + none < CASES {
        let protocol = protocols::protocol(&mut dice, Statements::AllKinds);
        let sorts = protocol.signature.sized_sorts();
        let size: Size = sorts
            .map(|sort| (sort, u32::try_from(1 + dice.below(3)).expect("a small number")))
            .collect();
        if reads_numbers(&protocol) || structures(&protocol, &size) > STRUCTURES {
            continue;
        }
        let claims = claims(&mut dice, &protocol, &size);
        let Some(truth) = search(&protocol, &size, &claims) else { continue };
        match truth {
            Truth::Nothing => none += 1,
            Truth::Safe => safe += 1,
            Truth::Violated(_) => violated += 1,
        }
        let picking = picking(&protocol);
        let protocol = if dice.chance(50) { &picking } else { &protocol };
        for engine in ENGINES {
            for symmetry in [Symmetry::Reduced, Symmetry::Distinguished, Symmetry::Labelled] {
                let question = Question {
                    claims: claims.clone(),
                    symmetry,
                    slicing: Slicing::Sliced,
                    ..Question::new(protocol, size.clone())
                };
                let found = check(*engine, &question, &budget(), &Silent);
                let context = || {
                    format!("{} {symmetry:?} {size:?}\n{}", engine.name(), print_protocol(protocol))
                };
                assert!(agrees(&found, &truth), "{found:?}\nbut {truth:?}\n{}", context());
            }
        }
    }
    assert!(safe > CASES / 10 && violated > CASES / 10, "{safe} {violated} {none}");
}

/// What executing actions finds.
#[derive(Debug)]
enum Truth {
    /// No instance has an initial state.
    Nothing,
    Safe,
    /// After so many steps at least.
    Violated(usize),
}

/// Whether an engine's answer may be given: a slice may have more runs, and never fewer.
fn agrees(found: &Result<FiniteOutcome, EngineError>, truth: &Truth) -> bool {
    match (found, truth) {
        (Ok(FiniteOutcome::Unsafe(violation, _)), Truth::Violated(steps)) => {
            violation.trace.steps.len() == *steps
        }
        (Ok(FiniteOutcome::Safe(_)), Truth::Safe | Truth::Nothing) => true,
        (
            Ok(FiniteOutcome::Unknown(FiniteReason::NoInstance | FiniteReason::NoInitialState, _)),
            Truth::Nothing,
        ) => true,
        (Ok(FiniteOutcome::Unknown(FiniteReason::OnlyInSlice, _)), _) => true,
        (Err(error), _) => !error.is_bug(),
        _ => false,
    }
}

fn budget() -> Budget {
    let (max_states, max_memory) = (1 << 20, 1 << 28);
    Budget { max_states, max_memory, ..Budget::until(Stop::never()) }
}

/// Whether a number matters to anything: then no search without a window is possible.
fn reads_numbers(protocol: &Protocol) -> bool {
    let statements = protocol.axioms.iter().chain(&protocol.init);
    let mut read: BTreeSet<SymbolId> = statements.flat_map(|own| own.formula.symbols()).collect();
    read.extend(protocol.properties.iter().flat_map(|property| property.matrix.symbols()));
    read.extend(protocol.actions.iter().flat_map(|action| symbols_read(&action.body)));
    read.iter().any(|id| protocol.signature.symbol(*id).result == Some(Sort::Int))
}

/// The symbols that are not numbers.
fn finite(protocol: &Protocol, rigidity: Rigidity) -> Vec<SymbolId> {
    let symbols = protocol.signature.symbols();
    let symbols = symbols.filter(|(_, own)| own.rigidity == rigidity);
    symbols.filter(|(_, own)| own.result != Some(Sort::Int)).map(|(id, _)| id).collect()
}

/// How many structures there are, first states times instances.
fn structures(protocol: &Protocol, size: &Size) -> usize {
    let extents = extents(&protocol.signature, size, None);
    let mut count = 1_usize;
    for rigidity in [Rigidity::Rigid, Rigidity::Mutable] {
        for id in finite(protocol, rigidity) {
            let own = protocol.signature.symbol(id);
            let values = own.result.map_or(2, |sort| extents[&sort].len());
            let places: usize = own.params.iter().map(|sort| extents[sort].len()).product();
            let tables = values.saturating_pow(u32::try_from(places).expect("a small number"));
            count = count.saturating_mul(tables);
        }
    }
    count
}

/// Every way to fill these symbols.
fn fillings(protocol: &Protocol, blank: &State, symbols: &[SymbolId]) -> Vec<State> {
    let mut all = vec![blank.clone()];
    for id in symbols {
        let own = protocol.signature.symbol(*id);
        let ranges: Vec<Extent> = own.params.iter().map(|sort| blank.extents[sort]).collect();
        let values: Vec<Value> = match own.result {
            None => vec![Value::Bool(false), Value::Bool(true)],
            Some(sort) => blank.extents[&sort].values().collect(),
        };
        for place in tuples(&ranges) {
            let vary = |state: State| {
                let place = &place;
                values.iter().map(move |value| {
                    let mut state = state.clone();
                    state.tables.get_mut(id).expect("a table").set(place, *value);
                    state
                })
            };
            all = all.into_iter().flat_map(|state| vary(state).collect::<Vec<_>>()).collect();
        }
    }
    all
}

/// Level by level from all first states of all instances; `None` if there are too many choices.
fn search(protocol: &Protocol, size: &Size, claims: &[Claim]) -> Option<Truth> {
    let blank = blank_state(&protocol.signature, &extents(&protocol.signature, size, None));
    let is_true = |state: &State, formula: &StateFormula| {
        evaluate_formula(state, &VariableAssignment::new(), formula).expect("a value")
    };
    let mut level: Vec<State> = Vec::new();
    for instance in fillings(protocol, &blank, &finite(protocol, Rigidity::Rigid)) {
        if is_true(&instance, &protocol.axiom()) {
            let states = fillings(protocol, &instance, &finite(protocol, Rigidity::Mutable));
            level.extend(states.into_iter().filter(|own| is_true(own, &protocol.initial())));
        }
    }
    if level.is_empty() {
        return Some(Truth::Nothing);
    }
    let mut known: BTreeSet<State> = level.iter().cloned().collect();
    for steps in 0.. {
        if level.iter().any(|state| claims.iter().any(|claim| fails(state, claim))) {
            return Some(Truth::Violated(steps));
        }
        let mut next = Vec::new();
        for state in &level {
            for (_, successor) in successors(protocol, state, 0).ok()? {
                let mut state = successor.state;
                forget_numbers(protocol, &mut state, &blank);
                if known.insert(state.clone()) {
                    next.push(state);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        level = next;
    }
    Some(Truth::Safe)
}

/// Unread numbers make no difference.
fn forget_numbers(protocol: &Protocol, state: &mut State, blank: &State) {
    for (id, symbol) in protocol.signature.symbols() {
        if symbol.result == Some(Sort::Int) {
            state.tables.insert(id, blank.tables[&id].clone());
        }
    }
}

fn fails(state: &State, claim: &Claim) -> bool {
    let pinned = claim.pinned.iter().map(|(var, at)| (var.clone(), Value::Element(*at)));
    let pinned: VariableAssignment<OneState> = pinned.collect();
    !evaluate_formula(state, &pinned, &claim.formula()).expect("a value")
}

/// The properties, often with a claim about named elements.
fn claims(dice: &mut Dice, protocol: &Protocol, size: &Size) -> Vec<Claim> {
    let mut claims: Vec<Claim> = protocol.properties.iter().take(1).map(Claim::from).collect();
    if dice.chance(50) {
        let elements: BTreeMap<StateVar, u32> = size
            .iter()
            .map(|(sort, count)| {
                let at = u32::try_from(dice.below(*count as usize)).expect("a small number");
                (StateVar::new(format!("e{}", sort.0), Sort::Declared(*sort)), at)
            })
            .collect();
        let scope: Vec<StateVar> = elements.keys().cloned().collect();
        let symbols =
            [Rigidity::Rigid, Rigidity::Mutable].map(|own| finite(protocol, own)).concat();
        let signature = &protocol.signature;
        let mut expressions = Expressions { signature, dice, symbols, bound: 0, prefix: "e" };
        let matrix = Formula::or([expressions.formula(&scope, 3), expressions.formula(&scope, 2)]);
        let free = matrix.free_vars();
        let pinned = elements.into_iter().filter(|(var, _)| free.contains(var)).collect();
        claims.push(Claim { name: "named".into(), vars: Vec::new(), matrix, pinned });
    }
    claims
}

/// The same protocol, whose action also picks an unread number.
fn picking(protocol: &Protocol) -> Protocol {
    let mut picking = protocol.clone();
    let target = protocol.signature.find_symbol("count").expect("every protocol has one");
    let Action { body, choices, .. } = &mut picking.actions[0];
    let choice = ChoiceId(u32::try_from(choices.len()).expect("a small number"));
    choices.push(Choice { name: "count".into(), params: Vec::new(), result: Some(Sort::Int) });
    let value = RightSide::Havoc(choice);
    let span = Span::default();
    body.insert(0, Command::Assign(Assign { target, arguments: Vec::new(), value, span }));
    picking
}
