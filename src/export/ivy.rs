//! Protocols in Ivy 1.7.
//!
//! Our statements are Ivy's, one for one. Initial conditions are assumed of the first state, and
//! every action is exported.

use std::fmt::Write as _;

use super::copies::without_relations;
use super::names::{Alphabet, Names};
use super::syntax::{Syntax, Words, Writer, applied, dotted};
use super::{ExportError, Exported, Instance};
use crate::logic::{Name, Quantifier, Var};
use crate::protocol::{
    Action, Argument, Assignment, Command, OneState, Protocol, RightSide, Sort, StateFormula,
    StateVar, SymbolId,
};

const RESERVED: &[&str] = &[
    "relation",
    "individual",
    "function",
    "axiom",
    "conjecture",
    "schema",
    "instantiate",
    "instance",
    "derived",
    "concept",
    "init",
    "action",
    "method",
    "field",
    "state",
    "assume",
    "assert",
    "set",
    "null",
    "old",
    "from",
    "update",
    "params",
    "in",
    "match",
    "ensures",
    "requires",
    "modifies",
    "true",
    "false",
    "fresh",
    "module",
    "template",
    "object",
    "class",
    "type",
    "if",
    "else",
    "local",
    "let",
    "call",
    "entry",
    "macro",
    "interpret",
    "forall",
    "exists",
    "returns",
    "mixin",
    "execute",
    "before",
    "after",
    "isolate",
    "with",
    "export",
    "delegate",
    "import",
    "using",
    "include",
    "progress",
    "rely",
    "mixord",
    "extract",
    "process",
    "destructor",
    "some",
    "maximizing",
    "minimizing",
    "private",
    "implement",
    "property",
    "while",
    "invariant",
    "struct",
    "definition",
    "ghost",
    "alias",
    "trusted",
    "this",
    "var",
    "attribute",
    "variant",
    "of",
    "scenario",
    "proof",
    "named",
    "temporal",
    "globally",
    "eventually",
    "decreases",
    "specification",
    "implementation",
    "global",
    "common",
    "ensure",
    "require",
    "around",
    "parameter",
    "apply",
    "theorem",
    "showgoals",
    "defergoal",
    "spoil",
    "explicit",
    "thunk",
    "isa",
    "autoinstance",
    "constructor",
    "finite",
    "tactic",
    "unfold",
    "forget",
    "debug",
    "for",
    "subclass",
    "unprovable",
    "trigger",
    "bool",
    "integer",
];

const WORDS: Words = Words {
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
};

/// Writes a protocol.
pub(super) fn write(protocol: &Protocol, _instance: &Instance) -> Result<Exported, ExportError> {
    let protocol = &without_relations(protocol);
    let mut text = String::from("#lang ivy1.7\n");
    line(&mut text, &format!("# {}, written by rmlcut.\n", protocol.name));
    let mut names = Names::new(&protocol.signature, Alphabet { reserved: RESERVED });
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
    Ok(Exported { text, configuration: None })
}

fn line(text: &mut String, content: &str) {
    writeln!(text, "{content}").expect("writing to a string succeeds");
}

/// Labels are names; no symbol is in their way.
fn label(name: &Name) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    name.chars().map(plain).collect()
}

struct Ivy<'a> {
    names: &'a Names,
}

impl Ivy<'_> {
    fn declarations(&self, protocol: &Protocol, text: &mut String) {
        let signature = &protocol.signature;
        for sort in signature.sorts() {
            line(text, &format!("type {}", self.sort_name(Sort::Declared(sort))));
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
                .map(|(index, sort)| format!("X{}:{}", index + 1, self.sort_name(*sort)))
                .collect();
            let name = applied(self.names.symbol(id), &params);
            line(
                text,
                &match symbol.result {
                    None => format!("relation {name}"),
                    Some(sort) if params.is_empty() => {
                        format!("individual {name} : {}", self.sort_name(sort))
                    }
                    Some(sort) => format!("function {name} : {}", self.sort_name(sort)),
                },
            );
        }
        text.push('\n');
        for axiom in &protocol.axioms {
            let label =
                axiom.label.as_ref().map_or(String::new(), |name| format!("[{}] ", label(name)));
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

    fn sort_name(&self, sort: Sort) -> String {
        self.names.sort(sort).unwrap_or("integer").to_owned()
    }

    fn closed(&self, formula: &StateFormula) -> String {
        Writer::new(self, Vec::new()).formula(formula)
    }

    fn action(&self, action: &Action, name: &str, text: &mut String) -> Result<(), ExportError> {
        let mut scope: Vec<(StateVar, String)> = Vec::new();
        let mut params = Vec::new();
        for param in &action.params {
            let others: Vec<String> = scope.iter().map(|(_, name)| name.clone()).collect();
            let name = self.names.free(&param.name, &others);
            params.push(format!("{name}:{}", self.sort_name(param.sort)));
            scope.push((param.clone(), name));
        }
        line(text, &format!("\naction {} = {{", applied(name, &params)));
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
                    let formula = Writer::new(self, scope.to_vec()).formula(formula);
                    line(text, &format!("{indent}require {formula};"));
                }
                Command::Assign(assignment) => {
                    let assignment = self.assignment(assignment, scope)?;
                    line(text, &format!("{indent}{assignment};"));
                }
                Command::If(condition, then, otherwise, _) => {
                    let condition = Writer::new(self, scope.to_vec()).operand(condition);
                    line(text, &format!("{indent}if {condition} {{"));
                    self.block(then, scope, depth + 1, text)?;
                    if !otherwise.is_empty() {
                        line(text, &format!("{indent}}} else {{"));
                        self.block(otherwise, scope, depth + 1, text)?;
                    }
                    line(text, &format!("{indent}}};"));
                }
                Command::Relate(..) => unreachable!("formulas about two states were written out"),
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
                Argument::At(term) => left.push(Writer::new(self, scope.to_vec()).term(term)),
                Argument::Every(var) => {
                    let names: Vec<String> = inner.iter().map(|(_, name)| name.clone()).collect();
                    let known = inner[scope.len()..].iter().find(|(known, _)| known == var);
                    let first = known.map(|(_, name)| name.clone());
                    let wish = if var.name.starts_with('*') { "X" } else { &*var.name };
                    let name = Syntax::<OneState>::variable(self, wish, &names);
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
        let place = applied(self.names.symbol(assignment.target), &left);
        let mut writer = Writer::new(self, inner);
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
        Ok(format!("{place} := {value} if ({}) else {place}", equal.join(" & ")))
    }
}

impl Syntax<OneState> for Ivy<'_> {
    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn symbol(&self, symbol: SymbolId, args: &[String]) -> String {
        applied(self.names.symbol(symbol), args)
    }

    fn sort(&self, sort: Sort) -> String {
        self.sort_name(sort)
    }

    /// Variables are capitalised in Ivy, and nothing else is.
    fn variable(&self, name: &str, scope: &[String]) -> String {
        let mut name = self.names.free(name, &[]);
        name[..1].make_ascii_uppercase();
        let taken = |name: &Name| scope.iter().any(|other| **other == **name);
        crate::logic::fresh_name(&name.into(), taken).to_string()
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        binders: &[(String, String)],
        body: &str,
    ) -> String {
        dotted(quantifier, binders, body)
    }

    fn conditional(&self, condition: &str, then: &str, otherwise: &str) -> String {
        format!("{then} if {condition} else {otherwise}")
    }
}
