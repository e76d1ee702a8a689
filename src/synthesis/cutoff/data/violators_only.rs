//! Cutoffs of data and of processes at once: `C` has the violators and no other process.
//!
//! Moves that only prepare what is proposed later are not answered. Before an agreement on a value,
//! the first process of `C` makes the moves that let it propose the image of this value.

use crate::analysis::{Facts, GuardSource, UpdateSource};
use crate::certificate::{
    Alternative, Case, Clause, Move, ProductFormula, ProductNames, ProductSymbol, ProductTerm,
    ProductVar, element, large_sort, sim,
};
use crate::logic::{Formula, FormulaKind, Node, Term, TermKind, Var};
use crate::protocol::{
    Argument, Protocol, RightSide, Rigidity, Sort, SortId, StateTerm, Symbol, SymbolId,
};
use crate::source::Span;

use super::named_values::NamedValues;
use crate::synthesis::clause_names::number_equal_names;
use crate::synthesis::cutoff::plan::lockstep::{
    LockstepCandidates, Support, alternative, large_param,
};
use crate::synthesis::cutoff::plan::maps::{Others, SortMap, names};
use crate::synthesis::cutoff::plan::violator_shapes::ViolatorShape;
use crate::synthesis::cutoff::plan::{PlanTarget, product_names};

/// The maps of all sorts that are no data: the violators stay. `None` if there is no such sort, or
/// one without violators, of which `C` would have the elements of `L`.
pub(super) fn violator_maps(
    protocol: &Protocol,
    shape: &ViolatorShape,
    data: &[SortId],
) -> Option<Vec<SortMap>> {
    let others = protocol.signature.sized_sorts().filter(|sort| !data.contains(sort));
    let maps = others.map(|sort| {
        let kept = shape.of_sort(Sort::Declared(sort));
        let elements = names(protocol, shape, sort, kept.len());
        let rest = kept.len().checked_sub(1)?;
        Some(SortMap { sort, kept, elements, rest, others: Others::Ignored, arcs: None })
    });
    let maps: Option<Vec<SortMap>> = maps.collect();
    maps.filter(|maps| !maps.is_empty())
}

/// What proposes: it happens if a function has a value that is a parameter at another parameter.
struct Proposal {
    function: SymbolId,
    /// The parameter where the function has the value, and the one that is the value.
    at: usize,
    value: usize,
}

/// How `C` with the violators alone follows `L`.
pub(super) struct ViolatorsOnly<'a> {
    protocol: &'a Protocol,
    facts: &'a Facts,
    shape: &'a ViolatorShape,
    processes: Vec<SortMap>,
    maps: Vec<SortMap>,
    names: ProductNames,
}

impl<'a> ViolatorsOnly<'a> {
    pub(super) fn new(
        target: &PlanTarget<'a>,
        values: &NamedValues,
        processes: Vec<SortMap>,
    ) -> Self {
        let PlanTarget { protocol, facts, shape, .. } = *target;
        let maps: Vec<SortMap> = processes.iter().chain(&values.maps).cloned().collect();
        let cut = maps.iter().map(SortMap::cut_sort).collect();
        let names = product_names(protocol, &shape.params, cut);
        ViolatorsOnly { protocol, facts, shape, processes, maps, names }
    }

    /// The maps of all sorts.
    pub(super) fn maps(&self) -> Vec<SortMap> {
        self.maps.clone()
    }

    /// The case with other answers and more clauses.
    pub(super) fn adapt(&self, case: Case) -> Case {
        let mut gamma = case.gamma.clone();
        let mut added = self.instead();
        added.extend(self.exclusive());
        gamma.extend(number_equal_names(added));
        Case { gamma, lockstep: self.lockstep(), ..case }
    }

    fn candidates(&self) -> LockstepCandidates<'_> {
        let (protocol, facts, names, maps) = (self.protocol, self.facts, &self.names, &self.maps);
        LockstepCandidates { protocol, facts, names, maps }
    }

    fn lockstep(&self) -> Vec<Vec<Alternative>> {
        let actions = 0..self.protocol.actions.len();
        let proposals: Vec<Option<Proposal>> =
            actions.clone().map(|action| self.proposal(action)).collect();
        let prepares = |action: &usize| {
            let functions = proposals.iter().flatten().map(|own| own.function);
            functions.into_iter().any(|function| self.sets(*action, function).is_some())
        };
        let acting: Vec<usize> = actions.clone().filter(|action| !prepares(action)).collect();
        let mut lockstep = self.candidates().lockstep(&acting, &Support::None);
        for (action, proposal) in actions.zip(&proposals) {
            if let Some(proposal) = proposal
                && let Some(moves) = self.proposing(action, proposal)
            {
                lockstep[action] = vec![alternative(Formula::truth(true), moves)];
            }
        }
        lockstep
    }

    /// What an action needs to be proposed, if it is an agreement: other actions set that.
    fn proposal(&self, action: usize) -> Option<Proposal> {
        let is_set = |function| {
            let mut others = 0..self.protocol.actions.len();
            others.any(|other| other != action && self.sets(other, function).is_some())
        };
        let mut found = None;
        for guard in &self.facts.footprints[action].guards {
            let GuardSource::Require(formula) = &guard.source else { continue };
            Node::Formula(formula).visit(&mut |node| {
                if let Node::Formula(formula) = node
                    && let FormulaKind::Equal(left, right) = formula.kind()
                    && let Some(proposal) =
                        self.asks(action, left, right).or_else(|| self.asks(action, right, left))
                    && is_set(proposal.function)
                {
                    found = found.take().or(Some(proposal));
                }
            });
        }
        found
    }

    /// `function(parameter) = parameter`.
    fn asks(&self, action: usize, function: &StateTerm, value: &StateTerm) -> Option<Proposal> {
        let TermKind::Apply(function, args, _) = function.kind() else { return None };
        let [at] = args.as_slice() else { return None };
        let (at, value) = (self.param(action, at)?, self.param(action, value)?);
        Some(Proposal { function: *function, at, value })
    }

    /// The position of a parameter of an action.
    fn param(&self, action: usize, term: &StateTerm) -> Option<usize> {
        let TermKind::Var(var) = term.kind() else { return None };
        self.protocol.actions[action].params.iter().position(|param| param == var)
    }

    /// The parameters at which an action sets a function, and to which.
    fn sets(&self, action: usize, function: SymbolId) -> Option<(usize, usize)> {
        self.facts.footprints[action].updates.iter().find_map(|update| {
            let UpdateSource::Assignment(own) = &update.source else { return None };
            match (own.arguments.as_slice(), &own.value) {
                ([Argument::At(at)], RightSide::Term(value)) if own.target == function => {
                    Some((self.param(action, at)?, self.param(action, value)?))
                }
                _ => None,
            }
        })
    }

    /// The moves by which the first process of `C` proposes a value, then the agreement.
    fn proposing(&self, action: usize, proposal: &Proposal) -> Option<Vec<Move>> {
        let params = &self.protocol.actions[action].params;
        let first = self.first(params[proposal.at].sort)?;
        let value = &params[proposal.value];
        let image = sim(&self.names, value.sort, large_param(value));
        let mut moves = Vec::new();
        for mover in 0..self.protocol.actions.len() {
            let Some((at, set)) = self.sets(mover, proposal.function) else { continue };
            let own = &self.protocol.actions[mover].params;
            if own.len() == 2 && own[set].sort == value.sort {
                let mut args = vec![first.clone(); 2];
                args[set] = image.clone();
                args[at] = first.clone();
                moves.extend(self.candidates().attempt(mover, args, action));
            }
        }
        let args = params.iter().enumerate().map(|(index, param)| match index == proposal.at {
            true => first.clone(),
            false => sim(&self.names, param.sort, large_param(param)),
        });
        moves.push(self.candidates().attempt(action, args.collect(), action)?);
        Some(moves)
    }

    /// The first element of `C` of a sort.
    fn first(&self, sort: Sort) -> Option<ProductTerm> {
        let map = self.processes.iter().find(|map| Sort::Declared(map.sort) == sort)?;
        Some(element(map.sort, 0))
    }

    /// The relations that may say where a process is.
    fn places(&self) -> Vec<(SymbolId, &'a Symbol, SortId)> {
        let signature = &self.protocol.signature;
        let mutable = signature.symbols().filter(|(_, own)| own.rigidity == Rigidity::Mutable);
        let unary = mutable.filter_map(|(id, own)| match (own.params.as_slice(), own.result) {
            ([Sort::Declared(sort)], None) => Some((id, own, *sort)),
            _ => None,
        });
        unary.filter(|(_, _, sort)| self.processes.iter().any(|map| map.sort == *sort)).collect()
    }

    /// Where a violator is in `L`, and where its image may be instead.
    fn instead(&self) -> Vec<Clause> {
        let places = self.places();
        let mut all = Vec::new();
        for (one, declared, sort) in &places {
            for violator in self.shape.of_sort(Sort::Declared(*sort)) {
                let image = sim(&self.names, Sort::Declared(*sort), violator.clone());
                let large = Formula::holds(ProductSymbol::Large(*one), vec![violator.clone()]);
                for (other, second, _) in places.iter().filter(|(.., own)| own == sort) {
                    if one == other {
                        continue;
                    }
                    let place = |id| Formula::holds(ProductSymbol::Cutoff(id), vec![image.clone()]);
                    let name = format!("{}_as_{}", declared.name, second.name);
                    let there = Formula::implies(large.clone(), place(*other));
                    all.push(clause(name.clone(), there));
                    let either = Formula::or([place(*one), place(*other)]);
                    all.push(clause(
                        format!("{name}_or_there"),
                        Formula::implies(large.clone(), either),
                    ));
                }
            }
        }
        all
    }

    /// That a process of `L` is in one place at a time.
    fn exclusive(&self) -> Vec<Clause> {
        let places = self.places();
        let mut all = Vec::new();
        for (index, (one, declared, sort)) in places.iter().enumerate() {
            for (other, second, _) in places[index + 1..].iter().filter(|(.., own)| own == sort) {
                let var: ProductVar = Var::new("X1", large_sort(Sort::Declared(*sort)));
                let at =
                    |id| Formula::holds(ProductSymbol::Large(id), vec![Term::var(var.clone())]);
                let both = Formula::and([at(*one), at(*other)]);
                let formula = Formula::forall(vec![var.clone()], both.negate());
                all.push(clause(format!("one_{}_{}", declared.name, second.name), formula));
            }
        }
        all
    }
}

fn clause(name: String, formula: ProductFormula) -> Clause {
    Clause { name: name.into(), formula, span: Span::default() }
}
