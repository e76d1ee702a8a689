//! Variables whose values are only stored and compared: what a path does with them.

use crate::logic::Name;
use crate::source::Span;

/// A data variable, by its position in [`super::Process::data`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DataId(pub usize);

/// A variable whose values are those of a sort, which has any number of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Data {
    /// Its name.
    pub name: Name,
    /// The function of the lowered protocol that gives its value.
    pub function: Name,
    /// The sort of its values.
    pub sort: Name,
    /// Whether it is a value of a message or an agreement that is used after resting.
    pub remembered: bool,
    /// Where it is declared.
    pub span: Span,
}

/// Where a value comes from, as of before the step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DataSource {
    /// A variable of the process.
    Variable(DataId),
    /// The message that is received.
    Payload,
    /// The decision of the agreement, by its position.
    Decided(usize),
    /// The first value of every variable of its sort.
    Default,
}

/// What a path does with values of data domains.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeafData {
    /// The equalities that it depends on, and whether they hold.
    pub conditions: Vec<(DataSource, DataSource, bool)>,
    /// The variables that change.
    pub writes: Vec<(DataId, DataSource)>,
    /// The value that it sends.
    pub sends: Option<DataSource>,
    /// The variable that it proposes.
    pub proposes: Option<DataId>,
}
