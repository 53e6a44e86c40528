"""Receiving webhooks: who sent it, and whether one is missing."""

import base64
import binascii
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from formwright_client.client import Client
from formwright_client.errors import BadSignature
from formwright_client.places import Place
from formwright_client.shapes import Event, EventList

TOLERANCE_S = 300


class Headers(Protocol):
    """The headers of a request: a dictionary, or what a web framework gives."""

    def items(self) -> Iterable[tuple[str, str]]:
        """Each name, in upper or lower case, with its value."""


def verify(
    secrets: str | Sequence[str],
    headers: Headers,
    body: bytes,
    *,
    tolerance_s: float = TOLERANCE_S,
    now: float | None = None,
) -> Event:
    """The event, once it is certain that Formwright sent it just now; else BadSignature (Standard Webhooks 1.0.0).

    `body` are the bytes as they came. Any of the secrets will do, so that one can be replaced by another. `now` in
    seconds since 1970. ValueError for a secret that is none.
    """
    keys = [_key(secret) for secret in ([secrets] if isinstance(secrets, str) else secrets)]
    named = {name.lower(): value for name, value in headers.items()}
    try:
        message, sent, signatures = (named[f"webhook-{one}"] for one in ("id", "timestamp", "signature"))
    except KeyError as error:
        raise BadSignature(f"The header {error.args[0]} is missing.") from None
    _check_time(sent, tolerance_s, time.time() if now is None else now)
    signed = f"{message}.{sent}.".encode() + body
    expected = [b"v1," + base64.b64encode(hmac.digest(key, signed, "sha256")) for key in keys]
    given = [one.encode() for one in signatures.split()]
    if not any(hmac.compare_digest(mine, theirs) for mine in expected for theirs in given):
        raise BadSignature("No signature fits: it was changed on its way, or the secret is another.")
    event: Event = json.loads(body)
    return event


def _check_time(sent: str, tolerance_s: float, now: float) -> None:
    if not (sent.isascii() and sent.isdigit()) or len(sent) > 12:
        raise BadSignature("webhook-timestamp is no time.")
    if abs(now - int(sent)) > tolerance_s:
        raise BadSignature(f"It was sent at {sent}, which is too far from now. Is the clock right?")


def _key(secret: str) -> bytes:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if not key:
        raise ValueError("A webhook secret is whsec_ and base64.")
    return key


class Receiver:
    """Hands each event of a subscriber to `handle`, in the order of the log.

    None is left out, and none comes twice unless a crash came between `handle` and `place`. What comes too early is
    taken after those before it, which are read from the log; what comes twice is left aside.

    `types` and `form_ids` are those of the subscriber. Threads may share it; several processes may not share `place`.
    """

    def __init__(
        self,
        client: Client,
        secrets: str | Sequence[str],
        place: Place,
        handle: Callable[[Event], object],
        *,
        types: Sequence[str] = (),
        form_ids: Sequence[str] = (),
    ) -> None:
        self._client, self._secrets, self._place, self._handle = client, secrets, place, handle
        self._types, self._form_ids = types, form_ids
        self._lock = threading.Lock()

    def take(self, headers: Headers, body: bytes) -> None:
        """Deal with a message, and answer 2xx after it.

        BadSignature: answer 401. Whatever else is raised, answer 500: the message comes again. EventsGone where what is
        missing is not kept any more. A replay is left aside: set `place` back instead, and `catch_up`.
        """
        event = verify(self._secrets, headers, body)
        named = {name.lower(): value for name, value in headers.items()}
        previous = int(named.get("formwright-previous", 0))
        with self._lock:
            last = self._place.read() or 0
            if event["sequence"] <= last:
                return
            if previous > last:
                self._close_hole(before=event["sequence"])
            self._deal_with(event)

    def catch_up(self) -> None:
        """Process everything that is in the log now: after downtime, or whenever you like.

        Afterwards `place` is the end of the log, so rare events are not reported as expired because others are.
        """
        with self._lock:
            newest = None
            for page in self._missed():
                for event in page["items"]:
                    self._deal_with(event)
                newest = page.get("newestAvailable")  # not from older servers
            if newest is not None and newest > (self._place.read() or 0):
                self._place.write(newest)

    def _close_hole(self, before: int) -> None:
        for page in self._missed():
            for event in page["items"]:
                if event["sequence"] >= before:
                    return
                self._deal_with(event)

    def _missed(self) -> Iterator[EventList]:
        """Return the missed events; without a stored position, from the start of the log."""
        return self._client.event_pages(after=self._place.read(), types=self._types, form_ids=self._form_ids)

    def _deal_with(self, event: Event) -> None:
        self._handle(event)
        self._place.write(event["sequence"])
