//! rmlcut: safety of distributed protocols at any size, by checking one small instance.

mod keywords;
pub mod source;

pub mod diagnostic;

pub mod effort;

pub mod budget;

pub mod logic;

pub mod protocol;

pub mod certificate;

pub mod synthesis;

pub mod frontend;

pub mod elaborate;

pub mod smt;

pub mod lint;

pub mod finite;

pub mod judge;

pub mod coverage;

pub mod explain;

pub mod evidence;

pub mod analysis;

pub mod prove;

pub mod export;

pub mod report;

pub mod pipeline;

pub mod cli;
