//! Protocols in mypyvy, with `new(…)` for the state after a step.
//!
//! A transition says what its symbols become. What a havoc picks is not said at all, where that is
//! enough; else a further symbol, which may become anything, stands for it.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::names::{Alphabet, Names};
use super::syntax::{Syntax, Words, Writer, applied, dotted};
use super::{ExportError, Exported, Instance};
use crate::logic::{
    Body, Definition, Formula, FormulaKind, Node, Quantifier, Term, TermKind, Var, fresh_name,
    symbols,
};
use crate::protocol::{
    Action, ChoiceId, OneState, PropertyKind, Protocol, Rigidity, Sort, StateFormula, StepFormula,
    StepSymbol, StepTerm, Summary, SymbolId, TwoStates, summarize,
};

const RESERVED: &[&str] = &[
    "modifies",
    "sort",
    "mutable",
    "immutable",
    "derived",
    "relation",
    "constant",
    "function",
    "init",
    "transition",
    "invariant",
    "sketch",
    "axiom",
    "new",
    "old",
    "forall",
    "exists",
    "true",
    "false",
    "zerostate",
    "onestate",
    "twostate",
    "theorem",
    "definition",
    "assume",
    "assert",
    "automaton",
    "global",
    "safety",
    "phase",
    "self",
    "any",
    "trace",
    "if",
    "then",
    "else",
    "let",
    "in",
    "sat",
    "unsat",
    "distinct",
    "int",
    "bool",
];

const WORDS: Words = Words {
    truth: "true",
    falsehood: "false",
    not: "!",
    and: "&",
    or: "|",
    implies: "->",
    iff: "<->",
    equal: "=",
    different: "!=",
    at_most: "<=",
};

/// Writes a protocol.
pub(super) fn write(protocol: &Protocol, _instance: &Instance) -> Result<Exported, ExportError> {
    let mut names = Names::new(&protocol.signature, Alphabet { reserved: RESERVED });
    let actions: Vec<String> =
        protocol.actions.iter().map(|action| names.claim(&action.name)).collect();
    let plans = protocol.actions.iter().map(|action| Plan::new(protocol, action, &mut names));
    let plans = plans.collect::<Result<Vec<Plan>, ExportError>>()?;
    let mut text = format!("# {}, written by rmlcut.\n\n", protocol.name);
    let states = States { names: &names };
    states.declarations(protocol, &mut text);
    for plan in &plans {
        for (name, choice) in plan.oracles.iter().map(|(choice, name)| (name, choice)) {
            states.oracle(protocol, plan.action, *choice, name, &mut text);
        }
    }
    for ((action, name), plan) in protocol.actions.iter().zip(&actions).zip(&plans) {
        let step = Step { names: &names, plan };
        step.transition(protocol, action, name, &mut text);
    }
    text.push('\n');
    for property in &protocol.properties {
        let word = match property.kind {
            PropertyKind::Safety => "safety",
            PropertyKind::Lemma => "invariant",
        };
        let label = label_text(&property.name);
        line(&mut text, &format!("{word} [{label}] {}", states.closed(&property.formula())));
    }
    Ok(Exported { text, configuration: None })
}

/// Labels are names; no symbol is in their way.
fn label_text(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect()
}

fn line(text: &mut String, content: &str) {
    writeln!(text, "{content}").expect("writing to a string succeeds");
}

/// What stands for each choice of an action.
struct Plan<'a> {
    action: &'a Action,
    summary: Summary,
    /// Choices that are what a symbol becomes everywhere.
    same: BTreeMap<ChoiceId, SymbolId>,
    /// Choices that need a symbol of their own.
    oracles: BTreeMap<ChoiceId, String>,
}

impl<'a> Plan<'a> {
    fn new(
        protocol: &Protocol,
        action: &'a Action,
        names: &mut Names,
    ) -> Result<Self, ExportError> {
        let summary = summarize(&protocol.signature, action);
        let mut plan = Plan { action, summary, same: BTreeMap::new(), oracles: BTreeMap::new() };
        for (symbol, definition) in &plan.summary.updates {
            if let Some(choice) = whole_choice(&definition.body, &definition.params) {
                plan.same.entry(choice).or_insert(*symbol);
            }
        }
        for (index, choice) in action.choices.iter().enumerate() {
            let id = ChoiceId(u32::try_from(index).expect("fewer than 2^32 havocs"));
            if !plan.same.contains_key(&id) && plan.mentions(id) > 1 {
                let name = names.claim(&format!("any_{}", choice.name));
                plan.oracles.insert(id, name);
            }
        }
        match plan.confuses_states() {
            true => {
                let what = format!("what `{}` picks at places that change", action.name);
                Err(ExportError::Unsayable { language: "mypyvy", what })
            }
            false => Ok(plan),
        }
    }

    /// In how many places a choice is read: once is where it is assigned.
    fn mentions(&self, choice: ChoiceId) -> usize {
        let mut count = 0;
        self.visit_choices(&mut |found, _| count += usize::from(found == choice));
        count
    }

    /// Inside `new(…)` everything is new: no argument of a choice may speak of what changes.
    fn confuses_states(&self) -> bool {
        let mut confused = false;
        self.visit_choices(&mut |_, args| {
            confused |= args.iter().flat_map(Term::symbols).any(|symbol| match symbol {
                StepSymbol::Pre(symbol) => self.summary.updates.contains_key(&symbol),
                StepSymbol::Post(_) => false,
                StepSymbol::Choice(_) => true,
            });
        });
        confused
    }

    /// Visits every application of a choice.
    fn visit_choices(&self, visitor: &mut dyn FnMut(ChoiceId, &[StepTerm])) {
        let mut visit = |node: Node<'_, TwoStates>| {
            node.visit(&mut |node| {
                let application = match node {
                    Node::Term(term) => match term.kind() {
                        TermKind::Apply(symbol, args, _) => Some((*symbol, args)),
                        _ => None,
                    },
                    Node::Formula(formula) => match formula.kind() {
                        FormulaKind::Holds(symbol, args) => Some((*symbol, args)),
                        _ => None,
                    },
                };
                if let Some((StepSymbol::Choice(choice), args)) = application {
                    visitor(choice, args);
                }
            });
        };
        visit(Node::Formula(&self.summary.guard));
        for definition in self.summary.updates.values() {
            match &definition.body {
                Body::Formula(body) => visit(Node::Formula(body)),
                Body::Term(body) => visit(Node::Term(body)),
            }
        }
    }
}

/// The choice that a symbol becomes at every place.
fn whole_choice(body: &Body<TwoStates>, params: &[crate::protocol::StepVar]) -> Option<ChoiceId> {
    let (symbol, args) = match body {
        Body::Formula(body) => match body.kind() {
            FormulaKind::Holds(symbol, args) => (*symbol, args),
            _ => return None,
        },
        Body::Term(body) => match body.kind() {
            TermKind::Apply(symbol, args, _) => (*symbol, args),
            _ => return None,
        },
    };
    let StepSymbol::Choice(choice) = symbol else { return None };
    let vars: Vec<StepTerm> = params.iter().cloned().map(Term::var).collect();
    (*args == vars).then_some(choice)
}

/// Something about a symbol after the step that is always true.
fn unsaid(
    symbol: SymbolId,
    definition: &Definition<TwoStates>,
    protocol: &Protocol,
) -> StepFormula {
    let args: Vec<StepTerm> = definition.params.iter().cloned().map(Term::var).collect();
    let after = StepSymbol::Post(symbol);
    match protocol.signature.symbol(symbol).result {
        None => {
            let holds = Formula::holds(after, args);
            Formula::or([holds.clone(), holds.negate()])
        }
        Some(sort) => {
            let value = Term::apply(after, args, sort);
            let other = Var::new("other", sort);
            Formula::exists(vec![other.clone()], Formula::equal(value, Term::var(other)))
        }
    }
}

/// Formulas about one state.
struct States<'a> {
    names: &'a Names,
}

impl States<'_> {
    fn sort_name(&self, sort: Sort) -> String {
        self.names.sort(sort).unwrap_or("int").to_owned()
    }

    fn closed(&self, formula: &StateFormula) -> String {
        Writer::new(self, Vec::new()).formula(formula)
    }

    fn declarations(&self, protocol: &Protocol, text: &mut String) {
        let signature = &protocol.signature;
        for sort in signature.sorts() {
            line(text, &format!("sort {}", self.sort_name(Sort::Declared(sort))));
        }
        text.push('\n');
        for (id, symbol) in signature.symbols() {
            let change = match symbol.rigidity {
                Rigidity::Rigid => "immutable",
                Rigidity::Mutable => "mutable",
            };
            let name = self.names.symbol(id);
            self.symbol_line(change, name, &symbol.params, symbol.result, text);
        }
        text.push('\n');
        for (word, statements) in [("axiom", &protocol.axioms), ("init", &protocol.init)] {
            for statement in statements {
                let label = statement.label.as_ref();
                let label = label.map_or(String::new(), |name| format!("[{}] ", label_text(name)));
                line(text, &format!("{word} {label}{}", self.closed(&statement.formula)));
            }
        }
    }

    fn symbol_line(
        &self,
        change: &str,
        name: &str,
        params: &[Sort],
        result: Option<Sort>,
        text: &mut String,
    ) {
        let params: Vec<String> = params.iter().map(|sort| self.sort_name(*sort)).collect();
        let name = applied(name, &params);
        line(
            text,
            &match result {
                None => format!("{change} relation {name}"),
                Some(sort) if params.is_empty() => {
                    format!("{change} constant {name}: {}", self.sort_name(sort))
                }
                Some(sort) => format!("{change} function {name}: {}", self.sort_name(sort)),
            },
        );
    }

    fn oracle(
        &self,
        protocol: &Protocol,
        action: &Action,
        ChoiceId(index): ChoiceId,
        name: &str,
        text: &mut String,
    ) {
        let choice = &action.choices[index as usize];
        line(text, &format!("# what {} picks in {}", action.name, protocol.name));
        self.symbol_line("mutable", name, &choice.params, choice.result, text);
    }
}

impl Syntax<OneState> for States<'_> {
    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn symbol(&self, symbol: SymbolId, args: &[String]) -> String {
        applied(self.names.symbol(symbol), args)
    }

    fn sort(&self, sort: Sort) -> String {
        self.sort_name(sort)
    }

    fn variable(&self, name: &str, scope: &[String]) -> String {
        self.names.free(name, scope)
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        binders: &[(String, String)],
        body: &str,
    ) -> String {
        dotted(quantifier, binders, body)
    }

    fn conditional(&self, condition: &str, then: &str, otherwise: &str) -> String {
        format!("if {condition} then {then} else {otherwise}")
    }
}

/// Formulas about a step.
struct Step<'a> {
    names: &'a Names,
    plan: &'a Plan<'a>,
}

impl Step<'_> {
    fn transition(&self, protocol: &Protocol, action: &Action, name: &str, text: &mut String) {
        let mut scope = Vec::new();
        let mut params = Vec::new();
        for param in &action.params {
            let others: Vec<String> =
                scope.iter().map(|(_, name): &(_, String)| name.clone()).collect();
            let name = self.names.free(&param.name, &others);
            params.push(format!("{name}: {}", self.sort(param.sort)));
            let var = Var::<TwoStates>::new(param.name.clone(), param.sort);
            scope.push((var, name));
        }
        line(text, &format!("\ntransition {name}({})", params.join(", ")));
        let changed = self.plan.summary.updates.keys().map(|symbol| self.names.symbol(*symbol));
        let changed: Vec<&str> =
            changed.chain(self.plan.oracles.values().map(String::as_str)).collect();
        let mut conjuncts: Vec<String> = Vec::new();
        for guard in self.plan.summary.guard.conjuncts() {
            conjuncts.push(Writer::new(self, scope.clone()).operand(&guard));
        }
        for (symbol, definition) in &self.plan.summary.updates {
            let args: Vec<StepTerm> = definition.params.iter().cloned().map(Term::var).collect();
            let becomes = match (&definition.body, protocol.signature.symbol(*symbol).result) {
                (Body::Formula(body), _) => {
                    let after = Formula::holds(StepSymbol::Post(*symbol), args);
                    self.becomes_formula(&after, body)
                }
                (Body::Term(body), Some(sort)) => {
                    let after = Term::apply(StepSymbol::Post(*symbol), args, sort);
                    self.becomes_term(&after, body)
                }
                (Body::Term(_), None) => Formula::truth(true),
            };
            // A symbol that may become anything must be mentioned all the same.
            let becomes = match becomes.kind() {
                FormulaKind::Truth(true) => unsaid(*symbol, definition, protocol),
                _ => becomes,
            };
            let closed = Formula::forall(definition.params.clone(), becomes);
            for conjunct in closed.conjuncts() {
                conjuncts.push(Writer::new(self, scope.clone()).operand(&conjunct));
            }
        }
        if changed.is_empty() {
            let body = if conjuncts.is_empty() { "true".to_owned() } else { conjuncts.join(" & ") };
            return line(text, &format!("  = {body}"));
        }
        line(text, &format!("  modifies {}", changed.join(", ")));
        for conjunct in &conjuncts {
            line(text, &format!("  & {conjunct}"));
        }
        if conjuncts.is_empty() {
            line(text, "  true");
        }
    }

    /// `after` is `body`; where that is a choice nobody else reads, nothing is said.
    fn becomes_formula(&self, after: &StepFormula, body: &StepFormula) -> StepFormula {
        match body.kind() {
            FormulaKind::Holds(StepSymbol::Choice(choice), _) if self.is_free(*choice) => {
                Formula::truth(true)
            }
            FormulaKind::If(condition, then, otherwise)
                if self.reads_free(Node::Formula(then))
                    || self.reads_free(Node::Formula(otherwise)) =>
            {
                Formula::and([
                    Formula::implies(condition.clone(), self.becomes_formula(after, then)),
                    Formula::implies(condition.negate(), self.becomes_formula(after, otherwise)),
                ])
            }
            _ => Formula::iff(after.clone(), body.clone()),
        }
    }

    fn becomes_term(&self, after: &StepTerm, body: &StepTerm) -> StepFormula {
        match body.kind() {
            TermKind::Apply(StepSymbol::Choice(choice), _, _) if self.is_free(*choice) => {
                Formula::truth(true)
            }
            TermKind::If(condition, then, otherwise)
                if self.reads_free(Node::Term(then)) || self.reads_free(Node::Term(otherwise)) =>
            {
                Formula::and([
                    Formula::implies(condition.clone(), self.becomes_term(after, then)),
                    Formula::implies(condition.negate(), self.becomes_term(after, otherwise)),
                ])
            }
            _ => Formula::equal(after.clone(), body.clone()),
        }
    }

    /// Whether a choice is only assigned, so that nothing need stand for it.
    fn is_free(&self, choice: ChoiceId) -> bool {
        !self.plan.oracles.contains_key(&choice)
    }

    fn reads_free(&self, node: Node<'_, TwoStates>) -> bool {
        symbols(node).into_iter().any(|symbol| match symbol {
            StepSymbol::Choice(choice) => self.is_free(choice),
            StepSymbol::Pre(_) | StepSymbol::Post(_) => false,
        })
    }
}

impl Syntax<TwoStates> for Step<'_> {
    fn words(&self) -> &'static Words {
        &WORDS
    }

    fn symbol(&self, symbol: StepSymbol, args: &[String]) -> String {
        let after = |name: &str| format!("new({})", applied(name, args));
        match symbol {
            StepSymbol::Pre(symbol) => applied(self.names.symbol(symbol), args),
            StepSymbol::Post(symbol) => after(self.names.symbol(symbol)),
            StepSymbol::Choice(choice) => match self.plan.same.get(&choice) {
                Some(symbol) => after(self.names.symbol(*symbol)),
                None => after(self.plan.oracles.get(&choice).map_or("any", String::as_str)),
            },
        }
    }

    fn sort(&self, sort: Sort) -> String {
        self.names.sort(sort).unwrap_or("int").to_owned()
    }

    fn variable(&self, name: &str, scope: &[String]) -> String {
        let name = self.names.free(name, scope);
        fresh_name(&name.into(), |name| scope.iter().any(|other| **other == **name)).to_string()
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        binders: &[(String, String)],
        body: &str,
    ) -> String {
        dotted(quantifier, binders, body)
    }

    fn conditional(&self, condition: &str, then: &str, otherwise: &str) -> String {
        format!("if {condition} then {then} else {otherwise}")
    }
}
