"""The events of version 1.0 for doors that do not speak it: their names, and one that is a test."""

from collections.abc import Mapping

from msgspec import json

from formwright.api.v1_0.wire.basics import Resource
from formwright.api.v1_0.wire.events import CATALOGUE, Event
from formwright.core.kernel.clock import rfc3339
from formwright.domain.webhooks.model import TEST, LoggedEvent

TYPE = "test"


class Test(Resource):
    """What a test carries."""

    message: str


class Events:
    """The catalogue of version 1.0."""

    @property
    def types(self) -> Mapping[str, tuple[str, str]]:
        """Each type of event: its category, and what causes it."""
        return {name: (category, words) for name, (category, _, words) in CATALOGUE.items()}

    def test(self, customer_id: str, event_id: str, now: int) -> LoggedEvent:
        """An event of the type `test`, in no log: its sequence is 0."""
        event = Event(
            id=event_id,
            sequence=TEST,
            type=TYPE,
            category=TYPE,
            timestamp=rfc3339(now),
            customer_id=customer_id,
            data=Test(message="This is a test. Nothing happened."),
        )
        return LoggedEvent(event_id, customer_id, TEST, TYPE, None, now, json.encode(event).decode())
