//! What `rmlcut complete` and `rmlcut repair` found, as JSON: the same facts as the text.

use serde::Serialize;

use super::trace::{RunReport, ViolationReport};
use super::{Sizes, print};
use crate::complete::{
    CompleteAnswer, CompleteEnding, Completion, Exclusion, Filling, Iterations, RepairAnswer,
    RepairEnding, SearchSpace,
};
use crate::finite::Claim;
use crate::protocol::Protocol;
use crate::report::text::complete::{complete_verdict, repair_verdict};
use crate::report::text::synth;

#[derive(Serialize)]
struct CompleteReport<'a> {
    protocol: &'a str,
    summary: String,
    holes: usize,
    completions: Option<u64>,
    completions_log2: Option<f64>,
    iterations: IterationsReport,
    sizes: Vec<Sizes>,
    found: Vec<CompletionReport<'a>>,
    lost: &'a [String],
    ending: EndingReport,
}

#[derive(Serialize)]
struct RepairReport<'a> {
    protocol: &'a str,
    summary: String,
    iterations: IterationsReport,
    found: Vec<CompletionReport<'a>>,
    violation: Option<ViolationReport>,
    ending: EndingReport,
}

#[derive(Serialize)]
struct IterationsReport {
    tried: usize,
    safety: usize,
    reach: usize,
    dead: usize,
    liveness: usize,
}

#[derive(Serialize)]
struct CompletionReport<'a> {
    safe: bool,
    verdict: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    holes: Vec<FillingReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states_before: Option<u64>,
    certificate_carried_over: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    differs: Option<DistinctionReport>,
    text: &'a str,
}

#[derive(Serialize)]
struct DistinctionReport {
    is_run_of_this_one: bool,
    run: RunReport,
}

#[derive(Serialize)]
struct FillingReport<'a> {
    hole: &'a str,
    text: &'a str,
    action: &'a str,
    line: usize,
}

#[derive(Serialize)]
struct EndingReport {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    excluded_by: Vec<ExclusionReport>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ExclusionReport {
    Requirement { required: String },
    Run { run: ViolationReport },
}

/// A completion as JSON.
pub fn complete(answer: &CompleteAnswer) -> String {
    let (completions, completions_log2) = match answer.space {
        SearchSpace::Exactly(count) => (Some(count), None),
        SearchSpace::Power(power) => (None, Some(power)),
    };
    let sizes = answer.sizes.iter().map(|size| Sizes::new(&answer.protocol, size));
    print(&CompleteReport {
        protocol: &answer.protocol.name,
        summary: complete_verdict(answer),
        holes: answer.holes,
        completions,
        completions_log2,
        iterations: iterations(answer.iterations),
        sizes: sizes.collect(),
        found: answer.completions.iter().map(completion).collect(),
        lost: &answer.lost,
        ending: ending(&answer.protocol, &answer.ending),
    })
}

/// A repair as JSON.
pub fn repair(answer: &RepairAnswer, most_edits: u32) -> String {
    let found = answer.repairs.iter().map(|own| CompletionReport {
        holes: Vec::new(),
        diff: Some(&own.diff),
        states: own.states.map(|(now, _)| now),
        states_before: own.states.map(|(_, before)| before),
        ..completion(&own.completion)
    });
    let simple = |kind| EndingReport { kind, reason: None, excluded_by: Vec::new() };
    let violation = answer
        .violation
        .as_ref()
        .map(|own| ViolationReport::new(&answer.protocol, &own.claims, &own.violation));
    print(&RepairReport {
        protocol: &answer.protocol.name,
        summary: repair_verdict(answer, most_edits),
        iterations: iterations(answer.iterations),
        found: found.collect(),
        violation,
        ending: match &answer.ending {
            RepairEnding::AlreadySafe => simple("already_safe"),
            RepairEnding::NotKnownUnsafe => simple("not_known_unsafe"),
            RepairEnding::Searched(ended) => ending(&answer.protocol, ended),
        },
    })
}

fn completion(completion: &Completion) -> CompletionReport<'_> {
    fn filling(own: &Filling) -> FillingReport<'_> {
        let Filling { hole, text, action, line } = own;
        FillingReport { hole, text, action, line: *line }
    }
    CompletionReport {
        safe: completion.is_safe(),
        verdict: synth::verdict(&completion.protocol, &completion.outcome),
        holes: completion.fillings.iter().map(filling).collect(),
        diff: None,
        states: None,
        states_before: None,
        certificate_carried_over: completion.carried,
        differs: completion.distinction.as_ref().map(|own| DistinctionReport {
            is_run_of_this_one: own.is_new,
            run: RunReport::new(&completion.protocol, &own.run),
        }),
        text: &completion.text,
    }
}

fn iterations(iterations: Iterations) -> IterationsReport {
    let Iterations { tried, safety, reach, dead, liveness } = iterations;
    IterationsReport { tried, safety, reach, dead, liveness }
}

fn ending(protocol: &Protocol, ending: &CompleteEnding) -> EndingReport {
    let (kind, reason, excluded_by) = match ending {
        CompleteEnding::Enough => ("enough", None, Vec::new()),
        CompleteEnding::GaveUp(reason) => ("gave_up", Some(reason.clone()), Vec::new()),
        CompleteEnding::NoMore(exclusions) => {
            let claims: Vec<Claim> = protocol.properties.iter().map(Claim::from).collect();
            let excluded = exclusions.iter().map(|exclusion| match exclusion {
                Exclusion::Requirement(text) => {
                    ExclusionReport::Requirement { required: text.clone() }
                }
                Exclusion::Run(violation, _) => {
                    ExclusionReport::Run { run: ViolationReport::new(protocol, &claims, violation) }
                }
            });
            ("no_more", None, excluded.collect())
        }
    };
    EndingReport { kind, reason, excluded_by }
}
