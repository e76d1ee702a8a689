//! Protocols in mypyvy, with `new(…)` for the state after a step.
//!
//! A transition says what its symbols become. What a havoc picks is not said at all, where that is
//! enough; else a further symbol, which may become anything, stands for it.

mod choices;
mod step;

use super::names::{Alphabet, ExportNames};
use super::statement_text::{bracketed, goals, label, line};
use super::syntax::{FormulaWriter, LanguageWords, Syntax, dotted};
use super::{ExportError, ExportInstance, Exported, reserved};
use choices::ChoicePlan;
use step::MypyvyStep;

use crate::logic::print_application;
use crate::protocol::{
    Action, ChoiceId, OneState, PropertyKind, Protocol, Rigidity, Sort, StateFormula, SymbolId,
};

const WORDS: LanguageWords = LanguageWords {
    truth: "true",
    falsehood: "false",
    not: "!",
    and: "&",
    or: "|",
    implies: "->",
    iff: "<->",
    equal: "=",
    different: "!=",
    at_most: "<=",
    integers: "int",
    quantified: dotted,
    conditional: |condition, then, otherwise| {
        format!("if {condition} then {then} else {otherwise}")
    },
};

/// Writes a protocol.
pub(super) fn write(
    protocol: &Protocol,
    _instance: &ExportInstance,
) -> Result<Exported, ExportError> {
    let mut names =
        ExportNames::new(&protocol.signature, Alphabet { reserved: reserved::MYPYVY, marks: &[] });
    let actions: Vec<String> =
        protocol.actions.iter().map(|action| names.claim(&action.name)).collect();
    let plans = protocol.actions.iter().map(|action| ChoicePlan::new(protocol, action, &mut names));
    let plans = plans.collect::<Result<Vec<ChoicePlan>, ExportError>>()?;
    let mut text = format!("# {}, written by rmlcut.\n\n", protocol.name);
    let states = States { names: &names };
    states.declarations(protocol, &mut text);
    for plan in &plans {
        for (name, choice) in plan.oracles.iter().map(|(choice, name)| (name, choice)) {
            states.oracle(protocol, plan.action, *choice, name, &mut text);
        }
    }
    for ((action, name), plan) in protocol.actions.iter().zip(&actions).zip(&plans) {
        let step = MypyvyStep { names: &names, plan };
        step.transition(protocol, action, name, &mut text);
    }
    text.push('\n');
    for property in &protocol.properties {
        let word = match property.kind {
            PropertyKind::Safety => "safety",
            PropertyKind::Lemma => "invariant",
        };
        let label = label(&property.name);
        line(&mut text, &format!("{word} [{label}] {}", states.closed(&property.formula())));
    }
    goals(protocol, "#", &mut text);
    Ok(Exported { text, configuration: None })
}

/// Formulas about one state.
struct States<'a> {
    names: &'a ExportNames,
}

impl States<'_> {
    fn closed(&self, formula: &StateFormula) -> String {
        FormulaWriter::new(self, Vec::new()).formula(formula)
    }

    fn declarations(&self, protocol: &Protocol, text: &mut String) {
        let signature = &protocol.signature;
        for sort in signature.sorts() {
            line(text, &format!("sort {}", self.sort(Sort::Declared(sort))));
        }
        text.push('\n');
        for (id, symbol) in signature.symbols() {
            let change = match symbol.rigidity {
                Rigidity::Rigid => "immutable",
                Rigidity::Mutable => "mutable",
            };
            let name = self.names.symbol(id);
            self.symbol_line(change, name, &symbol.params, symbol.result, text);
        }
        text.push('\n');
        for sort in signature.sorts() {
            self.enumeration(Sort::Declared(sort), text);
        }
        for (word, statements) in [("axiom", &protocol.axioms), ("init", &protocol.init)] {
            for statement in statements {
                let label = bracketed(statement.label.as_ref());
                line(text, &format!("{word} {label}{}", self.closed(&statement.formula)));
            }
        }
    }

    /// The elements of an enumeration: constants that are different and all there are.
    fn enumeration(&self, sort: Sort, text: &mut String) {
        let elements = self.names.elements(sort);
        if elements.is_empty() {
            return;
        }
        let name = self.sort(sort);
        for element in elements {
            line(text, &format!("immutable constant {element}: {name}"));
        }
        if elements.len() > 1 {
            line(text, &format!("axiom distinct({})", elements.join(", ")));
        }
        let any = self.variable("X", &[]);
        let cases: Vec<String> =
            elements.iter().map(|element| format!("({any} = {element})")).collect();
        line(text, &format!("axiom forall {any}:{name}. {}\n", cases.join(" | ")));
    }

    fn symbol_line(
        &self,
        change: &str,
        name: &str,
        params: &[Sort],
        result: Option<Sort>,
        text: &mut String,
    ) {
        let params: Vec<String> = params.iter().map(|sort| self.sort(*sort)).collect();
        let name = print_application(name, &params);
        line(
            text,
            &match result {
                None => format!("{change} relation {name}"),
                Some(sort) if params.is_empty() => {
                    format!("{change} constant {name}: {}", self.sort(sort))
                }
                Some(sort) => format!("{change} function {name}: {}", self.sort(sort)),
            },
        );
    }

    fn oracle(
        &self,
        protocol: &Protocol,
        action: &Action,
        ChoiceId(index): ChoiceId,
        name: &str,
        text: &mut String,
    ) {
        let choice = &action.choices[index as usize];
        line(text, &format!("# what {} picks in {}", action.name, protocol.name));
        self.symbol_line("mutable", name, &choice.params, choice.result, text);
    }
}

impl Syntax<OneState> for States<'_> {
    fn words(&self) -> &'static LanguageWords {
        &WORDS
    }

    fn names(&self) -> &ExportNames {
        self.names
    }

    fn symbol(&self, symbol: SymbolId, args: &[String]) -> String {
        print_application(self.names.symbol(symbol), args)
    }
}
