//! From leaves to the surface tree that every front end produces.
//!
//! Locations, resting points and values are relations of which exactly one holds; a step is one
//! simultaneous assignment. `names` has the symbols, `expressions` the guards, `update` the
//! assignments, `actions` and `agreements` the steps, `specs` the properties.

mod actions;
mod agreements;
mod choices;
pub(super) mod expressions;
pub(super) mod names;
mod specs;
mod update;

use crate::frontend::lowering::naming::LoweredNames;
use crate::frontend::syntax::surface::{
    ActionItem, Binder, Expression, Identifier, Item, LabelledFormula, Module, Statement,
};
use crate::logic::{Name, Quantifier};
use crate::process::{Happening, Specification, Step};
use crate::source::{Span, Spanned};

use super::local::LocalModel;
use super::parse::tree::CrashLine;
use super::table::Table;
use expressions::Writer;
use names::{MachineSymbols, Symbols};

/// Makes the surface tree of a file.
pub(super) struct Lowerer<'a> {
    table: &'a Table<'a>,
    process: &'a LocalModel,
    environment: Option<&'a LocalModel>,
    /// The symbols, as they are for good.
    shared: &'a Symbols,
    /// The same, with the names that actions take.
    symbols: Symbols,
    labels: LoweredNames,
    /// Relations by which receivers choose between handlers.
    picks: Vec<Spanned<Item>>,
    items: Vec<Spanned<Item>>,
    /// What the next action is, in the words of the process.
    happening: Happening,
    steps: Vec<Step>,
}

/// The lowered file, and the properties with what they require.
pub(super) struct Lowered {
    /// The tree.
    pub(super) module: Module,
    /// The properties.
    pub(super) specifications: Vec<Specification>,
    /// What each action is.
    pub(super) steps: Vec<Step>,
}

/// Lowers a file.
pub(super) fn lower(
    table: &Table<'_>,
    process: &LocalModel,
    environment: Option<&LocalModel>,
    symbols: &Symbols,
) -> Lowered {
    let mut lowerer = Lowerer {
        table,
        process,
        environment,
        shared: symbols,
        symbols: symbols.clone(),
        labels: LoweredNames::default(),
        picks: Vec::new(),
        items: Vec::new(),
        happening: Happening::Internal,
        steps: Vec::new(),
    };
    lowerer.steps();
    lowerer.agreements();
    lowerer.crash();
    let actions = std::mem::take(&mut lowerer.items);
    let specifications = lowerer.properties();
    let properties = std::mem::take(&mut lowerer.items);
    let mut items = symbols.items(process, environment);
    let picks = std::mem::take(&mut lowerer.picks);
    let start = lowerer.start(&picks);
    items.extend(picks);
    items.extend(start);
    items.extend(actions);
    items.extend(properties);
    Lowered { module: Module { items }, specifications, steps: lowerer.steps }
}

impl<'a> Lowerer<'a> {
    /// Writes about processes at a place.
    fn writer(&self, span: Span) -> Writer<'a> {
        Writer { symbols: self.shared, model: self.process, environment: false, span }
    }

    /// Adds an action under a free name.
    fn finish(&mut self, wish: &str, params: &[Name], body: Vec<Statement>, span: Span) {
        let name = Identifier::new(self.symbols.names.invent(wish), span);
        let happening = self.happening.clone();
        self.steps.push(Step { action: name.value.clone(), happening });
        let params = params.iter().map(|param| Binder {
            name: Identifier::new(param.clone(), span),
            sort: Some(Identifier::new(self.symbols.sort_of(param).clone(), span)),
        });
        let action = ActionItem { name, params: params.collect(), body };
        self.items.push(Spanned::new(Item::Action(action), span));
    }

    /// The points where processes crash; nothing if it is everywhere.
    pub(super) fn crash_points(&self) -> Option<Vec<usize>> {
        crash_points(self.table, self.process)
    }

    /// The first state.
    fn start(&self, picks: &[Spanned<Item>]) -> Vec<Spanned<Item>> {
        let nowhere = Span::default();
        let mut items = Vec::new();
        let mut put = |formula: Expression| {
            let line = LabelledFormula { label: None, formula };
            items.push(Spanned::new(Item::Init(line), nowhere));
        };
        let (one, other) = (Name::from("P"), Name::from("Q"));
        let machines = [
            (&self.shared.process, Some(self.process), false),
            (&self.shared.environment, self.environment, true),
        ];
        for (symbols, model, environment) in machines {
            let Some(model) = model else { continue };
            let writer = Writer { symbols: self.shared, model, environment, span: nowhere };
            let closed = |formula: Expression| match environment {
                true => formula,
                false => writer.quantified(Quantifier::Forall, &["P"], formula),
            };
            for (relation, holds) in first_facts(symbols, model) {
                let fact = writer.local(relation, &one);
                put(closed(if holds { fact } else { fact.negated() }));
            }
            for (function, data) in symbols.data.iter().zip(&model.data) {
                let default = writer.name(&self.shared.domains[data.domain].default);
                let fact = Expression::equal(writer.local(function, &one), default, nowhere);
                put(closed(fact));
            }
            for link in &symbols.links {
                let fact = writer.holds(link, &[&one, &other]).negated();
                put(writer.quantified(Quantifier::Forall, &["P", "Q"], fact));
            }
        }
        let writer = self.writer(nowhere);
        let picks = picks.iter().filter_map(|item| match &item.value {
            Item::Symbol(symbol) => Some(&symbol.name.value),
            _ => None,
        });
        for relation in self.shared.crashed.iter().chain(picks) {
            let fact = writer.holds(relation, &[&one]).negated();
            put(writer.quantified(Quantifier::Forall, &["P"], fact));
        }
        items
    }
}

/// Every relation about points and values, and whether it holds at first.
fn first_facts<'s>(symbols: &'s MachineSymbols, model: &LocalModel) -> Vec<(&'s Name, bool)> {
    let mut facts = Vec::new();
    for (point, relation) in symbols.points.iter().enumerate() {
        facts.push((relation, point == model.start));
    }
    for (relations, variable) in symbols.values.iter().zip(&model.variables) {
        match &relations[..] {
            [mark] if variable.is_bit() => facts.push((mark, variable.initial == 1)),
            _ => {
                let values = relations.iter().zip(variable.values());
                facts.extend(values.map(|(relation, value)| (relation, value == variable.initial)));
            }
        }
    }
    facts
}

/// The points where processes crash; nothing if it is everywhere.
pub(super) fn crash_points(table: &Table<'_>, process: &LocalModel) -> Option<Vec<usize>> {
    let line = table.file.crash.first()?;
    let CrashLine::At(names) = &line.value else { return Some(Vec::new()) };
    let locations: Vec<usize> =
        names.iter().filter_map(|name| table.file.process.location(&name.value)).collect();
    let points = process.points.iter().enumerate();
    Some(points.filter(|(_, point)| locations.contains(&point.location)).map(|(i, _)| i).collect())
}
