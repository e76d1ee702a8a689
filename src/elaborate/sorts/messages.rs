//! Messages about names, arities and sorts in expressions.

use crate::diagnostic::near_names::truth_in_capitals;
use crate::diagnostic::{Diagnostic, Edit};
use crate::elaborate::codes;
use crate::elaborate::expression::{Unbound, WhyRefused};
use crate::frontend::syntax::surface::{Expression, ExpressionKind, Identifier};
use crate::logic::Name;
use crate::source::Span;

/// Too many definitions written out in one expression.
pub(crate) fn too_large(name: &str, span: Span) -> Diagnostic {
    let message = format!("with `{name}` expanded this would be too large");
    Diagnostic::error(codes::TOO_HEAVY, message, span).hint("split it into several lines")
}

/// An undeclared name, with the one that may be meant.
pub(crate) fn unknown_name(name: &str, span: Span, near: Option<&Name>) -> Diagnostic {
    let message = format!("unknown name `{name}`");
    let mut unknown = Diagnostic::error(codes::UNKNOWN_NAME, message, span);
    unknown.hint = near.map(|near| format!("did you mean `{near}`?"));
    unknown.instead_any(near.map(Name::to_string))
}

/// An undeclared name, used like a symbol with these arguments.
pub(crate) fn unknown_symbol(
    name: &str,
    span: Span,
    near: Option<&Name>,
    args: &[Expression],
) -> Diagnostic {
    let mut unknown = unknown_name(name, span, near);
    if unknown.hint.is_none() && name == "not" {
        unknown = unknown.hint("write `~`").instead("~");
    } else if unknown.hint.is_none() && args.iter().any(is_formula) {
        let hint = format!("arguments are terms; labels are written in brackets: `[{name}] F`");
        unknown.hint = Some(hint);
    }
    unknown
}

/// Undeclared names that could be variables, in one message: the cause is one.
pub(crate) fn unknown_variables(
    first: &Identifier,
    others: &[Identifier],
    (unbound, uses): (Unbound, &[Identifier]),
) -> Diagnostic {
    let quoted = |unknown: &Identifier| format!("`{}`", unknown.value);
    let message = match others.split_last() {
        Some((last, between)) => {
            let listed: Vec<String> = [first].into_iter().chain(between).map(quoted).collect();
            format!("unknown names {} and {}", listed.join(", "), quoted(last))
        }
        None => format!("unknown name {}", quoted(first)),
    };
    let name = &first.value;
    let hint = match unbound {
        Unbound::Universal => format!(
            "write a variable with a capital, `{}`, or bind it: `forall {name}. F`",
            capitalised(name)
        ),
        Unbound::Refused(_) => {
            format!("declare constants and parameters; bind a variable: `exists {name}. F`")
        }
    };
    let mut unknown = Diagnostic::error(codes::UNKNOWN_NAME, message, first.span).hint(hint);
    if matches!(unbound, Unbound::Universal) && !uses.is_empty() {
        unknown =
            unknown.mended(uses.iter().map(|name| Edit::new(name.span, capitalised(&name.value))));
    }
    others.iter().fold(unknown, |unknown, other| unknown.also(other.span, ""))
}

/// A capitalised name without a binder where one is needed.
pub(crate) fn unbound_variable(name: &str, span: Span, why: WhyRefused) -> Diagnostic {
    let unbound = Diagnostic::error(why.code, format!("`{name}` {}", why.why), span);
    match truth_in_capitals(name) {
        Some(truth) => unbound.hint(format!("write `{truth}`")).instead(truth),
        None => unbound.hint(why.hint),
    }
}

/// A binder of a name that is quantified over the whole line.
pub(crate) fn hides_unbound(name: &str, binder: Span, span: Span) -> Diagnostic {
    let message = format!("this binder hides another `{name}`");
    let label = format!("this `{name}` is quantified over the whole line");
    Diagnostic::error(codes::SHADOWED, message, binder).also(span, label)
}

/// A binder of a name that is a variable already.
pub(crate) fn hides_variable(binder: &Identifier, first: Option<Span>) -> Diagnostic {
    let name = &binder.value;
    let message = format!("this binder hides another `{name}`");
    let hides = Diagnostic::error(codes::SHADOWED, message, binder.span).hint("use another name");
    also(hides, first, format!("`{name}` is already a variable here"))
}

/// A binder of a name that is declared.
pub(crate) fn hides_declared(
    binder: &Identifier,
    what: &str,
    declared: Option<Span>,
) -> Diagnostic {
    let message = format!("this binder hides the {what} `{}`", binder.value);
    let hides = Diagnostic::error(codes::SHADOWED, message, binder.span).hint("use another name");
    also(hides, declared, format!("the {what} is declared here"))
}

fn also(diagnostic: Diagnostic, span: Option<Span>, label: String) -> Diagnostic {
    match span {
        Some(span) => diagnostic.also(span, label),
        None => diagnostic,
    }
}

/// A binder that has the same name twice.
pub(crate) fn repeated_binder(binder: &Identifier, first: Span) -> Diagnostic {
    let message = format!("`{}` is bound twice here; it is one variable", binder.value);
    Diagnostic::warning(codes::REPEATED_BINDER, message, binder.span)
        .also(first, "bound here first")
}

/// A hole outside `rmlcut complete`.
pub(crate) fn sketch(span: Span) -> Diagnostic {
    let message = "this is a sketch: `rmlcut complete` fills its holes";
    Diagnostic::error(codes::SKETCH, message, span)
}

/// A variable whose sort cannot be inferred.
pub(crate) fn no_sort(name: &str, span: Span) -> Diagnostic {
    let message = format!("the sort of `{name}` cannot be inferred");
    let hint = format!("write it where the variable is bound: `{name}: …`");
    Diagnostic::error(codes::NO_SORT, message, span).hint(hint)
}

/// A term where a formula is needed; its sort, if it is known.
pub(crate) fn formula_needed(found: &Expression, sort: Option<Name>) -> Diagnostic {
    let term = sort.map_or("a term".to_owned(), |sort| format!("a term of sort `{sort}`"));
    let message = format!("expected a formula, found {term}");
    let mut error = Diagnostic::error(codes::FORMULA_NEEDED, message, found.span);
    let truth = found.as_name().and_then(|name| truth_in_capitals(name));
    error.hint = truth.map(|truth| format!("write `{truth}`"));
    error.instead_any(truth)
}

/// An equation between formulas.
pub(crate) fn formula_equation(sides: [&Expression; 2], span: Span, negated: bool) -> Diagnostic {
    let (operator, instead) = if negated { ("!=", "~(… <-> …)") } else { ("=", "<->") };
    let message = format!("`{operator}` compares terms, not formulas");
    let refusal = Diagnostic::error(codes::FORMULA_EQUATION, message, span);
    let [left, right] = sides;
    if left.as_name().is_some_and(|name| truth_in_capitals(name).is_some()) {
        return refusal.hint(ALONE);
    }
    if let Some(truth) = right.as_name().and_then(|name| truth_in_capitals(name)) {
        let (opening, closing) = match (truth == "true") == negated {
            true => ("~(", ")"),
            false => ("", ""),
        };
        let behind = Span::new(left.span.end, right.span.end);
        let edits = [Edit::insert(left.span.start, opening), Edit::new(behind, closing)];
        return refusal.hint(ALONE).mended(edits);
    }
    // An arrow binds more loosely than what stood there.
    let edits = [
        Edit::insert(left.span.start, if negated { "~(" } else { "(" }),
        Edit::new(Span::new(left.span.end, right.span.start), " <-> "),
        Edit::insert(right.span.end, ")"),
    ];
    refusal.hint(format!("write `{instead}` between formulas")).mended(edits)
}

/// What to do about a truth value in an equation.
const ALONE: &str = "a formula stands alone: `p` says that it is true, `~p` that it is false";

/// `name` takes `wanted` arguments and was given `found`.
pub(crate) fn wrong_arity(
    name: &str,
    wanted: usize,
    found: usize,
    span: Span,
    declared: Option<Span>,
) -> Diagnostic {
    let counted = |count: usize| match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        count => format!("{count} arguments"),
    };
    let given = match found {
        0 => "none".to_owned(),
        found => found.to_string(),
    };
    let message = format!("`{name}` takes {}, not {given}", counted(wanted));
    let diagnostic = Diagnostic::error(codes::WRONG_ARITY, message, span)
        .labelled(format!("used with {}", counted(found)));
    match declared {
        Some(declared) => {
            diagnostic.also(declared, format!("declared here with {}", counted(wanted)))
        }
        None => diagnostic,
    }
}

pub(super) fn capitalised(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

/// Reports an undeclared sort.
pub(crate) fn unknown_sort(name: &str, span: Span, near: Option<Name>) -> Diagnostic {
    let diagnostic = Diagnostic::error(codes::UNKNOWN_SORT, format!("unknown sort `{name}`"), span);
    match (name.to_ascii_lowercase().as_str(), near) {
        ("bool", _) => diagnostic.hint(
            "only values may have the sort `bool`: for arguments declare \
             `sort truth = { no, yes }`",
        ),
        ("boolean", _) => diagnostic.hint("the sort of truth values is `bool`").instead("bool"),
        ("nat" | "natural" | "integer", _) => {
            diagnostic.hint("use the sort `int`, which includes negative numbers").instead("int")
        }
        (_, Some(near)) => {
            diagnostic.hint(format!("did you mean `{near}`?")).instead(near.to_string())
        }
        (_, None) => diagnostic,
    }
}

/// Whether an expression cannot be a term, whatever its names mean.
fn is_formula(expression: &Expression) -> bool {
    match &*expression.kind {
        ExpressionKind::Truth(_)
        | ExpressionKind::Equal { .. }
        | ExpressionKind::Compare { .. }
        | ExpressionKind::Not(_)
        | ExpressionKind::And(_)
        | ExpressionKind::Or(_)
        | ExpressionKind::Connective(..)
        | ExpressionKind::Quantified(..) => true,
        ExpressionKind::Integer(_)
        | ExpressionKind::Name(_)
        | ExpressionKind::Apply(..)
        | ExpressionKind::Arithmetic(..)
        | ExpressionKind::Negative(_)
        | ExpressionKind::If { .. }
        | ExpressionKind::At(..)
        | ExpressionKind::Hole(_) => false,
    }
}
