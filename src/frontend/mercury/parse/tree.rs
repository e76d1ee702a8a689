//! What a Mercury file says, as it is written.

use crate::frontend::syntax::surface::Identifier;
use crate::source::{Span, Spanned};

/// A whole file.
#[derive(Clone, Debug, Default)]
pub(crate) struct MercuryFile {
    /// The names given to processes; there should be one.
    pub(crate) names: Vec<Identifier>,
    /// The process.
    pub(crate) process: Machine,
    /// The environment, if it is written.
    pub(crate) environment: Option<(Identifier, Machine)>,
    /// The messages.
    pub(crate) actions: Vec<ActionLine>,
    /// The specifications.
    pub(crate) safety: Vec<SafetyLine>,
    /// Where processes crash.
    pub(crate) crash: Vec<Spanned<CrashLine>>,
}

/// A process or an environment.
#[derive(Clone, Debug, Default)]
pub(crate) struct Machine {
    /// Its variables.
    pub(crate) variables: Vec<VariableLine>,
    /// Its locations.
    pub(crate) locations: Vec<LocationPart>,
}

/// `crash …`
#[derive(Clone, Debug)]
pub(crate) enum CrashLine {
    /// Nowhere.
    Nowhere,
    /// At these locations.
    At(Vec<Identifier>),
}

/// A variable's declaration.
#[derive(Clone, Debug)]
pub(crate) struct VariableLine {
    /// Its name.
    pub(crate) name: Identifier,
    /// Its kind.
    pub(crate) kind: VariableKind,
}

/// The kinds of variables.
#[derive(Clone, Debug)]
pub(crate) enum VariableKind {
    /// `int[lowest, highest] v := initial`, or `int v`
    Integer(Interval, Option<Spanned<i64>>),
    /// `int[0, N] v := initial`
    Count(Spanned<i64>, Option<Spanned<i64>>),
    /// `idSet v`
    Set,
}

/// `int[lowest, highest]`, or `int` alone
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    /// Whether it has bounds; without them the least and greatest values are those of 64 bits, and
    /// nothing reads them.
    pub(crate) bounded: bool,
    /// The least value.
    pub(crate) lowest: i64,
    /// The greatest value.
    pub(crate) highest: i64,
    /// Where it is written.
    pub(crate) span: Span,
}

/// How a message is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Transport {
    /// `br`
    Broadcast,
    /// `rz`
    Rendezvous,
}

/// A message's declaration.
#[derive(Clone, Debug)]
pub(crate) struct ActionLine {
    /// Its name.
    pub(crate) name: Identifier,
    /// How it is sent.
    pub(crate) transport: Transport,
    /// Whether the environment is one side.
    pub(crate) env: bool,
    /// What it carries; nothing for `unit`.
    pub(crate) payload: Option<Interval>,
}

/// A specification.
#[derive(Clone, Debug)]
pub(crate) struct SafetyLine {
    /// Its label.
    pub(crate) label: Option<Identifier>,
    /// What it says.
    pub(crate) spec: Spec,
    /// Where it is written.
    pub(crate) span: Span,
}

/// The shapes of specifications.
#[derive(Clone, Debug)]
pub(crate) enum Spec {
    /// `atmost(m, {…})`
    AtMost(Spanned<i64>, Vec<StatePattern>),
    /// `agree({…}, v)`: one value; `agree(k, {…}, v)`: at most so many
    Agree(Spanned<i64>, Vec<StatePattern>, Identifier),
    /// `… && …`
    All(Vec<Spec>),
    /// `… || …`
    Any(Vec<Spec>),
}

/// `L: condition`
#[derive(Clone, Debug)]
pub(crate) struct StatePattern {
    /// The location.
    pub(crate) location: Identifier,
    /// The condition on the variables.
    pub(crate) condition: Option<Formula>,
}

/// A location with its handlers.
#[derive(Clone, Debug)]
pub(crate) struct LocationPart {
    /// Its name.
    pub(crate) name: Identifier,
    /// Whether processes start there.
    pub(crate) initial: bool,
    /// What processes do there.
    pub(crate) handlers: Vec<Handler>,
    /// What they ignore there.
    pub(crate) passive: Vec<Identifier>,
}

/// `on event … reaction`
#[derive(Clone, Debug)]
pub(crate) struct Handler {
    /// What happens.
    pub(crate) event: HandledEvent,
    /// `where (…)`
    pub(crate) guard: Option<Formula>,
    /// What the process does.
    pub(crate) reaction: Reaction,
    /// Where its event is written.
    pub(crate) span: Span,
}

/// An event at a location.
#[derive(Clone, Debug)]
pub(crate) enum HandledEvent {
    /// `_`
    Empty,
    /// `recv(a)`
    Receive(Identifier),
    /// `Partition<e>(set, k)`
    Partition(Identifier, Formula, Spanned<i64>),
    /// `Consensus<e>(set, k, v)`
    Consensus(Identifier, Formula, Spanned<i64>, Option<Identifier>),
}

/// What a process does at an event.
#[derive(Clone, Debug)]
pub(crate) enum Reaction {
    /// `do …`
    Do(Vec<Step>),
    /// `reply message`
    Reply(Box<Step>),
    /// `win: … lose: …`
    Split(Vec<Step>, Vec<Step>),
}

/// A statement.
pub(crate) type Step = Spanned<StepKind>;

/// The shapes of statements.
#[derive(Clone, Debug)]
pub(crate) enum StepKind {
    /// `v := e`
    Assign(Identifier, Formula),
    /// `v.add(id)` and the like.
    Update(Identifier, Method, Formula),
    /// `sendrz(…)`, `sendbr(…)`
    Send(SendStep),
    /// `goto L`
    Goto(Identifier),
    /// `if (…) … else …`
    If(Formula, Vec<Step>, Vec<Step>),
}

/// A send.
#[derive(Clone, Debug)]
pub(crate) struct SendStep {
    /// By which word.
    pub(crate) transport: Transport,
    /// The message.
    pub(crate) action: Identifier,
    /// The value it carries.
    pub(crate) payload: Option<Formula>,
    /// To whom.
    pub(crate) to: Option<Formula>,
}

/// How a set changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Method {
    /// `.add(id)`
    Add,
    /// `.remove(id)`
    Remove,
    /// `.addAll(set)`
    AddAll,
    /// `.removeAll(set)`
    RemoveAll,
}

/// An expression: a number, a set, a process or a condition; which one is checked later.
pub(crate) type Formula = Spanned<FormulaKind>;

/// The shapes of expressions.
#[derive(Clone, Debug)]
pub(crate) enum FormulaKind {
    /// A number.
    Integer(i64),
    /// A name alone.
    Name(Identifier),
    /// `a.payld`, `e.decVar[i]`
    Field(Identifier, Identifier, Option<Spanned<i64>>),
    /// `default(v)`
    Default(Identifier),
    /// `!e`
    Not(Box<Formula>),
    /// `e op e`
    Binary(BinaryOperator, Box<Formula>, Box<Formula>),
    /// `??`
    Hole,
}

/// The operators between two expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOperator {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `=`
    Equal,
    /// `!=`
    Unequal,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
    /// `in`
    In,
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// `*`
    Times,
    /// `/`
    Divided,
}
