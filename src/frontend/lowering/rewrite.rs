//! Replaces names in surface expressions by other names, values or expanded definitions.
//!
//! Nothing is captured, and no binder hides a name that is in scope: it gets another name. Free
//! capitalised names are variables and stay as they are. What is put under `old` or `new` keeps the
//! moment of the place where it was written, and the body of a definition sees nothing that is
//! local to the place where it is used.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::name_set::NameSet;
use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::lowering::variables::free_names;
use crate::frontend::syntax::brackets::NESTING_LIMIT;
use crate::frontend::syntax::surface::{
    Binder, Connective, Expression, ExpressionKind, Identifier, Moment,
};
use crate::logic::{Name, fresh_name};
use crate::source::Span;

/// What stands instead of a name.
#[derive(Clone, Debug)]
pub(crate) enum Replacement {
    /// Another name, with these arguments before its own.
    Name(Name, Vec<Expression>),
    /// An expression; the name takes no arguments.
    Value(Expression),
    /// What it is defined to be.
    Definition(Rc<MacroDefinition>),
}

/// `name(params)` stands for `body`.
#[derive(Clone, Debug)]
pub(crate) struct MacroDefinition {
    /// The parameters.
    pub(crate) params: Vec<Name>,
    /// What it stands for; it mentions no other names that are not declared.
    pub(crate) body: Expression,
}

/// Why an expression could not be rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum RewriteObstacle {
    /// Expanding definitions makes it too large or too deep.
    TooLarge(Span),
    /// A definition used with a wrong number of arguments: name, wanted, found.
    Arity(Name, usize, usize, Span),
    /// A word for another state inside the same word: there is no third state.
    ThirdState(Moment, Span),
}

impl RewriteObstacle {
    /// The refusal of what could not be expanded.
    pub(crate) fn refused(&self, code: Code) -> Diagnostic {
        match self {
            RewriteObstacle::TooLarge(span) => {
                let message = "this becomes too large when definitions are expanded";
                let hint = "declare a relation and constrain it by axioms or `init`";
                Diagnostic::error(code, message, *span).hint(hint)
            }
            RewriteObstacle::Arity(name, wanted, found, span) => {
                let message = format!("`{name}` takes {wanted} arguments, not {found}");
                Diagnostic::error(code, message, *span)
            }
            RewriteObstacle::ThirdState(moment, span) => {
                let word = match moment {
                    Moment::Old => "old",
                    Moment::New => "new",
                };
                let message = format!("`{word}` inside `{word}` would refer to a third state");
                let hint = "a step has two states: use a definition with this word outside it";
                Diagnostic::error(code, message, *span).hint(hint)
            }
        }
    }
}

/// What stands instead of a name.
pub(crate) type NameLookup<'a> = &'a dyn Fn(&str) -> Option<Replacement>;

/// What names and sorts mean.
#[derive(Clone, Copy)]
pub(crate) struct NameMeaning<'a> {
    /// Names that are not bound, where the expression stands.
    pub(crate) here: NameLookup<'a>,
    /// Names that are neither bound nor parameters, in the bodies of definitions.
    pub(crate) everywhere: NameLookup<'a>,
    /// Sorts.
    pub(crate) sorts: &'a dyn Fn(&str) -> Option<Name>,
}

/// The largest expression after expanding definitions, in nodes.
const LARGEST: usize = 200_000;

/// Replaces names in expressions.
struct Rewriter<'a> {
    meaning: NameMeaning<'a>,
    /// Names that no binder may take.
    reserved: &'a NameSet,
    /// Free names of the expression at hand.
    free: BTreeSet<Name>,
    /// The binders in scope, as written and as renamed, innermost last.
    bound: Vec<(Name, Name)>,
    /// The `old` and `new` around the place, innermost last.
    words: Vec<Moment>,
    /// The definitions being expanded, innermost last.
    uses: Vec<MacroUse>,
    depth: usize,
    size: usize,
}

/// A definition where it is used.
struct MacroUse {
    /// What its parameters stand for.
    arguments: Vec<(Name, Expression)>,
    /// How many words there are around it.
    words: usize,
}

/// The expression with every name replaced; definitions mention nothing that is replaced.
///
/// # Errors
/// If it becomes too large, or a definition does not fit where it is used.
pub(crate) fn rewrite(
    expression: &Expression,
    reserved: &NameSet,
    replace: NameLookup<'_>,
) -> Result<Expression, RewriteObstacle> {
    let meaning = NameMeaning { here: replace, everywhere: &|_| None, sorts: &|_| None };
    rewrite_as(expression, reserved, meaning)
}

/// The expression with every name and every sort replaced.
///
/// # Errors
/// If it becomes too large, or a definition does not fit where it is used.
pub(crate) fn rewrite_as(
    expression: &Expression,
    reserved: &NameSet,
    meaning: NameMeaning<'_>,
) -> Result<Expression, RewriteObstacle> {
    let mut rewriter = Rewriter {
        meaning,
        reserved,
        free: free_names(expression),
        bound: Vec::new(),
        words: Vec::new(),
        uses: Vec::new(),
        depth: 0,
        size: 0,
    };
    rewriter.expression(expression)
}

/// The expression with binders renamed where they hide a name in scope.
///
/// # Errors
/// If it is nested too deeply.
pub(crate) fn rename_binders(
    expression: &Expression,
    reserved: &NameSet,
) -> Result<Expression, RewriteObstacle> {
    rewrite(expression, reserved, &|_| None)
}

impl Rewriter<'_> {
    fn expression(&mut self, expression: &Expression) -> Result<Expression, RewriteObstacle> {
        self.depth += 1;
        self.size += 1;
        if self.depth > 2 * NESTING_LIMIT || self.size > LARGEST {
            return Err(RewriteObstacle::TooLarge(expression.span));
        }
        let rewritten = match &*expression.kind {
            ExpressionKind::Name(name) => self.replace_name(name, None, expression.span),
            ExpressionKind::Apply(name, arguments) => {
                let arguments = self.expressions(arguments)?;
                self.replace_name(&name.value, Some((name.span, arguments)), expression.span)
            }
            ExpressionKind::Quantified(quantifier, binders, body) => {
                let outside = self.bound.len();
                let binders = binders.iter().map(|binder| self.binder(binder)).collect();
                let body = self.expression(body)?;
                self.bound.truncate(outside);
                let kind = ExpressionKind::Quantified(*quantifier, binders, body);
                Ok(Expression::new(kind, expression.span))
            }
            ExpressionKind::At(moment, inner) => {
                let again = self.words.last() == Some(moment);
                if again && self.words.first() == Some(moment) {
                    return Err(RewriteObstacle::ThirdState(*moment, expression.span));
                }
                self.words.push(*moment);
                let inner = self.expression(inner)?;
                self.words.pop();
                Ok(Expression::new(ExpressionKind::At(*moment, inner), expression.span))
            }
            _ => {
                let mut obstacle = None;
                let rewritten = expression.map_children(|child| match self.expression(child) {
                    Ok(child) => child,
                    Err(found) => {
                        obstacle.get_or_insert(found);
                        child.clone()
                    }
                });
                obstacle.map_or(Ok(rewritten), Err)
            }
        };
        self.depth -= 1;
        rewritten
    }

    fn expressions(
        &mut self,
        expressions: &[Expression],
    ) -> Result<Vec<Expression>, RewriteObstacle> {
        expressions.iter().map(|expression| self.expression(expression)).collect()
    }

    fn binder(&mut self, binder: &Binder) -> Binder {
        let name = &binder.name.value;
        let in_scope = |name: &Name| {
            self.reserved.contains(name)
                || self.free.contains(name)
                || self.bound.iter().any(|(_, new)| new == name)
        };
        let fresh = fresh_name(name, in_scope);
        self.bound.push((name.clone(), fresh.clone()));
        let sort = binder.sort.as_ref().map(|sort| {
            let name = (self.meaning.sorts)(&sort.value).unwrap_or_else(|| sort.value.clone());
            Identifier::new(name, sort.span)
        });
        Binder { name: Identifier::new(fresh, binder.name.span), sort }
    }

    fn replace_name(
        &mut self,
        name: &Name,
        applied: Option<(Span, Vec<Expression>)>,
        span: Span,
    ) -> Result<Expression, RewriteObstacle> {
        let (at, arguments) = applied.unwrap_or((span, Vec::new()));
        let applied =
            |name, arguments| Expression::applied(Identifier::new(name, at), arguments, span);
        if let Some((_, new)) = self.bound.iter().rev().find(|(old, _)| old == name) {
            return Ok(applied(new.clone(), arguments));
        }
        let none = |found: Vec<Expression>, value| match found.len() {
            0 => Ok(value),
            found => Err(RewriteObstacle::Arity(name.clone(), 0, found, span)),
        };
        if let Some(inside) = self.uses.last()
            && let Some((_, value)) = inside.arguments.iter().find(|(param, _)| param == name)
        {
            return none(arguments, self.keep_moment(value.clone(), inside.words));
        }
        let replacement = match self.uses.is_empty() {
            true => (self.meaning.here)(name),
            false => (self.meaning.everywhere)(name),
        };
        match replacement {
            None => Ok(applied(name.clone(), arguments)),
            Some(Replacement::Name(new, mut leading)) => {
                leading.extend(arguments);
                Ok(applied(new, leading))
            }
            Some(Replacement::Value(value)) => none(arguments, self.keep_moment(value, 0)),
            Some(Replacement::Definition(definition)) => {
                self.write_out(name, &definition, arguments, span)
            }
        }
    }

    /// A value written under fewer words: it keeps its moment.
    ///
    /// A file uses one of the two words; expressions without it refer to the other state.
    fn keep_moment(&self, value: Expression, words: usize) -> Expression {
        let moment = match (self.words.len() > words, words.checked_sub(1)) {
            (false, _) => return value,
            (true, Some(innermost)) => self.words[innermost],
            (true, None) => match self.words[0] {
                Moment::Old => Moment::New,
                Moment::New => Moment::Old,
            },
        };
        let span = value.span;
        Expression::new(ExpressionKind::At(moment, value), span)
    }

    /// The arguments are rewritten already; the body is rewritten now, under their names.
    fn write_out(
        &mut self,
        name: &Name,
        definition: &MacroDefinition,
        arguments: Vec<Expression>,
        span: Span,
    ) -> Result<Expression, RewriteObstacle> {
        if definition.params.len() != arguments.len() {
            let (wanted, found) = (definition.params.len(), arguments.len());
            return Err(RewriteObstacle::Arity(name.clone(), wanted, found, span));
        }
        self.size += arguments.iter().map(size).sum::<usize>();
        let arguments = definition.params.iter().cloned().zip(arguments).collect();
        self.uses.push(MacroUse { arguments, words: self.words.len() });
        // What is bound around the use is not bound in the body, but must not be hidden by it.
        let outside = self.bound.iter().map(|(_, new)| (Name::from(""), new.clone())).collect();
        let outside = std::mem::replace(&mut self.bound, outside);
        let body = self.expression(&definition.body);
        self.bound = outside;
        self.uses.pop();
        body
    }
}

/// How many nodes an expression has.
fn size(expression: &Expression) -> usize {
    1 + expression.children().into_iter().map(size).sum::<usize>()
}

/// The same expression with `<->` for `=` between formulas, where `is_formula` knows the names of
/// formulas.
pub(crate) fn with_equivalences(
    expression: &Expression,
    is_formula: &dyn Fn(&Name) -> bool,
) -> Expression {
    let mapped = expression.map_children(|child| with_equivalences(child, is_formula));
    let ExpressionKind::Equal { left, right, negated } = &*mapped.kind else { return mapped };
    if !is_truth(left, is_formula) && !is_truth(right, is_formula) {
        return mapped;
    }
    let iff = ExpressionKind::Connective(Connective::Iff, left.clone(), right.clone());
    let iff = Expression::new(iff, mapped.span);
    if *negated { iff.negated() } else { iff }
}

fn is_truth(expression: &Expression, is_formula: &dyn Fn(&Name) -> bool) -> bool {
    match &*expression.kind {
        ExpressionKind::Integer(_)
        | ExpressionKind::Arithmetic(..)
        | ExpressionKind::Negative(_) => false,
        ExpressionKind::Name(name) => is_formula(name),
        ExpressionKind::Apply(name, _) => is_formula(&name.value),
        ExpressionKind::If { then, .. } => is_truth(then, is_formula),
        ExpressionKind::At(_, inner) => is_truth(inner, is_formula),
        _ => true,
    }
}
