//! A run that is made by hand, for people.

use super::counts::{count, line};
use super::trace;
use super::trace::blocked_action;
use super::trace::process_words::{change_in_words, state_in_words};
use crate::finite::replay::Refused;
use crate::finite::{Claim, ClaimFailure};
use crate::play::{Options, Session};
use crate::process::Process;
use crate::protocol::{Protocol, Rigidity, State, Step};
use crate::source::SourceFile;

/// How to play.
pub const HELP: &str = "\
NUMBER            take the step with this number
ACTION(ARGUMENTS) take the step by its name; `*` is any element
why ACTION        why it is not possible: which `require` fails, with values
back [N]          undo N steps
restart [N]       begin again, in the Nth initial state
random [N]        take N random steps
run               the run so far
save FILE         write the run, in the Informal Trace Format
load FILE         read a run
show              what holds, and what is possible (or an empty line)
quit              leave (or Ctrl-D)
";

/// No more steps are listed at once.
const MAX_LISTED: usize = 60;

/// What holds, what fails and what is possible.
/// Where the protocol describes equal processes, it is their places and variables.
pub fn text(
    (protocol, process): (&Protocol, Option<&Process>),
    session: &Session,
    options: &Options,
) -> String {
    let mut out = String::new();
    let (steps, state) = (session.run.steps.len(), session.state());
    match session.run.steps.last() {
        None if session.starts.len() > 1 => {
            let starts = session.starts.len();
            line!(out, 0, "initial state, one of {starts} (restart N chooses another)");
        }
        None => line!(out, 0, "initial state"),
        Some(step) => {
            line!(
                out,
                0,
                "after {}: {}",
                count(steps, "step"),
                trace::invocation(protocol, &step.invocation)
            );
        }
    }
    if steps == 0 {
        facts(&mut out, "instance", &trace::atoms(protocol, state, Rigidity::Rigid));
    }
    match process {
        Some(process) => {
            for place in state_in_words(process, protocol, state) {
                line!(out, 1, "{place}");
            }
        }
        None => facts(&mut out, "state", &trace::atoms(protocol, state, Rigidity::Mutable)),
    }
    for failed in failures(protocol, session) {
        line!(out, 0, "fails: {}", failed.what);
        for sentence in &failed.missing {
            line!(out, 1, "{sentence}");
        }
    }
    if options.steps.is_empty() && options.unlisted.is_empty() {
        line!(out, 0, "no action is possible");
    }
    for (number, step) in (1..).zip(&options.steps).take(MAX_LISTED) {
        line!(out, 0, "{number:>3}  {}", option((protocol, process), state, step));
    }
    if options.steps.len() > MAX_LISTED {
        let more = count(options.steps.len() - MAX_LISTED, "more step");
        line!(out, 0, "     and {more}, by number or by name");
    }
    for (action, why) in &options.unlisted {
        line!(out, 0, "     {}: {why}", protocol.actions[*action].name);
    }
    let idle = idle(protocol, options);
    if !idle.is_empty() {
        line!(out, 0, "not possible: {} (why ACTION says why)", idle.join(", "));
    }
    out
}

fn facts(out: &mut String, title: &str, atoms: &[String]) {
    let atoms = if atoms.is_empty() { "no facts".to_owned() } else { atoms.join(", ") };
    line!(out, 0, "{title}: {atoms}");
}

/// The actions that are possible with no arguments at all.
pub fn idle<'a>(protocol: &'a Protocol, options: &Options) -> Vec<&'a str> {
    let is_idle = |action: usize| {
        options.steps.iter().all(|step| step.invocation.action != action)
            && options.unlisted.iter().all(|(unlisted, _)| *unlisted != action)
    };
    let actions = protocol.actions.iter().enumerate().filter(|(action, _)| is_idle(*action));
    actions.map(|(_, action)| &*action.name).collect()
}

/// A step and what it would change.
fn option(
    (protocol, process): (&Protocol, Option<&Process>),
    state: &State,
    step: &Step,
) -> String {
    let changes = changed((protocol, process), state, &step.state);
    let changes =
        if changes.is_empty() { "changes nothing".to_owned() } else { changes.join(", ") };
    format!("{}   {changes}", trace::invocation(protocol, &step.invocation))
}

/// What differs between two states: `+ holds(node0)`, or `process0: Candidate → Leader`.
pub fn changed(
    (protocol, process): (&Protocol, Option<&Process>),
    before: &State,
    after: &State,
) -> Vec<String> {
    let words = process.map(|process| change_in_words(process, protocol, before, after));
    if let Some(words) = words.filter(|words| !words.is_empty()) {
        return words;
    }
    let changes = trace::changes(protocol, before, after).into_iter();
    changes.flat_map(|change| change.signed()).collect()
}

/// A property that fails.
pub struct FailedProperty {
    /// The property, and the elements for which it fails.
    pub what: String,
    /// For every `exists` behind it, that no element qualifies and which comes nearest.
    pub missing: Vec<String>,
}

/// What fails at the end of the run.
pub fn failures(protocol: &Protocol, session: &Session) -> Vec<FailedProperty> {
    let claims: Vec<Claim> = protocol.properties.iter().map(Claim::from).collect();
    let failed = protocol.properties.iter().enumerate().filter_map(|(index, property)| {
        let values = session.run.violation(property).ok()??;
        let failure = ClaimFailure::Claim(index, values);
        let what = trace::failure(protocol, &claims, &failure);
        let missing = trace::missing(protocol, &claims, &failure, session.state());
        Some(FailedProperty { what, missing })
    });
    failed.collect()
}

/// Why an action is not possible.
pub fn why(protocol: &Protocol, source: &SourceFile, action: usize, refused: &[Refused]) -> String {
    if refused.is_empty() {
        return format!("{} is possible\n", protocol.actions[action].name);
    }
    blocked_action::reasons(protocol, source, refused)
}
