//! Ivy's statements, from matches to the tree.

use pest::iterators::Pair;

use super::expressions::IvyExpressionBuilder;
use super::grammar::Rule;
use super::tree::{IvyPlace, IvyStep, IvyValue, StepKind};
use super::unsupported::unsupported;
use crate::frontend::syntax::matched::Matched;
use crate::frontend::syntax::surface::{Binder, Expression, ExpressionKind, Identifier};
use crate::source::Spanned;

impl IvyExpressionBuilder<'_> {
    /// The statements of a block.
    pub(crate) fn block(&mut self, pair: Pair<'_, Rule>) -> Vec<IvyStep> {
        let punctuation =
            |rule| matches!(rule, Rule::opening_brace | Rule::closing_brace | Rule::semicolon);
        let statements = pair.into_inner().filter(|part| !punctuation(part.as_rule()));
        statements.filter_map(|statement| self.step(statement)).collect()
    }

    fn step(&mut self, pair: Pair<'_, Rule>) -> Option<IvyStep> {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::block => StepKind::Block(self.block(pair)),
            Rule::local => self.local(pair),
            Rule::variable_declaration => self.variable_declaration(pair),
            Rule::branch => self.branch(pair),
            Rule::star_if => self.star_if(pair),
            Rule::choice_if => self.choice_if(pair),
            Rule::assume => StepKind::Assume(self.claimed(pair)),
            Rule::require => StepKind::Require(self.claimed(pair)),
            Rule::assert => StepKind::Assert(self.claimed(pair)),
            Rule::call => self.call(pair),
            Rule::bare_call => {
                let path = pair.into_inner().next().expect("the grammar names what is called");
                StepKind::Call(self.path(path))
            }
            Rule::assignment => self.assignment(pair),
            _ => {
                let word = pair.into_inner().next().expect("the grammar puts a word first");
                let text = word.as_str().trim_end().to_owned();
                self.diagnostics.push(unsupported(&text, self.span(&word)));
                return None;
            }
        };
        Some(Spanned::new(kind, span))
    }

    /// The formula of `assume`, `require` or `assert`; a label or a proof adds nothing.
    fn claimed(&mut self, pair: Pair<'_, Rule>) -> Expression {
        self.labelled_formula(pair).formula
    }

    /// The parameters among the parts of a match.
    pub(crate) fn formals(&self, pair: Pair<'_, Rule>) -> Vec<Binder> {
        let formals = pair.into_inner().filter(|part| part.as_rule() == Rule::formal);
        formals.map(|formal| self.binder(formal)).collect()
    }

    fn local(&mut self, pair: Pair<'_, Rule>) -> StepKind {
        let block = pair.clone().into_inner().find(|part| part.as_rule() == Rule::block);
        let block = block.expect("the grammar puts a block after the variables");
        StepKind::Local(self.formals(pair), self.block(block))
    }

    fn variable_declaration(&mut self, pair: Pair<'_, Rule>) -> StepKind {
        let mut formal = None;
        let mut value = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::formal => formal = Some(self.binder(part)),
                Rule::value => value = Some(self.right_side(part)),
                _ => {}
            }
        }
        StepKind::Var(formal.expect("the grammar names the variable"), value)
    }

    fn branch(&mut self, pair: Pair<'_, Rule>) -> StepKind {
        let condition = pair.clone().into_inner().find(|part| part.as_rule() == Rule::expression);
        let condition = condition.expect("the grammar puts a condition after `if`");
        let condition = self.open_expression(condition);
        let (then, otherwise) = self.branches(pair);
        StepKind::If(condition, then, otherwise)
    }

    fn star_if(&mut self, pair: Pair<'_, Rule>) -> StepKind {
        let (then, otherwise) = self.branches(pair);
        StepKind::Either(then, otherwise)
    }

    fn choice_if(&mut self, pair: Pair<'_, Rule>) -> StepKind {
        let mut binders = Vec::new();
        let mut formula = None;
        for part in pair.clone().into_inner() {
            match part.as_rule() {
                Rule::formals => binders = self.formals(part),
                Rule::choice => binders.push(self.binder(part)),
                Rule::expression => formula = Some(self.open_expression(part)),
                Rule::extremum => {
                    let word = part.into_inner().next().expect("the grammar puts a word first");
                    let text = word.as_str().trim_end().to_owned();
                    self.diagnostics.push(unsupported(&text, self.span(&word)));
                }
                _ => {}
            }
        }
        let formula = formula.expect("the grammar puts a formula after the variables");
        let (then, otherwise) = self.branches(pair);
        StepKind::Some(binders, formula, then, otherwise)
    }

    fn branches(&mut self, pair: Pair<'_, Rule>) -> (Vec<IvyStep>, Vec<IvyStep>) {
        let (mut then, mut otherwise) = (Vec::new(), Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::block => then = self.block(part),
                Rule::otherwise => {
                    let statement = part.into_inner().last().expect("a statement after `else`");
                    otherwise = match statement.as_rule() {
                        Rule::block => self.block(statement),
                        _ => self.step(statement).into_iter().collect(),
                    };
                }
                _ => {}
            }
        }
        (then, otherwise)
    }

    fn call(&mut self, pair: Pair<'_, Rule>) -> StepKind {
        let mut places = Vec::new();
        let mut called = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::places => places = self.places(part),
                Rule::path => called = Some(self.path(part)),
                _ => {}
            }
        }
        let called = called.expect("the grammar names what is called");
        if places.is_empty() {
            StepKind::Call(called)
        } else {
            StepKind::Assign(places, IvyValue::Expression(called))
        }
    }

    fn assignment(&mut self, pair: Pair<'_, Rule>) -> StepKind {
        let mut places = Vec::new();
        let mut value = IvyValue::Star;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::places => places = self.places(part),
                Rule::value => value = self.right_side(part),
                _ => {}
            }
        }
        StepKind::Assign(places, value)
    }

    fn right_side(&mut self, pair: Pair<'_, Rule>) -> IvyValue {
        let inner = pair.into_inner().next().expect("the grammar puts a value here");
        match inner.as_rule() {
            Rule::star => IvyValue::Star,
            _ => IvyValue::Expression(self.open_expression(inner)),
        }
    }

    fn places(&mut self, pair: Pair<'_, Rule>) -> Vec<IvyPlace> {
        let paths = pair.into_inner().filter(|part| part.as_rule() == Rule::path);
        paths
            .map(|path| {
                let Expression { kind, span } = self.path(path);
                match *kind {
                    ExpressionKind::Apply(target, arguments) => IvyPlace { target, arguments },
                    ExpressionKind::Name(name) => {
                        IvyPlace { target: Identifier::new(name, span), arguments: Vec::new() }
                    }
                    _ => unreachable!("a path is a name, applied or not"),
                }
            })
            .collect()
    }
}
