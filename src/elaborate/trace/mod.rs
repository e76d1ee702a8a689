//! Trace files to external traces of a protocol: names, sorts, sizes, and a value for everything.
//!
//! The values are read first, with the elements by name (`cells`); what the names stand for and how
//! large the sorts are is known when all of them have been seen (`elements`); then the states are
//! filled in (`tables`).

mod cells;
mod elements;
mod tables;

use std::collections::BTreeMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::syntax::surface::Identifier;
use crate::frontend::trace::surface::{MESSAGE_LIMIT, StateItem, TraceFile};
use crate::logic::Name;
use crate::protocol::{ExternalTrace, Protocol, Rigidity, Sort, SymbolId};
use crate::source::Span;

use super::codes;
use crate::diagnostic::near_names::nearest;
use cells::{Cells, TraceAtom};
use elements::TraceElements;

/// A trace with the diagnostics about its text.
#[derive(Clone, Debug)]
pub struct ElaboratedTrace {
    /// The trace; `None` if and only if a diagnostic is an error.
    pub trace: Option<ExternalTrace>,
    /// Errors, warnings and notes, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a trace file as a trace of a protocol.
pub fn elaborate_trace(protocol: &Protocol, file: &TraceFile) -> ElaboratedTrace {
    let mut reader = TraceReader {
        protocol,
        symbols: protocol.signature.symbols().map(|(id, symbol)| (&*symbol.name, id)).collect(),
        elements: TraceElements::new(protocol),
        unknown: Vec::new(),
        messages: Messages::default(),
    };
    let mut states = Vec::new();
    for (index, state) in file.states.iter().enumerate() {
        if reader.messages.has_reached_limit() {
            break;
        }
        states.push(reader.state(index, state));
    }
    let TraceReader { elements, mut messages, .. } = reader;
    let numbered = elements.numbered(protocol, file, &mut messages);
    let trace = numbered.and_then(|numbered| {
        let is_complete = !messages.has_errors();
        is_complete
            .then(|| tables::external_trace(protocol, &states, numbered, &mut messages))
            .flatten()
    });
    let trace = trace.filter(|_| !messages.has_errors());
    let mut diagnostics = messages.all;
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    ElaboratedTrace { trace, diagnostics }
}

/// What is wrong or suspicious, up to the limit.
#[derive(Default)]
struct Messages {
    all: Vec<Diagnostic>,
    wrong: bool,
}

impl Messages {
    fn error(&mut self, code: Code, message: impl Into<String>, span: Span) {
        self.push(Diagnostic::error(code, message, span));
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        self.wrong |= diagnostic.is_error();
        let full = self.all.len() >= MESSAGE_LIMIT;
        // The first error is never left out.
        if !full || (diagnostic.is_error() && !self.all.iter().any(Diagnostic::is_error)) {
            self.all.push(diagnostic);
        }
    }

    fn has_errors(&self) -> bool {
        self.wrong
    }

    fn has_reached_limit(&self) -> bool {
        self.wrong && self.all.len() >= MESSAGE_LIMIT
    }
}

/// A state with the elements by name.
struct StateCells {
    values: BTreeMap<SymbolId, Cells>,
    action: Option<usize>,
    args: Vec<Option<TraceAtom>>,
    span: Span,
}

struct TraceReader<'a> {
    protocol: &'a Protocol,
    symbols: BTreeMap<&'a str, SymbolId>,
    elements: TraceElements<'a>,
    /// Reports each variable that the protocol does not have, once.
    unknown: Vec<Name>,
    messages: Messages,
}

impl TraceReader<'_> {
    fn state(&mut self, index: usize, state: &StateItem) -> StateCells {
        let signature = &self.protocol.signature;
        let mut values = BTreeMap::new();
        for (name, value) in &state.values {
            let Some(id) = self.symbols.get(&*name.value).copied() else {
                self.unknown_variable(name);
                continue;
            };
            // The error has been reported.
            let cells = self.cells(signature.symbol(id), value).unwrap_or(Cells::Mistaken);
            values.insert(id, cells);
        }
        for (id, symbol) in signature.symbols() {
            if !values.contains_key(&id) && (index == 0 || symbol.rigidity == Rigidity::Mutable) {
                let message = format!("`{}` has no value in this state", symbol.name);
                self.messages.error(codes::TRACE_FORM, message, state.span);
            }
        }
        // What led to the first state is not a step.
        let action = state.action.as_ref().filter(|_| index > 0).and_then(|name| self.action(name));
        let args = match action {
            Some(action) => self.args(action, state),
            None => Vec::new(),
        };
        StateCells { values, action, args, span: state.span }
    }

    fn unknown_variable(&mut self, name: &Identifier) {
        if self.unknown.contains(&name.value) || self.unknown.len() >= MESSAGE_LIMIT {
            return;
        }
        self.unknown.push(name.value.clone());
        let shown = name.value.escape_debug();
        let message = format!("the protocol has no symbol `{shown}`: its values are ignored");
        let known: Vec<Name> =
            self.protocol.signature.symbols().map(|(_, symbol)| symbol.name.clone()).collect();
        let mut warning = Diagnostic::warning(codes::UNKNOWN_NAME, message, name.span);
        warning.hint = nearest(&name.value, &known).map(|near| format!("did you mean `{near}`?"));
        self.messages.push(warning);
    }

    fn action(&mut self, name: &Identifier) -> Option<usize> {
        if let Some((action, _)) = self.protocol.action(&name.value) {
            return Some(action);
        }
        let message = format!("there is no action `{}`", name.value.escape_debug());
        let known: Vec<Name> =
            self.protocol.actions.iter().map(|action| action.name.clone()).collect();
        let hint = match nearest(&name.value, &known) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "leave it out to try every action".to_owned(),
        };
        self.messages.push(Diagnostic::error(codes::UNKNOWN_NAME, message, name.span).hint(hint));
        None
    }

    /// The arguments of an action, as far as they are given.
    fn args(&mut self, action: usize, state: &StateItem) -> Vec<Option<TraceAtom>> {
        let action = &self.protocol.actions[action];
        for (name, _) in &state.picks {
            if !action.params.iter().any(|param| param.name == name.value) {
                let shown = name.value.escape_debug();
                let message = format!("`{}` has no parameter `{shown}`", action.name);
                self.messages.error(codes::UNKNOWN_NAME, message, name.span);
            }
        }
        let mut args = Vec::new();
        for param in &action.params {
            let given = state.picks.iter().find(|(name, _)| name.value == param.name);
            args.push(given.and_then(|(_, value)| self.atom(param.sort, value)));
        }
        args
    }

    fn sort_name(&self, sort: Sort) -> Name {
        match sort {
            Sort::Declared(id) => self.protocol.signature.sort_name(id).clone(),
            Sort::Int => "int".into(),
        }
    }
}
