//! `define` lines: formulas with names, expanded where they are used. Each may use others, in
//! whatever order they are written, but never itself.

use std::collections::BTreeMap;

use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::syntax::surface::{
    DefinitionItem, Expression, ExpressionKind, Identifier, Item, Module,
};
use crate::logic::{Name, Node, Vocabulary};
use crate::protocol::NamedDefinition;
use crate::source::Span;

use super::declarations::{DeclaredMeaning, DeclaredNames};
use super::expression::{Context, Unbound};
use super::messages::{
    UNBOUND_IN_DEFINITION, circular_definition, defined_term, given_twice, heavy_definition,
};
use super::scope::{NameReading, ProtocolScope, Usage};
use super::{codes, expression};

/// The most parts that definitions may have in one expression, written out.
pub(super) const LARGEST: usize = 50_000;

/// The deepest nesting of a definition, written out.
const DEEPEST: usize = 400;

/// Elaborates every definition, those that others use first.
pub(super) fn define(
    module: &Module,
    declarations: &mut DeclaredNames,
    usage: &Usage,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut lines: Vec<Line<'_>> = Vec::new();
    for item in &module.items {
        let Item::Define(definition) = &item.value else { continue };
        // The first declaration of a name counts; others were reported.
        let name = &definition.name;
        if declarations.names.get(&name.value).is_some_and(|own| own.span == name.span) {
            lines.push(Line { item: definition, span: item.span, uses: Vec::new() });
        }
    }
    let positions: BTreeMap<&Name, usize> =
        lines.iter().enumerate().map(|(at, line)| (&line.item.name.value, at)).collect();
    let uses: Vec<Vec<usize>> =
        lines.iter().map(|line| uses(&line.item.value, &positions)).collect();
    for (line, uses) in lines.iter_mut().zip(uses) {
        line.uses = uses;
    }
    for at in in_order(&lines, diagnostics) {
        let Line { item, span, .. } = &lines[at];
        let Some(definition) = elaborate(item, *span, declarations, usage, diagnostics) else {
            continue;
        };
        let position = declarations.signature.add_definition(definition);
        if let Some(declared) = declarations.names.get_mut(&item.name.value) {
            declared.meaning = DeclaredMeaning::Definition(position);
        }
    }
}

/// A definition and the positions of those that it uses.
struct Line<'a> {
    item: &'a DefinitionItem,
    span: Span,
    uses: Vec<usize>,
}

/// The definitions whose names occur in an expression.
fn uses(expression: &Expression, positions: &BTreeMap<&Name, usize>) -> Vec<usize> {
    let own = match &*expression.kind {
        ExpressionKind::Name(name) => positions.get(name),
        ExpressionKind::Apply(name, _) => positions.get(&name.value),
        _ => None,
    };
    let inner = expression.children().into_iter().flat_map(|child| uses(child, positions));
    own.copied().into_iter().chain(inner).collect()
}

/// How far a definition has been visited.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visited {
    No,
    Begun,
    Done,
}

/// Every definition after those that it uses; circles are reported once and left out.
fn in_order(lines: &[Line<'_>], diagnostics: &mut Vec<Diagnostic>) -> Vec<usize> {
    let mut visited = vec![Visited::No; lines.len()];
    let mut order = Vec::new();
    for start in 0..lines.len() {
        if visited[start] != Visited::No {
            continue;
        }
        visited[start] = Visited::Begun;
        // The way from `start`, and how many uses of each were followed.
        let mut way = vec![(start, 0)];
        while let Some((at, followed)) = way.last_mut() {
            let (at, next) = (*at, lines[*at].uses.get(*followed).copied());
            *followed += 1;
            match next.map(|next| (next, visited[next])) {
                None => {
                    visited[at] = Visited::Done;
                    order.push(at);
                    way.pop();
                }
                Some((next, Visited::No)) => {
                    visited[next] = Visited::Begun;
                    way.push((next, 0));
                }
                Some((next, Visited::Begun)) => {
                    let circle = way.iter().skip_while(|(on_way, _)| *on_way != next);
                    let circle = circle.map(|(on_way, _)| *on_way).chain([next]);
                    let circle: Vec<&Identifier> =
                        circle.map(|on_way| &lines[on_way].item.name).collect();
                    refuse(diagnostics, circular_definition(&circle));
                }
                Some((_, Visited::Done)) => {}
            }
        }
    }
    order
}

fn elaborate(
    item: &DefinitionItem,
    span: Span,
    declarations: &DeclaredNames,
    usage: &Usage,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<NamedDefinition> {
    for (at, param) in item.params.iter().enumerate() {
        let Identifier { value: name, span } = &param.name;
        if let Some(first) = item.params[..at].iter().find(|first| first.name.value == *name) {
            let message = format!("the parameter `{name}` is declared twice");
            let twice = given_twice(codes::DECLARED_TWICE, message, *span, first.name.span);
            refuse(diagnostics, twice);
            return None;
        }
    }
    let params = BTreeMap::new();
    let reading = NameReading::Everything;
    let resolver = ProtocolScope { declarations, params: &params, usage, reading };
    let unbound = Unbound::Refused(UNBOUND_IN_DEFINITION);
    let context = Context { resolver: &resolver, variables: &[], unbound };
    let before = diagnostics.len();
    let defined = expression::definition(&context, &item.params, &item.value, diagnostics);
    let Some((params, body)) = defined else {
        let of_term = |message: &&mut Diagnostic| {
            message.code == codes::FORMULA_NEEDED && message.primary.span == item.value.span
        };
        let terms = diagnostics[before..].iter_mut().filter(of_term);
        terms.for_each(|message| message.hint = Some(defined_term(&item.name)));
        return None;
    };
    let Extent { size, depth } = Extent::of(Node::Formula(&body));
    if size > LARGEST || depth > DEEPEST {
        refuse(diagnostics, heavy_definition(&item.name));
        return None;
    }
    Some(NamedDefinition { name: item.name.value.clone(), params, body, span })
}

/// How large a formula is.
pub(super) struct Extent {
    /// How many parts it has.
    pub(super) size: usize,
    /// How deeply they are nested.
    depth: usize,
}

impl Extent {
    /// Counts the parts of a formula or a term.
    pub(super) fn of<V: Vocabulary>(node: Node<'_, V>) -> Self {
        let parts = node.children().into_iter().map(Extent::of);
        parts.fold(Extent { size: 1, depth: 1 }, |all, part| Extent {
            size: all.size + part.size,
            depth: all.depth.max(part.depth + 1),
        })
    }
}
