//! Steps of one process, of two, and of all at a broadcast, as actions.

use std::collections::BTreeMap;

use crate::frontend::lowering::build::{assignment, require};
use crate::frontend::mercury::local::{LeafEvent, LeafRole, LocalLeaf};
use crate::frontend::mercury::model::event_of;
use crate::frontend::mercury::parse::tree::Transport;
use crate::frontend::syntax::surface::{Expression, Identifier, Statement, StatementKind};
use crate::logic::{Name, Quantifier};
use crate::process::Happening;
use crate::source::{Span, Spanned};

use super::Lowerer;
use super::choices::overlaps;
use super::expressions::{GivenData, Writer, negation};
use super::update::{EVERY, Mover, Who, moves};

/// Leaves of which at most one applies to a process, with one condition on links.
type Group<'a> = Vec<&'a LocalLeaf>;

/// Sorts leaves into groups: handlers that may apply at once are different choices.
fn groups<'a>(leaves: impl Iterator<Item = &'a LocalLeaf>) -> Vec<Group<'a>> {
    let to = |leaf: &LocalLeaf| match leaf.role {
        LeafRole::Send(_, to) => to,
        _ => None,
    };
    let mut found: Vec<Group<'a>> = Vec::new();
    for leaf in leaves {
        let fits = |group: &&mut Group<'a>| {
            let alike = group
                .first()
                .is_some_and(|first| first.conditions == leaf.conditions && to(first) == to(leaf))
                && group.first().is_some_and(|first| first.sent == leaf.sent);
            alike && !overlaps(leaf, group)
        };
        match found.iter_mut().find(fits) {
            Some(group) => group.push(leaf),
            None => found.push(vec![leaf]),
        }
    }
    found
}

impl<'a> Lowerer<'a> {
    /// Every action but agreements and crashes.
    pub(super) fn steps(&mut self) {
        self.happening = Happening::Internal;
        self.internal();
        let actions = &self.table.file.actions;
        for (message, action) in actions.iter().enumerate() {
            let event = event_of(self.table, &LeafEvent::Message(message));
            for payload in self.table.payloads(action) {
                self.happening = Happening::Message(event, payload);
                match (action.transport, action.env) {
                    (Transport::Rendezvous, false) => self.rendezvous(message, payload),
                    (Transport::Rendezvous, true) => self.with_environment(message, payload),
                    (Transport::Broadcast, false) => self.broadcast(message, payload),
                    (Transport::Broadcast, true) => self.environment_broadcast(message, payload),
                }
            }
        }
    }

    /// The leaves of processes in a role at a message.
    fn leaves_of(&self, message: usize, wanted: &LeafRole) -> Vec<&'a LocalLeaf> {
        leaves_of(&self.process.leaves, message, wanted)
    }

    fn message_name(&self, message: usize, payload: Option<i64>) -> String {
        let name = &self.table.file.actions[message].name.value;
        match payload {
            Some(value @ 0..) => format!("{name}_{value}"),
            Some(value) => format!("{name}_minus_{}", value.unsigned_abs()),
            None => name.to_string(),
        }
    }

    fn internal(&mut self) {
        let is_internal = |leaf: &&LocalLeaf| leaf.event == LeafEvent::Internal;
        let mut by_point: BTreeMap<usize, Vec<&LocalLeaf>> = BTreeMap::new();
        for leaf in self.process.leaves.iter().filter(is_internal) {
            by_point.entry(leaf.source).or_default().push(leaf);
        }
        for leaves in by_point.into_values() {
            for group in groups(leaves.into_iter()) {
                let wish = self.move_name(&group);
                self.lone_move(&wish, group, None);
            }
        }
        let Some(environment) = self.environment else { return };
        self.happening = Happening::Environment;
        for group in groups(environment.leaves.iter().filter(is_internal)) {
            for leaf in group {
                let wish = format!("env_{}", environment.points[leaf.source].name);
                let mover = self.environment_mover(vec![leaf]);
                self.action(&wish, &[], vec![mover.requires()], &[mover], leaf.span);
            }
        }
    }

    /// `a_to_b`, or `at_a` where the leaves end in different places.
    fn move_name(&self, group: &[&LocalLeaf]) -> String {
        let point = |point: usize| self.process.points[point].name.replace('.', "_");
        let Some(first) = group.first() else { return String::new() };
        let one_target = group.iter().all(|leaf| leaf.target == first.target);
        match one_target && first.target != first.source {
            true => format!("{}_to_{}", point(first.source), point(first.target)),
            false => format!("{}_step", point(first.source)),
        }
    }

    /// One process moves, by itself or with an environment that is always ready.
    fn lone_move(&mut self, wish: &str, group: Group<'a>, value: Option<Name>) {
        let Some(span) = group.first().map(|leaf| leaf.span) else { return };
        let me = self.symbols.params[0].clone();
        let mut mover = self.mover(Who::One(me.clone()), group, None, span);
        let mut params = vec![me];
        if let Some(value) = value {
            mover.given.payload = Some(mover.writer.name(&value));
            params.push(value);
        }
        self.action(wish, &params, vec![mover.requires()], &[mover], span);
    }

    /// The parameter for what a message of the environment carries, if it is of a data domain.
    fn any_value(&self, message: usize) -> Option<Name> {
        let domain = self.table.domains.payload(&self.table.file.actions[message].name.value)?;
        Some(self.symbols.domains[domain].params[0].clone())
    }

    /// A rendezvous with the environment.
    fn with_environment(&mut self, message: usize, payload: Option<i64>) {
        let wish = self.message_name(message, payload);
        for role in [LeafRole::Receive(payload), LeafRole::Send(payload, None)] {
            let event = event_of(self.table, &LeafEvent::Message(message));
            self.happening = match role {
                LeafRole::Receive(_) => Happening::FromEnvironment(event, payload),
                _ => Happening::ToEnvironment(event, payload),
            };
            let leaves = self.leaves_of(message, &role);
            for group in groups(leaves.into_iter()) {
                let Some(environment) = self.environment else {
                    let received = matches!(role, LeafRole::Receive(_));
                    let value = self.any_value(message).filter(|_| received);
                    self.lone_move(&wish, group, value);
                    continue;
                };
                let other = match role {
                    LeafRole::Receive(_) => LeafRole::Send(payload, None),
                    _ => LeafRole::Receive(payload),
                };
                for answer in groups(leaves_of(&environment.leaves, message, &other).into_iter()) {
                    let Some(span) = group.first().map(|leaf| leaf.span) else { continue };
                    let me = self.symbols.params[0].clone();
                    let mut mover = self.mover(Who::One(me.clone()), group.clone(), None, span);
                    let mut environment = self.environment_mover(answer);
                    mover.given.payload = environment.sends(&me);
                    environment.given.payload = mover.sends(&me);
                    let guards = vec![mover.requires(), environment.requires()];
                    self.action(&wish, &[me], guards, &[mover, environment], span);
                }
            }
        }
    }

    fn rendezvous(&mut self, message: usize, payload: Option<i64>) {
        let wish = self.message_name(message, payload);
        let senders = self.senders(message, payload);
        let receivers = self.leaves_of(message, &LeafRole::Receive(payload));
        for senders in groups(senders.into_iter()) {
            for receivers in groups(receivers.iter().copied()) {
                let Some(span) = senders.first().map(|leaf| leaf.span) else { continue };
                let (p, q) = (self.symbols.params[0].clone(), self.symbols.params[1].clone());
                let writer = self.writer(span);
                let mut guards = vec![require(writer.same(&p, &q).negated())];
                if let Some(LeafRole::Send(_, Some(link))) = senders.first().map(|leaf| &leaf.role)
                {
                    let link = &self.symbols.process.links[*link];
                    guards.push(require(writer.holds(link, &[&p, &q])));
                }
                let sending = self.mover(Who::One(p.clone()), senders.clone(), None, span);
                let mut receiving =
                    self.mover(Who::One(q.clone()), receivers, Some(p.clone()), span);
                receiving.given.payload = sending.sends(&p);
                guards.extend([sending.requires(), receiving.requires()]);
                self.action(&wish, &[p, q], guards, &[sending, receiving], span);
            }
        }
    }

    /// The leaves that send a message with a value, to whomever.
    fn senders(&self, message: usize, payload: Option<i64>) -> Vec<&'a LocalLeaf> {
        let sends = |leaf: &&LocalLeaf| {
            leaf.event == LeafEvent::Message(message)
                && matches!(leaf.role, LeafRole::Send(value, _) if value == payload)
        };
        self.process.leaves.iter().filter(sends).collect()
    }

    fn broadcast(&mut self, message: usize, payload: Option<i64>) {
        let wish = self.message_name(message, payload);
        let senders = self.senders(message, payload);
        for senders in groups(senders.into_iter()) {
            let Some(span) = senders.first().map(|leaf| leaf.span) else { continue };
            let p = self.symbols.params[0].clone();
            let writer = self.writer(span);
            let others = writer.same(&EVERY.into(), &p).negated();
            let sending = self.mover(Who::One(p.clone()), senders, None, span);
            let mut receiving =
                self.receivers(message, payload, others.clone(), Some(p.clone()), span);
            receiving.given.payload = sending.sends(&p);
            let mut guards = vec![sending.requires()];
            guards.extend(self.everyone_can(&receiving, Some(negation(others)), span));
            self.broadcast_action(&wish, vec![p], guards, vec![sending, receiving], span);
        }
    }

    fn environment_broadcast(&mut self, message: usize, payload: Option<i64>) {
        let wish = self.message_name(message, payload);
        let span = self.table.file.actions[message].name.span;
        let writer = self.writer(span);
        let everyone = Expression::truth(true, span);
        let someone = writer
            .live(&EVERY.into())
            .map(|live| require(writer.quantified(Quantifier::Exists, &[EVERY], live)));
        let receiving = || self.receivers(message, payload, everyone.clone(), None, span);
        if receiving().leaves.is_empty() {
            return;
        }
        let guards: Vec<Statement> = someone.into_iter().collect();
        match self.environment {
            None => {
                let value = self.any_value(message);
                let mut receiving = receiving();
                receiving.given.payload = value.as_ref().map(|value| writer.name(value));
                let mut guards = guards;
                guards.extend(self.everyone_can(&receiving, None, span));
                let params = value.into_iter().collect();
                self.broadcast_action(&wish, params, guards, vec![receiving], span);
            }
            Some(environment) => {
                let role = LeafRole::Send(payload, None);
                let movers = groups(leaves_of(&environment.leaves, message, &role).into_iter());
                for sending in movers {
                    let sending = self.environment_mover(sending);
                    let mut receiving =
                        self.receivers(message, payload, everyone.clone(), None, span);
                    receiving.given.payload = sending.sends(&EVERY.into());
                    let mut guards = guards.clone();
                    guards.extend(self.everyone_can(&receiving, None, span));
                    guards.push(sending.requires());
                    self.broadcast_action(
                        &wish,
                        Vec::new(),
                        guards,
                        vec![sending, receiving],
                        span,
                    );
                }
            }
        }
    }

    /// Everyone for whom a condition holds receives a message.
    fn receivers(
        &self,
        message: usize,
        payload: Option<i64>,
        who: Expression,
        sender: Option<Name>,
        span: Span,
    ) -> Mover<'a> {
        let leaves = self.leaves_of(message, &LeafRole::Receive(payload));
        self.mover(Who::Every(who), leaves, sender, span)
    }

    /// `require` that every live process can receive; `excepted` need not.
    fn everyone_can(
        &self,
        receiving: &Mover<'_>,
        excepted: Option<Expression>,
        span: Span,
    ) -> Option<Statement> {
        let writer = self.writer(span);
        let mut parts: Vec<Expression> = excepted.into_iter().collect();
        parts.extend(writer.live(&EVERY.into()).map(negation));
        parts.push(receiving.possible());
        Some(require(writer.any(parts)))
    }

    /// An action with guards and moves.
    pub(super) fn action(
        &mut self,
        wish: &str,
        params: &[Name],
        guards: Vec<Statement>,
        movers: &[Mover<'_>],
        span: Span,
    ) {
        let mut body = guards;
        body.extend(moves(movers, span));
        self.finish(wish, params, body, span);
    }

    /// A process crashes: everything about it is gone, and its id leaves every set.
    pub(super) fn crash(&mut self) {
        let Some(crashed) = self.symbols.crashed.clone() else { return };
        let span = self.table.file.crash.first().map_or(Span::default(), |line| line.span);
        let p = self.symbols.params[0].clone();
        let writer = self.writer(span);
        let mut guards = vec![require(writer.holds(&crashed, &[&p]).negated())];
        if let Some(points) = self.crash_points() {
            let at = points
                .iter()
                .map(|point| writer.holds(&self.symbols.process.points[*point], &[&p]));
            guards.push(require(writer.any(at.collect())));
        }
        let symbols = &self.symbols.process;
        let unary = symbols.points.iter().chain(symbols.values.iter().flatten());
        let mut parts: Vec<Statement> = Vec::new();
        let put = |relation: &Name, place: Vec<Expression>, value: bool| {
            let target = Identifier::new(relation.clone(), span);
            let value = Some(Expression::truth(value, span));
            let part = assignment(target, place, value, span);
            Spanned::new(StatementKind::Assign(part), span)
        };
        let (me, other) = (writer.name(&p), Expression::name(EVERY.into(), span));
        parts.extend(unary.map(|relation| put(relation, vec![me.clone()], false)));
        for link in &symbols.links {
            parts.push(put(link, vec![me.clone(), other.clone()], false));
            parts.push(put(link, vec![other.clone(), me.clone()], false));
        }
        for (function, data) in symbols.data.iter().zip(&self.process.data) {
            let default = writer.name(&self.symbols.domains[data.domain].default);
            let target = Identifier::new(function.clone(), span);
            let part = assignment(target, vec![me.clone()], Some(default), span);
            parts.push(Spanned::new(StatementKind::Assign(part), span));
        }
        parts.push(put(&crashed, vec![me], true));
        let mut body = guards;
        body.extend(parts);
        self.happening = Happening::Crash;
        self.finish("crash", &[p], body, span);
    }

    /// The one environment.
    fn environment_mover(&self, leaves: Vec<&'a LocalLeaf>) -> Mover<'a> {
        let span = leaves.first().map_or(Span::default(), |leaf| leaf.span);
        let model = self.environment.unwrap_or(self.process);
        let writer = Writer { symbols: self.shared, model, environment: true, span };
        let leaves = leaves.into_iter().map(|leaf| (leaf, None)).collect();
        let who = Who::One(self.symbols.params[0].clone());
        Mover { writer, who, leaves, sender: None, given: GivenData::default() }
    }
}

fn leaves_of<'a>(leaves: &'a [LocalLeaf], message: usize, wanted: &LeafRole) -> Vec<&'a LocalLeaf> {
    let is_wanted = |role: &LeafRole| match (role, wanted) {
        (LeafRole::Send(one, _), LeafRole::Send(other, _)) => one == other,
        _ => role == wanted,
    };
    let of_message =
        |leaf: &&LocalLeaf| leaf.event == LeafEvent::Message(message) && is_wanted(&leaf.role);
    leaves.iter().filter(of_message).collect()
}
