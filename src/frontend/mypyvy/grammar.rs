//! The generated parser for mypyvy, and what its rules are called in messages.
//!
//! Generated items carry no documentation, hence the exception to our lints.
#![allow(missing_docs, unreachable_pub)]

/// Recognises the rules of `grammar/mypyvy.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/mypyvy.pest"]
pub(super) struct MypyvyGrammar;

/// What a rule stands for, unless naming it would only lengthen a message.
pub(super) fn describe(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::declaration | Rule::item => "a declaration",
        Rule::expression | Rule::quantified | Rule::group | Rule::conditional => {
            "a formula or a term"
        }
        Rule::name | Rule::target | Rule::reference => "a name",
        Rule::sort_name => "a sort",
        Rule::binder => "a variable",
        Rule::closing => "`)`",
        Rule::opening | Rule::parameters | Rule::arity => "`(`",
        Rule::closing_brace => "`}`",
        Rule::opening_brace => "`{`",
        Rule::colon => "`:`",
        Rule::dot => "`.`",
        Rule::equals => "`=`",
        Rule::then_word => "`then`",
        Rule::else_word => "`else`",
        Rule::in_word => "`in`",
        Rule::modifies | Rule::modifies_word => "`modifies`",
        Rule::relation_word => "`relation`",
        Rule::EOI => "a new declaration",
        Rule::and | Rule::or | Rule::implies | Rule::iff => "an operator",
        _ => return None,
    })
}
