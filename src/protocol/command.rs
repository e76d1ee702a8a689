//! Actions and the commands in them: sequential, guarded anywhere, with patterns and havoc.

use crate::logic::Name;
use crate::source::Span;

use super::{Sort, StateFormula, StateTerm, StateVar, StepFormula, SymbolId};

/// An atomic action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Its name.
    pub name: Name,
    /// Its parameters: they range over all tuples and cannot be assigned.
    pub params: Vec<StateVar>,
    /// What it does.
    pub body: Vec<Command>,
    /// What its havocs pick, in the order they are written.
    pub choices: Vec<Choice>,
    /// Where it was written.
    pub span: Span,
}

/// A havoc of an action, by its position among the action's havocs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ChoiceId(pub u32);

/// What one havoc picks: a value for every match of its pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The name of the symbol it is assigned to; a second havoc of the same symbol in the same
    /// action is called `name#2`, and so on.
    pub name: Name,
    /// The sorts of the pattern variables, in the order of their first occurrence.
    pub params: Vec<Sort>,
    /// The sort of the value; `None` for a relation.
    pub result: Option<Sort>,
}

/// One statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// The action is possible only if this holds here. Closed but for the action's parameters.
    Require(StateFormula, Span),
    /// Changes one symbol at all matched locations at once.
    Assign(Assignment),
    /// Changes several symbols at once: every left argument and right side is read before anything
    /// is written. No symbol is written twice, and nothing is picked freely.
    Together(Vec<Assignment>, Span),
    /// Continues with one of two blocks.
    If(StateFormula, Vec<Command>, Vec<Command>, Span),
    /// Picks new values for these symbols so that a formula over old and new state holds; the
    /// choices are one for each symbol, with the symbol's own rank.
    Relate(Vec<(SymbolId, ChoiceId)>, StepFormula, Span),
}

/// `target(arguments) := value`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// What changes.
    pub target: SymbolId,
    /// Where it changes.
    pub arguments: Vec<Argument>,
    /// What it becomes there.
    pub value: RightSide,
    /// Where this was written.
    pub span: Span,
}

/// One argument on the left of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    /// At this element; evaluated before the assignment.
    At(StateTerm),
    /// At every element; the variable may be used on the right. A `*` is a variable called `*1`,
    /// `*2` and so on, which no text can mention.
    Every(StateVar),
}

/// The right side of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RightSide {
    /// A truth value, for a relation.
    Formula(StateFormula),
    /// An element or integer, for a function.
    Term(StateTerm),
    /// Any value, picked independently at every match.
    Havoc(ChoiceId),
}

impl Assignment {
    /// The distinct pattern variables, in the order of their first occurrence.
    pub fn pattern_vars(&self) -> Vec<StateVar> {
        let mut vars: Vec<StateVar> = Vec::new();
        for argument in &self.arguments {
            if let Argument::Every(var) = argument
                && !vars.contains(var)
            {
                vars.push(var.clone());
            }
        }
        vars
    }
}
