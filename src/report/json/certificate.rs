//! A certificate as JSON, after `grammar/certificate.schema.json`: the same parts as the text, with
//! every expression as text.

use serde_json::{Value, json};

use super::Data;
use crate::certificate::{
    AlternativeOutline, CaseOutline, DefinitionOrigin, DefinitionOutline, FORMAT, Labelled,
    LockstepOutline, Mode, MoveOutline, Outline,
};

/// A certificate.
pub fn data(outline: &Outline) -> Data {
    let history = &outline.history;
    let init = history.init.iter();
    let init: Value =
        init.map(|(label, formula)| json!({ "name": label, "formula": formula })).collect();
    let after = history.after.iter();
    let after: Value = after
        .map(|(action, assignments)| json!({ "action": action, "assignments": assignments }))
        .collect();
    json!({
        "format": FORMAT,
        "protocol": outline.protocol,
        "sha256": outline.digest,
        "rmlcut": outline.version,
        "history": { "symbols": history.symbols, "init": init, "after": after },
        "lemmas": labelled(&outline.lemmas),
        "rank": outline.rank,
        "cases": outline.cases.iter().map(case).collect::<Value>(),
        "invariant": outline.invariant.as_deref().map(labelled),
    })
}

fn labelled(all: &[Labelled]) -> Value {
    let all = all.iter();
    all.map(|own| json!({ "name": own.name, "formula": own.formula })).collect()
}

fn case(case: &CaseOutline) -> Value {
    let params = case.params.iter();
    let params: Value = params.map(|(name, sort)| json!({ "name": name, "sort": sort })).collect();
    let violators = case.violators.iter();
    let violators: Value = violators
        .map(|(variable, param)| json!({ "variable": variable, "param": param }))
        .collect();
    let cut = case.cut.iter().map(
        |cut| json!({ "sort": cut.sort, "elements": cut.elements, "sim": definition(&cut.sim) }),
    );
    json!({
        "name": case.name,
        "property": case.property,
        "params": params,
        "violators": violators,
        "select": case.select,
        "cut": cut.collect::<Value>(),
        "rigid": case.rigid.iter().map(definition).collect::<Value>(),
        "start": case.start.iter().map(definition).collect::<Value>(),
        "relax": case.relax,
        "only": labelled(&case.only),
        "gamma": labelled(&case.gamma),
        "lockstep": case.lockstep.iter().map(lockstep).collect::<Value>(),
        "close": case.close.as_deref().map(labelled),
    })
}

fn definition(own: &DefinitionOutline) -> Value {
    json!({
        "name": own.name,
        "params": own.params,
        "value": own.value,
        "default": own.origin == DefinitionOrigin::Default,
    })
}

fn lockstep(own: &LockstepOutline) -> Value {
    json!({
        "action": own.action,
        "params": own.params,
        "alternatives": own.alternatives.iter().map(alternative).collect::<Value>(),
    })
}

fn alternative(own: &AlternativeOutline) -> Value {
    json!({ "when": own.when, "moves": own.moves.iter().map(one_move).collect::<Value>() })
}

fn one_move(own: &MoveOutline) -> Value {
    json!({
        "try": own.mode == Mode::Try,
        "action": own.action,
        "arguments": own.args,
        "choices": own.choices.iter().map(definition).collect::<Value>(),
    })
}
