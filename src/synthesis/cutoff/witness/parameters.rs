//! Witnesses as parameters: the sets that the violation rests on, as history remembers them, and
//! an element that two of them have in common.
//!
//! Their picks look at the violating state, so `C` can be built around them from the start: of
//! each set it knows only the elements that it replays.

use std::collections::BTreeSet;

use crate::analysis::{AtomEntry, AtomValue, Facts, Membership};
use crate::certificate::{
    Case, Clause, Param, ProductDefinition, ProductFormula, ProductSort, ProductSymbol,
    ProductTerm, ProductVar, large_sort, sim,
};
use crate::logic::{Definition, Formula, Name, Term, Var};
use crate::protocol::{Protocol, Sort, SortId, SymbolId};
use crate::source::Span;

use super::history::{HistorySymbol, WitnessHistory};
use crate::synthesis::cutoff::plan::maps::{Others, SortMap, maps};
use crate::synthesis::cutoff::plan::product_names;
use crate::synthesis::cutoff::plan::violator_shapes::{ViolatorShape, fresh, open_shape};

/// A violation with its witnesses.
#[derive(Clone, Debug)]
pub(crate) struct Witnessed {
    /// The violators, then the witnesses.
    pub(crate) shape: ViolatorShape,
    /// The memory that `select` needs.
    pub(crate) memory: WitnessHistory,
    /// What was set with the help of which witness.
    marks: Vec<WitnessMark>,
    /// What two sets have in common.
    common: Vec<Common>,
}

/// An element that is in two sets.
#[derive(Clone, Debug)]
struct Common {
    member: ProductTerm,
    sets: [(Membership, ProductTerm); 2],
}

/// Who is in the sets of `C`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SetMembers {
    /// Only what two sets have in common.
    Common,
    /// All that are replayed, if they are in the sets.
    All,
}

/// `of(places)` was set with a witness, which `by(places)` remembers.
#[derive(Clone, Debug)]
struct WitnessMark {
    of: SymbolId,
    by: SymbolId,
    places: Vec<ProductTerm>,
    sorts: Vec<Sort>,
    witness: ProductTerm,
}

/// The most sets, and the most elements in two of them, that a violation is given.
const MAX_SETS: usize = 4;
const MAX_COMMON: usize = 3;

/// The violation of a property with its witnesses; `None` if it has none, or nothing in common.
pub(crate) fn witnessed(
    protocol: &Protocol,
    facts: &Facts,
    all: &WitnessHistory,
    kept: &WitnessHistory,
    property: usize,
) -> Option<Witnessed> {
    let mut shape = open_shape(protocol, property);
    let mut selected = vec![shape.select.clone()];
    let mut atoms = remembered_atoms(facts, all, property);
    atoms.truncate(MAX_SETS);
    let wanted: BTreeSet<SymbolId> = atoms.iter().map(|(known, _)| known.symbol).collect();
    let memory = kept.and(all, &wanted);
    let mut marks = Vec::new();
    for (known, violators) in atoms {
        let by = memory.find(known)?;
        let sort = Sort::Declared(known.sort);
        let own = &known.uses[0];
        let called = &protocol.actions[own.action].params[own.witness].name;
        let witness = add_param(protocol, &mut shape, called, sort);
        let places: Vec<ProductTerm> =
            violators.iter().map(|var| shape.param(shape.violators[*var])).collect();
        let value = Term::apply(ProductSymbol::Large(by), places.clone(), large_sort(sort));
        selected.push(Formula::equal(witness.clone(), value));
        let sorts = protocol.signature.symbol(known.of).params.clone();
        marks.push(WitnessMark { of: known.of, by, places, sorts, witness });
    }
    let common = common(protocol, facts, &mut shape);
    if common.is_empty() {
        return None;
    }
    for own in &common {
        selected.extend(own.sets.iter().map(|(of, set)| is_member(of, &own.member, set)));
    }
    shape.select = Formula::and(selected);
    Some(Witnessed { shape, memory, marks, common })
}

/// What the violation needs at its violators and some set helped to set: as near to the violation
/// as there is anything.
fn remembered_atoms<'m>(
    facts: &Facts,
    memory: &'m WitnessHistory,
    property: usize,
) -> Vec<(&'m HistorySymbol, Vec<usize>)> {
    let families = &facts.structure.intersections;
    let is_set = |known: &&HistorySymbol| {
        let sets = families.iter().flat_map(|family| [family.first.sets, family.second.sets]);
        sets.into_iter().any(|sort| sort == known.sort)
    };
    let mut found: Vec<(&HistorySymbol, Vec<usize>)> = Vec::new();
    let mut nearest = usize::MAX;
    for needed in &facts.properties[property].relevance.found {
        if needed.round > nearest {
            break;
        }
        let clause = &needed.item;
        let named = clause.args.iter().map(|entry| match entry {
            AtomEntry::Named(violator) => Some(violator.0),
            AtomEntry::Any
            | AtomEntry::Constant(_)
            | AtomEntry::Integer(_)
            | AtomEntry::Element(..) => None,
        });
        let Some(named) = named.collect::<Option<Vec<usize>>>() else { continue };
        if clause.output != AtomValue::Truth(true) {
            continue;
        }
        let of_clause = memory.remembered.iter().filter(|known| known.of == clause.symbol);
        for known in of_clause.filter(is_set) {
            nearest = needed.round;
            if !found.contains(&(known, named.clone())) {
                found.push((known, named.clone()));
            }
        }
    }
    found
}

/// A further parameter, called like something.
fn add_param(
    protocol: &Protocol,
    shape: &mut ViolatorShape,
    called: &str,
    sort: Sort,
) -> ProductTerm {
    let stem = called.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let params = protocol.actions.iter().flat_map(|action| &action.params);
    let taken: Vec<Name> = params.map(|param| param.name.clone()).collect();
    let numbered = (1..).map(|number| format!("{stem}{number}"));
    let free = |name: &String| *fresh(protocol, shape, &taken, name) == **name;
    let name = numbered.into_iter().find(free).unwrap_or_else(|| stem.to_owned());
    shape.params.push(Param { name: name.into(), sort });
    shape.param(shape.params.len() - 1)
}

/// Adds an element that two of the sets have in common, for every two.
fn common(protocol: &Protocol, facts: &Facts, shape: &mut ViolatorShape) -> Vec<Common> {
    let mut found = Vec::new();
    for family in &facts.structure.intersections {
        let (first, second) = (family.first, family.second);
        let one = shape.of_sort(Sort::Declared(first.sets));
        let two = shape.of_sort(Sort::Declared(second.sets));
        for (left, set) in one.iter().enumerate() {
            // Of one family, every two sets count once.
            let from = if first == second { left + 1 } else { 0 };
            for other in two.iter().skip(from) {
                if found.len() >= MAX_COMMON {
                    return found;
                }
                let member = add_param(protocol, shape, "w", Sort::Declared(first.members));
                let sets = [(first, set.clone()), (second, other.clone())];
                found.push(Common { member, sets });
            }
        }
    }
    found
}

fn is_member(of: &Membership, member: &ProductTerm, set: &ProductTerm) -> ProductFormula {
    let args = if of.member == 0 { [member, set] } else { [set, member] };
    Formula::holds(ProductSymbol::Large(of.relation), args.map(Clone::clone).to_vec())
}

impl Witnessed {
    /// The relations that say who is in which set.
    fn memberships(&self) -> Vec<Membership> {
        let mut all: Vec<Membership> = Vec::new();
        for (membership, _) in self.common.iter().flat_map(|own| &own.sets) {
            if !all.contains(membership) {
                all.push(*membership);
            }
        }
        all
    }

    /// Maps of the sets, to one element of `C` if one element is common to all of them, and of
    /// their members, each to its own.
    pub(crate) fn maps(&self, protocol: &Protocol, facts: &Facts) -> Vec<SortMap> {
        let mut all: Vec<SortMap> = Vec::new();
        let single = self.common.len() == 1;
        for membership in self.memberships() {
            for (sort, single) in [(membership.sets, single), (membership.members, false)] {
                if all.iter().any(|map| map.sort == sort) {
                    continue;
                }
                let mut own = maps(protocol, &facts.structure, &self.shape, sort);
                own.retain(|map| map.others == Others::Ignored && map.spare().is_none());
                let Some(mut map) = own.into_iter().next() else { continue };
                if single {
                    map.elements.truncate(1);
                    map.rest = 0;
                }
                all.push(map);
            }
        }
        all
    }

    /// The case with membership in `C` and with clauses about what the witnesses helped to set.
    pub(crate) fn complete(
        &self,
        protocol: &Protocol,
        members: SetMembers,
        mut case: Case,
    ) -> Case {
        for membership in self.memberships() {
            let definition = self.members_in_cutoff(&case, &membership, members);
            if let Some(definition) = definition {
                case.rigid.insert(membership.relation, definition);
            }
        }
        let names = product_names(protocol, &case.params, case.cut.clone());
        let clauses = self.marks.iter().map(|mark| {
            let large = Formula::holds(ProductSymbol::Large(mark.of), mark.places.clone());
            let sort = mark.witness.sort();
            let last = Term::apply(ProductSymbol::Large(mark.by), mark.places.clone(), sort);
            let with = Formula::equal(last, mark.witness.clone());
            let places = mark.places.iter().zip(&mark.sorts);
            let images = places.map(|(place, sort)| sim(&names, *sort, place.clone())).collect();
            let cutoff = Formula::holds(ProductSymbol::Cutoff(mark.of), images);
            let name = &protocol.signature.symbol(mark.of).name;
            (format!("{name}_by"), Formula::implies(Formula::and([large, with]), cutoff))
        });
        for (index, (name, formula)) in clauses.enumerate() {
            let name = if index == 0 { name } else { format!("{name}_{}", index + 1) };
            case.gamma.push(Clause { name: name.into(), formula, span: Span::default() });
        }
        case
    }

    /// An element of `C` is a member if it stands for a member of what the set stands for.
    fn members_in_cutoff(
        &self,
        case: &Case,
        membership: &Membership,
        members: SetMembers,
    ) -> Option<ProductDefinition> {
        let cut = |sort: SortId| case.cut.iter().find(|cut| cut.sort == sort);
        let (sets, replayed) = (cut(membership.sets)?, cut(membership.members)?);
        let var = |position: usize, sort: SortId| -> ProductVar {
            Var::new(format!("x{}", position + 1), ProductSort::Cutoff(sort))
        };
        let member = var(membership.member, replayed.sort);
        let set = var(1 - membership.member, sets.sort);
        let stands = |var: &ProductVar, sort: SortId, own: &ProductTerm| {
            let image = vec![own.clone()];
            let image = Term::apply(ProductSymbol::Sim(sort), image, ProductSort::Cutoff(sort));
            Formula::equal(Term::var(var.clone()), image)
        };
        // The only set of `C` stands for all of them.
        let is_set = |own: &ProductTerm| match sets.elements.len() {
            1 => Formula::truth(true),
            _ => stands(&set, sets.sort, own),
        };
        let is_it = |own: &ProductTerm| stands(&member, replayed.sort, own);
        let all: Vec<ProductFormula> = match members {
            SetMembers::Common => self
                .common
                .iter()
                .map(|own| {
                    let of = own.sets.iter().filter(|(of, _)| of == membership);
                    let some = Formula::or(of.map(|(_, set)| is_set(set)).collect::<Vec<_>>());
                    Formula::and([is_it(&own.member), some])
                })
                .collect(),
            SetMembers::All => self
                .shape
                .of_sort(Sort::Declared(replayed.sort))
                .iter()
                .map(|own| {
                    let known = self.shape.of_sort(Sort::Declared(sets.sort));
                    let inside = known
                        .iter()
                        .map(|set| Formula::implies(is_set(set), is_member(membership, own, set)));
                    Formula::and([is_it(own)].into_iter().chain(inside).collect::<Vec<_>>())
                })
                .collect(),
        };
        let mut params = vec![member.clone(), set.clone()];
        if membership.member != 0 {
            params.reverse();
        }
        Some(Definition::relation(params, Formula::or(all)))
    }
}
