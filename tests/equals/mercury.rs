//! Processes read from text: the lowered protocol and the model of the process mean the same.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use rmlcut::budget::{Budget, Stop};
use rmlcut::finite::{Question, Random, Silent, reachable};
use rmlcut::judge::Verdict;
use rmlcut::logic::{Name, Value};
use rmlcut::pipeline::{read_process, read_protocol};
use rmlcut::process::counters::{Configuration, CounterSystem};
use rmlcut::process::local::{LocalStates, local_states};
use rmlcut::process::{Encoding, Environment, LocalState, PointId, Process};
use rmlcut::protocol::{Protocol, Size, State};
use rmlcut::prove::{Prefer, ProveConfig, prove_equals};
use rmlcut::source::SourceFile;
use rmlcut::synthesis::counters::covered;

use super::build::{mercury, random};

fn read(source: &SourceFile) -> (Protocol, Process) {
    let (protocol, _) = read_protocol(source).unwrap_or_else(|messages| {
        panic!("{}\n{}\n{messages:?}", source.name(), source.text());
    });
    (protocol, read_process(source).expect("the text of a process"))
}

/// The files of the corpus in which no process knows another one, and all values are written out.
fn without_links() -> Vec<(SourceFile, Protocol, Process)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols/agreement");
    let files = fs::read_dir(folder).expect("the folder of the corpus");
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "mer"));
    paths.sort();
    let sources = paths.iter().map(|path| {
        let text = fs::read_to_string(path).expect("a readable file");
        SourceFile::new(path.file_name().unwrap_or_default().to_string_lossy().into_owned(), text)
    });
    let all = sources.map(|source| {
        let (protocol, process) = read(&source);
        (source, protocol, process)
    });
    // Counters are for processes that move alone or with each other.
    all.filter(|(_, _, process)| process.links.is_empty() && process.data.is_empty())
        .filter(|(_, _, process)| process.environment == Environment::Generated)
        .collect()
}

/// The local states of the live processes in a state of the lowered protocol.
fn configuration(
    protocol: &Protocol,
    process: &Process,
    locals: &LocalStates,
    state: &State,
    size: usize,
) -> Configuration {
    let holds = |name: &Name, element: usize| {
        let symbol = protocol.signature.find_symbol(name).expect("a relation of the protocol");
        let element = Value::Element(u32::try_from(element).expect("a small size"));
        state.tables[&symbol].get(&[element]) == Some(Value::Bool(true))
    };
    let mut found = Configuration::new();
    for element in 0..size {
        if process.crashed.as_ref().is_some_and(|crashed| holds(crashed, element)) {
            continue;
        }
        let points = process.points.iter().enumerate();
        let at: Vec<usize> = points
            .filter(|(_, point)| holds(&point.relation, element))
            .map(|(index, _)| index)
            .collect();
        assert_eq!(at.len(), 1, "a live process is at one point");
        let values = process.variables.iter().map(|variable| match &variable.encoding {
            Encoding::Bit(name) => i64::from(holds(name, element)),
            Encoding::OneHot(names) => {
                let mut pairs = names.iter().zip(variable.values());
                let value = pairs.find(|(name, _)| holds(name, element));
                value.expect("a live process has a value for every variable").1
            }
        });
        let local = LocalState { point: PointId(at[0]), values: values.collect() };
        let index = locals.states.iter().position(|known| *known == local);
        found.push(index.unwrap_or_else(|| panic!("not a local state: {local:?}")));
    }
    found.sort_unstable();
    found
}

/// Compares the configurations that the protocol and the counter system reach.
fn same_configurations(name: &str, protocol: &Protocol, process: &Process, sizes: usize) {
    let locals = local_states(process, 400).expect("few local states");
    let system = CounterSystem { process, locals: &locals };
    let sort = protocol.signature.sorts().next().expect("the sort of processes");
    for size in 1..=sizes {
        let count: Size = [(sort, u32::try_from(size).expect("small"))].into_iter().collect();
        let budget = Budget { max_states: 200_000, ..Budget::until(Stop::never()) };
        let explored = reachable(&Question::new(protocol, count), &budget);
        let explored = explored.expect("a question").expect("a small instance");
        let states = explored.instances.iter().flat_map(|instance| instance.states());
        let seen: BTreeSet<Configuration> =
            states.map(|state| configuration(protocol, process, &locals, &state, size)).collect();
        let counted = system.reachable(size, 200_000).expect("a small system");
        assert_eq!(seen, counted, "{name} with {size} processes");
    }
}

#[test]
fn the_lowered_protocol_reaches_what_the_counter_system_reaches() {
    let all = without_links();
    assert!(all.len() >= 6, "the corpus has processes without links");
    for (source, protocol, process) in &all {
        same_configurations(source.name(), protocol, process, 3);
    }
}

#[test]
fn random_processes_mean_the_same_twice() {
    let mut source = Random(1818);
    let mut answers: BTreeMap<bool, usize> = BTreeMap::new();
    for case in 0..40 {
        let drawn = random(&mut source);
        let text = SourceFile::new(format!("random{case}.mer"), mercury(&drawn));
        let (protocol, process) = read(&text);
        same_configurations(&mercury(&drawn), &protocol, &process, 3);
        let locals = local_states(&process, 400).expect("few local states");
        let minimal = covered(&process, &locals, &Stop::never()).expect("few configurations");
        let start = locals.states.iter().position(|state| *state == process.initial);
        let initial = minimal.iter().filter(|all| all.iter().all(|own| Some(*own) == start));
        let least = initial.map(Vec::len).min();
        // The drawn process and the one that was read have the same least size.
        let locals = local_states(&drawn, 400).expect("few local states");
        let again = covered(&drawn, &locals, &Stop::never()).expect("few configurations");
        let again = again.iter().filter(|all| all.iter().all(|own| *own == 0));
        assert_eq!(least, again.map(Vec::len).min(), "{}", text.text());
        *answers.entry(least.is_some()).or_default() += 1;
    }
    assert!(answers.values().all(|count| *count > 5), "{answers:?}");
}

#[test]
fn counters_prove_every_process_without_links() {
    for (source, protocol, process) in without_links() {
        let config = ProveConfig {
            stop: Stop::never().within(Duration::from_secs(60)),
            prefer: Prefer::Cutoff,
            patience: 1,
            proved: &|| {},
            residual: 3,
            threads: 1,
            progress: &Silent,
        };
        let (outcome, report) =
            prove_equals(&protocol, Some(&process), &config).expect("the solver answers");
        assert!(matches!(outcome.verdict, Verdict::Safe), "{}: {report:?}", source.name());
        assert!(report.proved_cutoff().is_some(), "{}: {report:?}", source.name());
    }
}
