//! The static rules about statements.

use super::check::Checker;
use super::kinds::{Kind, KindChecker, Place};
use super::messages::unknown;
use crate::diagnostic::{Diagnostic, Edit};
use crate::frontend::mercury::codes;
use crate::frontend::mercury::parse::tree::{
    ActionLine, BinaryOperator, Formula, FormulaKind, HandledEvent, Handler, Method, SendStep,
    Step, StepKind, Transport, VariableKind,
};
use crate::frontend::mercury::table::is_all_others;
use crate::frontend::syntax::surface::Identifier;
use crate::source::Span;

impl<'a> Checker<'a, '_> {
    /// Checks the statements of a handler.
    pub(crate) fn steps(&mut self, steps: &'a [Step], handler: &'a Handler) {
        for step in steps {
            match &step.value {
                StepKind::Assign(name, value) => self.assignment(name, value, handler),
                StepKind::Update(name, method, value) => {
                    self.set_variable(name);
                    let kind = match method {
                        Method::Add | Method::Remove => Kind::Process,
                        Method::AddAll | Method::RemoveAll => Kind::Set,
                    };
                    self.kind(value, kind, Place::Handler(handler));
                }
                StepKind::Send(send) => self.send(send, step.span, handler),
                StepKind::Goto(name) => self.location(name),
                StepKind::If(condition, then, otherwise) => {
                    self.kind(condition, Kind::Truth, Place::Handler(handler));
                    self.steps(then, handler);
                    self.steps(otherwise, handler);
                }
            }
        }
    }

    fn set_variable(&mut self, name: &Identifier) {
        match self.machine.variable(&name.value) {
            Some(line) if matches!(line.kind, VariableKind::Set) => {}
            Some(_) => {
                let message = format!("`{}` is not a set", name.value);
                self.refuse(codes::KIND, message, name.span);
            }
            None => {
                let known = self.machine.variables.iter().map(|line| line.name.value.clone());
                self.diagnostics.push(unknown("variable", name, known.collect()));
            }
        }
    }

    fn assignment(&mut self, name: &Identifier, value: &'a Formula, handler: &'a Handler) {
        let kind = self.machine.variable(&name.value).map(|line| &line.kind);
        match kind {
            Some(VariableKind::Integer(..)) => {
                if let FormulaKind::Default(of) = &value.value {
                    return self.first_value(of);
                }
                self.kind(value, Kind::Integer, Place::Handler(handler))
            }
            Some(VariableKind::Set) => self.kind(value, Kind::Set, Place::Handler(handler)),
            Some(VariableKind::Count(..)) => {
                let system = |action: &Identifier| {
                    self.table.actions.get(&action.value).is_none_or(|action| !action.env)
                };
                let receives = matches!(&handler.event, HandledEvent::Receive(a) if system(a));
                let counts = receives && adds_one(name, value);
                if !counts && !matches!(value.value, FormulaKind::Integer(0)) {
                    let message = format!(
                        "`{}` counts senders: it is set to 0, or one is added in the handler of a message between processes",
                        name.value
                    );
                    self.refuse(codes::COUNT, message, value.span);
                }
            }
            None => {
                let known = self.machine.variables.iter().map(|line| line.name.value.clone());
                self.diagnostics.push(unknown("variable", name, known.collect()));
                // What is wrong with the value is reported as well.
                let place = Place::Handler(handler);
                KindChecker { checker: self, place }.kind(value);
            }
        }
    }

    /// `default(v)`: the first value of a number.
    fn first_value(&mut self, of: &Identifier) {
        let message = match self.machine.variable(&of.value).map(|line| &line.kind) {
            Some(VariableKind::Integer(..)) => return,
            Some(VariableKind::Set) => "a set starts empty",
            Some(VariableKind::Count(..)) => "a count starts at 0",
            None if self.machine.location(&of.value).is_some() => "a location has no value",
            None => {
                let known = self.machine.variables.iter().map(|line| line.name.value.clone());
                return self.diagnostics.push(unknown("variable", of, known.collect()));
            }
        };
        let refusal = Diagnostic::error(codes::KIND, message, of.span);
        let hint =
            "`default(v)` is the first value of an integer variable `v`; write `Empty` for a set";
        self.diagnostics.push(refusal.hint(hint));
    }

    fn send(&mut self, send: &'a SendStep, span: Span, handler: &'a Handler) {
        let Some(action) = self.action(&send.action) else { return };
        let name = &action.name.value;
        if action.transport != send.transport {
            let (is, word) = match action.transport {
                Transport::Broadcast => ("a broadcast", "sendbr"),
                Transport::Rendezvous => ("a rendezvous", "sendrz"),
            };
            let refusal = Diagnostic::error(codes::DIRECTION, format!("`{name}` is {is}"), span);
            let written = Span::new(span.start, span.start + word.len());
            let refusal = refusal.hint(format!("send it by `{word}`"));
            self.diagnostics.push(refusal.mended([Edit::new(written, word)]));
        }
        self.direction(action, span, true);
        match (&send.payload, action.payload) {
            (Some(value), Some(interval)) => {
                self.kind(value, Kind::Integer, Place::Handler(handler));
                if let FormulaKind::Integer(constant) = value.value
                    && !(interval.lowest..=interval.highest).contains(&constant)
                {
                    let message = format!(
                        "`{name}` carries a value from {} to {}",
                        interval.lowest, interval.highest
                    );
                    self.refuse(codes::RANGE, message, value.span);
                }
            }
            (None, Some(_)) => {
                let refusal =
                    Diagnostic::error(codes::PAYLOAD, format!("`{name}` carries a value"), span);
                self.diagnostics.push(refusal.hint(format!("write `{name}[…]`")));
            }
            (Some(value), None) => {
                self.refuse(codes::PAYLOAD, format!("`{name}` carries no value"), value.span);
            }
            (None, None) => {}
        }
        if let Some(to) = &send.to {
            self.address(action, send.transport, to, handler);
        }
    }

    fn address(
        &mut self,
        action: &ActionLine,
        transport: Transport,
        to: &'a Formula,
        handler: &'a Handler,
    ) {
        if transport == Transport::Broadcast {
            return self.refuse(codes::DIRECTION, "a broadcast goes to everyone", to.span);
        }
        let FormulaKind::Field(from, field, None) = &to.value else {
            let message = "a message is sent to the sender of another one";
            let refusal = Diagnostic::error(codes::KIND, message, to.span);
            return self.diagnostics.push(refusal.hint("write `a.sID` for the sender of `a`"));
        };
        self.kind(to, Kind::Process, Place::Handler(handler));
        if &*field.value != "sID" {
            return;
        }
        if let Some(answered) = self.table.actions.get(&from.value)
            && answered.env != action.env
        {
            let (is, other) = match answered.env {
                true => ("comes from the environment", "goes to a process"),
                false => ("comes from a process", "goes to the environment"),
            };
            let message = format!("`{}` {is}, but `{}` {other}", from.value, action.name.value);
            self.refuse(codes::DIRECTION, message, to.span);
        }
    }
}

/// `c := c + 1`
fn adds_one(name: &Identifier, value: &Formula) -> bool {
    let FormulaKind::Binary(BinaryOperator::Plus, left, right) = &value.value else { return false };
    let is_it =
        |side: &Formula| matches!(&side.value, FormulaKind::Name(n) if n.value == name.value);
    let is_one = |side: &Formula| matches!(side.value, FormulaKind::Integer(1));
    (is_it(left) && is_one(right) || is_one(left) && is_it(right)) && !is_all_others(value)
}
