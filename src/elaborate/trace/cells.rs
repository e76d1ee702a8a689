//! The values of symbols in a trace: of the right form and the right sorts, elements by name.

use super::TraceReader;
use crate::elaborate::codes;
use crate::frontend::trace::surface::{TraceValue, ValueKind};
use crate::protocol::{Sort, SortId, Symbol};
use crate::source::Span;

/// The value of a symbol in one state.
pub(super) enum Cells {
    /// The arguments for which a relation holds.
    Set(Vec<(Vec<TraceAtom>, Span)>),
    /// A value for every argument.
    Map(Vec<(Vec<TraceAtom>, TraceAtom, Span)>, Span),
    /// Of a symbol without arguments.
    Single(TraceAtom),
    /// Nothing that could be read.
    Mistaken,
}

/// A truth value, an integer, or an element by its name.
#[derive(Clone, Copy)]
pub(super) enum TraceAtom {
    /// A truth value.
    Truth(bool),
    /// An integer.
    Integer(i64),
    /// The element of a sort that has this position among the names.
    Element(SortId, usize),
}

impl TraceReader<'_> {
    /// The value of a symbol; errors in it are reported.
    pub(super) fn cells(&mut self, symbol: &Symbol, value: &TraceValue) -> Option<Cells> {
        match (&value.value, symbol.params.is_empty(), symbol.result) {
            (_, true, result) => Some(Cells::Single(self.result(result, value)?)),
            (ValueKind::Set(items), false, None) => {
                let mut set = Vec::new();
                for item in items {
                    set.push((self.key(symbol, item), item.span));
                }
                let set = set.into_iter().map(|(key, span)| key.map(|key| (key, span)));
                Some(Cells::Set(set.collect::<Option<_>>()?))
            }
            (ValueKind::Map(pairs), false, result) => {
                let mut map = Vec::new();
                for (key, value) in pairs {
                    map.push((self.key(symbol, key), self.result(result, value), key.span));
                }
                let map = map.into_iter().map(|(key, value, span)| Some((key?, value?, span)));
                Some(Cells::Map(map.collect::<Option<_>>()?, value.span))
            }
            (found, false, result) => {
                let wanted = match result {
                    None => "a set of the arguments for which it holds",
                    Some(_) => "a map from its arguments to its values",
                };
                let found = found.description();
                let message = format!("`{}` is {wanted}, found {found}", symbol.name);
                self.messages.error(codes::TRACE_FORM, message, value.span);
                None
            }
        }
    }

    /// The arguments of a symbol: a tuple, or the only one.
    fn key(&mut self, symbol: &Symbol, value: &TraceValue) -> Option<Vec<TraceAtom>> {
        let items = match &value.value {
            ValueKind::Tuple(items) => &items[..],
            _ => std::slice::from_ref(value),
        };
        if items.len() != symbol.params.len() {
            let (wanted, found) = (symbol.params.len(), items.len());
            let arguments = if wanted == 1 { "argument" } else { "arguments" };
            let message = format!("`{}` has {wanted} {arguments}, found {found}", symbol.name);
            self.messages.error(codes::WRONG_ARITY, message, value.span);
            return None;
        }
        let mut args = Vec::new();
        for (sort, item) in symbol.params.iter().zip(items) {
            let atom = self.atom(*sort, item);
            if let Some(TraceAtom::Integer(int)) = atom {
                self.elements.argument(int, item.span);
            }
            args.push(atom);
        }
        args.into_iter().collect()
    }

    /// The value of a relation or of a function at some arguments.
    fn result(&mut self, result: Option<Sort>, value: &TraceValue) -> Option<TraceAtom> {
        match (result, &value.value) {
            (Some(sort), _) => self.atom(sort, value),
            (None, ValueKind::Truth(truth)) => Some(TraceAtom::Truth(*truth)),
            (None, other) => {
                let message = format!("expected a truth value, found {}", other.description());
                self.messages.error(codes::SORT_MISMATCH, message, value.span);
                None
            }
        }
    }

    /// An element of a sort.
    pub(super) fn atom(&mut self, sort: Sort, value: &TraceValue) -> Option<TraceAtom> {
        match (sort, &value.value) {
            (Sort::Int, ValueKind::Integer(int)) => Some(TraceAtom::Integer(*int)),
            (Sort::Declared(id), ValueKind::Text(name)) => {
                Some(TraceAtom::Element(id, self.elements.mention(id, name)))
            }
            (_, other) => {
                let wanted = match sort {
                    Sort::Int => "an integer".to_owned(),
                    Sort::Declared(_) => {
                        format!("an element of `{}`, as a string", self.sort_name(sort))
                    }
                };
                let message = format!("expected {wanted}, found {}", other.description());
                self.messages.error(codes::SORT_MISMATCH, message, value.span);
                None
            }
        }
    }
}
