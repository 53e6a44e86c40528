"""The summary of a form: what it says about each kind of field, about older versions, and about invalid requests."""

from typing import Any

import pytest
from actors import Account
from factories.datasources import datasource
from factories.forms import form
from factories.requests import PREFIX, get, post
from factories.submissions import started, submission
from factories.users import built_in, member

from formwright.core.auth.actor import Actor, ResourceType
from formwright.domain.forms.models import FormNotFound
from formwright.domain.submissions.models import SubmissionFilter
from formwright.domain.summaries import service as summaries
from formwright.domain.users.models import Grant


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read submissions in several batches."""
    monkeypatch.setattr(summaries, "_FIRST_BATCH", 2)
    monkeypatch.setattr(summaries, "_MAX_BATCH", 3)


def field(type_: str, name: str, **more: Any) -> dict[str, Any]:
    return {"type": type_, "name": name, "label": name.capitalize(), **more}


def options(*values: str) -> list[dict[str, str]]:
    return [{"value": value, "label": value.upper()} for value in values]


async def summary(account: Account, form: dict[str, Any], query: str = "") -> dict[str, Any]:
    return await get(account, f"/customers/{account.id}/forms/{form['id']}/summary?{query}")


def by_name(found: dict[str, Any], name: str, **like: Any) -> dict[str, Any]:
    [one] = [one for one in found["fields"] if one["name"] == name and one.items() >= like.items()]
    return one


async def publish(account: Account, form: dict[str, Any], fields: list[dict[str, Any]]) -> None:
    versions = f"/forms/customer/{account.id}/forms/{form['id']}/versions"
    version = await post(account, versions, {"fields": fields})
    response = await account.api.post(f"{PREFIX}{versions}/{version['id']}/publish")
    assert response.status_code == 200, response.text


async def test_each_kind_of_field_has_its_figures(account: Account) -> None:
    source = await datasource(account)
    fields = [
        field("choice", "colour", options=options("red", "blue", "grey")),
        field("choices", "tags", options=options("a", "b")),
        field("boolean", "happy"),
        field("decimal", "height"),
        field("rating", "stars"),
        field("ranking", "order", options=options("x", "y", "z")),
        field("nps", "likely", lowLabel="No", highLabel="Yes"),
        field("date", "day"),
        field("time", "hour"),
        field("datetime", "moment"),
        field("section", "more", fields=[field("textarea", "remark"), field("note", "hint")]),
        field("lookup", "client", datasourceId=source["id"], display=["name"]),
        field("location", "spot"),
        field("repeat", "visits", fields=[field("integer", "people"), field("text", "who")]),
    ]
    new_form = await form(account, fields=fields)
    answers: list[dict[str, Any]] = [
        {
            "colour": "red",
            "tags": ["a", "b"],
            "happy": True,
            "height": 1.5,
            "stars": 5,
            "order": ["y", "x", "z"],
            "likely": 10,
            "day": "2026-03-29",
            "hour": "14:30",
            "moment": "2026-03-29T23:30:00Z",
            "remark": "Don't panic, Straße Straße!",
            "client": "C-2",
            "spot": {"latitude": 10, "longitude": 179},
            "visits": [{"people": 3, "who": "Ann"}, {"people": 5}, {}],
        },
        {
            "colour": "blue",
            "tags": ["a"],
            "happy": False,
            "height": 2.5,
            "stars": 4,
            "order": ["y", "z", "x"],
            "likely": 3,
            "day": "2026-04-02",
            "hour": "14:59:59",
            "moment": "2026-04-30T10:00:00+02:00",
            "remark": "हिन्दी panic",
            "client": "C-2",
            "spot": {"latitude": -20, "longitude": -179},
            "visits": [{"people": 4}],
        },
        {"colour": "red", "height": 4.0, "likely": 9},
    ]
    ids = [(await submission(account, new_form, data=one))["id"] for one in answers]
    await started(
        account,
        new_form,
        "page1",
        height="tall",
        tags="a",
        visits=3,
        stars=True,
        colour="green",
        spot=7,
        likely=11,
        order=["gone", 1],
    )

    found = await summary(account, new_form)
    assert found["submissions"] == 4
    assert {one["status"]: one["count"] for one in found["statuses"]} == {
        "STARTED": 1,
        "SUBMITTED": 3,
        "APPROVED": 0,
        "REJECTED": 0,
    }
    assert sum(one["count"] for one in found["periods"]["items"]) == 4
    names = [(one["name"], one["repeat"]) for one in found["fields"]]
    assert names[-3:] == [("visits", None), ("people", "visits"), ("who", "visits")]
    assert not any(one["removed"] or one["renamedTo"] for one in found["fields"])

    colour = by_name(found, "colour", kind="CHOICE", answered=4, missing=0, other=1)
    assert [(one["value"], one["label"], one["count"], one["share"]) for one in colour["options"]] == [
        ("red", "RED", 2, 0.5),
        ("blue", "BLUE", 1, 0.25),
        ("grey", "GREY", 0, 0),
    ]
    tags = by_name(found, "tags", kind="CHOICES", answered=2, missing=2)
    assert [(one["count"], one["share"]) for one in tags["options"]] == [(2, 1), (1, 0.5)]
    happy = by_name(found, "happy", kind="BOOLEAN", answered=2)
    assert [(one["value"], one["count"]) for one in happy["options"]] == [("true", 1), ("false", 1)]
    figures = by_name(found, "height", kind="NUMBER", answered=3, missing=1)["figures"]
    quartiles = {"lowerQuartile": 2, "median": 2.5, "upperQuartile": 3.25}
    assert figures.items() >= ({"minimum": 1.5, "maximum": 4, "mean": 8 / 3} | quartiles).items()
    assert sum(one["count"] for one in figures["histogram"]) == 3
    stars = by_name(found, "stars", kind="RATING", answered=2)
    assert [(one["value"], one["share"]) for one in stars["values"]] == [(4, 0.5), (5, 0.5)]
    ranks = by_name(found, "order", kind="RANKING", answered=2, missing=2)["ranks"]
    assert [(one["value"], one["mean"], one["first"]) for one in ranks] == [("x", 2.5, 0), ("y", 1, 2), ("z", 2.5, 0)]
    assert [one["places"] for one in ranks] == [[0, 1, 1], [2, 0, 0], [0, 1, 1]]
    likely = by_name(found, "likely", kind="NPS", answered=3, missing=1)
    assert likely["netPromoter"] == {"score": 100 / 3, "promoters": 2, "passives": 0, "detractors": 1}
    assert [one["value"] for one in likely["values"]] == [3, 9, 10]
    day = by_name(found, "day", kind="DATE")["periods"]
    assert (day["unit"], day["first"], day["last"]) == ("DAY", "2026-03-29", "2026-04-02")
    assert [one["count"] for one in day["items"]] == [1, 0, 0, 0, 1]
    hour = by_name(found, "hour", kind="TIME")["periods"]
    assert (hour["unit"], hour["items"][14], hour["last"]) == (
        "HOUR_OF_DAY",
        {"start": "14:00", "count": 2},
        "14:59:59",
    )
    moment = by_name(found, "moment", kind="DATETIME")["periods"]
    assert (moment["unit"], len(moment["items"]), moment["last"]) == ("DAY", 33, "2026-04-30T08:00")
    texts = by_name(found, "remark", kind="TEXT")["texts"]
    assert [one["submissionId"] for one in texts["newest"]] == [ids[1], ids[0]]
    assert [(one["word"], one["count"]) for one in texts["words"]] == [
        ("panic", 2),
        ("straße", 2),
        ("don't", 1),
        ("हिन्दी", 1),
    ]
    [row] = by_name(found, "client", kind="LOOKUP")["rows"]["items"]
    assert row.items() >= {"count": 2, "share": 1, "submissionId": ids[1]}.items()
    assert (row["key"], row["label"]) == ("C-2", "Customer 2")
    spot = by_name(found, "spot", kind="LOCATION", answered=2, missing=2)
    assert spot["boundingBox"] == [179, -20, -179, 10]
    visits = by_name(found, "visits", kind="REPEAT", answered=2, missing=2)["repeated"]
    assert (visits["rows"], visits["perSubmission"]["mean"]) == (4, 2)
    assert by_name(found, "people", repeat="visits", answered=3, missing=1)["figures"]["median"] == 4
    assert by_name(found, "who", repeat="visits", answered=1)["texts"]["newest"][0]["text"] == "Ann"


async def test_the_filter_of_the_list_applies(account: Account) -> None:
    new_form = await form(account, fields=[field("integer", "people"), field("text", "site")])
    other = await form(account, fields=[field("integer", "people")])
    for people in (1, 2, 3):
        await submission(account, new_form, data={"people": people, "site": "A"})
    await submission(account, other, data={"people": 3})
    view = {
        "name": "Busy",
        "formId": new_form["id"],
        "filter": {"answers": {"people[gte]": "3"}},
        "columns": ["answers.people"],
    }
    saved = await post(account, f"/customers/{account.id}/views", view)

    assert (await summary(account, new_form, "answers.people[gte]=2"))["submissions"] == 2
    assert (await summary(account, new_form, "status=APPROVED"))["submissions"] == 0
    of_view = await summary(account, new_form, f"view={saved['id']}")
    assert (of_view["submissions"], [one["name"] for one in of_view["fields"]]) == (1, ["people"])
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "Empty"})
    empty = await summary(account, new_form, f"folderId={folder['id']}")
    assert (empty["submissions"], empty["periods"], empty["medianFillSeconds"]) == (0, None, None)
    assert by_name(empty, "people").items() >= {"answered": 0, "missing": 0, "figures": None}.items()


async def test_fields_of_older_versions_are_not_mixed_with_others(account: Account) -> None:
    first = [
        field("integer", "size"),
        field("text", "town"),
        field("choice", "kind", options=options("old", "same")),
        field("text", "gone"),
    ]
    new_form = await form(account, fields=first)
    await submission(account, new_form, data={"size": 7, "town": "Ulm", "kind": "old", "gone": "x"})
    second = [
        field("text", "size"),
        {**field("text", "city"), "label": "Town"},
        field("choice", "kind", options=options("new", "same")),
    ]
    await publish(account, new_form, second)
    await submission(account, new_form, data={"size": "large", "city": "Bonn", "kind": "new"})

    found = await summary(account, new_form)
    order = [(one["name"], one["versions"], one["removed"], one["renamedTo"]) for one in found["fields"]]
    assert order == [
        ("size", [2], False, None),
        ("city", [2], False, None),
        ("kind", [1, 2], False, None),
        ("size", [1], True, None),
        ("town", [1], True, "city"),
        ("gone", [1], True, None),
    ]
    assert by_name(found, "size", kind="NUMBER", answered=1, missing=0)["figures"]["maximum"] == 7
    assert by_name(found, "size", kind="TEXT", answered=1, missing=0)["texts"]["newest"][0]["text"] == "large"
    kind = by_name(found, "kind", answered=2)["options"]
    assert [(one["value"], one["count"], one["removed"]) for one in kind] == [
        ("new", 1, False),
        ("same", 0, False),
        ("old", 1, True),
    ]


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("answers.nobody=1", "?answers.nobody"),
        ("answers.people[contains]=1", "?answers.people[contains]"),
        ("limit=3", "?limit"),
        ("splitBy=people", "?splitBy"),
        ("splitBy=nobody", "?splitBy"),
        ("submittedFrom=yesterday", "?submittedFrom"),
    ],
)
async def test_invalid_filters_are_refused(account: Account, query: str, pointer: str) -> None:
    new_form = await form(account, fields=[field("integer", "people")])
    response = await account.api.get(f"{PREFIX}/customers/{account.id}/forms/{new_form['id']}/summary?{query}")
    assert response.status_code == 400, response.text
    assert [one["pointer"] for one in response.json()["errors"]] == [pointer]


async def test_submissions_are_split_by_the_most_frequent_options(account: Account) -> None:
    values = [f"o{number}" for number in range(9)]
    fields = [field("choice", "kind", options=options(*values)), field("integer", "size"), field("text", "who")]
    new_form = await form(account, fields=fields)
    # The option `oN` has N submissions of the sizes 1 to N.
    for number, value in enumerate(values):
        for size in range(1, number + 1):
            await submission(account, new_form, data={"kind": value, "size": size, "who": value})
    await submission(account, new_form, data={"size": 100})

    found = await summary(account, new_form, "splitBy=kind&answers.size[gte]=2")
    split = found["split"]
    sizes = [(one["value"], one["label"], one["submissions"]) for one in split["groups"]]
    assert sizes == [(f"o{n}", f"O{n}", n - 1) for n in (8, 7, 6, 5, 4)] + [(None, None, 1)]
    assert (split["field"], split["others"]) == ("kind", 3)
    assert sum(one["submissions"] for one in split["groups"]) + split["others"] == found["submissions"]
    for group, number in zip(split["groups"], (8, 7, 6, 5, 4), strict=False):
        size = by_name(group, "size", answered=number - 1)["figures"]
        assert (size["minimum"], size["maximum"], size["mean"]) == (2, number, (number + 2) / 2)
        assert {one["text"] for one in by_name(group, "who")["texts"]["newest"]} == {f"o{number}"}
    assert by_name(split["groups"][-1], "size")["figures"]["median"] == 100
    assert (await summary(account, new_form))["split"] is None
    await submission(account, new_form, data={"kind": "o1", "size": 2})
    assert (await summary(account, new_form, "splitBy=kind&answers.size[gte]=2"))["split"]["others"] == 4, "at once"


async def test_a_grant_on_one_folder_shows_only_its_figures(account: Account) -> None:
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    inside, outside = await form(account, folderId=folder["id"]), await form(account)
    for new_form in (inside, inside, outside):
        await submission(account, new_form)
    role = await built_in(account, "Form manager")
    person = await member(account, Grant(role, ResourceType.FOLDER, folder["id"]), name="north")

    async def count(actor: Actor, form_id: str, filter_: SubmissionFilter) -> int:
        async with account.ctx.db.reading() as tx:
            plan = await summaries.plan(tx, actor, form_id=form_id)
        return (await summaries.compute(account.ctx.db, actor, plan, filter_)).submissions

    assert await count(person, inside["id"], SubmissionFilter()) == 2
    assert await count(person, inside["id"], SubmissionFilter(form_ids=[outside["id"]])) == 0
    with pytest.raises(FormNotFound):
        await count(person, outside["id"], SubmissionFilter())


async def test_a_form_with_500_fields(account: Account) -> None:
    new_form = await form(account, fields=[field("integer", f"n{number}") for number in range(500)])
    path = f"/customers/{account.id}/forms/{new_form['id']}/summary"
    for value in (1, 3):
        await submission(account, new_form, data={f"n{number}": number + value for number in range(0, 500, 2)})
    found = (await get(account, path))["fields"]
    assert [one["name"] for one in found] == [f"n{number}" for number in range(500)]
    assert [one["answered"] for one in found] == [2, 0] * 250
    assert [one["figures"]["mean"] for one in found[::2]] == [number + 2 for number in range(0, 500, 2)]
