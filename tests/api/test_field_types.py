"""What a field type is said to accept can be answered: a submission with it succeeds. Generated over all types."""

from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from actors import Account
from factories.datasources import datasource
from factories.forms import form
from factories.requests import get, post

from formwright.domain.forms.fields import FIELD_CLASSES
from scripts import field_types

Json = dict[str, Any]
DESCRIBED: Mapping[str, Json] = {kind: field_types.describe(kind) for kind in FIELD_CLASSES}


def _kinds(question: str) -> list[str]:
    return [kind for kind, one in DESCRIBED.items() if one[question]]


def _document(kind: str, source: Json, name: str = "one", **members: Any) -> Json:
    """Return the field with a real data source."""
    document: Json = msgspec.to_builtins(field_types.make_field(kind, name)) | members
    return document | ({"datasourceId": source["id"]} if "datasourceId" in document else {})


def _cell(answer: Any) -> str:
    """Return the cell that equals an answer."""
    if isinstance(answer, list):
        return ",".join(answer)
    return str(answer).lower() if isinstance(answer, bool) else str(answer)


async def _source(account: Account, cell: str = "") -> Json:
    return await datasource(account, rows=[{"number": "K-1", "column": cell}, {"number": "K-2", "column": "other"}])


async def _submit(account: Account, fields: list[Json], data: Json, **members: Any) -> Json:
    new_form = await form(account, fields=fields, **members)
    sent = await post(account, f"/customers/{account.id}/forms/{new_form['id']}/submissions", {"data": data})
    return await get(account, f"/customers/{account.id}/submissions/{sent['id']}")


@pytest.mark.parametrize("kind", _kinds("calculation"))
async def test_a_calculated_answer_is_accepted(account: Account, kind: str) -> None:
    source, answer = await _source(account), field_types.ANSWERS[kind]
    fields = [_document(kind, source, "other"), _document(kind, source, calculate="other")]
    assert (await _submit(account, fields, {"other": answer}))["data"] == {"other": answer, "one": answer}


@pytest.mark.parametrize("kind", _kinds("default"))
async def test_a_default_is_an_answer(account: Account, kind: str) -> None:
    answer = field_types.ANSWERS[kind]
    fields = [_document(kind, {}, default=answer)]
    assert (await _submit(account, fields, {"one": answer}))["data"] == {"one": answer}


@pytest.mark.parametrize("kind", _kinds("title"))
async def test_an_answer_is_the_title(account: Account, kind: str) -> None:
    answer = field_types.ANSWERS[kind]
    fields, settings = [_document(kind, await _source(account))], {"titleField": "one"}
    assert (await _submit(account, fields, {"one": answer}, settings=settings))["data"] == {"one": answer}


@pytest.mark.parametrize("kind", _kinds("filters rows"))
async def test_rows_are_filtered_by_an_answer(account: Account, kind: str) -> None:
    answer = field_types.ANSWERS[kind]
    source = await _source(account, _cell(answer))
    row = _document("lookup", source, "row", filter={"column": "one"})
    data = {"one": answer, "row": "K-1"}
    assert (await _submit(account, [_document(kind, source), row], data))["data"] == data


@pytest.mark.parametrize(
    "kind", [kind for kind, one in DESCRIBED.items() if one["answer"] != "NONE" and not one["calculation"]]
)
async def test_a_calculation_that_nobody_can_answer_is_rejected(account: Account, kind: str) -> None:
    fields = [_document(kind, {}, "other"), _document(kind, {}, calculate="other")]
    response = await account.api.post("/api/v1.0/forms", json={"name": "Visit", "fields": fields})
    assert [(one["pointer"], one["code"]) for one in response.json()["errors"]] == [
        ("/fields/1/calculate", "field.rule")
    ]


async def test_a_filter_by_an_unknown_column_is_rejected(account: Account) -> None:
    source = await _source(account)
    row = _document("lookup", source, "row", filter={"colour": "one"})
    fields = [_document("text", {}), row]
    response = await account.api.post("/api/v1.0/forms", json={"name": "Visit", "fields": fields})
    [error] = response.json()["errors"]
    assert (error["pointer"], error["code"]) == ("/fields/1/filter/colour", "field.column.unknown")
