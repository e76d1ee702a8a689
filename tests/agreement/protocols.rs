//! Random protocols and random states of small instances of them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use rmlcut::logic::{
    Extent, Formula, Name, Term, Translation, Value, Var, translate_formula, tuples,
};
use rmlcut::protocol::{
    Action, Argument, Assignment, Choice, ChoiceId, Command, OneState, Property, PropertyKind,
    Protocol, RightSide, Rigidity, Signature, Size, Sort, State, StateFormula, StateVar, Statement,
    StepSymbol, Symbol, SymbolId, TwoStates, blank_state, extents,
};
use rmlcut::source::Span;

use crate::agreement::dice::Dice;
use crate::agreement::expressions::Expressions;

/// Whether two-state statements may occur: they have no concrete syntax in protocol texts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Statements {
    AllKinds,
    WithSyntax,
}

/// A random protocol with one action.
pub(crate) fn protocol(dice: &mut Dice, statements: Statements) -> Protocol {
    let signature = signature(dice);
    let rigid: Vec<SymbolId> = signature.rigid().map(|(id, _)| id).collect();
    let all: Vec<SymbolId> = signature.symbols().map(|(id, _)| id).collect();
    let axioms = (0..dice.below(2)).map(|_| closed(dice, &signature, rigid.clone())).collect();
    let init = (0..dice.below(3)).map(|_| closed(dice, &signature, all.clone())).collect();
    let properties = (0..1 + dice.below(2)).map(|index| property(dice, &signature, index));
    let properties = properties.collect();
    let actions = vec![action(dice, &signature, statements)];
    Protocol {
        name: "random".into(),
        signature,
        axioms,
        init,
        actions,
        properties,
        expected_runs: Vec::new(),
    }
}

fn signature(dice: &mut Dice) -> Signature {
    let mut signature = Signature::default();
    let node = Sort::Declared(signature.add_sort("node".into()));
    let key = Sort::Declared(signature.add_sort("key".into()));
    // One element, a number that fills no bits, and one that does.
    let modes = ["off", "on", "stuck", "lost"][..*dice.pick(&[1, 2, 3, 3, 4])].iter();
    let modes = modes.map(|mode| Name::from(*mode)).collect();
    let mode = Sort::Declared(signature.add_enumeration("mode".into(), modes));
    let mut add = |name: String, params: Vec<Sort>, result, rigidity| {
        let name = name.into();
        signature.add_symbol(Symbol { name, params, result, rigidity, span: Span::default() });
    };
    add("first".to_owned(), Vec::new(), Some(node), Rigidity::Rigid);
    add("origin".to_owned(), Vec::new(), Some(key), Rigidity::Rigid);
    add("current".to_owned(), Vec::new(), Some(key), Rigidity::Mutable);
    add("count".to_owned(), Vec::new(), Some(Sort::Int), Rigidity::Mutable);
    for index in 0..2 + dice.below(4) {
        let params =
            (0..dice.below(3)).map(|_| *dice.pick(&[node, node, node, key, key, mode])).collect();
        let result =
            *dice.pick(&[None, None, None, Some(node), Some(key), Some(mode), Some(Sort::Int)]);
        let rigidity = if dice.chance(20) { Rigidity::Rigid } else { Rigidity::Mutable };
        add(format!("s{index}"), params, result, rigidity);
    }
    signature
}

fn closed(dice: &mut Dice, signature: &Signature, symbols: Vec<SymbolId>) -> Statement {
    let label = dice.chance(50).then(|| Name::from(format!("l{}", dice.below(1 << 30))));
    let mut expressions = Expressions { signature, dice, symbols, bound: 0, prefix: "B" };
    let formula = expressions.formula(&[], 3);
    Statement { label, formula, span: Span::default() }
}

fn property(dice: &mut Dice, signature: &Signature, index: usize) -> Property {
    let symbols: Vec<SymbolId> = signature.symbols().map(|(id, _)| id).collect();
    let mut expressions = Expressions { signature, dice, symbols, bound: 0, prefix: "B" };
    let formula = expressions.formula(&[], 3);
    let kind = if index == 0 { PropertyKind::Safety } else { PropertyKind::Lemma };
    let named = (format!("p{index}").into(), kind);
    let property = Property::new(named, &formula, &BTreeSet::new(), Span::default());
    // A constant matrix is printed without quantifiers.
    let is_constant = property.formula() == property.matrix;
    if is_constant { Property { vars: Vec::new(), ..property } } else { property }
}

fn action(dice: &mut Dice, signature: &Signature, statements: Statements) -> Action {
    let sorts: Vec<Sort> = signature.sorts().map(Sort::Declared).collect();
    // Parameters may be called like the argument variables of symbolic states.
    let prefix = ["p", "x", "c"][signature.symbols().count() % 3];
    let name = |index: usize| format!("{prefix}{}", index + 1);
    let params: Vec<StateVar> =
        (0..dice.below(3)).map(|index| Var::new(name(index), *dice.pick(&sorts))).collect();
    let mut maker = Maker {
        signature,
        dice,
        params: params.clone(),
        choices: Vec::new(),
        counts: BTreeMap::new(),
        bound: 0,
        statements,
    };
    let body = maker.block(2);
    let choices = maker.choices;
    Action { name: "act".into(), params, body, choices, span: Span::default() }
}

/// What an assignment may have on its right.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Values {
    /// Also `*`.
    All,
    /// Only expressions.
    Definite,
}

struct Maker<'a> {
    signature: &'a Signature,
    dice: &'a mut Dice,
    params: Vec<StateVar>,
    choices: Vec<Choice>,
    counts: BTreeMap<SymbolId, usize>,
    bound: usize,
    statements: Statements,
}

impl Maker<'_> {
    fn block(&mut self, depth: usize) -> Vec<Command> {
        (0..1 + self.dice.below(3)).map(|_| self.command(depth)).collect()
    }

    fn command(&mut self, depth: usize) -> Command {
        match self.dice.below(10) {
            0 | 1 => Command::Require(self.formula(&[], 2), Span::default()),
            2 | 3 if depth > 0 => {
                let condition = self.formula(&[], 2);
                let then = self.block(depth - 1);
                let otherwise =
                    if self.dice.chance(60) { self.block(depth - 1) } else { Vec::new() };
                Command::If(condition, then, otherwise, Span::default())
            }
            4 if self.statements == Statements::AllKinds && self.dice.chance(60) => self.relate(),
            5 => self.together(),
            _ => Command::Assign(self.assign(Values::All)),
        }
    }

    /// Assignments to distinct symbols at once; the first two may well read one another.
    fn together(&mut self) -> Command {
        let mut assignments: Vec<Assignment> = Vec::new();
        for _ in 0..2 + self.dice.below(2) {
            let assignment = self.assign(Values::Definite);
            if assignments.iter().all(|other| other.target != assignment.target) {
                assignments.push(assignment);
            }
        }
        if assignments.len() == 1 {
            return Command::Assign(assignments.remove(0));
        }
        Command::Together(assignments, Span::default())
    }

    fn expressions(&mut self) -> Expressions<'_> {
        let symbols = self.signature.symbols().map(|(id, _)| id).collect();
        let (signature, bound) = (self.signature, self.bound);
        Expressions { signature, dice: self.dice, symbols, bound, prefix: "B" }
    }

    fn formula(&mut self, patterns: &[StateVar], depth: usize) -> StateFormula {
        let scope: Vec<StateVar> = self.params.iter().chain(patterns).cloned().collect();
        let mut expressions = self.expressions();
        let formula = expressions.formula(&scope, depth);
        self.bound = expressions.bound;
        formula
    }

    fn assign(&mut self, values: Values) -> Assignment {
        let mutable: Vec<SymbolId> = self.signature.mutable().map(|(id, _)| id).collect();
        let target = *self.dice.pick(&mutable);
        let symbol = self.signature.symbol(target);
        let (arguments, patterns) = self.left_side(&symbol.params);
        let named: Vec<StateVar> =
            patterns.iter().filter(|var| !var.name.starts_with('*')).cloned().collect();
        let havoc =
            values == Values::All && self.dice.chance(25) && symbol.result != Some(Sort::Int);
        let value = if havoc {
            let sorts = patterns.iter().map(|var| var.sort).collect();
            RightSide::Havoc(self.choice(target, sorts))
        } else {
            match symbol.result {
                None => RightSide::Formula(self.formula(&named, 2)),
                Some(sort) => {
                    let scope: Vec<StateVar> = self.params.iter().chain(&named).cloned().collect();
                    let mut expressions = self.expressions();
                    let term = expressions.term(sort, &scope, 2);
                    self.bound = expressions.bound;
                    RightSide::Term(term)
                }
            }
        };
        Assignment { target, arguments, value, span: Span::default() }
    }

    /// Arguments and the distinct pattern variables among them.
    fn left_side(&mut self, sorts: &[Sort]) -> (Vec<Argument>, Vec<StateVar>) {
        let mut patterns: Vec<StateVar> = Vec::new();
        let mut stars = 0;
        let mut arguments = Vec::new();
        for sort in sorts {
            let again: Vec<StateVar> = patterns
                .iter()
                .filter(|var| var.sort == *sort && !var.name.starts_with('*'))
                .cloned()
                .collect();
            let var = match self.dice.below(6) {
                0 | 1 => {
                    let scope = self.params.clone();
                    let mut expressions = self.expressions();
                    let term = expressions.term(*sort, &scope, 1);
                    self.bound = expressions.bound;
                    arguments.push(Argument::At(term));
                    continue;
                }
                2 => {
                    stars += 1;
                    Var::new(format!("*{stars}"), *sort)
                }
                3 | 4 if !again.is_empty() => self.dice.pick(&again).clone(),
                _ => Var::new(format!("X{}", patterns.len()), *sort),
            };
            if !patterns.contains(&var) {
                patterns.push(var.clone());
            }
            arguments.push(Argument::Every(var));
        }
        (arguments, patterns)
    }

    fn relate(&mut self) -> Command {
        let mutable: Vec<SymbolId> = self
            .signature
            .mutable()
            .filter(|(_, symbol)| symbol.params.len() < 2 && symbol.result != Some(Sort::Int))
            .map(|(id, _)| id)
            .collect();
        let targets: BTreeSet<SymbolId> =
            (0..=self.dice.below(2)).map(|_| *self.dice.pick(&mutable)).collect();
        let targets = targets.into_iter().map(|symbol| {
            let params = self.signature.symbol(symbol).params.clone();
            (symbol, self.choice(symbol, params))
        });
        let targets = targets.collect();
        let formula = self.formula(&[], 3);
        let moments = Moments { signature: self.signature, dice: RefCell::new(self.dice) };
        let formula = translate_formula(&formula, BTreeMap::new(), moments);
        Command::Relate(targets, formula, Span::default())
    }

    fn choice(&mut self, symbol: SymbolId, params: Vec<Sort>) -> ChoiceId {
        let Symbol { name, result, .. } = self.signature.symbol(symbol);
        let count = self.counts.entry(symbol).or_insert(0);
        *count += 1;
        let name = if *count == 1 { name.clone() } else { format!("{name}#{count}").into() };
        self.choices.push(Choice { name, params, result: *result });
        ChoiceId(u32::try_from(self.choices.len() - 1).expect("a small number"))
    }
}

/// Reads each symbol before or after, as the dice fall.
struct Moments<'a> {
    signature: &'a Signature,
    dice: RefCell<&'a mut Dice>,
}

impl Moments<'_> {
    fn at(&self, symbol: SymbolId) -> StepSymbol {
        let mutable = self.signature.symbol(symbol).rigidity == Rigidity::Mutable;
        if mutable && self.dice.borrow_mut().chance(60) {
            StepSymbol::Post(symbol)
        } else {
            StepSymbol::Pre(symbol)
        }
    }
}

impl Translation<OneState, TwoStates> for Moments<'_> {
    fn sort(&self, sort: Sort) -> Sort {
        sort
    }

    fn apply(&self, symbol: SymbolId, args: Vec<Term<TwoStates>>, sort: Sort) -> Term<TwoStates> {
        Term::apply(self.at(symbol), args, sort)
    }

    fn holds(&self, symbol: SymbolId, args: Vec<Term<TwoStates>>) -> Formula<TwoStates> {
        Formula::holds(self.at(symbol), args)
    }
}

/// A random state of a random small instance.
pub(crate) fn state(dice: &mut Dice, signature: &Signature) -> State {
    let size: Size = signature
        .sized_sorts()
        .map(|sort| (sort, u32::try_from(1 + dice.below(3)).expect("a small number")))
        .collect();
    filled(dice, signature, &extents(signature, &size, Some((-2, 2))))
}

/// A random state of an instance.
pub(crate) fn filled(
    dice: &mut Dice,
    signature: &Signature,
    extents: &BTreeMap<Sort, Extent>,
) -> State {
    let mut state = blank_state(signature, extents);
    for (id, symbol) in signature.symbols() {
        let ranges: Vec<Extent> = symbol.params.iter().map(|sort| state.extents[sort]).collect();
        for location in tuples(&ranges) {
            let value = value(dice, &state, symbol.result);
            state.tables.get_mut(&id).expect("every symbol has a table").set(&location, value);
        }
    }
    state
}

/// A random value of a sort, or a truth value.
pub(crate) fn value(dice: &mut Dice, state: &State, sort: Option<Sort>) -> Value {
    match sort {
        None => Value::Bool(dice.chance(50)),
        Some(sort) => {
            let extent = state.extents[&sort];
            extent.value(dice.below(extent.len()))
        }
    }
}
