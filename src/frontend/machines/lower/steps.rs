//! An action for every handler, and for what the network does by itself.

use super::network::put;
use super::{Lowerer, ME, names};
use crate::frontend::lowering::build::require;
use crate::frontend::machines::table::{CRASH, Kind, RESTART};
use crate::frontend::machines::tree::{
    MachineStatement, MachineStatementKind, Message, Occasion, Step,
};
use crate::frontend::syntax::surface::{
    ActionItem, AssignStatement, Binder, Expression, ExpressionKind, Identifier, Item,
    LeftArgument, RightValue, Statement, StatementKind,
};
use crate::logic::Name;
use crate::process::machines::{MachineHappening, MachineStep};
use crate::source::{Span, Spanned};

impl Lowerer<'_, '_> {
    /// Every action.
    pub(super) fn steps(&mut self) {
        let table = self.table;
        for kind in &table.kinds {
            for (step, span) in &kind.steps {
                match &step.occasion {
                    Occasion::Any { name, params } => {
                        self.own_action(kind, step, (name, params), *span)
                    }
                    Occasion::On { message, .. } if [CRASH, RESTART].contains(&&*message.value) => {
                        self.crash(kind, step, message, *span);
                    }
                    Occasion::On { message, contents, sender } => {
                        if let Some(declared) = table.message(&message.value) {
                            let names = (message, &contents[..], sender.as_ref());
                            self.reception(kind, step, declared, names, *span);
                        }
                    }
                }
            }
        }
        if table.network.lossy {
            table.messages.iter().for_each(|message| self.loss(message));
        }
    }

    fn finish(
        &mut self,
        name: Identifier,
        params: Vec<Binder>,
        body: Vec<Statement>,
        (happening, span): (MachineHappening, Span),
    ) {
        self.meaning.steps.push(MachineStep { action: name.value.clone(), happening });
        self.items.push(Spanned::new(Item::Action(ActionItem { name, params, body }), span));
    }

    /// `me`, as a parameter.
    fn me(&self, kind: &Kind<'_>, span: Span) -> Binder {
        Binder { name: Identifier::new(ME.into(), span), sort: Some(kind.name().clone()) }
    }

    /// What has to hold before a step: the machine works, and is in one of the states.
    fn begins(&self, kind: &Kind<'_>, step: &Step, crashed: bool, span: Span) -> Vec<Statement> {
        let me = || vec![Expression::name(ME.into(), span)];
        let mut body = Vec::new();
        if self.table.can_exceed() {
            body.push(require(self.exceeded(span).negated()));
        }
        if kind.crashes {
            let name = Identifier::new(kind.crashed_relation(), span);
            let fact = Expression::applied(name, me(), span);
            body.push(require(if crashed { fact } else { fact.negated() }));
        }
        let mut allowed: Vec<Expression> = Vec::new();
        for state in &step.states {
            let at = Identifier::new(kind.state_function(), span);
            let at = Expression::applied(at, me(), span);
            let state = Expression::name(state.value.clone(), state.span);
            allowed.push(Expression::equal(at, state, span));
        }
        if allowed.len() > 1 {
            body.push(require(Expression::new(ExpressionKind::Or(allowed), span)));
        } else {
            body.extend(allowed.into_iter().map(require));
        }
        body
    }

    fn own_action(
        &mut self,
        kind: &Kind<'_>,
        step: &Step,
        (name, params): (&Identifier, &[Binder]),
        span: Span,
    ) {
        let at = name.span;
        let mut body = self.begins(kind, step, false, at);
        body.extend(self.statements(kind, &step.body));
        let params = std::iter::once(self.me(kind, at)).chain(params.iter().cloned()).collect();
        let happening = MachineHappening::Acts(name.value.clone());
        self.finish(name.clone(), params, body, (happening, span));
    }

    fn crash(&mut self, kind: &Kind<'_>, step: &Step, word: &Identifier, span: Span) {
        let crashes = &*word.value == CRASH;
        let at = word.span;
        let mut body = self.begins(kind, step, !crashes, at);
        body.extend(self.statements(kind, &step.body));
        let crashed = Identifier::new(kind.crashed_relation(), at);
        let crashed = Expression::applied(crashed, names(&[ME.into()], at), at);
        body.push(put(crashed, Expression::truth(crashes, at), at));
        let name = self.names.invent(&format!("{}_{}", word.value, kind.name().value));
        let happening =
            if crashes { MachineHappening::Crashes } else { MachineHappening::Restarts };
        let params = vec![self.me(kind, at)];
        self.finish(Identifier::new(name, at), params, body, (happening, span));
    }

    fn reception(
        &mut self,
        kind: &Kind<'_>,
        step: &Step,
        declared: &Message,
        (message, contents, sender): (&Identifier, &[Identifier], Option<&Identifier>),
        span: Span,
    ) {
        let at = message.span;
        let sender = match sender {
            Some(sender) => sender.clone(),
            None => Identifier::new(self.variable("sender"), at),
        };
        let mut params = vec![self.me(kind, at)];
        params.push(Binder { name: sender.clone(), sort: Some(declared.from.clone()) });
        for (name, field) in contents.iter().zip(&declared.fields) {
            params.push(Binder { name: name.clone(), sort: field.sort.clone() });
        }
        let me = Expression::name(ME.into(), at);
        let from = Expression::name(sender.value, sender.span);
        let fields: Vec<Expression> =
            contents.iter().map(|name| Expression::name(name.value.clone(), name.span)).collect();
        let mut body = self.begins(kind, step, false, at);
        body.push(require(self.on_its_way(message, [&from, &me], &fields, 1)));
        if !self.table.network.duplicating {
            body.extend(self.remove(declared, [&from, &me], &fields, at));
        }
        body.extend(self.statements(kind, &step.body));
        let again = kind.steps.iter().filter(|(other, _)| {
            matches!(&other.occasion, Occasion::On { message, .. } if message.value == declared.name.value)
        });
        let name = match step.states.first().filter(|_| again.count() > 1) {
            Some(state) => format!("on_{}_in_{}", message.value, state.value),
            None => format!("on_{}", message.value),
        };
        let name = Identifier::new(self.names.invent(&name), at);
        let happening = MachineHappening::Receives(message.value.clone());
        self.finish(name, params, body, (happening, span));
    }

    /// The network loses a message; of a queue the oldest one.
    fn loss(&mut self, message: &Message) {
        let span = message.name.span;
        let ends: Vec<Name> =
            ["sender", "receiver"].into_iter().map(|wish| self.variable(wish)).collect();
        let parameter = |name: &Name, sort: &Identifier| Binder {
            name: Identifier::new(name.clone(), span),
            sort: Some(sort.clone()),
        };
        let mut params = vec![parameter(&ends[0], &message.from), parameter(&ends[1], &message.to)];
        let mut fields = Vec::new();
        for (number, field) in (1..).zip(&message.fields) {
            let name = self.variable(&format!("v{number}"));
            fields.push(Expression::name(name.clone(), span));
            params.extend(field.sort.as_ref().map(|sort| parameter(&name, sort)));
        }
        let [from, to] = [&ends[0], &ends[1]].map(|name| Expression::name(name.clone(), span));
        let mut body = Vec::new();
        if self.table.can_exceed() {
            body.push(require(self.exceeded(span).negated()));
        }
        body.push(require(self.on_its_way(&message.name, [&from, &to], &fields, 1)));
        body.extend(self.remove(message, [&from, &to], &fields, span));
        let name = self.names.invent(&format!("lose_{}", message.name.value));
        let happening = MachineHappening::Loses(message.name.value.clone());
        self.finish(Identifier::new(name, span), params, body, (happening, span));
    }

    fn statements(&mut self, kind: &Kind<'_>, body: &[MachineStatement]) -> Vec<Statement> {
        body.iter().flat_map(|statement| self.statement(kind, statement)).collect()
    }

    fn statement(&mut self, kind: &Kind<'_>, statement: &MachineStatement) -> Vec<Statement> {
        let span = statement.span;
        let one = |value| vec![Spanned::new(value, span)];
        match &statement.value {
            MachineStatementKind::Send(send) => self.send(kind, send, span),
            MachineStatementKind::Goto(state) => {
                let target = Identifier::new(kind.state_function(), span);
                let target = Expression::applied(target, names(&[ME.into()], span), span);
                vec![put(target, Expression::name(state.value.clone(), state.span), span)]
            }
            MachineStatementKind::If(condition, then, otherwise) => {
                let condition = self.own(kind, condition);
                let then = self.statements(kind, then);
                let otherwise = self.statements(kind, otherwise);
                one(StatementKind::If(condition, then, otherwise))
            }
            MachineStatementKind::Plain(plain) => match &plain.value {
                StatementKind::Require(formula) => {
                    one(StatementKind::Require(self.own(kind, formula)))
                }
                StatementKind::Assign(assigned) => {
                    one(StatementKind::Assign(self.assigned(kind, assigned)))
                }
                StatementKind::Together(all) => {
                    let all = all.iter().map(|assigned| self.assigned(kind, assigned));
                    one(StatementKind::Together(all.collect()))
                }
                StatementKind::If(..) | StatementKind::Relate(..) => Vec::new(),
            },
        }
    }

    fn assigned(&mut self, kind: &Kind<'_>, assigned: &AssignStatement) -> AssignStatement {
        let mut arguments = Vec::new();
        let target = &assigned.target;
        if kind.variables().any(|symbol| symbol.name.value == target.value) {
            let me = Expression::name(ME.into(), target.span.start_only());
            arguments.push(Spanned::new(LeftArgument::Expression(me), target.span));
        }
        for argument in &assigned.arguments {
            let value = match &argument.value {
                LeftArgument::Star => LeftArgument::Star,
                LeftArgument::Expression(expression) => {
                    LeftArgument::Expression(self.own(kind, expression))
                }
            };
            arguments.push(Spanned::new(value, argument.span));
        }
        let value = match &assigned.value.value {
            RightValue::Star => RightValue::Star,
            RightValue::Expression(value) => RightValue::Expression(self.own(kind, value)),
        };
        let value = Spanned::new(value, assigned.value.span);
        AssignStatement { target: target.clone(), arguments, value }
    }
}
