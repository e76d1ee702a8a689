//! The holes of a Mercury text: conditions, values, targets, numbers of winners.

use super::tokens::{Token, tokens};
use crate::complete::codes;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// The most entries of one hole.
const MOST_ENTRIES: usize = 64;

/// The numbers of winners that are tried.
pub(super) const CARDINALITIES: usize = 4;

/// What a hole stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ProcessHoleKind {
    /// A condition: one truth value for each entry.
    Condition,
    /// The new value of this variable: one value for each entry.
    Value(usize),
    /// A location to go to.
    Target,
    /// How many win.
    Cardinality,
}

/// An integer variable with its range.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RangedVariable {
    pub(super) name: String,
    pub(super) lowest: i64,
    pub(super) highest: i64,
}

impl RangedVariable {
    pub(super) fn count(&self) -> usize {
        usize::try_from(self.highest - self.lowest + 1).unwrap_or(0)
    }
}

/// One place of a hole.
#[derive(Clone, Debug)]
pub(super) struct ProcessHolePlace {
    /// What is replaced: the hole, or the whole statement or handler that it is part of.
    pub(super) span: Span,
    /// The hole itself.
    pub(super) hole: Span,
    /// The location.
    pub(super) location: String,
}

/// A hole.
#[derive(Clone, Debug)]
pub(super) struct ProcessHole {
    pub(super) name: String,
    pub(super) kind: ProcessHoleKind,
    /// The variables that its entries are about, by position.
    pub(super) reads: Vec<usize>,
    pub(super) places: Vec<ProcessHolePlace>,
}

/// A Mercury text with holes.
pub(super) struct ProcessSketch<'a> {
    pub(super) text: &'a str,
    pub(super) tokens: Vec<Token<'a>>,
    pub(super) variables: Vec<RangedVariable>,
    pub(super) locations: Vec<String>,
    pub(super) holes: Vec<ProcessHole>,
    pub(super) liveness: Vec<LivenessLine>,
}

/// `liveness AF {…}` or `liveness AG {…} implies F {…}`
pub(super) struct LivenessLine {
    pub(super) text: String,
    pub(super) span: Span,
    pub(super) after: Option<Vec<(String, Span)>>,
    pub(super) eventually: Vec<(String, Span)>,
}

impl ProcessSketch<'_> {
    /// How many entries a hole has.
    pub(super) fn entries(&self, hole: &ProcessHole) -> usize {
        hole.reads.iter().map(|own| self.variables[*own].count()).product()
    }

    /// How many values each of them has.
    pub(super) fn values(&self, hole: &ProcessHole) -> usize {
        match hole.kind {
            ProcessHoleKind::Condition => 2,
            ProcessHoleKind::Value(variable) => self.variables[variable].count(),
            ProcessHoleKind::Target => self.locations.len(),
            ProcessHoleKind::Cardinality => CARDINALITIES,
        }
    }
}

/// Finds the holes of a text.
///
/// # Errors
/// What is wrong with them.
pub(super) fn find_holes(text: &str) -> Result<ProcessSketch<'_>, Vec<Diagnostic>> {
    let tokens = tokens(text);
    let (variables, locations) = (variables(&tokens), locations(&tokens));
    let mut wrong = Vec::new();
    let liveness = liveness_lines(text, &tokens, &mut wrong);
    let holes = Vec::new();
    let mut sketch = ProcessSketch { text, tokens, variables, locations, holes, liveness };
    for position in 0..sketch.tokens.len() {
        if sketch.tokens[position].text == "??"
            && let Err(refusal) = sketch.add(position)
        {
            wrong.push(*refusal);
        }
    }
    for hole in &sketch.holes {
        if sketch.entries(hole) > MOST_ENTRIES {
            let message = format!("this hole has {} entries", sketch.entries(hole));
            wrong.push(
                Diagnostic::error(codes::NO_ALTERNATIVES, message, hole.places[0].hole)
                    .hint("name the variables that it may read, as in `??name[cmd]`"),
            );
        }
    }
    for hole in sketch.holes.iter().filter(|own| own.kind == ProcessHoleKind::Cardinality) {
        wrong.extend(sketch.used_winners(hole));
    }
    if wrong.is_empty() { Ok(sketch) } else { Err(wrong) }
}

/// The integer variables with a range, before the first location.
fn variables(tokens: &[Token<'_>]) -> Vec<RangedVariable> {
    let number = |token: &Token<'_>| token.text.parse::<i64>().ok();
    let start = tokens.iter().position(|own| own.text == "variables").unwrap_or(tokens.len());
    let end = tokens.iter().position(|own| own.text == "actions").unwrap_or(tokens.len());
    let windows = tokens.get(start..end).unwrap_or_default().windows(7);
    let found = windows.filter_map(|window| match window {
        [int, open, low, comma, high, close, name]
            if (int.text, open.text, comma.text, close.text) == ("int", "[", ",", "]") =>
        {
            let (lowest, highest) = (number(low)?, number(high)?);
            Some(RangedVariable { name: name.text.to_owned(), lowest, highest })
        }
        _ => None,
    });
    found.collect()
}

/// The liveness lines, each up to its last brace.
fn liveness_lines(
    text: &str,
    tokens: &[Token<'_>],
    wrong: &mut Vec<Diagnostic>,
) -> Vec<LivenessLine> {
    let mut found = Vec::new();
    for start in (0..tokens.len()).filter(|own| tokens[*own].text == "liveness") {
        let begins = |text: &str| {
            matches!(
                text,
                "safety" | "liveness" | "variables" | "actions" | "crash" | "initial" | "location"
            )
        };
        let end = tokens[start + 1..].iter().position(|own| begins(own.text));
        let end = end.map_or(tokens.len(), |end| start + 1 + end);
        let own = &tokens[start..end];
        let words: Vec<&str> = own.iter().map(|own| own.text).collect();
        let set = |from: usize| {
            let rest = own.get(from..).unwrap_or_default();
            let names = rest.iter().skip(1).take_while(|own| own.text != "}");
            let names = names.filter(|own| own.text != ",");
            names
                .map(|own| (own.text.to_owned(), Span::new(own.start, own.end)))
                .collect::<Vec<_>>()
        };
        let span = Span::new(own[0].start, own.last().map_or(own[0].end, |own| own.end));
        let implies = words.iter().position(|own| *own == "implies");
        let label = if words.get(1) == Some(&"[") { 3 } else { 0 };
        let (after, eventually) = match (words.get(1 + label), implies) {
            (Some(&"AF"), None) => (None, set(2 + label)),
            (Some(&"AG"), Some(at)) if words.get(at + 1) == Some(&"F") => {
                (Some(set(2 + label)), set(at + 2))
            }
            _ => (None, Vec::new()),
        };
        if eventually.is_empty() {
            let message = "this line about liveness is not understood";
            wrong.push(Diagnostic::error(codes::MISPLACED, message, span).hint(
                "write `liveness AF {Leader}` or `liveness AG {Asked} implies F {Answered}`",
            ));
            continue;
        }
        found.push(LivenessLine {
            text: text[span.start..span.end].to_owned(),
            span,
            after,
            eventually,
        });
    }
    found
}

fn locations(tokens: &[Token<'_>]) -> Vec<String> {
    let pairs = tokens.windows(2).filter(|pair| pair[0].text == "location");
    pairs.map(|pair| pair[1].text.to_owned()).collect()
}

impl ProcessSketch<'_> {
    /// Winners or losers that are used elsewhere: which copy would be meant?
    fn used_winners(&self, hole: &ProcessHole) -> Option<Diagnostic> {
        let name = self.agreement(hole)?;
        let used =
            self.tokens.windows(2).find(|pair| pair[0].text == name && pair[1].text == ".")?;
        let message = format!("the winners or losers of `{name}` are used here");
        let refusal =
            Diagnostic::error(codes::MISPLACED, message, Span::new(used[0].start, used[0].end));
        Some(
            refusal
                .also(hole.places[0].hole, "the number of winners is not fixed here")
                .hint("the number of winners may be open only where nothing refers to them later"),
        )
    }

    fn add(&mut self, position: usize) -> Result<(), Box<Diagnostic>> {
        let (name, named_reads, last) = self.name_and_reads(position)?;
        let hole_span = Span::new(self.tokens[position].start, self.tokens[last].end);
        let (kind, span) = self.kind(position, last, hole_span)?;
        let all: Vec<usize> = (0..self.variables.len()).collect();
        let reads = match kind {
            ProcessHoleKind::Condition | ProcessHoleKind::Value(_) => named_reads.unwrap_or(all),
            ProcessHoleKind::Target | ProcessHoleKind::Cardinality => Vec::new(),
        };
        let before = &self.tokens[..position];
        let at = before.windows(2).rev().find(|pair| pair[0].text == "location");
        let location = at.map_or_else(String::new, |pair| pair[1].text.to_owned());
        let place = ProcessHolePlace { span, hole: hole_span, location };
        let same =
            self.holes.iter_mut().find(|own| name.is_some() && Some(&own.name) == name.as_ref());
        match same {
            Some(own) if own.kind == kind && own.reads == reads => own.places.push(place),
            Some(own) => {
                let message = format!("`{}` is a different hole here", own.name);
                let refusal = Diagnostic::error(codes::TWO_MEANINGS, message, hole_span)
                    .also(own.places[0].hole, "it is first used here")
                    .hint("equal names are one hole: the same kind, and the same variables");
                return Err(Box::new(refusal));
            }
            None => {
                let name = name.unwrap_or_else(|| "??".to_owned());
                self.holes.push(ProcessHole { name, kind, reads, places: vec![place] });
            }
        }
        Ok(())
    }

    /// The name of a hole, the variables in brackets, and its last token.
    #[allow(clippy::type_complexity)]
    fn name_and_reads(
        &self,
        position: usize,
    ) -> Result<(Option<String>, Option<Vec<usize>>, usize), Box<Diagnostic>> {
        let tokens = &self.tokens;
        let text = |at: usize| tokens.get(at).map_or("", |own| own.text);
        let touches = |at: usize| tokens.get(at).is_some_and(|own| own.start == tokens[at - 1].end);
        let is_word = |text: &str| text.chars().next().is_some_and(|c| c.is_ascii_alphanumeric());
        let (mut name, mut last) = (None, position);
        if touches(last + 1) && is_word(text(last + 1)) {
            name = Some(format!("??{}", text(last + 1)));
            last += 1;
        } else if touches(last + 1) && text(last + 1) == "(" && text(last + 3) == ")" {
            name = Some(format!("??{}", text(last + 2)));
            last += 3;
        }
        if !(touches(last + 1) && text(last + 1) == "[") {
            return Ok((name, None, last));
        }
        last += 2;
        let mut reads = Vec::new();
        while last < tokens.len() && text(last) != "]" {
            let known = self.variables.iter().position(|own| own.name == text(last));
            match known {
                Some(variable) => reads.push(variable),
                None if text(last) == "," => {}
                None => {
                    let span = Span::new(tokens[last].start, tokens[last].end);
                    let message = format!("`{}` is not a variable with a range", text(last));
                    let refusal = Diagnostic::error(codes::NO_ALTERNATIVES, message, span)
                        .hint("a hole reads variables that are declared as `int[lowest,highest]`");
                    return Err(Box::new(refusal));
                }
            }
            last += 1;
        }
        Ok((name, Some(reads), last.min(tokens.len() - 1)))
    }

    /// What a hole stands for, and what is replaced by its alternatives.
    fn kind(
        &self,
        position: usize,
        last: usize,
        hole: Span,
    ) -> Result<(ProcessHoleKind, Span), Box<Diagnostic>> {
        let text = |back: usize| position.checked_sub(back).map_or("", |at| self.tokens[at].text);
        let from = |back: usize| Span::new(self.tokens[position - back].start, hole.end);
        let after = self.tokens.get(last + 1).map_or("", |own| own.text);
        if text(1) == "goto" {
            return Ok((ProcessHoleKind::Target, from(1)));
        }
        let variable = self.variables.iter().position(|own| own.name == text(2));
        if let (":=" | "=", Some(variable)) = (text(1), variable)
            && !matches!(text(3), "(" | "&&" | "||" | "!")
            && !matches!(after, "+" | "-" | "*" | "/")
        {
            return Ok((ProcessHoleKind::Value(variable), from(2)));
        }
        if matches!((text(1), text(2)), ("(", "if" | "where")) || matches!(text(1), "&&" | "||") {
            return Ok((ProcessHoleKind::Condition, hole));
        }
        let handler = self.handler(position);
        if let (",", ")" | ",", Some((on, end))) = (text(1), after, handler)
            && matches!(self.tokens[on + 1].text, "Partition" | "PartitionCons")
        {
            let span = Span::new(self.tokens[on].start, end);
            return Ok((ProcessHoleKind::Cardinality, span));
        }
        let message = "a hole is not allowed here";
        Err(Box::new(Diagnostic::error(codes::MISPLACED, message, hole).hint(
            "holes are conditions, whole right sides, targets of `goto`, and numbers of winners",
        )))
    }

    /// The name of the agreement whose number of winners a hole is.
    pub(super) fn agreement(&self, hole: &ProcessHole) -> Option<&str> {
        let start = hole.places.first()?.span.start;
        let on = self.tokens.iter().position(|own| own.start == start)?;
        self.tokens.get(on + 3).map(|own| own.text)
    }

    /// The token that begins the handler around a token, and where the handler ends.
    pub(super) fn handler(&self, position: usize) -> Option<(usize, usize)> {
        let on = (0..position).rev().find(|at| self.tokens[*at].text == "on")?;
        let ends = |text: &str| {
            matches!(text, "on" | "location" | "initial" | "passive" | "environment" | "crash")
        };
        let next = self.tokens[on + 1..].iter().find(|own| ends(own.text));
        Some((on, next.map_or(self.text.len(), |own| own.start)))
    }
}
