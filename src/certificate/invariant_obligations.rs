//! The obligations of an inductive invariant, of a protocol at any size or of a cutoff instance
//! whose residual sorts have any size.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::logic::{Definition, Expand, Formula, Name, Term, Translation, Var, translate_formula};
use crate::protocol::{
    Action, Protocol, Sort, StateFormula, StepFormula, StepSymbol, TwoStates, summarize,
};

use super::expand_definitions::{CaseDefinitions, InCutoff, element, statement_name};
use super::{
    Case, CutSort, Hypothesis, Invariant, Obligation, ObligationKind, ProductFormula, ProductNames,
    ProductSort, ProductSymbol, ProductTerm, StateClause, Systems, TwoSystems, element_var,
};

/// The system an invariant speaks of.
#[derive(Clone, Copy, Debug)]
pub struct InvariantSystem<'a> {
    /// What it runs; its properties must follow.
    pub protocol: &'a Protocol,
    /// Its sorts with a fixed list of elements; none for a protocol at any size.
    pub cut: &'a [CutSort],
    /// The positions of the actions it can do.
    pub actions: &'a [usize],
    /// Further properties that must follow; named elements are their free variables.
    pub case_properties: &'a [StateClause],
    /// The case it belongs to; `None` for the protocol itself.
    pub case: Option<&'a Name>,
}

impl<'a> InvariantSystem<'a> {
    /// A protocol at any size, with the actions at these positions.
    pub fn of_protocol(protocol: &'a Protocol, actions: &'a [usize]) -> Self {
        InvariantSystem { protocol, cut: &[], actions, case_properties: &[], case: None }
    }

    /// The cutoff instance of a case, with the actions at these positions.
    pub fn of_cutoff(case: &'a Case, actions: &'a [usize]) -> Self {
        InvariantSystem {
            protocol: &case.small,
            cut: &case.cut,
            actions,
            case_properties: &case.only,
            case: Some(&case.name),
        }
    }

    /// What must follow from an invariant: the properties of the protocol and the case_properties ones.
    pub fn required_properties(&self) -> impl Iterator<Item = (Name, StateFormula)> {
        let properties = self.protocol.properties.iter();
        let properties = properties.map(|property| (property.name.clone(), property.formula()));
        let case_properties = self.case_properties.iter();
        properties
            .chain(case_properties.map(|clause| (clause.name.clone(), clause.formula.clone())))
    }
}

/// Initiation, consecution and implication of an invariant.
pub fn invariant_obligations(
    system: InvariantSystem<'_>,
    invariant: &Invariant,
) -> Vec<Obligation> {
    let names = Arc::new(ProductNames {
        cut: system.cut.to_vec(),
        ..ProductNames::new(Systems::One, &system.protocol.signature)
    });
    let builder = InvariantObligations { system, names, invariant };
    let mut all = builder.initiation();
    for action in system.actions {
        all.extend(builder.consecution(&system.protocol.actions[*action]));
    }
    all.extend(builder.implication());
    all
}

struct InvariantObligations<'a> {
    system: InvariantSystem<'a>,
    names: Arc<ProductNames>,
    invariant: &'a Invariant,
}

impl InvariantObligations<'_> {
    fn read(&self, formula: &StateFormula) -> ProductFormula {
        let mut elements = BTreeMap::new();
        for cut in self.system.cut {
            for index in 0..cut.elements.len() {
                elements.insert(element_var(cut, index), element(cut.sort, index));
            }
        }
        translate_formula(formula, elements, InCutoff { names: &self.names })
    }

    fn axioms(&self) -> Vec<Hypothesis> {
        let axioms = self.system.protocol.axioms.iter().enumerate();
        let named = axioms.map(|(index, axiom)| {
            let name = format!("axiom {}", statement_name(axiom.label.as_ref(), index));
            Hypothesis::axiom(name, self.read(&axiom.formula))
        });
        named.collect()
    }

    fn clauses(&self) -> impl Iterator<Item = Hypothesis> {
        let clauses = self.invariant.clauses.iter();
        clauses.map(|clause| Hypothesis::new(clause.name.clone(), self.read(&clause.formula)))
    }

    fn obligation(
        &self,
        kind: ObligationKind,
        hypotheses: &Arc<Vec<Hypothesis>>,
        goal: ProductFormula,
        clause: &StateClause,
    ) -> Obligation {
        Obligation {
            case: self.system.case.cloned(),
            kind,
            hypotheses: hypotheses.clone(),
            goal,
            names: self.names.clone(),
            span: clause.span,
        }
    }

    fn initiation(&self) -> Vec<Obligation> {
        let mut hypotheses = self.axioms();
        let init = self.read(&self.system.protocol.initial());
        hypotheses.push(Hypothesis::new("init", init));
        let hypotheses = Arc::new(hypotheses);
        let clauses = self.invariant.clauses.iter().map(|clause| {
            let kind = ObligationKind::Initiation { clause: clause.name.clone() };
            self.obligation(kind, &hypotheses, self.read(&clause.formula), clause)
        });
        clauses.collect()
    }

    fn consecution(&self, action: &Action) -> Vec<Obligation> {
        let summary = summarize(&self.system.protocol.signature, action);
        let mut hypotheses = self.axioms();
        hypotheses.extend(self.clauses());
        let guard = self.step(&summary.guard);
        hypotheses.push(Hypothesis::new(format!("guard of {}", action.name), guard));
        let hypotheses = Arc::new(hypotheses);
        let after: CaseDefinitions = summary
            .updates
            .iter()
            .map(|(symbol, update)| (ProductSymbol::Cutoff(*symbol), self.update(update)))
            .collect();
        let mut names = ProductNames::clone(&self.names);
        names.action = Some(action.clone());
        let names = Arc::new(names);
        let clauses = self.invariant.clauses.iter().map(|clause| {
            let kind = ObligationKind::Consecution {
                action: action.name.clone(),
                clause: clause.name.clone(),
            };
            let before = self.read(&clause.formula);
            let goal = translate_formula(&before, BTreeMap::new(), Expand(&after));
            let obligation = self.obligation(kind, &hypotheses, goal, clause);
            Obligation { names: names.clone(), ..obligation }
        });
        clauses.collect()
    }

    fn implication(&self) -> Vec<Obligation> {
        let mut hypotheses = self.axioms();
        hypotheses.extend(self.clauses());
        let hypotheses = Arc::new(hypotheses);
        let obligations = self.system.required_properties().map(|(name, formula)| Obligation {
            case: self.system.case.cloned(),
            kind: ObligationKind::Implication { property: name },
            hypotheses: hypotheses.clone(),
            goal: self.read(&formula),
            names: self.names.clone(),
            span: crate::source::Span::default(),
        });
        obligations.collect()
    }

    fn step(&self, formula: &StepFormula) -> ProductFormula {
        translate_formula(formula, BTreeMap::new(), StepAlone { names: &self.names })
    }

    fn update(&self, update: &Definition<TwoStates>) -> Definition<TwoSystems> {
        let params = update.params.iter();
        let params = params
            .map(|param| Var::new(param.name.clone(), self.names.cutoff_sort(param.sort)))
            .collect();
        let body = update.body.translate(BTreeMap::new(), StepAlone { names: &self.names });
        Definition { params, body }
    }
}

/// Reads a step formula in a system that runs alone.
struct StepAlone<'a> {
    names: &'a ProductNames,
}

impl Translation<TwoStates, TwoSystems> for StepAlone<'_> {
    fn sort(&self, sort: Sort) -> ProductSort {
        self.names.cutoff_sort(sort)
    }

    fn apply(&self, symbol: StepSymbol, args: Vec<ProductTerm>, sort: ProductSort) -> ProductTerm {
        Term::apply(alone(symbol), args, sort)
    }

    fn holds(&self, symbol: StepSymbol, args: Vec<ProductTerm>) -> ProductFormula {
        Formula::holds(alone(symbol), args)
    }
}

fn alone(symbol: StepSymbol) -> ProductSymbol {
    match symbol {
        StepSymbol::Pre(id) | StepSymbol::Post(id) => ProductSymbol::Cutoff(id),
        StepSymbol::Choice(id) => ProductSymbol::CutoffChoice(id),
    }
}
