//! Protocols in TLA+, with a configuration for TLC at one size.
//!
//! Sorts are constant sets. The rigid symbols are variables too: they are chosen at the start, as
//! the axioms allow, and never change, so that TLC looks at every instance of the size.

mod step;

use std::collections::BTreeSet;

use super::names::{Alphabet, ExportNames, alone};
use super::statement_text::{called, goals, line, parameters};
use super::syntax::{FormulaWriter, LanguageWords, Syntax};
use super::{ExportError, ExportInstance, Exported, reserved};
use crate::logic::Quantifier;
use crate::protocol::{
    OneState, Protocol, Rigidity, Signature, Sort, SortId, StateFormula, StateVar, Statement,
    Symbol, SymbolId,
};

const WORDS: LanguageWords = LanguageWords {
    truth: "TRUE",
    falsehood: "FALSE",
    not: "~",
    and: "/\\",
    or: "\\/",
    implies: "=>",
    iff: "<=>",
    equal: "=",
    different: "#",
    at_most: "<=",
    integers: "int",
    quantified,
    conditional: |condition, then, otherwise| {
        format!("IF {condition} THEN {then} ELSE {otherwise}")
    },
};

/// The name of what bounds the integers.
const IN_RANGE: &str = "InRange";

/// Writes a protocol and its configuration.
pub(super) fn write(
    protocol: &Protocol,
    instance: &ExportInstance,
) -> Result<Exported, ExportError> {
    let alphabet = Alphabet { reserved: reserved::TLA, marks: &[] };
    let module = alone(&protocol.name, alphabet);
    let mut names = ExportNames::beside(&module, &protocol.signature, alphabet);
    let actions: Vec<String> =
        protocol.actions.iter().map(|action| names.claim(&action.name)).collect();
    let properties: Vec<String> =
        protocol.properties.iter().map(|property| names.claim(&property.name)).collect();
    let tla = Tla { protocol, names: &names };
    let mut text = format!("---- MODULE {module} ----\n\\* Written by rmlcut.\n");
    line(&mut text, "EXTENDS Integers, TLC\n");
    tla.declarations(&mut text);
    line(&mut text, &format!("\nInit ==\n{}", tla.initial()));
    for (action, name) in protocol.actions.iter().zip(&actions) {
        line(&mut text, &format!("\n{}", tla.action(action, name)));
    }
    line(&mut text, &format!("\nNext ==\n{}", tla.next(&actions)));
    for (property, name) in protocol.properties.iter().zip(&properties) {
        line(&mut text, &format!("\n{name} ==\n  {}", tla.closed(&property.formula())));
    }
    goals(protocol, "\\*", &mut text);
    let symmetric: Vec<String> =
        tla.open_sorts().map(|sort| format!("Permutations({sort})")).collect();
    if !symmetric.is_empty() {
        line(&mut text, &format!("\nSymmetry == {}", symmetric.join(" \\cup ")));
    }
    let counters: Vec<String> = tla.counters().collect();
    if !counters.is_empty() {
        line(&mut text, &format!("\n{IN_RANGE} ==\n{}", counters.join("\n")));
    }
    line(&mut text, "====");
    let configuration = tla.configuration(instance, &properties);
    Ok(Exported { text, configuration: Some(configuration) })
}

pub(super) struct Tla<'a> {
    /// The protocol.
    pub(super) protocol: &'a Protocol,
    /// The names of everything that is declared.
    pub(super) names: &'a ExportNames,
}

impl Tla<'_> {
    /// Sorts and symbols.
    pub(super) fn signature(&self) -> &Signature {
        &self.protocol.signature
    }

    /// The sorts whose elements the configuration gives: all but the enumerations.
    fn open_sorts(&self) -> impl Iterator<Item = String> + '_ {
        let open = |sort: &SortId| self.signature().elements(*sort).is_none();
        self.signature().sorts().filter(open).map(|sort| self.sort(Sort::Declared(sort)))
    }

    fn declarations(&self, text: &mut String) {
        let mut constants: Vec<String> = self.open_sorts().collect();
        if self.signature().uses_int() {
            constants.push("int".to_owned());
        }
        if !constants.is_empty() {
            line(text, &format!("CONSTANTS {}", constants.join(", ")));
        }
        for sort in self.signature().sorts().map(Sort::Declared) {
            let count = u32::try_from(self.names.elements(sort).len()).unwrap_or(u32::MAX);
            let elements: Vec<String> = (0..count).map(|index| self.element(sort, index)).collect();
            if !elements.is_empty() {
                line(text, &format!("{} == {{{}}}", self.sort(sort), elements.join(", ")));
            }
        }
        let variables: Vec<&str> =
            self.signature().symbols().map(|(id, _)| self.names.symbol(id)).collect();
        line(text, &format!("VARIABLES {}", variables.join(", ")));
        line(text, &format!("vars == <<{}>>", variables.join(", ")));
    }

    /// The set of all values of something of this rank.
    pub(super) fn values(&self, params: &[Sort], result: Option<Sort>) -> String {
        let result = result.map_or_else(|| "BOOLEAN".to_owned(), |sort| self.sort(sort));
        if params.is_empty() {
            return result;
        }
        let params: Vec<String> = params.iter().map(|sort| self.sort(*sort)).collect();
        format!("[{} -> {result}]", params.join(" \\X "))
    }

    /// What bounds the search: states in which an integer is out of range have no successors.
    fn counters(&self) -> impl Iterator<Item = String> + '_ {
        let counters = self.signature().mutable().filter(|(_, own)| own.result == Some(Sort::Int));
        counters.map(|(id, symbol)| {
            let values = self.values(&symbol.params, symbol.result);
            format!("  /\\ {} \\in {values}", self.names.symbol(id))
        })
    }

    /// Every symbol gets its values, and each condition follows as soon as it can be judged.
    fn initial(&self) -> String {
        let mut waiting: Vec<&Statement> =
            self.protocol.axioms.iter().chain(&self.protocol.init).collect();
        let mut known: BTreeSet<SymbolId> = BTreeSet::new();
        let mut lines = Vec::new();
        let rigid = |symbol: &Symbol| symbol.rigidity == Rigidity::Mutable;
        let mut symbols: Vec<(SymbolId, &Symbol)> = self.signature().symbols().collect();
        symbols.sort_by_key(|(_, symbol)| rigid(symbol));
        for (id, symbol) in symbols {
            let values = self.values(&symbol.params, symbol.result);
            lines.push(format!("  /\\ {} \\in {values}", self.names.symbol(id)));
            known.insert(id);
            waiting.retain(|statement| {
                let ready = statement.formula.symbols().is_subset(&known);
                if ready {
                    lines.push(format!("  /\\ {}", self.operand(&statement.formula)));
                }
                !ready
            });
        }
        lines.join("\n")
    }

    fn closed(&self, formula: &StateFormula) -> String {
        FormulaWriter::new(self, Vec::new()).formula(formula)
    }

    fn operand(&self, formula: &StateFormula) -> String {
        FormulaWriter::new(self, Vec::new()).operand(formula)
    }

    fn next(&self, actions: &[String]) -> String {
        let steps: Vec<String> = self
            .protocol
            .actions
            .iter()
            .zip(actions)
            .map(|(action, name)| {
                let scope: Vec<(StateVar, String)> = parameters(self.names, &action.params);
                let taken = called(&scope);
                let binders = scope.iter();
                let binders = binders
                    .map(|(param, name)| format!("{name} \\in {}", self.sort(param.sort)))
                    .collect::<Vec<_>>();
                match taken.is_empty() {
                    true => format!("  \\/ {name}"),
                    false => {
                        format!("  \\/ \\E {} : {name}({})", binders.join(", "), taken.join(", "))
                    }
                }
            })
            .collect();
        // Stuttering is no step of the protocol, but keeps TLC from complaining about deadlocks.
        steps
            .iter()
            .map(String::as_str)
            .chain(["  \\/ UNCHANGED vars"])
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn configuration(&self, instance: &ExportInstance, properties: &[String]) -> String {
        let mut text = String::from("\\* Written by rmlcut.\nCONSTANTS\n");
        for sort in self.signature().sorts() {
            if self.signature().elements(sort).is_some() {
                continue;
            }
            let name = self.sort(Sort::Declared(sort));
            let count = instance.size.get(&sort).copied().unwrap_or(2);
            let elements: Vec<String> =
                (1..=count).map(|index| format!("{name}_{index}")).collect();
            line(&mut text, &format!("  {name} = {{{}}}", elements.join(", ")));
        }
        if self.signature().uses_int() {
            let (low, high) = instance.integers.unwrap_or((0, 3));
            let integers: Vec<String> = (low..=high).map(|value| value.to_string()).collect();
            line(&mut text, &format!("  int = {{{}}}", integers.join(", ")));
        }
        line(&mut text, "INIT Init\nNEXT Next");
        if self.open_sorts().next().is_some() {
            line(&mut text, "SYMMETRY Symmetry");
        }
        if self.counters().next().is_some() {
            line(&mut text, &format!("CONSTRAINT {IN_RANGE}"));
        }
        for property in properties {
            line(&mut text, &format!("INVARIANT {property}"));
        }
        text
    }
}

/// A symbol at its arguments: a function is applied in brackets.
fn applied(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("{name}[{}]", args.join(", ")) }
}

/// An element of an enumeration is a string: those are different by themselves.
fn tla_element(names: &ExportNames, sort: Sort, index: u32) -> String {
    format!("\"{}\"", names.elements(sort)[index as usize])
}

fn quantified(quantifier: Quantifier, binders: &[(String, String)], body: &str) -> String {
    let word = match quantifier {
        Quantifier::Forall => "\\A",
        Quantifier::Exists => "\\E",
    };
    let binders: Vec<String> =
        binders.iter().map(|(name, sort)| format!("{name} \\in {sort}")).collect();
    format!("{word} {} : {body}", binders.join(", "))
}

impl Syntax<OneState> for Tla<'_> {
    fn words(&self) -> &'static LanguageWords {
        &WORDS
    }

    fn names(&self) -> &ExportNames {
        self.names
    }

    fn symbol(&self, symbol: SymbolId, args: &[String]) -> String {
        applied(self.names.symbol(symbol), args)
    }

    fn element(&self, sort: Sort, index: u32) -> String {
        tla_element(self.names, sort, index)
    }
}
