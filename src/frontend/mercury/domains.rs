//! Data domains: which values flow together, and which of them are unbounded.
//!
//! What is assigned to or compared with each other has its values from one domain. A domain whose
//! declarations have no range, or one too large to be written out, is a sort of its own; its values
//! are only stored and compared for equality, so the sort needs nothing but elements.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::codes;
use super::parse::tree::Interval;
use super::table::Table;
use crate::diagnostic::Diagnostic;
use crate::logic::Name;
use crate::source::Span;

/// The most values of a range that are written out one by one.
pub(crate) const MOST_LISTED: i64 = 1_000;

/// What carries values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Carrier {
    /// A variable of the process, or of the environment.
    Variable(bool, Name),
    /// The value of a message.
    Payload(Name),
    /// The values that an agreement decides.
    Decision(Name),
}

impl Carrier {
    /// How a message names it.
    pub(crate) fn words(&self) -> String {
        match self {
            Carrier::Variable(_, name) => format!("`{name}`"),
            Carrier::Payload(name) => format!("`{name}.payld`"),
            Carrier::Decision(name) => format!("`{name}.decVar`"),
        }
    }
}

/// A line by which two carriers share their values.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// One.
    pub(crate) left: Carrier,
    /// The other.
    pub(crate) right: Carrier,
    /// The line.
    pub(crate) span: Span,
}

/// An operation that needs more of a value than its equality with others.
#[derive(Clone, Debug)]
pub(crate) struct Breach {
    /// The value.
    pub(crate) carrier: Carrier,
    /// The operation, as it is written.
    pub(crate) operation: String,
    /// Where.
    pub(crate) span: Span,
}

/// What a file does with its values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Uses {
    /// The lines by which carriers share values.
    pub(crate) flows: Vec<Flow>,
    /// The operations other than equality.
    pub(crate) breaches: Vec<Breach>,
}

/// A data domain: a sort of the lowered protocol.
#[derive(Clone, Debug)]
pub(crate) struct Domain {
    /// The first thing that was declared with it.
    pub(crate) first: Name,
}

/// The data domains of a file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Domains {
    /// The domains, in the order of their first declarations.
    pub(crate) list: Vec<Domain>,
    of: BTreeMap<Carrier, usize>,
}

impl Domains {
    /// The domain of a carrier; none if its values are written out.
    pub(crate) fn of(&self, carrier: &Carrier) -> Option<usize> {
        self.of.get(carrier).copied()
    }

    /// The domain of the value of a message.
    pub(crate) fn payload(&self, message: &Name) -> Option<usize> {
        self.of(&Carrier::Payload(message.clone()))
    }

    /// The domain of what an agreement decides.
    pub(crate) fn decision(&self, agreement: &Name) -> Option<usize> {
        self.of(&Carrier::Decision(agreement.clone()))
    }
}

/// A declaration of a carrier.
#[derive(Clone, Copy)]
struct Declared {
    interval: Interval,
    initial: Option<(i64, Span)>,
    span: Span,
}

/// Finds the domains of a file whose expressions are of the right kinds.
pub(crate) fn infer(table: &Table<'_>, diagnostics: &mut Vec<Diagnostic>) -> Domains {
    let declared = declarations(table);
    let uses = super::rules::uses::uses(table);
    let mut finder = Finder { declared, uses, class: BTreeMap::new() };
    finder.join(diagnostics);
    let mut domains = Domains::default();
    for (members, kind) in finder.classes() {
        let index = domains.list.len();
        if kind == ClassKind::Listed {
            continue;
        }
        let Some(first) = finder.first(table, &members) else { continue };
        finder.check(&members, kind, diagnostics);
        domains.list.push(Domain { first });
        domains.of.extend(members.into_iter().map(|member| (member, index)));
    }
    domains
}

/// How the values of a class are represented.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClassKind {
    Listed,
    Unbounded,
    Large,
}

fn declarations(table: &Table<'_>) -> BTreeMap<Carrier, Declared> {
    let mut found = BTreeMap::new();
    let environment = table.file.environment.as_ref().map(|(_, machine)| (true, machine));
    for (env, machine) in [(false, &table.file.process)].into_iter().chain(environment) {
        for line in &machine.variables {
            if let super::parse::tree::VariableKind::Integer(interval, initial) = &line.kind {
                let initial = initial.as_ref().map(|initial| (initial.value, initial.span));
                let declared = Declared { interval: *interval, initial, span: line.name.span };
                found.insert(Carrier::Variable(env, line.name.value.clone()), declared);
            }
        }
    }
    for action in &table.file.actions {
        if let Some(interval) = action.payload {
            let declared = Declared { interval, initial: None, span: action.name.span };
            found.insert(Carrier::Payload(action.name.value.clone()), declared);
        }
    }
    found
}

struct Finder {
    declared: BTreeMap<Carrier, Declared>,
    uses: Uses,
    /// The class of each carrier: its least member.
    class: BTreeMap<Carrier, Carrier>,
}

impl Finder {
    fn root(&self, carrier: &Carrier) -> Carrier {
        let mut at = carrier;
        while let Some(above) = self.class.get(at) {
            at = above;
        }
        at.clone()
    }

    fn bounded(&self, root: &Carrier) -> Option<(&Carrier, &Declared)> {
        self.declared.iter().find(|(carrier, _)| self.root(carrier) == *root)
    }

    /// Joins what flows together; a line between a range and no range is refused, and joins nothing.
    fn join(&mut self, diagnostics: &mut Vec<Diagnostic>) {
        for index in 0..self.uses.flows.len() {
            let Flow { left, right, span } = self.uses.flows[index].clone();
            let (one, other) = (self.root(&left), self.root(&right));
            if one == other {
                continue;
            }
            if let (Some((_, a)), Some((_, b))) = (self.bounded(&one), self.bounded(&other))
                && a.interval.bounded != b.interval.bounded
            {
                let (without, with) = if a.interval.bounded { (b, a) } else { (a, b) };
                let message = format!(
                    "{} and {} have their values from different domains: one is declared without a range",
                    left.words(),
                    right.words()
                );
                let refusal = Diagnostic::error(codes::DOMAIN, message, span)
                    .also(without.span, "declared without a range")
                    .also(with.span, "declared with a range")
                    .hint("declare both with the same range, or both as `int`");
                diagnostics.push(refusal);
                continue;
            }
            self.class.insert(one, other);
        }
    }

    /// The classes, in the order of their first members.
    fn classes(&self) -> Vec<(Vec<Carrier>, ClassKind)> {
        let ends = self.uses.flows.iter().flat_map(|flow| [&flow.left, &flow.right]);
        let all: BTreeSet<&Carrier> = self.declared.keys().chain(ends).collect();
        let mut classes: BTreeMap<Carrier, Vec<Carrier>> = BTreeMap::new();
        for carrier in all {
            classes.entry(self.root(carrier)).or_default().push(carrier.clone());
        }
        let place = |members: &Vec<Carrier>| {
            members.iter().filter_map(|member| self.declared.get(member)).map(|d| d.span).min()
        };
        let mut classes: Vec<Vec<Carrier>> = classes.into_values().collect();
        classes.sort_by_key(place);
        let kind = |members: &[Carrier]| {
            let intervals = || {
                let declared = members.iter().filter_map(|member| self.declared.get(member));
                declared.map(|declared| declared.interval)
            };
            let is_long = |interval: Interval| {
                interval.highest.saturating_sub(interval.lowest) >= MOST_LISTED
            };
            if intervals().any(|interval| !interval.bounded) {
                ClassKind::Unbounded
            } else if intervals().any(is_long) {
                ClassKind::Large
            } else {
                ClassKind::Listed
            }
        };
        classes
            .into_iter()
            .map(|members| {
                let kind = kind(&members);
                (members, kind)
            })
            .collect()
    }

    /// The declaration that names a class: a variable if there is one.
    fn first(&self, table: &Table<'_>, members: &[Carrier]) -> Option<Name> {
        let variables = table.file.process.variables.iter();
        let variables = variables.map(|line| Carrier::Variable(false, line.name.value.clone()));
        let first = variables
            .chain(members.iter().cloned())
            .find(|carrier| members.contains(carrier) && self.declared.contains_key(carrier))?;
        match first {
            Carrier::Variable(_, name) | Carrier::Payload(name) | Carrier::Decision(name) => {
                Some(name)
            }
        }
    }

    /// Refuses what a domain without written-out values cannot do.
    fn check(&self, members: &[Carrier], kind: ClassKind, diagnostics: &mut Vec<Diagnostic>) {
        for breach in self.uses.breaches.iter().filter(|breach| members.contains(&breach.carrier)) {
            diagnostics.push(self.refusal(breach, kind));
        }
        let declared: Vec<(&Carrier, &Declared)> = members
            .iter()
            .filter_map(|member| Some((member, self.declared.get(member)?)))
            .collect();
        if kind == ClassKind::Unbounded {
            for (carrier, (value, span)) in
                declared.iter().filter_map(|(carrier, declared)| Some((carrier, declared.initial?)))
            {
                let message = format!(
                    "{} has no range: its first value is any one, not {value}",
                    carrier.words()
                );
                let refusal = Diagnostic::error(codes::DOMAIN, message, span);
                diagnostics.push(refusal.hint("leave it out: `default(v)` stands for that value"));
            }
            return;
        }
        let (Some((first, one)), rest) = (declared.first(), declared.iter().skip(1)) else {
            return;
        };
        let start =
            |declared: &Declared| declared.initial.map_or(declared.interval.lowest, |i| i.0);
        for (carrier, other) in rest {
            let same_range = (one.interval.lowest, one.interval.highest)
                == (other.interval.lowest, other.interval.highest);
            let is_variable = |carrier: &Carrier| matches!(carrier, Carrier::Variable(..));
            let same_start =
                !is_variable(carrier) || !is_variable(first) || start(one) == start(other);
            if same_range && same_start {
                continue;
            }
            let what = if same_range { "first values" } else { "ranges" };
            let message = format!(
                "{} and {} share their values, have different {what}, and a range is too large to be written out",
                first.words(),
                carrier.words()
            );
            let refusal = Diagnostic::error(codes::TOO_LARGE, message, other.span);
            let hint = "give both the same range and first value, or make the ranges smaller";
            diagnostics.push(refusal.also(one.span, "the other one").hint(hint));
        }
    }

    /// The message about an operation, with the lines by which its value belongs to the domain.
    fn refusal(&self, breach: &Breach, kind: ClassKind) -> Diagnostic {
        let words = breach.carrier.words();
        let (code, message, hint) = match kind {
            ClassKind::Large => (
                codes::TOO_LARGE,
                format!(
                    "`{}` on {words}, whose range is too large to be written out",
                    breach.operation
                ),
                "values of such a range can be stored and compared for equality; make the range smaller for anything else",
            ),
            _ => (
                codes::DOMAIN,
                format!("`{}` on {words}, which has no range", breach.operation),
                "values without a range can be stored and compared with each other for equality; declare a range, as in `int[1,3]`, for anything else",
            ),
        };
        let mut refusal = Diagnostic::error(code, message, breach.span);
        let (path, end) = self.chain(&breach.carrier);
        for flow in path {
            let words =
                format!("so {} has the values of {}", flow.left.words(), flow.right.words());
            refusal = refusal.also(flow.span, words);
        }
        if let Some(declared) = self.declared.get(&end) {
            refusal = refusal.also(declared.span, format!("{} is declared here", end.words()));
        }
        refusal.hint(hint)
    }

    /// The shortest way along flows from a carrier to one that is declared.
    fn chain(&self, from: &Carrier) -> (Vec<&Flow>, Carrier) {
        let mut came: BTreeMap<Carrier, Option<(Carrier, &Flow)>> =
            BTreeMap::from([(from.clone(), None)]);
        let mut queue = VecDeque::from([from.clone()]);
        while let Some(at) = queue.pop_front() {
            if self.declared.contains_key(&at) {
                let mut path = Vec::new();
                let mut back = at.clone();
                while let Some(Some((before, flow))) = came.get(&back) {
                    path.push(*flow);
                    back = before.clone();
                }
                path.reverse();
                return (path, at);
            }
            for flow in &self.uses.flows {
                let next = match (flow.left == at, flow.right == at) {
                    (true, _) => &flow.right,
                    (_, true) => &flow.left,
                    _ => continue,
                };
                if !came.contains_key(next) {
                    came.insert(next.clone(), Some((at.clone(), flow)));
                    queue.push_back(next.clone());
                }
            }
        }
        (Vec::new(), from.clone())
    }
}
