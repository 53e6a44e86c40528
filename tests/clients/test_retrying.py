"""When the client retries a request, without performing it twice."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import httpx
import pytest
from actors import Account
from factories.clients import connected
from factories.forms import FIELDS
from fixtures.one_database import ONE_DATABASE
from fixtures.ports import free_port
from fixtures.sync_client import Bridge, waiting
from formwright_client import ApiError, Client, NoResponseError, etag

from formwright.app import create_app
from formwright.domain.users.password_hashing import PasswordVerifier

pytestmark = ONE_DATABASE
FORM: Any = {"name": "Visit", "fields": FIELDS, "publish": True}


class BrokenTransport(httpx.BaseTransport):
    """A transport to the real application that alters or drops responses, once for each function in `breaks`."""

    def __init__(self, bridge: Bridge, *breaks: Callable[[httpx.Request, httpx.Response], httpx.Response]) -> None:
        self.bridge, self._breaks = bridge, list(breaks)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        answer = self.bridge.handle_request(request)
        return self._breaks.pop(0)(request, answer) if self._breaks else answer


def drop_response(request: httpx.Request, _: httpx.Response) -> httpx.Response:
    raise httpx.ReadError("cut", request=request)


def bad_gateway(_: httpx.Request, __: httpx.Response) -> httpx.Response:
    return httpx.Response(502, html="<h1>Bad gateway</h1>")


def unavailable(_: httpx.Request, __: httpx.Response) -> httpx.Response:
    return httpx.Response(503, headers={"retry-after": "7"})


def _problem(code: str) -> httpx.Response:
    body = {"code": code, "detail": "The change may have been made.", "requestId": "req_1"}
    return httpx.Response(503, json=body, headers={"content-type": "application/problem+json"})


def outcome_unknown(_: httpx.Request, __: httpx.Response) -> httpx.Response:
    return _problem("database.outcome_unknown")


def timed_out(_: httpx.Request, __: httpx.Response) -> httpx.Response:
    return _problem("request.timeout")


def connect(account: Account, bridge: Bridge, *breaks: Any, **settings: Any) -> tuple[Client, list[float]]:
    naps: list[float] = []
    return connected(account, BrokenTransport(bridge, *breaks), sleep=naps.append, **settings), naps


@waiting
def test_a_post_with_a_lost_response_is_performed_once(account: Account, bridge: Bridge) -> None:
    for trouble in (drop_response, bad_gateway, unavailable, outcome_unknown, timed_out):
        client, naps = connect(account, bridge, trouble, customer_id=account.id)
        form = client.forms.create(**FORM)
        assert len(naps) == 1
        one, again = [request.headers["idempotency-key"] for request in bridge.asked[-2:]]
        assert one == again
        assert next(reversed(list(client.forms.list())))["id"] == form["id"]
    assert len(list(client.forms.list())) == 5


@waiting
def test_two_posts_create_two_resources(account: Account, client: Client) -> None:
    assert client.forms.create(**FORM)["id"] != client.forms.create(**FORM)["id"]
    key = "my-own-key"
    assert client.forms.create(**FORM, idempotency_key=key) == client.forms.create(**FORM, idempotency_key=key)


@waiting
def test_the_error_contains_the_idempotency_key_if_no_response_came(account: Account, bridge: Bridge) -> None:
    client, _ = connect(account, bridge, drop_response, max_retries=0)
    with pytest.raises(NoResponseError) as broken:
        client.forms.create(**FORM)
    new_form = client.forms.create(**FORM, idempotency_key=broken.value.idempotency_key)
    assert [form["id"] for form in client.forms.list()] == [new_form["id"]]


@waiting
def test_conditional_requests_are_not_repeated(account: Account, bridge: Bridge) -> None:
    good = connected(account, bridge)
    form = good.forms.get(good.forms.create(**FORM)["id"])
    client, naps = connect(account, bridge, drop_response, customer_id=account.id)
    with pytest.raises(NoResponseError):
        client.forms.update(form["id"], name="Changed", if_match=etag(form))
    assert naps == []
    assert good.forms.get(form["id"])["name"] == "Changed"
    client, naps = connect(account, bridge, drop_response, customer_id=account.id)
    assert client.forms.update(form["id"], name="Again")["name"] == "Again"
    assert len(naps) == 1


@waiting
def test_a_form_with_a_lost_response_is_published_once(account: Account, bridge: Bridge) -> None:
    form = connected(account, bridge).forms.create(**FORM)
    client, naps = connect(account, bridge, drop_response, customer_id=account.id)
    with pytest.raises(NoResponseError):
        client.forms.update(form["id"], fields=FORM["fields"], publish=True)
    assert naps == []
    assert [one["number"] for one in client.form_versions.list(form["id"])] == [1, 2]


@waiting
def test_a_form_with_an_unknown_outcome_is_published_once(account: Account, bridge: Bridge) -> None:
    form = connected(account, bridge).forms.create(**FORM)
    for number, trouble in enumerate((outcome_unknown, timed_out), 2):
        client, naps = connect(account, bridge, trouble, customer_id=account.id)
        with pytest.raises(ApiError):
            client.forms.update(form["id"], fields=FORM["fields"], publish=True)
        assert naps == []
        assert [one["number"] for one in client.form_versions.list(form["id"])] == list(range(1, number + 1))


@waiting
def test_retry_after_is_honoured_and_raised_if_too_long(account: Account, bridge: Bridge) -> None:
    client, naps = connect(account, bridge, unavailable, unavailable)
    list(client.forms.list())
    assert naps == [7, 7]
    client, naps = connect(account, bridge, unavailable, max_retry_delay=5)
    with pytest.raises(ApiError) as refused:
        list(client.forms.list())
    assert (refused.value.status, refused.value.code, refused.value.retry_after, naps) == (503, "http.503", 7, [])


@waiting
def test_delays_increase_until_the_attempts_are_used_up(account: Account, bridge: Bridge) -> None:
    client, naps = connect(account, bridge, *[drop_response] * 9, max_retries=4)
    with pytest.raises(NoResponseError, match="customers: cut"):
        client.get_customer_id()
    assert [round(0.5 * 2**n / 2, 3) <= nap <= 0.5 * 2**n for n, nap in enumerate(naps)] == [True] * 4


@waiting
def test_a_refused_connection_is_reported(account: Account) -> None:
    naps: list[float] = []
    address = f"http://127.0.0.1:{free_port()}"
    with Client(address, account.key, sleep=naps.append, max_retries=1) as client, pytest.raises(NoResponseError):
        client.forms.create(**FORM)
    assert len(naps) == 1


async def test_the_client_waits_for_the_rate_limit(account: Account) -> None:
    naps: list[float] = []
    settings = replace(account.ctx.settings, rate_limit=1)
    entrance = create_app(settings, passwords=PasswordVerifier(cheap=True))
    async with entrance.app.lifespan():
        strict = connected(account, Bridge(entrance, asyncio.get_running_loop()), sleep=naps.append)
        with pytest.raises(ApiError) as refused:
            await asyncio.to_thread(lambda: [list(strict.customers.list()) for _ in range(3)])
    assert (refused.value.status, refused.value.code) == (429, "rate.exceeded")
    assert len(naps) == 3
    assert all(30 < nap <= 60 for nap in naps), "as Retry-After says; the client's own delay is at most two seconds"
