"""Filters on answers as SQL, for both databases.

Answers of earlier versions, and those that were only begun, may hold anything under a name: an answer of another kind
than the field's compares with nothing, and never fails.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from formwright.core.db.query import Query, among
from formwright.domain.forms.indexed_fields import Filterable, Holds
from formwright.domain.submissions.answer_filters import Alternative, Condition, Operator, Value

INDEXED_TEXT = 200
"""Of a longer text the index holds the beginning."""
_SIGNS = {Operator.GT: ">", Operator.GTE: ">=", Operator.LT: "<", Operator.LTE: "<="}
_NUMBERS = (Holds.NUMBER, Holds.MOMENT)
_GREATEST = repr(sys.float_info.max)


@dataclass(frozen=True, slots=True)
class _Expressions:
    """One answer as an expression of each database: its value typed as it is compared, or NULL."""

    postgres: str
    sqlite: str


def render_conditions(query: Query, conditions: Sequence[Condition]) -> str:
    """The SQL that is true where a submission meets all of these conditions.

    PostgreSQL takes one answer in two hundred for met, and so expects that the whole account holds less than a page: it
    would read and sort all of it. Of what stands in a CASE it expects that every second row meets it, and goes through
    the list in its order, which is no dearer where nothing is found.
    """
    every = " AND ".join(_render_condition(query, condition) for condition in conditions)
    return f"/*postgres CASE WHEN */({every})/*postgres THEN true END*/"


def _render_condition(query: Query, condition: Condition) -> str:
    ways = " OR ".join(_render_alternative(query, condition, way) for way in condition.alternatives)
    return f"({ways}) IS NOT TRUE" if condition.operator is Operator.NE else f"({ways})"


def _render_alternative(query: Query, condition: Condition, way: Alternative) -> str:
    compared = _render_comparison(query, way.field, lambda answer: _compare(query, condition.operator, way, answer))
    if way.form_ids is None:
        return compared
    return f"(form_id {among(query.place(_to_json(way.form_ids)))} AND {compared})"


def _to_json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()


class _DialectSql:
    """A condition in the words of each database, told apart by comments that only one reads."""

    def __init__(self, postgres: str, sqlite: str) -> None:
        self.postgres, self.sqlite = postgres, sqlite

    def __str__(self) -> str:
        return f"/*postgres {self.postgres}*//*sqlite {self.sqlite}*/"


def _render_comparison(query: Query, field: Filterable, compare: Callable[[_Expressions], _DialectSql]) -> str:
    """The comparison, with the way to the answer: rows of a repeat and members of a list, any of which may fit."""
    pg, lite = _JsonPath("data", []), _JsonPath("data", [])
    if field.repeat:
        at = query.place(field.repeat)
        pg = pg.unnest(f"jsonb_array_elements({_pg_list(f'data -> {at}::text')}) AS r(v)", "r.v")
        row = "CASE r.type WHEN 'object' THEN r.value ELSE '{}' END"
        lite = lite.unnest(f"json_each({_lite_list('data', at)}) AS r", row)
    at = query.place(field.name)
    deep = (
        f"{pg.expression} #> string_to_array({at}::text, '.')"
        if "." in field.name
        else f"{pg.expression} -> {at}::text"
    )
    if field.many:
        pg = pg.unnest(f"jsonb_array_elements({_pg_list(deep)}) AS m(v)", "m.v")
        lite = lite.unnest(f"json_each({_lite_list(lite.expression, at)}) AS m", "")
        value, kind = "m.value", "m.type"
    else:
        pg = _JsonPath(f"({deep})", pg.sources)
        value, kind = f"json_extract({lite.expression}, '$.' || {at})", f"json_type({lite.expression}, '$.' || {at})"
    answer = _Expressions(_pg_typed(field.holds, pg.expression), _lite_typed(field.holds, value, kind))
    both = compare(answer)
    return str(_DialectSql(pg.exists(both.postgres), lite.exists(both.sqlite)))


class _JsonPath:
    """How far the way is: the expression for what was reached, and the rows that are gone through."""

    def __init__(self, at: str, sources: list[str]) -> None:
        self.expression, self.sources = at, sources

    def unnest(self, source: str, at: str) -> "_JsonPath":
        return _JsonPath(at, [*self.sources, source])

    def exists(self, condition: str) -> str:
        """The condition, for any of the rows."""
        if not self.sources:
            return condition
        return f"EXISTS (SELECT 1 FROM {', '.join(self.sources)} WHERE {condition})"


def _pg_list(value: str) -> str:
    return f"CASE jsonb_typeof({value}) WHEN 'array' THEN {value} ELSE '[]'::jsonb END"


def _lite_list(holder: str, name: str) -> str:
    path = f"{holder}, '$.' || {name}"
    return f"CASE json_type({path}) WHEN 'array' THEN json_extract({path}) ELSE '[]' END"


def _pg_typed(holds: Holds, value: str) -> str:
    if holds is Holds.NUMBER:
        return _pg_number(value)
    kind = "boolean" if holds is Holds.FLAG else "string"
    text = f"CASE jsonb_typeof({value}) WHEN '{kind}' THEN {value} #>> '{{}}' END"
    match holds:
        case Holds.TIME:
            return f"substr({text} || ':00', 1, 8)"
        case Holds.MOMENT:
            return _pg_moment(text)
    return f"({text})"


def _pg_number(value: str) -> str:
    """Only what fits: a cast would fail for a number beyond. As a path, or a long answer were unpacked once more."""
    fits = f"strict $ ? (@ >= -{_GREATEST} && @ <= {_GREATEST})"
    return f"(jsonb_path_query_first({value}, '{fits}') #>> '{{}}')::float8"


_DAY = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_MOMENT = rf"^{_DAY}[Tt ]{_CLOCK}:[0-5][0-9](\.[0-9]+)?([Zz]|[+-]{_CLOCK})$"


def _pg_moment(text: str) -> str:
    """Milliseconds since 1970, put together by hand: a cast would fail for what is no time."""

    def part(first: int, length: int) -> str:
        return f"substr(t, {first}, {length})::int"

    days = f"make_interval({part(1, 4)} - 1, {part(6, 2)} - 1, 0, {part(9, 2)} - 1, {part(12, 2)}, {part(15, 2)}"
    since = f"timestamp '0001-01-01' + {days}, substring(t from '^.{{17}}([0-9.]+)')::float8)"
    offset = r"CASE WHEN t ~ '[Zz]$' THEN 0 ELSE (left(right(t, 6), 3) || right(t, 2))::int END"
    minutes = f"(CASE WHEN {offset} < 0 THEN -1 ELSE 1 END) * (abs({offset}) / 100 * 60 + abs({offset}) % 100)"
    signed = f"CASE WHEN right(t, 6) LIKE '-00%' THEN -(right(t, 2)::int) ELSE {minutes} END"
    moment = f"round(extract(epoch FROM {since}) * 1000) - 60000 * ({signed})"
    return f"(SELECT CASE WHEN t ~ '{_MOMENT}' THEN {moment} END FROM (SELECT {text} AS t) AS one)"


def _lite_typed(holds: Holds, value: str, kind: str) -> str:
    match holds:
        case Holds.NUMBER:
            # As the index has it, where a whole number beyond 2^53 is one that a double can hold.
            fits = f"{value} BETWEEN -{_GREATEST} AND {_GREATEST}"
            return f"(CASE WHEN {kind} IN ('integer', 'real') AND {fits} THEN CAST({value} AS REAL) END)"
        case Holds.FLAG:
            return f"(CASE WHEN {kind} IN ('true', 'false') THEN {kind} END)"
    text = f"CASE {kind} WHEN 'text' THEN {value} END"
    match holds:
        case Holds.TIME:
            return f"substr({text} || ':00', 1, 8)"
        case Holds.MOMENT:
            # What is no time at all, like `now` or a bare number, means something to SQLite.
            guarded = f"CASE WHEN {text} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][Tt ]*' THEN upper({text}) END"
            return f"CAST(round((julianday({guarded}) - 2440587.5) * 86400000.0) AS INTEGER)"
    return f"({text})"


def _compare(query: Query, operator: Operator, way: Alternative, answer: _Expressions) -> _DialectSql:
    if operator is Operator.CONTAINS and way.field.holds is Holds.TEXT:
        return _DialectSql(*query.contains(str(way.values[0]), answer.postgres, answer.sqlite))
    if operator in _SIGNS:
        at = query.place(way.values[0])
        sign = _SIGNS[operator]
        # Byte by byte, whatever the language of the database: so days and times are in order.
        ordered = "" if way.field.holds in _NUMBERS else ' COLLATE "C"'
        return _DialectSql(
            f"{answer.postgres}{ordered} {sign} {at}::{_postgres_type(way)}", f"{answer.sqlite} {sign} {at}"
        )
    if len(way.values) == 1:
        at = query.place(way.values[0])
        return _DialectSql(f"{answer.postgres} = {at}::{_postgres_type(way)}", f"{answer.sqlite} = {at}")
    at = query.place(_to_json(way.values))
    # Not a part of a join, which would read the values anew for each answer.
    some = f"SELECT jsonb_array_elements_text({at}::jsonb)::{_postgres_type(way)}"
    return _DialectSql(
        f"({answer.postgres} IN ({some})) IS TRUE",
        f"{answer.sqlite} IN (SELECT value FROM json_each({at}))",
    )


def _postgres_type(way: Alternative) -> str:
    return "float8" if way.field.holds in _NUMBERS else "text"


def can_use_index(condition: Condition) -> bool:
    """Whether the index can be asked for what meets this."""
    alone = len(condition.alternatives) == 1 and bool(condition.alternatives[0].indexed)
    return alone and condition.operator not in (Operator.NE, Operator.CONTAINS)


def index_condition(query: Query, condition: Condition) -> str | None:
    """The condition on the index under which it has every submission that can meet this; None: it cannot be asked."""
    if not can_use_index(condition):
        return None
    [way] = condition.alternatives
    where = f"form_id {among(query.place(_to_json(way.indexed)))} AND field = {query.place(way.field.name)}"
    column, values = index_column(way)
    return f"{where} AND {_compare_index_column(query, column, condition.operator, values, _postgres_type(way))}"


def index_column(way: Alternative) -> tuple[str, Sequence[Value]]:
    """In which column of the index the values stand, and how; none of them twice."""
    if way.field.holds in _NUMBERS:
        return "number", way.values
    return "text", list(dict.fromkeys(str(value)[:INDEXED_TEXT] for value in way.values))


def _compare_index_column(query: Query, column: str, operator: Operator, values: Sequence[Value], kind: str) -> str:
    if len(values) == 1:
        return f"{column} {_SIGNS.get(operator, '=')} {query.place(values[0])}"
    return f"{column} {among(query.place(_to_json(values)), kind)}"
