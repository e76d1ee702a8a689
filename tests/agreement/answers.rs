//! Obligations against what they stand for: in random pairs of states, every hypothesis and every
//! goal is as true as executing `L` and the answering moves of `C` side by side says.

use std::collections::BTreeMap;

use rmlcut::certificate::{
    Assume, Case, Certificate, Mode, Obligation, ObligationKind, ProductSymbol, ProductVar,
    ProofArgument, TwoSystems, answer_weight, case_obligations, cover_obligations, element_var,
    large_sort, validate,
};
use rmlcut::logic::{
    Extent, Formula, Table, Term, Value, VariableAssignment, evaluate_formula, evaluate_term,
    tuples,
};
use rmlcut::protocol::{
    Argument as Place, Assignment as Assign, ChoiceId, ChoiceValues, Command, Invocation, OneState,
    Protocol, RightSide, Rigidity, Sort, State, StateVar, Statement, SuccessorState, Symbol,
    Weight, execute, execute_with, print_protocol,
};

use rmlcut::source::Span;

use crate::agreement::cases::case;
use crate::agreement::dice::Dice;
use crate::agreement::pairs::{Both, add, holds, is_true, tabulated, without_cutoff};
use crate::agreement::protocols::{self, Statements};

/// Cases that are compared in each part; those whose obligations would be large are made up for.
const CASES: usize = 300;

/// Pairs of states for each case.
const PAIRS: usize = 4;

/// What a fact is called that never changes and follows from the violation.
const FACT: &str = "fixed fact of the violation";

/// What the moves of an answer may come to.
const HEAVY: u64 = 2_000;

#[test]
fn obligations_agree_with_execution_1() {
    compare_random_cases(11);
}

#[test]
fn obligations_agree_with_execution_2() {
    compare_random_cases(12);
}

fn compare_random_cases(seed: u64) {
    let mut dice = Dice::new(seed);
    let mut tally = Tally::default();
    while tally.cases < CASES {
        let mut large = protocols::protocol(&mut dice, Statements::AllKinds);
        if dice.chance(50) {
            follow_a_pointer(&mut large);
        }
        let case = case(&mut dice, &large);
        let mut weight = Weight::default();
        weight.act(&large.actions[0]);
        let mut answers = case.lockstep[0].iter().map(|answer| answer_weight(&case, &answer.moves));
        if weight.total() > HEAVY || answers.any(|weight| weight.total() > HEAVY) {
            continue;
        }
        let argument = ProofArgument::Cutoff(vec![case.clone()]);
        let certificate = Certificate { large: large.clone(), argument };
        assert_eq!(validate(&large, &certificate), Vec::<String>::new());
        tally.cases += 1;
        for _ in 0..PAIRS {
            let pair = Pair::random(&mut dice, &large, &case);
            pair.compare_cover();
            pair.compare_still(&mut tally);
            pair.compare_step(&mut dice, &mut tally);
        }
    }
    tally.check();
}

/// Lets the action mark an element and point to it: the next move may be about where the pointer was
/// before.
fn follow_a_pointer(protocol: &mut Protocol) {
    let signature = &mut protocol.signature;
    let current = signature.find_symbol("current").expect("every protocol has one");
    let key = signature.symbol(current).result.expect("it is a key");
    let (result, rigidity, span) = (None, Rigidity::Mutable, Span::default());
    let seen = Symbol { name: "seen".into(), params: vec![key], result, rigidity, span };
    let seen = signature.add_symbol(seen);
    let element = StateVar::new("q", key);
    let at = || Term::var(element.clone());
    let marked = RightSide::Formula(Formula::holds(seen, vec![at()]).negate());
    let arguments = vec![Place::At(at())];
    let mark = Assign { target: seen, arguments, value: marked, span };
    let (arguments, value) = (Vec::new(), RightSide::Term(at()));
    let point = Assign { target: current, arguments, value, span };
    let action = &mut protocol.actions[0];
    action.params.push(element.clone());
    action.body.extend([Command::Assign(mark), Command::Assign(point)]);
}

/// What was seen: a test of nothing but stutters would prove little.
#[derive(Default)]
struct Tally {
    cases: usize,
    steps: usize,
    moves: usize,
    long: usize,
    kept: usize,
    lost: usize,
}

impl Tally {
    fn check(&self) {
        assert!(self.steps * 3 > self.cases * PAIRS, "many steps of L: {}", self.steps);
        assert!(self.moves > self.cases, "many moves of C: {}", self.moves);
        assert!(self.long * 5 > self.cases, "many answers of several moves: {}", self.long);
        assert!(self.kept > self.cases && self.lost > self.cases, "{} {}", self.kept, self.lost);
    }
}

/// A state of `L`, one of `C`, and parameters.
struct Pair<'a> {
    protocol: &'a Protocol,
    case: &'a Case,
    params: Vec<Value>,
    large: State,
    small: State,
}

impl<'a> Pair<'a> {
    fn random(dice: &mut Dice, protocol: &'a Protocol, case: &'a Case) -> Self {
        let large = protocols::state(dice, &protocol.signature);
        let params = case.params.iter();
        let params = params
            .map(|param| protocols::value(dice, &large, Some(param.sort)))
            .collect::<Vec<_>>();
        let mut extents = large.extents.clone();
        for cut in &case.cut {
            let count = u32::try_from(cut.elements.len()).expect("a small number");
            extents.insert(Sort::Declared(cut.sort), Extent::Elements(count));
        }
        let mut small = protocols::filled(dice, &protocol.signature, &extents);
        let both = without_cutoff(case, &large, &params);
        for (symbol, definition) in &case.rigid {
            small.tables.insert(*symbol, tabulated(&both, definition, &VariableAssignment::new()));
        }
        Pair { protocol, case, params, large, small }
    }

    fn both(&self, large: &State, small: &State) -> Both {
        let mut both = without_cutoff(self.case, large, &self.params);
        add(&mut both, small, ProductSymbol::Cutoff);
        both
    }

    fn context(&self, obligation: &Obligation) -> String {
        format!("{}\n{}\n{:#?}", obligation.title(), print_protocol(self.protocol), self.case)
    }

    /// Whether these parameters are selected, and violate the property.
    fn is_violation(&self, params: &[Value]) -> (bool, bool) {
        let both = without_cutoff(self.case, &self.large, params);
        let selected = holds(&both, &VariableAssignment::new(), &self.case.select.formula);
        let property = &self.protocol.properties[0];
        let violated = if self.case.violators.is_empty() {
            !is_true(&self.large, &property.formula())
        } else {
            let values = self.case.violators.iter().map(|param| params[*param]);
            let assignment = property.vars.iter().cloned().zip(values).collect();
            !evaluate_formula(&self.large, &assignment, &property.matrix).expect("a value")
        };
        (selected, violated)
    }

    fn compare_cover(&self) {
        let extents = self.case.params.iter().map(|param| self.large.extents[&param.sort]);
        let extents: Vec<Extent> = extents.collect();
        let covered = tuples(&extents).any(|params| self.is_violation(&params) == (true, true));
        let both = self.both(&self.large, &self.small);
        let obligations = cover_obligations(self.protocol, std::slice::from_ref(self.case));
        for (rank, obligation) in obligations.iter().enumerate() {
            let goal = holds(&both, &VariableAssignment::new(), &obligation.goal);
            assert_eq!(goal, rank == 0 && covered, "{}", self.context(obligation));
        }
    }

    /// *rigid*, *start* and *safety*.
    fn compare_still(&self, tally: &mut Tally) {
        let both = self.both(&self.large, &self.small);
        let mut start = self.small.clone();
        for (symbol, definition) in &self.case.start {
            start.tables.insert(*symbol, tabulated(&both, definition, &VariableAssignment::new()));
        }
        let first = self.both(&self.large, &start);
        let truths = |statements: &[Statement], state: &State| {
            statements
                .iter()
                .map(|own| is_true(state, &own.formula))
                .collect::<Vec<_>>()
                .into_iter()
        };
        let mut axioms = truths(&self.protocol.axioms, &self.small);
        let mut inits = truths(&self.protocol.init, &start);
        for obligation in case_obligations(self.protocol, self.case, Assume::CutoffSafe) {
            let expected = match &obligation.kind {
                ObligationKind::Rigid { .. } => axioms.next(),
                ObligationKind::StartInit { .. } => inits.next(),
                ObligationKind::StartGamma { clause } => Some(self.clause(&first, clause)),
                ObligationKind::Safety { .. } => Some(!self.is_safe()),
                _ => continue,
            };
            let goal = holds(&both, &VariableAssignment::new(), &obligation.goal);
            assert_eq!(Some(goal), expected, "{}", self.context(&obligation));
            self.compare_hypotheses(&obligation, &both, &VariableAssignment::new(), false, false);
            tally.kept += usize::from(goal);
        }
    }

    fn clause(&self, both: &Both, name: &str) -> bool {
        let clause = self.case.gamma.iter().find(|clause| &*clause.name == name);
        holds(both, &VariableAssignment::new(), &clause.expect("a clause").formula)
    }

    fn only_holds(&self) -> bool {
        let elements = self.case.cut.iter().flat_map(|cut| {
            (0..)
                .zip(&cut.elements)
                .map(|(index, _)| (element_var(cut, index as usize), Value::Element(index)))
        });
        let elements: VariableAssignment<OneState> = elements.collect();
        evaluate_formula(&self.small, &elements, &self.case.only[0].formula).expect("a value")
    }

    fn is_safe(&self) -> bool {
        let properties = self.protocol.properties.iter();
        self.only_holds() && properties.into_iter().all(|own| is_true(&self.small, &own.formula()))
    }

    /// Every hypothesis says what its name says.
    fn compare_hypotheses(
        &self,
        obligation: &Obligation,
        both: &Both,
        args: &VariableAssignment<TwoSystems>,
        possible: bool,
        applies: bool,
    ) {
        let (selected, violated) = self.is_violation(&self.params);
        for hypothesis in obligation.hypotheses.iter() {
            let found = holds(both, args, &hypothesis.formula);
            let property = |suffix: &str| {
                let name = hypothesis.name.strip_suffix(suffix)?;
                self.protocol.property(name).map(|(_, property)| property.formula())
            };
            let expected = match &*hypothesis.name {
                "axioms of L" => is_true(&self.large, &self.protocol.axiom()),
                "axioms of C" => is_true(&self.small, &self.protocol.axiom()),
                "init of L" => is_true(&self.large, &self.protocol.initial()),
                // It holds where it is used.
                FACT if found || !(selected && violated) => found,
                FACT => true,
                "select" => selected,
                "o0 in C" => self.only_holds(),
                "the alternative applies" => applies,
                "guard of act in L" => possible,
                name if name.ends_with(" is violated in L") => violated,
                name => match (name.strip_prefix("gamma "), property(" in L"), property(" in C")) {
                    (Some(clause), _, _) => self.clause(both, clause),
                    (_, Some(formula), _) => is_true(&self.large, &formula),
                    (_, _, Some(formula)) => is_true(&self.small, &formula),
                    _ => panic!("what is {name}?"),
                },
            };
            assert_eq!(found, expected, "{}: {}", hypothesis.name, self.context(obligation));
        }
    }

    fn compare_step(&self, dice: &mut Dice, tally: &mut Tally) {
        let action = &self.protocol.actions[0];
        let args = action.params.iter();
        let args =
            args.map(|param| protocols::value(dice, &self.large, Some(param.sort))).collect();
        let invocation = Invocation { action: 0, args };
        let Ok(successors) = execute(self.protocol, &self.large, &invocation) else { return };
        if successors.is_empty() {
            return;
        }
        tally.steps += 1;
        let SuccessorState { choices, state: after } = dice.pick(&successors);
        let mut both = self.both(&self.large, &self.small);
        for (index, choice) in (0..).zip(&action.choices) {
            let ranges = choice.params.iter().map(|sort| self.large.extents[sort]).collect();
            let blank = protocols::value(dice, &self.large, choice.result);
            let picked = choices.get(&ChoiceId(index)).cloned();
            let table = picked.unwrap_or_else(|| Table::constant(ranges, blank));
            both.tables.insert(ProductSymbol::LargeChoice(ChoiceId(index)), table);
        }
        let own = action.params.iter().zip(&invocation.args);
        let args: VariableAssignment<TwoSystems> = own
            .map(|(param, value)| {
                (ProductVar::new(param.name.clone(), large_sort(param.sort)), *value)
            })
            .collect();
        let mut ahead = both.clone();
        add(&mut ahead, after, ProductSymbol::LargePost);
        let mut applied = false;
        for index in 0..self.case.lockstep[0].len() {
            let condition = holds(&ahead, &args, &self.case.lockstep[0][index].condition);
            let applies = condition && !applied;
            applied |= condition;
            let run = self.run(&ahead, &args, index, tally);
            self.compare_answer(index, &run, after, (&both, &args, applies), tally);
        }
    }

    /// Whether each plain move is possible, by position, up to the first that is not; and the state
    /// of `C` afterwards, if all are.
    fn run(
        &self,
        ahead: &Both,
        args: &VariableAssignment<TwoSystems>,
        index: usize,
        tally: &mut Tally,
    ) -> (BTreeMap<usize, bool>, Option<State>) {
        let mut possible = BTreeMap::new();
        let mut current = self.small.clone();
        let moves = &self.case.lockstep[0][index].moves;
        tally.moves += moves.len();
        tally.long += usize::from(moves.len() > 1);
        for (position, next) in moves.iter().enumerate() {
            let values = next.args.iter();
            let values = values.map(|arg| evaluate_term(ahead, args, arg).expect("a value"));
            let invocation = Invocation { action: next.action, args: values.collect() };
            let choices = next.choices.iter();
            let choices: ChoiceValues =
                choices.map(|(id, own)| (*id, tabulated(ahead, own, args))).collect();
            let after = execute_with(self.protocol, &current, &invocation, &choices);
            let after = after.expect("every expression has a value");
            if next.mode == Mode::Fire {
                possible.insert(position + 1, after.is_some());
            }
            match (after, next.mode) {
                (Some(after), _) => current = after,
                (None, Mode::Try) => {}
                (None, Mode::Fire) => return (possible, None),
            }
        }
        (possible, Some(current))
    }

    fn compare_answer(
        &self,
        index: usize,
        (possible, end): &(BTreeMap<usize, bool>, Option<State>),
        after: &State,
        (both, args, applies): (&Both, &VariableAssignment<TwoSystems>, bool),
        tally: &mut Tally,
    ) {
        for obligation in case_obligations(self.protocol, self.case, Assume::CutoffSafe) {
            let expected = match &obligation.kind {
                ObligationKind::Enabled { alternative, position, .. }
                    if *alternative == index + 1 =>
                {
                    possible.get(position).copied()
                }
                ObligationKind::Keeps { alternative, clause, .. } if *alternative == index + 1 => {
                    end.as_ref().map(|end| self.clause(&self.both(after, end), clause))
                }
                _ => continue,
            };
            self.compare_hypotheses(&obligation, both, args, true, applies);
            let Some(expected) = expected else { continue };
            let goal = holds(both, args, &obligation.goal);
            assert_eq!(goal, expected, "{}", self.context(&obligation));
            tally.kept += usize::from(goal);
            tally.lost += usize::from(!goal);
        }
    }
}
