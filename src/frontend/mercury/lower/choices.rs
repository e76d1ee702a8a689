//! Broadcasts at which receivers choose between handlers.

use crate::frontend::lowering::build::{assignment, require};
use crate::frontend::mercury::local::LocalLeaf;
use crate::frontend::syntax::surface::{
    Expression, Identifier, Item, Statement, StatementKind, SymbolItem,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

use super::Lowerer;
use super::expressions::negation;
use super::update::{EVERY, Mover, Who, moves};

impl<'a> Lowerer<'a> {
    /// A broadcast whose receivers may have a choice: each picks one of its handlers.
    pub(super) fn broadcast_action(
        &mut self,
        wish: &str,
        params: Vec<Name>,
        guards: Vec<Statement>,
        mut movers: Vec<Mover<'a>>,
        span: Span,
    ) {
        let choices = movers.last().map(choices).unwrap_or_default();
        if choices.is_empty() {
            return self.action(wish, &params, guards, &movers, span);
        }
        let picks: Vec<(usize, Name)> = choices
            .into_iter()
            .map(|handler| (handler, self.symbols.names.invent(&format!("pick_{}", handler + 1))))
            .collect();
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (_, pick) in &picks {
            let sort = Identifier::new(self.symbols.sort.clone(), span);
            let name = Identifier::new(pick.clone(), span);
            let symbol =
                SymbolItem { name: name.clone(), params: vec![sort], result: None, rigid: false };
            self.picks.push(Spanned::new(Item::Symbol(symbol), span));
            let every = vec![Expression::name(EVERY.into(), span)];
            let assign = |value| {
                let part = assignment(name.clone(), every.clone(), value, span);
                Spanned::new(StatementKind::Assign(part), span)
            };
            before.push(assign(None));
            after.push(assign(Some(Expression::truth(false, span))));
        }
        if let Some(receiving) = movers.last_mut() {
            pick_leaves(receiving, &picks);
            let writer = receiving.writer;
            let Who::Every(who) = &receiving.who else { return };
            let mut parts = vec![negation(who.clone())];
            parts.extend(writer.live(&EVERY.into()).map(negation));
            parts.push(receiving.possible());
            before.push(require(writer.any(parts)));
            for (index, (_, pick)) in picks.iter().enumerate() {
                for (_, other) in &picks[..index] {
                    let both = [pick, other].map(|pick| writer.local(pick, &EVERY.into()));
                    before.push(require(writer.all(both.to_vec()).negated()));
                }
            }
        }
        let mut body = guards;
        body.extend(before);
        body.extend(moves(&movers, span));
        body.extend(after);
        self.finish(wish, &params, body, span);
    }
}

/// The handlers between which some process may have to choose.
fn choices(receiving: &Mover<'_>) -> Vec<usize> {
    let leaves: Vec<&LocalLeaf> = receiving.leaves.iter().map(|(leaf, _)| *leaf).collect();
    let overlapping = leaves.iter().filter(|leaf| overlaps(leaf, &leaves));
    let mut handlers: Vec<usize> = overlapping.map(|leaf| leaf.handler).collect();
    handlers.sort_unstable();
    handlers.dedup();
    handlers
}

/// Whether another handler may apply where a leaf does.
pub(super) fn overlaps(leaf: &LocalLeaf, all: &[&LocalLeaf]) -> bool {
    all.iter().any(|other| other.handler != leaf.handler && compatible(leaf, other))
}

/// Whether two leaves can apply to one process at once.
fn compatible(left: &LocalLeaf, right: &LocalLeaf) -> bool {
    left.source == right.source
        && left
            .reads
            .iter()
            .all(|(variable, value)| right.reads.get(variable).is_none_or(|other| other == value))
        && left
            .conditions
            .iter()
            .all(|(atom, holds)| right.conditions.get(atom).is_none_or(|other| other == holds))
}

/// A leaf that overlaps another handler needs the pick of its own.
fn pick_leaves(receiving: &mut Mover<'_>, picks: &[(usize, Name)]) {
    let all: Vec<&LocalLeaf> = receiving.leaves.iter().map(|(leaf, _)| *leaf).collect();
    for (leaf, pick) in &mut receiving.leaves {
        if overlaps(leaf, &all) {
            let own = picks.iter().find(|(handler, _)| *handler == leaf.handler);
            *pick = own.map(|(_, name)| name.clone());
        }
    }
}
