//! Text to surface tree; the only place that names the parser generator.

pub mod surface;
