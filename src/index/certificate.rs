//! The names of a certificate, and those of the protocol that it mentions.

use super::builder::{Builder, Declaration, Spelling};
use super::entity::{EntityId, EntityKind, Role};
use crate::frontend::certificate::surface::{
    CaseItem, CertificateFile, HistoryItem, LockstepItem, MoveItem, Section,
};
use crate::frontend::syntax::surface::{ActionItem, DefinitionItem, LabelledFormula};
use crate::source::{Span, Spanned};

impl Builder<'_> {
    /// Everything that a certificate mentions.
    pub(super) fn certificate(&mut self, file: &CertificateFile) {
        for item in &file.history {
            if let HistoryItem::Symbol(symbol) = &item.value {
                self.symbol(symbol, item.span);
                self.symbol_sorts(symbol);
            }
        }
        for lemma in &file.lemmas {
            self.labelled(&lemma.value, EntityKind::Lemma, lemma.span);
        }
        for item in &file.history {
            self.history(&item.value);
        }
        for property in file.rank.iter().flat_map(|rank| &rank.value) {
            self.used_label(property);
        }
        for case in &file.cases {
            self.case(&case.value, case.span);
        }
        if let Some(invariant) = &file.invariant {
            for clause in &invariant.value {
                self.clause(clause, EntityKind::Clause);
            }
        }
    }

    fn history(&mut self, item: &HistoryItem) {
        match item {
            HistoryItem::Symbol(_) => {}
            HistoryItem::Init(line) => self.closed_formula(&line.formula),
            HistoryItem::Assign { action, body } => {
                let id = self.used(action, Role::Reads);
                self.scoped(|walk| {
                    walk.locals.extend(id.map_or_else(Vec::new, |id| walk.parameters_of(id)));
                    walk.statements(body);
                });
            }
        }
    }

    fn parameters_of(&self, action: EntityId) -> Vec<EntityId> {
        let own = self.entities.iter().enumerate().filter(|(_, entity)| {
            entity.owner == Some(action) && entity.kind == EntityKind::Parameter
        });
        own.map(|(position, _)| EntityId(position)).collect()
    }

    /// A clause: its label, which only counts in its own part, and its formula.
    fn clause(&mut self, line: &LabelledFormula, kind: EntityKind) {
        let span = line.label.as_ref().map_or(line.formula.span, |label| label.span);
        let span = span.to(line.formula.span);
        if let Some(label) = &line.label {
            // A label is no name in formulas: it is not left among the local names.
            let before = self.locals.len();
            self.local(Declaration::new(label, kind, span), label.span);
            self.locals.truncate(before);
        }
        self.closed_formula(&line.formula);
    }

    fn case(&mut self, case: &CaseItem, span: Span) {
        self.owner = None;
        let declaration = Declaration::new(&case.name, EntityKind::Case, span);
        let before = self.locals.len();
        let id = self.local(declaration, case.name.span);
        self.locals.truncate(before);
        let property = self.used_label(&case.property);
        self.scoped(|walk| {
            walk.owner = Some(id);
            walk.within = Some(id);
            for section in &case.sections {
                walk.names_of_section(&section.value, span);
            }
            walk.spelling = Spelling::WithSystem;
            for section in &case.sections {
                walk.section(section, property);
            }
            walk.spelling = Spelling::Plain;
            walk.within = None;
        });
    }

    /// What a line of a case declares for the whole case.
    fn names_of_section(&mut self, section: &Section, scope: Span) {
        match section {
            Section::Params(params) => self.binders(params, EntityKind::Parameter, scope),
            Section::Cut { sort, elements } => {
                self.sort(sort);
                for element in elements {
                    let declaration =
                        Declaration::new(element, EntityKind::CutoffElement, element.span);
                    let sort = Some(sort.value.clone());
                    self.local(Declaration { sort, ..declaration }, scope);
                }
            }
            _ => {}
        }
    }

    fn section(&mut self, section: &Spanned<Section>, property: Option<EntityId>) {
        match &section.value {
            Section::Params(_) | Section::Cut { .. } => {}
            Section::Violators(pairs) => {
                for (variable, parameter) in pairs {
                    if let Some(property) = property {
                        self.variable_of(property, variable);
                    }
                    self.used(parameter, Role::Reads);
                }
            }
            Section::Select(formula) => self.closed_formula(formula),
            Section::Sim(definition) => {
                self.sort(&definition.name);
                self.defined(definition, section.span);
            }
            Section::Rigid(definition) | Section::Start(definition) => {
                self.used(&definition.name, Role::Writes);
                self.defined(definition, section.span);
            }
            Section::Only(line) | Section::Gamma(line) => self.clause(line, EntityKind::Clause),
            Section::CloseByInvariant(clauses) => {
                for line in clauses {
                    self.clause(line, EntityKind::Clause);
                }
            }
            Section::CloseByCertificate { parts, .. } => self.nested(parts),
            Section::Lockstep(lockstep) => self.lockstep(lockstep, section.span),
            Section::Relax(actions) => {
                for action in actions {
                    self.relaxed(&action.value, action.span);
                }
            }
        }
    }

    /// The certificate about the cutoff instance of a case: symbols have their own names there.
    fn nested(&mut self, parts: &CertificateFile) {
        let (owner, within) = (self.owner.take(), self.within.take());
        let spelling = std::mem::replace(&mut self.spelling, Spelling::Plain);
        self.certificate(parts);
        (self.owner, self.within, self.spelling) = (owner, within, spelling);
    }

    /// The parameters and the value of a definition whose name was looked up before.
    fn defined(&mut self, definition: &DefinitionItem, scope: Span) {
        self.scoped(|walk| {
            walk.binders(&definition.params, EntityKind::Parameter, scope);
            walk.expression(&definition.value);
        });
    }

    fn lockstep(&mut self, item: &LockstepItem, span: Span) {
        let action = self.used(&item.action, Role::Reads);
        let sorts = action.map_or_else(Vec::new, |id| self.argument_sorts(id));
        self.scoped(|walk| {
            for (position, param) in item.params.iter().flatten().enumerate() {
                let sort = sorts.get(position).cloned().flatten();
                let declaration = Declaration::new(param, EntityKind::Parameter, param.span);
                walk.local(Declaration { sort, ..declaration }, span);
            }
            for alternative in &item.alternatives {
                if let Some(condition) = &alternative.condition {
                    walk.closed_formula(condition);
                }
                for answer in &alternative.moves {
                    walk.answer(answer);
                }
            }
        });
    }

    fn answer(&mut self, answer: &MoveItem) {
        self.used(&answer.action, Role::Reads);
        for argument in &answer.args {
            self.expression(argument);
        }
        for choice in &answer.choices {
            self.used(&choice.name, Role::Writes);
            self.defined(choice, answer.span);
        }
    }

    /// An action of `C` alone: one of the protocol's, replaced, or another one.
    fn relaxed(&mut self, action: &ActionItem, span: Span) {
        if self.globals.contains_key(&action.name.value) {
            self.used(&action.name, Role::Writes);
        } else {
            self.global(Declaration::new(&action.name, EntityKind::Action, span));
        }
        self.scoped(|walk| {
            walk.binders(&action.params, EntityKind::Parameter, span);
            walk.statements(&action.body);
        });
    }
}
