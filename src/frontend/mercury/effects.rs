//! The effects of statements in a run: variables, sets, counts and sends.

use super::local::{IdValue, LeafRole, LinkAtom, SetValue};
use super::parse::tree::{
    Formula, FormulaKind, HandledEvent, Method, Reaction, SendStep, StepKind,
};
use super::run::{Beginning, LeafRun, Runner};
use super::values::Needed;
use crate::logic::Name;

impl Runner<'_> {
    /// The effect of a statement.
    pub(super) fn effect(
        &mut self,
        run: &mut LeafRun,
        kind: &StepKind,
        begin: &Beginning<'_>,
    ) -> Result<(), Needed> {
        match kind {
            StepKind::Assign(name, value) => {
                if self.machine.count(&name.value).is_some() {
                    return self.count(run, &name.value, value, begin);
                }
                if let Some(variable) = self.data(&name.value) {
                    if let Some(value) = self.data_value(run, value) {
                        run.known.data.insert(variable, value);
                    }
                } else if let Some(link) = self.link(&name.value) {
                    let set = self.set(run, value);
                    run.known.sets.insert(link, set);
                } else if let Some(variable) = self.variable(&name.value) {
                    let value = self.integer(run, value)?;
                    self.assign(run, variable, value);
                }
            }
            StepKind::Update(name, method, value) => {
                let Some(link) = self.link(&name.value) else { return Ok(()) };
                let old = Box::new(run.known.set(link));
                let changed = Box::new(match method {
                    Method::Add | Method::Remove => SetValue::One(self.id(run, value)),
                    Method::AddAll | Method::RemoveAll => self.set(run, value),
                });
                let new = match method {
                    Method::Add | Method::AddAll => SetValue::Union(old, changed),
                    Method::Remove | Method::RemoveAll => SetValue::Minus(old, changed),
                };
                run.known.sets.insert(link, new);
            }
            StepKind::Send(_) | StepKind::Goto(_) | StepKind::If(..) => {}
        }
        Ok(())
    }

    /// A value outside the range is a fault; the variable keeps its value.
    fn assign(&mut self, run: &mut LeafRun, variable: usize, value: Option<i64>) {
        let declared = &self.model.variables[variable];
        match value.filter(|value| declared.values().contains(value)) {
            Some(value) => run.known.write(variable, value),
            None => {
                let (name, span) = (declared.name.clone(), declared.span);
                let wish = format!("{name}_out_of_range");
                let words = format!("`{name}` stays in its range");
                let fault = self.fault(&wish, words, span);
                run.known.write(fault, 1);
            }
        }
    }

    /// `c := 0` or `c := c + 1`: the sender is counted, once.
    fn count(
        &mut self,
        run: &mut LeafRun,
        name: &Name,
        value: &Formula,
        begin: &Beginning<'_>,
    ) -> Result<(), Needed> {
        let Some(link) = self.link(name) else { return Ok(()) };
        let old = run.known.set(link);
        if matches!(value.value, FormulaKind::Integer(_)) {
            run.known.sets.insert(link, SetValue::Empty);
            return Ok(());
        }
        let HandledEvent::Receive(message) =
            &self.machine.locations[begin.at.location].handlers[begin.at.handler].event
        else {
            return Ok(());
        };
        let sender = self.sender(run, &message.value);
        if run.known.atom(LinkAtom::In(sender.clone(), old.clone()))? {
            let span = self.model.links[link].span;
            let words = format!("`{name}` counts no sender twice");
            let fault = self.fault(&format!("{name}_counted_twice"), words, span);
            run.known.write(fault, 1);
        }
        let one = SetValue::One(sender);
        run.known.sets.insert(link, SetValue::Union(Box::new(old), Box::new(one)));
        Ok(())
    }

    /// The message and the role of a send; nothing if the message cannot carry the value.
    pub(super) fn sent(
        &mut self,
        run: &mut LeafRun,
        send: &SendStep,
        begin: &Beginning<'_>,
    ) -> Result<Option<(usize, LeafRole)>, Needed> {
        let Some((message, action)) = self.message(&send.action.value) else { return Ok(None) };
        let payload = match (&send.payload, action.payload) {
            (Some(value), Some(_)) if self.table.domains.payload(&action.name.value).is_some() => {
                run.known.sent = self.data_value(run, value);
                None
            }
            (Some(value), Some(interval)) => {
                let value = self.integer(run, value)?;
                let carried = value.filter(|v| (interval.lowest..=interval.highest).contains(v));
                if carried.is_none() {
                    let wish = format!("{}_out_of_range", send.action.value);
                    let words = format!("`{}` carries a value of its range", send.action.value);
                    let fault = self.fault(&wish, words, action.name.span);
                    run.known.write(fault, 1);
                    return Ok(None);
                }
                carried
            }
            _ => None,
        };
        let to = match (&send.to, self.reply_to(begin, send)) {
            _ if action.env => None,
            (Some(to), _) => match self.id(run, to) {
                IdValue::Remembered(link) => Some(link),
                IdValue::Myself | IdValue::Sender => None,
            },
            (None, Some(message)) => self.sender_link(&message),
            (None, None) => None,
        };
        Ok(Some((message, LeafRole::Send(payload, to))))
    }

    /// `reply` is addressed to the sender of the message of its handler.
    fn reply_to(&self, begin: &Beginning<'_>, send: &SendStep) -> Option<Name> {
        let handler = self.machine.locations[begin.at.location].handlers.get(begin.at.handler)?;
        let (HandledEvent::Receive(message), Reaction::Reply(step)) =
            (&handler.event, &handler.reaction)
        else {
            return None;
        };
        let is_it =
            matches!(&step.value, StepKind::Send(reply) if reply.action.span == send.action.span);
        is_it.then(|| message.value.clone())
    }
}
