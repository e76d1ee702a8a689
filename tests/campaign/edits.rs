//! Every small change of a formula or term that keeps its sorts.

use rmlcut::logic::{Formula, FormulaKind, Node, Quantifier, Term, TermKind, Var, Vocabulary};

/// What was changed, in the words of the summary.
pub(crate) type Kind = &'static str;

/// A formula or a term.
#[derive(Clone)]
pub(crate) enum Part<V: Vocabulary> {
    Formula(Formula<V>),
    Term(Term<V>),
}

/// Every formula that differs from this one by one change.
pub(crate) fn of_formula<V: Vocabulary>(formula: &Formula<V>) -> Vec<(Kind, Formula<V>)> {
    let found = edits(Node::Formula(formula)).into_iter();
    let formulas = found.filter_map(|(kind, part)| match part {
        Part::Formula(formula) => Some((kind, formula)),
        Part::Term(_) => None,
    });
    formulas.filter(|(_, changed)| changed != formula).collect()
}

/// Every term that differs from this one by one change.
pub(crate) fn of_term<V: Vocabulary>(term: &Term<V>) -> Vec<(Kind, Term<V>)> {
    let found = edits(Node::Term(term)).into_iter();
    let terms = found.filter_map(|(kind, part)| match part {
        Part::Term(term) => Some((kind, term)),
        Part::Formula(_) => None,
    });
    terms.filter(|(_, changed)| changed != term).collect()
}

fn edits<V: Vocabulary>(node: Node<'_, V>) -> Vec<(Kind, Part<V>)> {
    let mut found = here(node);
    let children = node.children();
    for (index, child) in children.iter().enumerate() {
        for (kind, changed) in edits(*child) {
            let mut parts: Vec<Part<V>> = children.iter().map(|child| owned(*child)).collect();
            parts[index] = changed;
            found.push((kind, rebuilt(node, parts)));
        }
    }
    found
}

fn owned<V: Vocabulary>(node: Node<'_, V>) -> Part<V> {
    match node {
        Node::Formula(formula) => Part::Formula(formula.clone()),
        Node::Term(term) => Part::Term(term.clone()),
    }
}

/// The changes of this node that leave everything below it as it is.
fn here<V: Vocabulary>(node: Node<'_, V>) -> Vec<(Kind, Part<V>)> {
    match node {
        Node::Formula(formula) => formula_here(formula)
            .into_iter()
            .map(|(kind, changed)| (kind, Part::Formula(changed)))
            .collect(),
        Node::Term(term) => {
            term_here(term).into_iter().map(|(kind, changed)| (kind, Part::Term(changed))).collect()
        }
    }
}

fn formula_here<V: Vocabulary>(formula: &Formula<V>) -> Vec<(Kind, Formula<V>)> {
    let flipped = ("flip a literal", formula.negate());
    match formula.kind() {
        FormulaKind::Truth(_) => vec![flipped],
        FormulaKind::Equal(..) | FormulaKind::Compare(..) => vec![flipped],
        FormulaKind::Holds(symbol, args) => {
            let swaps = swapped(args).into_iter();
            let swaps = swaps.map(|args| ("swap two arguments", Formula::holds(*symbol, args)));
            swaps.chain([flipped]).collect()
        }
        FormulaKind::And(parts) => {
            let without = without_one(parts).into_iter();
            without.map(|parts| ("drop a conjunct", Formula::and(parts))).collect()
        }
        FormulaKind::Or(parts) => {
            let without = without_one(parts).into_iter();
            without.map(|parts| ("drop a disjunct", Formula::or(parts))).collect()
        }
        FormulaKind::Implies(premise, conclusion) => vec![
            ("drop a premise", conclusion.clone()),
            ("turn an implication", Formula::implies(conclusion.clone(), premise.clone())),
        ],
        FormulaKind::Iff(left, right) => vec![
            ("weaken an equivalence", Formula::implies(left.clone(), right.clone())),
            ("weaken an equivalence", Formula::implies(right.clone(), left.clone())),
        ],
        FormulaKind::If(condition, then, otherwise) => {
            let turned = Formula::if_then_else(condition.clone(), otherwise.clone(), then.clone());
            vec![("turn a choice", turned)]
        }
        FormulaKind::Quantified(quantifier, vars, body) => {
            vec![(
                "change a quantifier",
                Formula::quantified(quantifier.dual(), vars.clone(), body.clone()),
            )]
        }
        FormulaKind::Not(_) => Vec::new(),
    }
}

fn term_here<V: Vocabulary>(term: &Term<V>) -> Vec<(Kind, Term<V>)> {
    match term.kind() {
        TermKind::Apply(symbol, args, sort) => {
            let swaps = swapped(args).into_iter();
            swaps.map(|args| ("swap two arguments", Term::apply(*symbol, args, *sort))).collect()
        }
        TermKind::If(condition, then, otherwise) => {
            let turned = Term::if_then_else(condition.clone(), otherwise.clone(), then.clone());
            vec![("turn a choice", turned)]
        }
        TermKind::Integer(value, sort) => vec![("count one more", Term::integer(value + 1, *sort))],
        TermKind::Add(left, right) => {
            vec![("turn a sum", Term::subtract(left.clone(), right.clone()))]
        }
        TermKind::Subtract(left, right) => {
            vec![("turn a sum", Term::add(left.clone(), right.clone()))]
        }
        // Whether there is another element depends on the declarations: the first one always is.
        TermKind::Element(index, sort) if *index > 0 => {
            vec![("take the first element", Term::element(0, *sort))]
        }
        TermKind::Var(_) | TermKind::Element(..) => Vec::new(),
    }
}

/// The lists with one member less.
pub(crate) fn without_one<T: Clone>(items: &[T]) -> Vec<Vec<T>> {
    let without = |index: usize| {
        let mut fewer = items.to_vec();
        fewer.remove(index);
        fewer
    };
    (0..items.len()).map(without).collect()
}

/// The lists with two different members of one sort exchanged.
fn swapped<V: Vocabulary>(args: &[Term<V>]) -> Vec<Vec<Term<V>>> {
    let mut found = Vec::new();
    for left in 0..args.len() {
        for right in left + 1..args.len() {
            if args[left].sort() == args[right].sort() && args[left] != args[right] {
                let mut changed = args.to_vec();
                changed.swap(left, right);
                found.push(changed);
            }
        }
    }
    found
}

/// The node with other children.
fn rebuilt<V: Vocabulary>(node: Node<'_, V>, parts: Vec<Part<V>>) -> Part<V> {
    let mut formulas = Vec::new();
    let mut terms = Vec::new();
    for part in parts {
        match part {
            Part::Formula(formula) => formulas.push(formula),
            Part::Term(term) => terms.push(term),
        }
    }
    match node {
        Node::Formula(formula) => Part::Formula(formula_with(formula, formulas, terms)),
        Node::Term(term) => Part::Term(term_with(term, formulas, terms)),
    }
}

fn formula_with<V: Vocabulary>(
    formula: &Formula<V>,
    mut formulas: Vec<Formula<V>>,
    mut terms: Vec<Term<V>>,
) -> Formula<V> {
    let mut next = || formulas.remove(0);
    match formula.kind() {
        FormulaKind::Truth(value) => Formula::truth(*value),
        FormulaKind::Holds(symbol, _) => Formula::holds(*symbol, terms),
        FormulaKind::Equal(..) => Formula::equal(terms.remove(0), terms.remove(0)),
        FormulaKind::Compare(comparison, ..) => {
            Formula::compare(*comparison, terms.remove(0), terms.remove(0))
        }
        FormulaKind::Not(_) => next().negate(),
        FormulaKind::And(_) => Formula::and(formulas),
        FormulaKind::Or(_) => Formula::or(formulas),
        FormulaKind::Implies(..) => Formula::implies(next(), next()),
        FormulaKind::Iff(..) => Formula::iff(next(), next()),
        FormulaKind::If(..) => Formula::if_then_else(next(), next(), next()),
        FormulaKind::Quantified(quantifier, vars, _) => quantified(*quantifier, vars, next()),
    }
}

/// Variables that no longer occur are no longer bound: a text could not say their sorts.
fn quantified<V: Vocabulary>(
    quantifier: Quantifier,
    vars: &[Var<V>],
    body: Formula<V>,
) -> Formula<V> {
    let free = body.free_vars();
    let vars = vars.iter().filter(|var| free.contains(var)).cloned().collect();
    Formula::quantified(quantifier, vars, body)
}

fn term_with<V: Vocabulary>(
    term: &Term<V>,
    mut formulas: Vec<Formula<V>>,
    mut terms: Vec<Term<V>>,
) -> Term<V> {
    match term.kind() {
        TermKind::Var(var) => Term::var(var.clone()),
        TermKind::Apply(symbol, _, sort) => Term::apply(*symbol, terms, *sort),
        TermKind::Integer(value, sort) => Term::integer(*value, *sort),
        TermKind::Element(index, sort) => Term::element(*index, *sort),
        TermKind::Add(..) => Term::add(terms.remove(0), terms.remove(0)),
        TermKind::Subtract(..) => Term::subtract(terms.remove(0), terms.remove(0)),
        TermKind::If(..) => {
            Term::if_then_else(formulas.remove(0), terms.remove(0), terms.remove(0))
        }
    }
}
