"""Lists of submissions filtered by answers of every field type, with and without an index."""

import asyncio
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.pagination import ids, pages
from factories.requests import PREFIX, get, post
from factories.submissions import started, submission

from formwright.domain.submissions.answer_index import run_backfill_step

_PANGRAM = "СЪЕШЬ ещё этих мягких французских булок, да выпей чаю; Ζαφείρι δέξου πάγκαλο, βαθῶν ψυχῆς τὸ σῆμα"
OPTIONS = [{"value": value, "label": value.upper()} for value in ("a", "b", "a,b")]


def fields(*, indexed: bool) -> list[dict[str, Any]]:
    """A field of each type that can be compared."""
    plain = {
        "name": "text",
        "count": "integer",
        "weight": "decimal",
        "safe": "boolean",
        "day": "date",
        "at": "time",
        "moment": "datetime",
        "spot": "location",
    }
    every = [{"type": kind, "name": name} for name, kind in plain.items()]
    every += [
        {"type": "choice", "name": "kind", "options": OPTIONS},
        {"type": "choices", "name": "seen", "options": OPTIONS},
    ]
    inner = [{"type": "integer", "name": "size"}, {"type": "text", "name": "who"}]
    inner.append({"type": "choices", "name": "tags", "options": OPTIONS})
    every.append({"type": "section", "name": "more", "fields": [{"type": "text", "name": "remark"}]})
    every.append({"type": "repeat", "name": "visits", "fields": inner})
    return [_marked(one, indexed) for one in every]


def _marked(field: dict[str, Any], indexed: bool) -> dict[str, Any]:
    below = {"fields": [_marked(one, indexed) for one in field["fields"]]} if "fields" in field else {}
    return {"label": field["name"], "indexed": indexed} | field | below


ANSWERS: list[dict[str, Any]] = [
    {
        "name": "Ärger",
        "count": 2,
        "weight": 0.1,
        "safe": True,
        "day": "2026-03-29",
        "at": "09:05",
        "moment": "2026-03-29T12:00:00+02:00",
        "spot": {"latitude": 53.5, "longitude": -10, "accuracy": 4},
        "kind": "a",
        "seen": ["a", "b"],
        "remark": "north",
        "visits": [{"size": 1, "who": "Ann"}, {"size": 30, "who": "Bob", "tags": ["b", "a"]}],
    },
    {
        "name": "straße 🎉 <b>",
        "count": 10,
        "weight": -3.25,
        "safe": False,
        "day": "2025-12-31",
        "at": "23:59:30",
        "moment": "2026-03-29T10:00:00.001Z",
        "spot": {"latitude": -1, "longitude": 0},
        "kind": "a,b",
        "seen": [],
        "visits": [{"size": 2}],
    },
    {},
]

CASES = {
    "answers.name=%C3%84rger": [0],
    "answers.name=%C3%A4rger": [],
    "answers.name[contains]=%C3%A4RG": [0],
    "answers.name[contains]=STRA%C3%9FE%20%F0%9F%8E%89 %3Cb": [1],
    "answers.name[contains]=%25": [],
    "answers.name[ne]=%C3%84rger": [1, 2],
    "answers.name[in]=x,%C3%84rger": [0],
    "answers.count=2": [0],
    "answers.count=2.0": [0],
    "answers.count[gt]=9": [1],
    "answers.count[gte]=2&answers.count[lt]=10": [0],
    "answers.count[lte]=10": [0, 1],
    "answers.count[ne]=2": [1, 2],
    "answers.count[in]=1,2,10": [0, 1],
    "answers.weight=0.1": [0],
    "answers.weight[lt]=-3": [1],
    "answers.weight[lt]=1e300": [0, 1],
    "answers.safe=true": [0],
    "answers.safe=false": [1],
    "answers.safe[ne]=true": [1, 2],
    "answers.day=2026-03-29": [0],
    "answers.day[lt]=2026-01-01": [1],
    "answers.at=09:05": [0],
    "answers.at[gte]=09:05:00": [0, 1],
    "answers.at[gt]=09:05:00": [1],
    "answers.moment=2026-03-29T10:00:00Z": [0],
    "answers.moment[gt]=2026-03-29T05:00:00-05:00": [1],
    "answers.moment[lte]=2026-03-29T10:00:00.001Z": [0, 1],
    "answers.spot.latitude[gte]=0&answers.spot.longitude[lt]=0": [0],
    "answers.spot.accuracy=4": [0],
    "answers.kind=a": [0],
    "answers.kind[in]=a\\,b": [1],
    "answers.kind[in]=a,b": [0],
    "answers.seen=b": [0],
    "answers.seen[contains]=b": [0],
    "answers.seen[ne]=b": [1, 2],
    "answers.remark=north": [0],
    "answers.size[gte]=30": [0],
    "answers.size[lt]=3": [0, 1],
    "answers.who[contains]=bo": [0],
    "answers.tags=a": [0],
    "answers.count=2&answers.kind=a,b": [],
}


@pytest.mark.parametrize("word", ["Στόχος", "ΟΔΌΣ", "İstanbul", "GROẞ", "Ǆ", "ЯЁ", _PANGRAM])
async def test_contains_matches_any_text_ignoring_case(account: Account, word: str) -> None:
    new_form = await form(account)
    known = (await submission(account, new_form, data={"site": f"{word} 5"}))["id"]
    for typed in (word, word.lower().replace("i\u0307", "i"), word[:-1]):
        found = await get(account, "/submissions", **{"formId": new_form["id"], "answers.site[contains]": typed})
        assert [item["id"] for item in found["items"]] == [known], typed


@pytest.mark.parametrize("sent", [r"\\srv\x,q", r"q,\\srv\x", r"\\srv\x"])
async def test_a_backslash_only_escapes_a_comma(account: Account, sent: str) -> None:
    new_form = await form(account)
    known = (await submission(account, new_form, data={"site": r"\\srv\x"}))["id"]
    found = await get(account, "/submissions", **{"formId": new_form["id"], "answers.site[in]": sent})
    assert [item["id"] for item in found["items"]] == [known]


@pytest.mark.parametrize("indexed", [False, True], ids=["read", "indexed"])
async def test_each_field_type_is_compared_by_its_own_rules(account: Account, indexed: bool) -> None:
    new_form = await form(account, fields=fields(indexed=indexed))
    known = [(await submission(account, new_form, data=data))["id"] for data in ANSWERS]
    for query, expected in CASES.items():
        found = await get(account, f"/submissions?formId={new_form['id']}&{query}")
        assert [known.index(item["id"]) for item in found["items"]] == expected, query


@pytest.mark.parametrize("indexed", [False, True], ids=["read", "indexed"])
async def test_an_in_condition_accepts_thousands_of_values(account: Account, indexed: bool) -> None:
    several = {"text": "7", "integer": 2_900, "choice": "9"}
    marked = {"name": "code", "label": "Code", "indexed": indexed}
    options = {"choice": {"options": [{"value": "9", "label": "Nine"}]}}
    forms = [await form(account, fields=[marked | {"type": kind} | options.get(kind, {})]) for kind in several]
    there = []
    for one, answer in zip(forms, several.values(), strict=True):
        there.append((await submission(account, one, data={"code": answer}))["id"])
    values = ",".join(map(str, range(3_000)))
    for of, expected in (
        ("", there),
        (f"&formId={forms[0]['id']}", there[:1]),
        (f"&formId={forms[1]['id']}", there[1:2]),
    ):
        found = await get(account, f"/submissions?answers.code[in]={values}{of}")
        assert ids([found["items"]]) == expected


async def test_started_submissions_may_contain_any_value(account: Account) -> None:
    new_form = await form(account, fields=fields(indexed=True))
    odd: list[Any] = [None, True, 3, 1.5e300, "now", "2026", "2026-99-99T00:00:00Z", "2026-02-31T00:00:00Z", [], [[1]]]
    odd += [{}, {"latitude": "x"}, {"latitude": [1]}, [{"size": "x", "tags": {}}], [3, "x", None], "x" * 9000]
    names = ["name", "count", "safe", "day", "at", "moment", "spot", "kind", "seen", "visits"]
    for number, value in enumerate(odd):
        await started(account, new_form, f"c{number}", **dict.fromkeys(names, value))
    for query in CASES:
        response = await account.api.get(f"{PREFIX}/submissions?formId={new_form['id']}&{query}")
        assert response.status_code == 200, f"{query}: {response.text}"


@pytest.mark.parametrize("indexed", [False, True], ids=["read", "indexed"])
async def test_numbers_are_compared_as_doubles(account: Account, indexed: bool) -> None:
    new_form = await form(account, fields=[{"type": "decimal", "name": "d", "label": "D", "indexed": indexed}])
    known = [(await submission(account, new_form, data={"d": 2**53 + n}))["id"] for n in (0, 2, 4)]
    for query, expected in {
        f"answers.d[gt]={2**53 + 1}&answers.d[lt]={2**53 + 3}": [1],
        f"answers.d={2**53 + 1}": [0],
        f"answers.d[in]={2**53 + 4},7": [2],
    }.items():
        found = await get(account, f"/submissions?formId={new_form['id']}&{query}")
        assert [known.index(item["id"]) for item in found["items"]] == expected, query


@pytest.mark.parametrize("indexed", [False, True], ids=["read", "indexed"])
async def test_a_number_out_of_range_matches_nothing(account: Account, indexed: bool) -> None:
    new_form = await form(account, fields=fields(indexed=indexed))
    for number in (10**309, -(10**309)):
        spot = {"latitude": 1, "longitude": 1, "accuracy": number}
        await started(account, new_form, f"c{number}"[:9], weight=number, spot=spot, visits=[{"size": number}])
    one = (await submission(account, new_form, data=ANSWERS[0]))["id"]
    for query in ("weight=0.1", "weight[gt]=0", "spot.accuracy[lt]=5", "size[in]=1,30", "size[gte]=1"):
        found = await get(account, f"/submissions?formId={new_form['id']}&answers.{query}")
        assert ids([found["items"]]) == [one], query


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("answers.nobody=1", "query.answers.unknown"),
        ("answers.visits=1", "query.answers.unknown"),
        ("answers.more=1", "query.answers.unknown"),
        ("answers.spot=1", "query.answers.unknown"),
        ("answers.=1", "query.unknown"),
        ("answers=1", "query.unknown"),
        ("answers.count[=1", "query.answers.unknown"),
        ("answers.count[like]=1", "query.answers.operator"),
        ("answers.count[GT]=1", "query.answers.operator"),
        ("answers.count[contains]=1", "query.answers.operator"),
        ("answers.name[gt]=a", "query.answers.operator"),
        ("answers.kind[contains]=a", "query.answers.operator"),
        ("answers.safe[gt]=true", "query.answers.operator"),
        ("answers.count=two", "query.value"),
        ("answers.count=", "query.value"),
        ("answers.count=1e999", "query.value"),
        ("answers.count=NaN", "query.value"),
        ("answers.count=١", "query.value"),
        ("answers.count[in]=1,,2", "query.value"),
        ("answers.safe=1", "query.value"),
        ("answers.day=29.3.2026", "query.value"),
        ("answers.day=2026-02-30", "query.value"),
        ("answers.at=25:00", "query.value"),
        ("answers.moment=2026-03-29T10:00:00", "query.value"),
        ("answers.count=1&answers.count=2", "query.repeated"),
        ("answers.name=a%00", "value.nul"),
    ],
)
async def test_invalid_conditions_are_rejected_with_a_pointer(account: Account, query: str, code: str) -> None:
    new_form = await form(account, fields=fields(indexed=False))
    response = await account.api.get(f"{PREFIX}/submissions?formId={new_form['id']}&{query}")
    assert response.status_code == 400
    assert [(f["pointer"], f["code"]) for f in response.json()["errors"]] == [("?" + query.partition("=")[0], code)]


async def test_a_name_may_belong_to_fields_of_several_types(account: Account) -> None:
    number = await form(account, fields=[{"type": "integer", "name": "size", "label": "Size"}])
    text = await form(account, fields=[{"type": "text", "name": "size", "label": "Size"}])
    other = await form(account)
    in_number = (await submission(account, number, data={"size": 12}))["id"]
    in_text = (await submission(account, text, data={"size": "12"}))["id"]
    in_other = (await submission(account, other))["id"]
    for query, expected in {
        "answers.size=12": [in_number, in_text],
        "answers.size[gt]=3": [in_number],
        "answers.size[contains]=2": [in_text],
        "answers.size[ne]=12": [in_other],
        f"answers.size=12&formId={text['id']}": [in_text],
    }.items():
        assert ids([(await get(account, f"/submissions?{query}"))["items"]]) == expected, query
    refused = await account.api.get(f"{PREFIX}/submissions?answers.size=big&formId={number['id']}")
    assert refused.status_code == 400
    assert (await get(account, "/submissions?answers.size=big"))["items"] == []


async def test_fields_and_answers_of_other_accounts_do_not_exist(account: Account, stranger: Account) -> None:
    theirs = await form(stranger, fields=[{"type": "text", "name": "secret", "label": "Secret", "indexed": True}])
    await submission(stranger, theirs, data={"secret": "x"})
    for query in ("answers.secret=x", f"answers.secret=x&formId={theirs['id']}"):
        assert (await account.api.get(f"{PREFIX}/submissions?{query}")).status_code == 400


async def _publish(account: Account, form: dict[str, Any], asked: list[dict[str, Any]]) -> None:
    versions = f"/forms/customer/{account.id}/forms/{form['id']}/versions"
    version = await post(account, versions, {"fields": asked})
    response = await account.api.post(f"{PREFIX}{versions}/{version['id']}/publish")
    assert response.status_code == 200, response.text


async def _index(account: Account, form: dict[str, Any]) -> set[tuple[str, str | None, float | None]]:
    async with account.ctx.db.reading() as tx:
        rows = await tx.fetch(
            "SELECT submission_id, text, number FROM answer_index WHERE customer_id = $1 AND form_id = $2",
            account.id,
            form["id"],
        )
    return {(row[0], row[1], row[2]) for row in rows}


async def test_the_index_follows_the_indexed_fields_of_the_form(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("formwright.domain.submissions.answer_index.BATCH_SIZE", 2)
    size = {"type": "integer", "name": "size", "label": "Size"}
    new_form = await form(account, fields=[size])
    before = [(await submission(account, new_form, data={"size": n % 3}))["id"] for n in range(5)]
    await _publish(account, new_form, [size | {"indexed": True}])

    async def right() -> None:
        found = await get(account, f"/submissions?formId={new_form['id']}&answers.size=1")
        assert ids([found["items"]]) == [one for n, one in enumerate(before) if n % 3 == 1]

    assert await _index(account, new_form) == set()
    await right()
    assert await run_backfill_step(account.ctx.db, account.id)
    assert len(await _index(account, new_form)) == 2
    await right()
    before.append((await submission(account, new_form, data={"size": 2}))["id"])
    while await run_backfill_step(account.ctx.db, account.id):
        await right()
    assert await _index(account, new_form) == {(one, None, n % 3) for n, one in enumerate(before)}
    await right()
    await _publish(account, new_form, [size])
    while await run_backfill_step(account.ctx.db, account.id):
        await right()
    assert await _index(account, new_form) == set()


async def test_a_failing_index_does_not_block_others(account: Account, stranger: Account) -> None:
    size = {"type": "integer", "name": "size", "label": "Size"}
    broken, *others = [await form(of, fields=[size]) for of in (account, account, stranger)]
    for of, created in zip((account, stranger), others, strict=True):
        await submission(of, created, data={"size": 7})
    for of, created in zip((account, account, stranger), (broken, *others), strict=True):
        await _publish(of, created, [size | {"indexed": True}])
    async with account.ctx.db.writing() as tx:
        await tx.execute(
            "UPDATE form_fields SET holds = 'nothing' WHERE customer_id = $1 AND form_id = $2", account.id, broken["id"]
        )
    for of in (account, stranger):
        while await run_backfill_step(of.ctx.db, of.id):
            pass
    assert [len(await _index(of, created)) for of, created in zip((account, stranger), others, strict=True)] == [1, 1]


async def test_pages_filtered_by_answers_are_complete_during_writes(account: Account) -> None:
    new_form = await form(account, fields=[{"type": "integer", "name": "size", "label": "Size", "indexed": True}])
    query = f"formId={new_form['id']}&answers.size[gte]=5&limit=3"
    there = [(await submission(account, new_form, data={"size": n}))["id"] for n in range(10)][5:]

    async def write() -> None:
        for n in range(8):
            await submission(account, new_form, data={"size": n})
            await started(account, new_form, f"c{n}", size=n)

    writing = asyncio.gather(write(), write())
    found = ids(await pages(account, f"/submissions?{query}"))
    await writing
    assert len(found) == len(set(found))
    assert found[: len(there)] == there
    assert [one for one in ids(await pages(account, f"/submissions?{query}")) if one in found] == found


@pytest.mark.parametrize(("handful", "few"), [(10, 20), (2, 20), (2, 4)], ids=["a handful", "few", "many"])
async def test_a_list_does_not_depend_on_the_number_of_index_matches(
    account: Account, monkeypatch: pytest.MonkeyPatch, handful: int, few: int
) -> None:
    monkeypatch.setattr("formwright.domain.submissions.store._FIRST_CANDIDATES", handful)
    monkeypatch.setattr("formwright.domain.submissions.store._MAX_CANDIDATES", few)
    new_form = await form(account, fields=[{"type": "integer", "name": "size", "label": "Size", "indexed": True}])
    there = [(await submission(account, new_form, data={"size": n % 2}))["id"] for n in range(10)][1::2]
    assert ids(await pages(account, f"/submissions?formId={new_form['id']}&answers.size[gte]=1&limit=2")) == there
