//! Witnesses that a protocol forgets. An action that looks at all members of a quorum often leaves
//! no trace of which quorum it was; history remembers the last one, so that a certificate can name
//! it.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::{
    ActionLocal, AtomEntry, AtomValue, Footprint, FootprintUpdate, GuardSource, QuantifiedGuard,
    UpdateSource, footprints, quantified_guards,
};
use crate::certificate::{Invariant, StateClause};
use crate::keywords::is_poor_name;
use crate::logic::{
    Formula, FormulaKind, Name, Node, Quantifier, Term, Translation, fresh_name, translate_formula,
};
use crate::protocol::{
    Action, Argument, Assignment, Command, OneState, PropertyKind, Protocol, RightSide, Rigidity,
    Sort, SortId, State, StateFormula, StateTerm, Symbol, SymbolId,
};
use crate::source::Span;

/// A protocol with history of the witnesses that it forgets.
#[derive(Clone, Debug)]
pub struct WitnessHistory {
    /// The protocol with all history symbols.
    pub large: Protocol,
    /// What they remember, in the order of their symbols, which come after all others.
    pub(crate) remembered: Vec<HistorySymbol>,
}

/// A symbol that remembers a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HistorySymbol {
    /// The history symbol: a function with the arguments of what was set.
    pub(crate) symbol: SymbolId,
    /// What is set with the help of the witness.
    pub(crate) of: SymbolId,
    /// The sort of the witness.
    pub(crate) sort: SortId,
    /// Who sets it.
    pub(crate) uses: Vec<HistoryUse>,
}

/// An action that needs a witness to set something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HistoryUse {
    /// The action.
    pub(crate) action: usize,
    /// The position of the witness among its parameters.
    pub(crate) witness: usize,
    /// The parameters at which it sets something.
    pub(crate) places: Vec<usize>,
}

/// Adds history of every witness that is forgotten.
pub fn remember(protocol: &Protocol) -> WitnessHistory {
    remember_of(protocol, |_| true)
}

/// Adds history of the witnesses of what the safety properties speak of: where a clause can say that
/// something exists, that is often enough, and the states are far fewer.
pub fn remember_for_properties(protocol: &Protocol) -> WitnessHistory {
    let safety = protocol.properties.iter().filter(|own| own.kind == PropertyKind::Safety);
    let symbols = safety.flat_map(|own| own.matrix.symbols());
    let mentioned: BTreeSet<SymbolId> = symbols.collect();
    remember_of(protocol, |symbol| mentioned.contains(&symbol))
}

fn remember_of(protocol: &Protocol, wanted: impl Fn(SymbolId) -> bool) -> WitnessHistory {
    let mut memory = WitnessHistory::nothing(protocol);
    for (of, sort, uses) in forgotten(protocol).into_iter().filter(|found| wanted(found.0)) {
        memory.add(of, sort, uses);
    }
    memory
}

impl WitnessHistory {
    /// No history.
    pub(crate) fn nothing(user: &Protocol) -> WitnessHistory {
        WitnessHistory { large: user.clone(), remembered: Vec::new() }
    }

    /// This history, and after it some of another one.
    pub(crate) fn and(
        &self,
        other: &WitnessHistory,
        wanted: &BTreeSet<SymbolId>,
    ) -> WitnessHistory {
        let mut more = self.clone();
        for known in other.remembered.iter().filter(|known| wanted.contains(&known.symbol)) {
            if more.find(known).is_none() {
                more.add(known.of, known.sort, known.uses.clone());
            }
        }
        more
    }

    /// The symbol that remembers the same.
    pub(crate) fn find(&self, wanted: &HistorySymbol) -> Option<SymbolId> {
        let same = |known: &&HistorySymbol| {
            (known.of, known.sort, &known.uses) == (wanted.of, wanted.sort, &wanted.uses)
        };
        self.remembered.iter().find(same).map(|known| known.symbol)
    }

    fn add(&mut self, of: SymbolId, sort: SortId, uses: Vec<HistoryUse>) {
        let declared = self.large.signature.symbol(of).clone();
        let name: Name = format!("{}_by", declared.name).into();
        let name = fresh_name(&name, |name| is_taken(&self.large, name));
        let symbol = self.large.signature.add_symbol(Symbol {
            name,
            params: declared.params,
            result: Some(Sort::Declared(sort)),
            rigidity: Rigidity::Mutable,
            span: Span::default(),
        });
        for own in &uses {
            let action = &mut self.large.actions[own.action];
            let param = |index: &usize| Term::var(action.params[*index].clone());
            let assignment = Assignment {
                target: symbol,
                arguments: own.places.iter().map(|place| Argument::At(param(place))).collect(),
                value: RightSide::Term(param(&own.witness)),
                span: Span::default(),
            };
            action.body.push(Command::Assign(assignment));
        }
        self.remembered.push(HistorySymbol { symbol, of, sort, uses });
    }

    /// An invariant with no more history than it speaks of.
    pub fn as_needed(&self, user: &Protocol, invariant: Invariant) -> (Protocol, Invariant) {
        let symbols = invariant.clauses.iter().flat_map(|clause| clause.formula.symbols());
        let wanted: BTreeSet<SymbolId> = symbols.collect();
        let fewer = WitnessHistory::nothing(user).and(self, &wanted);
        let kept = self.remembered.iter();
        let renamed = kept.filter_map(|known| Some((known.symbol, fewer.find(known)?)));
        let renamed = Renamed(renamed.collect());
        let clauses = invariant.clauses.into_iter().map(|clause| StateClause {
            formula: translate_formula(&clause.formula, BTreeMap::new(), &renamed),
            ..clause
        });
        let clauses = clauses.collect();
        (fewer.large, Invariant { clauses })
    }

    /// The clauses that speak of the user's symbols only.
    pub fn without_history(&self, invariant: Invariant) -> Invariant {
        let mut clauses = invariant.clauses;
        clauses.retain(|clause| !clause.formula.symbols().iter().any(|id| self.is_history(*id)));
        Invariant { clauses }
    }

    /// A state without the symbols of the history.
    pub fn state_without_history(&self, mut state: State) -> State {
        state.tables.retain(|symbol, _| !self.is_history(*symbol));
        state
    }

    fn is_history(&self, symbol: SymbolId) -> bool {
        self.remembered.iter().any(|known| known.symbol == symbol)
    }
}

/// Symbols by other numbers.
struct Renamed(BTreeMap<SymbolId, SymbolId>);

impl Renamed {
    fn of(&self, symbol: SymbolId) -> SymbolId {
        self.0.get(&symbol).copied().unwrap_or(symbol)
    }
}

impl Translation<OneState, OneState> for &Renamed {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: SymbolId, args: Vec<StateTerm>, sort: Sort) -> StateTerm {
        Term::apply(self.of(symbol), args, sort)
    }

    fn holds(&self, symbol: SymbolId, args: Vec<StateTerm>) -> StateFormula {
        Formula::holds(self.of(symbol), args)
    }
}

/// Whether a name means something somewhere in a protocol.
fn is_taken(protocol: &Protocol, name: &Name) -> bool {
    let params = protocol.actions.iter().flat_map(|action| &action.params);
    protocol.signature.declares(name)
        || protocol.action(name).is_some()
        || params.into_iter().any(|param| param.name == *name)
        || is_poor_name(name)
}

type Forgotten = (SymbolId, SortId, Vec<HistoryUse>);

/// What is set with the help of a witness that is not among its arguments, and by whom.
fn forgotten(protocol: &Protocol) -> Vec<Forgotten> {
    let (footprints, guards) = (footprints(protocol), quantified_guards(protocol));
    let mut found: Vec<Forgotten> = Vec::new();
    for (index, (action, footprint)) in protocol.actions.iter().zip(&footprints).enumerate() {
        for witness in witnesses(protocol, index, &guards) {
            let Sort::Declared(sort) = action.params[witness].sort else { continue };
            for (of, places) in set_without(action, footprint, witness) {
                let own = HistoryUse { action: index, witness, places };
                // Two witnesses of one action are remembered apart.
                let known = found.iter_mut().find(|(known, with, uses)| {
                    let apart = uses.iter().any(|used| used.action == index);
                    *known == of && *with == sort && !apart
                });
                match known {
                    Some((_, _, uses)) => uses.push(own),
                    None => found.push((of, sort, vec![own])),
                }
            }
        }
    }
    found
}

/// The parameters of an action that say, by rigid relations, of which elements a guard speaks.
fn witnesses(protocol: &Protocol, action: usize, guards: &[QuantifiedGuard]) -> Vec<usize> {
    let mut found = BTreeSet::new();
    for guard in guards {
        let GuardSource::Require(formula) = &guard.source else { continue };
        if guard.action != action || guard.quantifier != Quantifier::Forall {
            continue;
        }
        let mut related: BTreeSet<StateTerm> = BTreeSet::new();
        Node::Formula(formula).visit(&mut |node| {
            if let Node::Formula(atom) = node
                && let FormulaKind::Holds(symbol, args) = atom.kind()
                && protocol.signature.symbol(*symbol).rigidity == Rigidity::Rigid
            {
                related.extend(args.iter().cloned());
            }
        });
        let params = protocol.actions[action].params.iter().enumerate();
        let named = params.filter(|(_, param)| related.contains(&Term::var((*param).clone())));
        found.extend(named.map(|(index, _)| index));
    }
    found.into_iter().collect()
}

/// What an action always sets at places that do not tell its witness.
fn set_without(
    action: &Action,
    footprint: &Footprint,
    witness: usize,
) -> Vec<(SymbolId, Vec<usize>)> {
    let always = |update: &&FootprintUpdate| match &update.source {
        UpdateSource::Assignment(assignment) => {
            action.body.iter().any(|command| *command == Command::Assign(assignment.clone()))
        }
        UpdateSource::Relation(_) => false,
    };
    let mut found: Vec<(SymbolId, Vec<usize>)> = Vec::new();
    for update in footprint.updates.iter().filter(always) {
        let sets = match update.atom.output {
            AtomValue::Truth(true) => true,
            AtomValue::Is(AtomEntry::Named(ActionLocal::Param(value))) => value != witness,
            AtomValue::Truth(false) | AtomValue::Any | AtomValue::Is(_) => false,
        };
        let places = update.atom.args.iter().map(|entry| match entry {
            AtomEntry::Named(ActionLocal::Param(param)) if *param != witness => Some(*param),
            _ => None,
        });
        let places = places.collect::<Option<Vec<usize>>>().filter(|_| sets);
        if let Some(places) = places
            && !found.iter().any(|(of, _)| *of == update.atom.symbol)
        {
            found.push((update.atom.symbol, places));
        }
    }
    found
}
