//! The results and costs of proving a set of protocols: a table like the paper's Table 2.

use serde::Serialize;

use super::profile::{self, SynthProfile};
use super::{BenchReport, shortened, two_digits};
use crate::certificate::{Case, Certificate, Closing, ProofArgument};
use crate::judge::{CaseJudgement, FiniteResult, Judgement, Verdict};
use crate::protocol::{PropertyKind, Protocol};
use crate::prove::ProofOutcome;
use crate::report::json::Sizes;
use crate::report::text::analysis::literal;
use crate::report::text::check::property_names;
use crate::report::text::counts::line;
use crate::report::text::synth::Cost;
use crate::report::text::{explore, synth, table};

/// Every protocol.
#[derive(Serialize)]
pub struct SynthBench {
    /// One row each.
    pub rows: Vec<SynthRow>,
}

/// One protocol.
#[derive(Serialize)]
pub struct SynthRow {
    /// Its name.
    pub protocol: String,
    /// The verdict, or why there is none.
    pub verdict: String,
    /// How it was proved, if it was.
    pub argument: Option<SynthSummary>,
    /// When the verdict was known, if it is safe or unsafe.
    pub seconds_to_verdict: Option<f64>,
    /// What it took.
    #[serde(flatten)]
    pub cost: Cost,
    /// Where the time went, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<SynthProfile>,
}

/// An argument in a few words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SynthSummary {
    /// The cut sorts with their sizes, case by case where cases differ.
    #[serde(rename = "cut_sorts")]
    cut: Vec<Sizes>,
    /// The number of clauses of γ, case by case.
    gamma: Vec<usize>,
    /// The answered actions of all actions, case by case where cases differ.
    tau: String,
    /// The number of lemmas.
    lemmas: usize,
    /// What stayed unbounded, and what closed it.
    #[serde(rename = "residual_sorts_closed_by")]
    residual: String,
}

/// The row of a protocol that was tried.
pub fn row(protocol: &Protocol, outcome: &ProofOutcome, cost: Cost) -> SynthRow {
    let proved = matches!(outcome.verdict, Verdict::Safe | Verdict::SafeUpTo(_));
    let judged = outcome.judged.as_deref().filter(|_| proved);
    let argument = judged.map(|(certificate, judgement)| summary(protocol, certificate, judgement));
    let verdict = synth::verdict(protocol, outcome);
    let is_known = proved || matches!(outcome.verdict, Verdict::Unsafe(_));
    let seconds_to_verdict = is_known.then_some(cost.seconds);
    let protocol = protocol.name.to_string();
    SynthRow { protocol, verdict, argument, seconds_to_verdict, cost, profile: None }
}

fn summary(protocol: &Protocol, certificate: &Certificate, judgement: &Judgement) -> SynthSummary {
    let lemmas = property_names(certificate, PropertyKind::Lemma).len();
    match &certificate.argument {
        ProofArgument::Invariant(invariant) => SynthSummary {
            cut: Vec::new(),
            gamma: Vec::new(),
            tau: String::new(),
            lemmas,
            residual: format!("inductive, {} clauses", invariant.clauses.len()),
        },
        ProofArgument::Cutoff(cases) => SynthSummary {
            cut: distinct(cases.iter().map(|case| Sizes::new(protocol, &literal::cutoff(case)))),
            gamma: cases.iter().map(|case| case.gamma.len()).collect(),
            tau: distinct(
                cases
                    .iter()
                    .map(|case| format!("{}/{}", literal::answered(case), case.lockstep.len())),
            )
            .join("; "),
            lemmas,
            residual: distinct(
                cases
                    .iter()
                    .zip(&judgement.cases)
                    .map(|(case, judged)| closed(protocol, case, judged)),
            )
            .join("; "),
        },
    }
}

/// The different values, in the order of their first occurrence.
fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

/// What a case leaves unbounded, and what closes it.
fn closed(protocol: &Protocol, case: &Case, judged: &CaseJudgement) -> String {
    if judged.finite.is_by_gamma() {
        return "gamma is inductive".to_owned();
    }
    let residual = synth::residual(protocol, case).join(", ");
    match (&judged.finite, &case.closing) {
        (FiniteResult::Invariant(_), Closing::Invariant(invariant))
            if judged.finite.is_closed() =>
        {
            format!("{residual}: invariant, {} clauses", invariant.clauses.len())
        }
        (FiniteResult::Certificate(_), _) if judged.finite.is_closed() => {
            format!("{residual}: a certificate about C")
        }
        (FiniteResult::Searched(_, Verdict::SafeUpTo(bounds)), _) => {
            format!("searched up to {}", explore::size(protocol, bounds))
        }
        _ => "none".to_owned(),
    }
}

const HEADS: &[&str] = &[
    "protocol",
    "verdict",
    "cut sorts",
    "|gamma|",
    "|tau|/actions",
    "lemmas",
    "residual sorts closed by",
    "Z3",
    "finite",
    "total",
];

/// The longest verdict that fits a column.
const LONGEST: usize = 40;

impl BenchReport for SynthBench {
    fn stage(&self) -> &str {
        "synth"
    }

    fn text(&self) -> String {
        let cells: Vec<Vec<String>> = self.rows.iter().map(cells).collect();
        let mut out = table::table(HEADS, &cells);
        out.push('\n');
        let safe = self.rows.iter().filter(|row| row.verdict == "safe").count();
        line!(out, 0, "{safe} of {} safe", self.rows.len());
        out.push_str(&profile::text(&self.rows));
        let times = "times in seconds; those of Z3 and of finite instances over all threads";
        line!(out, 0, "{times}");
        let gamma = "gamma: the clauses that relate the large system and the cutoff instance";
        line!(out, 0, "{gamma}; tau: the actions that the instance answers");
        out
    }
}

fn cells(row: &SynthRow) -> Vec<String> {
    let of =
        |part: fn(&SynthSummary) -> String| row.argument.as_ref().map(part).unwrap_or_default();
    vec![
        row.protocol.clone(),
        shortened(&row.verdict, LONGEST),
        of(cut_text),
        of(|it| it.gamma.iter().map(usize::to_string).collect::<Vec<_>>().join("+")),
        of(|it| it.tau.clone()),
        of(|it| it.lemmas.to_string()),
        of(|it| it.residual.clone()),
        two_digits(Some(row.cost.seconds_in_solver)),
        two_digits(Some(row.cost.seconds_in_instances)),
        two_digits(Some(row.cost.seconds)),
    ]
}

fn cut_text(summary: &SynthSummary) -> String {
    let sizes: Vec<String> = summary.cut.iter().map(Sizes::to_string).collect();
    if sizes.is_empty() { "none".to_owned() } else { sizes.join("; ") }
}
