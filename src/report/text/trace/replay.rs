//! What `rmlcut replay` found, as text: the verdict first, then the run as far as there is one.

use super::own_words;
use super::{ShownValue, blocked_action};
use crate::finite::ClaimFailure;
use crate::finite::replay::{Failed, Flaw, Obscurity, ReplayAnswer, Replayed, TraceQuestion};
use crate::logic::print_formula;
use crate::process::Described;
use crate::protocol::{
    ExternalTrace, Invocation, Protocol, Signature, Size, Sort, State, Statement,
};
use crate::report::text::counts::{after, count};
use crate::report::text::{explore, trace};
use crate::source::SourceFile;

/// The outcome of a replay as text; `source` is the protocol's.
pub fn text(
    (protocol, described): (&Protocol, Option<&Described>),
    source: &SourceFile,
    external: &ExternalTrace,
    replayed: &Replayed,
) -> String {
    let protocol = &protocol.with_names_of(&replayed.run.initial);
    let mut out = format!("{}\n", verdict(protocol, replayed));
    out.push_str(&guesses(protocol, external));
    out.push('\n');
    out.push_str(&match described {
        Some(described) => own_words::run(described, protocol, &replayed.run),
        None => trace::run(protocol, &replayed.run),
    });
    match &replayed.answer {
        ReplayAnswer::Run(failures) => out.push_str(&fails(protocol, replayed, failures)),
        ReplayAnswer::NotARun(flaw) => out.push_str(&details(protocol, source, external, flaw)),
        ReplayAnswer::Unknown(_) => {}
    }
    out
}

/// The first line: whether it is a run, and what fails first.
pub fn verdict(protocol: &Protocol, replayed: &Replayed) -> String {
    let size = explore::size(protocol, &size(&protocol.signature, &replayed.run.initial));
    match &replayed.answer {
        ReplayAnswer::Run(failures) => match failures.first() {
            Some(first) => {
                let name = &replayed.claims[first.claim].name;
                format!("a run at {size}: [{name}] fails {}", after(first.after))
            }
            None => format!("a run at {size}: nothing fails {}", during(replayed.run.steps.len())),
        },
        ReplayAnswer::NotARun(flaw) => format!("not a run at {size}: {}", flawed(protocol, flaw)),
        ReplayAnswer::Unknown(obscurity) => {
            format!("unknown at {size}: {}", obscure(replayed, obscurity))
        }
    }
}

/// The size of the instance that a state is a state of.
pub(crate) fn size(signature: &Signature, state: &State) -> Size {
    let sorts = signature.sized_sorts().filter_map(|id| {
        let extent = state.extent(Sort::Declared(id))?;
        Some((id, u32::try_from(extent.len()).ok()?))
    });
    sorts.collect()
}

fn during(steps: usize) -> String {
    if steps == 0 { after(0) } else { format!("in {}", count(steps, "step")) }
}

/// Why it is not a run.
fn flawed(protocol: &Protocol, flaw: &Flaw) -> String {
    match flaw {
        Flaw::Axiom(_) => "the instance does not satisfy the axioms".to_owned(),
        Flaw::Initial(_) => "the first state does not satisfy the initial condition".to_owned(),
        Flaw::Changed(step, symbol) => {
            let name = &protocol.signature.symbol(*symbol).name;
            format!("step {step} changes `{name}`, which never changes")
        }
        Flaw::Impossible(step, _) => format!("step {step} is not possible"),
        Flaw::Elsewhere(step, ..) => format!("step {step} leads to another state"),
    }
}

/// Why a question about the trace has no answer.
fn obscure(replayed: &Replayed, Obscurity { what, reason }: &Obscurity) -> String {
    match what {
        TraceQuestion::Axioms => format!("the axioms cannot be evaluated: {reason}"),
        TraceQuestion::Initial => format!("the initial condition cannot be evaluated: {reason}"),
        TraceQuestion::Step(step) => {
            format!("whether step {step} is possible cannot be decided: {reason}")
        }
        TraceQuestion::Claim(claim, steps) => {
            let name = &replayed.claims[*claim].name;
            format!("[{name}] cannot be evaluated {}: {reason}", after(*steps))
        }
    }
}

/// What the trace leaves out, and what it names differently.
fn guesses(protocol: &Protocol, external: &ExternalTrace) -> String {
    let mut out = String::new();
    let sorts: Vec<&str> =
        external.guessed.iter().map(|sort| &**protocol.signature.sort_name(*sort)).collect();
    if !sorts.is_empty() {
        out.push_str(&format!(
            "no size given; the mentioned elements are used for {}\n",
            sorts.join(", ")
        ));
    }
    for (sort, number, name) in &external.renamed {
        let sort = protocol.signature.sort_name(*sort);
        out.push_str(&format!("{sort}{number} is called \"{}\"\n", name.escape_debug()));
    }
    out
}

/// What fails where: every property once, in the first state where it does.
fn fails(protocol: &Protocol, replayed: &Replayed, failures: &[Failed]) -> String {
    let mut out = String::new();
    for claim in 0..replayed.claims.len() {
        let mut own = failures.iter().filter(|failed| failed.claim == claim);
        let Some(first) = own.next() else { continue };
        let failure = failure(protocol, replayed, first);
        let later = match own.count() {
            0 => String::new(),
            more => format!(", and in {}", count(more, "later state")),
        };
        out.push_str(&format!("fails {}: {failure}{later}\n", after(first.after)));
        for sentence in missing(protocol, replayed, first) {
            out.push_str(&format!("   {sentence}\n"));
        }
    }
    out
}

/// A property with the elements for which it fails.
pub(crate) fn failure(protocol: &Protocol, replayed: &Replayed, failed: &Failed) -> String {
    let failure = ClaimFailure::Claim(failed.claim, failed.values.clone());
    trace::failure(protocol, &replayed.claims, &failure)
}

/// For every `exists` behind a failure, that no element qualifies and which comes nearest.
pub(crate) fn missing(protocol: &Protocol, replayed: &Replayed, failed: &Failed) -> Vec<String> {
    let failure = ClaimFailure::Claim(failed.claim, failed.values.clone());
    let state = match failed.after.checked_sub(1) {
        Some(step) => &replayed.run.steps[step].state,
        None => &replayed.run.initial,
    };
    trace::missing(protocol, &replayed.claims, &failure, state)
}

/// What is wrong with a trace that is not a run.
pub(crate) fn details(
    protocol: &Protocol,
    source: &SourceFile,
    external: &ExternalTrace,
    flaw: &Flaw,
) -> String {
    match flaw {
        Flaw::Axiom(index) => failing_statement(protocol, "axiom", protocol.axioms.get(*index)),
        Flaw::Initial(index) => failing_statement(protocol, "init", protocol.init.get(*index)),
        Flaw::Changed(..) => String::new(),
        Flaw::Impossible(step, refused) => blocked_action::text(protocol, source, *step, refused),
        Flaw::Elsewhere(step, invocation, state) => {
            elsewhere(protocol, external, *step, invocation, state)
        }
    }
}

fn failing_statement(protocol: &Protocol, word: &str, statement: Option<&Statement>) -> String {
    let Some(statement) = statement else { return String::new() };
    let label = statement.label.as_ref().map_or_else(String::new, |label| format!("[{label}] "));
    let formula = print_formula(&protocol.signature, &statement.formula);
    format!("fails: {word} {label}{formula}\n")
}

/// Where a step leads, and how the trace differs.
fn elsewhere(
    protocol: &Protocol,
    external: &ExternalTrace,
    step: usize,
    invocation: &Invocation,
    reached: &State,
) -> String {
    let name = trace::invocation(protocol, invocation);
    let mut out = format!("{step}. {name} leads to another state:\n");
    let state =
        step.checked_sub(1).and_then(|index| external.steps.get(index)).map(|step| &step.state);
    for change in state.into_iter().flat_map(|state| trace::changes(protocol, state, reached)) {
        let show = |value: &ShownValue| match value {
            ShownValue::Truth(truth) => truth.to_string(),
            ShownValue::Element(element) => element.clone(),
        };
        let (stated, found) = (show(&change.from), show(&change.to));
        out.push_str(&format!("   {} is {found}, the trace says {stated}\n", change.location));
    }
    out
}
