//! Each kind of answer, and its opposite.

use std::thread;
use std::time::{Duration, Instant};

use rmlcut::budget::Budget;
use rmlcut::logic::{
    Comparison, Declarations, Domain, Extent, Formula, SortDeclaration, SymbolDeclaration, Term,
    Value,
};
use rmlcut::smt::smtlib::{ScriptStatus, script};
use rmlcut::smt::z3::{ModelSize, Session, Z3, load};
use rmlcut::smt::{Discharge, Prover, ProverError, Query, Standing, UnknownReason, discharge_all};

use crate::smt::toy::{Names, Sort, Symbol, Toy, ToyFormula, ToyTerm, apply, int, v, var};
use crate::smt::{Z3_ANY, Z3_SMALL, ask, budget, query};

fn link(left: ToyTerm, right: ToyTerm) -> ToyFormula {
    Formula::holds(Symbol::Link, vec![left, right])
}

fn node(name: &str) -> ToyTerm {
    v(name, Sort::Node)
}

fn forall(vars: &[(&str, Sort)], body: ToyFormula) -> ToyFormula {
    Formula::forall(vars.iter().map(|(name, sort)| var(name, *sort)).collect(), body)
}

fn exists(vars: &[(&str, Sort)], body: ToyFormula) -> ToyFormula {
    Formula::exists(vars.iter().map(|(name, sort)| var(name, *sort)).collect(), body)
}

fn distinct(terms: &[ToyTerm]) -> ToyFormula {
    Formula::and(terms.iter().enumerate().flat_map(|(index, left)| {
        let pair = |right: &ToyTerm| Formula::equal(left.clone(), right.clone()).negate();
        terms[..index].iter().map(pair).collect::<Vec<_>>()
    }))
}

fn nodes(count: usize) -> Vec<ToyTerm> {
    (0..count).map(|index| node(&format!("n{index}"))).collect()
}

/// Only true if the pigeonhole principle fails, which takes a solver very long to find out.
fn pigeons(count: usize) -> Vec<ToyFormula> {
    let images: Vec<ToyTerm> =
        nodes(count).into_iter().map(|pigeon| apply(Symbol::Image, vec![pigeon])).collect();
    let holes = (1..count).map(|index| v(&format!("t{index}"), Sort::Twin));
    let some = Formula::or(holes.map(|hole| Formula::equal(v("T", Sort::Twin), hole)));
    vec![distinct(&images), forall(&[("T", Sort::Twin)], some)]
}

/// `next` is injective and misses an element: only infinite structures do that.
fn infinity() -> Vec<ToyFormula> {
    let next = |term| apply(Symbol::Next, vec![term]);
    let (x, y) = (node("X"), node("Y"));
    let injective = Formula::implies(
        Formula::equal(next(x.clone()), next(y.clone())),
        Formula::equal(x.clone(), y.clone()),
    );
    let missed = forall(&[("X", Sort::Node)], Formula::equal(next(x), y).negate());
    vec![
        forall(&[("X", Sort::Node), ("Y", Sort::Node)], injective),
        exists(&[("Y", Sort::Node)], missed),
    ]
}

const FALSE: fn() -> ToyFormula = || Formula::truth(false);

#[test]
fn a_goal_that_follows_is_valid_and_one_that_does_not_is_refuted() {
    let symmetric = forall(
        &[("X", Sort::Node), ("Y", Sort::Node)],
        Formula::implies(link(node("X"), node("Y")), link(node("Y"), node("X"))),
    );
    let there = link(node("a"), node("b"));
    let back = link(node("b"), node("a"));
    let hypotheses = [symmetric, there.clone()];
    assert_eq!(ask(Z3_SMALL, &hypotheses, &back), Discharge::Valid);
    let refuted = ask(Z3_SMALL, &[there], &back);
    let model = refuted.counter_model().expect("links need not go back");
    assert_eq!(model.standing, Standing::Evaluated);
    assert_eq!(model.structure.extent(Sort::Node), Some(Extent::Elements(2)));
    let (a, b) = (model.assignment[&var("a", Sort::Node)], model.assignment[&var("b", Sort::Node)]);
    let table = &model.structure.tables[&Symbol::Link];
    assert_eq!(table.get(&[a, b]), Some(Value::Bool(true)));
    assert_eq!(table.get(&[b, a]), Some(Value::Bool(false)));
}

#[test]
fn small_models_are_as_small_as_they_can_be() {
    for size in 2..=4u32 {
        let elements = distinct(&nodes(size as usize));
        let refuted = ask(Z3_SMALL, &[elements], &FALSE());
        let model = refuted.counter_model().expect("there are enough elements");
        assert_eq!(model.structure.extent(Sort::Node), Some(Extent::Elements(size)));
    }
}

#[test]
fn sorts_of_one_name_stay_apart() {
    let one =
        |sort| forall(&[("X", sort), ("Y", sort)], Formula::equal(v("X", sort), v("Y", sort)));
    assert!(ask(Z3_ANY, &[one(Sort::Twin)], &one(Sort::Twin)).is_valid());
    assert!(ask(Z3_ANY, &[one(Sort::Twin)], &one(Sort::Node)).counter_model().is_some());
}

#[test]
fn variables_of_one_name_stay_apart() {
    // The constant `X`, the variable `X` of one sort and the variable `X` of another.
    let twin = v("X", Sort::Twin);
    let first = apply(Symbol::First, vec![]);
    let shadowed = |inner: ToyFormula| forall(&[("X", Sort::Twin)], inner);
    let holds = Formula::holds(Symbol::And, vec![twin]);
    let about_node = Formula::equal(node("X"), first);
    assert!(
        ask(Z3_ANY, std::slice::from_ref(&about_node), &shadowed(about_node.clone())).is_valid()
    );
    assert!(
        ask(Z3_ANY, std::slice::from_ref(&holds), &shadowed(holds.clone()))
            .counter_model()
            .is_some()
    );
    assert!(ask(Z3_ANY, &[], &about_node).counter_model().is_some());
}

#[test]
fn enumerations_have_exactly_their_elements() {
    let color = v("C", Sort::Color);
    let is = |symbol| Formula::equal(color.clone(), apply(symbol, vec![]));
    let all = |body| forall(&[("C", Sort::Color)], body);
    assert!(ask(Z3_ANY, &[], &all(Formula::or([is(Symbol::Red), is(Symbol::Green)]))).is_valid());
    assert!(ask(Z3_ANY, &[], &exists(&[("C", Sort::Color)], is(Symbol::Red))).is_valid());
    let refuted = ask(Z3_ANY, &[], &all(is(Symbol::Red)));
    let model = refuted.counter_model().expect("green is not red");
    assert_eq!(model.structure.extent(Sort::Color), Some(Extent::Elements(2)));
    assert!(ask(Z3_ANY, &[is(Symbol::Red)], &is(Symbol::Green)).counter_model().is_some());
}

#[test]
fn integers_do_not_end() {
    let count = apply(Symbol::Count, vec![]);
    let less = |left, right| Formula::compare(Comparison::Less, left, right);
    assert!(ask(Z3_ANY, &[], &less(count.clone(), Term::add(count.clone(), int(1)))).is_valid());
    let refuted = ask(Z3_ANY, &[], &less(count, int(i64::MAX)));
    // The counter-model needs an integer that we cannot write: no model, and no proof either.
    assert!(matches!(
        refuted,
        Discharge::Refuted(_) | Discharge::Unknown(UnknownReason::Unreadable(_))
    ));
    let seen = |term| Formula::holds(Symbol::Seen, vec![term]);
    let all_seen = forall(&[("I", Sort::Int)], seen(v("I", Sort::Int)));
    assert!(ask(Z3_ANY, std::slice::from_ref(&all_seen), &seen(int(5))).is_valid());
    let refuted = ask(Z3_ANY, &[seen(int(5))], &all_seen);
    let model = refuted.counter_model().expect("only 5 was seen");
    assert!(matches!(model.standing, Standing::SolverOnly(_)), "{:?}", model.standing);
    assert_eq!(
        model.structure.tables[&Symbol::Seen].get(&[Value::Int(5)]),
        Some(Value::Bool(true))
    );
}

#[test]
fn observed_symbols_are_in_the_model() {
    let mut query = query(&[], &Formula::holds(Symbol::Flag, vec![]));
    let tables = |query: &rmlcut::smt::Query<Toy>| {
        let refuted = Z3_ANY.discharge(query, &budget()).expect("well-sorted");
        refuted.counter_model().expect("no hypotheses").structure.tables.clone()
    };
    assert!(!tables(&query).contains_key(&Symbol::Paint));
    query.observed = vec![Symbol::Paint, Symbol::Red];
    let tables = tables(&query);
    assert!(tables.contains_key(&Symbol::Paint));
    assert_eq!(tables[&Symbol::Red].get(&[]), Some(Value::Element(0)));
}

#[test]
fn what_has_no_finite_model_is_unknown_and_never_valid() {
    let budget = Budget::of_time(Duration::from_secs(2));
    let unknown = Z3_ANY.discharge(&query(&infinity(), &FALSE()), &budget);
    assert!(matches!(unknown, Ok(Discharge::Unknown(_))), "{unknown:?}");
    assert!(ask(Z3_ANY, &infinity()[..1], &FALSE()).counter_model().is_some());
}

#[test]
fn time_and_resources_run_out() {
    let start = Instant::now();
    let short = Budget::of_time(Duration::from_millis(200));
    let answer = Z3_ANY.discharge(&query(&pigeons(14), &FALSE()), &short);
    assert_eq!(answer, Ok(Discharge::Unknown(UnknownReason::Timeout)));
    assert!(start.elapsed() < Duration::from_secs(5));
    let small = Budget { resources: Some(20_000), ..budget() };
    let answer = Z3_ANY.discharge(&query(&pigeons(14), &FALSE()), &small);
    assert_eq!(answer, Ok(Discharge::Unknown(UnknownReason::Resources)));
    let answer = Z3_ANY.discharge(&query(&pigeons(3), &FALSE()), &small);
    assert_eq!(answer, Ok(Discharge::Valid));
}

#[test]
fn a_cancelled_question_ends_soon() {
    // The solver is loaded beforehand: a question that is cancelled before it is put ends otherwise.
    assert!(Z3_ANY.discharge(&query(&[], &FALSE()), &budget()).is_ok());
    let budget = Budget::of_time(Duration::from_secs(120));
    let stop = budget.stop.clone();
    let start = Instant::now();
    let answer = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_secs(1));
            stop.cancel();
        });
        Z3_ANY.discharge(&query(&pigeons(14), &FALSE()), &budget)
    });
    assert_eq!(answer, Ok(Discharge::Unknown(UnknownReason::Cancelled)));
    assert!(start.elapsed() < Duration::from_secs(10));
}

#[test]
fn ill_sorted_queries_are_refused() {
    let wrong: ToyFormula = Formula::holds(Symbol::Link, vec![node("a")]);
    let answer = Z3_ANY.discharge(&query(&[wrong], &FALSE()), &budget());
    assert!(matches!(answer, Err(ProverError::IllSorted(_))), "{answer:?}");
    let wrong = Formula::holds(Symbol::And, vec![node("a")]);
    let answer = Z3_ANY.discharge(&query(&[], &wrong), &budget());
    let message = answer.expect_err("a node is not of the other sort").to_string();
    assert_eq!(message, "ill-sorted query: `and(a)`");
}

/// The names, with nothing of any colour.
struct Colourless;

impl Declarations<Toy> for Colourless {
    fn sort(&self, sort: Sort) -> SortDeclaration {
        let declared = Names.sort(sort);
        match sort {
            Sort::Color => SortDeclaration { domain: Domain::Enumeration(Vec::new()), ..declared },
            _ => declared,
        }
    }

    fn symbol(&self, symbol: Symbol) -> SymbolDeclaration<Toy> {
        Names.symbol(symbol)
    }

    fn enumerated(&self, symbol: Symbol) -> Option<(Sort, usize)> {
        Names.enumerated(symbol)
    }
}

#[test]
fn a_quantifier_over_no_elements_is_refused() {
    let (one, other) = (var("X", Sort::Color), var("Y", Sort::Color));
    let alike = Formula::equal(Term::var(one.clone()), Term::var(other.clone()));
    let all_alike = Formula::forall(vec![one, other], alike);
    let refuted = Z3_ANY.discharge(&query(&[], &all_alike), &budget()).expect("well-sorted");
    assert!(refuted.counter_model().is_some());
    let nowhere = Query { declarations: &Colourless, ..query(&[], &all_alike) };
    let answer = Z3_ANY.discharge(&nowhere, &budget());
    assert!(matches!(answer, Err(ProverError::IllSorted(_))), "{answer:?}");
    assert!(script(&nowhere, ScriptStatus::Unknown).is_err());
}

#[test]
fn suppositions_are_used_only_where_named() {
    let flag = Formula::holds(Symbol::Flag, vec![]);
    let loops = link(node("a"), node("a"));
    let both = Formula::and([flag.clone(), loops.clone()]);
    load().expect("the library of the build");
    let mut session = Session::<Toy>::new(&Names, budget(), ModelSize::Any);
    let first = session.suppose(&flag).expect("well-sorted");
    let second = session.suppose(&loops).expect("well-sorted");
    assert_eq!(session.prove_under(&[first, second], &both), Ok(Discharge::Valid));
    assert_eq!(session.core(), [first, second]);
    assert_eq!(session.prove_under(&[first, second], &flag), Ok(Discharge::Valid));
    assert_eq!(session.core(), [first]);
    let refuted = session.prove_under(&[second], &both).expect("well-sorted");
    assert!(refuted.counter_model().is_some());
    assert!(session.core().is_empty());
    session.assume(&flag).expect("well-sorted");
    assert_eq!(session.prove_under(&[second], &both), Ok(Discharge::Valid));
    assert_eq!(session.core(), [second]);
}

#[test]
fn answers_are_ordered_and_deterministic() {
    let loops = |index: usize| link(node(&format!("n{index}")), node(&format!("n{index}")));
    let queries: Vec<_> = (0..40)
        .map(|index| {
            let hypotheses = [loops(index % 7), distinct(&nodes(3))];
            query(&hypotheses, &loops(index % 5))
        })
        .collect();
    let budget = Budget { threads: 4, ..budget() };
    let answers = discharge_all(&Z3_SMALL, &queries, &budget).expect("well-sorted");
    let valid: Vec<bool> = answers.iter().map(Discharge::is_valid).collect();
    let expected: Vec<bool> = (0..40).map(|index| index % 7 == index % 5).collect();
    assert_eq!(valid, expected);
    assert_eq!(discharge_all(&Z3_SMALL, &queries, &budget), Ok(answers));
}

#[test]
fn no_question_limits_the_next() {
    // What refutes one of these, and how small it can be made, says nothing about the others.
    let linked = link(node("a"), node("b"));
    let lonely = Formula::equal(node("a"), node("b"));
    let goals = [linked.clone(), linked.negate(), lonely, Formula::truth(true)];
    let questions: Vec<_> = [0, 1, 2, 0, 1, 3].map(|own: usize| query(&[], &goals[own])).into();
    let answers = discharge_all(&Z3_SMALL, &questions, &budget()).expect("well-sorted");
    let valid: Vec<bool> = answers.iter().map(Discharge::is_valid).collect();
    assert_eq!(valid, [false, false, false, false, false, true]);
}

#[test]
fn one_bad_question_among_many_is_reported() {
    let good = query(&[], &Formula::truth(true));
    let bad = query(&[], &link(node("a"), v("t", Sort::Twin)));
    let answer = discharge_all(&Z3_ANY, &[good.clone(), bad, good], &budget());
    assert!(matches!(answer, Err(ProverError::IllSorted(_))), "{answer:?}");
}

#[test]
fn after_a_cancellation_nothing_more_is_answered() {
    let budget = budget();
    let queries = vec![query(&[], &Formula::truth(true)); 3];
    assert_eq!(discharge_all(&Z3_ANY, &queries, &budget), Ok(vec![Discharge::Valid; 3]));
    budget.stop.cancel();
    let prover: &dyn Prover<Toy> = &Z3 { models: ModelSize::Any };
    let answers = discharge_all(prover, &queries, &budget);
    assert_eq!(answers, Ok(vec![Discharge::Unknown(UnknownReason::NotAsked); 3]));
}

#[test]
fn a_goal_is_assumed_only_as_a_whole() {
    let (known, open) = (link(node("a"), node("b")), link(node("b"), node("a")));
    let answer = |goal: &ToyFormula| ask(Z3_ANY, std::slice::from_ref(&known), goal);
    assert_eq!(answer(&known), Discharge::Valid);
    assert_eq!(answer(&Formula::truth(true)), Discharge::Valid);
    for goal in [&open, &Formula::and([known.clone(), open.clone()]), &known.negate()] {
        assert!(matches!(answer(goal), Discharge::Refuted(_)), "{goal:?}");
    }
}

#[test]
fn answers_to_assumed_goals_do_not_move_the_others() {
    let (known, open) = (link(node("a"), node("b")), link(node("b"), node("a")));
    let goals = [&open, &known, &open, &known.negate(), &known];
    let queries = goals.map(|goal| query(std::slice::from_ref(&known), goal));
    let answers = Z3_ANY.discharge_group(&queries, &budget()).expect("they are well-sorted");
    let valid: Vec<bool> = answers.iter().map(Discharge::is_valid).collect();
    assert_eq!(valid, [false, true, false, false, true]);
}
