//! Axioms, initial conditions and properties: closed formulas with labels.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::syntax::surface::{Expression, Identifier, Item, LabelledFormula, Module};
use crate::logic::{Name, fresh_name};
use crate::protocol::{Property, PropertyKind, StateFormula, Statement, Structure, StructureKind};
use crate::source::Span;

use super::declarations::DeclaredNames;
use super::expression::{Context, Unbound};
use super::messages::given_twice;
use super::scope::{NameReading, ProtocolScope, Usage};
use super::{codes, expression};

/// The closed formulas of a file.
#[derive(Default)]
pub(super) struct Statements {
    pub(super) axioms: Vec<Statement>,
    pub(super) init: Vec<Statement>,
    /// Safety first, then lemmas.
    pub(super) properties: Vec<Property>,
}

/// Elaborates every axiom, initial condition and property.
pub(super) fn statements(
    module: &Module,
    declarations: &DeclaredNames,
    usage: &Usage,
    diagnostics: &mut Vec<Diagnostic>,
) -> Statements {
    let labels = labels(module, diagnostics);
    let mut elaborator = Elaborator {
        declarations,
        usage,
        labels,
        safety_lines: 0,
        lemma_lines: 0,
        statements: Statements::default(),
        diagnostics,
    };
    for item in &module.items {
        elaborator.item(&item.value, item.span);
    }
    let mut statements = elaborator.statements;
    statements.properties.sort_by_key(|property| property.kind);
    statements
}

/// Every label; a label given twice is reported.
fn labels(module: &Module, diagnostics: &mut Vec<Diagnostic>) -> BTreeSet<Name> {
    let mut first: BTreeMap<Name, Span> = BTreeMap::new();
    for item in &module.items {
        let Some(Identifier { value, span }) = label(&item.value) else { continue };
        if let Some(first) = first.get(value) {
            let message = format!("the label `{value}` is given twice");
            refuse(diagnostics, given_twice(codes::LABEL_TWICE, message, *span, *first));
        } else {
            first.insert(value.clone(), *span);
        }
    }
    first.into_keys().collect()
}

fn label(item: &Item) -> Option<&Identifier> {
    match item {
        Item::Axiom(line)
        | Item::Init(line)
        | Item::Safety(line)
        | Item::Lemma(line)
        | Item::Owed(line)
        | Item::Candidate(line) => line.label.as_ref(),
        Item::Run(run) => run.label.as_ref(),
        Item::Sorts(_)
        | Item::Enumeration(_)
        | Item::Symbol(_)
        | Item::Structure(_)
        | Item::Define(_)
        | Item::Action(_) => None,
    }
}

struct Elaborator<'a> {
    declarations: &'a DeclaredNames,
    usage: &'a Usage,
    /// Labels, and names given to properties without label.
    labels: BTreeSet<Name>,
    safety_lines: usize,
    lemma_lines: usize,
    statements: Statements,
    diagnostics: &'a mut Vec<Diagnostic>,
}

impl Elaborator<'_> {
    fn item(&mut self, item: &Item, span: Span) {
        match item {
            Item::Axiom(line) => {
                let axiom = self.statement(line, span, NameReading::RigidOnly);
                self.statements.axioms.extend(axiom);
            }
            Item::Init(line) => {
                let init = self.statement(line, span, NameReading::Everything);
                self.statements.init.extend(init);
            }
            Item::Safety(line) => self.property(line, span, (PropertyKind::Safety, false)),
            Item::Owed(line) => self.property(line, span, (PropertyKind::Safety, true)),
            Item::Lemma(line) | Item::Candidate(line) => {
                self.property(line, span, (PropertyKind::Lemma, false));
            }
            Item::Structure(_) => self.structure(span),
            Item::Sorts(_)
            | Item::Enumeration(_)
            | Item::Symbol(_)
            | Item::Define(_)
            | Item::Action(_)
            | Item::Run(_) => {}
        }
    }

    /// The axioms of the structure that is declared at a place.
    fn structure(&mut self, span: Span) {
        let signature = &self.declarations.signature;
        let own = signature.structures().iter().find(|structure| structure.span == span);
        for (word, formula) in own.into_iter().flat_map(Structure::axioms) {
            let name = own.into_iter().flat_map(Structure::symbols).next();
            let label: Name = match (own.map(|own| &own.kind), name) {
                (Some(StructureKind::Quorums { .. }), _) | (_, None) => {
                    format!("quorums_{word}").into()
                }
                (_, Some(name)) => format!("{}_{word}", signature.symbol(name).name).into(),
            };
            let label = fresh_name(&label, |label| self.labels.contains(label));
            self.labels.insert(label.clone());
            self.statements.axioms.push(Statement { label: Some(label), formula, span });
        }
    }

    fn closed(&mut self, formula: &Expression, reading: NameReading) -> Option<StateFormula> {
        let (declarations, usage) = (self.declarations, self.usage);
        let params = BTreeMap::new();
        let scope = ProtocolScope { declarations, params: &params, usage, reading };
        let context = Context { resolver: &scope, variables: &[], unbound: Unbound::Universal };
        expression::formula(&context, formula, self.diagnostics)
    }

    fn statement(
        &mut self,
        line: &LabelledFormula,
        span: Span,
        reading: NameReading,
    ) -> Option<Statement> {
        let formula = self.closed(&line.formula, reading)?;
        let label = line.label.as_ref().map(|label| label.value.clone());
        Some(Statement { label, formula, span })
    }

    fn property(
        &mut self,
        line: &LabelledFormula,
        span: Span,
        (kind, is_owed): (PropertyKind, bool),
    ) {
        let name = self.property_name(line, kind);
        let Some(formula) = self.closed(&line.formula, NameReading::Everything) else { return };
        let reserved = self.declarations.names.keys().cloned().collect();
        let property = Property::new((name, kind), &formula, &reserved, span);
        self.statements.properties.push(Property { is_owed, ..property });
    }

    /// The label, or `safety1`, `lemma1` and so on by the position among its kind.
    fn property_name(&mut self, line: &LabelledFormula, kind: PropertyKind) -> Name {
        let (word, lines) = match kind {
            PropertyKind::Safety => ("safety", &mut self.safety_lines),
            PropertyKind::Lemma => ("lemma", &mut self.lemma_lines),
        };
        *lines += 1;
        if let Some(label) = &line.label {
            return label.value.clone();
        }
        let name = fresh_name(&format!("{word}{lines}").into(), |name| self.labels.contains(name));
        self.labels.insert(name.clone());
        name
    }
}
