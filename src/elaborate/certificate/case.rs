//! One case of a certificate, put together from its parts.

use std::collections::BTreeSet;

use crate::certificate::{
    Case, Clause, Closing, Param, ProductFormula, ProductNames, ProductSort, ProductSymbol,
    ProductTerm, Systems, TwoSystems, cutoff_system, is_about_large,
};
use crate::diagnostic::{Code, Diagnostic};
use crate::elaborate::expression::{Context, Unbound};
use crate::elaborate::{codes, expression};
use crate::frontend::certificate::surface::{CaseItem, Section};
use crate::frontend::syntax::surface::{Binder, Expression, Identifier};
use crate::logic::{Formula, Term, Translation, Var, translate_formula, translate_term};
use crate::protocol::{Protocol, Sort};
use crate::source::{Span, Spanned};

use super::names::{CaseScope, ReadableSystems};
use super::{definitions, extend, header, lockstep};

/// A case under construction: what its expressions are elaborated against.
pub(super) struct CaseBuilder<'a> {
    pub(super) item: &'a CaseItem,
    pub(super) names: ProductNames,
    pub(super) diagnostics: &'a mut Vec<Diagnostic>,
}

/// Elaborates a case; `None` if something in it is wrong.
pub(super) fn case(
    user: &Protocol,
    large: &Protocol,
    item: &Spanned<CaseItem>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Case> {
    let span = item.value.name.span;
    let item = &item.value;
    let names = ProductNames::new(Systems::Both, &large.signature);
    let errors = diagnostics.len();
    let mut builder = CaseBuilder { item, names, diagnostics };
    let property = builder.property(large)?;
    let params = builder.params();
    builder.cut();
    let violators = builder.violators(&large.properties[property], &params);
    let small =
        extend::small_protocol((user, large), item, &builder.names.cut, builder.diagnostics);
    let select = builder.select();
    let definitions = definitions::definitions(&mut builder, user);
    let gamma = builder.gamma();
    let only = builder.only(&small);
    let closing = builder.closing(&small);
    let lockstep = lockstep::lockstep(&mut builder, large, &small);
    builder.repeated_sections();
    let cut = builder.names.cut.clone();
    if diagnostics[errors..].iter().any(Diagnostic::is_error) {
        return None;
    }
    let case = Case {
        name: item.name.value.clone(),
        property,
        params,
        violators,
        select: select?,
        cut,
        rigid: definitions.rigid,
        start: definitions.start,
        only,
        gamma,
        lockstep,
        relaxed: item.sections.iter().any(|part| matches!(part.value, Section::Relax(_))),
        small,
        closing,
        span,
    };
    composed(case, item, diagnostics)
}

/// The case, closed by a certificate about its cutoff instance if it has one.
fn composed(case: Case, item: &CaseItem, diagnostics: &mut Vec<Diagnostic>) -> Option<Case> {
    let nested = item.sections.iter().find_map(|section| match &section.value {
        Section::CloseByCertificate { digest, parts } => Some((digest, parts)),
        _ => None,
    });
    let Some((digest, parts)) = nested else { return Some(case) };
    let system = cutoff_system(&case);
    diagnostics.extend(header::other_instance(&system, digest));
    let own = super::build(&system, parts, diagnostics)?;
    Some(Case { closing: Closing::Certificate(Box::new(own)), ..case })
}

impl CaseBuilder<'_> {
    pub(super) fn error(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(codes::CERTIFICATE_FORM, message, span));
    }

    /// Refuses the form of the certificate, with advice.
    pub(super) fn error_with_hint(&mut self, message: String, span: Span, hint: String) {
        let error = Diagnostic::error(codes::CERTIFICATE_FORM, message, span);
        self.diagnostics.push(error.hint(hint));
    }

    /// Refuses a name that stands for nothing of its kind.
    pub(super) fn nothing_named(&mut self, code: Code, what: &str, name: &Identifier) {
        let message = format!("{what} named `{}`", name.value);
        self.diagnostics.push(Diagnostic::error(code, message, name.span));
    }

    /// Refuses a name with too many or too few arguments, or parameters.
    pub(super) fn wrong_count(&mut self, name: &Identifier, what: &str, wanted: usize, got: usize) {
        let message = format!("`{}` has {wanted} {what}, not {got}", name.value);
        self.diagnostics.push(Diagnostic::error(codes::WRONG_ARITY, message, name.span));
    }

    fn property(&mut self, large: &Protocol) -> Option<usize> {
        let name = &self.item.property;
        let found = large.property(&name.value).map(|(position, _)| position);
        if found.is_none() {
            let known: Vec<String> =
                large.properties.iter().map(|property| property.name.to_string()).collect();
            let message = format!("there is no property named `{}`", name.value);
            let hint = format!("the properties are {}", known.join(", "));
            let error = Diagnostic::error(codes::UNKNOWN_NAME, message, name.span).hint(hint);
            self.diagnostics.push(error);
        }
        found
    }

    fn params(&mut self) -> Vec<Param> {
        let mut params = Vec::new();
        for section in &self.item.sections {
            let Section::Params(binders) = &section.value else { continue };
            for binder in binders {
                if let Some(param) = self.param(binder) {
                    self.names.params.push((param.name.clone(), param.sort));
                    params.push(param);
                }
            }
        }
        params
    }

    fn param(&mut self, binder: &Binder) -> Option<Param> {
        self.fresh(&binder.name);
        let Some(sort) = &binder.sort else {
            self.error(format!("`{}` needs a sort", binder.name.value), binder.name.span);
            return None;
        };
        let found = match &*sort.value {
            "int" => Some(Sort::Int),
            name => self.names.signature.find_sort(name).map(Sort::Declared),
        };
        if found.is_none() {
            self.nothing_named(codes::UNKNOWN_SORT, "there is no sort", sort);
        }
        Some(Param { name: binder.name.value.clone(), sort: found? })
    }

    /// A name that the certificate introduces must be unused.
    pub(super) fn fresh(&mut self, name: &Identifier) {
        let signature = &self.names.signature;
        let written = &*name.value;
        let stem = ["_L'", "_L", "_C"].iter().find_map(|suffix| written.strip_suffix(suffix));
        let means = |name: &str| {
            signature.find_symbol(name).is_some() || signature.find_definition(name).is_some()
        };
        let taken = signature.declares(written)
            || stem.is_some_and(means)
            || written == "sim"
            || written == "int"
            || self.names.params.iter().any(|(param, _)| *param == name.value)
            || self.names.cut.iter().any(|cut| cut.elements.contains(&name.value));
        if taken {
            let message = format!("`{written}` already means something here");
            let error =
                Diagnostic::error(codes::SHADOWED, message, name.span).hint("choose another name");
            self.diagnostics.push(error);
        }
    }

    fn select(&mut self) -> Option<Clause> {
        let mut parts = Vec::new();
        let mut span = self.item.name.span;
        for section in &self.item.sections {
            if let Section::Select(formula) = &section.value {
                span = formula.span;
                let part =
                    self.formula(formula, ReadableSystems::Large, &[], Unbound::NEEDS_BINDER)?;
                if !is_about_large(&part) {
                    let message = "`select` chooses a violation of L and cannot refer to C";
                    let error = Diagnostic::error(codes::UNREADABLE, message, formula.span)
                        .hint("leave out `sim`, the elements of C and variables over them");
                    self.diagnostics.push(error);
                    return None;
                }
                parts.push(part);
            }
        }
        Some(Clause { name: "select".into(), formula: Formula::and(parts), span })
    }

    fn repeated_sections(&mut self) {
        let mut seen = BTreeSet::new();
        for section in &self.item.sections {
            let words = match &section.value {
                Section::Violators(_) => "violators".to_owned(),
                Section::CloseByInvariant(_) | Section::CloseByCertificate { .. } => {
                    "close".to_owned()
                }
                Section::Relax(_) => "relax".to_owned(),
                Section::Sim(map) => format!("sim {}", map.name.value),
                _ => continue,
            };
            if !seen.insert(words.clone()) {
                self.error(format!("`{words}` is given twice"), section.span);
            }
        }
    }

    /// A formula of the product.
    pub(super) fn formula(
        &mut self,
        expression: &Expression,
        reads: ReadableSystems,
        variables: &[Var<TwoSystems>],
        unbound: Unbound,
    ) -> Option<ProductFormula> {
        let resolver = CaseScope { names: &self.names, reads };
        let context = Context { resolver: &resolver, variables, unbound };
        let formula = expression::formula(&context, expression, self.diagnostics)?;
        Some(translate_formula(&formula, std::collections::BTreeMap::new(), Residual(&self.names)))
    }

    /// A term of the product.
    pub(super) fn term(
        &mut self,
        expression: &Expression,
        sort: ProductSort,
        reads: ReadableSystems,
        variables: &[Var<TwoSystems>],
    ) -> Option<ProductTerm> {
        let resolver = CaseScope { names: &self.names, reads };
        let context = Context { resolver: &resolver, variables, unbound: Unbound::NEEDS_BINDER };
        let term = expression::term(&context, expression, sort, self.diagnostics)?;
        Some(translate_term(&term, std::collections::BTreeMap::new(), Residual(&self.names)))
    }
}

/// `sim` of a residual sort is the identity.
struct Residual<'a>(&'a ProductNames);

impl Translation<TwoSystems, TwoSystems> for Residual<'_> {
    fn sort(&self, sort: ProductSort) -> ProductSort {
        sort
    }

    fn apply(
        &self,
        symbol: ProductSymbol,
        mut args: Vec<ProductTerm>,
        sort: ProductSort,
    ) -> ProductTerm {
        match symbol {
            ProductSymbol::Sim(id) if self.0.cut_sort(id).is_none() => args.swap_remove(0),
            _ => Term::apply(symbol, args, sort),
        }
    }

    fn holds(&self, symbol: ProductSymbol, args: Vec<ProductTerm>) -> ProductFormula {
        Formula::holds(symbol, args)
    }
}
