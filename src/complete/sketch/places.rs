//! Where holes stand, and what may stand there: the template of a sketch.

use std::collections::BTreeMap;

use super::language::{Language, LanguageCosts, LanguageScope, Weighed, mentioned};
use super::{HoleChoice, Sketch, SketchHole, hole_name, in_actions};
use crate::complete::codes;
use crate::diagnostic::Diagnostic;
use crate::elaborate::structure_relations;
use crate::frontend::print_expression;
use crate::frontend::syntax::surface::{
    ActionItem, AssignStatement, Expression, ExpressionKind, Hole, HoleForm, Identifier, Item,
    LeftArgument, Module, RightValue, RunPart, Statement, StatementKind, SymbolItem,
};
use crate::logic::Name;
use crate::source::Span;

/// The most conditions of a table.
const MOST_CONDITIONS: usize = 4;

/// The declared symbols of a file, with the names of their sorts.
pub(crate) type SymbolTable = BTreeMap<Name, DeclaredSymbol>;

/// A declared symbol.
#[derive(Clone, Debug)]
pub(crate) struct DeclaredSymbol {
    /// The sorts of its arguments.
    pub(crate) params: Vec<Name>,
    /// The sort of its value; `None` for a relation.
    pub(crate) result: Option<Name>,
    /// Whether it never changes.
    pub(crate) rigid: bool,
}

/// The symbols of a module; elements of enumerations are constants, and definitions relations that
/// never change by themselves.
pub(crate) fn symbols(module: &Module) -> SymbolTable {
    let names = |sorts: &[Identifier]| sorts.iter().map(|sort| sort.value.clone()).collect();
    let declared = |own: &SymbolItem| {
        let result = own.result.as_ref().map(|sort| sort.value.clone());
        let symbol = DeclaredSymbol { params: names(&own.params), result, rigid: own.rigid };
        (own.name.value.clone(), symbol)
    };
    let mut found = SymbolTable::new();
    for item in &module.items {
        match &item.value {
            Item::Symbol(own) => found.extend([declared(own)]),
            Item::Structure(own) => found.extend(structure_relations(own).iter().map(declared)),
            Item::Enumeration(own) => {
                let result = Some(own.name.value.clone());
                let element = DeclaredSymbol { params: Vec::new(), result, rigid: true };
                let elements = own.elements.iter();
                found.extend(elements.map(|name| (name.value.clone(), element.clone())));
            }
            Item::Define(own) => {
                let sorts = own.params.iter().map(|own| Some(own.sort.as_ref()?.value.clone()));
                if let Some(params) = sorts.collect() {
                    let symbol = DeclaredSymbol { params, result: None, rigid: true };
                    found.insert(own.name.value.clone(), symbol);
                }
            }
            _ => {}
        }
    }
    found
}

/// What is expected where a hole stands.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Expected {
    Formula,
    /// A term, of this sort if it is known.
    Term(Option<Name>),
}

/// The template of a module with holes.
///
/// # Errors
/// Everything that is wrong with the holes.
pub(crate) fn template(module: &Module) -> Result<Sketch, Vec<Diagnostic>> {
    let symbols = symbols(module);
    let mut collector = HoleCollector {
        symbols: &symbols,
        holes: Vec::new(),
        kinds: Vec::new(),
        diagnostics: Vec::new(),
    };
    for item in &module.items {
        match &item.value {
            Item::Action(action) => collector.action(action),
            Item::Axiom(line)
            | Item::Init(line)
            | Item::Safety(line)
            | Item::Lemma(line)
            | Item::Owed(line)
            | Item::Candidate(line) => collector.refuse_holes(&line.formula),
            Item::Define(definition) => collector.refuse_holes(&definition.value),
            Item::Run(run) => {
                for part in &run.parts {
                    if let RunPart::Holds(formula) = part {
                        collector.refuse_holes(formula);
                    }
                }
            }
            _ => {}
        }
    }
    let HoleCollector { holes, kinds, mut diagnostics, .. } = collector;
    diagnostics.sort_by_key(|own| own.primary.span);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let places: BTreeMap<Span, usize> = kinds
        .iter()
        .enumerate()
        .flat_map(|(index, kind)| kind.spans.iter().map(move |span| (*span, index)))
        .collect();
    let module = in_actions(module, &mut |own| replaced(own, &places));
    Ok(Sketch { module, holes })
}

fn replaced(own: &Expression, places: &BTreeMap<Span, usize>) -> Expression {
    match (&*own.kind, places.get(&own.span)) {
        (ExpressionKind::Hole(_), Some(hole)) => {
            Expression::new(ExpressionKind::Name(hole_name(*hole)), own.span)
        }
        _ => own.map_children(|child| replaced(child, places)),
    }
}

/// What is known of a hole beside what it may become.
struct HoleKind {
    name: Option<Name>,
    expected: Expected,
    /// The list as it was written, if there was one.
    written: Option<String>,
    spans: Vec<Span>,
}

struct HoleCollector<'a> {
    symbols: &'a SymbolTable,
    holes: Vec<SketchHole>,
    kinds: Vec<HoleKind>,
    diagnostics: Vec<Diagnostic>,
}

impl HoleCollector<'_> {
    fn refuse_holes(&mut self, expression: &Expression) {
        if let ExpressionKind::Hole(_) = &*expression.kind {
            let message = "a hole is only allowed in an action";
            self.diagnostics.push(
                Diagnostic::error(codes::MISPLACED, message, expression.span)
                    .hint("holes are for guards, conditions, right sides and arguments"),
            );
        }
        expression.children().into_iter().for_each(|child| self.refuse_holes(child));
    }

    fn action(&mut self, action: &ActionItem) {
        let params = action.params.iter();
        let scope: LanguageScope = params
            .filter_map(|own| Some((own.name.value.clone(), own.sort.as_ref()?.value.clone())))
            .collect();
        self.block(&action.body, action, &scope);
    }

    fn block(&mut self, statements: &[Statement], action: &ActionItem, scope: &LanguageScope) {
        for statement in statements {
            match &statement.value {
                StatementKind::Require(formula) => {
                    self.expression(formula, &Expected::Formula, action, scope);
                }
                StatementKind::If(condition, then, otherwise) => {
                    self.expression(condition, &Expected::Formula, action, scope);
                    self.block(then, action, scope);
                    self.block(otherwise, action, scope);
                }
                StatementKind::Assign(assignment) => self.assignment(assignment, action, scope),
                StatementKind::Together(assignments) => {
                    for assignment in assignments {
                        self.assignment(assignment, action, scope);
                    }
                }
                StatementKind::Relate(..) => {}
            }
        }
    }

    fn assignment(
        &mut self,
        assignment: &AssignStatement,
        action: &ActionItem,
        scope: &LanguageScope,
    ) {
        let symbol = self.symbols.get(&assignment.target.value).cloned();
        let sort = |index: usize| symbol.as_ref().and_then(|own| own.params.get(index).cloned());
        let mut inner = scope.clone();
        for (index, argument) in assignment.arguments.iter().enumerate() {
            let LeftArgument::Expression(own) = &argument.value else { continue };
            if let (Some(name), Some(sort)) = (own.as_name(), sort(index))
                && name.chars().next().is_some_and(char::is_uppercase)
            {
                inner.insert(name.clone(), sort);
            }
            self.expression(own, &Expected::Term(sort(index)), action, scope);
        }
        if let RightValue::Expression(own) = &assignment.value.value {
            let expected = match symbol.as_ref().map(|own| own.result.clone()) {
                Some(None) => Expected::Formula,
                Some(Some(sort)) => Expected::Term(Some(sort)),
                None => Expected::Term(None),
            };
            self.expression(own, &expected, action, &inner);
        }
    }

    fn expression(
        &mut self,
        own: &Expression,
        expected: &Expected,
        action: &ActionItem,
        scope: &LanguageScope,
    ) {
        let formula = &Expected::Formula;
        match &*own.kind {
            ExpressionKind::Hole(hole) => self.hole(hole, own.span, expected, action, scope),
            ExpressionKind::Quantified(_, binders, body) => {
                let mut inner = scope.clone();
                for binder in binders {
                    if let Some(sort) = &binder.sort {
                        inner.insert(binder.name.value.clone(), sort.value.clone());
                    }
                }
                self.expression(body, formula, action, &inner);
            }
            ExpressionKind::If { then, condition, otherwise } => {
                self.expression(condition, formula, action, scope);
                self.expression(then, expected, action, scope);
                self.expression(otherwise, expected, action, scope);
            }
            ExpressionKind::Equal { left, right, .. } => {
                let sort = self.sort_of(left, scope).or_else(|| self.sort_of(right, scope));
                let term = Expected::Term(sort);
                self.expression(left, &term, action, scope);
                self.expression(right, &term, action, scope);
            }
            ExpressionKind::Apply(name, arguments) => {
                let symbol = self.symbols.get(&name.value).cloned();
                for (index, argument) in arguments.iter().enumerate() {
                    let sort = symbol.as_ref().and_then(|own| own.params.get(index).cloned());
                    self.expression(argument, &Expected::Term(sort), action, scope);
                }
            }
            ExpressionKind::Compare { .. }
            | ExpressionKind::Arithmetic(..)
            | ExpressionKind::Negative(_) => {
                let integer = Expected::Term(Some("int".into()));
                own.children()
                    .into_iter()
                    .for_each(|child| self.expression(child, &integer, action, scope));
            }
            _ => {
                own.children()
                    .into_iter()
                    .for_each(|child| self.expression(child, formula, action, scope));
            }
        }
    }

    /// The sort of a term whose symbol is declared.
    fn sort_of(&self, own: &Expression, scope: &LanguageScope) -> Option<Name> {
        match &*own.kind {
            ExpressionKind::Name(name) => {
                let declared = self.symbols.get(name).and_then(|own| own.result.clone());
                scope.get(name).cloned().or(declared)
            }
            ExpressionKind::Apply(name, _) => self.symbols.get(&name.value)?.result.clone(),
            ExpressionKind::Integer(_) | ExpressionKind::Arithmetic(..) => Some("int".into()),
            _ => None,
        }
    }

    fn hole(
        &mut self,
        hole: &Hole,
        span: Span,
        expected: &Expected,
        action: &ActionItem,
        scope: &LanguageScope,
    ) {
        let name = hole.name.as_ref().map(|name| name.value.clone());
        let written = match &hole.form {
            HoleForm::Open => None,
            HoleForm::OneOf(list) => Some(format!("{{{}}}", print_expressions(list))),
            HoleForm::Table(list) => Some(format!("[{}]", print_expressions(list))),
        };
        let earlier = self.kinds.iter().position(|kind| name.is_some() && kind.name == name);
        if let Some(index) = earlier {
            return self.again(index, (written, expected), (action, scope), span);
        }
        let choice = match &hole.form {
            HoleForm::Open => self.default_language(expected, action, scope, span),
            HoleForm::OneOf(list) => {
                let weigh =
                    |(cost, own): (u32, &Expression)| Weighed { expression: own.clone(), cost };
                (!list.is_empty()).then(|| HoleChoice::OneOf((0..).zip(list).map(weigh).collect()))
            }
            HoleForm::Table(list) => {
                (1..=MOST_CONDITIONS).contains(&list.len()).then(|| HoleChoice::Table(list.clone()))
            }
        };
        let Some(choice) = choice else {
            return self.diagnostics.push(without_alternatives(hole, expected, span));
        };
        self.kinds.push(HoleKind {
            name: name.clone(),
            expected: expected.clone(),
            written,
            spans: vec![span],
        });
        let name = name.map_or_else(|| "??".into(), |name| format!("??{name}").into());
        let (action, places) = (action.name.value.clone(), vec![span]);
        self.holes.push(SketchHole { name, action, span, places, choice });
    }

    /// Another place of a hole: of the same kind, and with no list or the same one. In a default
    /// language only what is in scope at both places is left.
    fn again(
        &mut self,
        index: usize,
        (written, expected): (Option<String>, &Expected),
        (action, scope): (&ActionItem, &LanguageScope),
        span: Span,
    ) {
        let kind = &self.kinds[index];
        let same_list = written.is_none() || written == kind.written;
        if !same_list || *expected != kind.expected {
            let message = format!("`{}` is a different hole here", self.holes[index].name);
            let diagnostic = Diagnostic::error(codes::TWO_MEANINGS, message, span)
                .also(kind.spans[0], "it is first used here")
                .hint("equal names are one hole: the same kind, sort and alternatives");
            return self.diagnostics.push(diagnostic);
        }
        if kind.written.is_none() {
            let here = self.default_language(expected, action, scope, span);
            if let (HoleChoice::OneOf(own), Some(HoleChoice::OneOf(here))) =
                (&mut self.holes[index].choice, here)
            {
                let known: Vec<String> =
                    here.iter().map(|own| print_expression(&own.expression)).collect();
                own.retain(|own| known.contains(&print_expression(&own.expression)));
            }
        }
        self.kinds[index].spans.push(span);
        self.holes[index].places.push(span);
    }

    fn default_language(
        &self,
        expected: &Expected,
        action: &ActionItem,
        scope: &LanguageScope,
        span: Span,
    ) -> Option<HoleChoice> {
        let mentioned = mentioned(action);
        let costs = LanguageCosts::default();
        let symbols = self.symbols;
        let language = Language { symbols, scope, mentioned: &mentioned, costs, span };
        let found = match expected {
            Expected::Formula => language.formulas(),
            Expected::Term(sort) => language.terms(sort.as_ref()?),
        };
        (!found.is_empty()).then_some(HoleChoice::OneOf(found))
    }
}

fn print_expressions(list: &[Expression]) -> String {
    list.iter().map(print_expression).collect::<Vec<_>>().join(", ")
}

fn without_alternatives(hole: &Hole, expected: &Expected, span: Span) -> Diagnostic {
    let (message, hint) = match (&hole.form, expected) {
        (HoleForm::OneOf(_), _) => {
            ("this hole has no alternatives".to_owned(), "list some, as in `??{free, ~held(n)}`")
        }
        (HoleForm::Table(_), _) => (
            format!("a table has one to {MOST_CONDITIONS} conditions"),
            "every further condition doubles the rows; list alternatives in braces instead",
        ),
        (HoleForm::Open, Expected::Term(Some(sort))) => (
            format!("nothing in scope here has the sort `{sort}`"),
            "add a parameter, or list alternatives, as in `??{first, other}`",
        ),
        (HoleForm::Open, _) => (
            "the sort of this hole is not known".to_owned(),
            "list alternatives, as in `??{first, other}`",
        ),
    };
    Diagnostic::error(codes::NO_ALTERNATIVES, message, span).hint(hint)
}
