"""The schemas of the OpenAPI document: of every shape that is sent or answered, and of what an event holds."""

from collections.abc import Sequence
from typing import Any

import msgspec

from formwright.api.binary_bodies import is_file
from formwright.api.errors import Problem
from formwright.api.operations import Operation
from formwright.api.v1_0.schemas.events import CATALOGUE, DataLink, Event

REF = "#/components/schemas/{name}"


def schemas_of(operations: Sequence[Operation]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """The schema of every shape that is used, and the components they refer to."""
    wanted: list[Any] = [Problem, DataLink, *(Event[data] for _, data, _ in CATALOGUE.values())]  # type: ignore[valid-type]
    for operation in operations:
        shapes = (operation.body, operation.answer)
        wanted += [shape for shape in shapes if shape not in (None, type(None)) and not is_file(shape)]
    unique = list(dict.fromkeys(wanted))
    found, components = msgspec.json.schema_components(unique, ref_template=REF)
    renamed = {name: _component_name(name) for name in components}
    schemas = {renamed[name]: _opened(_rename(schema, renamed)) for name, schema in sorted(components.items())}
    for name, schema in schemas.items():
        schema["title"] = name
        if name.endswith("Event"):
            _allow_link(schema["properties"]["data"])
    return {shape: _opened(_rename(schema, renamed)) for shape, schema in zip(unique, found, strict=True)}, schemas


def _opened(schema: Any) -> Any:
    """Where nothing is said of an object's members it may have any; some generators take it for one that has none."""
    if isinstance(schema, list):
        return [_opened(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    bare = schema.get("type") == "object" and not {"properties", "additionalProperties"} & schema.keys()
    return {key: _opened(value) for key, value in schema.items()} | ({"additionalProperties": True} if bare else {})


def _allow_link(data: dict[str, Any]) -> None:
    """Let a link stand for the resource in an event: that is sent where the resource is too large."""
    if resource := data.pop("$ref", None):
        data["anyOf"] = [{"$ref": resource}, {"$ref": REF.format(name=DataLink.__name__)}]


def _component_name(name: str) -> str:
    """`List_Submission_` as `SubmissionList`, `Event_Task_` as `TaskEvent`."""
    outer, _, inner = name.partition("_")
    inner = inner.strip("_")
    return outer if inner.startswith("dict") else inner + outer


def _rename(schema: Any, names: dict[str, str]) -> Any:
    if isinstance(schema, list):
        return [_rename(item, names) for item in schema]
    if not isinstance(schema, dict):
        prefix = REF.format(name="")
        if isinstance(schema, str) and schema.startswith(prefix):
            return prefix + names[schema.removeprefix(prefix)]
        return schema
    return {key: _rename(value, names) for key, value in schema.items()}
