//! Certificate texts to surface trees.

pub mod surface;

use pest::iterators::Pair;

use super::syntax::codes;
use super::syntax::expression::ExpressionBuilder;
use super::syntax::grammar::Rule;
use super::syntax::items::read_items;
use super::syntax::matched::Matched;
use super::syntax::statement_ends::StatementWords;
use super::syntax::surface::{Identifier, LabelledFormula};
use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::errors::foreign_spelling::json_certificate;
use crate::source::{SourceFile, Spanned};
use surface::{
    AlternativeItem, CaseItem, CertificateFile, DefinitionItem, Header, HistoryItem, LockstepItem,
    MoveItem, Section,
};

/// The words that begin the items of a certificate.
const WORDS: StatementWords = StatementWords {
    declaring: &["certificate", "lemma", "history", "rank", "case", "invariant"],
    continuing: &["certificate", "history", "case", "invariant"],
};

/// The result of reading a certificate; there is always one, whatever errors the text has.
#[derive(Clone, Debug)]
pub struct ParsedCertificate {
    /// The items that could be read.
    pub file: CertificateFile,
    /// What is wrong or suspicious.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a certificate.
pub fn parse_certificate(source: &SourceFile) -> ParsedCertificate {
    if source.text().trim_start().starts_with('{') {
        let mut diagnostics = Vec::new();
        refuse(&mut diagnostics, json_certificate());
        return ParsedCertificate { file: CertificateFile::default(), diagnostics };
    }
    let mut file = CertificateFile::default();
    let rest = read_items(source.text(), WORDS, Rule::certificate_item, |builder, pair| {
        builder.proof_item(pair, &mut file);
    });
    ParsedCertificate { file, diagnostics: rest.diagnostics }
}

impl ExpressionBuilder {
    fn proof_item(&mut self, pair: Pair<'_, Rule>, file: &mut CertificateFile) {
        let span = self.span(&pair);
        let repeated = match pair.as_rule() {
            Rule::header => file.header.replace(self.header(pair)).is_some(),
            Rule::lemma => {
                file.lemmas.push(Spanned::new(self.labelled_formula(pair), span));
                false
            }
            Rule::history => {
                file.history.push(Spanned::new(self.history(pair), span));
                false
            }
            Rule::rank => {
                let names = self.identifiers(pair);
                file.rank.replace(Spanned::new(names, span)).is_some()
            }
            Rule::case => {
                file.cases.push(Spanned::new(self.case(pair), span));
                false
            }
            _ => {
                let clauses = self.clauses(pair);
                file.invariant.replace(Spanned::new(clauses, span)).is_some()
            }
        };
        if repeated {
            self.diagnostics.push(Diagnostic::error(
                codes::REPEATED,
                "this part is given twice",
                span,
            ));
        }
    }

    fn header(&mut self, pair: Pair<'_, Rule>) -> Header {
        let mut format = None;
        let mut names = Vec::new();
        let mut version = None;
        for part in pair.into_inner() {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::integer => {
                    let value = part.as_str().trim_end().parse().unwrap_or(i64::MAX);
                    format = Some(Spanned::new(value, span));
                }
                Rule::identifier | Rule::digest => names.push(self.identifier(&part)),
                Rule::version => version = Some(self.identifier(&part)),
                _ => {}
            }
        }
        let mut names = names.into_iter();
        Header {
            format: format.expect("the grammar has a format version"),
            protocol: names.next().expect("the grammar names the protocol"),
            digest: names.next().expect("the grammar has a digest"),
            version,
        }
    }

    fn identifiers(&self, pair: Pair<'_, Rule>) -> Vec<Identifier> {
        let parts = pair.into_inner().filter(|part| part.as_rule() == Rule::identifier);
        parts.map(|part| self.identifier(&part)).collect()
    }

    fn clauses(&mut self, pair: Pair<'_, Rule>) -> Vec<LabelledFormula> {
        let clauses = pair.into_inner().find(|part| part.as_rule() == Rule::clauses);
        let clauses = clauses.expect("the grammar has clauses here");
        clauses
            .into_inner()
            .filter(|part| part.as_rule() == Rule::clause)
            .map(|clause| self.labelled_formula(clause))
            .collect()
    }

    fn history(&mut self, pair: Pair<'_, Rule>) -> HistoryItem {
        let inner = pair.into_inner().find(|part| part.as_rule() != Rule::history_word);
        let inner = inner.expect("the grammar has something after `history`");
        match inner.as_rule() {
            Rule::init => HistoryItem::Init(self.labelled_formula(inner)),
            Rule::history_assign => {
                let mut action = None;
                let mut body = Vec::new();
                for part in inner.into_inner() {
                    match part.as_rule() {
                        Rule::identifier => action = Some(self.identifier(&part)),
                        _ => body = self.statements(part),
                    }
                }
                let action = action.expect("the grammar names the action");
                HistoryItem::Assign { action, body }
            }
            _ => HistoryItem::Symbol(self.symbol(inner)),
        }
    }

    fn case(&mut self, pair: Pair<'_, Rule>) -> CaseItem {
        let mut names = Vec::new();
        let mut sections = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::case_word => {}
                Rule::identifier => names.push(self.identifier(&part)),
                _ => {
                    let span = self.span(&part);
                    sections.push(Spanned::new(self.section(part), span));
                }
            }
        }
        let mut names = names.into_iter();
        CaseItem {
            name: names.next().expect("the grammar names the case"),
            property: names.next().expect("the grammar names the property"),
            sections,
        }
    }

    fn section(&mut self, pair: Pair<'_, Rule>) -> Section {
        match pair.as_rule() {
            Rule::params => Section::Params(self.binders(pair)),
            Rule::violators => {
                let pairs = pair.into_inner().filter(|part| part.as_rule() == Rule::violator);
                let names = pairs.map(|pair| {
                    let mut names = self.identifiers(pair).into_iter();
                    let variable = names.next().expect("the grammar names the variable");
                    (variable, names.next().expect("the grammar names the parameter"))
                });
                Section::Violators(names.collect())
            }
            Rule::select => {
                let formula = pair.into_inner().find(|part| part.as_rule() == Rule::expression);
                let formula = formula.expect("the grammar has a formula after `select`");
                Section::Select(self.expression(formula))
            }
            Rule::cut => self.cut(pair),
            Rule::sim => Section::Sim(self.definition(pair)),
            Rule::rigid_definition => Section::Rigid(self.inner_definition(pair)),
            Rule::start => Section::Start(self.inner_definition(pair)),
            Rule::only => Section::Only(self.labelled_formula(pair)),
            Rule::gamma => Section::Gamma(self.labelled_formula(pair)),
            Rule::relax => {
                let actions = pair.into_inner().filter(|part| part.as_rule() == Rule::action);
                let actions = actions.map(|part| {
                    let span = self.span(&part);
                    Spanned::new(self.action(part), span)
                });
                Section::Relax(actions.collect())
            }
            Rule::close => Section::CloseByInvariant(self.clauses(pair)),
            _ => Section::Lockstep(self.lockstep(pair)),
        }
    }

    fn cut(&self, pair: Pair<'_, Rule>) -> Section {
        let mut sort = None;
        let mut elements = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::sort_name => sort = Some(self.identifier(&part)),
                Rule::identifier => elements.push(self.identifier(&part)),
                _ => {}
            }
        }
        Section::Cut { sort: sort.expect("the grammar names the sort"), elements }
    }

    fn inner_definition(&mut self, pair: Pair<'_, Rule>) -> DefinitionItem {
        let inner = pair.into_inner().find(|part| part.as_rule() == Rule::definition);
        self.definition(inner.expect("the grammar has a definition here"))
    }

    fn definition(&mut self, pair: Pair<'_, Rule>) -> DefinitionItem {
        let mut name = None;
        let mut params = Vec::new();
        let mut value = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::identifier | Rule::sort_name => name = Some(self.identifier(&part)),
                Rule::parameters => params = self.binders(part),
                Rule::binder => params.push(self.binder(part)),
                Rule::expression => value = Some(self.expression(part)),
                _ => {}
            }
        }
        DefinitionItem {
            name: name.expect("the grammar names what is defined"),
            params,
            value: value.expect("the grammar has a value"),
        }
    }

    fn lockstep(&mut self, pair: Pair<'_, Rule>) -> LockstepItem {
        let mut action = None;
        let mut params = None;
        let mut alternatives = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::identifier => action = Some(self.identifier(&part)),
                Rule::names => params = Some(self.identifiers(part)),
                Rule::alternative | Rule::answer => alternatives.push(self.alternative(part)),
                _ => {}
            }
        }
        LockstepItem { action: action.expect("the grammar names the action"), params, alternatives }
    }

    fn alternative(&mut self, pair: Pair<'_, Rule>) -> AlternativeItem {
        let span = self.span(&pair);
        let mut condition = None;
        let mut moves = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::expression => condition = Some(self.expression(part)),
                Rule::step => moves.push(self.step(part)),
                _ => {}
            }
        }
        AlternativeItem { condition, moves, span }
    }

    fn step(&mut self, pair: Pair<'_, Rule>) -> MoveItem {
        let span = self.span(&pair);
        let mut attempt = None;
        let mut action = None;
        let mut args = Vec::new();
        let mut choices = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::try_word => attempt = Some(self.span(&part)),
                Rule::identifier => action = Some(self.identifier(&part)),
                Rule::arguments => {
                    args = self.arguments(part);
                }
                Rule::definition => choices.push(self.definition(part)),
                _ => {}
            }
        }
        let action = action.expect("the grammar names the action");
        MoveItem { attempt, action, args, choices, span }
    }
}
