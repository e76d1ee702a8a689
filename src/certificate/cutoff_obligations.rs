//! The obligations of a cutoff certificate: cover, rigid, start, step, safety. *finite* is the
//! business of the finite engines, or of an invariant.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::logic::{
    Expand, Formula, FormulaKind, Term, Translation, Var, translate_formula, translate_term,
};
use crate::protocol::{Protocol, Rigidity};
use crate::source::Span;

use super::expand_definitions::{
    CaseContext, CaseDefinitions, InLarge, expand_with, statement_name,
};
use super::lockstep::{
    CutoffRun, LargeStep, after_as_post, after_step, large_step, names_for, run_moves,
};
use super::product::large_sort;
use super::{
    Alternative, Case, Hypothesis, HypothesisOrigin, Obligation, ObligationKind, ProductDefinition,
    ProductFormula, ProductNames, ProductSort, ProductSymbol, ProductTerm, Systems, TwoSystems,
};

/// Whether the properties of `C` may be assumed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assume {
    /// What *finite* checks holds in `C` before the step.
    CutoffSafe,
    /// Nothing but γ is known of `C`: if all this is valid, γ alone is inductive.
    Nothing,
}

/// Obligation *cover* of every property: with no case, it must follow from earlier ones.
pub fn cover_obligations(large: &Protocol, cases: &[Case]) -> Vec<Obligation> {
    let names = Arc::new(ProductNames::new(Systems::Both, &large.signature));
    let mut all = Vec::new();
    for (rank, property) in large.properties.iter().enumerate() {
        let mut hypotheses = vec![Hypothesis::axiom("axioms of L", in_large(&large.axiom()))];
        for earlier in &large.properties[..rank] {
            let formula = in_large(&earlier.formula());
            hypotheses.push(Hypothesis::new(format!("{} in L", earlier.name), formula));
        }
        let violated = in_large(&property.matrix).negate();
        hypotheses.push(Hypothesis::new(format!("{} is violated", property.name), violated));
        let of_property = cases.iter().filter(|case| case.property == rank);
        let goal = Formula::or(of_property.map(|case| covered(large, case)).collect::<Vec<_>>());
        all.push(Obligation {
            case: None,
            kind: ObligationKind::Cover { property: property.name.clone() },
            hypotheses: Arc::new(hypotheses),
            goal,
            names: names.clone(),
            span: property.span,
        });
    }
    all
}

fn in_large(formula: &crate::protocol::StateFormula) -> ProductFormula {
    translate_formula(formula, BTreeMap::new(), InLarge)
}

/// `∃p. Sel(p) ∧ ¬φ(v)`.
fn covered(large: &Protocol, case: &Case) -> ProductFormula {
    let context = CaseContext::new(large, case);
    let vars: Vec<Var<TwoSystems>> = case
        .params
        .iter()
        .map(|param| Var::new(format!("{}_p", param.name), large_sort(param.sort)))
        .collect();
    let both = Formula::and([context.expand(&case.select.formula), context.violation()]);
    let open = translate_formula(&both, BTreeMap::new(), ParamsAsVars(&vars));
    Formula::exists(vars, open)
}

struct ParamsAsVars<'a>(&'a [Var<TwoSystems>]);

impl Translation<TwoSystems, TwoSystems> for ParamsAsVars<'_> {
    fn sort(&self, sort: ProductSort) -> ProductSort {
        sort
    }

    fn apply(
        &self,
        symbol: ProductSymbol,
        args: Vec<ProductTerm>,
        sort: ProductSort,
    ) -> ProductTerm {
        match symbol {
            ProductSymbol::Param(index) => Term::var(self.0[index as usize].clone()),
            _ => Term::apply(symbol, args, sort),
        }
    }

    fn holds(&self, symbol: ProductSymbol, args: Vec<ProductTerm>) -> ProductFormula {
        Formula::holds(symbol, args)
    }

    fn inserted_names(&self) -> std::collections::BTreeSet<crate::logic::Name> {
        self.0.iter().map(|var| var.name.clone()).collect()
    }
}

/// Obligations *rigid*, *start*, *step* and *safety* of one case.
pub fn case_obligations(large: &Protocol, case: &Case, assume: Assume) -> Vec<Obligation> {
    let context = CaseContext::new(large, case);
    let builder = CutoffObligations { context: &context, assume, fixed: fixed_facts(&context) };
    let mut all = builder.rigid();
    all.extend(builder.start());
    for action in 0..large.actions.len() {
        all.extend(builder.step(action));
    }
    all.push(builder.safety());
    all
}

/// Top-level conjuncts of `Sel(p) ∧ ¬φ(v)` over parameters and rigid symbols only: they never
/// change, so they hold from the start.
fn fixed_facts(context: &CaseContext<'_>) -> Vec<Hypothesis> {
    let mut conjuncts = Vec::new();
    collect_conjuncts(&context.expand(&context.case.select.formula), true, &mut conjuncts);
    collect_conjuncts(&context.violation(), true, &mut conjuncts);
    let signature = &context.large.signature;
    conjuncts.retain(|conjunct| {
        conjunct.symbols().into_iter().all(|symbol| match symbol {
            ProductSymbol::Param(_) => true,
            ProductSymbol::Large(id) => signature.symbol(id).rigidity == Rigidity::Rigid,
            _ => false,
        })
    });
    let named = conjuncts.into_iter();
    named.map(|formula| Hypothesis::new("fixed fact of the violation", formula)).collect()
}

/// The conjuncts of a formula, or of its negation.
fn collect_conjuncts(formula: &ProductFormula, positive: bool, into: &mut Vec<ProductFormula>) {
    match (formula.kind(), positive) {
        (FormulaKind::Not(inner), _) => collect_conjuncts(inner, !positive, into),
        (FormulaKind::And(parts), true) | (FormulaKind::Or(parts), false) => {
            for part in parts {
                collect_conjuncts(part, positive, into);
            }
        }
        (FormulaKind::Implies(premise, conclusion), false) => {
            collect_conjuncts(premise, true, into);
            collect_conjuncts(conclusion, false, into);
        }
        (_, true) => into.push(formula.clone()),
        (_, false) => into.push(formula.negate()),
    }
}

struct CutoffObligations<'a> {
    context: &'a CaseContext<'a>,
    assume: Assume,
    fixed: Vec<Hypothesis>,
}

impl CutoffObligations<'_> {
    fn obligation(
        &self,
        kind: ObligationKind,
        hypotheses: &Arc<Vec<Hypothesis>>,
        goal: ProductFormula,
        span: Span,
    ) -> Obligation {
        Obligation {
            case: Some(self.context.case.name.clone()),
            kind,
            hypotheses: hypotheses.clone(),
            goal,
            names: self.context.names.clone(),
            span,
        }
    }

    fn axioms_of_large(&self) -> Vec<Hypothesis> {
        let axiom = self.context.in_large(&self.context.large.axiom());
        let mut hypotheses = vec![Hypothesis::axiom("axioms of L", axiom)];
        hypotheses.extend(self.fixed.iter().cloned());
        hypotheses
    }

    fn axioms_of_cutoff(&self) -> Hypothesis {
        let axiom = self.context.in_cutoff(&self.context.case.small.axiom());
        Hypothesis::axiom("axioms of C", axiom)
    }

    fn gamma(&self) -> impl Iterator<Item = Hypothesis> {
        let clauses = self.context.case.gamma.iter().enumerate();
        clauses.map(|(index, clause)| Hypothesis {
            name: format!("gamma {}", clause.name).into(),
            formula: self.context.expand(&clause.formula),
            origin: HypothesisOrigin::Gamma(index),
        })
    }

    /// What *finite* checks for this case.
    fn checked_in_cutoff(&self) -> Vec<Hypothesis> {
        let case = self.context.case;
        let properties = case.small.properties.iter().map(|property| {
            let formula = self.context.in_cutoff(&property.formula());
            Hypothesis::new(format!("{} in C", property.name), formula)
        });
        let only = case.only.iter().map(|property| {
            let formula = self.context.in_cutoff(&property.formula);
            Hypothesis::new(format!("{} in C", property.name), formula)
        });
        properties.chain(only).collect()
    }

    fn rigid(&self) -> Vec<Obligation> {
        let hypotheses = Arc::new(self.axioms_of_large());
        let axioms = self.context.case.small.axioms.iter().enumerate();
        axioms
            .map(|(index, axiom)| {
                let name = statement_name(axiom.label.as_ref(), index);
                let goal = self.context.in_cutoff(&axiom.formula);
                self.obligation(
                    ObligationKind::Rigid { axiom: name },
                    &hypotheses,
                    goal,
                    axiom.span,
                )
            })
            .collect()
    }

    fn start(&self) -> Vec<Obligation> {
        let context = self.context;
        let mut hypotheses = self.axioms_of_large();
        let init = context.in_large(&context.large.initial());
        hypotheses.push(Hypothesis::new("init of L", init));
        let hypotheses = Arc::new(hypotheses);
        let start = context.start();
        let at_start =
            |formula: &ProductFormula| translate_formula(formula, BTreeMap::new(), Expand(&start));
        let inits = context.case.small.init.iter().enumerate().map(|(index, init)| {
            let name = statement_name(init.label.as_ref(), index);
            let goal = at_start(&context.in_cutoff(&init.formula));
            self.obligation(ObligationKind::StartInit { init: name }, &hypotheses, goal, init.span)
        });
        let clauses = context.case.gamma.iter().map(|clause| {
            let kind = ObligationKind::StartGamma { clause: clause.name.clone() };
            let goal = at_start(&context.expand(&clause.formula));
            self.obligation(kind, &hypotheses, goal, clause.span)
        });
        inits.chain(clauses).collect()
    }

    fn step(&self, action: usize) -> Vec<Obligation> {
        let context = self.context;
        let large = &context.large.signature;
        let step = large_step(large, &context.large.actions[action]);
        let post = after_as_post(large, &step);
        let mut earlier: Vec<ProductFormula> = Vec::new();
        let mut all = Vec::new();
        for (index, alternative) in context.case.lockstep[action].iter().enumerate() {
            let condition = self.read(&post, &alternative.condition);
            let applies = Formula::and(
                earlier.iter().map(Formula::negate).chain([condition.clone()]).collect::<Vec<_>>(),
            );
            earlier.push(condition);
            let run = self.run(&post, alternative);
            all.extend(self.alternative(action, index, applies, &step, &run));
        }
        all
    }

    fn alternative(
        &self,
        action: usize,
        index: usize,
        applies: ProductFormula,
        step: &LargeStep,
        run: &CutoffRun,
    ) -> Vec<Obligation> {
        let context = self.context;
        let name = context.large.actions[action].name.clone();
        let span = context.case.lockstep[action][index].span;
        let names = Arc::new(names_for(context, context.large, action));
        let hypotheses = Arc::new(self.before_step(action, applies, step));
        let at = |kind, goal, span| {
            let mut obligation = self.obligation(kind, &hypotheses, goal, span);
            obligation.names = names.clone();
            obligation
        };
        let enabled = run.enabled.iter().map(|(position, guard)| {
            let kind = ObligationKind::Enabled {
                action: name.clone(),
                alternative: index + 1,
                position: *position,
            };
            at(kind, guard.clone(), span)
        });
        let keeps = context.case.gamma.iter().map(|clause| {
            let kind = ObligationKind::Keeps {
                action: name.clone(),
                alternative: index + 1,
                clause: clause.name.clone(),
            };
            at(kind, after_step(&context.expand(&clause.formula), step, run), clause.span)
        });
        enabled.chain(keeps).collect()
    }

    /// `Ψ_L, Ψ_C, γ, Φ_L, Φ_C`, the transition of the action and the alternative's condition.
    fn before_step(
        &self,
        action: usize,
        applies: ProductFormula,
        step: &LargeStep,
    ) -> Vec<Hypothesis> {
        let context = self.context;
        let mut hypotheses = self.axioms_of_large();
        hypotheses.push(self.axioms_of_cutoff());
        hypotheses.extend(self.gamma());
        for property in &context.large.properties {
            let formula = context.in_large(&property.formula());
            hypotheses.push(Hypothesis::new(format!("{} in L", property.name), formula));
        }
        if self.assume == Assume::CutoffSafe {
            hypotheses.extend(self.checked_in_cutoff());
        }
        let name = &context.large.actions[action].name;
        hypotheses.push(Hypothesis::new(format!("guard of {name} in L"), step.guard.clone()));
        hypotheses.push(Hypothesis::new("the alternative applies", applies));
        hypotheses
    }

    fn run(&self, post: &CaseDefinitions, alternative: &Alternative) -> CutoffRun {
        let read = |term: &ProductTerm| {
            let term = translate_term(term, BTreeMap::new(), Expand(post));
            self.context.expand_term(&term)
        };
        let read_definition = |definition: &ProductDefinition| {
            self.context.expand_definition(&expand_with(definition, post))
        };
        run_moves(self.context, &alternative.moves, &read, &read_definition)
    }

    fn read(&self, post: &CaseDefinitions, formula: &ProductFormula) -> ProductFormula {
        self.context.expand(&translate_formula(formula, BTreeMap::new(), Expand(post)))
    }

    fn safety(&self) -> Obligation {
        let context = self.context;
        let property = context.property();
        let mut hypotheses = self.axioms_of_large();
        hypotheses.push(self.axioms_of_cutoff());
        hypotheses.extend(self.gamma());
        for earlier in &context.large.properties[..context.case.property] {
            let formula = context.in_large(&earlier.formula());
            hypotheses.push(Hypothesis::new(format!("{} in L", earlier.name), formula));
        }
        let select = context.expand(&context.case.select.formula);
        hypotheses.push(Hypothesis::new("select", select));
        let violated = format!("{} is violated in L", property.name);
        hypotheses.push(Hypothesis::new(violated, context.violation()));
        let goal = match self.assume {
            Assume::CutoffSafe => {
                let checked = self.checked_in_cutoff().into_iter().map(|checked| checked.formula);
                Formula::and(checked).negate()
            }
            Assume::Nothing => Formula::truth(false),
        };
        let kind = ObligationKind::Safety { property: property.name.clone() };
        self.obligation(kind, &Arc::new(hypotheses), goal, context.case.span)
    }
}
