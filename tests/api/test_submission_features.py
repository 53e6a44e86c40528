"""Submissions as GeoJSON: which positions, rows and properties a page has, and how pages are joined."""

from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX
from factories.submissions import started, submission

ROWS = {"type": "repeat", "name": "visits", "label": "Visits"}
FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "id", "label": "A field called id"},
    {**ROWS, "fields": [{"type": "location", "name": "spot", "label": "Spot"}, {"type": "integer", "name": "size"}]},
    {
        "type": "section",
        "name": "more",
        "label": "More",
        "fields": [{"type": "location", "name": "place", "label": "Place"}],
    },
    {"type": "location", "name": "second", "label": "Second"},
]
for _row in FIELDS[1]["fields"]:
    _row.setdefault("label", _row["name"])


def at(longitude: float, latitude: float, **more: float) -> dict[str, float]:
    return {"latitude": latitude, "longitude": longitude} | more


async def read(account: Account, query: str) -> list[dict[str, Any]]:
    """Return all pages, following `next`."""
    found, following = [], f"{PREFIX}/customers/{account.id}/submissions.geojson?{query}"
    while following:
        response = await account.api.get(following)
        assert (response.status_code, response.headers["content-type"]) == (200, "application/geo+json"), response.text
        page = response.json()
        assert page["type"] == "FeatureCollection"
        assert response.links.get("next", {}).get("url") == page["next"]
        found.append(page)
        following = page["next"]
    return found


def places(pages: list[dict[str, Any]]) -> list[Any]:
    return [one["geometry"] and one["geometry"]["coordinates"] for page in pages for one in page["features"]]


async def test_pages_joined_have_all_submissions_with_their_positions(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    spots = [at(180, 90, accuracy=4), at(-180, -90), at(-179.5, 10), at(179.5, 11.25)]
    rows = [{"spot": at(1, 2), "size": 7}, {"size": 8}]
    answers = [{"id": f"n{n}", "place": spot, "second": at(5, 6)} for n, spot in enumerate(spots)]
    answers += [{"id": "nowhere", "visits": rows}]
    ids = [(await submission(account, new_form, data=one, location=at(9, 8)))["id"] for one in answers]
    draft = await started(account, new_form, "page1", place={"latitude": 91, "longitude": 0}, visits="none")

    pages = await read(account, f"formId={new_form['id']}&limit=2")
    features = [one for page in pages for one in page["features"]]
    assert [one["id"] for one in features] == [*ids, draft.id]
    assert places(pages) == [[180, 90], [-180, -90], [-179.5, 10], [179.5, 11.25], None, None]
    assert [page.get("bbox") for page in pages] == [[-180, -90, 180, 90], [179.5, 10, -179.5, 11.25], None]
    first = features[0]["properties"]
    assert first.items() >= {"_id": ids[0], "_form_id": new_form["id"], "_status": "SUBMITTED", "_accuracy": 4}.items()
    assert first.items() >= {"id": "n0", "place.accuracy": 4, "second.longitude": 5, "_row": None}.items()

    assert places(await read(account, f"formId={new_form['id']}&field=second&limit=4")) == [[5, 6]] * 4 + [None] * 2
    assert places(await read(account, "field=_location")) == [[9, 8]] * 5 + [None]
    assert places(await read(account, f"formId={new_form['id']}&answers.id=n2&status=SUBMITTED")) == [[-179.5, 10]]


async def test_rows_of_a_repeat_are_features(account: Account) -> None:
    new_form = await form(account, fields=FIELDS[:2])
    rows = [{"spot": at(1, 2), "size": 7}, {"size": 8}, {"spot": at(3, 4)}]
    full = (await submission(account, new_form, data={"id": "a", "visits": rows}))["id"]
    empty = (await submission(account, new_form, data={"id": "b"}))["id"]
    for field in ("", "&field=spot"):
        [page] = await read(account, f"formId={new_form['id']}{field}")
        assert [one["id"] for one in page["features"]] == [f"{full}/1", f"{full}/2", f"{full}/3", empty]
        assert places([page]) == [[1, 2], None, [3, 4], None]
        sizes = [(one["properties"]["_row"], one["properties"].get("size")) for one in page["features"]]
        assert sizes == [(1, 7), (2, 8), (3, None), (None, None)]
        assert not any("id" in one["properties"] for one in page["features"]), "answers of the row only"


async def test_forms_without_a_location_field_use_where_they_were_filled_in(account: Account) -> None:
    plain, located = await form(account), await form(account, fields=FIELDS)
    await submission(account, plain, location=at(1, 2))
    await submission(account, located, data={"place": at(3, 4)}, location=at(5, 6))
    assert places(await read(account, "")) == [[1, 2], [3, 4]]
    assert places(await read(account, "field=place")) == [None, [3, 4]]


@pytest.mark.parametrize("field", ["nobody", "id", "visits", "place.latitude", "x'\"%"])
async def test_an_unknown_field_is_refused(account: Account, field: str) -> None:
    new_form = await form(account, fields=FIELDS)
    address = f"{PREFIX}/customers/{account.id}/submissions.geojson"
    response = await account.api.get(address, params={"formId": new_form["id"], "field": field})
    assert response.status_code == 400, response.text
    assert [(one["pointer"], one["code"]) for one in response.json()["errors"]] == [
        ("?field", "query.location.unknown")
    ]


async def test_a_field_of_an_earlier_version_is_found(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    await submission(account, new_form, data={"second": at(5, 6)})
    versions = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    version = (await account.api.post(versions, json={"fields": FIELDS[:3]})).json()
    assert (await account.api.post(f"{versions}/{version['id']}/publish")).status_code == 200
    assert places(await read(account, f"formId={new_form['id']}&field=second")) == [[5, 6]]


async def test_lines_and_areas_have_their_shapes(account: Account) -> None:
    row = {"type": "line", "name": "fence", "label": "Fence"}
    fields = [
        {"type": "area", "name": "plot", "label": "Plot", "indexed": True},
        {"type": "line", "name": "way", "label": "Way"},
        {**ROWS, "fields": [row]},
    ]
    new_form = await form(account, fields=fields)
    clockwise = [at(179, 1), at(179, 2), at(-179, 2), at(-179, 1, accuracy=3)]
    data = {"plot": clockwise, "way": clockwise[:2], "visits": [{"fence": clockwise[1:3]}, {}]}
    await submission(account, new_form, data=data)
    await started(account, new_form, "page1", plot=[at(1, 1)], way=[at(1, 2), "x"], visits=[{"fence": {"latitude": 1}}])

    ring = [[-179, 1], [-179, 2], [179, 2], [179, 1], [-179, 1]]
    for field, shapes in (
        ("", [{"type": "Polygon", "coordinates": [ring]}, None]),
        ("&field=way", [{"type": "LineString", "coordinates": [[179, 1], [179, 2]]}, None]),
        ("&field=fence", [{"type": "LineString", "coordinates": [[179, 2], [-179, 2]]}, None, None]),
    ):
        [page] = await read(account, f"formId={new_form['id']}{field}")
        assert [one["geometry"] for one in page["features"]] == shapes
    [page] = await read(account, f"formId={new_form['id']}&field=plot&status=SUBMITTED")
    assert page["bbox"] == [179, 1, -179, 2]
    properties = page["features"][0]["properties"]
    assert properties["_accuracy"] is None
    assert not {"plot", "way"} & properties.keys()
