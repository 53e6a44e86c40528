"""The requests to Formwright and to the baseline. Each response is checked once before it becomes the expected one."""

import http.client
import json
from typing import Any

from bench.data import LIST, Account, Dataset, build_answers, cursor_at
from bench.load import ExpectedResponse, build_get, build_post
from bench.rounds import Workload
from bench.servers import Server

CLIENTS = 16
SUBMIT_CLIENTS = 32
IDS = 3000
PAGE = 1000
READ_CLIENTS = 4
ENDS = ("The first page of 1,000", "The last page of 1,000")


class WrongResponse(Exception):
    """A response differs from the inserted data, so measuring it would be meaningless."""


def get_one(dataset: Dataset, ours: Server, baseline: Server, goal: float | None) -> Workload:
    """Return requests for single submissions from all over the table."""
    account, step = dataset.accounts[0], max(1, len(dataset.rows) // IDS)
    our_requests, baseline_requests = [], []
    for row_id, _, data in dataset.rows[::step]:
        our_requests.append(
            _expect_current_response(ours, f"/api/v1.0/customers/{account.id}/submissions/{row_id}", account.key)
        )
        returned = json.loads(our_requests[-1].body)
        _check((returned["id"], returned["data"]), (row_id, data))
        baseline_requests.append(_expect_current_response(baseline, f"/one/{account.id}/{row_id}"))
        _check(json.loads(baseline_requests[-1].body), data)
    return Workload("GET one submission", goal, CLIENTS, our_requests, baseline_requests)


def read_pages(dataset: Dataset, ours: Server, baseline: Server, goal: float) -> Workload:
    """Return requests for every fourth page of the list, from the first to the last."""
    our_requests, baseline_requests = [], []
    for first in range(0, len(dataset.rows), 4 * PAGE):
        our_request, baseline_request = page_requests(dataset, ours, baseline, first)
        our_requests.append(our_request)
        baseline_requests.append(baseline_request)
    name = f"List submissions, {PAGE:,} per page"
    return Workload(name, goal, READ_CLIENTS, our_requests, baseline_requests, rows=PAGE)


def first_and_last_page(dataset: Dataset, ours: Server, baseline: Server) -> tuple[Workload, Workload]:
    """Return the requests for the first and the last page of the list, by one client each."""
    pages = [page_requests(dataset, ours, baseline, first) for first in (0, len(dataset.rows) - PAGE)]
    first, last = (
        Workload(ENDS[index], None, 1, [our_request], [baseline_request], rows=PAGE)
        for index, (our_request, baseline_request) in enumerate(pages)
    )
    return first, last


def page_requests(
    dataset: Dataset, ours: Server, baseline: Server, first: int
) -> tuple[ExpectedResponse, ExpectedResponse]:
    """Return the requests for the page that starts with this row."""
    account, rows = dataset.accounts[0], dataset.rows[first : first + PAGE]
    after, number = dataset.rows[first - 1][:2] if first else ("", 0)
    path = f"{LIST}?limit={PAGE}" + (f"&cursor={cursor_at(account.id, first - 1)}" if first else "")
    our_request = _expect_current_response(ours, path, account.key)
    baseline_request = _expect_current_response(baseline, f"/page/{account.id}/{PAGE}/{number}/{after}")
    returned = json.loads(our_request.body)
    _check([(item["id"], item["data"]) for item in returned["items"]], [(row_id, data) for row_id, _, data in rows])
    _check(json.loads(baseline_request.body), [data for _, _, data in rows])
    return our_request, baseline_request


def create_submissions(accounts: list[Account], ours: Server, baseline: Server, goal: float | None) -> Workload:
    """Return requests that create submissions. Both servers make them durable before they respond."""
    our_requests, baseline_requests = [], []
    for number in range(SUBMIT_CLIENTS):
        account = accounts[number % len(accounts)]
        data = json.dumps(build_answers(number), ensure_ascii=False, separators=(",", ":")).encode()
        path = f"/api/v1.0/customers/{account.id}/forms/{account.form_id}/submissions"
        our_requests.append(
            ExpectedResponse(build_post(ours.host, path, b'{"data":%b}' % data, account.key), 201, data, exact=False)
        )
        path = f"/in/{account.id}/{account.form_id}/{account.version_id}"
        baseline_requests.append(ExpectedResponse(build_post(baseline.host, path, data), 201, data))
    into = "one account" if len(accounts) == 1 else f"{len(accounts)} accounts"
    return Workload(
        f"Create submissions, {SUBMIT_CLIENTS} clients, {into}", goal, SUBMIT_CLIENTS, our_requests, baseline_requests
    )


def constant_request(baseline: Server) -> list[ExpectedResponse]:
    """Return a request whose response is constant."""
    return [_expect_current_response(baseline, "/constant")]


def _expect_current_response(server: Server, path: str, key: str = "") -> ExpectedResponse:
    """Return a GET request that expects the current response."""
    connection = http.client.HTTPConnection(server.host, timeout=20)
    connection.request("GET", path, headers={"X-Api-Key": key, "Accept": "application/json"})
    response = connection.getresponse()
    body = response.read()
    connection.close()
    _check(response.status, 200)
    return ExpectedResponse(build_get(server.host, path, key), 200, body)


def _check(actual: Any, expected: Any) -> None:
    if actual != expected:
        raise WrongResponse(f"found {str(actual)[:300]}, not {str(expected)[:300]}")
