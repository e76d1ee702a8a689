//! What stands for the values that a havoc picks: nothing, the symbol itself, or a symbol more.

use std::collections::{BTreeMap, BTreeSet};

use crate::export::ExportError;
use crate::export::names::ExportNames;
use crate::logic::{Body, FormulaKind, Node, Term, TermKind};
use crate::protocol::{
    Action, ActionSummary, ChoiceId, Protocol, StepFormula, StepSymbol, StepTerm, StepVar,
    SymbolId, TwoStates, summarize,
};

/// What stands for each choice of an action.
pub(super) struct ChoicePlan<'a> {
    /// The action.
    pub(super) action: &'a Action,
    /// When it is possible and what it changes.
    pub(super) summary: ActionSummary,
    /// Choices that are what a symbol becomes everywhere.
    pub(super) same: BTreeMap<ChoiceId, SymbolId>,
    /// Choices that are assigned once, a value of its own at each place, and read nowhere.
    pub(super) free: BTreeSet<ChoiceId>,
    /// Choices that need a symbol of their own: all others.
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
        let (same, free, oracles) = (BTreeMap::new(), BTreeSet::new(), BTreeMap::new());
        let mut plan = ChoicePlan { action, summary, same, free, oracles };
        let mut assigned = Vec::new();
        for (symbol, definition) in &plan.summary.updates {
            if let Some(choice) = whole_choice(&definition.body, &definition.params) {
                plan.same.entry(choice).or_insert(*symbol);
            }
            let mut places = Places { params: &definition.params, within: Vec::new() };
            places.assigned(definition.body.node(), &mut assigned);
        }
        assigned.retain(|choice| plan.mentions(*choice) == 1);
        plan.free.extend(assigned);
        for (index, choice) in action.choices.iter().enumerate() {
            let id = ChoiceId(u32::try_from(index).expect("fewer than 2^32 havocs"));
            let is_said = plan.same.contains_key(&id) || plan.free.contains(&id);
            if !is_said && plan.mentions(id) > 0 {
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

    /// In how many places a choice is read or assigned.
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

/// The places at which a symbol becomes something.
struct Places<'a> {
    /// The variables for its arguments.
    params: &'a [StepVar],
    /// What holds of the places at hand.
    within: Vec<StepFormula>,
}

impl Places<'_> {
    /// Finds the choices that are assigned as they are, a value of its own at each place.
    fn assigned(&mut self, value: Node<'_, TwoStates>, found: &mut Vec<ChoiceId>) {
        let (condition, then, otherwise) = match value {
            Node::Formula(formula) => match formula.kind() {
                FormulaKind::If(condition, then, otherwise) => {
                    (condition, Node::Formula(then), Node::Formula(otherwise))
                }
                FormulaKind::Holds(symbol, args) => return self.leaf(*symbol, args, found),
                _ => return,
            },
            Node::Term(term) => match term.kind() {
                TermKind::If(condition, then, otherwise) => {
                    (condition, Node::Term(then), Node::Term(otherwise))
                }
                TermKind::Apply(symbol, args, _) => return self.leaf(*symbol, args, found),
                _ => return,
            },
        };
        self.within.push(condition.clone());
        self.assigned(then, found);
        self.within.pop();
        self.assigned(otherwise, found);
    }

    fn leaf(&self, symbol: StepSymbol, args: &[StepTerm], found: &mut Vec<ChoiceId>) {
        if let StepSymbol::Choice(choice) = symbol
            && self.are_told_apart(args)
        {
            found.push(choice);
        }
    }

    /// Whether the place follows from these arguments: each of its parts is one of them, or equal to
    /// what is known.
    fn are_told_apart(&self, args: &[StepTerm]) -> bool {
        let mut open: BTreeSet<&StepVar> = self.params.iter().collect();
        for arg in args {
            if let TermKind::Var(var) = arg.kind() {
                open.remove(var);
            }
        }
        let facts: Vec<StepFormula> =
            self.within.iter().flat_map(|condition| condition.conjuncts()).collect();
        loop {
            let before = open.len();
            for fact in &facts {
                let FormulaKind::Equal(left, right) = fact.kind() else { continue };
                for (part, value) in [(left, right), (right, left)] {
                    let is_known = value.free_vars().iter().all(|var| !open.contains(var));
                    if let (TermKind::Var(var), true) = (part.kind(), is_known) {
                        open.remove(var);
                    }
                }
            }
            if open.len() == before {
                return open.is_empty();
            }
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
