"""Submissions that are downloaded for an import and imported into a copy of the form are the same."""

import uuid
from typing import Any

import pytest
from actors import Account
from factories import files
from factories.datasources import datasource
from factories.exports import load_file
from factories.forms import form
from factories.random_answers import NEW, answer, field
from factories.requests import PREFIX
from factories.submission_imports import CSV, XLSX, imported, submissions_of
from factories.submissions import started, submission
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ODD_KEYS = ["C-1", "007", "1e3", "=A1", "a,b", "[c", "Ünder ü", "-5"]
TEXT = st.text("aB ñ中'\"=+-@\t\n,;[{🎉\u202e", min_size=1, max_size=20).filter(str.strip)
ODD = [{"value": value, "label": f"Label {n}"} for n, value in enumerate(["a,b", "[c", "d", "Label 0", "e;f"])]
FIELDS = [
    *NEW,
    field("choices", "odd", options=ODD),
    field("choice", "same", options=[{"value": "x", "label": "Y"}, {"value": "y", "label": "X"}]),
    field("textarea", "status"),
    field("text", "userId"),
    field("barcode", "id"),
    field("text", "Capital_1"),
    field("section", "part", fields=[field("text", "inside")]),
]
_TEXTS = {"text", "textarea", "barcode"}
ANSWERS = st.fixed_dictionaries(
    {},
    optional={
        one["name"]: TEXT if one["type"] in _TEXTS else answer(one) for one in [*FIELDS[:-1], field("text", "inside")]
    },
)
PLACES = st.none() | st.fixed_dictionaries(
    {"latitude": st.floats(-90, 90), "longitude": st.floats(-180, 180)}, optional={"accuracy": st.floats(0, 1e6)}
)


def comparable(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return what an import keeps of each submission, ordered by external id."""
    names = ("externalId", "submittedAt", "userId", "location", "data")
    return sorted([{name: one[name] for name in names} for one in records], key=lambda one: str(one["externalId"]))


async def download(account: Account, form_: dict[str, Any], kind: str, purpose: str = "import") -> bytes:
    return await load_file(account, f"/submissions/download.{kind}?form={form_['id']}&for={purpose}")


@pytest.mark.parametrize(("kind", "type_"), [("csv", CSV), ("xlsx", XLSX)])
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(filled=st.lists(st.tuples(ANSWERS, PLACES, st.datetimes(), st.booleans()), min_size=1, max_size=5))
async def test_an_import_of_an_export_is_the_identity(
    account: Account, kind: str, type_: str, filled: list[Any]
) -> None:
    first, second = await form(account, fields=FIELDS), await form(account, fields=FIELDS)
    for data, place, moment, by_owner in filled:
        more = {"location": place} if place else {}
        await submission(
            account,
            first,
            data=data or {"whole": 1},
            externalId=str(uuid.uuid4()),
            submittedAt=f"{2000 + moment.year % 100}-{moment:%m-%dT%H:%M:%S.%f}"[:23] + "Z",
            **more,
            **({"userId": account.owner.id} if by_owner else {}),
        )
    gone = await submission(account, first, data={"whole": 1}, externalId="gone")
    deleted = await account.api.delete(f"{PREFIX}/customers/{account.id}/submissions/{gone['id']}")
    assert deleted.is_success
    await started(account, first, str(uuid.uuid4()), whole=5)
    found = await imported(account, second, await download(account, first, kind), type_)
    assert (found["status"], found["imported"]) == ("DONE", len(filled)), found["errors"]
    before = [one for one in await submissions_of(account, first) if one["status"] != "STARTED"]
    assert comparable(await submissions_of(account, second)) == comparable(before)


DECIMALS = st.decimals(-10_000, 10_000, places=3).map(float) | st.decimals(-2, 2, places=3).map(float) | st.just(1.234)
NUMBERS = [
    field("decimal", "price"),
    field("integer", "people"),
    field("date", "day"),
    field("time", "at"),
    field("text", "site"),
]
_ROWS = st.fixed_dictionaries(
    {"price": DECIMALS},
    optional={
        "people": st.integers(-(10**9), 10**9),
        "day": st.dates().map(str),
        "at": st.times().map(lambda at: f"{at:%H:%M}"),
        "site": st.sampled_from(["Łódź", "très", "Größe", "北京"]),
    },
)


@pytest.mark.parametrize("purpose", ["import", ""])
@pytest.mark.parametrize(("kind", "type_"), [("csv", CSV), ("xlsx", XLSX)])
@settings(
    max_examples=4, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(filled=st.lists(_ROWS, min_size=1, max_size=4))
async def test_numbers_of_three_decimals_dates_and_times_of_an_export_are_imported_unchanged(
    account: Account, kind: str, type_: str, purpose: str, filled: list[dict[str, Any]]
) -> None:
    first, second = await form(account, fields=NUMBERS), await form(account, fields=NUMBERS)
    for number, data in enumerate(filled):
        place = {"latitude": round(data["price"] % 90, 3), "longitude": 0.125, "accuracy": 1.234}
        await submission(account, first, data=data, externalId=str(number), location=place)
    content = await download(account, first, kind, purpose)
    found = await imported(account, second, content, type_)
    assert (found["status"], found["imported"]) == ("DONE", len(filled)), found["errors"]
    names = ("externalId", "location", "data")
    before, after = [
        sorted(([one[name] for name in names] for one in await submissions_of(account, each)), key=str)
        for each in (first, second)
    ]
    assert after == before


@pytest.mark.parametrize(("kind", "type_"), [("csv", CSV), ("xlsx", XLSX)])
async def test_lookups_are_imported_with_the_rows_of_today(account: Account, kind: str, type_: str) -> None:
    table = await datasource(account, rows=[{"number": key, "name": f"Customer {key}"} for key in ODD_KEYS])
    client = field("lookup", "client", datasourceId=table["id"])
    clients = field("lookups", "clients", datasourceId=table["id"])
    fields = [client, clients, field("repeat", "visits", fields=[client | {"name": "host"}])]
    first, second = await form(account, fields=fields), await form(account, fields=fields)
    for number, key in enumerate(ODD_KEYS):
        data = {"client": key, "clients": ODD_KEYS[number:], "visits": [{"host": key}, {"host": key}]}
        await submission(account, first, data=data, externalId=str(number))
    content = await download(account, first, kind)
    found = await imported(account, second, content, type_)
    assert (found["status"], found["imported"]) == ("DONE", len(ODD_KEYS)), found["errors"]
    before, after = await submissions_of(account, first), await submissions_of(account, second)
    assert comparable(after) == comparable(before)

    # A row that is no longer in the data source is rejected, as by POST, and the others are imported.
    url = f"{PREFIX}/customers/{account.id}/datasources/{table['id']}/rows"
    assert (await account.api.delete(url, params={"key": ODD_KEYS[0]})).is_success
    found = await imported(account, await form(account, fields=fields), content, type_, skipBadRows="true")
    assert (found["imported"], found["rejected"]) == (len(ODD_KEYS) - 1, 1)
    assert {one["code"] for one in found["errors"]} == {"answer.lookup.unknown"}


async def test_files_are_imported_if_they_were_uploaded_to_the_copy(account: Account) -> None:
    first, second = await form(account, fields=files.FIELDS), await form(account, fields=files.FIELDS)
    photo = await files.uploaded(account, first)
    data = {"site": "Quay", "photos": [photo], "defects": [{"picture": []}]}
    await submission(account, first, data=data, externalId="1")
    content = (await download(account, first, "csv")).decode()
    # A file belongs to one submission.
    refused = await imported(account, second, content.encode())
    assert refused["status"] == "REJECTED"
    assert [(one["column"], one["code"]) for one in refused["errors"]] == [("answers.photos", "file.unknown")]
    copy = await files.uploaded(account, second)
    found = await imported(account, second, content.replace(photo, copy).encode())
    assert (found["status"], found["imported"]) == ("DONE", 1), found["errors"]
    [item] = await submissions_of(account, second)
    assert item["data"] == data | {"photos": [copy]}
    assert [one["id"] for one in await files.listed(account, item["id"])] == [copy]
    # Without the column, the other answers are imported.
    third = await form(account, fields=files.FIELDS)
    assert (await imported(account, third, content.encode(), **{"columns.site": "answers.site"}))["imported"] == 1
