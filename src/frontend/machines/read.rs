//! Grammar matches to the tree of machines.

use pest::iterators::Pair;

use super::tree::{
    Declaration, Machine, MachineStatement, MachineStatementKind, Message, Occasion, Part,
    Receivers, Send, Step,
};
use crate::frontend::syntax::expression::{ExpressionBuilder, part, parts};
use crate::frontend::syntax::grammar::Rule;
use crate::frontend::syntax::matched::Matched;
use crate::frontend::syntax::surface::Identifier;
use crate::source::Spanned;

/// Reads a declaration, if it is one of machines.
pub(crate) fn declaration(
    builder: &mut ExpressionBuilder,
    pair: &Pair<'_, Rule>,
) -> Option<Spanned<Declaration>> {
    let declaration = match pair.as_rule() {
        Rule::machine => Declaration::Machine(machine(builder, pair)),
        Rule::message => Declaration::Message(message(builder, pair)),
        Rule::network => {
            let words = pair.clone().into_inner();
            let words =
                words.filter(|part| matches!(part.as_rule(), Rule::identifier | Rule::integer));
            Declaration::Network(words.map(|word| builder.identifier(&word)).collect())
        }
        _ => return None,
    };
    Some(Spanned::new(declaration, builder.span(pair)))
}

fn machine(builder: &mut ExpressionBuilder, pair: &Pair<'_, Rule>) -> Machine {
    let instances = parts(pair, Rule::instances).next().map(|list| {
        let elements = parts(&list, Rule::element_list).flat_map(Pair::into_inner);
        let elements = elements.filter(|part| part.as_rule() == Rule::element);
        elements.map(|own| builder.identifier(&part(&own, Rule::identifier))).collect()
    });
    let name = builder.identifier(&part(pair, Rule::identifier));
    let parts = pair.clone().into_inner().filter_map(|inner| {
        let span = builder.span(&inner);
        let value = match inner.as_rule() {
            Rule::states => Part::States(builder.identifiers(inner, Rule::identifier)),
            Rule::relation | Rule::function | Rule::variable => Part::Symbol(builder.symbol(inner)),
            Rule::init => Part::Init(builder.labelled_formula(inner)),
            Rule::handler | Rule::own_action => Part::Step(step(builder, &inner)),
            _ => return None,
        };
        Some(Spanned::new(value, span))
    });
    Machine { name, instances, parts: parts.collect() }
}

fn message(builder: &mut ExpressionBuilder, pair: &Pair<'_, Rule>) -> Message {
    let mut names = parts(pair, Rule::identifier).map(|name| builder.identifier(&name));
    let mut next = || names.next().expect("the grammar has three names here");
    let (name, from, to) = (next(), next(), next());
    let fields = parts(pair, Rule::parameters).flat_map(|list| builder.binders(list));
    let fields = fields.collect();
    Message { name, fields, from, to }
}

fn step(builder: &mut ExpressionBuilder, pair: &Pair<'_, Rule>) -> Step {
    let names = |list: Pair<'_, Rule>, builder: &ExpressionBuilder| {
        builder.identifiers(list, Rule::identifier)
    };
    let mut identifiers = parts(pair, Rule::identifier).map(|name| builder.identifier(&name));
    let name: Identifier = identifiers.next().expect("the grammar names the step");
    let sender = identifiers.next();
    drop(identifiers);
    let occasion = if pair.as_rule() == Rule::handler {
        let contents = parts(pair, Rule::contents).flat_map(|list| names(list, builder));
        Occasion::On { message: name, contents: contents.collect(), sender }
    } else {
        let params = parts(pair, Rule::parameters).flat_map(|list| builder.binders(list));
        Occasion::Any { name, params: params.collect() }
    };
    let states = parts(pair, Rule::where_states).flat_map(|list| names(list, builder)).collect();
    Step { occasion, states, body: block(builder, part(pair, Rule::machine_block)) }
}

fn block(builder: &mut ExpressionBuilder, pair: Pair<'_, Rule>) -> Vec<MachineStatement> {
    pair.into_inner().filter_map(|inner| statement(builder, inner)).collect()
}

fn statement(builder: &mut ExpressionBuilder, pair: Pair<'_, Rule>) -> Option<MachineStatement> {
    let span = builder.span(&pair);
    let kind = match pair.as_rule() {
        Rule::require | Rule::together | Rule::assignment => {
            MachineStatementKind::Plain(builder.statement(pair))
        }
        Rule::goto => {
            MachineStatementKind::Goto(builder.identifier(&part(&pair, Rule::identifier)))
        }
        Rule::send => MachineStatementKind::Send(send(builder, &pair)),
        Rule::machine_branch => branch(builder, &pair),
        _ => return None,
    };
    Some(Spanned::new(kind, span))
}

fn branch(builder: &mut ExpressionBuilder, pair: &Pair<'_, Rule>) -> MachineStatementKind {
    let condition = builder.expression(part(pair, Rule::expression));
    let blocks = pair.clone().into_inner().filter_map(|inner| match inner.as_rule() {
        Rule::machine_block => Some(block(builder, inner)),
        Rule::machine_branch => Some(statement(builder, inner).into_iter().collect()),
        _ => None,
    });
    let mut blocks: Vec<_> = blocks.collect();
    let otherwise = if blocks.len() > 1 { blocks.remove(1) } else { Vec::new() };
    MachineStatementKind::If(condition, blocks.remove(0), otherwise)
}

fn send(builder: &mut ExpressionBuilder, pair: &Pair<'_, Rule>) -> Send {
    let message = builder.identifier(&part(pair, Rule::identifier));
    let arguments = parts(pair, Rule::arguments).next();
    let arguments = arguments.map_or_else(Vec::new, |list| builder.arguments(list));
    let to = match parts(pair, Rule::everyone).next() {
        Some(everyone) => Receivers::Many {
            others: parts(&everyone, Rule::others_word).next().is_some(),
            each: parts(&everyone, Rule::identifier).next().map(|name| builder.identifier(&name)),
            condition: parts(&everyone, Rule::expression)
                .next()
                .map(|condition| builder.expression(condition)),
        },
        None => Receivers::One(builder.expression(part(pair, Rule::expression))),
    };
    Send { message, arguments, to }
}
