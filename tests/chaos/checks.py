"""Compares what clients and receivers recorded with what the API reports: every difference is a fault."""

import base64
import hashlib
import hmac
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from chaos.receivers import IN_FLIGHT, UNWILLING, WILLING

_CLOCK_S = 5


@dataclass
class ServerState:
    """The API's final state: submissions, events by id, and the deliveries of each receiver."""

    submissions: set[str] = field(default_factory=set)
    events: dict[str, dict[str, Any]] = field(default_factory=dict)
    deliveries: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    subscribers: dict[str, dict[str, Any]] = field(default_factory=dict)


async def ask(http: httpx.AsyncClient, customer: str, subscribers: Mapping[str, Mapping[str, Any]]) -> ServerState:
    """Read the final state; `subscribers` are by the name of their receiver."""
    state, hooks = ServerState(), f"/api/v1.0/webhooks/customer/{customer}"
    state.submissions = {one["id"] async for one in pages(http, "/api/v1.0/submissions?limit=1000")}
    async for event in pages(http, f"{hooks}/events?type=submission.submitted&limit=1000"):
        state.events[event["id"]] = event
    for sink, subscriber in subscribers.items():
        path = f"{hooks}/subscribers/{subscriber['id']}"
        state.subscribers[sink] = (await http.get(path)).json()
        state.deliveries[sink] = [one async for one in pages(http, f"{path}/invocations?limit=1000")]
    return state


async def pages(http: httpx.AsyncClient, path: str) -> AsyncIterator[dict[str, Any]]:
    """Yield all items of a list."""
    following: str | None = path
    while following:
        response = await http.get(following)
        assert response.status_code == 200, response.text
        found = response.json()
        for item in found["items"]:
            yield item
        following = found["next"]


@dataclass
class Verdict:
    """The faults, and the counts. `lost` and `lies` must be 0, and `doubled` within its limit."""

    faults: list[str] = field(default_factory=list)
    arrivals: int = 0
    lost: int = 0
    lies: int = 0
    doubled: int = 0
    bound: int = 0
    most: int = 0

    def must(self, right: bool, words: str) -> None:
        if not right:
            self.faults.append(words)


def judge(
    acknowledged: set[str],
    arrivals: list[dict[str, Any]],
    state: ServerState,
    secrets: Mapping[str, str],
    *,
    strokes: int,
) -> Verdict:
    """Check that everything arrived, nothing is reported that did not happen, and nobody was overloaded.

    `strokes`: how many kills may have interrupted deliveries.
    """
    found = Verdict(arrivals=len(arrivals), bound=strokes * IN_FLIGHT)
    by_sink: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for arrival in arrivals:
        by_sink[arrival["sink"]].append(arrival)
    _nothing_is_lost(found, acknowledged, by_sink, state)
    _the_log_is_true(found, by_sink, state)
    _check_concurrency(found, by_sink)
    _bytes_and_signatures(found, arrivals, secrets)
    found.must(not by_sink["trap"], "a redirect was followed")
    return found


def _nothing_is_lost(found: Verdict, acknowledged: set[str], by_sink: Mapping[str, Any], state: ServerState) -> None:
    found.must(acknowledged <= state.submissions, f"{len(acknowledged - state.submissions)} submissions are gone")
    known = {event["data"]["id"] for event in state.events.values()}
    # Includes submissions whose response was lost: every change has its event.
    silent = (acknowledged | state.submissions) - known
    found.must(not silent, f"{len(silent)} submissions have no event")
    for sink in (sink for sink in state.subscribers if sink in (*WILLING, "late")):
        came = {arrival["submission"] for arrival in by_sink[sink] if arrival["says"] in (200, 204)}
        missing = (acknowledged | state.submissions) - came
        found.lost += len(missing)
        held = state.subscribers[sink]["heldUntil"]
        found.must(not missing, f"{len(missing)} submissions did not arrive at {sink}, held until {held}")


def _the_log_is_true(found: Verdict, by_sink: Mapping[str, Any], state: ServerState) -> None:
    for sink, deliveries in state.deliveries.items():
        came = {arrival["id"] for arrival in by_sink[sink] if arrival["says"] in (200, 204)}
        done = [one for one in deliveries if one["status"] == "SUCCEEDED"]
        lies = [one for one in done if one["eventId"] not in came]
        found.lies += len(lies)
        found.must(not lies, f"{len(lies)} deliveries to {sink} are said to have arrived and did not")
        unclear = [one for one in done if [try_["number"] for try_ in one["attempts"]] != _numbers(one)]
        found.must(not unclear, f"an attempt of {len(unclear)} deliveries to {sink} is missing from the log")
        events = Counter(one["eventId"] for one in deliveries)
        found.must(set(events) == set(state.events), f"events and deliveries to {sink} are not the same")
        found.must(max(events.values(), default=1) == 1, f"an event has two deliveries to {sink}")
        if sink in UNWILLING:
            found.must(not done, f"{len(done)} deliveries to {sink} are said to have arrived")
    if gone := state.subscribers.get("gone"):
        found.must(gone["status"] == "DISABLED", "who answered 410 is not disabled")


def _numbers(delivery: Mapping[str, Any]) -> list[int]:
    return list(range(1, delivery["tries"] + 1))


def _check_concurrency(found: Verdict, by_sink: Mapping[str, list[dict[str, Any]]]) -> None:
    for sink, arrivals in by_sink.items():
        most = max(arrival["underWay"] for arrival in arrivals)
        found.most = max(found.most, most)
        found.must(most <= IN_FLIGHT, f"{most} were in flight to {sink} at once")
        twice = sum(arrival["twice"] for arrival in arrivals)
        # The first of two is that of a stopped worker, which cannot be recalled.
        allowed = 1 if sink == "late" else 0
        found.must(twice <= allowed, f"{twice} events were in flight to {sink} twice at once")
        good = Counter(arrival["id"] for arrival in arrivals if arrival["says"] in (200, 204))
        doubled = sum(good.values()) - len(good)
        found.doubled = max(found.doubled, doubled)
        found.must(doubled <= found.bound, f"{doubled} arrived at {sink} more than once, allowed are {found.bound}")


def _bytes_and_signatures(found: Verdict, arrivals: Iterable[dict[str, Any]], secrets: Mapping[str, str]) -> None:
    bodies = {(one["sink"], one["id"]): one["body"] for one in arrivals if one["body"] is not None}
    others = unsigned = 0
    for one in arrivals:
        body = bodies[one["sink"], one["id"]]
        others += hashlib.sha256(body.encode()).hexdigest() != one["digest"]
        unsigned += not _is_signed(one, body, secrets[one["sink"]])
    same = {event_id: body for (_, event_id), body in bodies.items()}
    others += sum(body != same[event_id] for (_, event_id), body in bodies.items())
    found.must(not others, f"{others} arrivals had other bytes")
    found.must(not unsigned, f"{unsigned} arrivals were not signed")


def _is_signed(arrival: Mapping[str, Any], body: str, secret: str) -> bool:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    text = f"{arrival['id']}.{arrival['signed']}.{body}"
    right = base64.b64encode(hmac.digest(key, text.encode(), "sha256")).decode()
    late = arrival["at"] - arrival["signed"]
    return f"v1,{right}" in arrival["signature"].split() and late > -_CLOCK_S
