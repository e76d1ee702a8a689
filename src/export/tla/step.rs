//! Actions as operators over the state before and after a step.

use super::{Tla, WORDS, applied, tla_element};
use crate::export::names::ExportNames;
use crate::export::statement_text::{called, line, parameters};
use crate::export::syntax::{FormulaWriter, LanguageWords, Syntax};
use crate::logic::Body;
use crate::protocol::{
    Action, ActionSummary, ChoiceId, Sort, StepSymbol, StepVar, TwoStates, summarize,
};

impl Tla<'_> {
    /// What one action does, as an operator.
    pub(super) fn action(&self, action: &Action, name: &str) -> String {
        let summary = summarize(self.signature(), action);
        let scope: Vec<(StepVar, String)> = parameters(self.names, &action.params);
        let params = called(&scope);
        let mut taken = params.clone();
        let choices: Vec<String> = action
            .choices
            .iter()
            .map(|choice| {
                let name = self.names.free(&format!("any_{}", choice.name), &taken);
                taken.push(name.clone());
                name
            })
            .collect();
        let step = TlaStep { tla: self, choices: &choices, taken: &taken };
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
            let guard = FormulaWriter::new(&step, scope.clone()).operand(&guard);
            line(&mut text, &format!("  /\\ {guard}"));
        }
        self.updates(&summary, &step, &scope, &mut text);
        text.truncate(text.trim_end().len());
        text
    }

    /// What every symbol becomes.
    fn updates(
        &self,
        summary: &ActionSummary,
        step: &TlaStep<'_>,
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
                let name = step.variable(&var.name, &called(&inner));
                binders.push(format!("{name} \\in {}", step.sort(var.sort)));
                inner.push((var.clone(), name));
            }
            let mut writer = FormulaWriter::new(step, inner);
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
}

/// Formulas about a step.
struct TlaStep<'a> {
    tla: &'a Tla<'a>,
    choices: &'a [String],
    /// The names of parameters and choices.
    taken: &'a [String],
}

impl Syntax<TwoStates> for TlaStep<'_> {
    fn words(&self) -> &'static LanguageWords {
        &WORDS
    }

    fn names(&self) -> &ExportNames {
        self.tla.names
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

    fn element(&self, sort: Sort, index: u32) -> String {
        tla_element(self.tla.names, sort, index)
    }

    fn taken(&self) -> &[String] {
        self.taken
    }
}
