//! A counter-model as an explanation: the states, the step, and what fails.

use std::collections::BTreeSet;

use crate::certificate::{
    Case, Certificate, Obligation, ObligationKind, ProductNames, ProductSort, ProductSymbol,
    ProductVar, Systems, TwoSystems, large_sort,
};
use crate::logic::{Extent, Value};
use crate::protocol::{Invocation, Protocol, Sort, SymbolId};
use crate::smt::CounterModel;

use super::completed_model::{Scene, SceneMoment};
use super::element_names::ElementNames;
use super::failing_atoms::changes;
use super::step_execution::{PlayedMove, play_action, play_moves};
use super::{ExplainedMove, ExplainedStep, Explanation, NamedElement, suggestions};

/// Everything that an explanation of a counter-model is made from.
pub(super) struct Story<'a> {
    pub(super) certificate: &'a Certificate,
    pub(super) case: Option<&'a Case>,
    pub(super) obligation: &'a Obligation,
    pub(super) model: &'a CounterModel<TwoSystems>,
    pub(super) before: Scene<'a>,
    pub(super) elements: ElementNames<'a>,
    /// The symbols that the counter-model knows.
    pub(super) mentioned: BTreeSet<ProductSymbol>,
}

/// What is known after the step.
pub(super) struct StoryEnding<'a> {
    pub(super) after: Scene<'a>,
    pub(super) step: Option<ExplainedStep>,
    pub(super) moves: Vec<PlayedMove>,
}

impl<'a> Story<'a> {
    pub(super) fn new(
        certificate: &'a Certificate,
        case: Option<&'a Case>,
        obligation: &'a Obligation,
        model: &'a CounterModel<TwoSystems>,
    ) -> Self {
        let names: &'a ProductNames = &obligation.names;
        let mut before = Scene::new(names, &model.structure, &model.assignment);
        let moment = match &obligation.kind {
            ObligationKind::StartInit { .. } | ObligationKind::StartGamma { .. } => {
                SceneMoment::Start
            }
            _ => SceneMoment::Later,
        };
        if let (Some(case), Systems::Both) = (case, names.systems) {
            before.define_cutoff(case, moment);
        }
        let elements = ElementNames::new(names, &before.structure);
        let mentioned = model.structure.tables.keys().copied().collect();
        Story { certificate, case, obligation, model, before, elements, mentioned }
    }

    pub(super) fn explanation(&self) -> Explanation {
        let ending = self.ending();
        let failing = self.failing(&ending);
        let suggestions = suggestions::suggestions(self, &ending);
        let (large, cutoff) = self.states();
        Explanation {
            sizes: self.sizes(),
            elements: self.given(),
            large,
            cutoff,
            step: ending.step,
            failing,
            suggestions,
            standing: self.model.standing.clone(),
        }
    }

    pub(super) fn names(&self) -> &'a ProductNames {
        &self.obligation.names
    }

    /// The protocol that the one system runs.
    pub(super) fn alone(&self) -> &'a Protocol {
        self.case.map_or(&self.certificate.large, |case| &case.small)
    }

    fn sizes(&self) -> Vec<(String, usize)> {
        let signature = &self.names().signature;
        let sorts = signature.sized_sorts().filter_map(|sort| {
            let extent = match self.names().systems {
                Systems::Both => self.model.structure.extent(ProductSort::Large(sort)),
                Systems::One => {
                    self.model.structure.extent(self.names().cutoff_sort(Sort::Declared(sort)))
                }
            };
            match extent? {
                Extent::Elements(size) => {
                    Some((signature.sort_name(sort).to_string(), size as usize))
                }
                Extent::Window { .. } => None,
            }
        });
        sorts.collect()
    }

    /// Parameters that share an element.
    fn given(&self) -> Vec<NamedElement> {
        let mut given = Vec::new();
        for (index, (name, sort)) in (0..).zip(&self.names().params) {
            let table = self.before.structure.tables.get(&ProductSymbol::Param(index));
            let Some(value) = table.and_then(|table| table.get(&[])) else { continue };
            let value = self.elements.name(large_sort(*sort), value);
            if value != **name {
                given.push(NamedElement { name: name.to_string(), value });
            }
        }
        given
    }

    /// Plays the step, if there is one.
    pub(super) fn ending(&self) -> StoryEnding<'a> {
        let played = match (&self.obligation.kind, self.case) {
            (
                ObligationKind::Enabled { action, alternative, .. }
                | ObligationKind::Keeps { action, alternative, .. },
                Some(case),
            ) => self.play_both(case, action, *alternative),
            (ObligationKind::Consecution { action, .. }, _) => self.play_alone(action),
            _ => None,
        };
        played.unwrap_or_else(|| StoryEnding {
            after: self.before.after(None, None),
            step: None,
            moves: Vec::new(),
        })
    }

    fn play_both(&self, case: &Case, name: &str, alternative: usize) -> Option<StoryEnding<'a>> {
        let large = &self.certificate.large;
        let (action, declared) = large.action(name)?;
        let scene = self.with_params(
            declared
                .params
                .iter()
                .map(|param| ProductVar::new(param.name.clone(), large_sort(param.sort))),
        );
        let param = |index: usize| {
            let param = &declared.params[index];
            ProductVar::new(param.name.clone(), large_sort(param.sort))
        };
        let choice = ProductSymbol::LargeChoice;
        let (invocation, large_after) =
            play_action(&scene, large, action, &scene.large(), &choice, &param)?;
        let mut answering = scene.after(None, None);
        for (id, table) in &large_after.tables {
            answering.structure.tables.insert(ProductSymbol::LargePost(*id), table.clone());
        }
        let moves = &case.lockstep[action].get(alternative - 1)?.moves;
        let (moves, cutoff_after) = play_moves(&answering, case, moves)?;
        let after = scene.after(Some(&large_after), Some(&cutoff_after));
        let symbols = |wrap: fn(SymbolId) -> ProductSymbol| {
            self.names().signature.mutable().map(move |(id, _)| wrap(id)).collect::<Vec<_>>()
        };
        let differ = |symbols: Vec<ProductSymbol>| {
            changes(&scene, &after, &self.elements, symbols.into_iter())
        };
        let step = ExplainedStep {
            action: self.invoked(large, &invocation, &large_sort),
            changes: differ(symbols(ProductSymbol::Large)),
            moves: moves
                .iter()
                .map(|next| {
                    let sort = |sort| self.names().cutoff_sort(sort);
                    let action = self.invoked(&case.small, &next.invocation, &sort);
                    ExplainedMove { action, outcome: next.outcome }
                })
                .collect(),
            cutoff_changes: differ(symbols(ProductSymbol::Cutoff)),
        };
        Some(StoryEnding { after, step: Some(step), moves })
    }

    fn play_alone(&self, name: &str) -> Option<StoryEnding<'a>> {
        let protocol = self.alone();
        let (action, declared) = protocol.action(name)?;
        let sort = |sort| self.names().cutoff_sort(sort);
        let param = |index: usize| {
            let param = &declared.params[index];
            ProductVar::new(param.name.clone(), sort(param.sort))
        };
        let scene = self.with_params((0..declared.params.len()).map(param));
        let choice = ProductSymbol::CutoffChoice;
        let (invocation, state) =
            play_action(&scene, protocol, action, &scene.cutoff(), &choice, &param)?;
        let after = scene.after(None, Some(&state));
        let symbols = self.names().signature.mutable().map(|(id, _)| ProductSymbol::Cutoff(id));
        let step = ExplainedStep {
            action: self.invoked(protocol, &invocation, &sort),
            changes: changes(&scene, &after, &self.elements, symbols),
            moves: Vec::new(),
            cutoff_changes: Vec::new(),
        };
        Some(StoryEnding { after, step: Some(step), moves: Vec::new() })
    }

    /// The first scene, with some value for every parameter that no formula mentions.
    fn with_params(&self, params: impl Iterator<Item = ProductVar>) -> Scene<'a> {
        let mut scene = self.before.after(None, None);
        for param in params {
            let any = match param.sort {
                ProductSort::Int => Value::Int(0),
                ProductSort::Large(_) | ProductSort::Cutoff(_) => Value::Element(0),
            };
            scene.assignment.entry(param).or_insert(any);
        }
        scene
    }

    /// `reshard(n_old = a, n_new = node2)`
    fn invoked(
        &self,
        protocol: &Protocol,
        invocation: &Invocation,
        sort: &dyn Fn(Sort) -> ProductSort,
    ) -> String {
        let action = &protocol.actions[invocation.action];
        let args = action.params.iter().zip(&invocation.args);
        let args: Vec<String> = args
            .map(|(param, value)| {
                format!("{} = {}", param.name, self.elements.name(sort(param.sort), *value))
            })
            .collect();
        if args.is_empty() {
            action.name.to_string()
        } else {
            format!("{}({})", action.name, args.join(", "))
        }
    }
}
