//! How the time of a stage grows with its input.

use serde::Serialize;

use super::BenchReport;
use crate::report::text::counts::line;

/// A stage that was measured on generated inputs of two sizes.
#[derive(Serialize)]
pub struct GrowthBench {
    #[serde(skip)]
    stage: &'static str,
    #[serde(skip)]
    summary: &'static str,
    unit: &'static str,
    measurements: [Measurement; 2],
    ratio: Option<f64>,
}

/// How long something took for an input of some size.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Measurement {
    /// The size of the input.
    pub size: usize,
    /// The time; `None` if it failed.
    pub seconds: Option<f64>,
}

impl GrowthBench {
    /// What was measured, the smaller input first; `unit` is what the input consists of, in the
    /// plural.
    pub fn new(
        stage: &'static str,
        summary: &'static str,
        unit: &'static str,
        measurements: [Measurement; 2],
    ) -> Self {
        let [smaller, larger] = measurements;
        let ratio = larger.seconds.zip(smaller.seconds).map(|(larger, smaller)| larger / smaller);
        GrowthBench { stage, summary, unit, measurements, ratio }
    }
}

impl BenchReport for GrowthBench {
    fn stage(&self) -> &str {
        self.stage
    }

    fn text(&self) -> String {
        let mut out = format!("{}: {}\n", self.stage, self.summary);
        for Measurement { size, seconds } in self.measurements {
            let time = seconds.map_or("failed".to_owned(), |seconds| format!("{seconds:.3} s"));
            line!(out, 0, "{size:>8} {}  {time}", self.unit);
        }
        if let Some(ratio) = self.ratio {
            line!(out, 0, "   ratio  {ratio:.1}");
        }
        out
    }
}
