//! The protocols that the two systems run: `L` with lemmas and history, `C` as it is or relaxed.

use std::collections::BTreeSet;

use crate::certificate::CutSort;
use crate::diagnostic::Diagnostic;
use crate::elaborate::actions::elaborate_action;
use crate::elaborate::declarations::{DeclaredNames, declare_symbol};
use crate::elaborate::expression::{Context, Unbound};
use crate::elaborate::scope::{NameReading, ProtocolScope, Usage};
use crate::elaborate::{codes, expression};
use crate::frontend::certificate::surface::{CaseItem, CertificateFile, HistoryItem, Section};
use crate::frontend::syntax::surface::{
    ActionItem, Binder, Expression, LabelledFormula, Statement,
};
use crate::logic::Name;
use crate::protocol::{
    Property, PropertyKind, Protocol, Signature, Sort, StateFormula, StateVar,
    Statement as ProtocolStatement,
};
use crate::source::{Span, Spanned};

/// What `L` runs: the user's protocol with history and lemmas, the properties by rank.
pub(super) fn large_protocol(
    user: &Protocol,
    file: &CertificateFile,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Protocol> {
    let mut large = user.clone();
    for item in &file.history {
        history(&mut large, item, diagnostics);
    }
    let own = large.properties.iter().map(|property| property.name.clone());
    let mut names: BTreeSet<Name> = own.collect();
    for lemma in &file.lemmas {
        if let Some(property) = property(&large, &mut names, lemma, diagnostics) {
            large.properties.push(property);
        }
    }
    if let Some(rank) = &file.rank {
        let names: Vec<Name> = rank.value.iter().map(|name| name.value.clone()).collect();
        let mut sorted: Vec<Property> = Vec::new();
        for name in &names {
            sorted.extend(large.property(name).map(|(_, property)| property.clone()));
        }
        let distinct: BTreeSet<&Name> = names.iter().collect();
        if sorted.len() != large.properties.len() || distinct.len() != sorted.len() {
            let message = "`rank` must name every property exactly once";
            diagnostics.push(Diagnostic::error(codes::CERTIFICATE_FORM, message, rank.span));
            return None;
        }
        large.properties = sorted;
    }
    Some(large)
}

fn property(
    large: &Protocol,
    names: &mut BTreeSet<Name>,
    lemma: &Spanned<LabelledFormula>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Property> {
    let line = &lemma.value;
    let Some(label) = &line.label else {
        let message = "a lemma of a certificate needs a label";
        diagnostics.push(Diagnostic::error(codes::CERTIFICATE_FORM, message, line.formula.span));
        return None;
    };
    if !names.insert(label.value.clone()) {
        let message = format!("there is already a property named `{}`", label.value);
        diagnostics.push(Diagnostic::error(codes::LABEL_TWICE, message, label.span));
    }
    let formula = closed_formula(&large.signature, &line.formula, &[], diagnostics)?;
    let reserved = DeclaredNames::of(&large.signature).names.into_keys().collect();
    let named = (label.value.clone(), PropertyKind::Lemma);
    Some(Property::new(named, &formula, &reserved, line.formula.span))
}

/// A formula about one state of a system; unbound capitals are universal.
pub(super) fn closed_formula(
    signature: &Signature,
    formula: &Expression,
    variables: &[StateVar],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<StateFormula> {
    let declarations = DeclaredNames::of(signature);
    let (params, usage) = (std::collections::BTreeMap::new(), Usage::default());
    let resolver = ProtocolScope {
        declarations: &declarations,
        params: &params,
        usage: &usage,
        reading: NameReading::Everything,
    };
    let context = Context { resolver: &resolver, variables, unbound: Unbound::Universal };
    expression::formula(&context, formula, diagnostics)
}

fn history(large: &mut Protocol, item: &Spanned<HistoryItem>, diagnostics: &mut Vec<Diagnostic>) {
    match &item.value {
        HistoryItem::Symbol(symbol) => {
            large.signature = declare_symbol(&large.signature, symbol, item.span, diagnostics);
        }
        HistoryItem::Init(line) => {
            let formula = closed_formula(&large.signature, &line.formula, &[], diagnostics);
            let label = line.label.as_ref().map(|label| label.value.clone());
            let span = line.formula.span;
            large.init.extend(formula.map(|formula| ProtocolStatement { label, formula, span }));
        }
        HistoryItem::Assign { action, body } => {
            let Some((position, _)) = large.action(&action.value) else {
                let message = format!("there is no action named `{}`", action.value);
                diagnostics.push(Diagnostic::error(codes::UNKNOWN_NAME, message, action.span));
                return;
            };
            let added = statements(large, position, body, action.span, diagnostics);
            large.actions[position].body.extend(added);
        }
    }
}

/// Statements at the end of an action, elaborated with its parameters in scope. The certificate
/// names the action at `span`; its parameters are written in another text.
fn statements(
    large: &Protocol,
    position: usize,
    body: &[Statement],
    span: Span,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<crate::protocol::Command> {
    let action = &large.actions[position];
    let at = |value: Name| Spanned::new(value, span);
    let sort = |sort: Sort| match sort {
        Sort::Declared(id) => large.signature.sort_name(id).clone(),
        Sort::Int => "int".into(),
    };
    let params = action.params.iter();
    let params = params
        .map(|param| Binder { name: at(param.name.clone()), sort: Some(at(sort(param.sort))) })
        .collect();
    let item = ActionItem { name: at(action.name.clone()), params, body: body.to_vec() };
    let declarations = DeclaredNames::of(&large.signature);
    let mut messages = Vec::new();
    let elaborated = elaborate_action(&item, &declarations, &Usage::default(), &mut messages);
    // Parameters that history does not read are no cause for a warning.
    diagnostics.extend(messages.into_iter().filter(Diagnostic::is_error));
    elaborated.map_or(Vec::new(), |elaborated| elaborated.body)
}

/// What `C` runs in a case: the user's protocol or a relaxed one, whose other actions may name
/// elements of `C`, with the properties that it can read.
pub(super) fn small_protocol(
    (user, large): (&Protocol, &Protocol),
    item: &CaseItem,
    cut: &[CutSort],
    diagnostics: &mut Vec<Diagnostic>,
) -> Protocol {
    let mut small = user.clone();
    let count = user.signature.symbols().count();
    small.properties = large.properties.clone();
    small.properties.retain(|property| {
        property.matrix.symbols().iter().all(|symbol| (symbol.0 as usize) < count)
    });
    let listed = cut.iter().map(|cut| (cut.sort, cut.elements.clone()));
    let signature = user.signature.with_elements(listed);
    let declarations = DeclaredNames::of(&signature);
    for section in &item.sections {
        let Section::Relax(actions) = &section.value else { continue };
        for action in actions {
            let relaxed =
                elaborate_action(&action.value, &declarations, &Usage::default(), diagnostics);
            let Some(relaxed) = relaxed else { continue };
            match small.action(&relaxed.name) {
                Some((position, _)) => small.actions[position] = relaxed,
                None => small.actions.push(relaxed),
            }
        }
    }
    small
}
