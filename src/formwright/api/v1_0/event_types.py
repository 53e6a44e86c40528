"""The types of events that there are, each with its JSON Schema and an example."""

from functools import cache
from typing import Any

import msgspec

from formwright.api.call import Call
from formwright.api.examples import example_of
from formwright.api.operation import operation
from formwright.api.paging import List, PageQuery
from formwright.api.v1_0.wire import events as wire
from formwright.core.access.permissions import Permission
from formwright.core.access.policy import allow
from formwright.core.kernel.paging import Place, cut
from formwright.domain.customers.service import CustomerNotFound

_DEFS = "#/$defs/{name}"


@operation(
    "GET",
    ("listEventTypes", "/webhooks/customer/{customerId}/event-types"),
    tag="Webhooks",
    permission=Permission.WEBHOOKS_READ,
    raises=(CustomerNotFound,),
)
async def list_event_types(call: Call, query: PageQuery) -> List[wire.EventType]:
    """List the types of events by name, each with what causes it, the JSON Schema of the event, and an example."""
    allow(call.actor, Permission.WEBHOOKS_READ)
    window, types = query.window(), catalogue()
    begin = window.after.number if window.after else 0
    rows = list(enumerate(types, 1))[begin : begin + window.limit + 1]
    return call.listing(cut(rows, window.limit, lambda row: Place(row[0], row[1].type)), lambda row: row[1])


@cache
def catalogue() -> list[wire.EventType]:
    """All of them, in the order of their names."""
    return [_event_type(name) for name in sorted(wire.CATALOGUE)]


def _event_type(name: str) -> wire.EventType:
    category, data, words = wire.CATALOGUE[name]
    schema, definitions = _schema(name, category, data)
    return wire.EventType(
        type=name,
        category=category,
        description=words,
        schema=schema | {"$defs": definitions},
        example=example_of(schema, definitions),
    )


def _schema(name: str, category: str, data: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The schema of the event, and the definitions that it refers to."""
    shape = wire.Event[data]
    (found, link), definitions = msgspec.json.schema_components([shape, wire.DataLink], ref_template=_DEFS)
    event = definitions.pop(found["$ref"].rpartition("/")[2])
    members = event["properties"]
    members["type"], members["category"] = {"enum": [name]}, {"enum": [category]}
    members["data"] = {"anyOf": [{"$ref": members["data"]["$ref"]}, link]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | event, definitions


OPERATIONS = list_event_types
