//! The generated parser for Mercury, and what its rules are called in messages.
//!
//! Generated items carry no documentation, hence the exception to our lints.
#![allow(missing_docs, unreachable_pub)]

/// Recognises the rules of `grammar/mercury.pest`.
#[derive(pest_derive::Parser)]
#[grammar = "grammar/mercury.pest"]
pub(crate) struct MercuryGrammar;

/// What a rule stands for, unless naming it would only lengthen a message.
pub(crate) fn describe(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::part | Rule::item => "a section, a location or a handler",
        Rule::expression | Rule::reference | Rule::group | Rule::sum | Rule::comparison => {
            "an expression"
        }
        Rule::name => "a name",
        Rule::field => "`payld`, `sID`, `decVar`, `winS` or `loseS`",
        Rule::integer | Rule::signed => "a number",
        Rule::closing => "`)`",
        Rule::opening => "`(`",
        Rule::closing_brace => "`}`",
        Rule::opening_brace | Rule::states => "`{`",
        Rule::open_bracket | Rule::index => "`[`",
        Rule::close_bracket => "`]`",
        Rule::comma => "`,`",
        Rule::colon => "`:`",
        Rule::assign => "`:=`",
        Rule::unit => "`unit`",
        Rule::interval => "`int[…]`",
        Rule::location_word => "`location`",
        Rule::safety_word => "`safety`",
        Rule::do_word | Rule::body => "`do`",
        Rule::win_word | Rule::split | Rule::winning => "`win:`",
        Rule::lose_word | Rule::losing => "`lose:`",
        Rule::reply | Rule::reply_word => "`reply`",
        Rule::at_most | Rule::agree => "`atmost(…)` or `agree(…)`",
        Rule::variable => "a variable",
        Rule::action => "an action",
        Rule::receive | Rule::partition | Rule::consensus | Rule::empty_event => "an event",
        Rule::goto | Rule::send | Rule::branch | Rule::assignment | Rule::update => "a statement",
        Rule::EOI => "the next handler, location or section",
        _ => return None,
    })
}
