//! A small reader for models in the paper's notation, written apart from the one under test.

use std::collections::BTreeMap;

/// A model.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    /// Integer variables: least, greatest and first value.
    pub(super) integers: BTreeMap<String, (i64, i64, i64)>,
    /// Sets, and counts of senders.
    pub(super) sets: Vec<String>,
    /// Messages: whether broadcast, whether of the environment, and the range of the value.
    pub(super) actions: BTreeMap<String, Message>,
    /// Locations, with their handlers and what they ignore.
    pub(super) locations: BTreeMap<String, Place>,
    /// Where processes start.
    pub(super) start: String,
    /// Where processes crash: everywhere, or in these locations.
    pub(super) crashes: Option<Vec<String>>,
    /// The environment, if it is written.
    pub(super) environment: Option<Box<Model>>,
}

/// Whether it is broadcast, whether it is of the environment, and the range of its value.
type Message = (bool, bool, Option<(i64, i64)>);

/// A location.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// What processes do there.
    pub(super) handlers: Vec<Handler>,
    /// What they ignore there.
    pub(super) passive: Vec<String>,
}

/// A handler.
#[derive(Clone, Debug)]
pub(super) struct Handler {
    /// Its event.
    pub(super) event: Event,
    /// Its guard.
    pub(super) guard: Option<Tree>,
    /// What it does; what losers do.
    pub(super) bodies: [Vec<Stmt>; 2],
}

/// An event.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    /// `_`
    Empty,
    /// `recv(a)`
    Receive(String),
    /// `Partition<e>(set, k)`
    Partition(String, Tree, usize),
    /// `Consensus<e>(set, k, v)`
    Consensus(String, Tree, usize, Option<String>),
}

/// A statement and where it begins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stmt {
    /// `v := e`
    Assign(String, Tree),
    /// `v.method(e)`
    Update(String, String, Tree),
    /// A send: message, value, address.
    Send(usize, String, Option<Tree>, Option<Tree>),
    /// `goto L`
    Goto(String),
    /// `if`
    If(Tree, Vec<Stmt>, Vec<Stmt>),
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Tree {
    /// A number.
    Number(i64),
    /// A name.
    Name(String),
    /// `a.b[i]`
    Field(String, String, usize),
    /// `default(v)`
    Default(String),
    /// `!e`
    Not(Box<Tree>),
    /// `e op e`
    Binary(String, Box<Tree>, Box<Tree>),
}

/// Tokens with the places where they begin.
fn tokens(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let length = if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_' {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else if [":=", "<=", ">=", "!=", "==", "&&", "||"].iter().any(|two| rest.starts_with(two))
        {
            2
        } else if bytes[at].is_ascii_whitespace() {
            at += 1;
            continue;
        } else {
            1
        };
        found.push((at, text[at..at + length].to_owned()));
        at += length;
    }
    found
}

struct Reader {
    tokens: Vec<(usize, String)>,
    at: usize,
    data: i64,
}

/// Reads a model; so many values stand for a domain without range, or with one too large to list.
pub(super) fn read(text: &str, data: i64) -> Model {
    let mut reader = Reader { tokens: tokens(text), at: 0, data };
    let mut model = Model::default();
    let mut process = None;
    let mut here = String::new();
    while reader.at < reader.tokens.len() {
        match &*reader.next() {
            "process" => drop(reader.next()),
            "environment" => {
                reader.next();
                let environment = Model { actions: model.actions.clone(), ..Model::default() };
                process = Some(std::mem::replace(&mut model, environment));
            }
            "safety" => {
                while !["safety", "variables", "actions", "crash", "initial", "location"]
                    .contains(&reader.peek())
                {
                    reader.next();
                }
            }
            "crash" => model.crashes = reader.crashes(),
            "variables" => reader.variables(&mut model),
            "actions" => reader.actions(&mut model),
            "initial" => {
                reader.next();
                here = reader.next();
                model.start.clone_from(&here);
                model.locations.entry(here.clone()).or_default();
            }
            "location" => {
                here = reader.next();
                model.locations.entry(here.clone()).or_default();
            }
            "on" => {
                let handler = reader.handler();
                model.locations.get_mut(&here).expect("a location").handlers.push(handler);
            }
            "passive" => loop {
                let name = reader.next();
                model.locations.get_mut(&here).expect("a location").passive.push(name);
                if !reader.eat(",") {
                    break;
                }
            },
            other => panic!("`{other}` begins nothing"),
        }
    }
    match process {
        Some(process) => Model { environment: Some(Box::new(model)), ..process },
        None => model,
    }
}

impl Reader {
    /// What follows `crash`.
    fn crashes(&mut self) -> Option<Vec<String>> {
        let mut locations = Vec::new();
        if self.next() == "locations" {
            while self.next() != ";" {
                locations.extend((self.peek() != ",").then(|| self.peek().to_owned()));
            }
            locations.retain(|name| name != ";");
        }
        Some(locations)
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.at).map_or("", |(_, token)| token)
    }

    fn next(&mut self) -> String {
        self.at += 1;
        self.tokens[self.at - 1].1.clone()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) {
        assert!(self.eat(token), "expected `{token}`, found `{}`", self.peek());
    }

    fn number(&mut self) -> i64 {
        let sign = if self.eat("-") { -1 } else { 1 };
        sign * self.next().parse::<i64>().expect("a number")
    }

    fn range(&mut self) -> Option<(i64, i64)> {
        if self.peek() != "[" {
            return Some((0, self.data - 1));
        }
        self.expect("[");
        let low = self.number();
        self.expect(",");
        let high = if self.eat("N") { None } else { Some(self.number()) };
        self.expect("]");
        high.map(|high| (low, if high - low < 1_000 { high } else { low + self.data - 1 }))
    }

    fn variables(&mut self, model: &mut Model) {
        loop {
            if self.eat("int") {
                let range = self.range();
                let name = self.next();
                let first = if self.eat(":=") { Some(self.number()) } else { None };
                match range {
                    Some((low, high)) => {
                        model.integers.insert(name, (low, high, first.unwrap_or(low)));
                    }
                    None => model.sets.push(name),
                }
            } else if self.eat("idSet") {
                let name = self.next();
                model.sets.push(name);
            } else {
                return;
            }
        }
    }

    fn actions(&mut self, model: &mut Model) {
        loop {
            let env = self.eat("env");
            let broadcast = self.eat("br");
            if !broadcast && !self.eat("rz") {
                return;
            }
            let name = self.next();
            self.expect(":");
            let range = if self.eat("int") { self.range() } else { None };
            if range.is_none() {
                self.eat("unit");
            }
            model.actions.insert(name, (broadcast, env, range));
        }
    }

    fn handler(&mut self) -> Handler {
        let event = match &*self.next() {
            "_" => Event::Empty,
            "recv" => {
                self.expect("(");
                let name = self.next();
                self.expect(")");
                Event::Receive(name)
            }
            kind => {
                let partition = kind == "Partition";
                self.expect("<");
                let name = self.next();
                self.expect(">");
                self.expect("(");
                let set = self.tree();
                self.expect(",");
                let count = usize::try_from(self.number()).expect("a count");
                let proposal = if self.eat(",") { Some(self.next()) } else { None };
                self.expect(")");
                match partition {
                    true => Event::Partition(name, set, count),
                    false => {
                        Event::Consensus(name, set, count, proposal.filter(|name| name != "_"))
                    }
                }
            }
        };
        let guard = self.eat("where").then(|| {
            self.expect("(");
            let guard = self.tree();
            self.expect(")");
            guard
        });
        let bodies = if self.eat("win") {
            self.expect(":");
            let win = self.statements();
            self.expect("lose");
            self.expect(":");
            [win, self.statements()]
        } else if self.peek() == "reply" {
            let place = self.tokens[self.at].0;
            self.next();
            let name = self.next();
            let value = self.eat("[").then(|| self.tree());
            if value.is_some() {
                self.expect("]");
            }
            let Event::Receive(from) = &event else { panic!("a reply answers") };
            let to = Some(Tree::Field(from.clone(), "sID".into(), 0));
            [vec![Stmt::Send(place, name, value, to)], Vec::new()]
        } else {
            self.expect("do");
            [self.statements(), Vec::new()]
        };
        Handler { event, guard, bodies }
    }

    fn statements(&mut self) -> Vec<Stmt> {
        let ends = ["", "on", "passive", "location", "initial", "environment", "lose", "}", "else"];
        let mut found = Vec::new();
        while !ends.contains(&self.peek()) {
            found.push(self.statement());
            self.eat(";");
        }
        found
    }

    fn block(&mut self) -> Vec<Stmt> {
        if self.eat("{") {
            let block = self.statements();
            self.expect("}");
            return block;
        }
        let one = self.statement();
        self.eat(";");
        vec![one]
    }

    fn statement(&mut self) -> Stmt {
        let place = self.tokens[self.at].0;
        match &*self.next() {
            "goto" => Stmt::Goto(self.next()),
            "if" => {
                self.expect("(");
                let condition = self.tree();
                self.expect(")");
                let then = self.block();
                let otherwise = if self.eat("else") { self.block() } else { Vec::new() };
                Stmt::If(condition, then, otherwise)
            }
            "sendbr" | "sendrz" => {
                self.expect("(");
                let name = self.next();
                let value = self.eat("[").then(|| self.tree());
                if value.is_some() {
                    self.expect("]");
                }
                let to = self.eat(",").then(|| self.tree());
                self.expect(")");
                Stmt::Send(place, name, value, to)
            }
            name if self.peek() == "." => {
                let name = name.to_owned();
                self.next();
                let method = self.next();
                self.expect("(");
                let value = self.tree();
                self.expect(")");
                Stmt::Update(name, method, value)
            }
            name => {
                let name = name.to_owned();
                self.expect(":=");
                Stmt::Assign(name, self.tree())
            }
        }
    }

    fn tree(&mut self) -> Tree {
        self.level(0)
    }

    fn level(&mut self, level: usize) -> Tree {
        const LEVELS: [&[&str]; 4] =
            [&["||"], &["&&"], &["<=", ">=", "==", "!=", "<", ">", "=", "in"], &["+", "-", "*"]];
        if level == LEVELS.len() {
            return self.operand();
        }
        if level == 2 && self.eat("!") {
            return Tree::Not(Box::new(self.level(2)));
        }
        let mut left = self.level(level + 1);
        while LEVELS[level].contains(&self.peek()) {
            let operator = self.next();
            let right = self.level(level + 1);
            left = Tree::Binary(operator, Box::new(left), Box::new(right));
        }
        left
    }

    fn operand(&mut self) -> Tree {
        if self.eat("(") {
            let inner = self.tree();
            self.expect(")");
            return inner;
        }
        if self.peek() == "-" {
            return Tree::Number(self.number());
        }
        let token = self.next();
        if let Ok(number) = token.parse() {
            return Tree::Number(number);
        }
        if token == "default" && self.eat("(") {
            let name = self.next();
            self.expect(")");
            return Tree::Default(name);
        }
        if !self.eat(".") {
            return Tree::Name(token);
        }
        let field = self.next();
        let mut index = 1;
        if self.eat("[") {
            index = usize::try_from(self.number()).expect("an index");
            self.expect("]");
        }
        Tree::Field(token, field, index)
    }
}
