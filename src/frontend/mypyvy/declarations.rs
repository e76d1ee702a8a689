//! mypyvy's declarations, from matches to the tree.

use pest::iterators::Pair;

use super::codes::{IGNORED, UNSUPPORTED};
use super::expressions::MypyvyExpressionBuilder;
use super::grammar::Rule;
use super::tree::{MypyvyDeclaration, MypyvyDeclarationKind, MypyvyTransition};
use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::matched::Matched;
use crate::frontend::syntax::surface::{
    Binder, Expression, Identifier, LabelledFormula, SymbolItem,
};
use crate::source::Spanned;

impl MypyvyExpressionBuilder<'_> {
    /// What one match declares: nothing if it is refused or means nothing here.
    pub(super) fn declaration(&mut self, pair: Pair<'_, Rule>) -> Option<MypyvyDeclaration> {
        let span = self.span(&pair);
        let kind = match pair.as_rule() {
            Rule::sort => MypyvyDeclarationKind::Sort(self.name_of(&pair)),
            Rule::relation | Rule::function | Rule::constant => {
                MypyvyDeclarationKind::Symbol(self.symbol(pair))
            }
            Rule::derived => {
                MypyvyDeclarationKind::Derived(self.name_of(&pair), self.body_of(pair))
            }
            Rule::axiom => MypyvyDeclarationKind::Axiom(self.labelled_formula(pair)),
            Rule::init => MypyvyDeclarationKind::Init(self.labelled_formula(pair)),
            Rule::safety => MypyvyDeclarationKind::Safety(self.labelled_formula(pair)),
            Rule::invariant => return self.invariant(pair),
            Rule::definition => MypyvyDeclarationKind::Definition(
                self.name_of(&pair),
                self.parameters_of(&pair),
                self.body_of(pair),
            ),
            Rule::transition => MypyvyDeclarationKind::Transition(self.transition(pair)),
            Rule::trace => MypyvyDeclarationKind::Trace(self.trace(pair)),
            _ => {
                self.left_out(pair);
                return None;
            }
        };
        Some(Spanned::new(kind, span))
    }

    fn left_out(&mut self, pair: Pair<'_, Rule>) {
        let span = self.span(&pair).start_only();
        let diagnostic = match pair.as_rule() {
            Rule::theorem => Diagnostic::note(
                IGNORED,
                "a `theorem` should follow from the axioms: it is ignored",
                span,
            ),
            Rule::automaton => {
                Diagnostic::note(IGNORED, "an `automaton` is part of a proof: it is ignored", span)
            }
            Rule::both_ways => {
                Diagnostic::note(IGNORED, "`fbii` is part of a proof: it is ignored", span)
            }
            _ => Diagnostic::error(UNSUPPORTED, "bodies of statements are not supported", span)
                .labelled("assignments and assumptions, in mypyvy")
                .hint("write `modifies …` and a formula with `new(…)`"),
        };
        self.diagnostics.push(diagnostic);
    }

    fn name_of(&self, pair: &Pair<'_, Rule>) -> Identifier {
        let name = pair.clone().into_inner().find(|part| part.as_rule() == Rule::name);
        self.identifier(&name.expect("the grammar names every declaration"))
    }

    fn body_of(&mut self, pair: Pair<'_, Rule>) -> Expression {
        let body = pair.into_inner().find(|part| part.as_rule() == Rule::expression);
        self.expression(body.expect("the grammar ends with a formula"))
    }

    fn parameters_of(&self, pair: &Pair<'_, Rule>) -> Vec<Binder> {
        let parts = pair.clone().into_inner();
        let parameters = parts.filter(|part| part.as_rule() == Rule::parameters);
        let binders = parameters.flat_map(Pair::into_inner);
        let binders = binders.filter(|part| part.as_rule() == Rule::binder);
        binders.map(|binder| self.binder(binder)).collect()
    }

    fn symbol(&mut self, pair: Pair<'_, Rule>) -> SymbolItem {
        let name = self.name_of(&pair);
        let mut rigid = false;
        let (mut params, mut result) = (Vec::new(), None);
        for part in pair.into_inner() {
            match part.as_rule() {
                Rule::immutable_word => rigid = true,
                Rule::arity => params = self.identifiers(part, Rule::sort_name),
                Rule::sort_name => result = Some(self.identifier(&part)),
                _ => {}
            }
        }
        SymbolItem { name, params, result, rigid }
    }

    fn labelled_formula(&mut self, pair: Pair<'_, Rule>) -> LabelledFormula {
        let label = pair.clone().into_inner().find(|part| part.as_rule() == Rule::label);
        let label = label.and_then(|label| label.into_inner().next());
        let label = label.map(|name| self.identifier(&name));
        LabelledFormula { label, formula: self.body_of(pair) }
    }

    fn invariant(&mut self, pair: Pair<'_, Rule>) -> Option<MypyvyDeclaration> {
        let span = self.span(&pair);
        let sketch = pair.clone().into_inner().next().map(|first| first.as_rule());
        if sketch == Some(Rule::sketch_word) {
            let message = "a `sketch` is for another tool: it is ignored";
            self.diagnostics.push(Diagnostic::note(IGNORED, message, span.start_only()));
            return None;
        }
        let line = self.labelled_formula(pair);
        Some(Spanned::new(MypyvyDeclarationKind::Invariant(line), span))
    }

    fn transition(&mut self, pair: Pair<'_, Rule>) -> MypyvyTransition {
        let parts = pair.clone().into_inner();
        let modifies = parts.filter(|part| part.as_rule() == Rule::modifies);
        let modifies = modifies.flat_map(|part| self.identifiers(part, Rule::target)).collect();
        MypyvyTransition {
            name: self.name_of(&pair),
            params: self.parameters_of(&pair),
            modifies,
            formula: self.body_of(pair),
        }
    }
}
