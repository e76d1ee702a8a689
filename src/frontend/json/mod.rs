//! Certificates in their JSON form to surface trees, after `grammar/certificate.schema.json`.
//!
//! Every string that is an expression, a declaration or an action is read by the grammar of the
//! text form, each on its own: no string can say more than its place allows.

mod shape;
pub(super) mod value;

use super::certificate::ParsedCertificate;
use super::certificate_surface::{
    AlternativeItem, CaseItem, CertificateFile, DefinitionItem, Header, HistoryItem, LockstepItem,
    MoveItem, Section,
};
use super::expression::Builder;
use super::grammar::Rule;
use super::surface::{Binder, Identifier, LabelledFormula};
use crate::source::{SourceFile, Spanned};
use shape::Shape;
use value::{Kind, Value};

/// Reads a certificate in its JSON form, alone or as `rmlcut show certificate` wraps it.
pub(super) fn parse(source: &SourceFile) -> ParsedCertificate {
    let mut shape = Shape::default();
    let file = match value::read(source.text()) {
        Ok(value) => shape.file(unwrapped(&value)),
        Err(error) => {
            shape.diagnostics.push(*error);
            None
        }
    };
    let mut diagnostics = shape.diagnostics;
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    ParsedCertificate { file: file.unwrap_or_default(), diagnostics }
}

/// The certificate in what `rmlcut show certificate --format json` writes.
fn unwrapped(value: &Value) -> &Value {
    let Kind::Object(members) = &value.kind else { return value };
    let inside = members.iter().find(|(key, _)| key.value == "certificate");
    inside.map_or(value, |(_, certificate)| certificate)
}

impl Shape {
    fn file(&mut self, value: &Value) -> Option<CertificateFile> {
        let keys = [
            "format",
            "protocol",
            "sha256",
            "rmlcut",
            "history",
            "lemmas",
            "rank",
            "cases",
            "invariant",
        ];
        let [format, protocol, digest, version, history, lemmas, rank, cases, invariant] =
            self.members(value, keys)?;
        let header = self.header([format, protocol, digest, version]);
        let lemmas = self.each(lemmas, |shape, lemma| {
            shape.labelled(lemma).map(|labelled| Spanned::new(labelled, lemma.span))
        });
        let history = self.history(history);
        let rank = self.optional(rank).map(|rank| Spanned::new(self.names(rank), rank.span));
        let cases = self
            .each(cases, |shape, case| shape.case(case).map(|item| Spanned::new(item, case.span)));
        let invariant = self.optional(invariant);
        let invariant = invariant.map(|own| Spanned::new(self.each(own, Self::labelled), own.span));
        Some(CertificateFile { header, lemmas, history, rank, cases, invariant })
    }

    fn header(&mut self, [format, protocol, digest, version]: [&Value; 4]) -> Option<Header> {
        let format = self.integer(format);
        let protocol = self.name(protocol);
        let (digest, version) = (self.word(digest), self.word(version));
        Some(Header { format: format?, protocol: protocol?, digest: digest?, version })
    }

    fn history(&mut self, value: &Value) -> Vec<Spanned<HistoryItem>> {
        let keys = ["symbols", "init", "after"];
        let Some([symbols, init, after]) = self.members(value, keys) else { return Vec::new() };
        let mut all = self.each(symbols, |shape, symbol| {
            let item = shape.piece(symbol, Rule::lone_symbol, Builder::symbol)?;
            Some(Spanned::new(HistoryItem::Symbol(item), symbol.span))
        });
        all.extend(self.each(init, |shape, line| {
            let [name, formula] = shape.members(line, ["name", "formula"])?;
            let label = shape.optional(name).map(|name| shape.name(name));
            let formula = shape.expression(formula)?;
            let label = label.map_or(Some(None), |label| label.map(Some))?;
            Some(Spanned::new(HistoryItem::Init(LabelledFormula { label, formula }), line.span))
        }));
        all.extend(self.each(after, |shape, own| {
            let [action, assignments] = shape.members(own, ["action", "assignments"])?;
            let action = shape.name(action);
            let body = shape.each(assignments, |shape, assignment| {
                shape.piece(assignment, Rule::lone_assignment, Builder::statement)
            });
            Some(Spanned::new(HistoryItem::Assign { action: action?, body }, own.span))
        }));
        all
    }

    fn labelled(&mut self, value: &Value) -> Option<LabelledFormula> {
        let [name, formula] = self.members(value, ["name", "formula"])?;
        let (label, formula) = (self.name(name), self.expression(formula));
        Some(LabelledFormula { label: Some(label?), formula: formula? })
    }

    fn case(&mut self, value: &Value) -> Option<CaseItem> {
        let keys = [
            "name",
            "property",
            "params",
            "violators",
            "select",
            "cut",
            "rigid",
            "start",
            "relax",
            "only",
            "gamma",
            "lockstep",
            "close",
        ];
        let [
            name,
            property,
            params,
            violators,
            select,
            cut,
            rigid,
            start,
            relax,
            only,
            gamma,
            lockstep,
            close,
        ] = self.members(value, keys)?;
        let (name, property) = (self.name(name), self.name(property));
        let mut sections = vec![self.params(params), self.violators(violators)];
        self.sections(&mut sections, select, |shape, own| {
            shape.expression(own).map(Section::Select)
        });
        for cut in self.list(cut) {
            sections.extend(self.cut(cut).into_iter().flatten());
        }
        self.sections(&mut sections, rigid, |shape, own| shape.definition(own).map(Section::Rigid));
        self.sections(&mut sections, start, |shape, own| shape.definition(own).map(Section::Start));
        self.sections(&mut sections, only, |shape, own| shape.labelled(own).map(Section::Only));
        self.sections(&mut sections, gamma, |shape, own| shape.labelled(own).map(Section::Gamma));
        self.sections(&mut sections, lockstep, |shape, own| {
            shape.lockstep(own).map(Section::Lockstep)
        });
        if let Some(relax) = self.optional(relax) {
            sections.push(Spanned::new(self.relax(relax), relax.span));
        }
        if let Some(close) = self.optional(close) {
            let clauses = self.each(close, Self::labelled);
            sections.push(Spanned::new(Section::CloseByInvariant(clauses), close.span));
        }
        Some(CaseItem { name: name?, property: property?, sections })
    }

    /// One section for each item of a list.
    fn sections(
        &mut self,
        into: &mut Vec<Spanned<Section>>,
        value: &Value,
        mut read: impl FnMut(&mut Self, &Value) -> Option<Section>,
    ) {
        into.extend(self.each(value, |shape, own| {
            read(shape, own).map(|section| Spanned::new(section, own.span))
        }));
    }

    fn params(&mut self, value: &Value) -> Spanned<Section> {
        let params = self.each(value, |shape, param| {
            let [name, sort] = shape.members(param, ["name", "sort"])?;
            let (name, sort) = (shape.name(name), shape.name(sort));
            Some(Binder { name: name?, sort: Some(sort?) })
        });
        Spanned::new(Section::Params(params), value.span)
    }

    fn violators(&mut self, value: &Value) -> Spanned<Section> {
        let pairs = self.each(value, |shape, pair| {
            let [variable, param] = shape.members(pair, ["variable", "param"])?;
            let (variable, param) = (shape.name(variable), shape.name(param));
            Some((variable?, param?))
        });
        Spanned::new(Section::Violators(pairs), value.span)
    }

    fn cut(&mut self, value: &Value) -> Option<[Spanned<Section>; 2]> {
        let [sort, elements, sim] = self.members(value, ["sort", "elements", "sim"])?;
        let sort = self.name(sort);
        let elements = self.names(elements);
        let map = self.definition(sim);
        let cut = Section::Cut { sort: sort?, elements };
        Some([Spanned::new(cut, value.span), Spanned::new(Section::Sim(map?), sim.span)])
    }

    fn relax(&mut self, value: &Value) -> Section {
        Section::Relax(self.each(value, |shape, action| {
            let item = shape.piece(action, Rule::lone_action, Builder::action)?;
            Some(Spanned::new(item, action.span))
        }))
    }

    /// `default` says how a definition came about, not what it is.
    fn definition(&mut self, value: &Value) -> Option<DefinitionItem> {
        let [name, params, own, default] =
            self.members(value, ["name", "params", "value", "default"])?;
        let name = self.name(name);
        let params = self.names(params).into_iter().map(|name| Binder { name, sort: None });
        let params = params.collect();
        let own = self.expression(own);
        self.truth(default)?;
        Some(DefinitionItem { name: name?, params, value: own? })
    }

    fn lockstep(&mut self, value: &Value) -> Option<LockstepItem> {
        let [action, params, alternatives] =
            self.members(value, ["action", "params", "alternatives"])?;
        let action = self.name(action);
        let params: Vec<Identifier> = self.names(params);
        let alternatives = self.each(alternatives, Self::alternative);
        Some(LockstepItem { action: action?, params: Some(params), alternatives })
    }

    fn alternative(&mut self, value: &Value) -> Option<AlternativeItem> {
        let [when, moves] = self.members(value, ["when", "moves"])?;
        let condition = self.optional(when).map(|when| self.expression(when));
        let moves = self.each(moves, Self::one_move);
        let condition = condition.map_or(Some(None), |condition| condition.map(Some))?;
        Some(AlternativeItem { condition, moves, span: value.span })
    }

    fn one_move(&mut self, value: &Value) -> Option<MoveItem> {
        let [attempt, action, arguments, choices] =
            self.members(value, ["try", "action", "arguments", "choices"])?;
        let mode = self.truth(attempt);
        let action = self.name(action);
        let args = self.each(arguments, Self::expression);
        let choices = self.each(choices, Self::definition);
        let attempt = mode?.then_some(attempt.span);
        Some(MoveItem { attempt, action: action?, args, choices, span: value.span })
    }
}
