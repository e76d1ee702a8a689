//! Plans: one choice on every axis of the search, and the case that it makes.

pub(crate) mod before_step;
pub(crate) mod combinations;
pub(crate) mod definitions;
pub(crate) mod lockstep;
pub(crate) mod maps;
pub(crate) mod order;
pub(crate) mod pool;
pub(crate) mod violator_shapes;

use crate::analysis::Facts;
use crate::certificate::{Case, Clause, Closing, ProductNames, Systems};
use crate::logic::Name;
use crate::protocol::{Protocol, StateFormula};
use crate::source::Span;

use definitions::RigidStyle;
use lockstep::{LockstepCandidates, Support};
use maps::SortMap;
use pool::{Pool, PoolStage};
use violator_shapes::ViolatorShape;

/// One choice on every axis of the search.
#[derive(Clone, Debug)]
pub(crate) struct CutoffPlan {
    pub(crate) maps: Vec<SortMap>,
    pub(crate) acting: Vec<usize>,
    pub(crate) support: Support,
    pub(crate) rigid: RigidStyle,
    pub(crate) stage: PoolStage,
}

impl CutoffPlan {
    /// The same plan with one more sort cut.
    pub(crate) fn with_map(&self, map: SortMap) -> Self {
        let mut more = self.clone();
        more.maps.push(map);
        more
    }
}

/// What plans are made for.
pub(crate) struct PlanTarget<'a> {
    pub(crate) protocol: &'a Protocol,
    pub(crate) facts: &'a Facts,
    pub(crate) shape: &'a ViolatorShape,
    /// Clauses that may be invariants of either system.
    pub(crate) candidates: &'a [StateFormula],
    pub(crate) name: Name,
}

/// The case of a plan, with the whole pool for γ; `None` if something cannot be defined.
pub(crate) fn case(target: &PlanTarget<'_>, plan: &CutoffPlan) -> Option<Case> {
    let protocol = target.protocol;
    let shape = target.shape;
    let names = ProductNames {
        cut: plan.maps.iter().map(SortMap::cut_sort).collect(),
        params: shape.params.iter().map(|param| (param.name.clone(), param.sort)).collect(),
        ..ProductNames::new(Systems::Both, &protocol.signature)
    };
    let rigid = definitions::rigid(protocol, &names, &plan.maps, plan.rigid)?;
    let start = definitions::start(protocol, &names, &plan.maps, &rigid)?;
    let answers =
        LockstepCandidates { protocol, facts: target.facts, names: &names, maps: &plan.maps };
    let lockstep = answers.lockstep(&plan.acting, &plan.support);
    let pool = Pool {
        protocol,
        structure: &target.facts.structure,
        names: &names,
        maps: &plan.maps,
        candidates: target.candidates,
    };
    let gamma = pool.clauses(plan.stage);
    Some(Case {
        name: target.name.clone(),
        property: shape.property,
        params: shape.params.clone(),
        violators: shape.violators.clone(),
        select: Clause {
            name: "select".into(),
            formula: shape.select.clone(),
            span: Span::default(),
        },
        cut: names.cut.clone(),
        rigid,
        start,
        only: Vec::new(),
        gamma,
        lockstep,
        small: protocol.clone(),
        relaxed: false,
        closing: Closing::Search,
        span: Span::default(),
    })
}
