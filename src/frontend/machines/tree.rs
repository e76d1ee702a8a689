//! Machines, messages and the network as they were written.

use crate::frontend::syntax::surface::{
    Binder, Expression, Identifier, Item, LabelledFormula, Statement, SymbolItem,
};
use crate::source::Spanned;

/// A protocol with machines as it was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineFile {
    /// The declarations of plain RML.
    pub items: Vec<Spanned<Item>>,
    /// The others.
    pub declarations: Vec<Spanned<Declaration>>,
}

impl MachineFile {
    /// Whether a machine has this name.
    pub fn has_machine(&self, name: &str) -> bool {
        self.declarations.iter().any(|declaration| {
            matches!(&declaration.value, Declaration::Machine(own) if *own.name.value == *name)
        })
    }
}

/// A declaration that plain RML does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Declaration {
    /// `machine m { … }`
    Machine(Machine),
    /// `message m(fields) from a to b`
    Message(Message),
    /// `network lossy set` and the like: the words and numbers in it.
    Network(Vec<Identifier>),
}

/// A kind of machines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Its name, also that of the sort of these machines.
    pub name: Identifier,
    /// The machines of the kind, if they are listed.
    pub instances: Option<Vec<Identifier>>,
    /// What it has and does.
    pub parts: Vec<Spanned<Part>>,
}

/// A part of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// `states a, b`
    States(Vec<Identifier>),
    /// A variable, function or relation that every machine of the kind has.
    Symbol(SymbolItem),
    /// `init F`
    Init(LabelledFormula),
    /// A handler or an action.
    Step(Step),
}

/// What a machine does at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// When.
    pub occasion: Occasion,
    /// The states in which it happens; in all if there are none.
    pub states: Vec<Identifier>,
    /// What happens.
    pub body: Vec<MachineStatement>,
}

/// When a step happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// `on m(contents) from sender`: a message arrives; also `on crash` and `on restart`.
    On {
        /// The message.
        message: Identifier,
        /// Names for what is in it.
        contents: Vec<Identifier>,
        /// A name for the machine that sent it.
        sender: Option<Identifier>,
    },
    /// `action a(parameters)`: at any time.
    Any {
        /// Its name.
        name: Identifier,
        /// Its parameters.
        params: Vec<Binder>,
    },
}

/// A statement in the body of a step.
pub type MachineStatement = Spanned<MachineStatementKind>;

/// The shapes of these statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MachineStatementKind {
    /// A `require` or an assignment.
    Plain(Statement),
    /// `if F { … } else { … }`
    If(Expression, Vec<MachineStatement>, Vec<MachineStatement>),
    /// `send m(arguments) to receivers`
    Send(Send),
    /// `goto s`
    Goto(Identifier),
}

/// A message that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Send {
    /// Which.
    pub message: Identifier,
    /// What is in it.
    pub arguments: Vec<Expression>,
    /// To whom.
    pub to: Receivers,
}

/// To whom a message is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Receivers {
    /// One machine.
    One(Expression),
    /// `all`, `others`, `all N` or `all N if F`.
    Many {
        /// Whether the sender is left out.
        others: bool,
        /// A name for each of them.
        each: Option<Identifier>,
        /// Which of them.
        condition: Option<Expression>,
    },
}

/// The declaration of a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// Its name.
    pub name: Identifier,
    /// What is in it.
    pub fields: Vec<Binder>,
    /// The machines that send it.
    pub from: Identifier,
    /// The machines that receive it.
    pub to: Identifier,
}
