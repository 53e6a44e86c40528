"""Limits on how often one asks: for each key as the operator set it, and for whoever tries keys that open nothing.

The header fields are those of draft-ietf-httpapi-ratelimit-headers-10.
"""

from formwright.api.errors import RequestError
from formwright.api.request import Request
from formwright.context import AppContext
from formwright.core.auth.actor import Actor
from formwright.core.auth.request_context import current
from formwright.domain.api_keys.rate_limits import RateLimitStatus

_MINUTE_S = 60


class TooManyRequests(RequestError):
    status = 429
    code = "rate.exceeded"
    detail = "This key has asked as often as it may within a minute. Wait as many seconds as Retry-After says."

    def __init__(self, allowance: RateLimitStatus) -> None:
        super().__init__()
        self.headers = {"retry-after": str(allowance.wait_s)}


class TooManyUnknownKeys(RequestError):
    status = 429
    code = "rate.unknown_keys"
    detail = "Too many unknown keys came from this address. Wait a minute, and check the key."
    headers = {"retry-after": str(_MINUTE_S)}


async def draw(ctx: AppContext, request: Request, actor: Actor) -> None:
    """Count a request with what all processes have left; `TooManyRequests` when that is nothing."""
    allowance = request.allowance = await ctx.rates.refill(ctx.db, actor)
    if allowance.wait_s:
        raise TooManyRequests(allowance)


def guessed(ctx: AppContext) -> None:
    """A key that opens nothing came; `TooManyUnknownKeys` when too many came from where it came from."""
    caller = current()
    if ctx.rates.limit and caller and ctx.rates.unknown.record(caller.address, ctx.clock.now()):
        raise TooManyUnknownKeys()


def fields(allowance: RateLimitStatus) -> dict[str, str]:
    """`RateLimit` and `RateLimit-Policy`."""
    fill_s = -(-(allowance.limit - allowance.left) * _MINUTE_S // allowance.limit)
    return {
        "ratelimit-policy": f'"key";q={allowance.limit};w={_MINUTE_S}',
        "ratelimit": f'"key";r={allowance.left};t={fill_s}',
    }
