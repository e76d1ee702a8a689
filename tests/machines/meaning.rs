//! Every reachable state of the lowered protocol is one of machines and messages, and has the same
//! successors on both sides.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use rmlcut::budget::Stop;
use rmlcut::frontend::{self, machine_tree::MachineFile};
use rmlcut::logic::Value;
use rmlcut::pipeline::read_protocol;
use rmlcut::play::initial_states;
use rmlcut::protocol::{Protocol, Sort, State, successors};
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

use super::terms::{Locals, Place, Setting};
use super::world::{Carrier, Letter, World, steps};

/// What a text with machines means on both sides.
pub(super) struct Twofold {
    pub(super) protocol: Protocol,
    pub(super) written: MachineFile,
}

pub(super) fn read(name: &str, text: &str) -> Twofold {
    let source = SourceFile::new(name, text);
    let protocol = match read_protocol(&source) {
        Ok((protocol, _)) => protocol,
        Err(messages) => panic!("{}\n{text}", render(&source, &messages, Colour::Never)),
    };
    let written = frontend::parse(&source).machines.expect("machines").written;
    Twofold { protocol, written }
}

fn element(value: Value) -> usize {
    match value {
        Value::Element(index) => index as usize,
        other => panic!("{other:?} is no element"),
    }
}

/// The state in terms of machines and messages; a state that is none fails the test.
fn world(setting: &Setting<'_>, protocol: &Protocol, state: &State) -> World {
    let mut tables = BTreeMap::new();
    let mut facts = Facts::new();
    for (id, symbol) in protocol.signature.symbols() {
        let Some(table) = state.tables.get(&id) else { continue };
        let name = symbol.name.to_string();
        let holding = table.entries().filter(|(_, value)| *value == Value::Bool(true));
        facts.insert(name.clone(), holding.map(|(place, _)| place).collect());
        tables.insert(name, table.entries().collect::<BTreeMap<_, _>>());
    }
    let mut world = World {
        tables,
        at: BTreeMap::new(),
        crashed: BTreeSet::new(),
        waiting: BTreeMap::new(),
        exceeded: facts.get("exceeded").is_some_and(|held| !held.is_empty()),
    };
    world.tables.remove("exceeded");
    for machine in setting.machines() {
        let kind = machine.name.value.to_string();
        if let Some(states) = world.tables.remove(&format!("{kind}_state")) {
            world.at.extend(states.into_iter().map(|(me, at)| ((kind.clone(), me[0]), at)));
        }
        let crashed = format!("{kind}_crashed");
        if world.tables.remove(&crashed).is_some() {
            let held = facts[&crashed].iter().map(|me| (kind.clone(), me[0]));
            world.crashed.extend(held);
        }
    }
    deliver(setting, &facts, &mut world);
    world
}

type Facts = BTreeMap<String, BTreeSet<Vec<Value>>>;

/// Makes letters of the facts about messages.
fn deliver(setting: &Setting<'_>, facts: &Facts, world: &mut World) {
    let carrier = Carrier::of(setting);
    let places = usize::from(carrier.queue.is_some());
    let mut numbered: BTreeMap<String, Vec<(usize, Letter)>> = BTreeMap::new();
    for message in setting.messages() {
        let name = message.name.value.to_string();
        world.tables.remove(&name);
        for fact in &facts[&name] {
            let letter = Letter {
                name: name.clone(),
                from: fact[0],
                to: fact[1],
                contents: fact[2 + places..].to_vec(),
            };
            let number = if places == 1 { element(fact[2]) } else { 0 };
            numbered.entry(carrier.queue(setting, &letter)).or_default().push((number, letter));
        }
    }
    let mut taken = 0;
    for (queue, mut letters) in numbered {
        letters.sort();
        taken += letters.len();
        if places == 1 {
            let numbers: Vec<usize> = letters.iter().map(|(number, _)| *number).collect();
            assert_eq!(numbers, (0..letters.len()).collect::<Vec<_>>(), "a queue without gaps");
        }
        world.waiting.insert(queue, letters.into_iter().map(|(_, letter)| letter).collect());
    }
    world.tables.retain(|name, _| !name.starts_with("queued_"));
    if places == 1 {
        let queued = facts.iter().filter(|(name, _)| name.starts_with("queued_"));
        assert_eq!(queued.map(|(_, held)| held.len()).sum::<usize>(), taken, "places are counted");
    }
}

/// Whether a world is one in which machines begin.
fn is_initial(setting: &Setting<'_>, world: &World) -> bool {
    let lines = setting.machines().all(|machine| {
        let inits = machine.parts.iter().filter_map(|part| match &part.value {
            frontend::machine_tree::Part::Init(line) => Some(&line.formula),
            _ => None,
        });
        let mut inits = inits;
        inits.all(|formula| {
            setting.elements(&machine.name.value).into_iter().all(|me| {
                let locals = Locals::from([("me".to_owned(), me)]);
                setting.holds_always(&Place { machine: Some(machine), world }, &locals, formula)
            })
        })
    });
    lines
        && world.at.values().all(|at| element(*at) == 0)
        && world.crashed.is_empty()
        && world.waiting.is_empty()
        && !world.exceeded
}

/// Compares both sides in every reachable state, at most so many; the number of states seen.
pub(super) fn compare(name: &str, text: &str, size: &[(&str, u32)], most: usize) -> usize {
    let Twofold { protocol, written } = read(name, text);
    let signature = &protocol.signature;
    let number = |sort| {
        let given = size.iter().find(|(other, _)| **other == **signature.sort_name(sort));
        (sort, given.map_or(1, |(_, count)| *count))
    };
    let size = signature.sorts().map(number).collect();
    let starts = initial_states(&protocol, &size, None, &Stop::never()).expect("initial states");
    assert!(!starts.is_empty(), "{name} begins somewhere");
    let mut open = Vec::new();
    let mut seen = BTreeSet::new();
    for start in starts.into_iter().take(8) {
        let setting = setting(&written, &protocol, &start);
        assert!(is_initial(&setting, &world(&setting, &protocol, &start)), "{name}: {start:?}");
        if seen.insert(start.tables.clone()) {
            open.push(start);
        }
    }
    while let Some(state) = open.pop() {
        let setting = setting(&written, &protocol, &state);
        let here = world(&setting, &protocol, &state);
        let mut lowered = BTreeSet::new();
        for action in 0..protocol.actions.len() {
            for (_, next) in successors(&protocol, &state, action).expect("an answer") {
                lowered.insert(world(&setting, &protocol, &next.state));
                if seen.len() < most && seen.insert(next.state.tables.clone()) {
                    open.push(next.state);
                }
            }
        }
        let interpreted = steps(&setting, &here);
        let missing: Vec<_> = interpreted.difference(&lowered).take(1).collect();
        let extra: Vec<_> = lowered.difference(&interpreted).take(1).collect();
        assert!(
            missing.is_empty() && extra.is_empty(),
            "{name}: from {here:#?}\nonly interpreted: {missing:#?}\nonly lowered: {extra:#?}\n{text}"
        );
    }
    seen.len()
}

fn setting<'a>(file: &'a MachineFile, protocol: &Protocol, state: &State) -> Setting<'a> {
    let sorts = protocol.signature.sorts().map(|sort| {
        let extent = state.extents[&Sort::Declared(sort)];
        let count = u32::try_from(extent.len()).expect("few elements");
        (protocol.signature.sort_name(sort).to_string(), count)
    });
    Setting { file, sizes: sorts.collect() }
}

/// Models of the corpus, with sizes.
const MODELS: &[(&str, &[(&str, u32)])] = &[
    ("ring_token", &[("node", 3)]),
    ("chang_roberts", &[("node", 3), ("id", 3)]),
    ("hybrid_clocks", &[("node", 2), ("time", 2), ("count", 2)]),
    ("two_phase_commit_with_backup", &[("resource", 2)]),
    ("paxos_simple", &[("leader", 2), ("acceptor", 1), ("value", 2)]),
    ("paxos_full", &[("leader", 2), ("acceptor", 1), ("value", 1)]),
    ("ben_or", &[("node", 2)]),
    ("streamlet", &[("block", 4), ("epoch", 4), ("height", 3)]),
    ("german_queues", &[("client", 2)]),
    ("failure_detector", &[("node", 2), ("round", 2)]),
];

#[test]
fn the_models_do_what_is_written() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols/machines");
    let files = std::fs::read_dir(&folder).expect("a folder").count();
    assert_eq!(files, MODELS.len(), "every model is compared");
    for (name, size) in MODELS {
        let text = std::fs::read_to_string(folder.join(format!("{name}.rml"))).expect("a model");
        let states = compare(name, &text, size, 400);
        assert!(states > 10, "{name}: {states} states");
    }
}
