//! A state of machines with their messages as lists, and what can happen in it: the meaning of
//! `grammar/README.md`, written apart from the lowering.

use std::collections::{BTreeMap, BTreeSet};

use rmlcut::frontend::machine_tree::{
    Declaration, Machine, MachineStatement, MachineStatementKind, Occasion, Part, Receivers, Send,
    Step,
};
use rmlcut::frontend::syntax::surface::{
    AssignStatement, LeftArgument, RightValue, Statement, StatementKind,
};
use rmlcut::logic::Value;

use super::terms::{Locals, Place, Setting, unbound};

/// A message on its way.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Letter {
    pub(super) name: String,
    pub(super) from: Value,
    pub(super) to: Value,
    pub(super) contents: Vec<Value>,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct World {
    /// Everything that is no machine's state and no message, by name and arguments.
    pub(super) tables: BTreeMap<String, BTreeMap<Vec<Value>, Value>>,
    /// The state of every machine.
    pub(super) at: BTreeMap<(String, Value), Value>,
    pub(super) crashed: BTreeSet<(String, Value)>,
    /// The messages on their way, the oldest first; by queue, or all in one list, sorted.
    pub(super) waiting: BTreeMap<String, Vec<Letter>>,
    pub(super) exceeded: bool,
}

/// How messages travel.
#[derive(Clone, Debug, Default)]
pub(super) struct Carrier {
    pub(super) lossy: bool,
    pub(super) duplicating: bool,
    pub(super) bag: bool,
    /// The places of a queue, and for whom there is one.
    pub(super) queue: Option<(usize, String)>,
}

impl Carrier {
    pub(super) fn of(setting: &Setting<'_>) -> Carrier {
        let mut carrier = Carrier::default();
        for declaration in &setting.file.declarations {
            let Declaration::Network(words) = &declaration.value else { continue };
            let words: Vec<&str> = words.iter().map(|word| &*word.value).collect();
            carrier.lossy = words.contains(&"lossy");
            carrier.duplicating = words.contains(&"duplicating");
            let other = words.contains(&"set") || words.contains(&"fifo") || carrier.duplicating;
            carrier.bag = !other;
            if let [.., "fifo", places, "per", whose] = words[..] {
                carrier.queue = Some((places.parse().expect("a number"), whose.to_owned()));
            }
        }
        carrier
    }

    /// The name of the queue that a letter is put into.
    pub(super) fn queue(&self, setting: &Setting<'_>, letter: &Letter) -> String {
        let message = setting.message(&letter.name);
        let (from, to) = (&message.from.value, &message.to.value);
        match self.queue.as_ref().map(|(_, whose)| &**whose) {
            None => String::new(),
            Some("pair") => format!("{from} {:?} {to} {:?}", letter.from, letter.to),
            Some("sender") => format!("{from} {:?}", letter.from),
            Some(_) => format!("{to} {:?}", letter.to),
        }
    }
}

/// One machine in the middle of a step.
struct Actor<'a> {
    setting: &'a Setting<'a>,
    carrier: &'a Carrier,
    machine: &'a Machine,
    locals: Locals,
}

/// Every state after one step.
pub(super) fn steps(setting: &Setting<'_>, world: &World) -> BTreeSet<World> {
    let carrier = &Carrier::of(setting);
    let mut after = BTreeSet::new();
    if world.exceeded {
        return after;
    }
    for machine in setting.machines() {
        for me in setting.elements(&machine.name.value) {
            for part in &machine.parts {
                if let Part::Step(step) = &part.value {
                    let locals = Locals::from([("me".to_owned(), me)]);
                    let actor = Actor { setting, carrier, machine, locals };
                    actor.step(world, step, &mut after);
                }
            }
        }
    }
    if carrier.lossy {
        for (queue, letters) in &world.waiting {
            let count = if carrier.queue.is_some() { 1 } else { letters.len() };
            for index in 0..count {
                after.insert(without(world, queue, index));
            }
        }
    }
    after
}

fn without(world: &World, queue: &str, index: usize) -> World {
    let mut world = world.clone();
    let letters = world.waiting.get_mut(queue).expect("a queue");
    letters.remove(index);
    if letters.is_empty() {
        world.waiting.remove(queue);
    }
    world
}

impl Actor<'_> {
    fn me(&self) -> (String, Value) {
        (self.machine.name.value.to_string(), self.locals["me"])
    }

    fn step(self, world: &World, step: &Step, after: &mut BTreeSet<World>) {
        let word = match &step.occasion {
            Occasion::On { message, .. } => &*message.value,
            Occasion::Any { .. } => "",
        };
        let down = world.crashed.contains(&self.me());
        if down != (word == "restart") {
            return;
        }
        if !step.states.is_empty() {
            let states = Setting::states(self.machine);
            let Value::Element(at) = world.at[&self.me()] else { panic!("a state") };
            if !step.states.iter().any(|state| state.value == states[at as usize].value) {
                return;
            }
        }
        match &step.occasion {
            Occasion::Any { params, .. } => {
                let mut all = vec![self.locals.clone()];
                for param in params {
                    let sort = param.sort.as_ref().expect("a sort");
                    let elements = self.setting.elements(&sort.value);
                    let name = param.name.value.to_string();
                    let each = all.iter().flat_map(|locals| {
                        elements.iter().map(|own| {
                            let mut locals = locals.clone();
                            locals.insert(name.clone(), *own);
                            locals
                        })
                    });
                    all = each.collect();
                }
                for locals in all {
                    let actor = Actor { locals, ..self };
                    after.extend(actor.run(world.clone(), &step.body));
                }
            }
            Occasion::On { .. } if ["crash", "restart"].contains(&word) => {
                let own = self.me();
                after.extend(self.run(world.clone(), &step.body).map(|mut world| {
                    match word {
                        "crash" => world.crashed.insert(own),
                        _ => world.crashed.remove(&own),
                    };
                    world
                }));
            }
            Occasion::On { .. } => self.receive(world, step, after),
        }
    }

    fn receive(self, world: &World, step: &Step, after: &mut BTreeSet<World>) {
        let Occasion::On { message, contents, sender } = &step.occasion else { return };
        for (queue, letters) in &world.waiting {
            let count = if self.carrier.queue.is_some() { 1 } else { letters.len() };
            for (index, letter) in letters.iter().take(count).enumerate() {
                if letter.name != *message.value || letter.to != self.locals["me"] {
                    continue;
                }
                let mut locals = self.locals.clone();
                let names = contents.iter().map(|name| name.value.to_string());
                locals.extend(names.zip(letter.contents.iter().copied()));
                let from = sender.iter().map(|name| (name.value.to_string(), letter.from));
                locals.extend(from);
                let taken = match self.carrier.duplicating {
                    true => world.clone(),
                    false => without(world, queue, index),
                };
                after.extend(Actor { locals, ..self }.run(taken, &step.body));
            }
        }
    }

    fn place<'w>(&'w self, world: &'w World) -> Place<'w> {
        Place { machine: Some(self.machine), world }
    }

    /// The world after some statements, unless a `require` fails.
    fn run(&self, mut world: World, body: &[MachineStatement]) -> Option<World> {
        for statement in body {
            match &statement.value {
                MachineStatementKind::Plain(plain) => world = self.plain(world, plain)?,
                MachineStatementKind::If(condition, then, otherwise) => {
                    let place = self.place(&world);
                    let holds = self.setting.holds(&place, &self.locals, condition);
                    world = self.run(world, if holds { then } else { otherwise })?;
                }
                MachineStatementKind::Goto(state) => {
                    let states = Setting::states(self.machine);
                    let at = states.iter().position(|own| own.value == state.value);
                    let at = u32::try_from(at.expect("a state")).expect("few");
                    world.at.insert(self.me(), Value::Element(at));
                }
                MachineStatementKind::Send(send) => self.send(&mut world, send),
            }
        }
        Some(world)
    }

    fn send(&self, world: &mut World, send: &Send) {
        let message = self.setting.message(&send.message.value);
        let before = world.clone();
        let place = self.place(&before);
        let value = |locals: &Locals, term| self.setting.value(&place, locals, term);
        let me = self.locals["me"];
        let mut letters = Vec::new();
        let letter = |locals: &Locals, to| Letter {
            name: message.name.value.to_string(),
            from: me,
            to,
            contents: send.arguments.iter().map(|own| value(locals, own)).collect(),
        };
        match &send.to {
            Receivers::One(to) => letters.push(letter(&self.locals, value(&self.locals, to))),
            Receivers::Many { others, each, condition } => {
                for to in self.setting.elements(&message.to.value) {
                    let mut locals = self.locals.clone();
                    locals.extend(each.iter().map(|name| (name.value.to_string(), to)));
                    let chosen = condition
                        .as_ref()
                        .is_none_or(|condition| self.setting.holds(&place, &locals, condition));
                    if chosen && !(*others && to == me) {
                        letters.push(letter(&locals, to));
                    }
                }
            }
        }
        for letter in letters {
            let queue = self.carrier.queue(self.setting, &letter);
            let waiting = world.waiting.entry(queue).or_default();
            match &self.carrier.queue {
                Some((places, _)) if waiting.len() == *places => world.exceeded = true,
                Some(_) => waiting.push(letter),
                None if waiting.contains(&letter) => world.exceeded |= self.carrier.bag,
                None => {
                    waiting.push(letter);
                    waiting.sort();
                }
            }
        }
    }

    fn plain(&self, world: World, plain: &Statement) -> Option<World> {
        match &plain.value {
            StatementKind::Require(formula) => {
                let holds = self.setting.holds_always(&self.place(&world), &self.locals, formula);
                holds.then_some(world)
            }
            StatementKind::Assign(one) => Some(self.assign(world, std::slice::from_ref(one))),
            StatementKind::Together(all) => Some(self.assign(world, all)),
            other => panic!("{other:?} is not interpreted"),
        }
    }

    /// Assignments that all read the world before them.
    fn assign(&self, world: World, all: &[AssignStatement]) -> World {
        let mut after = world.clone();
        let place = self.place(&world);
        for one in all {
            let name = &*one.target.value;
            let own = Setting::owns(self.machine, name);
            let table = after.tables.get_mut(name).unwrap_or_else(|| panic!("no table {name}"));
            for (at, cell) in table.iter_mut() {
                let (front, rest) = at.split_at(usize::from(own));
                if front.first().is_some_and(|first| *first != self.locals["me"]) {
                    continue;
                }
                let Some(locals) = self.matched(&place, one, rest) else { continue };
                let RightValue::Expression(value) = &one.value.value else {
                    panic!("a havoc is not interpreted")
                };
                *cell = self.setting.value(&place, &locals, value);
            }
        }
        after
    }

    /// The values of pattern variables, if the left side stands for a place.
    fn matched(&self, at: &Place<'_>, one: &AssignStatement, place: &[Value]) -> Option<Locals> {
        let mut locals = self.locals.clone();
        for (argument, value) in one.arguments.iter().zip(place) {
            let LeftArgument::Expression(expression) = &argument.value else { continue };
            let mut free = Vec::new();
            unbound(expression, &mut Vec::new(), &mut free);
            match &free[..] {
                [name] if !locals.contains_key(name) => {
                    locals.insert(name.clone(), *value);
                }
                _ if self.setting.value(at, &locals, expression) == *value => {}
                _ => return None,
            }
        }
        Some(locals)
    }
}
