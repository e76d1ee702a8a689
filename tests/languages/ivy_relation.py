"""What an Ivy file means to Ivy itself, at one small size, as JSON.

usage: ivy_relation.py FILE SIZE MOST

Ivy compiles the file and gives the transition relation of every exported action and the formula
of the initial states. At SIZE elements of every sort that is no enumeration, at most MOST states
are picked, with a fixed seed; for each of them we print whether it satisfies the axioms, whether
it is initial and satisfies the invariants, what can follow, and whether an assertion can fail.
"""

import itertools
import json
import random
import sys

import z3
from ivy import ivy_actions, ivy_art, ivy_compiler, ivy_init, ivy_isolate, ivy_logic, ivy_transrel
from ivy import ivy_logic_utils, ivy_module, ivy_utils, logic


class Refused(Exception):
    """What has no small size, or is no matter of states."""


class Finite:
    """Formulas of Ivy over finite sorts, in Z3."""

    def __init__(self, size):
        self.size = size
        self.sorts = {}
        self.functions = {}

    def sort(self, sort):
        """The Z3 sort and its elements."""
        if isinstance(sort, logic.BooleanSort):
            return z3.BoolSort(), [z3.BoolVal(False), z3.BoolVal(True)]
        if sort.name not in self.sorts:
            if isinstance(sort, logic.EnumeratedSort):
                names = list(sort.extension)
            elif isinstance(sort, logic.UninterpretedSort):
                names = ["%s %d" % (sort.name, index) for index in range(self.size)]
            else:
                raise Refused("a sort of another kind: %s" % sort)
            self.sorts[sort.name] = z3.EnumSort("sort " + sort.name, names)
        return self.sorts[sort.name]

    def function(self, symbol):
        """The Z3 function of a symbol."""
        sort = symbol.sort
        if isinstance(sort, logic.FunctionSort):
            sorts = [self.sort(each)[0] for each in sort.sorts]
        else:
            sorts = [self.sort(sort)[0]]
        key = (symbol.name, tuple(str(each) for each in sorts))
        if key not in self.functions:
            self.functions[key] = z3.Function(" ".join((key[0],) + key[1]), *sorts)
        return self.functions[key]

    def application(self, symbol, arguments):
        """A symbol with its arguments; the values of enumerations are elements."""
        if isinstance(symbol.sort, logic.EnumeratedSort) and symbol.name in symbol.sort.extension:
            return self.sort(symbol.sort)[1][symbol.sort.extension.index(symbol.name)]
        return self.function(symbol)(*arguments)

    def quantified(self, variables, body, scope, join):
        cases = []
        for values in itertools.product(*(self.sort(each.sort)[1] for each in variables)):
            inner = dict(scope)
            inner.update(zip((each.name for each in variables), values))
            cases.append(self.formula(body, inner))
        return join(*cases)

    def formula(self, it, scope):
        """A formula or term; variables without binder must be in the scope."""
        part = lambda child: self.formula(child, scope)
        if isinstance(it, logic.Var):
            return scope[it.name]
        if isinstance(it, logic.Const):
            return self.application(it, [])
        if isinstance(it, logic.Apply):
            return self.application(it.func, [part(each) for each in it.terms])
        if isinstance(it, (logic.Eq, logic.Iff)):
            return part(it.t1) == part(it.t2)
        if isinstance(it, logic.Ite):
            return z3.If(part(it.cond), part(it.t_then), part(it.t_else))
        if isinstance(it, logic.Not):
            return z3.Not(part(it.body))
        if isinstance(it, logic.And):
            return z3.And(*[part(each) for each in it.terms])
        if isinstance(it, logic.Or):
            return z3.Or(*[part(each) for each in it.terms])
        if isinstance(it, logic.Implies):
            return z3.Implies(part(it.t1), part(it.t2))
        if isinstance(it, logic.ForAll):
            return self.quantified(it.variables, it.body, scope, z3.And)
        if isinstance(it, logic.Exists):
            return self.quantified(it.variables, it.body, scope, z3.Or)
        raise Refused("a formula of another kind: %s" % type(it).__name__)

    def clauses(self, clauses):
        """What Ivy calls clauses: open formulas and definitions, for all values of variables."""
        parts = list(clauses.fmlas) + [each.to_constraint() for each in clauses.defs]
        closed = []
        for part in parts:
            free = sorted(ivy_logic_utils.used_variables_ast(part), key=lambda each: each.name)
            closed.append(self.quantified(free, part, {}, z3.And))
        return z3.And(*closed)


def cells(finite, symbols):
    """The places of a state: for each symbol, its applications."""
    places = []
    for symbol in symbols:
        sort = symbol.sort
        domains = sort.domain if isinstance(sort, logic.FunctionSort) else []
        tuples = itertools.product(*(finite.sort(each)[1] for each in domains))
        result = sort.range if isinstance(sort, logic.FunctionSort) else sort
        values = finite.sort(result)[1]
        places.append([(finite.function(symbol)(*each), values) for each in tuples])
    return places


def model_state(model, places):
    """A state as numbers."""
    state = []
    for table in places:
        row = []
        for place, values in table:
            found = model.eval(place, model_completion=True)
            row.append(next(i for i, value in enumerate(values) if z3.eq(value, found)))
        state.append(row)
    return state


def is_state(places, state):
    """The formula that the places have these values."""
    return z3.And(
        *[
            place == values[number]
            for table, row in zip(places, state)
            for (place, values), number in zip(table, row)
        ]
    )


def picked(places, most):
    """All states, or some of them."""
    ranges = [range(len(values)) for table in places for _, values in table]
    total = 1
    for each in ranges:
        total *= len(each)
    if total <= most:
        flat = itertools.product(*ranges)
    else:
        dice = random.Random(7)
        flat = [tuple(dice.randrange(len(each)) for each in ranges) for _ in range(most)]
        flat = sorted(set(flat))
    for values in flat:
        rest = iter(values)
        yield [[next(rest) for _ in table] for table in places]


def all_models(formulas, places):
    """Every state that satisfies the formulas."""
    solver = z3.Solver()
    solver.add(*formulas)
    found = []
    while solver.check() == z3.sat:
        state = model_state(solver.model(), places)
        found.append(state)
        solver.add(z3.Not(is_state(places, state)))
    return sorted(found)


def holds(formulas):
    solver = z3.Solver()
    solver.add(*formulas)
    return solver.check() == z3.sat


CLAIMS = [
    ivy_actions.AssertAction,
    ivy_actions.EnsuresAction,
    ivy_actions.RequiresAction,
    ivy_actions.SubgoalAction,
]


class Called(ivy_actions.ActionContext):
    """What calls stand for; a step goes on only where assertions hold."""

    def __init__(self, domain, assumed):
        ivy_actions.ActionContext.__init__(self, domain)
        self.assumed = assumed

    def get(self, name):
        action = self.domain.actions.get(name)
        return action.assert_to_assume(CLAIMS) if action and self.assumed else action


def relation(finite, domain, symbols, action):
    """The formula of a step and of a failure."""
    axioms = domain.background_theory({})
    with Called(domain, True):
        update = action.assert_to_assume(CLAIMS).update(domain, {})
    with Called(domain, False):
        changed, _, failure = action.update(domain, {})
    failure = ivy_transrel.add_post_axioms((changed, failure, None), axioms)[1]
    update = ivy_transrel.add_post_axioms(update, axioms)
    step = [finite.clauses(update[1])]
    changed = set(symbol.name for symbol in update[0])
    for symbol in symbols:
        if symbol.name not in changed:
            before, after = (cells(finite, [each])[0] for each in (symbol, ivy_transrel.new(symbol)))
            step += [one[0] == other[0] for one, other in zip(before, after)]
    return step, [finite.clauses(failure)]


def is_defined(domain, symbol):
    return any(each.formula.defines() == symbol for each in domain.definitions)


def state_symbols(domain):
    """The symbols of a state, in the order of their names."""
    found = []
    for name, symbol in sorted(ivy_logic.sig.symbols.items()):
        sort = symbol.sort
        if isinstance(sort, ivy_logic.UnionSort):
            if name in ("<", "<=", ">", ">=", "+", "-", "*", "/", "*>"):
                continue
            raise Refused("a symbol of several sorts: %s" % name)
        if isinstance(sort, logic.EnumeratedSort) and name in sort.extension:
            continue
        if not is_defined(domain, symbol):
            found.append(symbol)
    return found


def sort_name(sort):
    return None if isinstance(sort, logic.BooleanSort) else sort.name


def meaning(size, most):
    domain = ivy_module.module
    for each in domain.definitions:
        if not all(isinstance(arg, logic.Var) for arg in each.formula.args[0].args):
            raise Refused("a definition that Ivy writes out where it is used")
    if ivy_logic.sig.interp:
        raise Refused("interpreted sorts")
    finite = Finite(size)
    symbols = state_symbols(domain)
    with domain.theory_context():
        axioms = [finite.clauses(domain.background_theory({}))]
        actions = [ivy_actions.env_action(name) for name in sorted(domain.public_actions)]
        steps = [relation(finite, domain, symbols, each) for each in actions]
        lines = [ivy_logic_utils.Clauses([each.formula]) for each in domain.labeled_conjs]
        claims = [finite.clauses(each) for each in lines]
        with Called(domain, True):
            graph = ivy_art.AnalysisGraph(initializer=lambda state: None)
            first = [finite.clauses(graph.states[0].clauses)]
    before = cells(finite, symbols)
    after = cells(finite, [ivy_transrel.new(symbol) for symbol in symbols])
    states = []
    for state in picked(before, most):
        here = axioms + [is_state(before, state)]
        entry = {"state": state, "possible": holds(here)}
        if entry["possible"]:
            entry["initial"] = holds(here + first)
            entry["safe"] = holds(here + claims)
            following = set()
            for step, _ in steps:
                for found in all_models(here + step, after):
                    following.add(json.dumps(found))
            entry["next"] = [json.loads(each) for each in sorted(following)]
            entry["fails"] = any(holds(here + fails) for _, fails in steps)
        states.append(entry)
    return {
        "symbols": [
            {
                "name": symbol.name,
                "params": [sort_name(each) for each in getattr(symbol.sort, "domain", [])],
                "result": sort_name(getattr(symbol.sort, "range", symbol.sort)),
            }
            for symbol in symbols
        ],
        "sizes": {name: len(sort[1]) for name, sort in sorted(finite.sorts.items())},
        "states": states,
    }


def main():
    name, size, most = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    out = sys.stdout
    # Ivy prints what it does.
    sys.stdout = sys.stderr
    try:
        with ivy_module.Module():
            with ivy_utils.SourceFile(name):
                with open(name) as file:
                    ivy_compiler.ivy_load_file(file, create_isolate=False)
            ivy_isolate.create_isolate(None)
            result = meaning(size, most)
    except (Refused, ivy_utils.IvyError) as refusal:
        result = {"refused": str(refusal)}
    json.dump(result, out)
    out.write("\n")


main()
