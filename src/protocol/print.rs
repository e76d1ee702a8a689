//! A protocol as canonical RML text: it reads back to the same protocol. Definitions are expanded
//! everywhere, so that the text says exactly what was understood.

use std::fmt::Write as _;

use crate::logic::{Declarations, print_formula, print_term, print_vars};

use super::{
    Action, Argument, Assignment, Command, Expectation, ExpectedRun, NamedDefinition, Property,
    PropertyKind, Protocol, RightSide, Rigidity, RunPart, Signature, Sort, SortId, Statement,
    StepNames, Symbol,
};

/// The whole protocol as text.
pub fn print_protocol(protocol: &Protocol) -> String {
    let signature = &protocol.signature.without_definitions();
    let mut out = String::new();
    for sort in signature.sorts() {
        line(&mut out, format_args!("{}", print_sort_declaration(signature, sort)));
    }
    blank(&mut out);
    for (_, symbol) in signature.symbols() {
        line(&mut out, format_args!("{}", print_symbol_declaration(signature, symbol)));
    }
    blank(&mut out);
    for definition in protocol.signature.definitions() {
        print_definition(&mut out, signature, definition);
    }
    blank(&mut out);
    for axiom in &protocol.axioms {
        statement(&mut out, signature, "axiom", axiom);
    }
    blank(&mut out);
    for init in &protocol.init {
        statement(&mut out, signature, "init", init);
    }
    for action in &protocol.actions {
        blank(&mut out);
        out.push_str(&print_action(signature, action));
    }
    blank(&mut out);
    for property in &protocol.properties {
        print_property(&mut out, signature, property);
    }
    for line in print_goals(protocol) {
        out.push_str(&line);
        out.push('\n');
    }
    out
}

/// The `reach` lines.
pub fn print_goals(protocol: &Protocol) -> Vec<String> {
    let runs = protocol.expected_runs.iter();
    let goals = runs.filter(|run| run.expectation == Expectation::Reachable);
    goals.map(|run| print_goal(protocol, run)).collect()
}

/// A run as a `reach` line.
pub fn print_goal(protocol: &Protocol, run: &ExpectedRun) -> String {
    let parts = run.parts.iter().filter_map(|part| match part {
        RunPart::Holds(formula) => Some(print_formula(&protocol.signature, formula)),
        RunPart::OneOf(steps) => {
            let names = steps.iter().map(|step| &*protocol.actions[step.action].name);
            Some(names.collect::<Vec<_>>().join(", "))
        }
        RunPart::Steps | RunPart::AnyStep => None,
    });
    let label = run.label.as_ref().map_or(String::new(), |label| format!("[{label}] "));
    format!("reach {label}{}", parts.collect::<Vec<_>>().join(", "))
}

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    writeln!(out, "{text}").expect("writing to a string succeeds");
}

/// An empty line, unless there is one or nothing came before.
fn blank(out: &mut String) {
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
}

/// A sort's declaration, without the line break.
pub fn print_sort_declaration(signature: &Signature, sort: SortId) -> String {
    let name = signature.sort_name(sort);
    match signature.elements(sort) {
        Some(elements) => format!("sort {name} = {{ {} }}", elements.join(", ")),
        None => format!("sort {name}"),
    }
}

/// A symbol's declaration, without the line break.
pub fn print_symbol_declaration(signature: &Signature, symbol: &Symbol) -> String {
    let sort = |sort: &Sort| signature.sort(*sort).name;
    let params: Vec<String> = symbol.params.iter().map(|param| sort(param).to_string()).collect();
    let args = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
    let name = &symbol.name;
    match (&symbol.result, symbol.rigidity, params.is_empty()) {
        (None, Rigidity::Mutable, _) => format!("relation {name}{args}"),
        (None, Rigidity::Rigid, _) => format!("rigid relation {name}{args}"),
        (Some(result), Rigidity::Rigid, true) => format!("constant {name}: {}", sort(result)),
        (Some(result), Rigidity::Mutable, true) => format!("variable {name}: {}", sort(result)),
        (Some(result), Rigidity::Mutable, false) => {
            format!("function {name}{args}: {}", sort(result))
        }
        (Some(result), Rigidity::Rigid, false) => {
            format!("rigid function {name}{args}: {}", sort(result))
        }
    }
}

fn print_definition(out: &mut String, signature: &Signature, definition: &NamedDefinition) {
    let params = print_vars(signature, &definition.params);
    let params = if params.is_empty() { params } else { format!("({params})") };
    let body = print_formula(signature, &definition.body);
    line(out, format_args!("define {}{params} := {body}", definition.name));
}

fn statement(out: &mut String, signature: &Signature, keyword: &str, statement: &Statement) {
    let label = statement.label.as_ref().map_or(String::new(), |label| format!("[{label}] "));
    line(out, format_args!("{keyword} {label}{}", print_formula(signature, &statement.formula)));
}

fn print_property(out: &mut String, signature: &Signature, property: &Property) {
    let keyword = match property.kind {
        PropertyKind::Safety => "safety",
        PropertyKind::Lemma => "lemma",
    };
    let formula = print_formula(signature, &property.formula());
    line(out, format_args!("{keyword} [{}] {formula}", property.name));
}

/// One action as text.
pub fn print_action(signature: &Signature, action: &Action) -> String {
    let mut out = String::new();
    let params = print_vars(signature, &action.params);
    let params = if params.is_empty() { params } else { format!("({params})") };
    line(&mut out, format_args!("action {}{params} {{", action.name));
    block(&mut out, signature, action, &action.body, 1);
    out.push_str("}\n");
    out
}

fn block(
    out: &mut String,
    signature: &Signature,
    action: &Action,
    commands: &[Command],
    depth: usize,
) {
    let indent = "  ".repeat(depth);
    for command in commands {
        match command {
            Command::Require(formula, _) => {
                let formula = print_formula(signature, formula);
                line(out, format_args!("{indent}require {formula}"));
            }
            Command::Assign(assignment) => {
                let text = print_assignment(signature, assignment);
                line(out, format_args!("{indent}{text}"));
            }
            Command::Together(assignments, _) => {
                let sides = assignments.iter().map(|each| assignment_sides(signature, each));
                let (left, right): (Vec<String>, Vec<String>) = sides.unzip();
                let (left, right) = (left.join(", "), right.join(", "));
                line(out, format_args!("{indent}{left} := {right}"));
            }
            Command::If(condition, then, otherwise, _) => {
                let condition = print_formula(signature, condition);
                line(out, format_args!("{indent}if {condition} {{"));
                block(out, signature, action, then, depth + 1);
                if !otherwise.is_empty() {
                    line(out, format_args!("{indent}}} else {{"));
                    block(out, signature, action, otherwise, depth + 1);
                }
                line(out, format_args!("{indent}}}"));
            }
            Command::Relate(targets, formula, _) => {
                let names =
                    targets.iter().map(|(symbol, _)| signature.symbol(*symbol).name.to_string());
                let names = names.collect::<Vec<_>>().join(", ");
                let formula = print_formula(&StepNames { signature, action }, formula);
                line(out, format_args!("{indent}modify {names} so that {formula}"));
            }
        }
    }
}

/// An assignment as text.
pub fn print_assignment(signature: &Signature, assignment: &Assignment) -> String {
    let (left, right) = assignment_sides(signature, assignment);
    format!("{left} := {right}")
}

fn assignment_sides(signature: &Signature, assignment: &Assignment) -> (String, String) {
    let arguments = assignment.arguments.iter().map(|argument| match argument {
        Argument::At(term) => print_term(signature, term),
        Argument::Every(var) if var.name.starts_with('*') => "*".to_owned(),
        Argument::Every(var) => var.name.to_string(),
    });
    let arguments = arguments.collect::<Vec<_>>().join(", ");
    let arguments = if arguments.is_empty() { arguments } else { format!("({arguments})") };
    let value = match &assignment.value {
        RightSide::Formula(formula) => print_formula(signature, formula),
        RightSide::Term(term) => print_term(signature, term),
        RightSide::Havoc(_) => "*".to_owned(),
    };
    (format!("{}{arguments}", signature.symbol(assignment.target).name), value)
}
