"""The requests: to Formwright and to the baseline, each response inspected once before it is the measure."""

import http.client
import json
from typing import Any

from bench.data import LIST, Account, Stock, answers, cursor_at
from bench.load import Ask, get, post
from bench.rounds import Work
from bench.servers import Server

CLIENTS = 16
HANDING_IN = 32
IDS = 3000
PAGE = 1000
PULLING = 4
ENDS = ("The first page of 1,000", "The last page of 1,000")


class WrongAnswer(Exception):
    """An answer is not what was put in: no figure of it means anything."""


def one(stock: Stock, ours: Server, bare: Server, goal: float | None) -> Work:
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


def pull(stock: Stock, ours: Server, bare: Server, goal: float) -> Work:
    """A pull of all there is: every fourth of its pages, from the first to the last."""
    our_asks, bare_asks = [], []
    for first in range(0, len(stock.rows), 4 * PAGE):
        one, other = page(stock, ours, bare, first)
        our_asks.append(one)
        bare_asks.append(other)
    return Work(f"A pull, {PAGE:,} a page", goal, PULLING, our_asks, bare_asks, rows=PAGE)


def ends(stock: Stock, ours: Server, bare: Server) -> tuple[Work, Work]:
    """The first page of the list, and the last, by one client."""
    pages = [page(stock, ours, bare, first) for first in (0, len(stock.rows) - PAGE)]
    first, last = (Work(ENDS[at], None, 1, [one], [other], rows=PAGE) for at, (one, other) in enumerate(pages))
    return first, last


def page(stock: Stock, ours: Server, bare: Server, first: int) -> tuple[Ask, Ask]:
    """The page that begins with this row."""
    account, rows = stock.accounts[0], stock.rows[first : first + PAGE]
    after, number = stock.rows[first - 1][:2] if first else ("", 0)
    path = f"{LIST}?limit={PAGE}" + (f"&cursor={cursor_at(account.id, first - 1)}" if first else "")
    ask, bare_ask = _ask(ours, path, account.key), _ask(bare, f"/page/{account.id}/{PAGE}/{number}/{after}")
    shown = json.loads(ask.body)
    _check([(item["id"], item["data"]) for item in shown["items"]], [(row_id, data) for row_id, _, data in rows])
    _check(json.loads(bare_ask.body), [data for _, _, data in rows])
    return ask, bare_ask


def handing_in(accounts: list[Account], ours: Server, bare: Server, goal: float | None) -> Work:
    """POST submissions: ours checked, with their events; both durable."""
    our_asks, bare_asks = [], []
    for number in range(HANDING_IN):
        account = accounts[number % len(accounts)]
        data = json.dumps(answers(number), ensure_ascii=False, separators=(",", ":")).encode()
        path = f"/api/v1.0/customers/{account.id}/forms/{account.form_id}/submissions"
        our_asks.append(Ask(post(ours.host, path, b'{"data":%b}' % data, account.key), 201, data, whole=False))
        path = f"/in/{account.id}/{account.form_id}/{account.version_id}"
        bare_asks.append(Ask(post(bare.host, path, data), 201, data))
    into = "one account" if len(accounts) == 1 else f"{len(accounts)} accounts"
    return Work(f"Submissions in, {HANDING_IN} clients, {into}", goal, HANDING_IN, our_asks, bare_asks)


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
