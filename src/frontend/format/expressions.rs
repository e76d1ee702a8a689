//! Expressions as canonical text: ASCII spellings, no needless parentheses, long ones broken over
//! lines where the language allows it.
//!
//! What is printed reads back as the same tree.

use itertools::Itertools;

use crate::frontend::syntax::surface::{
    Arithmetic, Binder, Connective, Expression, ExpressionKind, Hole, HoleForm,
};

/// Lines are broken to be no longer than this, where that is possible.
pub(crate) const WIDTH: usize = 100;

/// An expression on one line.
pub fn print_expression(expression: &Expression) -> String {
    flat(expression, SurfaceLevel::Conditional, Follow::Nothing)
}

/// An expression that begins at `column`, its further lines indented by `indentation`.
pub(crate) fn print_broken(expression: &Expression, column: usize, indentation: usize) -> String {
    let mut printer =
        SurfacePrinter { output: String::new(), lines: Some(Lines { column, indentation }) };
    printer.node(expression, SurfaceLevel::Conditional, Follow::Nothing);
    printer.output
}

/// A variable or parameter, with its sort if it has one.
pub(crate) fn print_binder(binder: &Binder) -> String {
    match &binder.sort {
        Some(sort) => format!("{}: {}", binder.name.value, sort.value),
        None => binder.name.value.to_string(),
    }
}

/// A hole, on one line.
fn hole_text(hole: &Hole) -> String {
    let name = hole.name.as_ref().map_or("", |name| &name.value);
    let listed = |members: &[Expression]| members.iter().map(print_expression).join(", ");
    match &hole.form {
        HoleForm::Open => format!("??{name}"),
        HoleForm::OneOf(members) => format!("??{name}{{{}}}", listed(members)),
        HoleForm::Table(members) => format!("??{name}[{}]", listed(members)),
    }
}

/// How tightly an expression binds, loosest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum SurfaceLevel {
    Conditional,
    Equivalence,
    Implication,
    Disjunction,
    Conjunction,
    Negation,
    Comparison,
    Sum,
    Negative,
    Atom,
}

/// What comes after an expression, up to the next closing bracket. A quantifier would swallow it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Follow {
    Nothing,
    Something,
}

fn level(kind: &ExpressionKind) -> SurfaceLevel {
    match kind {
        ExpressionKind::If { .. } => SurfaceLevel::Conditional,
        ExpressionKind::Connective(Connective::Iff, ..) => SurfaceLevel::Equivalence,
        ExpressionKind::Connective(Connective::Implies, ..) => SurfaceLevel::Implication,
        ExpressionKind::Or(_) => SurfaceLevel::Disjunction,
        ExpressionKind::And(_) => SurfaceLevel::Conjunction,
        ExpressionKind::Not(_) | ExpressionKind::Quantified(..) => SurfaceLevel::Negation,
        ExpressionKind::Equal { .. } | ExpressionKind::Compare { .. } => SurfaceLevel::Comparison,
        ExpressionKind::Arithmetic(..) => SurfaceLevel::Sum,
        ExpressionKind::Negative(_) => SurfaceLevel::Negative,
        ExpressionKind::Truth(_)
        | ExpressionKind::Integer(_)
        | ExpressionKind::Name(_)
        | ExpressionKind::Apply(..)
        | ExpressionKind::At(..)
        | ExpressionKind::Hole(_) => SurfaceLevel::Atom,
    }
}

fn flat(expression: &Expression, least: SurfaceLevel, follow: Follow) -> String {
    let mut printer = SurfacePrinter { output: String::new(), lines: None };
    printer.node(expression, least, follow);
    printer.output
}

struct SurfacePrinter {
    output: String,
    /// Where lines may be broken if the whole does not fit on one.
    lines: Option<Lines>,
}

struct Lines {
    /// Where the output began.
    column: usize,
    /// Of every further line.
    indentation: usize,
}

impl SurfacePrinter {
    /// An expression in a place for those that bind at least as tightly as `least`.
    fn node(&mut self, expression: &Expression, least: SurfaceLevel, follow: Follow) {
        if self.lines.is_some() {
            let flat = flat(expression, least, follow);
            if self.column() + flat.chars().count() <= WIDTH {
                self.output.push_str(&flat);
                return;
            }
        }
        let kind = &*expression.kind;
        let swallows =
            matches!(kind, ExpressionKind::Quantified(..)) && follow == Follow::Something;
        if level(kind) < least || swallows {
            self.output.push('(');
            self.kind(kind, Follow::Nothing);
            self.output.push(')');
        } else {
            self.kind(kind, follow);
        }
    }

    fn kind(&mut self, kind: &ExpressionKind, follow: Follow) {
        let sign = kind.sign().unwrap_or_default();
        match kind {
            ExpressionKind::Truth(_) => self.output.push_str(sign),
            ExpressionKind::Integer(value) => self.output.push_str(&value.to_string()),
            ExpressionKind::Name(name) => self.output.push_str(name),
            ExpressionKind::Apply(name, arguments) => self.application(&name.value, arguments),
            ExpressionKind::At(_, inner) => self.application(sign, std::slice::from_ref(inner)),
            ExpressionKind::Hole(hole) => self.output.push_str(&hole_text(hole)),
            ExpressionKind::And(members) | ExpressionKind::Or(members) => {
                self.members(members, sign);
            }
            ExpressionKind::Connective(connective, left, right) => {
                let (looser, tighter) = match connective {
                    Connective::Iff => (SurfaceLevel::Implication, SurfaceLevel::Implication),
                    Connective::Implies => (SurfaceLevel::Disjunction, SurfaceLevel::Implication),
                };
                self.node(left, looser, Follow::Something);
                self.operator(sign);
                self.node(right, tighter, follow);
            }
            ExpressionKind::Equal { left, right, .. }
            | ExpressionKind::Compare { left, right, .. } => {
                self.node(left, SurfaceLevel::Sum, Follow::Something);
                self.operator(sign);
                self.node(right, SurfaceLevel::Sum, follow);
            }
            ExpressionKind::Arithmetic(arithmetic, left, right) => {
                self.sum(*arithmetic, left, right, follow);
            }
            ExpressionKind::Negative(inner) => {
                self.output.push_str(sign);
                self.node(inner, SurfaceLevel::Negative, follow);
            }
            ExpressionKind::Not(inner) => self.negation(inner, follow),
            ExpressionKind::If { then, condition, otherwise } => {
                self.conditional(then, condition, otherwise, follow);
            }
            ExpressionKind::Quantified(_, binders, body) => self.quantified(sign, binders, body),
        }
    }

    fn application(&mut self, name: &str, arguments: &[Expression]) {
        self.output.push_str(name);
        self.output.push('(');
        for (index, argument) in arguments.iter().enumerate() {
            if index > 0 {
                self.output.push(',');
                self.blank_or_line();
            }
            self.node(argument, SurfaceLevel::Conditional, Follow::Nothing);
        }
        self.output.push(')');
    }

    /// `&` inside `|` could do without parentheses, and so could a quantifier at the end; they are
    /// easier to read with.
    fn members(&mut self, members: &[Expression], sign: &str) {
        for (index, member) in members.iter().enumerate() {
            if index > 0 {
                self.operator(sign);
            }
            self.node(member, SurfaceLevel::Negation, Follow::Something);
        }
    }

    /// `-` may not begin a line, hence sums stay on theirs.
    fn sum(
        &mut self,
        arithmetic: Arithmetic,
        left: &Expression,
        right: &Expression,
        follow: Follow,
    ) {
        self.node(left, SurfaceLevel::Sum, Follow::Something);
        self.output.push_str(match arithmetic {
            Arithmetic::Add => " + ",
            Arithmetic::Subtract => " - ",
        });
        self.node(right, SurfaceLevel::Negative, follow);
    }

    /// `~a = b` is `~(a = b)`, which is easier to read.
    fn negation(&mut self, inner: &Expression, follow: Follow) {
        self.output.push('~');
        let least = match level(&inner.kind) {
            SurfaceLevel::Negation => SurfaceLevel::Negation,
            _ => SurfaceLevel::Atom,
        };
        self.node(inner, least, follow);
    }

    fn conditional(
        &mut self,
        then: &Expression,
        condition: &Expression,
        otherwise: &Expression,
        follow: Follow,
    ) {
        self.node(then, SurfaceLevel::Equivalence, Follow::Something);
        self.output.push_str(" if ");
        self.node(condition, SurfaceLevel::Equivalence, Follow::Nothing);
        self.output.push_str(" else ");
        self.node(otherwise, SurfaceLevel::Conditional, follow);
    }

    fn quantified(&mut self, sign: &str, binders: &[Binder], body: &Expression) {
        self.output.push_str(sign);
        self.output.push(' ');
        self.output.push_str(&binders.iter().map(print_binder).join(", "));
        self.output.push('.');
        self.blank_or_line();
        self.node(body, SurfaceLevel::Conditional, Follow::Nothing);
    }

    fn operator(&mut self, sign: &str) {
        self.blank_or_line();
        self.output.push_str(sign);
        self.output.push(' ');
    }

    fn blank_or_line(&mut self) {
        match &self.lines {
            None => self.output.push(' '),
            Some(lines) => {
                self.output.push('\n');
                self.output.extend(std::iter::repeat_n(' ', lines.indentation));
            }
        }
    }

    fn column(&self) -> usize {
        match (self.output.rfind('\n'), &self.lines) {
            (Some(newline), _) => self.output[newline + 1..].chars().count(),
            (None, Some(lines)) => lines.column + self.output.chars().count(),
            (None, None) => 0,
        }
    }
}
