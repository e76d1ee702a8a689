//! Which values occur together in reachable states, read off the diagrams of all of them.
//!
//! Symbols are looked at where their arguments are one or two elements of each sort, which stand
//! for any different ones: `holds(Node1)` and `holds(Node2)` are never true together.

use std::collections::{BTreeMap, BTreeSet};

use super::diagram::{Diagram, Diagrams};
use super::reachable_set::reachable_states;
use super::transition_relations::Variables;
use super::value_combinations::{Combining, Conditions, Occurring, never};
use super::{STACK, in_some_order, state_count};
use crate::budget::Budget;
use crate::finite::engine::Experience;
use crate::finite::error::EngineError;
use crate::finite::ground::{GroundSystem, ground};
use crate::finite::model::initial::has_initial_state;
use crate::finite::model::instances::instances;
use crate::finite::question::Question;
use crate::finite::question::natural::Natural;
use crate::finite::question::reason::FiniteReason;
use crate::finite::question::slice::Slice;
use crate::finite::{Prepared, prepare};
use crate::logic::{Extent, Value};
use crate::protocol::{Sort, SortId, SymbolId};

/// The most places of which three are combined.
const PLACES_OF_TRIPLES: usize = 20;

/// The most places of which two are combined.
const PLACES_OF_PAIRS: usize = 80;

/// How many elements of a sort are distinguished.
const ELEMENTS: u32 = 2;

/// What reachable states have in common.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summary {
    /// How many instances there are.
    pub instances: u64,
    /// How many reachable states they have.
    pub states: Natural,
    /// The elements that are distinguished, by sort.
    pub elements: Vec<SortId>,
    /// Where symbols are looked at.
    pub places: Vec<Place>,
    /// The symbols that are not looked at, because integers are among their arguments.
    pub left_out: Vec<SymbolId>,
    /// How many places are combined at most.
    pub together: usize,
    /// What occurs at one place, and at several.
    pub combinations: Vec<Combination>,
}

/// A symbol at arguments.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The symbol.
    pub symbol: SymbolId,
    /// Its arguments.
    pub arguments: Vec<PlaceArgument>,
}

/// An argument of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PlaceArgument {
    /// One of the elements that are distinguished, by its position.
    Any(usize),
    /// An element of an enumeration, or a truth value.
    Named(Value),
}

/// A value at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SeenValue {
    /// A truth value, an integer or an element of an enumeration.
    Plain(Value),
    /// One of the elements that are distinguished, by its position.
    Any(usize),
    /// Another element than those that are distinguished.
    Other,
}

/// The values at some places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Combination {
    /// The positions of the places.
    pub places: Vec<usize>,
    /// The values that some reachable state has there, one for each place.
    pub occurring: BTreeSet<Vec<SeenValue>>,
    /// The combinations of values, each of which occurs, that never occur together although all
    /// smaller parts of them do.
    pub never: BTreeSet<Vec<SeenValue>>,
}

/// The values that occur together in the reachable states of all instances of the question's size;
/// inside, why that is not known.
///
/// # Errors
/// When the question is wrong or too large.
pub fn summarize(
    question: &Question<'_>,
    budget: &Budget,
) -> Result<Result<Summary, FiniteReason>, EngineError> {
    let answer = std::thread::scope(|scope| {
        let work = || summarize_instances(question, budget);
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        thread.ok().and_then(|thread| thread.join().ok())
    });
    answer
        .unwrap_or_else(|| Err(EngineError::Bug("the summary ended without an answer".to_owned())))
}

fn summarize_instances(
    question: &Question<'_>,
    budget: &Budget,
) -> Result<Result<Summary, FiniteReason>, EngineError> {
    let Prepared { slice, extents, .. } = prepare(question)?;
    let found = match instances(question, &slice, &extents, budget)? {
        Ok(found) => found,
        Err(reason) => return Ok(Err(reason)),
    };
    let mut plan = Plan::new(question, &slice, &extents);
    let mut experience = Experience::default();
    for rigid in found.rigid {
        let mut system = match ground(question, (&slice, &extents), rigid, &budget.stop)? {
            Ok(system) => system,
            Err(reason) => return Ok(Err(reason)),
        };
        let mut added = || {
            if !has_initial_state(&system, budget)? {
                return Ok(());
            }
            let before = plan.clone();
            plan =
                in_some_order(&mut system, &mut experience, budget, |system, order, diagrams| {
                    let (variables, states) = reachable_states(system, order.to_vec(), diagrams)?;
                    let mut plan = before.clone();
                    plan.add(system, &variables, diagrams, states)?;
                    Ok(plan)
                })?;
            Ok(())
        };
        if let Err(reason) = added() {
            return Ok(Err(reason));
        }
    }
    Ok(Ok(plan.summary()))
}

/// What is looked at, and what was seen so far.
#[derive(Clone)]
struct Plan {
    /// The sort of each element that is distinguished, with its extent.
    elements: Vec<(SortId, u32)>,
    places: Vec<Place>,
    left_out: Vec<SymbolId>,
    enumerations: BTreeSet<SortId>,
    results: BTreeMap<SymbolId, Option<Sort>>,
    instances: u64,
    states: Natural,
    seen: Occurring,
}

impl Plan {
    fn new(question: &Question<'_>, slice: &Slice, extents: &BTreeMap<Sort, Extent>) -> Self {
        let signature = &question.protocol.signature;
        let mut elements = Vec::new();
        for sort in signature.sized_sorts() {
            if let Some(Extent::Elements(size)) = extents.get(&Sort::Declared(sort)) {
                elements.extend((0..ELEMENTS.min(*size)).map(|_| (sort, *size)));
            }
        }
        let enumerations =
            signature.sorts().filter(|sort| signature.is_enumeration(Sort::Declared(*sort)));
        let mut plan = Plan {
            elements,
            places: Vec::new(),
            left_out: Vec::new(),
            enumerations: enumerations.collect(),
            results: BTreeMap::new(),
            instances: 0,
            states: Natural::default(),
            seen: BTreeMap::new(),
        };
        for id in slice.state.iter().copied() {
            let symbol = signature.symbol(id);
            plan.results.insert(id, symbol.result);
            if symbol.params.contains(&Sort::Int) {
                plan.left_out.push(id);
                continue;
            }
            let mut tuples = vec![Vec::new()];
            for sort in &symbol.params {
                let choices = plan.arguments(*sort, extents);
                let longer = tuples.into_iter().flat_map(|tuple: Vec<PlaceArgument>| {
                    choices.iter().map(move |choice| [tuple.as_slice(), &[*choice]].concat())
                });
                tuples = longer.collect();
            }
            plan.places.extend(tuples.into_iter().map(|arguments| Place { symbol: id, arguments }));
        }
        plan.places.sort();
        plan
    }

    /// What stands for the elements of a sort among arguments.
    fn arguments(&self, sort: Sort, extents: &BTreeMap<Sort, Extent>) -> Vec<PlaceArgument> {
        let own = self.elements.iter().enumerate();
        let own = own.filter(|(_, (of, _))| Sort::Declared(*of) == sort);
        let any: Vec<PlaceArgument> =
            own.map(|(position, _)| PlaceArgument::Any(position)).collect();
        match any.is_empty() {
            true => extents[&sort].values().map(PlaceArgument::Named).collect(),
            false => any,
        }
    }

    fn together(&self) -> usize {
        match self.places.len() {
            count if count <= PLACES_OF_TRIPLES => 3,
            count if count <= PLACES_OF_PAIRS => 2,
            _ => 1,
        }
    }

    /// Adds what the reachable states of one instance show, whichever elements are looked at.
    fn add(
        &mut self,
        system: &GroundSystem,
        variables: &Variables,
        diagrams: &mut Diagrams,
        states: Diagram,
    ) -> Result<(), FiniteReason> {
        self.instances += 1;
        let count = state_count::count(diagrams, states, variables.levels())?;
        self.states = self.states.plus(&count);
        for elements in self.choices() {
            let mut conditions = Vec::new();
            for place in &self.places {
                let here = (system, variables);
                conditions.push(self.conditions(place, &elements, here, diagrams)?);
            }
            let most = self.together();
            Combining::new(diagrams, &conditions, most, &mut self.seen).extend(states, 0)?;
        }
        Ok(())
    }

    /// All ways to choose different elements.
    fn choices(&self) -> Vec<Vec<u32>> {
        let mut choices: Vec<Vec<u32>> = vec![Vec::new()];
        for (sort, size) in &self.elements {
            let longer = choices.into_iter().flat_map(|choice| {
                let used = self.elements.iter().zip(&choice);
                let used = used.filter(|((of, _), _)| of == sort).map(|(_, element)| *element);
                let used: Vec<u32> = used.collect();
                let free = (0..*size).filter(move |element| !used.contains(element));
                free.map(move |element| [choice.as_slice(), &[element]].concat())
            });
            choices = longer.collect();
        }
        choices
    }

    /// The values that a place can have, with the states in which it has them.
    fn conditions(
        &self,
        place: &Place,
        elements: &[u32],
        (system, variables): (&GroundSystem, &Variables),
        diagrams: &mut Diagrams,
    ) -> Result<Conditions, FiniteReason> {
        let mut conditions: BTreeMap<SeenValue, Diagram> = BTreeMap::new();
        let arguments = place.arguments.iter().map(|argument| match argument {
            PlaceArgument::Any(position) => Value::Element(elements[*position]),
            PlaceArgument::Named(value) => *value,
        });
        let arguments: Vec<Value> = arguments.collect();
        let block = system.layout.blocks().find(|(symbol, _)| *symbol == place.symbol);
        let block = block.map(|(_, block)| block);
        let cell = block.and_then(|block| Some((block, block.position(&arguments)?)));
        let Some((block, position)) = cell else { return Ok(Conditions::new()) };
        for (code, value) in block.values().into_iter().enumerate() {
            let seen = self.value(place.symbol, value, elements);
            let here = variables.cell(diagrams, (block.cells()[position], block.width), code)?;
            let known = conditions.entry(seen).or_insert(Diagram::FALSE);
            *known = diagrams.or(*known, here)?;
        }
        Ok(conditions.into_iter().collect())
    }

    fn value(&self, symbol: SymbolId, value: Value, elements: &[u32]) -> SeenValue {
        let (Some(Some(Sort::Declared(sort))), Value::Element(element)) =
            (self.results.get(&symbol), value)
        else {
            return SeenValue::Plain(value);
        };
        if self.enumerations.contains(sort) {
            return SeenValue::Plain(value);
        }
        let mut own = self.elements.iter().zip(elements);
        let position = own.position(|((of, _), chosen)| of == sort && *chosen == element);
        position.map_or(SeenValue::Other, SeenValue::Any)
    }

    fn summary(self) -> Summary {
        let together = self.together();
        let own = self.seen.keys().filter(|places| self.is_first(places));
        let combinations = own.map(|places| Combination {
            places: places.clone(),
            occurring: self.seen[places].clone(),
            never: never(&self.seen, places),
        });
        let combinations = combinations.collect();
        Summary {
            instances: self.instances,
            states: self.states,
            elements: self.elements.iter().map(|(sort, _)| *sort).collect(),
            places: self.places,
            left_out: self.left_out,
            together,
            combinations,
        }
    }

    /// Whether no exchange of the elements of a sort leads to a smaller list of places: what
    /// holds of one element holds of every other.
    fn is_first(&self, places: &[usize]) -> bool {
        let sorts: BTreeSet<SortId> = self.elements.iter().map(|(sort, _)| *sort).collect();
        let sorts: Vec<SortId> = sorts.into_iter().collect();
        (0..1_u32 << sorts.len().min(16)).all(|exchanged| {
            let is_exchanged = |sort: &SortId| {
                let position = sorts.iter().position(|own| own == sort).unwrap_or(0);
                exchanged >> position & 1 == 1
            };
            let mut images: Vec<usize> =
                places.iter().map(|place| self.image(*place, &is_exchanged)).collect();
            images.sort_unstable();
            places <= images.as_slice()
        })
    }

    /// The place at the other elements of some sorts.
    fn image(&self, place: usize, is_exchanged: &impl Fn(&SortId) -> bool) -> usize {
        let mut image = self.places[place].clone();
        for argument in &mut image.arguments {
            if let PlaceArgument::Any(position) = argument {
                let (sort, _) = self.elements[*position];
                let mut others = self.elements.iter().enumerate();
                let other = others.find(|(other, (of, _))| of == &sort && other != position);
                if let Some((other, _)) = other.filter(|_| is_exchanged(&sort)) {
                    *position = other;
                }
            }
        }
        self.places.binary_search(&image).unwrap_or(place)
    }
}
