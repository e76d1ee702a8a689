//! The rules of the analysis one by one, each with a case that it must not touch.

use crate::analysis::{check, sets};

/// A clause wanted false is set by assignments to false only, one wanted true by those to true.
#[test]
fn negated_clauses() {
    let text = |wanted: &str| {
        format!(
            "sort node
             relation up(node)
             relation asked(node)
             action start(n: node) {{ require asked(n); up(n) := true }}
             action stop(n: node) {{ require ~asked(n); up(n) := false }}
             safety {wanted}"
        )
    };
    check(&text("up(N)"), "~up(N), ~asked(N)", "stop(N)");
    check(&text("~up(N)"), "up(N), asked(N)", "start(N)");
    check(&text("up(N) <-> asked(N)"), "up(N) = *, asked(N) = *", "start(N), stop(N)");
}

/// Polarity reaches through implications, negations and disjunctions.
#[test]
fn polarity_of_guards() {
    check(
        "sort node
         relation a(node)
         relation b(node)
         relation c(node)
         relation bad
         action go(n: node) { require ~(a(n) -> b(n)) | ~c(n); bad := true }
         safety ~bad",
        "bad, a(*), ~b(*), ~c(*)",
        "go(*)",
    );
}

/// An equation with a constant or literal fixes a function's value; anything else leaves `*`.
#[test]
fn functions_in_guards() {
    let text = |guard: &str| {
        format!(
            "sort node, round
             constant first: round
             function at(node): round
             variable count: int
             relation bad(node)
             action go(n: node, r: round) {{ require {guard}; bad(n) := true }}
             safety ~bad(N)"
        )
    };
    check(&text("at(n) = first"), "bad(N), at(N) = first", "go(N, *)");
    check(&text("first = at(n)"), "bad(N), at(N) = first", "go(N, *)");
    check(&text("at(n) = r"), "bad(N), at(N) = *", "go(N, *)");
    check(&text("at(n) != first"), "bad(N), at(N) = *", "go(N, *)");
    check(&text("count = 3"), "bad(N), count = 3", "go(N, *)");
    check(&text("count < 3"), "bad(N), count = *", "go(N, *)");
    check(&text("count + 1 = 3"), "bad(N), count = *", "go(N, *)");
}

/// An assignment of another literal cannot give the wanted one; another constant can, because two
/// constants may be equal.
#[test]
fn functions_in_updates() {
    let text = |value: &str| {
        format!(
            "sort round
             constant first: round
             constant second: round
             variable count: int
             variable at: round
             action reset {{ count := {value}; at := second }}
             safety count != 3 & at != first"
        )
    };
    check(&text("3"), "count = 3, at = first", "reset");
    check(&text("count + 1"), "count = *, at = first", "reset");
    check(&text("*"), "count = 3, at = first", "reset");
    let other = text("4").replace("at := second", "");
    check(&other, "count = 3, at = first", "");
}

/// A violating element can be the wanted value.
#[test]
fn functions_in_properties() {
    check(
        "sort node, round
         function at(node): round
         action move(n: node, r: round) { at(n) := r }
         safety at(N) != R",
        "at(N) = R",
        "move(N, *)",
    );
}

/// Bound variables are `*`, whatever binds them.
#[test]
fn quantified_guards() {
    let text = |guard: &str| {
        format!(
            "sort node
             relation ok(node, node)
             relation bad(node)
             action allow(n: node, m: node) {{ ok(n, m) := true }}
             action forbid(n: node, m: node) {{ ok(n, m) := false }}
             action go(n: node) {{ require {guard}; bad(n) := true }}
             safety ~bad(N)"
        )
    };
    check(&text("forall M. ok(n, M)"), "bad(N), ok(N, *)", "allow(N, *), go(N)");
    check(&text("ok(M, n)"), "bad(N), ok(*, N)", "allow(*, N), go(N)");
    check(&text("exists M. ~ok(M, n)"), "bad(N), ~ok(*, N)", "forbid(*, N), go(N)");
    check(&text("~exists M. ok(M, n)"), "bad(N), ~ok(*, N)", "forbid(*, N), go(N)");
}

/// Both branches count, their guards too; a condition may be needed either way.
#[test]
fn branches() {
    check(
        "sort node
         relation ready(node)
         relation spare(node)
         relation bad(node)
         action prepare(n: node) { ready(n) := true }
         action undo(n: node) { ready(n) := false }
         action go(n: node) {
           if ready(n) { bad(n) := true } else { require spare(n); bad(n) := false }
         }
         safety ~bad(N)",
        "bad(N), ready(N) = *, spare(N)",
        "go(N), prepare(N), undo(N)",
    );
}

/// A `require` after an assignment is a guard like any other.
#[test]
fn guards_in_the_middle() {
    check(
        "sort node
         relation a(node)
         relation bad(node)
         action go(n: node) { bad(n) := true; require a(n) }
         safety ~bad(N)",
        "bad(N), a(N)",
        "go(N)",
    );
}

/// Havoc can give any value; an untouched symbol keeps its own.
#[test]
fn havoc() {
    let text = |wanted: &str| {
        format!(
            "sort node
             relation up(node)
             relation down(node)
             action shake(n: node) {{ up(n) := * }}
             safety {wanted}"
        )
    };
    check(&text("up(N)"), "~up(N)", "shake(N)");
    check(&text("~up(N)"), "up(N)", "shake(N)");
    check(&text("~down(N)"), "down(N)", "");
}

/// A pattern hits every element; on the right its variable stands for the one that was hit.
#[test]
fn patterns() {
    let text = |statement: &str| {
        format!(
            "sort node
             relation r(node, node)
             relation s(node, node)
             action go(n: node) {{ {statement} }}
             safety ~r(A, B)"
        )
    };
    check(&text("r(*, n) := true"), "r(A, B)", "go(B)");
    check(&text("r(X, n) := s(X, n)"), "r(A, B), s(A, B)", "go(B)");
    check(&text("r(X, Y) := s(Y, X)"), "r(A, B), s(B, A)", "go(*)");
    check(&text("r(X, X) := true"), "r(A, B)", "");
    check(&text("r(n, n) := true"), "r(A, B)", "");
    check(&text("r(X, Y) := X = n"), "r(A, B)", "go(*)");
}

/// What the right side must be to give the wanted value is wanted in turn.
#[test]
fn values_that_are_computed() {
    let text = |value: &str| {
        format!(
            "sort node
             relation bad(node)
             relation s(node)
             relation t(node)
             action go(n: node) {{ bad(n) := {value} }}
             safety ~bad(N)"
        )
    };
    check(&text("s(n) & ~t(n)"), "bad(N), s(N), ~t(N)", "go(N)");
    check(&text("~(s(n) & ~t(n))"), "bad(N), ~s(N), t(N)", "go(N)");
    check(&text("s(n) <-> t(n)"), "bad(N), s(N) = *, t(N) = *", "go(N)");
    check(&text("false"), "bad(N)", "");
}

/// To know where an assignment strikes, its arguments must be known.
#[test]
fn places_that_are_computed() {
    check(
        "sort node
         variable current: node
         relation bad(node)
         action choose(n: node) { current := n }
         action go { bad(current) := true }
         safety ~bad(N)",
        "bad(N), current = *",
        "choose(*), go",
    );
}

/// What an action computes and uses at once leads back to what it computed it from.
#[test]
fn values_used_at_once() {
    check(
        "sort node
         variable current: node
         variable next: node
         relation bad(node)
         action go { current := next; bad(current) := true }
         safety ~bad(N)",
        "bad(N), current = *, next = *",
        "go",
    );
}

/// Rigid symbols are never set: they are not in `S`. A rigid constant keeps its name.
#[test]
fn rigid_symbols() {
    check(
        "sort node
         constant home: node
         rigid relation link(node, node)
         relation sent(node)
         relation bad(node)
         action go(n: node) { require link(home, n) & sent(home); bad(n) := true }
         action send(n: node) { sent(n) := true }
         action elsewhere { sent(home) := false; bad(home) := true }
         safety ~bad(N)",
        "bad(N), sent(home)",
        "elsewhere, go(N), send(home)",
    );
}

/// Different violators are different elements: `(n, m, n)` does not match `(A, B, C)`, and the
/// known entry wins over `*`.
#[test]
fn pattern_match() {
    let text = |violation: &str| {
        format!(
            "sort node
             relation r(node, node, node)
             relation seen(node)
             relation s(node, node)
             action go(n: node, m: node) {{ require seen(n); r(n, m, n) := true }}
             action copy(n: node, m: node) {{ require exists X. r(n, m, X); s(n, m) := true }}
             safety {violation}"
        )
    };
    check(&text("~r(A, B, C)"), "r(A, B, C)", "");
    check(&text("~r(A, B, A)"), "r(A, B, A), seen(A)", "go(A, B)");
    check(&text("~s(A, B)"), "s(A, B), r(A, B, *), seen(A)", "copy(A, B), go(A, B)");
}

/// A special case that a more general entry covers is left out, in `S` and in `A`.
#[test]
fn subsumption() {
    check(
        "sort node
         relation a(node)
         action pass(n: node, m: node) { require a(n); a(m) := true }
         safety ~a(N)",
        "a(*)",
        "pass(*, *)",
    );
}

/// Every property is analysed by itself, lemmas too.
#[test]
fn several_properties() {
    let text = "sort node
         relation a(node)
         relation b(node)
         action one(n: node) { a(n) := true }
         action two(n: node) { b(n) := true }
         safety ~a(N)
         lemma ~b(M)";
    assert_eq!(sets(text), ["S = {a(N)}", "A = {one(N)}", "S = {b(M)}", "A = {two(M)}"]);
}

/// As printed, Algorithm 2 would stop here with `A = {}`.
#[test]
fn rounds_follow_each_other() {
    check(
        "sort node
         relation a(node)
         relation b(node)
         relation c(node)
         action one(n: node) { require b(n); a(n) := true }
         action two(n: node) { require c(n); b(n) := true }
         action three(n: node) { c(n) := true }
         action four(n: node) { require a(n); c(n) := false }
         safety ~a(N)",
        "a(N), b(N), c(N)",
        "one(N), three(N), two(N)",
    );
}
