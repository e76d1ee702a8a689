//! Protocol texts to surface trees.

pub(crate) mod selection;

use pest::iterators::Pair;

use super::syntax::expression::{ExpressionBuilder, part, parts};
use super::syntax::grammar::Rule;
use super::syntax::items::read_items;
use super::syntax::matched::Matched;
use super::syntax::statement_ends::StatementWords;
use super::syntax::surface::{
    ActionItem, AssignStatement, DefinitionItem, EnumerationItem, Expression, Identifier, Item,
    LabelledFormula, LeftArgument, RightValue, RunForm, RunItem, RunPart, Statement, StatementKind,
    StructureItem, StructureWord, SymbolItem,
};
use super::{Parsed, machines};
use crate::diagnostic::refuse;
use crate::frontend::errors::foreign_spelling::other_language;
use crate::frontend::errors::messages::unequal_sides;
use crate::keywords::{DECLARING, STRUCTURES};
use crate::source::{SourceFile, Spanned};

/// The paper's actions have no braces, so an action extends to the next declaration.
const WORDS: StatementWords =
    StatementWords { declaring: DECLARING, continuing: &["action"], structures: STRUCTURES };

/// Reads a protocol text.
pub(super) fn parse(source: &SourceFile) -> Parsed {
    let (mut items, mut declarations) = (Vec::new(), Vec::new());
    if let Some(other) = other_language(source.text()) {
        let mut diagnostics = Vec::new();
        refuse(&mut diagnostics, other);
        return Parsed { diagnostics, ..Parsed::default() };
    }
    let mut rest = read_items(source.text(), WORDS, Rule::declaration, |builder, pair| {
        match machines::read::declaration(builder, &pair) {
            Some(declaration) => declarations.push(declaration),
            None => items.push(builder.item(pair)),
        }
    });
    let (module, machines) =
        machines::lowered(items, declarations, source.text(), &mut rest.diagnostics);
    Parsed {
        module,
        machines,
        process: None,
        comments: rest.comments,
        diagnostics: rest.diagnostics,
    }
}

impl ExpressionBuilder {
    fn item(&mut self, pair: Pair<'_, Rule>) -> Spanned<Item> {
        let span = self.span(&pair);
        let item = match pair.as_rule() {
            Rule::sorts => Item::Sorts(self.identifiers(pair, Rule::identifier)),
            Rule::structure | Rule::quorums => Item::Structure(self.structure(&pair)),
            Rule::define => Item::Define(self.definition(part(&pair, Rule::definition))),
            Rule::enumeration => Item::Enumeration(self.enumeration(pair)),
            Rule::axiom => Item::Axiom(self.labelled_formula(pair)),
            Rule::init => Item::Init(self.labelled_formula(pair)),
            Rule::safety => Item::Safety(self.labelled_formula(pair)),
            Rule::lemma => Item::Lemma(self.labelled_formula(pair)),
            Rule::reach => Item::Run(self.reach(pair)),
            Rule::action => Item::Action(self.action(pair)),
            _ => Item::Symbol(self.symbol(pair)),
        };
        Spanned::new(item, span)
    }

    fn enumeration(&mut self, pair: Pair<'_, Rule>) -> EnumerationItem {
        let name = self.identifier(&part(&pair, Rule::identifier));
        let elements = pair.into_inner().filter(|part| part.as_rule() == Rule::element_list);
        let elements = elements.flat_map(Pair::into_inner);
        let elements = elements.filter(|part| part.as_rule() == Rule::element);
        let elements = elements.map(|element| self.identifier(&part(&element, Rule::identifier)));
        EnumerationItem { name, elements: elements.collect() }
    }

    pub(in crate::frontend) fn symbol(&mut self, pair: Pair<'_, Rule>) -> SymbolItem {
        let kind = pair.as_rule();
        let sorts = parts(&pair, Rule::sort_name);
        let mut params: Vec<_> = sorts.map(|sort| self.identifier(&sort)).collect();
        let result = if kind == Rule::relation { None } else { params.pop() };
        let rigid = kind == Rule::constant || parts(&pair, Rule::rigid).next().is_some();
        SymbolItem { name: self.identifier(&part(&pair, Rule::identifier)), params, result, rigid }
    }

    fn structure(&mut self, pair: &Pair<'_, Rule>) -> StructureItem {
        let names = |pair: &Pair<'_, Rule>, builder: &Self| -> Vec<Identifier> {
            parts(pair, Rule::identifier).map(|name| builder.identifier(&name)).collect()
        };
        let on = self.identifier(&part(pair, Rule::sort_name));
        if pair.as_rule() == Rule::quorums {
            let memberships = parts(pair, Rule::memberships).next();
            let sorts = names(pair, self);
            let names = memberships.map_or_else(Vec::new, |written| names(&written, self));
            return StructureItem { word: StructureWord::Quorums, names, sorts, on };
        }
        let word = match part(pair, Rule::structure_word).as_str().trim_end() {
            "order" => StructureWord::Order,
            "ring" => StructureWord::Ring,
            "tree" => StructureWord::Tree,
            _ => StructureWord::Successor,
        };
        StructureItem { word, names: names(pair, self), sorts: Vec::new(), on }
    }

    pub(super) fn definition(&mut self, pair: Pair<'_, Rule>) -> DefinitionItem {
        let name = parts(&pair, Rule::identifier).chain(parts(&pair, Rule::sort_name)).next();
        let params = parts(&pair, Rule::parameters).next().unwrap_or_else(|| pair.clone());
        DefinitionItem {
            name: self.identifier(&name.expect("the grammar names what is defined")),
            params: self.binders(params),
            value: self.expression(part(&pair, Rule::expression)),
        }
    }

    pub(in crate::frontend) fn labelled_formula(
        &mut self,
        pair: Pair<'_, Rule>,
    ) -> LabelledFormula {
        let label = parts(&pair, Rule::label).next().and_then(|label| label.into_inner().next());
        LabelledFormula {
            label: label.map(|label| self.identifier(&label)),
            formula: self.expression(part(&pair, Rule::expression)),
        }
    }

    fn reach(&mut self, pair: Pair<'_, Rule>) -> RunItem {
        let label = parts(&pair, Rule::label).next().and_then(|label| label.into_inner().next());
        let label = label.map(|label| self.identifier(&label));
        let expressions = parts(&pair, Rule::expression);
        let parts = expressions.map(|part| RunPart::Holds(self.expression(part))).collect();
        RunItem { label, form: RunForm::Reach, parts }
    }

    pub(super) fn action(&mut self, pair: Pair<'_, Rule>) -> ActionItem {
        let params = parts(&pair, Rule::parameters).next();
        let body = parts(&pair, Rule::block).chain(parts(&pair, Rule::lines)).next();
        ActionItem {
            name: self.identifier(&part(&pair, Rule::identifier)),
            params: params.map_or_else(Vec::new, |params| self.binders(params)),
            body: body.map_or_else(Vec::new, |body| self.statements(body)),
        }
    }

    pub(super) fn statements(&mut self, pair: Pair<'_, Rule>) -> Vec<Statement> {
        pair.into_inner()
            .filter(|part| {
                matches!(
                    part.as_rule(),
                    Rule::require | Rule::branch | Rule::together | Rule::assignment
                )
            })
            .map(|statement| self.statement(statement))
            .collect()
    }

    pub(in crate::frontend) fn statement(&mut self, pair: Pair<'_, Rule>) -> Statement {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::require => StatementKind::Require(self.expression(part(&pair, Rule::expression))),
            Rule::branch => self.branch(pair),
            Rule::together => StatementKind::Together(self.assignments(pair)),
            _ => {
                let mut assignments = self.assignments(pair);
                StatementKind::Assign(assignments.remove(0))
            }
        };
        Spanned::new(kind, span)
    }

    fn branch(&mut self, pair: Pair<'_, Rule>) -> StatementKind {
        let mut condition = None;
        let mut blocks = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::expression => condition = Some(self.expression(part)),
                Rule::block => blocks.push(self.statements(part)),
                Rule::branch => blocks.push(vec![self.statement(part)]),
                _ => {}
            }
        }
        let mut blocks = blocks.into_iter();
        let condition = condition.expect("the grammar puts a condition after `if`");
        StatementKind::If(
            condition,
            blocks.next().unwrap_or_default(),
            blocks.next().unwrap_or_default(),
        )
    }

    /// The assignments of a statement: each target with the value at its position.
    fn assignments(&mut self, pair: Pair<'_, Rule>) -> Vec<AssignStatement> {
        let counts = [Rule::target, Rule::value].map(|rule| parts(&pair, rule).count());
        if counts[0] != counts[1] {
            let span = self.span(&pair);
            refuse(&mut self.diagnostics, unequal_sides(counts, span));
        }
        let sides = parts(&pair, Rule::target).zip(parts(&pair, Rule::value));
        sides.map(|(target, value)| self.assignment(target, value)).collect()
    }

    fn assignment(&mut self, target: Pair<'_, Rule>, value: Pair<'_, Rule>) -> AssignStatement {
        let places = parts(&target, Rule::places).next();
        let places = places.map(|places| parts(&places, Rule::place));
        let span = self.span(&value);
        let right = self.star_or_expression(value);
        let right = right.map_or(RightValue::Star, RightValue::Expression);
        AssignStatement {
            target: self.identifier(&part(&target, Rule::identifier)),
            arguments: places.into_iter().flatten().map(|place| self.place(place)).collect(),
            value: Spanned::new(right, span),
        }
    }

    fn place(&mut self, pair: Pair<'_, Rule>) -> Spanned<LeftArgument> {
        let span = self.span(&pair);
        let argument =
            self.star_or_expression(pair).map_or(LeftArgument::Star, LeftArgument::Expression);
        Spanned::new(argument, span)
    }

    /// The expression, or nothing where `*` was written.
    fn star_or_expression(&mut self, pair: Pair<'_, Rule>) -> Option<Expression> {
        let inner = pair.into_inner().next().expect("the grammar has a star or an expression here");
        (inner.as_rule() == Rule::expression).then(|| self.expression(inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Parsed {
        parse(&SourceFile::new("test.rml", text))
    }

    #[test]
    fn reads_the_papers_notation() {
        let parsed = read(
            "type key, node\nrelation table : node, key\nowner : key\n\
             action put(n : node)\n  require ∃ v'. table(n, v')\n  table(n, *) ← false\n\
             safety ∀ n₁, k. table(n₁, k) ∧ ¬(k = owner) ⟹ k ≠ k\n",
        );
        assert!(parsed.diagnostics.is_empty(), "{:#?}", parsed.diagnostics);
        assert_eq!(parsed.module.items.len(), 5);
    }

    #[test]
    fn every_wrong_declaration_gets_its_message() {
        let parsed = read("sort\nrelation r(a\nsort b\naxiom a = b = c\n");
        assert_eq!(parsed.diagnostics.len(), 3, "{:#?}", parsed.diagnostics);
    }
}
