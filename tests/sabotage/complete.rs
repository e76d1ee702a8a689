//! The lines that decide which completions a failure excludes. No verdict rests on them; a wrong one
//! loses answers without a word.

use super::list::{Sabotage, line};

const CONDITIONS: &str = "finite/frozen/conditions.rs";
const EXITS: &str = "finite/frozen/exits.rs";
const LEARNER: &str = "finite/frozen/learner.rs";
const SINGLES: &str = "finite/frozen/single_changes.rs";
const PROGRESS: &str = "complete/progress.rs";
const DEPENDED: &str = "complete::answers::a_run_excludes_only_what_it_depended_on";
const EFFECTIVE: &str = "complete::answers::an_assignment_may_become_effective_without_a_new_state";
const BRUTE_REPAIR: &str =
    "library::complete::tests::what_is_foreseen_excludes_nothing_that_stays_able";
const BRUTE: &str = "library::complete::tests::clauses_agree_with_brute_force";

const SINGLE_CHANGES: &str = "library::complete::tests::single_changes_agree_with_brute_force";

/// Every such line.
pub(crate) const COMPLETE: &[Sabotage] = &[
    line(
        "a run excludes what depends on its guards only",
        CONDITIONS,
        "whole = instance.system.circuit.and(whole, images[0]);",
        "",
        DEPENDED,
    ),
    line(
        "a run excludes what writes the same only",
        CONDITIONS,
        "whole = instance.system.circuit.and(whole, as_written);",
        "let _ = as_written;",
        DEPENDED,
    ),
    line(
        "something wanted may happen among known states",
        EXITS,
        "found.insert(self.serves(&step, state, wanted));",
        "let _ = (wanted, found);",
        EFFECTIVE,
    ),
    line(
        "a step out of the known states is an exit",
        EXITS,
        "false => «step.guard»,",
        "Wire::FALSE",
        BRUTE,
    ),
    line(
        "another value at a known state may be an exit",
        EXITS,
        "true => «self.system.circuit.and(step.guard, other)»,",
        "{ let _ = other; Wire::FALSE }",
        "complete::answers::another_value_may_lead_out_of_the_known_states",
    ),
    line(
        "whatever leaves the known states may do what is wanted",
        LEARNER,
        "literals.push(left);",
        "let _ = left;",
        BRUTE_REPAIR,
    ),
    line(
        "an action that was left out leads out of the known states",
        EXITS,
        "step == now && «!is_left_out»",
        "{ let _ = is_left_out; true }",
        BRUTE_REPAIR,
    ),
    line(
        "a goal may be reached at any size",
        PROGRESS,
        "is_met = true;",
        "is_met = number > 0 || states.is_empty();",
        "complete::progress::a_goal_that_needs_three_nodes_is_not_refuted_by_two",
    ),
    line(
        "a candidate may fail a part of what it does not meet",
        SINGLES,
        "fail: «left.fail | right.fail»",
        "left.fail & right.fail",
        SINGLE_CHANGES,
    ),
    line(
        "picked values may be any",
        SINGLES,
        "May { hold: u64::MAX, fail: «u64::MAX» }",
        "0",
        SINGLE_CHANGES,
    ),
    line(
        "the premise of a property still holds somewhere",
        PROGRESS,
        "all.extend(premises(protocol));",
        "let _ = premises;",
        "complete::repairs::a_repair_leaves_the_property_something_to_be_about",
    ),
];
