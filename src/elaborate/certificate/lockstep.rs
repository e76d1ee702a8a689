//! How `C` answers each action: alternatives, moves, and what their havocs pick.

use std::collections::BTreeMap;

use crate::certificate::{
    Alternative, Mode, Move, ProductDefinition, ProductNames, ProductSort, ProductSymbol,
    ProductTerm, TwoSystems, large_sort, sim,
};
use crate::elaborate::codes;
use crate::elaborate::expression::Unbound;
use crate::frontend::certificate::surface::{AlternativeItem, LockstepItem, MoveItem, Section};
use crate::logic::{Definition, Formula, Rank, Term, Var, substitute_formula, substitute_term};
use crate::protocol::{Action, Choice, ChoiceId, Protocol, Sort};

use super::case::CaseBuilder;
use super::names::{ReadableSystems, choice_name};

/// The answers to every action of `L`, in order; a missing one is an error.
pub(super) fn lockstep(
    builder: &mut CaseBuilder<'_>,
    large: &Protocol,
    small: &Protocol,
) -> Vec<Vec<Alternative>> {
    let mut answers: Vec<Option<Vec<Alternative>>> = vec![None; large.actions.len()];
    for section in &builder.item.sections {
        let Section::Lockstep(item) = &section.value else { continue };
        let Some((position, action)) = large.action(&item.action.value) else {
            builder.nothing_named(codes::UNKNOWN_NAME, "there is no action", &item.action);
            continue;
        };
        if answers[position].is_some() {
            let message = format!("`{}` has two answers", item.action.value);
            builder.error(message, item.action.span);
        }
        builder.names.action = Some(action.clone());
        answers[position] = Some(builder.answers(item, action, small));
        builder.names.action = None;
    }
    for (action, answer) in large.actions.iter().zip(&answers) {
        if answer.is_none() {
            let message = format!("no answer to the action `{}`", action.name);
            let hint = format!("add `lockstep {} stutter`, or state how C answers", action.name);
            builder.error_with_hint(message, builder.item.name.span, hint);
        }
    }
    answers.into_iter().map(Option::unwrap_or_default).collect()
}

/// The names that the answers use for the action's parameters, and the parameters themselves.
struct Params {
    written: Vec<Var<TwoSystems>>,
    own: BTreeMap<Var<TwoSystems>, ProductTerm>,
}

impl CaseBuilder<'_> {
    fn answers(
        &mut self,
        item: &LockstepItem,
        action: &Action,
        small: &Protocol,
    ) -> Vec<Alternative> {
        let params = self.lockstep_params(item, action);
        if item.alternatives.is_empty() {
            self.error(format!("`{}` has no alternative", action.name), item.action.span);
        }
        let mut all = Vec::new();
        for (index, alternative) in item.alternatives.iter().enumerate() {
            let last = index + 1 == item.alternatives.len();
            match (&alternative.condition, last) {
                (Some(_), true) => self.error(
                    "the last alternative must be unconditional: add `otherwise …`",
                    alternative.span,
                ),
                (None, false) => self.error("nothing can follow `otherwise`", alternative.span),
                _ => {}
            }
            all.extend(self.alternative(alternative, &params, small));
        }
        all
    }

    fn lockstep_params(&mut self, item: &LockstepItem, action: &Action) -> Params {
        let own = action.params.iter();
        let own: Vec<Var<TwoSystems>> =
            own.map(|param| Var::new(param.name.clone(), large_sort(param.sort))).collect();
        let Some(names) = &item.params else {
            let identity = own.iter().map(|var| (var.clone(), Term::var(var.clone()))).collect();
            return Params { written: own, own: identity };
        };
        if names.len() != own.len() {
            self.wrong_count(&item.action, "parameters", own.len(), names.len());
        }
        let mut written: Vec<Var<TwoSystems>> = Vec::new();
        let mut renaming = BTreeMap::new();
        for (name, own) in names.iter().zip(&own) {
            self.fresh(name);
            if written.iter().any(|var| var.name == name.value) {
                self.error(format!("`{}` is used twice", name.value), name.span);
            }
            let var = Var::new(name.value.clone(), own.sort);
            renaming.insert(var.clone(), Term::var(own.clone()));
            written.push(var);
        }
        Params { written, own: renaming }
    }

    fn alternative(
        &mut self,
        item: &AlternativeItem,
        params: &Params,
        small: &Protocol,
    ) -> Option<Alternative> {
        let condition = match &item.condition {
            None => Formula::truth(true),
            Some(condition) => {
                let unbound = Unbound::NEEDS_BINDER;
                let formula =
                    self.formula(condition, ReadableSystems::Step, &params.written, unbound)?;
                substitute_formula(&formula, &params.own)
            }
        };
        let moves = item.moves.iter().map(|next| self.next(next, params, small));
        let moves = moves.collect::<Vec<_>>().into_iter().collect::<Option<Vec<_>>>()?;
        Some(Alternative { condition, moves, span: item.span })
    }

    fn next(&mut self, item: &MoveItem, params: &Params, small: &Protocol) -> Option<Move> {
        let Some((position, action)) = small.action(&item.action.value) else {
            self.nothing_named(codes::UNKNOWN_NAME, "C has no action", &item.action);
            return None;
        };
        if item.args.len() != action.params.len() {
            self.wrong_count(&item.action, "parameters", action.params.len(), item.args.len());
            return None;
        }
        let mut args = Vec::new();
        for (arg, param) in item.args.iter().zip(&action.params) {
            let sort = self.names.cutoff_sort(param.sort);
            let term = self.term(arg, sort, ReadableSystems::Step, &params.written);
            args.extend(term.map(|term| substitute_term(&term, &params.own)));
        }
        let choices = self.choices(item, action, params)?;
        let mode = if item.attempt.is_some() { Mode::Try } else { Mode::Fire };
        (args.len() == action.params.len()).then_some(Move {
            mode,
            action: position,
            args,
            choices,
            span: item.span,
        })
    }

    fn choices(
        &mut self,
        item: &MoveItem,
        action: &Action,
        params: &Params,
    ) -> Option<BTreeMap<ChoiceId, ProductDefinition>> {
        for written in &item.choices {
            let known = action
                .choices
                .iter()
                .any(|choice| choice_name(&choice.name) == *written.name.value);
            if !known {
                let message = format!("`{}` picks no `{}`", action.name, written.name.value);
                self.error(message, written.name.span);
            }
        }
        let mut chosen = BTreeMap::new();
        for (index, choice) in action.choices.iter().enumerate() {
            let id = ChoiceId(u32::try_from(index).expect("few choices"));
            let written =
                item.choices.iter().find(|item| *item.name.value == choice_name(&choice.name));
            let definition = match written {
                Some(written) => {
                    let rank = choice_rank(&self.names, choice);
                    let own =
                        self.definition(written, &rank, ReadableSystems::Step, &params.written)?;
                    rename(&own, &params.own)
                }
                None => self.image_of_choice(item, choice)?,
            };
            chosen.insert(id, definition);
        }
        Some(chosen)
    }

    /// The default: the image of the choice of `L` that has the same name and rank.
    fn image_of_choice(&mut self, item: &MoveItem, choice: &Choice) -> Option<ProductDefinition> {
        let own = self.names.action.as_ref()?.choices.iter().position(|large| large == choice);
        let cut = |sort: &Sort| matches!(self.names.cutoff_sort(*sort), ProductSort::Cutoff(_));
        let defined = own.filter(|_| !choice.params.iter().any(cut));
        let Some(own) = defined else {
            let name = choice_name(&choice.name);
            let message = format!("missing choice of `{}` for `{name}`", item.action.value);
            let hint = format!("write `{} … with {name} := …`", item.action.value);
            self.error_with_hint(message, item.span, hint);
            return None;
        };
        let symbol = ProductSymbol::LargeChoice(ChoiceId(u32::try_from(own).expect("few choices")));
        let params: Vec<Var<TwoSystems>> = choice
            .params
            .iter()
            .enumerate()
            .map(|(index, sort)| Var::new(format!("z%{index}"), self.names.cutoff_sort(*sort)))
            .collect();
        let args: Vec<ProductTerm> = params.iter().cloned().map(Term::var).collect();
        Some(match choice.result {
            None => Definition::relation(params, Formula::holds(symbol, args)),
            Some(sort) => {
                let picked = Term::apply(symbol, args, large_sort(sort));
                Definition::function(params, sim(&self.names, sort, picked))
            }
        })
    }
}

fn choice_rank(names: &ProductNames, choice: &Choice) -> Rank<TwoSystems> {
    Rank {
        params: choice.params.iter().map(|sort| names.cutoff_sort(*sort)).collect(),
        result: choice.result.map(|sort| names.cutoff_sort(sort)),
    }
}

/// A definition about the names written, as one about the action's own parameters. The
/// definition's parameters are renamed apart from both.
fn rename(
    definition: &ProductDefinition,
    own: &BTreeMap<Var<TwoSystems>, ProductTerm>,
) -> ProductDefinition {
    let mut bindings = own.clone();
    let mut params = Vec::new();
    for (index, param) in definition.params.iter().enumerate() {
        let renamed = Var::new(format!("z%{index}"), param.sort);
        bindings.insert(param.clone(), Term::var(renamed.clone()));
        params.push(renamed);
    }
    Definition { params, body: definition.body.substitute(&bindings) }
}
