//! The lines that soundness rests on, each with what a careless hand would make of it and a test
//! that notices.

use std::sync::LazyLock;

use super::rules::RULES;

/// One line made wrong.
pub(crate) struct Sabotage {
    /// Why the line matters.
    pub(crate) why: &'static str,
    /// The file, below `src`.
    pub(crate) file: &'static str,
    /// What the file says there, and nowhere else; «» around the part that is made wrong, if it is
    /// not all of it.
    pub(crate) line: &'static str,
    /// What it says instead: an expression for an expression, statements for statements.
    pub(crate) instead: &'static str,
    /// The test crate that notices.
    pub(crate) suite: &'static str,
    /// The test in it that notices.
    pub(crate) test: &'static str,
}

pub(crate) const REFUSED: &str = "refused::every_refused_certificate_is_refused_for_its_reason";
pub(crate) const TRAPS: &str = "traps::every_trap_is_seen";
const TRIP: &str = "printed::the_printed_condition_accepts_trip";

/// A line of `file` and its stand-in, noticed by a test of `tests/certificates`.
pub(crate) const fn line(
    why: &'static str,
    file: &'static str,
    line: &'static str,
    instead: &'static str,
    test: &'static str,
) -> Sabotage {
    Sabotage { why, file, line, instead, suite: "certificates", test }
}

/// The same, noticed by a test of `tests/check`.
const fn in_check(
    why: &'static str,
    file: &'static str,
    line: &'static str,
    instead: &'static str,
    test: &'static str,
) -> Sabotage {
    Sabotage { why, file, line, instead, suite: "check", test }
}

const CUTOFF: &str = "certificate/cutoff.rs";
const LOCKSTEP: &str = "certificate/lockstep.rs";
const INVARIANT: &str = "certificate/invariant.rs";
const CONCLUDE: &str = "judge/conclude.rs";
const FINITE: &str = "judge/finite.rs";

/// Every line.
pub(crate) static SABOTAGE: LazyLock<Vec<&Sabotage>> =
    LazyLock::new(|| LINES.iter().chain(RULES).collect());

/// The lines that make, discharge and conclude from obligations, and search instances.
const LINES: &[Sabotage] = &[
    // The obligations.
    line(
        "a violation falls under a case of its own property",
        CUTOFF,
        "case.property == rank",
        "true",
        "obligations::cover_looks_at_the_cases_of_its_property",
    ),
    line(
        "cover assumes only earlier properties",
        CUTOFF,
        "&large.properties[..rank]",
        "&large.properties[..]",
        TRAPS,
    ),
    line(
        "the parameters of a case violate the property",
        CUTOFF,
        "Formula::and([context.expand(&case.select.formula), context.violation()])",
        "Formula::and([context.expand(&case.select.formula)])",
        TRAPS,
    ),
    line(
        "only what cannot change is assumed from the start",
        CUTOFF,
        "signature.symbol(id).rigidity == Rigidity::Rigid",
        "true",
        "obligations::what_can_change_is_not_assumed_from_the_start",
    ),
    line("the axioms are shown of C", CUTOFF, "builder.rigid()", "Vec::new()", REFUSED),
    line(
        "the first states are related, and that of C is initial",
        CUTOFF,
        "all.extend(builder.start());",
        "",
        REFUSED,
    ),
    line(
        "the first state of C is initial",
        CUTOFF,
        "inits.chain(clauses).collect()",
        "inits.take(0).chain(clauses).collect()",
        REFUSED,
    ),
    line(
        "the first states are related",
        CUTOFF,
        "inits.chain(clauses).collect()",
        "inits.chain(clauses.take(0)).collect()",
        REFUSED,
    ),
    line("every action is answered", CUTOFF, "all.extend(builder.step(action));", "", REFUSED),
    line("a violation of L is one of C", CUTOFF, "all.push(builder.safety());", "", REFUSED),
    line(
        "a move of C is shown to be possible",
        CUTOFF,
        "enabled.chain(keeps).collect()",
        "enabled.take(0).chain(keeps).collect()",
        TRIP,
    ),
    line(
        "every clause is shown again after the step",
        CUTOFF,
        "enabled.chain(keeps).collect()",
        "enabled.chain(keeps.take(0)).collect()",
        REFUSED,
    ),
    line(
        "an alternative applies where no earlier one does",
        CUTOFF,
        "earlier.iter().map(Formula::negate).chain([condition.clone()]).collect::<Vec<_>>()",
        "earlier.iter().take(0).map(Formula::negate).chain([condition.clone()]).collect::<Vec<_>>()",
        "obligations::an_alternative_applies_where_no_earlier_one_does",
    ),
    line(
        "an alternative that does not apply first is still looked at",
        CUTOFF,
        "earlier.push(condition);",
        "earlier.extend([condition, Formula::truth(true)]);",
        "obligations::an_alternative_applies_where_no_earlier_one_does",
    ),
    line(
        "safety assumes only earlier properties",
        CUTOFF,
        "&context.large.properties[..context.case.property]",
        "&context.large.properties[..]",
        TRAPS,
    ),
    line(
        "safety is about what finite checks",
        CUTOFF,
        "Formula::and(checked).negate()",
        "Formula::truth(true)",
        REFUSED,
    ),
    // The run of a step.
    line(
        "a move that must be possible is an obligation",
        LOCKSTEP,
        "run.enabled.push((index + 1, guard));",
        "let _ = (index, guard);",
        TRIP,
    ),
    line(
        "a move sees what the moves before it did",
        LOCKSTEP,
        "before: «&run.after» }",
        "{ static NOTHING: Definitions = BTreeMap::new(); &NOTHING }",
        "obligations::a_move_sees_what_the_moves_before_it_did",
    ),
    line(
        "an argument is read before the first move",
        LOCKSTEP,
        "value(&self.context.names, self.before, ProductSymbol::Cutoff(id), args)",
        "value(
            &self.context.names,
            self.before,
            ProductSymbol::Cutoff(id),
            args.iter().map(|arg| translate_term(arg, BTreeMap::new(), Expand(self.before))).collect(),
        )",
        REFUSED,
    ),
    line(
        "an attempt changes nothing where it is not possible",
        LOCKSTEP,
        "attempted(&context.names, &guard, &updated, &run.after)",
        "attempted(&context.names, &Formula::truth(true), &updated, &run.after)",
        REFUSED,
    ),
    line(
        "the clause after the step is about the state of L after it",
        LOCKSTEP,
        "large.after.clone()",
        "BTreeMap::new()",
        "obligations::what_can_change_is_not_assumed_from_the_start",
    ),
    line(
        "the clause after the step is about the state of C after it",
        LOCKSTEP,
        "both.extend(cutoff.after.iter().map(|(symbol, definition)| (*symbol, definition.clone())));",
        "",
        "accepted::ring",
    ),
    line(
        "an answer that looks at L' sees the state after the step",
        LOCKSTEP,
        "step.after.get(&ProductSymbol::Large(symbol)).cloned()",
        "None",
        "obligations::an_answer_that_looks_ahead_sees_the_state_after_the_step",
    ),
    // Invariants.
    line(
        "an invariant holds initially",
        INVARIANT,
        "builder.initiation()",
        "Vec::new()",
        "obligations::an_invariant_holds_initially",
    ),
    line(
        "an invariant is kept by every action",
        INVARIANT,
        "all.extend(builder.consecution(&system.protocol.actions[*action]));",
        "",
        REFUSED,
    ),
    line(
        "an invariant implies the properties",
        INVARIANT,
        "all.extend(builder.implication());",
        "",
        REFUSED,
    ),
    line(
        "an invariant of C implies the properties of C alone",
        INVARIANT,
        "self.system.further.iter().cloned()",
        "self.system.further[..0].iter().cloned()",
        "obligations::an_invariant_of_the_cutoff_implies_what_is_assumed_of_it",
    ),
    // The judgement.
    line(
        "a certificate that breaks a rule is not judged",
        "judge/mod.rs",
        "!problems.is_empty()",
        "false",
        "forged::select_reads_large_only",
    ),
    in_check(
        "what nobody asked for is not valid",
        "judge/obligations.rs",
        "else {\n            «Discharge::Unknown(Reason::NotAsked)»",
        "Discharge::Valid",
        "program::only_some_obligations_and_no_search_leave_gaps",
    ),
    line(
        "without the finite instance nothing is assumed of C",
        "judge/inductive.rs",
        "«Assume::Nothing»)",
        "Assume::CutoffSafe",
        "accepted::ring",
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
    in_check(
        "a protocol without initial states is not safe",
        CONCLUDE,
        "gaps.push(Gap::Vacuous)",
        "",
        "verdicts::a_protocol_without_instances_is_not_safe",
    ),
    in_check(
        "a protocol that may have no initial states is not safe",
        CONCLUDE,
        "gaps.push(Gap::NoStartSeen)",
        "",
        "verdicts::an_initial_state_that_nobody_saw_is_none",
    ),
    in_check(
        "a solver that does not know has seen no initial state",
        "judge/protocol.rs",
        "false => «Start::Unknown»",
        "Start::Seen",
        "verdicts::an_initial_state_that_nobody_saw_is_none",
    ),
    line(
        "a bounded answer is said to be one",
        CONCLUDE,
        "Ok(bounds.clone())",
        "Ok(Bounds::new())",
        "accepted::sharded_kv",
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
        FINITE,
        "moves.map(|next| next.action).collect()",
        "moves.map(|next| next.action).take(0).collect()",
        REFUSED,
    ),
    line(
        "residual sorts are exhausted up to a bound only",
        FINITE,
        "residual.is_empty()",
        "true",
        "accepted::sharded_kv",
    ),
    line(
        "every size of the residual sorts is searched",
        FINITE,
        "1..=self.config.residual",
        "self.config.residual..=self.config.residual",
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
        "=> «self.open(size, &reason.to_string())»",
        "Searched::Empty",
        "obligations::a_search_that_gives_up_closes_nothing",
    ),
    line(
        "a named element has an identity",
        "finite/question.rs",
        "self.claims.iter().all(|claim| claim.pinned.is_empty())",
        "true",
        TRAPS,
    ),
    line(
        "what the claims read belongs to the slice",
        "finite/slice.rs",
        "read.extend(claim.matrix.symbols());",
        "let _ = claim;",
        TRAPS,
    ),
    line(
        "what nobody reads may be picked from all integers",
        "finite/ground.rs",
        "values == 0 || values == 1 << block.width",
        "values == 1 << block.width",
        REFUSED,
    ),
    // The solver.
    in_check(
        "unknown is not valid",
        "smt/z3/attempt.rs",
        "Outcome::Unknown(reason(solver, limits, start.elapsed()))",
        "Outcome::Unsatisfiable",
        "program::only_some_obligations_and_no_search_leave_gaps",
    ),
    in_check(
        "two solvers that contradict each other prove nothing",
        "smt/agree.rs",
        "disagreement(\"Z3 proves it, cvc5 refutes it\")",
        "Discharge::Valid",
        "program::two_solvers_must_agree",
    ),
    in_check(
        "a proof that the other solver does not confirm is none",
        "smt/agree.rs",
        "unconfirmed(format!(\"Z3 proves it, cvc5 does not: {reason}\"))",
        "Discharge::Valid",
        "program::two_solvers_must_agree",
    ),
];
