//! HTML and SVG text in which every element is closed and every name is escaped, by construction.

use std::fmt::{Display, Write as _};

/// A piece of a page. Only fixed tags, fixed attribute names and escaped texts get into it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markup(String);

/// Attributes of an element: names are ours, values are anyone's.
pub type Attributes<'a> = &'a [(&'static str, &'a dyn Display)];

impl Markup {
    /// Nothing yet.
    pub fn new() -> Self {
        Markup::default()
    }

    /// An element with what is inside it.
    pub fn element(
        &mut self,
        tag: &'static str,
        attributes: Attributes<'_>,
        inner: impl FnOnce(&mut Markup),
    ) {
        self.open(tag, attributes);
        self.0.push('>');
        inner(self);
        self.close(tag);
    }

    /// An element that holds a text.
    pub fn leaf(&mut self, tag: &'static str, attributes: Attributes<'_>, text: impl Display) {
        self.element(tag, attributes, |inner| inner.text(text));
    }

    /// An element that holds nothing.
    pub fn empty(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.open(tag, attributes);
        self.0.push_str("/>");
    }

    /// A text, shown as it is whatever is in it.
    pub fn text(&mut self, text: impl Display) {
        escape(&text.to_string(), &mut self.0);
    }

    /// Another piece.
    pub fn append(&mut self, piece: &Markup) {
        self.0.push_str(&piece.0);
    }

    /// A style or a script of our own, which is not escaped.
    pub fn verbatim(&mut self, tag: &'static str, text: &'static str) {
        self.open(tag, &[]);
        self.0.push('>');
        self.0.push_str(text);
        self.close(tag);
    }

    /// Data for the script of the page: JSON in which nothing can end the element.
    pub fn data(&mut self, id: &str, json: &str) {
        self.open("script", &[("type", &"application/json"), ("id", &id)]);
        self.0.push('>');
        for character in json.chars() {
            match character {
                '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                    // Writing to a string cannot fail.
                    let _ = write!(self.0, "\\u{:04x}", u32::from(character));
                }
                other => self.0.push(other),
            }
        }
        self.close("script");
    }

    /// The text of the piece.
    pub fn into_string(self) -> String {
        self.0
    }

    fn open(&mut self, tag: &'static str, attributes: Attributes<'_>) {
        self.0.push('<');
        self.0.push_str(tag);
        for (name, value) in attributes {
            self.0.push(' ');
            self.0.push_str(name);
            self.0.push_str("=\"");
            escape(&value.to_string(), &mut self.0);
            self.0.push('"');
        }
    }

    fn close(&mut self, tag: &'static str) {
        self.0.push_str("</");
        self.0.push_str(tag);
        self.0.push('>');
    }
}

/// Replaces what means something in HTML; a control character that no page may hold is shown as
/// one that is unknown.
fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(character),
            control if control.is_control() => out.push('\u{fffd}'),
            other => out.push(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str = "</script><img src=x onerror=\"alert('1')\">&\u{0}";

    #[test]
    fn texts_and_values_cannot_become_markup() {
        let mut page = Markup::new();
        page.element("p", &[("title", &HOSTILE)], |inner| inner.text(HOSTILE));
        let text = page.into_string();
        assert_eq!(text.matches('<').count(), 2, "{text}");
        assert_eq!(text.matches('"').count(), 2, "{text}");
        assert!(!text.contains('\u{0}'));
        assert!(text.contains("&lt;/script&gt;"));
    }

    #[test]
    fn data_cannot_end_its_element_and_reads_back() {
        let mut page = Markup::new();
        let json = serde_json::to_string(&[HOSTILE, "\u{2028}"]).expect("text is JSON");
        page.data("d", &json);
        let text = page.into_string();
        assert_eq!(text.matches('<').count(), 2, "{text}");
        let inner = text.split_once('>').expect("an open tag").1;
        let inner = inner.strip_suffix("</script>").expect("a closing tag");
        let back: Vec<String> = serde_json::from_str(inner).expect("still JSON");
        assert_eq!(back, [HOSTILE, "\u{2028}"]);
    }
}
