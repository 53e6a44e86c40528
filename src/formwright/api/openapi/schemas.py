"""The schemas of the OpenAPI document: of every shape that is sent or answered, and of what an event holds."""

from collections.abc import Sequence
from typing import Any

import msgspec

from formwright.api.binary_bodies import is_file
from formwright.api.errors import Problem
from formwright.api.operations import Operation
from formwright.api.v1_0.schemas.events import CATALOGUE, DataLink, Event
from formwright.domain.audit.models import By
from formwright.domain.datasources.models import CellType, ImportMode, ImportSource, PullStatus
from formwright.domain.forms.definition import Option
from formwright.domain.forms.diff import ChangeKind
from formwright.domain.forms.models import VersionStatus
from formwright.domain.forms.xlsform.report import NoteKind

REF = "#/components/schemas/{name}"
_PUBLISHED_NAMES: dict[type, str] = {
    By: "AuditActorType",
    CellType: "ColumnType",
    ChangeKind: "FieldChangeKind",
    ImportMode: "ImportMode",
    NoteKind: "XlsformNoteKind",
    Option: "ChoiceOption",
    PullStatus: "DatasourcePullStatus",
    ImportSource: "ImportSource",
    VersionStatus: "FormVersionStatus",
}
"""Published names of domain types whose own name is clear only inside their module.

Generated clients put every schema into one namespace, and renaming a domain type must not rename their classes.
"""


def build_schemas(operations: Sequence[Operation]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """The schema of every type used by `operations` and events, and the components that these schemas refer to."""
    wanted: list[Any] = [Problem, DataLink, *(Event[data] for _, data, _ in CATALOGUE.values())]  # type: ignore[valid-type]
    for operation in operations:
        shapes = (operation.body, operation.answer)
        wanted += [shape for shape in shapes if shape not in (None, type(None)) and not is_file(shape)]
    unique = list(dict.fromkeys(wanted))
    found, components = msgspec.json.schema_components(unique, ref_template=REF)
    published = {kind.__name__: name for kind, name in _PUBLISHED_NAMES.items()}
    renamed = {name: _component_name(published.get(name, name)) for name in components}
    named = sorted((renamed[name], schema) for name, schema in components.items())
    schemas = {name: _complete(_rename(schema, renamed)) for name, schema in named}
    for name, schema in schemas.items():
        schema["title"] = name
        if name.endswith("Event"):
            _allow_link(schema["properties"]["data"])
    return {shape: _complete(_rename(schema, renamed)) for shape, schema in zip(unique, found, strict=True)}, schemas


def _complete(schema: Any) -> Any:
    """Spell out what msgspec leaves implicit and client generators need.

    An object without listed properties gets `additionalProperties`, because some generators treat it as one that has
    none. An enum of strings gets its `type`.
    """
    if isinstance(schema, list):
        return [_complete(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    completed = {key: _complete(value) for key, value in schema.items()}
    if schema.get("type") == "object" and not {"properties", "additionalProperties"} & schema.keys():
        completed["additionalProperties"] = True
    values = schema.get("enum")
    if isinstance(values, list) and "type" not in schema and all(isinstance(value, str) for value in values):
        completed["type"] = "string"
    return completed


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
