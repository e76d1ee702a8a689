//! The outline of a text: its declarations, with what belongs to each.

use super::{EntityKind, Index, IndexedText};
use crate::frontend::certificate::surface::{CaseItem, CertificateFile, Section};
use crate::frontend::syntax::surface::{Identifier, Item, LabelledFormula, SymbolItem};
use crate::logic::Name;
use crate::source::Span;

/// An entry of an outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutlineItem {
    /// Its name, or what it is where it has none.
    pub name: Name,
    /// What it is.
    pub kind: EntityKind,
    /// The whole of it.
    pub span: Span,
    /// Its name, or its beginning.
    pub name_span: Span,
    /// What belongs to it.
    pub children: Vec<OutlineItem>,
}

impl OutlineItem {
    fn new(name: &Identifier, kind: EntityKind, span: Span) -> Self {
        let (name_span, name) = (name.span, name.value.clone());
        OutlineItem { name, kind, span: span.to(name_span), name_span, children: Vec::new() }
    }

    fn labelled(line: &LabelledFormula, word: &str, kind: EntityKind, span: Span) -> Self {
        let unnamed = Identifier::new(word.into(), Span::new(span.start, span.start + word.len()));
        OutlineItem::new(line.label.as_ref().unwrap_or(&unnamed), kind, span)
    }
}

impl Index {
    /// The outline of a text.
    pub fn outline(&self, text: IndexedText) -> Vec<OutlineItem> {
        match text {
            IndexedText::Protocol => {
                let items = self.protocol.iter().flat_map(|read| &read.module.items);
                items.flat_map(|item| entries(&item.value, item.span)).collect()
            }
            IndexedText::Certificate => {
                self.certificate.iter().flat_map(|read| of_certificate(&read.file)).collect()
            }
        }
    }
}

fn entries(item: &Item, span: Span) -> Vec<OutlineItem> {
    let one = |name: &Identifier, kind| vec![OutlineItem::new(name, kind, span)];
    match item {
        Item::Sorts(sorts) => {
            sorts.iter().map(|sort| OutlineItem::new(sort, EntityKind::Sort, sort.span)).collect()
        }
        Item::Enumeration(item) => {
            let elements = item.elements.iter();
            let children = elements.map(|own| OutlineItem::new(own, EntityKind::Element, own.span));
            let sort = OutlineItem::new(&item.name, EntityKind::Sort, span);
            vec![OutlineItem { children: children.collect(), ..sort }]
        }
        Item::Symbol(symbol) => one(&symbol.name, symbol_kind(symbol)),
        Item::Structure(structure) => {
            let sorts = structure.sorts.iter();
            let sorts = sorts.map(|sort| OutlineItem::new(sort, EntityKind::Sort, sort.span));
            let names = structure.names.iter();
            let relation = EntityKind::RigidRelation;
            let names = names.map(|name| OutlineItem::new(name, relation, name.span));
            sorts.chain(names).collect()
        }
        Item::Define(definition) => one(&definition.name, EntityKind::Definition),
        Item::Action(action) => one(&action.name, EntityKind::Action),
        Item::Axiom(line) => {
            vec![OutlineItem::labelled(line, "axiom", EntityKind::Label, span)]
        }
        Item::Init(line) => vec![OutlineItem::labelled(line, "init", EntityKind::Label, span)],
        Item::Safety(line) | Item::Owed(line) => {
            vec![OutlineItem::labelled(line, "safety", EntityKind::Safety, span)]
        }
        Item::Lemma(line) | Item::Candidate(line) => {
            vec![OutlineItem::labelled(line, "lemma", EntityKind::Lemma, span)]
        }
        Item::Run(run) => {
            let start = Span::new(span.start, span.start + "reach".len());
            let unnamed = Identifier::new("reach".into(), start);
            one(run.label.as_ref().unwrap_or(&unnamed), EntityKind::Label)
        }
    }
}

fn symbol_kind(symbol: &SymbolItem) -> EntityKind {
    match (&symbol.result, symbol.params.is_empty()) {
        (None, _) => EntityKind::Relation,
        (Some(_), false) => EntityKind::Function,
        (Some(_), true) if symbol.rigid => EntityKind::Constant,
        (Some(_), true) => EntityKind::StateVariable,
    }
}

fn of_certificate(file: &CertificateFile) -> Vec<OutlineItem> {
    let lemmas = file.lemmas.iter();
    let lemmas = lemmas
        .map(|line| OutlineItem::labelled(&line.value, "lemma", EntityKind::Lemma, line.span));
    let cases = file.cases.iter().map(|case| of_case(&case.value, case.span));
    let invariant = file.invariant.iter().map(|invariant| {
        let span = invariant.span;
        let word = Span::new(span.start, span.start + "invariant".len());
        let name = Identifier::new("invariant".into(), word);
        let children = invariant.value.iter().map(clause).collect();
        OutlineItem { children, ..OutlineItem::new(&name, EntityKind::Case, span) }
    });
    let mut all: Vec<OutlineItem> = lemmas.chain(cases).chain(invariant).collect();
    all.sort_by_key(|item| item.span);
    all
}

fn clause(line: &LabelledFormula) -> OutlineItem {
    OutlineItem::labelled(line, "clause", EntityKind::Clause, line.formula.span)
}

fn of_case(case: &CaseItem, span: Span) -> OutlineItem {
    let mut children = Vec::new();
    for section in &case.sections {
        match &section.value {
            Section::Gamma(line) | Section::Only(line) => {
                children.push(OutlineItem::labelled(
                    line,
                    "gamma",
                    EntityKind::Clause,
                    section.span,
                ));
            }
            Section::Lockstep(lockstep) => {
                children.push(OutlineItem::new(&lockstep.action, EntityKind::Action, section.span));
            }
            Section::CloseByInvariant(clauses) => children.extend(clauses.iter().map(clause)),
            _ => {}
        }
    }
    OutlineItem { children, ..OutlineItem::new(&case.name, EntityKind::Case, span) }
}
