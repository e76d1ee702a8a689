//! What the bodies of steps may say.

use super::check::Checker;
use super::codes;
use super::table::{CRASH, Kind, Order, Per};
use super::tree::{
    MachineStatement, MachineStatementKind, Message, Occasion, Receivers, Send, Step,
};
use crate::diagnostic::Diagnostic;
use crate::frontend::lowering::variables::is_variable;
use crate::frontend::print_expression;
use crate::frontend::syntax::surface::{
    AssignStatement, Expression, ExpressionKind, Identifier, LeftArgument, RightValue,
    StatementKind,
};
use crate::logic::Name;
use crate::source::Span;

impl Checker<'_, '_> {
    /// The statements of a step.
    pub(super) fn body(&mut self, kind: &Kind<'_>, step: &Step) {
        let crashes =
            matches!(&step.occasion, Occasion::On { message, .. } if &*message.value == CRASH);
        self.statements(kind, &step.body, crashes);
        if let Order::Fifo(places, per) = self.table.network.order {
            self.overflow(places, per, &step.body);
        }
    }

    fn statements(&mut self, kind: &Kind<'_>, body: &[MachineStatement], crashes: bool) {
        for statement in body {
            match &statement.value {
                MachineStatementKind::Plain(plain) => match &plain.value {
                    StatementKind::Require(formula) => {
                        self.expression(kind, formula, &mut Vec::new())
                    }
                    StatementKind::Assign(one) => self.assignment(kind, one),
                    StatementKind::Together(all) => {
                        all.iter().for_each(|one| self.assignment(kind, one));
                    }
                    StatementKind::If(..) | StatementKind::Relate(..) => {}
                },
                MachineStatementKind::If(condition, then, otherwise) => {
                    self.expression(kind, condition, &mut Vec::new());
                    self.statements(kind, then, crashes);
                    self.statements(kind, otherwise, crashes);
                }
                MachineStatementKind::Goto(state) => self.state(kind, state),
                MachineStatementKind::Send(send) => {
                    if crashes {
                        let message = "a machine that crashes sends nothing";
                        let refusal = Diagnostic::error(codes::MISPLACED, message, statement.span);
                        self.refuse(refusal.hint("send in another step, or `on restart`"));
                    }
                    self.send(kind, send);
                }
            }
        }
    }

    fn send(&mut self, kind: &Kind<'_>, send: &Send) {
        let each = match &send.to {
            Receivers::One(_) => None,
            Receivers::Many { each, .. } => each.as_ref().map(|each| &each.value),
        };
        for argument in &send.arguments {
            self.expression(kind, argument, &mut Vec::new());
            self.no_open_variables(argument, each);
        }
        match &send.to {
            Receivers::One(to) => {
                self.expression(kind, to, &mut Vec::new());
                self.no_open_variables(to, None);
            }
            Receivers::Many { condition, each, .. } => {
                if let Some(each) = each.as_ref().filter(|each| !is_variable(&each.value)) {
                    let message = "a name for every receiver starts with a capital letter";
                    let refusal = Diagnostic::error(codes::MISPLACED, message, each.span);
                    let mut capital = each.value.to_string();
                    capital[..1].make_ascii_uppercase();
                    let line = condition.as_ref().map_or(each.span, |own| each.span.to(own.span));
                    let refusal = refusal.hint("write `all N`, or `all N if …`");
                    self.refuse(refusal.renamed(capital, Some(send.message.span.to(line))));
                }
                if let Some(condition) = condition {
                    self.expression(kind, condition, &mut Vec::new());
                    self.no_open_variables(condition, each.as_ref().map(|each| &each.value));
                }
            }
        }
        let Some(declared) = self.known_message(&send.message) else { return };
        self.count(&send.message, declared, send.arguments.len());
        let (name, from) = (&kind.name().value, &declared.from.value);
        if from != name && self.table.kind(from).is_some() {
            let text = format!("`{}` comes from `{from}`, not from `{name}`", send.message.value);
            let refusal = Diagnostic::error(codes::DIRECTION, text, send.message.span);
            self.refuse(refusal.also(declared.from.span, "declared here"));
        }
        self.receivers(send, declared);
    }

    fn receivers(&mut self, send: &Send, declared: &Message) {
        let Receivers::Many { others, .. } = &send.to else { return };
        if *others && declared.from.value != declared.to.value {
            let to = &declared.to.value;
            let text =
                format!("`{}` goes to `{to}`: the sender is not one of them", send.message.value);
            let refusal = Diagnostic::error(codes::MISPLACED, text, send.message.span);
            self.refuse(refusal.hint("write `to all`"));
        }
        if let Order::Fifo(_, Per::Sender) = self.table.network.order {
            let text = "in one queue per sender, messages to many machines have no order";
            let refusal = Diagnostic::error(codes::BOUND, text, send.message.span);
            let hint = "declare the network `per pair` or `per receiver`, or send one by one";
            self.refuse(refusal.hint(hint));
        }
    }

    fn assignment(&mut self, kind: &Kind<'_>, assignment: &AssignStatement) {
        let target = &assignment.target;
        if target.value == kind.state_function() {
            let message = "the state of a machine is changed by `goto`";
            let refusal = Diagnostic::error(codes::MISPLACED, message, target.span);
            self.refuse(refusal.hint("write `goto` and the state"));
        } else {
            let arguments = assignment.arguments.len();
            self.name(kind, &target.value, target.span, arguments);
        }
        for argument in &assignment.arguments {
            if let LeftArgument::Expression(expression) = &argument.value {
                self.expression(kind, expression, &mut Vec::new());
            }
        }
        if let RightValue::Expression(value) = &assignment.value.value {
            self.expression(kind, value, &mut Vec::new());
        }
    }

    /// A formula or term in a step: it reads what the machine has, and what never changes.
    pub(super) fn expression(
        &mut self,
        kind: &Kind<'_>,
        expression: &Expression,
        bound: &mut Vec<Name>,
    ) {
        let outside = bound.len();
        match &*expression.kind {
            ExpressionKind::Name(name) if !bound.contains(name) => {
                self.name(kind, name, expression.span, 0);
            }
            ExpressionKind::Apply(name, arguments) if !bound.contains(&name.value) => {
                self.name(kind, &name.value, name.span, arguments.len());
            }
            ExpressionKind::Quantified(_, binders, _) => {
                binders.iter().for_each(|binder| self.not_me(kind, &binder.name));
                bound.extend(binders.iter().map(|binder| binder.name.value.clone()));
            }
            _ => {}
        }
        for child in expression.children() {
            self.expression(kind, child, bound);
        }
        bound.truncate(outside);
    }

    fn name(&mut self, kind: &Kind<'_>, name: &Name, span: Span, arguments: usize) {
        if let Some(message) = self.table.message(name) {
            let text = format!("`{name}` is a message: a machine does not see what is on its way");
            let refusal = Diagnostic::error(codes::FOREIGN, text, span);
            self.refuse(
                refusal
                    .also(message.name.span, "declared here")
                    .hint("send it with `send`, receive it with `on`, and keep what matters"),
            );
            return;
        }
        if self.depends_on_network(name, span) {
            return;
        }
        let Some(owner) = self.owners.get(name).copied() else { return };
        let own = &kind.name().value;
        if owner.name().value != *own {
            let text = format!("`{name}` belongs to `{}`", owner.name().value);
            let refusal = Diagnostic::error(codes::FOREIGN, text, span);
            let hint = "a machine knows only what others send it";
            self.refuse(refusal.hint(hint));
            return;
        }
        let declared = kind.variables().find(|symbol| symbol.name.value == *name);
        let wanted = declared.map_or(0, |symbol| symbol.params.len());
        if arguments == wanted + 1 {
            let text = format!("`{name}` of another machine cannot be read or written");
            let refusal = Diagnostic::error(codes::FOREIGN, text, span);
            let hint = match wanted {
                0 => format!("its own is `{name}`, without an argument"),
                _ => format!("its own has one argument less: `{name}(…)`"),
            };
            self.refuse(refusal.hint(hint));
        }
    }

    /// A step that sends more messages to one machine than fit into its queue.
    fn overflow(&mut self, places: usize, per: Per, body: &[MachineStatement]) {
        let mut sent = Vec::new();
        most_sent(body, per, &mut sent);
        for (to, count, last) in sent {
            if count > places {
                let holds = if places == 1 { "1 message" } else { &format!("{places} messages") };
                let whose = match per {
                    Per::Sender => "from one machine".to_owned(),
                    Per::Pair | Per::Receiver => format!("to `{to}`"),
                };
                let text =
                    format!("this step sends {count} messages {whose}, and a queue holds {holds}");
                let refusal = Diagnostic::error(codes::OVERFLOW, text, last);
                self.refuse(refusal.hint("give the network more places, or send them in turn"));
            }
        }
    }
}

/// The most messages that a path through some statements sends to each receiver as written, with
/// the last such send.
fn most_sent(body: &[MachineStatement], per: Per, sent: &mut Vec<(String, usize, Span)>) {
    let count = |sent: &mut Vec<(String, usize, Span)>, to: String, span: Span| match sent
        .iter_mut()
        .find(|(other, ..)| *other == to)
    {
        Some((_, count, last)) => (*count, *last) = (*count + 1, span),
        None => sent.push((to, 1, span)),
    };
    for statement in body {
        match &statement.value {
            MachineStatementKind::Send(send) => {
                let to = match (&send.to, per) {
                    (_, Per::Sender) => String::new(),
                    (Receivers::One(to), _) => print_expression(to),
                    (Receivers::Many { .. }, _) => continue,
                };
                count(sent, to, statement.span);
            }
            MachineStatementKind::If(_, then, otherwise) => {
                let mut other = sent.clone();
                most_sent(then, per, sent);
                most_sent(otherwise, per, &mut other);
                for (to, more, span) in other {
                    match sent.iter_mut().find(|(own, ..)| *own == to) {
                        Some((_, count, last)) if *count < more => (*count, *last) = (more, span),
                        Some(_) => {}
                        None => sent.push((to, more, span)),
                    }
                }
            }
            // What a target means may have changed.
            MachineStatementKind::Plain(_) => sent.retain(|(to, ..)| to.is_empty() || to == "me"),
            MachineStatementKind::Goto(_) => {}
        }
    }
}

/// The name of a state that a statement goes to, and of those inside it.
pub(super) fn entered<'t>(body: &'t [MachineStatement], found: &mut Vec<&'t Identifier>) {
    for statement in body {
        match &statement.value {
            MachineStatementKind::Goto(state) => found.push(state),
            MachineStatementKind::If(_, then, otherwise) => {
                entered(then, found);
                entered(otherwise, found);
            }
            MachineStatementKind::Plain(_) | MachineStatementKind::Send(_) => {}
        }
    }
}

/// The messages that some statements send.
pub(super) fn sent<'t>(body: &'t [MachineStatement], found: &mut Vec<&'t Identifier>) {
    for statement in body {
        match &statement.value {
            MachineStatementKind::Send(send) => found.push(&send.message),
            MachineStatementKind::If(_, then, otherwise) => {
                sent(then, found);
                sent(otherwise, found);
            }
            MachineStatementKind::Plain(_) | MachineStatementKind::Goto(_) => {}
        }
    }
}
