"""How a call reaches the server and comes back."""

import json
import ssl
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from types import TracebackType
from typing import Any, Self, TypeAlias
from urllib.parse import quote

import httpx

from formwright_client.errors import ApiError, Unreachable
from formwright_client.paging import Pages
from formwright_client.retrying import may_be_sent_again, pause_s, retry_after_s, worth_a_retry

Moment: TypeAlias = datetime | str
"""A time with its offset."""
PREFIX = "/api/v1.0"


@dataclass(frozen=True)
class Table:
    """A body that is a file: rows as CSV or .xlsx, or an XLSForm."""

    content: bytes
    media_type: str

    @classmethod
    def csv(cls, content: bytes) -> Self:
        """Comma-separated values."""
        return cls(content, "text/csv")

    @classmethod
    def xlsx(cls, content: bytes) -> Self:
        """A workbook."""
        return cls(content, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")


class Answer(dict[str, Any]):
    """A resource with the ETag that came with it."""

    etag: str = ""


def etag(resource: Mapping[str, Any]) -> str:
    """The ETag of a resource as a call answered it, for `if_match`; ValueError for what came without one."""
    found = getattr(resource, "etag", "")
    if not found:
        raise ValueError("Only what a call answered for one resource has an ETag: read it with its get_… call.")
    return str(found)


def part(name: str) -> str:
    """A member of a path: whatever is in it, it stays one. ValueError for what would name something else."""
    if name in ("", ".", ".."):
        raise ValueError(f"{name!r} is no id.")
    return quote(name, safe="")


class Caller:
    """A connection to one account. For a `with` block, or `close()` it. Threads may share it.

    `address` is where Formwright is, without a path: `https://forms.example.org`. `tls` names whom to trust, where the
    server's certificate is not one that this machine trusts. `http` is a client of your own, with its proxies and
    limits; it stays yours to close. `tries` bounds how often one call is sent, `longest_wait_s` how long is waited
    because `Retry-After` says so: what lasts longer is raised.
    """

    def __init__(
        self,
        address: str,
        key: str,
        *,
        customer_id: str = "",
        timeout_s: float = 30,
        tries: int = 4,
        longest_wait_s: float = 60,
        tls: ssl.SSLContext | None = None,
        http: httpx.Client | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._base = address.rstrip("/").removesuffix(PREFIX) + PREFIX
        self._headers = {"x-api-key": key, "accept": "*/*"}
        self._customer_id = customer_id
        self._timeout_s, self._tries, self._longest_wait_s, self._sleep = timeout_s, tries, longest_wait_s, sleep
        self._http = http or httpx.Client(verify=True if tls is None else tls)
        self._own = http is None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _: type[BaseException] | None, __: BaseException | None, ___: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """End the connections."""
        if self._own:
            self._http.close()

    @property
    def customer_id(self) -> str:
        """The account that the key is of; asked for once."""
        if not self._customer_id:
            self._customer_id = self._answer("GET", "/customers")["items"][0]["id"]
        return self._customer_id

    def _answer(self, method: str, path: str, **how: Any) -> Any:
        """What was answered, as plain values."""
        response = self._send(method, path, **how)
        if response.headers.get("content-type", "").partition(";")[0] != "application/json":
            raise ApiError(response.status_code, {})
        found = response.json()
        if isinstance(found, dict):
            found = Answer(found)
            found.etag = response.headers.get("etag", "")
        return found

    def _content(self, method: str, path: str, **how: Any) -> bytes:
        """What was answered, as it came."""
        return self._send(method, path, **how).content

    def _done(self, method: str, path: str, **how: Any) -> None:
        """Do it; there is nothing to say."""
        self._send(method, path, **how)

    def _listed(self, path: str, *, query: Mapping[str, Any]) -> Pages[Any]:
        """A list, which is asked for as it is read."""
        return Pages(lambda pairs: self._answer("GET", path, query=pairs), _pairs(query))

    def _send(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | Sequence[tuple[str, str]] = (),
        body: Mapping[str, Any] | Sequence[Mapping[str, Any]] | Table | None = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> httpx.Response:
        """The answer, which is a 2xx. ApiError for any other, Unreachable for none."""
        headers = dict(self._headers)
        if method == "POST":
            headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
        if if_match is not None:
            headers["if-match"] = if_match
        content: bytes | None = None
        if isinstance(body, Table):
            content, headers["content-type"] = body.content, body.media_type
        elif body is not None:
            content, headers["content-type"] = json.dumps(body, default=_plain).encode(), "application/json"
        pairs = _pairs(query) if isinstance(query, Mapping) else list(query)
        url = httpx.URL(self._base + path, params=pairs) if pairs else httpx.URL(self._base + path)
        request = self._http.build_request(method, url, headers=headers, content=content, timeout=self._timeout_s)
        return self._sent(request)

    def _sent(self, request: httpx.Request) -> httpx.Response:
        tries = 1
        while True:
            wait_s = pause_s(tries)
            try:
                answer = self._http.send(request, follow_redirects=False)
            except httpx.TransportError as error:
                if tries >= self._tries or not may_be_sent_again(error, request):
                    raise Unreachable(
                        f"{request.method} {request.url.path}: {str(error) or type(error).__name__}",
                        request.headers.get("idempotency-key"),
                    ) from error
            else:
                if answer.is_success:
                    return answer
                refusal = _refusal(answer)
                wait_s = max(wait_s, refusal.retry_after_s or 0)
                if tries >= self._tries or wait_s > self._longest_wait_s or not worth_a_retry(answer, refusal.code):
                    raise refusal
            self._sleep(wait_s)
            tries += 1


def _refusal(answer: httpx.Response) -> ApiError:
    problem: Any = None
    if answer.headers.get("content-type", "").startswith("application/problem+json"):
        problem = answer.json()
    return ApiError(answer.status_code, problem if isinstance(problem, dict) else {}, retry_after_s(answer))


def _pairs(query: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The members of a query that are given; a list is repeated, and conditions stand by themselves."""
    pairs: list[tuple[str, str]] = []
    for name, value in query.items():
        if isinstance(value, Mapping):
            pairs += [(f"{name}.{member}", _condition(one)) for member, one in value.items()]
        elif isinstance(value, (list, tuple, set, frozenset)):
            pairs += [(name, _word(one)) for one in value]
        elif value is not None:
            pairs.append((name, _word(value)))
    return pairs


def _condition(value: object) -> str:
    """What an answer is compared with; of several, a comma inside one is escaped."""
    if isinstance(value, (list, tuple)):
        return ",".join(_word(one).replace(",", "\\,") for one in value)
    return _word(value)


def _word(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return _plain(value) if isinstance(value, date) else str(value)


def _plain(value: object) -> str:
    """Times and days as JSON has them."""
    if isinstance(value, date):
        return value.isoformat()
    raise TypeError(f"{type(value).__name__} is nothing that JSON can say.")
