//! Where the time of proving went: how soon verdicts are known, and what each phase and each question
//! to the solver took.

use std::collections::BTreeMap;

use serde::Serialize;

use super::synth::SynthRow;
use super::two_digits;
use crate::effort::{Effort, QUESTION_LIMITS, phase_names};
use crate::report::text::counts::line;
use crate::report::text::table;

/// Where the time of one protocol went. Phases run beside each other, so together they may have
/// taken longer than the whole.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SynthProfile {
    /// Every phase.
    seconds_in_phases: BTreeMap<&'static str, f64>,
    /// Guessing clauses, part of the search for invariants.
    seconds_in_candidates: f64,
    /// The questions to the solver, by the time they took.
    questions: Vec<QuestionCount>,
}

/// How many questions took so long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct QuestionCount {
    /// The limit that they stayed below; none if they took longer than all limits.
    below_milliseconds: Option<u64>,
    count: u64,
}

impl SynthProfile {
    /// That of what was spent.
    pub fn new(effort: &Effort) -> Self {
        let seconds = effort.phases.map(|time| time.as_secs_f64());
        let limits = QUESTION_LIMITS.into_iter().map(Some).chain([None]);
        let counts = limits.zip(effort.questions);
        SynthProfile {
            seconds_in_phases: phase_names().into_iter().zip(seconds).collect(),
            seconds_in_candidates: effort.candidates.as_secs_f64(),
            questions: counts
                .map(|(below_milliseconds, count)| QuestionCount { below_milliseconds, count })
                .collect(),
        }
    }

    fn question_count(&self) -> u64 {
        self.questions.iter().map(|class| class.count).sum()
    }
}

/// The quantiles of the time to a verdict, and a table of profiles, where there are any.
pub(super) fn text(rows: &[SynthRow]) -> String {
    let mut out = String::new();
    let mut times: Vec<f64> = rows.iter().filter_map(|row| row.seconds_to_verdict).collect();
    times.sort_by(f64::total_cmp);
    if let (Some(half), Some(most)) = (quantile(&times, 50), quantile(&times, 90)) {
        let [half, most] = [half, most].map(|time| two_digits(Some(time)));
        let known = times.len();
        line!(out, 0, "time to a verdict, of {known}: median {half}, 90th percentile {most}");
    }
    let profiles: Vec<_> =
        rows.iter().filter_map(|row| Some((row, row.profile.as_ref()?))).collect();
    if profiles.is_empty() {
        return out;
    }
    let cells: Vec<Vec<String>> =
        profiles.iter().map(|(row, profile)| cells(row, profile)).collect();
    let heads = heads();
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    out.push('\n');
    out.push_str(&table::table(&heads, &cells));
    out.push('\n');
    line!(out, 0, "question: the mean time of a question to Z3, in milliseconds");
    out
}

/// The smallest time that so many of a hundred times do not exceed.
fn quantile(sorted: &[f64], percent: usize) -> Option<f64> {
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}

fn heads() -> Vec<String> {
    let mut heads = vec!["protocol".to_owned(), "verdict after".to_owned()];
    heads.extend(phase_names().map(str::to_owned));
    heads.extend(["candidates", "Z3", "questions", "question"].map(str::to_owned));
    heads.extend(QUESTION_LIMITS.map(|limit| format!("<{limit} ms")));
    heads.push("more".to_owned());
    heads
}

fn cells(row: &SynthRow, profile: &SynthProfile) -> Vec<String> {
    let solver = row.cost.seconds_in_solver;
    let count = profile.question_count();
    // There are far fewer questions than a float can count.
    #[expect(clippy::cast_precision_loss)]
    let mean = (count > 0).then(|| 1_000.0 * solver / count as f64);
    let mut cells = vec![row.protocol.clone(), two_digits(row.seconds_to_verdict)];
    cells
        .extend(phase_names().map(|name| two_digits(profile.seconds_in_phases.get(name).copied())));
    cells.push(two_digits(Some(profile.seconds_in_candidates)));
    cells.push(two_digits(Some(solver)));
    cells.push(count.to_string());
    cells.push(two_digits(mean));
    cells.extend(profile.questions.iter().map(|class| class.count.to_string()));
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::text::synth::Cost;
    use std::time::Duration;

    #[test]
    fn quantiles_are_times_that_occurred() {
        let times: Vec<f64> = (1..=11).map(f64::from).collect();
        assert_eq!(quantile(&times, 50), Some(6.0));
        assert_eq!(quantile(&times, 90), Some(10.0));
        assert_eq!(quantile(&times[..1], 90), Some(1.0));
        assert_eq!(quantile(&[], 50), None);
    }

    #[test]
    fn a_profile_has_a_row_with_its_questions() {
        let effort = Effort {
            solver: Duration::from_millis(30),
            questions: [1, 2, 0, 0, 0],
            ..Effort::default()
        };
        let row = SynthRow {
            protocol: "lock".to_owned(),
            verdict: "safe".to_owned(),
            argument: None,
            seconds_to_verdict: Some(0.5),
            cost: Cost::new(Duration::from_secs(1), effort),
            profile: Some(SynthProfile::new(&effort)),
        };
        let text = text(&[row]);
        assert!(text.contains("median 0.50, 90th percentile 0.50"), "{text}");
        let line = text.lines().find(|line| line.starts_with("lock")).expect("a row");
        let cells: Vec<&str> = line.split_whitespace().collect();
        assert!(cells.ends_with(&["3", "10.00", "1", "2", "0", "0", "0"]), "{line}");
    }
}
