"""SQL expressions for the positions of submissions, as JSON.

Reading a map takes one row per batch instead of one per submission, because the database builds the text.
"""

from formwright.domain.forms.fields import Shape
from formwright.domain.forms.location_fields import OWN_LOCATION, LocationPath

_POINT = "'\"' || substr(submissions.id, 5) || '\",' || {row} || ',' || {longitude} || ',' || {latitude}"
_FIELD_PATH = {Shape.POINT: "'$.' || :field"} | dict.fromkeys((Shape.LINE, Shape.AREA), "'$.' || :field || '[0]'")
_FIRST_POINT = {Shape.POINT: ""} | dict.fromkeys((Shape.LINE, Shape.AREA), " -> 0")
"""What follows a field in PostgreSQL: a line or area is where its first point is."""
_NOWHERE = "'\"\",0,0,0'"


def positions_column(path: LocationPath) -> tuple[str, str]:
    """Return the expressions for PostgreSQL and SQLite. They use the parameters that `positions_parameters` returns.

    The value is a list of `"id without its prefix",row,longitude,latitude`, separated by commas; the row is 0 outside
    repeats, that of the outermost one in repeats inside others, and the id is empty if the submission has no
    position. Without nesting, it is shorter, and browsers parse it faster. Drafts can contain anything in the place of
    a position.
    """
    if path == OWN_LOCATION:
        return _or_nowhere(_postgres("location::jsonb", "0")), _or_nowhere(_sqlite("location", "'$'", "0"))
    if not path.repeat:
        return (
            _or_nowhere(_postgres(f"(data -> :field::text{_FIRST_POINT[path.shape]})", "0")),
            _or_nowhere(_sqlite("data", _FIELD_PATH[path.shape], "0")),
        )
    postgres_lines, sqlite_lines, holders = [], [], ("data", "data")
    for depth in range(len(path.repeats)):
        line, rows = f"line{depth}", f"{holders[0]} -> :repeat{depth}::text"
        elements = f"jsonb_array_elements(CASE jsonb_typeof({rows}) WHEN 'array' THEN {rows} ELSE '[]'::jsonb END)"
        postgres_lines.append(f"{elements} WITH ORDINALITY AS {line} (value, row)")
        sqlite_lines.append(f"json_each({holders[1]}, '$.' || :repeat{depth}) AS {line}")
        # Texts in the place of a row are no JSON, so json_each and json_type must not see them.
        holders = f"{line}.value", f"CASE {line}.type WHEN 'object' THEN {line}.value ELSE '{{}}' END"
    point = _postgres(f"({holders[0]} -> :field::text{_FIRST_POINT[path.shape]})", "line0.row")
    postgres = f"(SELECT string_agg({point}, ',') FROM {', '.join(postgres_lines)})"
    point = _sqlite(holders[1], _FIELD_PATH[path.shape], "(line0.key + 1)")
    sqlite = f"(SELECT group_concat({point}) FROM {', '.join(sqlite_lines)})"
    return _or_nowhere(postgres), _or_nowhere(sqlite)


def positions_parameters(path: LocationPath) -> dict[str, str]:
    """Return the values of the parameters in the expressions."""
    return {"field": path.field} | {f"repeat{depth}": name for depth, name in enumerate(path.repeats)}


def _or_nowhere(point: str) -> str:
    return f"coalesce({point}, {_NOWHERE})"


def _postgres(place: str, row: str) -> str:
    longitude, latitude = (f"({place} -> '{name}')" for name in ("longitude", "latitude"))
    numbers = [f"(({value}) #>> '{{}}')::numeric" for value in (longitude, latitude)]
    rounded = [f"trim_scale(round({number}, 6))" for number in numbers]
    point = _POINT.format(row=row, longitude=rounded[0], latitude=rounded[1])
    # Nested, because a conversion may run before another condition of the same WHEN has failed.
    inside = f"CASE WHEN abs({numbers[0]}) <= 180 AND abs({numbers[1]}) <= 90 THEN {point} END"
    types = f"jsonb_typeof({longitude}) = 'number' AND jsonb_typeof({latitude}) = 'number'"
    return f"CASE WHEN {types} THEN {inside} END"


def _sqlite(source: str, path: str, row: str) -> str:
    paths = [f"{path} || '.{name}'" for name in ("longitude", "latitude")]
    values = [f"json_extract({source}, {one})" for one in paths]
    types = " AND ".join(f"json_type({source}, {one}) IN ('integer', 'real')" for one in paths)
    point = _POINT.format(row=row, longitude=f"round({values[0]}, 6)", latitude=f"round({values[1]}, 6)")
    return f"CASE WHEN {types} AND abs({values[0]}) <= 180 AND abs({values[1]}) <= 90 THEN {point} END"
