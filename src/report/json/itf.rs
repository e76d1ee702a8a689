//! Traces in the Informal Trace Format (Apalache's ADR-015), which other viewers open.
//!
//! Relations are sets of tuples, functions maps, elements strings. Rigid symbols appear in every
//! state. The action taken and its arguments are named as Quint names them. `#meta` says how many
//! elements there are, so that those that no state mentions are not lost; `frontend/trace/itf.rs` reads it.

use serde::Serialize;

use super::{Named, print};
use crate::logic::{Extent, Table, Value};
use crate::protocol::{Invocation, Protocol, Sort, State, Symbol, Trace, element_name};

const ACTION: &str = "mbt::actionTaken";
const PICKS: &str = "mbt::nondetPicks";

#[derive(Serialize)]
struct ItfDocument<'a> {
    #[serde(rename = "#meta")]
    meta: ItfMeta<'a>,
    vars: Vec<&'a str>,
    states: Vec<ItfState<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
struct ItfMeta<'a> {
    format: &'static str,
    format_description: &'static str,
    source: &'a str,
    status: &'a str,
    description: &'a str,
    size: Named<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    int: Option<(i64, i64)>,
}

#[derive(Serialize)]
struct ItfState<'a> {
    #[serde(rename = "#meta")]
    meta: ItfIndex,
    #[serde(flatten)]
    values: Named<ItfValue>,
    #[serde(rename = "mbt::actionTaken")]
    action: &'a str,
    #[serde(rename = "mbt::nondetPicks")]
    picks: Named<ItfPick>,
}

#[derive(Serialize)]
struct ItfIndex {
    index: usize,
}

#[derive(Serialize)]
struct ItfPick {
    tag: &'static str,
    value: ItfValue,
}

#[derive(Serialize)]
#[serde(untagged)]
enum ItfValue {
    Missing,
    Truth(bool),
    Element(String),
    Integer {
        #[serde(rename = "#bigint")]
        digits: String,
    },
    Tuple {
        #[serde(rename = "#tup")]
        items: Vec<ItfValue>,
    },
    Set {
        #[serde(rename = "#set")]
        members: Vec<ItfValue>,
    },
    Map {
        #[serde(rename = "#map")]
        pairs: Vec<(ItfValue, ItfValue)>,
    },
}

/// A run as an ITF document. `status` says how it ends: `violation`, or anything else.
pub fn document(protocol: &Protocol, run: &Trace, status: &str, description: &str) -> String {
    let protocol = &protocol.with_names_of(&run.initial);
    let symbols = protocol.signature.symbols().map(|(_, symbol)| &*symbol.name);
    let steps = run.steps.iter().map(|step| (Some(&step.invocation), &step.state));
    let all = std::iter::once((None, &run.initial)).chain(steps).enumerate();
    print(&ItfDocument {
        meta: ItfMeta {
            format: "ITF",
            format_description: "https://apalache-mc.org/docs/adr/015adr-trace.html",
            source: &protocol.name,
            status,
            description,
            size: size(protocol, &run.initial),
            int: match run.initial.extent(Sort::Int) {
                Some(Extent::Window { low, high }) if low <= high => Some((low, high)),
                _ => None,
            },
        },
        vars: symbols.chain([ACTION, PICKS]).collect(),
        states: all
            .map(|(index, (invocation, state))| itf_state(protocol, index, invocation, state))
            .collect(),
    })
}

/// How many elements every sort has.
fn size(protocol: &Protocol, state: &State) -> Named<usize> {
    let signature = &protocol.signature;
    let sizes = signature.sized_sorts().filter_map(|sort| {
        let extent = state.extent(Sort::Declared(sort))?;
        Some((signature.sort_name(sort).to_string(), extent.len()))
    });
    Named(sizes.collect())
}

fn itf_state<'a>(
    protocol: &'a Protocol,
    index: usize,
    invocation: Option<&Invocation>,
    state: &State,
) -> ItfState<'a> {
    let values = protocol.signature.symbols().filter_map(|(id, symbol)| {
        let table = state.tables.get(&id)?;
        Some((symbol.name.to_string(), symbol_value(protocol, symbol, table)))
    });
    let action = invocation.map(|invocation| &protocol.actions[invocation.action]);
    let mut picks = Vec::new();
    for (action, invocation) in action.into_iter().zip(invocation) {
        for (param, value) in action.params.iter().zip(&invocation.args) {
            let value = element(protocol, param.sort, *value);
            picks.push((param.name.to_string(), ItfPick { tag: "Some", value }));
        }
    }
    ItfState {
        meta: ItfIndex { index },
        values: Named(values.collect()),
        action: action.map_or("init", |action| &*action.name),
        picks: Named(picks),
    }
}

fn symbol_value(protocol: &Protocol, symbol: &Symbol, table: &Table) -> ItfValue {
    let key = |args: &[Value]| {
        let items = symbol.params.iter().zip(args);
        let mut items: Vec<ItfValue> =
            items.map(|(sort, value)| element(protocol, *sort, *value)).collect();
        if items.len() == 1 { items.remove(0) } else { ItfValue::Tuple { items } }
    };
    match (symbol.result, symbol.params.is_empty()) {
        (None, true) => ItfValue::Truth(table.get(&[]) == Some(Value::Bool(true))),
        (None, false) => {
            let holds = table.entries().filter(|(_, value)| *value == Value::Bool(true));
            ItfValue::Set { members: holds.map(|(args, _)| key(&args)).collect() }
        }
        (Some(sort), true) => {
            table.get(&[]).map_or(ItfValue::Missing, |value| element(protocol, sort, value))
        }
        (Some(sort), false) => {
            let pairs =
                table.entries().map(|(args, value)| (key(&args), element(protocol, sort, value)));
            ItfValue::Map { pairs: pairs.collect() }
        }
    }
}

fn element(protocol: &Protocol, sort: Sort, value: Value) -> ItfValue {
    match value {
        Value::Int(int) => ItfValue::Integer { digits: int.to_string() },
        Value::Bool(truth) => ItfValue::Truth(truth),
        Value::Element(_) => {
            ItfValue::Element(element_name(&protocol.signature, sort, value).to_string())
        }
    }
}
