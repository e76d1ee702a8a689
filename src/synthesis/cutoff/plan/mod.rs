//! Plans: one choice on every axis of the search, and the case that it makes.

pub(crate) mod before_step;
pub(crate) mod definitions;
pub(crate) mod lockstep;
pub(crate) mod maps;
pub(crate) mod order;
pub(crate) mod pool;
pub(crate) mod violator_shapes;

use crate::analysis::Facts;
use crate::certificate::{Case, Clause, Closing, CutSort, Param, ProductNames, Systems};
use crate::logic::Name;
use crate::protocol::{Protocol, SortId, StateFormula};
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

    /// Whether the plan cuts a sort.
    pub(crate) fn cuts(&self, sort: SortId) -> bool {
        self.maps.iter().any(|map| map.sort == sort)
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
    let PlanTarget { protocol, facts, shape, candidates, ref name } = *target;
    let maps = &plan.maps;
    let (names, case) = case_of_maps(protocol, shape, name.clone(), maps, plan.rigid)?;
    let names = &names;
    let answers = LockstepCandidates { protocol, facts, names, maps };
    let lockstep = answers.lockstep(&plan.acting, &plan.support);
    let pool = Pool { protocol, structure: &facts.structure, names, maps, candidates };
    Some(Case { gamma: pool.clauses(plan.stage), lockstep, ..case })
}

/// The names and the case of a shape and some maps, without clauses and answers; `None` if a symbol
/// of `C` cannot be defined.
pub(crate) fn case_of_maps(
    protocol: &Protocol,
    shape: &ViolatorShape,
    name: Name,
    maps: &[SortMap],
    style: RigidStyle,
) -> Option<(ProductNames, Case)> {
    let cut: Vec<CutSort> = maps.iter().map(SortMap::cut_sort).collect();
    let names = product_names(protocol, &shape.params, cut.clone());
    let rigid = definitions::rigid(protocol, &names, maps, style)?;
    let start = definitions::start(protocol, &names, maps, &rigid)?;
    let (formula, span) = (shape.select.clone(), Span::default());
    let case = Case {
        name,
        property: shape.property,
        params: shape.params.clone(),
        violators: shape.violators.clone(),
        select: Clause { name: "select".into(), formula, span },
        cut,
        rigid,
        start,
        only: Vec::new(),
        gamma: Vec::new(),
        lockstep: Vec::new(),
        small: protocol.clone(),
        relaxed: false,
        closing: Closing::Search,
        span,
    };
    Some((names, case))
}

/// The names of both systems of a case.
pub(crate) fn product_names(
    protocol: &Protocol,
    params: &[Param],
    cut: Vec<CutSort>,
) -> ProductNames {
    ProductNames {
        systems: Systems::Both,
        signature: protocol.signature.clone(),
        cut,
        params: params.iter().map(|param| (param.name.clone(), param.sort)).collect(),
        action: None,
    }
}
