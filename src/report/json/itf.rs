//! Traces in the Informal Trace Format (Apalache's ADR-015), which other viewers open.
//!
//! Relations are sets of tuples, functions maps, elements strings. Rigid symbols appear in every
//! state. The action taken and its arguments are named as Quint names them. `#meta` says how many
//! elements there are, so that those that no state mentions are not lost; `frontend::itf` reads it.

use serde_json::{Map, Value as Json, json};

use crate::logic::{Extent, Table, Value};
use crate::protocol::{Invocation, Protocol, Sort, State, Symbol, Trace, element_name};

const ACTION: &str = "mbt::actionTaken";
const PICKS: &str = "mbt::nondetPicks";

/// A run that ends in a violation as an ITF document.
pub fn document(protocol: &Protocol, run: &Trace, description: &str) -> String {
    let protocol = &protocol.with_names_of(&run.initial);
    let symbols = protocol.signature.symbols().map(|(_, symbol)| &*symbol.name);
    let vars: Vec<&str> = symbols.chain([ACTION, PICKS]).collect();
    let steps = run.steps.iter().map(|step| (Some(&step.invocation), &step.state));
    let all = std::iter::once((None, &run.initial)).chain(steps);
    let states: Vec<Json> = all
        .enumerate()
        .map(|(index, (invocation, state))| packed(protocol, index, invocation, state))
        .collect();
    let mut meta = json!({
        "format": "ITF",
        "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
        "source": &*protocol.name,
        "status": "violation",
        "description": description,
        "size": size(protocol, &run.initial),
    });
    if let Some(Extent::Window { low, high }) = run.initial.extent(Sort::Int)
        && low <= high
    {
        meta["int"] = json!([low, high]);
    }
    let document = json!({ "#meta": meta, "vars": vars, "states": states });
    format!("{document:#}\n")
}

/// How many elements every sort has.
fn size(protocol: &Protocol, state: &State) -> Map<String, Json> {
    let signature = &protocol.signature;
    let sizes = signature.sorts().filter_map(|sort| {
        let extent = state.extent(Sort::Declared(sort))?;
        Some((signature.sort_name(sort).to_string(), json!(extent.len())))
    });
    sizes.collect()
}

fn packed(
    protocol: &Protocol,
    index: usize,
    invocation: Option<&Invocation>,
    state: &State,
) -> Json {
    let mut values = Map::new();
    values.insert("#meta".to_owned(), json!({ "index": index }));
    for (id, symbol) in protocol.signature.symbols() {
        if let Some(table) = state.tables.get(&id) {
            values.insert(symbol.name.to_string(), symbol_value(protocol, symbol, table));
        }
    }
    let action = invocation.map(|invocation| &protocol.actions[invocation.action]);
    let name = action.map_or("init", |action| &*action.name);
    values.insert(ACTION.to_owned(), json!(name));
    let mut picks = Map::new();
    for (action, invocation) in action.into_iter().zip(invocation) {
        for (param, value) in action.params.iter().zip(&invocation.args) {
            let value = element(protocol, param.sort, *value);
            picks.insert(param.name.to_string(), json!({ "tag": "Some", "value": value }));
        }
    }
    values.insert(PICKS.to_owned(), Json::Object(picks));
    Json::Object(values)
}

fn symbol_value(protocol: &Protocol, symbol: &Symbol, table: &Table) -> Json {
    let key = |args: &[Value]| {
        let items = symbol.params.iter().zip(args);
        let mut items: Vec<Json> =
            items.map(|(sort, value)| element(protocol, *sort, *value)).collect();
        if items.len() == 1 { items.remove(0) } else { json!({ "#tup": items }) }
    };
    match (symbol.result, symbol.params.is_empty()) {
        (None, true) => json!(table.get(&[]) == Some(Value::Bool(true))),
        (None, false) => {
            let holds = table.entries().filter(|(_, value)| *value == Value::Bool(true));
            json!({ "#set": holds.map(|(args, _)| key(&args)).collect::<Vec<_>>() })
        }
        (Some(sort), true) => {
            table.get(&[]).map_or(Json::Null, |value| element(protocol, sort, value))
        }
        (Some(sort), false) => {
            let pairs = table
                .entries()
                .map(|(args, value)| json!([key(&args), element(protocol, sort, value)]));
            json!({ "#map": pairs.collect::<Vec<_>>() })
        }
    }
}

fn element(protocol: &Protocol, sort: Sort, value: Value) -> Json {
    match value {
        Value::Int(int) => json!({ "#bigint": int.to_string() }),
        Value::Bool(truth) => json!(truth),
        Value::Element(_) => json!(&*element_name(&protocol.signature, sort, value)),
    }
}
