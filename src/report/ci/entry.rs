//! A result as a cache keeps it.

use serde::{Deserialize, Serialize};

use super::Finding;
use crate::report::json::print;

/// A result, and what it is found by.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// What it is found by: an entry under another name is foreign.
    pub key: String,
    /// How the program ended.
    pub status: u8,
    /// What it wrote.
    pub output: String,
    /// What there was to look at.
    pub findings: Vec<Finding>,
}

impl Entry {
    /// As text.
    pub fn text(&self) -> String {
        print(self)
    }

    /// From text; nothing if it is not exactly an entry.
    pub fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}
