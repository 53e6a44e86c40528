"""The client."""

# Generated from `_async/client.py` by `make openapi`. Do not edit.

import ssl
from collections.abc import Callable
from types import TracebackType
from typing import Self

import httpx

from formwright_client._sync import runtime
from formwright_client._sync.resources import Resources
from formwright_client._sync.transport import Transport
from formwright_client.base_url import check_api_key, normalize_base_url


class Client(Resources):
    """An account, over the API. Use it in a `with` block, or call `close()`. Threads can share it.

    Args:
        base_url: The address of the server, such as `https://forms.example.org`.
        api_key: The API key. It is only sent to this address; redirects are not followed.
        customer_id: The id of the account, which saves the request that finds it.
        timeout: How many seconds to wait for a connection, and for each part of a response.
        max_retries: How often a failed request is repeated.
        max_retry_delay: The longest delay before a retry, in seconds. If `Retry-After` is longer, the error is raised.
        ssl_context: Which certificates to trust, for a server whose certificate this machine does not trust.
        http_client: Your own `httpx.Client` with its proxies and limits, instead of `ssl_context`. You close it.
        sleep: Waits before a retry. Replace it in tests.

    Raises:
        ValueError: `base_url` is not the address of a server, or `api_key` cannot be a key.
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        customer_id: str = "",
        timeout: float = 30,
        max_retries: int = 3,
        max_retry_delay: float = 60,
        ssl_context: ssl.SSLContext | None = None,
        http_client: httpx.Client | None = None,
        sleep: Callable[[float], object] = runtime.sleep,
    ) -> None:
        api_url = normalize_base_url(base_url)
        check_api_key(api_key)
        self._owns_http_client = http_client is None
        self._http_client = http_client or httpx.Client(verify=True if ssl_context is None else ssl_context)
        self._transport = Transport(
            self._http_client,
            api_url,
            api_key,
            customer_id=customer_id,
            timeout=timeout,
            max_retries=max_retries,
            max_retry_delay=max_retry_delay,
            sleep=sleep,
        )
        super().__init__(self._transport)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections, unless they belong to your own `http_client`."""
        if self._owns_http_client:
            self._http_client.close()

    def get_customer_id(self) -> str:
        """Return the id of the account that the API key belongs to. It is requested once.

        Raises:
            ApiError: The server rejected the request, e.g. because the key is unknown.
            NoResponseError: No response arrived.
        """
        return self._transport.customer_id()
