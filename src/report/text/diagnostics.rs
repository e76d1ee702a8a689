//! Diagnostics as text: place, excerpt with the offending part underlined, related places, hint.

use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::report::ci::one_line;
use crate::source::{LineIndex, SourceFile, Span, floor_char_boundary};

/// Whether the text is for a terminal that shows colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// Plain text, the same everywhere.
    Never,
    /// Text with escape sequences.
    Always,
}

/// Related places at most so many bytes away are shown in one excerpt with the offending place.
const NEAR: usize = 1000;

/// No more than so many bytes of a line before and after the offending part are shown.
const MARGIN: usize = 200;

/// The messages about a text, in the order given.
pub fn render(source: &SourceFile, diagnostics: &[Diagnostic], colour: Colour) -> String {
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    let lines = LineIndex::new(source);
    let name = one_line(source.name());
    let mut output = String::new();
    for diagnostic in diagnostics {
        let page = DiagnosticPage { source, name: &name, lines: &lines, diagnostic };
        output.push_str(&renderer.render(&[page.group()]));
        output.push_str("\n\n");
    }
    output
}

/// One line for each message: place, severity, code, words.
pub fn summary(source: &SourceFile, diagnostics: &[Diagnostic]) -> String {
    let lines = LineIndex::new(source);
    let line = |diagnostic: &Diagnostic| {
        let Diagnostic { severity: level, code, message, primary, .. } = diagnostic;
        let position = lines.position(primary.span.start);
        format!("{position}: {}[{}]: {message}\n", severity(*level), code.0)
    };
    diagnostics.iter().map(line).collect()
}

/// The word for a severity.
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}

/// One message beside its text.
struct DiagnosticPage<'a> {
    source: &'a SourceFile,
    /// Its name, on one line.
    name: &'a str,
    lines: &'a LineIndex<'a>,
    diagnostic: &'a Diagnostic,
}

impl<'a> DiagnosticPage<'a> {
    fn group(&self) -> Group<'a> {
        let level = match self.diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level.primary_title(&self.diagnostic.message).id(self.diagnostic.code.0);
        let primary = &self.diagnostic.primary;
        let (near, far): (Vec<&Label>, Vec<&Label>) =
            self.diagnostic.secondary.iter().partition(|label| self.is_near(label));
        let mut group = Group::with_title(title).elements(self.excerpts(Some(primary), &near));
        for label in far {
            group = group.elements(self.excerpts(None, &[label]));
        }
        match &self.diagnostic.hint {
            Some(hint) => group.element(Level::HELP.message(hint)),
            None => group,
        }
    }

    fn is_near(&self, label: &Label) -> bool {
        label.span.start.abs_diff(self.diagnostic.primary.span.start) <= NEAR
    }

    /// The lines of some labels; the place is written above them.
    fn excerpts(&self, primary: Option<&'a Label>, context: &[&'a Label]) -> Vec<Element<'a>> {
        let labels = primary.into_iter().chain(context.iter().copied());
        let shown = labels.map(|label| self.on_one_line(label.span)).reduce(Span::to);
        let excerpt = self.excerpt(shown.unwrap_or_default());
        let first = self.lines.position(excerpt.start);
        let mark = |kind: AnnotationKind, label: &'a Label| {
            let span = self.on_one_line(label.span);
            let annotation = kind.span(span.start - excerpt.start..span.end - excerpt.start);
            if label.message.is_empty() { annotation } else { annotation.label(&label.message) }
        };
        let snippet = Snippet::source(&self.source.text()[excerpt.start..excerpt.end])
            .line_start(first.line)
            .annotations(primary.map(|label| mark(AnnotationKind::Primary, label)))
            .annotations(context.iter().map(|label| mark(AnnotationKind::Context, label)));
        if first.column == 1 {
            return vec![snippet.path(self.name).into()];
        }
        // Where the excerpt starts inside a line its columns are not those of the text.
        let place = self.lines.position(shown.unwrap_or_default().start);
        let origin = Origin::path(self.name).line(place.line).char_column(place.column);
        vec![origin.into(), snippet.into()]
    }

    /// The part of a place that is on its first line, between whole characters.
    fn on_one_line(&self, span: Span) -> Span {
        let text = self.source.text();
        let start = floor_char_boundary(text, span.start);
        let end = floor_char_boundary(text, span.end).max(start);
        let line = &text[start..end];
        let length = line.find('\n').unwrap_or(line.len()).min(MARGIN);
        let visible = line[..floor_char_boundary(line, length)].trim_end().len();
        Span::new(start, start + visible)
    }

    /// The lines around a place, cut where they are very long.
    fn excerpt(&self, shown: Span) -> Span {
        let text = self.source.text();
        let least = floor_char_boundary(text, shown.start.saturating_sub(MARGIN));
        let most = floor_char_boundary(text, shown.end + MARGIN);
        let start =
            text[least..shown.start].rfind('\n').map_or(least, |newline| least + newline + 1);
        let end = text[shown.end..most].find('\n').map_or(most, |newline| shown.end + newline);
        Span::new(start, end)
    }
}
