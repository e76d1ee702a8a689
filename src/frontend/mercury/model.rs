//! The leaves as the model of one process.

use super::local::{DataValue, LeafEvent, LeafRole, LinkAtom, LocalLeaf, LocalModel};
use super::lower::crash_points;
use super::lower::names::Symbols;
use super::parse::tree::Transport;
use super::run::{lost_mark, won_mark};
use super::table::{AgreementKind, ParticipantSet, Table};
use crate::process::{
    Condition, Crash, Data, DataId, DataSource, Encoding, Environment, Event, EventId, EventKind,
    Leaf, LeafData, Link, LinkId, LocalState, Participants, Point, PointId, Process, Role,
    Specification, Step, Variable, VariableId,
};
use crate::source::Span;

/// The process of a file.
pub(super) fn process(
    table: &Table<'_>,
    model: &LocalModel,
    symbols: &Symbols,
    lowered: (Vec<Specification>, Vec<Step>),
) -> Process {
    let (specifications, steps) = lowered;
    let file = table.file;
    let name = file.names.first().map_or_else(|| "process".into(), |name| name.value.clone());
    let points = model.points.iter().zip(&symbols.process.points).map(|(point, relation)| Point {
        name: point.name.clone(),
        location: PointId(point.location),
        relation: relation.clone(),
        span: point.span,
    });
    let variables =
        model.variables.iter().zip(&symbols.process.values).map(|(variable, relations)| Variable {
            name: variable.name.clone(),
            lowest: variable.lowest,
            encoding: match &relations[..] {
                [mark] if variable.is_bit() => Encoding::Bit(mark.clone()),
                _ => Encoding::OneHot(relations.clone()),
            },
            span: variable.span,
        });
    let links = model.links.iter().zip(&symbols.process.links).map(|(link, relation)| Link {
        name: link.name.clone(),
        relation: relation.clone(),
        span: link.span,
    });
    let data = model.data.iter().zip(&symbols.process.data).map(|(data, function)| Data {
        name: data.name.clone(),
        function: function.clone(),
        sort: symbols.domains[data.domain].sort.clone(),
        remembered: data.remembered,
        span: data.span,
    });
    let crash = match crash_points(table, model) {
        None => Crash::Everywhere,
        Some(points) if points.is_empty() => Crash::Nowhere,
        Some(points) => Crash::At(points.into_iter().map(PointId).collect()),
    };
    let environment = match file.environment {
        Some(_) => Environment::Written,
        None => Environment::Generated,
    };
    let values = model.variables.iter().map(|variable| variable.initial).collect();
    Process {
        name,
        sort: symbols.sort.clone(),
        crashed: symbols.crashed.clone(),
        points: points.collect(),
        variables: variables.collect(),
        links: links.collect(),
        data: data.collect(),
        events: events(table, model),
        leaves: model.leaves.iter().map(|leaf| leaf_of(table, leaf)).collect(),
        steps,
        unconcerned: unconcerned(table),
        initial: LocalState { point: PointId(model.start), values },
        crash,
        environment,
        specifications,
    }
}

/// The event of all internal steps, the messages, then the agreements.
fn events(table: &Table<'_>, model: &LocalModel) -> Vec<Event> {
    let internal = Event { name: "_".into(), kind: EventKind::Internal, span: Span::default() };
    let messages = table.file.actions.iter().map(|action| Event {
        name: action.name.value.clone(),
        kind: match (action.transport, action.env) {
            (Transport::Rendezvous, false) => EventKind::Rendezvous,
            (Transport::Rendezvous, true) => EventKind::EnvironmentRendezvous,
            (Transport::Broadcast, false) => EventKind::Broadcast,
            (Transport::Broadcast, true) => EventKind::EnvironmentBroadcast,
        },
        span: action.name.span,
    });
    let agreements = table.agreements.iter().map(|agreement| {
        let participants = participants(model, &agreement.participants);
        let kind = match agreement.kind {
            AgreementKind::Partition => {
                EventKind::Partition { participants, winners: agreement.count }
            }
            AgreementKind::Consensus => {
                EventKind::Consensus { participants, values: agreement.count }
            }
        };
        Event { name: agreement.name.value.clone(), kind, span: agreement.name.span }
    });
    std::iter::once(internal).chain(messages).chain(agreements).collect()
}

fn participants(model: &LocalModel, set: &ParticipantSet) -> Participants {
    let mark = |name| {
        let position = model.variables.iter().position(|variable| variable.name == name);
        position.map_or(Participants::All, |position| Participants::Marked(VariableId(position)))
    };
    match set {
        // An agreement without participants never happens.
        ParticipantSet::All | ParticipantSet::Empty => Participants::All,
        ParticipantSet::Winners(of) => mark(won_mark(of)),
        ParticipantSet::Losers(of) => mark(lost_mark(of)),
        ParticipantSet::Variable(name) => {
            let position = model.links.iter().position(|link| link.name == *name);
            position.map_or(Participants::All, |position| Participants::Linked(LinkId(position)))
        }
    }
}

/// The event of a leaf.
pub(super) fn event_of(table: &Table<'_>, event: &LeafEvent) -> EventId {
    match event {
        LeafEvent::Internal => EventId(0),
        LeafEvent::Message(message) => EventId(1 + message),
        LeafEvent::Agreement(agreement) => EventId(1 + table.file.actions.len() + agreement),
    }
}

fn leaf_of(table: &Table<'_>, leaf: &LocalLeaf) -> Leaf {
    let env = match &leaf.event {
        LeafEvent::Message(message) => {
            let action = &table.file.actions[*message];
            action.env && action.transport == Transport::Rendezvous
        }
        _ => false,
    };
    let role = match &leaf.role {
        _ if env => Role::Alone,
        LeafRole::Alone => Role::Alone,
        LeafRole::Send(payload, to) => Role::Send { payload: *payload, to: to.map(LinkId) },
        LeafRole::Receive(payload) => Role::Receive { payload: *payload },
        LeafRole::Win => Role::Win,
        LeafRole::Lose => Role::Lose,
        LeafRole::Settle(_) => Role::Decide { proposal: None, values: Vec::new() },
        LeafRole::Decide(proposal, values) => {
            Role::Decide { proposal: proposal.map(VariableId), values: values.clone() }
        }
    };
    let to_ids = |pairs: &std::collections::BTreeMap<usize, i64>| {
        pairs.iter().map(|(variable, value)| (VariableId(*variable), *value)).collect()
    };
    Leaf {
        event: event_of(table, &leaf.event),
        role,
        source: PointId(leaf.source),
        reads: to_ids(&leaf.reads),
        condition: match leaf.conditions.is_empty() {
            true => Condition::Local,
            false => Condition::OnLinks,
        },
        writes: to_ids(&leaf.writes),
        data: data_of(leaf),
        target: PointId(leaf.target),
        span: leaf.span,
        goto: leaf.goto,
    }
}

/// What a leaf does with values of data domains.
fn data_of(leaf: &LocalLeaf) -> LeafData {
    let source = |value: DataValue| match value {
        DataValue::Variable(variable) => DataSource::Variable(DataId(variable)),
        DataValue::Payload => DataSource::Payload,
        DataValue::Decided(index) => DataSource::Decided(index),
        DataValue::Default(_) => DataSource::Default,
    };
    let conditions = leaf.conditions.iter().filter_map(|(atom, holds)| match atom {
        LinkAtom::SameData(left, right) => Some((source(*left), source(*right), *holds)),
        _ => None,
    });
    let proposes = match &leaf.role {
        LeafRole::Settle(proposal) => proposal.map(DataId),
        _ => None,
    };
    LeafData {
        conditions: conditions.collect(),
        writes: leaf.data.iter().map(|(to, value)| (DataId(*to), source(*value))).collect(),
        sends: leaf.sent.map(source),
        proposes,
    }
}

/// The agreements that a location ignores.
fn unconcerned(table: &Table<'_>) -> Vec<(PointId, EventId)> {
    let mut found = Vec::new();
    for (location, part) in table.file.process.locations.iter().enumerate() {
        for name in &part.passive {
            if let Some(agreement) = table.agreement_position(&name.value) {
                let event = event_of(table, &LeafEvent::Agreement(agreement));
                found.push((PointId(location), event));
            }
        }
    }
    found
}
