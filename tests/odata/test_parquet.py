"""The rows of a feed equal those of the Parquet export, and its filters find what DuckDB finds in that export."""

from pathlib import Path
from typing import Any

from factories.forms import form
from factories.random_answers import NEW, OLD, answers, load_export, publish
from factories.submissions import started, submission
from fixtures.feed import FeedClient
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

MOMENT = "strftime({} AT TIME ZONE 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ')"
EXPORTED = {
    **{name: name for name in ("_status", "_external_id", "_revision", "one", "size", "height", "gone", "flag")},
    "_submitted": MOMENT.format("_submitted"),
    "moment": MOMENT.format("moment"),
    "day": "CAST(day AS VARCHAR)",
    "several": "array_to_string(several, ',')",
    "spot_latitude": "spot.latitude",
}
FILTERS = {
    "height gt 0 and flag eq true": "height > 0 AND flag",
    "not (height gt 0)": "NOT coalesce(height > 0, false)",
    "flag eq null or stars ge 3": "flag IS NULL OR stars >= 3",
    "level mod 2 eq 1 and level add 10 lt 60": "level % 2 = 1 AND level + 10 < 60",
    "one eq 'o150' or one in ('o200','o300')": "one IN ('o150', 'o200', 'o300')",
    "one ne 'o150'": "one IS DISTINCT FROM 'o150'",
    "contains(remark,'a') or length(remark) lt 5": "contains(remark, 'a') OR length(remark) < 5",
    "startswith(tolower(size),'a')": "starts_with(lower(size), 'a')",
    "day ge 2026-03-15 and day lt 2026-04-01": "day >= '2026-03-15' AND day < '2026-04-01'",
    "month(day) eq 3": "month(day) = 3",
    "moment ge 2026-03-08T00:00:00Z": "moment >= TIMESTAMPTZ '2026-03-08 00:00:00+00'",
    "spot_latitude lt 0 and _status eq 'SUBMITTED'": "spot.latitude < 0 AND _status = 'SUBMITTED'",
    "round(height div 2) gt 10": "round(height / 2) > 10",
    "gone ne null": "gone IS NOT NULL",
}


@settings(
    max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(old=st.lists(answers(OLD), max_size=6), new=st.lists(answers(NEW), min_size=1, max_size=10))
async def test_rows_and_filters_equal_the_parquet_export(
    feed: FeedClient, tmp_path: Path, old: list[Any], new: list[Any]
) -> None:
    account = feed.account
    new_form = await form(account, name="Random", fields=OLD)
    for data in old:
        await submission(account, new_form, data=data)
    latest = await publish(account, new_form["id"], NEW)
    for data in new:
        await submission(account, new_form, data=data)
    misfits = {"height": "tall", "flag": "yes", "stars": [], "day": "soon", "several": 7, "visits": "none"}
    await started(account, new_form | {"publishedVersionId": latest}, "page1", **misfits)
    db = await load_export(account, new_form["id"], tmp_path)
    table = [one["name"] for one in (await feed.get(""))["value"] if one["title"] == "Random"][-1]

    rows = {row.pop("_id"): row for row in await feed.rows(table, select=",".join(["_id", *EXPORTED]))}
    names, columns = list(EXPORTED), ", ".join(EXPORTED.values())
    exported = db.sql(f"SELECT _id, {columns} FROM export").fetchall()
    assert rows == {row[0]: dict(zip(names, row[1:], strict=True)) for row in exported}
    for condition, sql in FILTERS.items():
        found = {row["_id"] for row in await feed.rows(table, filter=condition, select="_id")}
        assert found == {row[0] for row in db.sql(f"SELECT _id FROM export WHERE {sql}").fetchall()}, condition
    visits = await feed.rows(f"{table}__visits", select="_submission_id,people")
    unnested = db.sql("SELECT _id, r.people FROM (SELECT _id, unnest(visits) AS r FROM export)").fetchall()
    assert sorted((one["_submission_id"], str(one["people"])) for one in visits) == sorted(
        (one, str(people)) for one, people in unnested
    )
