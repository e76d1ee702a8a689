//! What a protocol is and means: signature, axioms, initial condition, actions, properties, and
//! two independent semantics. Never hears of proofs.

mod command;
mod element_names;
mod enumeration;
mod execute;
mod expected_run;
mod formula_size;
mod instance;
mod premise;
mod print;
mod read_write_sets;
mod replay;
mod signature;
mod step_formula;
mod structure;
mod transition;
mod well_formed;

pub use command::{Action, Argument, Assignment, Choice, ChoiceId, Command, RightSide};
pub use element_names::{element_name, print_size};
pub use execute::{
    ChoiceValues, ExecutionError, Invocation, SuccessorState, execute, execute_with, successors,
};
pub use expected_run::{Beginning, Expectation, ExpectedRun, ExpectedStep, RunPart};
pub use formula_size::{Weight, guard_weight};
pub use instance::{Size, State, blank_state, element_count, extents, least_extent, sizes_up_to};
pub use premise::premise;
pub use print::{
    print_action, print_assignment, print_goal, print_goals, print_protocol,
    print_sort_declaration, print_symbol_declaration,
};
pub use read_write_sets::{symbols_read, symbols_written};
pub use replay::choose_witness::{Blocked, ReachedState, execute_to};
pub use replay::external_trace::{ExternalStep, ExternalTrace};
pub use replay::trace::{ReplayError, Step, Trace};
pub use signature::{
    NamedDefinition, OneState, Rigidity, Signature, Sort, SortId, StateFormula, StateTerm,
    StateVar, StepFormula, StepSymbol, StepTerm, StepVar, Symbol, SymbolId, TwoStates,
};
pub use step_formula::{StepNames, transition};
pub use structure::{Family, OnSort, Structure, StructureKind, successor_in};
pub use transition::{ActionSummary, summarize};
pub use well_formed::{is_declared, is_well_formed};

use std::collections::BTreeSet;

use crate::logic::{Formula, Name, Var, split_universal};
use crate::source::Span;

/// A protocol: everything is resolved and well-sorted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protocol {
    /// The name, taken from the file.
    pub name: Name,
    /// Sorts and symbols.
    pub signature: Signature,
    /// Facts about the rigid symbols.
    pub axioms: Vec<Statement>,
    /// Conditions on the initial state; what none constrains is arbitrary.
    pub init: Vec<Statement>,
    /// The actions, as written.
    pub actions: Vec<Action>,
    /// The `safety` lines, then the `lemma` lines.
    pub properties: Vec<Property>,
    /// The runs that the text expects; no verdict depends on them.
    pub expected_runs: Vec<ExpectedRun>,
}

/// A closed formula with its label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The label, if one was written.
    pub label: Option<Name>,
    /// The closed formula.
    pub formula: StateFormula,
    /// Where it was written.
    pub span: Span,
}

/// What a property is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PropertyKind {
    /// What the user wants.
    Safety,
    /// Something proved on the way.
    Lemma,
}

/// A property `∀ vars. matrix`, where `vars` is the outermost universal block, possibly empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Unique among the properties.
    pub name: Name,
    /// What it is for.
    pub kind: PropertyKind,
    /// Whether the other properties say something only if it holds: nothing happens after it fails.
    pub is_owed: bool,
    /// The universally quantified variables; a violation names one element for each.
    pub vars: Vec<StateVar>,
    /// What holds of them; its quantifiers range over whatever there is in the state at hand.
    pub matrix: StateFormula,
    /// Where it was written.
    pub span: Span,
}

impl Property {
    /// A closed formula as a property; no variable of it is called like a `reserved` name.
    pub fn new(
        (name, kind): (Name, PropertyKind),
        formula: &StateFormula,
        reserved: &BTreeSet<Name>,
        span: Span,
    ) -> Self {
        let (vars, matrix) = split_universal(formula, reserved);
        Property { name, kind, is_owed: false, vars, matrix, span }
    }

    /// The property as one closed formula.
    pub fn formula(&self) -> StateFormula {
        Formula::forall(self.vars.clone(), self.matrix.clone())
    }
}

impl Protocol {
    /// The conjunction of the axioms.
    pub fn axiom(&self) -> StateFormula {
        Formula::and(self.axioms.iter().map(|axiom| axiom.formula.clone()))
    }

    /// The conjunction of the initial conditions.
    pub fn initial(&self) -> StateFormula {
        Formula::and(self.init.iter().map(|init| init.formula.clone()))
    }

    /// Whether there is anything that the user wants proved.
    pub fn states_safety(&self) -> bool {
        self.properties.iter().any(|property| property.kind == PropertyKind::Safety)
    }

    /// The action called `name` and its position.
    pub fn action(&self, name: &str) -> Option<(usize, &Action)> {
        self.actions.iter().enumerate().find(|(_, action)| &*action.name == name)
    }

    /// The property called `name` and its position.
    pub fn property(&self, name: &str) -> Option<(usize, &Property)> {
        self.properties.iter().enumerate().find(|(_, property)| &*property.name == name)
    }

    /// The variables for the arguments of a symbol: `x1, x2, …`.
    pub fn argument_vars(&self, symbol: SymbolId) -> Vec<StateVar> {
        let params = &self.signature.symbol(symbol).params;
        let named = params.iter().enumerate();
        named.map(|(index, sort)| Var::new(format!("x{}", index + 1), *sort)).collect()
    }
}
