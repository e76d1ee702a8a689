//! What `rmlcut synth` found, for programs.

use serde_json::{Value, json};

use super::synth;
use crate::protocol::Protocol;
use crate::prove::Outcome;

/// The outcome as one JSON document.
pub fn document(protocol: &Protocol, outcome: &Outcome, certificate: Option<&str>) -> String {
    let attempts = match outcome {
        Outcome::Unsafe(_) => Vec::new(),
        Outcome::Judged { attempts, .. } | Outcome::Nothing { attempts, .. } => attempts
            .iter()
            .map(|attempt| {
                json!({
                    "property": &*attempt.property,
                    "plan": attempt.plan,
                    "failure": attempt.failure,
                })
            })
            .collect::<Vec<Value>>(),
    };
    let document = json!({
        "protocol": &*protocol.name,
        "verdict": synth::verdict(protocol, outcome),
        "certificate": certificate,
        "attempts": attempts,
    });
    format!("{document:#}\n")
}
