//! The paper's own synthesis under both readings of its conditions: Table 2 of the paper, corrected.

use serde::Serialize;

use crate::certificate::{Case, Obligation, ObligationKind, print_certificate};
use crate::judge::Judged;
use crate::pipeline::LiteralRow;
use crate::protocol::Size;
use crate::report::json::{Data, Sizes, data};
use crate::report::text::counts::{count, line};
use crate::report::text::show::Detail;
use crate::report::text::{explore, table};
use crate::smt::Discharge;

const HEADS: &[&str] =
    &["protocol", "property", "cutoff", "|gamma|", "|tau|/actions", "as printed", "sound"];

/// The table, then what fails; with all steps, also the certificates and the times.
pub fn text(rows: &[LiteralRow], detail: Detail) -> String {
    let cells: Vec<Vec<String>> = rows.iter().flat_map(table_rows).collect();
    let mut out = table::table(HEADS, &cells);
    for row in rows {
        details(&mut out, row);
    }
    if detail == Detail::Steps {
        rows.iter().for_each(|row| certificate(&mut out, row));
    }
    out
}

/// A row of the table for each property.
fn table_rows(row: &LiteralRow) -> Vec<Vec<String>> {
    let protocol = &row.protocol;
    let Ok(comparison) = &row.result else {
        return vec![vec![protocol.name.to_string(), "-".to_owned(), "none".to_owned()]];
    };
    let of_case = |case: &Case| {
        let own = |judged: &&Judged| is_about(&judged.obligation, case);
        vec![
            protocol.name.to_string(),
            protocol.properties[case.property].name.to_string(),
            explore::size(protocol, &cutoff(case)),
            case.gamma.len().to_string(),
            format!("{}/{}", answered(case), case.lockstep.len()),
            standing(comparison.printed.iter().filter(own)),
            standing(comparison.sound.iter().filter(own)),
        ]
    };
    comparison.cases().iter().map(of_case).collect()
}

/// Whether an obligation is about a case; *cover* is about the property, which names its case.
fn is_about(obligation: &Obligation, case: &Case) -> bool {
    match &obligation.kind {
        ObligationKind::Cover { property } => *property == case.name,
        _ => obligation.case.as_ref() == Some(&case.name),
    }
}

/// The size of a case's cut sorts.
pub(crate) fn cutoff(case: &Case) -> Size {
    let sizes = case.cut.iter();
    sizes.filter_map(|cut| Some((cut.sort, u32::try_from(cut.elements.len()).ok()?))).collect()
}

/// How many actions of `L` the lockstep of a case answers.
pub(crate) fn answered(case: &Case) -> usize {
    let answers = case.lockstep.iter();
    let acts = answers.filter(|answer| answer.iter().any(|it| !it.moves.is_empty()));
    acts.count()
}

fn standing<'a>(judged: impl Iterator<Item = &'a Judged>) -> String {
    let all: Vec<&Judged> = judged.collect();
    let number = |wanted: fn(&Discharge<_>) -> bool| {
        all.iter().filter(|judged| wanted(&judged.discharge)).count()
    };
    let refuted = number(|answer| matches!(answer, Discharge::Refuted(_)));
    let unknown = number(|answer| matches!(answer, Discharge::Unknown(_)));
    match (refuted, unknown) {
        (0, 0) => format!("holds ({})", all.len()),
        (0, unknown) => format!("{unknown} of {} unknown", all.len()),
        (refuted, _) => format!("{refuted} of {} refuted", all.len()),
    }
}

fn details(out: &mut String, row: &LiteralRow) {
    let name = &row.protocol.name;
    match &row.result {
        Err(error) => {
            out.push('\n');
            line!(out, 0, "{name}: no certificate: {error}");
        }
        Ok(comparison) => {
            for (reading, judged) in
                [("as printed", &comparison.printed), ("sound", &comparison.sound)]
            {
                failing(out, name, reading, judged);
            }
        }
    }
}

fn failing(out: &mut String, name: &str, reading: &str, judged: &[Judged]) {
    if judged.iter().all(Judged::is_valid) {
        return;
    }
    out.push('\n');
    line!(out, 0, "{name}, {reading}");
    for open in judged.iter().filter(|judged| !judged.is_valid()) {
        line!(
            out,
            1,
            "{} {}",
            crate::report::text::check::obligation_table::mark(open),
            open.obligation.title()
        );
    }
}

fn certificate(out: &mut String, row: &LiteralRow) {
    let Ok(comparison) = &row.result else { return };
    let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    let times = comparison.times;
    out.push('\n');
    line!(
        out,
        0,
        "{}: synthesis {:.1} ms, printed conditions {:.0} ms ({}), sound obligations {:.0} ms \
             ({})",
        row.protocol.name,
        milliseconds(times.synthesis),
        milliseconds(times.printed),
        count(comparison.printed.len(), "condition"),
        milliseconds(times.sound),
        count(comparison.sound.len(), "obligation")
    );
    out.push('\n');
    out.push_str(&print_certificate(&row.protocol, &comparison.certificate, ""));
}

/// One protocol for programs.
#[derive(Serialize)]
#[serde(untagged)]
enum RowReport<'a> {
    Refused {
        protocol: &'a str,
        error: String,
    },
    Compared {
        protocol: &'a str,
        cases: Vec<CaseReport<'a>>,
        printed: ReadingReport,
        sound: ReadingReport,
        seconds: f64,
        certificate: String,
    },
}

#[derive(Serialize)]
struct CaseReport<'a> {
    property: &'a str,
    cutoff: Sizes,
    gamma: usize,
    tau: usize,
    actions: usize,
}

/// The conditions under one reading.
#[derive(Serialize)]
struct ReadingReport {
    holds: bool,
    asked: usize,
    open: Vec<String>,
    seconds: f64,
}

/// The same for programs.
pub fn json(rows: &[LiteralRow]) -> Data {
    let rows: Vec<RowReport<'_>> = rows.iter().map(row_report).collect();
    data(&rows)
}

fn row_report(row: &LiteralRow) -> RowReport<'_> {
    let protocol = &row.protocol;
    let comparison = match &row.result {
        Ok(comparison) => comparison,
        Err(error) => {
            return RowReport::Refused { protocol: &protocol.name, error: error.to_string() };
        }
    };
    let case = |case: &Case| CaseReport {
        property: &protocol.properties[case.property].name,
        cutoff: Sizes::new(protocol, &cutoff(case)),
        gamma: case.gamma.len(),
        tau: answered(case),
        actions: case.lockstep.len(),
    };
    let reading = |judged: &[Judged], time: std::time::Duration| {
        let open = judged.iter().filter(|judged| !judged.is_valid());
        let open: Vec<String> = open.map(|judged| judged.obligation.title()).collect();
        let (asked, seconds) = (judged.len(), time.as_secs_f64());
        ReadingReport { holds: open.is_empty(), asked, open, seconds }
    };
    RowReport::Compared {
        protocol: &protocol.name,
        cases: comparison.cases().iter().map(case).collect(),
        printed: reading(&comparison.printed, comparison.times.printed),
        sound: reading(&comparison.sound, comparison.times.sound),
        seconds: comparison.times.synthesis.as_secs_f64(),
        certificate: print_certificate(protocol, &comparison.certificate, ""),
    }
}
