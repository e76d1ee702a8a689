//! Protocols in Ivy 1.7.
//!
//! Our statements are Ivy's, one for one. Initial conditions are assumed of the first state, and
//! every action is exported.

use super::names::{Alphabet, ExportNames};
use super::statement_text::{bracketed, called, goals, label, line, parameters};
use super::syntax::{FormulaWriter, LanguageWords, Syntax, dotted};
use super::two_state_copies::without_relations;
use super::{ExportError, ExportInstance, Exported, reserved};
use crate::logic::{Name, Var, print_application};
use crate::protocol::{
    Action, Argument, Assignment, Command, OneState, Protocol, RightSide, Sort, StateFormula,
    StateVar, SymbolId,
};

const WORDS: LanguageWords = LanguageWords {
    truth: "true",
    falsehood: "false",
    not: "~",
    and: "&",
    or: "|",
    implies: "->",
    iff: "<->",
    equal: "=",
    different: "~=",
    at_most: "<=",
    integers: "integer",
    quantified: dotted,
    conditional,
};

/// In Ivy, `~p if c else q` is the negation of all of it.
fn conditional(condition: &str, then: &str, otherwise: &str) -> String {
    let then = if then.starts_with('~') { format!("({then})") } else { then.to_owned() };
    format!("{then} if {condition} else {otherwise}")
}

/// Writes a protocol.
pub(super) fn write(
    protocol: &Protocol,
    _instance: &ExportInstance,
) -> Result<Exported, ExportError> {
    let protocol = &without_relations(protocol);
    let mut text = String::from("#lang ivy1.7\n");
    line(&mut text, &format!("# {}, written by rmlcut.\n", protocol.name));
    let alphabet = Alphabet { reserved: reserved::IVY, marks: &["old_", "new_"] };
    let mut names = ExportNames::new(&protocol.signature, alphabet);
    let actions: Vec<String> =
        protocol.actions.iter().map(|action| names.claim(&action.name)).collect();
    let ivy = Ivy { names: &names };
    ivy.declarations(protocol, &mut text);
    for (action, name) in protocol.actions.iter().zip(&actions) {
        ivy.action(action, name, &mut text)?;
    }
    text.push('\n');
    for property in &protocol.properties {
        let formula = ivy.closed(&property.formula());
        line(&mut text, &format!("invariant [{}] {formula}", label(&property.name)));
    }
    goals(protocol, "#", &mut text);
    Ok(Exported { text, configuration: None })
}

struct Ivy<'a> {
    names: &'a ExportNames,
}

impl Ivy<'_> {
    fn declarations(&self, protocol: &Protocol, text: &mut String) {
        let signature = &protocol.signature;
        for sort in signature.sorts() {
            let sort = Sort::Declared(sort);
            let name = self.sort(sort);
            line(
                text,
                &match self.names.elements(sort) {
                    [] => format!("type {name}"),
                    elements => format!("type {name} = {{{}}}", elements.join(", ")),
                },
            );
        }
        if signature.uses_int() {
            line(text, "type integer\ninterpret integer -> int");
        }
        text.push('\n');
        for (id, symbol) in signature.symbols() {
            let params: Vec<String> = symbol
                .params
                .iter()
                .enumerate()
                .map(|(index, sort)| format!("X{}:{}", index + 1, self.sort(*sort)))
                .collect();
            let name = print_application(self.names.symbol(id), &params);
            line(
                text,
                &match symbol.result {
                    None => format!("relation {name}"),
                    Some(sort) if params.is_empty() => {
                        format!("individual {name} : {}", self.sort(sort))
                    }
                    Some(sort) => format!("function {name} : {}", self.sort(sort)),
                },
            );
        }
        text.push('\n');
        for axiom in &protocol.axioms {
            let label = bracketed(axiom.label.as_ref());
            line(text, &format!("axiom {label}{}", self.closed(&axiom.formula)));
        }
        if !protocol.init.is_empty() {
            line(text, "\nafter init {");
            for init in &protocol.init {
                line(text, &format!("    assume {};", self.closed(&init.formula)));
            }
            line(text, "}");
        }
    }

    fn closed(&self, formula: &StateFormula) -> String {
        FormulaWriter::new(self, Vec::new()).formula(formula)
    }

    fn action(&self, action: &Action, name: &str, text: &mut String) -> Result<(), ExportError> {
        let scope: Vec<(StateVar, String)> = parameters(self.names, &action.params);
        let params = scope.iter().map(|(param, name)| format!("{name}:{}", self.sort(param.sort)));
        let params: Vec<String> = params.collect();
        line(text, &format!("\naction {} = {{", print_application(name, &params)));
        self.block(&action.body, &scope, 1, text)?;
        line(text, &format!("}}\nexport {name}"));
        Ok(())
    }

    fn block(
        &self,
        commands: &[Command],
        scope: &[(StateVar, String)],
        depth: usize,
        text: &mut String,
    ) -> Result<(), ExportError> {
        let indent = "    ".repeat(depth);
        for command in commands {
            match command {
                Command::Require(formula, _) => {
                    let formula = FormulaWriter::new(self, scope.to_vec()).formula(formula);
                    line(text, &format!("{indent}require {formula};"));
                }
                Command::Assign(assignment) => {
                    let assignment = self.assignment(assignment, scope)?;
                    line(text, &format!("{indent}{assignment};"));
                }
                Command::If(condition, then, otherwise, _) => {
                    let condition = FormulaWriter::new(self, scope.to_vec()).operand(condition);
                    line(text, &format!("{indent}if {condition} {{"));
                    self.block(then, scope, depth + 1, text)?;
                    if !otherwise.is_empty() {
                        line(text, &format!("{indent}}} else {{"));
                        self.block(otherwise, scope, depth + 1, text)?;
                    }
                    line(text, &format!("{indent}}};"));
                }
                Command::Together(..) | Command::Relate(..) => {
                    unreachable!("they were written out as assignments")
                }
            }
        }
        Ok(())
    }

    fn assignment(
        &self,
        assignment: &Assignment,
        scope: &[(StateVar, String)],
    ) -> Result<String, ExportError> {
        let mut inner = scope.to_vec();
        let mut left = Vec::new();
        let mut diagonal: Vec<(String, String)> = Vec::new();
        for argument in &assignment.arguments {
            match argument {
                Argument::At(term) => {
                    left.push(FormulaWriter::new(self, scope.to_vec()).term(term))
                }
                Argument::Every(var) => {
                    let names = called(&inner);
                    let known = inner[scope.len()..].iter().find(|(known, _)| known == var);
                    let first = known.map(|(_, name)| name.clone());
                    let wish = if var.name.starts_with('*') { "X" } else { &*var.name };
                    let name = self.variable(wish, &names);
                    match first {
                        // Ivy would assign everywhere.
                        Some(first) => {
                            diagonal.push((first, name.clone()));
                            inner.push((Var::new(format!("*{name}"), var.sort), name.clone()));
                        }
                        None => inner.push((var.clone(), name.clone())),
                    }
                    left.push(name);
                }
            }
        }
        let place = print_application(self.names.symbol(assignment.target), &left);
        let mut writer = FormulaWriter::new(self, inner);
        let value = match &assignment.value {
            RightSide::Havoc(_) if !diagonal.is_empty() => {
                let what = "any value where two arguments are equal".to_owned();
                return Err(ExportError::Unsayable { language: "Ivy", what });
            }
            RightSide::Havoc(_) => return Ok(format!("{place} := *")),
            RightSide::Formula(formula) => writer.operand(formula),
            RightSide::Term(term) => format!("({})", writer.term(term)),
        };
        if diagonal.is_empty() {
            return Ok(format!("{place} := {value}"));
        }
        let equal: Vec<String> =
            diagonal.iter().map(|(first, second)| format!("({first} = {second})")).collect();
        let equal = format!("({})", equal.join(" & "));
        Ok(format!("{place} := {}", conditional(&equal, &value, &place)))
    }
}

impl Syntax<OneState> for Ivy<'_> {
    fn words(&self) -> &'static LanguageWords {
        &WORDS
    }

    fn names(&self) -> &ExportNames {
        self.names
    }

    fn symbol(&self, symbol: SymbolId, args: &[String]) -> String {
        print_application(self.names.symbol(symbol), args)
    }

    /// Variables are capitalised in Ivy, and nothing else is.
    fn variable(&self, name: &str, scope: &[String]) -> String {
        let mut name = self.names.free(name, &[]);
        name[..1].make_ascii_uppercase();
        let taken = |name: &Name| scope.iter().any(|other| **other == **name);
        crate::logic::fresh_name(&name.into(), taken).to_string()
    }
}
