//! A Mercury text in which every entry of a hole is a variable that nothing writes, and the text in
//! which the holes are filled.

use super::holes::{CARDINALITIES, ProcessHole, ProcessHoleKind, ProcessSketch};
use crate::source::Span;

/// A part of a text and what stands there instead.
type TextEdit = (Span, String);

impl ProcessSketch<'_> {
    /// The name of the variable that holds an entry; no text of ours has names like it.
    pub(super) fn entry_name(&self, hole: usize, entry: usize) -> String {
        let mut prefix = "hole".to_owned();
        while self.tokens.iter().any(|own| own.text.starts_with(&prefix)) {
            prefix.push('_');
        }
        format!("{prefix}{hole}_{entry}")
    }

    /// The text with variables for the entries.
    pub(super) fn with_variables(&self) -> String {
        let mut edits = Vec::new();
        let mut declared = String::new();
        for (number, hole) in self.holes.iter().enumerate() {
            for entry in 0..self.entries(hole) {
                let (name, most) = (self.entry_name(number, entry), self.values(hole) - 1);
                declared.push_str(&format!("  int[0,{most}] {name} := 0\n"));
            }
            for place in &hole.places {
                if hole.kind != ProcessHoleKind::Cardinality {
                    edits.push((place.span, self.reading(number, hole)));
                }
            }
        }
        let copies = self.copies(&edits);
        edits.retain(|(span, _)| !copies.iter().any(|(outer, _)| is_inside(*span, *outer)));
        edits.extend(copies);
        edits.push(self.declaration(&declared));
        edits.extend(self.commented());
        edited(self.text, Span::new(0, self.text.len()), &edits)
    }

    /// The lines about liveness are for the search only: the front end has nothing to do with them.
    fn commented(&self) -> Vec<TextEdit> {
        let lines = self.liveness.iter();
        lines.map(|own| (own.span, format!("// {}", own.text.replace('\n', " ")))).collect()
    }

    /// Where variables are declared, with some more.
    fn declaration(&self, declared: &str) -> TextEdit {
        match self.tokens.iter().find(|own| own.text == "variables") {
            Some(own) => (Span::new(own.end, own.end), format!("\n{declared}")),
            None => {
                let next = |text: &str| matches!(text, "actions" | "initial" | "location");
                let at = self.tokens.iter().find(|own| next(own.text)).map_or(0, |own| own.start);
                (Span::new(at, at), format!("variables\n{declared}\n"))
            }
        }
    }

    /// Handlers whose number of winners is a hole, once for every number.
    fn copies(&self, edits: &[TextEdit]) -> Vec<TextEdit> {
        let mut copies = Vec::new();
        for hole in &self.holes {
            if hole.kind != ProcessHoleKind::Cardinality {
                continue;
            }
            for place in &hole.places {
                let copy = |winners: usize| {
                    let mut own: Vec<TextEdit> = edits
                        .iter()
                        .filter(|(span, _)| is_inside(*span, place.span))
                        .cloned()
                        .collect();
                    own.push((place.hole, winners.to_string()));
                    own.extend(self.renamed(place.span, winners));
                    edited(self.text, place.span, &own)
                };
                let text: String =
                    (1..=CARDINALITIES).map(|winners| copy(winners) + "\n").collect();
                copies.push((place.span, text));
            }
            copies.extend(self.ignored(hole));
        }
        copies
    }

    /// Where processes ignore an agreement, they ignore every copy of it.
    fn ignored(&self, hole: &ProcessHole) -> Vec<TextEdit> {
        let Some(name) = self.agreement(hole) else { return Vec::new() };
        let others = self.tokens.iter().filter(|own| {
            let span = Span::new(own.start, own.end);
            own.text == name && !hole.places.iter().any(|place| is_inside(span, place.span))
        });
        let all = (1..=CARDINALITIES).map(|winners| format!("{name}_{winners}"));
        let all = all.collect::<Vec<_>>().join(", ");
        others.map(|own| (Span::new(own.start, own.end), all.clone())).collect()
    }

    /// The name of an agreement, which has a copy for each number of winners.
    fn renamed(&self, handler: Span, winners: usize) -> Vec<TextEdit> {
        let inside =
            self.tokens.iter().filter(|own| is_inside(Span::new(own.start, own.end), handler));
        let inside: Vec<_> = inside.collect();
        let Some(name) = inside.get(3).map(|own| own.text) else { return Vec::new() };
        let same = inside.into_iter().filter(|own| own.text == name);
        same.map(|own| (Span::new(own.start, own.end), format!("{name}_{winners}"))).collect()
    }

    /// What stands for a hole while it is a variable.
    fn reading(&self, number: usize, hole: &ProcessHole) -> String {
        let is = |entry: usize, value: usize| {
            let mut parts = self.entry_condition(hole, entry);
            parts.push(format!("{} = {value}", self.entry_name(number, entry)));
            parts.join(" && ")
        };
        match &hole.kind {
            ProcessHoleKind::Condition => {
                let parts = (0..self.entries(hole)).map(|entry| format!("({})", is(entry, 1)));
                format!("({})", parts.collect::<Vec<_>>().join(" || "))
            }
            ProcessHoleKind::Target => {
                let cases = self.locations.iter().enumerate();
                chain(cases.map(|(value, to)| (is(0, value), format!("goto {to}"))).collect())
            }
            ProcessHoleKind::Value(variable) => {
                let own = &self.variables[*variable];
                let cases = (0..self.entries(hole))
                    .flat_map(|entry| (0..own.count()).map(move |value| (entry, value)));
                chain(
                    cases
                        .map(|(entry, value)| {
                            let to = own.lowest + i64::try_from(value).unwrap_or(0);
                            (is(entry, value), format!("{} := {to}", own.name))
                        })
                        .collect(),
                )
            }
            ProcessHoleKind::Cardinality => String::new(),
        }
    }

    /// The values of the variables at an entry, as conditions.
    fn entry_condition(&self, hole: &ProcessHole, entry: usize) -> Vec<String> {
        let mut rest = entry;
        let conditions = hole.reads.iter().map(|own| {
            let own = &self.variables[*own];
            let value = own.lowest + i64::try_from(rest % own.count()).unwrap_or(0);
            rest /= own.count();
            format!("{} = {value}", own.name)
        });
        conditions.collect()
    }

    /// The text with every hole filled; a code for each entry of each hole.
    pub(super) fn completed(&self, codes: &[Vec<usize>]) -> String {
        let mut edits = self.commented();
        for (hole, codes) in self.holes.iter().zip(codes) {
            for place in &hole.places {
                match &hole.kind {
                    ProcessHoleKind::Cardinality => {
                        edits.push((place.hole, self.filling(hole, codes)));
                    }
                    ProcessHoleKind::Condition => {
                        let condition = self.filling(hole, codes);
                        let is_alone = self.is_in_brackets(place.hole);
                        let text = if is_alone { condition } else { format!("({condition})") };
                        edits.push((place.hole, text));
                    }
                    ProcessHoleKind::Target => {
                        edits.push((place.span, format!("goto {}", self.filling(hole, codes))));
                    }
                    ProcessHoleKind::Value(_) => {
                        edits.push((place.span, self.statement(hole, codes)));
                    }
                }
            }
        }
        edited(self.text, Span::new(0, self.text.len()), &edits)
    }

    /// Whether a pair of brackets holds nothing but this part of the text.
    fn is_in_brackets(&self, part: Span) -> bool {
        let before = self.tokens.iter().rfind(|own| own.end <= part.start);
        let after = self.tokens.iter().find(|own| own.start >= part.end);
        before.is_some_and(|own| own.text == "(") && after.is_some_and(|own| own.text == ")")
    }

    /// What a hole became, in a line.
    pub(super) fn filling(&self, hole: &ProcessHole, codes: &[usize]) -> String {
        match &hole.kind {
            ProcessHoleKind::Cardinality => (codes[0] + 1).to_string(),
            ProcessHoleKind::Target => self.locations[codes[0]].clone(),
            ProcessHoleKind::Value(_) => self.statement(hole, codes),
            ProcessHoleKind::Condition => {
                let chosen: Vec<usize> = (0..codes.len()).filter(|own| codes[*own] == 1).collect();
                if chosen.len() == codes.len() {
                    return "0 = 0".to_owned();
                }
                if chosen.is_empty() {
                    return "0 = 1".to_owned();
                }
                let parts = chosen.iter().map(|entry| {
                    let parts = self.entry_condition(hole, *entry);
                    let text = parts.join(" && ");
                    if parts.len() > 1 { format!("({text})") } else { text }
                });
                parts.collect::<Vec<_>>().join(" || ")
            }
        }
    }

    /// The assignment that a value became.
    fn statement(&self, hole: &ProcessHole, codes: &[usize]) -> String {
        let ProcessHoleKind::Value(variable) = hole.kind else { return String::new() };
        let own = &self.variables[variable];
        let to = |code: usize| format!("{} := {}", own.name, own.lowest + code as i64);
        if codes.iter().all(|code| code == &codes[0]) {
            return to(codes[0]);
        }
        let cases = codes.iter().enumerate();
        chain(
            cases
                .map(|(entry, code)| (self.entry_condition(hole, entry).join(" && "), to(*code)))
                .collect(),
        )
    }
}

/// Statements under conditions, one of which holds.
fn chain(cases: Vec<(String, String)>) -> String {
    let last = cases.len().saturating_sub(1);
    let parts = cases.into_iter().enumerate().map(|(number, (condition, statement))| {
        if number == last && number > 0 {
            statement
        } else {
            format!("if ({condition}) {statement}")
        }
    });
    parts.collect::<Vec<_>>().join(" else ")
}

fn is_inside(span: Span, outer: Span) -> bool {
    outer.start <= span.start && span.end <= outer.end
}

/// A part of a text with edits that do not overlap.
fn edited(text: &str, part: Span, edits: &[TextEdit]) -> String {
    let mut edits: Vec<&TextEdit> =
        edits.iter().filter(|(span, _)| is_inside(*span, part)).collect();
    edits.sort_by_key(|(span, _)| (span.start, span.end));
    let mut out = String::new();
    let mut at = part.start;
    for (span, instead) in edits {
        if span.start < at {
            continue;
        }
        out.push_str(&text[at..span.start]);
        out.push_str(instead);
        at = span.end;
    }
    out + &text[at..part.end]
}
