//! Obligations as a table, a row for each action and a column for each clause: ✓ ✗ ?

use crate::certificate::ObligationKind;
use crate::judge::Judged;
use crate::report::text::table::table;
use crate::smt::Discharge;

/// No table is wider.
const WIDTH: usize = 100;

/// The column of what must be possible.
pub(crate) const ENABLED: &str = "enabled";

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
        if let MarkPlace::Cell(row, column) = place(&judged.obligation.kind) {
            table.add(row, column, mark(judged));
        }
    }
    table.text()
}

/// Obligations outside the table: what they are about, and their marks.
pub fn others(judged: &[Judged]) -> Vec<(&'static str, String)> {
    let mut found: Vec<(&'static str, String)> = Vec::new();
    for judged in judged {
        let MarkPlace::Apart(kind) = place(&judged.obligation.kind) else { continue };
        match found.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, marks)) => marks.push(mark(judged)),
            None => found.push((kind, mark(judged).to_string())),
        }
    }
    found
}

/// Where the mark of an obligation is shown.
pub(crate) enum MarkPlace {
    /// In the table, in this row and column.
    Cell(String, String),
    /// Beside the table, under this title.
    Apart(&'static str),
}

/// Where the mark of an obligation of this kind is shown.
pub(crate) fn place(kind: &ObligationKind) -> MarkPlace {
    let row = |action: &str, alternative: usize| match alternative {
        1 => action.to_owned(),
        number => format!("{action} #{number}"),
    };
    let (row, column) = match kind {
        ObligationKind::StartGamma { clause } => ("start".to_owned(), clause.to_string()),
        ObligationKind::Enabled { action, alternative, .. } => {
            (row(action, *alternative), ENABLED.to_owned())
        }
        ObligationKind::Keeps { action, alternative, clause } => {
            (row(action, *alternative), clause.to_string())
        }
        ObligationKind::Initiation { clause } => ("initially".to_owned(), clause.to_string()),
        ObligationKind::Consecution { action, clause } => (row(action, 1), clause.to_string()),
        ObligationKind::Cover { .. } => return MarkPlace::Apart("cover"),
        ObligationKind::Rigid { .. } => return MarkPlace::Apart("rigid"),
        ObligationKind::StartInit { .. } => return MarkPlace::Apart("start init"),
        ObligationKind::Safety { .. } => return MarkPlace::Apart("safety"),
        ObligationKind::Implication { .. } => return MarkPlace::Apart("implication"),
    };
    MarkPlace::Cell(row, column)
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
        let named = self.under(&self.columns);
        if named.lines().all(|line| line.chars().count() <= WIDTH) {
            return named;
        }
        let numbers: Vec<String> = (1..=self.columns.len()).map(|n| n.to_string()).collect();
        let legend = numbers.iter().zip(&self.columns).map(|(n, name)| format!("{n} {name}"));
        let legend = legend.collect::<Vec<_>>().join(", ");
        format!("{}{legend}\n", self.under(&numbers))
    }

    fn under(&self, heads: &[String]) -> String {
        let heads: Vec<&str> = [""].into_iter().chain(heads.iter().map(String::as_str)).collect();
        let row = |(row, marks): &(String, Vec<String>)| {
            [row].into_iter().chain(marks).cloned().collect::<Vec<String>>()
        };
        table(&heads, &self.rows.iter().map(row).collect::<Vec<_>>())
    }
}
