//! What sending and receiving do to the messages on their way.
//!
//! Without order, a message on its way is a fact. In a queue it is a fact with its place, and a
//! relation says which places are taken; the oldest message is at the first place.

use super::{Lowerer, ME, names};
use crate::frontend::lowering::build::assignment;
use crate::frontend::lowering::variables::free_names;
use crate::frontend::machines::table::{EXCEEDED, Kind, Order, Per, place};
use crate::frontend::machines::tree::{Message, Receivers, Send};
use crate::frontend::syntax::surface::{
    Binder, Expression, ExpressionKind, Identifier, Statement, StatementKind,
};
use crate::logic::{Name, Quantifier};
use crate::source::{Span, Spanned};

/// A message that is sent to one or many machines, in terms of the machine `me`.
struct Sending<'m> {
    message: &'m Message,
    /// The receiver: an expression, or a variable for each of many.
    to: Expression,
    /// Which machines receive it; `None` for all, and for one.
    which: Option<Expression>,
    /// What is in it, where many receive it: a variable for what differs.
    arguments: Vec<Expression>,
    /// What is in it.
    contents: Vec<Expression>,
    many: bool,
    span: Span,
}

impl Lowerer<'_, '_> {
    /// Every queue, with the sorts of the machines that have one.
    pub(super) fn queues(&self) -> Vec<(Name, Vec<Identifier>, Span)> {
        let mut queues: Vec<(Name, Vec<Identifier>, Span)> = Vec::new();
        for message in &self.table.messages {
            if let Some((name, key)) = self.table.queue(message)
                && queues.iter().all(|(other, ..)| *other != name)
            {
                queues.push((name, key, message.name.span));
            }
        }
        queues
    }

    /// Which queue of its kind a message is in, sent from one machine to another.
    fn key(&self, from: &Expression, to: &Expression) -> Vec<Expression> {
        match self.table.network.order {
            Order::Fifo(_, Per::Sender) => vec![from.clone()],
            Order::Fifo(_, Per::Receiver) => vec![to.clone()],
            Order::Fifo(_, Per::Pair) | Order::Bag | Order::Set => vec![from.clone(), to.clone()],
        }
    }

    /// The fact that a message is on its way; at a place, if there are queues.
    pub(super) fn on_its_way(
        &self,
        name: &Identifier,
        ends: [&Expression; 2],
        contents: &[Expression],
        at: usize,
    ) -> Expression {
        let span = name.span;
        let mut arguments: Vec<Expression> = ends.into_iter().cloned().collect();
        if matches!(self.table.network.order, Order::Fifo(..)) {
            arguments.push(Expression::name(place(at), span));
        }
        arguments.extend_from_slice(contents);
        Expression::applied(name.clone(), arguments, span)
    }

    /// The message leaves the network: from the front of its queue, if there are queues.
    pub(super) fn remove(
        &mut self,
        message: &Message,
        [from, to]: [&Expression; 2],
        contents: &[Expression],
        span: Span,
    ) -> Vec<Statement> {
        let Order::Fifo(places, per) = self.table.network.order else {
            let name = Identifier::new(message.name.value.clone(), span);
            let fact = self.on_its_way(&name, [from, to], contents, 1);
            return vec![put(fact, Expression::truth(false, span), span)];
        };
        let Some((queue, _)) = self.table.queue(message) else { return Vec::new() };
        let table = self.table;
        let mut statements = Vec::new();
        let other = Expression::name(self.variable("M"), span);
        for follower in &table.messages {
            if self.table.queue(follower).is_none_or(|(name, _)| name != queue) {
                continue;
            }
            let ends = match per {
                Per::Pair => [from, to],
                Per::Sender => [from, &other],
                Per::Receiver => [&other, to],
            };
            let fields = 1..=follower.fields.len();
            let fields: Vec<Name> =
                fields.map(|number| self.variable(&format!("V{number}"))).collect();
            let fields = names(&fields, span);
            let name = Identifier::new(follower.name.value.clone(), span);
            let fact = |at| self.on_its_way(&name, ends, &fields, at);
            statements.extend(shift(places, fact, span));
        }
        let key = self.key(from, to);
        statements.extend(shift(places, |at| taken(&queue, &key, at, span), span));
        statements
    }

    /// `send message(arguments) to receivers`
    pub(super) fn send(&mut self, kind: &Kind<'_>, send: &Send, span: Span) -> Vec<Statement> {
        let Some(message) = self.table.message(&send.message.value) else { return Vec::new() };
        let me = Expression::name(ME.into(), span);
        let sending = self.sending(kind, send, message, span);
        let (to, fields) = (&sending.to, &sending.arguments);
        let fact = |at| self.on_its_way(&send.message, [&me, to], fields, at);
        match self.table.network.order {
            Order::Set => vec![sending.put(fact(1), sending.conditions())],
            Order::Bag => {
                let again = self.on_its_way(&send.message, [&me, to], &sending.contents, 1);
                let exceeded = self.exceed(span);
                vec![
                    when(sending.someone(again), vec![exceeded], Vec::new(), span),
                    sending.put(fact(1), sending.conditions()),
                ]
            }
            Order::Fifo(places, _) => {
                let Some((queue, _)) = self.table.queue(message) else { return Vec::new() };
                let key = self.key(&me, to);
                let taken = |at| taken(&queue, &key, at, span);
                let exceeded = self.exceed(span);
                if sending.many {
                    many_queues(&sending, places, [&fact, &taken], exceeded)
                } else {
                    one_queue(places, [&fact, &taken], exceeded, span)
                }
            }
        }
    }

    fn sending<'m>(
        &mut self,
        kind: &Kind<'_>,
        send: &Send,
        message: &'m Message,
        span: Span,
    ) -> Sending<'m> {
        let contents: Vec<Expression> =
            send.arguments.iter().map(|argument| self.own(kind, argument)).collect();
        match &send.to {
            Receivers::One(to) => {
                let to = self.own(kind, to);
                let arguments = contents.clone();
                Sending { message, to, which: None, arguments, contents, many: false, span }
            }
            Receivers::Many { others, each, condition } => {
                let (name, at) = match each {
                    Some(each) => (each.value.clone(), each.span),
                    None => (self.variable("N"), span),
                };
                let to = Expression::name(name.clone(), at);
                let mut which = Vec::new();
                if *others {
                    let me = Expression::name(ME.into(), span);
                    which.push(Expression::equal(to.clone(), me, span).negated());
                }
                which.extend(condition.as_ref().map(|condition| self.own(kind, condition)));
                let which = (!which.is_empty()).then(|| Expression::all_of(which, span));
                let arguments = (1..).zip(&contents).map(|(number, argument)| {
                    // What differs between receivers is no place on the left of an assignment.
                    match free_names(argument).contains(&name) {
                        true => Expression::name(self.variable(&format!("V{number}")), span),
                        false => argument.clone(),
                    }
                });
                let arguments = arguments.collect();
                Sending { message, to, which, arguments, contents, many: true, span }
            }
        }
    }

    fn exceed(&self, span: Span) -> Statement {
        put(self.exceeded(span), Expression::truth(true, span), span)
    }
}

impl Sending<'_> {
    /// When a fact with these arguments becomes true.
    fn conditions(&self) -> Vec<Expression> {
        let mut all: Vec<Expression> = self.which.iter().cloned().collect();
        for (argument, contents) in self.arguments.iter().zip(&self.contents) {
            if argument != contents {
                all.push(Expression::equal(argument.clone(), contents.clone(), self.span));
            }
        }
        all
    }

    /// The fact becomes true where the conditions hold.
    fn put(&self, fact: Expression, conditions: Vec<Expression>) -> Statement {
        let value = match conditions.is_empty() {
            true => Expression::truth(true, self.span),
            false => any_of(fact.clone(), Expression::all_of(conditions, self.span), self.span),
        };
        put(fact, value, self.span)
    }

    /// Whether something holds of a receiver.
    fn someone(&self, formula: Expression) -> Expression {
        if !self.many {
            return formula;
        }
        let mut all: Vec<Expression> = self.which.iter().cloned().collect();
        all.push(formula);
        let Some(name) = self.to.as_name() else { return Expression::all_of(all, self.span) };
        let sort = Identifier::new(self.message.to.value.clone(), self.span.start_only());
        let binder = Binder { name: Identifier::new(name.clone(), self.to.span), sort: Some(sort) };
        let body = Expression::all_of(all, self.span);
        let kind = ExpressionKind::Quantified(Quantifier::Exists, vec![binder], body);
        Expression::new(kind, self.span)
    }
}

/// A fact about a place of a queue.
type AtPlace<'a> = &'a dyn Fn(usize) -> Expression;

/// The message takes the first free place.
fn one_queue(
    places: usize,
    [fact, taken]: [AtPlace<'_>; 2],
    exceeded: Statement,
    span: Span,
) -> Vec<Statement> {
    let mut otherwise = vec![exceeded];
    for at in (1..=places).rev() {
        let truth = || Expression::truth(true, span);
        let then = vec![put(fact(at), truth(), span), put(taken(at), truth(), span)];
        otherwise = vec![when(taken(at).negated(), then, otherwise, span)];
    }
    otherwise
}

/// The message takes the first free place of every receiver's queue.
fn many_queues(
    sending: &Sending<'_>,
    places: usize,
    [fact, taken]: [AtPlace<'_>; 2],
    exceeded: Statement,
) -> Vec<Statement> {
    let span = sending.span;
    let full = sending.someone(taken(places));
    let mut statements = vec![when(full, vec![exceeded], Vec::new(), span)];
    for at in 1..=places {
        let mut conditions = sending.conditions();
        conditions.push(taken(at).negated());
        conditions.extend((at > 1).then(|| taken(at - 1)));
        statements.push(sending.put(fact(at), conditions));
    }
    // From the last place on: each is taken if the one before it was.
    for at in (1..=places).rev() {
        let mut conditions: Vec<Expression> = sending.which.iter().cloned().collect();
        conditions.extend((at > 1).then(|| taken(at - 1)));
        statements.push(sending.put(taken(at), conditions));
    }
    statements
}

/// Everything moves one place forward.
fn shift(places: usize, fact: impl Fn(usize) -> Expression, span: Span) -> Vec<Statement> {
    let next = |at| if at < places { fact(at + 1) } else { Expression::truth(false, span) };
    (1..=places).map(|at| put(fact(at), next(at), span)).collect()
}

/// The fact that a place of a queue is taken.
fn taken(queue: &Name, key: &[Expression], at: usize, span: Span) -> Expression {
    let mut arguments = key.to_vec();
    arguments.push(Expression::name(place(at), span));
    Expression::applied(Identifier::new(queue.clone(), span), arguments, span)
}

/// `fact := value`
pub(super) fn put(fact: Expression, value: Expression, span: Span) -> Statement {
    let (target, arguments) = match *fact.kind {
        ExpressionKind::Apply(name, arguments) => (name, arguments),
        ExpressionKind::Name(name) => (Identifier::new(name, fact.span), Vec::new()),
        _ => (Identifier::new(EXCEEDED.into(), span), Vec::new()),
    };
    let assigned = assignment(target, arguments, Some(value), span);
    Spanned::new(StatementKind::Assign(assigned), span)
}

/// `if condition { then } else { otherwise }`
fn when(
    condition: Expression,
    then: Vec<Statement>,
    otherwise: Vec<Statement>,
    span: Span,
) -> Statement {
    Spanned::new(StatementKind::If(condition, then, otherwise), span)
}

fn any_of(left: Expression, right: Expression, span: Span) -> Expression {
    Expression::new(ExpressionKind::Or(vec![left, right]), span)
}
