//! Words and operators of TLA+, Ivy and similar languages, and what to write instead.

/// Words that begin declarations or statements elsewhere, with ours.
pub(crate) const WORDS: &[(&str, &str)] = &[
    ("individual", "write `constant` if it never changes, `variable` if it does"),
    ("const", "write `constant`"),
    ("invariant", "write `safety` for a property to prove, `lemma` for one that may help"),
    ("conjecture", "write `safety` for a property to prove, `lemma` for one that may help"),
    ("property", "write `safety`"),
    ("theorem", "write `safety`"),
    ("assume", "write `require`"),
    ("requires", "write `require`"),
    ("assert", "write `require` for a guard, `safety` for a property of all states"),
    ("ensure", "write `require` for a guard, `safety` for a property of all states"),
    ("ensures", "write `require` for a guard, `safety` for a property of all states"),
    ("after", "write `init` lines: formulas about the first state"),
    ("export", "every action may happen at any time; leave this line out"),
    ("import", "every action may happen at any time; leave this line out"),
    ("definition", "a formula gets a name by `define name(x) := formula`"),
    ("derived", "a formula gets a name by `define name(x) := formula`"),
    ("let", "a formula gets a name by `define name(x) := formula`"),
    ("local", "a local choice is a parameter of the action"),
    ("call", "actions do not call each other; write the statements out"),
    ("return", "actions have no results: assign the value to a symbol"),
    ("while", "there are no loops; an assignment to `r(X)` changes `r` everywhere"),
    ("for", "there are no loops; an assignment to `r(X)` changes `r` everywhere"),
    ("transition", "write `action`"),
    ("module", MODULES),
    ("object", MODULES),
    ("isolate", MODULES),
    ("instance", MODULES),
    ("instantiate", MODULES),
    ("include", MODULES),
    ("interpret", "a sort has no interpretation; the integers are the sort `int`"),
    (
        "CONSTANT",
        "write `constant c: node`, `rigid relation r(node)` or `rigid function f(node): node`",
    ),
    (
        "CONSTANTS",
        "write `constant c: node`, `rigid relation r(node)` or `rigid function f(node): node`",
    ),
    ("VARIABLE", "write `variable x: node`, `relation r(node)` or `function f(node): node`"),
    ("VARIABLES", "write `variable x: node`, `relation r(node)` or `function f(node): node`"),
    ("ASSUME", "write `axiom`"),
    ("INVARIANT", "write `safety`"),
    ("EXTENDS", "`int`, `+` and `-` are built in; leave this line out"),
    ("UNCHANGED", "symbols that are not assigned keep their values; leave this line out"),
];

const MODULES: &str = "there are no modules; write the declarations out. A file in Ivy or mypyvy \
                       is read as it is if its name ends in `.ivy` or `.pyv`";

/// Operators whose first part is ours and has been read when we notice, with ours.
pub(crate) const DOUBLED: &[(&str, &str, &str)] = &[
    ("&", "&", "write `&`"),
    ("|", "|", "write `|`"),
    ("=", "=", "write `=`"),
    ("<=", ">", "write `<->`"),
    ("<", ">", "write `!=`"),
    ("=", "<", "write `<=`"),
    ("-", "->", "write `->`"),
    ("=", "=>", "write `->`"),
];

/// Operators of other languages that RML does not have, with hints. Words among them may be
/// names in our texts, so they are only looked up where something else was expected.
const OPERATORS: &[(&str, &str)] = &[
    ("/\\", AND),
    ("\\land", AND),
    ("and", AND),
    ("\\/", OR),
    ("\\lor", OR),
    ("or", OR),
    ("\\lnot", NOT),
    ("\\neg", NOT),
    ("not", NOT),
    ("implies", "write `->`"),
    ("iff", "write `<->`"),
    ("\\equiv", "write `<->`"),
    ("/=", "write `!=`"),
    ("\\A", "write `forall X, Y. F`, with a dot after the variables"),
    ("\\E", "write `exists X, Y. F`, with a dot after the variables"),
    ("\\in", MEMBER),
    ("in", MEMBER),
    ("\\notin", NO_MEMBER),
    ("notin", NO_MEMBER),
    ("\\leq", "write `<=`"),
    ("\\geq", "write `>=`"),
];

const AND: &str = "write `&`";
const OR: &str = "write `|`";
const NOT: &str = "write `~`";
const MEMBER: &str = "a set is a relation: write `r(x)`";
const NO_MEMBER: &str = "a set is a relation: write `~r(x)`";

/// What to write instead of an operator of another language.
pub(crate) fn operator(text: &str) -> Option<&'static str> {
    OPERATORS.iter().find(|(foreign, _)| *foreign == text).map(|(_, hint)| *hint)
}

/// The message about what should begin a comment, and its cure.
pub(crate) fn comment_advice(opening: &str) -> (String, &'static str) {
    let hint = "a comment begins with `#` and ends with the line";
    (format!("`{opening}` does not begin a comment"), hint)
}
