//! Guards, sets and conditions as formulas about a process.

use crate::frontend::mercury::local::{
    DataValue, IdValue, LinkAtom, LocalLeaf, LocalModel, SetValue,
};
use crate::frontend::syntax::surface::{Binder, Expression, ExpressionKind, Identifier};
use crate::logic::{Name, Quantifier};
use crate::source::Span;

use super::names::{MachineSymbols, Symbols};

/// Writes formulas about one machine, at one place of the text.
#[derive(Clone, Copy)]
pub(in crate::frontend::mercury) struct Writer<'a> {
    /// The symbols.
    pub(super) symbols: &'a Symbols,
    /// The machine, written out.
    pub(super) model: &'a LocalModel,
    /// Whether it is the environment, whose relations have no argument.
    pub(super) environment: bool,
    /// The place.
    pub(super) span: Span,
}

/// Who speaks: the process itself and the sender of the message at hand.
#[derive(Clone, Copy)]
pub(super) struct Speaker<'a> {
    /// The process.
    pub(super) me: &'a Name,
    /// The sender.
    pub(super) sender: Option<&'a Name>,
    /// The values that the event gives.
    pub(super) given: &'a GivenData,
}

/// The values of data domains that an event gives to those who take part.
#[derive(Clone, Default)]
pub(super) struct GivenData {
    /// What the message carries.
    pub(super) payload: Option<Expression>,
    /// What the agreement decides.
    pub(super) decided: Vec<Expression>,
}

impl<'a> Writer<'a> {
    /// The relations of the machine.
    pub(super) fn own(&self) -> &'a MachineSymbols {
        if self.environment { &self.symbols.environment } else { &self.symbols.process }
    }

    /// A variable or parameter.
    pub(super) fn name(&self, name: &Name) -> Expression {
        Expression::name(name.clone(), self.span)
    }

    /// `relation(arguments)`
    pub(super) fn holds(&self, relation: &Name, arguments: &[&Name]) -> Expression {
        let arguments = arguments.iter().map(|name| self.name(name)).collect();
        Expression::applied(Identifier::new(relation.clone(), self.span), arguments, self.span)
    }

    /// A unary relation at a process; of the environment, without argument.
    pub(super) fn local(&self, relation: &Name, me: &Name) -> Expression {
        if self.environment { self.holds(relation, &[]) } else { self.holds(relation, &[me]) }
    }

    /// `left = right`
    pub(super) fn same(&self, left: &Name, right: &Name) -> Expression {
        Expression::equal(self.name(left), self.name(right), self.span)
    }

    /// The conjunction.
    pub(super) fn all(&self, parts: Vec<Expression>) -> Expression {
        Expression::all_of(flattened(parts, true), self.span)
    }

    /// The disjunction.
    pub(super) fn any(&self, parts: Vec<Expression>) -> Expression {
        let mut parts = flattened(parts, false);
        match parts.len() {
            0 => Expression::truth(false, self.span),
            1 => parts.remove(0),
            _ => Expression::new(ExpressionKind::Or(parts), self.span),
        }
    }

    /// `forall` or `exists` over processes.
    pub(super) fn quantified(
        &self,
        quantifier: Quantifier,
        names: &[&str],
        body: Expression,
    ) -> Expression {
        let sort = Identifier::new(self.symbols.sort.clone(), self.span);
        let binder = |name: &&str| Binder {
            name: Identifier::new((*name).into(), self.span),
            sort: Some(sort.clone()),
        };
        let binders = names.iter().map(binder).collect();
        Expression::new(ExpressionKind::Quantified(quantifier, binders, body), self.span)
    }

    /// Not crashed; nothing where no process crashes.
    pub(super) fn live(&self, process: &Name) -> Option<Expression> {
        let crashed = self.symbols.crashed.as_ref()?;
        Some(self.holds(crashed, &[process]).negated())
    }

    /// A variable has a value.
    pub(super) fn has_value(&self, variable: usize, value: i64, me: &Name) -> Expression {
        let declared = &self.model.variables[variable];
        let relations = &self.own().values[variable];
        if declared.is_bit() {
            let holds = self.local(&relations[0], me);
            return if value == 1 { holds } else { holds.negated() };
        }
        let index = usize::try_from(value - declared.lowest).unwrap_or(usize::MAX);
        match relations.get(index) {
            Some(relation) => self.local(relation, me),
            None => Expression::truth(false, self.span),
        }
    }

    /// What a leaf depends on.
    pub(super) fn guard(&self, leaf: &LocalLeaf, speaker: Speaker<'_>) -> Expression {
        let mut parts = vec![self.local(&self.own().points[leaf.source], speaker.me)];
        for (variable, value) in &leaf.reads {
            parts.push(self.has_value(*variable, *value, speaker.me));
        }
        for (atom, holds) in &leaf.conditions {
            let atom = self.atom(atom, speaker);
            parts.push(if *holds { atom } else { atom.negated() });
        }
        self.all(parts)
    }

    /// A value of a data domain.
    pub(super) fn data(&self, value: DataValue, speaker: Speaker<'_>) -> Expression {
        let given = match value {
            DataValue::Variable(variable) => {
                return self.local(&self.own().data[variable], speaker.me);
            }
            DataValue::Default(domain) => {
                return self.name(&self.symbols.domains[domain].default);
            }
            DataValue::Payload => speaker.given.payload.clone(),
            DataValue::Decided(index) => speaker.given.decided.get(index).cloned(),
        };
        // Only a handler of the event reads what the event gives.
        given.unwrap_or_else(|| Expression::truth(false, self.span))
    }

    /// A condition on what a process knows of others, or on values.
    fn atom(&self, atom: &LinkAtom, speaker: Speaker<'_>) -> Expression {
        let someone: Name = "S".into();
        match atom {
            LinkAtom::In(id, set) => match self.known(id, speaker) {
                Some(name) => self.member(set, name, speaker),
                None => {
                    let both =
                        vec![self.is(id, &someone, speaker), self.member(set, &someone, speaker)];
                    self.quantified(Quantifier::Exists, &["S"], self.all(both))
                }
            },
            LinkAtom::SameProcess(left, right) => {
                let both =
                    vec![self.is(left, &someone, speaker), self.is(right, &someone, speaker)];
                self.quantified(Quantifier::Exists, &["S"], self.all(both))
            }
            LinkAtom::SameSet(left, right) => {
                let (left, right) =
                    (self.member(left, &someone, speaker), self.member(right, &someone, speaker));
                let connective = crate::frontend::syntax::surface::Connective::Iff;
                let kind = ExpressionKind::Connective(connective, left, right);
                let same = Expression::new(kind, self.span);
                self.quantified(Quantifier::Forall, &["S"], same)
            }
            LinkAtom::SameData(left, right) => {
                let (left, right) = (self.data(*left, speaker), self.data(*right, speaker));
                Expression::equal(left, right, self.span)
            }
            LinkAtom::AllOthers(set) => {
                let mut parts = vec![self.same(&someone, speaker.me)];
                parts.extend(self.live(&someone).map(negation));
                parts.push(self.member(set, &someone, speaker));
                self.quantified(Quantifier::Forall, &["S"], self.any(parts))
            }
        }
    }

    /// The name of a process that has one here.
    fn known<'b>(&self, id: &IdValue, speaker: Speaker<'b>) -> Option<&'b Name> {
        match id {
            IdValue::Myself => Some(speaker.me),
            IdValue::Sender => speaker.sender,
            IdValue::Remembered(_) => None,
        }
    }

    /// Whether a process is the one meant.
    fn is(&self, id: &IdValue, process: &Name, speaker: Speaker<'_>) -> Expression {
        match id {
            IdValue::Remembered(link) => {
                self.holds(&self.own().links[*link], &[speaker.me, process])
            }
            _ => match self.known(id, speaker) {
                Some(name) => self.same(process, name),
                None => Expression::truth(false, self.span),
            },
        }
    }

    /// Whether a process is in a set.
    pub(super) fn member(
        &self,
        set: &SetValue,
        process: &Name,
        speaker: Speaker<'_>,
    ) -> Expression {
        match set {
            SetValue::All => {
                self.live(process).unwrap_or_else(|| Expression::truth(true, self.span))
            }
            SetValue::Empty => Expression::truth(false, self.span),
            SetValue::Link(link) => self.holds(&self.own().links[*link], &[speaker.me, process]),
            SetValue::Marked(mark) => self.has_value(*mark, 1, process),
            SetValue::One(id) => self.is(id, process, speaker),
            SetValue::Union(left, right) => {
                let sides = [left, right].map(|side| self.member(side, process, speaker));
                self.any(sides.to_vec())
            }
            SetValue::Minus(left, right) => {
                let right = self.member(right, process, speaker).negated();
                self.all(vec![self.member(left, process, speaker), right])
            }
        }
    }
}

/// The negation, without doubling it.
pub(super) fn negation(expression: Expression) -> Expression {
    match *expression.kind {
        ExpressionKind::Not(inner) => inner,
        ExpressionKind::Truth(value) => Expression::truth(!value, expression.span),
        _ => expression.negated(),
    }
}

/// The parts of a junction without its neutral ones; one part alone if it decides.
fn flattened(parts: Vec<Expression>, conjunction: bool) -> Vec<Expression> {
    let mut flat: Vec<Expression> = Vec::new();
    for part in parts {
        match *part.kind {
            ExpressionKind::Truth(value) if value == conjunction => {}
            ExpressionKind::Truth(_) => return vec![part],
            ExpressionKind::And(inner) if conjunction => flat.extend(inner),
            ExpressionKind::Or(inner) if !conjunction => flat.extend(inner),
            _ => flat.push(part),
        }
    }
    let mut distinct: Vec<Expression> = Vec::new();
    for part in flat {
        if !distinct.contains(&part) {
            distinct.push(part);
        }
    }
    distinct
}
