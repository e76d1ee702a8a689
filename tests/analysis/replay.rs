//! Conservative means: what the analysis leaves out of a violating run was not needed for it.
//!
//! Unsafe protocols of the corpus are run into their violations, with detours; then the run is
//! repeated with only the steps that are instances of `A`. Each must still be possible, and the
//! violation there.

use std::collections::BTreeMap;

use rmlcut::analysis::{
    ActionInvocation, AtomEntry, PropertyFacts, ViolationShape, Violator, analyse_violation,
    footprints, violation,
};
use rmlcut::budget::{Budget, Stop};
use rmlcut::finite::{ClaimFailure, ENGINES, FiniteOutcome, Question, Silent, check};
use rmlcut::logic::{Value, evaluate_formula};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{
    Property, Protocol, State, StateVar, Step, SuccessorState, Trace, execute_with, successors,
};
use rmlcut::source::SourceFile;

use crate::support::corpus::{Entry as File, Expectation, entries};

#[test]
fn runs_need_relevant_steps_only() {
    let mut runs = 0;
    let mut left_out = 0;
    for file in entries() {
        let header = file.header().expect("a header");
        if file.uses_integers() {
            continue; // Finding their runs takes long.
        }
        if let Expectation::Unsafe { size, integers, .. } = header.expectation {
            let protocol = protocol(&file);
            let Some((property, values, shortest)) = violating_run(&protocol, &size, integers)
            else {
                continue;
            };
            let facts = facts(&protocol, property, &values);
            for seed in 1..=4 {
                let trace = with_detours(&protocol, property, &values, &shortest, seed);
                let kept = replay(&protocol, &facts, &values, &trace)
                    .unwrap_or_else(|step| panic!("{}: step {step} became impossible", file.path));
                assert!(violates(&kept, property, &values), "{}: no violation left", file.path);
                left_out += trace.steps.len() - kept.steps.len();
                runs += 1;
            }
        }
    }
    assert!(runs > 100 && left_out > 100, "{left_out} steps of {runs} runs were left out");
}

/// The run with further steps here and there, after which all of it is still possible.
fn with_detours(
    protocol: &Protocol,
    property: &Property,
    values: &[Value],
    trace: &Trace,
    seed: u64,
) -> Trace {
    let mut random = seed;
    let mut longer = trace.clone();
    for _ in 0..40 {
        let at = pick(&mut random, longer.steps.len() + 1);
        let before = Trace { initial: longer.initial.clone(), steps: longer.steps[..at].to_vec() };
        let action = pick(&mut random, protocol.actions.len());
        let possible = successors(protocol, before.last(), action).unwrap_or_default();
        if possible.is_empty() {
            continue;
        }
        let (invocation, SuccessorState { choices, state }) =
            possible[pick(&mut random, possible.len())].clone();
        let mut candidate = before;
        candidate.steps.push(Step { invocation, choices, state });
        let rest = longer.steps[at..].iter();
        if rest.clone().all(|step| push(protocol, &mut candidate, step))
            && violates(&candidate, property, values)
        {
            longer = candidate;
        }
    }
    longer
}

/// Adds a step as it was, if it is possible at the end of the run.
fn push(protocol: &Protocol, trace: &mut Trace, step: &Step) -> bool {
    let next = execute_with(protocol, trace.last(), &step.invocation, &step.choices);
    let Ok(Some(state)) = next else { return false };
    trace.steps.push(Step { state, ..step.clone() });
    true
}

fn violates(trace: &Trace, property: &Property, values: &[Value]) -> bool {
    let assignment = property.vars.iter().cloned().zip(values.iter().copied()).collect();
    evaluate_formula(trace.last(), &assignment, &property.matrix) == Ok(false)
}

/// The next of a fixed sequence of numbers below `bound`.
fn pick(random: &mut u64, bound: usize) -> usize {
    *random =
        random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    usize::try_from(*random >> 33).unwrap_or(0) % bound
}

fn protocol(file: &File) -> Protocol {
    let source = SourceFile::new(file.path.as_str(), file.text.as_str());
    read_protocol(&source).expect("the corpus holds protocols").0
}

/// A shortest run to a violation, unless that takes long to find.
fn violating_run<'a>(
    protocol: &'a Protocol,
    size: &[(String, usize)],
    window: Option<(i64, i64)>,
) -> Option<(&'a Property, Vec<Value>, Trace)> {
    let sort = |name: &str| protocol.signature.find_sort(name).expect("a declared sort");
    let size =
        size.iter().map(|(name, count)| (sort(name), u32::try_from(*count).expect("a small size")));
    let question = Question { window, ..Question::new(protocol, size.collect()) };
    let budget = Budget {
        max_states: 30_000,
        max_memory: 1 << 30,
        threads: 1,
        ..Budget::until(Stop::never())
    };
    let outcome = check(ENGINES[0], &question, &budget, &Silent).expect("the question is right");
    let FiniteOutcome::Unsafe(found, _) = outcome else { return None };
    let ClaimFailure::Claim(claim, values) = found.failure else { return None };
    Some((&protocol.properties[claim], values, found.trace))
}

/// The facts about this violation, with the violators that coincide in it.
fn facts(protocol: &Protocol, property: &Property, values: &[Value]) -> PropertyFacts {
    let valued: Vec<(&StateVar, &Value)> = property.vars.iter().zip(values).collect();
    let mut pairs = Vec::new();
    for (index, (one, value)) in valued.iter().enumerate() {
        for (two, other) in &valued[index + 1..] {
            if one.sort == two.sort && value == other {
                pairs.push(((*one).clone(), (*two).clone()));
            }
        }
    }
    let violation = violation(&protocol.signature, property, &ViolationShape::Coinciding(&pairs));
    analyse_violation(protocol, &footprints(protocol), violation)
}

/// The run with the irrelevant steps left out, or the step that becomes impossible then.
fn replay(
    protocol: &Protocol,
    facts: &PropertyFacts,
    values: &[Value],
    trace: &Trace,
) -> Result<Trace, usize> {
    let of_vars = facts.violation.of_vars.iter().zip(values);
    let violators: BTreeMap<usize, Value> =
        of_vars.map(|((_, it), value)| (it.0, *value)).collect();
    let mut kept = Trace { initial: trace.initial.clone(), steps: Vec::new() };
    for (index, step) in trace.steps.iter().enumerate() {
        let is_instance = |relevant: &ActionInvocation| {
            let mut args = relevant.args.iter().zip(&step.invocation.args);
            relevant.action == step.invocation.action
                && args.all(|(entry, value)| denotes(&trace.initial, &violators, entry, *value))
        };
        if facts.relevance.actions().any(is_instance) && !push(protocol, &mut kept, step) {
            return Err(index + 1);
        }
    }
    Ok(kept)
}

/// Whether an entry can stand for a value in the instance.
fn denotes(
    state: &State,
    violators: &BTreeMap<usize, Value>,
    entry: &AtomEntry<Violator>,
    value: Value,
) -> bool {
    match entry {
        AtomEntry::Any => true,
        AtomEntry::Named(violator) => violators[&violator.0] == value,
        AtomEntry::Integer(literal) => Value::Int(*literal) == value,
        AtomEntry::Element(_, index) => Value::Element(*index) == value,
        AtomEntry::Constant(symbol) => state.tables[symbol].get(&[]) == Some(value),
    }
}

/// The test above can fail: an analysis that overlooks a guard leaves out a step that is needed.
#[test]
fn overlooked_guards_are_noticed() {
    let text = "sort node
         relation a(node)
         relation b(node)
         init ~a(N)
         init ~b(N)
         action one(n: node) { require b(n); a(n) := true }
         action two(n: node) { b(n) := true }
         safety ~a(N)";
    let (protocol, _) = read_protocol(&SourceFile::new("t.rml", text)).expect("a protocol");
    let run = violating_run(&protocol, &[("node".to_owned(), 2)], None);
    let (property, values, trace) = run.expect("a short run");
    let complete = facts(&protocol, property, &values);
    let kept = replay(&protocol, &complete, &values, &trace);
    assert_eq!(kept.map(|kept| kept.steps.len()), Ok(2));
    let mut footprints = footprints(&protocol);
    footprints[0].guards.clear();
    let blind = analyse_violation(&protocol, &footprints, complete.violation);
    assert_eq!(replay(&protocol, &blind, &values, &trace), Err(2));
}
