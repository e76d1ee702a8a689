//! Random surface trees: everything that a protocol file can say, whether it makes sense or not.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use rmlcut::frontend::syntax::surface::{
    ActionItem, Arithmetic, AssignStatement, Binder, Connective, DefinitionItem, EnumerationItem,
    Expression, ExpressionKind, Identifier, Item, LabelledFormula, LeftArgument, Module,
    RightValue, RunForm, RunItem, RunPart, Statement, StatementKind, StructureItem, StructureWord,
    SymbolItem,
};
use rmlcut::logic::{Comparison, Quantifier};
use rmlcut::source::{Span, Spanned};

/// A protocol file.
pub(crate) fn module() -> impl Strategy<Value = Module> {
    vec(item(), 0..6).prop_map(|items| Module { items: items.into_iter().map(nowhere).collect() })
}

fn nowhere<T>(value: T) -> Spanned<T> {
    Spanned::new(value, Span::default())
}

fn place(kind: ExpressionKind) -> Expression {
    Expression::new(kind, Span::default())
}

const NAMES: &[&str] =
    &["a", "b", "n_old", "x'", "Node", "X", "Y2", "if_not", "iffy", "n₁", "int", "old"];

fn identifier() -> impl Strategy<Value = Identifier> {
    prop::sample::select(NAMES).prop_map(|name| nowhere(name.into()))
}

fn binder() -> impl Strategy<Value = Binder> {
    (identifier(), option::of(identifier())).prop_map(|(name, sort)| Binder { name, sort })
}

fn leaf() -> impl Strategy<Value = Expression> {
    let kind = prop_oneof![
        any::<bool>().prop_map(ExpressionKind::Truth),
        (0..=i64::MAX).prop_map(ExpressionKind::Integer),
        identifier().prop_map(|name| ExpressionKind::Name(name.value)),
    ];
    kind.prop_map(place)
}

/// An expression.
fn expression() -> impl Strategy<Value = Expression> {
    leaf().prop_recursive(6, 40, 3, |inner| {
        let pair = (inner.clone(), inner.clone());
        let kind = prop_oneof![
            (identifier(), vec(inner.clone(), 1..4))
                .prop_map(|(f, xs)| ExpressionKind::Apply(f, xs)),
            vec(inner.clone(), 2..4).prop_map(ExpressionKind::And),
            vec(inner.clone(), 2..4).prop_map(ExpressionKind::Or),
            inner.clone().prop_map(ExpressionKind::Not),
            inner.clone().prop_map(ExpressionKind::Negative),
            (any::<bool>(), pair.clone()).prop_map(|(negated, (left, right))| {
                ExpressionKind::Equal { left, right, negated }
            }),
            (comparison(), any::<bool>(), pair.clone()).prop_map(
                |(comparison, flipped, (left, right))| ExpressionKind::Compare {
                    comparison,
                    left,
                    right,
                    flipped,
                }
            ),
            (connective(), pair.clone())
                .prop_map(|(sign, (left, right))| ExpressionKind::Connective(sign, left, right)),
            (arithmetic(), pair.clone())
                .prop_map(|(sign, (left, right))| ExpressionKind::Arithmetic(sign, left, right)),
            (inner.clone(), pair).prop_map(|(condition, (then, otherwise))| ExpressionKind::If {
                then,
                condition,
                otherwise,
            }),
            (quantifier(), vec(binder(), 1..3), inner)
                .prop_map(|(sign, binders, body)| ExpressionKind::Quantified(sign, binders, body)),
        ];
        kind.prop_map(place)
    })
}

fn comparison() -> impl Strategy<Value = Comparison> {
    prop_oneof![Just(Comparison::Less), Just(Comparison::LessEqual)]
}

fn connective() -> impl Strategy<Value = Connective> {
    prop_oneof![Just(Connective::Implies), Just(Connective::Iff)]
}

fn arithmetic() -> impl Strategy<Value = Arithmetic> {
    prop_oneof![Just(Arithmetic::Add), Just(Arithmetic::Subtract)]
}

fn quantifier() -> impl Strategy<Value = Quantifier> {
    prop_oneof![Just(Quantifier::Forall), Just(Quantifier::Exists)]
}

fn statement() -> impl Strategy<Value = Statement> {
    let simple = prop_oneof![
        expression().prop_map(|formula| nowhere(StatementKind::Require(formula))),
        assignment().prop_map(|assignment| nowhere(StatementKind::Assign(assignment))),
        vec(assignment(), 2..4)
            .prop_map(|assignments| nowhere(StatementKind::Together(assignments))),
    ];
    simple.prop_recursive(3, 12, 3, |inner| {
        (expression(), vec(inner.clone(), 0..3), vec(inner, 0..3)).prop_map(
            |(condition, then, otherwise)| nowhere(StatementKind::If(condition, then, otherwise)),
        )
    })
}

fn assignment() -> impl Strategy<Value = AssignStatement> {
    let argument =
        prop_oneof![expression().prop_map(LeftArgument::Expression), Just(LeftArgument::Star),];
    let value = prop_oneof![expression().prop_map(RightValue::Expression), Just(RightValue::Star)];
    (identifier(), vec(argument.prop_map(nowhere), 0..3), value.prop_map(nowhere))
        .prop_map(|(target, arguments, value)| AssignStatement { target, arguments, value })
}

fn enumeration() -> impl Strategy<Value = EnumerationItem> {
    (identifier(), vec(identifier(), 1..4))
        .prop_map(|(name, elements)| EnumerationItem { name, elements })
}

fn symbol() -> impl Strategy<Value = SymbolItem> {
    (identifier(), vec(identifier(), 0..3), option::of(identifier()), any::<bool>())
        .prop_map(|(name, params, result, rigid)| SymbolItem { name, params, result, rigid })
}

fn labelled() -> impl Strategy<Value = LabelledFormula> {
    (option::of(identifier()), expression())
        .prop_map(|(label, formula)| LabelledFormula { label, formula })
}

fn reach() -> impl Strategy<Value = RunItem> {
    let part = expression().prop_map(RunPart::Holds);
    (option::of(identifier()), vec(part, 1..4)).prop_map(|(label, parts)| RunItem {
        label,
        form: RunForm::Reach,
        parts,
    })
}

fn structure() -> impl Strategy<Value = StructureItem> {
    let on_sort = prop_oneof![
        Just(StructureWord::Order),
        Just(StructureWord::Ring),
        Just(StructureWord::Tree),
        Just(StructureWord::Successor),
    ];
    let simple = (on_sort, identifier(), identifier()).prop_map(|(word, name, on)| StructureItem {
        word,
        names: vec![name],
        sorts: vec![],
        on,
    });
    let quorums = (vec(identifier(), 1..3), vec(identifier(), 0..3), identifier()).prop_map(
        |(sorts, names, on)| StructureItem { word: StructureWord::Quorums, names, sorts, on },
    );
    prop_oneof![simple, quorums]
}

fn definition() -> impl Strategy<Value = DefinitionItem> {
    (identifier(), vec(binder(), 0..3), expression())
        .prop_map(|(name, params, value)| DefinitionItem { name, params, value })
}

fn action() -> impl Strategy<Value = ActionItem> {
    (identifier(), vec(binder(), 0..3), vec(statement(), 0..4))
        .prop_map(|(name, params, body)| ActionItem { name, params, body })
}

fn item() -> impl Strategy<Value = Item> {
    prop_oneof![
        vec(identifier(), 1..3).prop_map(Item::Sorts),
        enumeration().prop_map(Item::Enumeration),
        symbol().prop_map(Item::Symbol),
        structure().prop_map(Item::Structure),
        definition().prop_map(Item::Define),
        labelled().prop_map(Item::Axiom),
        labelled().prop_map(Item::Init),
        labelled().prop_map(Item::Safety),
        labelled().prop_map(Item::Lemma),
        action().prop_map(Item::Action),
        reach().prop_map(Item::Run),
    ]
}
