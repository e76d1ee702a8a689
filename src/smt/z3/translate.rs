//! Terms and formulas as Z3 sees them.

use std::collections::BTreeMap;

use z3::ast::{self, Ast, Bool, Dynamic, Int};
use z3::{FuncDecl, Sort, Symbol};

use crate::logic::{
    Comparison, Declarations, Domain, Formula, FormulaKind, Quantifier, Term, TermKind, Var,
    Vocabulary,
};
use crate::smt::naming::Naming;

/// A quantifier over enumerations is multiplied out unless that gives more copies than this,
/// together with those around it.
const MAX_COPIES: usize = 4096;

/// A sort as Z3 sees it.
#[derive(Clone)]
pub(super) enum SymbolMeaning {
    /// Some non-empty set.
    Uninterpreted(Sort),
    /// Exactly these elements.
    Enumeration(Sort, Vec<Dynamic>),
    /// The integers.
    Int(Sort),
}

impl SymbolMeaning {
    pub(super) fn sort(&self) -> &Sort {
        match self {
            SymbolMeaning::Uninterpreted(sort)
            | SymbolMeaning::Enumeration(sort, _)
            | SymbolMeaning::Int(sort) => sort,
        }
    }
}

/// Everything that was translated so far, and how.
pub(super) struct Z3Language<'a, V: Vocabulary> {
    declarations: &'a dyn Declarations<V>,
    naming: Naming<V>,
    /// The sorts that occur.
    pub(super) sorts: BTreeMap<V::Sort, SymbolMeaning>,
    /// The symbols that occur, without the named elements of enumerations.
    pub(super) symbols: BTreeMap<V::Symbol, FuncDecl>,
    /// The named elements that occur, each with its position in its enumeration.
    pub(super) elements: BTreeMap<V::Symbol, (usize, Dynamic)>,
    /// The variables that occur free.
    pub(super) free: BTreeMap<Var<V>, Dynamic>,
    /// The integer literals that occur.
    pub(super) literals: Vec<i64>,
    /// How many copies the quantifiers around a formula make of it.
    copies: usize,
}

type BoundConstants<V> = BTreeMap<Var<V>, Dynamic>;

impl<'a, V: Vocabulary> Z3Language<'a, V> {
    pub(super) fn new(declarations: &'a dyn Declarations<V>) -> Self {
        Z3Language {
            declarations,
            naming: Naming::new(&[]),
            sorts: BTreeMap::new(),
            symbols: BTreeMap::new(),
            elements: BTreeMap::new(),
            free: BTreeMap::new(),
            literals: Vec::new(),
            copies: 1,
        }
    }

    pub(super) fn declarations(&self) -> &'a dyn Declarations<V> {
        self.declarations
    }

    /// A well-sorted formula; its free variables become constants.
    pub(super) fn formula(&mut self, formula: &Formula<V>) -> Bool {
        self.bool(formula, &mut BoundConstants::new())
    }

    /// At most `size` elements, which are named by fresh constants.
    pub(super) fn at_most(&self, sort: V::Sort, size: u32) -> Option<Bool> {
        let SymbolMeaning::Uninterpreted(sort) = self.sorts.get(&sort)? else { return None };
        let any = Dynamic::fresh_const("any", sort);
        let named = (0..size).map(|_| any.eq(Dynamic::fresh_const("element", sort)));
        Some(ast::forall_const(&[&any], &[], &Bool::or(&named.collect::<Vec<_>>())))
    }

    /// Makes a symbol part of the language even if no formula mentions it.
    pub(super) fn mention(&mut self, symbol: V::Symbol) {
        if self.symbols.contains_key(&symbol) || self.elements.contains_key(&symbol) {
            return;
        }
        if let Some((sort, index)) = self.declarations.enumerated(symbol)
            && let SymbolMeaning::Enumeration(_, elements) = self.meaning(sort)
        {
            let element = elements[index].clone();
            self.elements.insert(symbol, (index, element));
            return;
        }
        let rank = self.declarations.symbol(symbol).rank;
        let params: Vec<Sort> =
            rank.params.iter().map(|sort| self.meaning(*sort).sort().clone()).collect();
        let result = rank.result.map_or_else(Sort::bool, |sort| self.meaning(sort).sort().clone());
        let name = self.naming.symbol(self.declarations, symbol);
        let decl = FuncDecl::new(name, &params.iter().collect::<Vec<_>>(), &result);
        self.symbols.insert(symbol, decl);
    }

    fn meaning(&mut self, sort: V::Sort) -> &SymbolMeaning {
        if !self.sorts.contains_key(&sort) {
            let meaning = match self.declarations.sort(sort).domain {
                Domain::Finite => {
                    let name = self.naming.sort(self.declarations, sort);
                    SymbolMeaning::Uninterpreted(Sort::uninterpreted(name.into()))
                }
                Domain::Enumeration(elements) => {
                    // A context knows an enumeration by its name for ever, so that two sessions in
                    // one context must not choose the same.
                    let unique = Bool::fresh_const("enumeration");
                    let name = self.naming.sort(self.declarations, sort);
                    let name = format!("{name} {unique}");
                    let elements: Vec<Symbol> = elements
                        .iter()
                        .map(|name| format!("{} {unique}", self.naming.fresh(name)).into())
                        .collect();
                    let (sort, constants, _) = Sort::enumeration(name.into(), &elements);
                    let elements = constants.iter().map(|constant| constant.apply(&[])).collect();
                    SymbolMeaning::Enumeration(sort, elements)
                }
                Domain::Int => SymbolMeaning::Int(Sort::int()),
            };
            self.sorts.insert(sort, meaning);
        }
        &self.sorts[&sort]
    }

    fn application(
        &mut self,
        symbol: V::Symbol,
        args: &[Term<V>],
        scope: &mut BoundConstants<V>,
    ) -> Dynamic {
        self.mention(symbol);
        if let Some((_, element)) = self.elements.get(&symbol) {
            return element.clone();
        }
        let args: Vec<Dynamic> = args.iter().map(|arg| self.term(arg, scope)).collect();
        let args: Vec<&dyn Ast> = args.iter().map(|arg| arg as &dyn Ast).collect();
        self.symbols[&symbol].apply(&args)
    }

    fn term(&mut self, term: &Term<V>, scope: &mut BoundConstants<V>) -> Dynamic {
        match term.kind() {
            TermKind::Var(var) => self.var(var, scope),
            TermKind::Apply(symbol, args, _) => self.application(*symbol, args, scope),
            TermKind::Integer(value, sort) => {
                self.meaning(*sort);
                self.literals.push(*value);
                Int::from_i64(*value).into()
            }
            TermKind::Element(index, sort) => match self.meaning(*sort) {
                SymbolMeaning::Enumeration(_, elements) => elements[*index as usize].clone(),
                SymbolMeaning::Uninterpreted(_) | SymbolMeaning::Int(_) => {
                    unreachable!("the query is well-sorted")
                }
            },
            TermKind::Add(left, right) => {
                Int::add(&[self.int(left, scope), self.int(right, scope)]).into()
            }
            TermKind::Subtract(left, right) => {
                Int::sub(&[self.int(left, scope), self.int(right, scope)]).into()
            }
            TermKind::If(condition, then, otherwise) => {
                let condition = self.bool(condition, scope);
                condition.ite(&self.term(then, scope), &self.term(otherwise, scope))
            }
        }
    }

    fn int(&mut self, term: &Term<V>, scope: &mut BoundConstants<V>) -> Int {
        self.term(term, scope).as_int().expect("the query is well-sorted")
    }

    fn var(&mut self, var: &Var<V>, scope: &BoundConstants<V>) -> Dynamic {
        if let Some(bound) = scope.get(var) {
            return bound.clone();
        }
        let constant = self.constant(var);
        self.free.insert(var.clone(), constant.clone());
        constant
    }

    fn constant(&mut self, var: &Var<V>) -> Dynamic {
        let name = self.naming.var(var);
        Dynamic::new_const(name, self.meaning(var.sort).sort())
    }

    fn bool(&mut self, formula: &Formula<V>, scope: &mut BoundConstants<V>) -> Bool {
        match formula.kind() {
            FormulaKind::Truth(value) => Bool::from_bool(*value),
            FormulaKind::Holds(symbol, args) => {
                let atom = self.application(*symbol, args, scope);
                atom.as_bool().expect("the query is well-sorted")
            }
            FormulaKind::Equal(left, right) => self.term(left, scope).eq(self.term(right, scope)),
            FormulaKind::Compare(comparison, left, right) => {
                let (left, right) = (self.int(left, scope), self.int(right, scope));
                match comparison {
                    Comparison::Less => left.lt(right),
                    Comparison::LessEqual => left.le(right),
                }
            }
            FormulaKind::Not(inner) => self.bool(inner, scope).not(),
            FormulaKind::And(parts) => Bool::and(&self.bools(parts, scope)),
            FormulaKind::Or(parts) => Bool::or(&self.bools(parts, scope)),
            FormulaKind::Implies(premise, conclusion) => {
                self.bool(premise, scope).implies(self.bool(conclusion, scope))
            }
            FormulaKind::Iff(left, right) => self.bool(left, scope).iff(self.bool(right, scope)),
            FormulaKind::If(condition, then, otherwise) => {
                let condition = self.bool(condition, scope);
                condition.ite(&self.bool(then, scope), &self.bool(otherwise, scope))
            }
            FormulaKind::Quantified(quantifier, vars, body) => {
                self.quantified(*quantifier, vars, body, scope)
            }
        }
    }

    fn bools(&mut self, formulas: &[Formula<V>], scope: &mut BoundConstants<V>) -> Vec<Bool> {
        formulas.iter().map(|formula| self.bool(formula, scope)).collect()
    }

    /// Variables over enumerations are multiplied out, the others are bound.
    ///
    /// Multiplying out keeps functions into an enumeration from leaving the decidable fragment.
    fn quantified(
        &mut self,
        quantifier: Quantifier,
        vars: &[Var<V>],
        body: &Formula<V>,
        scope: &mut BoundConstants<V>,
    ) -> Bool {
        let outer = scope.clone();
        let around = self.copies;
        let mut bound = Vec::new();
        let mut copies = vec![Vec::new()];
        for var in vars {
            match self.meaning(var.sort) {
                SymbolMeaning::Enumeration(_, elements)
                    if around * copies.len() * elements.len() <= MAX_COPIES =>
                {
                    copies = multiply(copies, var, elements);
                }
                _ => {
                    let constant = self.constant(var);
                    scope.insert(var.clone(), constant.clone());
                    bound.push(constant);
                }
            }
        }
        let mut parts = Vec::new();
        self.copies = around * copies.len();
        for copy in copies {
            scope.extend(copy);
            parts.push(self.bool(body, scope));
        }
        *scope = outer;
        self.copies = around;
        let bound: Vec<&dyn Ast> = bound.iter().map(|constant| constant as &dyn Ast).collect();
        match quantifier {
            Quantifier::Forall => ast::forall_const(&bound, &[], &conjunction(&parts)),
            Quantifier::Exists => ast::exists_const(&bound, &[], &disjunction(&parts)),
        }
    }
}

type Bindings<V> = Vec<(Var<V>, Dynamic)>;

fn multiply<V: Vocabulary>(
    copies: Vec<Bindings<V>>,
    var: &Var<V>,
    elements: &[Dynamic],
) -> Vec<Bindings<V>> {
    let with = |copy: &Bindings<V>, element: &Dynamic| {
        let mut copy = copy.clone();
        copy.push((var.clone(), element.clone()));
        copy
    };
    copies.iter().flat_map(|copy| elements.iter().map(move |element| with(copy, element))).collect()
}

fn conjunction(parts: &[Bool]) -> Bool {
    if let [one] = parts { one.clone() } else { Bool::and(parts) }
}

fn disjunction(parts: &[Bool]) -> Bool {
    if let [one] = parts { one.clone() } else { Bool::or(parts) }
}
