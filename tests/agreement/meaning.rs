//! What statements mean, one rule of the language at a time: small texts and the states after them.

use std::collections::BTreeSet;

use rmlcut::frontend::syntax::surface::{
    Expression, ExpressionKind, Identifier, Item, Moment, StatementKind,
};
use rmlcut::logic::{Formula, Value, VariableAssignment, evaluate_formula};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{
    Invocation, Protocol, Size, State, blank_state, element_name, execute, extents,
};
use rmlcut::source::SourceFile;
use rmlcut::{elaborate, frontend};

/// The states after the actions in order, from the blank state with two elements of each sort and
/// integers from 0 to 3; each as the facts that hold.
fn after(declarations: &str, actions: &[&str]) -> Vec<String> {
    let bodies: Vec<String> = actions
        .iter()
        .enumerate()
        .map(|(index, body)| format!("action a{index} {{\n{body}\n}}\n"))
        .collect();
    let text = format!("{declarations}\n{}", bodies.concat());
    let source = SourceFile::new("meaning.rml", text);
    let (protocol, _) = read_protocol(&source).expect("the text is right");
    let size = two_of_each(&protocol);
    let mut states =
        vec![blank_state(&protocol.signature, &extents(&protocol.signature, &size, Some((0, 3))))];
    for action in 0..actions.len() {
        let invocation = Invocation { action, args: Vec::new() };
        let next = states.iter().flat_map(|state| {
            execute(&protocol, state, &invocation).expect("every expression has a value")
        });
        states = next.map(|successor| successor.state).collect();
    }
    let facts: BTreeSet<String> = states.iter().map(|state| facts(&protocol, state)).collect();
    facts.into_iter().collect()
}

fn facts(protocol: &Protocol, state: &State) -> String {
    let mut all = Vec::new();
    for (id, symbol) in protocol.signature.mutable() {
        for (args, value) in state.tables[&id].entries() {
            let name = |(sort, value): (_, &Value)| {
                element_name(&protocol.signature, sort, *value).to_string()
            };
            let args: Vec<String> = symbol.params.iter().copied().zip(&args).map(name).collect();
            let location = format!("{}({})", symbol.name, args.join(", ")).replace("()", "");
            match (symbol.result, value) {
                (None, Value::Bool(true)) => all.push(location),
                (None, _) => {}
                (Some(sort), value) => all.push(format!("{location}={}", name((sort, &value)))),
            }
        }
    }
    all.join(" ")
}

const NODES: &str = "sort node
rigid relation chosen(node)
relation r(node)
relation s(node, node)
relation p
relation q";

#[test]
fn each_statement_sees_the_writes_before_it() {
    assert_eq!(after(NODES, &["p := true; q := p"]), ["p q"]);
    assert_eq!(after(NODES, &["q := p; p := true"]), ["p"]);
}

#[test]
fn a_failing_require_undoes_everything() {
    assert_eq!(after(NODES, &["p := true; require ~p"]), [] as [&str; 0]);
    assert_eq!(after(NODES, &["p := true; require p"]), ["p"]);
}

#[test]
fn a_require_counts_only_where_it_is_executed() {
    assert_eq!(after(NODES, &["if p { require false } else { q := true }"]), ["q"]);
    assert_eq!(after(NODES, &["if ~p { require false } else { q := true }"]), [] as [&str; 0]);
}

#[test]
fn an_unbound_variable_of_a_require_is_universal() {
    assert_eq!(after(NODES, &["require ~r(N); p := true"]), ["p"]);
    assert_eq!(after(NODES, &["r(N) := chosen(N) | true; require ~r(N)"]), [] as [&str; 0]);
}

#[test]
fn a_simultaneous_assignment_reads_before_it_writes() {
    assert_eq!(after(NODES, &["p := true; p, q := q, p"]), ["q"]);
    assert_eq!(after(NODES, &["p, q := true, p"]), ["p"]);
    assert_eq!(after(NODES, &["p := true; p := q; q := p"]), [""]);
}

#[test]
fn a_statement_assigns_a_symbol_once() {
    let text = "relation p\naction act() {\n  p, p := true, false\n}\nsafety p | ~p\n";
    let source = rmlcut::source::SourceFile::new("twice.rml", text);
    assert!(rmlcut::pipeline::read_protocol(&source).is_err());
}

#[test]
fn a_star_and_a_pattern_match_everywhere() {
    let everywhere = ["r(node0) r(node1)"];
    assert_eq!(after(NODES, &["r(*) := true"]), everywhere);
    assert_eq!(after(NODES, &["r(N) := true"]), everywhere);
}

#[test]
fn a_repeated_pattern_variable_matches_the_diagonal() {
    assert_eq!(after(NODES, &["s(N, N) := true"]), ["s(node0, node0) s(node1, node1)"]);
    assert_eq!(
        after(NODES, &["s(*, *) := true"]),
        ["s(node0, node0) s(node0, node1) s(node1, node0) s(node1, node1)"]
    );
}

#[test]
fn all_locations_change_at_once() {
    let queue = "function queue(int): int";
    let shift = "queue(I) := queue(I + 1) if I < 3 else 9";
    let counted = "queue(I) := I";
    assert_eq!(after(queue, &[counted, shift]), ["queue(0)=1 queue(1)=2 queue(2)=3 queue(3)=9"]);
}

#[test]
fn a_condition_is_read_in_the_current_state() {
    assert_eq!(after(NODES, &["p := true; if p { q := true }"]), ["p q"]);
    assert_eq!(after(NODES, &["if p { q := true }; p := true"]), ["p"]);
}

#[test]
fn a_havoc_picks_at_every_match_by_itself() {
    assert_eq!(after(NODES, &["r(N) := *"]), ["", "r(node0)", "r(node0) r(node1)", "r(node1)"]);
    assert_eq!(after(NODES, &["p := *; r(N) := p"]), ["", "r(node0) r(node1) p"]);
}

#[test]
fn a_choice_is_made_before_what_follows_it() {
    let sorts = "sort node\nconstant first: node\nvariable w: node\nrelation p";
    assert_eq!(after(sorts, &["w := *; require w != first; p := true"]), ["w=node1 p"]);
    assert_eq!(after(sorts, &["w := *; p := w = first"]), ["w=node0 p", "w=node1"]);
}

/// `p` changes so that it says the opposite of what `q` said: there is no syntax for this in
/// protocol texts, other languages have one.
#[test]
fn a_formula_about_two_states_picks_what_makes_it_true() {
    let source = SourceFile::new("relate.rml", format!("{NODES}\naction a {{ require p <-> ~q }}"));
    let mut module = frontend::parse(&source).module;
    let Some(Item::Action(action)) = module.items.last_mut().map(|item| &mut item.value) else {
        unreachable!("the last item is the action")
    };
    let StatementKind::Require(formula) = action.body[0].value.clone() else {
        unreachable!("the statement is a require")
    };
    let ExpressionKind::Connective(connective, left, right) = *formula.kind else {
        unreachable!("the formula is an equivalence")
    };
    let at = |moment, inner: Expression| {
        let span = inner.span;
        Expression::new(ExpressionKind::At(moment, inner), span)
    };
    let target = Identifier::new("p".into(), left.span);
    let sides =
        ExpressionKind::Connective(connective, at(Moment::New, left), at(Moment::Old, right));
    let related = Expression::new(sides, formula.span);
    action.body[0].value = StatementKind::Relate(vec![target], related);
    let protocol = elaborate::elaborate("relate", &module).protocol.expect("the module is right");
    let state = blank_state(
        &protocol.signature,
        &extents(&protocol.signature, &two_of_each(&protocol), None),
    );
    let invocation = Invocation { action: 0, args: Vec::new() };
    let reached = execute(&protocol, &state, &invocation).expect("every expression has a value");
    let reached: Vec<String> =
        reached.iter().map(|successor| facts(&protocol, &successor.state)).collect();
    assert_eq!(reached, ["p"]);
}

fn two_of_each(protocol: &Protocol) -> Size {
    protocol.signature.sized_sorts().map(|sort| (sort, 2)).collect()
}

#[test]
fn unlabelled_properties_have_names_and_labels_keep_theirs() {
    let text = "relation p\nsafety p\nsafety [safety1] p | true\nlemma p\nsafety p";
    let source = SourceFile::new("names.rml", text);
    let (protocol, _) = read_protocol(&source).expect("the text is right");
    let names: Vec<&str> = protocol.properties.iter().map(|property| &*property.name).collect();
    assert_eq!(names, ["safety1_1", "safety1", "safety3", "lemma1"]);
}

#[test]
fn havocs_are_numbered_in_the_order_of_the_text() {
    let text = "sort node\nrelation r(node)\nvariable w: node\naction a(n: node) {\n  w := *\n  \
                if r(n) { r(N) := * } else { w := * }\n}";
    let source = SourceFile::new("choices.rml", text);
    let (protocol, _) = read_protocol(&source).expect("the text is right");
    let choices = protocol.actions[0].choices.iter();
    let names: Vec<(&str, usize)> =
        choices.map(|choice| (&*choice.name, choice.params.len())).collect();
    assert_eq!(names, [("w", 0), ("r", 1), ("w#2", 0)]);
}

#[test]
fn moving_quantifiers_to_the_front_never_takes_a_symbol_for_a_variable() {
    let text = "sort node\nrelation r(node)\nrigid relation x_1\n\
                safety (forall x: node. r(x)) & ((forall x: node. ~r(x)) | x_1)";
    let source = SourceFile::new("prenex.rml", text);
    let (protocol, _) = read_protocol(&source).expect("the text is right");
    let property = &protocol.properties[0];
    let names: Vec<&str> = property.vars.iter().map(|var| &*var.name).collect();
    assert_eq!(names, ["x", "x_2"]);
    let size = two_of_each(&protocol);
    let state = blank_state(&protocol.signature, &extents(&protocol.signature, &size, None));
    let holds =
        |formula: &Formula<_>| evaluate_formula(&state, &VariableAssignment::new(), formula);
    assert_eq!(holds(&property.formula()), Ok(false));
}
