//! Mercury: the models of `protocols/agreement/`, and what the reader makes of texts.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

mod corpus;
mod evaluation;
mod interpreter;
mod meaning;
mod random;
mod reading;
mod spelling;

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

/// What explicit search says about so many processes.
fn explore(protocol: &Protocol, processes: u32) -> FiniteOutcome {
    let sort = protocol.signature.find_sort("process").expect("the sort of processes");
    let size = [(sort, processes)].into_iter().collect();
    let question = Question::new(protocol, size);
    let budget = Budget {
        max_states: 1 << 22,
        max_memory: 1 << 30,
        threads: 1,
        ..Budget::until(Stop::never())
    };
    finite::check(ENGINES[0], &question, &budget, &Silent).expect("an answer")
}
