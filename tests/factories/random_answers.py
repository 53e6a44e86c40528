"""Random submissions to two versions of a form, and the Parquet export to compare them with."""

from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import duckdb
from actors import Account
from hypothesis import strategies as st

from factories.exports import load_file
from factories.requests import PREFIX, post

MANY = [{"value": f"o{number}", "label": f"Option {number}"} for number in range(1000)]


def field(type_: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": type_, "name": name, "label": name, **more}


ROW = [field("integer", "people"), field("choice", "role", options=MANY[:3])]
OLD: list[dict[str, Any]] = [
    field("choice", "one", options=MANY[:900]),
    field("integer", "size"),
    field("text", "gone"),
    field("decimal", "height"),
    field("repeat", "visits", fields=[*ROW, field("text", "who")]),
]
NEW: list[dict[str, Any]] = [
    field("choice", "one", options=MANY[100:]),
    field("text", "size"),
    field("decimal", "height"),
    field("integer", "whole"),
    field("choices", "several", options=MANY[:5]),
    field("boolean", "flag"),
    field("rating", "stars"),
    field("nps", "likely"),
    field("ranking", "ranks", options=MANY[:4]),
    field("slider", "level"),
    field("date", "day"),
    field("time", "hour"),
    field("datetime", "moment"),
    field("textarea", "remark"),
    field("location", "spot"),
    field("line", "way"),
    field("area", "plot"),
    field("repeat", "visits", fields=ROW),
]
TEXTS = st.text("aB ñé中'’\u0939\u093f_-7\n", min_size=1, max_size=30).filter(str.strip)
_AT = datetime.fromisoformat
MOMENTS = st.datetimes(_AT("1901-01-01"), _AT("2900-01-01")) | st.datetimes(_AT("2026-03-07"), _AT("2026-03-09"))
_POINT = st.fixed_dictionaries({"latitude": st.floats(-90, 90), "longitude": st.floats(-60, 60)})
ANSWERS: dict[str, st.SearchStrategy[Any]] = {
    "integer": st.integers(-(2**53), 2**53) | st.integers(-3, 20),
    "decimal": st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([1.7e308, -1.7e308, 5e-324, 0.1]),
    "boolean": st.booleans(),
    "nps": st.integers(0, 10),
    "rating": st.integers(1, 5),
    "slider": st.integers(0, 100),
    "date": (st.dates() | st.dates(date(2026, 3, 1), date(2026, 5, 1))).map(str),
    "time": st.times().map(lambda time: time.isoformat("seconds")),
    "datetime": MOMENTS.map(lambda time: time.replace(microsecond=0, tzinfo=UTC).isoformat()),
    "text": TEXTS,
    "textarea": TEXTS,
    "location": _POINT,
    "line": st.lists(_POINT, min_size=2, max_size=3),
    "area": st.lists(_POINT, min_size=3, max_size=4),
}


def answer(one: dict[str, Any]) -> st.SearchStrategy[Any]:
    values = [option["value"] for option in one.get("options", [])]
    match one["type"]:
        case "choice":
            return st.sampled_from(values)
        case "choices":
            return st.lists(st.sampled_from(values), unique=True)
        case "ranking":
            return st.permutations(values)
        case "repeat":
            return st.lists(answers(one["fields"]), max_size=4)
    return ANSWERS[one["type"]]


def answers(fields: list[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional={one["name"]: answer(one) for one in fields})


async def publish(account: Account, form_id: str, fields: list[dict[str, Any]]) -> str:
    versions = f"/forms/customer/{account.id}/forms/{form_id}/versions"
    version: str = (await post(account, versions, {"fields": fields}))["id"]
    assert (await account.api.post(f"{PREFIX}{versions}/{version}/publish")).status_code == 200
    return version


async def load_export(account: Account, form_id: str, folder: Path, zone: str = "UTC") -> duckdb.DuckDBPyConnection:
    """Return a database with the export of a form as the table `export`, which shows times in this zone."""
    content = await load_file(account, f"/submissions/download.parquet?form={form_id}")
    path = folder / "export.parquet"
    path.write_bytes(content)
    db = duckdb.connect()
    db.sql(f"SET TimeZone = '{zone}'")
    db.sql(f"CREATE TABLE export AS FROM '{path}'")
    return db
