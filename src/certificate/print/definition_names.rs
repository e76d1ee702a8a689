//! Which parts of an expression are written by the name of a definition.

use crate::certificate::{ProductFormula, ProductNames, ProductTerm, SystemState, Systems};
use crate::logic::{Name, instance_of};

impl ProductNames {
    /// The definition that a formula is an instance of, the state it is read in, and its arguments.
    pub(in crate::certificate) fn defined(
        &self,
        formula: &ProductFormula,
    ) -> Option<(&Name, SystemState, Vec<ProductTerm>)> {
        let states: &[SystemState] = match self.systems {
            Systems::Both => &[SystemState::Large, SystemState::LargePost, SystemState::Cutoff],
            Systems::One => &[SystemState::Cutoff],
        };
        self.signature.definitions().iter().find_map(|definition| {
            states.iter().find_map(|state| {
                let (params, body) = self.definition_in(*state, definition);
                let args = instance_of(&params, &body, formula)?;
                Some((&definition.name, *state, args))
            })
        })
    }
}
