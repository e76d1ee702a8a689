//! One case of a certificate: parameters, cut sorts, maps, definitions, clauses.

use std::collections::BTreeSet;

use crate::certificate::{
    Case, Clause, Closing, CutSort, Invariant, InvariantClause, OnlyProperty, Param,
    ProductFormula, ProductNames, ProductSort, ProductSymbol, ProductTerm, Systems, TwoSystems,
    element_var,
};
use crate::diagnostic::Diagnostic;
use crate::elaborate::codes;
use crate::elaborate::expression::{self, Context, Unbound};
use crate::frontend::certificate_surface::{CaseItem, Section};
use crate::frontend::surface::{Binder, Expression, Identifier, LabelledFormula};
use crate::logic::{
    Definition, Formula, Name, Term, Translation, Var, translate_formula, translate_term,
};
use crate::protocol::{Property, Protocol, Sort, StateFormula, StateVar};
use crate::source::{Span, Spanned};

use super::names::{CaseScope, Reads};
use super::{definitions, extend, lockstep};

/// No cutoff instance is larger.
const MOST_ELEMENTS: usize = 1000;

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
    let names = ProductNames {
        systems: Systems::Both,
        signature: large.signature.clone(),
        cut: Vec::new(),
        params: Vec::new(),
        action: None,
    };
    let errors = diagnostics.len();
    let mut builder = CaseBuilder { item, names, diagnostics };
    let property = builder.property(large)?;
    let params = builder.params();
    builder.cut();
    let violators = builder.violators(&large.properties[property], &params);
    let small = extend::small_protocol(user, large, item, builder.diagnostics);
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
    Some(Case {
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
    })
}

impl CaseBuilder<'_> {
    pub(super) fn error(&mut self, message: impl Into<String>, span: Span) {
        self.diagnostics.push(Diagnostic::error(codes::CERTIFICATE_FORM, message, span));
    }

    fn property(&mut self, large: &Protocol) -> Option<usize> {
        let name = &self.item.property;
        let found = large.property(&name.value).map(|(position, _)| position);
        if found.is_none() {
            let known: Vec<String> =
                large.properties.iter().map(|property| property.name.to_string()).collect();
            let message = format!("there is no property called `{}`", name.value);
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
            let message = format!("there is no sort called `{}`", sort.value);
            self.diagnostics.push(Diagnostic::error(codes::UNKNOWN_SORT, message, sort.span));
        }
        Some(Param { name: binder.name.value.clone(), sort: found? })
    }

    /// A name that the certificate introduces must not mean anything else.
    pub(super) fn fresh(&mut self, name: &Identifier) {
        let signature = &self.names.signature;
        let written = &*name.value;
        let stem = ["_L'", "_L", "_C"].iter().find_map(|suffix| written.strip_suffix(suffix));
        let taken = signature.find_symbol(written).is_some()
            || signature.find_sort(written).is_some()
            || stem.is_some_and(|stem| signature.find_symbol(stem).is_some())
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

    /// Cut sorts in two steps: the elements first, since a map may name those of another sort.
    fn cut(&mut self) {
        for section in &self.item.sections {
            let Section::Cut { sort, elements } = &section.value else { continue };
            let Some(id) = self.names.signature.find_sort(&sort.value) else {
                let message = format!("there is no sort called `{}`", sort.value);
                self.diagnostics.push(Diagnostic::error(codes::UNKNOWN_SORT, message, sort.span));
                continue;
            };
            if self.names.cut.iter().any(|cut| cut.sort == id) {
                self.error(format!("`{}` is cut twice", sort.value), sort.span);
                continue;
            }
            let count = elements.len();
            if count > MOST_ELEMENTS {
                let name = &sort.value;
                let message =
                    format!("`{name}` has {count} elements; {MOST_ELEMENTS} is the limit");
                self.error(message, sort.span);
                continue;
            }
            let mut own: Vec<Name> = Vec::new();
            for element in elements {
                self.fresh(element);
                if own.contains(&element.value) {
                    self.error(format!("`{}` is listed twice", element.value), element.span);
                }
                own.push(element.value.clone());
            }
            let param = Var::new("n", ProductSort::Large(id));
            let first =
                Term::apply(ProductSymbol::Element(id, 0), Vec::new(), ProductSort::Cutoff(id));
            let sim = Definition::function(vec![param], first);
            self.names.cut.push(CutSort { sort: id, elements: own, sim });
        }
        for index in 0..self.names.cut.len() {
            self.sim(index);
        }
        self.stray_maps();
    }

    fn sim(&mut self, index: usize) {
        let sort = self.names.cut[index].sort;
        let name = self.names.signature.sort_name(sort).clone();
        let mut maps = self.item.sections.iter().filter_map(|section| match &section.value {
            Section::Sim(definition) if definition.name.value == name => Some(definition),
            _ => None,
        });
        let Some(map) = maps.next() else {
            let elements = &self.names.cut[index].elements;
            if elements.len() > 1 {
                let message = format!("`{name}` is cut but has no map");
                let hint = format!("add `sim {name}(n) := …`");
                let span = self.item.name.span;
                let error = Diagnostic::error(codes::CERTIFICATE_FORM, message, span).hint(hint);
                self.diagnostics.push(error);
            }
            return;
        };
        let Some(param) = map.params.first() else { return };
        self.fresh(&param.name);
        let param = Var::new(param.name.value.clone(), ProductSort::Large(sort));
        let vars = [param.clone()];
        let value = self.term(&map.value, ProductSort::Cutoff(sort), Reads::Rigid, &vars);
        if let Some(value) = value {
            if value.symbols().iter().any(|symbol| matches!(symbol, ProductSymbol::Sim(_))) {
                self.error("a map may not be defined by a map", map.value.span);
            }
            self.names.cut[index].sim = Definition::function(vec![param], value);
        }
    }

    fn stray_maps(&mut self) {
        for section in &self.item.sections {
            if let Section::Sim(map) = &section.value {
                let cut = self.names.signature.find_sort(&map.name.value);
                let cut = cut.and_then(|sort| self.names.cut_sort(sort));
                if cut.is_none() {
                    self.error(format!("`{}` is not cut", map.name.value), map.name.span);
                }
            }
        }
    }

    /// One parameter for each variable of the property, or none at all.
    fn violators(&mut self, property: &Property, params: &[Param]) -> Vec<usize> {
        let written = self.item.sections.iter().find_map(|section| match &section.value {
            Section::Violators(pairs) => Some((pairs, section.span)),
            _ => None,
        });
        let Some((pairs, span)) = written else {
            let vars = crate::logic::print_vars(&self.names.signature, &property.vars);
            let message = format!("say which parameters stand for {vars}");
            let error = Diagnostic::error(codes::CERTIFICATE_FORM, message, self.item.name.span)
                .hint("write `violators N1 = a, N2 = b`, or `violators none`");
            self.diagnostics.push(error);
            return Vec::new();
        };
        if pairs.is_empty() {
            return Vec::new();
        }
        for (variable, _) in pairs {
            if property.vars.iter().all(|var| var.name != variable.value) {
                let message = format!("`{}` is no variable of the property", variable.value);
                self.error(message, variable.span);
            }
        }
        property.vars.iter().filter_map(|var| self.violator(var, pairs, params, span)).collect()
    }

    /// The position of the parameter that stands for a variable.
    fn violator(
        &mut self,
        var: &StateVar,
        pairs: &[(Identifier, Identifier)],
        params: &[Param],
        span: Span,
    ) -> Option<usize> {
        let mut named = pairs.iter().filter(|(variable, _)| variable.value == var.name);
        let (Some((_, param)), None) = (named.next(), named.next()) else {
            self.error(format!("`{}` needs exactly one violator", var.name), span);
            return None;
        };
        let position = params.iter().position(|known| known.name == param.value);
        match position {
            None => self.error(format!("`{}` is not a parameter", param.value), param.span),
            Some(position) if params[position].sort != var.sort => {
                let sort = crate::logic::Declarations::sort(&self.names.signature, var.sort).name;
                self.error(format!("`{}` must be of sort {sort}", param.value), param.span);
            }
            Some(_) => {}
        }
        position
    }

    fn select(&mut self) -> Option<Clause> {
        let mut parts = Vec::new();
        let mut span = self.item.name.span;
        for section in &self.item.sections {
            if let Section::Select(formula) = &section.value {
                span = formula.span;
                parts.push(self.formula(formula, Reads::Large, &[], Unbound::NEEDS_BINDER)?);
            }
        }
        Some(Clause { name: "select".into(), formula: Formula::and(parts), span })
    }

    fn gamma(&mut self) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        let mut names = BTreeSet::new();
        for section in &self.item.sections {
            let Section::Gamma(labelled) = &section.value else { continue };
            let name = self.label(labelled, &mut names);
            let formula = self.formula(&labelled.formula, Reads::Both, &[], Unbound::Universal);
            let span = labelled.formula.span;
            clauses.extend(formula.map(|formula| Clause { name, formula, span }));
        }
        clauses
    }

    fn label(&mut self, labelled: &LabelledFormula, earlier: &mut BTreeSet<Name>) -> Name {
        let Some(label) = &labelled.label else { return "".into() };
        if !earlier.insert(label.value.clone()) {
            let message = format!("two clauses are called `{}`", label.value);
            self.diagnostics.push(Diagnostic::error(codes::LABEL_TWICE, message, label.span));
        }
        label.value.clone()
    }

    fn only(&mut self, small: &Protocol) -> Vec<OnlyProperty> {
        let mut all: Vec<OnlyProperty> = Vec::new();
        let mut names = BTreeSet::new();
        for section in &self.item.sections {
            let Section::Only(labelled) = &section.value else { continue };
            let name = self.label(labelled, &mut names);
            let cut = self.names.cut.clone();
            let formula = state_formula(small, &cut, &labelled.formula, self.diagnostics);
            let span = labelled.formula.span;
            all.extend(formula.map(|formula| OnlyProperty { name, formula, span }));
        }
        all
    }

    fn closing(&mut self, small: &Protocol) -> Closing {
        let cut = self.names.cut.clone();
        let invariant = self.item.sections.iter().find_map(|section| match &section.value {
            Section::CloseByInvariant(clauses) => Some(clauses),
            _ => None,
        });
        match invariant {
            Some(clauses) => Closing::Invariant(Invariant {
                clauses: invariant_clauses(small, &cut, clauses, self.diagnostics),
            }),
            None => Closing::Search,
        }
    }

    fn repeated_sections(&mut self) {
        let mut seen = BTreeSet::new();
        for section in &self.item.sections {
            let words = match &section.value {
                Section::Violators(_) => "violators".to_owned(),
                Section::CloseByInvariant(_) => "close".to_owned(),
                Section::Relax(_) => "relax".to_owned(),
                Section::Sim(map) => format!("sim {}", map.name.value),
                _ => continue,
            };
            if !seen.insert(words.clone()) {
                self.error(format!("`{words}` is said twice"), section.span);
            }
        }
    }

    /// A formula of the product.
    pub(super) fn formula(
        &mut self,
        expression: &Expression,
        reads: Reads,
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
        reads: Reads,
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

/// The clauses of an invariant; named elements of cut sorts are free variables.
pub(super) fn invariant_clauses(
    system: &Protocol,
    cut: &[CutSort],
    clauses: &[LabelledFormula],
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<InvariantClause> {
    let mut all: Vec<InvariantClause> = Vec::new();
    let mut names = BTreeSet::new();
    for labelled in clauses {
        let label = labelled.label.as_ref();
        let name: Name = label.map_or_else(|| "".into(), |label| label.value.clone());
        if !names.insert(name.clone()) {
            let message = format!("two clauses are called `{name}`");
            let span = label.map_or(labelled.formula.span, |label| label.span);
            diagnostics.push(Diagnostic::error(codes::LABEL_TWICE, message, span));
        }
        let formula = state_formula(system, cut, &labelled.formula, diagnostics);
        let span = labelled.formula.span;
        all.extend(formula.map(|formula| InvariantClause { name, formula, span }));
    }
    all
}

/// A formula about one system whose named elements are free variables.
fn state_formula(
    system: &Protocol,
    cut: &[CutSort],
    expression: &Expression,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<StateFormula> {
    let elements: Vec<StateVar> = cut
        .iter()
        .flat_map(|cut| (0..cut.elements.len()).map(|index| element_var(cut, index)))
        .collect();
    extend::closed_formula(&system.signature, expression, &elements, diagnostics)
}
