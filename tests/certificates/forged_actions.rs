//! Actions in certificates that were never text: those of a relaxed cutoff instance, and assignments to
//! history. They are checked on the finished value, since the reader of certificates is not trusted.

use rmlcut::certificate::{Param, validate};
use rmlcut::logic::{Formula, Term, Var};
use rmlcut::protocol::{
    Action, Argument, Assignment, ChoiceId, Command, Protocol, RightSide, Rigidity, Sort, SortId,
    StateFormula, StateVar, Statement, StepFormula, StepSymbol, StepVar, Symbol, SymbolId,
};
use rmlcut::source::Span;

use super::forged::{FIRST, HELD, NODE, SEEN, case, genuine, refused, refused_case};

/// Forges the action `take` of a relaxed cutoff instance.
fn refused_relaxation(forge: impl FnOnce(&mut Action)) {
    refused_case(
        |case| {
            case.relaxed = true;
            forge(&mut case.small.actions[0]);
        },
        "take is not an action",
    );
}

fn assigned(command: &mut Command) -> &mut Assignment {
    match command {
        Command::Assign(assignment) => assignment,
        command => panic!("no assignment: {command:?}"),
    }
}

fn node(name: &str) -> StateVar {
    Var::new(name, Sort::Declared(NODE))
}

fn held(name: &str) -> StateFormula {
    Formula::holds(HELD, vec![Term::var(node(name))])
}

#[test]
fn a_relaxed_cutoff_may_do_more() {
    let (user, mut certificate) = genuine();
    let case = case(&mut certificate);
    case.relaxed = true;
    case.small.actions[0].body.remove(0);
    assert_eq!(validate(&user, &certificate), Vec::<String>::new());
}

#[test]
fn a_relaxed_cutoff_has_the_instances_of_the_protocol() {
    let other = "busy: C runs another protocol";
    let relaxed = |forge: fn(&mut Protocol)| {
        refused_case(
            |case| {
                case.relaxed = true;
                forge(&mut case.small);
            },
            other,
        );
    };
    relaxed(|small| small.axioms.clear());
    relaxed(|small| drop(small.init.pop()));
}

#[test]
fn a_relaxed_cutoff_leaves_alone_what_is_rigid() {
    refused_relaxation(|take| assigned(&mut take.body[3]).target = FIRST);
    refused_relaxation(|take| assigned(&mut take.body[3]).target = SEEN);
}

#[test]
fn every_variable_of_a_relaxed_action_is_a_parameter() {
    refused_relaxation(|take| take.params.push(node("n")));
    refused_relaxation(|take| take.params.push(Var::new("m", Sort::Declared(SortId(7)))));
    refused_relaxation(|take| take.body[0] = Command::Require(held("stray"), Span::default()));
    refused_relaxation(|take| {
        take.body.push(Command::If(held("stray"), Vec::new(), Vec::new(), Span::default()));
    });
    refused_relaxation(|take| {
        assigned(&mut take.body[3]).value = RightSide::Formula(held("stray"));
    });
    // A pattern is not an element: on the left it has no value.
    refused_relaxation(|take| {
        assigned(&mut take.body[3]).arguments = vec![Argument::At(Term::var(node("N")))];
    });
    // A pattern does not hide a parameter.
    refused_relaxation(|take| {
        assigned(&mut take.body[3]).arguments = vec![Argument::Every(node("n"))];
    });
}

#[test]
fn every_sort_in_a_relaxed_action_fits() {
    let number = Term::integer(1, Sort::Int);
    let one = || RightSide::Term(number.clone());
    refused_relaxation(|take| assigned(&mut take.body[3]).value = one());
    refused_relaxation(|take| assigned(&mut take.body[1]).value = one());
    refused_relaxation(|take| {
        assigned(&mut take.body[1]).value = RightSide::Formula(Formula::truth(true));
    });
    let at = |term| vec![Argument::At(term)];
    refused_relaxation(|take| assigned(&mut take.body[3]).arguments = at(number.clone()));
    refused_relaxation(|take| assigned(&mut take.body[3]).arguments.clear());
    let every = Argument::Every(Var::new("N", Sort::Int));
    refused_relaxation(|take| assigned(&mut take.body[3]).arguments = vec![every]);
    let flat = Command::Require(Formula::holds(HELD, Vec::new()), Span::default());
    refused_relaxation(|take| take.body[0] = flat);
    let later = Command::Require(Formula::holds(SEEN, vec![number.clone()]), Span::default());
    refused_relaxation(|take| take.body[0] = later);
}

#[test]
fn every_havoc_of_a_relaxed_action_has_a_choice_of_its_own() {
    refused_relaxation(|take| {
        let again = take.body[1].clone();
        take.body.push(again);
    });
    refused_relaxation(|take| take.choices.clear());
    refused_relaxation(|take| take.choices[0].result = Some(Sort::Int));
    refused_relaxation(|take| take.choices[0].params = vec![Sort::Declared(NODE)]);
}

/// The two meanings of an action would not agree on which value counts.
#[test]
fn a_relaxed_action_assigns_a_symbol_once_in_a_statement() {
    refused_relaxation(|take| {
        let twice = [&take.body[2], &take.body[2]].map(|own| assigned(&mut own.clone()).clone());
        take.body[2] = Command::Together(twice.into(), Span::default());
    });
    refused_relaxation(|take| {
        let picked = assigned(&mut take.body[1].clone()).clone();
        take.body[1] = Command::Together(vec![picked], Span::default());
    });
}

#[test]
fn a_relation_in_a_relaxed_action_is_about_two_states() {
    const W: SymbolId = SymbolId(1);
    let relate = |targets: &[(SymbolId, ChoiceId)], formula: StepFormula| {
        Command::Relate(targets.to_vec(), formula, Span::default())
    };
    let choice = ChoiceId(0);
    let w = |symbol| Term::apply(symbol, Vec::new(), Sort::Declared(NODE));
    let changed = Formula::equal(w(StepSymbol::Pre(W)), w(StepSymbol::Post(W))).negate();
    let (user, mut certificate) = genuine();
    let case = case(&mut certificate);
    case.relaxed = true;
    case.small.actions[0].body[1] = relate(&[(W, choice)], changed.clone());
    assert_eq!(validate(&user, &certificate), Vec::<String>::new(), "the twin");
    let stray = Term::var(StepVar::new("stray", Sort::Declared(NODE)));
    for forged in [
        relate(&[(W, choice), (W, choice)], changed.clone()),
        relate(&[(W, ChoiceId(1))], changed.clone()),
        relate(&[(HELD, choice)], changed.clone()),
        relate(&[(FIRST, choice)], changed),
        relate(&[(W, choice)], Formula::equal(w(StepSymbol::Pre(W)), stray)),
        relate(&[(W, choice)], Formula::holds(StepSymbol::Post(W), Vec::new())),
        relate(
            &[(W, choice)],
            Formula::equal(w(StepSymbol::Choice(choice)), w(StepSymbol::Pre(W))),
        ),
    ] {
        refused_relaxation(|take| take.body[1] = forged);
    }
}

#[test]
fn history_is_assigned_what_has_its_sort() {
    let problem = "take is not an action";
    let refused_value = |value: RightSide| {
        refused(
            |certificate| {
                let last = certificate.large.actions[0].body.last_mut().expect("history");
                assigned(last).value = value;
            },
            problem,
        );
    };
    refused_value(RightSide::Formula(held("stray")));
    refused_value(RightSide::Formula(Formula::holds(HELD, Vec::new())));
    refused_value(RightSide::Term(Term::integer(1, Sort::Int)));
    refused(
        |certificate| {
            let last = certificate.large.actions[0].body.last_mut().expect("history");
            assigned(last).arguments = vec![Argument::At(Term::integer(1, Sort::Int))];
        },
        problem,
    );
}

#[test]
fn history_starts_as_what_has_its_sort() {
    let n = node("N");
    let seen = Formula::holds(SEEN, vec![Term::var(n.clone())]);
    let flat = Formula::forall(vec![n], Formula::iff(seen, Formula::holds(HELD, Vec::new())));
    let forged = Statement { label: None, formula: flat, span: Span::default() };
    refused(
        |certificate| certificate.large.init[2] = forged,
        "an initial condition of L is not a formula",
    );
}

#[test]
fn parameters_and_history_have_declared_sorts() {
    let nowhere = Sort::Declared(SortId(7));
    refused_case(
        |case| {
            let name = "b".into();
            case.params.push(Param { name, sort: nowhere });
        },
        "busy: a parameter has no sort",
    );
    refused(
        |certificate| {
            let symbol = Symbol {
                name: "more".into(),
                params: vec![nowhere],
                result: None,
                rigidity: Rigidity::Mutable,
                span: Span::default(),
            };
            certificate.large.signature.add_symbol(symbol);
        },
        "a history symbol has a sort that is not declared",
    );
}
