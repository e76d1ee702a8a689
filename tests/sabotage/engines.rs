//! The lines of the engines that answer questions: the meaning of actions, finite search, solvers.

use super::list::{Sabotage, in_agreement, in_check, in_engines, in_smt};

const TRANSITION: &str = "protocol/transition.rs";
const EXECUTE: &str = "protocol/execute.rs";
const INSTANCES: &str = "finite/instances.rs";
const ISOMORPHISM: &str = "finite/isomorphism.rs";
const SESSION: &str = "smt/z3/session.rs";

const STRUCTURES: &str = "structures::structures_are_counted_up_to_renaming";
const SEMANTICS: &str = "semantics::execution_agrees_with_the_transition_formula_1";

/// Every such line.
pub(crate) const ENGINES: &[Sabotage] = &[
    // The meaning of actions.
    in_agreement(
        "a repeated pattern variable matches equal elements",
        TRANSITION,
        "matches.push(Formula::equal(arg.clone(), Term::clone(first)))",
        "{ let _ = first; }",
        SEMANTICS,
    ),
    in_agreement(
        "a guard counts only in the branch taken",
        TRANSITION,
        "Formula::implies(condition.negate(), no.guard)",
        "no.guard",
        SEMANTICS,
    ),
    in_agreement(
        "a guard that fails leaves nothing",
        EXECUTE,
        "if «holds» { vec![thread] }",
        "{ let _ = holds; true }",
        "meaning::a_failing_require_undoes_everything",
    ),
    // Finite search.
    in_engines(
        "a solver that was interrupted has not shown that there is nothing",
        "finite/solve.rs",
        "Err(self.budget.interruption().unwrap_or(Reason::Interrupted))",
        "Ok(Answer::Unsatisfiable)",
        "limits::a_solver_that_is_stopped_shows_nothing",
    ),
    in_engines(
        "instances that were not listed to the end are not all",
        INSTANCES,
        "if «collector.is_too_much()» {",
        "false",
        "limits::instances_that_are_too_many_are_refused",
    ),
    in_engines(
        "an instance that is not renamed is kept",
        INSTANCES,
        "None => «self.others.push(rigid)»",
        "drop(rigid)",
        "renaming::a_claim_about_one_element_holds_for_none_by_symmetry",
    ),
    in_engines(
        "instances that differ in a function differ",
        ISOMORPHISM,
        "places.extend(symbol.result.map(|sort| (sort, value)));",
        "",
        STRUCTURES,
    ),
    in_engines(
        "a renaming keeps the rigid symbols",
        ISOMORPHISM,
        "self.is_consistent(element, images)",
        "true",
        "structures::rigid_structure_limits_renaming",
    ),
    in_engines(
        "branches that pick differently are told apart",
        "finite/unroll.rs",
        "yes.chosen == no.chosen",
        "true",
        "concrete::statements_mean_the_same",
    ),
    in_engines(
        "a frame is a fixpoint only if every clause moves on",
        "finite/ic3.rs",
        "stay.is_empty()",
        "true",
        "agreement::both_engines_agree",
    ),
    // Solvers.
    in_smt(
        "a goal is forgotten before the next one",
        SESSION,
        "«self.solver.pop(1);»\n        Ok(match first {",
        "",
        "answers::no_question_limits_the_next",
    ),
    in_smt(
        "what made one model small is forgotten before the next goal",
        SESSION,
        "solver.pop(levels);",
        "let _ = levels;",
        "answers::no_question_limits_the_next",
    ),
    in_smt(
        "questions are asked together only under the same hypotheses",
        "smt/parallel.rs",
        "&& «left.hypotheses == right.hypotheses»",
        "true",
        "answers::answers_come_in_the_order_of_the_questions_and_always_the_same",
    ),
    in_smt(
        "things of one name stay apart",
        "smt/naming.rs",
        "find(|name| «!taken.contains(name)»)",
        "true",
        "answers::sorts_of_one_name_stay_apart",
    ),
    in_check(
        "an answer is remembered for the question it was given to",
        "smt/memory.rs",
        "Ok((«smtlib::script(query, Status::Unknown)?», symbols))",
        "String::new()",
        "program::a_file_that_is_saved_is_checked_again",
    ),
];
