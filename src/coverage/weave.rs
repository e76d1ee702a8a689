//! The protocol whose violations are exactly the runs that a text expects.
//!
//! A run has stages: each of its steps leads from one stage to the next, and at some stages any
//! step may happen. The property is that the last stage is never reached with what holds there, so
//! every engine that searches for violations searches for the run.

use crate::logic::{Formula, Name, Term};
use crate::protocol::{
    Action, Assignment, Beginning, Command, ExpectedRun, ExpectedStep, Property, PropertyKind,
    Protocol, RightSide, Rigidity, RunPart, StateFormula, Statement, Step, Symbol, SymbolId, Trace,
};
use crate::source::Span;

/// A protocol with the stages of a run.
pub(super) struct WovenProtocol {
    /// Its symbols are those of the protocol and, after them, the stages.
    pub(super) protocol: Protocol,
    /// The action of the protocol that each action stands for; `None` where only a stage ends.
    originals: Vec<Option<usize>>,
}

/// The protocol whose one property fails exactly at the end of the run.
pub(super) fn weave(protocol: &Protocol, run: &ExpectedRun) -> WovenProtocol {
    let mut woven = Protocol {
        actions: Vec::new(),
        properties: Vec::new(),
        expected_runs: Vec::new(),
        ..protocol.clone()
    };
    if run.beginning == Beginning::Anywhere {
        woven.init.clear();
    }
    let mut weaver = Weaver {
        original: protocol,
        woven: WovenProtocol { protocol: woven, originals: Vec::new() },
        span: run.span,
        stage: None,
        open: Vec::new(),
        claims: Vec::new(),
    };
    let has_stages = !matches!(&run.parts[..], [RunPart::Steps, RunPart::Holds(_)]);
    if has_stages {
        weaver.stage = Some(weaver.declare(0));
    }
    for part in &run.parts {
        weaver.part(part);
    }
    weaver.finish()
}

/// The protocol whose one property fails exactly at the end of the run, for other searches.
pub(crate) fn woven_protocol(protocol: &Protocol, run: &ExpectedRun) -> Protocol {
    weave(protocol, run).protocol
}

struct Weaver<'a> {
    original: &'a Protocol,
    woven: WovenProtocol,
    span: Span,
    /// The stage that has begun last; `None` if there is only one.
    stage: Option<SymbolId>,
    /// The stages at which any step may happen.
    open: Vec<Option<SymbolId>>,
    /// What holds in the state reached so far.
    claims: Vec<StateFormula>,
}

impl Weaver<'_> {
    fn part(&mut self, part: &RunPart) {
        match part {
            RunPart::Holds(formula) => self.claims.push(formula.clone()),
            RunPart::Steps => {
                if !self.claims.is_empty() {
                    let body = Vec::new();
                    let name = self.name("observed");
                    let (params, choices, span) = (Vec::new(), Vec::new(), self.span);
                    let nothing = Action { name, params, body, choices, span };
                    self.advance(vec![(None, nothing)]);
                }
                self.open.push(self.stage);
            }
            RunPart::AnyStep => {
                let any = |action| ExpectedStep { action, conditions: Vec::new() };
                self.steps(&(0..self.original.actions.len()).map(any).collect::<Vec<_>>());
            }
            RunPart::OneOf(steps) => self.steps(steps),
        }
    }

    fn steps(&mut self, steps: &[ExpectedStep]) {
        let copies = steps.iter().enumerate().map(|(index, step)| {
            let mut action = self.original.actions[step.action].clone();
            action.name = self.name(&format!("{} {index}", action.name));
            let conditions = step.conditions.iter();
            let conditions = conditions.map(|own| Command::Require(own.clone(), self.span));
            action.body.splice(0..0, conditions);
            (Some(step.action), action)
        });
        self.advance(copies.collect());
    }

    /// The current stage ends with one of these actions, in a state where the claims hold.
    fn advance(&mut self, actions: Vec<(Option<usize>, Action)>) {
        let number = self.woven.protocol.signature.symbols().count();
        let next = self.declare(number - self.original.signature.symbols().count());
        let claims = std::mem::take(&mut self.claims);
        // What holds at the very start narrows down the initial states.
        let at_start = self.woven.originals.is_empty() && self.open.is_empty();
        if at_start {
            let span = self.span;
            let init = claims.iter().cloned();
            let init = init.map(|formula| Statement { label: None, formula, span });
            self.woven.protocol.init.extend(init);
        }
        for (original, mut action) in actions {
            let guards = [self.at(self.stage)].into_iter().chain(claims.iter().cloned());
            let guards: Vec<Command> =
                guards.map(|guard| Command::Require(guard, self.span)).collect();
            action.body.splice(0..0, guards);
            action.body.extend(self.stage.map(|stage| self.set(stage, false)));
            action.body.push(self.set(next, true));
            self.woven.protocol.actions.push(action);
            self.woven.originals.push(original);
        }
        self.stage = Some(next);
    }

    /// A new stage; the run begins at the first.
    fn declare(&mut self, number: usize) -> SymbolId {
        let name: Name = format!("stage {number}").into();
        let (params, result, span) = (Vec::new(), None, self.span);
        let symbol = Symbol { name, params, result, rigidity: Rigidity::Mutable, span };
        let id = self.woven.protocol.signature.add_symbol(symbol);
        let at = Formula::holds(id, Vec::<Term<_>>::new());
        let formula = if number == 0 { at } else { at.negate() };
        self.woven.protocol.init.push(Statement { label: None, formula, span });
        id
    }

    fn at(&self, stage: Option<SymbolId>) -> StateFormula {
        stage.map_or(Formula::truth(true), |stage| Formula::holds(stage, Vec::new()))
    }

    fn set(&self, stage: SymbolId, truth: bool) -> Command {
        let value = RightSide::Formula(Formula::truth(truth));
        let arguments = Vec::new();
        Command::Assign(Assignment { target: stage, arguments, value, span: self.span })
    }

    /// A name that no text can write.
    fn name(&self, name: &str) -> Name {
        format!("{name} {}", self.woven.protocol.signature.symbols().count()).into()
    }

    /// Any step may happen at the open stages; the last one must not be reached.
    fn finish(mut self) -> WovenProtocol {
        if !self.open.is_empty() {
            let open = Formula::or(self.open.iter().map(|stage| self.at(*stage)));
            for (index, action) in self.original.actions.iter().enumerate() {
                let mut action = action.clone();
                action.body.insert(0, Command::Require(open.clone(), self.span));
                self.woven.protocol.actions.push(action);
                self.woven.originals.push(Some(index));
            }
        }
        let end = [self.at(self.stage)].into_iter().chain(std::mem::take(&mut self.claims));
        self.woven.protocol.properties.push(Property {
            name: "run".into(),
            kind: PropertyKind::Safety,
            is_owed: false,
            vars: Vec::new(),
            matrix: Formula::and(end).negate(),
            span: self.span,
        });
        self.woven
    }
}

impl WovenProtocol {
    /// The run of the protocol that a run of the woven one is.
    pub(super) fn unweave(&self, protocol: &Protocol, trace: &Trace) -> Trace {
        let known = |state: &crate::protocol::State| {
            let mut state = state.clone();
            state.tables.retain(|id, _| protocol.signature.symbols().any(|(own, _)| own == *id));
            state
        };
        let steps = trace.steps.iter().filter_map(|step| {
            let action = self.originals[step.invocation.action]?;
            let mut invocation = step.invocation.clone();
            invocation.action = action;
            Some(Step { invocation, choices: step.choices.clone(), state: known(&step.state) })
        });
        Trace { initial: known(&trace.initial), steps: steps.collect() }
    }
}
