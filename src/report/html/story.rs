//! What each command has to show, as a page.

use itertools::Itertools;

use super::{Story, Tone, page};
use crate::certificate::{Certificate, ProofArgument};
use crate::finite::FiniteOutcome;
use crate::finite::question::request::Explored;
use crate::judge::{Judgement, Verdict};
use crate::pipeline::{self, Illustration};
use crate::protocol::Protocol;
use crate::prove::ProofOutcome;
use crate::report::text::check::{self, headline, obligation_table};
use crate::report::text::counts::count;
use crate::report::text::synth::strategy_comparison;
use crate::report::text::trace::own_words;
use crate::report::text::{explore, synth};
use crate::source::SourceFile;

/// The rule by which every `unsafe` is shown.
const REPLAYED: &str = "The run below was replayed step by step, from its first state, by an \
     interpreter that shares no code with the search that found it.";

/// What a bound means.
const BOUNDED: &str = "This is bounded: the sorts named in the verdict were searched up to these \
     sizes only, and nothing is known beyond them.";

/// What has to be right for a proof to be one.
const TRUSTED: &str = "It rests on the reader, the checker of certificates, the search of finite \
     instances and Z3; how the certificate was found, and everything drawn here, is not trusted.";

/// The page of `rmlcut check`, and of a search that found a certificate.
pub fn proved(
    protocol: &Protocol,
    source: &SourceFile,
    (certificate, text): (&Certificate, Option<&str>),
    judgement: &Judgement,
    illustration: &Illustration,
) -> String {
    let violated = match &judgement.verdict {
        Verdict::Unsafe(violated) => Some(violated),
        Verdict::Safe | Verdict::SafeUpTo(_) | Verdict::Unproved(_) => None,
    };
    let described = pipeline::read_described(source);
    page(&Story {
        protocol,
        source,
        tone: match &judgement.verdict {
            Verdict::Safe => Tone::Safe,
            Verdict::SafeUpTo(_) | Verdict::Unproved(_) => Tone::Open,
            Verdict::Unsafe(_) => Tone::Unsafe,
        },
        verdict: headline(protocol, judgement),
        basis: basis(protocol, certificate, judgement),
        proof: Some((certificate, judgement)),
        certificate: text,
        tried: None,
        run: violated.map(|own| (own.claims.as_slice(), &*own.violation)),
        graph: illustration.graph.as_ref().map(|(protocol, graph)| (protocol, graph)),
        facts: &illustration.facts,
        words: described.as_ref().map(own_words::symbols).unwrap_or_default(),
        described,
    })
}

/// The page of `rmlcut synth`, with the text of what was found; where nothing was proved that is
/// the best attempt, and `attempt` is what `rmlcut check` says of it.
pub fn synthesized(
    protocol: &Protocol,
    source: &SourceFile,
    outcome: &ProofOutcome,
    (text, attempt): (Option<&str>, Option<&str>),
    illustration: &Illustration,
) -> String {
    if let Some((certificate, judgement)) = outcome.judged.as_deref() {
        return proved(protocol, source, (certificate, text), judgement, illustration);
    }
    let tried = outcome.violation().is_none().then(|| {
        let stuck = outcome.comparison.as_ref();
        let stuck = stuck.map(|own| strategy_comparison::stuck(protocol, own).trim().to_owned());
        let attempt =
            attempt.map(|report| format!("`rmlcut check` on the best attempt:\n{report}"));
        stuck.into_iter().chain(attempt).filter(|text| !text.is_empty()).join("\n\n")
    });
    let tried = tried.filter(|text| !text.is_empty());
    let (tone, basis): (Tone, &[&str]) = match (outcome.false_lemma(), outcome.violation()) {
        (Some(_), _) => (Tone::Open, &[explore::FALSE_LEMMA, REPLAYED]),
        (None, Some(_)) => (Tone::Unsafe, &[REPLAYED]),
        (None, None) => {
            (Tone::Open, &["Neither a proof nor a violation was found: the search is incomplete."])
        }
    };
    let basis = basis.iter().map(|line| (*line).to_owned()).collect();
    let described = pipeline::read_described(source);
    page(&Story {
        protocol,
        source,
        tone,
        verdict: synth::verdict(protocol, outcome),
        basis,
        proof: None,
        certificate: text,
        tried,
        run: outcome.violation().map(|own| (own.claims.as_slice(), &*own.violation)),
        graph: illustration.graph.as_ref().map(|(protocol, graph)| (protocol, graph)),
        facts: &illustration.facts,
        words: described.as_ref().map(own_words::symbols).unwrap_or_default(),
        described,
    })
}

/// The page of `rmlcut explore`.
pub fn explored(
    protocol: &Protocol,
    source: &SourceFile,
    explored: &Explored,
    illustration: &Illustration,
) -> String {
    let (coverage, violation) = match &explored.outcome {
        FiniteOutcome::Safe(coverage) | FiniteOutcome::Unknown(_, coverage) => (coverage, None),
        FiniteOutcome::Unsafe(violation, coverage) => (coverage, Some(&**violation)),
    };
    let covered = explore::covered(protocol, explored, coverage);
    let mut basis: Vec<String> = covered.lines().map(str::to_owned).collect();
    basis.push(match &explored.outcome {
        FiniteOutcome::Unsafe(..) => REPLAYED.to_owned(),
        FiniteOutcome::Safe(_) => "This holds for instances of this size only.".to_owned(),
        FiniteOutcome::Unknown(reason, _) => explore::reason_text(reason),
    });
    let described = pipeline::read_described(source);
    page(&Story {
        protocol,
        source,
        tone: match &explored.outcome {
            FiniteOutcome::Safe(_) => Tone::Safe,
            FiniteOutcome::Unsafe(..) if !explored.is_false_lemma(protocol) => Tone::Unsafe,
            FiniteOutcome::Unsafe(..) | FiniteOutcome::Unknown(..) => Tone::Open,
        },
        verdict: explore::verdict(protocol, explored),
        basis,
        proof: None,
        certificate: None,
        tried: None,
        run: violation.map(|violation| (explored.claims.as_slice(), violation)),
        graph: illustration.graph.as_ref().map(|(protocol, graph)| (protocol, graph)),
        facts: &illustration.facts,
        words: described.as_ref().map(own_words::symbols).unwrap_or_default(),
        described,
    })
}

fn basis(protocol: &Protocol, certificate: &Certificate, judgement: &Judgement) -> Vec<String> {
    let all = judgement.obligations().count();
    let valid = judgement.obligations().filter(|judged| judged.is_valid()).count();
    let obligations = format!("{valid} of {} proved by Z3", count(all, "obligation"));
    let mut basis = Vec::new();
    match &judgement.verdict {
        Verdict::Safe | Verdict::SafeUpTo(_) => {
            basis.push(match &certificate.argument {
                ProofArgument::Cutoff(cases) => {
                    let closed = cases.iter().zip(&judgement.cases).map(|(case, judged)| {
                        format!("{}: {}", case.name, check::closing(protocol, &judged.finite))
                    });
                    format!(
                        "Every violation, in a system of any size, would be repeated step by step \
                         in one small instance, and that instance has none. {obligations}. Small \
                         instances: {}.",
                        closed.collect::<Vec<_>>().join("; ")
                    )
                }
                ProofArgument::Invariant(invariant) => format!(
                    "An inductive invariant of {}: it holds initially, every action keeps it, and \
                     it implies the properties. {obligations}.",
                    count(invariant.clauses.len(), "clause")
                ),
            });
            if matches!(judgement.verdict, Verdict::SafeUpTo(_)) {
                basis.push(BOUNDED.to_owned());
            }
            basis.push(TRUSTED.to_owned());
        }
        Verdict::Unsafe(_) => basis.push(REPLAYED.to_owned()),
        Verdict::Unproved(_) => {
            basis.push(format!("This is not a proof: {obligations}."));
            let open = judgement.obligations().filter(|judged| !judged.is_valid());
            let open = open.filter(|judged| !judged.is_unchecked());
            basis.extend(open.take(8).map(|judged| {
                format!("{} {}", obligation_table::mark(judged), judged.obligation.title())
            }));
        }
    }
    basis
}
