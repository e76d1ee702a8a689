//! The lines of the engines that answer questions: the meaning of actions, finite search, solvers.

use super::list::{Sabotage, line};

const TRANSITION: &str = "protocol/transition.rs";
const EXECUTE: &str = "protocol/execute.rs";
const INSTANCES: &str = "finite/model/instances.rs";
const ISOMORPHISM: &str = "finite/symmetry/isomorphism.rs";
const SORTING: &str = "finite/symmetry/sorting.rs";
const SESSION: &str = "smt/z3/session.rs";

const STRUCTURES: &str = "engines::structures::structures_are_counted_up_to_renaming";
const SORTED: &str = "engines::structures::many_interchangeable_elements_are_counted_exactly";
const SEMANTICS: &str = "agreement::semantics::execution_agrees_with_the_transition_formula_1";
const IC3_PROOF: &str = "finite/sat/invariant.rs";
const WRONG_PROOF: &str = "library::finite::tests::a_wrong_proof_is_refused";
const CLOSURE: &str = "finite/symbolic/closure.rs";
const SYMBOLIC: &str = "finite/symbolic/mod.rs";
const RELATIONS: &str = "finite/symbolic/transition_relations.rs";
const SAME_STATES: &str = "engines::agreement::diagrams_hold_exactly_the_states_that_are_visited";
const NODES: &str = "finite/symbolic/node_table.rs";
const EXPLICIT_SETS: &str = "library::finite::symbolic::tests::saturation_reaches_what_single_steps_reach_and_closure_is_exact";
const FULL: &str = "library::finite::tests::a_full_store_shows_nothing";

const GENERATED: &str = "finite/model/generated.rs";
const AS_AXIOMS: &str =
    "engines::declared_structures::structures_have_the_instances_of_their_axioms";
const MISSING: &str = "engines::declared_structures::no_instance_is_missing";

/// Every such line.
pub(crate) const ENGINES: &[Sabotage] = &[
    line(
        "a step out of the set is noticed",
        CLOSURE,
        "Ok(«self.diagrams.and(from, outside)? == Diagram::FALSE»)",
        "true",
        EXPLICIT_SETS,
    ),
    line(
        "a written bit may become true",
        CLOSURE,
        "&& «self.stays(from.0, low.1, to.1, next)?»",
        "true",
        EXPLICIT_SETS,
    ),
    line(
        "a read bit is read both ways",
        CLOSURE,
        "&& «self.stays(from.1, relation.1, to.1, next)?»",
        "true",
        EXPLICIT_SETS,
    ),
    line(
        "a set has to have the initial states",
        SYMBOLIC,
        "Ok(«is_begun» && closure::is_closed(diagrams, events, set)?)",
        "true",
        EXPLICIT_SETS,
    ),
    line(
        "a relation says what is written",
        RELATIONS,
        "parts.push(«diagrams.iff(after, value)?»)",
        "Diagram::TRUE",
        SAME_STATES,
    ),
    line(
        "a bad state in the set is found",
        SYMBOLIC,
        "let fails = «self.diagrams.and(self.reachable, fails)?»;",
        "Diagram::FALSE",
        SAME_STATES,
    ),
    line(
        "integers that leave the window are noticed in sets",
        SYMBOLIC,
        "if «self.diagrams.and(self.reachable, leaves)? != Diagram::FALSE» {",
        "false",
        SAME_STATES,
    ),
    line(
        "remembered results belong to all their operands",
        NODES,
        "&& «entry.right == right»",
        "true",
        "library::finite::symbolic::tests::a_cache_forgets_but_never_confuses",
    ),
    line(
        "the elements of an enumeration have names already",
        GENERATED,
        "!named.contains(&sort) && «question.protocol.fixed_size(sort).is_none()»",
        "true",
        MISSING,
    ),
    line(
        "elements are named by one structure only",
        GENERATED,
        "named.extend(sorts);",
        "",
        AS_AXIOMS,
    ),
    line(
        "elements with an identity are not renamed",
        GENERATED,
        "if «!question.may_rename()» || sorts",
        "false",
        "engines::declared_structures::labelled_structures_are_all_there",
    ),
    line(
        "all trees are made",
        GENERATED,
        "tree.iter().rposition(|level| *level > 1)",
        "tree.iter().rposition(|level| *level > 2)",
        AS_AXIOMS,
    ),
    line(
        "a ring goes round once",
        GENERATED,
        "0 < second && second < third",
        "second < third",
        AS_AXIOMS,
    ),
    line(
        "an order is reflexive",
        GENERATED,
        "relation(*on, 2, &|at| «at[0] <= at[1]»)",
        "at[0] < at[1]",
        AS_AXIOMS,
    ),
    line(
        "sets of one family need not be different",
        GENERATED,
        "begins || «self.chosen[place - 1].as_slice() >= set»",
        "self.chosen[place - 1].as_slice() > set",
        AS_AXIOMS,
    ),
    line(
        "all members of a group may be chosen",
        GENERATED,
        "let mut counts = «groups.clone()»;",
        "groups.iter().map(|size| size.saturating_sub(1)).collect::<Vec<_>>()",
        AS_AXIOMS,
    ),
    line(
        "only exchanges that keep the fixed part leave out structures",
        "finite/model/instances.rs",
        "if «!keeps(question, fixed, (*sort, one, other))» {",
        "false",
        AS_AXIOMS,
    ),
    // The meaning of actions.
    line(
        "a repeated pattern variable matches equal elements",
        TRANSITION,
        "matches.push(Formula::equal(arg.clone(), Term::clone(first)))",
        "{ let _ = first; }",
        SEMANTICS,
    ),
    line(
        "a guard counts only in the branch taken",
        TRANSITION,
        "Formula::implies(condition.negate(), no.guard)",
        "no.guard",
        SEMANTICS,
    ),
    line(
        "a guard that fails leaves nothing",
        EXECUTE,
        "if «evaluate_formula(&thread.state, &self.valuation, formula)?» {",
        "true",
        "agreement::meaning::a_failing_require_undoes_everything",
    ),
    line(
        "a simultaneous assignment reads the state before it",
        EXECUTE,
        "self.write(assignment, «&state», &choices, &mut after)?;\n                }",
        "&*Box::leak(Box::new(after.clone()))",
        SEMANTICS,
    ),
    line(
        "a simultaneous assignment reads the symbolic state before it",
        "finite/ground/actions.rs",
        "path = self.assign(assignment, «&before», path)?;",
        "&*Box::leak(Box::new(path.state.clone()))",
        "engines::concrete::statements_mean_the_same",
    ),
    line(
        "one statement assigns a symbol once",
        "elaborate/assignment.rs",
        "if let Some(first) = «first.insert(&target.value, target.span)»",
        "first.insert(&target.value, target.span).filter(|_| false)",
        "agreement::meaning::a_statement_assigns_a_symbol_once",
    ),
    // Finite search.
    line(
        "a solver that was interrupted has not shown that there is nothing",
        "finite/sat/solver.rs",
        "Err(interruption(&self.stop).unwrap_or(FiniteReason::Interrupted))",
        "Ok(SatAnswer::Unsatisfiable)",
        "engines::limits::a_solver_that_is_stopped_shows_nothing",
    ),
    line(
        "a claim about no elements says nothing",
        "logic/sorting.rs",
        "!matches!(domain, Domain::Enumeration(elements) if elements.is_empty())",
        "{ let _ = domain; true }",
        "smt::answers::a_quantifier_over_no_elements_is_refused",
    ),
    line(
        "initial states that were not listed to the end are not all",
        "finite/explicit/mod.rs",
        "return Ok(Some(SearchEnding::Unknown(reason, ())));",
        "let _ = reason;",
        "library::finite::tests::initial_states_that_were_not_listed_are_not_all",
    ),
    line(
        "memory counts while initial states are listed",
        "finite/explicit/mod.rs",
        "            self.counts.memory = self.store.memory();",
        "",
        "library::finite::tests::initial_states_that_take_too_much_memory_are_not_all_listed",
    ),
    line(
        "a store that is full has lost initial states",
        "finite/explicit/mod.rs",
        "stopped = self.exhausted_budget(«stored.full»);",
        "false",
        FULL,
    ),
    line(
        "a store that is full has lost states",
        "finite/explicit/mod.rs",
        "let full = «stored.iter().any(|shard| shard.full)»;",
        "false",
        FULL,
    ),
    line(
        "instances that were not listed to the end are not all",
        INSTANCES,
        "if «collector.is_too_much()» {",
        "false",
        "engines::limits::instances_that_are_too_many_are_refused",
    ),
    line(
        "an instance that is not renamed is kept",
        INSTANCES,
        "None => «self.others.push(rigid)»",
        "drop(rigid)",
        "engines::renaming::a_claim_about_one_element_holds_for_none_by_symmetry",
    ),
    line(
        "instances that differ in a function differ",
        ISOMORPHISM,
        "places.extend(symbol.result.map(|sort| (sort, value)));",
        "",
        STRUCTURES,
    ),
    line(
        "a renaming keeps the elements of enumerations",
        ISOMORPHISM,
        "&& «!signature.is_enumeration(*sort)»",
        "true",
        "engines::enumerations::elements_are_never_renamed",
    ),
    line(
        "instances that differ in elements of enumerations differ",
        INSTANCES,
        "if «signature.is_enumeration(*sort)» {",
        "false",
        "engines::enumerations::elements_are_never_renamed",
    ),
    line(
        "an enumeration has all its elements at every size",
        "protocol/instance.rs",
        "Some(elements) => «u32::try_from(elements.len()).ok()»",
        "u32::try_from(elements.len() - 1).ok()",
        "engines::enumerations::quantifiers_and_functions_range_over_all_elements",
    ),
    line(
        "different elements of an enumeration are different",
        "logic/formula.rs",
        "(TermKind::Element(one, _), TermKind::Element(other, _)) => Self::truth(«one == other»)",
        "{ let _ = (one, other); true }",
        "engines::enumerations::quantifiers_and_functions_range_over_all_elements",
    ),
    line(
        "a renaming keeps the rigid symbols",
        ISOMORPHISM,
        "self.keeps_facts(element, images)",
        "true",
        "engines::structures::rigid_structure_limits_renaming",
    ),
    line(
        "elements are sorted where every permutation keeps the instance",
        ISOMORPHISM,
        "sorts.filter(|sort| sort.len() > 1 && «keeps(sort)»).collect()",
        "(keeps(sort) || true)",
        "engines::structures::rigid_structure_limits_renaming",
    ),
    line(
        "sorting renames the values of functions as well",
        SORTING,
        "let value = «images[cell.first + code(state, cell)] - cell.first»;",
        "code(state, cell)",
        SORTED,
    ),
    line(
        "sorting renames every argument",
        SORTING,
        "cell + images[*element] * stride - element * stride",
        "if *stride == 1 { cell + images[*element] - element } else { cell }",
        SORTED,
    ),
    line(
        "branches that pick differently are different",
        "finite/ground/actions.rs",
        "yes.chosen == no.chosen",
        "true",
        "engines::concrete::statements_mean_the_same",
    ),
    line(
        "a proof of IC3 excludes every bad state",
        IC3_PROOF,
        "vec![vec![invariant, bad]]",
        "Vec::<Vec<SatLiteral>>::new()",
        WRONG_PROOF,
    ),
    line(
        "a proof of IC3 holds in the initial states",
        IC3_PROOF,
        "failures.push([vec![initial], inside(cube, &step.before)].concat());",
        "",
        WRONG_PROOF,
    ),
    line(
        "a proof of IC3 is kept by every step",
        IC3_PROOF,
        "failures.push([vec![invariant, step.happens], inside(cube, &step.after)].concat());",
        "",
        WRONG_PROOF,
    ),
    // Solvers.
    line(
        "a goal is forgotten before the next one",
        SESSION,
        "«self.solver.pop(1);»\n        Ok(match first {",
        "",
        "smt::answers::no_question_limits_the_next",
    ),
    line(
        "what made one model small is forgotten before the next goal",
        SESSION,
        "solver.pop(levels);",
        "let _ = levels;",
        "smt::answers::no_question_limits_the_next",
    ),
    line(
        "questions are asked together only under the same hypotheses",
        "smt/parallel.rs",
        "&& «left.hypotheses == right.hypotheses»",
        "true",
        "smt::answers::answers_are_ordered_and_deterministic",
    ),
    line(
        "a goal is assumed only as a whole",
        "smt/mod.rs",
        "«self.goal.conjuncts().iter().all(is_hypothesis)»",
        "self.goal.conjuncts().iter().any(is_hypothesis)",
        "smt::answers::a_goal_is_assumed_only_as_a_whole",
    ),
    line(
        "only what is assumed is not asked",
        "smt/mod.rs",
        "«self.hypotheses.contains(part)»",
        "true",
        "smt::answers::a_goal_is_assumed_only_as_a_whole",
    ),
    line(
        "a goal that is not assumed is asked",
        "smt/z3/mod.rs",
        "match «query.is_assumed()» {",
        "true",
        "smt::answers::answers_to_assumed_goals_do_not_move_the_others",
    ),
    line(
        "things of one name stay apart",
        "smt/naming.rs",
        "find(|name| «!taken.contains(name)»)",
        "true",
        "smt::answers::sorts_of_one_name_stay_apart",
    ),
    line(
        "an answer is remembered for the question it was given to",
        "smt/answer_cache.rs",
        "Ok((«smtlib::script(query, ScriptStatus::Unknown)?», symbols))",
        "String::new()",
        "check::program::a_file_that_is_saved_is_checked_again",
    ),
];
