//! Formulas and terms of random protocols.

use crate::campaign::generate::{Maker, Scope, Symbol, applied};

impl Maker<'_> {
    /// A formula whose free variables are in scope.
    pub(crate) fn formula(&mut self, scope: &Scope, depth: usize) -> String {
        match self.dice.below(10) {
            0..=3 => self.literal(scope, true),
            4 | 5 => format!("{} & {}", self.literal(scope, true), self.literal(scope, true)),
            6 => format!("({} | {})", self.literal(scope, true), self.literal(scope, true)),
            _ if depth == 0 => self.literal(scope, true),
            _ => {
                self.bound += 1;
                let (name, sort) = (format!("B{}", self.bound), self.sort());
                let mut inner = scope.clone();
                inner.insert(0, (name.clone(), sort));
                let first = self.literal(&inner, true);
                let second = self.literal(&inner, true);
                if self.dice.chance(70) {
                    format!("(forall {name}: {sort}. {first} | {second})")
                } else {
                    format!("(exists {name}: {sort}. {first} & {second})")
                }
            }
        }
    }

    /// A relation or an equation, or the negation of one.
    pub(crate) fn literal(&mut self, scope: &Scope, mutable: bool) -> String {
        let negation = if self.dice.chance(45) { "~" } else { "" };
        if mutable && self.counts() && self.dice.chance(15) {
            let order = *self.dice.pick(&["<", "<=", "=", ">="]);
            let (left, right) = (self.number(), self.number());
            return format!("{negation}{left} {order} {right}");
        }
        let mut symbols = self.rigid.clone();
        if mutable {
            symbols.extend(self.mutable.iter().cloned());
            symbols.extend(self.mutable.iter().cloned());
            symbols.extend(self.defined.iter().cloned());
        }
        symbols.retain(|symbol| symbol.result.is_none());
        let equations = if self.modes.is_empty() || !mutable { 20 } else { 45 };
        if !symbols.is_empty() && !self.dice.chance(equations) {
            let symbol = self.dice.pick(&symbols).clone();
            let args: Option<Vec<String>> =
                symbol.params.iter().map(|sort| self.term(sort, scope, 1)).collect();
            if let Some(args) = args {
                return format!("{negation}{}", applied(&symbol.name, &args));
            }
        }
        let first = scope.first().map_or("node", |var| var.1);
        let sort = if !self.modes.is_empty() && self.dice.chance(60) { "mode" } else { first };
        match (self.term(sort, scope, 1), self.term(sort, scope, 1)) {
            (Some(left), Some(right)) => format!("{negation}{left} = {right}"),
            _ => "true".to_owned(),
        }
    }

    /// A term of a sort, if there is one.
    pub(crate) fn term(&mut self, sort: &str, scope: &Scope, depth: usize) -> Option<String> {
        if sort == "int" {
            return Some(self.number());
        }
        let vars: Vec<String> =
            scope.iter().filter(|var| var.1 == sort).map(|var| var.0.clone()).collect();
        if !vars.is_empty() && self.dice.chance(75) {
            return Some(self.dice.pick(&vars).clone());
        }
        if sort == "mode" && self.dice.chance(70) {
            return Some((*self.dice.pick(self.modes)).to_owned());
        }
        let all: Vec<Symbol> = self.rigid.iter().chain(&self.mutable).cloned().collect();
        let fits = |symbol: &&Symbol| {
            symbol.result == Some(sort) && (depth > 0 || symbol.params.is_empty())
        };
        let fitting: Vec<Symbol> = all.iter().filter(fits).cloned().collect();
        if !fitting.is_empty() {
            let symbol = self.dice.pick(&fitting).clone();
            let args: Option<Vec<String>> =
                symbol.params.iter().map(|sort| self.term(sort, scope, depth - 1)).collect();
            if let Some(args) = args {
                return Some(applied(&symbol.name, &args));
            }
        }
        if sort == "mode" {
            return Some(self.modes[0].to_owned());
        }
        if vars.is_empty() { None } else { Some(self.dice.pick(&vars).clone()) }
    }

    /// Whether the protocol counts.
    fn counts(&self) -> bool {
        self.mutable.iter().any(|symbol| symbol.result == Some("int"))
    }

    /// An integer, most often what was counted.
    fn number(&mut self) -> String {
        (*self.dice.pick(&["count", "count", "count + 1", "count - 1", "0", "2"])).to_owned()
    }
}
