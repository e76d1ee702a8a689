//! Long lines, broken where the layout of certificates allows it.

use super::symbol_spelling::DECLARING;

/// No line is longer, if a binary operator allows it.
const WIDTH: usize = 100;

/// A line that goes on in the next after a binary operator where it would be too long.
pub(super) fn wrapped(indent: usize, text: &str) -> String {
    let mut line = format!("{:indent$}{text}", "");
    if line.chars().count() <= WIDTH {
        line.push('\n');
        return line;
    }
    let mut out = String::new();
    let mut width = indent;
    out.push_str(&" ".repeat(indent));
    for piece in pieces(text) {
        let own = piece.chars().count();
        let starts_item = DECLARING.iter().any(|word| piece.starts_with(word));
        if width > indent && width + own > WIDTH && !starts_item {
            out.truncate(out.trim_end().len());
            out.push('\n');
            out.push_str(&" ".repeat(indent + 4));
            width = indent + 4;
        }
        out.push_str(piece);
        width += own;
    }
    out.push('\n');
    out
}

/// The text cut after every binary operator.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    loop {
        let ends = [" & ", " | ", " -> ", " <-> "];
        let cut = ends.iter().filter_map(|end| rest.find(end).map(|at| at + end.len())).min();
        let Some(cut) = cut else { break };
        pieces.push(&rest[..cut]);
        rest = &rest[cut..];
    }
    pieces.push(rest);
    pieces
}
