//! A run of the lock as long as one wishes.

use rmlcut::finite::{Claim, ClaimFailure, ClaimViolation};
use rmlcut::logic::Value;
use rmlcut::pipeline::{illustrate, read_protocol};
use rmlcut::protocol::{Invocation, Size, Step, Trace, blank_state, execute_with, extents};
use rmlcut::report::html::{Story, Tone, page as story_page};
use rmlcut::source::SourceFile;

use super::mended;

/// The page of a run in which nodes take and give the lock in turn.
pub(super) fn page(steps: usize) -> String {
    let source = SourceFile::new("lock.rml", mended());
    let (protocol, _) = read_protocol(&source).expect("the lock is a protocol");
    let size: Size = protocol.signature.sorts().map(|sort| (sort, 3)).collect();
    let mut initial = blank_state(&protocol.signature, &extents(&protocol.signature, &size, None));
    let free = protocol.signature.find_symbol("free").expect("declared");
    initial.tables.get_mut(&free).expect("a table").set(&[], Value::Bool(true));
    let mut trace = Trace { initial, steps: Vec::new() };
    for number in 0..steps {
        let node = u32::try_from(number / 2 % 3).expect("small");
        let invocation = Invocation { action: number % 2, args: vec![Value::Element(node)] };
        let choices = std::collections::BTreeMap::new();
        let state = execute_with(&protocol, trace.last(), &invocation, &choices)
            .expect("it has a value")
            .expect("it is possible");
        trace.steps.push(Step { invocation, choices, state });
    }
    let claims: Vec<Claim> = protocol.properties.iter().map(Claim::from).collect();
    let violation = ClaimViolation { failure: ClaimFailure::Deadlock, trace };
    let illustration = illustrate(&protocol);
    story_page(&Story {
        protocol: &protocol,
        source: &source,
        tone: Tone::Unsafe,
        verdict: "a long run".to_owned(),
        basis: Vec::new(),
        proof: None,
        tried: None,
        certificate: None,
        run: Some((&claims, &violation)),
        graph: None,
        facts: &illustration.facts,
        described: None,
        words: std::collections::BTreeMap::new(),
    })
}
