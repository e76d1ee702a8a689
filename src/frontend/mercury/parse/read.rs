//! Sections, locations and handlers from what the grammar matches.

use pest::iterators::Pair;

use super::grammar::Rule;
use super::tree::{
    ActionLine, CrashLine, HandledEvent, Handler, Interval, LocationPart, Machine, MercuryFile,
    Reaction, SafetyLine, Spec, StatePattern, Transport, VariableKind, VariableLine,
};
use crate::diagnostic::Diagnostic;
use crate::frontend::mercury::codes;
use crate::frontend::syntax::matched::Matched;
use crate::frontend::syntax::surface::Identifier;
use crate::source::{Span, Spanned};

/// Builds the tree, part by part.
pub(crate) struct MercuryBuilder<'a> {
    /// The whole text.
    pub(crate) text: &'a str,
    /// Where the current part begins.
    pub(crate) offset: usize,
    /// What was found wrong.
    pub(crate) diagnostics: &'a mut Vec<Diagnostic>,
    /// What has been read.
    pub(crate) file: &'a mut MercuryFile,
}

impl Matched<Rule> for MercuryBuilder<'_> {
    fn offset(&self) -> usize {
        self.offset
    }

    fn messages(&mut self) -> &mut Vec<Diagnostic> {
        self.diagnostics
    }
}

/// The first part of a match that a rule matched.
pub(crate) fn find<'i>(pair: &Pair<'i, Rule>, rule: Rule) -> Option<Pair<'i, Rule>> {
    pair.clone().into_inner().find(|part| part.as_rule() == rule)
}

fn all<'i>(pair: &Pair<'i, Rule>, rule: Rule) -> impl Iterator<Item = Pair<'i, Rule>> + use<'i> {
    pair.clone().into_inner().filter(move |part| part.as_rule() == rule)
}

impl MercuryBuilder<'_> {
    /// Adds one part to the file.
    pub(crate) fn part(&mut self, pair: Pair<'_, Rule>) {
        let span = self.span(&pair);
        match pair.as_rule() {
            Rule::process => self.file.names.extend(self.named(&pair)),
            Rule::environment => self.environment(&pair),
            Rule::safety => self.safety(&pair),
            Rule::variables => {
                let variables: Vec<_> =
                    all(&pair, Rule::variable).filter_map(|line| self.variable(&line)).collect();
                self.machine().variables.extend(variables);
            }
            Rule::actions => self.actions(&pair),
            Rule::crash => {
                let line = match find(&pair, Rule::none) {
                    Some(_) => CrashLine::Nowhere,
                    None => CrashLine::At(self.identifiers(pair, Rule::name)),
                };
                self.file.crash.push(Spanned::new(line, span));
            }
            Rule::location => {
                let initial = find(&pair, Rule::initial).is_some();
                let (handlers, passive) = (Vec::new(), Vec::new());
                if let Some(name) = self.named(&pair) {
                    let location = LocationPart { name, initial, handlers, passive };
                    self.machine().locations.push(location);
                }
            }
            Rule::handler => {
                if let Some(handler) = self.handler(&pair) {
                    self.attach(span, |location| location.handlers.push(handler));
                }
            }
            Rule::passive => {
                let names = self.identifiers(pair, Rule::name);
                self.attach(span, |location| location.passive.extend(names));
            }
            _ => self.unsupported("liveness", span),
        }
    }

    /// The process, or the environment once it has begun.
    fn machine(&mut self) -> &mut Machine {
        match &mut self.file.environment {
            Some((_, machine)) => machine,
            None => &mut self.file.process,
        }
    }

    fn named(&self, pair: &Pair<'_, Rule>) -> Option<Identifier> {
        find(pair, Rule::name).map(|name| self.identifier(&name))
    }

    fn environment(&mut self, pair: &Pair<'_, Rule>) {
        let Some(name) = self.named(pair) else { return };
        if let Some((first, _)) = &self.file.environment {
            let message = "there is one environment";
            let twice = Diagnostic::error(codes::TWICE, message, name.span);
            self.diagnostics.push(twice.also(first.span, "the first one is here"));
        } else {
            self.file.environment = Some((name, Machine::default()));
        }
    }

    /// Adds something to the last location.
    fn attach(&mut self, span: Span, add: impl FnOnce(&mut LocationPart)) {
        match self.machine().locations.last_mut() {
            Some(location) => add(location),
            None => {
                let message = "this belongs to no location";
                let missing = Diagnostic::error(codes::MISSING, message, span);
                self.diagnostics.push(missing.hint("begin with `initial location NAME`"));
            }
        }
    }

    /// Refuses a specification of another kind.
    pub(crate) fn unsupported(&mut self, word: &str, span: Span) {
        let message = format!("`{word}` is out of scope: only safety is checked");
        let refusal = Diagnostic::error(codes::UNSUPPORTED, message, span);
        let hint = "write `safety atmost(m, {L, …})`: at most m processes are in these locations";
        self.diagnostics.push(refusal.hint(hint));
    }

    fn safety(&mut self, pair: &Pair<'_, Rule>) {
        let label = find(pair, Rule::label).and_then(|label| self.named(&label));
        let spec = find(pair, Rule::spec).map(|spec| self.spec(&spec));
        let span = self.span(pair);
        self.file.safety.extend(spec.map(|spec| SafetyLine { label, spec, span }));
    }

    fn spec(&mut self, pair: &Pair<'_, Rule>) -> Spec {
        let span = self.span(pair);
        match pair.as_rule() {
            Rule::at_most => {
                let most = self.number(find(pair, Rule::integer), span);
                Spec::AtMost(most, self.states(pair))
            }
            Rule::agree => match self.named(pair) {
                Some(variable) => {
                    let most = find(pair, Rule::integer);
                    let most = most.map(|most| self.number(Some(most), span));
                    let most = most.unwrap_or(Spanned::new(1, span));
                    Spec::Agree(most, self.states(pair), variable)
                }
                None => Spec::All(Vec::new()),
            },
            Rule::unsupported => {
                let word = find(pair, Rule::unsupported_word);
                let word = word.map_or("this", |word| word.as_str());
                self.unsupported(word, span);
                Spec::All(Vec::new())
            }
            rule => {
                let is_part = |part: &Pair<'_, Rule>| {
                    !matches!(
                        part.as_rule(),
                        Rule::or_sign | Rule::and_sign | Rule::opening | Rule::closing
                    )
                };
                let parts = pair.clone().into_inner().filter(is_part);
                let mut parts: Vec<Spec> = parts.map(|part| self.spec(&part)).collect();
                match (parts.len(), rule) {
                    (1, _) => parts.remove(0),
                    (_, Rule::spec) => Spec::Any(parts),
                    _ => Spec::All(parts),
                }
            }
        }
    }

    fn states(&mut self, pair: &Pair<'_, Rule>) -> Vec<StatePattern> {
        let Some(states) = find(pair, Rule::states) else { return Vec::new() };
        let mut patterns = Vec::new();
        for state in all(&states, Rule::state) {
            let condition = find(&state, Rule::expression);
            let condition = condition.map(|condition| self.formula(&condition));
            let location = self.named(&state);
            patterns.extend(location.map(|location| StatePattern { location, condition }));
        }
        patterns
    }

    /// A number; what does not fit is reported.
    pub(crate) fn number(&mut self, pair: Option<Pair<'_, Rule>>, span: Span) -> Spanned<i64> {
        let Some(pair) = pair else { return Spanned::new(0, span) };
        let span = self.span(&pair);
        let value = pair.as_str().trim_end().parse().unwrap_or_else(|_| {
            let message = "this number does not fit into 64 bits";
            self.diagnostics.push(Diagnostic::error(codes::RANGE, message, span));
            0
        });
        Spanned::new(value, span)
    }

    fn variable(&mut self, pair: &Pair<'_, Rule>) -> Option<VariableLine> {
        let name = self.named(pair)?;
        let Some(interval) = find(pair, Rule::interval) else {
            return Some(VariableLine { name, kind: VariableKind::Set });
        };
        let initial = find(pair, Rule::signed);
        let initial = initial.map(|initial| self.number(Some(initial), name.span));
        let kind = if find(&interval, Rule::bound).is_some() {
            let lowest = find(&interval, Rule::signed);
            VariableKind::Count(self.number(lowest, name.span), initial)
        } else {
            VariableKind::Integer(self.interval(&interval), initial)
        };
        Some(VariableLine { name, kind })
    }

    fn interval(&mut self, pair: &Pair<'_, Rule>) -> Interval {
        let span = self.span(pair);
        let mut ends = all(pair, Rule::signed).map(|end| self.number(Some(end), span).value);
        let lowest = ends.next();
        let highest = ends.next();
        drop(ends);
        let Some(lowest) = lowest else {
            return Interval { bounded: false, lowest: i64::MIN, highest: i64::MAX, span };
        };
        if find(pair, Rule::bound).is_some() {
            let message = "a payload has fixed bounds: `N` is not one";
            self.diagnostics.push(Diagnostic::error(codes::COUNT, message, span));
        }
        Interval { bounded: true, lowest, highest: highest.unwrap_or(lowest), span }
    }

    /// `env` alone on its line makes all later actions of the section `env`.
    fn actions(&mut self, pair: &Pair<'_, Rule>) {
        let (mut section, mut next) = (false, false);
        for part in pair.clone().into_inner() {
            let span = self.span(&part);
            match part.as_rule() {
                Rule::env => {
                    let after = &self.text[span.end..];
                    let blanks = after.len() - after.trim_start().len();
                    let alone = after[..blanks].contains('\n');
                    section |= alone;
                    next = true;
                }
                Rule::action => {
                    let env = section || std::mem::take(&mut next);
                    let transport = match find(&part, Rule::broadcast) {
                        Some(_) => Transport::Broadcast,
                        None => Transport::Rendezvous,
                    };
                    let payload = find(&part, Rule::interval);
                    let payload = payload.map(|payload| self.interval(&payload));
                    let name = self.named(&part);
                    let action = name.map(|name| ActionLine { name, transport, env, payload });
                    self.file.actions.extend(action);
                }
                _ => {}
            }
        }
    }

    fn handler(&mut self, pair: &Pair<'_, Rule>) -> Option<Handler> {
        let guard = find(pair, Rule::guard).and_then(|guard| find(&guard, Rule::expression));
        let guard = guard.map(|guard| self.formula(&guard));
        let (mut event, mut reaction) = (None, None);
        let mut span = self.span(pair).start_only();
        for part in pair.clone().into_inner() {
            match part.as_rule() {
                Rule::empty_event => event = Some(HandledEvent::Empty),
                Rule::receive => event = self.named(&part).map(HandledEvent::Receive),
                Rule::partition | Rule::consensus => event = self.agreement(&part),
                Rule::body => reaction = Some(Reaction::Do(self.steps(&part))),
                Rule::reply => {
                    reaction = self.reply(&part).map(|reply| Reaction::Reply(Box::new(reply)))
                }
                Rule::split => {
                    let side = |builder: &mut Self, rule| {
                        find(&part, rule).map(|side| builder.steps(&side))
                    };
                    let win = side(self, Rule::winning).unwrap_or_default();
                    let lose = side(self, Rule::losing).unwrap_or_default();
                    reaction = Some(Reaction::Split(win, lose));
                }
                _ => continue,
            }
            if reaction.is_none() {
                span = self.span(&part);
            }
        }
        let whole = self.span(pair);
        let span = Span::new(whole.start, span.end.max(whole.start));
        Some(Handler { event: event?, guard, reaction: reaction?, span })
    }

    fn agreement(&mut self, pair: &Pair<'_, Rule>) -> Option<HandledEvent> {
        let span = self.span(pair);
        let set = find(pair, Rule::expression).map(|set| self.formula(&set))?;
        let count = self.number(find(pair, Rule::integer), span);
        let mut names = all(pair, Rule::name).map(|name| self.identifier(&name));
        let name = names.next()?;
        let proposal = names.next();
        Some(match pair.as_rule() {
            Rule::partition => HandledEvent::Partition(name, set, count),
            _ => HandledEvent::Consensus(name, set, count, proposal),
        })
    }
}
