//! Protocol texts to surface trees.

pub(in crate::frontend) mod selection;

use pest::iterators::Pair;

use super::Parsed;
use super::syntax::codes;
use super::syntax::expression::ExpressionBuilder;
use super::syntax::grammar::Rule;
use super::syntax::items::read_items;
use super::syntax::matched::Matched;
use super::syntax::statement_ends::StatementWords;
use super::syntax::surface::{
    ActionItem, AssignStatement, Item, LabelledFormula, LeftArgument, Module, RightValue,
    Statement, StatementKind, SymbolItem,
};
use crate::diagnostic::Diagnostic;
use crate::keywords::DECLARING;
use crate::source::{SourceFile, Span, Spanned};

/// The paper's actions have no braces, so an action extends to the next declaration.
const WORDS: StatementWords = StatementWords { declaring: DECLARING, continuing: &["action"] };

/// Reads a protocol text.
pub(super) fn parse(source: &SourceFile) -> Parsed {
    let mut items = Vec::new();
    if let Some(other) = other_language(source.text()) {
        let module = Module { items };
        return Parsed {
            module,
            traces: Vec::new(),
            comments: Vec::new(),
            diagnostics: vec![other],
        };
    }
    let rest = read_items(source.text(), WORDS, Rule::declaration, |builder, pair| {
        items.push(builder.item(pair));
    });
    Parsed {
        module: Module { items },
        traces: Vec::new(),
        comments: rest.comments,
        diagnostics: rest.diagnostics,
    }
}

/// The refusal of a text whose first line shows that it is in another language: all other errors
/// would be consequences.
fn other_language(text: &str) -> Option<Diagnostic> {
    let start = text.len() - text.trim_start().len();
    let line = text[start..].lines().next().unwrap_or_default().trim_end();
    let dashes = line.len() - line.trim_start_matches('-').len();
    let (language, hint) = if line.starts_with("#lang ivy") {
        ("Ivy", "rename the file to `.ivy` to read it as Ivy")
    } else if dashes >= 4 && line[dashes..].trim_start().starts_with("MODULE") {
        (
            "TLA+",
            "TLA+ is not read: write the protocol with `sort`, `relation`, `init`, `action` \
                  and `safety` lines",
        )
    } else {
        return None;
    };
    let message = format!("this text is in {language}, not in RML");
    let span = Span::new(start, start + line.len());
    Some(Diagnostic::error(codes::SYNTAX, message, span).hint(hint))
}

impl ExpressionBuilder {
    fn item(&mut self, pair: Pair<'_, Rule>) -> Spanned<Item> {
        let span = self.span(&pair);
        let item = match pair.as_rule() {
            Rule::sorts => Item::Sorts(self.identifiers(pair, Rule::identifier)),
            Rule::axiom => Item::Axiom(self.labelled_formula(pair)),
            Rule::init => Item::Init(self.labelled_formula(pair)),
            Rule::safety => Item::Safety(self.labelled_formula(pair)),
            Rule::lemma => Item::Lemma(self.labelled_formula(pair)),
            Rule::action => Item::Action(self.action(pair)),
            _ => Item::Symbol(self.symbol(pair)),
        };
        Spanned::new(item, span)
    }

    pub(super) fn symbol(&mut self, pair: Pair<'_, Rule>) -> SymbolItem {
        let kind = pair.as_rule();
        let mut rigid = kind == Rule::constant;
        let mut name = None;
        let mut sorts = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::rigid => rigid = true,
                Rule::identifier => name = Some(self.identifier(&part)),
                Rule::sort_name => sorts.push(self.identifier(&part)),
                _ => {}
            }
        }
        let result = if kind == Rule::relation { None } else { sorts.pop() };
        let name = name.expect("the grammar names every symbol");
        SymbolItem { name, params: sorts, result, rigid }
    }

    pub(super) fn labelled_formula(&mut self, pair: Pair<'_, Rule>) -> LabelledFormula {
        let mut label = None;
        let mut formula = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::label => {
                    label = part.into_inner().next().map(|name| self.identifier(&name));
                }
                Rule::expression => formula = Some(self.expression(part)),
                _ => {}
            }
        }
        LabelledFormula { label, formula: formula.expect("the grammar ends with a formula") }
    }

    pub(super) fn action(&mut self, pair: Pair<'_, Rule>) -> ActionItem {
        let mut name = None;
        let mut params = Vec::new();
        let mut body = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::identifier => name = Some(self.identifier(&part)),
                Rule::parameters => {
                    params = self.binders(part);
                }
                Rule::block | Rule::lines => body = self.statements(part),
                _ => {}
            }
        }
        ActionItem { name: name.expect("the grammar names every action"), params, body }
    }

    pub(super) fn statements(&mut self, pair: Pair<'_, Rule>) -> Vec<Statement> {
        pair.into_inner()
            .filter(|part| {
                matches!(part.as_rule(), Rule::require | Rule::branch | Rule::assignment)
            })
            .map(|statement| self.statement(statement))
            .collect()
    }

    pub(super) fn statement(&mut self, pair: Pair<'_, Rule>) -> Statement {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::require => {
                let formula = pair.into_inner().find(|part| part.as_rule() == Rule::expression);
                let formula = formula.expect("the grammar puts a formula after `require`");
                StatementKind::Require(self.expression(formula))
            }
            Rule::branch => self.branch(pair),
            _ => StatementKind::Assign(self.assignment(pair)),
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

    fn assignment(&mut self, pair: Pair<'_, Rule>) -> AssignStatement {
        let mut target = None;
        let mut arguments = Vec::new();
        let mut value = None;
        for part in pair.into_inner() {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::identifier => target = Some(self.identifier(&part)),
                Rule::places => {
                    let places = part.into_inner().filter(|part| part.as_rule() == Rule::place);
                    arguments = places.map(|place| self.place(place)).collect();
                }
                Rule::value => {
                    let right = self
                        .star_or_expression(part)
                        .map_or(RightValue::Star, RightValue::Expression);
                    value = Some(Spanned::new(right, span));
                }
                _ => {}
            }
        }
        AssignStatement {
            target: target.expect("the grammar puts a name on the left"),
            arguments,
            value: value.expect("the grammar puts a value on the right"),
        }
    }

    fn place(&mut self, pair: Pair<'_, Rule>) -> Spanned<LeftArgument> {
        let span = self.span(&pair);
        let argument =
            self.star_or_expression(pair).map_or(LeftArgument::Star, LeftArgument::Expression);
        Spanned::new(argument, span)
    }

    /// The expression, or nothing where `*` was written.
    fn star_or_expression(
        &mut self,
        pair: Pair<'_, Rule>,
    ) -> Option<super::syntax::surface::Expression> {
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
