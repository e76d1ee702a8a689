//! The lines that discharge obligations, search instances, replay what is found and conclude.

use super::list::{REFUSED, Sabotage, TRAPS, line};

const CONCLUDE: &str = "judge/conclude.rs";
const FINITE: &str = "judge/finite.rs";
const LIFT: &str = "finite/replay/lift.rs";
const TRACE: &str = "protocol/replay/trace.rs";
const UNSAFE_BY_NOTHING: &str =
    "library::judge::conclude::tests::what_is_no_run_or_violates_nothing_makes_nothing_unsafe";

/// Every such line.
pub(crate) const JUDGEMENT: &[Sabotage] = &[
    // The judgement.
    line(
        "a certificate that breaks a rule is not judged",
        "judge/mod.rs",
        "!problems.is_empty()",
        "false",
        "certificates::forged::select_reads_large_only",
    ),
    line(
        "a query that was not made is not valid",
        "judge/obligations.rs",
        "else {\n            «Discharge::Unknown(UnknownReason::NotAsked)»",
        "Discharge::Valid",
        "check::program::only_some_obligations_and_no_search_leave_gaps",
    ),
    line(
        "without the finite instance nothing is assumed of C",
        "judge/inductive.rs",
        "«Assume::Nothing»)",
        "Assume::CutoffSafe",
        "certificates::accepted::ring",
    ),
    line(
        "a case without its instance keeps all of gamma without it",
        "judge/inductive.rs",
        "all_valid(judge_obligations(rest, config)?)",
        "{ let _ = rest; true }",
        "certificates::obligations::gamma_that_needs_a_property_of_the_cutoff_is_not_inductive",
    ),
    line(
        "a nested certificate that proves nothing leaves its case open",
        CONCLUDE,
        "«Err(gaps.iter().map(|gap| gap.within(&own.name)).collect())»",
        "{ let _ = gaps.iter().map(|gap| gap.within(&own.name)); Ok(Bounds::new()) }",
        "certificates::composed::a_nested_certificate_that_proves_nothing_closes_nothing",
    ),
    line(
        "the bounds of a nested certificate count",
        CONCLUDE,
        "// The sorts that are residual there are residual here: cut ones are enumerations.
                Verdict::SafeUpTo(bounds) => Ok(«bounds.clone()»),",
        "{ let _ = bounds; Bounds::new() }",
        "certificates::composed::the_bounds_of_a_nested_certificate_are_reported",
    ),
    line(
        "only a case that has a certificate is closed by one",
        CONCLUDE,
        "!«matches!(own.closing, Closing::Certificate(_))»",
        "(matches!(own.closing, Closing::Certificate(_)) || true)",
        "library::judge::conclude::tests::a_case_that_was_not_judged_or_searched_is_open",
    ),
    line(
        "elements that actions name are told apart where C is searched",
        FINITE,
        "..Question::new(«system», size)",
        "{ let _ = system; &self.case.small }",
        "certificates::composed::elements_that_relaxed_actions_name_are_not_interchangeable",
    ),
    line(
        "the least bound counts",
        CONCLUDE,
        "bound.min(*least)",
        "bound.max(*least)",
        "library::judge::conclude::tests::the_least_bound_counts",
    ),
    line(
        "an obligation of the whole that is open is a gap",
        CONCLUDE,
        "gaps.extend(unproved(whole));",
        "",
        TRAPS,
    ),
    line(
        "an obligation of a case that is open is a gap",
        CONCLUDE,
        "gaps.extend(unproved(&case.obligations));",
        "",
        TRAPS,
    ),
    line(
        "a cutoff instance that is open is a gap",
        CONCLUDE,
        "gaps.extend(more)",
        "drop(more)",
        TRAPS,
    ),
    line(
        "a protocol without initial states is not safe",
        CONCLUDE,
        "gaps.push(Gap::Vacuous)",
        "",
        "check::verdicts::a_protocol_without_instances_is_not_safe",
    ),
    line(
        "a protocol that may have no initial states is not safe",
        CONCLUDE,
        "gaps.push(Gap::NoStartSeen)",
        "",
        "check::verdicts::an_unknown_initial_state_does_not_count",
    ),
    line(
        "a solver that does not know has seen no initial state",
        "judge/vacuity.rs",
        "false => «InitialState::Unknown»",
        "InitialState::Seen",
        "check::verdicts::an_unknown_initial_state_does_not_count",
    ),
    line(
        "a bounded verdict is reported as bounded",
        CONCLUDE,
        "Ok(bounds.clone())",
        "Ok(Bounds::new())",
        "certificates::accepted::sharded_kv",
    ),
    line(
        "only a run of the user's own protocol makes it unsafe",
        CONCLUDE,
        "!case.relaxed",
        "true",
        REFUSED,
    ),
    line(
        "finite runs every action of the lockstep",
        "certificate/mod.rs",
        "moves.map(|next| next.action).collect()",
        "moves.map(|next| next.action).take(0).collect()",
        REFUSED,
    ),
    line(
        "residual sorts are exhausted up to a bound only",
        FINITE,
        "residual.iter().map(|sort| (*sort, self.config.residual)).collect()",
        "Bounds::new()",
        "certificates::accepted::sharded_kv",
    ),
    line(
        "a residual sort without a bound is a gap",
        CONCLUDE,
        "!residual.iter().all(|sort| bounds.contains_key(sort))",
        "false",
        "library::judge::conclude::tests::a_residual_sort_without_a_bound_is_open",
    ),
    line(
        "axioms fix the size of a sort only if its constants are distinct",
        "protocol/enumeration.rs",
        "listed.find(all_distinct)",
        "listed.next()",
        "languages::enumerations::axioms_fix_the_size_in_every_language",
    ),
    line(
        "axioms fix the size of a sort only if there are no other elements",
        "protocol/enumeration.rs",
        "cases.iter().map(|case| self.named(case, var)).collect()",
        "Some(cases.iter().filter_map(|case| self.named(case, var)).collect())",
        "languages::enumerations::axioms_fix_the_size_in_every_language",
    ),
    line(
        "every size of the residual sorts is searched",
        "protocol/instance.rs",
        "1..=most",
        "most..=most",
        TRAPS,
    ),
    line(
        "finite checks the properties of C alone",
        FINITE,
        "only.formula.free_vars()",
        "continue",
        TRAPS,
    ),
    line(
        "a search that gives up closes nothing",
        FINITE,
        "«Break(self.open_at(size, &reason.to_string()))»",
        "Continue(None)",
        "certificates::obligations::a_search_that_gives_up_closes_nothing",
    ),
    line(
        "a size that is too large is not an empty one",
        FINITE,
        "«Break(self.open_at(size, &error.to_string()))»",
        "{ let _ = error; Continue(None) }",
        "certificates::obligations::a_size_that_is_too_large_closes_nothing",
    ),
    line(
        "a named element has an identity",
        "finite/question/mod.rs",
        "self.claims.iter().all(|claim| claim.pinned.is_empty())",
        "true",
        TRAPS,
    ),
    line(
        "what the claims read belongs to the slice",
        "finite/question/slice.rs",
        "read.extend(claim.matrix.symbols());",
        "let _ = claim;",
        TRAPS,
    ),
    line(
        "an unread value may be picked from all integers",
        "finite/ground/mod.rs",
        "values == 0 || values == 1 << block.width",
        "values == 1 << block.width",
        REFUSED,
    ),
    // The solver.
    line(
        "unknown is not valid",
        "smt/z3/solver_call.rs",
        "Z3Outcome::Unknown(reason(solver, limits, start.elapsed()))",
        "Z3Outcome::Unsatisfiable",
        "check::program::only_some_obligations_and_no_search_leave_gaps",
    ),
    line(
        "two solvers that contradict each other prove nothing",
        "smt/solver_agreement.rs",
        "disagreement(\"Z3 proves it, cvc5 refutes it\")",
        "Discharge::Valid",
        "check::program::two_solvers_must_agree",
    ),
    line(
        "a proof that the other solver does not confirm is none",
        "smt/solver_agreement.rs",
        "unconfirmed(format!(\"Z3 proves it, cvc5 does not: {reason}\"))",
        "Discharge::Valid",
        "check::program::two_solvers_must_agree",
    ),
    // The replay.
    line(
        "a trace begins in an initial state of an instance",
        LIFT,
        "trace.replay(question.protocol)",
        "Ok::<(), crate::protocol::ReplayError>(())",
        "library::finite::replay::lift::tests::an_engine_that_begins_elsewhere_is_caught",
    ),
    line(
        "a step leads where the engine says",
        LIFT,
        "pack(&system.layout, &state).as_ref() != Some(&step.state)",
        "false",
        "library::finite::replay::lift::tests::an_engine_that_goes_elsewhere_is_caught",
    ),
    line(
        "a counterexample violates what it is a counterexample to",
        LIFT,
        "!holds.map_err(|error| EngineError::Replay(error.into()))?",
        "{ let _ = holds; true }",
        "library::finite::replay::lift::tests::an_engine_whose_run_violates_nothing_is_caught",
    ),
    line(
        "a run is executed by the concrete semantics before it makes a protocol unsafe",
        TRACE,
        "self.replay(protocol).is_ok()",
        "true",
        UNSAFE_BY_NOTHING,
    ),
    line(
        "a run that makes a protocol unsafe violates its property",
        TRACE,
        "matches!(self.violation(property), Ok(Some(_)))",
        "true",
        UNSAFE_BY_NOTHING,
    ),
    line(
        "what the search calls a violation is looked at again",
        CONCLUDE,
        "violated.violation.trace.violates(user, property)",
        "true",
        UNSAFE_BY_NOTHING,
    ),
];
