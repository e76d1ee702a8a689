//! Messages about sorts that do not fit: which position requires which sort, and why.

use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::surface::{Expression, ExpressionKind};
use crate::logic::{Name, Vocabulary};
use crate::source::Span;

use super::slots::KnownSort;
use crate::elaborate::codes;
use crate::elaborate::resolve::Resolve;

/// The place that needs a sort.
pub(crate) enum MismatchPlace<'a> {
    /// An argument of a symbol, counted from 1.
    Argument { symbol: &'a Name, position: usize, declared: Option<Span> },
    /// The second side of an equation.
    Equation { left: &'a Expression },
    /// The second branch of `if … else …`.
    Branch { then: &'a Expression },
    /// An operand of integer arithmetic or of an order.
    Integer { operator: &'a str },
    /// A place whose sort is given from outside.
    Value,
}

/// `found` stands in `place`, which needs `wanted`.
pub(crate) fn mismatch<V: Vocabulary, R: Resolve<V>>(
    resolver: &R,
    place: &MismatchPlace<'_>,
    expression: &Expression,
    wanted: KnownSort<V>,
    found: KnownSort<V>,
) -> Diagnostic {
    let wanted_name = resolver.sort_name(wanted.sort);
    let found_name = resolver.sort_name(found.sort);
    let (needs, has) = (with_article(&wanted_name), with_article(&found_name));
    let (code, message) = match place {
        MismatchPlace::Argument { symbol, position, .. } => (
            codes::SORT_MISMATCH,
            format!("argument {position} of `{symbol}` is {needs}, not {has}"),
        ),
        MismatchPlace::Equation { .. } => {
            (codes::SORT_MISMATCH, format!("{needs} cannot equal {has}"))
        }
        MismatchPlace::Branch { .. } => {
            (codes::SORT_MISMATCH, format!("one branch is {needs}, the other {has}"))
        }
        MismatchPlace::Integer { operator } => {
            (codes::INTEGER_NEEDED, format!("`{operator}` requires `int`, not `{found_name}`"))
        }
        MismatchPlace::Value => (codes::SORT_MISMATCH, format!("expected {needs}, found {has}")),
    };
    let diagnostic =
        Diagnostic::error(code, message, expression.span).labelled(format!("this is {has}"));
    let diagnostic = point_at_inference(diagnostic, expression, &has, found.because);
    point_at_requirement(diagnostic, place, (&needs, &found_name), wanted)
}

/// Points at what fixed the sort of a variable.
fn point_at_inference(
    diagnostic: Diagnostic,
    expression: &Expression,
    sort: &str,
    because: Option<Span>,
) -> Diagnostic {
    match (&*expression.kind, because) {
        (ExpressionKind::Name(name), Some(span)) if span != expression.span => {
            diagnostic.also(span, format!("`{name}` is {sort} because of this"))
        }
        _ => diagnostic,
    }
}

/// Points at what made the place need its sort.
fn point_at_requirement<V: Vocabulary>(
    diagnostic: Diagnostic,
    place: &MismatchPlace<'_>,
    (sort, found): (&str, &str),
    wanted: KnownSort<V>,
) -> Diagnostic {
    match place {
        MismatchPlace::Argument { declared, .. } => match declared {
            Some(span) => diagnostic.also(*span, "declared here"),
            None => diagnostic,
        },
        MismatchPlace::Equation { left: other } | MismatchPlace::Branch { then: other } => {
            let diagnostic = diagnostic.also(other.span, format!("this is {sort}"));
            point_at_inference(diagnostic, other, sort, wanted.because)
        }
        MismatchPlace::Integer { operator } => diagnostic.hint(match *operator {
            "+" | "-" => {
                format!("declare `order le on {found}` and `successor next on {found}`")
            }
            _ => format!("declare an order: `order le on {found}`, and write `le(x, y)`"),
        }),
        MismatchPlace::Value => diagnostic,
    }
}

/// A sort's name with its article: a `node`, an `id`.
pub(crate) fn with_article(sort: &str) -> String {
    let article = if sort.starts_with(['a', 'e', 'i', 'o']) { "an" } else { "a" };
    format!("{article} `{sort}`")
}
