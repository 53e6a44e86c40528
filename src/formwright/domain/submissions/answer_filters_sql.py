"""Filters on answers as SQL, for both databases.

Drafts and answers of earlier versions may contain any JSON value under a name. A value of another type than the field's
never matches, and never makes the query fail.
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from formwright.core.db.query import Query, in_array
from formwright.domain.forms.indexing.indexed_fields import FilterableField, ValueType
from formwright.domain.submissions.answer_filters import Alternative, Condition, Operator, Value

INDEXED_TEXT = 200
"""The index contains only the first 200 characters of longer texts."""
_SIGNS = {Operator.GT: ">", Operator.GTE: ">=", Operator.LT: "<", Operator.LTE: "<="}
_NUMBERS = (ValueType.NUMBER, ValueType.MOMENT)
_GREATEST = repr(sys.float_info.max)


@dataclass(frozen=True, slots=True)
class _DialectSql:
    """SQL for both databases, in one text: each database ignores the part in the other's comments."""

    postgres: str
    sqlite: str

    def __str__(self) -> str:
        return f"/*postgres {self.postgres}*//*sqlite {self.sqlite}*/"


def render_conditions(query: Query, conditions: Sequence[Condition]) -> str:
    """Return the SQL that is true if a submission meets all conditions.

    The PostgreSQL condition is wrapped in a CASE for the sake of the planner. Without it, PostgreSQL estimates that one
    submission in 200 matches, expects less than a page of results, and so reads and sorts the whole account. For a CASE
    it assumes every second row and reads the list in its order, which is no slower if nothing matches.
    """
    all_met = " AND ".join(_render_condition(query, condition) for condition in conditions)
    return f"/*postgres CASE WHEN */({all_met})/*postgres THEN true END*/"


def _render_condition(query: Query, condition: Condition) -> str:
    alternatives = " OR ".join(
        _render_alternative(query, condition, alternative) for alternative in condition.alternatives
    )
    return f"({alternatives}) IS NOT TRUE" if condition.operator is Operator.NE else f"({alternatives})"


def _render_alternative(query: Query, condition: Condition, alternative: Alternative) -> str:
    compared = _render_comparison(
        query, alternative.field, lambda answer: _compare(query, condition.operator, alternative, answer)
    )
    if alternative.form_ids is None:
        return compared
    return f"(form_id {in_array(query.bind(_to_json(alternative.form_ids)))} AND {compared})"


def _to_json(values: Sequence[object]) -> str:
    return msgspec.json.encode(values).decode()


def _render_comparison(query: Query, field: FilterableField, compare: Callable[[_DialectSql], _DialectSql]) -> str:
    """Return the comparison with a field. In a repeat or a list, any row or item may match.

    `compare` gets the value of an answer in the type of the comparison, which is NULL if it has another type.
    """
    pg, lite = _find_rows(query, field.repeats)
    param = query.bind(field.name)
    nested = (
        f"{pg.expression} #> string_to_array({param}::text, '.')"
        if "." in field.name
        else f"{pg.expression} -> {param}::text"
    )
    if field.is_list:
        pg = pg.unnest(f"jsonb_array_elements({_pg_list(nested)}) AS m(v)", "m.v")
        lite = lite.unnest(f"json_each({_lite_list(lite.expression, param)}) AS m", "")
        value, kind = "m.value", "m.type"
    else:
        pg = _JsonPath(f"({nested})", pg.sources)
        value, kind = (
            f"json_extract({lite.expression}, '$.' || {param})",
            f"json_type({lite.expression}, '$.' || {param})",
        )
    answer = _DialectSql(_pg_typed(field.value_type, pg.expression), _lite_typed(field.value_type, value, kind))
    comparison = compare(answer)
    return str(_DialectSql(pg.exists(comparison.postgres), lite.exists(comparison.sqlite)))


def is_answered(query: Query, repeats: Sequence[str], field: str) -> str:
    """Return the condition that there is an answer to a field, or to one in any row of the last of these repeats."""
    pg, lite = _find_rows(query, repeats)
    name = query.bind(field)
    postgres = pg.exists(f"{pg.expression} -> {name}::text <> 'null'")
    return str(_DialectSql(postgres, lite.exists(f"json_extract({lite.expression}, '$.' || {name}) IS NOT NULL")))


def _find_rows(query: Query, repeats: Sequence[str]) -> tuple["_JsonPath", "_JsonPath"]:
    """Return the paths, in both databases, to the rows of the last of these repeats, or to the answers without any.

    Drafts may contain any value in the place of a list or a row.
    """
    pg, lite = _JsonPath("data", []), _JsonPath("data", [])
    for depth, repeat in enumerate(repeats):
        param, rows = query.bind(repeat), f"r{depth or ''}"
        found = _pg_list(f"{pg.expression} -> {param}::text")
        pg = pg.unnest(f"jsonb_array_elements({found}) AS {rows}(v)", f"{rows}.v")
        row = f"CASE {rows}.type WHEN 'object' THEN {rows}.value ELSE '{{}}' END"
        lite = lite.unnest(f"json_each({_lite_list(lite.expression, param)}) AS {rows}", row)
    return pg, lite


class _JsonPath:
    """The path to a JSON value: the SQL expression of the value, and the table functions that it selects from."""

    def __init__(self, expression: str, sources: list[str]) -> None:
        self.expression, self.sources = expression, sources

    def unnest(self, source: str, expression: str) -> "_JsonPath":
        """Return the path to each row of `source`, in which the value is `expression`."""
        return _JsonPath(expression, [*self.sources, source])

    def exists(self, condition: str) -> str:
        """Return the condition that any of the rows matches."""
        if not self.sources:
            return condition
        return f"EXISTS (SELECT 1 FROM {', '.join(self.sources)} WHERE {condition})"


def _pg_list(value: str) -> str:
    return f"CASE jsonb_typeof({value}) WHEN 'array' THEN {value} ELSE '[]'::jsonb END"


def _lite_list(holder: str, name: str) -> str:
    path = f"{holder}, '$.' || {name}"
    return f"CASE json_type({path}) WHEN 'array' THEN json_extract({path}) ELSE '[]' END"


def _pg_typed(value_type: ValueType, value: str) -> str:
    if value_type is ValueType.NUMBER:
        return _pg_number(value)
    kind = "boolean" if value_type is ValueType.FLAG else "string"
    text = f"CASE jsonb_typeof({value}) WHEN '{kind}' THEN {value} #>> '{{}}' END"
    match value_type:
        case ValueType.TIME:
            return f"substr({text} || ':00', 1, 8)"
        case ValueType.MOMENT:
            return _pg_moment(text)
    return f"({text})"


def _pg_number(value: str) -> str:
    """Return the number as float8; NULL beyond its range, for which a cast would fail.

    The range is checked in a JSON path, because a second expression would decompress a long answer a second time.
    """
    fits = f"strict $ ? (@ >= -{_GREATEST} && @ <= {_GREATEST})"
    return f"(jsonb_path_query_first({value}, '{fits}') #>> '{{}}')::float8"


_DAY = r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
_CLOCK = r"([01][0-9]|2[0-3]):[0-5][0-9]"
_MOMENT = rf"^{_DAY}[Tt ]{_CLOCK}:[0-5][0-9](\.[0-9]+)?([Zz]|[+-]{_CLOCK})$"


def _pg_moment(text: str) -> str:
    """Return milliseconds since 1970, computed from the parts of the text: a cast would fail for an invalid time."""

    def part(first: int, length: int) -> str:
        return f"substr(t, {first}, {length})::int"

    days = f"make_interval({part(1, 4)} - 1, {part(6, 2)} - 1, 0, {part(9, 2)} - 1, {part(12, 2)}, {part(15, 2)}"
    since = f"timestamp '0001-01-01' + {days}, substring(t from '^.{{17}}([0-9.]+)')::float8)"
    offset = r"CASE WHEN t ~ '[Zz]$' THEN 0 ELSE (left(right(t, 6), 3) || right(t, 2))::int END"
    minutes = f"(CASE WHEN {offset} < 0 THEN -1 ELSE 1 END) * (abs({offset}) / 100 * 60 + abs({offset}) % 100)"
    signed = f"CASE WHEN right(t, 6) LIKE '-00%' THEN -(right(t, 2)::int) ELSE {minutes} END"
    moment = f"round(extract(epoch FROM {since}) * 1000) - 60000 * ({signed})"
    return f"(SELECT CASE WHEN t ~ '{_MOMENT}' THEN {moment} END FROM (SELECT {text} AS t) AS one)"


def _lite_typed(value_type: ValueType, value: str, kind: str) -> str:
    match value_type:
        case ValueType.NUMBER:
            # As in the index, where integers beyond 2^53 are rounded to a double.
            fits = f"{value} BETWEEN -{_GREATEST} AND {_GREATEST}"
            return f"(CASE WHEN {kind} IN ('integer', 'real') AND {fits} THEN CAST({value} AS REAL) END)"
        case ValueType.FLAG:
            return f"(CASE WHEN {kind} IN ('true', 'false') THEN {kind} END)"
    text = f"CASE {kind} WHEN 'text' THEN {value} END"
    match value_type:
        case ValueType.TIME:
            return f"substr({text} || ':00', 1, 8)"
        case ValueType.MOMENT:
            # SQLite accepts more than timestamps: `now` and plain numbers are times, too.
            guarded = f"CASE WHEN {text} GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9][Tt ]*' THEN upper({text}) END"
            # 2440587.5 is the Julian day of the beginning of 1970.
            return f"CAST(round((julianday({guarded}) - 2440587.5) * 86400000.0) AS INTEGER)"
    return f"({text})"


def _compare(query: Query, operator: Operator, alternative: Alternative, answer: _DialectSql) -> _DialectSql:
    if operator is Operator.CONTAINS and alternative.field.value_type is ValueType.TEXT:
        return _DialectSql(*query.contains(str(alternative.values[0]), answer.postgres, answer.sqlite))
    if operator in _SIGNS:
        param = query.bind(alternative.values[0])
        sign = _SIGNS[operator]
        # Compare bytes, whatever the collation of the database: dates and times are ordered that way.
        ordered = "" if alternative.field.value_type in _NUMBERS else ' COLLATE "C"'
        return _DialectSql(
            f"{answer.postgres}{ordered} {sign} {param}::{_postgres_type(alternative)}",
            f"{answer.sqlite} {sign} {param}",
        )
    if len(alternative.values) == 1:
        param = query.bind(alternative.values[0])
        return _DialectSql(f"{answer.postgres} = {param}::{_postgres_type(alternative)}", f"{answer.sqlite} = {param}")
    param = query.bind(_to_json(alternative.values))
    # IS TRUE prevents PostgreSQL from turning this into a join, which would parse the values again for each answer.
    subquery = f"SELECT jsonb_array_elements_text({param}::jsonb)::{_postgres_type(alternative)}"
    return _DialectSql(
        f"({answer.postgres} IN ({subquery})) IS TRUE",
        f"{answer.sqlite} IN (SELECT value FROM json_each({param}))",
    )


def _postgres_type(alternative: Alternative) -> str:
    return "float8" if alternative.field.value_type in _NUMBERS else "text"


def can_use_index(condition: Condition) -> bool:
    """Whether the index can find the submissions that meet the condition."""
    single = len(condition.alternatives) == 1 and bool(condition.alternatives[0].indexed)
    return single and condition.operator not in (Operator.NE, Operator.CONTAINS)


def index_condition(query: Query, condition: Condition) -> str | None:
    """Return the SQL condition for the index, which finds all matches and may find more; None if it cannot be used."""
    if not can_use_index(condition):
        return None
    [alternative] = condition.alternatives
    forms, name = in_array(query.bind(_to_json(alternative.indexed))), query.bind(alternative.field.name)
    column, values = index_column(alternative)
    compared = _compare_index_column(query, column, condition.operator, values, _postgres_type(alternative))
    return f"form_id {forms} AND field = {name} AND {compared}"


def index_column(alternative: Alternative) -> tuple[str, Sequence[Value]]:
    """Return the column of the index that contains the values, and the values as stored there, without duplicates."""
    if alternative.field.value_type in _NUMBERS:
        return "number", alternative.values
    return "text", list(dict.fromkeys(str(value)[:INDEXED_TEXT] for value in alternative.values))


def _compare_index_column(query: Query, column: str, operator: Operator, values: Sequence[Value], kind: str) -> str:
    if len(values) == 1:
        return f"{column} {_SIGNS.get(operator, '=')} {query.bind(values[0])}"
    return f"{column} {in_array(query.bind(_to_json(values)), kind)}"
