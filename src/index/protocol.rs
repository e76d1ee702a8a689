//! The names of a protocol.

use super::builder::{Builder, Declaration};
use super::entity::{EntityId, EntityKind, Role};
use crate::frontend::machine_tree::{Declaration as MachineDeclaration, MachineFile};
use crate::frontend::syntax::surface::{
    ActionItem, DefinitionItem, Identifier, Item, LabelledFormula, Module, RunCall, RunItem,
    RunPart, StructureItem, StructureWord, SymbolItem,
};
use crate::logic::Name;
use crate::source::{Span, Spanned};

impl Builder<'_> {
    /// Every declaration, then everything that uses one: they may come in any order.
    pub(super) fn protocol(&mut self, module: &Module) {
        for item in &module.items {
            self.declare(&item.value, item.span);
        }
        // Sorts of parameters are found from their uses, and used by those who apply them.
        for item in &module.items {
            if let Item::Define(definition) = &item.value {
                self.definition(definition, item.span);
            }
        }
        for item in &module.items {
            self.item(&item.value, item.span);
        }
    }

    fn declare(&mut self, item: &Item, span: Span) {
        match item {
            Item::Sorts(sorts) => {
                for sort in sorts {
                    self.global(Declaration::new(sort, EntityKind::Sort, span));
                }
            }
            Item::Enumeration(item) => {
                let sort = self.global(Declaration::new(&item.name, EntityKind::Sort, span));
                for element in &item.elements {
                    self.owner = Some(sort);
                    let declaration = Declaration::new(element, EntityKind::Element, span);
                    let sort = Some(item.name.value.clone());
                    self.global(Declaration { sort, ..declaration });
                    self.owner = None;
                }
            }
            Item::Symbol(symbol) => {
                self.symbol(symbol, span);
            }
            Item::Structure(structure) => self.structure(structure, span),
            Item::Define(definition) => {
                self.global(Declaration::new(&definition.name, EntityKind::Definition, span));
            }
            Item::Action(action) => self.action_declaration(action, span),
            Item::Axiom(_)
            | Item::Init(_)
            | Item::Safety(_)
            | Item::Lemma(_)
            | Item::Owed(_)
            | Item::Candidate(_)
            | Item::Run(_) => {}
        }
    }

    fn action_declaration(&mut self, action: &ActionItem, span: Span) {
        let id = self.global(Declaration::new(&action.name, EntityKind::Action, span));
        self.scoped(|walk| {
            walk.owner = Some(id);
            walk.binders(&action.params, EntityKind::Parameter, span);
        });
    }

    /// What is in messages: the relations that they are lowered to have no names for it.
    pub(super) fn messages(&mut self, file: &MachineFile) {
        for declaration in &file.declarations {
            let MachineDeclaration::Message(message) = &declaration.value else { continue };
            let owner = self.globals.get(&message.name.value).copied();
            self.scoped(|walk| {
                walk.owner = owner;
                walk.binders(&message.fields, EntityKind::Parameter, declaration.span);
            });
        }
    }

    /// A relation, function, constant or variable.
    pub(super) fn symbol(&mut self, symbol: &SymbolItem, span: Span) -> EntityId {
        let truth = |sort: &&Identifier| &*sort.value == "bool";
        let result = symbol.result.as_ref().filter(|sort| !truth(sort));
        let kind = match (result, symbol.params.is_empty(), symbol.rigid) {
            (None, _, true) => EntityKind::RigidRelation,
            (None, _, false) => EntityKind::Relation,
            (Some(_), true, true) => EntityKind::Constant,
            (Some(_), true, false) => EntityKind::StateVariable,
            (Some(_), false, true) => EntityKind::RigidFunction,
            (Some(_), false, false) => EntityKind::Function,
        };
        self.global(Declaration {
            sorts: symbol.params.iter().map(|sort| sort.value.clone()).collect(),
            sort: result.map(|sort| sort.value.clone()),
            ..Declaration::new(&symbol.name, kind, span)
        })
    }

    fn structure(&mut self, item: &StructureItem, span: Span) {
        let on = &item.on.value;
        let arity = match item.word {
            StructureWord::Ring => 3,
            StructureWord::Order | StructureWord::Tree | StructureWord::Successor => 2,
            StructureWord::Quorums => return self.quorums(item, span),
        };
        let kind = match item.word {
            StructureWord::Successor => EntityKind::Definition,
            _ => EntityKind::RigidRelation,
        };
        for name in &item.names {
            let sorts: Vec<Name> = vec![on.clone(); arity];
            self.global(Declaration { sorts, ..Declaration::new(name, kind, span) });
        }
    }

    fn quorums(&mut self, item: &StructureItem, span: Span) {
        for (position, sets) in item.sorts.iter().enumerate() {
            self.global(Declaration::new(sets, EntityKind::Sort, span));
            let default = match item.sorts.len() {
                1 => "member".into(),
                _ => format!("member_{}", sets.value).into(),
            };
            let unwritten = Spanned::new(default, sets.span);
            let name = item.names.get(position).unwrap_or(&unwritten);
            let sorts = vec![item.on.value.clone(), sets.value.clone()];
            let declaration = Declaration::new(name, EntityKind::RigidRelation, span);
            self.global(Declaration { sorts, ..declaration });
        }
    }

    fn item(&mut self, item: &Item, span: Span) {
        match item {
            Item::Symbol(symbol) => self.symbol_sorts(symbol),
            Item::Structure(structure) => self.sort(&structure.on),
            Item::Axiom(line) | Item::Init(line) => self.labelled(line, EntityKind::Label, span),
            Item::Safety(line) | Item::Owed(line) => self.labelled(line, EntityKind::Safety, span),
            Item::Lemma(line) | Item::Candidate(line) => {
                self.labelled(line, EntityKind::Lemma, span);
            }
            Item::Action(action) => self.action(action, span),
            Item::Run(run) => self.run(run, span),
            Item::Sorts(_) | Item::Enumeration(_) | Item::Define(_) => {}
        }
    }

    /// The sorts in the declaration of a symbol.
    pub(super) fn symbol_sorts(&mut self, symbol: &SymbolItem) {
        for sort in symbol.params.iter().chain(&symbol.result) {
            self.sort(sort);
        }
    }

    fn definition(&mut self, definition: &DefinitionItem, span: Span) {
        let id = self.globals.get(&definition.name.value).copied();
        self.scoped(|walk| {
            walk.owner = id;
            walk.binders(&definition.params, EntityKind::Parameter, span);
            walk.owner = None;
            walk.expression(&definition.value);
        });
        self.spread_sorts();
    }

    /// The statements of an action, with its parameters.
    fn action(&mut self, action: &ActionItem, span: Span) {
        let id = self.entities.iter().position(|own| {
            own.span == action.name.span && own.kind == EntityKind::Action && own.text == self.side
        });
        let id = id.map(EntityId);
        self.scoped(|walk| {
            walk.within = id;
            for sort in action.params.iter().filter_map(|param| param.sort.as_ref()) {
                walk.sort(sort);
            }
            walk.locals.extend(walk.parameters_in(span));
            walk.statements(&action.body);
            walk.within = None;
        });
    }

    /// The parameters that are declared for a part of the text that is walked.
    fn parameters_in(&self, span: Span) -> Vec<EntityId> {
        let own = self.entities.iter().enumerate().filter(|(_, entity)| {
            entity.text == self.side
                && entity.kind == EntityKind::Parameter
                && entity.scope == Some(span)
        });
        own.map(|(position, _)| EntityId(position)).collect()
    }

    /// A formula with a label; its variables belong to it.
    pub(super) fn labelled(&mut self, line: &LabelledFormula, kind: EntityKind, span: Span) {
        let label = line.label.as_ref();
        let label = label.map(|label| self.label(Declaration::new(label, kind, span)));
        self.scoped(|walk| {
            walk.owner = label;
            walk.closed_formula(&line.formula);
        });
    }

    fn run(&mut self, run: &RunItem, span: Span) {
        if let Some(label) = &run.label {
            self.label(Declaration::new(label, EntityKind::Label, span));
        }
        for part in &run.parts {
            match part {
                RunPart::Holds(formula) => self.closed_formula(formula),
                RunPart::OneOf(calls) => calls.iter().for_each(|call| self.call(call)),
                RunPart::Initially | RunPart::Any => {}
            }
        }
    }

    fn call(&mut self, call: &RunCall) {
        self.used(&call.action, Role::Reads);
        for argument in call.arguments.iter().flatten().flatten() {
            self.expression(argument);
        }
    }
}
