//! Specifications and owed properties as formulas, and as requirements on local states.

use std::ops::Range;

use itertools::Itertools;

use crate::frontend::mercury::local::{LocalModel, VariableUse};
use crate::frontend::mercury::parse::tree::{
    BinaryOperator, Formula, FormulaKind, Spec, StatePattern,
};
use crate::frontend::mercury::table::Table;
use crate::frontend::syntax::surface::{Expression, Identifier, Item, LabelledFormula};
use crate::logic::{Name, Quantifier};
use crate::process::{DataId, Pattern, PointId, Requirement, Specification, VariableId};
use crate::source::{Span, Spanned};

use super::Lowerer;
use super::expressions::{Writer, negation};

impl Lowerer<'_> {
    /// The properties, each with what it requires.
    pub(super) fn properties(&mut self) -> Vec<Specification> {
        let mut found = Vec::new();
        for line in &self.table.file.safety {
            let parts = match &line.spec {
                Spec::All(parts) if parts.len() > 1 => parts.iter().collect(),
                spec => vec![spec],
            };
            for part in parts {
                let requirement = requirement(self.table, self.process, part);
                let wish = line.label.as_ref().map_or("safety", |label| &*label.value);
                let name = self.labels.invent(wish);
                let span = line.span;
                self.property(&name, &requirement, span, Item::Safety);
                let is_owed = false;
                found.push(Specification { property: name, requirement, is_owed, span });
            }
        }
        for (index, variable) in self.process.variables.iter().enumerate() {
            let VariableUse::Fault(_) = &variable.purpose else { continue };
            let broken = (VariableId(index), 1);
            let points = 0..self.process.points.len();
            let patterns =
                points.map(|point| Pattern { point: PointId(point), values: vec![broken] });
            let requirement = Requirement::AtMost(0, patterns.collect());
            let name = self.labels.invent(&format!("no_{}", variable.name));
            let writer = self.writer(variable.span);
            let flag = writer.has_value(index, 1, &"P".into()).negated();
            let formula = writer.quantified(Quantifier::Forall, &["P"], flag);
            self.labelled(&name, formula, variable.span, Item::Owed);
            let (is_owed, span) = (true, variable.span);
            found.push(Specification { property: name, requirement, is_owed, span });
        }
        self.owed_by_environment();
        found
    }

    /// A written environment owes the same; it has no local states to speak of.
    fn owed_by_environment(&mut self) {
        let Some(model) = self.environment else { return };
        for (index, variable) in model.variables.iter().enumerate() {
            let VariableUse::Fault(_) = &variable.purpose else { continue };
            let (symbols, span) = (self.shared, variable.span);
            let writer = Writer { symbols, model, environment: true, span };
            let name = self.labels.invent(&format!("no_env_{}", variable.name));
            let formula = writer.has_value(index, 1, &"P".into()).negated();
            self.labelled(&name, formula, span, Item::Owed);
        }
    }

    fn property(
        &mut self,
        name: &Name,
        requirement: &Requirement,
        span: Span,
        item: fn(LabelledFormula) -> Item,
    ) {
        let writer = self.writer(span);
        let mut names: Vec<String> = Vec::new();
        let body = formula(&writer, requirement, 0, &mut names);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let formula = match names.is_empty() {
            true => body,
            false => writer.quantified(Quantifier::Forall, &names, body),
        };
        self.labelled(name, formula, span, item);
    }

    fn labelled(
        &mut self,
        name: &Name,
        formula: Expression,
        span: Span,
        item: fn(LabelledFormula) -> Item,
    ) {
        let label = Some(Identifier::new(name.clone(), span));
        self.items.push(Spanned::new(item(LabelledFormula { label, formula }), span));
    }
}

/// A requirement as a formula; the parts of a disjunction have variables of their own, those of a
/// conjunction share them.
fn formula(
    writer: &Writer<'_>,
    requirement: &Requirement,
    from: usize,
    names: &mut Vec<String>,
) -> Expression {
    match requirement {
        Requirement::AtMost(most, patterns) => {
            let same = |one: &Name, other: &Name| writer.same(one, other);
            few_alike(writer, patterns, from..from + most + 1, names, &same)
        }
        Requirement::FewValues(most, patterns, data) => {
            let function = &writer.own().data[data.0];
            let equal = |one: &Name, other: &Name| {
                let [left, right] = [one, other].map(|process| writer.local(function, process));
                Expression::equal(left, right, writer.span)
            };
            few_alike(writer, patterns, from..from + most + 1, names, &equal)
        }
        Requirement::And(parts) => {
            writer.all(parts.iter().map(|part| formula(writer, part, from, names)).collect())
        }
        Requirement::Or(parts) => {
            let mut start = from;
            let mut sides = Vec::new();
            for part in parts {
                sides.push(formula(writer, part, start, names));
                start += width(part);
            }
            writer.any(sides)
        }
    }
}

/// Of so many processes in the states of some patterns, two are alike.
fn few_alike(
    writer: &Writer<'_>,
    patterns: &[Pattern],
    variables: Range<usize>,
    names: &mut Vec<String>,
    are_alike: &dyn Fn(&Name, &Name) -> Expression,
) -> Expression {
    let variable = |index: usize| format!("P{}", index + 1);
    while names.len() < variables.end {
        names.push(variable(names.len()));
    }
    let own: Vec<Name> = variables.map(|index| variable(index).into()).collect();
    let is_in = |name: &Name| {
        writer.any(patterns.iter().map(|pattern| fits(writer, pattern, name)).collect())
    };
    let mut parts: Vec<Expression> = own.iter().map(|name| negation(is_in(name))).collect();
    for (index, name) in own.iter().enumerate() {
        parts.extend(own[..index].iter().map(|other| are_alike(other, name)));
    }
    writer.any(parts)
}

/// How many variables a requirement needs.
fn width(requirement: &Requirement) -> usize {
    match requirement {
        Requirement::AtMost(most, _) | Requirement::FewValues(most, ..) => most + 1,
        Requirement::And(parts) => parts.iter().map(width).max().unwrap_or(0),
        Requirement::Or(parts) => parts.iter().map(width).sum(),
    }
}

fn fits(writer: &Writer<'_>, pattern: &Pattern, process: &Name) -> Expression {
    let mut parts = vec![writer.local(&writer.own().points[pattern.point.0], process)];
    for (variable, value) in &pattern.values {
        parts.push(writer.has_value(variable.0, *value, process));
    }
    writer.all(parts)
}

/// What a specification requires of local states.
fn requirement(table: &Table<'_>, model: &LocalModel, spec: &Spec) -> Requirement {
    match spec {
        Spec::AtMost(most, states) => {
            let most = usize::try_from(most.value).unwrap_or(usize::MAX / 2);
            let patterns = states.iter().flat_map(|state| patterns(table, model, state));
            Requirement::AtMost(most, patterns.collect())
        }
        Spec::Agree(most, states, variable) => {
            let most = usize::try_from(most.value).unwrap_or(1);
            let data = model.data.iter().position(|data| data.name == variable.value);
            if let Some(data) = data {
                let patterns = states.iter().flat_map(|state| patterns(table, model, state));
                return Requirement::FewValues(most, patterns.collect(), DataId(data));
            }
            let is_it = |declared: &crate::frontend::mercury::local::LocalVariable| {
                declared.name == variable.value
            };
            let Some(position) = model.variables.iter().position(is_it) else {
                return Requirement::And(Vec::new());
            };
            let with = |value: i64| {
                let patterns = states.iter().flat_map(|state| patterns(table, model, state));
                let patterns = patterns.filter_map(|pattern| with_value(pattern, position, value));
                Requirement::AtMost(0, patterns.collect())
            };
            let values: Vec<i64> = model.variables[position].values().collect();
            let too_many = values.into_iter().combinations(most + 1);
            let one_is_absent =
                |values: Vec<i64>| Requirement::Or(values.into_iter().map(with).collect());
            Requirement::And(too_many.map(one_is_absent).collect())
        }
        Spec::All(parts) => {
            Requirement::And(parts.iter().map(|part| requirement(table, model, part)).collect())
        }
        Spec::Any(parts) => {
            Requirement::Or(parts.iter().map(|part| requirement(table, model, part)).collect())
        }
    }
}

/// The states of a pattern in which a variable has a value.
fn with_value(mut pattern: Pattern, variable: usize, value: i64) -> Option<Pattern> {
    let variable = VariableId(variable);
    match pattern.values.iter().find(|(other, _)| *other == variable) {
        Some((_, other)) if *other == value => Some(pattern),
        Some(_) => None,
        None => {
            pattern.values.push((variable, value));
            Some(pattern)
        }
    }
}

/// The local states of `L: condition`: at the location or a resting point of it, with every
/// valuation of the variables that the condition reads.
fn patterns(table: &Table<'_>, model: &LocalModel, state: &StatePattern) -> Vec<Pattern> {
    let Some(location) = table.file.process.location(&state.location.value) else {
        return Vec::new();
    };
    let mut valuations: Vec<Vec<(VariableId, i64)>> = vec![Vec::new()];
    if let Some(condition) = &state.condition {
        let mut read = Vec::new();
        variables_of(model, condition, &mut read);
        for variable in read {
            let longer = valuations.iter().flat_map(|valuation| {
                model.variables[variable].values().map(move |value| {
                    let mut valuation = valuation.clone();
                    valuation.push((VariableId(variable), value));
                    valuation
                })
            });
            valuations = longer.collect();
        }
        valuations.retain(|valuation| truth(model, condition, valuation));
    }
    let points = model.points.iter().enumerate().filter(|(_, point)| point.location == location);
    let points: Vec<PointId> = points.map(|(index, _)| PointId(index)).collect();
    let with = |point: &PointId| {
        let point = *point;
        valuations.iter().map(move |values| Pattern { point, values: values.clone() })
    };
    points.iter().flat_map(with).collect()
}

fn variables_of(model: &LocalModel, formula: &Formula, found: &mut Vec<usize>) {
    match &formula.value {
        FormulaKind::Name(name) => {
            let position = model.variables.iter().position(|variable| variable.name == name.value);
            if let Some(position) = position.filter(|position| !found.contains(position)) {
                found.push(position);
            }
        }
        FormulaKind::Not(inner) => variables_of(model, inner, found),
        FormulaKind::Binary(_, left, right) => {
            variables_of(model, left, found);
            variables_of(model, right, found);
        }
        FormulaKind::Integer(_)
        | FormulaKind::Field(..)
        | FormulaKind::Default(_)
        | FormulaKind::Hole => {}
    }
}

fn integer(model: &LocalModel, formula: &Formula, at: &[(VariableId, i64)]) -> Option<i64> {
    match &formula.value {
        FormulaKind::Integer(value) => Some(*value),
        FormulaKind::Name(name) => {
            let of =
                |(variable, _): &&(VariableId, i64)| model.variables[variable.0].name == name.value;
            at.iter().find(of).map(|(_, value)| *value)
        }
        FormulaKind::Binary(operator, left, right) => {
            let (left, right) = (integer(model, left, at)?, integer(model, right, at)?);
            match operator {
                BinaryOperator::Plus => left.checked_add(right),
                BinaryOperator::Minus => left.checked_sub(right),
                BinaryOperator::Times => left.checked_mul(right),
                BinaryOperator::Divided => left.checked_div(right),
                _ => None,
            }
        }
        FormulaKind::Not(_)
        | FormulaKind::Field(..)
        | FormulaKind::Default(_)
        | FormulaKind::Hole => None,
    }
}

fn truth(model: &LocalModel, formula: &Formula, at: &[(VariableId, i64)]) -> bool {
    match &formula.value {
        FormulaKind::Name(name) => &*name.value == "True",
        FormulaKind::Not(inner) => !truth(model, inner, at),
        FormulaKind::Binary(BinaryOperator::And, left, right) => {
            truth(model, left, at) && truth(model, right, at)
        }
        FormulaKind::Binary(BinaryOperator::Or, left, right) => {
            truth(model, left, at) || truth(model, right, at)
        }
        FormulaKind::Binary(operator, left, right) => {
            let (left, right) = (integer(model, left, at), integer(model, right, at));
            let (Some(left), Some(right)) = (left, right) else {
                return *operator == BinaryOperator::Unequal;
            };
            match operator {
                BinaryOperator::Equal => left == right,
                BinaryOperator::Unequal => left != right,
                BinaryOperator::Less => left < right,
                BinaryOperator::AtMost => left <= right,
                BinaryOperator::Greater => left > right,
                _ => left >= right,
            }
        }
        FormulaKind::Integer(_)
        | FormulaKind::Field(..)
        | FormulaKind::Default(_)
        | FormulaKind::Hole => false,
    }
}
