//! Why an obligation fails, for people: a small counter-model played through by the concrete
//! semantics, with names from the certificate and only the facts that matter.
//!
//! Nothing here is trusted: the verdict does not depend on it.

mod blocking_guard;
mod completed_model;
mod element_names;
mod explanation;
mod failing_atoms;
mod failing_part;
mod implied_facts;
mod missing_witness;
mod relevance;
mod scenes;
mod sort_graph;
mod step_execution;
mod suggestions;
mod system_formulas;

pub use missing_witness::Witnesses;
pub use scenes::{Scene, Scenes, scenes};
pub use sort_graph::{CyclicObligation, Fragment, SortEdge, cycle, fragment};

use std::fmt;

use serde::{Serialize, Serializer};

use crate::certificate::{Case, Certificate, Obligation, ProofArgument, TwoSystems};
use crate::judge::query;
use crate::smt::{CounterModel, Standing, sparse};

/// A counter-model in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Explanation {
    /// How many elements the sorts have.
    #[serde(serialize_with = "as_object")]
    pub sizes: Vec<(String, usize)>,
    /// What the case's parameters, or the violators, stand for.
    pub elements: Vec<NamedElement>,
    /// What holds in `L`, or in the one system there is.
    pub large: Vec<String>,
    /// What holds in `C`; `None` where only one system is spoken of.
    pub cutoff: Option<Vec<String>>,
    /// What happens.
    pub step: Option<ExplainedStep>,
    /// What fails.
    #[serde(rename = "fails")]
    pub failing: Failing,
    /// What could be done about it.
    pub suggestions: Vec<String>,
    /// How far the counter-model can be trusted.
    #[serde(rename = "evaluated", serialize_with = "is_evaluated")]
    pub standing: Standing,
}

/// A step in words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedStep {
    /// The action of `L` with its arguments.
    pub action: String,
    /// What it changes.
    pub changes: Vec<String>,
    /// How `C` answers.
    pub moves: Vec<ExplainedMove>,
    /// What that changes.
    pub cutoff_changes: Vec<String>,
}

/// A variable or parameter and the element that it stands for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NamedElement {
    /// The name.
    pub name: String,
    /// The element.
    pub value: String,
}

impl fmt::Display for NamedElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.name, self.value)
    }
}

/// A move of `C`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ExplainedMove {
    /// The action with its arguments.
    pub action: String,
    /// Its outcome.
    pub outcome: MoveOutcome,
}

/// The outcome of a move of `C`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveOutcome {
    /// It happens.
    Done,
    /// It was only tried, and is not possible.
    Skipped,
    /// It is not possible.
    Impossible,
}

/// A formula that does not hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failing {
    /// What it is.
    pub what: String,
    /// What it says.
    pub formula: String,
    /// The elements for which it fails.
    pub at: Vec<NamedElement>,
    /// Its atoms there.
    pub facts: Vec<Fact>,
    /// For every `exists` behind the failure, that no element qualifies and which comes nearest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
}

/// An atom and its truth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fact {
    /// The atom.
    #[serde(rename = "atom")]
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
}

fn as_object<S: Serializer>(sizes: &[(String, usize)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(sizes.iter().map(|(sort, size)| (sort, size)))
}

fn is_evaluated<S: Serializer>(standing: &Standing, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bool(*standing == Standing::Evaluated)
}

/// Explains a counter-model of an obligation of a certificate.
pub fn explain(
    certificate: &Certificate,
    obligation: &Obligation,
    model: &CounterModel<TwoSystems>,
) -> Explanation {
    let model = sparse(&query(obligation), model);
    let case = case_of(certificate, obligation);
    explanation::Story::new(certificate, case, obligation, &model).explanation()
}

fn case_of<'a>(certificate: &'a Certificate, obligation: &Obligation) -> Option<&'a Case> {
    match &certificate.argument {
        ProofArgument::Cutoff(cases) => {
            cases.iter().find(|case| Some(&case.name) == obligation.case.as_ref())
        }
        ProofArgument::Invariant(_) => None,
    }
}
