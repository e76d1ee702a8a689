//! The words of each language that cannot be names.

/// Of Ivy, in any version.
#[rustfmt::skip]
pub(super) const IVY: &[&str] = &[
    "relation", "individual", "function", "axiom", "conjecture", "schema", "instantiate",
    "instance", "derived", "concept", "init", "action", "method", "field", "state", "assume",
    "assert", "set", "null", "old", "from", "update", "params", "in", "match", "ensures",
    "requires", "modifies", "true", "false", "fresh", "module", "template", "object", "class",
    "type", "if", "else", "local", "let", "call", "entry", "macro", "interpret", "forall",
    "exists", "returns", "mixin", "execute", "before", "after", "isolate", "with", "export",
    "delegate", "import", "using", "include", "progress", "rely", "mixord", "extract", "process",
    "destructor", "some", "maximizing", "minimizing", "private", "implement", "property", "while",
    "invariant", "struct", "definition", "ghost", "alias", "trusted", "this", "var", "attribute",
    "variant", "of", "scenario", "proof", "named", "temporal", "globally", "eventually",
    "decreases", "specification", "implementation", "global", "common", "ensure", "require",
    "around", "parameter", "apply", "theorem", "showgoals", "defergoal", "spoil", "explicit",
    "thunk", "isa", "autoinstance", "constructor", "finite", "tactic", "unfold", "forget", "debug",
    "for", "subclass", "unprovable", "trigger", "bool", "integer",
];

/// Of mypyvy.
#[rustfmt::skip]
pub(super) const MYPYVY: &[&str] = &[
    "modifies", "sort", "mutable", "immutable", "derived", "relation", "constant", "function",
    "init", "transition", "invariant", "sketch", "axiom", "new", "old", "forall", "exists", "true",
    "false", "zerostate", "onestate", "twostate", "theorem", "definition", "assume", "assert",
    "automaton", "global", "safety", "phase", "self", "any", "trace", "if", "then", "else", "let",
    "in", "sat", "unsat", "distinct", "int", "bool",
];

/// Of TLA+ and of the modules that an export extends, and what the export itself defines.
#[rustfmt::skip]
pub(super) const TLA: &[&str] = &[
    "ACTION", "ASSUME", "ASSUMPTION", "AXIOM", "BY", "CASE", "CHOOSE", "CONSTANT", "CONSTANTS",
    "COROLLARY", "DEF", "DEFINE", "DEFS", "DOMAIN", "ELSE", "ENABLED", "EXCEPT", "EXTENDS", "HAVE",
    "HIDE", "IF", "IN", "INSTANCE", "LAMBDA", "LEMMA", "LET", "LOCAL", "MODULE", "NEW", "OBVIOUS",
    "OMITTED", "ONLY", "OTHER", "PICK", "PROOF", "PROPOSITION", "PROVE", "QED", "RECURSIVE",
    "STATE", "SUBSET", "SUFFICES", "TAKE", "TEMPORAL", "THEN", "THEOREM", "UNCHANGED", "UNION",
    "USE", "VARIABLE", "VARIABLES", "WITH", "WITNESS", "TRUE", "FALSE", "BOOLEAN", "STRING", "Int",
    "Nat", "Init", "Next", "Spec", "vars", "Integers", "TLC", "Permutations", "Symmetry", "InRange", "Assert",
    "Print", "PrintT", "JavaTime", "Any", "ToString", "int", "SF_", "WF_",
];
