//! The verdict: the only place that says `safe`.

use std::collections::BTreeMap;

use crate::certificate::{Case, Certificate, Closing, ProofArgument};
use crate::logic::Name;
use crate::protocol::{PropertyKind, Protocol, SortId};

use super::expected_obligations::{
    expected_of_case, expected_of_closing, expected_of_whole, missing,
};
use super::vacuity::InitialState;
use super::{CaseJudgement, FiniteResult, FiniteViolation, Judged};

/// The bound up to which each residual sort was exhausted.
pub type Bounds = BTreeMap<SortId, u32>;

/// What is known about a protocol, or about the cutoff instance of a case.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Safe at every size.
    Safe,
    /// Safe where the residual sorts are no larger than this.
    SafeUpTo(Bounds),
    /// A run violates a safety property; of a cutoff instance, anything that is claimed of it.
    Unsafe(FiniteViolation),
    /// Anything else, and what is missing.
    Unproved(Vec<Gap>),
}

/// Something that keeps a certificate from being a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Gap {
    /// The certificate breaks a rule.
    Malformed(String),
    /// An obligation is refuted or undecided.
    Obligation(String),
    /// A cutoff instance is not closed.
    Finite {
        /// The case.
        case: Name,
        /// Why.
        why: String,
    },
    /// The protocol has no safety property.
    NothingToProve,
    /// No instance of the protocol has an initial state.
    Vacuous,
    /// No instance with an initial state was seen: the protocol may have no runs.
    NoStartSeen,
    /// A run violates a lemma of the protocol, which would have to be proved as well.
    FalseLemma(Box<FiniteViolation>),
    /// There is no certificate to judge.
    NoCertificate,
}

impl Gap {
    /// What it is of the certificate that closes a case.
    fn within(&self, case: &Name) -> Gap {
        let why = match self {
            Gap::Obligation(title) => title.clone(),
            Gap::Malformed(why) => why.clone(),
            Gap::Finite { case, why } => format!("{case}: finite: {why}"),
            Gap::NothingToProve => "nothing is claimed of C".to_owned(),
            Gap::Vacuous | Gap::NoStartSeen => "C has no initial state that was seen".to_owned(),
            Gap::FalseLemma(violated) => format!("a run of C violates {}", violated.claim),
            Gap::NoCertificate => "there is none".to_owned(),
        };
        Gap::Finite { case: case.clone(), why: format!("in the certificate about C, {why}") }
    }
}

/// Combines all answers.
pub(super) fn conclude(
    user: &Protocol,
    certificate: &Certificate,
    whole: &[Judged],
    cases: &[CaseJudgement],
    start: InitialState,
) -> Verdict {
    if let Some(violation) = real_violation(user, certificate, cases) {
        return Verdict::Unsafe(violation);
    }
    let mut gaps = Vec::new();
    if !user.properties.iter().any(|property| property.kind == PropertyKind::Safety) {
        gaps.push(Gap::NothingToProve);
    }
    match start {
        InitialState::Seen => {}
        InitialState::Impossible => gaps.push(Gap::Vacuous),
        InitialState::Unknown => gaps.push(Gap::NoStartSeen),
    }
    gaps.extend(missing(None, &expected_of_whole(certificate), whole));
    gaps.extend(unproved(whole));
    let of_certificate: &[Case] = match &certificate.argument {
        ProofArgument::Cutoff(cases) => cases,
        ProofArgument::Invariant(_) => &[],
    };
    for unjudged in of_certificate.iter().skip(cases.len()) {
        let why = "the case was not checked".to_owned();
        gaps.push(Gap::Finite { case: unjudged.name.clone(), why });
    }
    let mut bounds = Bounds::new();
    for (own, case) in of_certificate.iter().zip(cases) {
        let expected = expected_of_case(&certificate.large, own);
        gaps.extend(missing(Some(&own.name), &expected, &case.obligations));
        gaps.extend(unproved(&case.obligations));
        match finite_gap(own, case) {
            Ok(own) => tighten(&mut bounds, own),
            Err(more) => gaps.extend(more),
        }
    }
    if !gaps.is_empty() {
        Verdict::Unproved(gaps)
    } else if !bounds.is_empty() {
        Verdict::SafeUpTo(bounds)
    } else {
        Verdict::Safe
    }
}

/// The bounds under which a case is closed, none if at every size; or what keeps it open.
fn finite_gap(own: &Case, case: &CaseJudgement) -> Result<Bounds, Vec<Gap>> {
    let open = |why: &str| Err(vec![Gap::Finite { case: own.name.clone(), why: why.to_owned() }]);
    let residual = own.residual();
    match &case.finite {
        FiniteResult::NotNeeded => Ok(Bounds::new()),
        FiniteResult::NotAsked => open("not checked"),
        FiniteResult::Searched(searches, verdict) => {
            let bounds = match verdict {
                Verdict::Safe => &Bounds::new(),
                Verdict::SafeUpTo(bounds) => bounds,
                Verdict::Unsafe(violated) => {
                    return open(&format!("a run of C violates {}", violated.claim));
                }
                Verdict::Unproved(gaps) => return Err(gaps.clone()),
            };
            if searches.is_empty() {
                return open("no size was searched");
            }
            if !residual.iter().all(|sort| bounds.contains_key(sort)) {
                return open("a residual sort has no bound");
            }
            Ok(bounds.clone())
        }
        FiniteResult::Invariant(judged) => {
            let Some(expected) = expected_of_closing(own) else {
                return open("there is no invariant");
            };
            let mut gaps = missing(Some(&own.name), &expected, judged);
            gaps.extend(unproved(judged));
            if gaps.is_empty() { Ok(Bounds::new()) } else { Err(gaps) }
        }
        FiniteResult::Certificate(judgement) => {
            if !matches!(own.closing, Closing::Certificate(_)) {
                return open("there is no certificate about C");
            }
            match &judgement.verdict {
                Verdict::Safe => Ok(Bounds::new()),
                // The sorts that are residual there are residual here: cut ones are enumerations.
                Verdict::SafeUpTo(bounds) => Ok(Bounds::clone(bounds)),
                Verdict::Unsafe(violated) => {
                    open(&format!("a run of C violates {}", violated.claim))
                }
                Verdict::Unproved(gaps) => {
                    Err(gaps.iter().map(|gap| gap.within(&own.name)).collect())
                }
            }
        }
    }
}

/// A run of the user's own protocol, found in an unrelaxed cutoff instance and replayed here once
/// more, that violates a safety property.
fn real_violation(
    user: &Protocol,
    certificate: &Certificate,
    cases: &[CaseJudgement],
) -> Option<FiniteViolation> {
    let ProofArgument::Cutoff(of_certificate) = &certificate.argument else { return None };
    let found = of_certificate.iter().zip(cases).filter(|(case, _)| !case.relaxed);
    let found = found.filter_map(|(_, judgement)| match &judgement.finite {
        FiniteResult::Searched(_, Verdict::Unsafe(violated)) => Some(violated),
        _ => None,
    });
    found.into_iter().find(|violated| is_real(user, violated)).cloned()
}

fn is_real(user: &Protocol, violated: &FiniteViolation) -> bool {
    let Some((_, property)) = user.property(&violated.claim) else { return false };
    property.kind == PropertyKind::Safety && violated.violation.trace.violates(user, property)
}

fn unproved(judged: &[Judged]) -> Vec<Gap> {
    let open = judged.iter().filter(|judged| !judged.is_valid());
    open.map(|judged| Gap::Obligation(judged.obligation.title())).collect()
}

/// The least bound of each sort over all cases; a sort that one case closes has the other's bound.
fn tighten(bounds: &mut Bounds, own: Bounds) {
    for (sort, bound) in own {
        let least = bounds.entry(sort).or_insert(bound);
        *least = bound.min(*least);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::elaborate::certificate::elaborate_certificate;
    use crate::finite::{ClaimFailure, ClaimViolation, Silent};
    use crate::frontend::parse_certificate;
    use crate::judge::{FiniteConfig, JudgeConfig, Judgement, judge};
    use crate::logic::Value;
    use crate::pipeline::read_protocol;
    use crate::protocol::{Size, State, Trace, blank_state, extents};
    use crate::smt::z3::{ModelSize, Z3};
    use crate::source::SourceFile;
    use std::time::Duration;

    const PROTOCOL: &str = "sort node\nrelation held(node)\nrelation free\ninit ~held(N)\n\
        init free\naction take(n: node) { require free; free := false; held(n) := true }\n\
        action give(n: node) { require held(n); free := true; held(n) := false }\n\
        safety [one] held(N1) & held(N2) -> N1 = N2\n";

    const CUTOFF: &str = "lemma [calm] free -> ~held(N)\nrank calm, one\n\
        case busy for calm {\n  params a: node\n  violators N = a\n  cut node = { x }\n  \
        sim node(n) := x\n  gamma [held] held_L(N) -> held_C(x)\n  \
        gamma [free] free_L -> free_C\n  lockstep take(n) do take(x)\n  \
        lockstep give(n) do give(x)\n}\n\
        case two for one {\n  params a: node, b: node\n  violators N1 = a, N2 = b\n  \
        cut node = { x, y }\n  sim node(n) := x if n = a else y\n  \
        gamma [held] held_L(N) -> held_C(sim(N))\n  gamma [free] free_L -> free_C\n  \
        lockstep take(n) do take(sim(n))\n  lockstep give(n) do give(sim(n))\n}\n";

    const INVARIANT: &str = "invariant {\n  [one] held(N1) & held(N2) -> N1 = N2\n  \
        [calm] free -> ~held(N)\n}\n";

    fn judgement(text: &str) -> (Protocol, Certificate, Judgement) {
        let source = SourceFile::new("example.rml", PROTOCOL);
        let (user, _) = read_protocol(&source).expect("the protocol is right");
        let parsed = parse_certificate(&SourceFile::new("example.cut", text));
        let elaborated = elaborate_certificate(&user, &parsed.file);
        let certificate = elaborated.certificate.expect("the certificate is right");
        let (max_states, max_memory) = (1_000, 1 << 30);
        let time = Duration::from_secs(60);
        let budget = Budget { max_states, max_memory, ..Budget::of_time(time) };
        let finite = FiniteConfig { budget: budget.clone(), residual: 1, progress: &Silent };
        let config = JudgeConfig {
            prover: &Z3 { models: ModelSize::Any },
            budget,
            wanted: &|_| true,
            finite: Some(finite),
        };
        let judgement = judge(&user, &certificate, &config).expect("the solver answers");
        (user, certificate, judgement)
    }

    fn gaps(verdict: Verdict) -> Vec<Gap> {
        match verdict {
            Verdict::Unproved(gaps) => gaps,
            verdict => panic!("proved: {verdict:?}"),
        }
    }

    #[test]
    fn an_obligation_that_is_missing_is_open() {
        for text in [CUTOFF, INVARIANT] {
            let (user, certificate, judged) = judgement(text);
            assert!(matches!(judged.verdict, Verdict::Safe), "{:?}", judged.verdict);
            let conclude = |whole: &[Judged], cases: &[_]| {
                conclude(&user, &certificate, whole, cases, InitialState::Seen)
            };
            for position in 0..judged.whole.len() {
                let mut whole = judged.whole.clone();
                let title = whole.remove(position).obligation.title();
                assert_eq!(gaps(conclude(&whole, &judged.cases)), [Gap::Obligation(title)]);
            }
            assert_eq!(gaps(conclude(&[], &judged.cases)).len(), judged.whole.len());
            for case in 0..judged.cases.len() {
                for position in 0..judged.cases[case].obligations.len() {
                    let mut cases = judged.cases.clone();
                    let title = cases[case].obligations.remove(position).obligation.title();
                    assert_eq!(gaps(conclude(&judged.whole, &cases)), [Gap::Obligation(title)]);
                }
            }
        }
    }

    #[test]
    fn a_case_that_was_not_judged_or_searched_is_open() {
        let (user, certificate, judged) = judgement(CUTOFF);
        let conclude =
            |cases: &[_]| conclude(&user, &certificate, &judged.whole, cases, InitialState::Seen);
        assert_eq!(gaps(conclude(&[])).len(), 2);
        assert_eq!(gaps(conclude(&judged.cases[..1])).len(), 1);
        let nothing = [
            FiniteResult::NotAsked,
            FiniteResult::Searched(Vec::new(), Verdict::Safe),
            FiniteResult::Invariant(Vec::new()),
            FiniteResult::Certificate(Box::new(judged.clone())),
        ];
        for finite in nothing {
            let mut cases = judged.cases.clone();
            let text = format!("{finite:?}");
            cases[1] = CaseJudgement { finite, ..cases[1].clone() };
            assert_eq!(gaps(conclude(&cases)).len(), 1, "{text}");
        }
    }

    #[test]
    fn a_residual_sort_without_a_bound_is_open() {
        let (user, mut certificate, judged) = judgement(CUTOFF);
        let ProofArgument::Cutoff(cases) = &mut certificate.argument else {
            panic!("it is a cutoff")
        };
        cases[0].cut.clear();
        assert!(!cases[0].residual().is_empty());
        let case = cases[0].name.clone();
        let (whole, cases) = (&judged.whole, &judged.cases);
        let verdict = conclude(&user, &certificate, whole, cases, InitialState::Seen);
        let why = "a residual sort has no bound".to_owned();
        assert!(gaps(verdict).contains(&Gap::Finite { case, why }));
    }

    /// A state of three nodes in which these hold the lock.
    fn state(user: &Protocol, holders: &[u32]) -> State {
        let size: Size = user.signature.sized_sorts().map(|sort| (sort, 3)).collect();
        let mut state = blank_state(&user.signature, &extents(&user.signature, &size, None));
        for (id, symbol) in user.signature.symbols() {
            let table = state.tables.get_mut(&id).expect("every symbol has a table");
            match symbol.params.len() {
                0 => table.set(&[], Value::Bool(true)),
                _ => holders
                    .iter()
                    .for_each(|own| table.set(&[Value::Element(*own)], Value::Bool(true))),
            }
        }
        state
    }

    #[test]
    fn what_is_no_run_or_violates_nothing_makes_nothing_unsafe() {
        let (user, certificate, judged) = judgement(CUTOFF);
        let property = user.property("one").expect("it is there").1;
        for (holders, is_run, is_violation) in [(&[0, 2][..], false, true), (&[], true, false)] {
            let trace = Trace { initial: state(&user, holders), steps: Vec::new() };
            assert_eq!(trace.replay(&user).is_ok(), is_run);
            assert_eq!(trace.violation(property).expect("it has a value").is_some(), is_violation);
            let failure = ClaimFailure::Claim(0, Vec::new());
            let violated = FiniteViolation {
                violation: Box::new(ClaimViolation { failure, trace }),
                claim: "one".into(),
                claims: Vec::new(),
                size: Size::new(),
            };
            let mut cases = judged.cases.clone();
            cases[1].finite = FiniteResult::Searched(Vec::new(), Verdict::Unsafe(violated));
            let verdict = conclude(&user, &certificate, &judged.whole, &cases, InitialState::Seen);
            assert!(matches!(verdict, Verdict::Unproved(_)), "{verdict:?}");
        }
    }

    #[test]
    fn the_least_bound_counts() {
        let sort = |name: &str| {
            let (user, _) = read_protocol(&SourceFile::new(
                "sorts.rml",
                "sort s, t\nrelation r\n\
                safety r | ~r\n",
            ))
            .expect("it is right");
            user.signature.sorts().find(|sort| **user.signature.sort_name(*sort) == *name)
        };
        let (s, t) = (sort("s").expect("declared"), sort("t").expect("declared"));
        let mut bounds = Bounds::new();
        for own in [[(s, 3), (t, 2)], [(s, 2), (t, 4)]] {
            tighten(&mut bounds, own.into_iter().collect());
        }
        assert_eq!(bounds, Bounds::from([(s, 2), (t, 2)]));
    }
}
