//! Random small protocols as texts: one to three sorts, an enumeration, orders and rings,
//! functions, a counter, quantified guards, definitions, sequences of statements, havoc. They are
//! made to resemble protocols: relations start
//! empty more often than not, and what is set is often guarded.

use crate::agreement::dice::Dice;

/// A relation, function or constant.
#[derive(Clone)]
pub(crate) struct Symbol {
    pub(crate) name: String,
    pub(crate) params: Vec<&'static str>,
    pub(crate) result: Option<&'static str>,
}

/// A variable in scope, with its sort.
pub(crate) type Scope = Vec<(String, &'static str)>;

/// Makes one protocol.
pub(crate) struct Maker<'a> {
    pub(crate) dice: &'a mut Dice,
    sorts: Vec<&'static str>,
    /// The elements of the enumeration `mode`, if there is one.
    pub(crate) modes: &'static [&'static str],
    pub(crate) rigid: Vec<Symbol>,
    pub(crate) mutable: Vec<Symbol>,
    pub(crate) defined: Vec<Symbol>,
    lines: Vec<String>,
    /// How many variables were bound.
    pub(crate) bound: usize,
}

const MODES: &[&str] = &["off", "on", "stuck", "lost"];

const ORDER: &str = "axiom le(X, X)
axiom le(X, Y) & le(Y, Z) -> le(X, Z)
axiom le(X, Y) & le(Y, X) -> X = Y
axiom le(X, Y) | le(Y, X)";

const RING: &str = "axiom btw(X, Y, Z) -> btw(Y, Z, X)
axiom btw(W, X, Y) & btw(W, Y, Z) -> btw(W, X, Z)
axiom btw(X, Y, Z) -> ~btw(X, Z, Y)
axiom X != Y & Y != Z & X != Z -> btw(X, Y, Z) | btw(X, Z, Y)";

const TREE: &str = "axiom above(X, X)
axiom above(X, Y) & above(Y, Z) -> above(X, Z)
axiom above(X, Y) & above(Y, X) -> X = Y
axiom above(X, Z) & above(Y, Z) -> above(X, Y) | above(Y, X)
axiom exists X. forall Y. above(X, Y)";

/// A protocol that the reader accepts; the same for the same dice.
pub(crate) fn protocol(dice: &mut Dice) -> String {
    let mut sorts = match dice.below(10) {
        0..=1 => vec!["node"],
        2..=7 => vec!["node", "key"],
        _ => vec!["node", "key", "id"],
    };
    let mut lines: Vec<String> = sorts.iter().map(|sort| format!("sort {sort}")).collect();
    let count = if dice.chance(40) { *dice.pick(&[1, 2, 3, 3, 4]) } else { 0 };
    let modes = &MODES[..count];
    if count > 0 {
        lines.push(format!("sort mode = {{ {} }}", modes.join(", ")));
        sorts.push("mode");
    }
    let (rigid, mutable, defined) = (Vec::new(), Vec::new(), Vec::new());
    let mut maker = Maker { dice, sorts, modes, rigid, mutable, defined, lines, bound: 0 };
    maker.rigid_symbols();
    maker.mutable_symbols();
    maker.definitions();
    maker.initial();
    for index in 0..2 + maker.dice.below(3) {
        maker.action(index);
    }
    maker.property(0);
    if maker.dice.chance(15) {
        maker.property(1);
    }
    if maker.dice.chance(20) {
        maker.goal();
    }
    maker.lines.join("\n") + "\n"
}

impl Maker<'_> {
    pub(crate) fn sort(&mut self) -> &'static str {
        let all: &[&'static str] = &self.sorts;
        let sort = self.dice.pick(all);
        if self.dice.chance(60) { "node" } else { sort }
    }

    fn rigid_symbols(&mut self) {
        if self.dice.chance(30) {
            let sort = self.sort();
            self.structure("order le", sort, &[sort, sort], ORDER);
        }
        if self.dice.chance(12) {
            self.structure("ring btw", "node", &["node", "node", "node"], RING);
        }
        if self.dice.chance(8) {
            self.structure("tree above", "node", &["node", "node"], TREE);
        }
        if self.sorts.len() == 1 && self.dice.chance(40) {
            self.sorts.push("quorum");
            if self.dice.chance(20) {
                self.lines.push("quorums quorum, reading of node by member, reads".to_owned());
                let params = vec!["node", "reading"];
                self.rigid.push(Symbol { name: "reads".to_owned(), params, result: None });
                self.sorts.push("reading");
            } else {
                self.lines.push("quorums quorum of node".to_owned());
            }
            let params = vec!["node", "quorum"];
            self.rigid.push(Symbol { name: "member".to_owned(), params, result: None });
        }
        if self.dice.chance(40) {
            self.declare("constant first", &[], Some("node"));
        }
        if self.sorts.contains(&"key") && self.dice.chance(30) {
            self.declare("rigid function home", &["node"], Some("key"));
            if self.dice.chance(50) {
                self.lines.push("axiom home(X) = home(Y) -> X = Y".to_owned());
            }
        }
    }

    /// A declared structure, or a relation with its axioms.
    fn structure(
        &mut self,
        words: &str,
        sort: &'static str,
        params: &[&'static str],
        axioms: &str,
    ) {
        let name = words.rsplit(' ').next().unwrap_or(words);
        self.declare(&format!("rigid relation {name}"), params, None);
        // A sort has one structure.
        let is_taken = self.lines.iter().any(|line| line.ends_with(&format!(" on {sort}")));
        if self.dice.chance(50) && !is_taken {
            self.lines.pop();
            self.lines.push(format!("{words} on {sort}"));
            if words.starts_with("order") && self.dice.chance(40) {
                self.lines.push(format!("successor next on {sort}"));
                let params = vec![sort, sort];
                self.defined.push(Symbol { name: "next".to_owned(), params, result: None });
            }
        } else {
            self.lines.push(axioms.to_owned());
        }
    }

    fn mutable_symbols(&mut self) {
        for index in 0..2 + self.dice.below(3) {
            let count = *self.dice.pick(&[0, 1, 1, 1, 2]);
            let params: Vec<&'static str> = (0..count).map(|_| self.sort()).collect();
            self.declare(&format!("relation p{index}"), &params, None);
        }
        if self.dice.chance(25) {
            let (from, to) = (self.sort(), self.sort());
            self.declare("function at", &[from], Some(to));
        }
        if self.dice.chance(25) {
            let sort = self.sort();
            self.declare("variable here", &[], Some(sort));
        }
        if !self.modes.is_empty() {
            let from = self.sort();
            self.declare("function state", &[from], Some("mode"));
        }
        if !self.modes.is_empty() && self.dice.chance(30) {
            self.declare("variable phase", &[], Some("mode"));
        }
        if self.dice.chance(25) {
            self.declare("variable flag", &[], Some("bool"));
        }
        if self.dice.chance(12) {
            self.declare("variable count", &[], Some("int"));
        }
    }

    /// Names for formulas; whatever reads a relation may read them.
    fn definitions(&mut self) {
        let count = *self.dice.pick(&[0, 0, 1, 2]);
        for index in 0..count {
            let params: Vec<&'static str> = (0..self.dice.below(3)).map(|_| self.sort()).collect();
            // The names of parameters and bound variables return elsewhere.
            let letter = *self.dice.pick(&["D", "n", "X"]);
            let scope = named(letter, &params);
            let list: Vec<String> =
                scope.iter().map(|(name, sort)| format!("{name}: {sort}")).collect();
            let name = format!("d{index}");
            let body = self.formula(&scope, 1);
            self.lines.push(format!("define {} := {body}", applied(&name, &list)));
            self.defined.push(Symbol { name, params, result: None });
        }
        self.bound = 0;
    }

    fn declare(&mut self, words: &str, params: &[&'static str], result: Option<&'static str>) {
        let name = words.rsplit(' ').next().unwrap_or(words).to_owned();
        let args =
            if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
        let value = result.map_or(String::new(), |sort| format!(": {sort}"));
        self.lines.push(format!("{words}{args}{value}"));
        // A truth value is a relation.
        let result = result.filter(|sort| *sort != "bool");
        let symbol = Symbol { name, params: params.to_vec(), result };
        let rigid = words.starts_with("rigid") || words.starts_with("constant");
        if rigid { self.rigid.push(symbol) } else { self.mutable.push(symbol) }
    }

    fn initial(&mut self) {
        for symbol in self.mutable.clone() {
            let args: Scope = named("X", &symbol.params);
            let place =
                applied(&symbol.name, &args.iter().map(|arg| arg.0.clone()).collect::<Vec<_>>());
            let line = match (symbol.result, self.dice.below(10)) {
                (None, 0..=6) => format!("init ~{place}"),
                (None, 7 | 8) if symbol.params.is_empty() => format!("init {place}"),
                (None, 7 | 8) => {
                    let condition = self.literal(&args, false);
                    format!("init {place} <-> {condition}")
                }
                (Some("int"), _) => format!("init {place} = 0"),
                (Some(sort), 0..=3) => match self.term(sort, &args, 1) {
                    Some(term) if term != place => format!("init {place} = {term}"),
                    _ => continue,
                },
                _ => continue,
            };
            self.lines.push(line);
        }
    }

    fn action(&mut self, index: usize) {
        let params: Vec<&'static str> = (0..1 + self.dice.below(2)).map(|_| self.sort()).collect();
        let scope = named("n", &params);
        let list: Vec<String> =
            scope.iter().map(|(name, sort)| format!("{name}: {sort}")).collect();
        self.lines.push(format!("action a{index}({}) {{", list.join(", ")));
        for _ in 0..1 + self.dice.below(2) {
            let guard = self.formula(&scope, 1);
            self.lines.push(format!("  require {guard}"));
        }
        for _ in 0..1 + self.dice.below(3) {
            self.statement(&scope, 1);
        }
        self.lines.push("}".to_owned());
    }

    fn statement(&mut self, scope: &Scope, depth: usize) {
        let indent = "  ".repeat(depth);
        match self.dice.below(12) {
            0 if depth < 2 => {
                let condition = self.literal(scope, true);
                self.lines.push(format!("{indent}if {condition} {{"));
                self.statement(scope, depth + 1);
                if self.dice.chance(50) {
                    self.lines.push(format!("{indent}}} else {{"));
                    self.statement(scope, depth + 1);
                }
                self.lines.push(format!("{indent}}}"));
            }
            1 => {
                let guard = self.formula(scope, 0);
                self.lines.push(format!("{indent}require {guard}"));
            }
            _ => self.assignment(scope, &indent),
        }
    }

    fn assignment(&mut self, scope: &Scope, indent: &str) {
        let symbol = self.dice.pick(&self.mutable.clone()).clone();
        let mut inner = scope.clone();
        let mut args = Vec::new();
        for (index, sort) in symbol.params.iter().enumerate() {
            let arg = match (self.dice.below(10), self.term(sort, scope, 1)) {
                (0, _) => "*".to_owned(),
                (1, _) | (_, None) => {
                    inner.push((format!("P{index}"), sort));
                    format!("P{index}")
                }
                (_, Some(term)) => term,
            };
            args.push(arg);
        }
        let value = match (symbol.result, self.dice.below(10)) {
            (_, 0) => "*".to_owned(),
            (None, 1..=5) => "true".to_owned(),
            (None, 6..=8) => "false".to_owned(),
            (None, _) => self.formula(&inner, 0),
            (Some(sort), _) => self.term(sort, &inner, 1).unwrap_or_else(|| "*".to_owned()),
        };
        let exclusive = symbol.result.is_none() && value == "true" && self.dice.chance(35);
        if exclusive && !args.iter().any(|arg| arg.starts_with(['*', 'P'])) {
            let vars = named("E", &symbol.params);
            let names: Vec<String> = vars.iter().map(|var| var.0.clone()).collect();
            self.lines.push(format!("{indent}require ~{}", applied(&symbol.name, &names)));
        }
        self.lines.push(format!("{indent}{} := {value}", applied(&symbol.name, &args)));
    }

    fn property(&mut self, index: usize) {
        let relations: Vec<Symbol> =
            self.mutable.iter().filter(|symbol| symbol.result.is_none()).cloned().collect();
        let symbol = self.dice.pick(&relations).clone();
        let word = if index == 0 { "safety" } else { "lemma" };
        // A definition may have quantifiers that a property may not have.
        let defined = std::mem::take(&mut self.defined);
        let (left, right) = (named("A", &symbol.params), named("B", &symbol.params));
        let names = |vars: &Scope| vars.iter().map(|var| var.0.clone()).collect::<Vec<_>>();
        if self.dice.chance(30) {
            let holds = applied(&symbol.name, &names(&left));
            let formula = self.with_witness(&left, &holds);
            self.lines.push(format!("{word} [w{index}] {formula}"));
            return;
        }
        if !symbol.params.is_empty() && self.dice.chance(50) {
            let same = self.dice.below(symbol.params.len());
            let (one, other) =
                (applied(&symbol.name, &names(&left)), applied(&symbol.name, &names(&right)));
            let equal = format!("{} = {}", left[same].0, right[same].0);
            self.lines.push(format!("{word} [w{index}] {one} & {other} -> {equal}"));
        } else {
            let mut scope = left.clone();
            scope.push(("Q".to_owned(), self.sort()));
            let holds = applied(&symbol.name, &names(&left));
            let other = self.literal(&scope, true);
            let vars: Vec<String> =
                scope.iter().map(|(name, sort)| format!("{name}: {sort}")).collect();
            let vars = vars.join(", ");
            self.lines.push(format!("{word} [w{index}] forall {vars}. {holds} -> {other}"));
        }
        self.defined = defined;
    }
}

impl Maker<'_> {
    /// A run that may or may not exist: actions, and something that holds in the end.
    fn goal(&mut self) {
        let mut parts: Vec<String> =
            (0..1 + self.dice.below(2)).map(|_| format!("a{}", self.dice.below(2))).collect();
        let scope = vec![("G".to_owned(), self.sort())];
        let holds = self.literal(&scope, true);
        parts.push(format!("exists G: {}. G = G & {holds}", scope[0].1));
        self.lines.push(format!("reach [goal] {}", parts.join(", ")));
    }

    /// A property with an `exists`, in all the places that a careless reader would move it from.
    fn with_witness(&mut self, vars: &Scope, holds: &str) -> String {
        let sort = self.sort();
        let mut scope = vars.clone();
        scope.insert(0, ("W".to_owned(), sort));
        let (one, other) = (self.literal(&scope, true), self.literal(&scope, true));
        let plain = self.literal(vars, true);
        let bound = vars.iter().map(|(name, sort)| format!("{name}: {sort}"));
        let bound = bound.collect::<Vec<_>>().join(", ");
        let over = |word: &str, body: String| {
            if bound.is_empty() { body } else { format!("{word} {bound}. {body}") }
        };
        match self.dice.below(6) {
            0 => over("exists", format!("{holds} & exists W: {sort}. {one}")),
            1 => over("forall", format!("{holds} <-> exists W: {sort}. {one}")),
            2 => over("forall", format!("{holds} if exists W: {sort}. {one} else {plain}")),
            3 => over("forall", format!("{holds} -> ~(forall W: {sort}. {one})")),
            _ => over("forall", format!("{holds} -> exists W: {sort}. {one} & {other}")),
        }
    }
}

/// Variables `X0`, `X1` and so on, of these sorts.
fn named(letter: &str, sorts: &[&'static str]) -> Scope {
    sorts.iter().enumerate().map(|(index, sort)| (format!("{letter}{index}"), *sort)).collect()
}

pub(crate) fn applied(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_owned() } else { format!("{name}({})", args.join(", ")) }
}
