//! The verdict of a check in a line, and what stands in its way in one line each.

use std::collections::BTreeSet;

use super::{Checked, obligation_table};
use crate::judge::{CaseJudgement, FiniteResult, Gap, Judgement, Verdict};
use crate::logic::Name;
use crate::protocol::Protocol;
use crate::report::text::counts::{count, line};
use crate::report::text::explore;
use crate::smt::{Discharge, UnknownReason};

/// The first line: the verdict, with skipped obligations counted apart from failed ones.
pub fn headline(protocol: &Protocol, judgement: &Judgement) -> String {
    let Verdict::Unproved(gaps) = &judgement.verdict else {
        return verdict(protocol, &judgement.verdict);
    };
    let obligations = judgement.obligations().filter(|judged| judged.is_unchecked()).count();
    let is_left = |case: &&CaseJudgement| matches!(case.finite, FiniteResult::NotAsked);
    let instances = judgement.cases.iter().filter(is_left).count();
    let open = gaps.len().saturating_sub(obligations + instances);
    let valid = judgement.obligations().filter(|judged| judged.is_valid()).count();
    let mut not_asked = Vec::new();
    if obligations > 0 {
        not_asked.push(count(obligations, "obligation"));
    }
    if instances > 0 {
        not_asked.push(count(instances, "cutoff instance"));
    }
    match (open, not_asked.join(", ")) {
        (open, rest) if rest.is_empty() => format!("unproved: {}", count(open, "gap")),
        (0, rest) if valid == 0 => format!("unproved: not checked: {rest}"),
        (0, rest) => format!("unproved: {} valid; not checked: {rest}", count(valid, "obligation")),
        (open, rest) => format!("unproved: {}; not checked: {rest}", count(open, "gap")),
    }
}

/// A verdict in a few words.
pub fn verdict(protocol: &Protocol, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe => "safe".to_owned(),
        Verdict::SafeUpTo(bounds) => format!("safe up to {}", explore::size(protocol, bounds)),
        Verdict::Unsafe(violated) => {
            let steps = count(violated.violation.trace.steps.len(), "step");
            let size = explore::size(protocol, &violated.size);
            format!("unsafe: [{}] fails after {steps} at {size}", violated.claim)
        }
        Verdict::Unproved(gaps) => format!("unproved: {}", count(gaps.len(), "gap")),
    }
}

/// Two solvers that contradict each other come before everything else.
pub(crate) fn disagreements(out: &mut String, judgement: &Judgement) {
    for judged in judgement.obligations() {
        if let Discharge::Unknown(UnknownReason::Disagreement(who)) = &judged.discharge {
            let title = judged.obligation.title();
            line!(out, 0, "!!! THE SOLVERS DISAGREE about {title}: {who}");
        }
    }
}

/// Why not, in one line each.
pub(crate) fn reasons(out: &mut String, checked: &Checked<'_>) {
    let Verdict::Unproved(gaps) = &checked.judgement.verdict else { return };
    let not_asked = checked.judgement.obligations().filter(|judged| judged.is_unchecked());
    let not_asked: BTreeSet<String> = not_asked.map(|judged| judged.obligation.title()).collect();
    let cases = checked.judgement.cases.iter();
    let left = cases.filter(|case| matches!(case.finite, FiniteResult::NotAsked));
    let left: BTreeSet<&Name> = left.map(|case| &case.case).collect();
    for gap in gaps {
        match gap {
            Gap::Malformed(why) => line!(out, 0, "  ✗ the certificate: {why}"),
            Gap::Obligation(title) if not_asked.contains(title) => {}
            Gap::Obligation(title) => {
                let judged = checked.judgement.obligations();
                let mut judged = judged.filter(|judged| judged.obligation.title() == *title);
                let mark = judged.next().map_or('?', obligation_table::mark);
                line!(out, 0, "  {mark} {title}");
            }
            Gap::Finite { case, .. } if left.contains(case) => {}
            Gap::Finite { case, why } => {
                line!(out, 0, "  ? {case}: finite: {why}");
            }
            Gap::NothingToProve => line!(out, 0, "  ? there is no safety property"),
            Gap::Vacuous => {
                line!(out, 0, "  ✗ no instance of the protocol has an initial state");
            }
            Gap::NoStartSeen => {
                line!(out, 0, "  ? no instance with an initial state was found");
            }
            Gap::FalseLemma(violated) => line!(out, 0, "  ✗ lemma [{}] fails", violated.claim),
            Gap::NoCertificate => line!(out, 0, "  ? no certificate was found"),
        }
    }
}
