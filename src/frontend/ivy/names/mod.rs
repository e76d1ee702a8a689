//! Modules, objects and instances expanded: a flat file with qualified names.

pub(crate) mod declared_names;
pub(crate) mod expand_modules;
pub(crate) mod scope;
