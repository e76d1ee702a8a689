//! What a process remembers while it rests: the values of its event that are still used.

use std::collections::{BTreeMap, BTreeSet};

use super::local::DataValue;
use super::parse::tree::{Formula, FormulaKind, Step, StepKind};
use super::run::{Beginning, LeafRun, Runner};
use super::values::Needed;
use crate::logic::Name;

impl Runner<'_> {
    /// What is still used after resting is remembered; what is used no more is forgotten.
    pub(super) fn memory(
        &mut self,
        run: &mut LeafRun,
        begin: &Beginning<'_>,
        target: usize,
    ) -> Result<(), Needed> {
        let later = self.resting.values().find(|(point, _)| *point == target);
        let later = later.map(|(_, at)| remembered(&at.rest)).unwrap_or_default();
        let now: BTreeSet<(Name, usize)> = match begin.source == begin.at.location {
            true => BTreeSet::new(),
            false => remembered(&begin.at.rest).into_keys().collect(),
        };
        // What was remembered before stays as it is.
        for ((of, index), mention) in later.iter().filter(|(key, _)| !now.contains(key)) {
            if let Some(domain) = self.domain(mention) {
                if let Some(value) = self.data_value(run, mention) {
                    let memory = self.data_memory(of, *index, domain);
                    run.known.data.insert(memory, value);
                }
                continue;
            }
            let value = self.integer(run, mention)?;
            let variable = self.memory_variable(of, *index);
            if let (Some(variable), Some(value)) = (variable, value) {
                run.known.write(variable, value);
            }
        }
        for (of, index) in now.iter().filter(|key| !later.contains_key(key)) {
            let domain = match index {
                0 => self.table.domains.payload(of),
                _ => self.table.domains.decision(of),
            };
            if let Some(domain) = domain {
                let memory = self.data_memory(of, *index, domain);
                run.known.data.insert(memory, DataValue::Default(domain));
            } else if let Some(variable) = self.memory_variable(of, *index) {
                let lowest = self.model.variables[variable].lowest;
                run.known.write(variable, lowest);
            }
        }
        Ok(())
    }
}

/// The values of events that some statements mention, each with one mention.
pub(super) fn remembered(rest: &[&[Step]]) -> BTreeMap<(Name, usize), Formula> {
    let mut found = BTreeMap::new();
    for step in rest.iter().flat_map(|block| block.iter()) {
        in_step(step, &mut found);
    }
    found
}

fn in_step(step: &Step, found: &mut BTreeMap<(Name, usize), Formula>) {
    match &step.value {
        StepKind::Assign(_, value) | StepKind::Update(_, _, value) => in_formula(value, found),
        StepKind::Send(send) => {
            for value in send.payload.iter().chain(&send.to) {
                in_formula(value, found);
            }
        }
        StepKind::Goto(_) => {}
        StepKind::If(condition, then, otherwise) => {
            in_formula(condition, found);
            then.iter().chain(otherwise).for_each(|step| in_step(step, found));
        }
    }
}

fn in_formula(formula: &Formula, found: &mut BTreeMap<(Name, usize), Formula>) {
    match &formula.value {
        FormulaKind::Field(of, field, index) => {
            let index = match &*field.value {
                "payld" | "payload" => 0,
                "decVar" | "desVal" => index.as_ref().map_or(1, |index| index.value),
                _ => return,
            };
            let index = usize::try_from(index).unwrap_or(1);
            found.insert((of.value.clone(), index), formula.clone());
        }
        FormulaKind::Not(inner) => in_formula(inner, found),
        FormulaKind::Binary(_, left, right) => {
            in_formula(left, found);
            in_formula(right, found);
        }
        FormulaKind::Integer(_)
        | FormulaKind::Name(_)
        | FormulaKind::Default(_)
        | FormulaKind::Hole => {}
    }
}
