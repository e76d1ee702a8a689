//! Lockstep candidates: the image of an action is tried, perhaps after preparing what it needs or
//! before refilling what it used up.

use std::collections::BTreeMap;

use crate::analysis::{ActionAtom, ActionLocal, AtomEntry, AtomValue, Facts};
use crate::certificate::{
    Alternative, Mode, Move, ProductDefinition, ProductFormula, ProductNames, ProductSort,
    ProductSymbol, ProductTerm, element, large_sort, sim,
};
use crate::logic::{Definition, Formula, Term, Var};
use crate::protocol::{Action, ChoiceId, Protocol, Sort, SortId, StateVar};
use crate::source::Span;

use super::maps::{Others, SortMap};
use crate::synthesis::combinations::extended;

/// What `C` does besides the image of an action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Support {
    /// Nothing.
    None,
    /// First, the moves that re-enable a guard which other steps consume.
    Prepare,
    /// Afterwards, the moves that restore what was consumed.
    Refill,
    /// First, moves of the spare element: for each action, the moves before it.
    Idle(BTreeMap<usize, Vec<(usize, SortId)>>),
}

/// The most ways to support one action: each is a plan of its own.
const MAX_SUPPORT: usize = 6;

/// What the answers are made from.
pub(crate) struct LockstepCandidates<'a> {
    pub(crate) protocol: &'a Protocol,
    pub(crate) facts: &'a Facts,
    pub(crate) names: &'a ProductNames,
    pub(crate) maps: &'a [SortMap],
}

impl LockstepCandidates<'_> {
    /// The answers to every action: `acting` ones are imitated, all others are ignored.
    pub(crate) fn lockstep(&self, acting: &[usize], support: &Support) -> Vec<Vec<Alternative>> {
        let actions = 0..self.protocol.actions.len();
        actions
            .map(|action| {
                if !acting.contains(&action) {
                    return vec![alternative(Formula::truth(true), Vec::new())];
                }
                let condition = self.condition(&self.protocol.actions[action]);
                let moves = self.moves(action, support);
                let unconditional = condition == Formula::truth(true);
                let acts = alternative(condition, moves);
                if unconditional {
                    vec![acts]
                } else {
                    vec![acts, alternative(Formula::truth(true), Vec::new())]
                }
            })
            .collect()
    }

    /// That every parameter of a sort whose others are ignored is kept.
    fn condition(&self, action: &Action) -> ProductFormula {
        let mut conditions = Vec::new();
        for param in &action.params {
            let Sort::Declared(sort) = param.sort else { continue };
            let map = self.maps.iter().find(|map| map.sort == sort);
            if let Some(map) = map.filter(|map| map.others == Others::Ignored) {
                conditions.push(map.is_kept(&large_param(param)));
            }
        }
        Formula::and(conditions)
    }

    fn moves(&self, action: usize, support: &Support) -> Vec<Move> {
        let params = &self.protocol.actions[action].params;
        let args: Vec<ProductTerm> =
            params.iter().map(|param| sim(self.names, param.sort, large_param(param))).collect();
        let image = self.attempt(action, args.clone(), action);
        let mut moves = Vec::new();
        match support {
            Support::None => moves.extend(image),
            Support::Prepare => {
                let needed = self.facts.footprints[action].guards.iter();
                let needed = needed.map(|guard| &guard.atom).filter(|atom| self.used_up(atom));
                moves.extend(needed.flat_map(|atom| self.setters(action, atom, &args)));
                moves.truncate(MAX_SUPPORT);
                moves.extend(image);
            }
            Support::Refill => {
                moves.extend(image);
                let updates = self.facts.footprints[action].updates.iter();
                let lost = updates
                    .map(|update| &update.atom)
                    .filter(|atom| atom.output == AtomValue::Truth(false));
                let refills: Vec<Move> =
                    lost.flat_map(|atom| self.setters(action, atom, &args)).collect();
                moves.extend(refills.into_iter().take(MAX_SUPPORT));
            }
            Support::Idle(idle) => {
                for (mover, sort) in idle.get(&action).into_iter().flatten() {
                    moves.extend(self.idle_move(action, *mover, *sort));
                }
                moves.extend(image);
            }
        }
        moves
    }

    /// Whether some action makes what an atom needs false.
    fn used_up(&self, atom: &ActionAtom) -> bool {
        let updates = self.facts.footprints.iter().flat_map(|footprint| &footprint.updates);
        atom.output == AtomValue::Truth(true)
            && updates.into_iter().any(|update| {
                update.atom.symbol == atom.symbol && update.atom.output == AtomValue::Truth(false)
            })
    }

    /// Moves that can make an atom of `action` true in `C`; what they do not determine is tried
    /// with every element.
    fn setters(&self, action: usize, atom: &ActionAtom, args: &[ProductTerm]) -> Vec<Move> {
        let mut moves = Vec::new();
        for (setter, footprint) in self.facts.footprints.iter().enumerate() {
            for update in &footprint.updates {
                let sets = update.atom.symbol == atom.symbol
                    && update.atom.output == AtomValue::Truth(true);
                if !sets {
                    continue;
                }
                let mut chosen: Vec<Option<ProductTerm>> =
                    vec![None; self.protocol.actions[setter].params.len()];
                for (place, wanted) in update.atom.args.iter().zip(&atom.args) {
                    if let (
                        AtomEntry::Named(ActionLocal::Param(own)),
                        AtomEntry::Named(ActionLocal::Param(theirs)),
                    ) = (place, wanted)
                    {
                        chosen[*own] = Some(args[*theirs].clone());
                    }
                }
                moves.extend(self.completed(action, setter, &chosen));
            }
        }
        moves
    }

    /// Every way to fill in the parameters of a move that are still open.
    fn completed(&self, action: usize, mover: usize, chosen: &[Option<ProductTerm>]) -> Vec<Move> {
        let mut ways: Vec<Vec<ProductTerm>> = vec![Vec::new()];
        for (param, term) in self.protocol.actions[mover].params.iter().zip(chosen) {
            let options = match term {
                Some(term) => vec![term.clone()],
                None => self.options(action, param.sort),
            };
            ways = extended(&ways, &options);
            ways.truncate(MAX_SUPPORT);
        }
        ways.into_iter().filter_map(|way| self.attempt(mover, way, action)).collect()
    }

    /// Terms of `C` of a sort: all elements of a cut sort, the action's parameters of another.
    fn options(&self, action: usize, sort: Sort) -> Vec<ProductTerm> {
        match self.names.cutoff_sort(sort) {
            ProductSort::Cutoff(id) => {
                let map = self.maps.iter().find(|map| map.sort == id);
                let count = map.map_or(0, |map| map.elements.len());
                (0..count).map(|index| element(id, index)).collect()
            }
            ProductSort::Large(_) | ProductSort::Int => {
                let params = self.protocol.actions[action].params.iter();
                params.filter(|param| param.sort == sort).map(large_param).collect()
            }
        }
    }

    /// A move of the spare element before an action.
    fn idle_move(&self, action: usize, mover: usize, sort: SortId) -> Option<Move> {
        let map = self.maps.iter().find(|map| map.sort == sort)?;
        let idle = element(sort, map.spare()?);
        let params = &self.protocol.actions[mover].params;
        let args = params.iter().map(|param| {
            if param.sort == Sort::Declared(sort) {
                return Some(idle.clone());
            }
            self.options(action, param.sort).into_iter().next()
        });
        self.attempt(mover, args.collect::<Option<Vec<_>>>()?, action)
    }

    /// `try action(args)`; `None` if its havocs have no image.
    pub(crate) fn attempt(
        &self,
        action: usize,
        args: Vec<ProductTerm>,
        answering: usize,
    ) -> Option<Move> {
        let choices = self.choices(action, answering)?;
        Some(Move { mode: Mode::Try, action, args, choices, span: Span::default() })
    }

    /// The images of the choices of `L`, where an image is defined.
    fn choices(
        &self,
        action: usize,
        answering: usize,
    ) -> Option<BTreeMap<ChoiceId, ProductDefinition>> {
        let choices = &self.protocol.actions[action].choices;
        if choices.is_empty() {
            return Some(BTreeMap::new());
        }
        if action != answering {
            return None;
        }
        let mut chosen = BTreeMap::new();
        for (index, choice) in choices.iter().enumerate() {
            let id = ChoiceId(u32::try_from(index).expect("few choices"));
            let residual =
                |sort: &Sort| !matches!(self.names.cutoff_sort(*sort), ProductSort::Cutoff(_));
            if !choice.params.iter().all(residual) {
                return None;
            }
            let params: Vec<Var<_>> = choice
                .params
                .iter()
                .enumerate()
                .map(|(index, sort)| Var::new(format!("z%{index}"), large_sort(*sort)))
                .collect();
            let args: Vec<ProductTerm> = params.iter().cloned().map(Term::var).collect();
            let symbol = ProductSymbol::LargeChoice(id);
            let definition = match choice.result {
                None => Definition::relation(params, Formula::holds(symbol, args)),
                Some(sort) => {
                    let picked = Term::apply(symbol, args, large_sort(sort));
                    Definition::function(params, sim(self.names, sort, picked))
                }
            };
            chosen.insert(id, definition);
        }
        Some(chosen)
    }
}

/// A parameter of `L`'s action as a term.
pub(crate) fn large_param(param: &StateVar) -> ProductTerm {
    Term::var(Var::new(param.name.clone(), large_sort(param.sort)))
}

/// One way to answer an action.
pub(crate) fn alternative(condition: ProductFormula, moves: Vec<Move>) -> Alternative {
    Alternative { condition, moves, span: Span::default() }
}
