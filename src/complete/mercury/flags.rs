//! The protocol of a process in which the entries of holes are flags: what was the variable of each
//! process becomes one choice for all of them.

use std::collections::BTreeMap;

use crate::complete::sketch::{flag_name, in_actions};
use crate::frontend::syntax::surface::{
    ActionItem, AssignStatement, Expression, ExpressionKind, Item, Module, Statement, StatementKind,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

/// A value of an entry: the flags of the entry, and the code of the value.
#[derive(Clone, Copy, Debug)]
pub(super) struct EntryCode {
    /// The first flag, the lowest bit.
    pub(super) first: usize,
    /// How many flags there are.
    pub(super) bits: usize,
    /// The code.
    pub(super) code: usize,
}

/// The protocol with flags instead of the relations that say which value an entry has.
///
/// Some actions are possible only for one value of an entry.
pub(super) fn with_flags(
    module: &Module,
    codes: &BTreeMap<Name, EntryCode>,
    guards: &BTreeMap<Name, EntryCode>,
) -> Module {
    let is_entry = |name: &Name| codes.contains_key(name);
    let kept = module.items.iter().filter(|item| match &item.value {
        Item::Symbol(symbol) => !is_entry(&symbol.name.value),
        Item::Init(line) => !mentions(&line.formula, codes),
        _ => true,
    });
    let items = kept.map(|item| match &item.value {
        Item::Action(action) => {
            let guard = guards.get(&action.name.value).map(|code| {
                Spanned::new(StatementKind::Require(has_code(*code, item.span)), item.span)
            });
            let body = action.body.iter().filter_map(|own| without_entries(own, codes));
            let body = guard.into_iter().chain(body).collect();
            Spanned::new(Item::Action(ActionItem { body, ..action.clone() }), item.span)
        }
        _ => item.clone(),
    });
    in_actions(&Module { items: items.collect() }, &mut |own| replaced(own, codes))
}

fn mentions(own: &Expression, codes: &BTreeMap<Name, EntryCode>) -> bool {
    let is_entry =
        matches!(&*own.kind, ExpressionKind::Apply(name, _) if codes.contains_key(&name.value));
    is_entry || own.children().into_iter().any(|child| mentions(child, codes))
}

/// A statement that writes no entry; crashes forget all variables of a process.
fn without_entries(own: &Statement, codes: &BTreeMap<Name, EntryCode>) -> Option<Statement> {
    let is_kept = |own: &AssignStatement| !codes.contains_key(&own.target.value);
    match &own.value {
        StatementKind::Assign(assignment) => is_kept(assignment).then(|| own.clone()),
        StatementKind::Together(all) => {
            let all: Vec<AssignStatement> =
                all.iter().filter(|own| is_kept(own)).cloned().collect();
            let kind = match all.len() {
                0 => return None,
                1 => StatementKind::Assign(all.into_iter().next()?),
                _ => StatementKind::Together(all),
            };
            Some(Spanned::new(kind, own.span))
        }
        _ => Some(own.clone()),
    }
}

fn replaced(own: &Expression, codes: &BTreeMap<Name, EntryCode>) -> Expression {
    match &*own.kind {
        ExpressionKind::Apply(name, _) => match codes.get(&name.value) {
            Some(code) => has_code(*code, own.span),
            None => own.clone(),
        },
        _ => own.map_children(|child| replaced(child, codes)),
    }
}

/// Whether the flags of an entry have a code.
fn has_code(code: EntryCode, span: Span) -> Expression {
    let literals = (0..code.bits).map(|bit| {
        let flag = Expression::new(ExpressionKind::Name(flag_name(code.first + bit)), span);
        match code.code >> bit & 1 == 1 {
            true => flag,
            false => Expression::new(ExpressionKind::Not(flag), span),
        }
    });
    let mut literals: Vec<Expression> = literals.collect();
    match literals.len() {
        0 => Expression::new(ExpressionKind::Truth(true), span),
        1 => literals.swap_remove(0),
        _ => Expression::new(ExpressionKind::And(literals), span),
    }
}
