"""Receiving webhooks without gaps."""

# Generated from `_async/webhook_receiver.py` by `make openapi`. Do not edit.

from collections.abc import Callable, Iterator, Sequence

from formwright_client._sync.checkpoints import Checkpoint
from formwright_client._sync.client import Client
from formwright_client._sync.runtime import Lock
from formwright_client.schemas import Event, EventList
from formwright_client.signatures import Headers, lower_names, verify_webhook


class WebhookReceiver:
    """Passes each event of a subscriber to a function, in the order of the log.

    No event is left out. An event comes twice only if the process ends between your function and the checkpoint. If an
    event arrives too early, the events before it are read from the log first. Duplicates are skipped.

    Threads can share a receiver. Processes cannot share a checkpoint, because the order is kept within one process.

    Args:
        client: The client that reads missing events from the log.
        secrets: The secret of the subscriber. While you replace it, pass the old and the new one.
        checkpoint: Where the sequence of the last processed event is stored.
        handler: Your function.
        types: The types of the subscriber.
        form_ids: The forms of the subscriber.
    """

    def __init__(
        self,
        client: Client,
        secrets: str | Sequence[str],
        checkpoint: Checkpoint,
        handler: Callable[[Event], object],
        *,
        types: Sequence[str] = (),
        form_ids: Sequence[str] = (),
    ) -> None:
        self._client, self._secrets, self._checkpoint, self._handler = client, secrets, checkpoint, handler
        self._types, self._form_ids = types, form_ids
        self._lock = Lock()

    def receive(self, headers: Headers, body: bytes) -> None:
        """Process a message. Respond with 2xx afterwards, and with 500 if it raises anything but InvalidSignatureError.

        The event of a replay is a duplicate and is skipped. To process events again, set the checkpoint back and call
        `catch_up()`.

        Args:
            headers: The headers of the request.
            body: The body of the request, byte for byte.

        Raises:
            InvalidSignatureError: The message is not from Formwright. Respond with 401.
            EventsExpiredError: Events are missing, and have expired.
            ApiError: Events are missing, and the server rejected the request for them.
            NoResponseError: Events are missing, and no response arrived to the request for them.
        """
        event = verify_webhook(self._secrets, headers, body)
        previous = int(lower_names(headers).get("formwright-previous", 0))
        with self._lock:
            last = self._checkpoint.load() or 0
            if event["sequence"] <= last:
                return
            if previous > last:
                self._process_missing(before=event["sequence"])
            self._process(event)

    def catch_up(self) -> None:
        """Process everything that is in the log now, e.g. after downtime.

        Afterwards the checkpoint is the end of the log, so rare events are not reported as expired when others are.

        Raises:
            EventsExpiredError: Events after the checkpoint have expired.
            ApiError: The server rejected the request.
            NoResponseError: No response arrived.
        """
        with self._lock:
            newest = None
            for page in self._read_log():
                for event in page["items"]:
                    self._process(event)
                newest = page.get("newestAvailable")  # older servers do not send it
            if newest is not None and newest > (self._checkpoint.load() or 0):
                self._checkpoint.save(newest)

    def _process_missing(self, before: int) -> None:
        for page in self._read_log():
            for event in page["items"]:
                if event["sequence"] >= before:
                    return
                self._process(event)

    def _read_log(self) -> Iterator[EventList]:
        """Return the events after the checkpoint; without one, from the start of the log."""
        after = self._checkpoint.load()
        return self._client.events.list_pages(after=after, types=self._types, form_ids=self._form_ids)

    def _process(self, event: Event) -> None:
        self._handler(event)
        self._checkpoint.save(event["sequence"])
