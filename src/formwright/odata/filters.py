"""`$filter`: from its text to a function that tests the rows of a table.

odata-query parses the text. Values follow OData 4.0 (URL Conventions, section 5.1.1): comparisons with null are false,
except `eq` and `ne`; `and`, `or` and `not` know a third value; calculations and functions of null are null.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, time
from math import ceil, floor
from typing import Any

from odata_query import ast
from odata_query.exceptions import ODataException
from odata_query.grammar import ODataLexer, ODataParser

from formwright.asgi.validation import QueryInvalid
from formwright.core.clock import to_local, to_milliseconds
from formwright.core.errors import ValidationFault
from formwright.odata.columns import ColumnType

MAX_LENGTH = 4000
MAX_DEPTH = 60
_MARK = "c__"
# The lexer of odata-query takes the beginning of `nullable`, `allergies` or `trueish` for a keyword.
_LIKE_KEYWORD = re.compile(r"\b(?=(?:null|any|all|true|false)\w)", re.IGNORECASE)

Row = Mapping[str, Any]
Reader = Callable[[Row], Any]


@dataclass(frozen=True, slots=True)
class Comparison:
    """A comparison of a column with a constant that every matching row meets."""

    column: str
    operator: str
    """`eq`, `gt`, `ge`, `lt` or `le`."""
    value: Any


@dataclass(frozen=True, slots=True)
class Filter:
    """A filter. `names` are the columns that `matches` reads; `required` narrows down which rows are worth testing."""

    names: frozenset[str]
    matches: Callable[[Row], bool]
    required: Sequence[Comparison]


@dataclass(frozen=True, slots=True)
class _Expression:
    """An expression with its type; None is the type of `null`. `constant` is its value if it is a literal."""

    type: ColumnType | None
    read: Reader
    constant: Any = None


def compile_filter(text: str, types: Mapping[str, ColumnType], now: int) -> Filter:
    """Return the filter; raises `QueryInvalid` for a wrong one. `types` are the columns; `now` is in milliseconds."""
    if len(text) > MAX_LENGTH:
        raise filter_error(f"A filter can have at most {MAX_LENGTH} characters.")
    try:
        tree = ODataParser().parse(ODataLexer().tokenize(_mark_names(text)))
    except ODataException as error:
        raise filter_error(f"The filter can't be read: {_first_sentence(error)}") from None
    compiler = _Compiler(types, now)
    expression = compiler.compile(tree, 0)
    if expression.type is not ColumnType.FLAG:
        raise filter_error("The filter must be a condition, such as `people gt 3`.")
    # `is True`, because a condition that is null matches nothing.
    return Filter(
        frozenset(compiler.names), lambda row: expression.read(row) is True, tuple(compiler.find_required(tree))
    )


def filter_error(detail: str) -> QueryInvalid:
    """Return the error for an invalid `$filter`."""
    return QueryInvalid([ValidationFault("?$filter", "odata.filter", detail)])


def _mark_names(text: str) -> str:
    """Protect column names that begin like a keyword. Every second part between quotation marks is a text."""
    parts = text.split("'")
    parts[::2] = [_LIKE_KEYWORD.sub(_MARK, part) for part in parts[::2]]
    return "'".join(parts)


def _first_sentence(error: ODataException) -> str:
    token = getattr(error, "token", None)
    if token is None:
        return str(error).removesuffix(".") + "."
    return f"error at character {token.index + 1}."


_NUMBERS = (ColumnType.INTEGER, ColumnType.NUMBER)
_TYPE_NAMES = {
    None: "null",
    ColumnType.TEXT: "a text",
    ColumnType.INTEGER: "a number",
    ColumnType.NUMBER: "a number",
    ColumnType.FLAG: "true or false",
    ColumnType.DAY: "a date",
    ColumnType.TIME: "a time of day",
    ColumnType.MOMENT: "a date with time",
}
_COMPARATORS: Mapping[type, tuple[str, Callable[[Any, Any], bool]]] = {
    ast.Eq: ("eq", lambda a, b: a == b),
    ast.NotEq: ("ne", lambda a, b: a != b),
    ast.Gt: ("gt", lambda a, b: a is not None and b is not None and a > b),
    ast.GtE: ("ge", lambda a, b: a is not None and b is not None and a >= b),
    ast.Lt: ("lt", lambda a, b: a is not None and b is not None and a < b),
    ast.LtE: ("le", lambda a, b: a is not None and b is not None and a <= b),
}
_MIRRORED = {"eq": "eq", "gt": "lt", "ge": "le", "lt": "gt", "le": "ge"}


def _divide(a: Any, b: Any) -> Any:
    if b == 0:
        return None
    # Integers are divided as integers and truncated (section 5.1.1.2.4).
    return int(abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1) if _are_integers(a, b) else a / b


def _modulo(a: Any, b: Any) -> Any:
    return None if b == 0 else a - b * int(a / b) if not _are_integers(a, b) else a - b * _divide(a, b)


def _are_integers(a: Any, b: Any) -> bool:
    return isinstance(a, int) and isinstance(b, int)


_CALCULATIONS: Mapping[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: _divide,
    ast.Mod: _modulo,
}


def _part(name: str) -> Callable[[Any], int]:
    """Return the function that reads a part of a date, a time of day, or a date with time."""

    def read(value: Any) -> int:
        if isinstance(value, str):
            value = date.fromisoformat(value) if "-" in value else time.fromisoformat(value)
        else:
            value = to_local(value, "UTC")
        return int(getattr(value, name))

    return read


def _round(value: float) -> float:
    # Half away from zero, unlike Python's `round`.
    return floor(abs(value) + 0.5) * (1 if value >= 0 else -1)


def _substring(text: str, start: int, length: int | None = None) -> str:
    start = max(0, int(start))
    return text[start:] if length is None else text[start : start + max(0, int(length))]


_T, _N, _F = (ColumnType.TEXT,), _NUMBERS, ColumnType.FLAG
_DATES = (ColumnType.DAY, ColumnType.MOMENT)
_TIMES = (ColumnType.TIME, ColumnType.MOMENT)
_FUNCTIONS: Mapping[str, tuple[Sequence[Sequence[ColumnType]], ColumnType, Callable[..., Any]]] = {
    "contains": ((_T, _T), _F, lambda text, part: part in text),
    "startswith": ((_T, _T), _F, str.startswith),
    "endswith": ((_T, _T), _F, str.endswith),
    "indexof": ((_T, _T), ColumnType.INTEGER, str.find),
    "length": ((_T,), ColumnType.INTEGER, len),
    "tolower": ((_T,), ColumnType.TEXT, str.lower),
    "toupper": ((_T,), ColumnType.TEXT, str.upper),
    "trim": ((_T,), ColumnType.TEXT, str.strip),
    "concat": ((_T, _T), ColumnType.TEXT, lambda one, other: one + other),
    "substring": ((_T, _N, _N), ColumnType.TEXT, _substring),
    "year": ((_DATES,), ColumnType.INTEGER, _part("year")),
    "month": ((_DATES,), ColumnType.INTEGER, _part("month")),
    "day": ((_DATES,), ColumnType.INTEGER, _part("day")),
    "hour": ((_TIMES,), ColumnType.INTEGER, _part("hour")),
    "minute": ((_TIMES,), ColumnType.INTEGER, _part("minute")),
    "second": ((_TIMES,), ColumnType.INTEGER, _part("second")),
    "date": (((ColumnType.MOMENT,),), ColumnType.DAY, lambda ms: to_local(ms, "UTC").date().isoformat()),
    "time": (((ColumnType.MOMENT,),), ColumnType.TIME, lambda ms: to_local(ms, "UTC").time().isoformat("seconds")),
    "round": ((_N,), ColumnType.NUMBER, _round),
    "floor": ((_N,), ColumnType.NUMBER, floor),
    "ceiling": ((_N,), ColumnType.NUMBER, ceil),
}
"""The types of the arguments, the type of the result, and the function. Dates are in UTC."""


class _Compiler:
    """Compiles the nodes of a filter, and collects the names of its columns."""

    def __init__(self, types: Mapping[str, ColumnType], now: int) -> None:
        self._types, self._now = types, now
        self.names: set[str] = set()

    def compile(self, node: Any, depth: int) -> _Expression:
        if depth > MAX_DEPTH:
            raise filter_error(f"A filter can be nested at most {MAX_DEPTH} levels deep.")
        match node:
            case ast.Identifier():
                return self._column(node)
            case ast.BoolOp():
                return self._logic(node, depth)
            case ast.UnaryOp(op=ast.Not()):
                inner = self._condition(node.operand, depth)
                return _Expression(ColumnType.FLAG, lambda row: None if (v := inner(row)) is None else not v)
            case ast.UnaryOp():
                return self._calculate(lambda zero, value: zero - value, ast.Integer("0"), node.operand, depth)
            case ast.BinOp():
                return self._calculate(_CALCULATIONS[type(node.op)], node.left, node.right, depth)
            case ast.Compare(comparator=ast.In()):
                return self._in_list(node, depth)
            case ast.Compare():
                return self._compare(node, depth)
            case ast.Call():
                return self._call(node, depth)
        return _literal(node)

    def _column(self, node: ast.Identifier) -> _Expression:
        name = _full_name(node).removeprefix(_MARK)
        if name not in self._types:
            raise filter_error(f"There is no column `{name}` in this table.")
        self.names.add(name)
        return _Expression(self._types[name], lambda row: row[name])

    def _condition(self, node: Any, depth: int) -> Reader:
        expression = self.compile(node, depth + 1)
        if expression.type not in (ColumnType.FLAG, None):
            raise filter_error("`and`, `or` and `not` combine conditions, such as `people gt 3`.")
        return expression.read

    def _logic(self, node: ast.BoolOp, depth: int) -> _Expression:
        decisive = isinstance(node.op, ast.Or)
        # A chain counts as one level, so that a filter may have more conditions than `MAX_DEPTH`.
        conditions = [self._condition(one, depth) for one in _chain(node, type(node.op))]

        def read(row: Row) -> bool | None:
            values = [condition(row) for condition in conditions]
            if decisive in values:
                return decisive
            return None if None in values else not decisive

        return _Expression(ColumnType.FLAG, read)

    def _calculate(self, function: Callable[[Any, Any], Any], left: Any, right: Any, depth: int) -> _Expression:
        one, other = self.compile(left, depth + 1), self.compile(right, depth + 1)
        for side in (one, other):
            _check_type(side, _NUMBERS)

        return _Expression(ColumnType.NUMBER, lambda row: _apply(function, [one.read(row), other.read(row)]))

    def _compare(self, node: ast.Compare, depth: int) -> _Expression:
        one, other = self.compile(node.left, depth + 1), self.compile(node.right, depth + 1)
        _check_comparable(one, other)
        name, compare = _COMPARATORS[type(node.comparator)]
        if ColumnType.FLAG in (one.type, other.type) and name not in ("eq", "ne"):
            raise filter_error("Compare true and false with `eq` or `ne`.")
        return _Expression(ColumnType.FLAG, lambda row: compare(one.read(row), other.read(row)))

    def _in_list(self, node: ast.Compare, depth: int) -> _Expression:
        if not isinstance(node.right, ast.List):
            raise filter_error("`in` needs a list, such as `_status in ('APPROVED','REJECTED')`.")
        one, others = self.compile(node.left, depth + 1), [_literal(item) for item in node.right.val]
        for other in others:
            _check_comparable(one, other)
        values = {other.constant for other in others}
        return _Expression(ColumnType.FLAG, lambda row: one.read(row) in values)

    def _call(self, node: ast.Call, depth: int) -> _Expression:
        name = _full_name(node.func).lower()
        if name == "now":
            return _Expression(ColumnType.MOMENT, lambda _: self._now, self._now)
        if name not in _FUNCTIONS:
            raise filter_error(f"The function `{name}` is not supported.")
        types, result, function = _FUNCTIONS[name]
        arguments = [self.compile(argument, depth + 1) for argument in node.args]
        for argument, expected in zip(arguments, types, strict=False):
            _check_type(argument, expected)

        def read(row: Row) -> Any:
            values = [argument.read(row) for argument in arguments]
            return _apply(function, values)

        return _Expression(result, read)

    def find_required(self, tree: Any) -> list[Comparison]:
        """Return the comparisons of a column with a constant that all rows must meet."""
        found = []
        for node in _chain(tree, ast.And):
            if not isinstance(node, ast.Compare) or type(node.comparator) not in _COMPARATORS:
                continue
            operator, left, right = _COMPARATORS[type(node.comparator)][0], node.left, node.right
            if operator == "ne":
                continue
            if isinstance(right, ast.Identifier):
                left, right, operator = right, left, _MIRRORED[operator]
            if isinstance(left, ast.Identifier) and not isinstance(right, ast.Identifier | ast.Call | ast.BinOp):
                value = self.compile(right, 0).constant
                if value is not None:
                    found.append(Comparison(_full_name(left).removeprefix(_MARK), operator, value))
        return found


def _full_name(node: ast.Identifier) -> str:
    return ".".join((*node.namespace, node.name))


def _apply(function: Callable[..., Any], values: Sequence[Any]) -> Any:
    """Return the result; None if a value is null, or if the result is too large for a number."""
    try:
        return None if any(value is None for value in values) else function(*values)
    except (OverflowError, ValueError):
        return None


def _chain(tree: Any, operator: type) -> list[Any]:
    """Return the operands of a chain such as `a and b and c`, which is nested to the left; else the node itself."""
    operands = []
    while isinstance(tree, ast.BoolOp) and isinstance(tree.op, operator):
        operands.append(tree.right)
        tree = tree.left
    return [tree, *reversed(operands)]


def _check_type(expression: _Expression, expected: Sequence[ColumnType]) -> None:
    if expression.type is not None and expression.type not in expected:
        wanted = " or ".join(dict.fromkeys(_TYPE_NAMES[one] for one in expected))
        raise filter_error(f"This needs {wanted}, not {_TYPE_NAMES[expression.type]}.")


def _check_comparable(one: _Expression, other: _Expression) -> None:
    known = None in (one.type, other.type) or one.type is other.type
    if not known and not (one.type in _NUMBERS and other.type in _NUMBERS):
        raise filter_error(f"{_TYPE_NAMES[one.type]} can't be compared with {_TYPE_NAMES[other.type]}.".capitalize())


def _literal(node: Any) -> _Expression:
    try:
        kind, value = _read_literal(node)
    except (ValueError, OverflowError):
        raise filter_error(f"`{node.val}` is not a valid value.") from None
    return _Expression(kind, lambda _: value, value)


def _read_literal(node: Any) -> tuple[ColumnType | None, Any]:
    match node:
        case ast.Null():
            return None, None
        case ast.Integer():
            return ColumnType.INTEGER, node.py_val
        case ast.Float():
            return ColumnType.NUMBER, node.py_val
        case ast.Boolean():
            return ColumnType.FLAG, node.py_val
        case ast.String():
            return ColumnType.TEXT, node.py_val
        case ast.Date():
            return ColumnType.DAY, node.py_val.isoformat()
        case ast.Time():
            return ColumnType.TIME, node.py_val.isoformat("seconds")
        case ast.DateTime():
            moment = node.py_val
            return ColumnType.MOMENT, to_milliseconds(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    raise filter_error(f"{type(node).__name__} expressions are not supported.")
