//! The same instances with every engine.

use serde::Serialize;

use super::BenchReport;
use crate::report::text::counts::line;
use crate::report::text::table::table;

/// What runs of TLC are called.
pub const TLC: &str = "tlc";

/// The engine that knows all states.
const SYMBOLIC: &str = "symbolic";

/// What is measured against all others.
const DEFAULT: &str = "default";

/// Everything that was measured.
#[derive(Serialize)]
pub struct EnginesBench {
    /// The most seconds of each run.
    pub seconds: u64,
    /// The instances, in the order of the document.
    pub rows: Vec<EngineRow>,
}

/// One instance.
#[derive(Serialize)]
pub struct EngineRow {
    /// The protocol.
    pub file: String,
    /// The size.
    pub size: String,
    /// How many states the document says there are.
    pub reachable: String,
    /// What the engines did; one that did not end at a smaller size is not asked again.
    pub runs: Vec<EngineRun>,
}

/// One engine at one instance.
#[derive(Serialize)]
pub struct EngineRun {
    /// The engine.
    pub engine: &'static str,
    /// The processor time of the whole process.
    pub seconds: f64,
    /// `None` where there was no answer in time.
    pub verdict: Option<String>,
    /// How many states it counted; with symmetry, those that differ by a renaming once.
    pub states: Option<String>,
}

/// Less than a tick of the clock of processes.
const A_TICK: f64 = 0.01;

impl EngineRow {
    fn run(&self, engine: &str) -> Option<&EngineRun> {
        self.runs.iter().find(|run| run.engine == engine)
    }

    /// The time of an engine that has answered.
    fn answered(&self, engine: &str) -> Option<f64> {
        let run = self.run(engine)?;
        run.verdict.is_some().then_some(run.seconds)
    }

    /// Whether the engines agree with each other and with the document.
    pub fn is_as_expected(&self) -> bool {
        let mut verdicts = self.runs.iter().filter_map(|run| run.verdict.as_ref());
        let first = verdicts.next();
        let counted = self.run(SYMBOLIC).filter(|run| run.verdict.is_some());
        let counted = counted.and_then(|run| run.states.as_ref());
        verdicts.all(|verdict| Some(verdict) == first)
            && counted.is_none_or(|states| *states == self.reachable)
    }

    /// How many times as long the default takes as the better of two engines.
    fn choice(&self) -> Option<f64> {
        let better = [self.answered(SYMBOLIC), self.answered("explicit")];
        let better = better.into_iter().flatten().min_by(f64::total_cmp)?;
        Some(self.answered(DEFAULT)?.max(A_TICK) / better.max(A_TICK))
    }

    /// How many times as long TLC takes as the default.
    fn against_tlc(&self) -> Option<f64> {
        Some(self.answered(TLC)? / self.answered(DEFAULT)?.max(A_TICK))
    }

    fn cells(&self, engines: &[&str], seconds: u64) -> Vec<String> {
        let time = |engine: &&str| match self.run(engine) {
            None => "-".to_owned(),
            Some(EngineRun { verdict: None, .. }) => format!("> {seconds}"),
            Some(run) => format!("{:.2}", run.seconds),
        };
        let times = |ratio: Option<f64>| ratio.map_or_else(String::new, |own| format!("{own:.1}"));
        let name = format!("{} {}", self.file, self.size);
        let own = [name, self.reachable.clone()].into_iter();
        let own = own.chain(engines.iter().map(time));
        let remark = if self.is_as_expected() { "" } else { "NOT as expected" };
        own.chain([times(self.choice()), times(self.against_tlc()), remark.to_owned()]).collect()
    }
}

impl BenchReport for EnginesBench {
    fn stage(&self) -> &str {
        "engines"
    }

    fn is_as_expected(&self) -> bool {
        self.rows.iter().all(EngineRow::is_as_expected)
    }

    fn text(&self) -> String {
        let mut engines = vec![DEFAULT, SYMBOLIC, "explicit", "sat"];
        let has_tlc = self.rows.iter().any(|row| row.run(TLC).is_some());
        engines.extend(has_tlc.then_some(TLC));
        let heads = ["instance", "states"].into_iter().chain(engines.iter().copied());
        let heads: Vec<&str> = heads.chain(["default/better", "tlc/default"]).collect();
        let rows: Vec<Vec<String>> =
            self.rows.iter().map(|row| row.cells(&engines, self.seconds)).collect();
        let mut out = "engines: seconds of processor time, one thread\n".to_owned();
        out.push_str(&table(&heads, &rows));
        out.push('\n');
        let mut figure = |title: &str, text: String| line!(out, 0, "{title:<26}{text}");
        let good = self.rows.iter().filter(|row| row.is_as_expected()).count();
        figure("as expected", format!("{good} of {}", self.rows.len()));
        let worst = self.rows.iter().filter_map(EngineRow::choice).max_by(f64::total_cmp);
        if let Some(worst) = worst {
            figure("default", format!("at most {worst:.1} times the better of two engines"));
        }
        let mut ratios: Vec<f64> = self.rows.iter().filter_map(EngineRow::against_tlc).collect();
        ratios.sort_by(f64::total_cmp);
        if let (Some(least), Some(median)) = (ratios.first(), ratios.get(ratios.len() / 2)) {
            let (count, text) = (ratios.len(), "times as long as the default");
            figure(
                "tlc",
                format!("{least:.1} {text} at least, {median:.1} in the median of {count}"),
            );
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(engine: &'static str, seconds: f64, verdict: Option<&str>, states: &str) -> EngineRun {
        let (verdict, states) = (verdict.map(str::to_owned), Some(states.to_owned()));
        EngineRun { engine, seconds, verdict, states }
    }

    fn row(runs: Vec<EngineRun>) -> EngineRow {
        let (file, size) = ("lock.rml".to_owned(), "node=9".to_owned());
        EngineRow { file, size, reachable: "100".to_owned(), runs }
    }

    #[test]
    fn disagreements_are_not_as_expected_and_what_did_not_end_has_no_ratio() {
        let safe = Some("safe");
        let own = row(vec![
            run(DEFAULT, 0.3, safe, "100"),
            run(SYMBOLIC, 0.2, safe, "100"),
            run("explicit", 9.0, None, "7"),
            run(TLC, 6.0, safe, "50"),
        ]);
        assert!(own.is_as_expected());
        let rounded = |ratio: Option<f64>| ratio.map(|own| (own * 10.0).round() / 10.0);
        assert_eq!(rounded(own.choice()), Some(1.5));
        assert_eq!(rounded(own.against_tlc()), Some(20.0));
        let text = EnginesBench { seconds: 8, rows: vec![own] }.text();
        assert!(text.contains("> 8") && text.contains("20.0 times as long"), "{text}");
        assert!(!row(vec![run(SYMBOLIC, 0.2, safe, "99")]).is_as_expected());
        let other = [run(DEFAULT, 0.1, safe, "9"), run(TLC, 0.1, Some("unsafe"), "9")];
        assert!(!row(other.into()).is_as_expected());
    }
}
