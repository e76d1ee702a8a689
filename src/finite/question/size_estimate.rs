//! Refuses questions whose instances, states or formulas would not fit: estimated before anything is
//! built.

use std::collections::BTreeMap;

use super::slice::Slice;
use super::{Claim, Question};
use crate::budget::Budget;
use crate::finite::error::EngineError;
use crate::finite::ground::bit_layout::{BitLayout, width};
use crate::finite::ground::has_int;
use crate::logic::{Extent, FormulaKind, Node, Vocabulary};
use crate::protocol::{
    Argument, Assignment, Command, RightSide, Signature, Sort, StateFormula, SymbolId,
};

/// How many bits one state may take.
const MAX_STATE_BITS: u128 = 1 << 16;

/// The most invocations of one instance.
const MAX_INVOCATIONS: u128 = 1 << 22;

/// The most bytes of bookkeeping per state beside the packed state.
const BYTES_PER_STATE: u128 = 24;

/// The most symbols and variables of all formulas, written out.
pub(crate) const MAX_WEIGHT: u128 = 1 << 25;

/// The symbols and variables of all formulas of a question, written out.
fn weight(question: &Question<'_>, extents: &BTreeMap<Sort, Extent>) -> u128 {
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

/// Refuses what would not fit before anything is built.
pub(crate) fn refuse_large(
    question: &Question<'_>,
    slice: &Slice,
    extents: &BTreeMap<Sort, Extent>,
) -> Result<(), EngineError> {
    let signature = &question.protocol.signature;
    let symbols = signature.symbols().map(|(id, _)| id);
    let symbols = symbols.filter(|id| !(slice.left_out.contains(id) && has_int(question, *id)));
    let bits = bits_needed(signature, extents, symbols);
    if bits > MAX_STATE_BITS {
        return Err(EngineError::StateTooLarge { bits, limit: MAX_STATE_BITS });
    }
    let count = question.actions.iter().fold(0_u128, |sum, action| {
        let params = &question.protocol.actions[*action].params;
        let tuples = params.iter().fold(1_u128, |tuples, param| {
            tuples.saturating_mul(extents[&param.sort].len() as u128)
        });
        sum.saturating_add(tuples)
    });
    if count > MAX_INVOCATIONS {
        return Err(EngineError::TooManyInvocations { count, limit: MAX_INVOCATIONS });
    }
    let weight = weight(question, extents);
    if weight > MAX_WEIGHT {
        return Err(EngineError::FormulasTooLarge { weight, limit: MAX_WEIGHT });
    }
    Ok(())
}

/// How many bits these symbols take, without laying them out.
pub(crate) fn bits_needed(
    signature: &Signature,
    extents: &BTreeMap<Sort, Extent>,
    symbols: impl IntoIterator<Item = SymbolId>,
) -> u128 {
    let cells = |params: &[Sort]| {
        params.iter().fold(1_u128, |cells, sort| cells.saturating_mul(extents[sort].len() as u128))
    };
    let bits = |id: SymbolId| {
        let symbol = signature.symbol(id);
        let width = width(symbol.result.map(|sort| extents[&sort]));
        cells(&symbol.params).saturating_mul(u128::from(width))
    };
    symbols.into_iter().fold(0_u128, |sum, id| sum.saturating_add(bits(id)))
}

/// Bits that no axiom mentions double the structures each; a class has at most as many members as
/// there are renamings.
pub(crate) fn refuse_too_many_instances(
    question: &Question<'_>,
    extents: &BTreeMap<Sort, Extent>,
    layout: &BitLayout,
    constrained: &[u32],
    limit: usize,
) -> Result<(), EngineError> {
    let is_free = |bit: &u32| constrained.binary_search(bit).is_err();
    let free = layout.used_bits().into_iter().filter(is_free).count();
    let mut classes = 1_u128 << free.min(127);
    if question.may_rename() {
        for (sort, extent) in extents {
            if let Extent::Elements(size) = extent
                && !question.protocol.signature.is_enumeration(*sort)
            {
                classes = (1..=u128::from(*size)).fold(classes, |classes, factor| classes / factor);
            }
        }
    }
    if classes > limit as u128 {
        return Err(EngineError::TooManyInstances { limit, estimate: classes });
    }
    Ok(())
}

/// Bits that nothing constrains double the initial states each.
pub(crate) fn refuse_too_many_initial_states(
    free: usize,
    words: usize,
    budget: &Budget,
) -> Result<(), EngineError> {
    let free = u32::try_from(free).unwrap_or(u32::MAX);
    let per_state = words as u128 * 8 + BYTES_PER_STATE;
    let needed = 1_u128.checked_shl(free).filter(|_| free < 100);
    let needed = needed.unwrap_or(u128::MAX >> 32).saturating_mul(per_state);
    if needed > u128::from(budget.max_memory) {
        let allowed = u128::from(budget.max_memory) >> 20;
        return Err(EngineError::TooManyInitialStates { free, needed: needed >> 20, allowed });
    }
    Ok(())
}

fn total(parts: impl Iterator<Item = u128>) -> u128 {
    parts.fold(0, u128::saturating_add)
}

/// Weighs formulas and actions at one size.
pub(crate) struct Scale<'a> {
    /// What the sorts range over.
    pub(crate) extents: &'a BTreeMap<Sort, Extent>,
}

impl Scale<'_> {
    /// A closed formula.
    pub(crate) fn statement(&self, formula: &StateFormula) -> u128 {
        self.node(Node::Formula(formula))
    }

    /// A claim, with its variables.
    pub(crate) fn claim(&self, claim: &Claim) -> u128 {
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
    pub(crate) fn block(&self, commands: &[Command]) -> u128 {
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
            Command::Assign(assignment) => self.assignment(assignment),
            Command::Together(assignments, _) => {
                total(assignments.iter().map(|assignment| self.assignment(assignment)))
            }
        }
    }

    fn assignment(&self, assignment: &Assignment) -> u128 {
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
