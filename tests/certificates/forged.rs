//! Certificates that were never text: the rules that the theorem rests on are checked on the
//! finished value as well, so that they cannot be bypassed.

use rmlcut::certificate::{
    Case, Certificate, Closing, CutSort, Invariant, ProductFormula, ProductSort, ProductSymbol,
    ProductTerm, ProductVar, ProofArgument, StateClause, element, validate,
};
use rmlcut::elaborate::certificate::{Origin, elaborate_certificate};
use rmlcut::frontend::parse_certificate;
use rmlcut::judge::Verdict;
use rmlcut::logic::{Definition, Formula, Term, Var};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{
    ChoiceId, Command, Property, PropertyKind, Protocol, Rigidity, Sort, SortId, Statement, Symbol,
    SymbolId,
};
use rmlcut::source::{SourceFile, Span};

use super::{certificate, judged, path, protocol, verdict_in_words};

const PROTOCOL: &str = "\
sort node
rigid relation first(node)
variable w: node
relation held(node)
relation free
axiom exists N: node. first(N)
init ~held(N)
init free
action take(n: node) { require free; w := *; free := false; held(n) := true }
action give(n: node) { require held(n); free := true; held(n) := false }
safety [one] held(N1) & held(N2) -> N1 = N2
";

const CERTIFICATE: &str = "\
lemma [calm] free -> ~held(N)
history relation seen(node)
history init ~seen(N)
history after take { seen(n) := true }
rank calm, one
case busy for calm {
  params a: node
  violators N = a
  cut node = { x, y }
  sim node(n) := x if n = a else y
  rigid first(c) := true
  only [quiet] free -> ~held(x)
  gamma [held] held_L(N) -> held_C(sim(N))
  gamma [free] free_L <-> free_C
  lockstep take(n) {
    when n = a do take(sim(n))
    otherwise do take(sim(n)) with w := x
  }
  lockstep give(n) do give(sim(n))
}
";

pub(super) const FIRST: SymbolId = SymbolId(0);
pub(super) const HELD: SymbolId = SymbolId(2);
const FREE: SymbolId = SymbolId(3);
pub(super) const SEEN: SymbolId = SymbolId(4);
pub(super) const NODE: SortId = SortId(0);

pub(super) fn genuine() -> (Protocol, Certificate) {
    let source = SourceFile::new("example.rml", PROTOCOL);
    let (user, _) = read_protocol(&source).expect("the protocol is right");
    let parsed = parse_certificate(&SourceFile::new("example.cut", CERTIFICATE));
    let elaborated = elaborate_certificate(&user, &parsed.file);
    let certificate = elaborated.certificate;
    (user, certificate.unwrap_or_else(|| panic!("{:?}", elaborated.diagnostics)))
}

/// Says that a forgery is refused, for this reason, and never proves anything.
pub(super) fn refused(forge: impl FnOnce(&mut Certificate), problem: &str) {
    let (user, mut certificate) = genuine();
    forge(&mut certificate);
    let problems = validate(&user, &certificate);
    assert!(problems.iter().any(|own| own == problem), "not: {problem}\nbut: {problems:?}");
    let judgement = judged(&user, &certificate, &|_| true);
    let words = verdict_in_words(&user, &judgement.verdict);
    assert!(matches!(judgement.verdict, Verdict::Unproved(_)), "{words}");
    assert!(words.contains("malformed"), "{words}");
}

/// The same for a forgery of the case.
pub(super) fn refused_case(forge: impl FnOnce(&mut Case), problem: &str) {
    refused(|certificate| forge(case(certificate)), problem);
}

pub(super) fn case(certificate: &mut Certificate) -> &mut Case {
    match &mut certificate.argument {
        ProofArgument::Cutoff(cases) => &mut cases[0],
        ProofArgument::Invariant(_) => panic!("it has a case"),
    }
}

fn flag(symbol: ProductSymbol) -> ProductFormula {
    Formula::holds(symbol, Vec::new())
}

fn loose() -> ProductFormula {
    let stray: ProductTerm = Term::var(Var::new("stray", ProductSort::Large(NODE)));
    Formula::holds(ProductSymbol::Large(HELD), vec![stray])
}

#[test]
fn the_genuine_one_keeps_the_rules() {
    let (user, certificate) = genuine();
    assert_eq!(validate(&user, &certificate), Vec::<String>::new());
}

/// `C` has the elements of `L`: with fewer, what needs the others would never happen there.
#[test]
fn enumerations_are_not_cut() {
    let text = "sort mode = { off, on }\nvariable now: mode\nrelation bad\ninit now = off & ~bad\n\
                action start { now := on }\naction fail { require now = on; bad := true }\n\
                safety [fine] ~bad\n";
    let (user, _) =
        read_protocol(&SourceFile::new("example.rml", text)).expect("the protocol is right");
    let case = |cut: &str| {
        format!(
            "case broken for fine {{\n  violators none\n{cut}  gamma [now] now_L = on -> now_C = on\n  \
             gamma [bad] bad_L -> bad_C\n  lockstep start do start\n  lockstep fail do fail\n}}\n"
        )
    };
    let read = |text: String| {
        let parsed = parse_certificate(&SourceFile::new("example.cut", text));
        elaborate_certificate(&user, &parsed.file)
    };
    let cut = read(case("  cut mode = { one }\n"));
    let messages: Vec<&str> = cut.diagnostics.iter().map(|found| &*found.message).collect();
    assert!(messages.contains(&"`mode` is an enumeration and cannot be cut"), "{messages:?}");
    let shared = read(case(""));
    let mut certificate = shared.certificate.unwrap_or_else(|| panic!("{:?}", shared.diagnostics));
    assert_eq!(validate(&user, &certificate), Vec::<String>::new());
    // It is a good certificate of a protocol that is unsafe: the instance shows it.
    let judgement = judged(&user, &certificate, &|_| true);
    assert!(matches!(judgement.verdict, Verdict::Unsafe(_)), "the instance shows it");
    let mode = SortId(0);
    let var = ProductVar::new("n", ProductSort::Large(mode));
    let sim = Definition::function(vec![var], element(mode, 0));
    let forged = CutSort { sort: mode, elements: vec!["one".into()], sim };
    self::case(&mut certificate).cut.push(forged);
    let problems = validate(&user, &certificate);
    let problem = "broken: the map of mode is not good";
    assert!(problems.iter().any(|own| own == problem), "{problems:?}");
}

#[test]
fn select_reads_large_only() {
    let problem = "busy: select must read L only and be closed";
    for forged in [flag(ProductSymbol::Cutoff(FREE)), flag(ProductSymbol::LargePost(FREE)), loose()]
    {
        refused_case(|case| case.select.formula = forged, problem);
    }
    // Over the elements of C it would say one thing where C exists and another where it does not.
    let [x, y] = ["X", "Y"].map(|name| ProductVar::new(name, ProductSort::Cutoff(NODE)));
    let alone = Formula::equal(Term::var(x.clone()), element(NODE, 0));
    let chosen = Term::apply(
        ProductSymbol::Sim(NODE),
        vec![Term::apply(ProductSymbol::Param(0), Vec::new(), ProductSort::Large(NODE))],
        ProductSort::Cutoff(NODE),
    );
    let value = |index| Term::element(index, ProductSort::Cutoff(NODE));
    for forged in [
        Formula::forall(
            vec![x.clone(), y.clone()],
            Formula::equal(Term::var(x.clone()), Term::var(y)),
        ),
        Formula::forall(vec![x], alone),
        Formula::equal(element(NODE, 0), element(NODE, 1)),
        Formula::equal(value(0), element(NODE, 1)),
        Formula::equal(chosen, element(NODE, 1)),
        // No symbol of C, and no variable: values of its sort alone.
        Formula::equal(
            Term::if_then_else(flag(ProductSymbol::Large(FREE)), value(0), value(1)),
            value(1),
        ),
    ] {
        refused_case(|case| case.select.formula = forged, problem);
    }
}

#[test]
fn variables_range_over_sorts_that_exist() {
    let x: ProductVar = Var::new("X", ProductSort::Cutoff(SortId(7)));
    let nowhere = |held| Formula::forall(vec![x.clone()], held);
    let free = || flag(ProductSymbol::Large(FREE));
    refused_case(
        |case| case.gamma[0].formula = nowhere(free()),
        "busy: gamma held is not a clause",
    );
}

#[test]
fn violators_are_those_of_the_property() {
    let problem = "busy: violators do not match the property";
    refused_case(|case| case.violators = vec![0, 0], problem);
    refused_case(|case| case.violators = vec![7], problem);
    refused_case(|case| case.params[0].sort = Sort::Int, problem);
    refused_case(|case| case.property = 9, "busy: there is no such property");
}

/// A property whose outermost block is empty has no violators.
#[test]
fn a_property_without_variables_has_no_violators() {
    let user = protocol(&path("protocols/broken/trap_no_violators.rml"));
    let file = path("tests/traps/no_violators.cut");
    let mut forged = certificate(&user, &file, Origin::AnyText).expect("it reads");
    let ProofArgument::Cutoff(cases) = &mut forged.argument else { panic!("it has a case") };
    cases[0].violators = vec![0];
    let problem = "selected: violators do not match the property";
    assert_eq!(validate(&user, &forged), [problem]);
}

#[test]
fn maps_are_fixed_and_total() {
    let problem = "busy: the map of node is not good";
    let of = |formula: ProductFormula| {
        let n: ProductVar = Var::new("n", ProductSort::Large(NODE));
        let body = Term::if_then_else(formula, element(NODE, 0), element(NODE, 1));
        Definition::function(vec![n], body)
    };
    refused_case(|case| case.cut[0].sim = of(flag(ProductSymbol::Large(FREE))), problem);
    refused_case(|case| case.cut[0].sim = of(flag(ProductSymbol::Cutoff(FREE))), problem);
    refused_case(|case| case.cut[0].sim = of(loose()), problem);
    refused_case(
        |case| {
            let n: ProductVar = Var::new("n", ProductSort::Large(NODE));
            let itself = vec![Term::var(n.clone())];
            let body = Term::apply(ProductSymbol::Sim(NODE), itself, ProductSort::Cutoff(NODE));
            case.cut[0].sim = Definition::function(vec![n], body);
        },
        problem,
    );
    refused_case(
        |case| case.cut[0].sim = Definition::function(Vec::new(), element(NODE, 0)),
        problem,
    );
    refused_case(
        |case| {
            let again = case.cut[0].clone();
            case.cut.push(again);
        },
        "busy: a sort is cut twice",
    );
    refused_case(
        |case| case.cut[0].elements = vec!["x".into(), "x".into()],
        "busy: two elements of C have one name",
    );
}

#[test]
fn definitions_are_explicit_and_complete() {
    let missing = "busy: held has no good definition";
    let exact = "busy: something else is defined than the symbols of C";
    refused_case(|case| drop(case.start.remove(&HELD)), missing);
    refused_case(|case| drop(case.rigid.remove(&FIRST)), "busy: first has no good definition");
    // A symbol that changes must not be fixed for ever.
    refused_case(
        |case| {
            drop(case.rigid.insert(FREE, Definition::relation(Vec::new(), Formula::truth(true))))
        },
        exact,
    );
    refused_case(
        |case| {
            drop(case.start.insert(SEEN, Definition::relation(Vec::new(), Formula::truth(true))))
        },
        exact,
    );
    let of = |formula| {
        let n: ProductVar = Var::new("n", ProductSort::Cutoff(NODE));
        Definition::relation(vec![n], formula)
    };
    refused_case(
        |case| drop(case.start.insert(HELD, of(flag(ProductSymbol::Cutoff(FREE))))),
        missing,
    );
    refused_case(|case| drop(case.start.insert(HELD, of(loose()))), missing);
    refused_case(
        |case| drop(case.rigid.insert(FIRST, of(flag(ProductSymbol::Large(FREE))))),
        "busy: first has no good definition",
    );
}

#[test]
fn clauses_are_about_two_states() {
    let problem = "busy: gamma free is not a clause";
    for forged in [flag(ProductSymbol::LargePost(FREE)), loose()] {
        refused_case(|case| case.gamma[1].formula = forged, problem);
    }
    let stray = Term::var(Var::new("stray", Sort::Declared(NODE)));
    let open = Formula::holds(HELD, vec![stray]);
    let only = StateClause { name: "open".into(), formula: open.clone(), span: Span::default() };
    refused_case(|case| case.only.push(only), "busy: open is not about C alone");
    let of_history = Formula::holds(SEEN, vec![Term::var(Var::new("x", Sort::Declared(NODE)))]);
    let only = StateClause { name: "seen".into(), formula: of_history, span: Span::default() };
    refused_case(|case| case.only.push(only), "busy: seen is not about C alone");
    let clause = StateClause { name: "open".into(), formula: open, span: Span::default() };
    let closing = Closing::Invariant(Invariant { clauses: vec![clause.clone()] });
    refused_case(|case| case.closing = closing, "open is not a clause of an invariant");
    let invariant = Invariant { clauses: vec![clause] };
    refused(
        |certificate| certificate.argument = ProofArgument::Invariant(invariant),
        "open is not a clause of an invariant",
    );
}

#[test]
fn every_action_is_answered_in_every_state() {
    refused_case(|case| drop(case.lockstep.pop()), "busy: an action has no answer");
    let last = "busy: take has no unconditional answer";
    refused_case(|case| drop(case.lockstep[0].pop()), last);
    refused_case(|case| case.lockstep[0].clear(), last);
    let condition = flag(ProductSymbol::Large(FREE));
    refused_case(|case| case.lockstep[0][1].condition = condition, last);
    let problem = "busy: an answer to take is not good";
    refused_case(|case| case.lockstep[0][0].condition = loose(), problem);
    refused_case(|case| case.lockstep[0][0].moves[0].action = 9, problem);
    refused_case(|case| case.lockstep[0][0].moves[0].args.clear(), problem);
    let unmapped = Term::var(Var::new("n", ProductSort::Large(NODE)));
    refused_case(|case| case.lockstep[0][0].moves[0].args = vec![unmapped], problem);
    let choice = ChoiceId(0);
    refused_case(|case| drop(case.lockstep[0][1].moves[0].choices.remove(&choice)), problem);
    let own =
        Term::apply(ProductSymbol::CutoffChoice(choice), Vec::new(), ProductSort::Cutoff(NODE));
    let own = Definition::function(Vec::new(), own);
    refused_case(|case| drop(case.lockstep[0][1].moves[0].choices.insert(choice, own)), problem);
}

#[test]
fn the_cutoff_runs_the_protocol_and_is_checked_for_every_property() {
    let other = "busy: C runs another protocol";
    refused_case(|case| drop(case.small.actions[1].body.remove(0)), other);
    refused_case(|case| case.small.axioms.clear(), other);
    refused_case(|case| drop(case.small.init.pop()), other);
    let properties = "busy: C is checked for other properties";
    refused_case(|case| drop(case.small.properties.pop()), properties);
    refused_case(|case| case.small.properties.clear(), properties);
    refused_case(
        |case| {
            let more = Symbol {
                name: "more".into(),
                params: Vec::new(),
                result: None,
                rigidity: Rigidity::Rigid,
                span: Span::default(),
            };
            case.small.signature.add_symbol(more);
        },
        "busy: C has other symbols",
    );
}

#[test]
fn nothing_is_added_to_the_protocol_but_history() {
    let statement = |formula| Statement { label: None, formula, span: Span::default() };
    let free = || Formula::holds(FREE, Vec::new());
    refused(
        |certificate| certificate.large.axioms.push(statement(Formula::truth(false))),
        "a certificate adds no axioms to L",
    );
    refused(
        |certificate| certificate.large.init.push(statement(free().negate())),
        "a certificate adds no initial condition but definitions of history",
    );
    refused(
        |certificate| certificate.large.init.swap(0, 1),
        "a certificate adds no initial condition but definitions of history",
    );
    let n = Var::new("n", Sort::Declared(NODE));
    let m = Var::new("m", Sort::Declared(NODE));
    let seen = Formula::holds(SEEN, vec![Term::var(n.clone())]);
    let open = Formula::iff(seen, Formula::equal(Term::var(n.clone()), Term::var(m)));
    refused(
        |certificate| certificate.large.init[2] = statement(Formula::forall(vec![n], open)),
        "a certificate adds no initial condition but definitions of history",
    );
    let statements = "a certificate adds no statements to L but assignments to history";
    refused(
        |certificate| {
            let require = Command::Require(free(), Span::default());
            certificate.large.actions[1].body.push(require);
        },
        statements,
    );
    refused(|certificate| drop(certificate.large.actions.pop()), statements);
    refused(
        |certificate| certificate.large.properties.retain(|own| own.kind == PropertyKind::Lemma),
        "the certificate is about other safety properties",
    );
    refused(
        |certificate| {
            let one = certificate.large.properties.iter_mut();
            let one = one.filter(|own| own.kind == PropertyKind::Safety);
            one.for_each(|own| own.matrix = Formula::truth(true));
        },
        "the certificate is about other safety properties",
    );
}

#[test]
fn properties_are_closed() {
    let stray = Term::var(Var::new("stray", Sort::Declared(NODE)));
    let property = Property {
        name: "open".into(),
        kind: PropertyKind::Lemma,
        is_owed: false,
        vars: Vec::new(),
        matrix: Formula::holds(HELD, vec![stray]),
        span: Span::default(),
    };
    refused(|certificate| certificate.large.properties.push(property), "open is not a property");
}

#[test]
fn a_history_symbol_is_new_and_changes() {
    let (user, mut certificate) = genuine();
    certificate.large.signature = user.signature.clone();
    let rigid = Symbol {
        name: "seen".into(),
        params: vec![Sort::Declared(NODE)],
        result: None,
        rigidity: Rigidity::Rigid,
        span: Span::default(),
    };
    certificate.large.signature.add_symbol(rigid);
    let problems = validate(&user, &certificate);
    assert!(problems.contains(&"a history symbol must be mutable".to_owned()), "{problems:?}");
}

#[test]
fn lemmas_of_the_protocol_are_proved_as_well() {
    let with_lemma = format!("{PROTOCOL}lemma [own] free -> ~held(N)\n");
    let (user, _) = read_protocol(&SourceFile::new("example.rml", with_lemma)).expect("right");
    let (_, certificate) = genuine();
    let problems = validate(&user, &certificate);
    let problem = "the certificate drops a lemma of the protocol";
    assert!(problems.iter().any(|own| own == problem), "{problems:?}");
}
