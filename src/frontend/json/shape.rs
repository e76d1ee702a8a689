//! What is expected of a JSON value, and the message when it is something else.

use super::value::{Kind, Spelling, Text, Value};
use crate::diagnostic::Diagnostic;
use crate::frontend::codes;
use crate::frontend::expression::{Builder, Place};
use crate::frontend::grammar::Rule;
use crate::frontend::items::read_alone;
use crate::frontend::matched::Matched;
use crate::frontend::surface::{Expression, Identifier};
use crate::source::{Span, Spanned};
use pest::iterators::Pair;

/// The members of an object, each at the place of its key.
pub(super) type Members<'v, const N: usize> = [&'v Value; N];

/// Reads values and keeps what is wrong with them.
#[derive(Default)]
pub(super) struct Shape {
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl Shape {
    pub(super) fn error(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(codes::SHAPE, message, span));
    }

    /// The members of an object that has exactly these keys, in this order.
    pub(super) fn members<'v, const N: usize>(
        &mut self,
        value: &'v Value,
        keys: [&str; N],
    ) -> Option<Members<'v, N>> {
        let Kind::Object(members) = &value.kind else {
            self.error(format!("expected an object with {}", list(&keys)), value.span);
            return None;
        };
        for (key, _) in members {
            if !keys.contains(&&*key.value) {
                let message = format!("there is no key `{}` here", key.value.escape_debug());
                let hint = format!("the keys are {}", list(&keys));
                let error = Diagnostic::error(codes::SHAPE, message, key.span).hint(hint);
                self.diagnostics.push(error);
            }
        }
        let find =
            |name: &str| members.iter().find(|(key, _)| key.value == name).map(|(_, value)| value);
        let missing: Vec<&str> = keys.iter().copied().filter(|key| find(key).is_none()).collect();
        if !missing.is_empty() {
            let start = Span::new(value.span.start, value.span.start + 1);
            self.error(format!("{} must be given here", list(&missing)), start);
            return None;
        }
        let found = keys.map(|key| find(key).unwrap_or(value));
        Some(found)
    }

    /// The items of a list.
    pub(super) fn list<'v>(&mut self, value: &'v Value) -> &'v [Value] {
        match &value.kind {
            Kind::List(all) => all,
            _ => {
                self.error("expected a list", value.span);
                &[]
            }
        }
    }

    /// Every item of a list, read in one way; what cannot be read is left out, with a message.
    pub(super) fn each<T>(
        &mut self,
        value: &Value,
        mut read: impl FnMut(&mut Self, &Value) -> Option<T>,
    ) -> Vec<T> {
        self.list(value).iter().filter_map(|item| read(self, item)).collect()
    }

    /// `None` for `null`.
    pub(super) fn optional<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match value.kind {
            Kind::Null => None,
            _ => Some(value),
        }
    }

    pub(super) fn truth(&mut self, value: &Value) -> Option<bool> {
        match value.kind {
            Kind::Bool(truth) => Some(truth),
            _ => {
                self.error("expected `true` or `false`", value.span);
                None
            }
        }
    }

    pub(super) fn integer(&mut self, value: &Value) -> Option<Spanned<i64>> {
        let number = match &value.kind {
            Kind::Number(number) => number.parse().ok(),
            _ => None,
        };
        if number.is_none() {
            self.error("expected an integer", value.span);
        }
        number.map(|number| Spanned::new(number, value.span))
    }

    pub(super) fn text<'v>(&mut self, value: &'v Value) -> Option<&'v Text> {
        match &value.kind {
            Kind::Text(text) => Some(text),
            _ => {
                self.error("expected a string", value.span);
                None
            }
        }
    }

    /// A string as it stands.
    pub(super) fn word(&mut self, value: &Value) -> Option<Identifier> {
        let text = self.text(value)?;
        Some(Spanned::new(text.value.as_str().into(), text.span))
    }

    /// A name.
    pub(super) fn name(&mut self, value: &Value) -> Option<Identifier> {
        self.piece(value, Rule::lone_name, |builder, pair| builder.identifier(&pair))
    }

    /// A list of names.
    pub(super) fn names(&mut self, value: &Value) -> Vec<Identifier> {
        self.each(value, Self::name)
    }

    /// A term or formula.
    pub(super) fn expression(&mut self, value: &Value) -> Option<Expression> {
        self.piece(value, Rule::lone_expression, Builder::expression)
    }

    /// A string that the grammar can read.
    pub(super) fn piece<T>(
        &mut self,
        value: &Value,
        rule: Rule,
        build: impl FnOnce(&mut Builder, Pair<'_, Rule>) -> T,
    ) -> Option<T> {
        let text = self.text(value)?;
        let place = match text.spelling {
            Spelling::Plain => Place::From(text.span.start),
            Spelling::Escaped => Place::Within(text.span),
        };
        let (read, messages) = read_alone(&text.value, place, rule, build);
        self.diagnostics.extend(messages);
        read
    }
}

fn list(keys: &[&str]) -> String {
    keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ")
}
