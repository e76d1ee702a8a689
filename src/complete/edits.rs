//! Edits as holes whose first alternative changes nothing, and the protocol with the chosen ones.
//!
//! A small edit comes before a large one, and every edit that needs only what the action looks at
//! already before those that look elsewhere: at symbols that it does not mention, or at all elements
//! of a sort at once.

use std::collections::BTreeSet;

use super::sketch::{
    HoleChoice, Language, LanguageCosts, LanguageScope, Sketch, SketchHole, SymbolTable, Weighed,
    filled, hole_name, in_statement, mentioned, mentioned_hole, symbols,
};
use crate::frontend::print_expression;
use crate::frontend::syntax::surface::{
    ActionItem, AssignStatement, Expression, ExpressionKind, Identifier, Item, LeftArgument,
    Module, RightValue, Statement, StatementKind,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

/// The base cost of an edit.
const UPDATE_COST: u32 = 2;
const DROP_COST: u32 = 3;
const ARGUMENT_COST: u32 = 2;

/// What an edit costs beyond that if it needs what the actor may not see.
const UNSEEN_COST: u32 = 3;

/// The name of the holes that leave a statement out.
const LEFT_OUT: &str = "statement";

/// The most arguments of one action that may be others, and the most others of each.
const MOST_ARGUMENTS: usize = 12;
const MOST_TERMS: usize = 4;

/// The most further updates of one action.
const MOST_UPDATES: usize = 24;

/// The most further guards of one action.
const MOST_GUARDS: usize = 200;

/// The protocol with a hole for every edit.
pub(super) fn with_edits(module: &Module) -> Sketch {
    let symbols = symbols(module);
    let mut editor = Editor { symbols: &symbols, holes: Vec::new() };
    let items = module.items.iter().map(|item| match &item.value {
        Item::Action(action) => {
            Spanned::new(Item::Action(editor.action(action, item.span)), item.span)
        }
        _ => item.clone(),
    });
    let items = items.collect();
    Sketch { module: Module { items }, holes: editor.holes }
}

struct Editor<'a> {
    symbols: &'a SymbolTable,
    holes: Vec<SketchHole>,
}

impl Editor<'_> {
    fn action(&mut self, action: &ActionItem, span: Span) -> ActionItem {
        let scope: LanguageScope = action
            .params
            .iter()
            .filter_map(|own| Some((own.name.value.clone(), own.sort.as_ref()?.value.clone())))
            .collect();
        let mentioned = mentioned(action);
        let place = action.body.first().map_or(span, |first| first.span.start_only());
        let costs = LanguageCosts { away: UNSEEN_COST, quantifier: UNSEEN_COST };
        let symbols = self.symbols;
        let language =
            Language { symbols, scope: &scope, mentioned: &mentioned, costs, span: place };
        let guards = action.body.iter();
        let guards = guards.take_while(|own| matches!(own.value, StatementKind::Require(_)));
        let guards = guards.count();
        let mut body = Vec::new();
        let mut open = MOST_ARGUMENTS;
        for (index, statement) in action.body.iter().enumerate() {
            if index == guards {
                body.push(self.added_guard(action, &language));
            }
            let statement = self.with_other_arguments((action, &language), statement, &mut open);
            let statement = self.narrowed((action, &language), statement, &mut open);
            body.push(self.droppable(action, &statement));
        }
        if action.body.len() == guards {
            body.push(self.added_guard(action, &language));
        }
        let end = action.body.last().map_or(place, |last| Span::new(last.span.end, last.span.end));
        for (update, cost) in self.updates(action, &language) {
            let hole = self.hole(action, end, vec![(false, 0), (true, cost)]);
            let update = Spanned::new(StatementKind::Assign(update), end);
            body.push(Spanned::new(StatementKind::If(hole, vec![update], Vec::new()), end));
        }
        ActionItem { body, ..action.clone() }
    }

    /// One more `require`, which may be `true`.
    fn added_guard(&mut self, action: &ActionItem, language: &Language<'_>) -> Statement {
        let name = hole_name(self.holes.len());
        let mut guards = language.formulas();
        guards.truncate(MOST_GUARDS);
        self.holes.push(SketchHole {
            name: "guard".into(),
            action: action.name.value.clone(),
            span: language.span,
            places: vec![language.span],
            choice: HoleChoice::OneOf(guards),
        });
        let hole = Expression::new(ExpressionKind::Name(name), language.span);
        Spanned::new(StatementKind::Require(hole), language.span)
    }

    /// A statement in which arguments may be other parameters or constants.
    fn with_other_arguments(
        &mut self,
        (action, language): (&ActionItem, &Language<'_>),
        statement: &Statement,
        open: &mut usize,
    ) -> Statement {
        if matches!(statement.value, StatementKind::If(..)) {
            return statement.clone();
        }
        in_statement(statement, &mut |own| match &*own.kind {
            // A parameter on the left or the right of an assignment.
            ExpressionKind::Name(_) => self.other_argument((action, language), own, open),
            _ => self.inside((action, language), own, open),
        })
    }

    /// An expression in which the arguments of symbols may be others.
    fn inside(
        &mut self,
        place: (&ActionItem, &Language<'_>),
        own: &Expression,
        open: &mut usize,
    ) -> Expression {
        match &*own.kind {
            ExpressionKind::Apply(name, arguments) => {
                let arguments = arguments.iter().map(|own| match own.as_name() {
                    Some(_) => self.other_argument(place, own, open),
                    None => self.inside(place, own, open),
                });
                let kind = ExpressionKind::Apply(name.clone(), arguments.collect());
                Expression::new(kind, own.span)
            }
            // A variable of a quantifier may have the name of a parameter.
            ExpressionKind::Quantified(..) => own.clone(),
            _ => own.map_children(|child| self.inside(place, child, open)),
        }
    }

    /// A parameter that may be another one, or a constant.
    fn other_argument(
        &mut self,
        (action, language): (&ActionItem, &Language<'_>),
        own: &Expression,
        open: &mut usize,
    ) -> Expression {
        let sort = own.as_name().and_then(|name| language.scope.get(name));
        let Some(sort) = sort.filter(|_| *open > 0) else { return own.clone() };
        let others = language.tuples(std::slice::from_ref(sort)).into_iter().flatten();
        let others = others.filter(|other| other.as_name() != own.as_name()).take(MOST_TERMS);
        let others = others.map(|other| {
            let away = other.as_name().filter(|name| !language.scope.contains_key(*name));
            let away = away.map_or(0, |name| language.away(name));
            Weighed { expression: other, cost: ARGUMENT_COST + away }
        });
        let kept = Weighed { expression: own.clone(), cost: 0 };
        let alternatives: Vec<Weighed> = std::iter::once(kept).chain(others).collect();
        if alternatives.len() == 1 {
            return own.clone();
        }
        *open -= 1;
        let name = hole_name(self.holes.len());
        self.holes.push(SketchHole {
            name: "argument".into(),
            action: action.name.value.clone(),
            span: own.span,
            places: vec![own.span],
            choice: HoleChoice::OneOf(alternatives),
        });
        Expression::new(ExpressionKind::Name(name), own.span)
    }

    /// An assignment at all elements that may be one at a parameter.
    fn narrowed(
        &mut self,
        (action, language): (&ActionItem, &Language<'_>),
        statement: Statement,
        open: &mut usize,
    ) -> Statement {
        let StatementKind::Assign(assignment) = &statement.value else { return statement };
        let Some(symbol) = self.symbols.get(&assignment.target.value) else { return statement };
        let mut narrower = Vec::new();
        for (position, argument) in assignment.arguments.iter().enumerate() {
            let (LeftArgument::Star, Some(sort)) = (&argument.value, symbol.params.get(position))
            else {
                continue;
            };
            for own in language.tuples(std::slice::from_ref(sort)).into_iter().flatten() {
                let mut other = assignment.clone();
                let at = LeftArgument::Expression(own);
                other.arguments[position] = Spanned::new(at, argument.span);
                narrower.push(other);
            }
        }
        narrower.truncate(MOST_TERMS.min(*open));
        *open -= narrower.len();
        let span = statement.span;
        narrower.into_iter().fold(statement, |whole, other| {
            let hole = self.hole(action, span, vec![(true, 0), (false, ARGUMENT_COST)]);
            let other = Spanned::new(StatementKind::Assign(other), span);
            Spanned::new(StatementKind::If(hole, vec![whole], vec![other]), span)
        })
    }

    /// A statement that may be left out.
    fn droppable(&mut self, action: &ActionItem, statement: &Statement) -> Statement {
        let hole = self.hole(action, statement.span, vec![(true, 0), (false, DROP_COST)]);
        if let Some(hole) = self.holes.last_mut() {
            hole.name = LEFT_OUT.into();
        }
        let kind = StatementKind::If(hole, vec![statement.clone()], Vec::new());
        Spanned::new(kind, statement.span)
    }

    fn hole(&mut self, action: &ActionItem, span: Span, values: Vec<(bool, u32)>) -> Expression {
        let name = hole_name(self.holes.len());
        let weighed = values.into_iter().map(|(value, cost)| Weighed {
            expression: Expression::new(ExpressionKind::Truth(value), span),
            cost,
        });
        self.holes.push(SketchHole {
            name: "edit".into(),
            action: action.name.value.clone(),
            span,
            places: vec![span],
            choice: HoleChoice::OneOf(weighed.collect()),
        });
        Expression::new(ExpressionKind::Name(name), span)
    }

    /// Updates that may be added, none of them of a place that the action writes already.
    fn updates(&self, action: &ActionItem, language: &Language<'_>) -> Vec<(AssignStatement, u32)> {
        let written = written(&action.body);
        let mut found = Vec::new();
        let relations = self.symbols.iter();
        for (name, symbol) in relations.filter(|(_, own)| own.result.is_none() && !own.rigid) {
            for args in language.tuples(&symbol.params) {
                let place = print_expression(&language.applied(name, args.clone()));
                if written.contains(&place) || written.contains(&format!("{name}*")) {
                    continue;
                }
                for truth in [false, true] {
                    let arguments = args.iter().map(|own| {
                        Spanned::new(LeftArgument::Expression(own.clone()), language.span)
                    });
                    let value = Expression::new(ExpressionKind::Truth(truth), language.span);
                    let update = AssignStatement {
                        target: Identifier::new(name.clone(), language.span),
                        arguments: arguments.collect(),
                        value: Spanned::new(RightValue::Expression(value), language.span),
                    };
                    found.push((update, UPDATE_COST + language.away(name)));
                }
            }
        }
        found.sort_by_key(|(_, cost)| *cost);
        found.truncate(MOST_UPDATES);
        found
    }
}

/// The flag that leaves out the statement at a place.
pub(super) fn leaving_out(sketch: &Sketch, place: Span) -> Option<usize> {
    let mut first = 0;
    let flags = sketch.holes.iter().map(|hole| {
        let own = first;
        first += hole.flags();
        (hole, own)
    });
    let mut flags = flags.filter(|(hole, _)| &*hole.name == LEFT_OUT);
    let found =
        flags.find(|(hole, _)| hole.span.start <= place.start && place.end <= hole.span.end);
    found.map(|(_, flag)| flag)
}

/// The places that statements write; `r*` where a pattern writes `r`.
fn written(statements: &[Statement]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for statement in statements {
        match &statement.value {
            StatementKind::Assign(assignment) => {
                found.insert(written_place(assignment));
            }
            StatementKind::Together(assignments) => {
                found.extend(assignments.iter().map(written_place));
            }
            StatementKind::Require(_) | StatementKind::Relate(..) => {}
            StatementKind::If(_, then, otherwise) => {
                found.extend(written(then));
                found.extend(written(otherwise));
            }
        }
    }
    found
}

fn written_place(assignment: &AssignStatement) -> String {
    let name: &Name = &assignment.target.value;
    let mut args = Vec::new();
    for argument in &assignment.arguments {
        match &argument.value {
            LeftArgument::Expression(own) if !own.has_unbound_variables() => {
                args.push(print_expression(own));
            }
            LeftArgument::Expression(_) | LeftArgument::Star => return format!("{name}*"),
        }
    }
    if args.is_empty() { name.to_string() } else { format!("{name}({})", args.join(", ")) }
}

/// The protocol with the chosen edits, without a trace of the others.
pub(super) fn edited(sketch: &Sketch, values: &[bool]) -> Module {
    let fillings = sketch.fillings(values);
    let items = sketch.module.items.iter().map(|item| match &item.value {
        Item::Action(action) => {
            let body = action.body.iter().flat_map(|own| edited_statement(own, &fillings));
            let action = ActionItem { body: body.collect(), ..action.clone() };
            Spanned::new(Item::Action(action), item.span)
        }
        _ => item.clone(),
    });
    // What is left are other arguments.
    filled(&Module { items: items.collect() }, &|hole| fillings[hole].clone())
}

fn edited_statement(statement: &Statement, fillings: &[Expression]) -> Vec<Statement> {
    let filling = |own: &Expression| mentioned_hole(own).map(|hole| &fillings[hole]);
    let truth = |own: &Expression| match &*own.kind {
        ExpressionKind::Truth(value) => Some(*value),
        _ => None,
    };
    match &statement.value {
        StatementKind::Require(own) => match filling(own) {
            Some(own) if truth(own) == Some(true) => Vec::new(),
            Some(own) => {
                let own = Expression { span: statement.span, ..own.clone() };
                vec![Spanned::new(StatementKind::Require(own), statement.span)]
            }
            None => vec![statement.clone()],
        },
        StatementKind::If(own, then, otherwise) => match filling(own).and_then(truth) {
            Some(chosen) => {
                let chosen = if chosen { then } else { otherwise };
                chosen.iter().flat_map(|own| edited_statement(own, fillings)).collect()
            }
            None => vec![statement.clone()],
        },
        StatementKind::Assign(_) | StatementKind::Together(_) | StatementKind::Relate(..) => {
            vec![statement.clone()]
        }
    }
}
