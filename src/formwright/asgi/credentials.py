"""How interfaces recognise programs by an Authorization header, and count their requests."""

from collections.abc import Iterator
from contextlib import contextmanager

from formwright.asgi.request_errors import TooManyRequests, count_unknown_key
from formwright.context import AppContext
from formwright.core.auth.actor import Actor
from formwright.domain.api_keys.models import KeyMissing, KeyUnknown


def read_credential(authorization: str, scheme: str) -> str:
    """Return what follows the name of the scheme (RFC 9110, section 11.6.2); "" for another scheme."""
    sent_scheme, _, credential = authorization.strip().partition(" ")
    return credential.strip() if sent_scheme.lower() == scheme else ""


@contextmanager
def count_unknown_keys(ctx: AppContext) -> Iterator[None]:
    """Count an unknown key that the block rejects. Raises `TooManyUnknownKeys` if its address has sent too many."""
    try:
        yield
    except KeyMissing:
        raise
    except KeyUnknown:
        count_unknown_key(ctx)
        raise


async def count_request(ctx: AppContext, actor: Actor, own_limit: int | None = None) -> None:
    """Count a request against the rate limit of a key. Raises `TooManyRequests`. Not for use in a transaction."""
    if limit := ctx.rates.limit_of(own_limit):
        allowance = ctx.rates.consume(actor, limit) or await ctx.rates.refill(ctx.db, actor, limit)
        if allowance.wait_s:
            raise TooManyRequests(allowance)
