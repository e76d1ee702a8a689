//! Protocols in TLA+, with a configuration for TLC at one size.
//!
//! Sorts are constant sets. The rigid symbols are variables too: they are chosen at the start, as
//! the axioms allow, and never change, so that TLC looks at every instance of the size.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::names::{Alphabet, Names, alone};
use super::syntax::{Syntax, Words, Writer};
use super::{ExportError, Exported, Instance};
use crate::logic::{Body, Quantifier, Vocabulary};
use crate::protocol::{
    Action, ChoiceId, OneState, Protocol, Rigidity, Signature, Sort, StateFormula, Statement,
    StepSymbol, StepVar, Summary, Symbol, SymbolId, TwoStates, summarize,
};

const RESERVED: &[&str] = &[
    "ACTION",
    "ASSUME",
    "ASSUMPTION",
    "AXIOM",
    "BY",
    "CASE",
    "CHOOSE",
    "CONSTANT",
    "CONSTANTS",
    "COROLLARY",
    "DEF",
    "DEFINE",
    "DEFS",
    "DOMAIN",
    "ELSE",
    "ENABLED",
    "EXCEPT",
    "EXTENDS",
    "HAVE",
    "HIDE",
    "IF",
    "IN",
    "INSTANCE",
    "LAMBDA",
    "LEMMA",
    "LET",
    "LOCAL",
    "MODULE",
    "NEW",
    "OBVIOUS",
    "OMITTED",
    "ONLY",
    "OTHER",
    "PICK",
    "PROOF",
    "PROPOSITION",
    "PROVE",
    "QED",
    "RECURSIVE",
    "STATE",
    "SUBSET",
    "SUFFICES",
    "TAKE",
    "TEMPORAL",
    "THEN",
    "THEOREM",
    "UNCHANGED",
    "UNION",
    "USE",
    "VARIABLE",
    "VARIABLES",
    "WITH",
    "WITNESS",
    "TRUE",
    "FALSE",
    "BOOLEAN",
    "STRING",
    "Int",
    "Nat",
    "Init",
    "Next",
    "Spec",
    "vars",
    "Integers",
    "TLC",
    "Permutations",
    "Symmetry",
    "Assert",
    "Print",
    "PrintT",
    "JavaTime",
    "Any",
    "ToString",
    "int",
    "SF_",
    "WF_",
];

const WORDS: Words = Words {
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
};

/// Writes a protocol and its configuration.
pub(super) fn write(protocol: &Protocol, instance: &Instance) -> Result<Exported, ExportError> {
    let alphabet = Alphabet { reserved: RESERVED };
    let module = alone(&protocol.name, alphabet);
    let mut names = Names::beside(&module, &protocol.signature, alphabet);
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
    let symmetric: Vec<String> = tla.sorts().map(|sort| format!("Permutations({sort})")).collect();
    line(&mut text, &format!("\nSymmetry == {}", symmetric.join(" \\cup ")));
    line(&mut text, "====");
    let configuration = tla.configuration(instance, &properties);
    Ok(Exported { text, configuration: Some(configuration) })
}

fn line(text: &mut String, content: &str) {
    writeln!(text, "{content}").expect("writing to a string succeeds");
}

struct Tla<'a> {
    protocol: &'a Protocol,
    names: &'a Names,
}

impl Tla<'_> {
    fn signature(&self) -> &Signature {
        &self.protocol.signature
    }

    fn sorts(&self) -> impl Iterator<Item = String> + '_ {
        self.signature().sorts().map(|sort| self.sort_name(Sort::Declared(sort)))
    }

    fn sort_name(&self, sort: Sort) -> String {
        self.names.sort(sort).unwrap_or("int").to_owned()
    }

    fn declarations(&self, text: &mut String) {
        let mut constants: Vec<String> = self.sorts().collect();
        if self.signature().uses_int() {
            constants.push("int".to_owned());
        }
        line(text, &format!("CONSTANTS {}", constants.join(", ")));
        let variables: Vec<&str> =
            self.signature().symbols().map(|(id, _)| self.names.symbol(id)).collect();
        line(text, &format!("VARIABLES {}", variables.join(", ")));
        line(text, &format!("vars == <<{}>>", variables.join(", ")));
    }

    /// The set of all values of something of this rank.
    fn values(&self, params: &[Sort], result: Option<Sort>) -> String {
        let result = result.map_or_else(|| "BOOLEAN".to_owned(), |sort| self.sort_name(sort));
        if params.is_empty() {
            return result;
        }
        let params: Vec<String> = params.iter().map(|sort| self.sort_name(*sort)).collect();
        format!("[{} -> {result}]", params.join(" \\X "))
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
        Writer::new(self, Vec::new()).formula(formula)
    }

    fn operand(&self, formula: &StateFormula) -> String {
        Writer::new(self, Vec::new()).operand(formula)
    }

    fn action(&self, action: &Action, name: &str) -> String {
        let summary = summarize(self.signature(), action);
        let mut scope = Vec::new();
        let mut taken: Vec<String> = Vec::new();
        for param in &action.params {
            let name = self.names.free(&param.name, &taken);
            taken.push(name.clone());
            let var = crate::logic::Var::<TwoStates>::new(param.name.clone(), param.sort);
            scope.push((var, name));
        }
        let params = taken.clone();
        let choices: Vec<String> = action
            .choices
            .iter()
            .map(|choice| {
                let name = self.names.free(&format!("any_{}", choice.name), &taken);
                taken.push(name.clone());
                name
            })
            .collect();
        let step = Step { tla: self, choices: &choices, taken: &taken };
        let head = if params.is_empty() {
            name.to_owned()
        } else {
            format!("{name}({})", params.join(", "))
        };
        let mut text = format!("{head} ==\n");
        for (choice, name) in action.choices.iter().zip(&choices) {
            let values = self.values(&choice.params, choice.result);
            line(&mut text, &format!("  \\E {name} \\in {values} :"));
        }
        for guard in summary.guard.conjuncts() {
            let guard = Writer::new(&step, scope.clone()).operand(&guard);
            line(&mut text, &format!("  /\\ {guard}"));
        }
        self.updates(&summary, &step, &scope, &mut text);
        text.truncate(text.trim_end().len());
        text
    }

    /// What every symbol becomes.
    fn updates(
        &self,
        summary: &Summary,
        step: &Step<'_>,
        scope: &[(StepVar, String)],
        text: &mut String,
    ) {
        let mut same = Vec::new();
        for (id, _) in self.signature().symbols() {
            let symbol = self.names.symbol(id);
            let Some(definition) = summary.updates.get(&id) else {
                same.push(symbol);
                continue;
            };
            let mut inner = scope.to_vec();
            let mut binders = Vec::new();
            for var in &definition.params {
                let names: Vec<String> = inner.iter().map(|(_, name)| name.clone()).collect();
                let name = Syntax::<TwoStates>::variable(step, &var.name, &names);
                binders.push(format!("{name} \\in {}", self.sort_name(var.sort)));
                inner.push((var.clone(), name));
            }
            let mut writer = Writer::new(step, inner);
            let value = match &definition.body {
                Body::Formula(body) => writer.formula(body),
                Body::Term(body) => writer.term(body),
            };
            line(
                text,
                &match binders.is_empty() {
                    true => format!("  /\\ {symbol}' = ({value})"),
                    false => format!("  /\\ {symbol}' = [{} |-> {value}]", binders.join(", ")),
                },
            );
        }
        if !same.is_empty() {
            line(text, &format!("  /\\ UNCHANGED <<{}>>", same.join(", ")));
        }
    }

    fn next(&self, actions: &[String]) -> String {
        let steps: Vec<String> = self
            .protocol
            .actions
            .iter()
            .zip(actions)
            .map(|(action, name)| {
                let mut taken: Vec<String> = Vec::new();
                let mut binders = Vec::new();
                for param in &action.params {
                    let name = self.names.free(&param.name, &taken);
                    binders.push(format!("{name} \\in {}", self.sort_name(param.sort)));
                    taken.push(name);
                }
                match taken.is_empty() {
                    true => format!("  \\/ {name}"),
                    false => {
                        format!("  \\/ \\E {} : {name}({})", binders.join(", "), taken.join(", "))
                    }
                }
            })
            .collect();
        // Standing still is no step of ours, but keeps TLC from complaining about deadlocks.
        steps
            .iter()
            .map(String::as_str)
            .chain(["  \\/ UNCHANGED vars"])
            .collect::<Vec<_>>()
            .join("\n")
    }

    fn configuration(&self, instance: &Instance, properties: &[String]) -> String {
        let mut text = String::from("\\* Written by rmlcut.\nCONSTANTS\n");
        for sort in self.signature().sorts() {
            let name = self.sort_name(Sort::Declared(sort));
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
        line(&mut text, "INIT Init\nNEXT Next\nSYMMETRY Symmetry");
        for property in properties {
            line(&mut text, &format!("INVARIANT {property}"));
        }
        text
    }
}

fn applied(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("{name}[{}]", args.join(", ")) }
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

fn conditional(condition: &str, then: &str, otherwise: &str) -> String {
    format!("IF {condition} THEN {then} ELSE {otherwise}")
}

impl Syntax<OneState> for Tla<'_> {
    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn symbol(&self, symbol: SymbolId, args: &[String]) -> String {
        applied(self.names.symbol(symbol), args)
    }

    fn sort(&self, sort: <OneState as Vocabulary>::Sort) -> String {
        self.sort_name(sort)
    }

    fn variable(&self, name: &str, scope: &[String]) -> String {
        self.names.free(name, scope)
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        binders: &[(String, String)],
        body: &str,
    ) -> String {
        quantified(quantifier, binders, body)
    }

    fn conditional(&self, condition: &str, then: &str, otherwise: &str) -> String {
        conditional(condition, then, otherwise)
    }
}

/// Formulas about a step.
struct Step<'a> {
    tla: &'a Tla<'a>,
    choices: &'a [String],
    /// The names of parameters and choices.
    taken: &'a [String],
}

impl Syntax<TwoStates> for Step<'_> {
    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn symbol(&self, symbol: StepSymbol, args: &[String]) -> String {
        match symbol {
            StepSymbol::Pre(symbol) => applied(self.tla.names.symbol(symbol), args),
            StepSymbol::Post(symbol) => {
                applied(&format!("{}'", self.tla.names.symbol(symbol)), args)
            }
            StepSymbol::Choice(ChoiceId(index)) => applied(&self.choices[index as usize], args),
        }
    }

    fn sort(&self, sort: Sort) -> String {
        self.tla.sort_name(sort)
    }

    fn variable(&self, name: &str, scope: &[String]) -> String {
        let others: Vec<String> = scope.iter().chain(self.taken).cloned().collect();
        self.tla.names.free(name, &others)
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        binders: &[(String, String)],
        body: &str,
    ) -> String {
        quantified(quantifier, binders, body)
    }

    fn conditional(&self, condition: &str, then: &str, otherwise: &str) -> String {
        conditional(condition, then, otherwise)
    }
}
