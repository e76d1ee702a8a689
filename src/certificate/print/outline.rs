//! A certificate with every expression as text: what the `.cut` form and the JSON form both say. The
//! fields are those of `grammar/certificate.schema.json`.

use serde::{Serialize, Serializer};

use crate::certificate::Mode;
use crate::logic::print_application;

/// A whole certificate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Outline {
    /// The name under which the header knows the protocol.
    pub protocol: String,
    /// The digest of the protocol's text.
    #[serde(rename = "sha256")]
    pub digest: String,
    /// The version of the program that writes it.
    #[serde(rename = "rmlcut")]
    pub version: String,
    /// What is added to `L`.
    pub history: HistoryOutline,
    /// Lemmas that the protocol does not have.
    pub lemmas: Vec<Labelled>,
    /// The order of the properties, if it is not as written.
    pub rank: Option<Vec<String>>,
    /// The cases of a cutoff argument.
    pub cases: Vec<CaseOutline>,
    /// The clauses of an invariant of the protocol itself.
    pub invariant: Option<Vec<Labelled>>,
}

/// History symbols, their first values, and what is assigned to them after which action.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct HistoryOutline {
    /// The declarations.
    pub symbols: Vec<String>,
    /// The initial values.
    pub init: Vec<InitOutline>,
    /// The assignments after each action.
    pub after: Vec<AfterOutline>,
}

/// An initial value of history symbols; a label may be missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InitOutline {
    /// The label.
    pub name: Option<String>,
    /// The formula.
    pub formula: String,
}

/// What is assigned to history symbols after an action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AfterOutline {
    /// The action.
    pub action: String,
    /// The assignments.
    pub assignments: Vec<String>,
}

/// A formula with its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Labelled {
    /// The name.
    pub name: String,
    /// The formula.
    pub formula: String,
}

/// One case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseOutline {
    /// Its name.
    pub name: String,
    /// The property whose violations it simulates.
    pub property: String,
    /// The parameters with their sorts.
    pub params: Vec<ParamOutline>,
    /// The property's variables with the parameters that stand for them; none if none do.
    pub violators: Vec<ViolatorOutline>,
    /// What is known of the parameters.
    pub select: Vec<String>,
    /// The cut sorts.
    pub cut: Vec<CutOutline>,
    /// The rigid symbols of `C`.
    pub rigid: Vec<DefinitionOutline>,
    /// The first state of `C`.
    pub start: Vec<DefinitionOutline>,
    /// The actions that `C` does otherwise; `None` if it is not relaxed.
    pub relax: Option<Vec<String>>,
    /// Further properties of `C`.
    pub only: Vec<Labelled>,
    /// The clauses of γ.
    pub gamma: Vec<Labelled>,
    /// The answers to the actions of `L`.
    pub lockstep: Vec<LockstepOutline>,
    /// The clauses of the invariant that closes the case.
    pub close: Option<Vec<Labelled>>,
    /// The certificate that closes the case.
    pub certificate: Option<Box<Outline>>,
}

/// A parameter of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ParamOutline {
    /// Its name.
    pub name: String,
    /// Its sort.
    pub sort: String,
}

/// A variable of a property and the parameter that stands for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ViolatorOutline {
    /// The variable.
    pub variable: String,
    /// The parameter.
    pub param: String,
}

/// A cut sort.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CutOutline {
    /// The sort.
    pub sort: String,
    /// Its elements in `C`.
    pub elements: Vec<String>,
    /// The map, called like the sort.
    pub sim: DefinitionOutline,
}

/// `name(params) := value`
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DefinitionOutline {
    /// What is defined.
    pub name: String,
    /// Names for its arguments.
    pub params: Vec<String>,
    /// Its value.
    pub value: String,
    /// Whether it would be the same if it were not written.
    #[serde(rename = "default", serialize_with = "is_default")]
    pub origin: DefinitionOrigin,
}

/// Whether a definition needs to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefinitionOrigin {
    /// It is the default.
    Default,
    /// It is not.
    Written,
}

/// The answers to one action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LockstepOutline {
    /// The action of `L`.
    pub action: String,
    /// Names for its parameters.
    pub params: Vec<String>,
    /// The alternatives, first match first.
    pub alternatives: Vec<AlternativeOutline>,
}

/// One alternative.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AlternativeOutline {
    /// When it applies; `None` for always.
    pub when: Option<String>,
    /// What `C` does.
    pub moves: Vec<MoveOutline>,
}

/// One move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveOutline {
    /// Whether it must be possible.
    #[serde(rename = "try", serialize_with = "is_try")]
    pub mode: Mode,
    /// The action of `C`.
    pub action: String,
    /// Its arguments.
    #[serde(rename = "arguments")]
    pub args: Vec<String>,
    /// What its havocs pick.
    pub choices: Vec<DefinitionOutline>,
}

fn is_default<S: Serializer>(origin: &DefinitionOrigin, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_bool(*origin == DefinitionOrigin::Default)
}

fn is_try<S: Serializer>(mode: &Mode, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_bool(*mode == Mode::Try)
}

impl DefinitionOutline {
    /// The definition as one line.
    pub fn text(&self) -> String {
        format!("{} := {}", print_application(&self.name, &self.params), self.value)
    }
}
