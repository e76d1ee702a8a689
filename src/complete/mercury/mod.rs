//! Sketches of Mercury processes: holes for conditions, values, targets and numbers of winners.
//!
//! Every entry of a hole becomes a variable of the process that nothing writes; the front end lowers
//! that text like any other, and the relations that hold these variables become flags. So a hole
//! reads the values of the moment at which its statement is run, because the front end says so.

mod flags;
mod holes;
mod text;
mod tokens;

use std::collections::BTreeMap;

use super::finalists::{Completing, Filling};
use super::sketch::{HoleChoice, Sketch, SketchHole, no_holes};
use super::{
    CompleteAnswer, CompleteError, CompleteRequest, codes, completed_sketch, protocol_name,
};
use crate::diagnostic::Diagnostic;
use crate::elaborate::elaborate;
use crate::finite::{LivenessGoal, Wanted};
use crate::frontend::parse;
use crate::logic::Name;
use crate::protocol::{Protocol, SymbolId};
use crate::source::{SourceFile, Span};
use flags::EntryCode;
use holes::{ProcessHoleKind, ProcessSketch, find_holes};

/// Completes a Mercury text with holes.
///
/// # Errors
/// When the text is wrong, or a proof cannot be judged.
pub fn complete_process(
    source: &SourceFile,
    request: &CompleteRequest,
) -> Result<CompleteAnswer, CompleteError> {
    let start = std::time::Instant::now();
    let process = find_holes(source.text()).map_err(CompleteError::Text)?;
    if process.holes.is_empty() {
        return Err(CompleteError::Text(vec![no_holes()]));
    }
    let sketch = sketch_of(&process, source)?;
    let name = protocol_name(source.name());
    let elaborated = elaborate(name, &sketch.with_flags());
    let protocol = elaborated.protocol.ok_or_else(|| {
        let errors = elaborated.diagnostics.into_iter().filter(Diagnostic::is_error);
        CompleteError::Text(errors.collect())
    })?;
    let wanted = abilities(&process, &protocol);
    let liveness = liveness_goals(&process, &protocol).map_err(CompleteError::Text)?;
    let completing = CompletedProcess { source, process: &process, sketch: &sketch };
    completed_sketch(
        (source, &sketch, &protocol),
        &completing,
        (wanted, liveness),
        (request, start),
    )
}

/// The sketch whose protocol has flags for the entries.
fn sketch_of(process: &ProcessSketch<'_>, source: &SourceFile) -> Result<Sketch, CompleteError> {
    let text = process.with_variables();
    let written = SourceFile::new(source.name(), text);
    let parsed = parse(&written);
    if parsed.diagnostics.iter().any(Diagnostic::is_error) {
        // The places are those of a text that the user knows: the holes filled in some way.
        let codes: Vec<Vec<usize>> =
            process.holes.iter().map(|hole| vec![0; process.entries(hole)]).collect();
        let plain = SourceFile::new(source.name(), process.completed(&codes));
        let messages = parse(&plain).diagnostics;
        return Err(match messages.iter().any(Diagnostic::is_error) {
            true => CompleteError::Trace(Box::new(plain), messages),
            false => CompleteError::Trace(Box::new(written), parsed.diagnostics),
        });
    }
    let mut codes: BTreeMap<Name, EntryCode> = BTreeMap::new();
    let mut guards: BTreeMap<Name, EntryCode> = BTreeMap::new();
    let mut holes = Vec::new();
    let mut first = 0;
    for (number, hole) in process.holes.iter().enumerate() {
        let (entries, values) = (process.entries(hole), process.values(hole));
        let choice = HoleChoice::Entries { entries, values };
        let bits = choice.bits_of_entry();
        if let (ProcessHoleKind::Cardinality, Some(name)) = (&hole.kind, process.agreement(hole)) {
            for code in 0..values {
                let action = format!("{name}_{}", code + 1);
                guards.insert(action.into(), EntryCode { first, bits, code });
            }
        }
        for entry in 0..entries {
            for code in 0..values {
                let name = format!("{}_{code}", process.entry_name(number, entry));
                codes.insert(name.into(), EntryCode { first, bits, code });
            }
            first += bits;
        }
        let places: Vec<Span> = hole.places.iter().map(|own| own.hole).collect();
        holes.push(SketchHole {
            name: hole.name.clone().into(),
            action: hole.places[0].location.clone().into(),
            span: places[0],
            places,
            choice,
        });
    }
    Ok(Sketch { module: flags::with_flags(&parsed.module, &codes, &guards), holes })
}

/// What a completion should be able to do: every event but crashes and those of which only one copy
/// is meant.
fn abilities(process: &ProcessSketch<'_>, protocol: &Protocol) -> Vec<Wanted> {
    let copied = process.holes.iter().any(|own| own.kind == ProcessHoleKind::Cardinality);
    let is_copy = |name: &str| {
        let end = name.rsplit_once('_').map(|(_, end)| end);
        copied
            && end.is_some_and(|own| {
                own.parse::<usize>().is_ok_and(|own| own <= holes::CARDINALITIES)
            })
    };
    let actions = protocol.actions.iter().enumerate();
    let meant = actions.filter(|(_, own)| &*own.name != "crash" && !is_copy(&own.name));
    meant.map(|(position, _)| Wanted::Action(position)).collect()
}

/// The liveness lines as goals of the protocol.
///
/// # Errors
/// Locations that are not declared.
fn liveness_goals(
    process: &ProcessSketch<'_>,
    protocol: &Protocol,
) -> Result<Vec<(String, LivenessGoal)>, Vec<Diagnostic>> {
    let mut wrong = Vec::new();
    let mut symbols = |names: &[(String, Span)]| {
        let mut found: Vec<SymbolId> = Vec::new();
        for (name, span) in names {
            match protocol.signature.find_symbol(&format!("at_{name}")) {
                Some(symbol) => found.push(symbol),
                None => wrong.push(
                    Diagnostic::error(codes::NO_ALTERNATIVES, format!("there is no location `{name}`"), *span)
                        .hint("write `liveness AF {Leader}` or `liveness AG {Asked} implies F {Answered}`"),
                ),
            }
        }
        found
    };
    let crash = protocol.actions.iter().position(|own| &*own.name == "crash");
    let goals: Vec<(String, LivenessGoal)> = process
        .liveness
        .iter()
        .map(|line| {
            let after = line.after.as_ref().map(|own| symbols(own));
            let eventually = symbols(&line.eventually);
            let ignored = crash.into_iter().collect();
            (line.text.clone(), LivenessGoal { after, eventually, ignored })
        })
        .collect();
    if wrong.is_empty() { Ok(goals) } else { Err(wrong) }
}

/// A process with its holes filled.
struct CompletedProcess<'a> {
    source: &'a SourceFile,
    process: &'a ProcessSketch<'a>,
    sketch: &'a Sketch,
}

impl CompletedProcess<'_> {
    fn codes(&self, values: &[bool]) -> Vec<Vec<usize>> {
        let mut flags = values.iter();
        let holes = self.sketch.holes.iter().map(|hole| {
            let HoleChoice::Entries { entries, values } = &hole.choice else { return Vec::new() };
            let bits = hole.choice.bits_of_entry();
            let code = |_| {
                let own = (0..bits).filter_map(|bit| Some(usize::from(*flags.next()?) << bit));
                own.sum::<usize>().min(values - 1)
            };
            (0..*entries).map(code).collect()
        });
        holes.collect()
    }
}

impl Completing for CompletedProcess<'_> {
    fn text(&self, values: &[bool]) -> String {
        self.process.completed(&self.codes(values))
    }

    fn fillings(&self, values: &[bool]) -> Vec<Filling> {
        let holes = self.process.holes.iter().zip(self.codes(values));
        let filling = holes.map(|(hole, codes)| Filling {
            hole: hole.name.clone().into(),
            text: self.process.filling(hole, &codes),
            action: hole.places[0].location.clone().into(),
            line: self.source.position(hole.places[0].hole.start).line,
        });
        filling.collect()
    }
}
