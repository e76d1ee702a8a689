//! The results and costs of proving a set of protocols: a table like the paper's Table 2.

use std::time::Duration;

use serde_json::{Value, json};

use crate::certificate::{Case, Certificate, Closing, ProofArgument};
use crate::judge::{CaseJudgement, Closed, FiniteResult, Judgement, Verdict};
use crate::protocol::{PropertyKind, Protocol};
use crate::prove::ProofOutcome;
use crate::report::text::lines::line;
use crate::report::text::synth::Cost;
use crate::report::text::{explore, literal, synth, table};

/// One protocol.
pub struct SynthRow {
    /// Its name.
    pub name: String,
    /// The verdict, or why there is none.
    pub verdict: String,
    /// How it was proved, if it was.
    pub argument: Option<SynthSummary>,
    /// What it took.
    pub cost: Cost,
}

/// An argument in a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SynthSummary {
    /// The cut sorts with their sizes, case by case where cases differ.
    pub cut: String,
    /// The number of clauses of γ, case by case.
    pub gamma: String,
    /// The answered actions of all actions, case by case where cases differ.
    pub tau: String,
    /// The number of lemmas.
    pub lemmas: usize,
    /// What stayed unbounded, and what closed it.
    pub residual: String,
}

/// The row of a protocol that was tried.
pub fn row(protocol: &Protocol, outcome: &ProofOutcome, cost: Cost) -> SynthRow {
    let argument = match outcome {
        ProofOutcome::Judged { certificate, judgement, .. } => {
            let proved = matches!(judgement.verdict, Verdict::Safe | Verdict::SafeUpTo(_));
            proved.then(|| summary(protocol, certificate, judgement))
        }
        ProofOutcome::Unsafe(_) | ProofOutcome::FalseLemma(_) | ProofOutcome::Nothing { .. } => {
            None
        }
    };
    let name = protocol.name.to_string();
    SynthRow { name, verdict: synth::verdict(protocol, outcome), argument, cost }
}

fn summary(protocol: &Protocol, certificate: &Certificate, judgement: &Judgement) -> SynthSummary {
    let properties = certificate.large.properties.iter();
    let lemmas = properties.filter(|own| own.kind == PropertyKind::Lemma).count();
    match &certificate.argument {
        ProofArgument::Invariant(invariant) => SynthSummary {
            cut: "none".to_owned(),
            gamma: String::new(),
            tau: String::new(),
            lemmas,
            residual: format!("inductive, {} clauses", invariant.clauses.len()),
        },
        ProofArgument::Cutoff(cases) => SynthSummary {
            cut: each(cases.iter().map(|case| explore::size(protocol, &literal::cutoff(case)))),
            gamma: cases
                .iter()
                .map(|case| case.gamma.len().to_string())
                .collect::<Vec<_>>()
                .join("+"),
            tau: each(
                cases
                    .iter()
                    .map(|case| format!("{}/{}", literal::answered(case), case.lockstep.len())),
            ),
            lemmas,
            residual: each(
                cases
                    .iter()
                    .zip(&judgement.cases)
                    .map(|(case, judged)| closed(protocol, case, judged)),
            ),
        },
    }
}

/// Different values in order, each once.
fn each(values: impl Iterator<Item = String>) -> String {
    let mut seen: Vec<String> = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen.join("; ")
}

/// What a case leaves unbounded, and what closes it.
fn closed(protocol: &Protocol, case: &Case, judged: &CaseJudgement) -> String {
    if judged.inductive {
        return "gamma is inductive".to_owned();
    }
    let residual = synth::residual(protocol, case).join(", ");
    match (&judged.finite, &case.closing) {
        (FiniteResult::Closed(Closed::Invariant(_)), Closing::Invariant(invariant)) => {
            format!("{residual}: invariant, {} clauses", invariant.clauses.len())
        }
        (FiniteResult::Closed(Closed::UpTo(bounds, _)), _) => {
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

/// The table as text.
pub fn text(rows: &[SynthRow]) -> String {
    let cells: Vec<Vec<String>> = rows.iter().map(cells).collect();
    let mut out = table::table(HEADS, &cells);
    out.push('\n');
    let safe = rows.iter().filter(|row| row.verdict == "safe").count();
    line(&mut out, 0, format_args!("{safe} of {} safe", rows.len()));
    line(
        &mut out,
        0,
        format_args!("times in seconds; those of Z3 and of finite instances over all threads"),
    );
    let gamma = "gamma: the clauses that relate the large system and the cutoff instance";
    line(&mut out, 0, format_args!("{gamma}; tau: the actions that the instance answers"));
    out
}

fn cells(row: &SynthRow) -> Vec<String> {
    let of =
        |part: fn(&SynthSummary) -> String| row.argument.as_ref().map(part).unwrap_or_default();
    let verdict = match row.verdict.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &row.verdict[..end]),
        None => row.verdict.clone(),
    };
    vec![
        row.name.clone(),
        verdict,
        of(|it| it.cut.clone()),
        of(|it| it.gamma.clone()),
        of(|it| it.tau.clone()),
        of(|it| it.lemmas.to_string()),
        of(|it| it.residual.clone()),
        seconds(row.cost.effort.solver),
        seconds(row.cost.effort.instances),
        seconds(row.cost.total),
    ]
}

fn seconds(time: Duration) -> String {
    format!("{:.2}", time.as_secs_f64())
}

/// The table as JSON.
pub fn json(rows: &[SynthRow]) -> String {
    let rows: Value = rows.iter().map(row_json).collect();
    format!("{:#}\n", json!({ "stage": "synth", "rows": rows }))
}

fn row_json(row: &SynthRow) -> Value {
    let argument = row.argument.as_ref().map(|it| {
        json!({
            "cut_sorts": it.cut,
            "gamma": it.gamma,
            "tau": it.tau,
            "lemmas": it.lemmas,
            "residual_sorts_closed_by": it.residual,
        })
    });
    json!({
        "protocol": row.name,
        "verdict": row.verdict,
        "argument": argument,
        "seconds": row.cost.total.as_secs_f64(),
        "seconds_in_solver": row.cost.effort.solver.as_secs_f64(),
        "seconds_in_instances": row.cost.effort.instances.as_secs_f64(),
    })
}
