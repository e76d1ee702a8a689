//! Cutoffs of data that the printed conditions of Venus grant to unsafe systems, written down as
//! certificates: each is refused, and the obligations that fail say why.

use rmlcut::certificate::digest;
use rmlcut::elaborate::certificate::elaborate_certificate;
use rmlcut::frontend::parse_certificate;
use rmlcut::judge::{Gap, Verdict};
use rmlcut::protocol::{Protocol, Sort};
use rmlcut::source::SourceFile;

use super::{judged, protocol};

/// The certificate that keeps `count` values of the only data domain: the first ones are those that
/// the violators have, the last is all others. Every action is answered by itself.
fn forged(protocol: &Protocol, count: usize) -> String {
    let signature = &protocol.signature;
    let data = signature.sorts().find(|sort| &**signature.sort_name(*sort) == "value");
    let data = Sort::Declared(data.expect("a domain"));
    let property = &protocol.properties[0];
    let violators: Vec<String> =
        (1..=property.vars.len()).map(|number| format!("violator{number}")).collect();
    let values: Vec<String> = (1..count).map(|number| format!("value{number}")).collect();
    let store = signature.mutable().find(|(_, symbol)| symbol.result == Some(data));
    let store = &store.expect("something stores values").1.name;
    let params = violators.iter().map(|name| format!("{name}: process"));
    let params = params.chain(values.iter().map(|name| format!("{name}: value")));
    let vars = property.vars.iter().zip(&violators);
    let vars = vars.map(|(var, name)| format!("{} = {name}", var.name));
    let selected = values.iter().enumerate().map(|(index, name)| {
        format!("{store}({}) = {name}", violators[index.min(violators.len() - 1)])
    });
    let elements: Vec<String> = (1..=count).map(|number| format!("kept{number}")).collect();
    let images = elements.iter().zip(&values);
    let images = images.map(|(element, value)| format!("{element} if any = {value} else "));
    let mut text = format!(
        "certificate 1 for {}\nsha256 {}\n\ncase forged for {} {{\n  params {}\n  violators {}\n",
        protocol.name,
        digest(protocol),
        property.name,
        joined(params),
        joined(vars),
    );
    if count > 1 {
        let selected: Vec<String> = selected.collect();
        text.push_str(&format!("  select {}\n", selected.join(" & ")));
    }
    text.push_str(&format!("  cut value = {{ {} }}\n", elements.join(", ")));
    let images: String = images.collect();
    text.push_str(&format!("  sim value(any) := {images}{}\n", elements[count - 1]));
    for (_, symbol) in signature.mutable() {
        let vars = (1..=symbol.params.len()).map(|number| format!("X{number}"));
        let (name, vars) = (&symbol.name, applied(joined(vars)));
        let said = match symbol.result {
            None => format!("{name}_L{vars} <-> {name}_C{vars}"),
            Some(sort) if sort == data => format!("{name}_C{vars} = sim({name}_L{vars})"),
            Some(_) => format!("{name}_C{vars} = {name}_L{vars}"),
        };
        text.push_str(&format!("  gamma [{name}] {said}\n"));
    }
    for action in &protocol.actions {
        let names = action.params.iter().map(|param| param.name.to_string());
        let images = action.params.iter().map(|param| match param.sort == data {
            true => format!("sim({})", param.name),
            false => param.name.to_string(),
        });
        let (names, images) = (applied(joined(names)), applied(joined(images)));
        text.push_str(&format!("  lockstep {0}{names} do {0}{images}\n", action.name));
    }
    text.push_str("}\n");
    text
}

fn joined(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<String>>().join(", ")
}

fn applied(arguments: String) -> String {
    if arguments.is_empty() { arguments } else { format!("({arguments})") }
}

/// The obligations that fail when an unsafe system is reduced to so many values.
fn failing(name: &str, count: usize) -> Vec<String> {
    let protocol = protocol(&format!("agreement/broken/{name}.mer"));
    let text = forged(&protocol, count);
    let parsed = parse_certificate(&SourceFile::new("forged.cut", text.as_str()));
    let read = elaborate_certificate(&protocol, &parsed.file);
    let certificate = read.certificate.unwrap_or_else(|| panic!("{:?}\n{text}", read.diagnostics));
    let gaps = match judged(&protocol, &certificate).verdict {
        Verdict::Unproved(gaps) => gaps,
        verdict => panic!("{name}: {verdict:?}"),
    };
    let titles = gaps.into_iter().filter_map(|gap| match gap {
        Gap::Obligation(title) => Some(title),
        _ => None,
    });
    titles.collect()
}

#[test]
fn a_value_that_only_the_environment_writes_has_more_than_one_value() {
    assert_eq!(failing("data_from_environment", 1), ["forged: safety same"]);
}

#[test]
fn three_values_do_not_show_that_four_differ() {
    for name in ["data_second_way", "data_alone", "data_rounds"] {
        assert_eq!(failing(name, 3), ["forged: safety three_values"], "{name}");
    }
}

#[test]
fn merged_values_do_not_differ_where_a_broadcast_compares_them() {
    let wanted = [
        "forged: step first / enabled 1",
        "forged: step first / keeps at_Wait",
        "forged: step first / keeps at_Ready",
        "forged: step second / enabled 1",
        "forged: step second / keeps at_Wait2",
        "forged: step second / keeps at_Bad",
    ];
    assert_eq!(failing("data_two_elections", 2), wanted);
}

#[test]
fn merged_values_do_not_differ_where_two_processes_compare_them() {
    let wanted = ["one_two", "one_three", "two_three"];
    let wanted = wanted.map(|action| format!("forged: step {action} / enabled 1"));
    assert_eq!(failing("data_pair_by_pair", 2), wanted);
}

#[test]
fn merged_values_do_not_differ_where_one_process_compares_them() {
    let wanted = ["check1_to_Have2", "check2_to_Have3", "check3_to_Have4", "check4_to_Bad"];
    let wanted = wanted.map(|action| format!("forged: step {action} / enabled 1"));
    assert_eq!(failing("data_four_elections", 4), wanted);
}
