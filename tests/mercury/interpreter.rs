//! The meaning of Mercury, written from its reference and apart from the lowering: local states
//! with real sets, and the steps of the table one by one.

use std::collections::{BTreeMap, BTreeSet};

use super::reading::{Event, Handler, Model, Stmt, Tree};

/// The local states; `None` for a crashed process. A written environment comes last.
pub(super) type Global = Vec<Option<Local>>;

/// The state of one live process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Local {
    /// Its location.
    pub(super) at: String,
    /// What is left of a handler, if it rests.
    pub(super) rest: Option<(Vec<Stmt>, Given)>,
    /// The integer variables.
    pub(super) integers: BTreeMap<String, i64>,
    /// Sets and counts.
    pub(super) sets: BTreeMap<String, BTreeSet<usize>>,
    /// Winners and losers of the last runs that it took part in.
    pub(super) outcomes: BTreeMap<String, [BTreeSet<usize>; 2]>,
    /// The last senders.
    pub(super) senders: BTreeMap<String, usize>,
}

/// The values of an event.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Given {
    /// The message that is being received, or was.
    pub(super) action: Option<String>,
    pub(super) payload: Option<i64>,
    pub(super) decided: Vec<i64>,
}

pub(super) type Sent = (String, Option<i64>, Option<Option<usize>>);

/// Every reachable state with so many processes.
pub(super) fn reachable(model: &Model, processes: usize, most: usize) -> BTreeSet<Global> {
    let mut first = vec![Some(start(model)); processes];
    first.extend(model.environment.iter().map(|environment| Some(start(environment))));
    let mut seen = BTreeSet::from([first.clone()]);
    let mut open = vec![first];
    while let Some(state) = open.pop() {
        for next in (World { model, state: &state }).steps() {
            if seen.insert(next.clone()) {
                open.push(next);
            }
        }
        assert!(seen.len() < most, "more than {most} states");
    }
    seen
}

fn start(model: &Model) -> Local {
    Local {
        at: model.start.clone(),
        rest: None,
        integers: model.integers.iter().map(|(name, range)| (name.clone(), range.2)).collect(),
        sets: model.sets.iter().map(|name| (name.clone(), BTreeSet::new())).collect(),
        outcomes: BTreeMap::new(),
        senders: BTreeMap::new(),
    }
}

/// A state and what can happen in it.
pub(super) struct World<'a> {
    pub(super) model: &'a Model,
    pub(super) state: &'a Global,
}

impl World<'_> {
    pub(super) fn live(&self) -> BTreeSet<usize> {
        (0..self.processes()).filter(|process| self.state[*process].is_some()).collect()
    }

    fn processes(&self) -> usize {
        self.state.len() - usize::from(self.model.environment.is_some())
    }

    /// What a process or the environment does.
    fn model_of(&self, me: usize) -> &Model {
        match &self.model.environment {
            Some(environment) if me == self.processes() => environment,
            _ => self.model,
        }
    }

    /// The handlers at hand: none while resting.
    pub(super) fn handlers(&self, process: usize) -> &[Handler] {
        match &self.state[process] {
            Some(local) if local.rest.is_none() => {
                &self.model_of(process).locations[&local.at].handlers
            }
            _ => &[],
        }
    }

    pub(super) fn with(&self, moved: impl IntoIterator<Item = (usize, Local)>) -> Global {
        let mut next = self.state.clone();
        for (process, local) in moved {
            next[process] = Some(local);
        }
        next
    }

    fn steps(&self) -> Vec<Global> {
        let mut found = Vec::new();
        for process in self.live() {
            found.extend(self.own_steps(process));
            if self.can_crash(process) {
                found.push(self.crash(process));
            }
        }
        match self.model.environment {
            Some(_) => found.extend(self.own_steps(self.processes())),
            None => found.extend(self.environment_broadcasts()),
        }
        found.extend(self.agreements());
        found
    }

    fn can_crash(&self, process: usize) -> bool {
        let at = self.state[process].as_ref().map(|local| &local.at);
        let only = self.model.crashes.as_ref();
        only.is_none_or(|locations| at.is_some_and(|at| locations.contains(at)))
    }

    fn crash(&self, gone: usize) -> Global {
        let mut next = self.state.clone();
        next[gone] = None;
        for local in next.iter_mut().flatten() {
            local.sets.values_mut().for_each(|set| set.retain(|member| *member != gone));
            local
                .outcomes
                .values_mut()
                .flatten()
                .for_each(|set| set.retain(|member| *member != gone));
            local.senders.retain(|_, sender| *sender != gone);
        }
        next
    }

    /// Internal steps, receives from the environment, and sends.
    fn own_steps(&self, process: usize) -> Vec<Global> {
        let local = self.state[process].clone().expect("a live process");
        let mut found = Vec::new();
        if let Some((rest, given)) = local.rest.clone() {
            let fresh = Local { rest: None, ..local.clone() };
            found.extend(self.sending(process, self.run(process, fresh, rest, given, true)));
        }
        for handler in self.handlers(process) {
            match &handler.event {
                Event::Empty if self.holds(process, &local, &handler.guard, &Given::default()) => {
                    let body = handler.bodies[0].clone();
                    let ran = self.run(process, local.clone(), body, Given::default(), true);
                    found.extend(self.sending(process, ran));
                }
                Event::Receive(action)
                    if self.model.actions[action].1
                        && !self.model.actions[action].0
                        && self.model.environment.is_none() =>
                {
                    for payload in self.payloads(action) {
                        let given =
                            Given { action: Some(action.clone()), payload, decided: Vec::new() };
                        if self.holds(process, &local, &handler.guard, &given) {
                            let body = handler.bodies[0].clone();
                            let (after, _) = self
                                .run(process, local.clone(), body, given, false)
                                .expect("no send");
                            found.push(self.with([(process, after)]));
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn payloads(&self, action: &str) -> Vec<Option<i64>> {
        match self.model.actions[action].2 {
            Some((low, high)) => (low..=high).map(Some).collect(),
            None => vec![None],
        }
    }

    /// What becomes of the others when a process has run up to a send or without one.
    fn sending(&self, process: usize, ran: Option<(Local, Option<Sent>)>) -> Vec<Global> {
        let Some((after, sent)) = ran else { return Vec::new() };
        let Some((action, payload, to)) = sent else { return vec![self.with([(process, after)])] };
        let (broadcast, env, _) = self.model.actions[&action];
        let given = Given { action: Some(action.clone()), payload, decided: Vec::new() };
        if env {
            return self.with_environment(process, after, broadcast, &action, &given);
        }
        let others: Vec<usize> =
            self.live().into_iter().filter(|other| *other != process).collect();
        if broadcast {
            return self.received_by_all(
                &others,
                &action,
                &given,
                Some(process),
                vec![(process, after)],
            );
        }
        let mut found = Vec::new();
        for other in others.into_iter().filter(|other| to.is_none_or(|to| to == Some(*other))) {
            for received in self.receptions(other, &action, &given, Some(process)) {
                found.push(self.with([(process, after.clone()), (other, received)]));
            }
        }
        found
    }

    /// What becomes of the others when a process sends to the environment, or the environment sends.
    fn with_environment(
        &self,
        sender: usize,
        after: Local,
        broadcast: bool,
        action: &str,
        given: &Given,
    ) -> Vec<Global> {
        if self.model.environment.is_none() {
            return vec![self.with([(sender, after)])];
        }
        let live: Vec<usize> = self.live().into_iter().collect();
        if broadcast {
            let moved = vec![(sender, after)];
            return match live.is_empty() {
                true => Vec::new(),
                false => self.received_by_all(&live, action, given, None, moved),
            };
        }
        let receivers = if sender == self.processes() { live } else { vec![self.processes()] };
        let receptions = receivers.into_iter().flat_map(|other| {
            let all = self.receptions(other, action, given, None);
            all.into_iter().map(move |received| (other, received))
        });
        receptions.map(|received| self.with([(sender, after.clone()), received])).collect()
    }

    /// The ways in which a process can receive a message.
    fn receptions(
        &self,
        process: usize,
        action: &str,
        given: &Given,
        sender: Option<usize>,
    ) -> Vec<Local> {
        let Some(mut local) = self.state[process].clone() else { return Vec::new() };
        if local.rest.is_some() {
            return Vec::new();
        }
        let before = local.clone();
        if let Some(sender) = sender {
            local.senders.insert(action.to_owned(), sender);
        }
        let mut found = Vec::new();
        for handler in self.handlers(process) {
            if handler.event == Event::Receive(action.to_owned())
                && self.holds(process, &local, &handler.guard, given)
            {
                let body = handler.bodies[0].clone();
                found.extend(
                    self.run(process, local.clone(), body, given.clone(), false).map(|ran| ran.0),
                );
            }
        }
        if self.model_of(process).locations[&before.at].passive.iter().any(|name| name == action) {
            found.push(local);
        }
        found
    }

    fn received_by_all(
        &self,
        receivers: &[usize],
        action: &str,
        given: &Given,
        sender: Option<usize>,
        moved: Vec<(usize, Local)>,
    ) -> Vec<Global> {
        let mut ways = vec![moved];
        for receiver in receivers {
            let receptions = self.receptions(*receiver, action, given, sender);
            let longer = ways.iter().flat_map(|way| {
                receptions.iter().map(move |local| {
                    let mut way = way.clone();
                    way.push((*receiver, local.clone()));
                    way
                })
            });
            ways = longer.collect();
        }
        ways.into_iter().map(|way| self.with(way)).collect()
    }

    fn environment_broadcasts(&self) -> Vec<Global> {
        let live: Vec<usize> = self.live().into_iter().collect();
        let mut found = Vec::new();
        for (action, (broadcast, env, _)) in &self.model.actions {
            if *broadcast && *env && !live.is_empty() {
                for payload in self.payloads(action) {
                    let given =
                        Given { action: Some(action.clone()), payload, decided: Vec::new() };
                    found.extend(self.received_by_all(&live, action, &given, None, Vec::new()));
                }
            }
        }
        found
    }

    /// Runs statements until `goto`, the end or a send that is not part of the step; nothing if a
    /// message cannot carry its value.
    pub(super) fn run(
        &self,
        me: usize,
        mut local: Local,
        body: Vec<Stmt>,
        given: Given,
        mut sends: bool,
    ) -> Option<(Local, Option<Sent>)> {
        let mut sent = None;
        let mut todo: Vec<Stmt> = body.into_iter().rev().collect();
        while let Some(step) = todo.pop() {
            match &step {
                Stmt::Goto(location) => {
                    local.at.clone_from(location);
                    return Some((local, sent));
                }
                Stmt::Send(_, action, value, to) => {
                    if !sends {
                        todo.push(step);
                        todo.reverse();
                        local.rest = Some((todo, given));
                        return Some((local, sent));
                    }
                    sends = false;
                    let value = value.as_ref().map(|value| self.integer(&local, value, &given));
                    if let (Some(value), Some((low, high))) = (value, self.model.actions[action].2)
                        && !(low..=high).contains(&value)
                    {
                        return None;
                    }
                    let to = to.as_ref().map(|to| self.id(me, &local, to));
                    sent = Some((action.clone(), value, to));
                }
                Stmt::If(condition, then, otherwise) => {
                    let taken =
                        if self.truth(me, &local, condition, &given) { then } else { otherwise };
                    todo.extend(taken.iter().rev().cloned());
                }
                Stmt::Assign(name, value) => self.assign(me, &mut local, name, value, &given),
                Stmt::Update(name, method, value) => {
                    let other = match &**method {
                        "add" | "remove" => self.id(me, &local, value).into_iter().collect(),
                        _ => self.set(me, &local, value),
                    };
                    let set = local.sets.get_mut(name).expect("a set");
                    match method.starts_with("add") {
                        true => set.extend(other),
                        false => set.retain(|member| !other.contains(member)),
                    }
                }
            }
        }
        Some((local, sent))
    }

    fn assign(&self, me: usize, local: &mut Local, name: &str, value: &Tree, given: &Given) {
        if let Some((low, high, _)) = self.model_of(me).integers.get(name) {
            let value = self.integer(local, value, given);
            if (*low..=*high).contains(&value) {
                local.integers.insert(name.to_owned(), value);
            }
            return;
        }
        let set = match value {
            Tree::Number(_) => BTreeSet::new(),
            // One more: the sender of the message of this handler, which came last.
            Tree::Binary(..) => {
                let mut set = local.sets[name].clone();
                set.extend(given.action.as_ref().and_then(|action| local.senders.get(action)));
                set
            }
            _ => self.set(me, local, value),
        };
        local.sets.insert(name.to_owned(), set);
    }

    fn holds(&self, me: usize, local: &Local, guard: &Option<Tree>, given: &Given) -> bool {
        guard.as_ref().is_none_or(|guard| self.truth(me, local, guard, given))
    }
}
