//! Values that occur together, read off diagrams, against the list of all states.

use std::collections::BTreeSet;

use rmlcut::finite::{
    Combination, PlaceArgument, Question, SeenValue, Summary, Symmetry, reachable, summarize,
};
use rmlcut::logic::Value;
use rmlcut::protocol::{Protocol, Sort, State};

use crate::engines::{budget, protocol, size};

fn question<'a>(protocol: &'a Protocol, sizes: &str) -> Question<'a> {
    let symmetry = Symmetry::Distinguished;
    Question { symmetry, window: Some((0, 3)), ..Question::new(protocol, size(protocol, sizes)) }
}

fn summary(protocol: &Protocol, sizes: &str) -> Summary {
    let found = summarize(&question(protocol, sizes), &budget(1)).expect("the question is right");
    found.expect("the instances are small")
}

/// All ways to choose different elements of the sorts that are told apart.
fn choices(protocol: &Protocol, summary: &Summary, sizes: &str) -> Vec<Vec<u32>> {
    let size = size(protocol, sizes);
    let mut choices: Vec<Vec<u32>> = vec![Vec::new()];
    for (position, sort) in summary.elements.iter().enumerate() {
        let mut longer = Vec::new();
        for choice in &choices {
            for element in 0..size[sort] {
                let is_used = (0..position)
                    .any(|own| summary.elements[own] == *sort && choice[own] == element);
                if !is_used {
                    longer.push([choice.as_slice(), &[element]].concat());
                }
            }
        }
        choices = longer;
    }
    choices
}

/// What a state shows at a place for a choice of elements.
fn seen(
    protocol: &Protocol,
    summary: &Summary,
    state: &State,
    place: usize,
    choice: &[u32],
) -> SeenValue {
    let place = &summary.places[place];
    let arguments = place.arguments.iter().map(|argument| match argument {
        PlaceArgument::Any(position) => Value::Element(choice[*position]),
        PlaceArgument::Named(value) => *value,
    });
    let arguments: Vec<Value> = arguments.collect();
    let value = state.tables[&place.symbol].get(&arguments).expect("it has a value");
    match (protocol.signature.symbol(place.symbol).result, value) {
        (Some(Sort::Declared(sort)), Value::Element(element))
            if !protocol.signature.is_enumeration(Sort::Declared(sort)) =>
        {
            let mut own = summary.elements.iter().zip(choice);
            let own = own.position(|(of, chosen)| *of == sort && *chosen == element);
            own.map_or(SeenValue::Other, SeenValue::Any)
        }
        _ => SeenValue::Plain(value),
    }
}

fn compare(protocol: &Protocol, sizes: &str) -> Summary {
    let summary = summary(protocol, sizes);
    let listed = reachable(&question(protocol, sizes), &budget(1));
    let listed = listed.expect("the question is right").expect("the instances are small");
    let states: Vec<State> =
        listed.instances.iter().flat_map(|instance| instance.states()).collect();
    assert_eq!(summary.states.to_string(), states.len().to_string());
    let choices = choices(protocol, &summary, sizes);
    let occurring = |places: &[usize]| {
        let mut occurring = BTreeSet::new();
        for state in &states {
            for choice in &choices {
                let value = |place: &usize| seen(protocol, &summary, state, *place, choice);
                occurring.insert(places.iter().map(value).collect::<Vec<_>>());
            }
        }
        occurring
    };
    for Combination { places, occurring: found, never } in &summary.combinations {
        let expected = occurring(places);
        assert_eq!(*found, expected, "{places:?} at {sizes}");
        assert!(never.is_disjoint(&expected), "{places:?} at {sizes}");
        for values in never {
            for index in 0..places.len() {
                let (mut fewer, mut left) = (places.clone(), values.clone());
                fewer.remove(index);
                left.remove(index);
                assert!(fewer.is_empty() || occurring(&fewer).contains(&left), "{places:?}");
            }
        }
    }
    summary
}

const LOCK: &str = "sort node\nsort mode = { idle, waiting, holding }\n\
    function mode_of(node): mode\nvariable owner: node\nrelation asked(node, node)\n\
    variable count: int\n\
    init mode_of(N) = idle\ninit ~asked(N, M)\ninit count = 0\n\
    action ask(n: node) { require mode_of(n) = idle; mode_of(n) := waiting; asked(n, M) := M ~= n }\n\
    action enter(n: node) {\n  require mode_of(n) = waiting & (forall M. mode_of(M) ~= holding)\n\
    mode_of(n) := holding; owner := n; asked(n, M) := false }\n\
    action leave(n: node) { require mode_of(n) = holding & count < 2; mode_of(n) := idle; count := count + 1 }\n\
    safety [one] mode_of(N) = holding & mode_of(M) = holding -> N = M\n";

fn names_of(summary: &Summary, of: usize) -> usize {
    summary.combinations.iter().filter(|own| own.places.len() == of).count()
}

#[test]
fn the_values_are_those_of_the_listed_states() {
    let lock = protocol(LOCK);
    for sizes in ["node=1", "node=2", "node=3"] {
        let summary = compare(&lock, sizes);
        assert!(names_of(&summary, 1) >= 3 && names_of(&summary, 3) > 0, "{sizes}");
    }
    let never: usize =
        compare(&lock, "node=2").combinations.iter().map(|own| own.never.len()).sum();
    assert!(never > 3, "two are never holding");
    let quorums = protocol(
        "sort node\nquorums quorum of node\nrelation vote(node)\nrelation won(quorum)\n\
         init ~vote(N)\ninit ~won(Q)\n\
         action cast(n: node) { vote(n) := true }\n\
         action win(q: quorum) { require member(N, q) -> vote(N); won(q) := true }\n\
         safety [fine] won(Q) -> won(Q)\n",
    );
    compare(&quorums, "node=3 quorum=2");
}

#[test]
fn a_summary_that_the_budget_ends_says_so() {
    let lock = protocol(LOCK);
    let stopped = budget(1);
    stopped.stop.cancel();
    let found = summarize(&question(&lock, "node=3"), &stopped).expect("the question is right");
    assert!(found.is_err());
}
