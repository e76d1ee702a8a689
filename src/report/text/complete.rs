//! What `rmlcut complete` and `rmlcut repair` found, as text: the verdict first.

use super::counts::{count, line};
use super::{explore, synth, trace};
use crate::certificate::ProofArgument;
use crate::complete::{
    CompleteAnswer, CompleteEnding, CompleteTimes, Completion, Distinction, Exclusion, Filling,
    Iterations, Repair, RepairAnswer, RepairEnding, SearchSpace,
};
use crate::finite::Claim;
use crate::judge::Verdict;
use crate::protocol::Protocol;

/// The first line of a completion.
pub fn complete_verdict(answer: &CompleteAnswer) -> String {
    match (answer.completions.first(), &answer.ending) {
        (Some(first), _) => standing("completed", first),
        (None, CompleteEnding::NoMore(_)) => "no completion".to_owned(),
        (None, CompleteEnding::GaveUp(reason)) => format!("gave up: {reason}"),
        (None, CompleteEnding::Enough) => "gave up: no completion was asked for".to_owned(),
    }
}

/// The first line of a repair.
pub fn repair_verdict(answer: &RepairAnswer, most_edits: u32) -> String {
    let first = answer.repairs.first().map(|repair| &repair.completion);
    match (first, &answer.ending) {
        (Some(first), _) => standing("repaired", first),
        (None, RepairEnding::AlreadySafe) => "already safe".to_owned(),
        (None, RepairEnding::NotKnownUnsafe) => {
            "gave up: no violation of this protocol is known, and no proof either".to_owned()
        }
        (None, RepairEnding::Searched(CompleteEnding::GaveUp(reason))) => {
            format!("gave up: {reason}")
        }
        (None, RepairEnding::Searched(_)) => {
            format!("no repair with {}", count(most_edits, "edit"))
        }
    }
}

/// `completed: safe`, `completed, unproved: …`; safe only if the judge says so.
fn standing(done: &str, completion: &Completion) -> String {
    let verdict = synth::verdict(&completion.protocol, &completion.outcome);
    let is_judged = matches!(completion.outcome.verdict, Verdict::Safe | Verdict::SafeUpTo(_));
    match is_judged {
        true => format!("{done}: {verdict}"),
        false => format!("{done}, {verdict}"),
    }
}

/// The whole report of a completion.
pub fn complete(answer: &CompleteAnswer) -> String {
    let mut out = format!("{}\n", complete_verdict(answer));
    for (number, completion) in answer.completions.iter().enumerate() {
        if number > 0 {
            line!(out, 0, "\n{}", standing("also", completion));
        }
        line!(out, 0, "holes        {} of {}", completion.fillings.len(), answer.holes);
        fillings(&mut out, &completion.fillings);
        line!(out, 0, "proof        {}", proof(completion));
        distinction(&mut out, completion);
    }
    for lost in &answer.lost {
        line!(out, 0, "lost         no completion has a run in which {lost}");
    }
    let space = space(answer.space);
    line!(out, 0, "search       {space} completions; {}", iterations(answer.iterations));
    let sizes = answer.sizes.iter().map(|size| explore::size(&answer.protocol, size));
    line!(out, 0, "sizes        {}", sizes.collect::<Vec<_>>().join("; "));
    times(&mut out, answer.times);
    ending(&mut out, &answer.protocol, &answer.ending, answer.completions.len());
    for completion in &answer.completions {
        line!(out, 0, "\n{}", completion.text.trim_end());
    }
    out
}

/// The whole report of a repair.
pub fn repair(answer: &RepairAnswer, most_edits: u32) -> String {
    let mut out = format!("{}\n", repair_verdict(answer, most_edits));
    for (number, own) in answer.repairs.iter().enumerate() {
        if number > 0 {
            line!(out, 0, "\n{}", standing("also", &own.completion));
        }
        repaired(&mut out, own);
    }
    if let RepairEnding::Searched(ended) = &answer.ending {
        line!(out, 0, "search       {}", iterations(answer.iterations));
        times(&mut out, answer.times);
        ending(&mut out, &answer.protocol, ended, answer.repairs.len());
    }
    if let Some(violation) = &answer.violation {
        let size = explore::size(&answer.protocol, &violation.size);
        let title = if answer.repairs.is_empty() { "the violation" } else { "the run it prevents" };
        line!(out, 0, "\n{title}, at {size}:");
        out.push_str(&trace::trace(&answer.protocol, &violation.claims, &violation.violation));
    }
    out
}

fn repaired(out: &mut String, repair: &Repair) {
    for changed in &repair.diff {
        line!(out, 0, "  {changed}");
    }
    match repair.states {
        Some((now, before)) => {
            line!(out, 0, "keeps        {now} of {before} states at the sizes searched");
        }
        None => line!(out, 0, "keeps        the states were not counted to the end"),
    }
    line!(out, 0, "proof        {}", proof(&repair.completion));
    distinction(out, &repair.completion);
}

fn times(out: &mut String, times: CompleteTimes) {
    let CompleteTimes { proofs, total, .. } = times;
    let search = total.saturating_sub(proofs).as_secs_f64();
    line!(out, 0, "time         {search:.1} s; proof {:.1} s", proofs.as_secs_f64());
}

/// The run that tells a completion from the one before it.
fn distinction(out: &mut String, completion: &Completion) {
    let Some(Distinction { run, is_new }) = &completion.distinction else { return };
    let (has, lacks) =
        if *is_new { ("this one", "the one before") } else { ("the one before", "this one") };
    line!(out, 0, "differs      {has} has this run; {lacks} cannot take its last step:");
    for text in trace::run(&completion.protocol, run).lines() {
        line!(out, 1, "{text}");
    }
}

fn fillings(out: &mut String, fillings: &[Filling]) {
    let width = fillings.iter().map(|own| own.hole.chars().count()).max().unwrap_or(0).max(10);
    for Filling { hole, text, action, line } in fillings {
        line!(out, 1, "{hole:width$} {text}   in `{action}`, line {line}");
    }
}

fn proof(completion: &Completion) -> String {
    match completion.outcome.judged.as_deref() {
        Some((certificate, _)) => match &certificate.argument {
            ProofArgument::Invariant(invariant) => {
                let clauses = count(invariant.clauses.len(), "clause");
                format!("inductive, {clauses}{}", carried(completion))
            }
            ProofArgument::Cutoff(cases) => {
                format!("cutoff, {}{}", count(cases.len(), "case"), carried(completion))
            }
        },
        None => "none was found in the time given".to_owned(),
    }
}

fn carried(completion: &Completion) -> &'static str {
    if completion.carried { ", as for another one" } else { "" }
}

fn iterations(iterations: Iterations) -> String {
    let Iterations { tried, safety, reach, dead, liveness } = iterations;
    let lively = if liveness > 0 { format!(", liveness {liveness}") } else { String::new() };
    format!("{tried} tried: safety {safety}, reach {reach}, dead {dead}{lively}")
}

/// How many completions there are.
pub fn space(space: SearchSpace) -> String {
    match space {
        SearchSpace::Power(power) => format!("2^{power:.0}"),
        SearchSpace::Exactly(number) => {
            let digits = number.to_string();
            let groups = digits.as_bytes().rchunks(3).rev();
            let groups = groups.map(|group| String::from_utf8_lossy(group).into_owned());
            groups.collect::<Vec<_>>().join(",")
        }
    }
}

/// Why there is nothing else.
fn ending(out: &mut String, protocol: &Protocol, ending: &CompleteEnding, found: usize) {
    match ending {
        CompleteEnding::Enough => {}
        CompleteEnding::GaveUp(reason) => line!(out, 0, "ended        {reason}"),
        CompleteEnding::NoMore(_) if found > 0 => {
            line!(out, 0, "ended        there is no other behaviour");
        }
        CompleteEnding::NoMore(exclusions) => {
            line!(out, 0, "because      {} exclude everything", count(exclusions.len(), "reason"));
            let claims: Vec<Claim> = protocol.properties.iter().map(Claim::from).collect();
            for exclusion in exclusions {
                match exclusion {
                    Exclusion::Requirement(text) => line!(out, 0, "\nrequired: {text}"),
                    Exclusion::Run(violation, with) => {
                        let with = with.iter().map(|own| format!("{} = {}", own.hole, own.text));
                        let with = with.collect::<Vec<_>>().join(", ");
                        line!(out, 0, "\nexcluded: a run, found with {with}");
                        out.push_str(&trace::trace(protocol, &claims, violation));
                    }
                }
            }
        }
    }
}
