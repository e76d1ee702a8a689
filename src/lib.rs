//! rmlcut.
