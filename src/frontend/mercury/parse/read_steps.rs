//! Statements and expressions from what the grammar matches.

use pest::iterators::Pair;

use super::grammar::Rule;
use super::read::{MercuryBuilder, find};
use super::tree::{
    BinaryOperator, Formula, FormulaKind, Method, SendStep, Step, StepKind, Transport,
};
use crate::frontend::syntax::matched::Matched;
use crate::source::{Span, Spanned};

impl MercuryBuilder<'_> {
    /// The statements among the parts of a match.
    pub(crate) fn steps(&mut self, pair: &Pair<'_, Rule>) -> Vec<Step> {
        pair.clone().into_inner().filter_map(|part| self.step(&part)).collect()
    }

    fn step(&mut self, pair: &Pair<'_, Rule>) -> Option<Step> {
        let span = self.span(pair);
        let name = find(pair, Rule::name).map(|name| self.identifier(&name));
        let value = find(pair, Rule::expression);
        let value = value.map(|value| self.formula(&value));
        let kind = match pair.as_rule() {
            Rule::assignment => StepKind::Assign(name?, value?),
            Rule::update => {
                let method = match find(pair, Rule::method)?.as_str().trim_end() {
                    "addAll" => Method::AddAll,
                    "removeAll" => Method::RemoveAll,
                    "add" => Method::Add,
                    _ => Method::Remove,
                };
                StepKind::Update(name?, method, value?)
            }
            Rule::goto => StepKind::Goto(name?),
            Rule::send => {
                let transport = match find(pair, Rule::send_broadcast) {
                    Some(_) => Transport::Broadcast,
                    None => Transport::Rendezvous,
                };
                let mut send = self.message(&find(pair, Rule::message)?, transport)?;
                send.to = value;
                StepKind::Send(send)
            }
            Rule::branch => {
                let mut blocks = pair
                    .clone()
                    .into_inner()
                    .filter(|part| part.as_rule() == Rule::block)
                    .map(|block| self.steps(&block))
                    .collect::<Vec<_>>()
                    .into_iter();
                let then = blocks.next().unwrap_or_default();
                StepKind::If(value?, then, blocks.next().unwrap_or_default())
            }
            _ => return None,
        };
        Some(Spanned::new(kind, span))
    }

    /// `reply b[x]` sends to whom the message came from; whose it is is known later.
    pub(crate) fn reply(&mut self, pair: &Pair<'_, Rule>) -> Option<Step> {
        let message = self.message(&find(pair, Rule::message)?, Transport::Rendezvous)?;
        Some(Spanned::new(StepKind::Send(message), self.span(pair)))
    }

    fn message(&mut self, pair: &Pair<'_, Rule>, transport: Transport) -> Option<SendStep> {
        let action = find(pair, Rule::name).map(|name| self.identifier(&name))?;
        let inner = find(pair, Rule::payload);
        let inner = inner.as_ref().unwrap_or(pair);
        let payload = find(inner, Rule::expression).map(|value| self.formula(&value));
        Some(SendStep { transport, action, payload, to: None })
    }

    /// An expression.
    pub(crate) fn formula(&mut self, pair: &Pair<'_, Rule>) -> Formula {
        let span = self.span(pair);
        match pair.as_rule() {
            Rule::signed => {
                let number = self.number(Some(pair.clone()), span);
                Spanned::new(FormulaKind::Integer(number.value), span)
            }
            Rule::hole => Spanned::new(FormulaKind::Hole, span),
            Rule::reference => self.reference(pair, span),
            Rule::first_value => {
                let name = find(pair, Rule::name).map(|name| self.identifier(&name));
                Spanned::new(name.map_or(FormulaKind::Hole, FormulaKind::Default), span)
            }
            Rule::group => match find(pair, Rule::expression) {
                Some(inner) => self.formula(&inner),
                None => Spanned::new(FormulaKind::Hole, span),
            },
            _ => self.operators(pair, span),
        }
    }

    fn reference(&mut self, pair: &Pair<'_, Rule>, span: Span) -> Formula {
        let name = find(pair, Rule::name).map(|name| self.identifier(&name));
        let field = find(pair, Rule::field).map(|field| self.identifier(&field));
        let index = find(pair, Rule::index).and_then(|index| find(&index, Rule::integer));
        let index = index.map(|index| self.number(Some(index), span));
        let kind = match (name, field) {
            (Some(name), Some(field)) => FormulaKind::Field(name, field, index),
            (Some(name), None) => FormulaKind::Name(name),
            (None, _) => FormulaKind::Hole,
        };
        Spanned::new(kind, span)
    }

    /// A chain of operands and operators, grouped to the left; a negation reaches to the end.
    fn operators(&mut self, pair: &Pair<'_, Rule>, span: Span) -> Formula {
        let (mut negations, mut result, mut operator) = (0_usize, None::<Formula>, None);
        for part in pair.clone().into_inner() {
            match part.as_rule() {
                Rule::not => negations += 1,
                Rule::or_sign
                | Rule::and_sign
                | Rule::relation
                | Rule::sum_sign
                | Rule::product_sign => operator = Some(binary(part.as_str().trim_end())),
                _ => {
                    let right = self.formula(&part);
                    result = Some(match (result.take(), operator.take()) {
                        (Some(left), Some(operator)) => {
                            let span = left.span.to(right.span);
                            let kind =
                                FormulaKind::Binary(operator, Box::new(left), Box::new(right));
                            Spanned::new(kind, span)
                        }
                        _ => right,
                    });
                }
            }
        }
        let result = result.unwrap_or_else(|| Spanned::new(FormulaKind::Hole, span));
        // Two negations are none.
        if negations % 2 == 0 {
            return result;
        }
        Spanned::new(FormulaKind::Not(Box::new(result)), span)
    }
}

fn binary(sign: &str) -> BinaryOperator {
    match sign {
        "&&" => BinaryOperator::And,
        "||" => BinaryOperator::Or,
        "=" | "==" => BinaryOperator::Equal,
        "!=" => BinaryOperator::Unequal,
        "<" => BinaryOperator::Less,
        "<=" => BinaryOperator::AtMost,
        ">" => BinaryOperator::Greater,
        ">=" => BinaryOperator::AtLeast,
        "in" => BinaryOperator::In,
        "+" => BinaryOperator::Plus,
        "-" => BinaryOperator::Minus,
        "*" => BinaryOperator::Times,
        _ => BinaryOperator::Divided,
    }
}
