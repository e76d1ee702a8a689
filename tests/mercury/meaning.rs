//! The lowered protocol does what an interpreter of Mercury does that shares nothing with it: the
//! same reachable states, on the models and on random processes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use rmlcut::frontend;
use rmlcut::logic::Value;
use rmlcut::process::{Encoding, Process};
use rmlcut::protocol::{Protocol, State, blank_state, extents, successors};
use rmlcut::source::SourceFile;

use super::interpreter::{Global, reachable};
use super::reading::{Model, Stmt, read};
use super::{protocol, random};

/// A live process as both sides see it: location, place of the send it rests before, integers, sets.
type View = (String, Option<usize>, BTreeMap<String, i64>, BTreeMap<String, BTreeSet<usize>>);

/// Both sides' reachable states, each process as it looks.
type Views = BTreeSet<Vec<Option<View>>>;

fn interpreted(text: &str, processes: usize, data: usize, most: usize) -> Views {
    let view = |state: Global| {
        let local = |(index, local): (usize, Option<super::interpreter::Local>)| {
            let local = local?;
            let rest = local.rest.as_ref().and_then(|(rest, _)| match rest.first() {
                // The environment's own symbols do not say where its sends are.
                Some(Stmt::Send(place, ..)) => Some(if index < processes { *place } else { 0 }),
                _ => None,
            });
            Some((local.at, rest, local.integers, local.sets))
        };
        state.into_iter().enumerate().map(local).collect()
    };
    let data = i64::try_from(data).expect("few values");
    reachable(&read(text, data), processes, most).into_iter().map(view).collect()
}

/// The value of a relation at some processes.
fn holds(protocol: &Protocol, state: &State, relation: &str, args: &[usize]) -> bool {
    let symbol = protocol.signature.find_symbol(relation).expect("a symbol");
    let args: Vec<Value> =
        args.iter().map(|arg| Value::Element(u32::try_from(*arg).expect("small"))).collect();
    state.tables[&symbol].get(&args) == Some(Value::Bool(true))
}

fn view(protocol: &Protocol, process: &Process, state: &State, count: usize) -> Vec<Option<View>> {
    let one = |me: usize| {
        let crashed = process.crashed.as_ref();
        if crashed.is_some_and(|crashed| holds(protocol, state, crashed, &[me])) {
            return None;
        }
        let mut points = process.points.iter().enumerate();
        let at = points.find(|(_, point)| holds(protocol, state, &point.relation, &[me]));
        let (index, point) = at.expect("a live process is somewhere");
        let rest = (point.location.0 != index).then_some(point.span.start);
        let location = process.point(point.location).name.to_string();
        let mut integers = BTreeMap::new();
        for variable in &process.variables {
            let Encoding::OneHot(relations) = &variable.encoding else { continue };
            if variable.name.contains('.') {
                continue;
            }
            let values = relations.iter().zip(variable.values());
            let mut values = values.filter(|(relation, _)| holds(protocol, state, relation, &[me]));
            let (_, value) = values.next().expect("a variable has a value");
            assert!(values.next().is_none(), "a variable has one value");
            integers.insert(variable.name.to_string(), value);
        }
        for data in process.data.iter().filter(|data| !data.remembered) {
            let symbol = protocol.signature.find_symbol(&data.function).expect("a function");
            let place = [Value::Element(u32::try_from(me).expect("small"))];
            let Some(Value::Element(value)) = state.tables[&symbol].get(&place) else {
                panic!("a data variable has a value");
            };
            integers.insert(data.name.to_string(), i64::from(value));
        }
        let links = process.links.iter().filter(|link| !link.name.contains('.')).map(|link| {
            let members =
                (0..count).filter(|other| holds(protocol, state, &link.relation, &[me, *other]));
            (link.name.to_string(), members.collect())
        });
        Some((location, rest, integers, links.collect()))
    };
    (0..count).map(one).collect()
}

/// The state of a written environment, whose symbols are called after it.
fn environment(protocol: &Protocol, model: &Model, state: &State) -> View {
    let holds = |relation: &str| {
        protocol.signature.find_symbol(relation).is_some() && holds(protocol, state, relation, &[])
    };
    let mut at = model.locations.keys().flat_map(|location| {
        let points = (1..20).map(move |rest| format!("env_at_{location}__{rest}"));
        let points = points.chain([format!("env_at_{location}")]).filter(|point| holds(point));
        points.map(move |point| (location, point.contains("__").then_some(0)))
    });
    let (location, rest) = at.next().expect("the environment is somewhere");
    assert!(at.next().is_none(), "the environment is at one point");
    let value = |(name, (low, high, _)): (&String, &(i64, i64, i64))| {
        let mut values = (*low..=*high).filter(|value| holds(&format!("env_{name}_{value}")));
        (name.clone(), values.next().expect("a value"))
    };
    let integers = model.integers.iter().map(value).collect();
    (location.clone(), rest, integers, BTreeMap::new())
}

/// The lowered protocol; blank tables give every data variable its first element, and so the
/// constants that stand for first values.
fn lowered(text: &str, count: usize, data_values: usize) -> Views {
    let protocol = protocol("model.mer", text);
    let process = frontend::parse(&SourceFile::new("model.mer", text)).process.expect("a process");
    let sort = protocol.signature.find_sort("process").expect("the sort");
    let small = |number: usize| u32::try_from(number).expect("small");
    let number = |other| if other == sort { small(count) } else { small(data_values) };
    let size = protocol.signature.sorts().map(|sort| (sort, number(sort))).collect();
    let mut start = blank_state(&protocol.signature, &extents(&protocol.signature, &size, None));
    let mut first: Vec<&str> = vec![&process.points[process.initial.point.0].relation];
    for (variable, value) in process.variables.iter().zip(&process.initial.values) {
        if let Encoding::OneHot(relations) = &variable.encoding {
            let index = usize::try_from(value - variable.lowest).expect("a value of the range");
            first.push(&relations[index]);
        }
    }
    for relation in first {
        let symbol = protocol.signature.find_symbol(relation).expect("a symbol");
        for me in 0..count {
            let place = [Value::Element(u32::try_from(me).expect("small"))];
            start.tables.get_mut(&symbol).expect("a table").set(&place, Value::Bool(true));
        }
    }
    let model = read(text, 1).environment;
    if let Some(model) = &model {
        let values = model.integers.iter().map(|(name, range)| format!("env_{name}_{}", range.2));
        for relation in values.chain([format!("env_at_{}", model.start)]) {
            let symbol = protocol.signature.find_symbol(&relation).expect("a symbol");
            start.tables.get_mut(&symbol).expect("a table").set(&[], Value::Bool(true));
        }
    }
    let mut seen = BTreeSet::from([format!("{:?}", start.tables)]);
    let mut views = Views::new();
    let mut open = vec![start];
    while let Some(state) = open.pop() {
        let mut seen_now = view(&protocol, &process, &state, count);
        seen_now.extend(model.iter().map(|model| Some(environment(&protocol, model, &state))));
        views.insert(seen_now);
        for action in 0..protocol.actions.len() {
            for (_, next) in successors(&protocol, &state, action).expect("an answer") {
                if seen.insert(format!("{:?}", next.state.tables)) {
                    open.push(next.state);
                }
            }
        }
    }
    views
}

/// The number of states, which are the same on both sides, with so many processes and values.
/// How many states both sides reach; they reach the same.
pub(super) fn compare(name: &str, text: &str, count: usize, data: usize) -> usize {
    let (ours, theirs) = (lowered(text, count, data), interpreted(text, count, data, 200_000));
    let missing: Vec<_> = theirs.difference(&ours).take(1).collect();
    let extra: Vec<_> = ours.difference(&theirs).take(1).collect();
    assert!(
        missing.is_empty() && extra.is_empty(),
        "{name} with {count}\nonly interpreted: {missing:#?}\nonly lowered: {extra:#?}\n{text}"
    );
    ours.len()
}

#[test]
fn the_models_mean_what_the_reference_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols/agreement");
    let mut seen = 0;
    for folder in [root.clone(), root.join("broken")] {
        for item in fs::read_dir(&folder).expect("the folder is readable") {
            let path = item.expect("the folder is readable").path();
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if path.extension().is_some_and(|extension| extension == "mer") {
                let text = fs::read_to_string(&path).expect("a model is text");
                // Four winners among sets are many steps to execute one by one.
                let most = if text.matches("Partition").count() > 3 { 1 } else { 2 };
                for count in 1..=most {
                    compare(&name, &text, count, 2);
                }
                if text.contains("int ") && most == 2 {
                    compare(&name, &text, 2, 3);
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 30);
}

#[test]
fn random_processes_mean_what_the_reference_says() {
    let mut states = 0;
    for seed in 0..30 {
        let text = random::process(seed);
        for count in 1..=2 {
            states += compare(&format!("seed {seed}"), &text, count, 2);
        }
    }
    assert!(states > 200, "the processes do something: {states}");
}

#[test]
fn random_processes_with_an_environment_mean_what_the_reference_says() {
    let mut states = 0;
    for seed in 0..60 {
        for count in 1..=2 {
            let text = random::with_environment(seed);
            states += compare(&format!("environment seed {seed}"), &text, count, 2);
        }
    }
    assert!(states > 400, "the processes do something: {states}");
}

#[test]
fn random_processes_with_data_mean_what_the_reference_says() {
    let mut states = 0;
    for seed in 0..25 {
        let text = random::with_data(seed);
        states += compare(&format!("data seed {seed}"), &text, 1, 3);
        states += compare(&format!("data seed {seed}"), &text, 2, 2);
    }
    assert!(states > 200, "the processes do something: {states}");
}

#[test]
#[ignore = "part of the campaign: minutes; run with `cargo test --test all mercury:: -- --ignored`"]
fn many_random_processes_mean_what_the_reference_says() {
    let mut states = 0;
    for seed in 0..2_000 {
        let text = random::process(seed);
        for count in 1..=3 {
            states += compare(&format!("seed {seed}"), &text, count, 2);
            let text = random::with_environment(seed);
            states += compare(&format!("environment seed {seed}"), &text, count, 2);
        }
        for (count, data) in [(1, 3), (2, 2), (2, 3)] {
            states += compare(&format!("data seed {seed}"), &random::with_data(seed), count, data);
        }
    }
    println!("2000 processes, {states} states");
}
