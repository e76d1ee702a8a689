//! Transitions: a guard, and what every modified symbol becomes.

use super::WORDS;
use super::choices::ChoicePlan;
use crate::export::names::ExportNames;
use crate::export::statement_text::{line, parameters};
use crate::export::syntax::{FormulaWriter, LanguageWords, Syntax};
use crate::logic::{
    Body, Definition, Formula, FormulaKind, Node, Term, TermKind, Var, print_application, symbols,
};
use crate::protocol::{
    Action, ChoiceId, Protocol, StepFormula, StepSymbol, StepTerm, StepVar, SymbolId, TwoStates,
};

/// Formulas about a step.
pub(super) struct MypyvyStep<'a> {
    /// The names of everything that is declared.
    pub(super) names: &'a ExportNames,
    /// The action, and what stands for its choices.
    pub(super) plan: &'a ChoicePlan<'a>,
}

impl MypyvyStep<'_> {
    /// Writes one transition.
    pub(super) fn transition(
        &self,
        protocol: &Protocol,
        action: &Action,
        name: &str,
        text: &mut String,
    ) {
        let scope: Vec<(StepVar, String)> = parameters(self.names, &action.params);
        let params = scope.iter().map(|(param, name)| format!("{name}: {}", self.sort(param.sort)));
        let params: Vec<String> = params.collect();
        line(text, &format!("\ntransition {name}({})", params.join(", ")));
        let changed = self.plan.summary.updates.keys().map(|symbol| self.names.symbol(*symbol));
        let changed: Vec<&str> =
            changed.chain(self.plan.oracles.values().map(String::as_str)).collect();
        let written =
            |formula: &StepFormula| FormulaWriter::new(self, scope.clone()).operand(formula);
        let mut conjuncts: Vec<String> =
            self.plan.summary.guard.conjuncts().iter().map(written).collect();
        for (symbol, definition) in &self.plan.summary.updates {
            let becomes = self.becomes(protocol, *symbol, definition);
            let closed = Formula::forall(definition.params.clone(), becomes);
            conjuncts.extend(closed.conjuncts().iter().map(written));
        }
        if changed.is_empty() {
            let body = if conjuncts.is_empty() { "true".to_owned() } else { conjuncts.join(" & ") };
            return line(text, &format!("  = {body}"));
        }
        line(text, &format!("  modifies {}", changed.join(", ")));
        for conjunct in &conjuncts {
            line(text, &format!("  & {conjunct}"));
        }
        if conjuncts.is_empty() {
            line(text, "  true");
        }
    }

    /// The constraint on a symbol after the step; never empty, as `modifies` lists the symbol.
    fn becomes(
        &self,
        protocol: &Protocol,
        symbol: SymbolId,
        definition: &Definition<TwoStates>,
    ) -> StepFormula {
        if self.plan.same.values().any(|own| *own == symbol) {
            return unsaid(symbol, definition, protocol);
        }
        let args: Vec<StepTerm> = definition.params.iter().cloned().map(Term::var).collect();
        let becomes = match (&definition.body, protocol.signature.symbol(symbol).result) {
            (Body::Formula(body), _) => {
                let after = Formula::holds(StepSymbol::Post(symbol), args);
                self.becomes_formula(&after, body)
            }
            (Body::Term(body), Some(sort)) => {
                let after = Term::apply(StepSymbol::Post(symbol), args, sort);
                self.becomes_term(&after, body)
            }
            (Body::Term(_), None) => Formula::truth(true),
        };
        match becomes.kind() {
            FormulaKind::Truth(true) => unsaid(symbol, definition, protocol),
            _ => becomes,
        }
    }

    /// `after` is `body`; no constraint where that is a choice that nothing else reads.
    fn becomes_formula(&self, after: &StepFormula, body: &StepFormula) -> StepFormula {
        match body.kind() {
            FormulaKind::Holds(StepSymbol::Choice(choice), _) if self.is_free(*choice) => {
                Formula::truth(true)
            }
            FormulaKind::If(condition, then, otherwise)
                if self.reads_free(Node::Formula(then))
                    || self.reads_free(Node::Formula(otherwise)) =>
            {
                Formula::and([
                    Formula::implies(condition.clone(), self.becomes_formula(after, then)),
                    Formula::implies(condition.negate(), self.becomes_formula(after, otherwise)),
                ])
            }
            _ => Formula::iff(after.clone(), body.clone()),
        }
    }

    fn becomes_term(&self, after: &StepTerm, body: &StepTerm) -> StepFormula {
        match body.kind() {
            TermKind::Apply(StepSymbol::Choice(choice), _, _) if self.is_free(*choice) => {
                Formula::truth(true)
            }
            TermKind::If(condition, then, otherwise)
                if self.reads_free(Node::Term(then)) || self.reads_free(Node::Term(otherwise)) =>
            {
                Formula::and([
                    Formula::implies(condition.clone(), self.becomes_term(after, then)),
                    Formula::implies(condition.negate(), self.becomes_term(after, otherwise)),
                ])
            }
            _ => Formula::equal(after.clone(), body.clone()),
        }
    }

    /// Whether a choice is only assigned, so that nothing need stand for it.
    fn is_free(&self, choice: ChoiceId) -> bool {
        self.plan.free.contains(&choice)
    }

    fn reads_free(&self, node: Node<'_, TwoStates>) -> bool {
        symbols(node).into_iter().any(|symbol| match symbol {
            StepSymbol::Choice(choice) => self.is_free(choice),
            StepSymbol::Pre(_) | StepSymbol::Post(_) => false,
        })
    }
}

impl Syntax<TwoStates> for MypyvyStep<'_> {
    fn words(&self) -> &'static LanguageWords {
        &WORDS
    }

    fn names(&self) -> &ExportNames {
        self.names
    }

    fn symbol(&self, symbol: StepSymbol, args: &[String]) -> String {
        let after = |name: &str| format!("new({})", print_application(name, args));
        match symbol {
            StepSymbol::Pre(symbol) => print_application(self.names.symbol(symbol), args),
            StepSymbol::Post(symbol) => after(self.names.symbol(symbol)),
            StepSymbol::Choice(choice) => {
                let same = self.plan.same.get(&choice).map(|symbol| self.names.symbol(*symbol));
                let stands = same.or(self.plan.oracles.get(&choice).map(String::as_str));
                after(stands.expect("what is read is said"))
            }
        }
    }
}

/// Something about a symbol after the step that is always true.
fn unsaid(
    symbol: SymbolId,
    definition: &Definition<TwoStates>,
    protocol: &Protocol,
) -> StepFormula {
    let args: Vec<StepTerm> = definition.params.iter().cloned().map(Term::var).collect();
    let after = StepSymbol::Post(symbol);
    match protocol.signature.symbol(symbol).result {
        None => {
            let holds = Formula::holds(after, args);
            Formula::or([holds.clone(), holds.negate()])
        }
        Some(sort) => {
            let value = Term::apply(after, args, sort);
            let other = Var::new("other", sort);
            Formula::exists(vec![other.clone()], Formula::equal(value, Term::var(other)))
        }
    }
}
