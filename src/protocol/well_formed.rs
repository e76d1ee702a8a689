//! Whether an action is what elaboration would make: the two meanings of actions agree on these.
//! Certificates carry actions, and how they were made is not trusted.

use std::collections::BTreeSet;

use crate::logic::{
    Formula, Name, Node, Term, Translation, free_vars, ill_sorted_part, symbols, translate_formula,
};

use super::{
    Action, Argument, Assignment, ChoiceId, Command, OneState, RightSide, Rigidity, Signature,
    Sort, StateVar, StepFormula, StepSymbol, Symbol, SymbolId, TwoStates,
};

/// Whether every name is bound, every sort fits, nothing rigid is assigned, no statement assigns a
/// symbol twice, and every havoc has a choice of its own with its rank.
pub fn is_well_formed(signature: &Signature, action: &Action) -> bool {
    let names: BTreeSet<&Name> = action.params.iter().map(|param| &param.name).collect();
    let check = ActionCheck { signature, action };
    names.len() == action.params.len()
        && action.params.iter().all(|param| is_declared(signature, param.sort))
        && check.block(&action.body, &mut BTreeSet::new())
}

/// Whether there is such a sort.
pub fn is_declared(signature: &Signature, sort: Sort) -> bool {
    match sort {
        Sort::Declared(id) => signature.sorts().any(|own| own == id),
        Sort::Int => true,
    }
}

struct ActionCheck<'a> {
    signature: &'a Signature,
    action: &'a Action,
}

impl ActionCheck<'_> {
    /// `chosen` has the choices of the statements before.
    fn block(&self, commands: &[Command], chosen: &mut BTreeSet<ChoiceId>) -> bool {
        commands.iter().all(|command| match command {
            Command::Require(formula, _) => self.expression(Node::Formula(formula), &[]),
            Command::Assign(assignment) => self.assignment(assignment, chosen),
            Command::Together(assignments, _) => {
                are_distinct(assignments.iter().map(|assignment| assignment.target))
                    && assignments.iter().all(|assignment| {
                        !matches!(assignment.value, RightSide::Havoc(_))
                            && self.assignment(assignment, chosen)
                    })
            }
            Command::If(condition, then, otherwise, _) => {
                self.expression(Node::Formula(condition), &[])
                    && self.block(then, chosen)
                    && self.block(otherwise, chosen)
            }
            Command::Relate(targets, formula, _) => {
                are_distinct(targets.iter().map(|(symbol, _)| *symbol))
                    && targets.iter().all(|(symbol, choice)| {
                        self.target(*symbol).is_some_and(|declared| {
                            let params = declared.params.iter().copied();
                            self.choice(*choice, params, declared.result, chosen)
                        })
                    })
                    && self.relation(formula)
            }
        })
    }

    fn assignment(&self, assignment: &Assignment, chosen: &mut BTreeSet<ChoiceId>) -> bool {
        let Some(declared) = self.target(assignment.target) else { return false };
        let patterns = assignment.pattern_vars();
        // The two meanings of an action need not agree on a pattern that hides a parameter.
        let hides = patterns.iter().any(|var| self.action.params.contains(var));
        let places =
            assignment.arguments.iter().zip(&declared.params).all(|(place, sort)| match place {
                Argument::At(term) => {
                    term.sort() == *sort && self.expression(Node::Term(term), &[])
                }
                Argument::Every(var) => var.sort == *sort,
            });
        let value = match &assignment.value {
            RightSide::Formula(formula) => {
                declared.result.is_none() && self.expression(Node::Formula(formula), &patterns)
            }
            RightSide::Term(term) => {
                declared.result == Some(term.sort()) && self.expression(Node::Term(term), &patterns)
            }
            RightSide::Havoc(choice) => {
                let sorts = patterns.iter().map(|var| var.sort);
                self.choice(*choice, sorts, declared.result, chosen)
            }
        };
        assignment.arguments.len() == declared.params.len() && places && value && !hides
    }

    /// What may be assigned.
    fn target(&self, symbol: SymbolId) -> Option<&Symbol> {
        let (_, declared) = self.signature.symbols().find(|(id, _)| *id == symbol)?;
        (declared.rigidity == Rigidity::Mutable).then_some(declared)
    }

    fn choice(
        &self,
        choice: ChoiceId,
        params: impl Iterator<Item = Sort>,
        result: Option<Sort>,
        chosen: &mut BTreeSet<ChoiceId>,
    ) -> bool {
        let declared = self.action.choices.get(choice.0 as usize);
        chosen.insert(choice)
            && declared.is_some_and(|declared| {
                declared.result == result && declared.params.iter().copied().eq(params)
            })
    }

    /// Whether an expression is well-sorted and has only parameters and these variables free.
    fn expression(&self, node: Node<'_, OneState>, vars: &[StateVar]) -> bool {
        let count = self.signature.symbols().count();
        symbols(node).iter().all(|symbol| (symbol.0 as usize) < count)
            && ill_sorted_part(self.signature, node).is_none()
            && free_vars(node)
                .iter()
                .all(|var| self.action.params.contains(var) || vars.contains(var))
    }

    /// The same for a formula over the states before and after a statement.
    fn relation(&self, formula: &StepFormula) -> bool {
        let no_choice = |symbol: &StepSymbol| !matches!(symbol, StepSymbol::Choice(_));
        formula.symbols().iter().all(no_choice)
            && self.expression(Node::Formula(&translate_formula(formula, [].into(), Untimed)), &[])
    }
}

fn are_distinct(symbols: impl Iterator<Item = SymbolId> + Clone) -> bool {
    symbols.clone().collect::<BTreeSet<_>>().len() == symbols.count()
}

/// Forgets which state a symbol is read in: its rank is the same in both.
struct Untimed;

impl Translation<TwoStates, OneState> for Untimed {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: StepSymbol, args: Vec<Term<OneState>>, sort: Sort) -> Term<OneState> {
        match symbol {
            StepSymbol::Pre(id) | StepSymbol::Post(id) => Term::apply(id, args, sort),
            StepSymbol::Choice(_) => unreachable!("a relation mentions no choice"),
        }
    }

    fn holds(&self, symbol: StepSymbol, args: Vec<Term<OneState>>) -> Formula<OneState> {
        match symbol {
            StepSymbol::Pre(id) | StepSymbol::Post(id) => Formula::holds(id, args),
            StepSymbol::Choice(_) => unreachable!("a relation mentions no choice"),
        }
    }
}
