"""Every SQL text that the platform can run, read from its sources without running them.

A statement is what is handed to `fetch`, `execute` and their like. Its text is worked out as Python would: constants
of the module are what they are, a local name stands for each text that it is given. What is known only when it runs
(how many `$n` a list has) is a hole, and a hole can neither be the statement nor name its table.
"""

import ast
import importlib
import itertools
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import ModuleType
from typing import Any

import formwright

RUN = {"fetch", "fetch_one", "fetch_steady", "fetch_by_key", "fetch_of", "stream", "execute", "execute_many", "later"}
CONDITIONS = {"where", "one_of", "any_of"}
PAGES = {"sql", "union", "window", "joined"}
HARMLESS = {"join", "format", "replace", "among", "range", "len", *PAGES, *CONDITIONS}
"""Calls that put texts together: the others are not made."""
MADE = "SELECT id FROM made_by_query WHERE customer_id = $1"
"""What stands for the text of a `Query`, whose parts are read where they are handed to it."""
SOURCES = Path(formwright.__file__).parent
_ON = ("connection", "postgres", "replicas", "sharing", "sqlite")
OTHER = (*(f"core/storage/{name}.py" for name in _ON), "migrations/", "cli/")
"""What hands statements on as they are, and what makes the tables."""

Function = ast.AsyncFunctionDef | ast.FunctionDef


@dataclass(frozen=True, slots=True)
class Statement:
    """One text that a place in the sources can run; `condition`: a part that `Query` adds behind its own WHERE."""

    where: str
    text: str
    condition: bool = False


class Hole(str):
    """What only a run knows. Where it stands for a `Query`, that one is looked at where it is made."""

    __slots__ = ()

    def __getattr__(self, name: str) -> "Hole":
        return Hole(MADE if name in PAGES else self)

    def __call__(self, *_: object, **__: object) -> str:
        return str(self) if self == MADE else self

    def __add__(self, other: object) -> str:
        return f"{self}{other}" if isinstance(other, str) else self

    def __sub__(self, other: object) -> "Hole":
        return self


class Unread(Exception):
    """A text that cannot be worked out; the message names the place."""


@cache
def read() -> tuple[Statement, ...]:
    """Every statement of the sources. `Unread` where one cannot be worked out."""
    return tuple(_read())


def _read() -> Iterator[Statement]:
    paths = {path.relative_to(SOURCES).as_posix(): path for path in sorted(SOURCES.rglob("*.py"))}
    sources = [_Source(name, path) for name, path in paths.items() if not name.startswith(OTHER) and _asks(path)]
    callers: Callers = defaultdict(list)
    for source in sources:
        source.tell(callers)
    for source in sources:
        yield from source.statements(callers)


def _asks(path: Path) -> bool:
    """Whether it can have to do with statements: it has a transaction, or a query."""
    text = path.read_text()
    return "tx" in text or "Query" in text


class _Source:
    """One module."""

    def __init__(self, name: str, path: Path) -> None:
        self._name, self._tree = name, ast.parse(path.read_text())
        self._functions = [node for node in ast.walk(self._tree) if isinstance(node, Function)]
        self._nodes = {function: list(ast.walk(function)) for function in self._functions}
        self._calls = [
            (call, function)
            for function in self._functions
            for call in self._nodes[function]
            if isinstance(call, ast.Call) and (call.args or call.keywords)
        ]
        self._callers: Callers = {}

    def tell(self, callers: "Callers") -> None:
        """Say who calls whom in here."""
        for call, function in self._calls:
            callers[_name(call.func)].append((self, call, function))

    @cached_property
    def _module(self) -> ModuleType:
        return importlib.import_module("formwright." + self._name.removesuffix(".py").replace("/", "."))

    def means(self, called: ast.expr, module: str) -> bool:
        """Whether what is called here is of that module."""
        names = vars(self._module)
        if isinstance(called, ast.Attribute):
            return bool(getattr(names.get(_name(called.value)), "__name__", "") == module)
        return bool(getattr(names.get(_name(called)), "__module__", "") == module)

    def statements(self, callers: "Callers") -> Iterator[Statement]:
        self._callers = callers
        for call, function in self._calls:
            if call.args:
                yield from self._of(call, function)

    def _of(self, call: ast.Call, function: Function) -> Iterator[Statement]:
        where, name, bare = f"{self._name} {function.name}", _name(call.func), isinstance(call.func, ast.Name)
        if name in RUN and not bare and _on_a_transaction(call):
            for text in self._values(call.args[0], function):
                if isinstance(text, Hole) or not isinstance(text, str):
                    raise Unread(f"{where}: {ast.unparse(call.args[0])}")
                yield Statement(where, text)
        elif name == "Query" and bare:
            for text in self._values(call.args[0], function):
                yield Statement(where, f"{text} WHERE customer_id = $1")
        elif name in CONDITIONS:
            for text in self._values(call.args[0], function):
                yield Statement(where, text.replace("?", "$9"), condition=True)
        elif name == "copy" and not bare and _on_a_transaction(call):
            for table, columns in itertools.product(*(self._values(arg, function) for arg in call.args[:2])):
                yield Statement(where, f"INSERT INTO {table} ({', '.join(columns)}) VALUES ($9)")

    def _values(self, expression: ast.expr, function: Function, seen: frozenset[str] = frozenset()) -> list[Any]:
        """What the expression can be: each branch of its conditions with each value of its names."""
        found: list[Any] = []
        for plain in _branches(expression):
            if not _is_text(plain):
                found.append(Hole("$9"))
                continue
            names = sorted({n.id for n in ast.walk(plain) if isinstance(n, ast.Name)} & self._bound(function))
            values = [self._bindings(name, function, seen) for name in names]
            rows = itertools.product(*values)
            found += [self._evaluated(plain, dict(zip(names, row, strict=True))) for row in rows]
        return found

    def _bound(self, function: Function) -> set[str]:
        """The names that are the function's own."""
        nodes = self._nodes[function]
        stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        return stored | {node.arg for node in nodes if isinstance(node, ast.arg)}

    def _evaluated(self, expression: ast.expr, names: dict[str, Any]) -> Any:
        code = compile(ast.fix_missing_locations(ast.Expression(expression)), self._name, "eval")
        try:
            return eval(code, vars(self._module) | names)
        except (TypeError, AttributeError, ValueError, NameError):
            return Hole("$9")

    def _bindings(self, name: str, function: Function, seen: frozenset[str]) -> list[Any]:
        """What a local name can stand for."""
        found: list[Any] = []
        own = f"{function.name}.{name}"
        nodes = [] if own in seen else self._nodes[function]
        seen |= {own}
        for node in nodes:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    if name in _names(target):
                        found += self._part(target, name, self._values(node.value, function, seen))
            elif isinstance(node, ast.AugAssign) and _name(node.target) == name:
                more = self._values(node.value, function, seen) if all(isinstance(a, str) for a in found) else []
                found += [a + b for a in found for b in more]
            elif isinstance(node, ast.For) and name in _names(node.target):
                each = [one for many in self._values(node.iter, function, seen) for one in _items(many)]
                found += self._part(node.target, name, each)
        if nodes and not found:
            found = list(self._handed(name, function, seen))
        texts = list(dict.fromkeys(value for value in found if isinstance(value, str)))
        return [*texts, *(value for value in found if not isinstance(value, str))] or [Hole("$9")]

    def _handed(self, name: str, function: Function, seen: frozenset[str]) -> Iterator[Any]:
        """What callers hand in for a parameter that is a text."""
        arguments = [*function.args.args, *function.args.kwonlyargs]
        places = {one.arg: at for at, one in enumerate(arguments) if _name(one.annotation) == "str"}
        for source, call, inside in self._callers.get(function.name, ()) if name in places else ():
            if not source.means(call.func, self._module.__name__):
                continue
            named = [given.value for given in call.keywords if given.arg == name]
            for given in named or call.args[places[name] : places[name] + 1]:
                yield from source._values(given, inside, seen)

    def _part(self, target: ast.expr, name: str, values: list[Any]) -> list[Any]:
        """What `name` gets where `target` is given each of the values."""
        if isinstance(target, ast.Name):
            return values
        at = _names(target).index(name)
        return [value[at] if isinstance(value, tuple) else Hole("$9") for value in values]


Callers = dict[str, list[tuple[_Source, ast.Call, Function]]]
"""Who calls a name: the module, the call, the function around it."""


def _items(many: Any) -> list[Any]:
    return list(many) if isinstance(many, tuple | list) else [Hole("$9")]


def _name(node: ast.expr | None) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _names(target: ast.expr) -> list[str]:
    """The local names that a target gives a value, in their order."""
    elements = target.elts if isinstance(target, ast.Tuple) else [target]
    return [one.id if isinstance(one, ast.Name) else "" for one in elements]


def _on_a_transaction(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and _name(call.func.value) in {"tx", "reader", "writer", "db"}


def _is_text(expression: ast.expr) -> bool:
    """Whether it does no more than to put texts together."""
    nodes = list(ast.walk(expression))
    calls = {_name(node.func) for node in nodes if isinstance(node, ast.Call)}
    return calls <= HARMLESS and not any(isinstance(node, ast.Await | ast.NamedExpr | ast.Starred) for node in nodes)


def _branches(expression: ast.expr) -> Iterator[ast.expr]:
    """The expression without `a if b else c`: once with a, once with c."""
    for node in ast.walk(expression):
        if isinstance(node, ast.IfExp):
            for choice in (node.body, node.orelse):
                yield from _branches(_with(expression, node, choice))
            return
    yield expression


def _with(expression: ast.expr, old: ast.expr, new: ast.expr) -> ast.expr:
    class Swap(ast.NodeTransformer):
        def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
            return new if ast.dump(node) == wanted else self.generic_visit(node)  # type: ignore[return-value]

    wanted = ast.dump(old)
    copy = ast.parse(ast.unparse(expression), mode="eval").body
    return Swap().visit(copy)  # type: ignore[no-any-return]
