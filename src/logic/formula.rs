//! Many-sorted terms and formulas: immutable, shared, built by smart constructors only.

use std::sync::Arc;

use super::{Name, Vocabulary};

/// A variable: its name and sort are its identity.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var<V: Vocabulary> {
    /// The name.
    pub name: Name,
    /// The sort it ranges over.
    pub sort: V::Sort,
}

impl<V: Vocabulary> Var<V> {
    /// The variable `name` of sort `sort`.
    pub fn new(name: impl Into<Name>, sort: V::Sort) -> Self {
        Var { name: name.into(), sort }
    }
}

/// A term: it denotes an element of a sort (or an integer).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Term<V: Vocabulary>(Arc<TermKind<V>>);

/// The shapes of terms.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TermKind<V: Vocabulary> {
    /// A variable.
    Var(Var<V>),
    /// A function or constant applied to arguments; the last part is the sort of the value.
    Apply(V::Symbol, Vec<Term<V>>, V::Sort),
    /// An integer literal, with the sort that stands for the integers.
    Integer(i64, V::Sort),
    /// An element of an enumeration, by its position.
    Element(u32, V::Sort),
    /// The sum of two integers.
    Add(Term<V>, Term<V>),
    /// The difference of two integers.
    Subtract(Term<V>, Term<V>),
    /// One of two terms, depending on a formula.
    If(Formula<V>, Term<V>, Term<V>),
}

/// A formula: it denotes truth.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Formula<V: Vocabulary>(Arc<FormulaKind<V>>);

/// For all, or for some.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantifier {
    /// For all.
    Forall,
    /// For some.
    Exists,
}

impl Quantifier {
    /// The other quantifier.
    pub fn dual(self) -> Self {
        match self {
            Quantifier::Forall => Quantifier::Exists,
            Quantifier::Exists => Quantifier::Forall,
        }
    }
}

/// An order relation between integers; `>` and `>=` are these with the sides exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Comparison {
    /// Strictly less.
    Less,
    /// Less or equal.
    LessEqual,
}

/// The shapes of formulas.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FormulaKind<V: Vocabulary> {
    /// True or false.
    Truth(bool),
    /// A relation holds of arguments.
    Holds(V::Symbol, Vec<Term<V>>),
    /// Two terms of one sort denote the same element.
    Equal(Term<V>, Term<V>),
    /// Two integers are ordered.
    Compare(Comparison, Term<V>, Term<V>),
    /// Negation.
    Not(Formula<V>),
    /// Conjunction of at least two.
    And(Vec<Formula<V>>),
    /// Disjunction of at least two.
    Or(Vec<Formula<V>>),
    /// Implication.
    Implies(Formula<V>, Formula<V>),
    /// Equivalence.
    Iff(Formula<V>, Formula<V>),
    /// One of two formulas, depending on a third.
    If(Formula<V>, Formula<V>, Formula<V>),
    /// Quantification over at least one variable.
    Quantified(Quantifier, Vec<Var<V>>, Formula<V>),
}

impl<V: Vocabulary> Term<V> {
    /// The shape of this term.
    pub fn kind(&self) -> &TermKind<V> {
        &self.0
    }

    /// The sort of what this term denotes.
    pub fn sort(&self) -> V::Sort {
        match self.kind() {
            TermKind::Var(var) => var.sort,
            TermKind::Apply(_, _, sort)
            | TermKind::Integer(_, sort)
            | TermKind::Element(_, sort) => *sort,
            TermKind::Add(left, _) | TermKind::Subtract(left, _) => left.sort(),
            TermKind::If(_, then, _) => then.sort(),
        }
    }

    /// A variable as a term.
    pub fn var(var: Var<V>) -> Self {
        Term(Arc::new(TermKind::Var(var)))
    }

    /// A function or constant applied to arguments.
    pub fn apply(symbol: V::Symbol, args: Vec<Term<V>>, sort: V::Sort) -> Self {
        Term(Arc::new(TermKind::Apply(symbol, args, sort)))
    }

    /// An integer literal; `sort` is the vocabulary's integer sort.
    pub fn integer(value: i64, sort: V::Sort) -> Self {
        Term(Arc::new(TermKind::Integer(value, sort)))
    }

    /// An element of an enumeration, by its position.
    pub fn element(index: u32, sort: V::Sort) -> Self {
        Term(Arc::new(TermKind::Element(index, sort)))
    }

    /// A sum.
    // Not the operator: terms are built by name, and sorts are not checked by `+`.
    #[allow(clippy::should_implement_trait)]
    pub fn add(left: Term<V>, right: Term<V>) -> Self {
        Term(Arc::new(TermKind::Add(left, right)))
    }

    /// A difference.
    pub fn subtract(left: Term<V>, right: Term<V>) -> Self {
        Term(Arc::new(TermKind::Subtract(left, right)))
    }

    /// `then` if `condition` holds, else `otherwise`.
    pub fn if_then_else(condition: Formula<V>, then: Term<V>, otherwise: Term<V>) -> Self {
        match condition.kind() {
            FormulaKind::Truth(true) => then,
            FormulaKind::Truth(false) => otherwise,
            _ if then == otherwise => then,
            _ => Term(Arc::new(TermKind::If(condition, then, otherwise))),
        }
    }
}

impl<V: Vocabulary> Formula<V> {
    /// The shape of this formula.
    pub fn kind(&self) -> &FormulaKind<V> {
        &self.0
    }

    fn wrap(kind: FormulaKind<V>) -> Self {
        Formula(Arc::new(kind))
    }

    /// True or false.
    pub fn truth(value: bool) -> Self {
        Self::wrap(FormulaKind::Truth(value))
    }

    /// A relation holds of arguments.
    pub fn holds(symbol: V::Symbol, args: Vec<Term<V>>) -> Self {
        Self::wrap(FormulaKind::Holds(symbol, args))
    }

    /// Two terms are equal; of two elements of an enumeration that is known.
    pub fn equal(left: Term<V>, right: Term<V>) -> Self {
        debug_assert_eq!(left.sort(), right.sort(), "equality between terms of one sort");
        match (left.kind(), right.kind()) {
            _ if left == right => Self::truth(true),
            (TermKind::Element(one, _), TermKind::Element(other, _)) => Self::truth(one == other),
            _ => Self::wrap(FormulaKind::Equal(left, right)),
        }
    }

    /// Two integers are ordered.
    pub fn compare(comparison: Comparison, left: Term<V>, right: Term<V>) -> Self {
        Self::wrap(FormulaKind::Compare(comparison, left, right))
    }

    /// The negation; double negations and constants are folded.
    pub fn negate(&self) -> Self {
        match self.kind() {
            FormulaKind::Truth(value) => Self::truth(!value),
            FormulaKind::Not(inner) => inner.clone(),
            _ => Self::wrap(FormulaKind::Not(self.clone())),
        }
    }

    /// The conjunction; nested conjunctions are flattened and constants folded.
    pub fn and(conjuncts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for conjunct in conjuncts {
            match conjunct.kind() {
                FormulaKind::Truth(true) => {}
                FormulaKind::Truth(false) => return conjunct,
                FormulaKind::And(inner) => flat.extend(inner.iter().cloned()),
                _ => flat.push(conjunct),
            }
        }
        Self::joined(flat, true, FormulaKind::And)
    }

    /// The disjunction; nested disjunctions are flattened and constants folded.
    pub fn or(disjuncts: impl IntoIterator<Item = Self>) -> Self {
        let mut flat = Vec::new();
        for disjunct in disjuncts {
            match disjunct.kind() {
                FormulaKind::Truth(false) => {}
                FormulaKind::Truth(true) => return disjunct,
                FormulaKind::Or(inner) => flat.extend(inner.iter().cloned()),
                _ => flat.push(disjunct),
            }
        }
        Self::joined(flat, false, FormulaKind::Or)
    }

    fn joined(mut parts: Vec<Self>, of_none: bool, join: fn(Vec<Self>) -> FormulaKind<V>) -> Self {
        match parts.len() {
            0 => Self::truth(of_none),
            1 => parts.swap_remove(0),
            _ => Self::wrap(join(parts)),
        }
    }

    /// The implication; constants are folded.
    pub fn implies(premise: Self, conclusion: Self) -> Self {
        match (premise.kind(), conclusion.kind()) {
            (FormulaKind::Truth(true), _) => conclusion,
            (FormulaKind::Truth(false), _) | (_, FormulaKind::Truth(true)) => Self::truth(true),
            (_, FormulaKind::Truth(false)) => premise.negate(),
            _ => Self::wrap(FormulaKind::Implies(premise, conclusion)),
        }
    }

    /// The equivalence; constants are folded.
    pub fn iff(left: Self, right: Self) -> Self {
        match (left.kind(), right.kind()) {
            (FormulaKind::Truth(true), _) => right,
            (_, FormulaKind::Truth(true)) => left,
            (FormulaKind::Truth(false), _) => right.negate(),
            (_, FormulaKind::Truth(false)) => left.negate(),
            _ if left == right => Self::truth(true),
            _ => Self::wrap(FormulaKind::Iff(left, right)),
        }
    }

    /// `then` if `condition` holds, else `otherwise`.
    pub fn if_then_else(condition: Self, then: Self, otherwise: Self) -> Self {
        match condition.kind() {
            FormulaKind::Truth(true) => then,
            FormulaKind::Truth(false) => otherwise,
            _ if then == otherwise => then,
            _ => Self::wrap(FormulaKind::If(condition, then, otherwise)),
        }
    }

    /// Quantification; no variables or a constant body give the body (all sorts are non-empty).
    pub fn quantified(quantifier: Quantifier, vars: Vec<Var<V>>, body: Self) -> Self {
        if vars.is_empty() || matches!(body.kind(), FormulaKind::Truth(_)) {
            return body;
        }
        Self::wrap(FormulaKind::Quantified(quantifier, vars, body))
    }

    /// For all `vars`.
    pub fn forall(vars: Vec<Var<V>>, body: Self) -> Self {
        Self::quantified(Quantifier::Forall, vars, body)
    }

    /// For some `vars`.
    pub fn exists(vars: Vec<Var<V>>, body: Self) -> Self {
        Self::quantified(Quantifier::Exists, vars, body)
    }

    /// The conjuncts of a conjunction, or the formula alone.
    pub fn conjuncts(&self) -> Vec<Self> {
        match self.kind() {
            FormulaKind::And(conjuncts) => conjuncts.clone(),
            FormulaKind::Truth(true) => Vec::new(),
            _ => vec![self.clone()],
        }
    }
}
