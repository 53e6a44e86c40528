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
    "a path is gone": (lambda d: d["paths"].pop(PATH), "gone"),
    "a method is gone": (lambda d: d["paths"][PATH].pop("get"), "gone"),
    "another name for generators": (lambda d: _get(d).update(operationId="readTask"), "operationId"),
    "a parameter is gone": (lambda d: _get(d)["parameters"].pop(0), "gone"),
    "a parameter is required": (
        lambda d: _get(d)["parameters"].append({"name": "x", "in": "query", "required": True, "schema": {}}),
        "x: required now",
    ),
    "a member of answers is gone": (lambda d: _task(d)["properties"].pop("message"), "message: gone"),
    "a member of answers may be missing": (lambda d: _task(d)["required"].remove("message"), "may be missing"),
    "a member of answers has another type": (
        lambda d: _task(d)["properties"].update(message={"type": "integer"}),
        "type was string and is integer",
    ),
    "a member of answers may be null": (
        lambda d: _task(d)["properties"].update(message={"anyOf": [{"type": "string"}, {"type": "null"}]}),
        "may be null",
    ),
    "a member of requests is gone": (lambda d: _new(d)["properties"].pop("message"), "message: gone"),
    "a member of requests is required": (
        lambda d: _new(d).update(required=[*_new(d).get("required", []), "message"]),
        "message: required now",
    ),
    "a bound is narrower": (lambda d: _new(d)["properties"]["message"].update(maxLength=3), "maxLength"),
    "a bound is new": (lambda d: _new(d)["properties"]["message"].update(minLength=3), "minLength"),
    "a value is no longer taken": (
        lambda d: _schema(d, "CompleteWhen")["enum"].remove("ANY"),
        "ANY is no longer taken",
    ),
    "a file is no longer taken": (lambda d: _rows(d).pop("text/csv"), "text/csv gone"),
    "a file has to be a list": (
        lambda d: _rows(d)["text/csv"].update(schema={"type": "array"}),
        "anything and is array",
    ),
    "a body is no longer taken": (lambda d: _post(d).pop("requestBody"), "takes no body"),
    "a success is gone": (lambda d: _post(d)["responses"].pop("201"), "status 201 gone"),
    "an event is gone": (lambda d: d["webhooks"].pop("task.created"), "webhook task.created: gone"),
    "a code is gone": (
        lambda d: d.update(json.loads(json.dumps(d).replace('"task.not_found"', '"task.missing"'))),
        "code task.not_found: gone",
    ),
    "a code has another status": (
        lambda d: _get(d)["responses"].update({"410": _get(d)["responses"].pop("404")}),
        "code task.not_found: status was 404 and is 404 or 410",
    ),
}
ADDS: dict[str, Callable[[Json], Any]] = {
    "a path": lambda d: d["paths"].update({"/api/v1.0/more": copy.deepcopy(d["paths"][PATH])}),
    "a member of answers": lambda d: _task(d)["properties"].update(more={"type": "string"}),
    "a member of answers that is always there": lambda d: (
        _task(d)["properties"].update(more={"type": "string"}),
        _task(d)["required"].append("more"),
    ),
    "a member of requests": lambda d: _new(d)["properties"].update(more={"type": "string"}),
    "a parameter": lambda d: _get(d)["parameters"].append({"name": "x", "in": "query", "schema": {}}),
    "a wider bound": lambda d: _new(d)["properties"]["message"].update(maxLength=10**6),
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
    assert any(one.endswith(r"takes form[.]gone or group\.\*") for one in breaking(new, old))


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
