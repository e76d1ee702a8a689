//! The value of a formula or term in a world of machines, from the text as it was written.

use std::collections::BTreeMap;

use rmlcut::frontend::machine_tree::{Declaration, Machine, MachineFile, Message, Part};
use rmlcut::frontend::syntax::surface::{
    Arithmetic, Binder, Connective, DefinitionItem, Expression, ExpressionKind, Identifier, Item,
    StructureWord,
};
use rmlcut::logic::{Comparison, Quantifier, Value};

use super::world::World;

/// Names that mean something here only.
pub(super) type Locals = BTreeMap<String, Value>;

/// A file, with the number of elements of every sort.
pub(super) struct Setting<'a> {
    pub(super) file: &'a MachineFile,
    pub(super) sizes: BTreeMap<String, u32>,
}

/// What is declared with arguments: their sorts, and the sort of the value.
struct Shape {
    params: Vec<String>,
    result: Option<String>,
}

fn text(name: &Identifier) -> String {
    name.value.to_string()
}

impl<'a> Setting<'a> {
    pub(super) fn machines(&self) -> impl Iterator<Item = &'a Machine> {
        self.file.declarations.iter().filter_map(|declaration| match &declaration.value {
            Declaration::Machine(machine) => Some(machine),
            _ => None,
        })
    }

    pub(super) fn messages(&self) -> impl Iterator<Item = &'a Message> {
        self.file.declarations.iter().filter_map(|declaration| match &declaration.value {
            Declaration::Message(message) => Some(message),
            _ => None,
        })
    }

    pub(super) fn message(&self, name: &str) -> &'a Message {
        self.messages().find(|message| &*message.name.value == name).expect("a message")
    }

    pub(super) fn elements(&self, sort: &str) -> Vec<Value> {
        let count = self.sizes.get(sort).unwrap_or_else(|| panic!("no size of {sort}"));
        (0..*count).map(Value::Element).collect()
    }

    pub(super) fn states(machine: &Machine) -> &[Identifier] {
        let states = machine.parts.iter().find_map(|part| match &part.value {
            Part::States(states) => Some(&states[..]),
            _ => None,
        });
        states.unwrap_or_default()
    }

    /// Whether a machine has a variable, function or relation of its own.
    pub(super) fn owns(machine: &Machine, name: &str) -> bool {
        machine
            .parts
            .iter()
            .any(|part| matches!(&part.value, Part::Symbol(symbol) if &*symbol.name.value == name))
    }

    fn define(&self, name: &str) -> Option<&'a DefinitionItem> {
        self.file.items.iter().find_map(|item| match &item.value {
            Item::Define(definition) if &*definition.name.value == name => Some(definition),
            _ => None,
        })
    }

    /// An element of an enumeration, a state or a listed machine.
    fn element(&self, name: &str) -> Option<Value> {
        let of_items = self.file.items.iter().filter_map(|item| match &item.value {
            Item::Enumeration(item) => Some(&item.elements[..]),
            _ => None,
        });
        let lists = of_items
            .chain(self.machines().map(Self::states))
            .chain(self.machines().filter_map(|machine| machine.instances.as_deref()));
        let position =
            |list: &[Identifier]| list.iter().position(|element| &*element.value == name);
        let found = lists.filter_map(position).next()?;
        Some(Value::Element(u32::try_from(found).expect("few elements")))
    }

    /// The order below a successor relation.
    fn order_of(&self, successor: &str) -> Option<String> {
        let on = self.file.items.iter().find_map(|item| match &item.value {
            Item::Structure(own)
                if own.word == StructureWord::Successor && &*own.names[0].value == successor =>
            {
                Some(&own.on.value)
            }
            _ => None,
        })?;
        self.file.items.iter().find_map(|item| match &item.value {
            Item::Structure(own) if own.word == StructureWord::Order && own.on.value == *on => {
                Some(text(&own.names[0]))
            }
            _ => None,
        })
    }

    fn shape(&self, machine: Option<&Machine>, name: &str) -> Option<Shape> {
        let own = machine.into_iter().flat_map(|machine| &machine.parts);
        let own = own.filter_map(|part| match &part.value {
            Part::Symbol(symbol) => Some(symbol),
            _ => None,
        });
        let plain = self.file.items.iter().filter_map(|item| match &item.value {
            Item::Symbol(symbol) => Some(symbol),
            _ => None,
        });
        if let Some(symbol) = own.chain(plain).find(|symbol| &*symbol.name.value == name) {
            let params = symbol.params.iter().map(text).collect();
            return Some(Shape { params, result: symbol.result.as_ref().map(text) });
        }
        self.file.items.iter().find_map(|item| match &item.value {
            Item::Define(definition) if &*definition.name.value == name => {
                let sort = |binder: &Binder| self.sort_of(None, binder, &definition.value);
                Some(Shape { params: definition.params.iter().map(sort).collect(), result: None })
            }
            Item::Structure(own) if own.word == StructureWord::Quorums => {
                let default = own.names.is_empty() && name == "member";
                let at = own.names.iter().position(|member| &*member.value == name);
                let at = at.or(default.then_some(0))?;
                let params = vec![text(&own.on), text(&own.sorts[at])];
                Some(Shape { params, result: None })
            }
            Item::Structure(own) if own.names.iter().any(|other| &*other.value == name) => {
                Some(Shape { params: vec![text(&own.on); 3], result: None })
            }
            _ => None,
        })
    }

    /// The sort of a variable: as written, or as it is used.
    pub(super) fn sort_of(
        &self,
        machine: Option<&Machine>,
        binder: &Binder,
        body: &Expression,
    ) -> String {
        if let Some(sort) = &binder.sort {
            return text(sort);
        }
        let found = self.used_as(machine, &binder.name.value, body);
        found.unwrap_or_else(|| panic!("the sort of {} is not known", binder.name.value))
    }

    pub(super) fn used_as(
        &self,
        machine: Option<&Machine>,
        name: &str,
        body: &Expression,
    ) -> Option<String> {
        let is_it =
            |expression: &Expression| expression.as_name().is_some_and(|own| &**own == name);
        match &*body.kind {
            ExpressionKind::Apply(applied, arguments) => {
                let shape = self.shape(machine, &applied.value);
                if let (Some(shape), Some(at)) = (shape, arguments.iter().position(is_it)) {
                    return Some(shape.params[at].clone());
                }
            }
            ExpressionKind::Equal { left, right, .. } => {
                let sides = [(left, right), (right, left)];
                for (one, other) in sides.into_iter().filter(|(one, _)| is_it(one)) {
                    let _ = one;
                    if let Some(sort) = self.sort_of_term(machine, other) {
                        return Some(sort);
                    }
                }
            }
            _ => {}
        }
        body.children().into_iter().find_map(|child| self.used_as(machine, name, child))
    }

    fn sort_of_term(&self, machine: Option<&Machine>, term: &Expression) -> Option<String> {
        match &*term.kind {
            ExpressionKind::Name(name) if &**name == "me" => machine.map(|own| text(&own.name)),
            ExpressionKind::Name(name) => self.shape(machine, name)?.result,
            ExpressionKind::Apply(name, _) => self.shape(machine, &name.value)?.result,
            _ => None,
        }
    }

    /// Whether a formula holds.
    pub(super) fn holds(&self, at: &Place<'_>, locals: &Locals, formula: &Expression) -> bool {
        self.value(at, locals, formula) == Value::Bool(true)
    }

    /// Whether a formula holds whatever its capitalised names without a binder are.
    pub(super) fn holds_always(
        &self,
        at: &Place<'_>,
        locals: &Locals,
        formula: &Expression,
    ) -> bool {
        let mut free = Vec::new();
        unbound(formula, &mut Vec::new(), &mut free);
        free.retain(|name| !locals.contains_key(name));
        let mut all = vec![locals.clone()];
        for name in free {
            let sort = self.used_as(at.machine, &name, formula).expect("a sort");
            all = self.with_each(&all, &name, &sort);
        }
        all.iter().all(|locals| self.holds(at, locals, formula))
    }

    fn with_each(&self, all: &[Locals], name: &str, sort: &str) -> Vec<Locals> {
        let elements = self.elements(sort);
        let each = all.iter().flat_map(|locals| {
            elements.iter().map(move |element| {
                let mut locals = locals.clone();
                locals.insert(name.to_owned(), *element);
                locals
            })
        });
        each.collect()
    }

    /// The value of a formula or term.
    pub(super) fn value(&self, at: &Place<'_>, locals: &Locals, term: &Expression) -> Value {
        let holds = |inner: &Expression| self.holds(at, locals, inner);
        let truth = Value::Bool;
        match &*term.kind {
            ExpressionKind::Truth(value) => truth(*value),
            ExpressionKind::Integer(value) => Value::Int(*value),
            ExpressionKind::Name(name) => self.look_up(at, locals, name, &[]),
            ExpressionKind::Apply(name, arguments) => {
                let arguments: Vec<Value> =
                    arguments.iter().map(|own| self.value(at, locals, own)).collect();
                self.look_up(at, locals, &name.value, &arguments)
            }
            ExpressionKind::Equal { left, right, negated } => {
                let same = self.value(at, locals, left) == self.value(at, locals, right);
                truth(same != *negated)
            }
            ExpressionKind::Compare { comparison, left, right, flipped } => {
                let mut sides = [self.value(at, locals, left), self.value(at, locals, right)];
                if *flipped {
                    sides.reverse();
                }
                truth(match comparison {
                    Comparison::Less => sides[0] < sides[1],
                    Comparison::LessEqual => sides[0] <= sides[1],
                })
            }
            ExpressionKind::Not(inner) => truth(!holds(inner)),
            ExpressionKind::And(all) => truth(all.iter().all(holds)),
            ExpressionKind::Or(all) => truth(all.iter().any(holds)),
            ExpressionKind::Connective(Connective::Implies, left, right) => {
                truth(!holds(left) || holds(right))
            }
            ExpressionKind::Connective(Connective::Iff, left, right) => {
                truth(holds(left) == holds(right))
            }
            ExpressionKind::Arithmetic(operation, left, right) => {
                let sides = [left, right].map(|side| self.value(at, locals, side));
                let [Value::Int(left), Value::Int(right)] = sides else { panic!("integers") };
                Value::Int(match operation {
                    Arithmetic::Add => left + right,
                    Arithmetic::Subtract => left - right,
                })
            }
            ExpressionKind::If { then, condition, otherwise } => {
                self.value(at, locals, if holds(condition) { then } else { otherwise })
            }
            ExpressionKind::Quantified(quantifier, binders, body) => {
                let mut all = vec![locals.clone()];
                for binder in binders {
                    let sort = self.sort_of(at.machine, binder, body);
                    all = self.with_each(&all, &binder.name.value, &sort);
                }
                let holds = |locals: &Locals| self.holds(at, locals, body);
                truth(match quantifier {
                    Quantifier::Forall => all.iter().all(holds),
                    Quantifier::Exists => all.iter().any(holds),
                })
            }
            other => panic!("{other:?} is not interpreted"),
        }
    }

    fn look_up(&self, at: &Place<'_>, locals: &Locals, name: &str, arguments: &[Value]) -> Value {
        if let (Some(value), true) = (locals.get(name), arguments.is_empty()) {
            return *value;
        }
        if let Some(machine) = at.machine {
            let me = *locals.get("me").expect("a machine");
            if name == format!("{}_state", machine.name.value) {
                return at.world.at[&(text(&machine.name), me)];
            }
            if Self::owns(machine, name) {
                let place: Vec<Value> =
                    std::iter::once(me).chain(arguments.iter().copied()).collect();
                return at.world.tables[name][&place];
            }
        }
        if let Some(definition) = self.define(name) {
            let names = definition.params.iter().map(|param| param.name.value.to_string());
            let inside: Locals = names.zip(arguments.iter().copied()).collect();
            let place = Place { machine: None, world: at.world };
            return self.value(&place, &inside, &definition.value);
        }
        if let Some(order) = self.order_of(name) {
            let below = |left: Value, right: Value| {
                at.world.tables[&order][&vec![left, right]] == Value::Bool(true)
            };
            let [left, right] = *arguments else { panic!("two arguments") };
            let all = at.world.tables[&order].keys().map(|pair| pair[0]);
            let between =
                |own: Value| own != left && own != right && below(left, own) && below(own, right);
            let next = left != right && below(left, right) && !{ all }.any(between);
            return Value::Bool(next);
        }
        if let (Some(element), true) = (self.element(name), arguments.is_empty()) {
            return element;
        }
        at.world.tables[name][arguments]
    }
}

/// A world, seen by a machine or from outside.
pub(super) struct Place<'a> {
    pub(super) machine: Option<&'a Machine>,
    pub(super) world: &'a World,
}

/// Capitalised names without a binder.
pub(super) fn unbound(expression: &Expression, bound: &mut Vec<String>, found: &mut Vec<String>) {
    let outside = bound.len();
    match &*expression.kind {
        ExpressionKind::Name(name) => {
            let name = name.to_string();
            let is_variable = name.starts_with(char::is_uppercase);
            if is_variable && !bound.contains(&name) && !found.contains(&name) {
                found.push(name);
            }
        }
        ExpressionKind::Quantified(_, binders, _) => {
            bound.extend(binders.iter().map(|binder| binder.name.value.to_string()));
        }
        _ => {}
    }
    expression.children().into_iter().for_each(|child| unbound(child, bound, found));
    bound.truncate(outside);
}
