//! What `rmlcut check` found, as text: the verdict first, then what was checked and what failed.

pub mod counterexample;
pub mod evidence;
pub mod obligation_table;
pub mod obligations;
pub(crate) mod open_obligations;

use std::collections::BTreeSet;

use super::counts::{count, line};
use super::coverage::{Covered, under_verdict};
use super::{explore, trace};
use open_obligations::{disagreements, reasons};

use crate::certificate::{Case, Certificate, Changes, Obligation, ObligationKind, ProofArgument};
use crate::explain::{cycle, explain};
use crate::finite::Coverage;
use crate::judge::{CaseJudgement, FiniteResult, FiniteViolation, Gap, Judged, Judgement, Verdict};
use crate::protocol::{PropertyKind, Protocol, Size, SymbolId};
use crate::smt::{Discharge, UnknownReason};
use crate::source::{SourceFile, Span};
pub use open_obligations::{headline, verdict};

/// A certificate that was checked.
pub struct Checked<'a> {
    /// The user's protocol.
    pub protocol: &'a Protocol,
    /// Its text.
    pub text: &'a SourceFile,
    /// The certificate.
    pub certificate: &'a Certificate,
    /// The certificate's text.
    pub source: &'a SourceFile,
    /// How the protocol differs from the one that the certificate was made for.
    pub changes: Option<&'a Changes>,
    /// What was found out.
    pub judgement: &'a Judgement,
    /// What was written for others to check.
    pub evidence: Option<&'a EvidenceWritten>,
    /// What the protocol was seen to do in small instances.
    pub coverage: Covered<'a>,
}

impl<'a> Checked<'a> {
    /// A judgement alone: nothing was changed, written or looked for beside it.
    pub fn new(
        (protocol, text): (&'a Protocol, &'a SourceFile),
        (certificate, source): (&'a Certificate, &'a SourceFile),
        judgement: &'a Judgement,
    ) -> Self {
        let (changes, evidence, coverage) = (None, None, Covered::NotAsked);
        Checked { protocol, text, certificate, source, changes, judgement, evidence, coverage }
    }
}

/// A folder of evidence.
#[derive(serde::Serialize)]
pub struct EvidenceWritten {
    /// The folder.
    pub folder: String,
    /// How many scripts are in it.
    pub scripts: usize,
    /// How many proofs, if proofs were asked for.
    pub proofs: Option<usize>,
}

/// The whole report.
pub fn text(checked: &Checked<'_>) -> String {
    let mut out = summary(checked);
    failures(&mut out, checked, usize::MAX);
    out
}

/// The report without counterexamples.
pub fn summary(checked: &Checked<'_>) -> String {
    let mut out = format!("{}\n", headline(checked.protocol, checked.judgement));
    disagreements(&mut out, checked.judgement);
    reasons(&mut out, checked);
    under_verdict(&mut out, checked.protocol, checked.coverage);
    for relation in &checked.judgement.size_relations {
        let signature = &checked.protocol.signature;
        let (from, into) = (signature.sort_name(relation.from), signature.sort_name(relation.into));
        line!(
            out,
            0,
            "`{}` is injective, so a bound on {into} is a bound on {from} as well",
            relation.function
        );
    }
    if let Some(changes) = checked.changes {
        rebased(&mut out, changes);
    }
    argument(&mut out, checked);
    out
}

/// What fails, in one line each, with the counterexamples to the first few obligations.
pub fn brief(checked: &Checked<'_>, most: usize) -> String {
    let mut out = String::new();
    reasons(&mut out, checked);
    failures(&mut out, checked, most);
    out
}

fn rebased(out: &mut String, changes: &Changes) {
    out.push('\n');
    match &changes.made_for {
        None => line!(out, 0, "the certificate does not say what it was made for"),
        Some(old) if old.protocol != changes.read_for.protocol => {
            line!(out, 0, "the certificate was made for `{}`", old.protocol);
        }
        Some(_) => line!(out, 0, "the certificate was made for another version"),
    }
    if !changes.unmentioned.is_empty() {
        let unmentioned = changes.unmentioned.join(", ");
        line!(out, 1, "it does not mention {unmentioned}");
    }
    let read_for = &changes.read_for;
    line!(out, 1, "to keep it for this version, let it begin with");
    line!(out, 2, "certificate {} for {}", crate::certificate::FORMAT, read_for.protocol);
    line!(out, 2, "sha256 {}", read_for.digest);
}

fn argument(out: &mut String, checked: &Checked<'_>) {
    let certificate = checked.certificate;
    let lemmas = property_names(certificate, PropertyKind::Lemma);
    let proved = property_names(certificate, PropertyKind::Safety);
    out.push('\n');
    line!(out, 0, "safety       {}", proved.join(", "));
    let none = if lemmas.is_empty() { "none" } else { "" };
    line!(out, 0, "lemmas       {}{none}", lemmas.join(", "));
    let all = checked.judgement.obligations();
    line!(out, 0, "obligations  {}", tally(all));
    if let Some(EvidenceWritten { folder, scripts, proofs }) = checked.evidence {
        let scripts = count(*scripts, "script");
        let proofs = proofs.map_or(String::new(), |proofs| format!(", {}", count(proofs, "proof")));
        line!(out, 0, "evidence     {scripts}{proofs} in {folder}");
    }
    match &checked.certificate.argument {
        ProofArgument::Cutoff(cases) => {
            table(out, &checked.judgement.whole);
            for (case, judgement) in cases.iter().zip(&checked.judgement.cases) {
                out.push('\n');
                of_case(out, checked, case, judgement);
            }
        }
        ProofArgument::Invariant(invariant) => {
            let clauses = count(invariant.clauses.len(), "clause");
            line!(out, 0, "invariant    {clauses}");
            table(out, &checked.judgement.whole);
        }
    }
}

/// The properties of one kind that a certificate is about.
pub(crate) fn property_names(certificate: &Certificate, kind: PropertyKind) -> Vec<&str> {
    let own = certificate.large.properties.iter().filter(|own| own.kind == kind);
    own.map(|own| &*own.name).collect()
}

/// `12 valid, 1 refuted`
fn tally<'a>(judged: impl Iterator<Item = &'a Judged>) -> String {
    let mut counts = [("valid", 0), ("refuted", 0), ("unknown", 0), ("not checked", 0)];
    for judged in judged {
        let place = match &judged.discharge {
            Discharge::Valid => 0,
            Discharge::Refuted(_) => 1,
            Discharge::Unknown(UnknownReason::NotAsked) => 3,
            Discharge::Unknown(_) => 2,
        };
        counts[place].1 += 1;
    }
    let words = counts.iter().filter(|(_, number)| *number > 0);
    let words: Vec<String> = words.map(|(word, number)| format!("{number} {word}")).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}

fn of_case(out: &mut String, checked: &Checked<'_>, case: &Case, judgement: &CaseJudgement) {
    let signature = &checked.protocol.signature;
    let property = &checked.certificate.large.properties[case.property].name;
    let relaxed = if case.relaxed { ", C relaxed" } else { "" };
    line!(out, 0, "case {} for {property}{relaxed}", case.name);
    let cut = case.cut.iter().map(|cut| {
        let sort = signature.sort_name(cut.sort);
        format!("{sort}={} ({})", cut.elements.len(), cut.elements.join(", "))
    });
    line!(out, 1, "cut        {}", or_none(&cut.collect::<Vec<_>>()));
    let residual: Vec<String> =
        case.residual().into_iter().map(|sort| signature.sort_name(sort).to_string()).collect();
    line!(out, 1, "residual   {}", or_none(&residual));
    finite(out, checked.protocol, &judgement.finite);
    table(out, &judgement.obligations);
    if !judgement.finite.obligations().is_empty() {
        table(out, judgement.finite.obligations());
    }
}

fn or_none(parts: &[String]) -> String {
    if parts.is_empty() { "none".to_owned() } else { parts.join(", ") }
}

fn finite(out: &mut String, protocol: &Protocol, result: &FiniteResult) {
    line!(out, 1, "finite     {}", closing(protocol, result));
    if let Some(names) = left_out(protocol, result) {
        line!(out, 1, "           left out, as nothing in C reads it: {names}");
    }
}

/// How a cutoff instance was closed, in a few words.
pub(crate) fn closing(protocol: &Protocol, result: &FiniteResult) -> String {
    match result {
        FiniteResult::NotNeeded => "not needed: gamma alone is inductive".to_owned(),
        FiniteResult::NotAsked => "not checked".to_owned(),
        FiniteResult::Searched(searches, verdict) => match verdict {
            Verdict::Safe => format!("exhausted: {}", covered(searches)),
            Verdict::SafeUpTo(bounds) => {
                let bounds = explore::size(protocol, bounds);
                format!("exhausted at every size up to {bounds}: {}", covered(searches))
            }
            Verdict::Unsafe(violated) => {
                format!("[{}] fails at {}", violated.claim, explore::size(protocol, &violated.size))
            }
            Verdict::Unproved(gaps) => format!("open: {}", why_open(gaps)),
        },
        FiniteResult::Invariant(_) if result.is_closed() => {
            "closed at every size by an inductive invariant".to_owned()
        }
        FiniteResult::Invariant(_) => "open: the invariant is not proved".to_owned(),
        FiniteResult::Certificate(own) => {
            let valid = own.obligations().filter(|judged| judged.is_valid()).count();
            let counted = format!("{valid} of {} obligations valid", own.obligations().count());
            format!("{}: {counted}", by_certificate(protocol, &own.verdict))
        }
    }
}

/// What a certificate about the cutoff instance proves of it.
fn by_certificate(protocol: &Protocol, verdict: &Verdict) -> String {
    match verdict {
        Verdict::Safe => "closed at every size by a certificate about C".to_owned(),
        Verdict::SafeUpTo(bounds) => {
            let bounds = explore::size(protocol, bounds);
            format!("closed at every size up to {bounds} by a certificate about C")
        }
        Verdict::Unsafe(violated) => format!("a run of C violates [{}]", violated.claim),
        Verdict::Unproved(_) => "open: the certificate about C proves nothing".to_owned(),
    }
}

/// Why the search of a cutoff instance has no result.
pub(crate) fn why_open(gaps: &[Gap]) -> &str {
    let why = gaps.iter().find_map(|gap| match gap {
        Gap::Finite { why, .. } => Some(&**why),
        _ => None,
    });
    why.unwrap_or("not checked")
}

/// The symbols that a search did not look at, if there are any.
fn left_out(protocol: &Protocol, result: &FiniteResult) -> Option<String> {
    let FiniteResult::Searched(found, _) = result else { return None };
    let left_out: BTreeSet<SymbolId> =
        found.iter().flat_map(|(_, coverage)| coverage.left_out.iter().copied()).collect();
    let names = left_out.iter().map(|id| &*protocol.signature.symbol(*id).name);
    let names = names.collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then_some(names)
}

fn covered(coverage: &[(Size, Coverage)]) -> String {
    let instances: u64 = coverage.iter().map(|(_, coverage)| coverage.instances).sum();
    let visited = coverage.iter().filter_map(|(_, coverage)| coverage.visited);
    let states: u64 = visited.map(|counts| counts.states).sum();
    let counted_once = coverage.iter().map(|(_, coverage)| coverage.counted).max();
    let symmetry = explore::symmetry(counted_once.unwrap_or_default());
    let states = match states {
        0 => String::new(),
        _ => format!(", {}{symmetry}", count(states, "state")),
    };
    let (sizes, instances) = (count(coverage.len(), "size"), count(instances, "instance"));
    format!("{sizes}, {instances}{states}")
}

fn table(out: &mut String, judged: &[Judged]) {
    for (kind, marks) in obligation_table::others(judged) {
        line!(out, 1, "{kind:<10} {marks}");
    }
    for row in obligation_table::grid(judged).lines() {
        line!(out, 1, "{row}");
    }
}

/// The first few obligations that failed, with what is known about them.
fn failures(out: &mut String, checked: &Checked<'_>, most: usize) {
    let failed = checked.judgement.obligations();
    let failed = failed.filter(|judged| !judged.is_valid() && !judged.is_unchecked());
    for judged in failed.take(most) {
        let reason = match &judged.discharge {
            Discharge::Valid | Discharge::Refuted(_) => String::new(),
            Discharge::Unknown(reason) => format!(": {reason}"),
        };
        let is_unknown = matches!(judged.discharge, Discharge::Unknown(_));
        let found = is_unknown.then(|| cycle(&judged.obligation)).flatten();
        let title = judged.obligation.title();
        out.push('\n');
        line!(out, 0, "{} {title}{reason}", obligation_table::mark(judged));
        if let Some(place) = place(checked, &judged.obligation) {
            line!(out, 1, "{place}");
        }
        if let Some(found) = found {
            line!(out, 1, "{}", found.words());
        }
        if let Discharge::Refuted(model) = &judged.discharge {
            let explanation = explain(checked.certificate, &judged.obligation, model);
            out.push_str(&counterexample::text(&explanation));
        }
    }
    for (case, judgement) in cases(checked) {
        if let FiniteResult::Searched(_, Verdict::Unsafe(violated)) = &judgement.finite {
            out.push('\n');
            violation(out, case, violated);
        }
    }
}

/// Where the clause, axiom or property of an obligation was written.
pub fn place(checked: &Checked<'_>, obligation: &Obligation) -> Option<String> {
    let (source, span) = place_of(checked, obligation)?;
    Some(format!("{}:{}", source.name(), source.position(span.start)))
}

/// The same as a text and a part of it.
pub(crate) fn place_of<'a>(
    checked: &Checked<'a>,
    obligation: &Obligation,
) -> Option<(&'a SourceFile, Span)> {
    let of_user = |name: &str| checked.protocol.property(name).is_some();
    let source = match &obligation.kind {
        ObligationKind::Rigid { .. } | ObligationKind::StartInit { .. } => checked.text,
        ObligationKind::Cover { property } if of_user(property) => checked.text,
        ObligationKind::Implication { .. } => return None,
        ObligationKind::Cover { .. }
        | ObligationKind::StartGamma { .. }
        | ObligationKind::Enabled { .. }
        | ObligationKind::Keeps { .. }
        | ObligationKind::Safety { .. }
        | ObligationKind::Initiation { .. }
        | ObligationKind::Consecution { .. } => checked.source,
    };
    Some((source, obligation.span))
}

fn cases<'a>(checked: &Checked<'a>) -> Vec<(&'a Case, &'a CaseJudgement)> {
    match &checked.certificate.argument {
        ProofArgument::Cutoff(cases) => cases.iter().zip(&checked.judgement.cases).collect(),
        ProofArgument::Invariant(_) => Vec::new(),
    }
}

fn violation(out: &mut String, case: &Case, violated: &FiniteViolation) {
    line!(out, 0, "✗ {}: finite", case.name);
    for row in trace::trace(&case.small, &violated.claims, &violated.violation).lines() {
        line!(out, 1, "{row}");
    }
}
