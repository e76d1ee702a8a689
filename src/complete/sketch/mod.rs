//! Protocols with holes: what each hole may become, and the protocol in which holes are state.
//!
//! A hole with several alternatives is a code in a few flags that nothing writes; a table is one flag
//! for each of its rows. Equal names are one hole.

mod language;
mod places;
mod table;

pub(crate) use language::{Language, LanguageCosts, LanguageScope, Weighed, mentioned};
pub(crate) use places::{SymbolTable, symbols, template};

use std::collections::BTreeMap;

use super::{SearchSpace, codes};
use crate::diagnostic::Diagnostic;
use crate::finite::FlagGroup;
use crate::frontend::syntax::surface::{
    ActionItem, AssignStatement, Expression, ExpressionKind, Identifier, Item, LeftArgument,
    Module, RightValue, Statement, StatementKind, SymbolItem,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

/// A protocol with holes.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    /// The protocol; hole `i` is the name [`hole_name`]`(i)`.
    pub(crate) module: Module,
    /// The holes, in the order of their first place.
    pub(crate) holes: Vec<SketchHole>,
}

/// One hole.
#[derive(Clone, Debug)]
pub(crate) struct SketchHole {
    /// Its name, or `??` if it has none.
    pub(crate) name: Name,
    /// The action of its first place.
    pub(crate) action: Name,
    /// Its first place.
    pub(crate) span: Span,
    /// All its places.
    pub(crate) places: Vec<Span>,
    /// What it may become.
    pub(crate) choice: HoleChoice,
}

/// What a hole may become.
#[derive(Clone, Debug)]
pub(crate) enum HoleChoice {
    /// One of these, each with its cost.
    OneOf(Vec<Weighed>),
    /// Any truth table over these conditions.
    Table(Vec<Expression>),
    /// One of several values for each of several entries, which another language writes.
    Entries {
        /// How many entries there are.
        entries: usize,
        /// How many values each of them may have.
        values: usize,
    },
}

impl HoleChoice {
    /// How many flags hold one entry.
    pub(crate) fn bits_of_entry(&self) -> usize {
        let values = match self {
            HoleChoice::OneOf(alternatives) => alternatives.len(),
            HoleChoice::Table(_) => 2,
            HoleChoice::Entries { values, .. } => *values,
        };
        (usize::BITS - values.saturating_sub(1).leading_zeros()) as usize
    }
}

/// The name by which the template mentions a hole; no text can write it.
pub(crate) fn hole_name(hole: usize) -> Name {
    format!("hole {hole}").into()
}

/// The hole that an expression of the template mentions.
pub(crate) fn mentioned_hole(own: &Expression) -> Option<usize> {
    own.as_name()?.strip_prefix("hole ")?.parse().ok()
}

/// The name of a flag; no text can write it.
pub(crate) fn flag_name(flag: usize) -> Name {
    format!("flag {flag}").into()
}

impl SketchHole {
    /// How many flags hold it.
    pub(crate) fn flags(&self) -> usize {
        match &self.choice {
            HoleChoice::OneOf(_) => self.choice.bits_of_entry(),
            HoleChoice::Table(conditions) => 1 << conditions.len(),
            HoleChoice::Entries { entries, .. } => entries * self.choice.bits_of_entry(),
        }
    }

    /// How many fillings there are.
    fn count(&self) -> Option<u64> {
        match &self.choice {
            HoleChoice::OneOf(alternatives) => Some(alternatives.len() as u64),
            HoleChoice::Table(conditions) => Some(1 << (1 << conditions.len())),
            HoleChoice::Entries { entries, values } => {
                (*values as u64).checked_pow(u32::try_from(*entries).ok()?)
            }
        }
    }

    /// How many fillings there are, as a power of two.
    fn power(&self) -> f64 {
        match &self.choice {
            HoleChoice::OneOf(alternatives) => (alternatives.len() as f64).log2(),
            HoleChoice::Table(conditions) => f64::from(1_u32 << conditions.len()),
            HoleChoice::Entries { entries, values } => *entries as f64 * (*values as f64).log2(),
        }
    }
}

impl Sketch {
    /// The flags of every hole, as the learner sees them.
    pub(crate) fn groups(&self) -> Vec<FlagGroup> {
        let mut groups = Vec::new();
        let mut first = 0;
        for hole in &self.holes {
            let bits = hole.flags();
            match &hole.choice {
                HoleChoice::OneOf(alternatives) => {
                    let costs = alternatives.iter().map(|own| own.cost).collect();
                    groups.push(FlagGroup { first, bits, costs });
                }
                HoleChoice::Table(_) => {
                    let row = |row| FlagGroup { first: first + row, bits: 1, costs: vec![0, 0] };
                    groups.extend((0..bits).map(row));
                }
                HoleChoice::Entries { entries, values } => {
                    let bits = hole.choice.bits_of_entry();
                    let entry = |entry| {
                        let costs = vec![0; *values];
                        FlagGroup { first: first + entry * bits, bits, costs }
                    };
                    groups.extend((0..*entries).map(entry));
                }
            }
            first += bits;
        }
        groups
    }

    /// How many completions there are.
    pub(crate) fn space(&self) -> SearchSpace {
        let mut counts = self.holes.iter().map(SketchHole::count);
        match counts.try_fold(1_u64, |all, own| all.checked_mul(own?)) {
            Some(all) => SearchSpace::Exactly(all),
            None => SearchSpace::Power(self.holes.iter().map(SketchHole::power).sum()),
        }
    }

    /// How many alternatives the holes of each action have.
    pub(crate) fn alternatives(&self) -> BTreeMap<Name, u64> {
        let mut all = BTreeMap::new();
        for hole in &self.holes {
            let own = match &hole.choice {
                HoleChoice::OneOf(alternatives) => alternatives.len() as u64,
                HoleChoice::Table(conditions) => 1 << conditions.len(),
                HoleChoice::Entries { .. } => 1,
            };
            *all.entry(hole.action.clone()).or_insert(0) += own;
        }
        all
    }

    /// How many flags there are.
    pub(crate) fn flags(&self) -> usize {
        self.holes.iter().map(SketchHole::flags).sum()
    }

    /// The names of the flags, in order.
    pub(crate) fn flag_names(&self) -> Vec<Name> {
        (0..self.flags()).map(flag_name).collect()
    }

    /// The protocol in which every hole is read from its flags.
    pub(crate) fn with_flags(&self) -> Module {
        let mut first = 0;
        let mut readings = Vec::new();
        for hole in &self.holes {
            readings.push(match &hole.choice {
                HoleChoice::OneOf(alternatives) => one_of(alternatives, hole.flags(), first, 0),
                HoleChoice::Table(conditions) => row_of(conditions, first, 0, 0, hole.span),
                // The template mentions its flags itself.
                HoleChoice::Entries { .. } => {
                    Expression::new(ExpressionKind::Truth(true), hole.span)
                }
            });
            first += hole.flags();
        }
        let mut module = filled(&self.module, &|hole| readings[hole].clone());
        for name in self.flag_names() {
            let name = Identifier::new(name, Span::default());
            let flag = SymbolItem { name, params: Vec::new(), result: None, rigid: false };
            module.items.push(Spanned::new(Item::Symbol(flag), Span::default()));
        }
        module
    }

    /// The expression that some values of the flags put into each hole.
    pub(crate) fn fillings(&self, values: &[bool]) -> Vec<Expression> {
        let mut first = 0;
        let filling = |hole: &SketchHole| {
            let own = &values[first..first + hole.flags()];
            first += hole.flags();
            match &hole.choice {
                HoleChoice::OneOf(alternatives) => {
                    let code = own.iter().rev().fold(0, |code, bit| 2 * code + usize::from(*bit));
                    alternatives[code.min(alternatives.len() - 1)].expression.clone()
                }
                HoleChoice::Table(conditions) => table::expression(conditions, own, hole.span),
                HoleChoice::Entries { .. } => {
                    Expression::new(ExpressionKind::Truth(true), hole.span)
                }
            }
        };
        self.holes.iter().map(filling).collect()
    }

    /// The protocol without holes.
    pub(crate) fn completed(&self, values: &[bool]) -> Module {
        let fillings = self.fillings(values);
        filled(&self.module, &|hole| fillings[hole].clone())
    }
}

/// A reading of the flags: a decision on the highest bit, then on the rest.
fn one_of(alternatives: &[Weighed], bits: usize, first: usize, base: usize) -> Expression {
    let last = &alternatives[alternatives.len() - 1].expression;
    let Some(bit) = bits.checked_sub(1) else {
        return alternatives.get(base).map_or(last, |own| &own.expression).clone();
    };
    let upper = base + (1 << bit);
    let otherwise = one_of(alternatives, bit, first, base);
    if upper >= alternatives.len() {
        return otherwise;
    }
    let then = one_of(alternatives, bit, first, upper);
    let span = otherwise.span;
    let condition = Expression::new(ExpressionKind::Name(flag_name(first + bit)), span);
    Expression::new(ExpressionKind::If { then, condition, otherwise }, span)
}

/// A reading of a table: a decision on each condition, then the flag of the row.
fn row_of(
    conditions: &[Expression],
    first: usize,
    depth: usize,
    row: usize,
    span: Span,
) -> Expression {
    let Some(condition) = conditions.get(depth) else {
        return Expression::new(ExpressionKind::Name(flag_name(first + row)), span);
    };
    let then = row_of(conditions, first, depth + 1, row | 1 << depth, span);
    let otherwise = row_of(conditions, first, depth + 1, row, span);
    let condition = condition.clone();
    Expression::new(ExpressionKind::If { then, condition, otherwise }, span)
}

/// A template with expressions for its holes, at the places of the holes.
pub(crate) fn filled(module: &Module, filling: &dyn Fn(usize) -> Expression) -> Module {
    fn expression(own: &Expression, filling: &dyn Fn(usize) -> Expression) -> Expression {
        match mentioned_hole(own) {
            Some(hole) => Expression { span: own.span, ..filling(hole) },
            None => own.map_children(|child| expression(child, filling)),
        }
    }
    in_actions(module, &mut |own| expression(own, filling))
}

/// A module with something else for every whole expression of its actions.
pub(crate) fn in_actions(
    module: &Module,
    map: &mut dyn FnMut(&Expression) -> Expression,
) -> Module {
    let items = module.items.iter().map(|item| match &item.value {
        Item::Action(action) => {
            let body = action.body.iter().map(|own| in_statement(own, map)).collect();
            let action = ActionItem { body, ..action.clone() };
            Spanned::new(Item::Action(action), item.span)
        }
        _ => item.clone(),
    });
    Module { items: items.collect() }
}

/// A statement with something else for every whole expression in it.
pub(crate) fn in_statement(
    statement: &Statement,
    map: &mut dyn FnMut(&Expression) -> Expression,
) -> Statement {
    let kind = match &statement.value {
        StatementKind::Require(formula) => StatementKind::Require(map(formula)),
        StatementKind::If(condition, then, otherwise) => {
            let condition = map(condition);
            let then = then.iter().map(|own| in_statement(own, map)).collect();
            let otherwise = otherwise.iter().map(|own| in_statement(own, map)).collect();
            StatementKind::If(condition, then, otherwise)
        }
        StatementKind::Assign(assignment) => StatementKind::Assign(in_assignment(assignment, map)),
        StatementKind::Together(assignments) => {
            let assignments = assignments.iter().map(|own| in_assignment(own, map));
            StatementKind::Together(assignments.collect())
        }
        StatementKind::Relate(..) => statement.value.clone(),
    };
    Spanned::new(kind, statement.span)
}

fn in_assignment(
    assignment: &AssignStatement,
    map: &mut dyn FnMut(&Expression) -> Expression,
) -> AssignStatement {
    let mut assignment = assignment.clone();
    for argument in &mut assignment.arguments {
        if let LeftArgument::Expression(own) = &mut argument.value {
            *own = map(own);
        }
    }
    if let RightValue::Expression(own) = &mut assignment.value.value {
        *own = map(own);
    }
    assignment
}

/// What is wrong with the holes of a text, beyond what elaboration says.
pub(crate) fn no_holes() -> Diagnostic {
    Diagnostic::error(codes::NO_HOLES, "there is no `??` in this file", Span::default())
        .hint("write `??` where you do not know what to write, as in `require ??`")
}
