//! Partitions and consensus as actions: the winners or proposers are parameters.

use crate::frontend::lowering::build::require;
use crate::frontend::mercury::local::{LeafEvent, LeafRole, LocalLeaf, SetValue};
use crate::frontend::mercury::model::event_of;
use crate::frontend::mercury::run::{lost_mark, won_mark};
use crate::frontend::mercury::table::{AgreementKind, ParticipantSet};
use crate::frontend::syntax::surface::{Connective, Expression, ExpressionKind, Statement};
use crate::logic::Name;
use crate::process::Happening;
use crate::source::Span;

use super::Lowerer;
use super::expressions::{GivenData, Speaker, Writer, negation};
use super::update::{EVERY, Mover, Who};

/// The condition under which a process takes part; the first parameter is a participant.
struct Members<'a> {
    writer: Writer<'a>,
    set: SetValue,
    first: Name,
}

impl Members<'_> {
    fn has(&self, process: &Name) -> Expression {
        self.writer.member(
            &self.set,
            process,
            Speaker { me: &self.first, sender: None, given: &GivenData::default() },
        )
    }
}

impl<'a> Lowerer<'a> {
    /// One action for every Partition, and for every tuple of values that a Consensus can decide.
    pub(super) fn agreements(&mut self) {
        for (index, agreement) in self.table.agreements.iter().enumerate() {
            let of_it = |leaf: &&LocalLeaf| leaf.event == LeafEvent::Agreement(index);
            let event = event_of(self.table, &LeafEvent::Agreement(index));
            let leaves: Vec<&LocalLeaf> = self.process.leaves.iter().filter(of_it).collect();
            let params = self.symbols.params[2..2 + agreement.count].to_vec();
            let Some(set) = self.participants(&agreement.participants) else { continue };
            let writer = self.writer(agreement.span);
            let members = Members { writer, set, first: params[0].clone() };
            let mut guards = self.members_can(&members, &leaves);
            match agreement.kind {
                AgreementKind::Partition => {
                    self.happening = Happening::Partition(event);
                    guards.extend(winners(&members, &params));
                    self.partition(&agreement.name.value, &members, params, leaves, guards);
                }
                AgreementKind::Consensus
                    if self.table.domains.decision(&agreement.name.value).is_some() =>
                {
                    self.happening = Happening::Consensus(event, Vec::new());
                    let name = &agreement.name.value;
                    self.settlement(name, &members, params, leaves, guards);
                }
                AgreementKind::Consensus => {
                    let mut tuples: Vec<Vec<i64>> = Vec::new();
                    for leaf in &leaves {
                        if let LeafRole::Decide(_, values) = &leaf.role
                            && !tuples.contains(values)
                        {
                            tuples.push(values.clone());
                        }
                    }
                    tuples.sort();
                    for values in tuples {
                        self.happening = Happening::Consensus(event, values.clone());
                        let guards = guards.clone();
                        let name = &agreement.name.value;
                        self.consensus(name, &members, &params, (&leaves, &values), guards);
                    }
                }
            }
        }
    }

    fn participants(&self, set: &ParticipantSet) -> Option<SetValue> {
        let mark = |name: Name| {
            let variables = &self.process.variables;
            variables.iter().position(|variable| variable.name == name).map(SetValue::Marked)
        };
        match set {
            ParticipantSet::All => Some(SetValue::All),
            ParticipantSet::Empty => None,
            ParticipantSet::Winners(of) => mark(won_mark(of)),
            ParticipantSet::Losers(of) => mark(lost_mark(of)),
            ParticipantSet::Variable(name) => {
                let links = &self.process.links;
                let is_it = |link: &crate::frontend::mercury::local::LocalLink| {
                    link.sender_of.is_none() && link.name == *name
                };
                links.iter().position(is_it).map(SetValue::Link)
            }
        }
    }

    /// Every member is where it can take part, and means the same participants.
    fn members_can(&self, members: &Members<'_>, leaves: &[&LocalLeaf]) -> Vec<Statement> {
        let (writer, every) = (members.writer, Name::from(EVERY));
        let mut sources: Vec<usize> = leaves.iter().map(|leaf| leaf.source).collect();
        sources.sort_unstable();
        sources.dedup();
        let at = sources.iter().map(|point| writer.local(&writer.own().points[*point], &every));
        let mut parts = vec![negation(members.has(&every))];
        parts.extend(at);
        let mut guards = vec![require(writer.any(parts))];
        if let SetValue::Link(link) = members.set {
            let (relation, other) = (&writer.own().links[link], Name::from("R"));
            let theirs = writer.holds(relation, &[&every, &other]);
            let ours = writer.holds(relation, &[&members.first, &other]);
            let kind = ExpressionKind::Connective(Connective::Iff, theirs, ours);
            let same = Expression::new(kind, writer.span);
            guards.push(require(writer.any(vec![negation(members.has(&every)), same])));
        }
        guards
    }

    fn partition(
        &mut self,
        name: &Name,
        members: &Members<'_>,
        params: Vec<Name>,
        leaves: Vec<&'a LocalLeaf>,
        guards: Vec<Statement>,
    ) {
        let (writer, every) = (members.writer, Name::from(EVERY));
        let wins = writer.any(params.iter().map(|winner| writer.same(&every, winner)).collect());
        let loses = writer.all(vec![members.has(&every), negation(wins.clone())]);
        let side = |role: LeafRole| leaves.iter().copied().filter(move |leaf| leaf.role == role);
        let span = writer.span;
        let movers = [
            self.mover(Who::Every(wins), side(LeafRole::Win).collect(), None, span),
            self.mover(Who::Every(loses), side(LeafRole::Lose).collect(), None, span),
        ];
        self.action(name, &params, guards, &movers, span);
    }

    fn consensus(
        &mut self,
        name: &Name,
        members: &Members<'_>,
        params: &[Name],
        (leaves, values): (&[&'a LocalLeaf], &[i64]),
        mut guards: Vec<Statement>,
    ) {
        let writer = members.writer;
        for (proposer, value) in params.iter().zip(values) {
            guards.push(require(members.has(proposer)));
            let mut proposes: Vec<Expression> = Vec::new();
            for leaf in leaves {
                if let LeafRole::Decide(Some(variable), _) = &leaf.role {
                    let at = writer.local(&writer.own().points[leaf.source], proposer);
                    let has = writer.has_value(*variable, *value, proposer);
                    proposes.push(writer.all(vec![at, has]));
                }
            }
            guards.push(require(writer.any(proposes)));
        }
        let is_decided = |leaf: &&&LocalLeaf| matches!(&leaf.role, LeafRole::Decide(_, decided) if decided == values);
        let deciding: Vec<&LocalLeaf> = leaves.iter().filter(is_decided).copied().collect();
        let who = Who::Every(members.has(&EVERY.into()));
        let mover = self.mover(who, deciding, None, writer.span);
        let decided: Vec<String> =
            values.iter().map(|value| value.to_string().replace('-', "minus_")).collect();
        let wish = format!("{name}_{}", decided.join("_"));
        self.action(&wish, params, guards, &[mover], writer.span);
    }

    /// A Consensus on values of a data domain: what is decided are parameters, too.
    fn settlement(
        &mut self,
        name: &Name,
        members: &Members<'_>,
        mut params: Vec<Name>,
        leaves: Vec<&'a LocalLeaf>,
        mut guards: Vec<Statement>,
    ) {
        let Some(domain) = self.table.domains.decision(name) else { return };
        let writer = members.writer;
        let values = self.symbols.domains[domain].params[..params.len()].to_vec();
        for (proposer, value) in params.iter().zip(&values) {
            guards.push(require(members.has(proposer)));
            let proposes = leaves.iter().filter_map(|leaf| {
                let LeafRole::Settle(Some(variable)) = &leaf.role else { return None };
                let at = writer.local(&writer.own().points[leaf.source], proposer);
                let proposal = writer.local(&writer.own().data[*variable], proposer);
                let has = Expression::equal(proposal, writer.name(value), writer.span);
                Some(writer.all(vec![at, has]))
            });
            guards.push(require(writer.any(proposes.collect())));
        }
        let who = Who::Every(members.has(&EVERY.into()));
        let mut mover = self.mover(who, leaves, None, writer.span);
        mover.given.decided = values.iter().map(|value| writer.name(value)).collect();
        params.extend(values);
        self.action(name, &params, guards, &[mover], writer.span);
    }

    /// A mover of processes.
    pub(super) fn mover(
        &self,
        who: Who,
        leaves: Vec<&'a LocalLeaf>,
        sender: Option<Name>,
        span: Span,
    ) -> Mover<'a> {
        let leaves = leaves.into_iter().map(|leaf| (leaf, None)).collect();
        Mover { writer: self.writer(span), who, leaves, sender, given: GivenData::default() }
    }
}

/// The winners are members, and as many as there should be: all different, or all the members.
fn winners(members: &Members<'_>, params: &[Name]) -> Vec<Statement> {
    let writer = members.writer;
    let mut guards: Vec<Statement> =
        params.iter().map(|winner| require(members.has(winner))).collect();
    if params.len() > 1 {
        let mut different = Vec::new();
        for (index, winner) in params.iter().enumerate() {
            different
                .extend(params[..index].iter().map(|other| writer.same(other, winner).negated()));
        }
        let every = Name::from(EVERY);
        let mut parts = vec![writer.all(different), negation(members.has(&every))];
        parts.extend(params.iter().map(|winner| writer.same(&every, winner)));
        guards.push(require(writer.any(parts)));
    }
    guards
}
