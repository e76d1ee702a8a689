//! Which sorts are data, and how many values of each are enough, as text.

use crate::analysis::regions::{PrintedCutoff, Region};
use crate::analysis::{DataBreak, DataBreakKind, DataSort};
use crate::logic::Name;
use crate::pipeline::Domains;
use crate::protocol::{SortId, SymbolId};
use crate::report::text::counts::line;
use crate::source::SourceFile;

/// What `rmlcut show domains` shows.
pub struct ShownDomains<'a> {
    /// The text of the protocol.
    pub source: &'a SourceFile,
    /// What is known.
    pub domains: &'a Domains,
}

impl ShownDomains<'_> {
    /// The whole report.
    pub fn text(&self) -> String {
        let mut out = String::new();
        for own in &self.domains.sorts {
            line!(out, 0, "{:<12} {}", self.sort(own.sort), self.summary(own));
            for place in &own.breaks {
                line!(out, 1, "{}", self.broken(place));
            }
            if let Some(printed) = self.printed(own.sort) {
                line!(out, 1, "as printed {} (no proof)", self.printed_text(printed));
                if let Some(region) = &printed.region {
                    line!(out, 1, "  region   {}", self.region(region));
                }
            }
            if let Some(size) = self.domains.checked.get(&own.sort) {
                line!(out, 1, "checked    {size}");
            }
        }
        if !self.domains.printed.is_empty() {
            line!(out, 0, "No verdict depends on the printed conditions: they are wrong.");
        }
        out
    }

    /// The name of a sort.
    pub fn sort(&self, sort: SortId) -> &Name {
        self.domains.protocol.signature.sort_name(sort)
    }

    /// Whether a sort is data, and where its values are stored.
    pub fn summary(&self, own: &DataSort) -> String {
        if !own.breaks.is_empty() {
            return "not data: its values are not only stored and compared".to_owned();
        }
        if own.stores.is_empty() {
            return "not data: nothing stores its values".to_owned();
        }
        let stores = self.names(&own.stores);
        let constants = match own.constants.as_slice() {
            [] => String::new(),
            all => format!("; named {}", self.names(all)),
        };
        format!("data: only stored and compared, in {stores}{constants}")
    }

    fn names(&self, symbols: &[SymbolId]) -> String {
        let signature = &self.domains.protocol.signature;
        let names: Vec<&str> = symbols.iter().map(|id| &*signature.symbol(*id).name).collect();
        names.join(", ")
    }

    /// What is done with values that are not only stored and compared, with its place.
    pub fn broken(&self, place: &DataBreak) -> String {
        let labelled =
            |name: &Option<Name>| name.as_ref().map_or(String::new(), |name| format!(" `{name}`"));
        let what = match &place.kind {
            DataBreakKind::Listed => return "its elements are listed by name".to_owned(),
            DataBreakKind::Rigid(name) => {
                format!("`{name}` tells its values apart and never changes")
            }
            DataBreakKind::Indexes(name) => {
                format!("`{name}` has something for each of its values")
            }
            DataBreakKind::Axiom(name) => {
                format!("the axiom{} mentions its values", labelled(name))
            }
            DataBreakKind::Quantified(name) => {
                format!("`{name}` asks about all of its values, or about any")
            }
            DataBreakKind::Initial(name) => {
                format!("the initial condition{} asks for one of its values", labelled(name))
            }
            DataBreakKind::Property(name) => {
                format!("the property `{name}` asks for one of its values")
            }
        };
        format!("{}: {what}", self.source.position(place.span.start))
    }

    /// What Venus prints for a sort, if it is a domain of a process.
    pub fn printed(&self, sort: SortId) -> Option<&PrintedCutoff> {
        self.domains.printed.iter().find(|printed| printed.sort == *self.sort(sort))
    }

    fn printed_text(&self, printed: &PrintedCutoff) -> String {
        match &printed.region {
            None => "none: no region satisfies the conditions".to_owned(),
            Some(region) => {
                let Region { inside, outside, .. } = region;
                format!("{} = {inside} in the region + {outside} outside", region.cutoff())
            }
        }
    }

    /// The pairs of a region.
    pub fn region(&self, region: &Region) -> String {
        let Some(process) = &self.domains.process else { return String::new() };
        let pair = |(point, variable): &(crate::process::PointId, crate::process::DataId)| {
            format!("{}.{}", process.point(*point).name, process.data[variable.0].name)
        };
        region.pairs.iter().map(pair).collect::<Vec<_>>().join(", ")
    }
}
