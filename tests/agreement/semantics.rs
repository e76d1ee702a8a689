//! Executing an action and its transition formula say the same, as Z3 sees it.

use rmlcut::logic::{Formula, Structure, Table, Value, evaluate_formula};
use rmlcut::protocol::{
    ChoiceId, ChoiceValues, ExecutionError, Invocation, Protocol, State, StepSymbol, StepVar,
    SuccessorState, TwoStates, execute, print_action, transition,
};

use crate::agreement::dice::Dice;
use crate::agreement::pinned::Situation;
use crate::agreement::protocols::{self, Statements};

/// Cases that are compared in each part; those with too many successors are made up for.
const CASES: usize = 525;

/// Cases with more successors are left out: their questions would be large and no wiser.
const MAX_SUCCESSORS: usize = 64;

#[test]
fn execution_agrees_with_the_transition_formula_1() {
    compare_random_cases(1);
}

#[test]
fn execution_agrees_with_the_transition_formula_2() {
    compare_random_cases(2);
}

#[test]
fn execution_agrees_with_the_transition_formula_3() {
    compare_random_cases(3);
}

#[test]
fn execution_agrees_with_the_transition_formula_4() {
    compare_random_cases(4);
}

fn compare_random_cases(seed: u64) {
    let mut dice = Dice::new(seed);
    let mut tally = Tally::default();
    while tally.cases < CASES {
        let protocol = protocols::protocol(&mut dice, Statements::AllKinds);
        let state = protocols::state(&mut dice, &protocol.signature);
        let params = &protocol.actions[0].params;
        let args = params.iter().map(|param| protocols::value(&mut dice, &state, Some(param.sort)));
        let invocation = Invocation { action: 0, args: args.collect() };
        let found = execute(&protocol, &state, &invocation);
        if matches!(found, Err(ExecutionError::TooManyChoices(_))) {
            continue;
        }
        let successors = found.expect("every expression has a value");
        if successors.len() > MAX_SUCCESSORS {
            continue;
        }
        let situation = Situation { protocol: &protocol, state: &state, invocation: &invocation };
        compare(&situation, &successors, &mut dice, &mut tally);
    }
    tally.check();
}

/// What was seen: a test of nothing but impossible actions would prove little.
#[derive(Default)]
struct Tally {
    cases: usize,
    possible: usize,
    several: usize,
    changing: usize,
}

impl Tally {
    fn check(&self) {
        assert!(self.possible * 2 > self.cases, "most actions are possible: {}", self.possible);
        assert!(self.several * 20 > self.cases, "many have choices: {}", self.several);
        assert!(self.changing * 4 > self.cases, "many change something: {}", self.changing);
    }
}

fn compare(
    situation: &Situation<'_>,
    successors: &[SuccessorState],
    dice: &mut Dice,
    tally: &mut Tally,
) {
    tally.cases += 1;
    tally.possible += usize::from(!successors.is_empty());
    tally.several += usize::from(successors.len() > 1);
    tally.changing +=
        usize::from(successors.iter().any(|successor| successor.state != *situation.state));
    let context = || text(situation.protocol);
    evaluate(situation, successors, dice);
    let transition = transition(situation.protocol, &situation.protocol.actions[0]);
    let (before, step) = (situation.before(), situation.step(&transition));
    let elsewhere = successors.iter().map(|found| situation.after(&found.state).negate());
    let other = Formula::and(elsewhere.collect::<Vec<_>>());
    let elsewhere = situation.possible(vec![before.clone(), step.clone(), other]);
    assert_eq!(elsewhere, Ok(false), "the formula allows what execution does not\n{}", context());
    if let Some(index) = (!successors.is_empty()).then(|| dice.below(successors.len())) {
        let after = situation.after(&successors[index].state);
        let reached = situation.possible(vec![before.clone(), step.clone(), after]);
        assert_eq!(
            reached,
            Ok(true),
            "execution does what the formula does not allow\n{}",
            context()
        );
    }
    let from = successors.first().map_or(situation.state, |successor| &successor.state);
    let perturbed = perturbed(situation.protocol, from, dice);
    let expected = successors.iter().any(|successor| successor.state == perturbed);
    let allowed = situation.possible(vec![before, step, situation.after(&perturbed)]);
    assert_eq!(allowed, Ok(expected), "a state with one change\n{}", context());
}

/// The formula is true of every successor with its choices, and of no other state.
fn evaluate(situation: &Situation<'_>, successors: &[SuccessorState], dice: &mut Dice) {
    let Situation { protocol, state, invocation } = situation;
    let formula = transition(protocol, &protocol.actions[0]);
    let params = protocol.actions[0].params.iter();
    let assignment = params
        .zip(&invocation.args)
        .map(|(param, value)| (StepVar::new(param.name.clone(), param.sort), *value))
        .collect();
    for SuccessorState { choices, state: after } in successors {
        let right = step(protocol, state, after, choices);
        assert_eq!(evaluate_formula(&right, &assignment, &formula), Ok(true), "{}", text(protocol));
        let wrong = step(protocol, state, &perturbed(protocol, after, dice), choices);
        assert_eq!(
            evaluate_formula(&wrong, &assignment, &formula),
            Ok(false),
            "{}",
            text(protocol)
        );
    }
}

/// Both states and the choices in one structure; choices that were not made are blank.
fn step(
    protocol: &Protocol,
    before: &State,
    after: &State,
    choices: &ChoiceValues,
) -> Structure<TwoStates> {
    let mut both = Structure::new(before.extents.clone());
    for (symbol, table) in &before.tables {
        both.tables.insert(StepSymbol::Pre(*symbol), table.clone());
    }
    for (symbol, table) in &after.tables {
        both.tables.insert(StepSymbol::Post(*symbol), table.clone());
    }
    for (index, choice) in protocol.actions[0].choices.iter().enumerate() {
        let id = ChoiceId(u32::try_from(index).expect("a small number"));
        let ranges = choice.params.iter().map(|sort| before.extents[sort]).collect();
        let blank = protocols::value(&mut Dice::new(0), before, choice.result);
        let table = choices.get(&id).cloned().unwrap_or_else(|| Table::constant(ranges, blank));
        both.tables.insert(StepSymbol::Choice(id), table);
    }
    both
}

/// The state with another value at one place of one mutable symbol.
fn perturbed(protocol: &Protocol, state: &State, dice: &mut Dice) -> State {
    let mutable: Vec<_> = protocol.signature.mutable().collect();
    loop {
        let (id, symbol) = *dice.pick(&mutable);
        let mut changed = state.clone();
        let table = changed.tables.get_mut(&id).expect("every symbol has a table");
        let places: Vec<_> = table.entries().map(|(place, _)| place).collect();
        let place: &Vec<Value> = dice.pick(&places);
        table.set(place, protocols::value(dice, state, symbol.result));
        if changed != *state {
            return changed;
        }
    }
}

fn text(protocol: &Protocol) -> String {
    print_action(&protocol.signature, &protocol.actions[0])
}
