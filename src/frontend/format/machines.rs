//! Machines, messages and networks as text.

use itertools::Itertools;

use super::expressions::print_binder;
use super::{Formatter, Shape, Written, continued, labelled, start_of, symbol_text};
use crate::frontend::machines::tree::{
    Declaration, Machine, MachineFile, MachineStatementKind, Message, Occasion, Part, Receivers,
    Send, Step,
};
use crate::frontend::print_expression;
use crate::frontend::syntax::surface::{Binder, Identifier, Item};
use crate::source::{Span, Spanned};

/// A declaration of either kind.
enum Line<'a> {
    Plain(&'a Spanned<Item>),
    OfMachines(&'a Spanned<Declaration>),
}

impl Line<'_> {
    fn span(&self) -> Span {
        match self {
            Line::Plain(item) => item.span,
            Line::OfMachines(declaration) => declaration.span,
        }
    }
}

impl Formatter<'_> {
    /// A file with machines, in the order in which it was written.
    pub(super) fn file(&mut self, file: &MachineFile) {
        let declarations = file.declarations.iter().map(Line::OfMachines);
        let mut lines: Vec<Line<'_>> =
            file.items.iter().map(Line::Plain).chain(declarations).collect();
        lines.sort_by_key(|line| line.span().start);
        for (index, line) in lines.iter().enumerate() {
            let next = lines.get(index + 1).map_or(usize::MAX, |next| next.span().start);
            match line {
                Line::Plain(item) => self.item(item, next),
                Line::OfMachines(declaration) => self.declaration(declaration, next),
            }
        }
    }

    fn declaration(&mut self, declaration: &Spanned<Declaration>, next: usize) {
        let text = match &declaration.value {
            Declaration::Machine(machine) => return self.machine(machine, declaration.span, next),
            Declaration::Message(message) => message_text(message),
            Declaration::Network(words) => format!("network {}", list(words, " ")),
        };
        self.page.node(&text, declaration.span, next);
    }

    fn machine(&mut self, machine: &Machine, span: Span, next: usize) {
        let name = &machine.name;
        let instances = machine.instances.as_ref();
        let listed = instances
            .map_or(String::new(), |elements| format!(" = {{ {} }}", list(elements, ", ")));
        let header = format!("machine {}{listed} {{", name.value);
        // A list of machines has braces of its own.
        let mut start = name.span.end;
        if instances.is_some() {
            start = self.blocks.after(start, &machine.parts).end + 1;
        }
        let block = self.blocks.after(start, &machine.parts);
        self.page.gap();
        self.page.open(&header, span.start, block);
        self.page.indent(block.end);
        for (index, part) in machine.parts.iter().enumerate() {
            self.part(part, start_of(machine.parts.get(index + 1)));
        }
        self.page.dedent();
        self.page.close("}", span, next);
        self.page.gap();
    }

    fn part(&mut self, part: &Spanned<Part>, next: usize) {
        let text = match &part.value {
            Part::States(states) => format!("states {}", list(states, ", ")),
            Part::Symbol(symbol) => symbol_text(symbol),
            Part::Init(line) => labelled("init", line, self.page.indentation()),
            Part::Step(step) => return self.step(step, part.span, next),
        };
        self.page.node(&text, part.span, next);
    }

    fn step(&mut self, step: &Step, span: Span, next: usize) {
        let in_states = match &step.states[..] {
            [] => String::new(),
            states => format!(" in {}", list(states, ", ")),
        };
        let header = format!("{}{in_states} {{", occasion_text(&step.occasion));
        let block = self.blocks.after(span.start, &step.body);
        self.page.gap();
        self.page.open(&header, span.start, block);
        self.block(&step.body, block);
        self.page.close("}", span, next);
        self.page.gap();
    }
}

impl Written for MachineStatementKind {
    fn shape(&self, indentation: usize) -> Shape<'_, Self> {
        Shape::Line(match self {
            MachineStatementKind::If(condition, then, otherwise) => {
                return Shape::If(condition, then, otherwise);
            }
            MachineStatementKind::Plain(plain) => match plain.value.shape(indentation) {
                Shape::Line(text) => text,
                Shape::If(..) => String::new(),
            },
            MachineStatementKind::Goto(state) => format!("goto {}", state.value),
            MachineStatementKind::Send(send) => send_text(send, indentation),
        })
    }
}

fn list(names: &[Identifier], between: &str) -> String {
    names.iter().map(|name| &name.value).join(between)
}

/// `(a: s, b: t)`, or nothing.
fn parameters(params: &[Binder]) -> String {
    match params {
        [] => String::new(),
        _ => format!("({})", params.iter().map(print_binder).join(", ")),
    }
}

fn message_text(message: &Message) -> String {
    let Message { name, fields, from, to } = message;
    format!("message {}{} from {} to {}", name.value, parameters(fields), from.value, to.value)
}

fn occasion_text(occasion: &Occasion) -> String {
    match occasion {
        Occasion::Any { name, params } => format!("action {}{}", name.value, parameters(params)),
        Occasion::On { message, contents, sender } => {
            let contents = match &contents[..] {
                [] => String::new(),
                names => format!("({})", list(names, ", ")),
            };
            let sender =
                sender.as_ref().map_or(String::new(), |sender| format!(" from {}", sender.value));
            format!("on {}{contents}{sender}", message.value)
        }
    }
}

fn send_text(send: &Send, indentation: usize) -> String {
    let arguments = match &send.arguments[..] {
        [] => String::new(),
        arguments => format!("({})", arguments.iter().map(print_expression).join(", ")),
    };
    let start = format!("send {}{arguments} to ", send.message.value);
    match &send.to {
        Receivers::One(to) => continued(start, to, indentation),
        Receivers::Many { others, each, condition } => {
            let word = if *others { "others" } else { "all" };
            let each = each.as_ref().map_or(String::new(), |each| format!(" {}", each.value));
            let start = format!("{start}{word}{each}");
            match condition {
                Some(condition) => continued(start + " if ", condition, indentation),
                None => start,
            }
        }
    }
}
