//! Changes of a text that follow the hint of a message.

use itertools::Itertools;

use crate::source::Span;

/// A change that an editor offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fix {
    /// Changes of places that do not overlap, in their order.
    Edits(Vec<Edit>),
    /// Another name for what the message is about, wherever that name stands.
    Rename {
        /// The other name.
        to: String,
        /// The part of the text in which it means this; `None` for all of it.
        within: Option<Span>,
    },
}

/// A text in the place of another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The place.
    pub span: Span,
    /// What is written there.
    pub text: String,
}

impl Edit {
    /// A text in the place of another one.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Edit { span, text: text.into() }
    }

    /// A text where nothing was.
    pub fn insert(place: usize, text: impl Into<String>) -> Self {
        Self::new(Span::new(place, place), text)
    }
}

impl Fix {
    /// The change as one edit of the text, for a message about `place`. There is none if a new name
    /// is in use, and nothing to do.
    pub fn edit(&self, place: Span, text: &str) -> Option<Edit> {
        let edits = match self {
            Fix::Edits(edits) => edits.clone(),
            Fix::Rename { to, within } => renamed(to, *within, place, text)?,
        };
        let (first, last) = (edits.first()?, edits.last()?);
        let whole = first.span.to(last.span);
        let (mut new, mut end) = (String::new(), whole.start);
        for edit in &edits {
            new += text.get(end..edit.span.start)?;
            new += &edit.text;
            end = edit.span.end;
        }
        text.get(whole.start..whole.end)?;
        Some(Edit::new(whole, new))
    }
}

/// The edits that rename what stands at `place`. A name in a comment is no name.
fn renamed(to: &str, within: Option<Span>, place: Span, text: &str) -> Option<Vec<Edit>> {
    let from = text.get(place.start..place.end)?;
    let within = within.unwrap_or(Span::new(0, text.len()));
    let (mut edits, mut start) = (Vec::new(), 0);
    let mut is_comment = false;
    for (is_name, run) in &text.chars().chunk_by(|c| c.is_alphanumeric() || *c == '_') {
        let length: usize = run.map(char::len_utf8).sum();
        let span = Span::new(start, start + length);
        start = span.end;
        let word = text.get(span.start..span.end)?;
        if !is_name {
            let line = word.rsplit('\n').next().unwrap_or_default();
            is_comment = line.contains('#') || is_comment && !word.contains('\n');
        } else if !is_comment && within.start <= span.start && span.end <= within.end {
            if word == to {
                return None;
            }
            if word == from {
                edits.push(Edit::new(span, to));
            }
        }
    }
    Some(edits)
}
