//! A counter-model made whole: a value for everything, definitions worked out, and the states of
//! both systems as states of their protocols.

use std::collections::BTreeMap;

use crate::certificate::{
    Case, ProductDefinition, ProductNames, ProductSort, ProductSymbol, Systems, TwoSystems,
};
use crate::logic::{
    Body, Declarations as _, Extent, Structure, Table, Value, VariableAssignment, evaluate_formula,
    evaluate_term, tuple_count, tuples,
};
use crate::protocol::{ChoiceId, Sort, State, SymbolId, least_extent};

/// Tables larger than this are not worked out.
const LARGEST_TABLE: usize = 20_000;

/// A structure in which every symbol of an obligation has a value.
pub(super) struct Scene<'a> {
    pub(super) names: &'a ProductNames,
    pub(super) structure: Structure<TwoSystems>,
    pub(super) assignment: VariableAssignment<TwoSystems>,
}

impl<'a> Scene<'a> {
    /// Completes a structure; what it leaves open gets some value.
    pub(super) fn new(
        names: &'a ProductNames,
        structure: &Structure<TwoSystems>,
        assignment: &VariableAssignment<TwoSystems>,
    ) -> Self {
        let mut scene =
            Scene { names, structure: structure.clone(), assignment: assignment.clone() };
        scene.add_extents();
        for (id, _) in names.signature.symbols() {
            scene.add_blank(ProductSymbol::Large(id));
            scene.add_blank(ProductSymbol::Cutoff(id));
        }
        for index in 0..names.params.len() {
            scene.add_blank(ProductSymbol::Param(u32::try_from(index).expect("few parameters")));
        }
        let choices = names.action.as_ref().map_or(0, |action| action.choices.len());
        for index in 0..choices {
            let id = ChoiceId(u32::try_from(index).expect("few choices"));
            scene.add_blank(match names.systems {
                Systems::Both => ProductSymbol::LargeChoice(id),
                Systems::One => ProductSymbol::CutoffChoice(id),
            });
        }
        for cut in &names.cut {
            for index in 0..cut.elements.len() {
                let index = u32::try_from(index).expect("few elements");
                let element = Table::constant(Vec::new(), Value::Element(index));
                scene.structure.tables.insert(ProductSymbol::Element(cut.sort, index), element);
            }
        }
        for cut in &names.cut {
            scene.define(ProductSymbol::Sim(cut.sort), &cut.sim);
        }
        scene
    }

    fn add_extents(&mut self) {
        let extents = &mut self.structure.extents;
        for sort in self.names.signature.sorts() {
            let least = least_extent(&self.names.signature, sort);
            extents.entry(ProductSort::Large(sort)).or_insert(least);
        }
        for cut in &self.names.cut {
            let size = u32::try_from(cut.elements.len()).expect("few elements");
            extents.insert(ProductSort::Cutoff(cut.sort), Extent::Elements(size));
        }
        extents.entry(ProductSort::Int).or_insert(Extent::Window { low: 0, high: 0 });
    }

    fn add_blank(&mut self, symbol: ProductSymbol) {
        if self.structure.tables.contains_key(&symbol) {
            return;
        }
        let rank = self.names.symbol(symbol).rank;
        let value = match rank.result {
            None => Value::Bool(false),
            Some(ProductSort::Int) => Value::Int(0),
            Some(ProductSort::Large(_) | ProductSort::Cutoff(_)) => Value::Element(0),
        };
        if let Some(extents) = self.extents(&rank.params) {
            self.structure.tables.insert(symbol, Table::constant(extents, value));
        }
    }

    /// The ranges of arguments, unless there are too many.
    fn extents(&self, sorts: &[ProductSort]) -> Option<Vec<Extent>> {
        let extents =
            sorts.iter().map(|sort| self.structure.extent(*sort)).collect::<Option<Vec<_>>>()?;
        let entries = tuple_count(&extents);
        (entries <= LARGEST_TABLE).then_some(extents)
    }

    /// Works out a definition; where it has no value the symbol keeps the one it has.
    pub(super) fn define(&mut self, symbol: ProductSymbol, definition: &ProductDefinition) {
        if let Some(table) = self.tabulate(definition) {
            self.structure.tables.insert(symbol, table);
        }
    }

    /// The values of a definition at all arguments; free variables are those of the obligation.
    pub(super) fn tabulate(&self, definition: &ProductDefinition) -> Option<Table> {
        let sorts: Vec<ProductSort> = definition.params.iter().map(|param| param.sort).collect();
        let extents = self.extents(&sorts)?;
        let mut table = Table::constant(extents.clone(), Value::Bool(false));
        for args in tuples(&extents) {
            let mut assignment = self.assignment.clone();
            assignment.extend(definition.params.iter().cloned().zip(args.iter().copied()));
            let value = match &definition.body {
                Body::Formula(formula) => {
                    evaluate_formula(&self.structure, &assignment, formula).map(Value::Bool)
                }
                Body::Term(term) => evaluate_term(&self.structure, &assignment, term),
            };
            table.set(&args, value.ok()?);
        }
        Some(table)
    }

    /// Works out what a case defines: the rigid symbols of `C`, and at the start all of them.
    pub(super) fn define_cutoff(&mut self, case: &Case, moment: SceneMoment) {
        for (symbol, definition) in &case.rigid {
            self.define(ProductSymbol::Cutoff(*symbol), definition);
        }
        match moment {
            SceneMoment::Start => {
                for (symbol, definition) in &case.start {
                    self.define(ProductSymbol::Cutoff(*symbol), definition);
                }
            }
            SceneMoment::Later => {}
        }
    }

    /// The state of `L`.
    pub(super) fn large(&self) -> State {
        let sort = |sort| match sort {
            Sort::Declared(id) => ProductSort::Large(id),
            Sort::Int => ProductSort::Int,
        };
        self.state_of_system(&sort, &ProductSymbol::Large)
    }

    /// The state of `C`, or of the one system there is.
    pub(super) fn cutoff(&self) -> State {
        self.state_of_system(&|sort| self.names.cutoff_sort(sort), &ProductSymbol::Cutoff)
    }

    fn state_of_system(
        &self,
        sort: &dyn Fn(Sort) -> ProductSort,
        symbol: &dyn Fn(SymbolId) -> ProductSymbol,
    ) -> State {
        let signature = &self.names.signature;
        let declared = signature.sorts().map(Sort::Declared).chain([Sort::Int]);
        let extents: BTreeMap<Sort, Extent> =
            declared.filter_map(|own| Some((own, self.structure.extent(sort(own))?))).collect();
        let mut state = Structure::new(extents);
        for (id, _) in signature.symbols() {
            if let Some(table) = self.structure.tables.get(&symbol(id)) {
                state.tables.insert(id, table.clone());
            }
        }
        state
    }

    /// The same with other states.
    pub(super) fn after(&self, large: Option<&State>, cutoff: Option<&State>) -> Scene<'a> {
        let mut structure = self.structure.clone();
        for (id, table) in large.iter().flat_map(|state| &state.tables) {
            structure.tables.insert(ProductSymbol::Large(*id), table.clone());
        }
        for (id, table) in cutoff.iter().flat_map(|state| &state.tables) {
            structure.tables.insert(ProductSymbol::Cutoff(*id), table.clone());
        }
        Scene { names: self.names, structure, assignment: self.assignment.clone() }
    }
}

/// When a counter-model happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SceneMoment {
    /// In the first states.
    Start,
    /// In any states.
    Later,
}
