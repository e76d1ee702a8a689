//! What a file does with numbers: which lines make values flow, and which need more than equality.

use crate::frontend::mercury::domains::{Breach, Carrier, Flow, Uses};
use crate::frontend::mercury::parse::tree::{
    BinaryOperator, Formula, FormulaKind, HandledEvent, Handler, Machine, Reaction, Spec, Step,
    StepKind, VariableKind,
};
use crate::frontend::mercury::table::Table;
use crate::logic::Name;
use crate::source::Span;

/// The uses of all numbers of a file.
pub(crate) fn uses(table: &Table<'_>) -> Uses {
    let mut uses = Uses::default();
    let environment = table.file.environment.as_ref().map(|(_, machine)| (true, machine));
    for (env, machine) in [(false, &table.file.process)].into_iter().chain(environment) {
        let mut reader = UseReader { machine, env, uses: &mut uses };
        for handler in machine.locations.iter().flat_map(|location| &location.handlers) {
            reader.handler(handler);
        }
    }
    let mut reader = UseReader { machine: &table.file.process, env: false, uses: &mut uses };
    for line in &table.file.safety {
        reader.spec(&line.spec);
    }
    uses
}

struct UseReader<'a, 'u> {
    machine: &'a Machine,
    env: bool,
    uses: &'u mut Uses,
}

impl UseReader<'_, '_> {
    fn handler(&mut self, handler: &Handler) {
        if let HandledEvent::Consensus(name, _, _, Some(proposal)) = &handler.event {
            let left = Carrier::Decision(name.value.clone());
            let right = Carrier::Variable(self.env, proposal.value.clone());
            self.uses.flows.push(Flow { left, right, span: proposal.span });
        }
        if let Some(guard) = &handler.guard {
            self.condition(guard);
        }
        match &handler.reaction {
            Reaction::Do(steps) => self.steps(steps),
            Reaction::Reply(step) => self.steps(std::slice::from_ref(&**step)),
            Reaction::Split(win, lose) => {
                self.steps(win);
                self.steps(lose);
            }
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        for step in steps {
            match &step.value {
                StepKind::Assign(name, value) => {
                    if self.is_number(&name.value) {
                        let target = Carrier::Variable(self.env, name.value.clone());
                        self.into(target, value, step.span);
                    }
                }
                StepKind::Send(send) => {
                    if let Some(value) = &send.payload {
                        let target = Carrier::Payload(send.action.value.clone());
                        self.into(target, value, value.span);
                    }
                }
                StepKind::If(condition, then, otherwise) => {
                    self.condition(condition);
                    self.steps(then);
                    self.steps(otherwise);
                }
                StepKind::Update(..) | StepKind::Goto(_) => {}
            }
        }
    }

    fn spec(&mut self, spec: &Spec) {
        match spec {
            Spec::AtMost(_, states) | Spec::Agree(_, states, _) => {
                for state in states {
                    state.condition.iter().for_each(|condition| self.condition(condition));
                }
            }
            Spec::All(parts) | Spec::Any(parts) => parts.iter().for_each(|part| self.spec(part)),
        }
    }

    fn is_number(&self, name: &Name) -> bool {
        let kind = self.machine.variable(name).map(|line| &line.kind);
        matches!(kind, Some(VariableKind::Integer(..)))
    }

    /// What a value is carried by, if it is taken as it is.
    fn carrier(&self, value: &Formula) -> Option<Carrier> {
        match &value.value {
            FormulaKind::Name(name) | FormulaKind::Default(name) => {
                self.is_number(&name.value).then(|| Carrier::Variable(self.env, name.value.clone()))
            }
            FormulaKind::Field(of, field, _) => match &*field.value {
                "payld" | "payload" => Some(Carrier::Payload(of.value.clone())),
                "decVar" | "desVal" => Some(Carrier::Decision(of.value.clone())),
                _ => None,
            },
            _ => None,
        }
    }

    /// A value goes to a carrier.
    fn into(&mut self, target: Carrier, value: &Formula, span: Span) {
        match self.carrier(value) {
            Some(source) => self.uses.flows.push(Flow { left: target, right: source, span }),
            None => self.breach(target, value),
        }
    }

    /// A carrier meets a number or a computed value.
    fn breach(&mut self, carrier: Carrier, value: &Formula) {
        let operation = match &value.value {
            FormulaKind::Integer(number) => number.to_string(),
            FormulaKind::Binary(operator, ..) => sign(*operator).to_owned(),
            _ => return,
        };
        let parts = self.inside(value);
        // What is computed with is named below.
        if parts.is_empty() {
            let carrier = carrier.clone();
            self.uses.breaches.push(Breach { carrier, operation, span: value.span });
        }
        for part in parts {
            self.uses.flows.push(Flow { left: carrier.clone(), right: part, span: value.span });
        }
        self.arithmetic(value);
    }

    /// The carriers that a computed value reads.
    fn inside(&self, value: &Formula) -> Vec<Carrier> {
        match &value.value {
            FormulaKind::Binary(_, left, right) => {
                let mut found = self.inside(left);
                found.extend(self.inside(right));
                found
            }
            _ => self.carrier(value).into_iter().collect(),
        }
    }

    /// The operations inside a computed value.
    fn arithmetic(&mut self, value: &Formula) {
        let FormulaKind::Binary(operator, left, right) = &value.value else { return };
        for side in [left, right] {
            if let Some(carrier) = self.carrier(side) {
                let operation = sign(*operator).to_owned();
                self.uses.breaches.push(Breach { carrier, operation, span: value.span });
            }
            self.arithmetic(side);
        }
    }

    fn condition(&mut self, formula: &Formula) {
        match &formula.value {
            FormulaKind::Not(inner) => self.condition(inner),
            FormulaKind::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
                self.condition(left);
                self.condition(right);
            }
            FormulaKind::Binary(BinaryOperator::In, ..) => {}
            FormulaKind::Binary(operator, left, right) => {
                self.compared(*operator, left, right, formula.span);
            }
            _ => {}
        }
    }

    fn compared(&mut self, operator: BinaryOperator, left: &Formula, right: &Formula, span: Span) {
        let equality = matches!(operator, BinaryOperator::Equal | BinaryOperator::Unequal);
        match (self.carrier(left), self.carrier(right)) {
            (Some(left), Some(right)) => {
                if !equality {
                    let operation = sign(operator).to_owned();
                    let carrier = left.clone();
                    self.uses.breaches.push(Breach { carrier, operation, span });
                }
                self.uses.flows.push(Flow { left, right, span });
            }
            (Some(carrier), None) => self.breach(carrier, right),
            (None, Some(carrier)) => self.breach(carrier, left),
            (None, None) => {
                self.arithmetic(left);
                self.arithmetic(right);
            }
        }
    }
}

fn sign(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::And => "&&",
        BinaryOperator::Or => "||",
        BinaryOperator::Equal => "==",
        BinaryOperator::Unequal => "!=",
        BinaryOperator::Less => "<",
        BinaryOperator::AtMost => "<=",
        BinaryOperator::Greater => ">",
        BinaryOperator::AtLeast => ">=",
        BinaryOperator::In => "in",
        BinaryOperator::Plus => "+",
        BinaryOperator::Minus => "-",
        BinaryOperator::Times => "*",
        BinaryOperator::Divided => "/",
    }
}
