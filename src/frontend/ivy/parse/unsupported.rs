//! Unsupported constructs of Ivy: what each would mean, and a workaround.

use crate::diagnostic::{Code, Diagnostic};
use crate::frontend::syntax::surface::Identifier;
use crate::source::Span;

/// A syntax error.
pub(crate) const SYNTAX: Code = Code("IVY0001");
/// An unsupported construct.
pub(crate) const UNSUPPORTED: Code = Code("IVY0101");
/// An ignored construct (a note).
pub(crate) const IGNORED: Code = Code("IVY0102");
/// A wrong module, instance or name.
pub(crate) const MODULES: Code = Code("IVY0103");
/// A wrong action or call.
pub(crate) const CALLS: Code = Code("IVY0104");
/// A wrong definition.
pub(crate) const DEFINITIONS: Code = Code("IVY0105");
/// Initial assignments that cannot be expressed as a formula.
pub(crate) const INITIAL: Code = Code("IVY0106");
/// An assertion that becomes a property (a note).
pub(crate) const ASSERTION: Code = Code("IVY0107");

/// The refusal of a symbol that Ivy takes for something of its own.
///
/// In the formula of a step, Ivy marks the values before and after by the prefixes `old_` and
/// `new_`, and takes a name with `__` for a fresh value at every statement.
pub(crate) fn reserved_by_ivy(
    name: &Identifier,
    is_symbol: &dyn Fn(&str) -> bool,
) -> Option<Diagnostic> {
    let message = if name.value.contains("__") {
        format!("Ivy treats `{}` as a fresh value in each statement", name.value)
    } else if let Some(rest) = name.value.strip_prefix("old_") {
        format!("Ivy treats `{}` as `{rest}` before the step", name.value)
    } else {
        let rest = name.value.strip_prefix("new_").filter(|rest| is_symbol(rest))?;
        format!("Ivy treats `{}` as `{rest}` after the step", name.value)
    };
    let hint = "use a name without `__` that does not start with `old_` or `new_`";
    Some(Diagnostic::error(MODULES, message, name.span).hint(hint))
}

/// The refusal of a local name that Ivy takes for something of its own.
pub(crate) fn reserved_local(name: &Identifier) -> Option<Diagnostic> {
    if name.value.contains("__") { reserved_by_ivy(name, &|_| false) } else { None }
}

/// Each word with what it would mean and what to do.
const WORDS: &[(&str, &str, &str)] = &[
    ("alias", "another name for something declared elsewhere", "use the name itself"),
    ("around", "code put around another action", "write it into the action"),
    ("before", "code put before another action", "write it into the action"),
    ("concept", "a view for Ivy's user interface", "leave it out"),
    ("constructor", "a function that builds values of a type", "declare a function and axioms"),
    ("delegate", "who checks which assertion", "leave it out"),
    ("destructor", "a field of a structured type", "declare a function of the type instead"),
    ("execute", "code put before or after another action", "write it into the action"),
    ("extract", "what becomes part of a compiled program", "leave it out"),
    ("field", "a field of a structured type", "declare a function of the type instead"),
    ("implement", "the body of an action declared elsewhere", "write the body at the action"),
    ("import", "an action of the environment", "write what it may do as an exported action"),
    ("include", "another file", "copy the declarations that are needed into this one"),
    (
        "interpret",
        "a type interpreted as numbers or bit vectors",
        "only `interpret t -> int` is supported; declare an order with its axioms instead",
    ),
    ("macro", "code to be copied where it is named", "write an action and call it"),
    ("method", "an action of an object", "write `action` with the object as a parameter"),
    ("mixin", "code put before or after another action", "write it into the action"),
    ("mixord", "the order of code put around an action", "write the code into the action"),
    ("process", "what becomes part of a compiled program", "leave it out"),
    ("progress", "that something happens in the end", "only safety is proved here; leave it out"),
    ("proof", "a hand-written proof", "leave it out"),
    ("rely", "an assumption about progress", "only safety is proved here; leave it out"),
    ("scenario", "a way in which actions may follow each other", "write it as a relation"),
    ("schema", "an axiom for all predicates", "write the instances that are needed as axioms"),
    ("subclass", "a type with more fields", "declare types and functions instead"),
    ("temporal", "a property of whole runs", "only invariants are proved here; leave it out"),
    ("theorem", "a fact to be proved by hand", "leave it out"),
    ("update", "how a derived relation changes", "define the relation by a formula"),
    ("using", "another file", "copy the declarations that are needed into this one"),
    ("variant", "a type that is part of another", "declare a relation that tells them apart"),
    ("<<<", "code of another language", "leave it out"),
    ("while", "a loop", "assign to a relation everywhere at once, or split the action into steps"),
    ("for", "a loop", "assign to a relation everywhere at once, or split the action into steps"),
    ("let", "names for values", "write `var x : t := …`"),
    ("thunk", "an action as a value", "write an action and call it"),
    ("debug", "output for debugging", "leave it out"),
    ("instantiate", "code of a macro", "write the statements out, or an action and a call"),
    ("old", "the value at the start of the action", "keep it: `var x : t := …` at the start"),
    ("some", "an arbitrary value with a property", "only `if some x:t. F { … }` is supported"),
    ("minimizing", "the least value with a property", "say in `F` that no other is less"),
    ("maximizing", "the greatest value with a property", "say in `F` that no other is greater"),
    ("struct", "a type with fields", "declare the type and a function for each field"),
    ("mixin after", "code put after another action", "write it into the action"),
    (
        "infix",
        "a relation written between its arguments",
        "give it a name and write it before them: `relation lt(X:t, Y:t)`",
    ),
    ("*>", "that a value is of a variant type", "declare a relation that tells them apart"),
    ("*", "a product", "only sums and differences of integers are supported"),
    ("/", "a quotient", "only sums and differences of integers are supported"),
];

/// The refusal of a construct, by its word.
pub(crate) fn unsupported(word: &str, span: Span) -> Diagnostic {
    let shown = match word {
        "mixin after" => "after",
        "infix" => "relation (… < …)",
        word => word,
    };
    let message = format!("`{shown}` is not supported");
    let diagnostic = Diagnostic::error(UNSUPPORTED, message, span);
    match WORDS.iter().find(|(known, _, _)| *known == word) {
        Some((_, meaning, advice)) => {
            diagnostic.labelled(format!("{meaning}, in Ivy")).hint(*advice)
        }
        None => diagnostic,
    }
}

/// The refusal of numerals where no type stands for the integers.
pub(crate) fn numeral(span: Span) -> Diagnostic {
    let message = "numerals are supported only for types interpreted as integers";
    Diagnostic::error(UNSUPPORTED, message, span)
        .labelled("a constant of its type, in Ivy")
        .hint("declare a constant, `individual zero : t`, or write `interpret t -> int`")
}

/// A note that something is left out.
pub(crate) fn ignored(message: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::note(IGNORED, message, span)
}
