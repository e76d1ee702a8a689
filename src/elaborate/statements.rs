//! Axioms, initial conditions and properties: closed formulas with labels.

use std::collections::{BTreeMap, BTreeSet};

use crate::diagnostic::{Diagnostic, Severity, refuse};
use crate::frontend::syntax::surface::{Expression, Identifier, Item, LabelledFormula, Module};
use crate::logic::{Formula, Name, Term, Var, fresh_name, prenex_universal, substitute_formula};
use crate::protocol::{Property, PropertyKind, StateFormula, StateVar, Statement};
use crate::source::Span;

use super::declarations::DeclaredNames;
use super::expression::{Context, Unbound};
use super::messages::given_twice;
use super::scope::{NameReading, ProtocolScope, Usage};
use super::universal::not_universal;
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
    advise(&statements.properties, diagnostics);
    statements
}

/// Next to a property that is universal, one that is not may only be meant to help.
fn advise(properties: &[Property], diagnostics: &mut [Diagnostic]) {
    let Some(property) = properties.first().filter(|found| found.kind == PropertyKind::Safety)
    else {
        return;
    };
    let refused = |message: &&mut Diagnostic| message.code == codes::NOT_UNIVERSAL;
    for message in diagnostics.iter_mut().filter(refused) {
        let hint = message.hint.take().unwrap_or_default();
        let name = &property.name;
        message.hint = Some(format!("{hint}, or leave the line out: `--safety {name}`"));
    }
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
        Item::Sorts(_) | Item::Symbol(_) | Item::Action(_) => None,
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
            Item::Safety(line) | Item::Owed(line) => {
                self.property(line, span, PropertyKind::Safety);
            }
            Item::Lemma(line) => self.property(line, span, PropertyKind::Lemma),
            Item::Candidate(line) => self.candidate(line, span),
            Item::Sorts(_) | Item::Symbol(_) | Item::Action(_) | Item::Run(_) => {}
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

    fn property(&mut self, line: &LabelledFormula, span: Span, kind: PropertyKind) {
        let name = self.property_name(line, kind);
        let Some(formula) = self.closed(&line.formula, NameReading::Everything) else { return };
        let Some((vars, matrix)) = prenex_universal(&formula) else {
            let kind = match kind {
                PropertyKind::Safety => "safety property",
                PropertyKind::Lemma => "lemma",
            };
            let mut diagnostic = not_universal(kind, &line.formula);
            let Span { start, end } = diagnostic.primary.span;
            // What is defined elsewhere has its place there.
            if start < span.start || span.end < end {
                let place = line.label.as_ref().map_or(span, |label| label.span);
                diagnostic = diagnostic.also(place, "in this line");
            }
            refuse(self.diagnostics, diagnostic);
            return;
        };
        let (vars, matrix) = self.rename_away_from_symbols(vars, matrix);
        self.statements.properties.push(Property { name, kind, vars, matrix, span });
    }

    /// A lemma if it is universal; otherwise it is ignored, with a note that gives the reason.
    fn candidate(&mut self, line: &LabelledFormula, span: Span) {
        let before = self.diagnostics.len();
        self.property(line, span, PropertyKind::Lemma);
        for message in &mut self.diagnostics[before..] {
            if message.code == codes::NOT_UNIVERSAL {
                message.severity = Severity::Note;
                message.code = codes::LEFT_OUT;
                message.message =
                    "this invariant is left out: a lemma must be universal".to_owned();
            }
        }
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

    /// Moving quantifiers to the front renames variables: none may be called like a symbol.
    fn rename_away_from_symbols(
        &self,
        vars: Vec<StateVar>,
        matrix: StateFormula,
    ) -> (Vec<StateVar>, StateFormula) {
        let declared = |name: &Name| self.declarations.names.contains_key(name);
        if !vars.iter().any(|var| declared(&var.name)) {
            return (vars, matrix);
        }
        let mut taken: BTreeSet<Name> = vars.iter().map(|var| var.name.clone()).collect();
        let mut renaming = BTreeMap::new();
        let renamed = vars.into_iter().map(|var| {
            if !declared(&var.name) {
                return var;
            }
            let name = fresh_name(&var.name, |name| declared(name) || taken.contains(name));
            taken.insert(name.clone());
            let fresh = Var::new(name, var.sort);
            renaming.insert(var, Term::var(fresh.clone()));
            fresh
        });
        let vars: Vec<StateVar> = renamed.collect();
        let matrix: Formula<_> = substitute_formula(&matrix, &renaming);
        (vars, matrix)
    }
}
