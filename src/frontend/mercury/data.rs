//! Values of data domains in a run: they are never tried one by one, only named and compared.

use super::domains::Carrier;
use super::local::{DataValue, LinkAtom, LocalData};
use super::parse::tree::{Formula, FormulaKind};
use super::run::{LeafRun, Runner};
use crate::logic::Name;

impl Runner<'_> {
    /// The domain of an expression; none if it is no value of one.
    pub(super) fn domain(&self, formula: &Formula) -> Option<usize> {
        let domains = &self.table.domains;
        match &formula.value {
            FormulaKind::Name(name) | FormulaKind::Default(name) => {
                domains.of(&Carrier::Variable(self.environment, name.value.clone()))
            }
            FormulaKind::Field(of, field, _) => match &*field.value {
                "payld" | "payload" => domains.payload(&of.value),
                "decVar" | "desVal" => domains.decision(&of.value),
                _ => None,
            },
            _ => None,
        }
    }

    /// A data variable by name.
    pub(super) fn data(&self, name: &Name) -> Option<usize> {
        self.model.data.iter().position(|data| data.name == *name)
    }

    /// The value that an expression of a domain has.
    pub(super) fn data_value(&mut self, run: &LeafRun, formula: &Formula) -> Option<DataValue> {
        match &formula.value {
            FormulaKind::Name(name) => {
                let variable = self.data(&name.value)?;
                Some(run.known.data(variable))
            }
            FormulaKind::Default(_) => self.domain(formula).map(DataValue::Default),
            FormulaKind::Field(of, field, index) => {
                let index = match &*field.value {
                    "payld" | "payload" => 0,
                    _ => index.as_ref().map_or(1, |index| index.value),
                };
                let index = usize::try_from(index).unwrap_or(1);
                match (&run.given.received, &run.given.decided) {
                    (Some((name, _)), _) if *name == of.value && index == 0 => {
                        return Some(DataValue::Payload);
                    }
                    (_, Some((name, _))) if *name == of.value && index > 0 => {
                        return Some(DataValue::Decided(index - 1));
                    }
                    _ => {}
                }
                let domain = self.domain(formula)?;
                let memory = self.data_memory(&of.value, index, domain);
                Some(run.known.data(memory))
            }
            _ => None,
        }
    }

    /// The condition that two expressions of a domain have one value; none if they have no domain.
    pub(super) fn data_equality(
        &mut self,
        run: &LeafRun,
        left: &Formula,
        right: &Formula,
    ) -> Option<LinkAtom> {
        self.domain(left)?;
        let (left, right) = (self.data_value(run, left)?, self.data_value(run, right)?);
        Some(LinkAtom::SameData(left.min(right), left.max(right)))
    }

    /// The variable that remembers a value of an event, made on first use.
    pub(super) fn data_memory(&mut self, of: &Name, index: usize, domain: usize) -> usize {
        let name = match index {
            0 => Name::from(format!("{of}.payld")),
            index => Name::from(format!("{of}.decVar{index}")),
        };
        if let Some(position) = self.data(&name) {
            return position;
        }
        let declared = match self.message(of) {
            Some((_, action)) => Some(action.name.span),
            None => self.table.agreement(of).map(|agreement| agreement.span),
        };
        let span = declared.unwrap_or_default();
        self.model.data.push(LocalData { name, domain, remembered: true, span });
        self.model.data.len() - 1
    }
}
