//! What machines may say: names that are known, messages that go the right way, and steps that
//! read what they can know. Sorts are the elaborator's question.

use std::collections::BTreeMap;

use super::check_network::network_names;
use super::codes;
use super::table::{CRASH, Kind, RESTART, Table};
use super::tree::{Message, Occasion, Part, Step};
use crate::diagnostic::near_names::nearest;
use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::lowering::variables::is_variable;
use crate::frontend::syntax::surface::{Binder, Identifier, Item};
use crate::logic::Name;
use crate::source::Spanned;

/// Refuses what has no meaning.
pub(super) fn check<'a>(
    table: &'a Table<'a>,
    items: &[Spanned<Item>],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let network = network_names(table, items);
    let mut checker = Checker { table, owners: table.owners(), network, diagnostics };
    checker.plain_actions(items);
    for message in &table.messages {
        checker.message(message);
    }
    for kind in &table.kinds {
        checker.kind(kind);
    }
}

/// The declarations, and what is wrong with them.
pub(super) struct Checker<'a, 'd> {
    /// What is declared.
    pub(super) table: &'a Table<'a>,
    /// The machines that variables belong to.
    pub(super) owners: BTreeMap<Name, &'a Kind<'a>>,
    /// What depends on the network, each with the message or symbol that it depends on.
    pub(super) network: BTreeMap<Name, Name>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

/// An unknown name, with the nearest of the known ones.
fn unknown(what: &str, name: &Identifier, known: &[Name], otherwise: &str) -> Diagnostic {
    let message = format!("there is no {what} `{}`", name.value);
    let refusal = Diagnostic::error(codes::UNKNOWN, message, name.span);
    match nearest(&name.value, known) {
        Some(near) => refusal.hint(format!("did you mean `{near}`?")).instead(&*near),
        None if known.is_empty() => refusal.hint(otherwise.to_owned()),
        None => {
            let refusal = refusal.instead_any(known.iter().map(Name::to_string));
            let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
            refusal.hint(format!("known here: {}", known.join(", ")))
        }
    }
}

impl<'a> Checker<'a, '_> {
    /// Refuses the file.
    pub(super) fn refuse(&mut self, message: Diagnostic) {
        refuse(self.diagnostics, message);
    }

    fn lower_case(&mut self, name: &Identifier, what: &str) {
        if is_variable(&name.value) {
            let message = format!("{what} starts with a small letter");
            let mut small = name.value.to_string();
            small[..1].make_ascii_lowercase();
            let refusal = Diagnostic::error(codes::MISPLACED, message, name.span);
            self.refuse(refusal.hint(format!("write `{small}`")).instead(small));
        }
    }

    fn message(&mut self, message: &Message) {
        self.lower_case(&message.name, "the name of a message");
        if [CRASH, RESTART].contains(&&*message.name.value) {
            let text = format!("`on {}` means something else", message.name.value);
            let refusal = Diagnostic::error(codes::MISPLACED, text, message.name.span);
            self.refuse(refusal.hint("give the message another name"));
        }
        let kinds = self.kinds();
        for end in [&message.from, &message.to] {
            if self.table.kind(&end.value).is_none() {
                self.refuse(unknown("machine", end, &kinds, "declare it: `machine m { … }`"));
            }
        }
        for field in &message.fields {
            self.lower_case(&field.name, "what is in a message");
            if field.sort.is_none() {
                let text = format!("`{}` has no sort", field.name.value);
                let refusal = Diagnostic::error(codes::CONTENTS, text, field.name.span);
                self.refuse(refusal.hint(format!("write `{}: sort`", field.name.value)));
            }
        }
        for (index, field) in message.fields.iter().enumerate() {
            let same = |other: &&Binder| other.name.value == field.name.value;
            if let Some(first) = message.fields[..index].iter().find(same) {
                let text = format!("`{}` is in this message twice", field.name.value);
                let refusal = Diagnostic::error(codes::TWICE, text, field.name.span);
                self.refuse(refusal.also(first.name.span, "it is here already"));
            }
        }
    }

    fn kinds(&self) -> Vec<Name> {
        self.table.kinds.iter().map(|kind| kind.name().value.clone()).collect()
    }

    fn kind(&mut self, kind: &Kind<'_>) {
        self.lower_case(kind.name(), "the name of a machine");
        if let Some([]) = kind.machine.instances.as_deref() {
            let message = format!("there is no machine `{}`", kind.name().value);
            let refusal = Diagnostic::error(codes::MISPLACED, message, kind.name().span);
            self.refuse(refusal.hint("list some, or leave the list out for any number of them"));
        }
        for state in kind.states {
            self.lower_case(state, "the name of a state");
            self.not_me(kind, state);
        }
        for variable in kind.variables() {
            self.not_me(kind, &variable.name);
        }
        let declared: Vec<&Identifier> =
            self.table.kinds.iter().flat_map(|other| other.states).collect();
        for state in kind.states {
            let first = declared.iter().find(|other| other.value == state.value);
            if let Some(first) = first.filter(|first| first.span < state.span) {
                let message = format!("`{}` is a state already", state.value);
                let refusal = Diagnostic::error(codes::TWICE, message, state.span);
                self.refuse(
                    refusal.also(first.span, "it is declared here").hint("use different names"),
                );
            }
        }
        for part in &kind.symbols {
            match &part.value {
                Part::Init(line) => self.expression(kind, &line.formula, &mut Vec::new()),
                Part::Symbol(symbol) if symbol.rigid => {
                    let message = "what never changes is declared outside of machines";
                    let refusal = Diagnostic::error(codes::MISPLACED, message, part.span);
                    let hint = format!(
                        "declare it at the top of the file, with `{}` as its first argument",
                        kind.name().value
                    );
                    self.refuse(refusal.hint(hint));
                }
                _ => {}
            }
        }
        for (step, _) in &kind.steps {
            self.step(kind, step);
        }
        self.handled_twice(kind);
    }

    /// Two handlers for one message in one state.
    fn handled_twice(&mut self, kind: &Kind<'_>) {
        let mut seen: Vec<(&Identifier, &Step)> = Vec::new();
        for (step, _) in &kind.steps {
            let Occasion::On { message, .. } = &step.occasion else { continue };
            let common = |(other, earlier): &&(&Identifier, &Step)| {
                other.value == message.value
                    && (step.states.is_empty()
                        || earlier.states.is_empty()
                        || step
                            .states
                            .iter()
                            .any(|own| earlier.states.iter().any(|state| state.value == own.value)))
            };
            if let Some((first, earlier)) = seen.iter().find(common) {
                let shared = step.states.iter().find(|own| {
                    earlier.states.is_empty()
                        || earlier.states.iter().any(|state| state.value == own.value)
                });
                let shared = shared.or(earlier.states.first());
                let state = shared.map_or(String::new(), |own| format!(" in `{}`", own.value));
                let text = format!("`{}` is handled twice{state}", message.value);
                let refusal = Diagnostic::error(codes::TWICE, text, message.span);
                self.refuse(
                    refusal
                        .also(first.span, "it is handled here")
                        .hint("use one handler with `if`, or different states after `in`"),
                );
            }
            seen.push((message, step));
        }
    }

    fn step(&mut self, kind: &Kind<'_>, step: &Step) {
        if let Occasion::On { message, contents, sender } = &step.occasion {
            match &*message.value {
                CRASH | RESTART => {
                    if let Some(extra) = contents.first().or(sender.as_ref()) {
                        let text = format!("`on {}` brings no message", message.value);
                        let refusal = Diagnostic::error(codes::MISPLACED, text, extra.span);
                        self.refuse(refusal.hint(format!("write `on {} {{ … }}`", message.value)));
                    }
                    if &*message.value == RESTART && !kind.crashes {
                        let text = format!("`{}` never crashes", kind.name().value);
                        let refusal = Diagnostic::error(codes::MISPLACED, text, message.span);
                        self.refuse(refusal.hint("add `on crash { }`"));
                    }
                }
                _ => self.reception(kind, message, contents),
            }
        }
        for state in &step.states {
            self.state(kind, state);
        }
        self.body(kind, step);
    }

    fn reception(&mut self, kind: &Kind<'_>, message: &Identifier, contents: &[Identifier]) {
        let Some(declared) = self.known_message(message) else { return };
        let name = &kind.name().value;
        if declared.to.value != *name && self.table.kind(&declared.to.value).is_some() {
            let to = &declared.to.value;
            let text = format!("`{}` goes to `{to}`, not to `{name}`", message.value);
            let refusal = Diagnostic::error(codes::DIRECTION, text, message.span);
            self.refuse(refusal.also(declared.to.span, "declared here"));
        }
        self.count(message, declared, contents.len());
    }

    /// The declaration of a message, which it should have.
    pub(super) fn known_message(&mut self, message: &Identifier) -> Option<&'a Message> {
        let declared = self.table.message(&message.value);
        if declared.is_none() {
            let known = self.table.messages.iter().map(|own| own.name.value.clone());
            let known: Vec<Name> = known.collect();
            let hint = "declare it: `message m(k: key) from a to b`";
            self.refuse(unknown("message", message, &known, hint));
        }
        declared
    }

    /// How many things are in a message.
    pub(super) fn count(&mut self, message: &Identifier, declared: &Message, found: usize) {
        let wanted = declared.fields.len();
        if wanted != found {
            let things = |count| if count == 1 { "thing" } else { "things" };
            let text = format!(
                "there {} {wanted} {} in `{}`, not {found}",
                if wanted == 1 { "is" } else { "are" },
                things(wanted),
                message.value
            );
            let refusal = Diagnostic::error(codes::CONTENTS, text, message.span);
            self.refuse(refusal.also(declared.name.span, "declared here"));
        }
    }

    /// A state of a machine.
    pub(super) fn state(&mut self, kind: &Kind<'_>, state: &Identifier) {
        if !kind.states.iter().any(|own| own.value == state.value) {
            let known: Vec<Name> = kind.states.iter().map(|own| own.value.clone()).collect();
            let what = format!("state of `{}` called", kind.name().value);
            self.refuse(unknown(&what, state, &known, "declare them: `states a, b`"));
        }
    }
}
