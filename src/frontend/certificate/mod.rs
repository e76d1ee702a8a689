//! Certificate texts to surface trees.

pub mod surface;

use pest::iterators::Pair;

use super::syntax::codes;
use super::syntax::expression::{ExpressionBuilder, part, parts};
use super::syntax::grammar::Rule;
use super::syntax::items::read_items;
use super::syntax::matched::Matched;
use super::syntax::statement_ends::StatementWords;
use super::syntax::surface::{Identifier, LabelledFormula};
use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::errors::foreign_spelling::json_certificate;
use crate::keywords::CERTIFICATE_PARTS;
use crate::source::{SourceFile, Spanned};
use surface::{
    AlternativeItem, CaseItem, CertificateFile, Header, HistoryItem, LockstepItem, MoveItem,
    Section,
};

/// The words that begin the items of a certificate.
const WORDS: StatementWords = StatementWords {
    declaring: CERTIFICATE_PARTS,
    structures: &[],
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
        let format = part(&pair, Rule::integer);
        let version = parts(&pair, Rule::version).next();
        Header {
            format: Spanned::new(
                format.as_str().trim_end().parse().unwrap_or(i64::MAX),
                self.span(&format),
            ),
            protocol: self.identifier(&part(&pair, Rule::identifier)),
            digest: self.identifier(&part(&pair, Rule::digest)),
            version: version.map(|version| self.identifier(&version)),
        }
    }

    fn identifiers(&self, pair: Pair<'_, Rule>) -> Vec<Identifier> {
        parts(&pair, Rule::identifier).map(|name| self.identifier(&name)).collect()
    }

    fn clauses(&mut self, pair: Pair<'_, Rule>) -> Vec<LabelledFormula> {
        let clauses = part(&pair, Rule::clauses);
        parts(&clauses, Rule::clause).map(|clause| self.labelled_formula(clause)).collect()
    }

    fn history(&mut self, pair: Pair<'_, Rule>) -> HistoryItem {
        let inner = pair.into_inner().find(|part| part.as_rule() != Rule::history_word);
        let inner = inner.expect("the grammar has something after `history`");
        match inner.as_rule() {
            Rule::init => HistoryItem::Init(self.labelled_formula(inner)),
            Rule::history_assign => HistoryItem::Assign {
                action: self.identifier(&part(&inner, Rule::identifier)),
                body: self.statements(part(&inner, Rule::block)),
            },
            _ => HistoryItem::Symbol(self.symbol(inner)),
        }
    }

    fn case(&mut self, pair: Pair<'_, Rule>) -> CaseItem {
        let mut names = self.identifiers(pair.clone()).into_iter();
        let lines = pair.into_inner();
        let lines =
            lines.filter(|part| !matches!(part.as_rule(), Rule::case_word | Rule::identifier));
        let sections = lines.map(|line| {
            let span = self.span(&line);
            Spanned::new(self.section(line), span)
        });
        CaseItem {
            sections: sections.collect(),
            name: names.next().expect("the grammar names the case"),
            property: names.next().expect("the grammar names the property"),
        }
    }

    fn section(&mut self, pair: Pair<'_, Rule>) -> Section {
        match pair.as_rule() {
            Rule::params => Section::Params(self.binders(pair)),
            Rule::violators => {
                let names = parts(&pair, Rule::violator).map(|pair| {
                    let mut names = self.identifiers(pair).into_iter();
                    let variable = names.next().expect("the grammar names the variable");
                    (variable, names.next().expect("the grammar names the parameter"))
                });
                Section::Violators(names.collect())
            }
            Rule::select => Section::Select(self.expression(part(&pair, Rule::expression))),
            Rule::cut => Section::Cut {
                sort: self.identifier(&part(&pair, Rule::sort_name)),
                elements: self.identifiers(pair),
            },
            Rule::sim => Section::Sim(self.definition(pair)),
            Rule::rigid_definition => {
                Section::Rigid(self.definition(part(&pair, Rule::definition)))
            }
            Rule::start => Section::Start(self.definition(part(&pair, Rule::definition))),
            Rule::only => Section::Only(self.labelled_formula(pair)),
            Rule::gamma => Section::Gamma(self.labelled_formula(pair)),
            Rule::relax => {
                let actions = parts(&pair, Rule::action).map(|part| {
                    let span = self.span(&part);
                    Spanned::new(self.action(part), span)
                });
                Section::Relax(actions.collect())
            }
            Rule::close => match parts(&pair, Rule::nested).next() {
                None => Section::CloseByInvariant(self.clauses(pair)),
                Some(nested) => self.nested(nested),
            },
            _ => Section::Lockstep(self.lockstep(pair)),
        }
    }

    /// The certificate about the cutoff instance of a case.
    fn nested(&mut self, pair: Pair<'_, Rule>) -> Section {
        let digest = self.identifier(&part(&pair, Rule::digest));
        let mut file = CertificateFile::default();
        for own in pair.into_inner().filter(|own| own.as_rule() != Rule::digest) {
            self.proof_item(own, &mut file);
        }
        Section::CloseByCertificate { digest, parts: Box::new(file) }
    }

    fn lockstep(&mut self, pair: Pair<'_, Rule>) -> LockstepItem {
        let params = parts(&pair, Rule::names).next();
        let answers = parts(&pair, Rule::alternative).chain(parts(&pair, Rule::answer));
        LockstepItem {
            action: self.identifier(&part(&pair, Rule::identifier)),
            params: params.map(|names| self.identifiers(names)),
            alternatives: answers.map(|answer| self.alternative(answer)).collect(),
        }
    }

    fn alternative(&mut self, pair: Pair<'_, Rule>) -> AlternativeItem {
        let condition = parts(&pair, Rule::expression).next();
        AlternativeItem {
            condition: condition.map(|condition| self.expression(condition)),
            moves: parts(&pair, Rule::step).map(|step| self.step(step)).collect(),
            span: self.span(&pair),
        }
    }

    fn step(&mut self, pair: Pair<'_, Rule>) -> MoveItem {
        let args = parts(&pair, Rule::arguments).next();
        let choices = parts(&pair, Rule::definition);
        MoveItem {
            attempt: parts(&pair, Rule::try_word).next().map(|word| self.span(&word)),
            action: self.identifier(&part(&pair, Rule::identifier)),
            args: args.map_or_else(Vec::new, |args| self.arguments(args)),
            choices: choices.map(|choice| self.definition(choice)).collect(),
            span: self.span(&pair),
        }
    }
}
