"""The client: every call, and the event log."""

from collections.abc import Iterator, Sequence

from formwright_client.calling import part
from formwright_client.calls import Calls
from formwright_client.errors import EventsGone
from formwright_client.paging import Pairs, followed
from formwright_client.places import Place
from formwright_client.shapes import Event, EventList


def wanted(type_: str, patterns: Sequence[str]) -> bool:
    """Whether a type is among these: exact names, all of a noun as `task.*`, or `*`. None means all."""
    return not patterns or any(one in ("*", type_, f"{type_.partition('.')[0]}.*") for one in patterns)


class Client(Calls):
    """An account, over the API."""

    def events(
        self,
        *,
        after: int | None = None,
        types: Sequence[str] = (),
        form_ids: Sequence[str] = (),
        limit: int = 200,
    ) -> Iterator[Event]:
        """The log behind a sequence, to its end, in its order; without `after` from the oldest event that is kept.

        EventsGone where the log begins behind the next one, so that nothing is ever left out unsaid. `types` are
        exact names or all of a noun, as `task.*`. `limit` events are asked for at once.
        """
        for page in self.event_pages(after=after, types=types, form_ids=form_ids, limit=limit):
            yield from page["items"]

    def event_pages(
        self,
        *,
        after: int | None = None,
        types: Sequence[str] = (),
        form_ids: Sequence[str] = (),
        limit: int = 200,
    ) -> Iterator[EventList]:
        """The same page by page. After the last one all is read up to its `newestAvailable`, of whatever type."""
        exact = not any("*" in one for one in types)
        query = [("limit", str(limit)), *(("formId", one) for one in form_ids)]
        query += [("type", one) for one in types] if exact else []
        for page in followed(self._events, [*query, ("after", str(after))] if after is not None else query):
            oldest = page["oldestAvailable"]
            if after is not None and oldest is not None and oldest > after + 1:
                raise EventsGone(after, oldest)
            after = page["items"][-1]["sequence"] if page["items"] else after
            page["items"] = [event for event in page["items"] if wanted(event["type"], types)]
            yield page

    def follow(
        self, place: Place, *, types: Sequence[str] = (), poll_s: float | None = None, limit: int = 200
    ) -> Iterator[Event]:
        """What has happened since `place`, each event at least once and in order.

        An event counts as dealt with when the next one is asked for: then `place` keeps its sequence. One at which the
        loop was left comes again. Ends at the end of the log, or looks again every `poll_s` seconds. EventsGone as
        `events` has it; all types are read, so that it is never raised for those that are not wanted.
        """
        while True:
            passed = None
            for event in self.events(after=place.read(), limit=limit):
                passed = event["sequence"]
                if wanted(event["type"], types):
                    yield event
                    place.write(passed)
            if passed is not None and passed != place.read():
                place.write(passed)
            if poll_s is None:
                return
            self._sleep(poll_s)

    def _events(self, query: Pairs) -> EventList:
        found: EventList = self._answer("GET", f"/webhooks/customer/{part(self.customer_id)}/events", query=query)
        return found
