//! A query as a self-contained SMT-LIB 2.6 script, for any solver and for people.
//!
//! The script asks for the opposite of the goal: `unsat` means that the goal follows.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use super::naming::Naming;
use super::{IllSorted, Query, sorting};
use crate::logic::{
    Comparison, Declarations, Domain, Formula, FormulaKind, Node, Quantifier, Term, TermKind, Var,
    Vocabulary, print_formula,
};

/// What a script says about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScriptStatus {
    /// The goal follows.
    Unsat,
    /// The goal does not follow.
    Sat,
    /// It is not known.
    Unknown,
}

impl fmt::Display for ScriptStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            ScriptStatus::Unsat => "unsat",
            ScriptStatus::Sat => "sat",
            ScriptStatus::Unknown => "unknown",
        })
    }
}

/// Names with a meaning of their own: quoting does not take it away.
const RESERVED: &[&str] = &[
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "_",
    "!",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "=>",
    "=",
    "distinct",
    "ite",
    "Bool",
    "Int",
    "Real",
    "String",
    "Array",
    "Seq",
    "Set",
    "Tuple",
    "div",
    "mod",
    "abs",
    "select",
    "store",
    "is",
    "update",
    "divisible",
    "to_real",
    "to_int",
    "is_int",
    "iand",
    "pi",
];

/// How a sort with named elements is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enumerations {
    /// As a datatype.
    Datatypes,
    /// By distinct constants that are all there is: for those who know no datatypes.
    Constants,
}

/// The script for a query, with the status it is expected to have.
///
/// # Errors
/// When the query is ill-sorted.
pub fn script<V: Vocabulary>(
    query: &Query<'_, V>,
    expected: ScriptStatus,
) -> Result<String, IllSorted> {
    script_with(query, expected, Enumerations::Datatypes)
}

/// The script for a query, with sorts of named elements declared as asked.
///
/// # Errors
/// When the query is ill-sorted.
pub fn script_with<V: Vocabulary>(
    query: &Query<'_, V>,
    expected: ScriptStatus,
    enumerations: Enumerations,
) -> Result<String, IllSorted> {
    for formula in query.formulas() {
        sorting::check(query.declarations, formula)?;
    }
    let printer = ScriptPrinter {
        declarations: query.declarations,
        naming: Naming::new(RESERVED),
        enumerations,
        elements: BTreeMap::new(),
        out: String::new(),
    };
    Ok(printer.script(query, expected))
}

/// What a query mentions, in a fixed order.
struct MentionedSymbols<V: Vocabulary> {
    sorts: BTreeSet<V::Sort>,
    symbols: BTreeSet<V::Symbol>,
    free: BTreeSet<Var<V>>,
}

fn mentioned<V: Vocabulary>(query: &Query<'_, V>) -> MentionedSymbols<V> {
    let mut symbols = BTreeSet::new();
    let mut free = BTreeSet::new();
    let mut sorts = BTreeSet::new();
    for formula in query.formulas() {
        symbols.extend(formula.symbols());
        free.extend(formula.free_vars());
        Node::Formula(formula).visit(&mut |node| match node {
            Node::Term(term) => {
                sorts.insert(term.sort());
            }
            Node::Formula(formula) => {
                if let FormulaKind::Quantified(_, vars, _) = formula.kind() {
                    sorts.extend(vars.iter().map(|var| var.sort));
                }
            }
        });
    }
    MentionedSymbols { sorts, symbols, free }
}

struct ScriptPrinter<'a, V: Vocabulary> {
    declarations: &'a dyn Declarations<V>,
    naming: Naming<V>,
    enumerations: Enumerations,
    /// What the elements of each enumeration are called.
    elements: BTreeMap<V::Sort, Vec<String>>,
    out: String,
}

impl<V: Vocabulary> ScriptPrinter<'_, V> {
    fn script(mut self, query: &Query<'_, V>, expected: ScriptStatus) -> String {
        let mentioned = mentioned(query);
        self.line("(set-info :smt-lib-version 2.6)");
        let logic = self.logic(&mentioned.sorts);
        self.line(&format!("(set-logic {logic})"));
        self.line(&format!("(set-info :status {expected})"));
        for &sort in &mentioned.sorts {
            self.declare_sort(sort, &mentioned.symbols);
        }
        for &symbol in &mentioned.symbols {
            self.declare_symbol(symbol);
        }
        for var in &mentioned.free {
            let name = quoted(&self.naming.var(var));
            let sort = self.sort(var.sort);
            self.line(&format!("(declare-fun {name} () {sort})"));
        }
        for hypothesis in &query.hypotheses {
            self.assert("assume", hypothesis, hypothesis);
        }
        self.assert("show", &query.goal, &query.goal.negate());
        self.line("(check-sat)");
        self.line("(exit)");
        self.out
    }

    fn line(&mut self, text: &str) {
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// An assertion under a comment that says the same in our own syntax.
    fn assert(&mut self, role: &str, meant: &Formula<V>, asserted: &Formula<V>) {
        let comment = print_formula(self.declarations, meant);
        self.line(&format!("; {role} {comment}"));
        self.out.push_str("(assert ");
        self.formula(asserted);
        self.line(")");
    }

    fn logic(&self, sorts: &BTreeSet<V::Sort>) -> String {
        let domains: Vec<Domain> =
            sorts.iter().map(|sort| self.declarations.sort(*sort).domain).collect();
        let enumerates = domains.iter().any(|domain| matches!(domain, Domain::Enumeration(_)));
        let counts = domains.contains(&Domain::Int);
        let datatypes = match self.enumerations {
            Enumerations::Datatypes if enumerates => "DT",
            Enumerations::Datatypes | Enumerations::Constants => "",
        };
        let arithmetic = if counts { "LIA" } else { "" };
        format!("UF{datatypes}{arithmetic}")
    }

    fn declare_sort(&mut self, sort: V::Sort, symbols: &BTreeSet<V::Symbol>) {
        let name = self.sort(sort);
        match self.declarations.sort(sort).domain {
            Domain::Int => {}
            Domain::Finite => self.line(&format!("(declare-sort {name} 0)")),
            Domain::Enumeration(elements) => {
                let named = elements.iter().enumerate().map(|(index, element)| {
                    let symbol = symbols.iter().copied().find(|symbol| {
                        self.declarations.enumerated(*symbol) == Some((sort, index))
                    });
                    quoted(&match symbol {
                        Some(symbol) => self.naming.symbol(self.declarations, symbol),
                        None => self.naming.fresh(element),
                    })
                });
                let named: Vec<String> = named.collect();
                match self.enumerations {
                    Enumerations::Datatypes => self.datatype(&name, &named),
                    Enumerations::Constants => self.constants(&name, &named),
                }
                self.elements.insert(sort, named);
            }
        }
    }

    fn datatype(&mut self, sort: &str, elements: &[String]) {
        let constructors: String = elements.iter().map(|element| format!("({element})")).collect();
        self.line(&format!("(declare-datatypes (({sort} 0)) (({constructors})))"));
    }

    fn constants(&mut self, sort: &str, elements: &[String]) {
        self.line(&format!("(declare-sort {sort} 0)"));
        for element in elements {
            self.line(&format!("(declare-fun {element} () {sort})"));
        }
        if elements.len() > 1 {
            self.line(&format!("(assert (distinct {}))", elements.join(" ")));
        }
        let any = quoted(&self.naming.fresh("any"));
        let cases = elements.iter().map(|element| format!("(= {any} {element})"));
        let cases = cases.collect::<Vec<_>>().join(" ");
        let cases = if elements.len() > 1 { format!("(or {cases})") } else { cases };
        self.line(&format!("(assert (forall (({any} {sort})) {cases}))"));
    }

    fn declare_symbol(&mut self, symbol: V::Symbol) {
        if self.declarations.enumerated(symbol).is_some() {
            return;
        }
        let rank = self.declarations.symbol(symbol).rank;
        let name = quoted(&self.naming.symbol(self.declarations, symbol));
        let params: Vec<String> = rank.params.iter().map(|sort| self.sort(*sort)).collect();
        let result = rank.result.map_or_else(|| "Bool".to_owned(), |sort| self.sort(sort));
        self.line(&format!("(declare-fun {name} ({}) {result})", params.join(" ")));
    }

    fn sort(&mut self, sort: V::Sort) -> String {
        match self.declarations.sort(sort).domain {
            Domain::Int => "Int".to_owned(),
            Domain::Finite | Domain::Enumeration(_) => {
                quoted(&self.naming.sort(self.declarations, sort))
            }
        }
    }

    fn formula(&mut self, formula: &Formula<V>) {
        match formula.kind() {
            FormulaKind::Truth(value) => self.out.push_str(if *value { "true" } else { "false" }),
            FormulaKind::Holds(symbol, args) => self.application(*symbol, args),
            FormulaKind::Equal(left, right) => self.list("=", &[left, right], Self::term),
            FormulaKind::Compare(comparison, left, right) => {
                let operator = match comparison {
                    Comparison::Less => "<",
                    Comparison::LessEqual => "<=",
                };
                self.list(operator, &[left, right], Self::term);
            }
            FormulaKind::Not(inner) => self.list("not", &[inner], Self::formula),
            FormulaKind::And(parts) => self.list("and", &refs(parts), Self::formula),
            FormulaKind::Or(parts) => self.list("or", &refs(parts), Self::formula),
            FormulaKind::Implies(premise, conclusion) => {
                self.list("=>", &[premise, conclusion], Self::formula);
            }
            FormulaKind::Iff(left, right) => self.list("=", &[left, right], Self::formula),
            FormulaKind::If(condition, then, otherwise) => {
                self.list("ite", &[condition, then, otherwise], Self::formula);
            }
            FormulaKind::Quantified(quantifier, vars, body) => {
                self.quantified(*quantifier, vars, body);
            }
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, vars: &[Var<V>], body: &Formula<V>) {
        self.out.push_str(match quantifier {
            Quantifier::Forall => "(forall (",
            Quantifier::Exists => "(exists (",
        });
        // A name repeated in one binder is one variable.
        for var in vars.iter().collect::<BTreeSet<_>>() {
            let name = quoted(&self.naming.var(var));
            let sort = self.sort(var.sort);
            write!(self.out, "({name} {sort})").expect("writing to a string succeeds");
        }
        self.out.push_str(") ");
        self.formula(body);
        self.out.push(')');
    }

    fn term(&mut self, term: &Term<V>) {
        match term.kind() {
            TermKind::Var(var) => {
                let name = self.naming.var(var);
                self.out.push_str(&quoted(&name));
            }
            TermKind::Apply(symbol, args, _) => self.application(*symbol, args),
            TermKind::Integer(value, _) => self.integer(*value),
            TermKind::Element(index, sort) => {
                let name = &self.elements[sort][*index as usize];
                self.out.push_str(name);
            }
            TermKind::Add(left, right) => self.list("+", &[left, right], Self::term),
            TermKind::Subtract(left, right) => self.list("-", &[left, right], Self::term),
            TermKind::If(condition, then, otherwise) => {
                self.out.push_str("(ite ");
                self.formula(condition);
                self.out.push(' ');
                self.term(then);
                self.out.push(' ');
                self.term(otherwise);
                self.out.push(')');
            }
        }
    }

    fn integer(&mut self, value: i64) {
        let size = value.unsigned_abs();
        let text = if value < 0 { format!("(- {size})") } else { size.to_string() };
        self.out.push_str(&text);
    }

    fn application(&mut self, symbol: V::Symbol, args: &[Term<V>]) {
        let name = quoted(&self.naming.symbol(self.declarations, symbol));
        if args.is_empty() {
            self.out.push_str(&name);
        } else {
            self.list(&name, &refs(args), Self::term);
        }
    }

    fn list<T>(&mut self, head: &str, parts: &[&T], print: fn(&mut Self, &T)) {
        self.out.push('(');
        self.out.push_str(head);
        for part in parts {
            self.out.push(' ');
            print(self, part);
        }
        self.out.push(')');
    }
}

fn refs<T>(parts: &[T]) -> Vec<&T> {
    parts.iter().collect()
}

/// The name, in bars unless it is a simple symbol.
fn quoted(name: &str) -> String {
    let simple = |character: char| {
        character.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(character)
    };
    let starts_well = name.starts_with(|first: char| simple(first) && !first.is_ascii_digit());
    if starts_well && name.chars().all(simple) { name.to_owned() } else { format!("|{name}|") }
}
