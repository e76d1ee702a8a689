//! `fmt --modern`: axioms that say what a standard structure says become its declaration.
//!
//! Only where nothing changes: the axioms of a rigid relation must be those of the structure, up to
//! the names of variables, the order of conjuncts and disjuncts, and lines that follow from them.
//! The new text is read again and compared with the old one before it is used.

use std::collections::{BTreeMap, BTreeSet};

use itertools::Itertools as _;

use crate::elaborate::elaborate;
use crate::frontend::syntax::surface::{Identifier, Item, Module, StructureItem, StructureWord};
use crate::logic::{Formula, FormulaKind, Quantifier, Term, TermKind};
use crate::protocol::{
    Family, OnSort, OneState, Protocol, Rigidity, Sort, SortId, StateFormula, StateVar, Structure,
    StructureKind, Symbol, SymbolId,
};
use crate::source::Spanned;

/// The same module with structures declared where its axioms allow it.
pub(super) fn modern(name: &str, module: &Module) -> Module {
    let mut current = module.clone();
    while let Some(next) = one_step(name, &current) {
        current = next;
    }
    current
}

/// The module with one more structure, if there is one.
fn one_step(name: &str, module: &Module) -> Option<Module> {
    let protocol = elaborate(name, module).protocol?;
    candidates(&protocol).into_iter().find_map(|structure| {
        let used = matched(&protocol, &structure)?;
        let next = replaced(module, &protocol, &structure, &used)?;
        let read = elaborate(name, &next).protocol?;
        let axioms = protocol.axioms.len() - used.len() + structure.axioms().len();
        (read.axioms.len() == axioms && is_same(&protocol, &read)).then_some(next)
    })
}

/// Every structure that a rigid relation could be and that is not declared.
fn candidates(protocol: &Protocol) -> Vec<Structure> {
    let signature = &protocol.signature;
    let declared: BTreeSet<SymbolId> =
        signature.structures().iter().flat_map(Structure::symbols).collect();
    let rigid =
        signature.rigid().filter(|(id, own)| !declared.contains(id) && own.result.is_none());
    let rigid: Vec<(SymbolId, &Symbol)> = rigid.collect();
    let mut found = Vec::new();
    for (relation, symbol) in &rigid {
        let on = |sort: &SortId| OnSort { relation: *relation, sort: *sort };
        match symbol.params.as_slice() {
            [Sort::Declared(one), Sort::Declared(two)] if one == two => {
                found.push(StructureKind::Order(on(one)));
                found.push(StructureKind::Tree(on(one)));
            }
            [Sort::Declared(one), Sort::Declared(two), Sort::Declared(three)]
                if one == two && two == three =>
            {
                found.push(StructureKind::Ring(on(one)));
            }
            _ => {}
        }
    }
    let families = rigid.iter().filter_map(|(member, symbol)| match symbol.params.as_slice() {
        [Sort::Declared(members), Sort::Declared(sets)] if members != sets => {
            Some((*members, Family { sets: *sets, member: *member }))
        }
        _ => None,
    });
    let families: Vec<(SortId, Family)> = families.collect();
    for (members, family) in &families {
        found.push(StructureKind::Quorums { members: *members, families: vec![*family] });
    }
    for [(members, one), (others, two)] in families.iter().array_combinations() {
        if members == others && one.sets != two.sets {
            let families = vec![*one, *two];
            found.push(StructureKind::Quorums { members: *members, families });
        }
    }
    found.into_iter().map(|kind| Structure { kind, span: crate::source::Span::default() }).collect()
}

/// The positions of the axioms that say what a structure says and nothing else.
fn matched(protocol: &Protocol, structure: &Structure) -> Option<BTreeSet<usize>> {
    let wanted: BTreeSet<Line> =
        structure.axioms().iter().flat_map(|(_, axiom)| lines(axiom)).collect();
    let allowed: BTreeSet<Line> =
        implied(structure).iter().flat_map(lines).chain(wanted.iter().cloned()).collect();
    let mut said = BTreeSet::new();
    let mut used = BTreeSet::new();
    for (position, axiom) in protocol.axioms.iter().enumerate() {
        let own = lines(&axiom.formula);
        if !own.is_empty() && own.iter().all(|line| allowed.contains(line)) {
            said.extend(own);
            used.insert(position);
        }
    }
    let needed = wanted.iter().filter(|line| !is_implied(structure, line));
    needed.into_iter().all(|line| said.contains(line)).then_some(used)
}

/// Whether a line of a structure follows from its other ones.
fn is_implied(structure: &Structure, line: &Line) -> bool {
    implied(structure).iter().flat_map(lines).any(|other| other == *line)
}

/// What follows from the axioms of a structure and is often written beside them.
fn implied(structure: &Structure) -> Vec<StateFormula> {
    match &structure.kind {
        // From totality, at equal arguments.
        StructureKind::Order(on) => {
            let var = StateVar::new("X", Sort::Declared(on.sort));
            let own = Term::var(var.clone());
            let holds = Formula::holds(on.relation, vec![own.clone(), own]);
            vec![Formula::forall(vec![var], holds)]
        }
        // From the rotation and the one direction.
        StructureKind::Ring(_) => {
            let axioms = structure.axioms().into_iter();
            axioms.filter(|(word, _)| *word == "distinct").map(|(_, axiom)| axiom).collect()
        }
        StructureKind::Tree(_) | StructureKind::Quorums { .. } => Vec::new(),
    }
}

/// A clause, or a formula with `exists`, in a form that does not depend on names and order.
type Line = (BTreeSet<StateVar>, BTreeSet<Literal>);

/// The clauses of a closed formula, or the formula itself if it has other quantifiers.
fn lines(formula: &StateFormula) -> Vec<Line> {
    let (vars, body) = match formula.kind() {
        FormulaKind::Quantified(Quantifier::Forall, vars, body) => (vars.clone(), body.clone()),
        _ => (Vec::new(), formula.clone()),
    };
    match clauses(&body, true) {
        Some(clauses) => clauses.iter().map(|clause| canonical(&vars, clause)).collect(),
        None => vec![canonical(&vars, &[(true, body)])],
    }
}

type Literal = (bool, StateFormula);

/// A quantifier-free formula, or its negation, as clauses; `None` if it has a quantifier.
fn clauses(formula: &StateFormula, positive: bool) -> Option<Vec<Vec<Literal>>> {
    let every = |parts: &[StateFormula], positive: bool| {
        parts.iter().map(|part| clauses(part, positive)).collect::<Option<Vec<_>>>()
    };
    let either = |parts: Vec<Vec<Vec<Literal>>>| {
        let choices = parts.into_iter().multi_cartesian_product();
        choices.map(|choice| choice.concat()).collect::<Vec<_>>()
    };
    match formula.kind() {
        FormulaKind::Not(inner) => clauses(inner, !positive),
        FormulaKind::And(parts) if positive => Some(every(parts, true)?.concat()),
        FormulaKind::Or(parts) if !positive => Some(every(parts, false)?.concat()),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => Some(either(every(parts, positive)?)),
        FormulaKind::Implies(left, right) if positive => {
            Some(either(vec![clauses(left, false)?, clauses(right, true)?]))
        }
        FormulaKind::Implies(left, right) => {
            Some([clauses(left, true)?, clauses(right, false)?].concat())
        }
        FormulaKind::Holds(..) | FormulaKind::Equal(..) => {
            Some(vec![vec![(positive, formula.clone())]])
        }
        FormulaKind::Truth(_)
        | FormulaKind::Compare(..)
        | FormulaKind::Iff(..)
        | FormulaKind::If(..)
        | FormulaKind::Quantified(..) => None,
    }
}

/// The least form of a clause over all names for its variables.
fn canonical(vars: &[StateVar], clause: &[Literal]) -> Line {
    let count = vars.len();
    // More variables than a structure has need no form of their own.
    if count > 4 {
        return (vars.iter().cloned().collect(), clause.iter().cloned().collect());
    }
    let forms = (0..count).permutations(count).map(|order| {
        let names: VariableNames<'_> = vars
            .iter()
            .zip(order)
            .map(|(var, place)| (var, StateVar::new(format!("v{place}"), var.sort)))
            .collect();
        let literals = clause.iter().map(|(sign, own)| (*sign, spelled(own, &names)));
        (names.values().cloned().collect(), literals.collect())
    });
    forms.min().unwrap_or_default()
}

type VariableNames<'a> = BTreeMap<&'a StateVar, StateVar>;

/// A formula with these names for variables; the sides of `=` and the parts of `&` in order.
fn spelled(formula: &StateFormula, names: &VariableNames<'_>) -> StateFormula {
    let term = |term: &Term<OneState>| match term.kind() {
        TermKind::Var(var) => Term::var(names.get(var).unwrap_or(var).clone()),
        _ => term.clone(),
    };
    match formula.kind() {
        FormulaKind::Holds(symbol, args) => {
            Formula::holds(*symbol, args.iter().map(term).collect())
        }
        FormulaKind::Equal(left, right) => {
            let (left, right) = (term(left), term(right));
            if left <= right { Formula::equal(left, right) } else { Formula::equal(right, left) }
        }
        FormulaKind::And(parts) => {
            let parts: BTreeSet<StateFormula> =
                parts.iter().map(|part| spelled(part, names)).collect();
            Formula::and(parts)
        }
        FormulaKind::Quantified(quantifier, vars, body) if vars.len() == 1 => {
            let inner = StateVar::new("inner", vars[0].sort);
            let mut names = names.clone();
            names.insert(&vars[0], inner.clone());
            Formula::quantified(*quantifier, vec![inner], spelled(body, &names))
        }
        _ => formula.clone(),
    }
}

/// The module with a structure in place of its relation and its axioms.
fn replaced(
    module: &Module,
    protocol: &Protocol,
    structure: &Structure,
    axioms: &BTreeSet<usize>,
) -> Option<Module> {
    let signature = &protocol.signature;
    let symbols = structure.symbols();
    let spans: BTreeSet<usize> =
        axioms.iter().map(|position| protocol.axioms[*position].span.start).collect();
    let names: Vec<&str> = symbols.iter().map(|id| &*signature.symbol(*id).name).collect();
    let sets: Vec<&str> = match &structure.kind {
        StructureKind::Quorums { families, .. } => {
            families.iter().map(|family| &**signature.sort_name(family.sets)).collect()
        }
        _ => Vec::new(),
    };
    let mut items: Vec<Spanned<Item>> = Vec::new();
    let mut declared = None;
    for item in &module.items {
        match &item.value {
            Item::Axiom(_) if spans.contains(&item.span.start) => continue,
            Item::Symbol(symbol) if names.contains(&&*symbol.name.value) => {
                // The first of two families is declared where the first relation was.
                if declared.is_none() {
                    declared = Some(items.len());
                    items.push(item.clone());
                }
                continue;
            }
            Item::Sorts(sorts) if !sets.is_empty() => {
                let kept: Vec<Identifier> =
                    sorts.iter().filter(|sort| !sets.contains(&&*sort.value)).cloned().collect();
                if !kept.is_empty() {
                    items.push(Spanned::new(Item::Sorts(kept), item.span));
                }
                continue;
            }
            _ => items.push(item.clone()),
        }
    }
    let position = declared?;
    let span = items[position].span;
    items[position].value = Item::Structure(written(protocol, structure, span));
    Some(Module { items })
}

/// The declaration of a structure.
fn written(protocol: &Protocol, structure: &Structure, span: crate::source::Span) -> StructureItem {
    let signature = &protocol.signature;
    let symbols = structure.symbols();
    let named = |name: &crate::logic::Name| Identifier::new(name.clone(), span);
    let names: Vec<Identifier> =
        symbols.iter().map(|symbol| named(&signature.symbol(*symbol).name)).collect();
    let on = |sort: SortId| named(signature.sort_name(sort));
    let simple = |word, own: &OnSort| StructureItem {
        word,
        names: names.clone(),
        sorts: Vec::new(),
        on: on(own.sort),
    };
    match &structure.kind {
        StructureKind::Order(own) => simple(StructureWord::Order, own),
        StructureKind::Ring(own) => simple(StructureWord::Ring, own),
        StructureKind::Tree(own) => simple(StructureWord::Tree, own),
        StructureKind::Quorums { members, families } => {
            let default = families.len() == 1 && &*names[0].value == "member";
            StructureItem {
                word: StructureWord::Quorums,
                names: if default { Vec::new() } else { names.clone() },
                sorts: families.iter().map(|family| on(family.sets)).collect(),
                on: on(*members),
            }
        }
    }
}

/// Whether two protocols have the same sorts, symbols, lines and actions, whatever the order of the
/// sorts, symbols and axioms, and the axioms of declared structures are those of the other one.
fn is_same(one: &Protocol, other: &Protocol) -> bool {
    let texts = |protocol: &Protocol| -> (BTreeSet<String>, Vec<String>) {
        let text = crate::protocol::print_protocol(protocol);
        let free = |line: &&str| {
            ["sort ", "rigid ", "constant ", "relation ", "function ", "variable "]
                .iter()
                .any(|word| line.starts_with(word))
        };
        let kept = text.lines().filter(|line| !free(line) && !line.starts_with("axiom "));
        (text.lines().filter(free).map(str::to_owned).collect(), kept.map(str::to_owned).collect())
    };
    let rigid = |protocol: &Protocol| {
        protocol.signature.symbols().filter(|(_, own)| own.rigidity == Rigidity::Rigid).count()
    };
    texts(one) == texts(other) && rigid(one) == rigid(other)
}
