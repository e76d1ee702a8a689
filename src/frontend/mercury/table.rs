//! The names of a file, and what they stand for.

use std::collections::BTreeMap;

use super::codes;
use super::domains::Domains;
use super::parse::tree::{
    ActionLine, BinaryOperator, Formula, FormulaKind, HandledEvent, Handler, LocationPart, Machine,
    MercuryFile, VariableKind, VariableLine,
};
use crate::diagnostic::Diagnostic;
use crate::frontend::syntax::surface::Identifier;
use crate::logic::Name;
use crate::source::Span;

/// What an agreement decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AgreementKind {
    /// Who wins.
    Partition,
    /// Which values are decided.
    Consensus,
}

/// Who takes part in an agreement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ParticipantSet {
    /// Every live process.
    All,
    /// No participants: it never happens.
    Empty,
    /// The winners of another agreement.
    Winners(Name),
    /// Its losers.
    Losers(Name),
    /// The members of a set variable.
    Variable(Name),
}

/// An agreement, as its first handler describes it.
#[derive(Clone, Debug)]
pub(crate) struct Agreement {
    /// Its name.
    pub(crate) name: Identifier,
    /// What it decides.
    pub(crate) kind: AgreementKind,
    /// How many winners or values.
    pub(crate) count: usize,
    /// Who takes part.
    pub(crate) participants: ParticipantSet,
    /// The handler.
    pub(crate) span: Span,
}

/// The most winners or values of one agreement: each is a parameter of an action.
const MOST_WINNERS: i64 = 8;

/// The names of a file.
pub(crate) struct Table<'a> {
    /// The file.
    pub(crate) file: &'a MercuryFile,
    /// The messages by name.
    pub(crate) actions: BTreeMap<Name, &'a ActionLine>,
    /// The agreements, in the order of their first handlers.
    pub(crate) agreements: Vec<Agreement>,
    /// The data domains, once they are known.
    pub(crate) domains: Domains,
}

impl<'a> Table<'a> {
    /// Collects the names of a file; what is declared twice is reported.
    pub(crate) fn new(file: &'a MercuryFile, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut actions: BTreeMap<Name, &ActionLine> = BTreeMap::new();
        for action in &file.actions {
            if let Some(first) = actions.get(&action.name.value) {
                diagnostics.push(twice("action", &action.name, first.name.span));
            } else {
                actions.insert(action.name.value.clone(), action);
            }
        }
        let mut table =
            Table { file, actions, agreements: Vec::new(), domains: Domains::default() };
        let environment = file.environment.iter().map(|(_, machine)| machine);
        for machine in std::iter::once(&file.process).chain(environment) {
            let variables = machine.variables.iter().map(|variable| &variable.name);
            declared_twice("variable", variables, diagnostics);
            let locations = machine.locations.iter().map(|location| &location.name);
            declared_twice("location", locations, diagnostics);
        }
        for location in &file.process.locations {
            for handler in &location.handlers {
                table.agreement_of(handler, diagnostics);
            }
        }
        table
    }

    /// The values that a message can carry, if they are written out.
    pub(crate) fn payloads(&self, action: &ActionLine) -> Vec<Option<i64>> {
        match action.payload {
            Some(interval) if self.domains.payload(&action.name.value).is_none() => {
                (interval.lowest..=interval.highest).map(Some).collect()
            }
            _ => vec![None],
        }
    }

    /// Notes the agreement of a handler, and compares it with earlier handlers of the same one.
    fn agreement_of(&mut self, handler: &Handler, diagnostics: &mut Vec<Diagnostic>) {
        let (kind, name, set, count) = match &handler.event {
            HandledEvent::Partition(name, set, count) => {
                (AgreementKind::Partition, name, set, count)
            }
            HandledEvent::Consensus(name, set, count, _) => {
                (AgreementKind::Consensus, name, set, count)
            }
            HandledEvent::Empty | HandledEvent::Receive(_) => return,
        };
        if !(1..=MOST_WINNERS).contains(&count.value) {
            let what = match kind {
                AgreementKind::Partition => "winners",
                AgreementKind::Consensus => "values",
            };
            let message = format!("an agreement has 1 to {MOST_WINNERS} {what}");
            diagnostics.push(Diagnostic::error(codes::RANGE, message, count.span));
        }
        let Some(participants) = participants(set) else {
            let message = "this is not a set of participants";
            let refusal = Diagnostic::error(codes::KIND, message, set.span);
            let hint = "write `All`, a set variable, or `winS` or `loseS` of another agreement";
            diagnostics.push(refusal.hint(hint));
            return;
        };
        let count = usize::try_from(count.value).unwrap_or(1);
        let span = handler.span;
        let Some(first) = self.agreement(&name.value) else {
            let name = name.clone();
            self.agreements.push(Agreement { name, kind, count, participants, span });
            return;
        };
        let difference = if first.kind != kind {
            "is a Partition in one handler and a Consensus in another"
        } else if first.count != count {
            "has different numbers in its handlers"
        } else if first.participants != participants {
            "has different participants in its handlers"
        } else {
            return;
        };
        let message = format!("`{}` {difference}", name.value);
        let refusal = Diagnostic::error(codes::AGREEMENT, message, span);
        let hint = "all participants of one agreement describe it alike; give them two names";
        diagnostics.push(refusal.also(first.span, "described here first").hint(hint));
    }

    /// An agreement by name.
    pub(crate) fn agreement(&self, name: &Name) -> Option<&Agreement> {
        self.agreements.iter().find(|agreement| agreement.name.value == *name)
    }

    /// The position of an agreement.
    pub(crate) fn agreement_position(&self, name: &Name) -> Option<usize> {
        self.agreements.iter().position(|agreement| agreement.name.value == *name)
    }
}

impl Machine {
    /// A variable by name.
    pub(crate) fn variable(&self, name: &Name) -> Option<&VariableLine> {
        self.variables.iter().find(|variable| variable.name.value == *name)
    }

    /// A variable that counts senders.
    pub(crate) fn count(&self, name: &Name) -> Option<&VariableLine> {
        self.variable(name).filter(|line| matches!(line.kind, VariableKind::Count(..)))
    }

    /// The position of a location.
    pub(crate) fn location(&self, name: &Name) -> Option<usize> {
        self.locations.iter().position(|location: &LocationPart| location.name.value == *name)
    }
}

/// The set that an agreement is invoked with.
fn participants(set: &Formula) -> Option<ParticipantSet> {
    match &set.value {
        FormulaKind::Name(name) if &*name.value == "All" => Some(ParticipantSet::All),
        FormulaKind::Name(name) if &*name.value == "Empty" => Some(ParticipantSet::Empty),
        FormulaKind::Name(name) => Some(ParticipantSet::Variable(name.value.clone())),
        FormulaKind::Field(of, field, None) => match &*field.value {
            "winS" => Some(ParticipantSet::Winners(of.value.clone())),
            "loseS" => Some(ParticipantSet::Losers(of.value.clone())),
            _ => None,
        },
        _ => None,
    }
}

/// `N - 1`
pub(crate) fn is_all_others(formula: &Formula) -> bool {
    let is_n = |formula: &Formula| matches!(&formula.value, FormulaKind::Name(name) if &*name.value == "N");
    match &formula.value {
        FormulaKind::Binary(BinaryOperator::Minus, left, right) => {
            is_n(left) && matches!(right.value, FormulaKind::Integer(1))
        }
        _ => false,
    }
}

/// The message about a name that is declared twice.
pub(crate) fn twice(what: &str, name: &Identifier, first: Span) -> Diagnostic {
    let message = format!("the {what} `{}` is declared twice", name.value);
    Diagnostic::error(codes::TWICE, message, name.span).also(first, "declared here first")
}

fn declared_twice<'a>(
    what: &str,
    names: impl Iterator<Item = &'a Identifier>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut seen: BTreeMap<&Name, Span> = BTreeMap::new();
    for name in names {
        if let Some(first) = seen.get(&name.value) {
            diagnostics.push(twice(what, name, *first));
        } else {
            seen.insert(&name.value, name.span);
        }
    }
}
