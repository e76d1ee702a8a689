//! Modules, objects and instances expanded: a flat file with qualified names.

pub(in crate::frontend::ivy) mod declared_names;
pub(in crate::frontend::ivy) mod expand_modules;
pub(in crate::frontend::ivy) mod scope;
