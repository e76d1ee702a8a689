//! Mercury: the models of `protocols/agreement/`, and what the reader makes of texts.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

mod agreements;
mod artifact;
mod corpus;
mod evaluation;
mod figure;
mod hostile;
mod interpreter;
mod meaning;
pub(crate) mod random;
mod reading;
mod solvers;
mod spelling;
mod words;

use rmlcut::budget::{Budget, Stop};
use rmlcut::finite::{self, ENGINES, FiniteOutcome, Question, Silent};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::Protocol;
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::SourceFile;

/// The protocol of a text, which is right.
fn protocol(name: &str, text: &str) -> Protocol {
    let source = SourceFile::new(name, text);
    match read_protocol(&source) {
        Ok((protocol, _)) => protocol,
        Err(diagnostics) => panic!("{}", render(&source, &diagnostics, Colour::Never)),
    }
}

/// What explicit search says about so many processes, and two values of every data domain.
fn explore(protocol: &Protocol, processes: u32) -> FiniteOutcome {
    explore_at(protocol, &[("process", processes)])
}

/// What explicit search says at a size; sorts without number have two elements.
fn explore_at(protocol: &Protocol, size: &[(&str, u32)]) -> FiniteOutcome {
    let sorts = protocol.signature.sorts().map(|sort| {
        let name = protocol.signature.sort_name(sort);
        let given = size.iter().find(|(other, _)| *other == &**name);
        (sort, given.map_or(2, |(_, number)| *number))
    });
    let size = sorts.collect();
    let question = Question::new(protocol, size);
    let budget = Budget {
        max_states: 1 << 22,
        max_memory: 1 << 30,
        threads: 1,
        ..Budget::until(Stop::never())
    };
    finite::check(ENGINES[0], &question, &budget, &Silent).expect("an answer")
}
