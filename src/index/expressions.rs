//! Names in formulas and statements, and the sorts of variables as far as their uses show them.

use super::builder::Builder;
use super::entity::{EntityId, EntityKind, Role};
use crate::frontend::syntax::surface::{
    AssignStatement, Expression, ExpressionKind, LeftArgument, RightValue, Statement, StatementKind,
};
use crate::logic::Name;
use crate::source::Span;

/// The built-in sort of integers.
const INT: &str = "int";

impl Builder<'_> {
    /// A formula that is closed by itself: capitalised names without a binder are its variables.
    pub(super) fn closed_formula(&mut self, formula: &Expression) {
        self.scoped(|walk| {
            walk.closed = Some(formula.span);
            walk.expression(formula);
        });
        self.spread_sorts();
    }

    /// An expression; the result is its sort, where it is a term and the sort is known.
    pub(super) fn expression(&mut self, expression: &Expression) -> Option<Name> {
        match &*expression.kind {
            ExpressionKind::Truth(_) => None,
            ExpressionKind::Integer(_) => Some(INT.into()),
            ExpressionKind::Name(name) => {
                let id = self.mention(name, expression.span, Role::Reads)?;
                self.entities[id.0].sort.clone()
            }
            ExpressionKind::Apply(symbol, arguments) => {
                let id = self.used(symbol, Role::Reads);
                let sorts = id.map_or_else(Vec::new, |id| self.argument_sorts(id));
                self.arguments(arguments.iter(), &sorts);
                self.entities[id?.0].sort.clone()
            }
            ExpressionKind::Equal { left, right, .. } => {
                self.alike(left, right);
                None
            }
            ExpressionKind::Compare { left, right, .. } => {
                self.integers([left, right]);
                None
            }
            ExpressionKind::Arithmetic(_, left, right) => {
                self.integers([left, right]);
                Some(INT.into())
            }
            ExpressionKind::Negative(inner) => {
                self.integers([inner]);
                Some(INT.into())
            }
            ExpressionKind::If { then, condition, otherwise } => {
                self.expression(condition);
                self.alike(then, otherwise)
            }
            ExpressionKind::Quantified(_, binders, body) => {
                self.scoped(|walk| {
                    walk.binders(binders, EntityKind::Variable, expression.span);
                    walk.expression(body);
                });
                None
            }
            ExpressionKind::At(_, inner) => self.expression(inner),
            ExpressionKind::Not(_)
            | ExpressionKind::And(_)
            | ExpressionKind::Or(_)
            | ExpressionKind::Connective(..)
            | ExpressionKind::Hole(_) => {
                for child in expression.children() {
                    self.expression(child);
                }
                None
            }
        }
    }

    fn arguments<'e>(
        &mut self,
        arguments: impl Iterator<Item = &'e Expression>,
        sorts: &[Option<Name>],
    ) {
        for (position, argument) in arguments.enumerate() {
            self.expression(argument);
            if let Some(Some(sort)) = sorts.get(position) {
                self.expect(argument, sort);
            }
        }
    }

    fn integers<const N: usize>(&mut self, operands: [&Expression; N]) {
        for operand in operands {
            self.expression(operand);
            self.expect(operand, &INT.into());
        }
    }

    /// Two terms of one sort.
    fn alike(&mut self, left: &Expression, right: &Expression) -> Option<Name> {
        let (one, other) = (self.expression(left), self.expression(right));
        let sort = one.or(other);
        match &sort {
            Some(sort) => {
                self.expect(left, sort);
                self.expect(right, sort);
            }
            None => {
                if let (Some(one), Some(other)) = (self.variable(left), self.variable(right)) {
                    self.equal.push((one, other));
                }
            }
        }
        sort
    }

    /// What is known of a variable from where it stands.
    fn expect(&mut self, expression: &Expression, sort: &Name) {
        if let Some(id) = self.variable(expression) {
            self.entities[id.0].sort.get_or_insert_with(|| sort.clone());
        }
    }

    fn variable(&self, expression: &Expression) -> Option<EntityId> {
        self.known_local(expression.as_name()?)
    }

    /// The sorts of the arguments of a symbol, a definition or an action, as far as they are known.
    pub(super) fn argument_sorts(&self, id: EntityId) -> Vec<Option<Name>> {
        let entity = &self.entities[id.0];
        match entity.kind {
            EntityKind::Definition | EntityKind::Action => {
                let owned = |own: &&super::Entity| {
                    own.owner == Some(id) && own.kind == EntityKind::Parameter
                };
                self.entities.iter().filter(owned).map(|own| own.sort.clone()).collect()
            }
            _ => entity.sorts.iter().cloned().map(Some).collect(),
        }
    }

    /// The statements of a block.
    pub(super) fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.value {
                StatementKind::Require(formula) => self.closed_formula(formula),
                StatementKind::Assign(assignment) => {
                    self.assignment(assignment, statement.span);
                }
                StatementKind::Together(assignments) => {
                    self.scoped(|walk| {
                        for assignment in assignments {
                            walk.assigned(assignment, statement.span);
                        }
                        for assignment in assignments {
                            walk.value(assignment);
                        }
                    });
                }
                StatementKind::If(condition, then, otherwise) => {
                    self.expression(condition);
                    self.statements(then);
                    self.statements(otherwise);
                }
                StatementKind::Relate(symbols, formula) => {
                    for symbol in symbols {
                        self.used(symbol, Role::Writes);
                    }
                    self.closed_formula(formula);
                }
            }
        }
        self.spread_sorts();
    }

    fn assignment(&mut self, assignment: &AssignStatement, span: Span) {
        self.scoped(|walk| {
            walk.assigned(assignment, span);
            walk.value(assignment);
        });
    }

    /// The left side: capitalised names in it are variables of the whole statement.
    fn assigned(&mut self, assignment: &AssignStatement, span: Span) {
        self.closed = Some(span);
        let target = self.used(&assignment.target, Role::Writes);
        let sorts = target.map_or_else(Vec::new, |id| self.argument_sorts(id));
        for (position, argument) in assignment.arguments.iter().enumerate() {
            let LeftArgument::Expression(argument) = &argument.value else { continue };
            self.expression(argument);
            if let Some(Some(sort)) = sorts.get(position) {
                self.expect(argument, sort);
            }
        }
        self.closed = None;
    }

    fn value(&mut self, assignment: &AssignStatement) {
        if let RightValue::Expression(value) = &assignment.value.value {
            self.expression(value);
        }
    }
}
