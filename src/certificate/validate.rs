//! The last gate before the obligations: a certificate says only what the theory lets it say.
//!
//! Every value that passes here and whose obligations are valid is a proof, however it was made: the
//! reader of certificates, which refuses others earlier and with better words, is not trusted.

use std::collections::BTreeSet;

use crate::logic::{
    Body, Declarations, FormulaKind, Name, Node, Var, free_vars, ill_sorted_part,
    well_sorted_formula, well_sorted_term,
};
use crate::protocol::{
    Protocol, Rigidity, Sort, StateFormula, Weight, is_declared, is_well_formed,
};

use super::lockstep::names_for;
use super::vocabulary_rules::{definition_symbols, is_about_large, may_bind};
use super::{
    Alternative, Case, CaseContext, Certificate, Closing, Invariant, Mode, Move, ProductDefinition,
    ProductFormula, ProductNames, ProductSort, ProductSymbol, ProofArgument, TwoSystems,
    cutoff_signature, cutoff_system, element_var, history, large_sort,
};

/// Everything that is wrong with a certificate for `user`'s protocol; empty if it may be judged by
/// its obligations.
pub fn validate(user: &Protocol, certificate: &Certificate) -> Vec<String> {
    let mut validator = Validator { large: &certificate.large, problems: Vec::new() };
    validator.problems.extend(history::problems(user, &certificate.large));
    validator.properties();
    validator.actions(&certificate.large);
    for init in &certificate.large.init {
        let good = validator.state_formula(&certificate.large, &[], &init.formula);
        validator.require(good, || "an initial condition of L is not a formula".to_owned());
    }
    match &certificate.argument {
        ProofArgument::Cutoff(cases) => {
            let mut seen = BTreeSet::new();
            for case in cases {
                let fresh = seen.insert(case.name.clone());
                validator.require(fresh, || format!("two cases are called {}", case.name));
                validator.case(user, case);
            }
        }
        ProofArgument::Invariant(invariant) => {
            validator.invariant(&certificate.large, &[], invariant);
        }
    }
    validator.problems
}

/// A bound on the size of the moves of an answer, written as one.
pub fn answer_weight(case: &Case, moves: &[Move]) -> Weight {
    let mut weight = Weight::default();
    for next in moves {
        // A move that does not exist is refused elsewhere.
        let Some(action) = case.small.actions.get(next.action) else { continue };
        match next.mode {
            Mode::Fire => weight.act(action),
            Mode::Try => weight.attempt(action),
        }
    }
    weight
}

/// Which symbols a part of a certificate may read.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum AllowedReads {
    /// Rigid symbols of `L` and parameters.
    Rigid,
    /// The state of `L` and parameters.
    Large,
    /// Both states.
    Both,
    /// Both states, the state of `L` after the step, and its choices.
    Step,
}

struct Validator<'a> {
    large: &'a Protocol,
    problems: Vec<String>,
}

impl Validator<'_> {
    fn require(&mut self, holds: bool, problem: impl FnOnce() -> String) {
        if !holds {
            self.problems.push(problem());
        }
    }

    fn actions(&mut self, system: &Protocol) {
        for action in &system.actions {
            let good = is_well_formed(&system.signature, action);
            self.require(good, || format!("{} is not an action", action.name));
            let mut weight = Weight::default();
            weight.act(action);
            let light = weight.is_light();
            self.require(light, || format!("{} is too large to be written down", action.name));
        }
    }

    /// A property speaks of one state of `L`, and of nothing else.
    fn properties(&mut self) {
        for property in &self.large.properties {
            let distinct: BTreeSet<&Name> = property.vars.iter().map(|var| &var.name).collect();
            let good = distinct.len() == property.vars.len()
                && self.state_formula(self.large, &[], &property.formula());
            self.require(good, || format!("{} is not a property", property.name));
        }
    }

    fn case(&mut self, user: &Protocol, case: &Case) {
        let context = CaseContext::new(self.large, case);
        let names = &context.names;
        let name = &case.name;
        self.small(user, case);
        self.violators(case);
        let select = self.formula(names, case, &case.select.formula, AllowedReads::Large, &[])
            && is_about_large(&case.select.formula);
        self.require(select, || format!("{name}: select must read L only and be closed"));
        self.cut(names, case);
        let of = |rigidity: Rigidity| {
            let own = case.small.signature.symbols();
            own.filter(move |(_, declared)| declared.rigidity == rigidity).map(|(symbol, _)| symbol)
        };
        let exact = case.rigid.keys().copied().eq(of(Rigidity::Rigid))
            && case.start.keys().copied().eq(of(Rigidity::Mutable));
        self.require(exact, || format!("{name}: something else is defined than the symbols of C"));
        for (symbol, declared) in case.small.signature.symbols() {
            let (definitions, reads) = match declared.rigidity {
                Rigidity::Rigid => (&case.rigid, AllowedReads::Rigid),
                Rigidity::Mutable => (&case.start, AllowedReads::Large),
            };
            let defined = definitions.get(&symbol).is_some_and(|definition| {
                self.definition(names, case, definition, ProductSymbol::Cutoff(symbol), reads, &[])
            });
            self.require(defined, || format!("{name}: {} has no good definition", declared.name));
        }
        for clause in &case.gamma {
            let good = self.formula(names, case, &clause.formula, AllowedReads::Both, &[]);
            self.require(good, || format!("{name}: gamma {} is not a clause", clause.name));
        }
        for only in &case.only {
            let good = self.state_formula(&case.small, &case.cut, &only.formula);
            self.require(good, || format!("{name}: {} is not about C alone", only.name));
        }
        match &case.closing {
            Closing::Search => {}
            Closing::Invariant(invariant) => self.invariant(&case.small, &case.cut, invariant),
            Closing::Certificate(own) => {
                let wrong = validate(&cutoff_system(case), own).into_iter();
                let named = wrong.map(|why| format!("{name}: in the certificate about C, {why}"));
                self.problems.extend(named);
            }
        }
        self.lockstep(&context);
    }

    /// `C` runs the user's protocol, if relaxed with other actions, and *finite* checks every
    /// property it can read.
    fn small(&mut self, user: &Protocol, case: &Case) {
        let small = &case.small;
        let same_signature = small.signature == user.signature;
        self.require(same_signature, || format!("{}: C has other symbols", case.name));
        let same = small.axioms == user.axioms
            && small.init == user.init
            && (case.relaxed || small.actions == user.actions);
        self.require(same, || format!("{}: C runs another protocol", case.name));
        if case.relaxed {
            self.actions(&Protocol { signature: cutoff_signature(case), ..small.clone() });
        }
        let readable = |formula: &StateFormula| {
            let count = user.signature.symbols().count();
            formula.symbols().iter().all(|symbol| (symbol.0 as usize) < count)
        };
        let expected = self.large.properties.iter();
        let expected = expected.filter(|property| readable(&property.matrix));
        let exact = expected.eq(small.properties.iter());
        self.require(exact, || format!("{}: C is checked for other properties", case.name));
    }

    fn violators(&mut self, case: &Case) {
        let Some(property) = self.large.properties.get(case.property) else {
            return self.problems.push(format!("{}: there is no such property", case.name));
        };
        let ranked = case.params.iter().all(|param| is_declared(&self.large.signature, param.sort));
        self.require(ranked, || format!("{}: a parameter has no sort", case.name));
        let sorts = case.violators.iter().map(|param| case.params.get(*param).map(|p| p.sort));
        let designated = sorts.eq(property.vars.iter().map(|var| Some(var.sort)));
        let good = case.violators.is_empty() || designated;
        self.require(good, || format!("{}: violators do not match the property", case.name));
    }

    fn cut(&mut self, names: &ProductNames, case: &Case) {
        let sorts: BTreeSet<_> = case.cut.iter().map(|cut| cut.sort).collect();
        self.require(sorts.len() == case.cut.len(), || {
            format!("{}: a sort is cut twice", case.name)
        });
        let all: Vec<&Name> = case.cut.iter().flat_map(|cut| &cut.elements).collect();
        let distinct: BTreeSet<&Name> = all.iter().copied().collect();
        self.require(distinct.len() == all.len(), || {
            format!("{}: two elements of C have one name", case.name)
        });
        for cut in &case.cut {
            let symbol = ProductSymbol::Sim(cut.sort);
            let good = !cut.elements.is_empty()
                && self.large.signature.elements(cut.sort).is_none()
                && self.definition(names, case, &cut.sim, symbol, AllowedReads::Rigid, &[])
                && !definition_symbols(&cut.sim)
                    .iter()
                    .any(|symbol| matches!(symbol, ProductSymbol::Sim(_)));
            let sort = self.large.signature.sort_name(cut.sort);
            self.require(good, || format!("{}: the map of {sort} is not good", case.name));
        }
    }

    fn lockstep(&mut self, context: &CaseContext<'_>) {
        let case = context.case;
        let complete = case.lockstep.len() == self.large.actions.len();
        self.require(complete, || format!("{}: an action has no answer", case.name));
        for (index, alternatives) in case.lockstep.iter().enumerate().take(self.large.actions.len())
        {
            let last = alternatives.last().is_some_and(|alternative| {
                matches!(alternative.condition.kind(), FormulaKind::Truth(true))
            });
            let action = &self.large.actions[index];
            self.require(last, || {
                format!("{}: {} has no unconditional answer", case.name, action.name)
            });
            let names = names_for(context, self.large, index);
            let params: Vec<Var<TwoSystems>> = action
                .params
                .iter()
                .map(|param| Var::new(param.name.clone(), large_sort(param.sort)))
                .collect();
            for alternative in alternatives {
                self.alternative(&names, case, alternative, &params);
            }
        }
    }

    fn alternative(
        &mut self,
        names: &ProductNames,
        case: &Case,
        alternative: &Alternative,
        params: &[Var<TwoSystems>],
    ) {
        let good = self.formula(names, case, &alternative.condition, AllowedReads::Step, params)
            && alternative.moves.iter().all(|next| self.good_move(names, case, next, params));
        let action = names.action.as_ref().map_or("", |action| &action.name);
        self.require(good, || format!("{}: an answer to {action} is not good", case.name));
        let light = answer_weight(case, &alternative.moves).is_light();
        self.require(light, || {
            format!("{}: an answer to {action} is too large to be written down", case.name)
        });
    }

    fn good_move(
        &self,
        names: &ProductNames,
        case: &Case,
        next: &Move,
        params: &[Var<TwoSystems>],
    ) -> bool {
        let Some(action) = case.small.actions.get(next.action) else { return false };
        let expected = action.params.iter().map(|param| names.cutoff_sort(param.sort));
        let args = next.args.iter().map(|arg| arg.sort()).eq(expected)
            && next.args.iter().all(|arg| {
                well_sorted_term(names, arg)
                    && self.may_read(case, &arg.symbols(), AllowedReads::Step)
                    && may_bind(self.large, case, Node::Term(arg))
                    && arg.free_vars().iter().all(|var| params.contains(var))
            });
        let choices = action.choices.iter().enumerate().all(|(index, choice)| {
            let id = crate::protocol::ChoiceId(u32::try_from(index).expect("few choices"));
            next.choices.get(&id).is_some_and(|definition| {
                let sorts = choice.params.iter().map(|sort| names.cutoff_sort(*sort));
                let clash = definition
                    .params
                    .iter()
                    .any(|own| params.iter().any(|param| param.name == own.name));
                !clash
                    && definition.params.iter().map(|param| param.sort).eq(sorts)
                    && result(definition) == choice.result.map(|sort| names.cutoff_sort(sort))
                    && self.body(names, case, definition, AllowedReads::Step, params)
            })
        });
        args && choices
    }

    fn formula(
        &self,
        names: &ProductNames,
        case: &Case,
        formula: &ProductFormula,
        reads: AllowedReads,
        vars: &[Var<TwoSystems>],
    ) -> bool {
        self.may_read(case, &formula.symbols(), reads)
            && may_bind(self.large, case, Node::Formula(formula))
            && well_sorted_formula(names, formula)
            && formula.free_vars().iter().all(|var| vars.contains(var))
    }

    fn definition(
        &self,
        names: &ProductNames,
        case: &Case,
        definition: &ProductDefinition,
        symbol: ProductSymbol,
        reads: AllowedReads,
        vars: &[Var<TwoSystems>],
    ) -> bool {
        let rank = names.symbol(symbol).rank;
        definition.params.iter().map(|param| param.sort).eq(rank.params)
            && result(definition) == rank.result
            && self.body(names, case, definition, reads, vars)
    }

    fn body(
        &self,
        names: &ProductNames,
        case: &Case,
        definition: &ProductDefinition,
        reads: AllowedReads,
        vars: &[Var<TwoSystems>],
    ) -> bool {
        let distinct: BTreeSet<&Name> = definition.params.iter().map(|var| &var.name).collect();
        let body = definition.body.node();
        distinct.len() == definition.params.len()
            && self.may_read(case, &definition_symbols(definition), reads)
            && may_bind(self.large, case, body)
            && ill_sorted_part(names, body).is_none()
            && free_vars(body)
                .iter()
                .all(|var| definition.params.contains(var) || vars.contains(var))
    }

    fn may_read(
        &self,
        case: &Case,
        symbols: &BTreeSet<ProductSymbol>,
        reads: AllowedReads,
    ) -> bool {
        let signature = &self.large.signature;
        let small = case.small.signature.symbols().count();
        symbols.iter().all(|symbol| match symbol {
            ProductSymbol::Large(id) => {
                reads >= AllowedReads::Large || signature.symbol(*id).rigidity == Rigidity::Rigid
            }
            ProductSymbol::LargePost(_) | ProductSymbol::LargeChoice(_) => {
                reads >= AllowedReads::Step
            }
            ProductSymbol::Cutoff(id) => reads >= AllowedReads::Both && (id.0 as usize) < small,
            ProductSymbol::CutoffChoice(_) => false,
            ProductSymbol::Param(index) => (*index as usize) < case.params.len(),
            ProductSymbol::Element(sort, index) => case
                .cut
                .iter()
                .any(|cut| cut.sort == *sort && (*index as usize) < cut.elements.len()),
            ProductSymbol::Sim(sort) => case.cut.iter().any(|cut| cut.sort == *sort),
        })
    }

    fn invariant(&mut self, system: &Protocol, cut: &[super::CutSort], invariant: &Invariant) {
        for clause in &invariant.clauses {
            let good = self.state_formula(system, cut, &clause.formula);
            self.require(good, || format!("{} is not a clause of an invariant", clause.name));
        }
    }

    /// Free variables must be named elements of cut sorts, and their names must not be bound.
    fn state_formula(
        &self,
        system: &Protocol,
        cut: &[super::CutSort],
        formula: &StateFormula,
    ) -> bool {
        let elements: BTreeSet<_> = cut
            .iter()
            .flat_map(|cut| (0..cut.elements.len()).map(|index| element_var(cut, index)))
            .collect();
        let count = system.signature.symbols().count();
        formula.symbols().iter().all(|symbol| (symbol.0 as usize) < count)
            && well_sorted_formula(&system.signature, formula)
            && formula.free_vars().iter().all(|var| elements.contains(var))
            && formula.free_vars().iter().all(|var| var.sort != Sort::Int)
    }
}

fn result(definition: &ProductDefinition) -> Option<ProductSort> {
    match &definition.body {
        Body::Formula(_) => None,
        Body::Term(term) => Some(term.sort()),
    }
}
