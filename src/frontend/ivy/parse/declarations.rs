//! Ivy's declarations, from matches to the tree.

use pest::iterators::Pair;

use super::expressions::IvyExpressionBuilder;
use super::grammar::Rule;
use super::tree::{
    ActionDeclaration, IvyCopies, IvyDeclaration, IvyDeclarationKind, IvyInstance, IvySymbol, Trust,
};
use super::unsupported::{MODULES, UNSUPPORTED, ignored, unsupported};
use crate::diagnostic::{Diagnostic, Edit};
use crate::frontend::syntax::matched::Matched;
use crate::frontend::syntax::surface::{Identifier, LabelledFormula};
use crate::source::{Span, Spanned};

impl IvyExpressionBuilder<'_> {
    /// What one match declares: nothing if it is refused or means nothing here.
    pub(crate) fn declaration(&mut self, pair: Pair<'_, Rule>) -> Vec<IvyDeclaration> {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::sort => self.sort(pair),
            Rule::axiom if is_explicit(&pair) => {
                let note =
                    "Ivy uses an `explicit` axiom only where a proof names it: it is ignored";
                self.diagnostics.push(ignored(note, self.span(&pair)));
                return Vec::new();
            }
            Rule::definitions if is_explicit(&pair) => {
                let message = "Ivy uses an `explicit` definition only where a proof names it";
                let hint = "leave `explicit` out";
                let span = self.span(&pair);
                let refusal = Diagnostic::error(UNSUPPORTED, message, span).hint(hint);
                let word = Span::new(span.start, span.start + "explicit ".len());
                self.diagnostics.push(refusal.mended([Edit::new(word, "")]));
                return Vec::new();
            }
            Rule::relations | Rule::functions | Rule::definitions => return self.symbols(pair),
            Rule::axiom => IvyDeclarationKind::Axiom(self.labelled_formula(pair)),
            Rule::init => IvyDeclarationKind::Init(self.labelled_formula(pair)),
            Rule::invariant => IvyDeclarationKind::Invariant(self.labelled_formula(pair)),
            Rule::module => self.module(pair),
            Rule::instances => return self.instances(pair),
            Rule::object | Rule::isolate => return self.object(pair).into_iter().collect(),
            Rule::group => IvyDeclarationKind::Group(self.body_of(pair)),
            Rule::action => self.action(pair),
            Rule::after_init => IvyDeclarationKind::AfterInit(self.block_of(pair), IvyCopies::One),
            Rule::export => return self.exports(pair),
            Rule::interpret => return self.interpretation(pair).into_iter().collect(),
            _ => {
                self.left_out(pair);
                return Vec::new();
            }
        };
        vec![Spanned::new(kind, span)]
    }

    fn left_out(&mut self, pair: Pair<'_, Rule>) {
        let span = self.span(&pair);
        let word = pair.as_str().split(|c: char| !c.is_ascii_alphabetic()).next();
        let word = word.filter(|word| !word.is_empty()).unwrap_or("<<<").to_owned();
        let at_word = crate::source::Span::new(span.start, span.start + word.len());
        let diagnostic = match pair.as_rule() {
            Rule::property => {
                ignored("a `property` should follow from the axioms: it is ignored", at_word)
            }
            Rule::private | Rule::attribute => {
                ignored(format!("`{word}` has no effect here"), at_word)
            }
            Rule::infix_relation => unsupported("infix", span),
            Rule::struct_type => unsupported("struct", span),
            Rule::mixin => unsupported("mixin after", at_word),
            _ => unsupported(&word, at_word),
        };
        self.diagnostics.push(diagnostic);
    }

    fn sort(&mut self, pair: Pair<'_, Rule>) -> IvyDeclarationKind {
        let mut name = None;
        let mut values = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::declared => name = Some(self.identifier(&part)),
                Rule::enumeration => values = self.identifiers(part, Rule::name),
                _ => {}
            }
        }
        IvyDeclarationKind::Type(name.expect("the grammar names every type"), values)
    }

    fn symbols(&mut self, pair: Pair<'_, Rule>) -> Vec<IvyDeclaration> {
        let rule = pair.as_rule();
        let mut declarations = Vec::new();
        for part in pair.into_inner() {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::symbol => {
                    let symbol = self.symbol(part, rule);
                    declarations.push(Spanned::new(IvyDeclarationKind::Symbol(symbol), span));
                }
                Rule::proof => self.diagnostics.push(ignored("this proof is ignored", span)),
                _ => {}
            }
        }
        declarations
    }

    fn symbol(&mut self, pair: Pair<'_, Rule>, declared_by: Rule) -> IvySymbol {
        let mut name = None;
        let mut params = Vec::new();
        let mut result = None;
        let mut definition = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::declared => name = Some(self.identifier(&part)),
                Rule::formals => params = self.formals(part),
                Rule::sort_name => result = Some(self.identifier(&part)),
                Rule::expression => definition = Some(self.open_expression(part)),
                _ => {}
            }
        }
        let name = name.expect("the grammar names every symbol");
        if declared_by == Rule::functions && result.is_none() && definition.is_none() {
            let message = format!("the type of `{}` is missing", name.value);
            let hint = format!("write `{} : t`", name.value);
            self.diagnostics.push(Diagnostic::error(MODULES, message, name.span).hint(hint));
        }
        let result = result.filter(|sort: &Identifier| &*sort.value != "bool");
        let only_defined = declared_by == Rule::definitions;
        IvySymbol { name, params, result, definition, only_defined }
    }

    /// A formula with its label, if it has one.
    pub(super) fn labelled_formula(&mut self, pair: Pair<'_, Rule>) -> LabelledFormula {
        let mut label = None;
        let mut formula = None;
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::label => {
                    label = part.into_inner().next().map(|name| self.identifier(&name));
                }
                Rule::expression => formula = Some(self.formula(part)),
                Rule::proof => {
                    let note = ignored("this proof is ignored", self.span(&part));
                    self.diagnostics.push(note);
                }
                _ => {}
            }
        }
        LabelledFormula { label, formula: formula.expect("the grammar ends with a formula") }
    }

    fn module(&mut self, pair: Pair<'_, Rule>) -> IvyDeclarationKind {
        let mut name = None;
        let mut params = Vec::new();
        let mut body = Vec::new();
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::name => name = Some(self.identifier(&part)),
                Rule::names => params = self.identifiers(part, Rule::parameter),
                Rule::body => body = self.body(part),
                _ => {}
            }
        }
        IvyDeclarationKind::Module(name.expect("the grammar names every module"), params, body)
    }

    fn body(&mut self, pair: Pair<'_, Rule>) -> Vec<IvyDeclaration> {
        let braces = |rule| matches!(rule, Rule::opening_brace | Rule::closing_brace);
        let items = pair.into_inner().filter(|part| !braces(part.as_rule()));
        items.flat_map(|item| self.declaration(item)).collect()
    }

    fn body_of(&mut self, pair: Pair<'_, Rule>) -> Vec<IvyDeclaration> {
        let body = pair.into_inner().find(|part| part.as_rule() == Rule::body);
        self.body(body.expect("the grammar puts a body last"))
    }

    fn block_of(&mut self, pair: Pair<'_, Rule>) -> Vec<super::tree::IvyStep> {
        let block = pair.into_inner().find(|part| part.as_rule() == Rule::block);
        self.block(block.expect("the grammar puts a block last"))
    }

    fn instances(&mut self, pair: Pair<'_, Rule>) -> Vec<IvyDeclaration> {
        let instances = pair.into_inner().filter(|part| part.as_rule() == Rule::instance);
        instances
            .map(|instance| {
                let span = self.span(&instance);
                Spanned::new(IvyDeclarationKind::Instance(self.instance(instance)), span)
            })
            .collect()
    }

    fn instance(&mut self, pair: Pair<'_, Rule>) -> IvyInstance {
        let (mut name, mut module) = (None, None);
        let (mut params, mut actuals) = (Vec::new(), Vec::new());
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::declared => name = Some(self.identifier(&part)),
                Rule::formals => params = self.formals(part),
                Rule::path_name => module = Some(self.identifier(&part)),
                Rule::actuals => actuals = self.identifiers(part, Rule::actual),
                _ => {}
            }
        }
        IvyInstance { name, params, module: module.expect("the grammar names the module"), actuals }
    }

    fn object(&mut self, pair: Pair<'_, Rule>) -> Option<IvyDeclaration> {
        let span = self.span(&pair);
        let mut trust = Trust::Proved;
        let (mut name, mut body) = (None, None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::trusted_word => trust = Trust::Assumed,
                Rule::name => name = Some(self.identifier(&part)),
                Rule::body => body = Some(self.body(part)),
                Rule::formals => {
                    let place = self.span(&part);
                    let message = "objects with parameters are not supported";
                    let hint = "give its relations one more argument each";
                    let refusal = Diagnostic::error(MODULES, message, place).hint(hint);
                    self.diagnostics.push(refusal);
                }
                _ => {}
            }
        }
        let name = name.expect("the grammar names every object");
        let Some(body) = body else {
            let message = "`isolate` only groups verification tasks: it is ignored";
            self.diagnostics.push(ignored(message, span));
            return None;
        };
        Some(Spanned::new(IvyDeclarationKind::Object(name, trust, body), span))
    }

    fn action(&mut self, pair: Pair<'_, Rule>) -> IvyDeclarationKind {
        let mut name = None;
        let (mut params, mut returns) = (Vec::new(), Vec::new());
        let mut body = None;
        let mut exported = false;
        for part in pair.into_inner() {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::export_word => exported = true,
                Rule::import_word => self.diagnostics.push(unsupported("import", span)),
                Rule::declared => name = Some(self.identifier(&part)),
                Rule::formals => params = self.formals(part),
                Rule::returns => {
                    let formals = part.into_inner().last().expect("the results in parentheses");
                    returns = self.formals(formals);
                }
                Rule::block => body = Some(self.block(part)),
                _ => {}
            }
        }
        let name = name.expect("the grammar names every action");
        IvyDeclarationKind::Action(ActionDeclaration { name, params, returns, body, exported })
    }

    fn exports(&mut self, pair: Pair<'_, Rule>) -> Vec<IvyDeclaration> {
        let exported = |name: Identifier| {
            let span = name.span;
            Spanned::new(IvyDeclarationKind::Export(name), span)
        };
        self.identifiers(pair, Rule::path_name).into_iter().map(exported).collect()
    }

    fn interpretation(&mut self, pair: Pair<'_, Rule>) -> Option<IvyDeclaration> {
        let span = self.span(&pair);
        let names = self.identifiers(pair, Rule::path_name);
        let [sort, meaning] = &names[..] else { return None };
        if &*meaning.value != "int" {
            self.diagnostics.push(unsupported("interpret", span));
            return None;
        }
        Some(Spanned::new(IvyDeclarationKind::Integers(sort.clone()), span))
    }
}

/// Whether a declaration is for proofs that name it only.
fn is_explicit(pair: &Pair<'_, Rule>) -> bool {
    pair.clone().into_inner().any(|part| part.as_rule() == Rule::explicit)
}
