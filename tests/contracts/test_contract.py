"""The OpenAPI document differs from the published contract only by additions, and the check detects what is none."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from factories.openapi_validator import described

from scripts.contract import PROMISED, breaking

PATH = "/api/v1.0/customers/{customerId}/tasks/{taskId}"
ROWS = "/api/v1.0/customers/{customerId}/datasources/{datasourceId}/rows"
Json = dict[str, Any]


def test_the_document_breaks_nothing_in_the_contract() -> None:
    found = breaking(json.loads(PROMISED.read_text()), described())
    assert not found, "Callers would break. Leave it as it was, or bring it in a new version:\n" + "\n".join(found)


def test_a_document_is_compatible_with_itself() -> None:
    assert breaking(described(), described()) == []


def _schema(document: Json, name: str) -> Json:
    found: Json = document["components"]["schemas"][name]
    return found


def _task(document: Json) -> Json:
    return _schema(document, "Task")


def _new(document: Json) -> Json:
    return _schema(document, "TaskCreate")


def _post(document: Json) -> Json:
    found: Json = document["paths"]["/api/v1.0/customers/{customerId}/{formId}/tasks"]["post"]
    return found


def _rows(document: Json) -> Json:
    found: Json = document["paths"][ROWS]["post"]["requestBody"]["content"]
    return found


def _get(document: Json) -> Json:
    found: Json = document["paths"][PATH]["get"]
    return found


BREAKS: dict[str, tuple[Callable[[Json], Any], str]] = {
    "a path is removed": (lambda d: d["paths"].pop(PATH), "removed"),
    "a method is removed": (lambda d: d["paths"][PATH].pop("get"), "removed"),
    "another name for generators": (lambda d: _get(d).update(operationId="readTask"), "operationId"),
    "a parameter is removed": (lambda d: _get(d)["parameters"].pop(0), "removed"),
    "a parameter is required": (
        lambda d: _get(d)["parameters"].append({"name": "x", "in": "query", "required": True, "schema": {}}),
        "x: now required",
    ),
    "a response property is removed": (lambda d: _task(d)["properties"].pop("message"), "message: removed"),
    "a response property may be missing": (lambda d: _task(d)["required"].remove("message"), "now optional"),
    "a response property has another type": (
        lambda d: _task(d)["properties"].update(message={"type": "integer"}),
        "type was string and is integer",
    ),
    "a response property may be null": (
        lambda d: _task(d)["properties"].update(message={"anyOf": [{"type": "string"}, {"type": "null"}]}),
        "may now be null",
    ),
    "a request property is removed": (lambda d: _new(d)["properties"].pop("message"), "message: removed"),
    "a request property is required": (
        lambda d: _new(d).update(required=[*_new(d).get("required", []), "message"]),
        "message: now required",
    ),
    "a limit is narrower": (lambda d: _new(d)["properties"]["message"].update(maxLength=3), "maxLength"),
    "a limit is new": (lambda d: _new(d)["properties"]["message"].update(minLength=3), "minLength"),
    "a value is no longer accepted": (
        lambda d: _schema(d, "CompleteWhen")["enum"].remove("ANY"),
        "ANY is no longer accepted",
    ),
    "a file is no longer accepted": (lambda d: _rows(d).pop("text/csv"), "text/csv removed"),
    "a file has to be a list": (
        lambda d: _rows(d)["text/csv"].update(schema={"type": "array"}),
        "anything and is array",
    ),
    "a body is no longer accepted": (lambda d: _post(d).pop("requestBody"), "no longer accepts a body"),
    "a success response is removed": (lambda d: _post(d)["responses"].pop("201"), "status 201 removed"),
    "an event is removed": (lambda d: d["webhooks"].pop("task.created"), "webhook task.created: removed"),
    "a code is removed": (
        lambda d: d.update(json.loads(json.dumps(d).replace('"task.not_found"', '"task.missing"'))),
        "code task.not_found: removed",
    ),
    "a code has another status": (
        lambda d: _get(d)["responses"].update({"410": _get(d)["responses"].pop("404")}),
        "code task.not_found: status was 404 and is 404 or 410",
    ),
}
ADDS: dict[str, Callable[[Json], Any]] = {
    "a path": lambda d: d["paths"].update({"/api/v1.0/more": copy.deepcopy(d["paths"][PATH])}),
    "a response property": lambda d: _task(d)["properties"].update(more={"type": "string"}),
    "a response property that is always there": lambda d: (
        _task(d)["properties"].update(more={"type": "string"}),
        _task(d)["required"].append("more"),
    ),
    "a request property": lambda d: _new(d)["properties"].update(more={"type": "string"}),
    "a parameter": lambda d: _get(d)["parameters"].append({"name": "x", "in": "query", "schema": {}}),
    "a wider limit": lambda d: _new(d)["properties"]["message"].update(maxLength=10**6),
    "a value": lambda d: _schema(d, "CompleteWhen")["enum"].append("HALF"),
    "an event": lambda d: d["webhooks"].update({"task.more": d["webhooks"]["task.created"]}),
}


def test_a_pattern_may_accept_more() -> None:
    known, more = (
        r"^(\*|(form|task)\.\*|form[.]made)$(?!\n)",
        r"^(\*|(form|group|task)\.\*|form[.]made|form[.]gone)$(?!\n)",
    )
    old, new = copy.deepcopy(described()), copy.deepcopy(described())
    _new(old)["properties"]["message"]["pattern"], _new(new)["properties"]["message"]["pattern"] = known, more
    assert breaking(old, new) == []
    assert any(one.endswith(r"accepts form[.]gone or group\.\*") for one in breaking(new, old))


@pytest.mark.parametrize("what", BREAKS)
def test_breaking_changes_are_detected(what: str) -> None:
    change, expected = BREAKS[what]
    new = copy.deepcopy(described())
    change(new)
    found = breaking(described(), new)
    assert any(expected in difference for difference in found), found


def test_an_empty_schema_of_a_file_is_the_same_as_a_described_one() -> None:
    unsaid = copy.deepcopy(described())
    _rows(unsaid)["text/csv"] = {}
    assert breaking(unsaid, described()) == breaking(described(), unsaid) == []


@pytest.mark.parametrize("what", ADDS)
def test_additions_are_allowed(what: str) -> None:
    new = copy.deepcopy(described())
    ADDS[what](new)
    assert breaking(described(), new) == []
