//! The lines that make obligations.

use super::list::{REFUSED, Sabotage, TRAPS, line};

const CUTOFF: &str = "certificate/cutoff_obligations.rs";
const LOCKSTEP: &str = "certificate/lockstep.rs";
const INVARIANT: &str = "certificate/invariant_obligations.rs";

/// Every such line.
pub(crate) const OBLIGATIONS: &[Sabotage] = &[
    // The obligations.
    line(
        "a violation falls under a case of its own property",
        CUTOFF,
        "case.property == rank",
        "true",
        "certificates::obligations::cover_uses_the_cases_of_its_property",
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
        "certificates::obligations::what_can_change_is_not_assumed_from_the_start",
    ),
    line(
        "hypotheses about the start follow from the violation",
        CUTOFF,
        "collect_conjuncts(inner, !positive, into)",
        "collect_conjuncts(inner, positive, into)",
        "agreement::answers::obligations_agree_with_execution_1",
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
    line(
        "without violators the whole property is violated",
        "certificate/expand_definitions.rs",
        "return «self.in_large(&property.formula()).negate()»;",
        "Formula::truth(true)",
        TRAPS,
    ),
    line("a violation of L is one of C", CUTOFF, "all.push(builder.safety());", "", REFUSED),
    line(
        "a move of C is shown to be possible",
        CUTOFF,
        "enabled.chain(keeps).collect()",
        "enabled.take(0).chain(keeps).collect()",
        REFUSED,
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
        "certificates::obligations::an_alternative_applies_where_no_earlier_one_does",
    ),
    line(
        "an alternative that does not apply first is still looked at",
        CUTOFF,
        "earlier.push(condition);",
        "earlier.extend([condition, Formula::truth(true)]);",
        "certificates::obligations::an_alternative_applies_where_no_earlier_one_does",
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
        REFUSED,
    ),
    line(
        "a move sees what the moves before it did",
        LOCKSTEP,
        "before: «&run.after» }",
        "{ static NOTHING: CaseDefinitions = BTreeMap::new(); &NOTHING }",
        "certificates::obligations::a_move_sees_what_the_moves_before_it_did",
    ),
    line(
        "an argument is read before the first move",
        LOCKSTEP,
        "value(&self.context.names, self.before, ProductSymbol::Cutoff(id), args)",
        "value(
            &self.context.names,
            self.before,
            ProductSymbol::Cutoff(id),
            args.iter().map(|arg| crate::logic::translate_term(arg, BTreeMap::new(), Expand(self.before))).collect(),
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
        "certificates::obligations::what_can_change_is_not_assumed_from_the_start",
    ),
    line(
        "the clause after the step is about the state of C after it",
        LOCKSTEP,
        "both.extend(cutoff.after.iter().map(|(symbol, definition)| (*symbol, definition.clone())));",
        "",
        "certificates::accepted::ring",
    ),
    line(
        "an answer that looks at L' sees the state after the step",
        LOCKSTEP,
        "step.after.get(&ProductSymbol::Large(symbol)).cloned()",
        "None",
        "certificates::obligations::an_answer_may_read_the_state_after_the_step",
    ),
    // Invariants.
    line(
        "an invariant holds initially",
        INVARIANT,
        "builder.initiation()",
        "Vec::new()",
        "certificates::obligations::an_invariant_holds_initially",
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
        "self.case_properties.iter()",
        "self.case_properties[..0].iter()",
        "certificates::obligations::an_invariant_of_the_cutoff_implies_what_is_assumed_of_it",
    ),
];
