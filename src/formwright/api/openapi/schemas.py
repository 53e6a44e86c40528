"""The schemas of the OpenAPI document: of request bodies, responses and events."""

from collections.abc import Sequence
from typing import Any

import msgspec

from formwright.api.binary_bodies import is_file
from formwright.api.errors import Problem
from formwright.api.operations import Operation
from formwright.api.v1_0.schemas.events import CATALOGUE, Event, EventResourceLink
from formwright.domain.audit.models import AuditActorType
from formwright.domain.datasources.models import CellType, ImportMode, ImportSource, ImportStatus, PullStatus
from formwright.domain.forms.diff import ChangeKind
from formwright.domain.forms.fields.options import Option
from formwright.domain.forms.models import VersionStatus
from formwright.domain.forms.xlsform.report import NoteEffect, NoteKind
from formwright.domain.tasks.models import FulfilmentStatus

REF = "#/components/schemas/{name}"
_PUBLISHED_NAMES: dict[type, str] = {
    AuditActorType: "AuditActorType",
    CellType: "DatasourceColumnType",
    ChangeKind: "FieldChangeKind",
    FulfilmentStatus: "TaskFulfilmentStatus",
    ImportMode: "DatasourceImportMode",
    ImportSource: "DatasourceImportSource",
    ImportStatus: "DatasourceImportStatus",
    NoteEffect: "XlsformNoteEffect",
    NoteKind: "XlsformNoteKind",
    Option: "ChoiceOption",
    PullStatus: "DatasourcePullStatus",
    VersionStatus: "FormVersionStatus",
}
"""Published names of domain types whose own name is clear only inside their module.

Generated clients put every schema into one namespace, and renaming a domain type must not rename their classes.
"""


def build_schemas(operations: Sequence[Operation]) -> tuple[dict[Any, Any], dict[str, Any]]:
    """Return the schema of every type that `operations` and events use, and the components that these refer to."""
    events = [Event[data] for _, data, _ in CATALOGUE.values()]  # type: ignore[valid-type]
    types: list[Any] = [Problem, EventResourceLink, *events]
    for operation in operations:
        used = (operation.documented_body, operation.response)
        types += [type_ for type_ in used if type_ not in (None, type(None)) and not is_file(type_)]
    types = list(dict.fromkeys(types))
    schemas, components = msgspec.json.schema_components(types, ref_template=REF)
    published = {kind.__name__: name for kind, name in _PUBLISHED_NAMES.items()}
    new_names = {name: _component_name(published.get(name, name)) for name in components}
    in_order = sorted((new_names[name], schema) for name, schema in components.items())
    named = {name: _complete(_rename(schema, new_names)) for name, schema in in_order}
    for name, schema in named.items():
        schema["title"] = name
        if name.endswith("Event"):
            _allow_link(schema["properties"]["data"])
    by_type = {type_: _complete(_rename(schema, new_names)) for type_, schema in zip(types, schemas, strict=True)}
    return by_type, named


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
    """Allow a link instead of the resource in an event, for resources that are too large to send."""
    if resource := data.pop("$ref", None):
        data["anyOf"] = [{"$ref": resource}, {"$ref": REF.format(name=EventResourceLink.__name__)}]


def _component_name(name: str) -> str:
    """Return `SubmissionList` for msgspec's `List_Submission_`, and `TaskEvent` for `Event_Task_`."""
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
