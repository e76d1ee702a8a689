//! From machines to the surface tree of plain RML.
//!
//! `symbols` declares what there is and how it begins, `network` writes what sending and receiving
//! do to the messages on their way, `steps` makes an action of every handler.

mod network;
mod steps;
mod symbols;

use std::collections::BTreeSet;

use super::table::{Kind, Table};
use super::tree::{MachineFile, Occasion};
use crate::diagnostic::{Diagnostic, refuse};
use crate::frontend::lowering::build::require;
use crate::frontend::lowering::name_set::NameSet;
use crate::frontend::lowering::naming::LoweredNames;
use crate::frontend::lowering::rewrite::{Replacement, rewrite};
use crate::frontend::syntax::scan::scan;
use crate::frontend::syntax::surface::{Expression, Identifier, Item, LabelledFormula, Module};
use crate::frontend::syntax::token::TokenKind;
use crate::logic::{Name, fresh_name};
use crate::process::machines::{MachineKind, Machines, MessageKind};
use crate::source::{Span, Spanned};

use super::codes;
use super::table::{EXCEEDED, ME};

/// Makes the surface tree of a file, and says what is in it.
pub(super) fn lower(
    table: &Table<'_>,
    file: &MachineFile,
    text: &str,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Module, Machines) {
    let words = scan(text).filter(|token| token.kind == TokenKind::Word);
    let mut lowerer = Lowerer {
        table,
        words: words.map(|token| token.text(text).into()).collect(),
        names: LoweredNames::default(),
        items: Vec::new(),
        meaning: meaning(table),
        diagnostics,
    };
    lowerer.reserve(file);
    lowerer.symbols();
    let is_plain = |item: &&Spanned<Item>| !is_late(&item.value);
    lowerer.items.extend(file.items.iter().filter(is_plain).cloned());
    lowerer.start();
    lowerer.plain_actions(file);
    lowerer.steps();
    let is_property =
        |item: &&Spanned<Item>| is_late(&item.value) && !matches!(item.value, Item::Action(_));
    lowerer.items.extend(file.items.iter().filter(is_property).cloned());
    lowerer.within_bounds();
    (Module { items: lowerer.items }, lowerer.meaning)
}

/// Whether a declaration comes after the first state.
fn is_late(item: &Item) -> bool {
    matches!(item, Item::Action(_) | Item::Safety(_) | Item::Lemma(_) | Item::Run(_))
}

/// What is known before anything is lowered.
fn meaning(table: &Table<'_>) -> Machines {
    let kinds = table.kinds.iter().map(|kind| MachineKind {
        sort: kind.name().value.clone(),
        state: (!kind.states.is_empty()).then(|| kind.state_function()),
        crashed: kind.crashes.then(|| kind.crashed_relation()),
        variables: kind.variables().map(|symbol| symbol.name.value.clone()).collect(),
    });
    let messages = table.messages.iter();
    let queues = messages.clone().filter_map(|message| table.queue(message));
    let queues: BTreeSet<Name> = queues.map(|(name, _)| name).collect();
    Machines {
        kinds: kinds.collect(),
        messages: messages.map(|own| MessageKind { name: own.name.value.clone() }).collect(),
        steps: Vec::new(),
        exceeded: table.can_exceed().then(|| EXCEEDED.into()),
        queues: queues.into_iter().collect(),
        delivers_again: table.network.duplicating,
    }
}

struct Lowerer<'a, 'd> {
    table: &'a Table<'a>,
    /// Every word of the text: no variable of ours may be one of them.
    words: BTreeSet<Name>,
    /// Names of actions and labels.
    names: LoweredNames,
    items: Vec<Spanned<Item>>,
    meaning: Machines,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Lowerer<'_, '_> {
    /// Takes the names that the file declares.
    fn reserve(&mut self, file: &MachineFile) {
        let mut declared: Vec<Name> = Vec::new();
        for item in &file.items {
            match &item.value {
                Item::Sorts(sorts) => declared.extend(sorts.iter().map(|sort| sort.value.clone())),
                Item::Enumeration(item) => {
                    declared.push(item.name.value.clone());
                    declared.extend(item.elements.iter().map(|own| own.value.clone()));
                }
                Item::Symbol(symbol) => declared.push(symbol.name.value.clone()),
                Item::Structure(structure) => {
                    let names = structure.names.iter().chain(&structure.sorts);
                    declared.extend(names.map(|name| name.value.clone()));
                }
                Item::Define(definition) => declared.push(definition.name.value.clone()),
                Item::Action(action) => declared.push(action.name.value.clone()),
                Item::Axiom(line)
                | Item::Init(line)
                | Item::Safety(line)
                | Item::Lemma(line)
                | Item::Owed(line)
                | Item::Candidate(line) => {
                    declared.extend(line.label.iter().map(|label| label.value.clone()));
                }
                Item::Run(run) => declared.extend(run.label.iter().map(|own| own.value.clone())),
            }
        }
        for kind in &self.table.kinds {
            let instances = kind.machine.instances.iter().flatten();
            let names = instances.chain(kind.states).chain([kind.name()]);
            declared.extend(names.map(|name| name.value.clone()));
            declared.extend(kind.variables().map(|symbol| symbol.name.value.clone()));
            declared.extend([kind.state_function(), kind.state_sort(), kind.crashed_relation()]);
            for (step, _) in &kind.steps {
                if let Occasion::Any { name, .. } = &step.occasion {
                    declared.push(name.value.clone());
                }
            }
        }
        declared.extend(self.table.messages.iter().map(|message| message.name.value.clone()));
        declared.push(EXCEEDED.into());
        for name in declared {
            self.names.claim(&name);
        }
    }

    /// A variable that no formula of the file mentions.
    fn variable(&mut self, wish: &str) -> Name {
        fresh_name(&wish.into(), |name| self.words.contains(name))
    }

    /// A formula or term of a machine, about the machine `me`.
    fn own(&mut self, kind: &Kind<'_>, expression: &Expression) -> Expression {
        let is_own = |name: &str| {
            (!kind.states.is_empty() && *kind.state_function() == *name)
                || (kind.crashes && *kind.crashed_relation() == *name)
                || kind.variables().any(|symbol| &*symbol.name.value == name)
        };
        let lookup = |name: &str| {
            let me = Expression::name(ME.into(), expression.span.start_only());
            is_own(name).then(|| Replacement::Name(name.into(), vec![me]))
        };
        let reserved = NameSet::from_iter([ME.into()]);
        match rewrite(expression, &reserved, &lookup) {
            Ok(rewritten) => rewritten,
            Err(obstacle) => {
                refuse(self.diagnostics, obstacle.refused(codes::MISPLACED));
                expression.clone()
            }
        }
    }

    /// Actions that are no machine's: nothing happens after the network was exceeded.
    fn plain_actions(&mut self, file: &MachineFile) {
        for item in &file.items {
            let mut item = item.clone();
            if let Item::Action(action) = &mut item.value {
                if self.table.can_exceed() {
                    action.body.insert(0, require(self.exceeded(action.name.span).negated()));
                }
                self.items.push(item);
            }
        }
    }

    /// The property that the network has a place for every message. It is owed: a selection of
    /// other properties does not drop it.
    fn within_bounds(&mut self) {
        if self.table.can_exceed() {
            let span = self.table.messages.first().map_or(Span::default(), |own| own.name.span);
            let label = Identifier::new(self.names.invent("network_bound"), span);
            let formula = self.exceeded(span).negated();
            let line = LabelledFormula { label: Some(label), formula };
            self.items.push(Spanned::new(Item::Owed(line), span));
        }
    }

    fn exceeded(&self, span: Span) -> Expression {
        Expression::name(EXCEEDED.into(), span)
    }
}

/// Names in a list of arguments.
fn names(names: &[Name], span: Span) -> Vec<Expression> {
    names.iter().map(|name| Expression::name(name.clone(), span)).collect()
}
