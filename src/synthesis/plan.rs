//! Plans: one choice on every axis of the search, and the case that it makes.

use crate::analysis::Facts;
use crate::certificate::{Case, Clause, Closing, ProductNames, Systems};
use crate::logic::Name;
use crate::protocol::{Protocol, StateFormula};
use crate::source::Span;

use super::answers::{Answers, Support};
use super::definitions::{self, RigidStyle};
use super::maps::SortMap;
use super::pool::{Pool, Stage};
use super::shape::Shape;

/// One choice on every axis of the search.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) maps: Vec<SortMap>,
    pub(super) acting: Vec<usize>,
    pub(super) support: Support,
    pub(super) rigid: RigidStyle,
    pub(super) stage: Stage,
}

/// What plans are made for.
pub(super) struct Target<'a> {
    pub(super) protocol: &'a Protocol,
    pub(super) facts: &'a Facts,
    pub(super) shape: &'a Shape,
    pub(super) mined: &'a [(Name, StateFormula)],
    pub(super) name: Name,
}

/// The case of a plan, with the whole pool for γ; `None` if something cannot be defined.
pub(super) fn case(target: &Target<'_>, plan: &Plan) -> Option<Case> {
    let protocol = target.protocol;
    let shape = target.shape;
    let names = ProductNames {
        systems: Systems::Both,
        signature: protocol.signature.clone(),
        cut: plan.maps.iter().map(SortMap::cut_sort).collect(),
        params: shape.params.iter().map(|param| (param.name.clone(), param.sort)).collect(),
        action: None,
    };
    let rigid = definitions::rigid(protocol, &names, &plan.maps, plan.rigid)?;
    let start = definitions::start(protocol, &names, &plan.maps, &rigid)?;
    let answers = Answers { protocol, facts: target.facts, names: &names, maps: &plan.maps };
    let lockstep = answers.lockstep(&plan.acting, &plan.support);
    let pool = Pool {
        protocol,
        structure: &target.facts.structure,
        names: &names,
        maps: &plan.maps,
        mined: target.mined,
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
