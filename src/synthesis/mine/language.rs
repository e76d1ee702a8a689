//! What candidate clauses can say: a few relations that hold, and atoms about their arguments.

use std::collections::BTreeSet;

use crate::logic::{Comparison, Formula, Node, Term, TermKind};
use crate::protocol::{
    Protocol, Rigidity, Signature, Sort, StateFormula, StateTerm, StateVar, SymbolId,
};

use super::atoms::{AtomContext, AtomOperand, Existence, MAX_ATOMS, MAX_VARS, MinedAtom};
use super::guard_atoms::{GuardAtom, guard_atoms, promised_atoms};
use super::lasting::lasting_atoms;
use crate::synthesis::combinations::extended;
use crate::synthesis::predicate::Predicate;

/// The symbols and integers that candidate clauses may mention.
#[derive(Clone, Debug)]
pub(crate) struct ClauseLanguage<'a> {
    pub(super) signature: &'a Signature,
    /// What a skeleton can be made of: mutable, and with arguments.
    pub(crate) skeletal: Vec<Predicate>,
    /// The integers that the protocol mentions.
    integers: Vec<i32>,
    /// What its guards say about the existence of something.
    pub(super) guard_atoms: Vec<GuardAtom>,
    /// What its properties say that exists.
    pub(super) promised_atoms: Vec<GuardAtom>,
    /// What some member of a quorum will never give, though an action asks it of all.
    pub(super) lasting_atoms: Vec<GuardAtom>,
}

impl<'a> ClauseLanguage<'a> {
    /// The language of a protocol.
    pub(crate) fn new(protocol: &'a Protocol) -> Self {
        let signature = &protocol.signature;
        let symbols = signature.mutable().filter(|(_, symbol)| !symbol.params.is_empty());
        ClauseLanguage {
            signature,
            skeletal: symbols.flat_map(|(id, _)| Predicate::of(signature, id)).collect(),
            integers: mentioned_integers(protocol),
            guard_atoms: guard_atoms(protocol),
            promised_atoms: promised_atoms(protocol),
            lasting_atoms: lasting_atoms(protocol),
        }
    }

    /// The context of some predicates and some extra variables.
    pub(crate) fn context(
        &self,
        skeleton: &[Predicate],
        extra_sorts: &[Sort],
        existence: Existence,
    ) -> AtomContext {
        let mut vars = Vec::new();
        let mut holding = Vec::new();
        for predicate in skeleton {
            let params = &self.signature.symbol(predicate.symbol).params;
            holding.push((*predicate, (vars.len()..vars.len() + params.len()).collect()));
            vars.extend_from_slice(params);
        }
        vars.extend_from_slice(extra_sorts);
        let mut context = AtomContext { vars, skeleton: holding, ..AtomContext::default() };
        let mut atoms = self.atoms(&context);
        if context.vars.len() <= MAX_VARS {
            self.add_existence(&context, existence, &mut atoms);
        }
        for atom in atoms.into_iter().take(MAX_ATOMS) {
            let bit = 1 << context.atoms.len();
            if self.is_rigid(&atom) {
                context.rigid |= bit;
            }
            if matches!(atom, MinedAtom::Equal(AtomOperand::Var(_), AtomOperand::Var(_))) {
                context.equalities |= bit;
            }
            if matches!(&atom, MinedAtom::Holds(own, _) if self.skeletal.contains(own)) {
                context.premises |= bit;
            }
            if matches!(atom, MinedAtom::AtMost(_, AtomOperand::Integer(_), _)) {
                context.counting |= bit;
            }
            if matches!(atom, MinedAtom::Exists(..)) {
                context.witnessed |= bit;
            }
            if atom.is_cyclic(&context.vars) {
                context.cyclic |= bit;
            }
            context.atoms.push(atom);
        }
        context
    }

    /// The atoms of a context, the more useful ones first.
    pub(super) fn atoms(&self, context: &AtomContext) -> Vec<MinedAtom> {
        let vars = variables(context);
        let mut atoms = equalities(&vars);
        atoms.extend(self.named_elements(&vars));
        for arity in 0..=2 {
            atoms.extend(self.holding(context, arity, Rigidity::Mutable));
        }
        // Which element of an enumeration a function has was said already, one by one.
        let (enumerated, applied): (Vec<_>, Vec<_>) = self
            .function_equations(context)
            .into_iter()
            .partition(|(_, sort)| self.signature.is_enumeration(*sort));
        atoms.extend(applied.into_iter().map(|(atom, _)| atom));
        for arity in 1..=3 {
            atoms.extend(self.holding(context, arity, Rigidity::Rigid));
        }
        atoms.extend(self.comparisons(context));
        for arity in 3..=6 {
            atoms.extend(self.holding(context, arity, Rigidity::Mutable));
        }
        atoms.extend(enumerated.into_iter().map(|(atom, _)| atom));
        let mut seen = BTreeSet::new();
        atoms.retain(|atom| seen.insert(atom.clone()));
        atoms
    }

    /// Variables over enumerations are certain elements.
    fn named_elements(&self, vars: &[(AtomOperand, Sort)]) -> Vec<MinedAtom> {
        let mut atoms = Vec::new();
        for (var, sort) in vars {
            let Sort::Declared(id) = *sort else { continue };
            let elements = self.signature.elements(id).unwrap_or_default();
            for (index, _) in (0..).zip(elements) {
                atoms.push(MinedAtom::Equal(var.clone(), AtomOperand::Element(index, id)));
            }
        }
        atoms
    }

    /// Predicates of one arity at all operands; mutable ones at variables only.
    fn holding(&self, context: &AtomContext, arity: usize, rigidity: Rigidity) -> Vec<MinedAtom> {
        let vars = variables(context);
        let mut terms = vars.clone();
        if rigidity == Rigidity::Rigid {
            terms.extend(self.applications(context));
        }
        let symbols = self.signature.symbols();
        let symbols = symbols
            .filter(|(_, symbol)| symbol.rigidity == rigidity && symbol.params.len() == arity);
        let predicates = symbols.flat_map(|(id, _)| Predicate::of(self.signature, id));
        let mut atoms = Vec::new();
        for predicate in predicates {
            for args in tuples(&terms, &self.signature.symbol(predicate.symbol).params) {
                let repeats = (1..args.len()).any(|at| args[..at].contains(&args[at]));
                let args = args.into_iter().map(|(operand, _)| operand).collect();
                let atom = MinedAtom::Holds(predicate, args);
                let useless = rigidity == Rigidity::Rigid && arity > 1 && repeats;
                if !useless && !context.has(&atom) {
                    atoms.push(atom);
                }
            }
        }
        atoms
    }

    /// Equations between functions and variables, and between functions, with their sorts.
    fn function_equations(&self, context: &AtomContext) -> Vec<(MinedAtom, Sort)> {
        let applied = self.applications(context);
        let vars = variables(context);
        let mut atoms = Vec::new();
        for (right, sort) in &applied {
            for (left, _) in vars.iter().filter(|(_, other)| other == sort) {
                atoms.push((MinedAtom::Equal(left.clone(), right.clone()), *sort));
            }
        }
        for (at, (right, sort)) in applied.iter().enumerate() {
            let before = applied[..at].iter().filter(|(_, other)| other == sort);
            for (left, _) in before.filter(|_| *sort != Sort::Int) {
                atoms.push((MinedAtom::Equal(left.clone(), right.clone()), *sort));
            }
        }
        atoms
    }

    /// Orders between integers.
    fn comparisons(&self, context: &AtomContext) -> Vec<MinedAtom> {
        let mut terms = variables(context);
        terms.extend(self.applications(context));
        let terms: Vec<AtomOperand> = terms
            .into_iter()
            .filter(|(_, sort)| *sort == Sort::Int)
            .map(|(term, _)| term)
            .collect();
        let mut atoms = Vec::new();
        for offset in [0, 1, -1] {
            for left in &terms {
                for right in terms.iter().filter(|right| *right != left) {
                    atoms.push(MinedAtom::AtMost(left.clone(), right.clone(), offset));
                }
            }
        }
        for integer in &self.integers {
            for left in &terms {
                atoms.push(MinedAtom::AtMost(left.clone(), AtomOperand::Integer(*integer), 0));
                atoms.push(MinedAtom::AtMost(left.clone(), AtomOperand::Integer(*integer), -1));
            }
        }
        atoms
    }

    /// Constants, and functions at variables.
    fn applications(&self, context: &AtomContext) -> Vec<(AtomOperand, Sort)> {
        let vars = variables(context);
        let mut applied = Vec::new();
        for (id, symbol) in self.signature.symbols() {
            let Some(result) = symbol.result else { continue };
            if symbol.params.len() > 2 {
                continue;
            }
            for args in tuples(&vars, &symbol.params) {
                applied.push((AtomOperand::Apply(id, positions(args)), result));
            }
        }
        applied
    }

    /// Whether actions change a symbol.
    pub(super) fn rigidity(&self, symbol: SymbolId) -> Rigidity {
        self.signature.symbol(symbol).rigidity
    }

    pub(super) fn is_rigid(&self, atom: &MinedAtom) -> bool {
        let fixed = |symbol: &SymbolId| self.signature.symbol(*symbol).rigidity == Rigidity::Rigid;
        let operand = |operand: &AtomOperand| match operand {
            AtomOperand::Var(_) | AtomOperand::Integer(_) | AtomOperand::Element(..) => true,
            AtomOperand::Apply(symbol, _) => fixed(symbol),
        };
        match atom {
            MinedAtom::Holds(own, args) => fixed(&own.symbol) && args.iter().all(operand),
            MinedAtom::Equal(left, right) | MinedAtom::AtMost(left, right, _) => {
                operand(left) && operand(right)
            }
            MinedAtom::Exists(_, _, literals) => {
                literals.iter().all(|(atom, _)| self.is_rigid(atom))
            }
        }
    }

    /// An operand as a term.
    pub(crate) fn term(&self, operand: &AtomOperand, vars: &[StateVar]) -> StateTerm {
        match operand {
            AtomOperand::Var(var) => Term::var(vars[*var].clone()),
            AtomOperand::Integer(value) => Term::integer(i64::from(*value), Sort::Int),
            AtomOperand::Element(index, sort) => Term::element(*index, Sort::Declared(*sort)),
            AtomOperand::Apply(symbol, args) => {
                let args = args.iter().map(|arg| Term::var(vars[*arg].clone())).collect();
                let sort = self.signature.symbol(*symbol).result;
                Term::apply(*symbol, args, sort.expect("only functions are applied"))
            }
        }
    }

    /// An atom or its negation as a formula.
    pub(crate) fn literal(&self, atom: &MinedAtom, holds: bool, vars: &[StateVar]) -> StateFormula {
        let plain = match atom {
            MinedAtom::Holds(predicate, args) => {
                let args = args.iter().map(|arg| self.term(arg, vars)).collect();
                let symbol = predicate.symbol;
                predicate.at(symbol, args, || self.signature.symbol(symbol).result)
            }
            MinedAtom::Equal(left, right) => {
                Formula::equal(self.term(left, vars), self.term(right, vars))
            }
            MinedAtom::AtMost(left, right, offset) => {
                let sides = (self.term(left, vars), self.term(right, vars));
                return comparison(sides, *offset, holds);
            }
            MinedAtom::Exists(_, sort, literals) => {
                // The variables of a clause have no number, or one from 1.
                let mut name = format!("{}0", letter(self.signature, *sort));
                while vars.iter().any(|var| *var.name == *name) {
                    name.push('0');
                }
                let own = StateVar::new(name, *sort);
                let mut inner = vars.to_vec();
                inner.push(own.clone());
                let body = literals.iter().map(|(atom, holds)| self.literal(atom, *holds, &inner));
                Formula::exists(vec![own], Formula::and(body.collect::<Vec<_>>()))
            }
        };
        if holds { plain } else { plain.negate() }
    }
}

/// Which variables of a context some operands are.
pub(super) fn positions(operands: Vec<(AtomOperand, Sort)>) -> Vec<usize> {
    let positions = operands.into_iter().filter_map(|(operand, _)| match operand {
        AtomOperand::Var(var) => Some(var),
        AtomOperand::Apply(..) | AtomOperand::Integer(_) | AtomOperand::Element(..) => None,
    });
    positions.collect()
}

/// The letter by which variables of a sort are called.
pub(super) fn letter(signature: &Signature, sort: Sort) -> char {
    let first = match sort {
        Sort::Declared(id) => signature.sort_name(id).chars().next().unwrap_or('x'),
        Sort::Int => 'i',
    };
    first.to_ascii_uppercase()
}

/// `left <= right + offset`, or its negation, without needless additions.
fn comparison((left, right): (StateTerm, StateTerm), offset: i32, holds: bool) -> StateFormula {
    let plus = |term: StateTerm, offset: i32| match offset {
        0 => term,
        _ => Term::add(term, Term::integer(i64::from(offset), Sort::Int)),
    };
    match (offset, holds) {
        (-1, true) => Formula::compare(Comparison::Less, left, right),
        (-1, false) => Formula::compare(Comparison::LessEqual, right, left),
        (_, true) => Formula::compare(Comparison::LessEqual, left, plus(right, offset)),
        (_, false) => Formula::compare(Comparison::Less, plus(right, offset), left),
    }
}

pub(super) fn variables(context: &AtomContext) -> Vec<(AtomOperand, Sort)> {
    context.vars.iter().enumerate().map(|(var, sort)| (AtomOperand::Var(var), *sort)).collect()
}

fn equalities(vars: &[(AtomOperand, Sort)]) -> Vec<MinedAtom> {
    let mut atoms = Vec::new();
    for (at, (right, sort)) in vars.iter().enumerate() {
        for (left, _) in vars[..at].iter().filter(|(_, other)| other == sort) {
            atoms.push(MinedAtom::Equal(left.clone(), right.clone()));
        }
    }
    atoms
}

/// All ways to choose operands of the given sorts.
pub(super) fn tuples(
    operands: &[(AtomOperand, Sort)],
    sorts: &[Sort],
) -> Vec<Vec<(AtomOperand, Sort)>> {
    let mut all: Vec<Vec<(AtomOperand, Sort)>> = vec![Vec::new()];
    for sort in sorts {
        let fitting: Vec<_> = operands.iter().filter(|(_, other)| other == sort).cloned().collect();
        if all.len() * fitting.len() > 4 * MAX_ATOMS {
            return Vec::new();
        }
        all = extended(&all, &fitting);
    }
    all
}

/// The integers that the initial conditions, the axioms and the properties mention.
fn mentioned_integers(protocol: &Protocol) -> Vec<i32> {
    let statements = protocol.init.iter().chain(&protocol.axioms);
    let statements = statements.map(|statement| &statement.formula);
    let matrices = protocol.properties.iter().map(|property| &property.matrix);
    let found = integers(statements.chain(matrices));
    found.into_iter().filter_map(|value| i32::try_from(value).ok()).collect()
}

/// The integers that some formulas mention.
pub(super) fn integers<'f>(formulas: impl Iterator<Item = &'f StateFormula>) -> BTreeSet<i64> {
    let mut found = BTreeSet::new();
    for formula in formulas {
        Node::Formula(formula).visit(&mut |node| {
            if let Node::Term(term) = node
                && let TermKind::Integer(value, _) = term.kind()
            {
                found.insert(*value);
            }
        });
    }
    found
}
