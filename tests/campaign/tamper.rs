//! Every certificate that differs from a given one by one small change, as a text.

use std::collections::{BTreeMap, BTreeSet};

use rmlcut::certificate::{
    Alternative, Case, Certificate, Closing, CutSort, Mode, ProductDefinition, ProductSort,
    ProductSymbol, ProofArgument, StateClause, TwoSystems, print_certificate,
};
use rmlcut::logic::{Body, Formula, Term, Translation, translate_formula, translate_term};
use rmlcut::protocol::{PropertyKind, Protocol, SortId, SymbolId};

use crate::campaign::edits::{Kind, of_formula, of_term, without_one};

/// Every distinct changed certificate, as text.
pub(crate) fn tampered(user: &Protocol, original: &Certificate) -> Vec<(Kind, String)> {
    let mut seen = BTreeSet::from([print_certificate(user, original, "")]);
    let texts = changes(user, original).into_iter();
    let texts = texts.map(|(kind, changed)| (kind, print_certificate(user, &changed, "")));
    texts.filter(|(_, text)| seen.insert(text.clone())).collect()
}

fn changes(user: &Protocol, original: &Certificate) -> Vec<(Kind, Certificate)> {
    let mut found = Vec::new();
    for (index, property) in original.large.properties.iter().enumerate() {
        if property.kind == PropertyKind::Safety || user.property(&property.name).is_some() {
            continue;
        }
        for (_, matrix) in of_formula(&property.matrix) {
            let mut changed = original.clone();
            let lemma = &mut changed.large.properties[index];
            lemma.vars.retain(|var| matrix.free_vars().contains(var));
            lemma.matrix = matrix;
            found.push(("change a lemma", changed));
        }
    }
    match &original.argument {
        ProofArgument::Invariant(invariant) => {
            for (kind, clauses) in clauses(&invariant.clauses) {
                let mut changed = original.clone();
                if let ProofArgument::Invariant(invariant) = &mut changed.argument {
                    invariant.clauses = clauses;
                }
                found.push((kind, changed));
            }
        }
        ProofArgument::Cutoff(all) => {
            let with = |(kind, cases): (Kind, Vec<Case>)| {
                (kind, Certificate { argument: ProofArgument::Cutoff(cases), ..original.clone() })
            };
            // A lemma without its cases is still assumed.
            let dropped = without_one(all).into_iter().map(|fewer| ("drop a case", fewer));
            found.extend(dropped.map(with));
            for (index, own) in all.iter().enumerate() {
                found.extend(cases(own).into_iter().map(|(kind, own)| {
                    let mut changed = all.clone();
                    changed[index] = own;
                    with((kind, changed))
                }));
            }
        }
    }
    found
}

fn clauses(all: &[StateClause]) -> Vec<(Kind, Vec<StateClause>)> {
    let dropped = without_one(all).into_iter().map(|fewer| ("drop a clause", fewer));
    let mut found: Vec<(Kind, Vec<StateClause>)> = dropped.collect();
    for (index, clause) in all.iter().enumerate() {
        for (_, formula) in of_formula(&clause.formula) {
            let mut changed = all.to_vec();
            changed[index].formula = formula;
            found.push(("change a clause", changed));
        }
    }
    found
}

fn cases(case: &Case) -> Vec<(Kind, Case)> {
    let mut found = Vec::new();
    let mut add = |kind: Kind, change: &dyn Fn(&mut Case)| {
        let mut changed = case.clone();
        change(&mut changed);
        found.push((kind, changed));
    };
    for (_, formula) in of_formula(&case.select.formula) {
        add("change what is selected", &|changed| changed.select.formula = formula.clone());
    }
    for gamma in without_one(&case.gamma) {
        add("drop a clause of gamma", &|changed| changed.gamma.clone_from(&gamma));
    }
    for (index, clause) in case.gamma.iter().enumerate() {
        for (_, formula) in of_formula(&clause.formula) {
            add("change a clause of gamma", &|changed| {
                changed.gamma[index].formula = formula.clone();
            });
        }
    }
    for only in without_one(&case.only) {
        add("drop a property of C", &|changed| changed.only.clone_from(&only));
    }
    for (index, cut) in case.cut.iter().enumerate() {
        for sim in definitions(&cut.sim) {
            add("change a map", &|changed| changed.cut[index].sim = sim.clone());
        }
        if cut.elements.len() > 1 {
            let smaller = shrunk(case, index);
            add("shrink the instance", &|changed| *changed = smaller.clone());
        }
    }
    for (kind, changed) in of_definitions(&case.rigid) {
        add(kind, &|case| case.rigid.clone_from(&changed));
    }
    for (_, changed) in of_definitions(&case.start) {
        add("change a first value", &|case| case.start.clone_from(&changed));
    }
    for (index, alternatives) in case.lockstep.iter().enumerate() {
        for (kind, alternatives) in locksteps(alternatives, &case.cut) {
            add(kind, &|changed| changed.lockstep[index].clone_from(&alternatives));
        }
    }
    if let Closing::Invariant(invariant) = &case.closing {
        for (kind, clauses) in clauses(&invariant.clauses) {
            let mut changed = invariant.clone();
            changed.clauses = clauses;
            add(kind, &|case| case.closing = Closing::Invariant(changed.clone()));
        }
    }
    found
}

fn definitions(definition: &ProductDefinition) -> Vec<ProductDefinition> {
    let with = |body| ProductDefinition { params: definition.params.clone(), body };
    match &definition.body {
        Body::Formula(formula) => of_formula(formula)
            .into_iter()
            .map(|(_, changed)| with(Body::Formula(changed)))
            .collect(),
        Body::Term(term) => {
            of_term(term).into_iter().map(|(_, changed)| with(Body::Term(changed))).collect()
        }
    }
}

type Definitions = BTreeMap<SymbolId, ProductDefinition>;

fn of_definitions(all: &Definitions) -> Vec<(Kind, Definitions)> {
    let mut found = Vec::new();
    for (symbol, definition) in all {
        for changed in definitions(definition) {
            let mut others = all.clone();
            others.insert(*symbol, changed);
            found.push(("change a rigid definition", others));
        }
        for (other, second) in all.range(*symbol..).skip(1) {
            let sorts = |one: &ProductDefinition| -> Vec<ProductSort> {
                one.params.iter().map(|param| param.sort).collect()
            };
            if sorts(definition) == sorts(second) {
                let mut swapped = all.clone();
                swapped.insert(*symbol, second.clone());
                swapped.insert(*other, definition.clone());
                found.push(("swap two definitions", swapped));
            }
        }
    }
    found
}

fn locksteps(alternatives: &[Alternative], cut: &[CutSort]) -> Vec<(Kind, Vec<Alternative>)> {
    let mut found = Vec::new();
    let mut add = |kind: Kind, change: &dyn Fn(&mut Vec<Alternative>)| {
        let mut changed = alternatives.to_vec();
        change(&mut changed);
        found.push((kind, changed));
    };
    let conditional = alternatives.len().saturating_sub(1);
    for index in 0..conditional {
        add("drop an answer", &|changed| drop(changed.remove(index)));
        for (_, condition) in of_formula(&alternatives[index].condition) {
            add("change a condition", &|changed| changed[index].condition = condition.clone());
        }
        if index + 1 < conditional {
            add("reorder answers", &|changed| changed.swap(index, index + 1));
        }
    }
    for (index, alternative) in alternatives.iter().enumerate() {
        for moves in without_one(&alternative.moves) {
            add("drop a move", &|changed| changed[index].moves.clone_from(&moves));
        }
        if alternative.moves.len() > 1 {
            add("reorder a sequence", &|changed| changed[index].moves.reverse());
        }
        for (place, next) in alternative.moves.iter().enumerate() {
            add("repeat a move", &|changed| changed[index].moves.push(next.clone()));
            if next.mode == Mode::Try {
                add("do what is tried", &|changed| changed[index].moves[place].mode = Mode::Fire);
            }
            for (argument, arg) in next.args.iter().enumerate() {
                for other in other_elements(arg, cut) {
                    add("change an argument", &|changed| {
                        changed[index].moves[place].args[argument] = other.clone();
                    });
                }
            }
        }
    }
    found
}

/// The elements of the argument's sort in `C`, in its place.
fn other_elements(arg: &Term<TwoSystems>, cut: &[CutSort]) -> Vec<Term<TwoSystems>> {
    let ProductSort::Cutoff(sort) = arg.sort() else { return Vec::new() };
    let elements = cut.iter().filter(|cut| cut.sort == sort).flat_map(|cut| &cut.elements);
    let others = (0..)
        .zip(elements)
        .map(|(index, _)| Term::apply(ProductSymbol::Element(sort, index), Vec::new(), arg.sort()));
    others.filter(|other| other != arg).collect()
}

/// The case without the last element of a cut sort: what was the last becomes the first.
fn shrunk(case: &Case, index: usize) -> Case {
    let mut changed = case.clone();
    let cut = &mut changed.cut[index];
    cut.elements.pop();
    let merge = Merge { sort: cut.sort, last: u32::try_from(cut.elements.len()).expect("few") };
    cut.sim = merge.definition(&cut.sim);
    for definition in changed.rigid.values_mut().chain(changed.start.values_mut()) {
        *definition = merge.definition(definition);
    }
    for clause in &mut changed.gamma {
        clause.formula = merge.formula(&clause.formula);
    }
    for alternative in changed.lockstep.iter_mut().flatten() {
        alternative.condition = merge.formula(&alternative.condition);
        for next in &mut alternative.moves {
            next.args = next.args.iter().map(|arg| merge.term(arg)).collect();
            for definition in next.choices.values_mut() {
                *definition = merge.definition(definition);
            }
        }
    }
    changed
}

/// Reads the first element of a cut sort for its last.
#[derive(Clone, Copy)]
struct Merge {
    sort: SortId,
    last: u32,
}

impl Merge {
    fn formula(self, formula: &Formula<TwoSystems>) -> Formula<TwoSystems> {
        translate_formula(formula, BTreeMap::new(), self)
    }

    fn term(self, term: &Term<TwoSystems>) -> Term<TwoSystems> {
        translate_term(term, BTreeMap::new(), self)
    }

    fn definition(self, definition: &ProductDefinition) -> ProductDefinition {
        let body = match &definition.body {
            Body::Formula(formula) => Body::Formula(self.formula(formula)),
            Body::Term(term) => Body::Term(self.term(term)),
        };
        ProductDefinition { params: definition.params.clone(), body }
    }
}

impl Translation<TwoSystems, TwoSystems> for Merge {
    fn sort(&self, sort: ProductSort) -> ProductSort {
        sort
    }

    fn apply(
        &self,
        symbol: ProductSymbol,
        args: Vec<Term<TwoSystems>>,
        sort: ProductSort,
    ) -> Term<TwoSystems> {
        let gone = symbol == ProductSymbol::Element(self.sort, self.last);
        let symbol = if gone { ProductSymbol::Element(self.sort, 0) } else { symbol };
        Term::apply(symbol, args, sort)
    }

    fn holds(&self, symbol: ProductSymbol, args: Vec<Term<TwoSystems>>) -> Formula<TwoSystems> {
        Formula::holds(symbol, args)
    }
}
