//! SMT-LIB scripts: what they say, and that another parser reads them as we mean them.

use proptest::prelude::*;
use rmlcut::logic::{Formula, Term};
use rmlcut::smt::Discharge;
use rmlcut::smt::smtlib::{ScriptStatus, script};
use z3::{Config, SatResult, Solver, with_z3_config};

use crate::smt::toy::{Sort, Symbol, ToyFormula, apply, int, v, var};
use crate::smt::{ask_briefly, cases, formulas, query};

/// What Z3's own parser makes of a script, if it accepts all its assertions.
fn read_by_z3(text: String, assertions: usize) -> Option<SatResult> {
    rmlcut::smt::z3::load().expect("the library of the build");
    with_z3_config(&Config::new(), || {
        let solver = Solver::new();
        solver.from_string(text);
        (solver.get_assertions().len() == assertions).then(|| solver.check())
    })
}

fn text(hypotheses: &[ToyFormula], goal: &ToyFormula) -> String {
    script(&query(hypotheses, goal), ScriptStatus::Unknown).expect("well-sorted")
}

#[test]
fn a_script_is_self_contained() {
    let node = v("X", Sort::Node);
    let paint =
        Formula::equal(apply(Symbol::Paint, vec![node.clone()]), apply(Symbol::Green, vec![]));
    let painted = Formula::forall(vec![var("X", Sort::Node)], paint);
    let and = Formula::holds(Symbol::And, vec![v("X", Sort::Twin)]);
    let low = Formula::equal(apply(Symbol::Count, vec![]), int(-5));
    let link = Formula::holds(Symbol::Link, vec![apply(Symbol::First, vec![]), node]);
    let goal = Formula::implies(and, Formula::and([low, link]));
    let text = script(&query(&[painted], &goal), ScriptStatus::Sat).expect("well-sorted");
    let expected = "\
(set-info :smt-lib-version 2.6)
(set-logic UFDTLIA)
(set-info :status sat)
(declare-sort node 0)
(declare-sort node!2 0)
(declare-datatypes ((color 0)) (((red)(green))))
(declare-fun |link'| (node node) Bool)
(declare-fun and!2 (node!2) Bool)
(declare-fun X () node)
(declare-fun paint (node) color)
(declare-fun count () Int)
(declare-fun X!2 () node)
(declare-fun X!3 () node!2)
; assume forall X: node. paint(X) = green
(assert (forall ((X!2 node)) (= (paint X!2) green)))
; show and(X) -> count = (-5) & link'(X, X)
(assert (not (=> (and!2 X!3) (and (= count (- 5)) (|link'| X X!2)))))
(check-sat)
(exit)
";
    assert_eq!(text, expected);
    assert_eq!(read_by_z3(text, 2), Some(SatResult::Sat));
}

#[test]
fn ill_sorted_queries_have_no_script() {
    let wrong = Formula::holds(Symbol::Flag, vec![int(1)]);
    assert!(script(&query(&[], &wrong), ScriptStatus::Unknown).is_err());
    let right = Formula::holds(Symbol::Flag, vec![]);
    assert!(script(&query(&[], &right), ScriptStatus::Unknown).is_ok());
}

#[test]
fn the_largest_and_the_least_integer_are_written() {
    for value in [i64::MAX, i64::MIN] {
        let count = apply(Symbol::Count, vec![]);
        let is_value = Formula::equal(count.clone(), int(value));
        let sum = Formula::equal(Term::subtract(count, int(value)), int(0));
        assert_eq!(read_by_z3(text(&[is_value], &sum), 2), Some(SatResult::Unsat));
    }
}

proptest! {
    #![proptest_config(cases(300))]

    /// The script of a query, read by another parser, means what the query means.
    #[test]
    fn scripts_mean_what_the_query_means(
        hypothesis in formulas::formulas(),
        goal in formulas::formulas(),
    ) {
        let hypotheses = [hypothesis];
        let read = read_by_z3(text(&hypotheses, &goal), 2);
        prop_assert!(read.is_some(), "not read: {}", text(&hypotheses, &goal));
        match ask_briefly(&hypotheses, &goal) {
            Discharge::Valid => prop_assert_ne!(read, Some(SatResult::Sat)),
            Discharge::Refuted(_) => prop_assert_ne!(read, Some(SatResult::Unsat)),
            Discharge::Unknown(_) => {}
        }
    }
}
