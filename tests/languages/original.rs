//! Ivy itself: what a file means to the tool it was written for, state by state at a small size, is
//! what it means here.
//!
//! `RMLCUT_IVY` names a Python with Ivy; without it there is nothing to compare with, and the tests
//! say so. `RMLCUT_IVY_FILES` names a further folder of files to compare.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use rmlcut::logic::{Extent, Table, Value, VariableAssignment, evaluate_formula};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{
    Property, Protocol, Signature, Size, Sort, State, StateFormula, SymbolId, blank_state,
    element_name, extents, successors,
};
use serde_json::Value as Json;

use super::{files, source};

/// How many states are looked at, of each file.
const MOST: &str = "150";

/// The symbol that says that an assertion failed.
const FAILED: &str = "assertion_failed";

/// What the other tool says of one file.
struct ReferenceStates {
    /// The symbols of its states, as we call them.
    symbols: Vec<SymbolId>,
    size: Size,
    states: Vec<Json>,
}

/// Runs a script of ours with the tool's own Python.
fn ask(python: &Path, script: &str, path: &Path) -> Json {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/languages").join(script);
    let output = Command::new(python).arg(script).arg(path).args(["2", MOST]).output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", python.display()));
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{}: {error}\n{}", path.display(), String::from_utf8_lossy(&output.stderr))
    })
}

/// Their name in our language.
fn ours(name: &str) -> String {
    name.replace('.', "_")
}

fn reference_states(protocol: &Protocol, answer: &Json) -> Result<ReferenceStates, String> {
    let signature = &protocol.signature;
    let mut symbols = Vec::new();
    for symbol in answer["symbols"].as_array().expect("symbols") {
        let name = ours(symbol["name"].as_str().expect("a name"));
        let found =
            signature.find_symbol(&name).or_else(|| signature.find_symbol(&(name.clone() + "_")));
        let found = found.ok_or_else(|| format!("no symbol is called {name}"))?;
        let params = symbol["params"].as_array().map_or(0, Vec::len);
        if signature.symbol(found).params.len() != params {
            return Err(format!("{name} has {params} arguments there"));
        }
        symbols.push(found);
    }
    let sizes = answer["sizes"].as_object().expect("sizes");
    let size = signature.sized_sorts().map(|sort| {
        let mut known = sizes.iter().filter(|(name, _)| ours(name) == **signature.sort_name(sort));
        let count = known.next().and_then(|(_, count)| count.as_u64());
        (sort, u32::try_from(count.unwrap_or(2)).expect("a small size"))
    });
    let states = answer["states"].as_array().expect("states").clone();
    Ok(ReferenceStates { symbols, size: size.collect(), states })
}

impl ReferenceStates {
    fn state(&self, protocol: &Protocol, tables: &Json) -> State {
        let signature = &protocol.signature;
        let mut state = blank_state(signature, &extents(signature, &self.size, None));
        // The values of an enumeration are its elements, in order.
        for sort in signature.sorts() {
            for (index, value) in (0..).zip(protocol.enumeration(sort).unwrap_or_default()) {
                let table = state.tables.get_mut(&value).expect("every symbol has a table");
                table.set(&[], Value::Element(index));
            }
        }
        for (symbol, table) in self.symbols.iter().zip(tables.as_array().expect("tables")) {
            let result = signature.symbol(*symbol).result;
            let values = table.as_array().expect("a table").iter().map(|value| {
                let number = u32::try_from(value.as_u64().expect("a number")).expect("small");
                if result.is_none() { Value::Bool(number == 1) } else { Value::Element(number) }
            });
            let places: Vec<Extent> = state.tables[symbol].extents().to_vec();
            state.tables.insert(*symbol, Table::of_values(places, values.collect()));
        }
        state
    }

    /// A state, as far as the other tool speaks of it.
    fn seen(&self, state: &State) -> Vec<Vec<Value>> {
        self.symbols.iter().map(|symbol| state.tables[symbol].values().to_vec()).collect()
    }
}

/// How the steps of both sides should compare.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Steps {
    /// There are the same here and there.
    Same,
    /// Here may be more, as a note about the file says.
    MayBeMore,
}

/// What differs, in words.
fn differences(protocol: &Protocol, reference: &ReferenceStates, steps: Steps) -> Vec<String> {
    let holds = |formula: &StateFormula, state: &State| {
        evaluate_formula(state, &VariableAssignment::default(), formula).expect("no integers")
    };
    let failed = protocol.signature.find_symbol(FAILED);
    let has_failed = |state: &State| {
        failed.is_some_and(|failed| state.tables[&failed].values()[0] == Value::Bool(true))
    };
    let mut found = Vec::new();
    for entry in &reference.states {
        let state = reference.state(protocol, &entry["state"]);
        let possible = holds(&protocol.axiom(), &state);
        let mut differ = |what: &str, here: String, there: String| {
            if here != there {
                let place = described(&protocol.signature, &state);
                found.push(format!("{what}: {here} here, {there} there, in {place}"));
            }
        };
        differ("possible", possible.to_string(), entry["possible"].to_string());
        if !possible || entry["possible"] != Json::Bool(true) {
            continue;
        }
        differ(
            "initial",
            holds(&protocol.initial(), &state).to_string(),
            entry["initial"].to_string(),
        );
        let is_claim = |property: &&Property| !property.name.starts_with("assertions");
        let mut claims = protocol.properties.iter().filter(is_claim);
        let safe = claims.all(|property| holds(&property.formula(), &state));
        differ("safe", safe.to_string(), entry["safe"].to_string());
        let mut next = BTreeSet::new();
        let mut fails = false;
        for action in 0..protocol.actions.len() {
            for (_, successor) in successors(protocol, &state, action).expect("it can be executed")
            {
                if has_failed(&successor.state) {
                    fails = true;
                } else {
                    next.insert(reference.seen(&successor.state));
                }
            }
        }
        differ("fails", fails.to_string(), entry["fails"].to_string());
        let theirs = entry["next"].as_array().expect("states").iter();
        let theirs: BTreeSet<_> =
            theirs.map(|next| reference.seen(&reference.state(protocol, next))).collect();
        let only = |one: &BTreeSet<_>, other: &BTreeSet<_>| {
            format!("{:?}", one.difference(other).collect::<Vec<_>>())
        };
        if steps == Steps::Same || !next.is_superset(&theirs) {
            differ("next", only(&next, &theirs), only(&theirs, &next));
        }
    }
    found
}

fn described(signature: &Signature, state: &State) -> String {
    let symbols = signature.symbols().map(|(id, symbol)| {
        let values = state.tables[&id].values().iter();
        let sort = symbol.result.unwrap_or(Sort::Int);
        let values: Vec<String> =
            values.map(|value| element_name(signature, sort, *value).to_string()).collect();
        format!("{} = {}", symbol.name, values.join(" "))
    });
    symbols.collect::<Vec<_>>().join(", ")
}

/// Compares files with what the tool says of them; what a side refuses is printed.
// Whoever asks for the comparison reads what was left out of it.
#[allow(clippy::print_stdout)]
fn compare(python: &Path, script: &str, paths: &[PathBuf]) {
    let (mut equal, mut wrong) = (0, Vec::new());
    for path in paths {
        let name = path.display();
        let (protocol, notes) = match read_protocol(&source(path)) {
            Ok(read) => read,
            Err(messages) => {
                println!("{name}: refused here: {}", messages[0].message);
                continue;
            }
        };
        let answer = ask(python, script, path);
        if let Some(refusal) = answer["refused"].as_str() {
            println!("{name}: refused there: {}", refusal.trim());
            continue;
        }
        let loses = notes.iter().any(|note| note.message.contains("Ivy loses the steps"));
        let steps = if loses { Steps::MayBeMore } else { Steps::Same };
        let found = reference_states(&protocol, &answer)
            .map(|reference| differences(&protocol, &reference, steps));
        match found {
            Ok(found) if found.is_empty() => equal += 1,
            Ok(found) => wrong.push(format!("{name}: {} differences, {}", found.len(), found[0])),
            Err(refusal) => println!("{name}: not compared: {refusal}"),
        }
    }
    println!("{equal} files are equal");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(equal > 0, "nothing was compared");
}

#[test]
fn ivy_files_mean_what_they_mean_to_ivy() {
    let Some(python) = env::var_os("RMLCUT_IVY") else {
        println!("skipped: RMLCUT_IVY does not name a Python with Ivy");
        return;
    };
    let paths = match env::var_os("RMLCUT_IVY_FILES") {
        None => files("tests/ivy", "ivy"),
        Some(folder) => {
            let entries = fs::read_dir(folder).expect("RMLCUT_IVY_FILES names a folder");
            let mut paths: Vec<PathBuf> =
                entries.map(|entry| entry.expect("readable").path()).collect();
            paths.retain(|path| path.extension().is_some_and(|found| found == "ivy"));
            paths.sort();
            paths
        }
    };
    compare(Path::new(&python), "ivy_relation.py", &paths);
}
