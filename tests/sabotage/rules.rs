//! The lines that say what a certificate may say.

use super::list::{REFUSED, Sabotage, TRAPS, line};

const VALIDATE: &str = "certificate/validate.rs";
const HISTORY: &str = "certificate/history.rs";
const SPLIT: &str = "logic/normal.rs";
const SPLITTING: &str = "smt::split::splitting_keeps_the_meaning";

/// Every such line.
pub(crate) const RULES: &[Sabotage] = &[
    line(
        "an exists stays where it stands",
        SPLIT,
        "(*quantifier == Quantifier::Forall) == positive",
        "(*quantifier == Quantifier::Forall) == positive || vars.len() == 1",
        SPLITTING,
    ),
    line(
        "a negation turns the force of a quantifier",
        SPLIT,
        "self.formula(inner, !positive).negate()",
        "self.formula(inner, positive).negate()",
        SPLITTING,
    ),
    line(
        "a premise turns the force of a quantifier",
        SPLIT,
        "self.formula(premise, !positive)",
        "self.formula(premise, positive)",
        SPLITTING,
    ),
    line(
        "a condition has both forces",
        SPLIT,
        "FormulaKind::If(condition, then, otherwise) => Formula::if_then_else(
                «condition.clone()»,",
        "self.formula(condition, positive)",
        SPLITTING,
    ),
    line(
        "variables that are moved keep apart",
        SPLIT,
        "self.taken.insert(name.clone());",
        "",
        SPLITTING,
    ),
    line(
        "what is refused is refused, whatever the message says",
        "diagnostic/refuse.rs",
        "Diagnostic { severity: Severity::Error, ..message }",
        "message",
        "library::diagnostic::refuse::tests::a_refusal_is_an_error_whatever_its_message_says",
    ),
    line(
        "select reads L",
        VALIDATE,
        "self.formula(names, case, &case.select.formula, AllowedReads::Large, &[])",
        "self.formula(names, case, &case.select.formula, AllowedReads::Step, &[])",
        "certificates::forged::select_reads_large_only",
    ),
    line(
        "select says nothing of C",
        VALIDATE,
        "&& «is_about_large(&case.select.formula)»",
        "true",
        "certificates::forged::select_reads_large_only",
    ),
    line(
        "variables range over sorts that exist",
        "certificate/vocabulary_rules.rs",
        "ProductSort::Cutoff(id) => «case.cut.iter().any(|cut| cut.sort == id)»",
        "{ let _ = id; true }",
        "certificates::forged::variables_range_over_sorts_that_exist",
    ),
    line(
        "clauses read two states",
        VALIDATE,
        "self.formula(names, case, &clause.formula, AllowedReads::Both, &[])",
        "self.formula(names, case, &clause.formula, AllowedReads::Step, &[])",
        "certificates::forged::clauses_are_about_two_states",
    ),
    line(
        "violators are of the sorts of the property",
        VALIDATE,
        "case.violators.is_empty() || designated",
        "true",
        "certificates::forged::violators_are_those_of_the_property",
    ),
    line(
        "maps read what is rigid",
        VALIDATE,
        "self.definition(names, case, &cut.sim, symbol, AllowedReads::Rigid, &[])",
        "self.definition(names, case, &cut.sim, symbol, AllowedReads::Step, &[])",
        "certificates::forged::maps_are_fixed_and_total",
    ),
    line(
        "what is rigid in C is defined by what is rigid in L",
        VALIDATE,
        "Rigidity::Rigid => (&case.rigid, «AllowedReads::Rigid»)",
        "AllowedReads::Large",
        "certificates::forged::definitions_are_explicit_and_complete",
    ),
    line(
        "nothing but the symbols of C is defined",
        VALIDATE,
        "self.require(exact, || format!(\"{name}: something else is defined than the symbols of C\"));",
        "",
        "certificates::forged::definitions_are_explicit_and_complete",
    ),
    line(
        "formulas are closed",
        VALIDATE,
        "formula.free_vars().iter().all(|var| vars.contains(var))",
        "true",
        "certificates::forged::clauses_are_about_two_states",
    ),
    line(
        "every action has an answer",
        VALIDATE,
        "case.lockstep.len() == self.large.actions.len()",
        "case.lockstep.len() <= self.large.actions.len()",
        "certificates::forged::every_action_is_answered_in_every_state",
    ),
    line(
        "the last answer is unconditional",
        VALIDATE,
        "matches!(alternative.condition.kind(), FormulaKind::Truth(true))",
        "true",
        "certificates::forged::every_action_is_answered_in_every_state",
    ),
    line(
        "C runs the protocol",
        VALIDATE,
        "!case.relaxed",
        "false",
        "certificates::forged::the_cutoff_runs_the_protocol_and_is_checked_for_every_property",
    ),
    line(
        "C changes nothing that is rigid",
        VALIDATE,
        "written.any(is_rigid)",
        "false",
        "certificates::forged::a_relaxed_cutoff_leaves_alone_what_is_rigid",
    ),
    line(
        "finite checks every property",
        VALIDATE,
        "expected.eq(small.properties.iter())",
        "true",
        "certificates::forged::the_cutoff_runs_the_protocol_and_is_checked_for_every_property",
    ),
    line(
        "properties are closed",
        VALIDATE,
        "validator.properties();",
        "",
        "certificates::forged::properties_are_closed",
    ),
    line(
        "a certificate adds no axioms",
        HISTORY,
        "user.axioms == large.axioms",
        "true",
        "certificates::forged::nothing_is_added_to_the_protocol_but_history",
    ),
    line(
        "a certificate adds no initial condition",
        HISTORY,
        "require(«kept && good», ",
        "kept",
        TRAPS,
    ),
    line(
        "a certificate adds no statements",
        HISTORY,
        "erased.eq(user.actions.iter().cloned().map(Some))",
        "true",
        REFUSED,
    ),
    line(
        "history does not pick at will",
        HISTORY,
        "matches!(assignment.value, RightSide::Havoc(_))",
        "false",
        REFUSED,
    ),
    line(
        "the certificate is about the user's safety properties",
        HISTORY,
        "safety(user) == safety(large)",
        "true",
        "certificates::forged::nothing_is_added_to_the_protocol_but_history",
    ),
    line(
        "history changes",
        HISTORY,
        "require(fresh, \"a history symbol must be mutable\");",
        "let _ = fresh;",
        "certificates::forged::a_history_symbol_is_new_and_changes",
    ),
    line(
        "lemmas of the protocol are proved as well",
        HISTORY,
        "require(lemmas, \"the certificate drops a lemma of the protocol\");",
        "let _ = lemmas;",
        "certificates::forged::lemmas_of_the_protocol_are_proved_as_well",
    ),
];
