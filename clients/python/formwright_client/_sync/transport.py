"""Sends requests, and repeats them if they failed."""

# Generated from `_async/transport.py` by `make openapi`. Do not edit.

import uuid
from collections.abc import Callable, Mapping
from typing import Any

import httpx

from formwright_client._sync.paginator import Paginator
from formwright_client.encoding import ACCOUNT, Body, QueryPairs, encode_body, encode_query, encode_segment
from formwright_client.errors import NoResponseError
from formwright_client.responses import parse_error, parse_json
from formwright_client.retry_policy import backoff_delay, can_retry_error, can_retry_response


class Transport:
    """The connection of a client to one account.

    Paths contain `ACCOUNT` for the id of the account, which is requested when it is first needed.
    """

    def __init__(
        self,
        http_client: httpx.Client,
        api_url: str,
        api_key: str,
        *,
        customer_id: str,
        timeout: float,
        max_retries: int,
        max_retry_delay: float,
        sleep: Callable[[float], object],
    ) -> None:
        self._http_client, self._api_url, self._customer_id = http_client, api_url, customer_id
        self._headers = {"x-api-key": api_key, "accept": "*/*"}
        self._timeout, self._max_retries, self._max_retry_delay = timeout, max_retries, max_retry_delay
        self.sleep = sleep

    def customer_id(self) -> str:
        """Return the id of the account that the key belongs to."""
        if not self._customer_id:
            self._customer_id = (self.request_json("GET", "/customers"))["items"][0]["id"]
        return self._customer_id

    def request_json(self, method: str, path: str, **options: Any) -> Any:
        """Return the JSON of the response; an object with its ETag."""
        return parse_json(self.request(method, path, **options))

    def request_bytes(self, method: str, path: str, **options: Any) -> bytes:
        """Return the body of the response."""
        return (self.request(method, path, **options)).content

    def paginate(self, path: str, *, query: Mapping[str, Any]) -> Paginator[Any]:
        """Return the items of a list, which are requested while you iterate."""

        def fetch(pairs: QueryPairs) -> Any:
            return self.request_json("GET", path, query=pairs)

        return Paginator(fetch, encode_query(query))

    def request(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | QueryPairs = (),
        body: Body = None,
        if_match: str | None = None,
        idempotency_key: str | None = None,
    ) -> httpx.Response:
        """Return the response, whose status is 2xx.

        Raises:
            ApiError: The response has another status.
            NoResponseError: There was none.
        """
        headers = dict(self._headers)
        if method == "POST":
            headers["idempotency-key"] = idempotency_key or str(uuid.uuid4())
        if if_match is not None:
            headers["if-match"] = if_match
        content, media_type = encode_body(body)
        if media_type:
            headers["content-type"] = media_type
        if ACCOUNT in path:
            path = path.replace(ACCOUNT, encode_segment(self.customer_id()))
        pairs = encode_query(query) if isinstance(query, Mapping) else list(query)
        url = httpx.URL(self._api_url + path, params=pairs) if pairs else httpx.URL(self._api_url + path)
        return self._send(
            self._http_client.build_request(method, url, headers=headers, content=content, timeout=self._timeout)
        )

    def _send(self, request: httpx.Request) -> httpx.Response:
        attempt = 1
        while True:
            delay = backoff_delay(attempt)
            try:
                response = self._http_client.send(request, follow_redirects=False)
            except httpx.TransportError as error:
                if attempt > self._max_retries or not can_retry_error(error, request):
                    message = f"{request.method} {request.url.path}: {str(error) or type(error).__name__}"
                    raise NoResponseError(message, request.headers.get("idempotency-key")) from error
            else:
                if response.is_success:
                    return response
                problem = parse_error(response)
                delay = max(delay, problem.retry_after or 0)
                exhausted = attempt > self._max_retries or delay > self._max_retry_delay
                if exhausted or not can_retry_response(response, problem.code):
                    raise problem
            self.sleep(delay)
            attempt += 1
