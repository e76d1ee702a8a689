//! One check by one solver: its settings, its limits, its answer in our words.

use std::time::{Duration, Instant};

use z3::ast::Bool;
use z3::{Params, SatResult, Solver, StatisticsValue};

use crate::budget::{Budget, Meter};
use crate::effort;
use crate::effort::EffortPart;
use crate::smt::UnknownReason;

/// A way to run Z3.
#[derive(Clone, Copy, Debug)]
pub(super) struct Z3Strategy {
    /// The seed of its random choices.
    pub(super) seed: u32,
    /// How it treats quantifiers.
    pub(super) quantifiers: QuantifierMode,
    /// The most instances of quantifiers in one search, and between two searches.
    pub(super) most_instances: u32,
}

/// How quantifiers are instantiated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuantifierMode {
    /// By matching patterns and by looking for models.
    PatternsAndModels,
    /// By looking for models alone: complete for more formulas, slower.
    ModelsOnly,
}

/// What is tried first, incrementally. When a level is opened, Z3 matches the patterns of all that
/// was stated, and neither a limit of time nor an interrupt stops it there: the number of instances
/// has to.
pub(super) const FIRST: Z3Strategy =
    Z3Strategy { seed: 0, quantifiers: QuantifierMode::PatternsAndModels, most_instances: 20_000 };

/// What is tried, each from scratch, when the first attempt does not know.
pub(super) const RETRIES: &[Z3Strategy] = &[
    Z3Strategy {
        seed: 1,
        quantifiers: QuantifierMode::PatternsAndModels,
        most_instances: u32::MAX,
    },
    Z3Strategy { seed: 2, quantifiers: QuantifierMode::ModelsOnly, most_instances: u32::MAX },
];

/// The outcome of a check; the solver holds the model or the core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Z3Outcome {
    Satisfiable,
    Unsatisfiable,
    Unknown(UnknownReason),
}

/// Limits of a check: less than a budget, which covers all checks of a question.
#[derive(Clone, Copy, Debug)]
pub(super) struct Z3Limits {
    pub(super) time: Duration,
    pub(super) resources: Option<u32>,
}

/// What is left of the budget of one question.
pub(super) struct AttemptClock {
    question: Budget,
}

impl AttemptClock {
    pub(super) fn start(budget: &Budget) -> Self {
        AttemptClock { question: budget.one_question() }
    }

    /// One part in `parts` of the time that is left.
    pub(super) fn share(&self, parts: u32) -> Z3Limits {
        let time = self.question.stop.remaining() / parts;
        Z3Limits { time, resources: self.question.resources }
    }

    /// Why nothing more can be tried, if so.
    pub(super) fn is_over(&self) -> Option<UnknownReason> {
        self.question.stop.why().map(UnknownReason::from)
    }
}

/// Makes the solver follow a strategy.
pub(super) fn configure(solver: &Solver, strategy: Z3Strategy) {
    let mut params = Params::new();
    // Otherwise Z3 handles SIGINT itself during every check, and the program never hears of it.
    params.set_bool("ctrl_c", false);
    params.set_u32("random_seed", strategy.seed);
    params.set_bool("mbqi", true);
    params.set_bool("ematching", strategy.quantifiers == QuantifierMode::PatternsAndModels);
    params.set_u32("qi.max_instances", strategy.most_instances);
    solver.set_params(&params);
}

/// Checks the assertions under assumptions, within limits, and counts the effort.
pub(super) fn check(
    solver: &Solver,
    assumptions: &[Bool],
    limits: Z3Limits,
    meter: Option<&Meter>,
) -> Z3Outcome {
    let Some(meter) = meter else { return call_unmetered(solver, assumptions, limits) };
    let before = effort_so_far(solver);
    let outcome = call_unmetered(solver, assumptions, limits);
    meter.add(u64::from(effort_so_far(solver).wrapping_sub(before)));
    outcome
}

/// What all solvers of a context have spent so far.
fn effort_so_far(solver: &Solver) -> u32 {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(count)) => count,
        Some(StatisticsValue::Double(_)) | None => 0,
    }
}

fn call_unmetered(solver: &Solver, assumptions: &[Bool], limits: Z3Limits) -> Z3Outcome {
    let milliseconds = u32::try_from(limits.time.as_millis()).unwrap_or(u32::MAX);
    if milliseconds == 0 {
        return Z3Outcome::Unknown(UnknownReason::Timeout);
    }
    let mut params = Params::new();
    params.set_u32("timeout", milliseconds);
    // Zero is no limit.
    params.set_u32("rlimit", limits.resources.unwrap_or(0));
    solver.set_params(&params);
    let start = Instant::now();
    match effort::measured(EffortPart::Solver, || solver.check_assumptions(assumptions)) {
        SatResult::Sat => Z3Outcome::Satisfiable,
        SatResult::Unsat => Z3Outcome::Unsatisfiable,
        SatResult::Unknown => Z3Outcome::Unknown(reason(solver, limits, start.elapsed())),
    }
}

/// Z3 says `canceled` for every limit; which one it was shows in the time it took.
fn reason(solver: &Solver, limits: Z3Limits, elapsed: Duration) -> UnknownReason {
    let words = solver.get_reason_unknown().unwrap_or_default();
    match words.as_str() {
        "timeout" => UnknownReason::Timeout,
        "canceled" | "max. resource limit exceeded" => {
            if limits.resources.is_some() && elapsed < limits.time {
                UnknownReason::Resources
            } else {
                UnknownReason::Timeout
            }
        }
        other if other.starts_with("interrupted") => UnknownReason::Cancelled,
        _ => UnknownReason::Incomplete(words),
    }
}
