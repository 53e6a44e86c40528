"""Links (OpenAPI 3.1, section 4.8.20): the operations that a caller can call with the ids in a response."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from formwright.api.operations import Operation
from formwright.api.v1_0.schemas.base import PATH_ID_TYPES

Schema = Mapping[str, Any]
_PARAMETERS = {msgspec.json.schema(kind)["pattern"]: name for name, kind in PATH_ID_TYPES.items()}
"""The path parameter for ids that match a pattern."""


def links(operation: Operation, operations: Sequence[Operation], answer: Schema, schemas: Schema) -> dict[str, Any]:
    """Return the Link Objects of a successful response, by the id of the operation that each one leads to.

    A newly created resource links to every operation on it. Any other id links only to the operation that reads it.
    `answer` is the schema of the response, `schemas` the components that it refers to.
    """
    ids = dict(_response_ids(answer, schemas))
    return {
        other.name: {"operationId": other.name, "parameters": _parameter_values(operation, other, ids)}
        for other in operations
        if other is not operation and _links_to(operation, other, ids)
    }


def _links_to(operation: Operation, other: Operation, ids: Mapping[str, str]) -> bool:
    if not other.parameters or (last := other.parameters[-1]) not in ids or last == "customerId":
        return False
    if not {*ids, *operation.parameters}.issuperset(other.parameters):
        return False
    # Only a single new resource: the ids of a list are in `items/0/id`.
    if operation.location and ids[last].endswith("#/id"):
        return True
    reads = other.method == "GET" and other.getter is not None and other.getter.name == other.name
    return reads and other.has_etag and last not in operation.parameters


def _parameter_values(operation: Operation, other: Operation, ids: Mapping[str, str]) -> dict[str, str]:
    return {n: f"$request.path.{n}" if n in operation.parameters else ids[n] for n in other.parameters}


def _response_ids(answer: Schema, schemas: Schema) -> Iterator[tuple[str, str]]:
    """Yield each id that the response always has: its path parameter, and its location as a runtime expression.

    For lists, the ids are those of the first item.
    """
    properties, location = _resolve(answer, schemas).get("properties", {}), "$response.body#/"
    if "items" in properties:
        properties = _resolve(properties["items"]["items"], schemas).get("properties", {})
        location += "items/0/"
    for name, schema in properties.items():
        if parameter := _PARAMETERS.get(schema.get("pattern", "")):
            yield parameter, location + name


def _resolve(schema: Schema, schemas: Schema) -> Schema:
    """Return the object schema behind a reference. Of alternatives, such as one object or a list, the first one."""
    if "anyOf" in schema:
        return next((_resolve(branch, schemas) for branch in schema["anyOf"] if "$ref" in branch), {})
    return schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
