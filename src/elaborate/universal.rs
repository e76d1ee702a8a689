//! Why a property is not universal: the quantifier of existential force, and its cause.

use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::surface::{Binder, Connective, Expression, ExpressionKind};
use crate::logic::{Polarity, Quantifier};
use crate::source::Span;

use super::codes;

/// The refusal of a property that is not universal.
pub(super) fn not_universal(kind: &str, formula: &Expression) -> Diagnostic {
    let message = format!("a {kind} must be universal");
    match culprit(formula, Polarity::Positive, "") {
        Some(culprit) => culprit.refused(message),
        None => Diagnostic::error(codes::NOT_UNIVERSAL, message, formula.span),
    }
}

/// A quantifier of existential force.
struct Culprit {
    quantifier: Quantifier,
    /// The quantifier with its variables.
    span: Span,
    polarity: Polarity,
    because: &'static str,
}

impl Culprit {
    fn refused(self, message: String) -> Diagnostic {
        let word = match self.quantifier {
            Quantifier::Forall => "forall",
            Quantifier::Exists => "exists",
        };
        let stands = self.because;
        let label = match self.polarity {
            Polarity::Positive => format!("this `{word}` needs a witness"),
            Polarity::Negative => format!("this `{word}` {stands} counts as `exists`"),
            Polarity::Both => format!("this `{word}` {stands} counts both ways, once as `exists`"),
        };
        let diagnostic =
            Diagnostic::error(codes::NOT_UNIVERSAL, message, self.span).labelled(label);
        diagnostic.hint("introduce a function or a relation for the witness")
    }
}

/// The first quantifier of existential force, from left to right.
fn culprit(expression: &Expression, polarity: Polarity, because: &'static str) -> Option<Culprit> {
    let span = expression.span;
    let both = |words: &'static str, parts: [&Expression; 2]| {
        parts.into_iter().find_map(|part| culprit(part, Polarity::Both, words))
    };
    match &*expression.kind {
        ExpressionKind::Truth(_)
        | ExpressionKind::Integer(_)
        | ExpressionKind::Name(_)
        | ExpressionKind::Hole(_) => None,
        ExpressionKind::Apply(_, args) => {
            args.iter().find_map(|arg| culprit(arg, Polarity::Both, "inside an argument"))
        }
        ExpressionKind::Equal { left, right, .. } => both("inside an equation", [left, right]),
        ExpressionKind::Compare { left, right, .. } => both("inside a comparison", [left, right]),
        ExpressionKind::Arithmetic(_, left, right) => both("inside a sum", [left, right]),
        ExpressionKind::Negative(inner) | ExpressionKind::At(_, inner) => {
            culprit(inner, polarity, because)
        }
        ExpressionKind::Not(inner) => culprit(inner, polarity.flip(), "under a negation"),
        ExpressionKind::And(parts) | ExpressionKind::Or(parts) => {
            parts.iter().find_map(|part| culprit(part, polarity, because))
        }
        ExpressionKind::Connective(Connective::Implies, premise, conclusion) => {
            culprit(premise, polarity.flip(), "left of `->`")
                .or_else(|| culprit(conclusion, polarity, because))
        }
        ExpressionKind::Connective(Connective::Iff, left, right) => {
            both("under `<->`", [left, right])
        }
        ExpressionKind::If { then, condition, otherwise } => {
            let condition_of = "in the condition of `if`";
            culprit(then, polarity, because)
                .or_else(|| culprit(condition, Polarity::Both, condition_of))
                .or_else(|| culprit(otherwise, polarity, because))
        }
        ExpressionKind::Quantified(quantifier, binders, body) => {
            let existential = match polarity {
                Polarity::Positive => *quantifier == Quantifier::Exists,
                Polarity::Negative => *quantifier == Quantifier::Forall,
                Polarity::Both => true,
            };
            if !existential {
                return culprit(body, polarity, because);
            }
            let span = head(span, binders);
            Some(Culprit { quantifier: *quantifier, span, polarity, because })
        }
    }
}

/// A quantifier with its variables, without the body.
fn head(span: Span, binders: &[Binder]) -> Span {
    let last = binders
        .last()
        .map(|binder| binder.sort.as_ref().map_or(binder.name.span.end, |sort| sort.span.end));
    Span::new(span.start, last.unwrap_or(span.end))
}
