//! The symbolic run of handlers: from statements to leaves.
//!
//! A run starts without knowing any variable. Where a condition or a value needs one, the run is
//! repeated for each of its values; so a leaf depends on what its path reads, and on nothing else.

use std::collections::BTreeMap;

use super::local::{DataValue, LeafEvent, LeafRole, LocalLeaf, LocalModel, LocalPoint, SetValue};
use super::parse::tree::{Formula, HandledEvent, Machine, Reaction, Step, StepKind};
use super::table::Table;
use super::values::{Known, Needed};
use crate::logic::Name;
use crate::source::Span;

/// The most leaves that are written out.
const MOST_LEAVES: usize = 20_000;

/// There are too many leaves.
pub(super) struct TooMany;

/// Where a process stands in a handler: the statements that are left, innermost block last.
#[derive(Clone)]
pub(super) struct Continuation<'a> {
    /// The location of the handler.
    pub(super) location: usize,
    /// The position of the handler there.
    pub(super) handler: usize,
    /// Its place.
    pub(super) span: Span,
    /// What is left.
    pub(super) rest: Vec<&'a [Step]>,
}

/// What the event of a leaf gives to its handler.
#[derive(Clone, Default)]
pub(super) struct Given {
    /// The message that is being received, and its value.
    pub(super) received: Option<(Name, Option<i64>)>,
    /// The agreement, and the values it decided.
    pub(super) decided: Option<(Name, Vec<i64>)>,
}

/// Runs the handlers of one machine.
pub(super) struct Runner<'a> {
    /// The names.
    pub(super) table: &'a Table<'a>,
    /// The machine.
    pub(super) machine: &'a Machine,
    /// Whether it is the environment.
    pub(super) environment: bool,
    /// What has been written out.
    pub(super) model: LocalModel,
    /// Where processes rest: by the place of the send.
    pub(super) resting: BTreeMap<usize, (usize, Continuation<'a>)>,
    /// Resting points that have not been run yet.
    waiting: Vec<usize>,
}

/// How a leaf begins.
#[derive(Clone)]
pub(super) struct Beginning<'a> {
    /// What it belongs to.
    event: LeafEvent,
    /// Its part.
    role: LeafRole,
    /// Where.
    pub(super) source: usize,
    /// When.
    guard: Option<&'a Formula>,
    /// What the event gives.
    given: Given,
    /// The statements.
    pub(super) at: Continuation<'a>,
    /// Whether the first send is part of the step.
    sends: bool,
    /// What changes before the first statement.
    writes: BTreeMap<usize, i64>,
}

impl<'a> Runner<'a> {
    /// A runner for a machine whose variables and links are declared already.
    pub(super) fn new(table: &'a Table<'a>, machine: &'a Machine, model: LocalModel) -> Self {
        let environment = !std::ptr::eq(machine, &table.file.process);
        let (resting, waiting) = (BTreeMap::new(), Vec::new());
        Runner { table, machine, environment, model, resting, waiting }
    }

    /// Runs every handler and every resting point.
    pub(super) fn run(mut self) -> Result<LocalModel, TooMany> {
        let machine = self.machine;
        for (location, part) in machine.locations.iter().enumerate() {
            for (handler, read) in part.handlers.iter().enumerate() {
                let at = |rest| Continuation { location, handler, span: read.span, rest };
                match &read.reaction {
                    Reaction::Do(steps) => {
                        self.handler(&read.event, read.guard.as_ref(), at(vec![steps]))?
                    }
                    Reaction::Reply(step) => {
                        let steps = std::slice::from_ref(&**step);
                        self.handler(&read.event, read.guard.as_ref(), at(vec![steps]))?;
                    }
                    Reaction::Split(win, lose) => {
                        self.split(&read.event, at(vec![win]), at(vec![lose]))?
                    }
                }
            }
            for (index, name) in part.passive.iter().enumerate() {
                self.passive(location, part.handlers.len() + index, name)?;
            }
        }
        while let Some(place) = self.waiting.pop() {
            self.rest(place)?;
        }
        Ok(self.model)
    }

    fn handler(
        &mut self,
        event: &'a HandledEvent,
        guard: Option<&'a Formula>,
        at: Continuation<'a>,
    ) -> Result<(), TooMany> {
        let source = at.location;
        let mut begin = Beginning {
            event: LeafEvent::Internal,
            role: LeafRole::Alone,
            source,
            guard,
            given: Given::default(),
            at,
            sends: true,
            writes: BTreeMap::new(),
        };
        match event {
            HandledEvent::Empty => self.explore(&begin),
            HandledEvent::Receive(name) => {
                let Some((message, action)) = self.message(&name.value) else { return Ok(()) };
                begin.event = LeafEvent::Message(message);
                begin.sends = false;
                for payload in self.table.payloads(action) {
                    begin.role = LeafRole::Receive(payload);
                    begin.given.received = Some((name.value.clone(), payload));
                    self.explore(&begin)?;
                }
                Ok(())
            }
            HandledEvent::Consensus(name, _, _, proposal) => {
                let Some(position) = self.table.agreement_position(&name.value) else {
                    return Ok(());
                };
                begin.event = LeafEvent::Agreement(position);
                begin.sends = false;
                if self.table.domains.decision(&name.value).is_some() {
                    let proposal = proposal.as_ref().and_then(|name| self.data(&name.value));
                    begin.role = LeafRole::Settle(proposal);
                    begin.given.decided = Some((name.value.clone(), Vec::new()));
                    return self.explore(&begin);
                }
                let proposal = proposal.as_ref().and_then(|name| self.variable(&name.value));
                for values in self.decisions(position) {
                    begin.role = LeafRole::Decide(proposal, values.clone());
                    begin.given.decided = Some((name.value.clone(), values));
                    self.explore(&begin)?;
                }
                Ok(())
            }
            HandledEvent::Partition(..) => Ok(()),
        }
    }

    fn split(
        &mut self,
        event: &HandledEvent,
        win: Continuation<'a>,
        lose: Continuation<'a>,
    ) -> Result<(), TooMany> {
        let HandledEvent::Partition(name, ..) = event else { return Ok(()) };
        let Some(position) = self.table.agreement_position(&name.value) else { return Ok(()) };
        for (role, at) in [(LeafRole::Win, win), (LeafRole::Lose, lose)] {
            self.explore(&Beginning {
                event: LeafEvent::Agreement(position),
                source: at.location,
                guard: None,
                given: Given::default(),
                at,
                sends: false,
                writes: self.marks(&name.value, role == LeafRole::Win),
                role,
            })?;
        }
        Ok(())
    }

    /// The marks that a run of an agreement leaves: whether the process won or lost it, and nothing
    /// of agreements among its winners or losers, which have to run again.
    fn marks(&self, name: &Name, won: bool) -> BTreeMap<usize, i64> {
        let mut writes = BTreeMap::new();
        let below = super::rules::flow::descendants(self.table, name);
        for (of, value) in
            std::iter::once((name, true)).chain(below.iter().map(|below| (below, false)))
        {
            for (mark, holds) in [(won_mark(of), won), (lost_mark(of), !won)] {
                if let Some(variable) = self.variable(&mark) {
                    writes.insert(variable, i64::from(value && holds));
                }
            }
        }
        writes
    }

    /// A broadcast that is ignored is received without effect.
    fn passive(
        &mut self,
        location: usize,
        handler: usize,
        name: &crate::frontend::syntax::surface::Identifier,
    ) -> Result<(), TooMany> {
        let Some((message, action)) = self.message(&name.value) else { return Ok(()) };
        for payload in self.table.payloads(action) {
            self.explore(&Beginning {
                event: LeafEvent::Message(message),
                role: LeafRole::Receive(payload),
                source: location,
                guard: None,
                given: Given { received: Some((name.value.clone(), payload)), decided: None },
                at: Continuation { location, handler, span: name.span, rest: Vec::new() },
                sends: false,
                writes: BTreeMap::new(),
            })?;
        }
        Ok(())
    }

    /// The send that a resting point stands before, and what follows.
    fn rest(&mut self, place: usize) -> Result<(), TooMany> {
        let Some((point, at)) = self.resting.get(&place).cloned() else { return Ok(()) };
        self.explore(&Beginning {
            event: LeafEvent::Internal,
            role: LeafRole::Alone,
            source: point,
            guard: None,
            given: Given::default(),
            at,
            sends: true,
            writes: BTreeMap::new(),
        })
    }

    /// Runs from a beginning, once for every way its conditions can be.
    fn explore(&mut self, begin: &Beginning<'a>) -> Result<(), TooMany> {
        let mut open = vec![Known::default()];
        while let Some(known) = open.pop() {
            match self.once(begin, known.clone()) {
                Ok(leaf) => self.model.leaves.extend(leaf),
                Err(Needed::Variable(variable)) => {
                    let values = self.model.variables[variable].values().rev();
                    open.extend(values.map(|value| known.with_value(variable, value)));
                }
                Err(Needed::Link(atom)) => {
                    open.push(known.with_atom(atom.clone(), false));
                    open.push(known.with_atom(atom, true));
                }
            }
            if self.model.leaves.len() + open.len() > MOST_LEAVES {
                return Err(TooMany);
            }
        }
        Ok(())
    }

    /// One run under assumptions; no leaf if the guard fails.
    fn once(&mut self, begin: &Beginning<'a>, known: Known) -> Result<Option<LocalLeaf>, Needed> {
        let mut run = LeafRun { known, given: begin.given.clone(), goto: None };
        for (variable, value) in &begin.writes {
            run.known.write(*variable, *value);
        }
        if let Some(guard) = begin.guard
            && !self.truth(&mut run, guard)?
        {
            return Ok(None);
        }
        let (mut event, mut role) = (begin.event.clone(), begin.role.clone());
        let mut sends = begin.sends;
        let mut rest = begin.at.rest.clone();
        let mut target = begin.at.location;
        while let Some(block) = rest.pop() {
            let Some((step, after)) = block.split_first() else { continue };
            match &step.value {
                StepKind::Goto(name) => {
                    target = self.machine.location(&name.value).unwrap_or(target);
                    run.goto = Some(name.span);
                    break;
                }
                StepKind::Send(send) if sends => {
                    sends = false;
                    rest.push(after);
                    match self.sent(&mut run, send, begin)? {
                        Some((message, sent)) => {
                            (event, role) = (LeafEvent::Message(message), sent)
                        }
                        // A value that the message cannot carry: a fault, and no step.
                        None => {
                            target = begin.source;
                            break;
                        }
                    }
                }
                StepKind::Send(_) => {
                    rest.push(block);
                    target = self.rest_before(step, &begin.at, rest);
                    break;
                }
                StepKind::If(condition, then, otherwise) => {
                    rest.push(after);
                    let taken = if self.truth(&mut run, condition)? { then } else { otherwise };
                    rest.push(taken);
                }
                kind => {
                    rest.push(after);
                    self.effect(&mut run, kind, begin)?;
                }
            }
        }
        self.memory(&mut run, begin, target)?;
        Ok(Some(run.leaf(event, role, begin.source, target, &begin.at)))
    }

    /// The point before a send, made on first use.
    fn rest_before(&mut self, step: &Step, at: &Continuation<'a>, rest: Vec<&'a [Step]>) -> usize {
        if let Some((point, _)) = self.resting.get(&step.span.start) {
            return *point;
        }
        let location = at.location;
        let number = self.model.points.iter().filter(|point| point.location == location).count();
        let name = format!("{}.{number}", self.model.points[location].name);
        let point = self.model.points.len();
        self.model.points.push(LocalPoint { name: name.into(), location, span: step.span });
        self.resting.insert(step.span.start, (point, Continuation { rest, ..at.clone() }));
        self.waiting.push(step.span.start);
        point
    }
}

/// One run.
pub(super) struct LeafRun {
    /// What is assumed and what has changed.
    pub(super) known: Known,
    /// What the event gives.
    pub(super) given: Given,
    goto: Option<Span>,
}

impl LeafRun {
    fn leaf(
        self,
        event: LeafEvent,
        role: LeafRole,
        source: usize,
        target: usize,
        at: &Continuation<'_>,
    ) -> LocalLeaf {
        let Known { reads, values, conditions, sets, data, sent } = self.known;
        let kept =
            |(variable, value): &(usize, DataValue)| *value == DataValue::Variable(*variable);
        let unchanged = |variable: &usize, value: &i64| reads.get(variable) == Some(value);
        let writes = values.into_iter().filter(|(variable, value)| !unchanged(variable, value));
        LocalLeaf {
            event,
            role,
            source,
            target,
            handler: at.handler,
            writes: writes.collect(),
            reads,
            conditions,
            sets: sets.into_iter().filter(|(link, set)| *set != SetValue::Link(*link)).collect(),
            data: data.into_iter().filter(|entry| !kept(entry)).collect(),
            sent,
            span: at.span,
            goto: self.goto,
        }
    }
}

/// The mark of the winners of an agreement.
pub(super) fn won_mark(agreement: &Name) -> Name {
    format!("{agreement}.winS").into()
}

/// The mark of its losers.
pub(super) fn lost_mark(agreement: &Name) -> Name {
    format!("{agreement}.loseS").into()
}
