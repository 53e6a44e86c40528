"""The event log."""

# Generated from `_async/event_log.py` by `make openapi`. Do not edit.

from collections.abc import Iterator, Sequence

from formwright_client._sync.checkpoints import Checkpoint
from formwright_client._sync.paginator import fetch_pages
from formwright_client._sync.resources.events import Events
from formwright_client.encoding import ACCOUNT, QueryPairs
from formwright_client.errors import EventsExpiredError
from formwright_client.event_types import matches_any
from formwright_client.schemas import Event, EventList


class EventLog(Events):
    """Read the event log of the account."""

    def list(
        self,
        *,
        after: int | None = None,
        types: Sequence[str] = (),
        form_ids: Sequence[str] = (),
        limit: int = 200,
    ) -> Iterator[Event]:
        """List the events after a sequence to the end of the log, in its order.

        Args:
            after: The sequence of the last event you have read. None starts with the oldest stored event.
            types: Only events of these types: exact names, or all types of a resource such as `task.*`.
            form_ids: Only events of these forms.
            limit: The maximum number of events per page.

        Returns:
            An iterator; it requests page after page.

        Raises:
            EventsExpiredError: Events after `after` have expired, so the list would have a gap.
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        for page in self.list_pages(after=after, types=types, form_ids=form_ids, limit=limit):
            yield from page["items"]

    def list_pages(
        self,
        *,
        after: int | None = None,
        types: Sequence[str] = (),
        form_ids: Sequence[str] = (),
        limit: int = 200,
    ) -> Iterator[EventList]:
        """List the events page by page. After the last page, you have read everything up to its `newestAvailable`.

        Args:
            after: The sequence of the last event you have read. None starts with the oldest stored event.
            types: Only events of these types: exact names, or all types of a resource such as `task.*`.
            form_ids: Only events of these forms.
            limit: The maximum number of events per page.

        Returns:
            An iterator over the pages, which may be empty.

        Raises:
            EventsExpiredError: Events after `after` have expired, so the list would have a gap.
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        query = [("limit", str(limit)), *(("formId", form_id) for form_id in form_ids)]
        if not any("*" in pattern for pattern in types):
            query += [("type", type_) for type_ in types]
        if after is not None:
            query.append(("after", str(after)))
        for page in fetch_pages(self._fetch, query):
            oldest = page["oldestAvailable"]
            if after is not None and oldest is not None and oldest > after + 1:
                raise EventsExpiredError(after, oldest)
            after = page["items"][-1]["sequence"] if page["items"] else after
            page["items"] = [event for event in page["items"] if matches_any(event["type"], types)]
            yield page

    def follow(
        self,
        checkpoint: Checkpoint,
        *,
        types: Sequence[str] = (),
        poll_interval: float | None = None,
        limit: int = 200,
    ) -> Iterator[Event]:
        """Process the events since a checkpoint, in order and each at least once.

        An event counts as processed when you request the next one; then its sequence is saved. The event at which you
        leave the loop comes again.

        Args:
            checkpoint: Where the sequence of the last processed event is stored.
            types: Only events of these types: exact names, or all types of a resource such as `task.*`.
            poll_interval: The seconds until the log is read again. None ends the loop at the end of the log.
            limit: The maximum number of events per page.

        Returns:
            An iterator; it requests page after page.

        Raises:
            EventsExpiredError: Events after the checkpoint have expired. The log is read with all types, so you also
                learn of it if your types are rare.
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        while True:
            passed = None
            for event in self.list(after=checkpoint.load(), limit=limit):
                passed = event["sequence"]
                if matches_any(event["type"], types):
                    yield event
                    checkpoint.save(passed)
            if passed is not None and passed != checkpoint.load():
                checkpoint.save(passed)
            if poll_interval is None:
                return
            self._transport.sleep(poll_interval)

    def _fetch(self, query: QueryPairs) -> EventList:
        page: EventList = self._transport.request_json("GET", f"/webhooks/customer/{ACCOUNT}/events", query=query)
        return page
