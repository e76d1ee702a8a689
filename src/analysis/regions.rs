//! The domain cutoffs that Venus prints for a process: regions of locations and variables, the
//! number of values in a region, and the number of variables outside.
//!
//! They are reported and compared, and never believed: the printed theorem is false, and no verdict
//! depends on anything here. The reading: the environment and first values are sources that lie in
//! no region; the region of a consensus is expanded, also by pairs that support each other; where
//! processes start is merged in if no process is in the region meanwhile, else some first value has
//! to be in the region.

use std::collections::{BTreeMap, BTreeSet};

use crate::logic::Name;
use crate::process::{DataId, DataSource, Event, EventId, EventKind, Leaf, PointId, Process, Role};

/// A variable at a location.
pub type Pair = (PointId, DataId);

/// What is printed for one domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PrintedCutoff {
    /// The sort of its values.
    pub sort: Name,
    /// The region; `None` if no region satisfies the conditions.
    pub region: Option<Region>,
}

/// A region that satisfies the conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Its pairs.
    pub pairs: BTreeSet<Pair>,
    /// How many values it is claimed to have at a time.
    pub inside: usize,
    /// How many values each process is claimed to have outside.
    pub outside: usize,
}

impl Region {
    /// The number of values that is printed.
    pub fn cutoff(&self) -> usize {
        self.inside + self.outside
    }
}

/// Pairs, and how many values are said to be in them at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    pairs: BTreeSet<Pair>,
    values: usize,
}

/// What is printed for every domain of a process; `apart` says whether no process is at one point
/// while another one is at the other.
pub fn printed_cutoffs(
    process: &Process,
    apart: &dyn Fn(PointId, PointId) -> bool,
) -> Vec<PrintedCutoff> {
    let mut sorts: Vec<Name> = Vec::new();
    for data in &process.data {
        if !sorts.contains(&data.sort) {
            sorts.push(data.sort.clone());
        }
    }
    let printed = sorts.into_iter().map(|sort| {
        let region = Regions::new(process, &sort, apart).choose();
        PrintedCutoff { sort, region }
    });
    printed.collect()
}

struct Regions<'a> {
    process: &'a Process,
    variables: Vec<DataId>,
    /// Where the value of each pair may come from; `None` is the environment or a first value.
    sources: BTreeMap<Pair, BTreeSet<Option<Pair>>>,
    apart: &'a dyn Fn(PointId, PointId) -> bool,
}

impl<'a> Regions<'a> {
    fn new(process: &'a Process, sort: &Name, apart: &'a dyn Fn(PointId, PointId) -> bool) -> Self {
        let of_sort = |(index, _): &(usize, &crate::process::Data)| DataId(*index);
        let variables = process.data.iter().enumerate();
        let variables: Vec<DataId> =
            variables.filter(|(_, data)| data.sort == *sort).map(|own| of_sort(&own)).collect();
        let mut regions = Regions { process, variables, sources: BTreeMap::new(), apart };
        regions.flow();
        regions
    }

    /// Where the value of each pair may come from.
    fn flow(&mut self) {
        let mut sources: BTreeMap<Pair, BTreeSet<Option<Pair>>> = BTreeMap::new();
        for leaf in &self.process.leaves {
            for variable in self.variables.iter().copied() {
                let written = leaf.data.writes.iter().find(|(target, _)| *target == variable);
                let own = sources.entry((leaf.target, variable)).or_default();
                match written.map(|(_, source)| *source) {
                    None => {
                        own.insert(Some((leaf.source, variable)));
                    }
                    Some(DataSource::Variable(from)) => {
                        own.insert(Some((leaf.source, from)));
                    }
                    Some(DataSource::Default) => {
                        own.insert(None);
                    }
                    Some(DataSource::Payload) => own.extend(self.sent(leaf.event)),
                    Some(DataSource::Decided(_)) => own.extend(self.proposed(leaf.event)),
                }
            }
        }
        let first = self.process.initial.point;
        for variable in &self.variables {
            sources.entry((first, *variable)).or_default().insert(None);
        }
        self.sources = sources;
    }

    /// Where a value that is sent comes from.
    fn sent(&self, event: EventId) -> BTreeSet<Option<Pair>> {
        match self.process.event(event).kind {
            EventKind::EnvironmentRendezvous | EventKind::EnvironmentBroadcast => {
                BTreeSet::from([None])
            }
            _ => self.carried_by(event, |leaf| leaf.data.sends),
        }
    }

    /// Where a value that is decided comes from.
    fn proposed(&self, event: EventId) -> BTreeSet<Option<Pair>> {
        self.carried_by(event, |leaf| leaf.data.proposes.map(DataSource::Variable))
    }

    fn carried_by(
        &self,
        event: EventId,
        value: impl Fn(&Leaf) -> Option<DataSource>,
    ) -> BTreeSet<Option<Pair>> {
        let own = self.process.leaves.iter().filter(|leaf| leaf.event == event);
        own.filter_map(|leaf| match value(leaf)? {
            DataSource::Variable(variable) => Some(Some((leaf.source, variable))),
            DataSource::Payload | DataSource::Decided(_) | DataSource::Default => Some(None),
        })
        .collect()
    }

    /// The regions that the printed algorithm starts from, expanded.
    fn parts(&self) -> Vec<Part> {
        let mut parts = Vec::new();
        for (index, event) in self.process.events.iter().enumerate() {
            if let EventKind::Consensus { values, .. } = event.kind {
                let pairs = self.deciding(EventId(index));
                if !pairs.is_empty() {
                    parts.push(self.expand(Part { pairs, values }));
                }
            }
        }
        for point in (0..self.process.points.len()).map(PointId) {
            if self.is_for_one(point) {
                let pairs = self.variables.iter().map(|variable| (point, *variable)).collect();
                parts.push(self.expand(Part { pairs, values: self.variables.len() }));
            }
        }
        parts
    }

    /// The pairs that take what an agreement decides.
    fn deciding(&self, event: EventId) -> BTreeSet<Pair> {
        let own = self.process.leaves.iter().filter(|leaf| leaf.event == event);
        let writes = own.flat_map(|leaf| {
            let decided = leaf.data.writes.iter().filter(|(variable, source)| {
                matches!(source, DataSource::Decided(_)) && self.variables.contains(variable)
            });
            decided.map(|(variable, _)| (leaf.target, *variable))
        });
        writes.collect()
    }

    /// Whether one process at a time is at a point, as winning alone is the only way there.
    fn is_for_one(&self, point: PointId) -> bool {
        let mut ways = self.process.leaves.iter().filter(|leaf| leaf.target == point).peekable();
        let wins_alone = |leaf: &Leaf| {
            let Event { kind, .. } = self.process.event(leaf.event);
            leaf.role == Role::Win && matches!(kind, EventKind::Partition { winners: 1, .. })
        };
        ways.peek().is_some() && ways.all(wins_alone) && self.process.initial.point != point
    }

    /// Adds the pairs whose values come from the region only, also where they support each other.
    fn expand(&self, part: Part) -> Part {
        let mut pairs: BTreeSet<Pair> = self.sources.keys().copied().collect();
        pairs.extend(&part.pairs);
        loop {
            let supported = |pair: &Pair| {
                let from = |source: &Option<Pair>| source.is_some_and(|from| pairs.contains(&from));
                part.pairs.contains(pair) || self.sources[pair].iter().all(from)
            };
            let kept: BTreeSet<Pair> = pairs.iter().copied().filter(supported).collect();
            if kept == pairs {
                return Part { pairs, ..part };
            }
            pairs = kept;
        }
    }

    fn are_apart(&self, one: &BTreeSet<Pair>, other: &BTreeSet<Pair>) -> bool {
        one.iter().all(|(left, _)| {
            other.iter().all(|(right, _)| left != right && (self.apart)(*left, *right))
        })
    }

    /// The least region that satisfies the conditions.
    fn choose(&self) -> Option<Region> {
        let first = self.process.initial.point;
        let start: BTreeSet<Pair> =
            self.variables.iter().map(|variable| (first, *variable)).collect();
        let mut candidates: Vec<Part> = vec![Part { pairs: BTreeSet::new(), values: 0 }];
        for part in self.parts() {
            let merged: Vec<Part> = candidates
                .iter()
                .filter(|known| self.are_apart(&known.pairs, &part.pairs))
                .map(|known| Part {
                    pairs: known.pairs.union(&part.pairs).copied().collect(),
                    values: known.values.max(part.values),
                })
                .collect();
            candidates.extend(merged);
            candidates.push(part);
            candidates.truncate(MAX_CANDIDATES);
        }
        let with_start = candidates.into_iter().filter_map(|part| {
            if self.are_apart(&part.pairs, &start) {
                let pairs = part.pairs.union(&start).copied().collect();
                return Some(Part { pairs, values: part.values.max(1) });
            }
            start.iter().any(|pair| part.pairs.contains(pair)).then_some(part)
        });
        let encompassing = with_start.filter(|part| self.is_encompassing(&part.pairs));
        let regions = encompassing.map(|part| Region {
            inside: part.values,
            outside: self.outside(&part.pairs),
            pairs: part.pairs,
        });
        regions.min_by_key(|region| (region.inside, region.outside, region.pairs.len()))
    }

    /// The variables that are outside somewhere.
    fn outside(&self, pairs: &BTreeSet<Pair>) -> usize {
        let everywhere = |variable: &&DataId| {
            let mut own = self.sources.keys().filter(|(_, other)| other == *variable);
            own.all(|pair| pairs.contains(pair))
        };
        self.variables.len() - self.variables.iter().filter(everywhere).count()
    }

    /// Whether a region has the destinations of consensus, what broadcasts send, and what the
    /// properties read.
    fn is_encompassing(&self, pairs: &BTreeSet<Pair>) -> bool {
        let events = (0..self.process.events.len()).map(EventId);
        let decided = events.clone().flat_map(|event| self.deciding(event));
        let sent = events
            .filter(|event| self.process.event(*event).kind == EventKind::Broadcast)
            .flat_map(|event| self.sent(event))
            .flatten();
        let needed = decided.chain(sent).chain(self.read_by_properties());
        needed.into_iter().all(|pair| !self.variables.contains(&pair.1) || pairs.contains(&pair))
    }

    fn read_by_properties(&self) -> Vec<Pair> {
        let all = self.process.specifications.iter();
        all.flat_map(|specification| specification.requirement.data_read()).collect()
    }
}

/// The most combinations of regions that are looked at.
const MAX_CANDIDATES: usize = 1 << 12;
