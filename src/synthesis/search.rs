//! The search: plan after plan until the cases of every property are proved.

use std::time::{Duration, Instant};

use crate::analysis::{Facts, analyse};
use crate::certificate::{Argument, Case, Certificate};
use crate::logic::Name;
use crate::protocol::{Protocol, SortId, StateFormula};
use crate::smt::{Budget, Cancellation};

use super::definitions::RigidStyle;
use super::houdini::{Failure, strengthen};
use super::maps::maps;
use super::plan::{Plan, Target, case};
use super::plans::{plans, primary_sorts};
use super::polish::polish;
use super::pool::Stage;
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
    ///
    /// A proof that leaves a sort of violators uncut is kept while a better one is looked for.
    fn property(&mut self, property: usize) -> Option<Vec<Case>> {
        let name = self.protocol.properties[property].name.clone();
        let open = open_shape(self.protocol, property);
        let closed = closed_shapes(self.protocol, property);
        let mut best: Option<(usize, Vec<Case>)> = None;
        for stage in self.stages() {
            let found = self.stage(&open, &closed, &name, stage);
            if let Some((uncut, cases)) = found
                && best.as_ref().is_none_or(|(fewest, _)| uncut < *fewest)
            {
                best = Some((uncut, cases));
            }
            if best.as_ref().is_some_and(|(uncut, _)| *uncut == 0) {
                break;
            }
        }
        best.map(|(_, cases)| cases)
    }

    /// What one stage finds: with the number of violators' sorts that stay uncut.
    fn stage(
        &mut self,
        open: &Shape,
        closed: &[Shape],
        name: &Name,
        stage: Stage,
    ) -> Option<(usize, Vec<Case>)> {
        let single = self.shape(open, name, stage);
        if single.as_ref().is_some_and(|(uncut, _)| *uncut == 0) || closed.len() < 2 {
            return single.map(|(uncut, case)| (uncut, vec![case]));
        }
        let numbered = closed.iter().enumerate();
        let cases: Option<Vec<(usize, Case)>> = numbered
            .map(|(index, shape)| self.shape(shape, &format!("{name}_{}", index + 1).into(), stage))
            .collect();
        let split = cases.map(|cases| {
            let uncut = cases.iter().map(|(uncut, _)| *uncut).max().unwrap_or(0);
            (uncut, cases.into_iter().map(|(_, case)| case).collect::<Vec<_>>())
        });
        match (single, split) {
            (Some((one, _)), Some((many, cases))) if many < one => Some((many, cases)),
            (Some((uncut, case)), _) => Some((uncut, vec![case])),
            (None, split) => split,
        }
    }

    fn stages(&self) -> Vec<Stage> {
        let mut stages = vec![Stage::Symbols, Stage::Guards];
        if !self.config.mined.is_empty() {
            stages.push(Stage::Invariants);
        }
        stages
    }

    /// The proof of a shape that leaves the fewest sorts of violators uncut.
    fn shape(&mut self, shape: &Shape, name: &Name, stage: Stage) -> Option<(usize, Case)> {
        let primary = primary_sorts(self.protocol, shape);
        let mut best: Option<(usize, Case)> = None;
        for sort in &primary {
            if best.as_ref().is_some_and(|(_, case)| case.cut.iter().any(|cut| cut.sort == *sort)) {
                continue;
            }
            let Some(case) = self.cut_first(shape, name, *sort, stage) else { continue };
            let is_cut = |sort: &&SortId| case.cut.iter().any(|cut| cut.sort == **sort);
            let uncut = primary.len() - primary.iter().filter(is_cut).count();
            if best.as_ref().is_none_or(|(fewest, _)| uncut < *fewest) {
                best = Some((uncut, case));
            }
            if uncut == 0 {
                break;
            }
        }
        let budget = self.budget();
        best.map(|(uncut, case)| (uncut, polish(self.protocol, case, &budget)))
    }

    /// The first plan that cuts a sort and works, with as many further cuts as work.
    fn cut_first(
        &mut self,
        shape: &Shape,
        name: &Name,
        sort: SortId,
        stage: Stage,
    ) -> Option<Case> {
        for plan in plans(self.protocol, self.facts, shape, sort, stage) {
            if let Some(proved) = self.attempt(shape, name, &plan) {
                return Some(self.cut_more(shape, name, plan, proved));
            }
        }
        None
    }

    /// Cuts further sorts, as long as there is still a proof.
    fn cut_more(&mut self, shape: &Shape, name: &Name, plan: Plan, proved: Case) -> Case {
        let mut best = (plan, proved);
        for sort in self.protocol.signature.sorts() {
            if best.0.maps.iter().any(|map| map.sort == sort) {
                continue;
            }
            for map in maps(self.protocol, &self.facts.structure, shape, sort) {
                let mut more = best.0.clone();
                more.maps.push(map);
                if let Some(proved) = self.attempt(shape, name, &more) {
                    best = (more, proved);
                    break;
                }
            }
        }
        best.1
    }

    fn attempt(&mut self, shape: &Shape, name: &Name, plan: &Plan) -> Option<Case> {
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
        let candidate = case(&target, plan)?;
        let mut outcome = strengthen(self.protocol, &candidate, &self.budget());
        if is_rigid(&outcome) {
            let image = Plan { rigid: RigidStyle::Image, ..plan.clone() };
            let candidate = case(&target, &image)?;
            outcome = strengthen(self.protocol, &candidate, &self.budget());
        }
        self.attempts.push(Attempt {
            property: self.protocol.properties[shape.property].name.clone(),
            plan: describe(self.protocol, plan),
            failure: outcome.as_ref().err().map(describe_failure),
        });
        outcome.ok()
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

/// Whether the rigid symbols of `C` break an axiom.
fn is_rigid(outcome: &Result<Case, Failure>) -> bool {
    matches!(outcome, Err(Failure::NoInstance(title)) if title.starts_with("rigid"))
}

fn describe(protocol: &Protocol, plan: &Plan) -> String {
    let maps = plan.maps.iter().map(|map| {
        let sort = protocol.signature.sort_name(map.sort);
        let way = if map.arcs.is_some() { "arcs" } else { "rest" };
        format!(
            "{sort}={} ({way} to {}, {:?})",
            map.elements.len(),
            map.elements[map.rest],
            map.others
        )
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
