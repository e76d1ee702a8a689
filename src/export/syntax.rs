//! Formulas in any language: the walk is here, the words are the language's.
//!
//! Whatever is not a name, an application or a negation of one stands in parentheses, so that no
//! two languages can disagree about how it groups.

use super::names::ExportNames;
use crate::logic::{
    Comparison, Formula, FormulaKind, Node, Quantifier, Term, TermKind, Var, Vocabulary,
};
use crate::protocol::Sort;

/// What a language says about the symbols of one vocabulary; sorts are those of protocols.
pub(super) trait Syntax<V: Vocabulary<Sort = Sort>> {
    /// The fixed words and shapes.
    fn words(&self) -> &'static LanguageWords;
    /// The names of everything that is declared.
    fn names(&self) -> &ExportNames;
    /// A symbol applied to arguments.
    fn symbol(&self, symbol: V::Symbol, args: &[String]) -> String;

    /// Names that no variable may have, beyond those declared and in scope.
    fn taken(&self) -> &[String] {
        &[]
    }

    /// A sort, as it stands after a bound variable.
    fn sort(&self, sort: Sort) -> String {
        self.names().sort(sort).unwrap_or(self.words().integers).to_owned()
    }

    /// An element of an enumeration.
    fn element(&self, sort: Sort, index: u32) -> String {
        self.names().elements(sort)[index as usize].clone()
    }

    /// A name for a bound variable; `scope` is what is bound around it.
    fn variable(&self, name: &str, scope: &[String]) -> String {
        let others: Vec<String> = scope.iter().chain(self.taken()).cloned().collect();
        self.names().free(name, &others)
    }
}

/// The fixed words and shapes of a language.
pub(super) struct LanguageWords {
    pub(super) truth: &'static str,
    pub(super) falsehood: &'static str,
    pub(super) not: &'static str,
    pub(super) and: &'static str,
    pub(super) or: &'static str,
    pub(super) implies: &'static str,
    pub(super) iff: &'static str,
    pub(super) equal: &'static str,
    pub(super) different: &'static str,
    pub(super) at_most: &'static str,
    /// What the integers are called.
    pub(super) integers: &'static str,
    /// A quantified formula over variables with their sorts, without parentheses around it.
    pub(super) quantified: fn(Quantifier, &[(String, String)], &str) -> String,
    /// A choice between two values by a condition, without parentheses around it.
    pub(super) conditional: fn(&str, &str, &str) -> String,
}

/// Writes terms and formulas.
pub(super) struct FormulaWriter<'a, V: Vocabulary, S> {
    syntax: &'a S,
    /// Variables in scope and what they are called, innermost last.
    scope: Vec<(Var<V>, String)>,
}

/// A piece of text that may need parentheses where it is part of a larger one.
struct Piece {
    text: String,
    whole: bool,
}

impl Piece {
    fn operand(self) -> String {
        if self.whole { self.text } else { format!("({})", self.text) }
    }
}

impl<'a, V: Vocabulary<Sort = Sort>, S: Syntax<V>> FormulaWriter<'a, V, S> {
    /// A writer with some variables in scope under given names.
    pub(super) fn new(syntax: &'a S, scope: Vec<(Var<V>, String)>) -> Self {
        FormulaWriter { syntax, scope }
    }

    /// A formula.
    pub(super) fn formula(&mut self, formula: &Formula<V>) -> String {
        self.node(Node::Formula(formula)).text
    }

    /// A formula that can stand as an operand.
    pub(super) fn operand(&mut self, formula: &Formula<V>) -> String {
        self.node(Node::Formula(formula)).operand()
    }

    /// A term.
    pub(super) fn term(&mut self, term: &Term<V>) -> String {
        self.node(Node::Term(term)).text
    }

    fn node(&mut self, node: Node<'_, V>) -> Piece {
        if let Node::Formula(formula) = node
            && let FormulaKind::Quantified(quantifier, vars, body) = formula.kind()
        {
            return self.quantified(*quantifier, vars, body);
        }
        let parts: Vec<Piece> = node.children().into_iter().map(|child| self.node(child)).collect();
        match node {
            Node::Term(term) => self.joined_term(term, parts),
            Node::Formula(formula) => self.joined_formula(formula, parts),
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, vars: &[Var<V>], body: &Formula<V>) -> Piece {
        let outside = self.scope.len();
        let mut binders = Vec::new();
        for var in vars {
            let names: Vec<String> = self.scope.iter().map(|(_, name)| name.clone()).collect();
            let name = self.syntax.variable(&var.name, &names);
            binders.push((name.clone(), self.syntax.sort(var.sort)));
            self.scope.push((var.clone(), name));
        }
        let body = self.node(Node::Formula(body)).text;
        self.scope.truncate(outside);
        let write = self.syntax.words().quantified;
        Piece { text: write(quantifier, &binders, &body), whole: false }
    }

    fn joined_term(&self, term: &Term<V>, parts: Vec<Piece>) -> Piece {
        let whole = |text: String| Piece { text, whole: true };
        match term.kind() {
            TermKind::Var(var) => {
                let bound = self.scope.iter().rev().find(|(known, _)| known == var);
                whole(bound.map_or_else(|| var.name.to_string(), |(_, name)| name.clone()))
            }
            TermKind::Apply(symbol, _, _) => whole(self.applied(*symbol, parts)),
            TermKind::Integer(value, _) if *value < 0 => {
                Piece { text: format!("0 - {}", value.unsigned_abs()), whole: false }
            }
            TermKind::Integer(value, _) => whole(value.to_string()),
            TermKind::Element(index, sort) => whole(self.syntax.element(*sort, *index)),
            TermKind::Add(..) => infix(parts, "+"),
            TermKind::Subtract(..) => infix(parts, "-"),
            TermKind::If(..) => self.conditional(parts),
        }
    }

    fn joined_formula(&self, formula: &Formula<V>, mut parts: Vec<Piece>) -> Piece {
        let words = self.syntax.words();
        match formula.kind() {
            FormulaKind::Truth(value) => {
                let text = if *value { words.truth } else { words.falsehood };
                Piece { text: text.to_owned(), whole: true }
            }
            FormulaKind::Holds(symbol, _) => {
                Piece { text: self.applied(*symbol, parts), whole: true }
            }
            FormulaKind::Equal(..) => infix(parts, words.equal),
            FormulaKind::Compare(Comparison::Less, ..) => infix(parts, "<"),
            FormulaKind::Compare(Comparison::LessEqual, ..) => infix(parts, words.at_most),
            FormulaKind::Not(inner) => {
                if let FormulaKind::Equal(left, right) = inner.kind() {
                    let mut copy = FormulaWriter { syntax: self.syntax, scope: self.scope.clone() };
                    let sides = [left, right].map(|side| copy.node(Node::Term(side)));
                    return infix(sides.into(), words.different);
                }
                let inner = parts.remove(0).operand();
                Piece { text: format!("{}{inner}", words.not), whole: true }
            }
            FormulaKind::And(_) => infix(parts, words.and),
            FormulaKind::Or(_) => infix(parts, words.or),
            FormulaKind::Implies(..) => infix(parts, words.implies),
            FormulaKind::Iff(..) => infix(parts, words.iff),
            FormulaKind::If(..) => self.conditional(parts),
            FormulaKind::Quantified(..) => unreachable!("quantifiers are written before"),
        }
    }

    fn applied(&self, symbol: V::Symbol, parts: Vec<Piece>) -> String {
        let args: Vec<String> = parts.into_iter().map(|part| part.text).collect();
        self.syntax.symbol(symbol, &args)
    }

    fn conditional(&self, parts: Vec<Piece>) -> Piece {
        let parts: Vec<String> = parts.into_iter().map(Piece::operand).collect();
        let text = (self.syntax.words().conditional)(&parts[0], &parts[1], &parts[2]);
        Piece { text, whole: false }
    }
}

fn infix(parts: Vec<Piece>, operator: &str) -> Piece {
    let parts: Vec<String> = parts.into_iter().map(Piece::operand).collect();
    Piece { text: parts.join(&format!(" {operator} ")), whole: false }
}

/// A quantifier with typed variables and a dot, as Ivy and mypyvy write it.
pub(super) fn dotted(quantifier: Quantifier, binders: &[(String, String)], body: &str) -> String {
    let word = match quantifier {
        Quantifier::Forall => "forall",
        Quantifier::Exists => "exists",
    };
    let binders: Vec<String> =
        binders.iter().map(|(name, sort)| format!("{name}:{sort}")).collect();
    format!("{word} {}. {body}", binders.join(", "))
}
