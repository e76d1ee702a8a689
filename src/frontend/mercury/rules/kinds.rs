//! The kinds of expressions: numbers, sets of processes, processes and conditions.

use super::check::{Checker, Side};
use super::messages::{one_of, unknown};
use crate::diagnostic::Diagnostic;
use crate::frontend::mercury::codes;
use crate::frontend::mercury::parse::tree::{
    BinaryOperator, Formula, FormulaKind, HandledEvent, Handler, VariableKind,
};
use crate::frontend::mercury::table::{AgreementKind, is_all_others};
use crate::frontend::syntax::surface::Identifier;
use crate::logic::Name;
use crate::source::{Span, Spanned};

/// What an expression denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A number.
    Integer,
    /// A set of processes.
    Set,
    /// A process.
    Process,
    /// A condition.
    Truth,
}

impl Kind {
    fn words(self) -> &'static str {
        match self {
            Kind::Integer => "a number",
            Kind::Set => "a set of processes",
            Kind::Process => "a process",
            Kind::Truth => "a condition",
        }
    }
}

/// Where an expression stands: what it may speak of.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    /// In a handler: the values of its event are at hand.
    Handler(&'a Handler),
    /// The participants of an agreement.
    Participants,
    /// In a specification: integer variables only.
    Specification,
}

/// Checks the kinds of the parts of one expression.
pub(crate) struct KindChecker<'c, 'a, 'b> {
    /// The names, and what is wrong.
    pub(crate) checker: &'c mut Checker<'a, 'b>,
    /// Where it stands.
    pub(crate) place: Place<'a>,
}

impl KindChecker<'_, '_, '_> {
    /// Refuses an expression that is not of a kind.
    pub(crate) fn expect(&mut self, formula: &Formula, wanted: Kind) {
        let found = self.kind(formula);
        if let Some(found) = found.filter(|found| *found != wanted) {
            let message =
                format!("{} is needed here, and this is {}", wanted.words(), found.words());
            self.refuse(codes::KIND, message, formula.span);
        }
    }

    fn refuse(&mut self, code: crate::diagnostic::Code, message: impl Into<String>, span: Span) {
        self.checker.diagnostics.push(Diagnostic::error(code, message, span));
    }

    /// The kind of an expression; nothing if it is wrong, which has been said.
    pub(crate) fn kind(&mut self, formula: &Formula) -> Option<Kind> {
        match &formula.value {
            FormulaKind::Integer(_) => Some(Kind::Integer),
            FormulaKind::Name(name) => self.name(name),
            FormulaKind::Field(of, field, index) => self.field(of, field, index.as_ref()),
            FormulaKind::Not(inner) => {
                self.expect(inner, Kind::Truth);
                Some(Kind::Truth)
            }
            FormulaKind::Binary(operator, left, right) => self.binary(*operator, left, right),
            FormulaKind::Default(name) => {
                let message =
                    format!("`default({})` stands only on the right of an assignment", name.value);
                let refusal = Diagnostic::error(codes::MISPLACED, message, formula.span);
                let hint = "assign it to a variable first, and compare or send that";
                self.checker.diagnostics.push(refusal.hint(hint));
                None
            }
            FormulaKind::Hole => {
                let refusal = Diagnostic::error(codes::SKETCH, "a hole", formula.span);
                self.checker.diagnostics.push(refusal);
                None
            }
        }
    }

    fn name(&mut self, name: &Identifier) -> Option<Kind> {
        match &*name.value {
            "True" | "False" => return Some(Kind::Truth),
            "All" | "Empty" | "self" => {
                let kind = if &*name.value == "self" { Kind::Process } else { Kind::Set };
                self.only_processes(name);
                return Some(kind);
            }
            "N" => {
                let message = "`N` is only compared as `c = N - 1`, where `c` counts up to `N`";
                self.refuse(codes::COUNT, message, name.span);
                return None;
            }
            _ => {}
        }
        let machine = self.checker.machine;
        match machine.variable(&name.value).map(|line| &line.kind) {
            Some(VariableKind::Integer(..)) => Some(Kind::Integer),
            Some(VariableKind::Set) => {
                self.only_processes(name);
                Some(Kind::Set)
            }
            Some(VariableKind::Count(..)) => {
                let message =
                    format!("`{}` counts senders: it is only compared with `N - 1`", name.value);
                self.refuse(codes::COUNT, message, name.span);
                None
            }
            None => {
                let known = machine.variables.iter().map(|line| line.name.value.clone());
                self.checker.diagnostics.push(unknown("variable", name, known.collect()));
                None
            }
        }
    }

    /// Processes and sets are no part of a specification or of the environment.
    fn only_processes(&mut self, name: &Identifier) {
        if matches!(self.place, Place::Specification) {
            let message = "a specification may mention integer variables only";
            self.refuse(codes::KIND, message, name.span);
        } else if self.checker.side == Side::Environment {
            let message = "the environment cannot refer to processes";
            self.refuse(codes::UNSUPPORTED, message, name.span);
        }
    }

    fn field(
        &mut self,
        of: &Identifier,
        field: &Identifier,
        index: Option<&Spanned<i64>>,
    ) -> Option<Kind> {
        if matches!(self.place, Place::Specification) {
            let message = "a specification may mention integer variables only";
            self.refuse(codes::KIND, message, of.span);
            return None;
        }
        match &*field.value {
            "payld" | "payload" => self.payload(of),
            "sID" => {
                self.checker.action(of)?;
                self.only_processes(of);
                Some(Kind::Process)
            }
            "winS" | "loseS" => {
                self.agreement(of, AgreementKind::Partition)?;
                Some(Kind::Set)
            }
            "decVar" | "desVal" => self.decided(of, field, index),
            _ => {
                let known = ["payld", "sID", "winS", "loseS", "decVar"];
                let known = known.iter().map(|name| Name::from(*name)).collect();
                self.checker.diagnostics.push(unknown("part", field, known));
                None
            }
        }
    }

    fn payload(&mut self, of: &Identifier) -> Option<Kind> {
        let action = self.checker.action(of)?;
        let received = match self.place {
            Place::Handler(handler) => {
                matches!(&handler.event, HandledEvent::Receive(name) if name.value == of.value)
            }
            Place::Participants | Place::Specification => false,
        };
        if !received {
            let message = format!(
                "`{0}` is not received here: its value is available in `on recv({0})` only",
                of.value
            );
            self.refuse(codes::MISPLACED, message, of.span);
            return None;
        }
        if action.payload.is_none() {
            self.refuse(codes::PAYLOAD, format!("`{}` carries no value", of.value), of.span);
            return None;
        }
        Some(Kind::Integer)
    }

    fn agreement(&mut self, of: &Identifier, kind: AgreementKind) -> Option<()> {
        let table = self.checker.table;
        let found = table.agreement(&of.value);
        let known = table.agreements.iter().map(|agreement| agreement.name.value.clone());
        match found {
            Some(agreement) if agreement.kind == kind => Some(()),
            Some(_) => {
                let message = format!("`{}` is an agreement of another kind", of.value);
                self.refuse(codes::AGREEMENT, message, of.span);
                None
            }
            None => {
                let known: Vec<Name> = known.collect();
                let mut refusal = unknown("agreement", of, known.clone());
                if refusal.hint.is_none() && !known.is_empty() {
                    refusal = refusal
                        .hint(format!("the agreements are {}", one_of(&known)))
                        .instead_any(known.iter().map(Name::to_string));
                }
                self.checker.diagnostics.push(refusal);
                None
            }
        }
    }

    fn decided(
        &mut self,
        of: &Identifier,
        field: &Identifier,
        index: Option<&Spanned<i64>>,
    ) -> Option<Kind> {
        self.agreement(of, AgreementKind::Consensus)?;
        let decides = match self.place {
            Place::Handler(handler) => {
                matches!(&handler.event, HandledEvent::Consensus(name, ..) if name.value == of.value)
            }
            Place::Participants | Place::Specification => false,
        };
        if !decides {
            let message = format!(
                "`{}` is not decided here: its values are available in its handler only",
                of.value
            );
            self.refuse(codes::MISPLACED, message, of.span);
            return None;
        }
        let count = self.checker.decided(&of.value).unwrap_or(1);
        let (value, span) = match index {
            Some(index) => (index.value, index.span),
            None if &*field.value == "desVal" => (1, field.span),
            None => (0, field.span),
        };
        if usize::try_from(value).is_ok_and(|value| (1..=count).contains(&value)) {
            return Some(Kind::Integer);
        }
        let message = match count {
            1 => format!("`{}` decides one value, `decVar[1]`", of.value),
            _ => format!("`{}` decides {count} values, `decVar[1]` to `decVar[{count}]`", of.value),
        };
        self.refuse(codes::RANGE, message, span);
        None
    }

    fn binary(
        &mut self,
        operator: BinaryOperator,
        left: &Formula,
        right: &Formula,
    ) -> Option<Kind> {
        match operator {
            BinaryOperator::And | BinaryOperator::Or => {
                self.expect(left, Kind::Truth);
                self.expect(right, Kind::Truth);
                Some(Kind::Truth)
            }
            BinaryOperator::Plus | BinaryOperator::Minus | BinaryOperator::Times => {
                self.expect(left, Kind::Integer);
                self.expect(right, Kind::Integer);
                Some(Kind::Integer)
            }
            BinaryOperator::Divided => {
                self.expect(left, Kind::Integer);
                if !matches!(right.value, FormulaKind::Integer(1..)) {
                    let message = "only a positive constant divides";
                    self.refuse(codes::RANGE, message, right.span);
                }
                Some(Kind::Integer)
            }
            BinaryOperator::In => {
                self.expect(left, Kind::Process);
                self.expect(right, Kind::Set);
                Some(Kind::Truth)
            }
            BinaryOperator::Equal | BinaryOperator::Unequal => {
                if !self.counts(left, right) {
                    let kind = self.kind(left)?;
                    if kind == Kind::Truth {
                        self.refuse(codes::KIND, "conditions are not compared", left.span);
                    }
                    self.expect(right, kind);
                }
                Some(Kind::Truth)
            }
            BinaryOperator::Less
            | BinaryOperator::AtMost
            | BinaryOperator::Greater
            | BinaryOperator::AtLeast => {
                for side in [left, right] {
                    if self.kind(side)? == Kind::Process {
                        let message = "processes are only compared for equality";
                        self.refuse(codes::KIND, message, side.span);
                        return None;
                    }
                    self.expect(side, Kind::Integer);
                }
                Some(Kind::Truth)
            }
        }
    }

    /// `c = N - 1`, in a handler.
    fn counts(&self, left: &Formula, right: &Formula) -> bool {
        let is_count = |side: &Formula| match &side.value {
            FormulaKind::Name(name) => self.checker.machine.count(&name.value).is_some(),
            _ => false,
        };
        matches!(self.place, Place::Handler(_))
            && (is_count(left) && is_all_others(right) || is_all_others(left) && is_count(right))
    }
}
