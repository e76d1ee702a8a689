//! The generated parser for Ivy, and what its rules are called in messages.
//!
//! Generated items carry no documentation, hence the exception to our lints.
#![allow(missing_docs, unreachable_pub)]

/// Recognises the rules of `grammar/ivy.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/ivy.pest"]
pub(crate) struct IvyGrammar;

/// What a rule stands for, unless naming it would only lengthen a message.
pub(crate) fn describe(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::declaration | Rule::item => "a declaration",
        Rule::expression | Rule::sum | Rule::conditional | Rule::quantified | Rule::value => {
            "a formula or a term"
        }
        Rule::name | Rule::declared | Rule::path_name | Rule::path | Rule::segment => "a name",
        Rule::sort_name | Rule::quantified_sort => "a type",
        Rule::binder | Rule::variable => "a variable",
        Rule::formal | Rule::choice => "a parameter",
        Rule::closing => "`)`",
        Rule::opening | Rule::names | Rule::actuals => "`(`",
        Rule::closing_brace => "`}`",
        Rule::opening_brace | Rule::block | Rule::body => "`{`",
        Rule::colon => "`:`",
        Rule::dot => "`.`",
        Rule::equals => "`=`",
        Rule::assign => "`:=`",
        Rule::semicolon => "`;`",
        Rule::else_word => "`else`",
        Rule::EOI => "a new declaration",
        Rule::and | Rule::or | Rule::implies | Rule::iff => "an operator",
        Rule::assume | Rule::require | Rule::assert | Rule::branch | Rule::assignment => {
            "a statement"
        }
        _ => return None,
    })
}
