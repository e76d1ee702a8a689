//! The states of a counter-model before and after its step, to be drawn.

use std::collections::{BTreeMap, BTreeSet};

use super::explanation::Story;
use super::{case_of, element_names::ElementNames};
use crate::certificate::{Certificate, Obligation, ProductSymbol, Systems, TwoSystems, large_sort};
use crate::judge::query;
use crate::logic::Value;
use crate::protocol::{Sort, State, SymbolId};
use crate::smt::{CounterModel, sparse};

/// One system of a counter-model.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The state before the step, or the only one.
    pub before: State,
    /// The state after the step, if there is one.
    pub after: Option<State>,
    /// What the elements are called.
    pub names: BTreeMap<(Sort, Value), String>,
}

/// Both systems of a counter-model.
#[derive(Clone, Debug)]
pub struct Scenes {
    /// `L`, or the one system there is.
    pub large: Scene,
    /// `C`, where there are two.
    pub cutoff: Option<Scene>,
}

/// The states of a counter-model of an obligation of a certificate.
pub fn scenes(
    certificate: &Certificate,
    obligation: &Obligation,
    model: &CounterModel<TwoSystems>,
) -> Scenes {
    let model = sparse(&query(obligation), model);
    let story = Story::new(certificate, case_of(certificate, obligation), obligation, &model);
    let ending = story.ending();
    let has_step = ending.step.is_some();
    let product = &obligation.names;
    let cutoff = scene(
        (story.before.cutoff(), has_step.then(|| ending.after.cutoff())),
        &story.mentioned,
        &|sort, value, names: &ElementNames<'_>| names.name(product.cutoff_sort(sort), value),
        &story.elements,
    );
    match product.systems {
        Systems::One => Scenes { large: cutoff, cutoff: None },
        Systems::Both => {
            let large = scene(
                (story.before.large(), has_step.then(|| ending.after.large())),
                &story.mentioned,
                &|sort, value, names: &ElementNames<'_>| names.name(large_sort(sort), value),
                &story.elements,
            );
            Scenes { large, cutoff: Some(cutoff) }
        }
    }
}

/// One system, without the symbols that the counter-model does not know and the step leaves alone.
fn scene(
    (mut before, mut after): (State, Option<State>),
    mentioned: &BTreeSet<ProductSymbol>,
    name: &dyn Fn(Sort, Value, &ElementNames<'_>) -> String,
    elements: &ElementNames<'_>,
) -> Scene {
    let is_known = |id: &SymbolId| {
        mentioned.contains(&ProductSymbol::Large(*id))
            || mentioned.contains(&ProductSymbol::Cutoff(*id))
    };
    let changed: BTreeSet<SymbolId> = match &after {
        Some(after) => {
            let differs = |id: &&SymbolId| before.tables.get(id) != after.tables.get(id);
            before.tables.keys().filter(differs).copied().collect()
        }
        None => BTreeSet::new(),
    };
    before.tables.retain(|id, _| is_known(id) || changed.contains(id));
    if let Some(after) = &mut after {
        after.tables.retain(|id, _| is_known(id) || changed.contains(id));
    }
    let names = before.extents.iter().flat_map(|(sort, extent)| {
        extent.values().take(100).map(|value| ((*sort, value), name(*sort, value, elements)))
    });
    let names = names.collect();
    Scene { before, after, names }
}
