//! Expressions that can be read back: bound variables get names that hide nothing, and a clause
//! goes without its outermost quantifier where reading puts the same one there.

use std::collections::BTreeSet;

use crate::keywords::is_keyword;
use crate::logic::{
    Declarations, Formula, FormulaKind, Name, Node, Quantifier, Rewrite, Term, TermKind, Var,
    Vocabulary, print_formula, rewrite_formula, rewrite_term,
};

/// Whether a name can be written as an identifier.
pub(super) fn is_identifier(name: &str) -> bool {
    let stem = name.trim_end_matches(['\'', '′']);
    let word = |character: char| {
        character.is_ascii_alphanumeric() || character == '_' || ('₀'..='₉').contains(&character)
    };
    stem.starts_with(|first: char| first.is_ascii_alphabetic())
        && stem.chars().all(word)
        && !is_keyword(name)
}

/// The nearest identifier to a name that is not taken.
pub(super) fn legible_name(name: &Name, taken: &dyn Fn(&str) -> bool) -> Name {
    let good = |name: &str| is_identifier(name) && !taken(name);
    if good(name) {
        return name.clone();
    }
    let stem: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let stem = if is_identifier(&stem) { stem } else { format!("x{stem}") };
    let numbered = (1..).map(|index| format!("{stem}_{index}"));
    let mut names = std::iter::once(stem.clone()).chain(numbered);
    names.find(|name| good(name)).expect("finitely many names are taken").into()
}

/// Renames bound variables so that they are identifiers and hide nothing.
pub(super) struct Legible<'a, V: Vocabulary> {
    /// Whether a name means something already.
    pub(super) taken: &'a dyn Fn(&str) -> bool,
    /// The variables in scope and what they are called now, innermost last.
    pub(super) scope: Vec<(Var<V>, Var<V>)>,
}

impl<V: Vocabulary> Legible<'_, V> {
    /// Enters variables under names that hide nothing.
    pub(super) fn enter(&mut self, vars: &[Var<V>]) -> Vec<Var<V>> {
        for var in vars {
            let used: BTreeSet<&Name> = self.scope.iter().map(|(_, now)| &now.name).collect();
            let taken = |name: &str| used.contains(&Name::from(name)) || (self.taken)(name);
            let now = Var::new(legible_name(&var.name, &taken), var.sort);
            self.scope.push((var.clone(), now));
        }
        let entered = self.scope.iter().skip(self.scope.len() - vars.len());
        entered.map(|(_, now)| now.clone()).collect()
    }

    /// A formula with its bound variables renamed.
    pub(super) fn formula(&mut self, formula: &Formula<V>) -> Formula<V> {
        rewrite_formula(self, formula)
    }

    /// A term with its bound variables renamed.
    pub(super) fn term(&mut self, term: &Term<V>) -> Term<V> {
        rewrite_term(self, term)
    }
}

impl<V: Vocabulary> Rewrite<V, V> for Legible<'_, V> {
    fn sort(&mut self, sort: V::Sort) -> V::Sort {
        sort
    }

    fn var(&mut self, var: &Var<V>) -> Term<V> {
        let known = self.scope.iter().rev().find(|(before, _)| before == var);
        Term::var(known.map_or(var, |(_, now)| now).clone())
    }

    fn apply(&mut self, symbol: V::Symbol, args: Vec<Term<V>>, sort: V::Sort) -> Term<V> {
        Term::apply(symbol, args, sort)
    }

    fn holds(&mut self, symbol: V::Symbol, args: Vec<Term<V>>) -> Formula<V> {
        Formula::holds(symbol, args)
    }

    fn bind(&mut self, vars: &[Var<V>]) -> Vec<Var<V>> {
        self.enter(vars)
    }

    fn unbind(&mut self, vars: &[Var<V>]) {
        self.scope.truncate(self.scope.len() - vars.len());
    }
}

/// A closed clause as text, without its outermost `forall` where that is understood.
///
/// `tells` says whether a symbol's arguments have one sort each.
pub(super) fn print_clause<V: Vocabulary>(
    names: &dyn Declarations<V>,
    clause: &Formula<V>,
    taken: &dyn Fn(&str) -> bool,
    tells: &dyn Fn(V::Symbol) -> bool,
) -> String {
    let clause = Legible { taken, scope: Vec::new() }.formula(clause);
    match clause.kind() {
        FormulaKind::Quantified(Quantifier::Forall, vars, body)
            if is_understood(names, vars, body, tells) =>
        {
            print_formula(names, body)
        }
        _ => print_formula(names, &clause),
    }
}

/// Whether reading the body alone quantifies over these variables in this order, with these sorts.
fn is_understood<V: Vocabulary>(
    names: &dyn Declarations<V>,
    vars: &[Var<V>],
    body: &Formula<V>,
    tells: &dyn Fn(V::Symbol) -> bool,
) -> bool {
    let (order, sorted) = (Vec::new(), BTreeSet::new());
    let mut text = ReadVariables { names, tells, vars, order, sorted, plain: true };
    text.read(Node::Formula(body));
    let capital = |var: &Var<V>| var.name.starts_with(|first: char| first.is_ascii_uppercase());
    let ReadVariables { order, sorted, plain, .. } = text;
    plain && order == vars && vars.iter().all(|var| capital(var) && sorted.contains(var))
}

/// What the text of a formula tells about some of its variables. The name of a definition stands
/// for its body, so its arguments are what the text has.
struct ReadVariables<'a, V: Vocabulary> {
    names: &'a dyn Declarations<V>,
    tells: &'a dyn Fn(V::Symbol) -> bool,
    vars: &'a [Var<V>],
    /// In the order of their first occurrence.
    order: Vec<Var<V>>,
    /// Those that are an argument whose sort is known.
    sorted: BTreeSet<Var<V>>,
    /// Whether there is no `if`, whose condition is written after its first branch.
    plain: bool,
}

impl<V: Vocabulary> ReadVariables<'_, V> {
    fn read(&mut self, node: Node<'_, V>) {
        match node {
            Node::Formula(formula) => {
                if let Some((_, args)) = self.names.abbreviation(formula) {
                    self.arguments(&args);
                    return args.iter().for_each(|arg| self.read(Node::Term(arg)));
                }
                match formula.kind() {
                    FormulaKind::Holds(symbol, args) if (self.tells)(*symbol) => {
                        self.arguments(args);
                    }
                    FormulaKind::If(..) => self.plain = false,
                    _ => {}
                }
            }
            Node::Term(term) => match term.kind() {
                TermKind::Apply(symbol, args, _) if (self.tells)(*symbol) => self.arguments(args),
                TermKind::Var(var) if self.vars.contains(var) && !self.order.contains(var) => {
                    self.order.push(var.clone());
                }
                TermKind::If(..) => self.plain = false,
                _ => {}
            },
        }
        node.children().into_iter().for_each(|child| self.read(child));
    }

    fn arguments(&mut self, args: &[Term<V>]) {
        self.sorted.extend(args.iter().filter_map(|arg| match arg.kind() {
            TermKind::Var(var) => Some(var.clone()),
            _ => None,
        }));
    }
}
