//! Traces in the Informal Trace Format (Apalache's ADR-015) to surface trees.
//!
//! Reads what `report::itf` writes and what other tools write: integers may be plain numbers, the
//! action and its arguments may be missing, and unknown members are ignored. The action
//! and its arguments are named as Quint names them.

use super::json;
use super::json::{JsonValue, Kind, Text};
use super::surface::{MESSAGE_LIMIT, StateItem, TraceFile, TraceValue, ValueKind};
use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::codes;
use crate::frontend::syntax::surface::Identifier;
use crate::source::{SourceFile, Span, Spanned};

const ACTION: &str = "mbt::actionTaken";
const PICKS: &str = "mbt::nondetPicks";

/// The result of reading a trace; there is always one, whatever errors the text has.
#[derive(Clone, Debug)]
pub struct ParsedTrace {
    /// What could be read.
    pub file: TraceFile,
    /// What is wrong or suspicious.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a trace.
pub fn parse_trace(source: &SourceFile) -> ParsedTrace {
    let mut reader = ItfReader::default();
    let file = match json::read(source.text()) {
        Ok(value) => reader.file(&value),
        Err(_) if source.text().trim().is_empty() => {
            reader.diagnostics.push(no_trace());
            None
        }
        Err(error) => {
            reader.diagnostics.push(*error);
            None
        }
    };
    let mut diagnostics = reader.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    ParsedTrace { file: file.unwrap_or_default(), diagnostics }
}

/// A search that found nothing writes nothing.
fn no_trace() -> Diagnostic {
    Diagnostic::error(codes::SYNTAX, "there is no trace: the file is empty", Span::default())
        .hint("`rmlcut explore --format itf` writes a trace only if there is a violation")
}

type ItfMembers = [(Text, JsonValue)];

fn member<'v>(members: &'v ItfMembers, name: &str) -> Option<&'v JsonValue> {
    members.iter().find(|(key, _)| key.value == name).map(|(_, value)| value)
}

/// The place where an object or a list begins.
fn opening(span: Span) -> Span {
    Span::new(span.start, span.start + 1)
}

fn identifier(text: &Text) -> Identifier {
    Spanned::new(text.value.as_str().into(), text.span)
}

#[derive(Default)]
struct ItfReader {
    diagnostics: Vec<Diagnostic>,
}

impl ItfReader {
    fn error(&mut self, message: impl Into<String>, span: Span) {
        if self.diagnostics.len() < MESSAGE_LIMIT {
            self.diagnostics.push(Diagnostic::error(codes::SHAPE, message, span));
        }
    }

    fn file(&mut self, value: &JsonValue) -> Option<TraceFile> {
        let Kind::Object(members) = &value.kind else {
            self.error("a trace is an object with `vars` and `states`", value.span);
            return None;
        };
        let mut file = TraceFile::default();
        // Whatever else it is, it is not about us.
        if let Some(Kind::Object(meta)) = member(members, "#meta").map(|meta| &meta.kind) {
            file.size = member(meta, "size").map_or_else(Vec::new, |size| self.size(size));
            file.range = member(meta, "int").and_then(|range| self.range(range));
        }
        if let Some(at) = member(members, "loop").filter(|at| at.kind != Kind::Null) {
            let message = "`loop` is ignored: every state is replayed once";
            self.diagnostics.push(Diagnostic::note(codes::NOT_USED, message, at.span));
        }
        match member(members, "states").map(|states| (&states.kind, states.span)) {
            Some((Kind::List(states), span)) => {
                if states.is_empty() {
                    self.error("a trace has at least one state", span);
                }
                file.states = states.iter().filter_map(|state| self.state(state)).collect();
            }
            Some((_, span)) => self.error("`states` is a list of states", span),
            None => self.error("`states` must be given here", opening(value.span)),
        }
        Some(file)
    }

    fn size(&mut self, value: &JsonValue) -> Vec<(Identifier, Spanned<i64>)> {
        let Kind::Object(members) = &value.kind else {
            self.error("`size` is an object with a number of elements for each sort", value.span);
            return Vec::new();
        };
        let mut sizes = Vec::new();
        for (sort, count) in members {
            match kind(count) {
                ValueKind::Integer(number) => {
                    sizes.push((identifier(sort), Spanned::new(number, count.span)));
                }
                other => {
                    let found = other.description();
                    self.error(format!("expected a number of elements, found {found}"), count.span);
                }
            }
        }
        sizes
    }

    fn range(&mut self, value: &JsonValue) -> Option<Spanned<(i64, i64)>> {
        let ends = match &value.kind {
            Kind::List(ends) => ends.iter().map(kind).collect(),
            _ => Vec::new(),
        };
        if let [ValueKind::Integer(low), ValueKind::Integer(high)] = ends[..] {
            return Some(Spanned::new((low, high), value.span));
        }
        self.error("`int` is a list of two integers, the least and the greatest", value.span);
        None
    }

    fn state(&mut self, value: &JsonValue) -> Option<StateItem> {
        let Kind::Object(members) = &value.kind else {
            self.error("a state is an object with a value for each variable", value.span);
            return None;
        };
        let action = member(members, ACTION).and_then(|action| self.action(action));
        let picks = member(members, PICKS).map_or_else(Vec::new, |picks| self.picks(picks));
        let values = members
            .iter()
            .filter(|(key, _)| {
                !key.value.starts_with('#') && ![ACTION, PICKS].contains(&&*key.value)
            })
            .map(|(key, value)| (identifier(key), converted(value)));
        Some(StateItem { values: values.collect(), action, picks, span: opening(value.span) })
    }

    /// An empty name means that the action is unknown.
    fn action(&mut self, value: &JsonValue) -> Option<Identifier> {
        match &value.kind {
            Kind::Text(name) if name.value.is_empty() => None,
            Kind::Text(name) => Some(identifier(name)),
            Kind::Null => None,
            _ => {
                self.error("the action taken is a string", value.span);
                None
            }
        }
    }

    fn picks(&mut self, value: &JsonValue) -> Vec<(Identifier, TraceValue)> {
        match &value.kind {
            Kind::Object(members) => {
                let picked = |(key, value)| pick(value).map(|value| (identifier(key), value));
                members.iter().map(|(key, value)| (key, value)).filter_map(picked).collect()
            }
            Kind::Null => Vec::new(),
            _ => {
                self.error("the picks are an object with a value for each parameter", value.span);
                Vec::new()
            }
        }
    }
}

/// `{ "tag": "Some", "value": v }`, or the value itself; `None` where nothing was picked.
fn pick(value: &JsonValue) -> Option<TraceValue> {
    let Kind::Object(members) = &value.kind else { return Some(converted(value)) };
    match member(members, "tag").map(|tag| &tag.kind) {
        Some(Kind::Text(tag)) if tag.value == "None" => None,
        Some(Kind::Text(tag)) if tag.value == "Some" => {
            Some(member(members, "value").map_or_else(|| converted(value), converted))
        }
        _ => Some(converted(value)),
    }
}

fn converted(value: &JsonValue) -> TraceValue {
    Spanned::new(kind(value), value.span)
}

fn all(values: &[JsonValue]) -> Vec<TraceValue> {
    values.iter().map(converted).collect()
}

fn kind(value: &JsonValue) -> ValueKind {
    match &value.kind {
        Kind::Null => ValueKind::Foreign("`null`"),
        Kind::Bool(truth) => ValueKind::Truth(*truth),
        Kind::Number(number) => integer(number),
        Kind::Text(text) => ValueKind::Text(identifier(text)),
        Kind::List(_) => ValueKind::Foreign("a list"),
        Kind::Object(members) => tagged(members),
    }
}

fn integer(number: &str) -> ValueKind {
    number
        .parse()
        .map_or(ValueKind::Foreign("a number that is not a 64-bit integer"), ValueKind::Integer)
}

/// What the format writes as an object with one key that begins with `#`.
fn tagged(members: &ItfMembers) -> ValueKind {
    if let Some(big) = member(members, "#bigint") {
        return match &big.kind {
            Kind::Text(digits) => integer(&digits.value),
            Kind::Number(digits) => integer(digits),
            _ => ValueKind::Foreign("a `#bigint` that is not a string"),
        };
    }
    let list = |name: &str| match member(members, name).map(|list| &list.kind) {
        Some(Kind::List(items)) => Some(items),
        _ => None,
    };
    if let Some(items) = list("#tup") {
        ValueKind::Tuple(all(items))
    } else if let Some(items) = list("#set") {
        ValueKind::Set(all(items))
    } else if let Some(items) = list("#map") {
        let pairs = items.iter().map(|pair| match &pair.kind {
            Kind::List(pair) => match &pair[..] {
                [key, value] => Some((converted(key), converted(value))),
                _ => None,
            },
            _ => None,
        });
        let pairs: Option<Vec<_>> = pairs.collect();
        pairs.map_or(ValueKind::Foreign("a `#map` that is not a list of pairs"), ValueKind::Map)
    } else if member(members, "#unserializable").is_some() {
        ValueKind::Foreign("a value that another tool could not write")
    } else {
        ValueKind::Foreign("a record")
    }
}
