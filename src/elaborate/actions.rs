//! Actions: parameters, statements in order, and the choices of their havocs.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::syntax::surface::{
    ActionItem, Binder, Expression, Identifier, Item, Module, Statement, StatementKind,
};
use crate::logic::{Name, Var};
use crate::protocol::{
    Action, Choice, ChoiceId, Command, OneState, Rigidity, Sort, StateFormula, StateVar, Symbol,
    SymbolId, TwoStates, Weight,
};
use crate::source::Span;

use super::declarations::{DeclaredMeaning, DeclaredNames};
use super::expression::{Context, Unbound};
use super::messages::{
    UNBOUND_IN_CONDITION, capitalised_name, definition_written, given_twice, no_symbol,
    not_assignable, parameter_hides_symbol, parameter_without_sort, rigid_written, too_heavy,
    unused_params,
};
use super::resolve::{Resolve, is_capitalised};
use super::scope::{NameReading, ProtocolScope, ScopeParam, Usage};
use super::sorts::infer::HINTS;
use super::sorts::messages::{unknown_name, unknown_sort};
use super::{codes, expression};
use crate::diagnostic::near_names::nearest;

/// Elaborates every action.
pub(super) fn actions(
    module: &Module,
    declarations: &DeclaredNames,
    usage: &Usage,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Action> {
    let mut actions = Vec::new();
    for item in &module.items {
        if let Item::Action(action) = &item.value {
            actions.extend(elaborate_action(action, declarations, usage, diagnostics));
        }
    }
    actions
}

/// Elaborates one action.
pub(super) fn elaborate_action(
    item: &ActionItem,
    declarations: &DeclaredNames,
    usage: &Usage,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Action> {
    usage.params.borrow_mut().clear();
    let mut elaborator = ActionElaborator {
        declarations,
        usage,
        params: BTreeMap::new(),
        choices: Vec::new(),
        picked: BTreeMap::new(),
        diagnostics,
    };
    let params: Vec<Option<StateVar>> =
        item.params.iter().map(|param| elaborator.param(param, item)).collect();
    let body = elaborator.block(&item.body);
    let choices = elaborator.choices;
    diagnostics.extend(unused_params(item, usage));
    let params = params.into_iter().collect::<Option<Vec<_>>>()?;
    let Identifier { value: name, span } = item.name.clone();
    let action = Action { name, params, body: body?, choices, span };
    let mut weight = Weight::default();
    weight.act(&action);
    if !weight.is_light() {
        // Here there is a place to point at; every later stage would build the meaning.
        refuse(diagnostics, too_heavy(&action));
        return None;
    }
    Some(action)
}

/// The state of elaborating one action.
pub(super) struct ActionElaborator<'a> {
    pub(super) declarations: &'a DeclaredNames,
    pub(super) usage: &'a Usage,
    pub(super) params: BTreeMap<Name, ScopeParam>,
    choices: Vec<Choice>,
    /// How many havocs there were of each symbol.
    picked: BTreeMap<SymbolId, usize>,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
}

impl ActionElaborator<'_> {
    fn param(&mut self, binder: &Binder, item: &ActionItem) -> Option<StateVar> {
        let Identifier { value: name, span } = &binder.name;
        if is_capitalised(name) {
            let last = item.body.last().map_or(item.name.span, |statement| statement.span);
            let whole = item.name.span.to(binder.name.span).to(last);
            refuse(self.diagnostics, capitalised_name(&binder.name, "a parameter", Some(whole)));
        }
        if let Some(declared) = self.declarations.names.get(name)
            && matches!(
                declared.meaning,
                DeclaredMeaning::Symbol(_)
                    | DeclaredMeaning::Definition(_)
                    | DeclaredMeaning::Element(..)
                    | DeclaredMeaning::Mistaken
            )
        {
            refuse(self.diagnostics, parameter_hides_symbol(&binder.name, declared.span));
        }
        let sort = self.param_sort(binder);
        if let Some(first) = self.params.get(name) {
            let message = format!("the parameter `{name}` is declared twice");
            let twice = given_twice(codes::DECLARED_TWICE, message, *span, first.span);
            refuse(self.diagnostics, twice);
        } else {
            self.params.insert(name.clone(), ScopeParam { sort, span: *span });
        }
        Some(Var::new(name.clone(), sort?))
    }

    fn param_sort(&mut self, binder: &Binder) -> Option<Sort> {
        let Some(Identifier { value, span }) = &binder.sort else {
            refuse(self.diagnostics, parameter_without_sort(binder));
            return None;
        };
        let sort = Resolve::<OneState>::sort(&self.scope(), value);
        if sort.is_none() {
            let near = self.nearest(value, |action| action.declarations.sort_names());
            refuse(self.diagnostics, unknown_sort(value, *span, near));
        }
        sort
    }

    /// The nearest name, as long as there are not too many messages already.
    fn nearest(&self, name: &str, candidates: impl FnOnce(&Self) -> Vec<Name>) -> Option<Name> {
        if self.diagnostics.len() < HINTS { nearest(name, &candidates(self)) } else { None }
    }

    fn scope(&self) -> ProtocolScope<'_> {
        let (declarations, params, usage) = (self.declarations, &self.params, self.usage);
        ProtocolScope { declarations, params, usage, reading: NameReading::Everything }
    }

    /// What names mean in this action, and where to put messages.
    pub(super) fn surroundings(&mut self) -> (ProtocolScope<'_>, &mut Vec<Diagnostic>) {
        let (declarations, params, usage) = (self.declarations, &self.params, self.usage);
        let scope = ProtocolScope { declarations, params, usage, reading: NameReading::Everything };
        (scope, self.diagnostics)
    }

    /// Elaborates all statements, also after an error, so that all errors are reported.
    fn block(&mut self, statements: &[Statement]) -> Option<Vec<Command>> {
        let commands: Vec<_> =
            statements.iter().map(|statement| self.statement(statement)).collect();
        commands.into_iter().collect()
    }

    fn statement(&mut self, statement: &Statement) -> Option<Command> {
        let span = statement.span;
        match &statement.value {
            StatementKind::Require(formula) => {
                let formula = self.formula(formula, Unbound::Universal)?;
                Some(Command::Require(formula, span))
            }
            StatementKind::Assign(assignment) => self.assign(assignment, span).map(Command::Assign),
            StatementKind::Together(assignments) => self.together(assignments, span),
            StatementKind::If(condition, then, otherwise) => {
                let unbound = Unbound::Refused(UNBOUND_IN_CONDITION);
                let condition = self.formula(condition, unbound);
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                Some(Command::If(condition?, then?, otherwise?, span))
            }
            StatementKind::Relate(targets, formula) => self.relate(targets, formula, span),
        }
    }

    fn formula(&mut self, formula: &Expression, unbound: Unbound) -> Option<StateFormula> {
        let (scope, diagnostics) = self.surroundings();
        let context = Context { resolver: &scope, variables: &[], unbound };
        expression::formula::<OneState, _>(&context, formula, diagnostics)
    }

    fn relate(
        &mut self,
        targets: &[Identifier],
        formula: &Expression,
        span: Span,
    ) -> Option<Command> {
        let mut chosen = Vec::new();
        for target in targets {
            let symbol = self.target(target);
            if let Some(symbol) = symbol
                && chosen.iter().any(|(other, _)| *other == symbol)
            {
                let message = format!("`{}` is listed twice", target.value);
                let twice = Diagnostic::error(codes::DECLARED_TWICE, message, target.span);
                self.diagnostics.push(twice);
            } else if let Some(symbol) = symbol {
                let declared = self.declarations.signature.symbol(symbol);
                chosen.push((symbol, self.choice(symbol, declared.params.clone())));
            }
        }
        let (scope, diagnostics) = self.surroundings();
        let context = Context { resolver: &scope, variables: &[], unbound: Unbound::Universal };
        let formula = expression::formula::<TwoStates, _>(&context, formula, diagnostics)?;
        (chosen.len() == targets.len()).then_some(Command::Relate(chosen, formula, span))
    }

    /// A new choice for a symbol, one value for each tuple of `params`.
    pub(super) fn choice(&mut self, symbol: SymbolId, params: Vec<Sort>) -> ChoiceId {
        let Symbol { name, result, .. } = self.declarations.signature.symbol(symbol);
        let count = self.picked.entry(symbol).or_insert(0);
        *count += 1;
        let name = if *count == 1 { name.clone() } else { format!("{name}#{count}").into() };
        self.choices.push(Choice { name, params, result: *result });
        ChoiceId(u32::try_from(self.choices.len() - 1).expect("fewer than 2^32 havocs"))
    }

    /// The symbol that is assigned; refused if it is none, or one that never changes.
    pub(super) fn target(&mut self, target: &Identifier) -> Option<SymbolId> {
        let Identifier { value: name, span } = target;
        let declared = self.declarations.names.get(name).copied();
        let refusal = match declared.map(|declared| (declared.meaning, declared.span)) {
            _ if self.params.contains_key(name) => {
                let what = format!("the parameter `{name}`");
                not_assignable(&what, *span, Some(self.params[name].span))
            }
            Some((DeclaredMeaning::Symbol(id), _)) => {
                let symbol = self.declarations.signature.symbol(id);
                self.usage.written.borrow_mut().insert(id);
                match symbol.rigidity {
                    Rigidity::Mutable => return Some(id),
                    Rigidity::Rigid => rigid_written(symbol, *span),
                }
            }
            Some((DeclaredMeaning::Definition(_), first)) => definition_written(name, *span, first),
            Some((DeclaredMeaning::Mistaken, _)) => return None,
            Some((
                DeclaredMeaning::Sort(_) | DeclaredMeaning::Element(..) | DeclaredMeaning::Action,
                first,
            )) => no_symbol(name, *span, first),
            None if is_capitalised(name) => {
                not_assignable(&format!("the variable `{name}`"), *span, None)
            }
            None => {
                let near = self.nearest(name, |action| Resolve::<OneState>::names(&action.scope()));
                unknown_name(name, *span, near.as_ref())
            }
        };
        refuse(self.diagnostics, refusal);
        None
    }
}
