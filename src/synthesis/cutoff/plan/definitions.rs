//! Definitions of the symbols of `C`: rigid ones by representatives, the first state by `init`
//! where that defines it, else as the image of the first state of `L`.

use std::collections::BTreeMap;

use crate::certificate::{
    ProductDefinition, ProductNames, ProductSort, ProductSymbol, ProductTerm, ProductVar,
    default_image, large_sort, read_in_cutoff, sim,
};
use crate::logic::{
    Body, Definition, Expand, Formula, FormulaKind, Quantifier, Term, TermKind, Var,
    translate_formula, translate_term,
};
use crate::protocol::{Protocol, Rigidity, Sort, StateFormula, StateTerm, StateVar, SymbolId};

use super::maps::SortMap;

/// How relations between rigid elements are carried over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RigidStyle {
    /// Elements of `C` are related as their representatives are.
    Representatives,
    /// Elements of `C` are related if some of their preimages are.
    Image,
}

/// The rigid symbols of `C`; `None` if there is no way to define one.
pub(crate) fn rigid(
    protocol: &Protocol,
    names: &ProductNames,
    maps: &[SortMap],
    style: RigidStyle,
) -> Option<BTreeMap<SymbolId, ProductDefinition>> {
    let mut all = BTreeMap::new();
    for (symbol, declared) in protocol.signature.rigid() {
        let image = match style {
            RigidStyle::Image => default_image(names, symbol),
            RigidStyle::Representatives if declared.params.is_empty() => {
                default_image(names, symbol)
            }
            RigidStyle::Representatives => None,
        };
        let definition = match image {
            Some(image) => image,
            None => represented(protocol, names, maps, symbol)?,
        };
        all.insert(symbol, definition);
    }
    Some(all)
}

/// The first state of `C`; `None` if there is no way to define a symbol.
pub(crate) fn start(
    protocol: &Protocol,
    names: &ProductNames,
    maps: &[SortMap],
    rigid: &BTreeMap<SymbolId, ProductDefinition>,
) -> Option<BTreeMap<SymbolId, ProductDefinition>> {
    let mut all = BTreeMap::new();
    for (symbol, declared) in protocol.signature.symbols() {
        if declared.rigidity == Rigidity::Rigid {
            continue;
        }
        let definition = match defined_by_init(protocol, names, rigid, symbol) {
            Some(definition) => definition,
            None => carried(protocol, names, maps, symbol)?,
        };
        all.insert(symbol, definition);
    }
    Some(all)
}

fn params(protocol: &Protocol, names: &ProductNames, symbol: SymbolId) -> Vec<ProductVar> {
    let sorts = protocol.signature.symbol(symbol).params.iter().enumerate();
    let named =
        sorts.map(|(index, sort)| Var::new(format!("x{}", index + 1), names.cutoff_sort(*sort)));
    named.collect()
}

/// `R_C(x) := R_L(rep x)`, `f_C(x) := sim(f_L(rep x))`.
fn represented(
    protocol: &Protocol,
    names: &ProductNames,
    maps: &[SortMap],
    symbol: SymbolId,
) -> Option<ProductDefinition> {
    let params = params(protocol, names, symbol);
    let args = params.iter().map(|param| representative(maps, param)).collect::<Option<_>>()?;
    Some(at(protocol, names, symbol, params, args))
}

fn at(
    protocol: &Protocol,
    names: &ProductNames,
    symbol: SymbolId,
    params: Vec<ProductVar>,
    args: Vec<ProductTerm>,
) -> ProductDefinition {
    let large = ProductSymbol::Large(symbol);
    match protocol.signature.symbol(symbol).result {
        None => Definition::relation(params, Formula::holds(large, args)),
        Some(sort) => {
            let value = Term::apply(large, args, large_sort(sort));
            Definition::function(params, sim(names, sort, value))
        }
    }
}

fn representative(maps: &[SortMap], param: &ProductVar) -> Option<ProductTerm> {
    let at = Term::var(param.clone());
    match param.sort {
        ProductSort::Cutoff(sort) => maps.iter().find(|map| map.sort == sort)?.representative(&at),
        ProductSort::Large(_) | ProductSort::Int => Some(at),
    }
}

/// The image of the first state of `L`: elements that are ignored have no part in it.
fn carried(
    protocol: &Protocol,
    names: &ProductNames,
    maps: &[SortMap],
    symbol: SymbolId,
) -> Option<ProductDefinition> {
    let declared = protocol.signature.symbol(symbol);
    if declared.result.is_some() {
        return represented(protocol, names, maps, symbol);
    }
    let params = params(protocol, names, symbol);
    let mut witnesses: Vec<ProductVar> = Vec::new();
    let mut facts = Vec::new();
    let mut args = Vec::new();
    for (index, param) in params.iter().enumerate() {
        let at = Term::var(param.clone());
        match param.sort {
            ProductSort::Cutoff(sort) => {
                let map = maps.iter().find(|map| map.sort == sort)?;
                if map.others == super::maps::Others::Ignored && !map.kept.is_empty() {
                    args.push(map.representative(&at)?);
                } else {
                    let witness = Var::new(format!("m{}", index + 1), ProductSort::Large(sort));
                    let image = sim(names, Sort::Declared(sort), Term::var(witness.clone()));
                    facts.push(Formula::equal(image, at));
                    args.push(Term::var(witness.clone()));
                    witnesses.push(witness);
                }
            }
            ProductSort::Large(_) | ProductSort::Int => args.push(at),
        }
    }
    facts.push(Formula::holds(ProductSymbol::Large(symbol), args));
    Some(Definition::relation(params, Formula::exists(witnesses, Formula::and(facts))))
}

/// The definition that `init` itself gives, read in `C`.
fn defined_by_init(
    protocol: &Protocol,
    names: &ProductNames,
    rigid: &BTreeMap<SymbolId, ProductDefinition>,
    symbol: SymbolId,
) -> Option<ProductDefinition> {
    let params = params(protocol, names, symbol);
    let definitions: BTreeMap<ProductSymbol, ProductDefinition> = rigid
        .iter()
        .map(|(symbol, definition)| (ProductSymbol::Cutoff(*symbol), definition.clone()))
        .collect();
    let read = |vars: &[StateVar], formula: &StateFormula| {
        let args = params.iter().cloned().map(Term::var);
        let bindings = vars.iter().cloned().zip(args).collect();
        let formula = read_in_cutoff(names, formula, bindings);
        translate_formula(&formula, BTreeMap::new(), Expand(&definitions))
    };
    let mut pieces: Vec<(crate::certificate::ProductFormula, ProductTerm)> = Vec::new();
    for init in &protocol.init {
        for conjunct in init.formula.conjuncts() {
            let (vars, body) = match conjunct.kind() {
                FormulaKind::Quantified(Quantifier::Forall, vars, body) => {
                    (vars.clone(), body.clone())
                }
                _ => (Vec::new(), conjunct.clone()),
            };
            match read_line(protocol, symbol, &vars, &body)? {
                InitLine::Nothing => {}
                InitLine::Relation(vars, formula) => {
                    return Some(Definition::relation(params.clone(), read(&vars, &formula)));
                }
                InitLine::Function(vars, condition, term) => {
                    let args = params.iter().cloned().map(Term::var);
                    let bindings: BTreeMap<StateVar, ProductTerm> =
                        vars.iter().cloned().zip(args).collect();
                    let value = read_term(names, &term, bindings);
                    let value = translate_term(&value, BTreeMap::new(), Expand(&definitions));
                    pieces.push((read(&vars, &condition), value));
                }
            }
        }
    }
    let (_, last) = pieces.pop()?;
    let body = pieces.into_iter().rev().fold(last, |otherwise, (condition, value)| {
        Term::if_then_else(condition, value, otherwise)
    });
    Some(Definition { params, body: Body::Term(body) })
}

fn read_term(
    names: &ProductNames,
    term: &StateTerm,
    bindings: BTreeMap<StateVar, ProductTerm>,
) -> ProductTerm {
    // A term is read as a side of an equation with itself renamed apart: equal to a fresh variable.
    let probe: StateVar = Var::new("probe%", term.sort());
    let equation = Formula::equal(term.clone(), Term::var(probe));
    match read_in_cutoff(names, &equation, bindings).kind() {
        FormulaKind::Equal(left, _) => left.clone(),
        _ => unreachable!("an equation with a fresh variable stays one"),
    }
}

/// How a line of `init` constrains a symbol.
enum InitLine {
    Nothing,
    /// It holds of the variables iff the formula does.
    Relation(Vec<StateVar>, StateFormula),
    /// Where the condition holds of the variables, it is the term.
    Function(Vec<StateVar>, StateFormula, StateTerm),
}

/// Reads one conjunct of `init`; `None` if it constrains the symbol in some other way.
fn read_line(
    protocol: &Protocol,
    symbol: SymbolId,
    vars: &[StateVar],
    body: &StateFormula,
) -> Option<InitLine> {
    if !body.symbols().contains(&symbol) {
        return Some(InitLine::Nothing);
    }
    let rigid = |symbols: std::collections::BTreeSet<SymbolId>| {
        symbols.iter().all(|id| protocol.signature.symbol(*id).rigidity == Rigidity::Rigid)
    };
    let plain = |args: &[StateTerm]| -> Option<Vec<StateVar>> {
        let own = args.iter().map(|arg| match arg.kind() {
            TermKind::Var(var) if vars.contains(var) => Some(var.clone()),
            _ => None,
        });
        let own = own.collect::<Option<Vec<_>>>()?;
        let distinct: std::collections::BTreeSet<_> = own.iter().collect();
        (distinct.len() == own.len()).then_some(own)
    };
    let holds = |formula: &StateFormula| match formula.kind() {
        FormulaKind::Holds(id, args) if *id == symbol => plain(args),
        _ => None,
    };
    match body.kind() {
        FormulaKind::Holds(..) => Some(InitLine::Relation(holds(body)?, Formula::truth(true))),
        FormulaKind::Not(inner) => Some(InitLine::Relation(holds(inner)?, Formula::truth(false))),
        FormulaKind::Iff(left, right) if rigid(right.symbols()) => {
            Some(InitLine::Relation(holds(left)?, right.clone()))
        }
        FormulaKind::Iff(left, right) if rigid(left.symbols()) => {
            Some(InitLine::Relation(holds(right)?, left.clone()))
        }
        FormulaKind::Implies(condition, conclusion) if rigid(condition.symbols()) => {
            match read_line(protocol, symbol, vars, conclusion)? {
                InitLine::Function(vars, inner, term) => {
                    Some(InitLine::Function(vars, Formula::and([condition.clone(), inner]), term))
                }
                InitLine::Nothing | InitLine::Relation(..) => None,
            }
        }
        FormulaKind::Equal(left, right) => match left.kind() {
            TermKind::Apply(id, args, _) if *id == symbol && rigid(right.symbols()) => {
                Some(at_arguments(vars, args, right))
            }
            _ => None,
        },
        _ => None,
    }
}

/// `f(args) = term` as a condition on fresh argument variables.
fn at_arguments(vars: &[StateVar], args: &[StateTerm], term: &StateTerm) -> InitLine {
    let mut own = Vec::new();
    let mut conditions = Vec::new();
    for (index, arg) in args.iter().enumerate() {
        match arg.kind() {
            TermKind::Var(var) if vars.contains(var) && !own.contains(var) => {
                own.push(var.clone());
            }
            _ => {
                let var: StateVar = Var::new(format!("arg%{index}"), arg.sort());
                conditions.push(Formula::equal(Term::var(var.clone()), arg.clone()));
                own.push(var);
            }
        }
    }
    InitLine::Function(own, Formula::and(conditions), term.clone())
}
