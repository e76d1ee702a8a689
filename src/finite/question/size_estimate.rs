//! How large the formulas of a question become when every quantifier is written out: estimated before
//! anything is built.

use std::collections::BTreeMap;

use super::{Claim, Question};
use crate::logic::{Extent, FormulaKind, Node, Vocabulary};
use crate::protocol::{Argument, Command, RightSide, Sort, StateFormula};

/// The most symbols and variables of all formulas, written out.
pub(in crate::finite) const MAX_WEIGHT: u128 = 1 << 25;

/// The symbols and variables of all formulas of a question, written out.
pub(in crate::finite) fn weight(question: &Question<'_>, extents: &BTreeMap<Sort, Extent>) -> u128 {
    let protocol = question.protocol;
    let scale = Scale { extents };
    let statements = protocol.axioms.iter().chain(&protocol.init);
    let statements = statements.map(|line| scale.statement(&line.formula));
    let claims = question.claims.iter().map(|claim| scale.claim(claim));
    let actions = question.actions.iter().map(|action| {
        let action = &protocol.actions[*action];
        scale.times(action.params.iter().map(|param| param.sort), scale.block(&action.body))
    });
    total(statements.chain(claims).chain(actions))
}

fn total(parts: impl Iterator<Item = u128>) -> u128 {
    parts.fold(0, u128::saturating_add)
}

/// Weighs formulas and actions at one size.
pub(in crate::finite) struct Scale<'a> {
    /// What the sorts range over.
    pub(in crate::finite) extents: &'a BTreeMap<Sort, Extent>,
}

impl Scale<'_> {
    /// A closed formula.
    pub(in crate::finite) fn statement(&self, formula: &StateFormula) -> u128 {
        self.node(Node::Formula(formula))
    }

    /// A claim, with its variables.
    pub(in crate::finite) fn claim(&self, claim: &Claim) -> u128 {
        let body = self.node(Node::Formula(&claim.matrix));
        self.times(claim.vars.iter().map(|var| var.sort), body)
    }

    /// As many copies of a body as variables of these sorts have values, with the values.
    fn times(&self, sorts: impl Iterator<Item = Sort>, body: u128) -> u128 {
        let (mut copies, mut each) = (1_u128, body.saturating_add(1));
        for sort in sorts {
            // Nothing ranges over the integers without a window.
            let values = self.extents.get(&sort).map_or(1, |extent| extent.len() as u128);
            copies = copies.saturating_mul(values);
            each = each.saturating_add(1);
        }
        copies.saturating_mul(each)
    }

    fn node<V: Vocabulary<Sort = Sort>>(&self, node: Node<'_, V>) -> u128 {
        let below = total(node.children().into_iter().map(|child| self.node(child)));
        if let Node::Formula(formula) = node
            && let FormulaKind::Quantified(_, vars, _) = formula.kind()
        {
            return self.times(vars.iter().map(|var| var.sort), below);
        }
        below.saturating_add(1)
    }

    /// The commands of one invocation.
    pub(in crate::finite) fn block(&self, commands: &[Command]) -> u128 {
        total(commands.iter().map(|command| self.command(command)))
    }

    fn command(&self, command: &Command) -> u128 {
        match command {
            Command::Require(formula, _) => self.node(Node::Formula(formula)),
            Command::Relate(_, formula, _) => self.node(Node::Formula(formula)),
            Command::If(condition, then, otherwise, _) => {
                let branches = self.block(then).saturating_add(self.block(otherwise));
                self.node(Node::Formula(condition)).saturating_add(branches)
            }
            Command::Assign(assignment) => {
                let value = match &assignment.value {
                    RightSide::Formula(formula) => self.node(Node::Formula(formula)),
                    RightSide::Term(term) => self.node(Node::Term(term)),
                    RightSide::Havoc(_) => 1,
                };
                let places = assignment.arguments.iter().filter_map(|argument| match argument {
                    Argument::Every(var) => Some(var.sort),
                    Argument::At(_) => None,
                });
                self.times(places, value)
            }
        }
    }
}
