//! Definitions: a name means what it stands for, wherever it is used and whatever its variables are
//! called there.

// A helper that cannot do its part fails the test.
#![allow(clippy::panic)]

use rmlcut::budget::{Budget, Stop};
use rmlcut::certificate::{Case, Certificate, ProofArgument, print_certificate};
use rmlcut::finite;
use rmlcut::finite::{ENGINES, FiniteOutcome, Question, Silent};
use rmlcut::logic::{
    Extent, FormulaKind, Table, Value, VariableAssignment, evaluate_formula, tuples,
};
use rmlcut::pipeline::{Origin, read_certificate, read_protocol};
use rmlcut::protocol::{Protocol, Sort, State, StateFormula, StateVar, SymbolId, print_protocol};
use rmlcut::source::SourceFile;

use crate::agreement::dice::Dice;

fn read(text: &str) -> Protocol {
    let source = SourceFile::new("defined.rml", text);
    match read_protocol(&source) {
        Ok((protocol, _)) => protocol,
        Err(messages) => panic!("{text}\n{messages:#?}"),
    }
}

/// Formulas as texts, with few names for variables, so that they collide across definitions.
struct Texts<'a> {
    dice: &'a mut Dice,
}

const NAMES: [&str; 5] = ["A", "B", "C", "a", "b"];

impl Texts<'_> {
    /// A formula with these variables in scope and these definitions, each with its arity.
    fn formula(&mut self, scope: &[&str], defined: &[(&str, usize)], depth: usize) -> String {
        let free: Vec<&str> = NAMES.into_iter().filter(|name| !scope.contains(name)).collect();
        match self.dice.below(if depth == 0 { 5 } else { 10 }) {
            0 => format!("r({}, {})", self.term(scope), self.term(scope)),
            1 => format!("{} = {}", self.term(scope), self.term(scope)),
            2 => format!("p({})", self.term(scope)),
            3 if !defined.is_empty() => {
                let (name, arity) = *self.dice.pick(defined);
                let args: Vec<String> = (0..arity).map(|_| self.term(scope)).collect();
                format!("{name}({})", args.join(", "))
            }
            4 => {
                let sign = *self.dice.pick(&["=", "!="]);
                format!("s({}) {sign} {}", self.term(scope), self.dice.pick(&["red", "green"]))
            }
            5 => format!("~({})", self.formula(scope, defined, depth - 1)),
            6 | 7 => {
                let sign = *self.dice.pick(&["&", "|", "->", "<->"]);
                let left = self.formula(scope, defined, depth - 1);
                format!("({left} {sign} {})", self.formula(scope, defined, depth - 1))
            }
            8 | 9 if !free.is_empty() => {
                let word = *self.dice.pick(&["forall", "exists"]);
                let name = *self.dice.pick(&free);
                let inner: Vec<&str> = scope.iter().copied().chain([name]).collect();
                let body = self.formula(&inner, defined, depth - 1);
                format!("({word} {name}: node. {body})")
            }
            _ => format!("p({})", self.term(scope)),
        }
    }

    fn term(&mut self, scope: &[&str]) -> String {
        match self.dice.below(4) {
            0 => "c".to_owned(),
            1 => format!("f({})", if scope.is_empty() { "c" } else { self.dice.pick(scope) }),
            _ if scope.is_empty() => "c".to_owned(),
            _ => (*self.dice.pick(scope)).to_owned(),
        }
    }
}

const SIGNATURE: &str = "sort node\nconstant c: node\nrelation p(node)\nrelation r(node, node)\n\
                         function f(node): node\nsort color = { red, green }\n\
                         function s(node): color\n";

/// The value of a line: its truth in a state.
fn truth(formula: &StateFormula, state: &State) -> bool {
    evaluate_formula(state, &VariableAssignment::new(), formula).expect("the state is complete")
}

/// A random state of the symbols of [`SIGNATURE`].
fn state(dice: &mut Dice, protocol: &Protocol, elements: u32) -> State {
    let sort = |name| Sort::Declared(protocol.signature.find_sort(name).expect("declared"));
    let (node, color) = (sort("node"), sort("color"));
    let extents = [(node, Extent::Elements(elements)), (color, Extent::Elements(2))];
    let mut state = State::new(extents.into_iter().collect());
    for (id, symbol) in protocol.signature.symbols().take(5) {
        let extents: Vec<Extent> =
            symbol.params.iter().map(|_| Extent::Elements(elements)).collect();
        let mut value = || match symbol.result {
            None => Value::Bool(dice.chance(50)),
            Some(sort) => {
                let count = if sort == color { 2 } else { elements };
                let index = dice.below(count as usize);
                Value::Element(u32::try_from(index).expect("few elements"))
            }
        };
        let values = tuples(&extents).map(|_| value()).collect();
        state.tables.insert(id, Table::of_values(extents, values));
    }
    state
}

/// The parts of `forall X. d(X) <-> F`.
fn equivalence(line: &StateFormula) -> Option<(&[StateVar], SymbolId, &StateFormula)> {
    let FormulaKind::Quantified(_, vars, body) = line.kind() else { return None };
    let FormulaKind::Iff(left, right) = body.kind() else { return None };
    let FormulaKind::Holds(symbol, _) = left.kind() else { return None };
    Some((vars, *symbol, right))
}

/// Gives the relation of an equivalence `d(…) <-> F` the values of `F`.
fn fill(state: &mut State, line: &StateFormula, elements: u32) {
    let Some((vars, symbol, right)) = equivalence(line) else { panic!("it defines a relation") };
    let extents: Vec<Extent> = vars.iter().map(|_| Extent::Elements(elements)).collect();
    let values: Vec<Value> = tuples(&extents)
        .map(|tuple| {
            let at: VariableAssignment<_> = vars.iter().cloned().zip(tuple).collect();
            Value::Bool(evaluate_formula(state, &at, right).expect("the state is complete"))
        })
        .collect();
    state.tables.insert(symbol, Table::of_values(extents, values));
}

/// The same lines, once with definitions and once with relations that have their values.
#[test]
fn definitions_mean_what_relations_with_their_values_mean() {
    let mut dice = Dice::new(16);
    let mut held = [0, 0];
    for _ in 0..400 {
        let mut texts = Texts { dice: &mut dice };
        let first = texts.formula(&["A", "b"], &[], 3);
        let second = texts.formula(&["a"], &[("d", 2)], 3);
        let defined = [("d", 2), ("e", 1)];
        let uses: Vec<String> = (0..4).map(|_| texts.formula(&[], &defined, 4)).collect();
        let uses: String = uses.iter().map(|line| format!("init {line}\n")).collect();
        let named = read(&format!(
            "{SIGNATURE}define e(a: node) := {second}\ndefine d(A: node, b: node) := {first}\n{uses}"
        ));
        let related = read(&format!(
            "{SIGNATURE}relation d(node, node)\nrelation e(node)\n{uses}\
             init forall A: node, b: node. d(A, b) <-> ({first})\n\
             init forall a: node. e(a) <-> ({second})\n"
        ));
        let own: Vec<&StateFormula> = named.init.iter().map(|line| &line.formula).collect();
        let other: Vec<&StateFormula> = related.init.iter().map(|line| &line.formula).collect();
        // A line that is constant is no equivalence any more.
        if equivalence(other[4]).is_none() || equivalence(other[5]).is_none() {
            continue;
        }
        for elements in 1..=3 {
            let mut state = state(&mut dice, &named, elements);
            let values: Vec<bool> = own.iter().map(|line| truth(line, &state)).collect();
            fill(&mut state, other[4], elements);
            fill(&mut state, other[5], elements);
            for (index, value) in values.iter().enumerate() {
                assert_eq!(*value, truth(other[index], &state), "{uses}{first}\n{second}");
                held[usize::from(*value)] += 1;
            }
        }
        let again = read(&print_protocol(&named));
        assert_eq!(print_protocol(&named), print_protocol(&again), "it reads back");
        let read: Vec<&StateFormula> = again.init.iter().map(|line| &line.formula).collect();
        assert_eq!(own, read, "{}", print_protocol(&named));
    }
    assert!(held.iter().all(|count| *count > 1000), "both truths occur: {held:?}");
}

fn verdict(text: &str) -> bool {
    let protocol = read(text);
    let question = Question::new(&protocol, protocol.sizes(|_| 2));
    let budget = Budget { max_states: 1 << 16, ..Budget::until(Stop::never()) };
    match finite::check(ENGINES[0], &question, &budget, &Silent) {
        Ok(FiniteOutcome::Safe(_)) => true,
        Ok(FiniteOutcome::Unsafe(..)) => false,
        Ok(FiniteOutcome::Unknown(reason, _)) => panic!("{reason}"),
        Err(error) => panic!("{error}"),
    }
}

/// Each of these is unsafe, and safe if a definition is read at the wrong moment or if one of its
/// variables is captured.
#[test]
fn definitions_are_read_where_they_stand() {
    let unsafe_protocols = [
        // After the assignment, not before the action.
        "sort node\nrelation p(node)\nrelation bad\ndefine any := exists N. p(N)\n\
         init ~p(N) & ~bad\naction a(n: node) {\n  p(n) := true\n  require any\n  bad := true\n}\n\
         safety ~bad\n",
        // After a havoc.
        "sort node\nrelation p(node)\nrelation bad\ndefine any := exists N. p(N)\n\
         init ~p(N) & ~bad\naction a(n: node) {\n  p(n) := *\n  if any {\n    bad := true\n  }\n}\n\
         safety ~bad\n",
        // On the right, in the state before the assignment: `p` becomes true of all.
        "sort node\nrelation p(node)\nrelation q(node)\ndefine none := forall N. ~p(N)\n\
         init ~p(N) & ~q(N)\naction a {\n  p(N) := none\n  q(N) := none\n}\n\
         safety [all] p(N) -> q(N)\n",
        // The variable of the definition is not that of its use.
        "sort node\nrelation r(node, node)\nrelation bad\n\
         define sink(M) := exists N. N != M & r(N, M)\n\
         init ~r(N, M) & ~bad\naction put(n: node, m: node) {\n  r(n, m) := true\n}\n\
         action look {\n  require exists N. sink(N)\n  bad := true\n}\nsafety ~bad\n",
        // Nor is its parameter a parameter of the action.
        "sort node\nrelation r(node, node)\nrelation bad\n\
         define sink(m) := exists n: node. n != m & r(n, m)\n\
         init ~r(N, M) & ~bad\naction put(n: node, m: node) {\n  r(n, m) := true\n}\n\
         action look(n: node) {\n  require sink(n)\n  bad := true\n}\nsafety ~bad\n",
        // In a property, under its own quantifier.
        "sort node\nrelation r(node, node)\ndefine self(N) := r(N, N)\n\
         init ~r(N, M)\naction put(n: node, m: node) {\n  r(n, m) := true\n}\n\
         safety [free] forall M: node. ~self(M)\n",
    ];
    for text in unsafe_protocols {
        assert!(!verdict(text), "{text}");
    }
}

#[test]
fn axioms_read_definitions_of_rigid_symbols_only() {
    let text = |kind: &str| {
        format!(
            "sort node\nrigid relation left(node)\n{kind} right(node)\n\
             define both(n) := left(n) & right(n)\naxiom both(N)\n"
        )
    };
    let accepted = |text: String| read_protocol(&SourceFile::new("test.rml", text)).is_ok();
    assert!(accepted(text("rigid relation")));
    assert!(!accepted(text("relation")));
}

const VOTE: &str = "
sort node
sort quorum
sort value
rigid relation member(node, quorum)
rigid relation trusted(node)
relation vote(node, value)
relation decided(value)
sort mood = { calm, busy }
function mood_of(node): mood
define at_work(n) := mood_of(n) = busy
define share(n, m) := at_work(m) & at_work(n)
define excused(n) := trusted(n) | at_work(n)
define fair := forall N. trusted(N)
define chosen(v) := exists Q. forall N. member(N, Q) -> vote(N, v)
define quiet(n: node) := forall V. ~vote(n, V)
axiom exists N. member(N, Q1) & member(N, Q2)
init quiet(N) & ~decided(V)
action cast(n: node, v: value) {
  require quiet(n)
  vote(n, v) := true
}
action decide(v: value) {
  require chosen(v)
  decided(v) := true
}
safety [agree] decided(V) & decided(W) -> V = W
";

/// Reads a certificate for [`VOTE`].
fn certificate(text: &str) -> Result<Certificate, String> {
    let protocol = read(VOTE);
    let source = SourceFile::new(
        "vote.cut",
        format!("certificate 1 for defined\nsha256 {}\n{text}", "0".repeat(64)),
    );
    let read = read_certificate(&protocol, &source, Origin::AnyText);
    read.map(|read| read.certificate).map_err(|messages| {
        messages.iter().map(|message| message.message.clone()).collect::<Vec<_>>().join("; ")
    })
}

fn case(lines: &str) -> String {
    format!(
        "case two for agree {{\n  params a: value, b: value\n  violators V = a, W = b\n\
           cut value = {{ x, y }}\n  sim value(v) := x if v = a else y\n{lines}\n\
           lockstep cast(n, v) {{\n    when quiet_L'(n) do cast(n, sim(v))\n    otherwise do cast(n, sim(v))\n  }}\n\
           lockstep decide(v) do decide(sim(v))\n}}\n"
    )
}

/// What a name means in each part of a certificate, beside the same written out.
#[test]
fn certificates_read_definitions_in_the_system_they_name() {
    let named = case(
        "  select chosen(a) & chosen_L(b)\n  gamma [one] chosen_L(V) -> chosen_C(sim(V))\n\
         \u{20} gamma [two] quiet_C(N) -> quiet_L(N)\n  only [three] chosen(x) -> chosen(y)\n\
         \u{20} gamma [four] ~at_work_L(N) | at_work_C(N)\n\
         \u{20} gamma [five] forall N: node, M: node. share_L(N, M) -> trusted_L(M)\n\
         \u{20} gamma [six] mood_of_L(N) != calm | mood_of_C(N) = calm\n\
         \u{20} gamma [seven] trusted_L(N) & share_L(N, M) & at_work_L(N) -> trusted_L(M)\n\
         \u{20} gamma [eight] quiet_C(N) | excused_L(N)",
    );
    let written = case(
        "  select (exists Q. forall N. member(N, Q) -> vote(N, a)) & \
                  (exists Q. forall N. member(N, Q) -> vote(N, b))\n\
         \u{20} gamma [one] (exists Q: quorum. forall N: node. member_L(N, Q) -> vote_L(N, V)) -> \
                  exists Q: quorum. forall N: node. member_C(N, Q) -> vote_C(N, sim(V))\n\
         \u{20} gamma [two] (forall V: value_C. ~vote_C(N, V)) -> forall V: value. ~vote_L(N, V)\n\
         \u{20} only [three] (exists Q. forall N. member(N, Q) -> vote(N, x)) -> \
                  exists Q. forall N. member(N, Q) -> vote(N, y)\n\
         \u{20} gamma [four] mood_of_L(N) != busy | mood_of_C(N) = busy\n\
         \u{20} gamma [five] forall N: node, M: node. \
                  mood_of_L(M) = busy & mood_of_L(N) = busy -> trusted_L(M)\n\
         \u{20} gamma [six] mood_of_L(N) != calm | mood_of_C(N) = calm\n\
         \u{20} gamma [seven] trusted_L(N) & mood_of_L(M) = busy & mood_of_L(N) = busy & \
                  mood_of_L(N) = busy -> trusted_L(M)\n\
         \u{20} gamma [eight] (forall V: value_C. ~vote_C(N, V)) | trusted_L(N) | mood_of_L(N) = busy",
    )
    .replace("quiet_L'(n)", "forall V: value. ~vote_L'(n, V)");
    let both = [certificate(&named), certificate(&written)];
    let [named, written] = both.map(|read| read.unwrap_or_else(|error| panic!("{error}")));
    let (ProofArgument::Cutoff(one), ProofArgument::Cutoff(other)) =
        (&named.argument, &written.argument)
    else {
        panic!("both have cases")
    };
    let (one, other) = (&one[0], &other[0]);
    assert_eq!(one.select.formula, other.select.formula);
    for (own, twin) in one.gamma.iter().zip(&other.gamma) {
        assert_eq!(own.formula, twin.formula, "{}", own.name);
    }
    assert_eq!(one.only[0].formula, other.only[0].formula);
    let condition = |case: &Case| case.lockstep[0][0].condition.clone();
    assert_eq!(condition(one), condition(other), "after the step");

    reads_back(other, &written);
}

/// A certificate is printed with definitions by name wherever they stand, also if they were written
/// out before, and reads back.
fn reads_back(other: &Case, written: &Certificate) {
    let condition = |case: &Case| case.lockstep[0][0].condition.clone();
    let text = print_certificate(&read(VOTE), written, "");
    for part in [
        "select chosen(a)",
        "chosen_L(V) -> chosen_C(sim(V))",
        "quiet_C(N) -> quiet_L(N)",
        "chosen(x) -> chosen(y)",
        "when quiet_L'(n)",
        "gamma [four] ~at_work_L(N) | at_work_C(N)",
        "gamma [five] share_L(N, M) -> trusted_L(M)",
        "gamma [six] mood_of_L(N) != calm | mood_of_C(N) = calm",
        "gamma [seven] trusted_L(N) & share_L(N, M) & at_work_L(N) -> trusted_L(M)",
        "gamma [eight] quiet_C(N) | excused_L(N)",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let lines: Vec<&str> = text.lines().skip(3).collect();
    let again = certificate(&lines.join("\n")).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(print_certificate(&read(VOTE), &again, ""), text);
    let ProofArgument::Cutoff(read_back) = &again.argument else { panic!("it has a case") };
    assert_eq!(other.select.formula, read_back[0].select.formula);
    assert_eq!(other.only[0].formula, read_back[0].only[0].formula);
    assert_eq!(condition(other), condition(&read_back[0]));
    for (own, twin) in other.gamma.iter().zip(&read_back[0].gamma) {
        assert_eq!(own.formula, twin.formula, "{}", own.name);
    }
}

#[test]
fn certificates_read_definitions_only_where_their_symbols_may_be_read() {
    let refused = [
        ("  sim node(n) := n", "", ""),
        ("  select chosen_C(x)", "may not be read here", ""),
        ("  gamma [one] chosen(V)", "is ambiguous", "`L` or `C`"),
        ("  rigid trusted(n) := exists V: value. chosen(V)", "may not be read here", ""),
        ("  gamma [one] chosen_L'(V)", "may not be read here", ""),
        ("  gamma [one] forall chosen: node. trusted_L(chosen)", "", ""),
        ("  gamma [one] chosen_L(V, V)", "argument", ""),
    ];
    for (line, part, other) in refused {
        let error = certificate(&case(line)).expect_err(line);
        assert!(error.contains(part) && error.contains(other), "{line}: {error}");
    }
    let rigid = case("  rigid trusted(n) := fair & trusted(n)");
    certificate(&rigid).unwrap_or_else(|error| panic!("{error}"));
}
