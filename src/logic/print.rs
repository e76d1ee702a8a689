//! Terms and formulas in concrete syntax, with no more parentheses than reading back needs.

use std::fmt::Write as _;

use super::{
    Comparison, Declarations, Domain, Formula, FormulaKind, Quantifier, SortDeclaration, Term,
    TermKind, Var, Vocabulary,
};

/// A formula as text.
pub fn print_formula<V: Vocabulary>(names: &dyn Declarations<V>, formula: &Formula<V>) -> String {
    let mut printer = FormulaPrinter { names, out: String::new() };
    printer.formula(formula, FormulaLevel::Loosest, Tail::Open);
    printer.out
}

/// A term as text.
pub fn print_term<V: Vocabulary>(names: &dyn Declarations<V>, term: &Term<V>) -> String {
    let mut printer = FormulaPrinter { names, out: String::new() };
    printer.term(term, FormulaLevel::Loosest);
    printer.out
}

/// Binders as text: `X: node, Y: key`.
pub fn print_vars<V: Vocabulary>(names: &dyn Declarations<V>, vars: &[Var<V>]) -> String {
    let binders = vars.iter().map(|var| format!("{}: {}", var.name, names.sort(var.sort).name));
    binders.collect::<Vec<_>>().join(", ")
}

/// A name with its arguments: `name`, or `name(args)`.
pub fn print_application(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("{name}({})", args.join(", ")) }
}

/// Binding strength, loosest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum FormulaLevel {
    Loosest,
    Iff,
    Implies,
    Or,
    And,
    Not,
    Relation,
    Sum,
    Atom,
}

/// The most neighbours in a chain that are compared with definitions, so that long chains print in
/// linear time.
const MOST_JOINED: usize = 8;

/// Whether anything may follow before the enclosing parenthesis closes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tail {
    /// Nothing follows: a quantifier may stand here bare.
    Open,
    /// Something follows.
    Closed,
}

struct FormulaPrinter<'a, V: Vocabulary> {
    names: &'a dyn Declarations<V>,
    out: String,
}

impl<V: Vocabulary> FormulaPrinter<'_, V> {
    fn formula(&mut self, formula: &Formula<V>, level: FormulaLevel, tail: Tail) {
        if let Some((name, args)) = self.names.abbreviation(formula) {
            return self.applied(&name, &args);
        }
        match formula.kind() {
            FormulaKind::Truth(value) => self.out.push_str(if *value { "true" } else { "false" }),
            FormulaKind::Holds(symbol, args) => self.application(*symbol, args),
            FormulaKind::Equal(left, right) => self.relation(left, " = ", right, level),
            FormulaKind::Compare(comparison, left, right) => {
                let operator = match comparison {
                    Comparison::Less => " < ",
                    Comparison::LessEqual => " <= ",
                };
                self.relation(left, operator, right, level);
            }
            FormulaKind::Not(inner) => self.negation(inner, level, tail),
            FormulaKind::And(parts) => self.chain(parts, " & ", FormulaLevel::And, level, tail),
            FormulaKind::Or(parts) => self.chain(parts, " | ", FormulaLevel::Or, level, tail),
            FormulaKind::Implies(premise, conclusion) => {
                self.grouped(level > FormulaLevel::Implies, tail, |printer, tail| {
                    printer.formula(premise, FormulaLevel::Or, Tail::Closed);
                    printer.out.push_str(" -> ");
                    printer.formula(conclusion, FormulaLevel::Implies, tail);
                });
            }
            FormulaKind::Iff(left, right) => {
                self.grouped(level > FormulaLevel::Iff, tail, |printer, tail| {
                    printer.formula(left, FormulaLevel::Implies, Tail::Closed);
                    printer.out.push_str(" <-> ");
                    printer.formula(right, FormulaLevel::Implies, tail);
                });
            }
            FormulaKind::If(condition, then, otherwise) => {
                self.grouped(level > FormulaLevel::Loosest, tail, |printer, tail| {
                    printer.formula(then, FormulaLevel::Iff, Tail::Closed);
                    printer.out.push_str(" if ");
                    printer.formula(condition, FormulaLevel::Iff, Tail::Closed);
                    printer.out.push_str(" else ");
                    printer.formula(otherwise, FormulaLevel::Loosest, tail);
                });
            }
            FormulaKind::Quantified(quantifier, vars, body) => {
                self.grouped(tail == Tail::Closed, tail, |printer, _| {
                    printer.binder(*quantifier, vars);
                    printer.formula(body, FormulaLevel::Loosest, Tail::Open);
                });
            }
        }
    }

    /// Runs `inner`, in parentheses if asked; inside them nothing follows.
    fn grouped(&mut self, parenthesise: bool, tail: Tail, inner: impl FnOnce(&mut Self, Tail)) {
        if parenthesise {
            self.out.push('(');
            inner(self, Tail::Open);
            self.out.push(')');
        } else {
            inner(self, tail);
        }
    }

    fn binder(&mut self, quantifier: Quantifier, vars: &[Var<V>]) {
        let word = match quantifier {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
        };
        let binders = print_vars(self.names, vars);
        write!(self.out, "{word} {binders}. ").expect("writing to a string succeeds");
    }

    fn negation(&mut self, inner: &Formula<V>, level: FormulaLevel, tail: Tail) {
        if let FormulaKind::Equal(left, right) = inner.kind()
            && self.names.abbreviation(inner).is_none()
        {
            return self.relation(left, " != ", right, level);
        }
        self.out.push('~');
        self.formula(inner, FormulaLevel::Not, tail);
    }

    fn chain(
        &mut self,
        parts: &[Formula<V>],
        operator: &str,
        own: FormulaLevel,
        level: FormulaLevel,
        tail: Tail,
    ) {
        let parts = self.joined(parts, own);
        self.grouped(level > own, tail, |printer, tail| {
            for (index, part) in parts.iter().enumerate() {
                if index > 0 {
                    printer.out.push_str(operator);
                }
                let last = index + 1 == parts.len();
                // One level tighter: a nested chain of the same operator was flattened.
                let inner =
                    if own == FormulaLevel::And { FormulaLevel::Not } else { FormulaLevel::And };
                printer.formula(part, inner, if last { tail } else { Tail::Closed });
            }
        });
    }

    /// The parts of a chain, with neighbours joined that together are an instance of a definition:
    /// where it was used, its own chain became part of the longer one.
    fn joined(&self, parts: &[Formula<V>], own: FormulaLevel) -> Vec<Formula<V>> {
        let join = |parts: &[Formula<V>]| match own {
            FormulaLevel::And => Formula::and(parts.iter().cloned()),
            _ => Formula::or(parts.iter().cloned()),
        };
        // The whole chain is no part of it.
        let most = MOST_JOINED.min(parts.len() - 1);
        let mut joined = Vec::new();
        let mut rest = parts;
        while let Some(first) = rest.first() {
            let lengths = (2..=most.min(rest.len())).rev();
            let named = lengths
                .map(|length| (length, join(&rest[..length])))
                .find(|(_, part)| self.names.abbreviation(part).is_some());
            let (length, part) = named.unwrap_or_else(|| (1, first.clone()));
            joined.push(part);
            rest = &rest[length..];
        }
        joined
    }

    fn relation(&mut self, left: &Term<V>, operator: &str, right: &Term<V>, level: FormulaLevel) {
        self.grouped(level > FormulaLevel::Relation, Tail::Closed, |printer, _| {
            printer.term(left, FormulaLevel::Sum);
            printer.out.push_str(operator);
            printer.term(right, FormulaLevel::Sum);
        });
    }

    fn term(&mut self, term: &Term<V>, level: FormulaLevel) {
        match term.kind() {
            TermKind::Var(var) => self.out.push_str(&var.name),
            TermKind::Apply(symbol, args, _) => self.application(*symbol, args),
            TermKind::Integer(value, _) => {
                self.grouped(
                    *value < 0 && level > FormulaLevel::Loosest,
                    Tail::Open,
                    |printer, _| {
                        printer.out.push_str(&value.to_string());
                    },
                );
            }
            TermKind::Element(index, sort) => self.element(*index, *sort),
            TermKind::Add(left, right) => self.sum(left, " + ", right, level),
            TermKind::Subtract(left, right) => self.sum(left, " - ", right, level),
            TermKind::If(condition, then, otherwise) => {
                self.grouped(level > FormulaLevel::Loosest, Tail::Open, |printer, _| {
                    printer.term(then, FormulaLevel::Sum);
                    printer.out.push_str(" if ");
                    printer.formula(condition, FormulaLevel::Iff, Tail::Closed);
                    printer.out.push_str(" else ");
                    printer.term(otherwise, FormulaLevel::Loosest);
                });
            }
        }
    }

    fn element(&mut self, index: u32, sort: V::Sort) {
        let SortDeclaration { name, domain } = self.names.sort(sort);
        let own = match &domain {
            Domain::Enumeration(elements) => elements.get(index as usize),
            Domain::Finite | Domain::Int => None,
        };
        match own {
            Some(element) => self.out.push_str(element),
            None => write!(self.out, "{name}{index}").expect("writing to a string succeeds"),
        }
    }

    fn sum(&mut self, left: &Term<V>, operator: &str, right: &Term<V>, level: FormulaLevel) {
        self.grouped(level > FormulaLevel::Sum, Tail::Closed, |printer, _| {
            printer.term(left, FormulaLevel::Sum);
            printer.out.push_str(operator);
            printer.term(right, FormulaLevel::Atom);
        });
    }

    fn application(&mut self, symbol: V::Symbol, args: &[Term<V>]) {
        let name = self.names.symbol(symbol).name;
        self.applied(&name, args);
    }

    fn applied(&mut self, name: &str, args: &[Term<V>]) {
        self.out.push_str(name);
        if args.is_empty() {
            return;
        }
        self.out.push('(');
        for (index, arg) in args.iter().enumerate() {
            if index > 0 {
                self.out.push_str(", ");
            }
            self.term(arg, FormulaLevel::Loosest);
        }
        self.out.push(')');
    }
}
