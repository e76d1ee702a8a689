//! Phases, phase-compatibility and printed cutoffs of a process, as text.

use itertools::Itertools as _;

use crate::analysis::phases::{
    Clause, Edit, EditKind, Finding, Grant, Phase, PhaseAnalysis, Suggestion, Transition,
    TransitionKind, independence,
};
use crate::process::local::StateIndex;
use crate::process::{EventKind, PointId, Process};
use crate::report::text::counts::{count, line};
use crate::source::{SourceFile, Span};

/// What `rmlcut show phases` shows.
pub struct ShownPhases<'a> {
    /// The text of the process.
    pub source: &'a SourceFile,
    /// The process.
    pub process: &'a Process,
    /// What the analysis says.
    pub analysis: &'a PhaseAnalysis,
    /// Edits that were tried.
    pub suggestions: &'a [Suggestion],
}

impl ShownPhases<'_> {
    /// The whole report.
    pub fn text(&self) -> String {
        let PhaseAnalysis { locals, phases, findings, grants } = self.analysis;
        let mut out = String::new();
        let states = count(locals.states.len(), "local state");
        line!(out, 0, "phases       {}, over {states}", phases.len());
        for phase in phases {
            line!(out, 2, "{}", self.phase(phase));
        }
        line!(out, 0, "compatible   {}", self.compatibility());
        for (number, finding) in findings.iter().enumerate() {
            line!(out, 2, "{}", self.finding(finding));
            let own = self.suggestions.iter().filter(|own| own.finding == number);
            for edit in own.flat_map(|own| &own.edits) {
                line!(out, 4, "{}", self.edit(edit));
            }
        }
        for grant in grants {
            line!(out, 0, "cutoff       {}", granted(grant));
            if grant.closed.is_none() && !grant.dependent.is_empty() {
                line!(out, 2, "not by its own steps: {}", self.path(&grant.dependent));
                for edit in independence(self.process, &grant.dependent) {
                    line!(out, 4, "{}", self.edit(&edit));
                }
            }
        }
        line!(out, 0, "No verdict depends on these conditions: the printed ones are wrong.");
        out
    }

    /// The points of a phase.
    pub fn phase(&self, phase: &Phase) -> String {
        let points = phase.iter().map(|state| self.analysis.locals.states[*state].point);
        points.unique().map(|point| &self.process.point(point).name).join(", ")
    }

    /// Whether every clause holds, in both readings.
    pub fn compatibility(&self) -> String {
        let findings = &self.analysis.findings;
        let failing = findings.iter().filter(|finding| finding.initiable).count();
        let older = findings.len() - failing;
        match (failing, older) {
            (0, 0) => "yes, also where events cannot be initiated".to_owned(),
            (0, older) => format!("yes; no where events cannot be initiated ({older} failures)"),
            (failing, 0) => format!("no ({})", count(failing, "failure")),
            (failing, older) => {
                let failing = count(failing, "failure");
                format!("no ({failing}; {older} more where events cannot be initiated)")
            }
        }
    }

    /// One failure of a clause.
    pub fn finding(&self, finding: &Finding) -> String {
        let state = self.state(finding.state);
        let event = &self.process.event(finding.event).name;
        let other = &self.process.event(finding.because.event).name;
        let from = self.state(finding.because.source);
        let to = self.state(finding.because.target);
        let what = match finding.clause {
            Clause::ActingReacts => format!("{state} starts `{event}` and does not react to it"),
            Clause::PhaseReacts => format!(
                "{state} cannot reach a state that reacts to `{event}`, though {from} of its phase can move to \
                 {to}, which reacts to it"
            ),
            Clause::ActorsAgree => format!(
                "{state} does not react to `{event}`, though starting `{other}` also leads from \
                 {from} to {to}, which does"
            ),
            Clause::ReactorsFollow => format!(
                "after reacting to `{other}`, {state} cannot reach a state that reacts to `{event}`, to which \
                 {to} reacts, where {from} is after starting it"
            ),
        };
        let leaf = finding.transition.unwrap_or(finding.because).leaf;
        let place = leaf.map(|leaf| self.process.leaves[leaf].span).map(|span| self.place(span));
        let older =
            if finding.initiable { "" } else { " (only where events need not be initiable)" };
        format!("{}{what}{older}", place.map_or_else(String::new, |place| format!("{place}: ")))
    }

    /// An edit, and whether small instances stay safe with it.
    pub fn edit(&self, edit: &Edit) -> String {
        let safe = match edit.safe {
            Some(true) => "up to 3 processes stay safe",
            Some(false) => "a small instance is unsafe with it",
            None => "too many states to try it",
        };
        let all = if edit.compatible { "; every clause holds then" } else { "" };
        format!("{} ({safe}{all})", self.change(edit.kind))
    }

    fn change(&self, kind: EditKind) -> String {
        let name = |point: PointId| &self.process.point(point).name;
        match kind {
            EditKind::Reaction { at, event, to } => {
                let place = self.place(self.process.point(at).span);
                let declared = self.process.event(event);
                let event = &declared.name;
                let text = match declared.kind {
                    EventKind::Partition { .. } if at == to => format!("passive {event}"),
                    EventKind::Partition { .. } => {
                        format!("on Partition<{event}>(…) … lose: goto {}", name(to))
                    }
                    EventKind::Consensus { .. } => {
                        format!("on Consensus<{event}>(…, _) do goto {}", name(to))
                    }
                    _ if at == to => format!("passive {event}"),
                    _ => format!("on recv({event}) do goto {}", name(to)),
                };
                format!("{place}: in {}, add `{text}`", name(at))
            }
            EditKind::Internal { at, to } => {
                let place = self.place(self.process.point(at).span);
                format!("{place}: in {}, add `on _ do goto {}`", name(at), name(to))
            }
            EditKind::Start { leaf } => {
                let leaf = &self.process.leaves[leaf];
                let place = self.place(leaf.span);
                let event = &self.process.event(leaf.event).name;
                let (at, to) = (name(leaf.source), name(leaf.target));
                format!(
                    "{place}: in {at}, write `on _ do sendbr({event}) goto {to}` and `on \
                     recv({event}) do goto {at}` instead of `on recv({event}) do goto {to}`"
                )
            }
            EditKind::Redirect { leaf, to } => {
                let leaf = &self.process.leaves[leaf];
                let place = self.place(leaf.goto.unwrap_or(leaf.span));
                format!(
                    "{place}: write `goto {}` instead of `goto {}`",
                    name(to),
                    name(leaf.target)
                )
            }
        }
    }

    /// A path of local transitions, with the parts that the process plays.
    pub fn path(&self, path: &[Transition]) -> String {
        let start = path.first().map_or_else(String::new, |first| self.state(first.source));
        let steps = path.iter().map(|step| {
            let part = match step.kind {
                TransitionKind::Internal => "",
                TransitionKind::Rendezvous => "meets in ",
                TransitionKind::Acting => "starts ",
                TransitionKind::Reacting => "reacts to ",
            };
            let event = &self.process.event(step.event).name;
            format!(", {part}`{event}` → {}", self.state(step.target))
        });
        format!("{start}{}", steps.collect::<String>())
    }

    /// A local state: its point, and its values.
    pub fn state(&self, state: StateIndex) -> String {
        let state = &self.analysis.locals.states[state];
        let values = state.values.iter().zip(&self.process.variables);
        let values =
            values.map(|(value, variable)| format!("{} = {value}", variable.name)).join(", ");
        let point = &self.process.point(state.point).name;
        if values.is_empty() { point.to_string() } else { format!("{point} ({values})") }
    }

    /// A place in the text.
    pub fn place(&self, span: Span) -> String {
        self.source.position(span.start).to_string()
    }
}

/// What the printed conditions grant.
fn granted(grant: &Grant) -> String {
    let word = |value: Option<usize>| value.map_or("no".to_owned(), |value| value.to_string());
    let Grant { property, simple, walks, closed, .. } = grant;
    let (simple, walks, closed) = (word(*simple), word(*walks), word(*closed));
    format!(
        "[{property}] as printed: {simple} with simple paths, {walks} with walks; holes closed: {closed}"
    )
}
