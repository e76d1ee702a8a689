//! Which sorts are data, and how many values of each are enough, as JSON.

use serde::Serialize;

use super::{Data, data};
use crate::analysis::regions::Region;
use crate::report::text::analysis::domains::ShownDomains;

#[derive(Serialize)]
struct DomainReport<'a> {
    sort: &'a str,
    is_data: bool,
    breaks: Vec<String>,
    /// What Venus prints; no proof.
    printed: Option<PrintedReport>,
    /// How many values are enough, as far as the obligations of a certificate show.
    checked: Option<usize>,
}

#[derive(Serialize)]
struct PrintedReport {
    is_proof: bool,
    cutoff: Option<usize>,
    inside: Option<usize>,
    outside: Option<usize>,
    region: Option<String>,
}

/// The domains as data.
pub fn json(shown: &ShownDomains<'_>) -> Data {
    let sorts = shown.domains.sorts.iter().map(|own| {
        let printed = shown.printed(own.sort).map(|printed| {
            let region = printed.region.as_ref();
            PrintedReport {
                is_proof: false,
                cutoff: region.map(Region::cutoff),
                inside: region.map(|region| region.inside),
                outside: region.map(|region| region.outside),
                region: region.map(|region| shown.region(region)),
            }
        });
        DomainReport {
            sort: shown.sort(own.sort),
            is_data: own.is_data(),
            breaks: own.breaks.iter().map(|place| shown.broken(place)).collect(),
            printed,
            checked: shown.domains.checked.get(&own.sort).copied(),
        }
    });
    data(&sorts.collect::<Vec<_>>())
}
