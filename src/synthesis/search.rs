//! The search: plan after plan until the cases of every property are proved.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::analysis::{Facts, analyse};
use crate::certificate::{Argument, Case, Certificate, answer_weight};
use crate::logic::Name;
use crate::protocol::{Protocol, SortId, StateFormula};
use crate::smt::{Budget, Cancellation};

use super::definitions::RigidStyle;
use super::group::Means;
use super::houdini::{Failure, strengthen};
use super::invariant::clause_names;
use super::lemmas::{Lemma, lemma, with_properties};
use super::maps::maps;
use super::plan::{Plan, Target, case};
use super::plans::{plans, primary_sorts};
use super::polish::polish;
use super::pool::Stage;
use super::shape::{Shape, closed_shapes, open_shape};
use super::walks::{Walk, walks};

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
const QUESTION: Duration = Duration::from_secs(1);

/// How many plans are tried at once.
const AT_ONCE: usize = 2;

/// The solver's effort for one attempt at a question.
const EFFORT: u32 = 400_000;

/// Answers whose moves come to more symbols than this are not tried: formulas about them would fill
/// the memory.
const HEAVIEST_ANSWER: u64 = 1 << 18;

/// Looks for a cutoff certificate.
pub fn search(protocol: &Protocol, config: &SearchConfig) -> Found {
    let facts = analyse(protocol);
    let mut searcher = Searcher {
        protocol,
        facts: &facts,
        config,
        walks: walks(protocol),
        hopeless: BTreeSet::new(),
        attempts: Vec::new(),
        lemmas: Vec::new(),
    };
    let mut cases = Vec::new();
    let mut complete = true;
    for property in 0..protocol.properties.len() {
        match searcher.property(property) {
            Some(found) => cases.extend(found),
            None => complete = false,
        }
    }
    let budget = searcher.means().budget;
    let (large, cases) = assemble(protocol, cases, searcher.lemmas, &budget);
    let attempts = searcher.attempts;
    let certificate =
        complete.then(|| Certificate { large, argument: Argument::Cutoff(cases.clone()) });
    Found { certificate, cases, attempts }
}

/// The protocol with its lemmas before its properties, and the cases of all of them.
fn assemble(
    protocol: &Protocol,
    cases: Vec<Case>,
    lemmas: Vec<Lemma>,
    budget: &Budget,
) -> (Protocol, Vec<Case>) {
    let properties = protocol.properties.iter();
    let known: Vec<(Option<Name>, StateFormula)> = properties
        .map(|property| (Some(property.name.clone()), property.formula()))
        .chain(lemmas.iter().map(|lemma| (None, lemma.formula.clone())))
        .collect();
    let names =
        clause_names(&protocol.signature, known.iter().map(|(name, said)| (name.clone(), said)));
    let names = &names[protocol.properties.len()..];
    let first = names.iter().zip(&lemmas);
    let first: Vec<_> = first.filter_map(|(name, own)| lemma(name.clone(), &own.formula)).collect();
    let count = first.len();
    let large = with_properties(protocol, first);
    let lemma_cases = lemmas.into_iter().zip(names).enumerate().map(|(index, (own, name))| Case {
        property: index,
        name: name.clone(),
        ..own.case
    });
    let cases = cases.into_iter().map(|case| Case { property: case.property + count, ..case });
    let all = lemma_cases.chain(cases);
    let all = all.map(|case| polish(&large, Case { small: large.clone(), ..case }, budget));
    let all = all.collect();
    (large, all)
}

pub(super) struct Searcher<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) facts: &'a Facts,
    pub(super) config: &'a SearchConfig,
    /// What candidates are tried on.
    walks: Vec<Walk>,
    /// Parts of plans that fail whatever else is chosen.
    hopeless: BTreeSet<String>,
    pub(super) attempts: Vec<Attempt>,
    /// What the cases of the properties need.
    lemmas: Vec<Lemma>,
}

impl Searcher<'_> {
    /// One case that leaves open which violators coincide, or one for each way.
    ///
    /// A proof that leaves a sort of violators uncut is kept while a better one is looked for.
    fn property(&mut self, property: usize) -> Option<Vec<Case>> {
        let name = self.protocol.properties[property].name.clone();
        let open = open_shape(self.protocol, property);
        let closed = closed_shapes(self.protocol, property);
        let mut best = Best { uncut: usize::MAX, cases: Vec::new(), plan: None };
        self.single(&open, &name, Stage::Symbols, &mut best);
        self.split(&closed, &name, Stage::Symbols, &mut best);
        // With guesses the larger pool is searched from the violation backwards, which is cheaper
        // than to shrink it.
        if best.uncut > 0
            && let Some(case) = self.needing_lemmas(&open, &name, &best)
        {
            return Some(vec![case]);
        }
        for stage in self.larger_stages() {
            self.single(&open, &name, stage, &mut best);
            self.split(&closed, &name, stage, &mut best);
        }
        (best.uncut < usize::MAX).then_some(best.cases)
    }

    /// One case that leaves open which violators coincide, if that is better than what is known.
    fn single(&mut self, open: &Shape, name: &Name, stage: Stage, best: &mut Best) {
        if let Some((uncut, plan, case)) = self.shape(open, name, stage, best) {
            *best = Best { uncut, cases: vec![case], plan: Some(plan) };
        }
    }

    /// A case that cuts what was not cut without lemmas.
    fn needing_lemmas(&mut self, shape: &Shape, name: &Name, best: &Best) -> Option<Case> {
        let mut uncut = primary_sorts(self.protocol, shape);
        uncut.retain(|sort| !best.cuts(*sort));
        let (case, lemmas) = self.with_lemmas(shape, name, &uncut, best.plan.as_ref())?;
        for lemma in lemmas {
            if self.lemmas.iter().all(|known| known.formula != lemma.formula) {
                self.lemmas.push(lemma);
            }
        }
        Some(case)
    }

    /// One case for each way in which violators coincide, if that is better than what is known.
    fn split(&mut self, closed: &[Shape], name: &Name, stage: Stage, best: &mut Best) {
        if best.uncut == 0 || closed.len() < 2 {
            return;
        }
        let (mut cases, mut worst) = (Vec::new(), 0);
        for (index, shape) in closed.iter().enumerate() {
            let name: Name = format!("{name}_{}", index + 1).into();
            let Some((uncut, _, case)) = self.shape(shape, &name, stage, best) else {
                return;
            };
            worst = worst.max(uncut);
            cases.push(case);
        }
        best.uncut = worst;
        best.cases = cases;
    }

    fn larger_stages(&self) -> Vec<Stage> {
        let mut stages = vec![Stage::Guards];
        if !self.config.mined.is_empty() {
            stages.push(Stage::Invariants);
        }
        stages
    }

    /// The proof of a shape that leaves the fewest sorts of violators uncut, if these are fewer
    /// than in what is known.
    fn shape(
        &mut self,
        shape: &Shape,
        name: &Name,
        stage: Stage,
        known: &Best,
    ) -> Option<(usize, Plan, Case)> {
        let limit = known.uncut;
        if limit == 0 {
            return None;
        }
        let mut primary = primary_sorts(self.protocol, shape);
        // What was not cut so far decides.
        primary.sort_by_key(|sort| known.cuts(*sort));
        let mut best: Option<(usize, Plan, Case)> = None;
        let mut failed = 0;
        for sort in &primary {
            let is_cut = |plan: &Plan, sort: &SortId| plan.maps.iter().any(|map| map.sort == *sort);
            if best.as_ref().is_some_and(|(_, plan, _)| is_cut(plan, sort)) {
                continue;
            }
            let Some((plan, case)) = self.cut_first(shape, name, *sort, stage) else {
                // What cannot be cut alone is hardly cut together with others.
                failed += 1;
                if failed >= limit {
                    return None;
                }
                continue;
            };
            let uncut = primary.iter().filter(|sort| !is_cut(&plan, sort)).count();
            if best.as_ref().is_none_or(|(fewest, ..)| uncut < *fewest) {
                best = Some((uncut, plan, case));
            }
            if uncut == 0 {
                break;
            }
        }
        best.filter(|(uncut, ..)| *uncut < limit)
    }

    /// The first plan that cuts a sort and works, with as many further cuts as work.
    fn cut_first(
        &mut self,
        shape: &Shape,
        name: &Name,
        sort: SortId,
        stage: Stage,
    ) -> Option<(Plan, Case)> {
        let plans = plans(self.protocol, self.facts, shape, sort, stage);
        let first = self.first_that_works(shape, name, plans)?;
        Some(self.cut_more(shape, name, first))
    }

    /// Cuts further sorts, as long as there is still a proof.
    fn cut_more(&mut self, shape: &Shape, name: &Name, first: (Plan, Case)) -> (Plan, Case) {
        let mut best = first;
        for sort in self.protocol.signature.sorts() {
            if best.0.maps.iter().any(|map| map.sort == sort) {
                continue;
            }
            let maps = maps(self.protocol, &self.facts.structure, shape, sort).into_iter();
            let more = maps.map(|map| {
                let mut more = best.0.clone();
                more.maps.push(map);
                more
            });
            let more = more.collect();
            if let Some(found) = self.first_that_works(shape, name, more) {
                best = found;
            }
        }
        best
    }

    /// Tries plans, a few at a time: the first that works, in their order.
    fn first_that_works(
        &mut self,
        shape: &Shape,
        name: &Name,
        plans: Vec<Plan>,
    ) -> Option<(Plan, Case)> {
        let mut plans = plans.into_iter();
        loop {
            let hopeless = &self.hopeless;
            let open = plans.by_ref().filter(|plan| {
                let parts = [instance_part(shape, plan), pool_part(shape, plan)];
                !parts.iter().any(|part| hopeless.contains(part))
            });
            let some: Vec<Plan> = open.take(AT_ONCE).collect();
            if some.is_empty() || self.is_late() {
                return None;
            }
            let searcher: &Self = self;
            let outcomes: Vec<Option<Result<Case, Failure>>> =
                some.par_iter().map(|plan| searcher.attempt(shape, name, plan)).collect();
            for (plan, outcome) in some.into_iter().zip(outcomes) {
                let Some(outcome) = outcome else { continue };
                match &outcome {
                    Err(Failure::NoInstance(_)) => {
                        self.hopeless.insert(instance_part(shape, &plan));
                    }
                    Err(Failure::PoolTooWeak) => {
                        self.hopeless.insert(pool_part(shape, &plan));
                    }
                    Err(Failure::NotKept(_) | Failure::TooLarge | Failure::Cancelled) | Ok(_) => {}
                }
                self.record(shape.property, &plan, outcome.as_ref().err());
                if let Ok(case) = outcome {
                    return Some((plan, case));
                }
            }
        }
    }

    /// Tries a plan; `None` if it makes no case.
    fn attempt(&self, shape: &Shape, name: &Name, plan: &Plan) -> Option<Result<Case, Failure>> {
        let target = Target {
            protocol: self.protocol,
            facts: self.facts,
            shape,
            mined: &self.config.mined,
            name: name.clone(),
        };
        let outcome = self.strengthen(&case(&target, plan)?);
        if !is_rigid(&outcome) {
            return Some(outcome);
        }
        let image = Plan { rigid: RigidStyle::Image, ..plan.clone() };
        Some(self.strengthen(&case(&target, &image)?))
    }

    fn strengthen(&self, candidate: &Case) -> Result<Case, Failure> {
        let mut answers = candidate.lockstep.iter().flatten();
        if answers.any(|answer| answer_weight(candidate, &answer.moves) > HEAVIEST_ANSWER) {
            return Err(Failure::TooLarge);
        }
        strengthen(self.protocol, candidate, &self.means())
    }

    pub(super) fn means(&self) -> Means<'_> {
        let left = self.config.deadline.saturating_duration_since(Instant::now());
        let budget = Budget {
            timeout: QUESTION.min(left),
            resources: Some(EFFORT),
            cancellation: self.config.cancellation.clone(),
        };
        Means { walks: &self.walks, budget, deadline: self.config.deadline }
    }

    /// Whether it is time to give up.
    pub(super) fn is_late(&self) -> bool {
        Instant::now() >= self.config.deadline || self.config.cancellation.is_cancelled()
    }
}

/// What was found so far for a property.
struct Best {
    /// How many sorts of violators stay uncut.
    uncut: usize,
    cases: Vec<Case>,
    /// The plan that leaves open who coincides.
    plan: Option<Plan>,
}

impl Best {
    fn cuts(&self, sort: SortId) -> bool {
        self.plan.iter().flat_map(|plan| &plan.maps).any(|map| map.sort == sort)
    }
}

/// The part of a plan that decides whether `C` is an instance.
fn instance_part(shape: &Shape, plan: &Plan) -> String {
    format!("{shape:?} {:?}", plan.maps)
}

/// The part of a plan that decides whether the whole pool carries the violation over.
fn pool_part(shape: &Shape, plan: &Plan) -> String {
    format!("{shape:?} {:?} {:?}", plan.maps, plan.stage)
}

/// Whether the rigid symbols of `C` break an axiom.
fn is_rigid(outcome: &Result<Case, Failure>) -> bool {
    matches!(outcome, Err(Failure::NoInstance(title)) if title.starts_with("rigid"))
}

pub(super) fn describe(protocol: &Protocol, plan: &Plan) -> String {
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

pub(super) fn describe_failure(failure: &Failure) -> String {
    match failure {
        Failure::NoInstance(title) => format!("C is no instance: {title}"),
        Failure::TooLarge => "the moves of C come to too much".to_owned(),
        Failure::PoolTooWeak => "the pool does not carry the violation over".to_owned(),
        Failure::NotKept(lost) => format!("not kept: {}", lost.join(" ")),
        Failure::Cancelled => "cancelled".to_owned(),
    }
}
