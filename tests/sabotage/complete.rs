//! The lines that decide which completions a failure excludes. No verdict rests on them; a wrong one
//! loses answers without a word.

use super::list::{Sabotage, line};

const CONDITIONS: &str = "finite/frozen/conditions.rs";
const PROGRESS: &str = "complete/progress.rs";
const DEPENDED: &str = "complete::answers::a_run_excludes_only_what_it_depended_on";
const EFFECTIVE: &str = "complete::answers::an_assignment_may_become_effective_without_a_new_state";
const BRUTE: &str = "library::complete::tests::clauses_agree_with_brute_force";

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
        CONDITIONS,
        "found.push(self.serves(&step, state, wanted));",
        "let _ = wanted;",
        EFFECTIVE,
    ),
    line(
        "a step out of the known states is an exit",
        CONDITIONS,
        "false => «step.guard»,",
        "Wire::FALSE",
        BRUTE,
    ),
    line(
        "another value at a known state may be an exit",
        CONDITIONS,
        "true => «self.system.circuit.and(step.guard, other)»,",
        "{ let _ = other; Wire::FALSE }",
        BRUTE,
    ),
    line(
        "a goal may be reached at any size",
        PROGRESS,
        "is_met = true;",
        "is_met = number > 0 || states.is_empty();",
        "complete::progress::a_goal_that_needs_three_nodes_is_not_refuted_by_two",
    ),
];
