//! Certificates as text: what is printed reads back to the same certificate.

use std::fs;
use std::path::Path;

use rmlcut::certificate::{Certificate, digest, print_certificate, validate};
use rmlcut::judge::Verdict;
use rmlcut::protocol::Protocol;

use super::verdicts::{LOCK, TWO, judged};
use super::{certificate, protocol};

const HEADER: &str = "certificate 1 for example\n\
    sha256 0000000000000000000000000000000000000000000000000000000000000000\n";

/// Everything about a certificate but where its parts were written.
fn without_places(certificate: &Certificate) -> String {
    let text = format!("{certificate:?}");
    let mut parts = text.split("Span { start: ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once('}').map_or("", |(_, rest)| rest))
}

/// Reads, prints and reads again; the printed text.
fn round_trip(user: &Protocol, body: &str) -> String {
    let first = certificate(user, &format!("{HEADER}{body}"));
    assert_eq!(validate(user, &first), Vec::<String>::new());
    let text = print_certificate(user, &first, "");
    let second = certificate(user, &text);
    assert_eq!(without_places(&first), without_places(&second), "{text}");
    assert_eq!(print_certificate(user, &second, ""), text);
    text
}

const LOCKS: &str = "
sort node, key
rigid relation le(key, key)
rigid function home(key): node
relation held(node, key)
relation x1(node)
variable w: node
variable count: int
axiom le(A, A)
init ~held(N, K)
action take(n: node, k: key) {
  require ~held(N, k)
  held(n, k) := true
}
action pick(n: node) {
  w := *
  require w != n
  x1(N) := *
  w := *
  count := count - 1
}
safety [one] held(N, K) & held(M, K) -> N = M
";

const CASE: &str = "case two for one {
  params a: node, b: node, n1: key
  violators N = a, M = b, K = n1
  select a != b
  select exists K. le(n1, K) & held(a, K)
  cut node = { na, nb, rest }
  sim node(n) := na if n = a else nb if n = b else rest
  cut key = { kc }
  sim key(k) := kc
  rigid home(k) := na if home(n1) = a else nb
  start x1(c) := forall n: node. sim(n) = c -> x1(n)
  only [calm] ~held(rest, K) & (exists N. N != rest)
  gamma [held] held_L(N, n1) -> held_C(sim(N), kc)
  gamma [count] count_L <= count_C + 2 & 0 - 1 < count_L | count_C = -3
  gamma [eq] forall N: node, M: node. sim(N) = sim(M) -> (x1_L(N) <-> x1_L(M))
  gamma [order] x1_C(N) & (forall M: node. held_L(M, K) -> sim(M) = N) -> N = na
  lockstep take(x, y) {
    when y = n1 & held_L'(x, y) do try take(sim(x), kc) then take(nb, kc)
    when ~x1_L(w_L) | x = a stutter
    otherwise do pick(rest) with w := nb, w_2 := sim(w_L), x1(c) := c = na | x = a
  }
  lockstep pick(n) do pick(sim(n)) with w := sim(any_w), w_2 := sim(any_w_2), x1(z) := z = sim(n)
}
";

#[test]
fn every_part_of_a_case_reads_back() {
    let user = protocol(LOCKS);
    let text = round_trip(&user, CASE);
    for kept in [
        "  gamma [held] held_L(N, n1) -> held_C(sim(N), kc)\n",
        "  lockstep pick(n) do pick(sim(n)) with w := sim(any_w), x1(z0) := z0 = sim(n), ",
        "  # by default: start w := sim(w)\n",
        "  # by default: start count := count\n",
        "    when ~x1_L(w_L) | n = a stutter\n",
    ] {
        assert!(text.contains(kept), "{kept}\n{text}");
    }
    assert!(text.contains(&format!("sha256 {}\n", digest(&user))));
}

#[test]
fn lemmas_history_rank_relaxation_and_invariants_read_back() {
    let user = protocol(LOCKS);
    let case = CASE.trim_end().trim_end_matches('}');
    let body = format!(
        "history relation seen(node)\nhistory function last(key): node\n\
         history init ~seen(N)\n\
         history after take {{\n  seen(n) := true\n  last(k) := n\n}}\n\
         lemma [held_seen] held(N, K) -> seen(N)\nlemma [plain] le(A, B) -> held(home(A), B)\n\
         rank plain, one, held_seen\n\
         {case}  relax {{\n    action take(n: node, k: key) {{\n      held(n, k) := true\n    }}\n\
         \x20   action both(n: node) {{\n      held(n, K) := x1(n)\n    }}\n  }}\n\
         \x20 close by invariant {{\n    [one] held(N, K) & held(M, K) -> N = M\n\
         \x20   [mine] ~held(rest, K)\n  }}\n}}\n\
         case more for plain {{\n  violators none\n  cut key = {{ k }}\n  rigid home(x) := home(x)\n\
         \x20 lockstep take stutter\n  lockstep pick stutter\n}}\n"
    )
    .replace("rigid home(x) := home(x)", "params q: key\n  rigid home(x) := home(q)");
    let text = round_trip(&user, &body);
    for kept in
        ["history after take {\n  seen(n) := true\n", "rank plain, one, held_seen\n", "  relax {\n"]
    {
        assert!(text.contains(kept), "{kept}\n{text}");
    }
}

#[test]
fn an_invariant_reads_back() {
    let user = protocol(LOCKS);
    let long = "[wide] ".to_owned() + &["held(N, K)"; 20].join(" & ") + " -> x1(N)";
    let text = round_trip(&user, &format!("invariant {{\n[one] held(N, K) -> x1(N)\n{long}\n}}\n"));
    assert!(text.lines().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn names_that_would_hide_something_are_changed() {
    let user = protocol("sort node\nrelation n(node)\nrelation x1(node)\nsafety [s] n(N) -> x1(N)");
    let body = "case c for s {\n  params a: node\n  violators N = a\n  cut node = { n1, n2 }\n  \
                sim node(y) := n1\n  gamma [g] n_L(N) -> n_C(sim(N))\n}\n";
    let first = certificate(&user, &format!("{HEADER}{body}"));
    let text = print_certificate(&user, &first, "what it is\n\nand why");
    assert!(text.starts_with("# what it is\n#\n# and why\ncertificate 1 for example\n"), "{text}");
    assert_eq!(print_certificate(&user, &certificate(&user, &text), "what it is\n\nand why"), text);
}

#[test]
fn the_digest_is_of_the_meaning_not_of_the_spelling() {
    let plain = protocol("sort node\nrelation r(node)\nsafety [s] r(N) -> r(N)");
    let spelled = protocol("# a comment\ntype node\nrelation r : node\nsafety [s]  r(N) => r(N)");
    let other = protocol("sort node\nrelation r(node)\nsafety [s] r(M) -> r(M)");
    assert_eq!(digest(&plain), digest(&spelled));
    assert_ne!(digest(&plain), digest(&other));
    assert_eq!(digest(&plain).len(), 64);
}

#[test]
fn the_certificates_of_the_corpus_read_back() {
    let mut count = 0;
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("protocols")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the corpus is readable") {
            let path = entry.expect("the corpus is readable").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cut") {
                let read = |path: &Path| fs::read_to_string(path).expect("a text");
                let user = protocol(&read(&path.with_extension("rml")));
                let text = read(&path);
                let body = text.split_once("\nsha256 ").and_then(|(_, rest)| rest.split_once('\n'));
                round_trip(&user, body.expect("a header").1.trim_start_matches("rmlcut 0.1.0"));
                count += 1;
            }
        }
    }
    assert!(count >= 7, "{count}");
}

/// The first block of this kind in the reference of the language.
fn example(kind: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("grammar/README.md");
    let document = std::fs::read_to_string(path).expect("the reference is there");
    let block = document.split(&format!("```{kind}\n")).nth(1).expect("it has such a block");
    block.split("```").next().unwrap_or_default().to_owned()
}

#[test]
fn the_certificate_of_the_reference_is_a_proof() {
    let user = protocol(&example("rml"));
    let whole = example("cut");
    let body = whole.split_once("\n\n").expect("a header").1;
    let judgement = judged(&user, body);
    assert!(matches!(judgement.verdict, Verdict::Safe), "{:?}", judgement.verdict);
    let hasty = body.replace("try ask(sim(c)) then ", "");
    assert!(matches!(judged(&user, &hasty).verdict, Verdict::Unproved(_)));
}

#[test]
fn names_that_end_in_primes_can_be_read_in_both_systems() {
    let primed = LOCK.replace("held", "held'");
    let body = TWO.replace("held_", "held'_");
    let user = protocol(&primed);
    assert!(body.contains("held'_L") && body.contains("held'_C"), "{body}");
    assert!(matches!(judged(&user, &body).verdict, Verdict::Safe));
    round_trip(&user, &body);
}
