"""Links (OpenAPI 4.8.20): which operations one may call with the ids that an operation answers."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from formwright.api.operations import Operation
from formwright.api.v1_0.schemas.base import PATH_ID_TYPES

Schema = Mapping[str, Any]
_PARAMETERS = {msgspec.json.schema(kind)["pattern"]: name for name, kind in PATH_ID_TYPES.items()}
"""The name that an id has in paths, by the pattern of such ids."""


def links(operation: Operation, operations: Sequence[Operation], answer: Schema, schemas: Schema) -> dict[str, Any]:
    """By the name of the operation that is led to.

    What was just made leads to all that can be done with it, else an id leads to what reads its resource.
    """
    told = dict(_ids(answer, schemas))
    return {
        other.name: {"operationId": other.name, "parameters": _values(operation, other, told)}
        for other in operations
        if other is not operation and _leads(operation, other, told)
    }


def _leads(operation: Operation, other: Operation, told: Mapping[str, str]) -> bool:
    if not other.parameters or (last := other.parameters[-1]) not in told or last == "customerId":
        return False
    if not {*told, *operation.parameters}.issuperset(other.parameters):
        return False
    if operation.location and told[last].endswith("#/id"):
        return True
    reads = other.method == "GET" and other.getter is not None and other.getter.name == other.name
    return reads and other.has_etag and last not in operation.parameters


def _values(operation: Operation, other: Operation, told: Mapping[str, str]) -> dict[str, str]:
    return {n: f"$request.path.{n}" if n in operation.parameters else told[n] for n in other.parameters}


def _ids(answer: Schema, schemas: Schema) -> Iterator[tuple[str, str]]:
    """The ids that an answer always has, by their names in paths, and where they stand; of a list, in its first."""
    properties, at = _whole(answer, schemas).get("properties", {}), "$response.body#/"
    if "items" in properties:
        properties, at = _whole(properties["items"]["items"], schemas).get("properties", {}), at + "items/0/"
    for name, schema in properties.items():
        if parameter := _PARAMETERS.get(schema.get("pattern", "")):
            yield parameter, at + name


def _whole(schema: Schema, schemas: Schema) -> Schema:
    """The object that is meant, also where a list of such is possible."""
    if "anyOf" in schema:
        return next((_whole(one, schemas) for one in schema["anyOf"] if "$ref" in one), {})
    return schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
