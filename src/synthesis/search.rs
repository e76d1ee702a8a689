//! The search: plan after plan until the cases of every property are proved.

use std::time::{Duration, Instant};

use crate::analysis::{Facts, analyse};
use crate::certificate::{Argument, Case, Certificate};
use crate::logic::Name;
use crate::protocol::{Protocol, StateFormula};
use crate::smt::{Budget, Cancellation};

use super::houdini::{Failure, strengthen};
use super::plan::{Plan, Target, case};
use super::plans::plans;
use super::shape::{Shape, closed_shapes, open_shape};

/// How long and with what a search may run.
pub struct SearchConfig {
    /// When to give up.
    pub deadline: Instant,
    /// Whoever holds a clone may call everything off.
    pub cancellation: Cancellation,
    /// Invariants of small instances, worth trying as clauses.
    pub mined: Vec<(Name, StateFormula)>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found {
    /// The certificate, if every property got its cases.
    pub certificate: Option<Certificate>,
    /// The cases of the properties that were proved.
    pub cases: Vec<Case>,
    /// What was tried, in order.
    pub attempts: Vec<Attempt>,
}

/// One plan and what became of it.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The property.
    pub property: Name,
    /// What was tried, in a few words.
    pub plan: String,
    /// Why it failed; `None` if it did not.
    pub failure: Option<String>,
}

/// What one question to the solver may cost during the search.
const QUESTION: Duration = Duration::from_secs(3);

/// The solver's effort for one attempt at a question.
const EFFORT: u32 = 4_000_000;

/// Looks for a cutoff certificate.
pub fn search(protocol: &Protocol, config: &SearchConfig) -> Found {
    let facts = analyse(protocol);
    let mut searcher = Searcher { protocol, facts: &facts, config, attempts: Vec::new() };
    let mut cases = Vec::new();
    let mut complete = true;
    for property in 0..protocol.properties.len() {
        match searcher.property(property) {
            Some(found) => cases.extend(found),
            None => complete = false,
        }
    }
    let attempts = searcher.attempts;
    let certificate = complete.then(|| Certificate {
        large: protocol.clone(),
        argument: Argument::Cutoff(cases.clone()),
    });
    Found { certificate, cases, attempts }
}

struct Searcher<'a> {
    protocol: &'a Protocol,
    facts: &'a Facts,
    config: &'a SearchConfig,
    attempts: Vec<Attempt>,
}

impl Searcher<'_> {
    /// One case that leaves open which violators coincide, or one for each way.
    fn property(&mut self, property: usize) -> Option<Vec<Case>> {
        let name = self.protocol.properties[property].name.clone();
        let open = open_shape(self.protocol, property);
        if let Some(case) = self.shape(&open, name.clone()) {
            return Some(vec![case]);
        }
        let shapes = closed_shapes(self.protocol, property);
        if shapes.len() < 2 {
            return None;
        }
        let mut cases = Vec::new();
        for (index, shape) in shapes.iter().enumerate() {
            cases.push(self.shape(shape, format!("{name}_{}", index + 1).into())?);
        }
        Some(cases)
    }

    fn shape(&mut self, shape: &Shape, name: Name) -> Option<Case> {
        for plan in plans(self.protocol, self.facts, shape) {
            if Instant::now() >= self.config.deadline {
                return None;
            }
            let target = Target {
                protocol: self.protocol,
                facts: self.facts,
                shape,
                mined: &self.config.mined,
                name: name.clone(),
            };
            let Some(candidate) = case(&target, &plan) else { continue };
            let outcome = strengthen(self.protocol, &candidate, &self.budget());
            let failure = outcome.as_ref().err().map(describe_failure);
            self.attempts.push(Attempt {
                property: self.protocol.properties[shape.property].name.clone(),
                plan: describe(self.protocol, &plan),
                failure,
            });
            match outcome {
                Ok(case) => return Some(case),
                Err(Failure::Cancelled) => return None,
                Err(_) => {}
            }
        }
        None
    }

    fn budget(&self) -> Budget {
        let left = self.config.deadline.saturating_duration_since(Instant::now());
        Budget {
            timeout: QUESTION.min(left),
            resources: Some(EFFORT),
            cancellation: self.config.cancellation.clone(),
        }
    }
}

fn describe(protocol: &Protocol, plan: &Plan) -> String {
    let maps = plan.maps.iter().map(|map| {
        let sort = protocol.signature.sort_name(map.sort);
        let way = if map.arcs.is_some() { "arcs" } else { "rest" };
        format!("{sort}={} ({way} to {}, {:?})", map.elements.len(), map.elements[map.rest], map.others)
    });
    let maps = maps.collect::<Vec<_>>().join(", ");
    format!("{maps}; {:?}; {:?}", plan.support, plan.stage)
}

fn describe_failure(failure: &Failure) -> String {
    match failure {
        Failure::NoInstance(title) => format!("C is no instance: {title}"),
        Failure::TooWeak { left } => format!("too weak: {}", left.join(" ")),
        Failure::Cancelled => "cancelled".to_owned(),
    }
}
