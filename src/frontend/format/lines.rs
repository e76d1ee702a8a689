//! The lines of a formatted text under construction, with comments inserted at their places.

use super::braces::BraceSpan;
use crate::frontend::syntax::brackets::Comment;
use crate::source::{LineIndex, SourceFile, Span};

/// Lines longer than this are left alone when comments are aligned.
const ALIGNED: usize = 60;

/// The lines written so far and the comments still to come.
pub(crate) struct OutputLines<'a> {
    source: &'a SourceFile,
    positions: LineIndex<'a>,
    comments: std::iter::Peekable<std::slice::Iter<'a, Comment>>,
    lines: Vec<OutputLine>,
    /// The ends of the blocks around the next line.
    blocks: Vec<usize>,
    /// The line of the source on which the last thing written ended.
    ended: usize,
    /// What comes between the last thing written and the next.
    gap: LineGap,
}

/// A line and the comment behind it.
struct OutputLine {
    text: String,
    comment: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LineGap {
    /// Nothing, even if the source has an empty line.
    Never,
    /// An empty line if the source has one.
    AsInSource,
    /// An empty line.
    Always,
}

impl<'a> OutputLines<'a> {
    /// An empty page for a text with these comments.
    pub(crate) fn new(source: &'a SourceFile, comments: &'a [Comment]) -> Self {
        OutputLines {
            source,
            positions: LineIndex::new(source),
            comments: comments.iter().peekable(),
            lines: Vec::new(),
            blocks: Vec::new(),
            ended: 0,
            gap: LineGap::Never,
        }
    }

    /// How many blanks a line begins with.
    pub(crate) fn indentation(&self) -> usize {
        2 * self.blocks.len()
    }

    /// What follows is in a block that ends at an offset.
    pub(crate) fn indent(&mut self, end: usize) {
        self.blocks.push(end);
    }

    /// The block has ended; the comments at its end belong to it.
    pub(crate) fn dedent(&mut self) {
        if let Some(end) = self.blocks.last().copied() {
            self.comments_before(end);
            self.blocks.pop();
        }
    }

    /// An empty line before what follows, unless nothing comes before it.
    pub(crate) fn gap(&mut self) {
        if !self.lines.is_empty() {
            self.gap = LineGap::Always;
        }
    }

    /// Something without a block, written at `span`; what follows it begins at `next`.
    pub(crate) fn node(&mut self, text: &str, span: Span, next: usize) {
        self.comments_before(span.start);
        self.inner_comments(span.start, span.end);
        self.write(text, span.start, span.end);
        self.comment_behind(span.end, next);
    }

    /// The start of something with a block; `text` ends with the brace.
    pub(crate) fn open(&mut self, text: &str, start: usize, block: BraceSpan) {
        self.comments_before(start);
        self.inner_comments(start, block.start);
        self.write(text, start, block.start);
        self.comment_behind(block.start, block.first);
        self.gap = LineGap::Never;
    }

    /// The end of one block and the start of the next; comments between them move into it.
    pub(crate) fn reopen(&mut self, text: &str, block: BraceSpan) {
        self.gap = LineGap::Never;
        self.write(text, block.start, block.start);
        self.comment_behind(block.start, block.first);
        self.gap = LineGap::Never;
    }

    /// The end of something with a block; what follows it begins at `next`.
    pub(crate) fn close(&mut self, text: &str, span: Span, next: usize) {
        self.gap = LineGap::Never;
        self.write(text, span.end, span.end);
        self.comment_behind(span.end, next);
    }

    /// The comments up to an offset, each on a line of its own.
    pub(crate) fn comments_before(&mut self, offset: usize) {
        while let Some(comment) = self.comments.next_if(|comment| comment.span.start < offset) {
            let text = self.text(comment);
            self.write(&text, comment.span.start, comment.span.start);
        }
    }

    /// The text of all lines, the last comments included.
    pub(crate) fn finish(mut self) -> String {
        self.comments_before(usize::MAX);
        align(&mut self.lines);
        let mut output = String::new();
        for line in &self.lines {
            output.push_str(&line.text);
            output.extend(line.comment.iter().flat_map(|comment| ["  ", comment]));
            output.push('\n');
        }
        output
    }

    /// Comments in the middle of something move in front of it.
    fn inner_comments(&mut self, start: usize, end: usize) {
        while let Some(comment) = self.comments.next_if(|comment| comment.span.start < end) {
            let text = self.text(comment);
            self.write(&text, start, start);
        }
    }

    /// A comment on the line on which something ends, up to a limit and the end of the block.
    fn comment_behind(&mut self, end: usize, limit: usize) {
        let line = self.line_of(end);
        let limit = self.blocks.last().map_or(limit, |block| limit.min(*block));
        let positions = &self.positions;
        let same_line = |comment: &&Comment| {
            let start = comment.span.start;
            start < limit && positions.position(start).line == line
        };
        if let Some(comment) = self.comments.next_if(same_line) {
            let text = self.text(comment);
            if let Some(last) = self.lines.last_mut() {
                last.comment = Some(text);
            }
        }
    }

    /// Writes what the source has between two offsets.
    fn write(&mut self, text: &str, start: usize, end: usize) {
        let empty_line = match self.gap {
            LineGap::Never => false,
            LineGap::AsInSource => self.line_of(start) > self.ended + 1,
            LineGap::Always => true,
        };
        if empty_line {
            self.lines.push(OutputLine { text: String::new(), comment: None });
        }
        let indentation = " ".repeat(self.indentation());
        for (index, line) in text.split('\n').enumerate() {
            // Further lines bring their own indentation.
            let text = if index == 0 { format!("{indentation}{line}") } else { line.to_owned() };
            self.lines.push(OutputLine { text, comment: None });
        }
        self.ended = self.line_of(end);
        self.gap = LineGap::AsInSource;
    }

    fn text(&self, comment: &Comment) -> String {
        self.source.text()[comment.span.start..comment.span.end].trim_end().to_owned()
    }

    fn line_of(&self, offset: usize) -> usize {
        self.positions.position(offset).line
    }
}

/// Comments behind the lines of a paragraph begin in the same column; braces and empty lines
/// separate paragraphs.
fn align(lines: &mut [OutputLine]) {
    let is_aligned = |line: &&mut OutputLine| line.comment.is_some() && width(line) <= ALIGNED;
    for paragraph in lines.split_mut(separates) {
        let widths = paragraph.iter_mut().filter(is_aligned).map(|line| width(line));
        let column = widths.max().unwrap_or_default();
        for line in paragraph.iter_mut().filter(is_aligned) {
            let blanks = column - width(line);
            line.text.extend(std::iter::repeat_n(' ', blanks));
        }
    }
}

fn separates(line: &OutputLine) -> bool {
    line.text.is_empty() || line.text.ends_with('{') || line.text.trim_start().starts_with('}')
}

fn width(line: &OutputLine) -> usize {
    line.text.chars().count()
}
