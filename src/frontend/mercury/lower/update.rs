//! Who moves in an action, and the one simultaneous assignment that moves them.

use std::collections::BTreeMap;

use crate::frontend::lowering::build::{assignment, require};
use crate::frontend::mercury::local::{LocalLeaf, SetValue};
use crate::frontend::syntax::surface::{
    AssignStatement, Expression, Identifier, Statement, StatementKind,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

use super::expressions::{GivenData, Speaker, Writer, negation};

/// The processes that take one of some leaves, of which at most one applies to each of them.
pub(super) struct Mover<'a> {
    /// Writes about the machine that moves.
    pub(super) writer: Writer<'a>,
    /// Who moves.
    pub(super) who: Who,
    /// What they do.
    pub(super) leaves: Vec<(&'a LocalLeaf, Option<Name>)>,
    /// The sender of the message that they receive.
    pub(super) sender: Option<Name>,
    /// The values that the event gives.
    pub(super) given: GivenData,
}

/// Who moves.
pub(super) enum Who {
    /// One process, a parameter of the action; the environment has no name.
    One(Name),
    /// Every process `Q` for which this holds.
    Every(Expression),
}

/// The variable that stands for every process.
pub(super) const EVERY: &str = "Q";
/// The variable that stands for what a link holds.
const OTHER: &str = "R";

impl Mover<'_> {
    fn element_name(&self) -> Name {
        match &self.who {
            Who::One(name) => name.clone(),
            Who::Every(_) => EVERY.into(),
        }
    }

    /// What a single mover sends, if it is a value of a data domain; its leaves all send the same.
    pub(super) fn sends(&self, me: &Name) -> Option<Expression> {
        let sent = self.leaves.first().and_then(|(leaf, _)| leaf.sent)?;
        let speaker = Speaker { me, sender: None, given: &self.given };
        Some(self.writer.data(sent, speaker))
    }

    /// When one of the leaves applies.
    pub(super) fn possible(&self) -> Expression {
        let me = self.element_name();
        let leaves = self.leaves.iter();
        self.writer.any(leaves.map(|(leaf, pick)| self.guard(leaf, pick.as_ref(), &me)).collect())
    }

    fn guard(&self, leaf: &LocalLeaf, pick: Option<&Name>, me: &Name) -> Expression {
        let speaker = Speaker { me, sender: self.sender.as_ref(), given: &self.given };
        let guard = self.writer.guard(leaf, speaker);
        match pick {
            Some(pick) => self.writer.all(vec![guard, self.writer.local(pick, me)]),
            None => guard,
        }
    }

    /// `require` that the one process can move.
    pub(super) fn requires(&self) -> Statement {
        require(self.possible())
    }

    /// When a leaf is taken by a process. That one of the leaves applies to a single mover is
    /// required already, and so are the conditions that its leaves share.
    fn taken(&self, leaf: &LocalLeaf, pick: Option<&Name>, shared: bool) -> Expression {
        let me = if shared { EVERY.into() } else { self.element_name() };
        let name = match &self.who {
            Who::Every(condition) => {
                return self.writer.all(vec![condition.clone(), self.guard(leaf, pick, &me)]);
            }
            Who::One(name) => name,
        };
        let mut parts = Vec::new();
        if shared && !self.writer.environment {
            parts.push(self.writer.same(&me, name));
        }
        if self.leaves.len() > 1 {
            let decided = LocalLeaf { conditions: BTreeMap::new(), ..leaf.clone() };
            parts.push(self.guard(&decided, pick, &me));
        }
        self.writer.all(parts)
    }
}

/// What a relation becomes: when it is made false, and when it is made true.
#[derive(Default)]
struct Change {
    cleared: Vec<Expression>,
    set: Vec<Expression>,
    /// Whether every leaf clears or sets it.
    always: bool,
}

/// The assignments that move all movers at once.
pub(super) fn moves(movers: &[Mover<'_>], span: Span) -> Option<Statement> {
    let mut parts: Vec<AssignStatement> = Vec::new();
    for environment in [false, true] {
        let side: Vec<&Mover<'_>> =
            movers.iter().filter(|mover| mover.writer.environment == environment).collect();
        parts.extend(unary(&side, span));
        parts.extend(binary(&side, span));
        parts.extend(functions(&side, span));
    }
    match parts.len() {
        0 => None,
        1 => Some(Spanned::new(StatementKind::Assign(parts.remove(0)), span)),
        _ => Some(Spanned::new(StatementKind::Together(parts), span)),
    }
}

/// The changes of points and values.
fn unary(movers: &[&Mover<'_>], span: Span) -> Vec<AssignStatement> {
    let Some(first) = movers.first() else { return Vec::new() };
    let writer = first.writer;
    let shared = movers.len() > 1 || matches!(first.who, Who::Every(_));
    let mut changes: BTreeMap<Name, Change> = BTreeMap::new();
    let leaves: usize = movers.iter().map(|mover| mover.leaves.len()).sum();
    for mover in movers {
        for (leaf, pick) in &mover.leaves {
            let taken = mover.taken(leaf, pick.as_ref(), shared);
            for (relation, holds) in leaf_changes(&writer, leaf) {
                let change = changes.entry(relation).or_default();
                let side = if holds { &mut change.set } else { &mut change.cleared };
                side.push(taken.clone());
            }
        }
    }
    let me = if shared { EVERY.into() } else { first.element_name() };
    let place = |relation: &Name| match writer.environment {
        true => Vec::new(),
        false => {
            let _ = relation;
            vec![writer.name(&me)]
        }
    };
    let mut parts = Vec::new();
    for (relation, mut change) in changes {
        change.always = !shared && change.cleared.len().max(change.set.len()) == leaves;
        let old = writer.local(&relation, &me);
        let value = new_value(&writer, old, &change);
        let target = Identifier::new(relation.clone(), span);
        parts.push(assignment(target, place(&relation), Some(value), span));
    }
    parts
}

fn new_value(writer: &Writer<'_>, old: Expression, change: &Change) -> Expression {
    if change.always && change.set.is_empty() {
        return Expression::truth(false, writer.span);
    }
    if change.always && change.cleared.is_empty() {
        return Expression::truth(true, writer.span);
    }
    let kept = match change.cleared.is_empty() {
        true => old,
        false => {
            let cleared = writer.any(change.cleared.clone());
            writer.all(vec![old, negation(cleared)])
        }
    };
    let mut parts = vec![kept];
    parts.extend(change.set.iter().cloned());
    writer.any(parts)
}

/// The points and values that a leaf changes.
fn leaf_changes(writer: &Writer<'_>, leaf: &LocalLeaf) -> Vec<(Name, bool)> {
    let own = writer.own();
    let mut changes = Vec::new();
    if leaf.source != leaf.target {
        changes.push((own.points[leaf.source].clone(), false));
        changes.push((own.points[leaf.target].clone(), true));
    }
    for (variable, value) in &leaf.writes {
        let declared = &writer.model.variables[*variable];
        let relations = &own.values[*variable];
        if declared.is_bit() {
            changes.push((relations[0].clone(), *value == 1));
            continue;
        }
        for (relation, candidate) in relations.iter().zip(declared.values()) {
            let read = leaf.reads.get(variable);
            // A value that was read is the only one to give up.
            if candidate == *value || read.is_none_or(|read| *read == candidate) {
                changes.push((relation.clone(), candidate == *value));
            }
        }
    }
    changes
}

/// The changes of links.
fn binary(movers: &[&Mover<'_>], span: Span) -> Vec<AssignStatement> {
    let Some(first) = movers.first() else { return Vec::new() };
    let writer = first.writer;
    let shared = movers.len() > 1 || matches!(first.who, Who::Every(_));
    let me: Name = if shared { EVERY.into() } else { first.element_name() };
    let other = Name::from(OTHER);
    let mut changes: BTreeMap<usize, Change> = BTreeMap::new();
    let leaves: usize = movers.iter().map(|mover| mover.leaves.len()).sum();
    for mover in movers {
        let speaker = Speaker { me: &me, sender: mover.sender.as_ref(), given: &mover.given };
        for (leaf, pick) in &mover.leaves {
            for (link, set) in &leaf.sets {
                let taken = mover.taken(leaf, pick.as_ref(), shared);
                let change = changes.entry(*link).or_default();
                let alone = !shared && leaves == 1;
                let member = writer.member(set, &other, speaker);
                let member = match alone {
                    true => member,
                    false => writer.all(vec![taken.clone(), member]),
                };
                if *set != SetValue::Empty {
                    change.set.push(member);
                }
                // What is only added to need not be given up.
                if !alone && !grows(set, *link) {
                    change.cleared.push(taken);
                }
                change.always = alone;
            }
        }
    }
    let mut parts = Vec::new();
    for (link, change) in changes {
        let relation = &writer.own().links[link];
        let value = match change.always {
            true => writer.any(change.set),
            false => new_value(&writer, writer.holds(relation, &[&me, &other]), &change),
        };
        let place = vec![writer.name(&me), writer.name(&other)];
        let target = Identifier::new(relation.clone(), span);
        parts.push(assignment(target, place, Some(value), span));
    }
    parts
}

/// The changes of data variables.
fn functions(movers: &[&Mover<'_>], span: Span) -> Vec<AssignStatement> {
    let Some(first) = movers.first() else { return Vec::new() };
    let writer = first.writer;
    let shared = movers.len() > 1 || matches!(first.who, Who::Every(_));
    let me: Name = if shared { EVERY.into() } else { first.element_name() };
    let leaves: usize = movers.iter().map(|mover| mover.leaves.len()).sum();
    let mut changes: BTreeMap<usize, Vec<(Expression, Expression)>> = BTreeMap::new();
    for mover in movers {
        let speaker = Speaker { me: &me, sender: mover.sender.as_ref(), given: &mover.given };
        for (leaf, pick) in &mover.leaves {
            let taken = mover.taken(leaf, pick.as_ref(), shared);
            for (variable, value) in &leaf.data {
                let value = writer.data(*value, speaker);
                changes.entry(*variable).or_default().push((taken.clone(), value));
            }
        }
    }
    let mut parts = Vec::new();
    for (variable, changes) in changes {
        let function = &writer.own().data[variable];
        let mut value = writer.local(function, &me);
        // At most one leaf is taken, so those with one value are written together.
        let mut together: Vec<(Vec<Expression>, Expression)> = Vec::new();
        for (taken, new) in changes {
            match together.iter_mut().find(|(_, other)| *other == new) {
                Some((conditions, _)) => conditions.push(taken),
                None => together.push((vec![taken], new)),
            }
        }
        for (taken, new) in together.into_iter().rev() {
            let taken = writer.any(taken);
            value = match !shared && leaves == 1 {
                true => new,
                false => Expression::conditional(taken, [new, value], span),
            };
        }
        let place = if writer.environment { Vec::new() } else { vec![writer.name(&me)] };
        let target = Identifier::new(function.clone(), span);
        parts.push(assignment(target, place, Some(value), span));
    }
    parts
}

/// Whether a set has everything that a link has.
fn grows(set: &SetValue, link: usize) -> bool {
    match set {
        SetValue::Link(own) => *own == link,
        SetValue::Union(left, right) => grows(left, link) || grows(right, link),
        _ => false,
    }
}
