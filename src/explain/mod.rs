//! Why an obligation fails, for people: a small counter-model played through by the concrete
//! semantics, with names from the certificate and only the facts that matter.
//!
//! Nothing here is trusted: the verdict does not depend on it.

mod elements;
mod facts;
mod failing;
mod forced;
mod guard;
mod play;
mod reading;
mod relevance;
mod scene;
mod story;
mod suggest;

use crate::certificate::{Case, Certificate, Obligation, ProofArgument, TwoSystems};
use crate::judge::query;
use crate::smt::{CounterModel, Standing, sparse};

/// A counter-model in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// How many elements the sorts have.
    pub sizes: Vec<(String, usize)>,
    /// What the case's parameters, or the violators, stand for.
    pub elements: Vec<(String, String)>,
    /// What holds in `L`, or in the one system there is.
    pub large: Vec<String>,
    /// What holds in `C`; `None` where only one system is spoken of.
    pub cutoff: Option<Vec<String>>,
    /// What happens.
    pub step: Option<ExplainedStep>,
    /// What fails.
    pub failing: Failing,
    /// What could be done about it.
    pub suggestions: Vec<String>,
    /// How far the counter-model can be trusted.
    pub standing: Standing,
}

/// A step in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExplainedStep {
    /// The action of `L` with its arguments.
    pub action: String,
    /// What it changes.
    pub changes: Vec<String>,
    /// How `C` answers.
    pub moves: Vec<(String, MoveOutcome)>,
    /// What that changes.
    pub cutoff_changes: Vec<String>,
}

/// The outcome of a move of `C`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveOutcome {
    /// It happens.
    Done,
    /// It was only tried, and is not possible.
    Skipped,
    /// It is not possible.
    Impossible,
}

/// A formula that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failing {
    /// What it is.
    pub what: String,
    /// What it says.
    pub formula: String,
    /// The elements for which it fails.
    pub at: Vec<(String, String)>,
    /// Its atoms there.
    pub facts: Vec<Fact>,
}

/// An atom and its truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fact {
    /// The atom.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
}

/// Explains a counter-model of an obligation of a certificate.
pub fn explain(
    certificate: &Certificate,
    obligation: &Obligation,
    model: &CounterModel<TwoSystems>,
) -> Explanation {
    let model = sparse(&query(obligation), model);
    let case = case_of(certificate, obligation);
    story::Story::new(certificate, case, obligation, &model).explanation()
}

fn case_of<'a>(certificate: &'a Certificate, obligation: &Obligation) -> Option<&'a Case> {
    match &certificate.argument {
        ProofArgument::Cutoff(cases) => cases.iter().find(|case| case.name == obligation.case),
        ProofArgument::Invariant(_) => None,
    }
}
