//! A protocol file is a stranger's: its names and texts are shown and never run.

use rmlcut::budget::Stop;
use rmlcut::finite::{Claim, ClaimFailure, ClaimViolation};
use rmlcut::logic::{Formula, Term, Value, Var};
use rmlcut::pipeline::illustrate;
use rmlcut::play::state_graph;
use rmlcut::protocol::{
    Action, Argument, Assignment, Command, Invocation, Property, PropertyKind, Protocol, RightSide,
    Rigidity, Signature, Size, Sort, Step, Symbol, Trace, blank_state, extents,
};
use rmlcut::report::html::{Story, Tone, page};
use rmlcut::source::{SourceFile, Span};

use super::markup::{Tag, tags};

const NAME: &str = "</script><script>alert(1)</script><img src=x onerror=\"alert('2')\">&amp;";

/// A protocol whose every name is an attack.
fn protocol() -> Protocol {
    let mut signature = Signature::default();
    let sort = Sort::Declared(signature.add_sort(NAME.into()));
    let symbol = Symbol {
        name: NAME.into(),
        params: vec![sort],
        result: None,
        rigidity: Rigidity::Mutable,
        span: Span::default(),
    };
    let pair = Symbol { params: vec![sort, sort], ..symbol.clone() };
    let (marked, joined) = (signature.add_symbol(symbol), signature.add_symbol(pair));
    let x = Var::new("X<b>", sort);
    let assign = |target, arguments: Vec<Argument>| {
        Command::Assign(Assignment {
            target,
            arguments,
            value: RightSide::Formula(Formula::truth(true)),
            span: Span::default(),
        })
    };
    let at = || Argument::At(Term::var(x.clone()));
    let every = Argument::Every(Var::new("Y<i>", sort));
    let action = Action {
        name: NAME.into(),
        params: vec![x.clone()],
        choices: Vec::new(),
        body: vec![assign(marked, vec![at()]), assign(joined, vec![at(), every])],
        span: Span::default(),
    };
    let property = Property {
        name: NAME.into(),
        kind: PropertyKind::Safety,
        is_owed: false,
        vars: vec![x.clone()],
        matrix: Formula::holds(marked, vec![Term::var(x)]).negate(),
        span: Span::default(),
    };
    Protocol {
        name: NAME.into(),
        signature,
        axioms: Vec::new(),
        init: Vec::new(),
        actions: vec![action],
        properties: vec![property],
        expected_runs: Vec::new(),
    }
}

#[test]
fn names_and_texts_with_markup_are_shown_as_text() {
    let protocol = protocol();
    let size: Size = protocol.signature.sorts().map(|sort| (sort, 2)).collect();
    let initial = blank_state(&protocol.signature, &extents(&protocol.signature, &size, None));
    let invocation = Invocation { action: 0, args: vec![Value::Element(1)] };
    let choices = std::collections::BTreeMap::new();
    let state = rmlcut::protocol::execute_with(&protocol, &initial, &invocation, &choices)
        .expect("it has a value")
        .expect("it is possible");
    let trace = Trace { initial, steps: vec![Step { invocation, choices, state }] };
    let claims: Vec<Claim> = protocol.properties.iter().map(Claim::from).collect();
    let failure = ClaimFailure::Claim(0, vec![Value::Element(1)]);
    let violation = ClaimViolation { trace, failure };
    let illustration = illustrate(&protocol);
    let graph = state_graph(&protocol, &size, None, &Stop::never()).expect("few states");
    let text = page(&Story {
        protocol: &protocol,
        source: &SourceFile::new(NAME, NAME),
        tone: Tone::Unsafe,
        verdict: NAME.to_owned(),
        basis: vec![NAME.to_owned()],
        proof: None,
        tried: None,
        certificate: Some(NAME),
        run: Some((&claims, &violation)),
        graph: Some((&protocol, &graph)),
        facts: &illustration.facts,
        described: None,
        words: std::collections::BTreeMap::new(),
    });
    let all = tags(&text).expect("a well-formed page");
    let opened = |wanted: &str| {
        let is_open = |tag: &&Tag| matches!(tag, Tag::Open { name, .. } if name == wanted);
        all.iter().filter(is_open).count()
    };
    // Two films and our own script.
    assert_eq!(opened("script"), 3);
    assert_eq!(opened("img"), 0);
    let handlers = all.iter().filter(|tag| {
        matches!(tag, Tag::Open { attributes, .. }
            if attributes.iter().any(|(name, _)| name.starts_with("on") || name == "style"))
    });
    assert_eq!(handlers.count(), 0);
    assert!(!text.contains("alert(1)</script><img"));
    assert!(text.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
}
