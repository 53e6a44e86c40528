"""The catalogue of event types, and the operation that lists them."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import json

from formwright.api.context import RequestContext
from formwright.api.examples import build_example
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List, PageQuery
from formwright.api.v1_0.schemas import events as schemas
from formwright.api.v1_0.schemas.base import Resource
from formwright.api.v1_0.schemas.events import CATALOGUE, Event
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.clock import rfc3339
from formwright.core.pagination import Position, cut_page
from formwright.domain.webhooks.models import TEST_SEQUENCE, LoggedEvent

TEST_TYPE = "test"


class TestEventData(Resource):
    """The data of a test event."""

    message: str


class EventCatalogue:
    """The event types of version 1.0, for packages that do not import the API."""

    @property
    def types(self) -> Mapping[str, tuple[str, str]]:
        """Return the category and the description of each event type, by type."""
        return {name: (category, description) for name, (category, _, description) in CATALOGUE.items()}

    def build_test_event(self, customer_id: str, event_id: str, now: int) -> LoggedEvent:
        """Return an event of the type `test`. It is not in the event log, so its sequence is 0."""
        event = Event(
            id=event_id,
            sequence=TEST_SEQUENCE,
            type=TEST_TYPE,
            category=TEST_TYPE,
            timestamp=rfc3339(now),
            customer_id=customer_id,
            data=TestEventData(message="This is a test. Nothing happened."),
        )
        return LoggedEvent(event_id, customer_id, TEST_SEQUENCE, TEST_TYPE, None, now, json.encode(event).decode())


_DEFS = "#/$defs/{name}"
OPERATIONS = OperationGroup("Webhooks", reads=Permission.WEBHOOKS_READ)


@OPERATIONS.declare("GET", ("listEventTypes", "/webhooks/customer/{customerId}/event-types"))
async def list_event_types(call: RequestContext, query: PageQuery) -> List[schemas.EventType]:
    """List event types.

    Returns all types in alphabetical order, each with what causes it, the JSON Schema (2020-12) of the event, and an
    example.
    """
    allow(call.actor, Permission.WEBHOOKS_READ)
    window, types = query.window(), build_event_types()
    start = window.after.number if window.after else 0
    rows = list(enumerate(types, 1))[start : start + window.limit + 1]
    return call.listing(cut_page(rows, window.limit, lambda row: Position(row[0], row[1].type)), lambda row: row[1])


@cache
def build_event_types() -> list[schemas.EventType]:
    """Return all event types, sorted by name."""
    return [_event_type(name) for name in sorted(schemas.CATALOGUE)]


def _event_type(name: str) -> schemas.EventType:
    category, data, description = schemas.CATALOGUE[name]
    schema, definitions = _event_schema(name, category, data)
    return schemas.EventType(
        type=name,
        category=category,
        description=description,
        schema=schema | {"$defs": definitions},
        example=build_example(schema, definitions),
    )


def _event_schema(name: str, category: str, data: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the JSON Schema of an event, and the definitions it refers to."""
    event_type = schemas.Event[data]
    (reference, link), definitions = msgspec.json.schema_components(
        [event_type, schemas.EventResourceLink], ref_template=_DEFS
    )
    event = definitions.pop(reference["$ref"].rpartition("/")[2])
    members = event["properties"]
    members["type"], members["category"] = {"enum": [name]}, {"enum": [category]}
    members["data"] = {"anyOf": [{"$ref": members["data"]["$ref"]}, link]}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | event, definitions
