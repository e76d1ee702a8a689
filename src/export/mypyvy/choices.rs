//! What stands for the values that a havoc picks: nothing, the symbol itself, or a symbol more.

use std::collections::BTreeMap;

use crate::export::ExportError;
use crate::export::names::ExportNames;
use crate::logic::{Body, FormulaKind, Node, Term, TermKind};
use crate::protocol::{
    Action, ActionSummary, ChoiceId, Protocol, StepSymbol, StepTerm, StepVar, SymbolId, TwoStates,
    summarize,
};

/// What stands for each choice of an action.
pub(super) struct ChoicePlan<'a> {
    /// The action.
    pub(super) action: &'a Action,
    /// When it is possible and what it changes.
    pub(super) summary: ActionSummary,
    /// Choices that are what a symbol becomes everywhere.
    pub(super) same: BTreeMap<ChoiceId, SymbolId>,
    /// Choices that need a symbol of their own.
    pub(super) oracles: BTreeMap<ChoiceId, String>,
}

impl<'a> ChoicePlan<'a> {
    /// Decides what stands for each choice.
    pub(super) fn new(
        protocol: &Protocol,
        action: &'a Action,
        names: &mut ExportNames,
    ) -> Result<Self, ExportError> {
        let summary = summarize(&protocol.signature, action);
        let mut plan =
            ChoicePlan { action, summary, same: BTreeMap::new(), oracles: BTreeMap::new() };
        for (symbol, definition) in &plan.summary.updates {
            if let Some(choice) = whole_choice(&definition.body, &definition.params) {
                plan.same.entry(choice).or_insert(*symbol);
            }
        }
        for (index, choice) in action.choices.iter().enumerate() {
            let id = ChoiceId(u32::try_from(index).expect("fewer than 2^32 havocs"));
            if !plan.same.contains_key(&id) && plan.mentions(id) > 1 {
                let name = names.claim(&format!("any_{}", choice.name));
                plan.oracles.insert(id, name);
            }
        }
        match plan.confuses_states() {
            true => {
                let what = format!("what `{}` picks at places that change", action.name);
                Err(ExportError::Unsayable { language: "mypyvy", what })
            }
            false => Ok(plan),
        }
    }

    /// In how many places a choice is read: once is where it is assigned.
    fn mentions(&self, choice: ChoiceId) -> usize {
        let mut count = 0;
        self.visit_choices(&mut |found, _| count += usize::from(found == choice));
        count
    }

    /// Inside `new(…)` everything is new: no argument of a choice may mention what changes.
    fn confuses_states(&self) -> bool {
        let mut confused = false;
        self.visit_choices(&mut |_, args| {
            confused |= args.iter().flat_map(Term::symbols).any(|symbol| match symbol {
                StepSymbol::Pre(symbol) => self.summary.updates.contains_key(&symbol),
                StepSymbol::Post(_) => false,
                StepSymbol::Choice(_) => true,
            });
        });
        confused
    }

    /// Visits every application of a choice.
    fn visit_choices(&self, visitor: &mut dyn FnMut(ChoiceId, &[StepTerm])) {
        let mut visit = |node: Node<'_, TwoStates>| {
            node.visit(&mut |node| {
                let application = match node {
                    Node::Term(term) => match term.kind() {
                        TermKind::Apply(symbol, args, _) => Some((*symbol, args)),
                        _ => None,
                    },
                    Node::Formula(formula) => match formula.kind() {
                        FormulaKind::Holds(symbol, args) => Some((*symbol, args)),
                        _ => None,
                    },
                };
                if let Some((StepSymbol::Choice(choice), args)) = application {
                    visitor(choice, args);
                }
            });
        };
        visit(Node::Formula(&self.summary.guard));
        for definition in self.summary.updates.values() {
            visit(definition.body.node());
        }
    }
}

/// The choice that a symbol becomes at every place.
fn whole_choice(body: &Body<TwoStates>, params: &[StepVar]) -> Option<ChoiceId> {
    let (symbol, args) = match body {
        Body::Formula(body) => match body.kind() {
            FormulaKind::Holds(symbol, args) => (*symbol, args),
            _ => return None,
        },
        Body::Term(body) => match body.kind() {
            TermKind::Apply(symbol, args, _) => (*symbol, args),
            _ => return None,
        },
    };
    let StepSymbol::Choice(choice) = symbol else { return None };
    let vars: Vec<StepTerm> = params.iter().cloned().map(Term::var).collect();
    (*args == vars).then_some(choice)
}
