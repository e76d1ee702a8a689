//! Pictures: states, graphs and cutoffs as SVG. Nothing here decides anything.

mod arrange;
mod arrows;
mod cutoff;
mod film;
mod graph;
mod layered;
mod markup;
mod state_picture;

pub use cutoff::cutoff_picture;
pub use film::{
    ElementId, ElementNaming, Film, Filming, Item, ItemChanges, ItemPlace, SymbolWord, SymbolWords,
    TooLarge, own_names,
};
pub use graph::{GraphArrow, GraphNode, graph};
pub use markup::{Attributes, Markup};
pub use state_picture::{COLOURS, Frame, Stage};
