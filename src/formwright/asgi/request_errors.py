"""Errors of requests to any interface, each with its HTTP status."""

from typing import ClassVar

from formwright.context import AppContext
from formwright.core.auth.request_context import current_caller
from formwright.core.errors import DomainError
from formwright.domain.api_keys.rate_limits import RateLimitStatus

RATE_WINDOW_S = 60


class RequestError(DomainError):
    """The request cannot be processed, whatever its operation. `status` is the HTTP status."""

    status: ClassVar[int] = 400


class BadRequest(RequestError):
    code = "request.malformed"
    detail = "The request is not valid HTTP."


class HostUnknown(RequestError):
    status = 421
    code = "host.unknown"
    detail = (
        "This server does not accept requests for this host name. The operator can add the name to"
        " FORMWRIGHT_ALLOWED_HOSTS, or set FORMWRIGHT_BASE_URL."
    )


class TooManyRequests(RequestError):
    status = 429
    code = "rate.exceeded"
    detail = "This key has reached its rate limit. Wait for the number of seconds in Retry-After."

    def __init__(self, allowance: RateLimitStatus) -> None:
        super().__init__()
        self.headers = {"retry-after": str(allowance.wait_s)}


class TooManyUnknownKeys(RequestError):
    status = 429
    code = "rate.unknown_keys"
    detail = "Too many unknown keys came from this address. Wait a minute, and check the key."
    headers: ClassVar = {"retry-after": str(RATE_WINDOW_S)}


def count_unknown_key(ctx: AppContext) -> None:
    """Count a request with an unknown key. Raises `TooManyUnknownKeys` if its address has sent too many."""
    caller = current_caller.get()
    if ctx.rates.limit and caller and ctx.rates.unknown.take(caller.address, ctx.clock.now()):
        raise TooManyUnknownKeys()
