//! Mercury texts, in the notation of the paper (`.mer`) and of the published artifact (`.ch`), to
//! surface trees and to the model of one process.
//!
//! `parse` builds the tree that the grammar matches; `table` and `rules` refuse what has no meaning;
//! `run` runs the handlers symbolically, once: its leaves are what `lower` makes actions of, and
//! what `model` hands on.

mod codes;
mod data;
mod declare;
mod domains;
mod effects;
mod local;
mod lower;
mod memory;
mod model;
mod parse;
mod rules;
mod run;
mod table;
mod values;

use super::Parsed;
use super::lowering::foreign_error::{ForeignLanguage, read_chunks};
use super::lowering::layout_free::{LayoutFreeWords, split_declarations};
use super::syntax::surface::Module;
use crate::diagnostic::Diagnostic;
use crate::logic::Name;
use crate::process::Process;
use crate::source::{SourceFile, Span};

use local::LocalModel;
use lower::names::Symbols;
use parse::grammar::{MercuryGrammar, Rule, describe};
use parse::read::MercuryBuilder;
use parse::tree::{Machine, MercuryFile, VariableKind};
use table::Table;

/// The words that separate the parts of a file.
const WORDS: LayoutFreeWords = LayoutFreeWords {
    declaring: &[
        "process",
        "machine",
        "satisfies",
        "safety",
        "liveness",
        "variables",
        "actions",
        "crash",
        "initial",
        "location",
        "environment",
        "on",
        "passive",
    ],
    before: &["satisfies", "initial"],
    stating: &["goto", "if", "else", "do"],
};

/// The most `if`s in one handler: they may nest without brackets, and later stages recurse.
const MOST_BRANCHES: usize = 100;

/// The longest part of a file in bytes.
const LONGEST: usize = 1 << 14;

/// The most values that the variables of a process may have together: each is a relation.
const MOST_VALUES: i64 = domains::MOST_LISTED;

/// Reads a protocol text.
pub(super) fn parse(source: &SourceFile) -> Parsed {
    let text = without_comments(source.text());
    let mut prepared = split_declarations(&text, WORDS);
    for chunk in &mut prepared.chunks {
        let part = &text[chunk.span.start..chunk.span.end];
        let branches =
            part.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| *word == "if");
        if part.len() > LONGEST || branches.count() > MOST_BRANCHES {
            chunk.broken = true;
            let message = "this part is too long to be read";
            let refusal = Diagnostic::error(codes::TOO_LARGE, message, chunk.span.start_only());
            prepared.diagnostics.push(refusal.hint("split the handler, or its location"));
        }
    }
    let language = ForeignLanguage { rule: Rule::part, syntax: codes::SYNTAX, describe };
    let mut file = MercuryFile::default();
    let build =
        |pair: pest::iterators::Pair<'_, Rule>, offset, diagnostics: &mut Vec<Diagnostic>| {
            MercuryBuilder { text: &text, offset, diagnostics, file: &mut file }.part(pair);
        };
    let mut diagnostics = read_chunks::<Rule, MercuryGrammar>(&mut prepared, &language, build);
    let (mut module, mut process) = (Module { items: Vec::new() }, None);
    // What could not be read may have declared what seems to be missing.
    if !diagnostics.iter().any(Diagnostic::is_error)
        && let Some((lowered, model)) = meaning(&file, &mut diagnostics)
    {
        (module, process) = (lowered, Some(model));
    }
    of_sketch(&text, &mut diagnostics);
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
    Parsed { module, process, diagnostics, ..Parsed::default() }
}

/// Holes, and what only sketches have, are no mistakes: they are for another command.
fn of_sketch(text: &str, diagnostics: &mut Vec<Diagnostic>) {
    let hole = |own: &Diagnostic| {
        let before = text.get(..own.primary.span.start)?;
        let begin = before.rfind('\n').map_or(0, |end| end + 1);
        let line = text[begin..].lines().next()?;
        let start = begin + line.find("??")?;
        own.is_error().then(|| Span::new(start, start + 2))
    };
    let Some(first) = diagnostics.iter().filter_map(hole).min() else { return };
    let is_liveness = |own: &Diagnostic| {
        let rest = text.get(own.primary.span.start..);
        rest.is_some_and(|rest| rest.starts_with("liveness"))
    };
    diagnostics.retain(|own| hole(own).is_none() && !is_liveness(own));
    let message = "this is a sketch: `rmlcut complete` fills its holes";
    diagnostics.push(Diagnostic::error(codes::SKETCH, message, first));
}

/// The protocol and the process that a file describes, unless something is wrong.
fn meaning(file: &MercuryFile, diagnostics: &mut Vec<Diagnostic>) -> Option<(Module, Process)> {
    let mut table = Table::new(file, diagnostics);
    rules::check::check(&table, diagnostics);
    table.domains = domains::infer(&table, diagnostics);
    let table = table;
    let environment = file.environment.as_ref().map(|(_, machine)| machine);
    for machine in std::iter::once(&file.process).chain(environment) {
        let is_environment = !std::ptr::eq(machine, &file.process);
        diagnostics.extend(too_many_values(&table, machine, is_environment));
    }
    if diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let written = |machine: &Machine, diagnostics: &mut Vec<Diagnostic>| {
        let model = declare::declare(&table, machine);
        match run::Runner::new(&table, machine, model).run() {
            Ok(model) => Some(model),
            Err(run::TooMany) => {
                let span = file.names.first().map_or(Span::default(), |name| name.span);
                let message = "this process has too many cases to be written out";
                let refusal = Diagnostic::error(codes::TOO_LARGE, message, span);
                let hint = "make the ranges of its variables smaller";
                diagnostics.push(refusal.hint(hint));
                None
            }
        }
    };
    let mut process: LocalModel = written(&file.process, diagnostics)?;
    let environment = match environment {
        Some(machine) => Some(written(machine, diagnostics)?),
        None => None,
    };
    rules::flow::check_freshness(&table, &process, diagnostics);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    declare::remember_senders(&table, &mut process);
    let crashes = lower::crash_points(&table, &process).is_none_or(|points| !points.is_empty());
    let most = table.agreements.iter().map(|agreement| agreement.count).max().unwrap_or(0);
    let symbols = Symbols::new(&table, &process, environment.as_ref(), crashes, most);
    let lowered = lower::lower(&table, &process, environment.as_ref(), &symbols);
    let described = (lowered.specifications, lowered.steps);
    let model = model::process(&table, &process, &symbols, described);
    Some((lowered.module, model))
}

fn too_many_values(table: &Table<'_>, machine: &Machine, env: bool) -> Option<Diagnostic> {
    let is_data =
        |name: &Name| table.domains.of(&domains::Carrier::Variable(env, name.clone())).is_some();
    let values = machine.variables.iter().map(|line| match &line.kind {
        VariableKind::Integer(..) if is_data(&line.name.value) => 0,
        VariableKind::Integer(interval, _) => {
            interval.highest.saturating_sub(interval.lowest).saturating_add(1)
        }
        VariableKind::Count(..) | VariableKind::Set => 0,
    });
    let total = values.fold(0, i64::saturating_add);
    let first = machine.variables.first().filter(|_| total > MOST_VALUES)?;
    let message = format!("the variables have {total} values together, more than {MOST_VALUES}");
    let refusal = Diagnostic::error(codes::TOO_LARGE, message, first.name.span);
    Some(refusal.hint("every value is written out: make the ranges smaller"))
}

/// The text with its comments turned into blanks, byte for byte.
fn without_comments(text: &str) -> String {
    let mut blank = text.as_bytes().to_vec();
    let mut at = 0;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        let length = if rest.starts_with(b"//") {
            rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            let end = rest.windows(2).skip(2).position(|pair| pair == b"*/");
            end.map_or(rest.len(), |end| end + 4)
        } else {
            at += 1;
            continue;
        };
        for byte in &mut blank[at..at + length] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at += length;
    }
    String::from_utf8(blank).unwrap_or_default()
}
