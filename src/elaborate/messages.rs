//! Messages about declarations, statements and actions.

use crate::diagnostic::{Code, Diagnostic, Edit, Label};
use crate::frontend::syntax::surface::{
    ActionItem, Binder, Identifier, StructureItem, StructureWord,
};
use crate::logic::Name;
use crate::protocol::{Action, NamedDefinition, Rigidity, Signature, Symbol};
use crate::source::Span;

use super::codes;
use super::expression::WhyRefused;
use super::resolve::NameRefusal;
use super::scope::Usage;
use super::sorts::mismatch::with_article;

/// The refusal of a variable in the condition of an `if`.
pub(super) const UNBOUND_IN_CONDITION: WhyRefused = WhyRefused {
    code: codes::UNBOUND_VARIABLE,
    why: "is not bound: the condition of an `if` is not closed by itself",
    hint: "bind it with `forall` or `exists`",
};

/// The refusal of a variable in a definition.
pub(super) const UNBOUND_IN_DEFINITION: WhyRefused = WhyRefused {
    code: codes::UNBOUND_VARIABLE,
    why: "is neither bound nor a parameter of the definition",
    hint: "make it a parameter, or bind it with `forall` or `exists`",
};

/// The refusal of a variable inside an argument on the left of an assignment.
pub(super) const BURIED_PATTERN: WhyRefused = WhyRefused {
    code: codes::BURIED_PATTERN,
    why: "is inside a larger argument: a pattern variable must be a whole argument",
    hint: "assign everywhere, with a condition in the value: `r(X) := … if … else r(X)`",
};

/// The refusal of a variable on the right of an assignment.
pub(super) const NOT_ON_THE_LEFT: WhyRefused = WhyRefused {
    code: codes::UNBOUND_VARIABLE,
    why: "does not occur on the left",
    hint: "use a variable of the left side, or bind it with `forall` or `exists`",
};

/// An action whose meaning is too large to be written down.
pub(super) fn too_heavy(action: &Action) -> Diagnostic {
    let message = format!("the transition formula of `{}` would be too large", action.name);
    Diagnostic::error(codes::TOO_HEAVY, message, action.span)
        .labelled("its statements read and change the same symbols repeatedly")
        .hint("split it into several actions")
}

/// A symbol that one statement assigns twice at once.
pub(super) fn assigned_twice(name: &str, span: Span, first: Span) -> Diagnostic {
    let message = format!("`{name}` is assigned twice in one statement");
    Diagnostic::error(codes::ASSIGNED_TWICE, message, span)
        .also(first, "assigned here first")
        .hint(format!("write `{name}(X) := … if … else …` with both cases in one value"))
}

/// A free choice in a statement that assigns several symbols.
pub(super) fn picked_together(name: &str, span: Span) -> Diagnostic {
    let message = "`*` cannot be one of several values that are assigned at once";
    Diagnostic::error(codes::PICKED_TOGETHER, message, span)
        .hint(format!("pick the value of `{name}` in a statement of its own"))
}

/// One warning for all parameters that are not used.
pub(super) fn unused_params(item: &ActionItem, usage: &Usage) -> Option<Diagnostic> {
    let used = usage.params.borrow();
    let mut unused =
        item.params.iter().map(|param| &param.name).filter(|name| !used.contains(&name.value));
    let first = unused.next()?;
    let others: Vec<&Identifier> = unused.collect();
    let message = if others.is_empty() {
        format!("the parameter `{}` is not used", first.value)
    } else {
        let names = [first].into_iter().chain(others.iter().copied());
        let names: Vec<String> = names.map(|name| format!("`{}`", name.value)).collect();
        format!("the parameters {} are not used", names.join(", "))
    };
    let warning = Diagnostic::warning(codes::UNUSED_PARAMETER, message, first.span)
        .hint("leave it out: the action is the same without it")
        .mended(left_out(item, first));
    Some(others.into_iter().fold(warning, |warning, name| warning.also(name.span, "")))
}

/// Takes a parameter out of a list, with its comma.
fn left_out(item: &ActionItem, name: &Identifier) -> Option<Edit> {
    let mut spans = Vec::new();
    let mut end = item.name.span.end;
    for Binder { name, sort } in &item.params {
        let sort = sort.as_ref().map_or(name.span, |sort| sort.span);
        // Parameters that a machine has without a list stand somewhere else.
        if name.span.start < end || sort.start < name.span.start {
            return None;
        }
        end = sort.end;
        spans.push(name.span.to(sort));
    }
    let place = item.params.iter().position(|param| param.name == *name)?;
    let own = *spans.get(place)?;
    let before = place.checked_sub(1).and_then(|before| spans.get(before));
    let span = match (before, spans.get(place + 1)) {
        (Some(before), _) => Span::new(before.end, own.end),
        (None, Some(next)) => Span::new(own.start, next.start),
        (None, None) => own,
    };
    Some(Edit::new(span, ""))
}

/// Something given twice, the first time at `first`.
pub(super) fn given_twice(code: Code, message: String, span: Span, first: Span) -> Diagnostic {
    let first_label = match code {
        codes::LABEL_TWICE => "given here first",
        _ => "declared here first",
    };
    Diagnostic::error(code, message, span).also(first, first_label)
}

/// A parameter that is called like a symbol.
pub(super) fn parameter_hides_symbol(param: &Identifier, declared: Span) -> Diagnostic {
    let message = format!("this parameter hides the symbol `{}`", param.value);
    Diagnostic::error(codes::SHADOWED, message, param.span)
        .also(declared, "the symbol is declared here")
}

/// A parameter without a sort.
pub(super) fn parameter_without_sort(param: &Binder) -> Diagnostic {
    let name = &param.name.value;
    let message = format!("the parameter `{name}` has no sort");
    Diagnostic::error(codes::PARAMETER_WITHOUT_SORT, message, param.name.span)
        .hint(format!("write `{name}: sort`"))
}

/// What cannot be assigned, and where it is declared.
pub(super) fn not_assignable(what: &str, span: Span, declared: Option<Span>) -> Diagnostic {
    let message = format!("{what} cannot be assigned");
    let refusal = Diagnostic::error(codes::NOT_ASSIGNABLE, message, span);
    match declared {
        Some(declared) => refusal.also(declared, "declared here"),
        None => refusal,
    }
}

/// An assignment to a symbol that never changes.
pub(super) fn rigid_written(symbol: &Symbol, span: Span) -> Diagnostic {
    let message = format!("`{}` is rigid: it cannot be assigned", symbol.name);
    Diagnostic::error(codes::RIGID_WRITTEN, message, span).also(symbol.span, "declared here")
}

/// An assignment to a sort or an action.
pub(super) fn no_symbol(name: &str, span: Span, declared: Span) -> Diagnostic {
    not_assignable(&format!("`{name}` is not a symbol: it"), span, Some(declared))
        .hint("only relations, functions and variables are assigned")
}

/// A repeated pattern variable at an argument of another sort: the sorts here and there.
pub(super) fn pattern_mismatch(
    (name, span): (&Name, Span),
    (symbol, position): (&Symbol, usize),
    first: Span,
    [here, there]: [&str; 2],
) -> Diagnostic {
    let (here, there) = (with_article(here), with_article(there));
    let message = format!("argument {position} of `{}` is {here}, not {there}", symbol.name);
    Diagnostic::error(codes::SORT_MISMATCH, message, span)
        .also(first, format!("`{name}` is {there} because of this"))
        .also(symbol.span, "declared here")
}

/// A symbol that can change, in an axiom.
pub(super) fn mutable_in_axiom(symbol: &Symbol) -> NameRefusal {
    let name = &symbol.name;
    let is_constant = symbol.params.is_empty() && symbol.result.is_some();
    let word = if is_constant { "constant" } else { "rigid" };
    let label = "declared here without `rigid`".to_owned();
    NameRefusal {
        code: codes::MUTABLE_IN_AXIOM,
        message: format!("`{name}` is mutable: axioms may only mention rigid symbols"),
        related: Some(Label { span: symbol.span, message: label }),
        hint: Some(format!(
            "declare `{name}` as `{word}`, or state this in `init`, `safety` or `lemma`"
        )),
        instead: Vec::new(),
    }
}

/// A definition that reads something that can change, in an axiom.
pub(super) fn mutable_definition_in_axiom(
    signature: &Signature,
    definition: &NamedDefinition,
) -> NameRefusal {
    let changing = definition.body.symbols().into_iter().map(|symbol| signature.symbol(symbol));
    let changing = changing.filter(|symbol| symbol.rigidity == Rigidity::Mutable);
    let names: Vec<String> = changing.map(|symbol| format!("`{}`", symbol.name)).collect();
    let (name, names) = (&definition.name, names.join(", "));
    NameRefusal {
        code: codes::MUTABLE_IN_AXIOM,
        message: format!("`{name}` reads {names}: axioms may only mention rigid symbols"),
        related: Some(Label { span: definition.span, message: "defined here".to_owned() }),
        hint: Some("state this in `init`, `safety` or `lemma`".to_owned()),
        instead: Vec::new(),
    }
}

/// An assignment to a definition.
pub(super) fn definition_written(name: &str, span: Span, declared: Span) -> Diagnostic {
    not_assignable(&format!("`{name}` is a definition: it"), span, Some(declared))
        .hint("assign the symbols that it reads; its value follows from theirs")
}

/// Definitions that use each other in a circle, beginning and ending with the same one.
pub(super) fn circular_definition(circle: &[&Identifier]) -> Diagnostic {
    let name = &circle[0].value;
    let way: Vec<String> = circle.iter().map(|name| format!("`{}`", name.value)).collect();
    let message = match circle.len() {
        2 => format!("`{name}` is defined by itself"),
        _ => format!("`{name}` is defined by itself: {}", way.join(", ")),
    };
    Diagnostic::error(codes::CIRCULAR_DEFINITION, message, circle[0].span)
        .hint("a definition is expanded where it is used; record what happened in a relation")
}

/// A second structure on one sort; the first was declared by this word.
pub(super) fn structure_twice(word: StructureWord, sort: &Identifier, first: Span) -> Diagnostic {
    let message = format!("`{}` already has a structure declared by `{}`", sort.value, word.text());
    Diagnostic::error(codes::STRUCTURE_TWICE, message, sort.span)
        .also(first, "the first one")
        .hint("a sort has one structure: use the first, or declare a rigid relation with axioms")
}

/// A successor on a sort without an order.
pub(super) fn no_order(line: &StructureItem) -> Diagnostic {
    let sort = &line.on.value;
    let message = format!("`{sort}` has no order: nothing comes after anything");
    Diagnostic::error(codes::NO_ORDER, message, line.on.span)
        .hint(format!("declare one as well: `order le on {sort}`"))
}

/// A structure on the integers.
pub(super) fn structure_on_integers(line: &StructureItem) -> Diagnostic {
    let message = format!("`{}` needs a declared sort, not `int`", line.word.text());
    Diagnostic::error(codes::STRUCTURE_TWICE, message, line.on.span)
        .hint("integers have an order of their own: `<=`, and a successor: `x + 1`")
}

/// Sets whose members are of their own sort.
pub(super) fn own_quorum(sets: &Identifier) -> Diagnostic {
    let message = format!("`{}` cannot be its own quorum", sets.value);
    Diagnostic::error(codes::STRUCTURE_TWICE, message, sets.span)
        .hint("`quorums quorum of node` declares the sort `quorum`")
}

/// Not as many names of memberships as families.
pub(super) fn wrong_memberships(line: &StructureItem) -> Diagnostic {
    let (wanted, found) = (line.sorts.len(), line.names.len());
    let message = format!("each family of quorums has one membership: {wanted}, not {found}");
    let span = line.names.last().map_or(line.on.span, |name| name.span);
    Diagnostic::error(codes::WRONG_ARITY, message, span)
        .hint("`quorums reading, writing of node by reads, writes`")
}

/// How a line of quorums names what it would call `member`.
pub(super) fn named_membership(line: &StructureItem) -> String {
    let sorts = line.sorts.iter().map(|sort| &*sort.value).collect::<Vec<_>>().join(", ");
    let names = line.sorts.iter().map(|sort| format!("in_{}", sort.value)).collect::<Vec<_>>();
    let (on, names) = (&line.on.value, names.join(", "));
    format!("name the membership: `quorums {sorts} of {on} by {names}`")
}

/// What to write instead of a definition of a term.
pub(super) fn defined_term(name: &Identifier) -> String {
    let name = &name.value;
    format!(
        "definitions name formulas, not terms: define what holds of the term, as in \
         `define is_{name}(x) := x = …`, or write the term where it is used"
    )
}

/// A definition that is too large to be expanded.
pub(super) fn heavy_definition(name: &Identifier) -> Diagnostic {
    let message = format!("`{}` would be too large when it is expanded", name.value);
    Diagnostic::error(codes::TOO_HEAVY, message, name.span)
        .hint("use fewer definitions inside each other")
}

/// A sort in place of a term or a formula.
pub(super) fn is_a_sort(name: &str, declared: Span) -> NameRefusal {
    no_expression(name, "a sort", declared, None)
}

/// An action in place of a term or a formula.
pub(super) fn is_an_action(name: &str, declared: Span) -> NameRefusal {
    let hint = "actions do not call each other, and formulas are about states";
    no_expression(name, "an action", declared, Some(hint.to_owned()))
}

fn no_expression(name: &str, what: &str, span: Span, hint: Option<String>) -> NameRefusal {
    NameRefusal {
        code: codes::UNKNOWN_NAME,
        message: format!("`{name}` is {what}, not a term or a formula"),
        related: Some(Label { span, message: "declared here".to_owned() }),
        hint,
        instead: Vec::new(),
    }
}

/// An enumeration without elements.
pub(super) fn no_elements(name: &Identifier) -> Diagnostic {
    let message = format!("`{}` needs at least one element", name.value);
    let hint = format!("write `sort {}` for a sort of unspecified size", name.value);
    Diagnostic::error(codes::ELEMENTS, message, name.span).hint(hint)
}

/// An element whose name something has that was declared before.
pub(super) fn element_named_twice(element: &Identifier, first: Span) -> Diagnostic {
    let message = format!("`{}` is declared twice", element.value);
    given_twice(codes::DECLARED_TWICE, message, element.span, first).hint(ONE_SPACE)
}

/// Why an element and something else cannot have one name.
pub(super) const ONE_SPACE: &str =
    "elements share one space of names with sorts, symbols and actions";

/// An enumeration with more elements than can be handled.
pub(super) fn too_many_elements(name: &Identifier, count: usize, limit: usize) -> Diagnostic {
    let message = format!("`{}` has {count} elements; {limit} is the limit", name.value);
    let hint = format!("write `sort {}` for a sort of unspecified size", name.value);
    Diagnostic::error(codes::ELEMENTS, message, name.span).hint(hint)
}

/// A declared name that looks like a variable.
pub(super) fn capitalised_name(name: &Identifier, what: &str, within: Option<Span>) -> Diagnostic {
    let message = format!("`{}` starts with a capital: only variables may", name.value);
    let small = lowered(&name.value);
    Diagnostic::error(codes::CAPITALISED_NAME, message, name.span)
        .hint(format!("{what} must start in lower case: `{small}`"))
        .renamed(small, within)
}

fn lowered(name: &str) -> String {
    let mut chars = name.chars();
    chars.next().into_iter().flat_map(char::to_lowercase).chain(chars).collect()
}
