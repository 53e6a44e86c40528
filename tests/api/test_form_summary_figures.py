"""Every figure of a summary equals what DuckDB computes from our own Parquet export of the same submissions."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import pytest
from actors import Account
from factories.forms import form
from factories.random_answers import MANY, MOMENTS, NEW, OLD, ROW, answers, load_export, publish
from factories.requests import get
from factories.submissions import started, submission
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formwright.domain.summaries import index_counts, service

ZONE = "America/St_Johns"
NOT_INDEXED = ("location", "line", "area", "ranking", "repeat")
INDEXED = [one | {"indexed": True} for one in NEW if one["type"] not in NOT_INDEXED]
LISTS_OF_POINTS = ("way", "plot")
OLD_INDEXED = [OLD[0] | {"indexed": True}, *INDEXED[1:]]
MISFITS = {"height": "tall", "flag": "yes", "stars": [], "day": "soon", "several": 7}
"""Values that do not fit their fields are missing, in exports and in summaries."""
SLOW = settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)


@dataclass
class Exported:
    """The export as a table, and the column of a field in the versions that have it."""

    db: duckdb.DuckDBPyConnection
    versions: dict[int, str]
    name: str
    """Where to find the answers: all of them, or the rows of a repeat."""
    source: str = ""

    def of(self, one: dict[str, Any]) -> "Exported":
        """Return the answers to this field: the column `v` of a subquery, which is null if there is no answer."""
        ids = ", ".join(f"'{self.versions[number]}'" for number in one["versions"])
        columns = "_id, coalesce(_submitted, _started) AS _at"
        if one["repeat"]:
            rows = f"SELECT {columns}, unnest({one['repeat']}) AS r FROM export WHERE _version_id IN ({ids})"
            source = f"(SELECT _id, _at, r.{one['name']} AS v FROM ({rows}))"
        else:
            source = f"(SELECT {columns}, {one['name']} AS v FROM export WHERE _version_id IN ({ids}))"
        return Exported(self.db, self.versions, one["name"], source)

    def rows(self, select: str, where: str = "v IS NOT NULL", rest: str = "") -> list[Any]:
        return self.db.sql(f"SELECT {select} FROM {self.source} WHERE {where} {rest}").fetchall()

    def value(self, select: str, where: str = "v IS NOT NULL") -> Any:
        return self.rows(select, where)[0][0]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read submissions in several batches."""
    monkeypatch.setattr(service, "_FIRST_BATCH", 2)
    monkeypatch.setattr(service, "_MAX_BATCH", 3)
    monkeypatch.setattr(index_counts, "_BATCH", 2)


@SLOW
@given(
    old=st.lists(answers(OLD), max_size=8),
    new=st.lists(answers(NEW), min_size=1, max_size=12),
    moments=st.lists(MOMENTS, min_size=20, max_size=20),
)
async def test_every_figure_equals_what_duckdb_computes(
    account: Account, tmp_path: Path, old: list[Any], new: list[Any], moments: list[datetime]
) -> None:
    await set_zone(account)
    new_form = await form(account, fields=OLD)
    times = (moment.replace(tzinfo=UTC).isoformat() for moment in moments)
    for data in old:
        await submission(account, new_form, data=data, submittedAt=next(times))
    versions = {1: new_form["publishedVersionId"], 2: await publish(account, new_form["id"], NEW)}
    for data in new:
        await submission(account, new_form, data=data, submittedAt=next(times))
    await started(account, new_form | {"publishedVersionId": versions[2]}, "page1", **MISFITS, visits="none")

    found = await get(account, f"/customers/{account.id}/forms/{new_form['id']}/summary")
    await check_summary(account, found, versions, tmp_path)
    assert len(found["fields"]) == len(NEW) + len(ROW) + 3


@pytest.mark.slow
@SLOW
@given(
    old=st.lists(answers(OLD_INDEXED), max_size=8),
    new=st.lists(answers(INDEXED), min_size=1, max_size=12),
    moments=st.lists(MOMENTS, min_size=20, max_size=20),
)
async def test_every_figure_from_the_index_equals_what_duckdb_computes(
    account: Account,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    old: list[Any],
    new: list[Any],
    moments: list[datetime],
) -> None:
    await set_zone(account)
    new_form = await form(account, fields=OLD_INDEXED)
    times = (moment.replace(tzinfo=UTC).isoformat() for moment in moments)
    for data in old:
        await submission(account, new_form, data=data, submittedAt=next(times))
    published = await publish(account, new_form["id"], INDEXED)
    for data in new:
        await submission(account, new_form, data=data, submittedAt=next(times))
    await started(account, new_form | {"publishedVersionId": published}, "page1", **MISFITS)

    path = f"/customers/{account.id}/forms/{new_form['id']}/summary"
    from_answers = await get(account, f"{path}?updatedFrom=2000-01-01T00:00:00Z")
    with monkeypatch.context() as patch:
        patch.setattr(service, "_count_answers", None)
        found = await get(account, path)
    assert found == from_answers
    await check_summary(account, found, {1: new_form["publishedVersionId"], 2: published}, tmp_path)


async def check_summary(account: Account, found: dict[str, Any], versions: dict[int, str], folder: Path) -> None:
    db = await load_export(account, found["formId"], folder, ZONE)
    export = Exported(db, versions, "")
    count, median = db.sql("SELECT count(*), median(date_diff('ms', _started, _submitted)) FROM export").fetchall()[0]
    assert (found["submissions"], median) == (count, 0)
    check_periods(
        found["periods"], Exported(db, versions, "", "(SELECT coalesce(_submitted, _started) AS v FROM export)")
    )
    for one in found["fields"]:
        check_field(one, export.of(one))


async def set_zone(account: Account) -> None:
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE customers SET time_zone = $2 WHERE customer_id = $1", account.id, ZONE)


def check_field(one: dict[str, Any], export: Exported) -> None:
    answered = {"CHOICES": "len(v) > 0", "REPEAT": "len(v) > 0", "TEXT": "v <> ''"}.get(one["kind"], "v IS NOT NULL")
    if one["kind"] == "LOCATION":
        answered = "len(v) > 0" if one["name"] in LISTS_OF_POINTS else "v.latitude IS NOT NULL"
    total, count = export.rows(f"count(*), count(*) FILTER ({answered})", "true")[0]
    assert (one["answered"], one["missing"]) == (count, total - count), one["name"]
    match one["kind"]:
        case "CHOICE" | "BOOLEAN":
            check_options(one, dict(export.rows("CAST(v AS text), count(*)", rest="GROUP BY 1")), count)
        case "CHOICES":
            export.source = f"(SELECT unnest(list_distinct(v)) AS v FROM {export.source})"
            check_options(one, dict(export.rows("v, count(*)", rest="GROUP BY 1")), count)
        case "NUMBER" | "RATING" | "SLIDER":
            check_numbers(one, export)
        case "NPS":
            check_numbers(one, export)
            promoters, detractors = export.rows("count(*) FILTER (v >= 9), count(*) FILTER (v <= 6)")[0]
            score = 100 * (promoters - detractors) / count if count else None
            assert one["netPromoter"]["score"] == score
        case "RANKING":
            export.source = f"(SELECT unnest(v) AS o, unnest(range(1, len(v) + 1)) AS v FROM {export.source})"
            rows = export.rows("o, avg(v), count(*) FILTER (v = 1)", rest="GROUP BY 1")
            ranks = [rank for rank in one["ranks"] if rank["mean"]]
            assert {rank["value"]: rank["first"] for rank in ranks} == {option: first for option, _, first in rows}
            means = {option: mean for option, mean, _ in rows}
            assert {rank["value"]: rank["mean"] for rank in ranks} == pytest.approx(means)
        case "DATE" | "DATETIME":
            check_periods(one["periods"], export)
        case "TIME":
            check_times(one["periods"], export)
        case "TEXT":
            check_texts(one["texts"], export)
        case "LOCATION":
            if one["name"] in LISTS_OF_POINTS:
                export.source = f"(SELECT unnest(v) AS v FROM {export.source})"
            check_box(one["boundingBox"], export)
        case "REPEAT":
            export.source = f"(SELECT len(v) AS v FROM {export.source} WHERE len(v) > 0)"
            assert one["repeated"]["rows"] == (export.value("sum(v)") or 0)
            check_figures(one["repeated"]["perSubmission"], export)


def check_options(one: dict[str, Any], counts: dict[str, int], answered: int) -> None:
    assert {option["value"]: option["count"] for option in one["options"] if option["count"]} == counts
    assert [option["share"] for option in one["options"]] == [
        option["count"] / answered if answered else 0 for option in one["options"]
    ]
    assert not one["other"]
    if one["name"] == "one":
        order = [option["value"] for option in (*MANY[100:], *MANY[:100])]
        assert [(option["value"], option["removed"]) for option in one["options"]] == [
            (value, number >= 900) for number, value in enumerate(order)
        ]


def check_numbers(one: dict[str, Any], export: Exported) -> None:
    # In older versions, this column of texts had numbers.
    export.source = f"(SELECT TRY_CAST(v AS double) AS v FROM {export.source})"
    check_figures(one["figures"], export)
    if one["values"] is not None:
        expected = export.rows("CAST(v AS bigint), count(*)", rest="GROUP BY 1 ORDER BY 1")
        assert [(value["value"], value["count"]) for value in one["values"]] == expected


def check_figures(figures: dict[str, Any] | None, export: Exported) -> None:
    # Scaled down, because the sum of a few numbers at the edge of a double overflows.
    quartiles = "quantile_cont(v / 1024, [0.25, 0.5, 0.75])"
    expected = export.rows(f"min(v), max(v), favg(v / 1024) * 1024, {quartiles}, count(*)")[0]
    if not expected[-1]:
        assert figures is None
        return
    assert figures
    assert (figures["minimum"], figures["maximum"]) == expected[:2]
    spread = max(abs(expected[0]), abs(expected[1]))
    assert figures["mean"] == pytest.approx(expected[2], rel=1e-9, abs=max(spread * 1e-15, 5e-320))
    shown = [figures[name] for name in ("lowerQuartile", "median", "upperQuartile")]
    assert shown == pytest.approx([value * 1024 for value in expected[3]], rel=1e-9, abs=max(spread * 1e-15, 5e-320))
    bins = figures["histogram"]
    assert bins[0]["start"] <= figures["minimum"] <= figures["maximum"] <= bins[-1]["end"]
    assert [one["end"] for one in bins[:-1]] == [one["start"] for one in bins[1:]]
    assert len(bins) <= 25
    counts = [
        export.value(f"count(*) FILTER (v >= {one['start']!r}::double AND v {sign} {one['end']!r}::double)")
        for one, sign in zip(bins, [*"<" * (len(bins) - 1), "<="], strict=True)
    ]
    assert [one["count"] for one in bins] == counts


def check_periods(periods: dict[str, Any] | None, export: Exported) -> None:
    if periods is None:
        assert export.value("count(*)") == 0
        return
    unit = periods["unit"]
    local = "CAST(v AS timestamp)" if export.value("typeof(any_value(v))") == "DATE" else f"(v AT TIME ZONE '{ZONE}')"
    years = {"YEAR": 1, "DECADE": 10, "CENTURY": 100}.get(unit)
    if years:
        start = f"lpad(greatest(1, year({local}) // {years} * {years})::text, 4, '0') || '-01-01'"
    else:
        layout = "%Y-%m-%dT%H:%M" if unit == "HOUR" else "%Y-%m-%d"
        start = f"strftime(date_trunc('{unit.lower()}', {local}), '{layout}')"
    expected = dict(export.rows(f"{start}, count(*)", rest="GROUP BY 1"))
    assert {one["start"]: one["count"] for one in periods["items"] if one["count"]} == expected
    starts = [one["start"] for one in periods["items"]]
    assert starts == sorted(starts)
    assert len(starts) <= 110
    minute = "%Y-%m-%dT%H:%M"
    first, last = export.rows(f"strftime(min({local}), '{minute}'), strftime(max({local}), '{minute}')")[0]
    length = len(periods["first"])
    assert (periods["first"], periods["last"]) == (first[:length], last[:length])


def check_times(periods: dict[str, Any] | None, export: Exported) -> None:
    expected = dict(export.rows("left(v, 2) || ':00', count(*)", rest="GROUP BY 1"))
    assert {one["start"]: one["count"] for one in (periods or {"items": []})["items"] if one["count"]} == expected
    if periods:
        assert (periods["first"], periods["last"]) == export.rows("min(v), max(v)")[0]


def check_texts(texts: dict[str, Any], export: Exported) -> None:
    newest = export.rows("_id, v", "v <> ''", "ORDER BY _at DESC, _id DESC LIMIT 5")
    assert [one["submissionId"] for one in texts["newest"]] == [submission_id for submission_id, _ in newest]
    assert sorted(one["text"] for one in texts["newest"]) == sorted(text for _, text in newest)
    letters = r"[\p{L}\p{M}\p{N}_]+"
    words = f"unnest(regexp_extract_all(nfc_normalize(lower(v)), '{letters}(?:[''’]{letters})*')) AS w"
    counted = r"length(w) > 1 AND NOT regexp_full_match(w, '\p{Nd}+')"
    ranking = f"SELECT w, count(*) AS n FROM (SELECT {words} FROM {export.source}) WHERE {counted} GROUP BY w"
    expected = export.db.sql(f"{ranking} ORDER BY n DESC, w LIMIT 20").fetchall()
    assert [(one["word"], one["count"]) for one in texts["words"]] == expected
    assert texts["wordsComplete"]


def check_box(box: Sequence[float] | None, export: Exported) -> None:
    parts = ("min(v.longitude)", "min(v.latitude)", "max(v.longitude)", "max(v.latitude)")
    expected = export.rows(", ".join(parts), "v.latitude IS NOT NULL")[0]
    if None in expected:
        assert box is None
    elif -90 not in expected and 90 not in expected:
        assert tuple(box or ()) == expected
