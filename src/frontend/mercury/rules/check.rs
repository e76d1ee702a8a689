//! The static rules: what a file may say, and where.

use std::collections::BTreeMap;

use super::kinds::{Kind, KindChecker, Place};
use super::messages::{one_of, unknown};
use super::proposals;
use crate::diagnostic::Diagnostic;
use crate::frontend::mercury::codes;
use crate::frontend::mercury::parse::tree::{
    ActionLine, CrashLine, Formula, HandledEvent, Handler, LocationPart, Machine, Reaction, Spec,
    StatePattern, Transport, VariableKind, VariableLine,
};
use crate::frontend::mercury::table::{AgreementKind, Table};
use crate::frontend::syntax::surface::Identifier;
use crate::logic::Name;
use crate::source::Span;

/// The most different values that a specification may allow: each is a process of its formula.
const MOST_AGREED: i64 = 8;

/// Which side of the messages is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// A process.
    Process,
    /// The written environment.
    Environment,
}

/// Checks every rule of a file.
pub(crate) fn check(table: &Table<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let file = table.file;
    if let [first, others @ ..] = &file.names[..] {
        for name in others {
            let twice = Diagnostic::error(codes::TWICE, "a file describes one process", name.span);
            diagnostics.push(twice.also(first.span, "the first one is here"));
        }
    } else {
        missing("`process NAME`", "begin the file with `process NAME`", diagnostics);
    }
    if file.safety.is_empty() {
        missing("a specification", "write `safety atmost(1, {L})`", diagnostics);
    }
    for action in &file.actions {
        let interval = action.payload.filter(|payload| payload.lowest > payload.highest);
        diagnostics.extend(interval.map(|interval| empty_range(interval.span)));
    }
    proposals::without_proposer(table, diagnostics);
    let environment = file.environment.as_ref().map(|(_, machine)| (machine, Side::Environment));
    for (machine, side) in [(&file.process, Side::Process)].into_iter().chain(environment) {
        Checker::new(table, machine, side, diagnostics).machine();
    }
    let mut specs = Checker::new(table, &file.process, Side::Process, diagnostics);
    for line in &file.safety {
        specs.spec(&line.spec);
    }
    for line in &file.crash {
        if let CrashLine::At(locations) = &line.value {
            for location in locations {
                specs.location(location);
            }
        }
    }
    if let [first, second, ..] = &file.crash[..] {
        let message = "where processes crash is stated twice";
        let twice = Diagnostic::error(codes::TWICE, message, second.span);
        diagnostics.push(twice.also(first.span, "first stated here"));
    }
}

fn missing(what: &str, hint: &str, diagnostics: &mut Vec<Diagnostic>) {
    let message = format!("{what} is missing");
    diagnostics.push(Diagnostic::error(codes::MISSING, message, Span::default()).hint(hint));
}

fn empty_range(span: Span) -> Diagnostic {
    let message = "this range has no value: its upper bound is less than its lower bound";
    Diagnostic::error(codes::RANGE, message, span)
}

/// Checks one machine.
pub(crate) struct Checker<'a, 'b> {
    /// The names.
    pub(crate) table: &'a Table<'a>,
    /// The machine.
    pub(crate) machine: &'a Machine,
    /// Whose it is.
    pub(crate) side: Side,
    /// Whether an action was sent or received before, and where.
    directions: BTreeMap<Name, (bool, Span)>,
    /// What is wrong.
    pub(crate) diagnostics: &'b mut Vec<Diagnostic>,
}

impl<'a, 'b> Checker<'a, 'b> {
    fn new(
        table: &'a Table<'a>,
        machine: &'a Machine,
        side: Side,
        diagnostics: &'b mut Vec<Diagnostic>,
    ) -> Self {
        Checker { table, machine, side, directions: BTreeMap::new(), diagnostics }
    }

    fn machine(&mut self) {
        for variable in &self.machine.variables {
            self.variable(variable.name.span, &variable.kind);
        }
        let initial: Vec<&LocationPart> =
            self.machine.locations.iter().filter(|location| location.initial).collect();
        match &initial[..] {
            [_] => {}
            [] => missing(
                "an initial location",
                "write `initial location NAME` for the place where processes start",
                self.diagnostics,
            ),
            [first, others @ ..] => {
                for other in others {
                    let message = "there is one initial location";
                    let twice = Diagnostic::error(codes::TWICE, message, other.name.span);
                    self.diagnostics.push(twice.also(first.name.span, "the first one is here"));
                }
            }
        }
        let handlers = self.machine.locations.iter().map(|location| location.handlers.len());
        if handlers.sum::<usize>() == 0 {
            missing(
                "a handler",
                "a process that does nothing has nothing to prove",
                self.diagnostics,
            );
        }
        for location in &self.machine.locations {
            self.handlers(location);
        }
    }

    pub(crate) fn refuse(
        &mut self,
        code: crate::diagnostic::Code,
        message: impl Into<String>,
        span: Span,
    ) {
        self.diagnostics.push(Diagnostic::error(code, message, span));
    }

    fn variable(&mut self, name: Span, kind: &VariableKind) {
        match kind {
            VariableKind::Integer(interval, initial) => {
                if interval.lowest > interval.highest {
                    self.diagnostics.push(empty_range(interval.span));
                } else if let Some(initial) = initial
                    && !(interval.lowest..=interval.highest).contains(&initial.value)
                {
                    self.refuse(
                        codes::RANGE,
                        "the initial value is outside the range",
                        initial.span,
                    );
                }
            }
            VariableKind::Count(lowest, initial) => {
                let values = std::iter::once(lowest).chain(initial);
                for value in values.filter(|value| value.value != 0) {
                    self.refuse(
                        codes::COUNT,
                        "a variable that counts up to `N` starts at 0",
                        value.span,
                    );
                }
                self.only_in_a_process("a count", name);
            }
            VariableKind::Set => self.only_in_a_process("a set", name),
        }
    }

    fn only_in_a_process(&mut self, what: &str, span: Span) {
        if self.side == Side::Environment {
            self.refuse(codes::UNSUPPORTED, format!("the environment does not have {what}"), span);
        }
    }

    fn handlers(&mut self, location: &'a LocationPart) {
        let mut agreements: BTreeMap<&Name, Span> = BTreeMap::new();
        for handler in &location.handlers {
            if let HandledEvent::Partition(name, ..) | HandledEvent::Consensus(name, ..) =
                &handler.event
            {
                self.only_in_a_process("an agreement", handler.span);
                if let Some(first) = agreements.insert(&name.value, handler.span) {
                    let message =
                        format!("`{}` has two handlers in `{}`", name.value, location.name.value);
                    let twice = Diagnostic::error(codes::AGREEMENT, message, handler.span);
                    self.diagnostics.push(twice.also(first, "the first one is here"));
                }
            }
            self.handler(handler);
        }
        for name in &location.passive {
            let is_broadcast = self
                .table
                .actions
                .get(&name.value)
                .map(|action| action.transport == Transport::Broadcast);
            match is_broadcast {
                Some(true) => {}
                Some(false) => {
                    let message =
                        format!("`{}` is a rendezvous: it need not be ignored", name.value);
                    self.refuse(codes::DIRECTION, message, name.span);
                }
                None if self.table.agreement(&name.value).is_some() => {}
                None => {
                    let agreements =
                        self.table.agreements.iter().map(|agreement| agreement.name.value.clone());
                    let known = self.table.actions.keys().cloned().chain(agreements).collect();
                    self.diagnostics.push(unknown("action or agreement", name, known));
                }
            }
        }
    }

    fn handler(&mut self, handler: &'a Handler) {
        let is_partition = matches!(handler.event, HandledEvent::Partition(..));
        match (&handler.reaction, &handler.event) {
            (Reaction::Split(..), HandledEvent::Partition(..))
            | (Reaction::Do(_), HandledEvent::Empty | HandledEvent::Receive(_))
            | (Reaction::Do(_), HandledEvent::Consensus(..))
            | (Reaction::Reply(_), HandledEvent::Receive(_)) => {}
            (Reaction::Split(..), _) => {
                self.refuse(
                    codes::REACTION,
                    "only a Partition has `win:` and `lose:`",
                    handler.span,
                );
            }
            (Reaction::Reply(_), _) => {
                self.refuse(codes::REACTION, "`reply` answers a `recv`", handler.span);
            }
            (Reaction::Do(_), _) => {
                let message = "a Partition has `win:` and `lose:`, not `do`";
                self.refuse(codes::REACTION, message, handler.span);
            }
        }
        if let Some(guard) = &handler.guard {
            if is_partition || matches!(handler.event, HandledEvent::Consensus(..)) {
                let message = "an agreement has no `where`: its participants decide who takes part";
                self.refuse(codes::REACTION, message, guard.span);
            }
            self.kind(guard, Kind::Truth, Place::Handler(handler));
        }
        match &handler.event {
            HandledEvent::Empty => {}
            HandledEvent::Receive(name) => {
                if let Some(action) = self.action(name) {
                    self.direction(action, name.span, false);
                }
            }
            HandledEvent::Partition(_, set, _) => self.kind(set, Kind::Set, Place::Participants),
            HandledEvent::Consensus(_, set, _, proposal) => {
                self.kind(set, Kind::Set, Place::Participants);
                if let Some(proposal) = proposal {
                    self.integer_variable(proposal);
                }
            }
        }
        match &handler.reaction {
            Reaction::Do(steps) => self.steps(steps, handler),
            Reaction::Reply(step) => self.steps(std::slice::from_ref(&**step), handler),
            Reaction::Split(win, lose) => {
                self.steps(win, handler);
                self.steps(lose, handler);
            }
        }
    }

    fn integer_variable(&mut self, name: &Identifier) {
        let is_integer = |kind: &VariableKind| matches!(kind, VariableKind::Integer(..));
        match self.machine.variable(&name.value) {
            Some(variable) if is_integer(&variable.kind) => {}
            Some(_) => {
                let message = format!("`{}` is not an integer variable", name.value);
                self.refuse(codes::KIND, message, name.span);
            }
            None => {
                let known = self.machine.variables.iter().map(|line| line.name.value.clone());
                self.diagnostics.push(unknown("variable", name, known.collect()));
            }
        }
    }

    /// The declaration of a message.
    pub(crate) fn action(&mut self, name: &Identifier) -> Option<&'a ActionLine> {
        let action = self.table.actions.get(&name.value).copied();
        if action.is_none() {
            let known: Vec<Name> = self.table.actions.keys().cloned().collect();
            let mut refusal = unknown("action", name, known.clone());
            if refusal.hint.is_none() && !known.is_empty() {
                refusal = refusal
                    .hint(format!("the declared actions are {}", one_of(&known)))
                    .instead_any(known.iter().map(Name::to_string));
            }
            self.diagnostics.push(refusal);
        }
        action
    }

    pub(crate) fn location(&mut self, name: &Identifier) {
        if self.machine.location(&name.value).is_none() {
            let known = self.machine.locations.iter().map(|location| location.name.value.clone());
            self.diagnostics.push(unknown("location", name, known.collect()));
        }
    }

    /// A message of the environment goes in one direction.
    pub(crate) fn direction(&mut self, action: &ActionLine, span: Span, sent: bool) {
        let name = &action.name.value;
        if self.side == Side::Environment && !action.env {
            let message =
                format!("`{name}` is between processes: the environment does not take part in it");
            self.refuse(codes::DIRECTION, message, span);
        }
        if self.side == Side::Process
            && sent
            && action.env
            && action.transport == Transport::Broadcast
        {
            let message =
                format!("`{name}` is a broadcast of the environment: no process sends it");
            self.refuse(codes::DIRECTION, message, span);
            return;
        }
        let first = *self.directions.entry(name.clone()).or_insert((sent, span));
        if action.env && first.0 != sent {
            let message = format!("`{name}` is both sent to the environment and received from it");
            let refusal = Diagnostic::error(codes::DIRECTION, message, span);
            let hint = "declare two actions, one for each direction";
            self.diagnostics.push(refusal.also(first.1, "the other direction is here").hint(hint));
        }
    }

    fn spec(&mut self, spec: &'a Spec) {
        match spec {
            Spec::AtMost(_, states) => self.states(states),
            Spec::Agree(most, states, variable) => {
                if !(1..=MOST_AGREED).contains(&most.value) {
                    let message = format!("1 to {MOST_AGREED} values may be allowed");
                    self.refuse(codes::RANGE, message, most.span);
                }
                self.states(states);
                self.integer_variable(variable);
            }
            Spec::All(parts) | Spec::Any(parts) => parts.iter().for_each(|part| self.spec(part)),
        }
    }

    fn states(&mut self, states: &'a [StatePattern]) {
        for state in states {
            let is_number = |line: &VariableLine| matches!(line.kind, VariableKind::Integer(..));
            let name = &state.location;
            if self.machine.location(&name.value).is_none()
                && self.machine.variable(&name.value).is_some_and(is_number)
            {
                let message =
                    format!("`{}` is a variable: states are counted, not values", name.value);
                let refusal = Diagnostic::error(codes::KIND, message, name.span);
                let hint = format!(
                    "write `agree(k, {{L}}, {})`: at most k different values at L",
                    name.value
                );
                self.diagnostics.push(refusal.hint(hint));
                continue;
            }
            self.location(&state.location);
            if let Some(condition) = &state.condition {
                self.kind(condition, Kind::Truth, Place::Specification);
            }
        }
    }

    /// Checks that an expression is of a kind.
    pub(crate) fn kind(&mut self, formula: &Formula, kind: Kind, place: Place<'a>) {
        KindChecker { checker: self, place }.expect(formula, kind);
    }

    /// The number of values that a Consensus decides.
    pub(crate) fn decided(&self, name: &Name) -> Option<usize> {
        let agreement = self.table.agreement(name)?;
        (agreement.kind == AgreementKind::Consensus).then_some(agreement.count)
    }
}
