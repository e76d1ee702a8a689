//! Capture-avoiding substitution: of terms for variables, of definitions for symbols, and of one
//! vocabulary for another, all through [`super::traverse`].

use std::collections::{BTreeMap, BTreeSet};

use super::traverse::{Node, Rewrite, free_vars, rewrite_formula, rewrite_term};
use super::{Formula, Name, Term, Var, Vocabulary};

/// The body of an explicit definition.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Body<V: Vocabulary> {
    /// Of a relation.
    Formula(Formula<V>),
    /// Of a function or constant.
    Term(Term<V>),
}

/// An explicit definition: a symbol's value at `params` is `body`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Definition<V: Vocabulary> {
    /// The argument variables.
    pub params: Vec<Var<V>>,
    /// The value; its free variables beyond `params` are variables of the context.
    pub body: Body<V>,
}

impl<V: Vocabulary> Definition<V> {
    /// The definition that a relation holds of `params` iff `body`.
    pub fn relation(params: Vec<Var<V>>, body: Formula<V>) -> Self {
        Definition { params, body: Body::Formula(body) }
    }

    /// The definition that a function maps `params` to `body`.
    pub fn function(params: Vec<Var<V>>, body: Term<V>) -> Self {
        Definition { params, body: Body::Term(body) }
    }

    /// The body with `args` for the parameters.
    pub fn at(&self, args: &[Term<V>]) -> Body<V> {
        self.body.translate(self.bindings(args), SAME)
    }

    fn bindings(&self, args: &[Term<V>]) -> BTreeMap<Var<V>, Term<V>> {
        debug_assert_eq!(self.params.len(), args.len(), "a definition is applied at its arity");
        self.params.iter().cloned().zip(args.iter().cloned()).collect()
    }
}

impl<V: Vocabulary> Body<V> {
    /// `symbol(args)`: a term if there is a sort for it, else a formula.
    pub fn applied(symbol: V::Symbol, args: Vec<Term<V>>, result: Option<V::Sort>) -> Self {
        match result {
            None => Body::Formula(Formula::holds(symbol, args)),
            Some(sort) => Body::Term(Term::apply(symbol, args, sort)),
        }
    }

    /// `then` if `condition` holds, else `otherwise`: both are bodies of one symbol.
    pub fn if_then_else(condition: Formula<V>, then: Self, otherwise: Self) -> Self {
        match (then, otherwise) {
            (Body::Formula(then), Body::Formula(otherwise)) => {
                Body::Formula(Formula::if_then_else(condition, then, otherwise))
            }
            (Body::Term(then), Body::Term(otherwise)) => {
                Body::Term(Term::if_then_else(condition, then, otherwise))
            }
            _ => unreachable!("both sides have the rank of one symbol"),
        }
    }

    /// The formula or the term.
    pub fn node(&self) -> Node<'_, V> {
        match self {
            Body::Formula(formula) => Node::Formula(formula),
            Body::Term(term) => Node::Term(term),
        }
    }

    /// Translates the body; free variables are replaced by `bindings`, or keep their names.
    pub fn translate<W: Vocabulary>(
        &self,
        bindings: BTreeMap<Var<V>, Term<W>>,
        translation: impl Translation<V, W>,
    ) -> Body<W> {
        match self {
            Body::Formula(body) => Body::Formula(translate_formula(body, bindings, translation)),
            Body::Term(body) => Body::Term(translate_term(body, bindings, translation)),
        }
    }

    /// The body with terms for free variables.
    pub fn substitute(&self, bindings: &BTreeMap<Var<V>, Term<V>>) -> Self {
        self.translate(bindings.clone(), SAME)
    }
}

/// Replaces free variables by terms, renaming binders that would capture.
pub fn substitute_formula<V: Vocabulary>(
    formula: &Formula<V>,
    bindings: &BTreeMap<Var<V>, Term<V>>,
) -> Formula<V> {
    translate_formula(formula, bindings.clone(), SAME)
}

/// The same, where bound variables that are called like one of `taken` get other names as well.
pub fn substitute_apart<V: Vocabulary>(
    formula: &Formula<V>,
    bindings: BTreeMap<Var<V>, Term<V>>,
    taken: &BTreeSet<Name>,
) -> Formula<V> {
    translate_formula(formula, bindings, Same { taken })
}

/// Replaces free variables by terms, renaming binders that would capture.
pub fn substitute_term<V: Vocabulary>(
    term: &Term<V>,
    bindings: &BTreeMap<Var<V>, Term<V>>,
) -> Term<V> {
    translate_term(term, bindings.clone(), SAME)
}

/// How sorts and symbols of one vocabulary are expressed in another.
///
/// A symbol may become another symbol or an arbitrary expression of its arguments; free variables
/// of inserted expressions must be listed by `inserted_names`, so that binders avoid them.
pub trait Translation<V: Vocabulary, W: Vocabulary> {
    /// The sort in the new vocabulary.
    fn sort(&self, sort: V::Sort) -> W::Sort;
    /// A function application.
    fn apply(&self, symbol: V::Symbol, args: Vec<Term<W>>, sort: W::Sort) -> Term<W>;
    /// A relation application.
    fn holds(&self, symbol: V::Symbol, args: Vec<Term<W>>) -> Formula<W>;
    /// The names of the free variables that `apply` and `holds` insert beyond their arguments.
    fn inserted_names(&self) -> BTreeSet<Name> {
        BTreeSet::new()
    }
}

/// Translates a formula; free variables are replaced by `bindings`, or keep their names.
pub fn translate_formula<V: Vocabulary, W: Vocabulary>(
    formula: &Formula<V>,
    bindings: BTreeMap<Var<V>, Term<W>>,
    translation: impl Translation<V, W>,
) -> Formula<W> {
    rewrite_formula(&mut Mapping::new(bindings, translation, Node::Formula(formula)), formula)
}

/// Translates a term; free variables are replaced by `bindings`, or keep their names.
pub fn translate_term<V: Vocabulary, W: Vocabulary>(
    term: &Term<V>,
    bindings: BTreeMap<Var<V>, Term<W>>,
    translation: impl Translation<V, W>,
) -> Term<W> {
    rewrite_term(&mut Mapping::new(bindings, translation, Node::Term(term)), term)
}

/// Replaces symbols by definitions (by substitution, never as equations); others stay.
pub struct Expand<'a, V: Vocabulary>(pub &'a BTreeMap<V::Symbol, Definition<V>>);

impl<V: Vocabulary> Translation<V, V> for Expand<'_, V> {
    fn sort(&self, sort: V::Sort) -> V::Sort {
        sort
    }

    fn apply(&self, symbol: V::Symbol, args: Vec<Term<V>>, sort: V::Sort) -> Term<V> {
        match self.0.get(&symbol).map(|definition| definition.at(&args)) {
            Some(Body::Term(defined)) => defined,
            _ => Term::apply(symbol, args, sort),
        }
    }

    fn holds(&self, symbol: V::Symbol, args: Vec<Term<V>>) -> Formula<V> {
        match self.0.get(&symbol).map(|definition| definition.at(&args)) {
            Some(Body::Formula(defined)) => defined,
            _ => Formula::holds(symbol, args),
        }
    }

    fn inserted_names(&self) -> BTreeSet<Name> {
        self.0.values().flat_map(|definition| context_names(definition)).collect()
    }
}

/// The names of a definition's free variables beyond its parameters.
fn context_names<V: Vocabulary>(definition: &Definition<V>) -> BTreeSet<Name> {
    let mut free = free_vars(definition.body.node());
    for param in &definition.params {
        free.remove(param);
    }
    free.into_iter().map(|var| var.name).collect()
}

/// Keeps every sort and symbol; bound variables get names that are not taken.
struct Same<'a> {
    taken: &'a BTreeSet<Name>,
}

/// Keeps the names of bound variables as well, unless they would capture.
const SAME: Same<'static> = Same { taken: &BTreeSet::new() };

impl<V: Vocabulary> Translation<V, V> for Same<'_> {
    fn sort(&self, sort: V::Sort) -> V::Sort {
        sort
    }

    fn apply(&self, symbol: V::Symbol, args: Vec<Term<V>>, sort: V::Sort) -> Term<V> {
        Term::apply(symbol, args, sort)
    }

    fn holds(&self, symbol: V::Symbol, args: Vec<Term<V>>) -> Formula<V> {
        Formula::holds(symbol, args)
    }

    fn inserted_names(&self) -> BTreeSet<Name> {
        self.taken.clone()
    }
}

/// The variables of one quantifier, each with the binding that it hides.
type Hidden<V, W> = Vec<(Var<V>, Option<Term<W>>)>;

/// The rewriting behind all of the above: variables by a scoped map, symbols by a translation.
struct Mapping<'a, V: Vocabulary, W: Vocabulary, T> {
    bindings: BTreeMap<Var<V>, Term<W>>,
    /// What quantifiers hid, innermost last.
    hidden: Vec<Hidden<V, W>>,
    /// What is rewritten.
    original: Node<'a, V>,
    /// What binders must avoid; looked for when there is one, because most formulas that are
    /// rewritten have none.
    names: Option<Names>,
    /// The binders around the place at hand: a renamed binder must not take their names either.
    around: Vec<Name>,
    translation: T,
}

/// The names that binders must avoid.
struct Names {
    /// Names that are inserted below binders: a binder of such a name is renamed.
    avoid: BTreeSet<Name>,
    /// Names that are free in the original: a renamed binder must not take them.
    free: BTreeSet<Name>,
}

impl<'a, V: Vocabulary, W: Vocabulary, T: Translation<V, W>> Mapping<'a, V, W, T> {
    fn new(bindings: BTreeMap<Var<V>, Term<W>>, translation: T, original: Node<'a, V>) -> Self {
        let (hidden, around) = (Vec::new(), Vec::new());
        Mapping { bindings, hidden, original, names: None, around, translation }
    }

    /// Must first be called before anything is bound.
    fn names(&self) -> Names {
        let mut avoid = self.translation.inserted_names();
        for term in self.bindings.values() {
            avoid.extend(term.free_vars().into_iter().map(|var| var.name));
        }
        let free = free_vars(self.original).into_iter().map(|var| var.name).collect();
        Names { avoid, free }
    }
}

impl<V: Vocabulary, W: Vocabulary, T: Translation<V, W>> Rewrite<V, W> for Mapping<'_, V, W, T> {
    fn sort(&mut self, sort: V::Sort) -> W::Sort {
        self.translation.sort(sort)
    }

    fn var(&mut self, var: &Var<V>) -> Term<W> {
        match self.bindings.get(var) {
            Some(term) => term.clone(),
            None => Term::var(Var::new(var.name.clone(), self.translation.sort(var.sort))),
        }
    }

    fn apply(&mut self, symbol: V::Symbol, args: Vec<Term<W>>, sort: W::Sort) -> Term<W> {
        self.translation.apply(symbol, args, sort)
    }

    fn holds(&mut self, symbol: V::Symbol, args: Vec<Term<W>>) -> Formula<W> {
        self.translation.holds(symbol, args)
    }

    fn bind(&mut self, vars: &[Var<V>]) -> Vec<Var<W>> {
        let mut hidden = Vec::new();
        let mut binders = Vec::new();
        let mut names = self.names.take().unwrap_or_else(|| self.names());
        for var in vars {
            let mut name = var.name.clone();
            if names.avoid.contains(&name) {
                let taken = |name: &Name| {
                    names.avoid.contains(name)
                        || names.free.contains(name)
                        || self.around.contains(name)
                };
                name = fresh_name(&name, taken);
                // Binders below must avoid the new name in their turn.
                names.avoid.insert(name.clone());
            }
            let binder = Var::new(name, self.translation.sort(var.sort));
            let shadowed = self.bindings.insert(var.clone(), Term::var(binder.clone()));
            hidden.push((var.clone(), shadowed));
            self.around.push(binder.name.clone());
            binders.push(binder);
        }
        self.names = Some(names);
        self.hidden.push(hidden);
        binders
    }

    fn unbind(&mut self, vars: &[Var<V>]) {
        self.around.truncate(self.around.len().saturating_sub(vars.len()));
        for (var, shadowed) in self.hidden.pop().into_iter().flatten().rev() {
            match shadowed {
                Some(term) => self.bindings.insert(var, term),
                None => self.bindings.remove(&var),
            };
        }
    }
}

/// `name`, or `name_1`, `name_2`, …: the first that is not taken.
pub fn fresh_name(name: &Name, taken: impl Fn(&Name) -> bool) -> Name {
    if !taken(name) {
        return name.clone();
    }
    (1..)
        .map(|index| Name::from(format!("{name}_{index}")))
        .find(|candidate| !taken(candidate))
        .expect("finitely many names are taken")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::{OneState, Rigidity, Signature, Sort, Symbol};
    use crate::source::Span;

    /// `forall n_1. exists n. near(n, n_1) & near(m, n)`, with `n` for `m`.
    #[test]
    fn a_renamed_binder_captures_no_variable_of_a_binder_around_it() {
        let mut signature = Signature::default();
        let node = Sort::Declared(signature.add_sort("node".into()));
        let near = signature.add_symbol(Symbol {
            name: "near".into(),
            params: vec![node, node],
            result: None,
            rigidity: Rigidity::Rigid,
            span: Span::default(),
        });
        let var = |name: &str| Var::<OneState>::new(name, node);
        let near = |left: &str, right: &str| {
            Formula::holds(near, vec![Term::var(var(left)), Term::var(var(right))])
        };
        let body = Formula::and([near("n", "n_1"), near("m", "n")]);
        let formula = Formula::forall(vec![var("n_1")], Formula::exists(vec![var("n")], body));
        let bindings = BTreeMap::from([(var("m"), Term::var(var("n")))]);
        let renamed = substitute_formula(&formula, &bindings);
        let body = Formula::and([near("n_2", "n_1"), near("n", "n_2")]);
        let expected = Formula::forall(vec![var("n_1")], Formula::exists(vec![var("n_2")], body));
        assert_eq!(renamed, expected);
    }
}
