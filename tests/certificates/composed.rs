//! Cutoff instances closed by another certificate, and relaxed actions that name their elements.

use rmlcut::certificate::{
    Certificate, Closing, ProofArgument, cutoff_system, digest, print_certificate, validate,
};
use rmlcut::elaborate::certificate::elaborate_certificate;
use rmlcut::frontend::parse_certificate;
use rmlcut::judge::{Judged, Verdict};
use rmlcut::logic::{Formula, Term};
use rmlcut::pipeline::read_protocol;
use rmlcut::protocol::{Command, Protocol, Sort};
use rmlcut::source::{SourceFile, Span};

use super::{gap_in_words, judged, verdict_in_words};

/// The first to decide picks a value, others copy it.
pub(crate) const COPY: &str = "\
sort node, value
relation done(node)
function stored(node): value
init ~done(N)
action decide(n: node, v: value) {
  require ~done(M)
  done(n) := true
  stored(n) := v
}
action copy(n: node, m: node) {
  require done(m)
  done(n) := true
  stored(n) := stored(m)
}
safety [same] done(N) & done(M) -> stored(N) = stored(M)
";

/// Keeps the value of one violator and merges all others; nodes stay as they are.
const DATA: &str = "\
case data for same {
  params a: node, b: node, k: value
  violators N = a, M = b
  select stored(a) = k
  cut value = { kept, rest }
  sim value(v) := kept if v = k else rest
RELAX  gamma [done] done_L(N) <-> done_C(N)
  gamma [stored] stored_C(N) = sim(stored_L(N))
  lockstep decide(n, v) do decide(n, sim(v))
  lockstep copy(n, m) do copy(n, m)
CLOSING}
";

/// Two nodes are enough for the two violators, whatever the values are.
const NODES: &str = "\
    case nodes for same {
      params a: node, b: node
      violators N = a, M = b
      cut node = { x, y }
      sim node(n) := x if n = a else y
      start stored(c) := stored(a)
      gamma [first] done_L(a) -> done_C(x)
      gamma [second] a != b & done_L(b) -> done_C(y)
      gamma [one] done_L(N) -> done_C(x) | done_C(y)
      gamma [none] done_C(x) | done_C(y) -> (exists N: node. done_L(N))
      gamma [value_x] done_L(N) & done_C(x) -> stored_C(x) = stored_L(N)
      gamma [value_y] done_L(N) & done_C(y) -> stored_C(y) = stored_L(N)
      lockstep decide(n, v) {
        when n = b & n != a do decide(y, v)
        otherwise do decide(x, v)
      }
      lockstep copy(n, m) {
        when n = a & ~done_C(x) do copy(x, y)
        when n = b & n != a & ~done_C(y) do copy(y, x)
        otherwise stutter
      }
    }
";

fn user(text: &str) -> Protocol {
    read_protocol(&SourceFile::new("copy.rml", text)).expect("the protocol is right").0
}

fn elaborated(user: &Protocol, text: &str) -> Result<Certificate, String> {
    let parsed = parse_certificate(&SourceFile::new("copy.cut", text));
    let messages = |all: &[rmlcut::diagnostic::Diagnostic]| {
        all.iter().map(|own| own.message.clone()).collect::<Vec<_>>().join("; ")
    };
    if !parsed.diagnostics.is_empty() {
        return Err(messages(&parsed.diagnostics));
    }
    let read = elaborate_certificate(user, &parsed.file);
    read.certificate.ok_or_else(|| messages(&read.diagnostics))
}

/// The digest of the cutoff instance of the only case of a text.
fn instance(user: &Protocol, case: &str) -> String {
    let certificate = elaborated(user, case).expect("the case alone is right");
    let ProofArgument::Cutoff(cases) = &certificate.argument else { panic!("it is a cutoff") };
    digest(&cutoff_system(&cases[0]))
}

/// A case that is closed by a certificate about its cutoff instance.
fn closed(user: &Protocol, case: &str, nested: &str) -> String {
    let digest = instance(user, &case.replace("CLOSING", ""));
    let nested = nested.trim_start();
    let closing = format!("  close by certificate {{\n    sha256 {digest}\n    {nested}  }}\n");
    case.replace("CLOSING", &closing)
}

/// The case, with a relaxation or none.
pub(crate) fn data(relax: &str) -> String {
    DATA.replace("RELAX", relax)
}

/// What is missing of a proof.
fn gaps(user: &Protocol, certificate: &Certificate) -> Vec<String> {
    match judged(user, certificate, &|_| true).verdict {
        Verdict::Unproved(gaps) => gaps.iter().map(gap_in_words).collect(),
        verdict => panic!("{}", verdict_in_words(user, &verdict)),
    }
}

fn cases(certificate: &mut Certificate) -> &mut Vec<rmlcut::certificate::Case> {
    match &mut certificate.argument {
        ProofArgument::Cutoff(cases) => cases,
        ProofArgument::Invariant(_) => panic!("it is a cutoff"),
    }
}

#[test]
fn two_cutoffs_together_leave_nothing_unbounded() {
    let user = user(COPY);
    let text = closed(&user, &data(""), NODES);
    let certificate = elaborated(&user, &text).expect("it is accepted");
    assert_eq!(validate(&user, &certificate), Vec::<String>::new());
    let judgement = judged(&user, &certificate, &|_| true);
    assert!(matches!(judgement.verdict, Verdict::Safe), "{:?}", judgement.verdict);
    let all = judgement.obligations_with_nested();
    assert!(all.iter().all(|own| own.is_valid()) && all.len() > judgement.obligations().count());
    let printed = print_certificate(&user, &certificate, "");
    let read = elaborated(&user, &printed).unwrap_or_else(|why| panic!("{why}\n{printed}"));
    assert_eq!(print_certificate(&user, &read, ""), printed);
    let mut open = certificate;
    cases(&mut open)[0].closing = Closing::Search;
    let verdict = judged(&user, &open, &|_| true).verdict;
    assert_eq!(verdict_in_words(&user, &verdict), "safe up to node=3", "without it");
}

#[test]
fn a_nested_certificate_that_proves_nothing_closes_nothing() {
    let user = user(COPY);
    for (right, wrong, gap) in [
        ("otherwise do decide(x, v)", "otherwise stutter", "nodes: step decide #2 / keeps one"),
        (
            "when n = a & ~done_C(x) do copy(x, y)",
            "when n = a do decide(x, stored_L(m))",
            "nodes: step copy / enabled 1",
        ),
    ] {
        let nested = NODES.replace(right, wrong);
        assert_ne!(nested, NODES);
        let certificate = elaborated(&user, &closed(&user, &data(""), &nested));
        let certificate = certificate.expect("it is well-formed");
        let gaps = gaps(&user, &certificate);
        let wanted = format!("data: finite: in the certificate about C, {gap}");
        assert!(gaps.contains(&wanted), "{wanted}: {gaps:?}");
    }
    let nested =
        "    invariant {\n      [same] done(N) & done(M) -> stored(N) = stored(M)\n    }\n";
    let certificate = elaborated(&user, &closed(&user, &data(""), nested)).expect("well-formed");
    assert!(matches!(judged(&user, &certificate, &|_| true).verdict, Verdict::Safe));
    let nested = "    invariant {\n      [few] stored(N) = kept -> done(N)\n    }\n";
    let certificate = elaborated(&user, &closed(&user, &data(""), nested)).expect("well-formed");
    assert!(!gaps(&user, &certificate).is_empty());
}

/// Cuts nothing: `C` is `L`.
const ITSELF: &str = "\
    case itself for same {
      violators none
      gamma [done] done_L(N) <-> done_C(N)
      gamma [stored] stored_C(N) = stored_L(N)
      lockstep decide(n, v) do decide(n, v)
      lockstep copy(n, m) do copy(n, m)
    }
";

#[test]
fn the_bounds_of_a_nested_certificate_are_reported() {
    let user = user(COPY);
    let certificate = elaborated(&user, &closed(&user, &data(""), ITSELF)).expect("accepted");
    let verdict = judged(&user, &certificate, &|_| true).verdict;
    assert_eq!(verdict_in_words(&user, &verdict), "safe up to node=3");
}

#[test]
fn a_certificate_about_another_instance_is_refused() {
    let user = user(COPY);
    let of_two = closed(&user, &data(""), NODES);
    let one_more = |text: &str| text.replace("{ kept, rest }", "{ kept, spare, rest }");
    let why = elaborated(&user, &one_more(&of_two)).expect_err("another instance");
    assert_eq!(why, "this certificate is not about the cutoff instance of `data`");
    // The same as values, whatever the text says.
    let mut forged = elaborated(&user, &of_two).expect("accepted");
    let of_three = one_more(&data(""));
    let mut other = elaborated(&user, &closed(&user, &of_three, NODES)).expect("accepted");
    cases(&mut forged)[0].closing = cases(&mut other)[0].closing.clone();
    let problems = validate(&user, &forged);
    let wanted = "data: in the certificate about C, L has other sorts or symbols than the protocol";
    assert!(problems.iter().any(|own| own == wanted), "{problems:?}");
    assert!(gaps(&user, &forged).iter().any(|gap| gap.ends_with(wanted)));
}

/// `C` may also forget a decision.
const FORGETS: &str = "\
  relax {
    action copy(n: node, m: node) {
      require done(m)
      done(n) := true
      stored(n) := rest
    }
  }
";

#[test]
fn a_certificate_about_another_relaxation_is_refused() {
    let user = user(COPY);
    let relaxed = data(FORGETS);
    let why = closed(&user, &data(""), NODES)
        .replace("  gamma [done]", &format!("{FORGETS}  gamma [done]"));
    let why = elaborated(&user, &why).expect_err("another relaxation");
    assert_eq!(why, "this certificate is not about the cutoff instance of `data`");
    let mut plain = elaborated(&user, &closed(&user, &data(""), NODES)).expect("accepted");
    let mut forged = elaborated(&user, &relaxed.replace("CLOSING", "")).expect("well-formed");
    cases(&mut forged)[0].closing = cases(&mut plain)[0].closing.clone();
    let problems = validate(&user, &forged);
    let wanted = "data: in the certificate about C, a certificate adds no statements to L but \
                  assignments to history";
    assert!(problems.iter().any(|own| own == wanted), "{problems:?}");
}

#[test]
fn a_certificate_about_fewer_properties_is_refused() {
    let user = user(COPY);
    let only = "  only [kept] done(N) -> stored(N) = kept\nRELAX";
    let text = closed(&user, &data(""), NODES);
    let further =
        text.replace("  gamma [done]", &format!("{}  gamma [done]", &only[..only.len() - 5]));
    let why = elaborated(&user, &further).expect_err("more is claimed of C");
    assert_eq!(why, "this certificate is not about the cutoff instance of `data`");
    let mut plain = elaborated(&user, &text).expect("accepted");
    let alone = DATA.replace("RELAX", only).replace("RELAX", "").replace("CLOSING", "");
    let mut forged = elaborated(&user, &alone).expect("well-formed");
    cases(&mut forged)[0].closing = cases(&mut plain)[0].closing.clone();
    let problems = validate(&user, &forged);
    let wanted =
        "data: in the certificate about C, the certificate is about other safety properties";
    assert!(problems.iter().any(|own| own == wanted), "{problems:?}");
}

/// Nodes change their values, to other ones, before somebody decides for all who did.
pub(crate) const CHANGES: &str = "\
sort node, value
relation done(node)
relation changed(node)
function stored(node): value
variable decision: value
init ~done(N) & ~changed(N)
action change(n: node, v: value) {
  require ~done(n) & v != stored(n)
  stored(n) := v
  changed(n) := true
}
action decide(n: node) {
  require changed(n) & ~done(M)
  decision := stored(n)
  done(N) := changed(N)
}
action adopt(n: node) {
  require done(n)
  stored(n) := decision
  changed(n) := false
}
safety [same] done(N) & done(M) & ~changed(N) & ~changed(M) -> stored(N) = stored(M)
";

pub(crate) const CHANGES_OF_DATA: &str = "\
case data for same {
  params a: node, b: node, k: value
  violators N = a, M = b
  select stored(a) = k
  cut value = { kept, rest }
  sim value(v) := kept if v = k else rest
  relax {
    action change(n: node, v: value) {
      require ~done(n) & (GUARD)
      stored(n) := v
      changed(n) := true
    }
  }
  gamma [done] done_L(N) <-> done_C(N)
  gamma [changed] changed_L(N) <-> changed_C(N)
  gamma [stored] stored_C(N) = sim(stored_L(N))
  gamma [decision] decision_C = sim(decision_L)
  lockstep change(n, v) do change(n, sim(v))
  lockstep decide(n) do decide(n)
  lockstep adopt(n) do adopt(n)
}
";

#[test]
fn a_relaxed_action_names_elements_of_the_cutoff_instance() {
    let user = user(CHANGES);
    let exact = CHANGES_OF_DATA.replace("GUARD", "v != stored(n) | v = rest");
    let certificate = elaborated(&user, &exact).expect("it is accepted");
    assert_eq!(validate(&user, &certificate), Vec::<String>::new());
    let judgement = judged(&user, &certificate, &|_| true);
    assert!(judgement.obligations().all(Judged::is_valid));
    let words = verdict_in_words(&user, &judgement.verdict);
    assert_eq!(words, "safe up to node=3");
    let printed = print_certificate(&user, &certificate, "");
    assert!(printed.contains("v = rest"), "{printed}");
    let read = elaborated(&user, &printed).unwrap_or_else(|why| panic!("{why}\n{printed}"));
    assert_eq!(print_certificate(&user, &read, ""), printed);
    // Without the merged value, what `L` does `C` cannot do.
    let strict = CHANGES_OF_DATA.replace("GUARD", "v != stored(n) | v = kept");
    let gaps = gaps(&user, &elaborated(&user, &strict).expect("well-formed"));
    assert!(gaps.contains(&"data: step change / enabled 1".to_owned()), "{gaps:?}");
    let unknown = CHANGES_OF_DATA.replace("GUARD", "v = other");
    let why = elaborated(&user, &unknown).expect_err("there is no such element");
    assert!(why.contains("`other`"), "{why}");
}

#[test]
fn a_relaxed_action_names_no_element_that_the_cutoff_instance_does_not_have() {
    let user = user(CHANGES);
    let exact = CHANGES_OF_DATA.replace("GUARD", "v != stored(n) | v = rest");
    let genuine = elaborated(&user, &exact).expect("it is accepted");
    let [node, value] = ["node", "value"]
        .map(|name| Sort::Declared(user.signature.find_sort(name).expect("it is declared")));
    for (sort, index, is_good) in [(value, 1, true), (value, 2, false), (node, 0, false)] {
        let mut forged = genuine.clone();
        let action = &mut cases(&mut forged)[0].small.actions[0];
        let param = action.params.iter().find(|param| param.sort == sort).expect("a parameter");
        let named = Formula::equal(Term::var(param.clone()), Term::element(index, sort));
        action.body.push(Command::Require(named, Span::default()));
        let problems = validate(&user, &forged);
        let said = problems.iter().any(|own| own == "change is not an action");
        assert_eq!(said, !is_good, "{problems:?}");
    }
}

/// `C` is violated in one particular element only, so that none stands for another.
#[test]
fn elements_that_relaxed_actions_name_are_not_interchangeable() {
    let user = user(
        "sort value\nvariable last: value\nrelation bad\ninit ~bad\n\
         action pick(v: value) { last := v }\nsafety [good] ~bad\n",
    );
    for element in ["first", "second", "third"] {
        let text = format!(
            "case one for good {{\n  violators none\n  cut value = {{ first, second, third }}\n  \
             sim value(v) := first\n  relax {{\n    action fail {{ require last = {element}; bad \
             := true }}\n    action pick(v: value) {{ require v = last; last := v }}\n  }}\n  \
             gamma [bad] bad_L -> bad_C\n  gamma [last] last_C = first\n  \
             lockstep pick(v) {{\n    when bad_L do fail\n    otherwise do pick(first)\n  }}\n}}\n"
        );
        let certificate = elaborated(&user, &text).expect("well-formed");
        let judgement = judged(&user, &certificate, &|_| true);
        let finite = format!("{:?}", judgement.cases[0].finite);
        assert!(finite.contains("Unsafe"), "{element}: {finite}");
        assert!(matches!(judgement.verdict, Verdict::Unproved(_)), "{element}");
    }
}

#[test]
fn the_map_of_a_cut_sort_needs_a_last_case() {
    let text = data("").replace("CLOSING", "").replace("kept if v = k else rest", "kept if v = k");
    let why = elaborated(&user(COPY), &text).expect_err("not total");
    assert!(why.contains("`else`"), "{why}");
}
