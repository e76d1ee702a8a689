//! Which values occur together in reachable states, as JSON.

use std::collections::BTreeSet;

use serde::Serialize;

use crate::finite::{Combination, FiniteReason, SeenValue, Summary};
use crate::protocol::Protocol;
use crate::report::text::explore::reason_text;
use crate::report::text::value_summary::PlaceWords;

/// The values at a size, or why they are not known.
#[derive(Serialize)]
pub(super) struct ValuesReport {
    #[serde(skip_serializing_if = "Option::is_none")]
    unknown: Option<String>,
    instances: u64,
    states: String,
    left_out: Vec<String>,
    together: usize,
    combinations: Vec<CombinationReport>,
}

#[derive(Serialize)]
struct CombinationReport {
    places: Vec<String>,
    occurring: Vec<Vec<String>>,
    never: Vec<Vec<String>>,
}

impl ValuesReport {
    pub(super) fn new(protocol: &Protocol, summary: &Result<Summary, FiniteReason>) -> Self {
        let summary = match summary {
            Ok(summary) => summary,
            Err(reason) => {
                return ValuesReport {
                    unknown: Some(reason_text(reason)),
                    instances: 0,
                    states: "0".to_owned(),
                    left_out: Vec::new(),
                    together: 0,
                    combinations: Vec::new(),
                };
            }
        };
        let words = PlaceWords { protocol, summary };
        let combination = |own: &Combination| {
            let values = |list: &BTreeSet<Vec<SeenValue>>| {
                let row = |values: &Vec<SeenValue>| {
                    let pairs = own.places.iter().zip(values);
                    pairs.map(|(place, value)| words.value(*place, *value)).collect()
                };
                list.iter().map(row).collect()
            };
            CombinationReport {
                places: own.places.iter().map(|place| words.place(*place)).collect(),
                occurring: values(&own.occurring),
                never: values(&own.never),
            }
        };
        let left_out = summary.left_out.iter();
        ValuesReport {
            unknown: None,
            instances: summary.instances,
            states: summary.states.to_string(),
            left_out: left_out.map(|id| protocol.signature.symbol(*id).name.to_string()).collect(),
            together: summary.together,
            combinations: summary.combinations.iter().map(combination).collect(),
        }
    }
}
