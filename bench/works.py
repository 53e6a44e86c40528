"""What is asked: of the platform and of the bare server, each answer looked through once before it is the measure."""

import http.client
import json
from typing import Any

from bench.data import Account, Stock, answers
from bench.load import Ask, get, post
from bench.rounds import Work
from bench.servers import Server

CLIENTS = 16
HANDING_IN = 32
IDS = 3000
_PAGES = 20
_PAGE = 100


class WrongAnswer(Exception):
    """An answer is not what was put in: no figure of it means anything."""


def one(stock: Stock, ours: Server, bare: Server, goal: float) -> Work:
    """GET one submission, from all over the table."""
    account, step = stock.accounts[0], max(1, len(stock.rows) // IDS)
    our_asks, bare_asks = [], []
    for row_id, _, data in stock.rows[::step]:
        our_asks.append(_ask(ours, f"/api/v1.0/customers/{account.id}/submissions/{row_id}", account.key))
        shown = json.loads(our_asks[-1].body)
        _check((shown["id"], shown["data"]), (row_id, data))
        bare_asks.append(_ask(bare, f"/one/{account.id}/{row_id}"))
        _check(json.loads(bare_asks[-1].body), data)
    return Work("GET one submission", goal, CLIENTS, our_asks, bare_asks)


def page(stock: Stock, ours: Server, bare: Server, goal: float) -> Work:
    """Pages of 100, one after another as `next` leads."""
    account = stock.accounts[0]
    path, number, after = f"/api/v1.0/submissions?limit={_PAGE}", 0, ""
    our_asks, bare_asks = [], []
    for first in range(0, min(_PAGES * _PAGE, len(stock.rows)), _PAGE):
        rows = stock.rows[first : first + _PAGE]
        our_asks.append(_ask(ours, path, account.key))
        shown = json.loads(our_asks[-1].body)
        _check([(item["id"], item["data"]) for item in shown["items"]], [(row_id, data) for row_id, _, data in rows])
        bare_asks.append(_ask(bare, f"/page/{account.id}/{number}/{after}"))
        _check(json.loads(bare_asks[-1].body), [data for _, _, data in rows])
        after, number = rows[-1][:2]
        path = (shown["next"] or "").removeprefix(f"http://{ours.host}")
    return Work("A page of 100", goal, CLIENTS, our_asks, bare_asks, rows=_PAGE)


def handing_in(name: str, accounts: list[Account], ours: Server, bare: Server, goal: float | None) -> Work:
    """POST submissions: ours checked, with their events; both durable."""
    our_asks, bare_asks = [], []
    for number in range(HANDING_IN):
        account = accounts[number % len(accounts)]
        data = json.dumps(answers(number), ensure_ascii=False, separators=(",", ":")).encode()
        path = f"/api/v1.0/customers/{account.id}/forms/{account.form_id}/submissions"
        our_asks.append(Ask(post(ours.host, path, b'{"data":%b}' % data, account.key), 201, data, whole=False))
        path = f"/in/{account.id}/{account.form_id}/{account.version_id}"
        bare_asks.append(Ask(post(bare.host, path, data), 201, data))
    return Work(name, goal, HANDING_IN, our_asks, bare_asks)


def constant(bare: Server) -> list[Ask]:
    """A request whose answer costs nothing to find."""
    return [_ask(bare, "/constant")]


def _ask(server: Server, path: str, key: str = "") -> Ask:
    """The request, with today's answer as the right one."""
    connection = http.client.HTTPConnection(server.host, timeout=20)
    connection.request("GET", path, headers={"X-Api-Key": key, "Accept": "application/json"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    _check(answer.status, 200)
    return Ask(get(server.host, path, key), 200, body)


def _check(found: Any, wanted: Any) -> None:
    if found != wanted:
        raise WrongAnswer(f"found {str(found)[:300]}, not {str(wanted)[:300]}")
