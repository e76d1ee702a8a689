//! Which sorts are data: their values are only stored and compared for equality.
//!
//! A system cannot tell such values apart but by whether they are equal, so renaming them maps runs
//! to runs. Nothing here is trusted: it guides the search for cutoffs of data and explains.

use std::collections::BTreeSet;

use crate::logic::{Formula, FormulaKind, Name, Node, Quantifier, Vocabulary, bound_sorts};
use crate::protocol::{Action, Command, Protocol, RightSide, Rigidity, Sort, SortId, SymbolId};
use crate::source::Span;

/// A declared sort, and what is done with its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataSort {
    /// The sort.
    pub sort: SortId,
    /// The constants of the sort: values with a name, which stay the same for a whole run.
    pub constants: Vec<SymbolId>,
    /// The functions and relations that store its values.
    pub stores: Vec<SymbolId>,
    /// What else is done with its values; nothing if they are only stored and compared.
    pub breaks: Vec<DataBreak>,
}

/// A place where values are neither stored nor compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataBreak {
    /// What is done there.
    pub kind: DataBreakKind,
    /// The place.
    pub span: Span,
}

/// What is done with values that are neither stored nor compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataBreakKind {
    /// They are listed: each has a name of its own.
    Listed,
    /// A symbol that never changes tells them apart, as an order does.
    Rigid(Name),
    /// A function has something for each of them.
    Indexes(Name),
    /// An axiom speaks of them; its name, if it has one.
    Axiom(Option<Name>),
    /// An action asks about all of them, or about any.
    Quantified(Name),
    /// The first states say that there is one of some kind.
    Initial(Option<Name>),
    /// A property asks for one of some kind.
    Property(Name),
}

impl DataSort {
    /// Whether values are only stored and compared, and there is somewhere to store them.
    pub fn is_data(&self) -> bool {
        self.breaks.is_empty() && !self.stores.is_empty()
    }
}

/// Every declared sort.
pub fn data_sorts(protocol: &Protocol) -> Vec<DataSort> {
    protocol.signature.sorts().map(|sort| data_sort(protocol, sort)).collect()
}

fn data_sort(protocol: &Protocol, sort: SortId) -> DataSort {
    let signature = &protocol.signature;
    let own = Sort::Declared(sort);
    let mut found =
        DataSort { sort, constants: Vec::new(), stores: Vec::new(), breaks: Vec::new() };
    let mut broken = |kind, span| found.breaks.push(DataBreak { kind, span });
    if signature.elements(sort).is_some() {
        broken(DataBreakKind::Listed, Span::default());
    }
    for (symbol, declared) in signature.symbols() {
        let takes = declared.params.contains(&own);
        let is_rigid = declared.rigidity == Rigidity::Rigid;
        match declared.result {
            _ if takes && is_rigid => {
                broken(DataBreakKind::Rigid(declared.name.clone()), declared.span);
            }
            Some(_) if takes => {
                broken(DataBreakKind::Indexes(declared.name.clone()), declared.span);
            }
            Some(result) if result == own && is_rigid && declared.params.is_empty() => {
                found.constants.push(symbol);
            }
            Some(result) if result == own => found.stores.push(symbol),
            None if takes => found.stores.push(symbol),
            Some(_) | None => {}
        }
    }
    for axiom in &protocol.axioms {
        if mentions(Node::Formula(&axiom.formula), own) {
            found.breaks.push(DataBreak {
                kind: DataBreakKind::Axiom(axiom.label.clone()),
                span: axiom.span,
            });
        }
    }
    for init in &protocol.init {
        if asks(&init.formula, own, Quantifier::Forall) {
            let kind = DataBreakKind::Initial(init.label.clone());
            found.breaks.push(DataBreak { kind, span: init.span });
        }
    }
    for action in &protocol.actions {
        let spans = quantified(action, own).into_iter();
        found.breaks.extend(
            spans.map(|span| DataBreak {
                kind: DataBreakKind::Quantified(action.name.clone()),
                span,
            }),
        );
    }
    for property in &protocol.properties {
        if bound_sorts(Node::Formula(&property.matrix)).contains(&own) {
            let kind = DataBreakKind::Property(property.name.clone());
            found.breaks.push(DataBreak { kind, span: property.span });
        }
    }
    found
}

/// Whether a term or a variable of a sort occurs.
fn mentions<V: Vocabulary>(node: Node<'_, V>, sort: V::Sort) -> bool {
    let mut found = bound_sorts(node).contains(&sort);
    node.visit(&mut |node| {
        if let Node::Term(term) = node {
            found |= term.sort() == sort;
        }
    });
    found
}

/// Whether a formula asks for a value other than by the quantifier in a positive place.
fn asks<V: Vocabulary>(formula: &Formula<V>, sort: V::Sort, allowed: Quantifier) -> bool {
    match formula.kind() {
        FormulaKind::Quantified(quantifier, vars, body) => {
            (*quantifier != allowed && vars.iter().any(|var| var.sort == sort))
                || asks(body, sort, allowed)
        }
        FormulaKind::Not(inner) => asks(inner, sort, allowed.dual()),
        FormulaKind::And(parts) | FormulaKind::Or(parts) => {
            parts.iter().any(|part| asks(part, sort, allowed))
        }
        FormulaKind::Implies(premise, conclusion) => {
            asks(premise, sort, allowed.dual()) || asks(conclusion, sort, allowed)
        }
        FormulaKind::Truth(_)
        | FormulaKind::Holds(..)
        | FormulaKind::Equal(..)
        | FormulaKind::Compare(..)
        | FormulaKind::Iff(..)
        | FormulaKind::If(..) => bound_sorts(Node::Formula(formula)).contains(&sort),
    }
}

/// The statements of an action that quantify over a sort.
fn quantified(action: &Action, sort: Sort) -> Vec<Span> {
    let mut found = BTreeSet::new();
    block(&action.body, sort, &mut found);
    found.into_iter().collect()
}

fn block(commands: &[Command], sort: Sort, found: &mut BTreeSet<Span>) {
    let mut look = |bound: BTreeSet<Sort>, span: Span| {
        if bound.contains(&sort) {
            found.insert(span);
        }
    };
    for command in commands {
        match command {
            Command::Require(formula, span) => look(bound_sorts(Node::Formula(formula)), *span),
            Command::Assign(assignment) => {
                let (bound, span) = (bound_on_the_right(&assignment.value), assignment.span);
                look(bound, span);
            }
            Command::Together(assignments, _) => {
                for assignment in assignments {
                    look(bound_on_the_right(&assignment.value), assignment.span);
                }
            }
            Command::If(condition, then, otherwise, span) => {
                look(bound_sorts(Node::Formula(condition)), *span);
                let mut inner = BTreeSet::new();
                block(then, sort, &mut inner);
                block(otherwise, sort, &mut inner);
                inner.into_iter().for_each(|span| look(BTreeSet::from([sort]), span));
            }
            Command::Relate(_, formula, span) => look(bound_sorts(Node::Formula(formula)), *span),
        }
    }
}

fn bound_on_the_right(value: &RightSide) -> BTreeSet<Sort> {
    match value {
        RightSide::Formula(formula) => bound_sorts(Node::Formula(formula)),
        RightSide::Term(term) => bound_sorts(Node::Term(term)),
        RightSide::Havoc(_) => BTreeSet::new(),
    }
}
