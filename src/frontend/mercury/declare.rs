//! The points, variables and links of a machine before its handlers are run, and what is forgotten
//! after them.

use std::collections::BTreeSet;

use super::domains::Carrier;
use super::local::{
    IdValue, LeafEvent, LeafRole, LocalData, LocalLeaf, LocalLink, LocalModel, LocalPoint,
    LocalVariable, SetValue, VariableUse,
};
use super::parse::tree::{
    Formula, FormulaKind, HandledEvent, Handler, Machine, Reaction, Step, StepKind, VariableKind,
};
use super::run::{lost_mark, won_mark};
use super::table::Table;
use crate::logic::Name;

/// The declarations of a machine.
pub(super) fn declare(table: &Table<'_>, machine: &Machine) -> LocalModel {
    let mut model = LocalModel::default();
    for (index, location) in machine.locations.iter().enumerate() {
        let point = LocalPoint {
            name: location.name.value.clone(),
            location: index,
            span: location.name.span,
        };
        model.points.push(point);
        if location.initial {
            model.start = index;
        }
    }
    for line in &machine.variables {
        let (name, span) = (line.name.value.clone(), line.name.span);
        let env = !std::ptr::eq(machine, &table.file.process);
        if let Some(domain) = table.domains.of(&Carrier::Variable(env, name.clone())) {
            model.data.push(LocalData { name, domain, remembered: false, span });
            continue;
        }
        match &line.kind {
            VariableKind::Integer(interval, initial) => {
                let initial = initial.as_ref().map_or(interval.lowest, |initial| initial.value);
                let (lowest, highest) = (interval.lowest, interval.highest);
                let purpose = VariableUse::Declared;
                let variable = LocalVariable { name, lowest, highest, initial, purpose, span };
                model.variables.push(variable);
            }
            VariableKind::Count(..) | VariableKind::Set => {
                model.links.push(LocalLink { name, sender_of: None, span });
            }
        }
    }
    let marks = used_marks(machine);
    for agreement in &table.agreements {
        let name = &agreement.name.value;
        for mark in [won_mark(name), lost_mark(name)] {
            if marks.contains(&mark) {
                let purpose = VariableUse::Mark;
                let (lowest, highest, initial) = (0, 1, 0);
                let span = agreement.name.span;
                let name = mark;
                let variable = LocalVariable { name, lowest, highest, initial, purpose, span };
                model.variables.push(variable);
            }
        }
    }
    model
}

/// The sets of winners and losers that are mentioned anywhere.
fn used_marks(machine: &Machine) -> BTreeSet<Name> {
    let mut marks = BTreeSet::new();
    let mut note = |formula: &Formula| mentioned(formula, &mut marks);
    for handler in machine.locations.iter().flat_map(|location| &location.handlers) {
        let Handler { event, guard, reaction, .. } = handler;
        if let HandledEvent::Partition(_, set, _) | HandledEvent::Consensus(_, set, _, _) = event {
            note(set);
        }
        guard.iter().for_each(&mut note);
        match reaction {
            Reaction::Do(steps) => in_steps(steps, &mut note),
            Reaction::Reply(step) => in_steps(std::slice::from_ref(&**step), &mut note),
            Reaction::Split(win, lose) => {
                in_steps(win, &mut note);
                in_steps(lose, &mut note);
            }
        }
    }
    marks
}

fn in_steps(steps: &[Step], note: &mut impl FnMut(&Formula)) {
    for step in steps {
        match &step.value {
            StepKind::Assign(_, value) | StepKind::Update(_, _, value) => note(value),
            StepKind::Send(_) | StepKind::Goto(_) => {}
            StepKind::If(condition, then, otherwise) => {
                note(condition);
                in_steps(then, note);
                in_steps(otherwise, note);
            }
        }
    }
}

fn mentioned(formula: &Formula, marks: &mut BTreeSet<Name>) {
    match &formula.value {
        FormulaKind::Field(of, field, _) => match &*field.value {
            "winS" => drop(marks.insert(won_mark(&of.value))),
            "loseS" => drop(marks.insert(lost_mark(&of.value))),
            _ => {}
        },
        FormulaKind::Not(inner) => mentioned(inner, marks),
        FormulaKind::Binary(_, left, right) => {
            mentioned(left, marks);
            mentioned(right, marks);
        }
        FormulaKind::Integer(_)
        | FormulaKind::Name(_)
        | FormulaKind::Default(_)
        | FormulaKind::Hole => {}
    }
}

/// Remembers the sender of a message as long as it may still be answered, and no longer.
pub(super) fn remember_senders(table: &Table<'_>, model: &mut LocalModel) {
    let count = model.links.len();
    let mut live: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); model.points.len()];
    let received = |leaf: &LocalLeaf, model: &LocalModel| {
        let (LeafEvent::Message(message), LeafRole::Receive(_)) = (&leaf.event, &leaf.role) else {
            return None;
        };
        let name = &table.file.actions[*message].name.value;
        (0..count).find(|link| model.links[*link].sender_of.as_ref() == Some(name))
    };
    loop {
        let mut changed = false;
        for leaf in &model.leaves {
            let mut before = live[leaf.target].clone();
            if let Some(link) = received(leaf, model) {
                before.remove(&link);
            }
            before.extend(leaf.remembered());
            changed |= !before.is_subset(&live[leaf.source]);
            live[leaf.source].extend(before);
        }
        if !changed {
            break;
        }
    }
    let writes: Vec<Vec<(usize, SetValue)>> = model
        .leaves
        .iter()
        .map(|leaf| {
            let received = received(leaf, model);
            let mut writes = Vec::new();
            for link in (0..count).filter(|link| model.links[*link].sender_of.is_some()) {
                let (source, target) = (&live[leaf.source], &live[leaf.target]);
                if received == Some(link) && target.contains(&link) {
                    writes.push((link, SetValue::One(IdValue::Sender)));
                } else if source.contains(&link) && !target.contains(&link) {
                    writes.push((link, SetValue::Empty));
                }
            }
            writes
        })
        .collect();
    for (leaf, writes) in model.leaves.iter_mut().zip(writes) {
        leaf.sets.extend(writes);
    }
}
