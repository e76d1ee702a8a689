//! The values of expressions in a run: what is assumed, what has changed, and what must be known
//! before it can go on.

use std::collections::BTreeMap;

use super::local::{DataValue, IdValue, LinkAtom, LocalLink, LocalVariable, SetValue, VariableUse};
use super::parse::tree::{ActionLine, BinaryOperator, Formula, FormulaKind, HandledEvent};
use super::run::{LeafRun, Runner, lost_mark, won_mark};
use super::table::is_all_others;
use crate::logic::Name;
use crate::source::Span;

/// What a run cannot go on without.
pub(super) enum Needed {
    /// The value of a variable before the step.
    Variable(usize),
    /// The truth of a condition on links before the step.
    Link(LinkAtom),
}

/// What a run assumes, and what it has changed.
#[derive(Clone, Default)]
pub(super) struct Known {
    /// The assumed values before the step.
    pub(super) reads: BTreeMap<usize, i64>,
    /// The values that were written.
    pub(super) values: BTreeMap<usize, i64>,
    /// The assumed conditions on links.
    pub(super) conditions: BTreeMap<LinkAtom, bool>,
    /// The links that were written.
    pub(super) sets: BTreeMap<usize, SetValue>,
    /// The data variables that were written.
    pub(super) data: BTreeMap<usize, DataValue>,
    /// The value of a data domain that was sent.
    pub(super) sent: Option<DataValue>,
}

impl Known {
    /// The same with a value assumed.
    pub(super) fn with_value(&self, variable: usize, value: i64) -> Known {
        let mut known = Known {
            reads: self.reads.clone(),
            conditions: self.conditions.clone(),
            ..Known::default()
        };
        known.reads.insert(variable, value);
        known
    }

    /// The same with a condition assumed.
    pub(super) fn with_atom(&self, atom: LinkAtom, holds: bool) -> Known {
        let mut known = Known {
            reads: self.reads.clone(),
            conditions: self.conditions.clone(),
            ..Known::default()
        };
        known.conditions.insert(atom, holds);
        known
    }

    /// Changes a variable.
    pub(super) fn write(&mut self, variable: usize, value: i64) {
        self.values.insert(variable, value);
    }

    /// The value of a variable now.
    fn value(&self, variable: usize) -> Result<i64, Needed> {
        let now = self.values.get(&variable).or_else(|| self.reads.get(&variable));
        now.copied().ok_or(Needed::Variable(variable))
    }

    /// What a data variable holds now.
    pub(super) fn data(&self, variable: usize) -> DataValue {
        self.data.get(&variable).copied().unwrap_or(DataValue::Variable(variable))
    }

    /// What a link holds now.
    pub(super) fn set(&self, link: usize) -> SetValue {
        self.sets.get(&link).cloned().unwrap_or(SetValue::Link(link))
    }

    /// Whether a condition holds.
    pub(super) fn atom(&self, atom: LinkAtom) -> Result<bool, Needed> {
        match &atom {
            LinkAtom::In(_, SetValue::Empty) => return Ok(false),
            LinkAtom::SameProcess(left, right) if left == right => return Ok(true),
            LinkAtom::SameSet(left, right) if left == right => return Ok(true),
            LinkAtom::SameData(left, right) if left == right => return Ok(true),
            _ => {}
        }
        self.conditions.get(&atom).copied().ok_or(Needed::Link(atom))
    }
}

impl<'a> Runner<'a> {
    /// A message by name, with its position.
    pub(super) fn message(&self, name: &Name) -> Option<(usize, &'a ActionLine)> {
        let actions = &self.table.file.actions;
        let position = actions.iter().position(|action| action.name.value == *name)?;
        Some((position, &actions[position]))
    }

    /// A variable or a mark by name.
    pub(super) fn variable(&self, name: &Name) -> Option<usize> {
        self.model.variables.iter().position(|variable| variable.name == *name)
    }

    /// A set or a count by name.
    pub(super) fn link(&self, name: &Name) -> Option<usize> {
        let is_it = |link: &LocalLink| link.sender_of.is_none() && link.name == *name;
        self.model.links.iter().position(is_it)
    }

    /// The link to the last sender of a message between processes, made on first use.
    pub(super) fn sender_link(&mut self, message: &Name) -> Option<usize> {
        let (_, action) = self.message(message)?;
        if action.env {
            return None;
        }
        let is_it = |link: &LocalLink| link.sender_of.as_ref() == Some(message);
        if let Some(position) = self.model.links.iter().position(is_it) {
            return Some(position);
        }
        let name = Name::from(format!("{message}.sID"));
        let sender_of = Some(message.clone());
        self.model.links.push(LocalLink { name, sender_of, span: action.name.span });
        Some(self.model.links.len() - 1)
    }

    /// The mark of something that must not happen, made on first use.
    pub(super) fn fault(&mut self, wish: &str, words: String, span: Span) -> usize {
        let name = Name::from(wish);
        if let Some(position) = self.variable(&name) {
            return position;
        }
        let purpose = VariableUse::Fault(words);
        let fault = LocalVariable { name, lowest: 0, highest: 1, initial: 0, purpose, span };
        self.model.variables.push(fault);
        self.model.variables.len() - 1
    }

    /// The variable that remembers a value of an event, made on first use.
    pub(super) fn memory_variable(&mut self, of: &Name, index: usize) -> Option<usize> {
        let name = match index {
            0 => Name::from(format!("{of}.payld")),
            index => Name::from(format!("{of}.decVar{index}")),
        };
        if let Some(position) = self.variable(&name) {
            return Some(position);
        }
        let (lowest, highest, span) = match self.message(of) {
            Some((_, action)) if index == 0 => {
                let interval = action.payload?;
                (interval.lowest, interval.highest, action.name.span)
            }
            _ => {
                let position = self.table.agreement_position(of)?;
                let values = self.proposals(position);
                (*values.first()?, *values.last()?, self.table.agreements[position].span)
            }
        };
        let purpose = VariableUse::Remembered;
        let memory = LocalVariable { name, lowest, highest, initial: lowest, purpose, span };
        self.model.variables.push(memory);
        Some(self.model.variables.len() - 1)
    }

    /// The values that some participant of a Consensus can propose, in order.
    pub(super) fn proposals(&self, agreement: usize) -> Vec<i64> {
        let name = &self.table.agreements[agreement].name.value;
        let mut values = std::collections::BTreeSet::new();
        for handler in self.machine.locations.iter().flat_map(|location| &location.handlers) {
            if let HandledEvent::Consensus(of, _, _, Some(proposal)) = &handler.event
                && of.value == *name
                && let Some(variable) = self.variable(&proposal.value)
            {
                values.extend(self.model.variables[variable].values());
            }
        }
        values.into_iter().collect()
    }

    /// Every tuple of values that a Consensus can decide.
    pub(super) fn decisions(&self, agreement: usize) -> Vec<Vec<i64>> {
        let values = self.proposals(agreement);
        let mut tuples: Vec<Vec<i64>> = vec![Vec::new()];
        for _ in 0..self.table.agreements[agreement].count {
            let longer = tuples.iter().flat_map(|tuple| {
                values.iter().map(move |value| {
                    let mut tuple = tuple.clone();
                    tuple.push(*value);
                    tuple
                })
            });
            tuples = longer.collect();
        }
        tuples
    }

    /// A number; nothing if it does not fit into 64 bits.
    pub(super) fn integer(
        &mut self,
        run: &mut LeafRun,
        formula: &Formula,
    ) -> Result<Option<i64>, Needed> {
        match &formula.value {
            FormulaKind::Integer(value) => Ok(Some(*value)),
            FormulaKind::Name(name) => match self.variable(&name.value) {
                Some(variable) => run.known.value(variable).map(Some),
                None => Ok(None),
            },
            FormulaKind::Field(of, field, index) => {
                let index = match &*field.value {
                    "payld" | "payload" => 0,
                    _ => index.as_ref().map_or(1, |index| index.value),
                };
                let index = usize::try_from(index).unwrap_or(1);
                self.given_value(run, &of.value, index)
            }
            FormulaKind::Binary(operator, left, right) => {
                let (Some(left), Some(right)) =
                    (self.integer(run, left)?, self.integer(run, right)?)
                else {
                    return Ok(None);
                };
                Ok(match operator {
                    BinaryOperator::Plus => left.checked_add(right),
                    BinaryOperator::Minus => left.checked_sub(right),
                    BinaryOperator::Times => left.checked_mul(right),
                    BinaryOperator::Divided => left.checked_div(right),
                    _ => None,
                })
            }
            FormulaKind::Default(name) => {
                let variable = self.variable(&name.value);
                Ok(variable.map(|variable| self.model.variables[variable].initial))
            }
            FormulaKind::Not(_) | FormulaKind::Hole => Ok(None),
        }
    }

    /// A value of the event: at hand, or remembered while resting.
    fn given_value(
        &mut self,
        run: &mut LeafRun,
        of: &Name,
        index: usize,
    ) -> Result<Option<i64>, Needed> {
        match (&run.given.received, &run.given.decided) {
            (Some((name, value)), _) if name == of && index == 0 => return Ok(*value),
            (_, Some((name, values))) if name == of && index > 0 => {
                return Ok(values.get(index - 1).copied());
            }
            _ => {}
        }
        match self.memory_variable(of, index) {
            Some(variable) => run.known.value(variable).map(Some),
            None => Ok(None),
        }
    }

    /// A condition.
    pub(super) fn truth(&mut self, run: &mut LeafRun, formula: &Formula) -> Result<bool, Needed> {
        match &formula.value {
            FormulaKind::Name(name) => Ok(&*name.value == "True"),
            FormulaKind::Not(inner) => Ok(!self.truth(run, inner)?),
            FormulaKind::Binary(operator, left, right) => {
                self.comparison(run, *operator, left, right)
            }
            FormulaKind::Integer(_)
            | FormulaKind::Field(..)
            | FormulaKind::Default(_)
            | FormulaKind::Hole => Ok(false),
        }
    }

    fn comparison(
        &mut self,
        run: &mut LeafRun,
        operator: BinaryOperator,
        left: &Formula,
        right: &Formula,
    ) -> Result<bool, Needed> {
        match operator {
            BinaryOperator::And => {
                return Ok(self.truth(run, left)? && self.truth(run, right)?);
            }
            BinaryOperator::Or => return Ok(self.truth(run, left)? || self.truth(run, right)?),
            BinaryOperator::In => {
                let atom = LinkAtom::In(self.id(run, left), self.set(run, right));
                return run.known.atom(atom);
            }
            _ => {}
        }
        let wanted = operator != BinaryOperator::Unequal;
        if let Some(atom) = self.link_equality(run, left, right) {
            return Ok(run.known.atom(atom)? == wanted);
        }
        if let Some(atom) = self.data_equality(run, left, right) {
            return Ok(run.known.atom(atom)? == wanted);
        }
        let (left, right) = (self.integer(run, left)?, self.integer(run, right)?);
        // What does not fit into 64 bits equals nothing and is in no order.
        let (Some(left), Some(right)) = (left, right) else { return Ok(!wanted) };
        Ok(match operator {
            BinaryOperator::Equal => left == right,
            BinaryOperator::Unequal => left != right,
            BinaryOperator::Less => left < right,
            BinaryOperator::AtMost => left <= right,
            BinaryOperator::Greater => left > right,
            _ => left >= right,
        })
    }

    /// An equality of sets, processes or counts.
    fn link_equality(
        &mut self,
        run: &mut LeafRun,
        left: &Formula,
        right: &Formula,
    ) -> Option<LinkAtom> {
        for (count, bound) in [(left, right), (right, left)] {
            if let FormulaKind::Name(name) = &count.value
                && is_all_others(bound)
                && let Some(link) = self.link(&name.value)
            {
                return Some(LinkAtom::AllOthers(run.known.set(link)));
            }
        }
        if self.is_set(left) && self.is_set(right) {
            return Some(LinkAtom::SameSet(self.set(run, left), self.set(run, right)));
        }
        let is_process = |side: &Formula| match &side.value {
            FormulaKind::Name(name) => &*name.value == "self",
            FormulaKind::Field(_, field, _) => &*field.value == "sID",
            _ => false,
        };
        (is_process(left) && is_process(right))
            .then(|| LinkAtom::SameProcess(self.id(run, left), self.id(run, right)))
    }

    fn is_set(&self, side: &Formula) -> bool {
        match &side.value {
            FormulaKind::Name(name) => {
                matches!(&*name.value, "All" | "Empty") || self.link(&name.value).is_some()
            }
            FormulaKind::Field(_, field, _) => matches!(&*field.value, "winS" | "loseS"),
            _ => false,
        }
    }

    /// A set of processes.
    pub(super) fn set(&mut self, run: &mut LeafRun, formula: &Formula) -> SetValue {
        match &formula.value {
            FormulaKind::Name(name) if &*name.value == "All" => SetValue::All,
            FormulaKind::Name(name) => match self.link(&name.value) {
                Some(link) => run.known.set(link),
                None => SetValue::Empty,
            },
            FormulaKind::Field(of, field, _) => {
                let mark = match &*field.value {
                    "winS" => won_mark(&of.value),
                    _ => lost_mark(&of.value),
                };
                self.variable(&mark).map_or(SetValue::Empty, SetValue::Marked)
            }
            _ => SetValue::Empty,
        }
    }

    /// A process.
    pub(super) fn id(&mut self, run: &mut LeafRun, formula: &Formula) -> IdValue {
        match &formula.value {
            FormulaKind::Field(of, _, _) => self.sender(run, &of.value),
            _ => IdValue::Myself,
        }
    }

    /// The sender of a message: the one being received, or the last one.
    pub(super) fn sender(&mut self, run: &LeafRun, message: &Name) -> IdValue {
        if run.given.received.as_ref().is_some_and(|(name, _)| name == message) {
            return IdValue::Sender;
        }
        self.sender_link(message).map_or(IdValue::Myself, IdValue::Remembered)
    }
}
