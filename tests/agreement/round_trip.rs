//! A protocol printed and read again is the same protocol.

use std::fs;
use std::path::Path;

use rmlcut::diagnostic::Diagnostic;
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{Action, Command, Protocol, Signature, Symbol, Weight, print_protocol};
use rmlcut::report::text::diagnostics::{Colour, render};
use rmlcut::source::{SourceFile, Span};

use crate::agreement::dice::Dice;
use crate::agreement::protocols::{self, Statements};

#[test]
fn random_protocols_read_back() {
    for seed in 0..3_000 {
        let protocol = protocols::protocol(&mut Dice::new(seed), Statements::WithSyntax);
        if !is_heavy(&protocol) {
            check(&format!("random.{seed}"), &protocol);
        }
    }
}

/// Whether some action is too large to be read.
fn is_heavy(protocol: &Protocol) -> bool {
    protocol.actions.iter().any(|action| {
        let mut weight = Weight::default();
        weight.act(action);
        !weight.is_light()
    })
}

#[test]
fn the_corpus_reads_back() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols")];
    let mut found = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder is readable") {
            let path = entry.expect("the folder is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rml") {
                let text = fs::read_to_string(&path).expect("the file is readable");
                let source = SourceFile::new(path.display().to_string(), text);
                let (protocol, _) = read(&source);
                check(&format!("{}.rml", protocol.name), &protocol);
                found += 1;
            }
        }
    }
    assert!(found > 50, "the corpus is large: {found}");
}

/// Reads what is printed and compares.
fn check(name: &str, protocol: &Protocol) {
    let text = print_protocol(protocol);
    let source = SourceFile::new(name, text.as_str());
    let (again, _) = read(&source);
    assert_eq!(text, print_protocol(&again), "{name}");
    assert_eq!(without_places(protocol), without_places(&again), "{name}\n{text}");
}

fn read(source: &SourceFile) -> (Protocol, Vec<Diagnostic>) {
    let read = read_protocol(source);
    let messages = read.as_ref().err().map(|found| render(source, found, Colour::Never));
    assert!(read.is_ok(), "{}\n{}", source.text(), messages.unwrap_or_default());
    read.expect("just checked")
}

/// The same protocol, as if nothing had been written anywhere.
fn without_places(protocol: &Protocol) -> Protocol {
    let mut protocol = protocol.clone();
    let mut signature = Signature::default();
    for sort in protocol.signature.sorts() {
        let name = protocol.signature.sort_name(sort).clone();
        match protocol.signature.elements(sort) {
            Some(elements) => signature.add_enumeration(name, elements.to_vec()),
            None => signature.add_sort(name),
        };
    }
    for (_, symbol) in protocol.signature.symbols() {
        signature.add_symbol(Symbol { span: Span::default(), ..symbol.clone() });
    }
    protocol.signature = signature;
    protocol
        .axioms
        .iter_mut()
        .chain(&mut protocol.init)
        .for_each(|line| line.span = Span::default());
    for property in &mut protocol.properties {
        property.span = Span::default();
        // What machines and processes owe is printed as an ordinary property.
        property.is_owed = false;
    }
    for Action { span, body, .. } in &mut protocol.actions {
        *span = Span::default();
        forget(body);
    }
    protocol
}

fn forget(commands: &mut [Command]) {
    for command in commands {
        match command {
            Command::Require(_, span) | Command::Relate(_, _, span) => *span = Span::default(),
            Command::Assign(assignment) => assignment.span = Span::default(),
            Command::Together(assignments, span) => {
                *span = Span::default();
                assignments.iter_mut().for_each(|assignment| assignment.span = Span::default());
            }
            Command::If(_, then, otherwise, span) => {
                *span = Span::default();
                forget(then);
                forget(otherwise);
            }
        }
    }
}
