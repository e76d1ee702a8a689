//! Obligations as a table, a row for each action and a column for each clause: ✓ ✗ ?

use crate::certificate::ObligationKind;
use crate::judge::Judged;
use crate::smt::Discharge;

/// No table is wider.
const WIDTH: usize = 100;

/// The column of what must be possible.
const ENABLED: &str = "enabled";

/// One obligation at a glance.
pub fn mark(judged: &Judged) -> char {
    match &judged.discharge {
        Discharge::Valid => '✓',
        Discharge::Refuted(_) => '✗',
        Discharge::Unknown(_) if judged.is_unchecked() => '·',
        Discharge::Unknown(_) => '?',
    }
}

/// A text for a terminal: what is proved is green, what is refuted red.
pub fn coloured(text: &str) -> String {
    text.replace('✓', "\x1b[32m✓\x1b[0m").replace('✗', "\x1b[31m✗\x1b[0m")
}

/// The table of those obligations that belong to an action and a clause; empty without any.
pub fn grid(judged: &[Judged]) -> String {
    let mut table = ObligationTable::default();
    for judged in judged {
        if let Some((row, column)) = place(&judged.obligation.kind) {
            table.add(row, column, mark(judged));
        }
    }
    table.text()
}

/// Obligations outside the table: what they are about, and their marks.
pub fn others(judged: &[Judged]) -> Vec<(&'static str, String)> {
    let mut found: Vec<(&'static str, String)> = Vec::new();
    for judged in judged {
        let Some(kind) = apart(&judged.obligation.kind) else { continue };
        match found.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, marks)) => marks.push(mark(judged)),
            None => found.push((kind, mark(judged).to_string())),
        }
    }
    found
}

/// The row and the column of an obligation.
fn place(kind: &ObligationKind) -> Option<(String, String)> {
    let row = |action: &str, alternative: usize| match alternative {
        1 => action.to_owned(),
        number => format!("{action} #{number}"),
    };
    match kind {
        ObligationKind::StartGamma { clause } => Some(("start".to_owned(), clause.to_string())),
        ObligationKind::Enabled { action, alternative, .. } => {
            Some((row(action, *alternative), ENABLED.to_owned()))
        }
        ObligationKind::Keeps { action, alternative, clause } => {
            Some((row(action, *alternative), clause.to_string()))
        }
        ObligationKind::Initiation { clause } => Some(("initially".to_owned(), clause.to_string())),
        ObligationKind::Consecution { action, clause } => {
            Some((row(action, 1), clause.to_string()))
        }
        ObligationKind::Cover { .. }
        | ObligationKind::Rigid { .. }
        | ObligationKind::StartInit { .. }
        | ObligationKind::Safety { .. }
        | ObligationKind::Implication { .. } => None,
    }
}

fn apart(kind: &ObligationKind) -> Option<&'static str> {
    match kind {
        ObligationKind::Cover { .. } => Some("cover"),
        ObligationKind::Rigid { .. } => Some("rigid"),
        ObligationKind::StartInit { .. } => Some("start init"),
        ObligationKind::Safety { .. } => Some("safety"),
        ObligationKind::Implication { .. } => Some("implication"),
        ObligationKind::StartGamma { .. }
        | ObligationKind::Enabled { .. }
        | ObligationKind::Keeps { .. }
        | ObligationKind::Initiation { .. }
        | ObligationKind::Consecution { .. } => None,
    }
}

#[derive(Default)]
struct ObligationTable {
    columns: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

impl ObligationTable {
    fn add(&mut self, row: String, column: String, mark: char) {
        let column = match self.columns.iter().position(|known| *known == column) {
            Some(position) => position,
            None if column == ENABLED => {
                self.columns.insert(0, column);
                self.rows.iter_mut().for_each(|(_, marks)| marks.insert(0, String::new()));
                0
            }
            None => {
                self.columns.push(column);
                self.columns.len() - 1
            }
        };
        if self.rows.last().is_none_or(|(known, _)| *known != row) {
            self.rows.push((row, Vec::new()));
        }
        let (_, marks) = self.rows.last_mut().expect("a row was added");
        marks.resize(marks.len().max(column + 1), String::new());
        marks[column].push(mark);
    }

    fn text(&self) -> String {
        if self.rows.is_empty() {
            return String::new();
        }
        let named = self.lines(&self.columns);
        if named.lines().all(|line| width(line) <= WIDTH) {
            return named;
        }
        let numbers: Vec<String> = (1..=self.columns.len()).map(|n| n.to_string()).collect();
        let legend = numbers.iter().zip(&self.columns).map(|(n, name)| format!("{n} {name}"));
        let legend = legend.collect::<Vec<_>>().join(", ");
        format!("{}{legend}\n", self.lines(&numbers))
    }

    fn lines(&self, columns: &[String]) -> String {
        let label = self.rows.iter().map(|(row, _)| width(row)).max().unwrap_or_default();
        let cell = |marks: &[String], index: usize| marks.get(index).cloned().unwrap_or_default();
        let wide = columns.iter().enumerate().map(|(index, column)| {
            let cells = self.rows.iter().map(|(_, marks)| width(&cell(marks, index)));
            cells.chain([width(column)]).max().unwrap_or_default()
        });
        let wide: Vec<usize> = wide.collect();
        let mut out = line(label, "", columns, &wide);
        for (row, marks) in &self.rows {
            let cells: Vec<String> = (0..columns.len()).map(|index| cell(marks, index)).collect();
            out.push_str(&line(label, row, &cells, &wide));
        }
        out
    }
}

fn line(label: usize, row: &str, cells: &[String], wide: &[usize]) -> String {
    let mut out = format!("{row}{}", " ".repeat(label - width(row)));
    for (cell, wide) in cells.iter().zip(wide) {
        out.push_str("  ");
        out.push_str(cell);
        out.push_str(&" ".repeat(wide - width(cell)));
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

fn width(text: &str) -> usize {
    text.chars().count()
}
