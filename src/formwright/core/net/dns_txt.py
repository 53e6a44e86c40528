"""TXT records of domains, looked up at the name servers of the machine."""

from typing import Any

from formwright.core.lazy_import import LazyModule

TIMEOUT_S = 8
_asyncresolver: Any = LazyModule("dns.asyncresolver")
_exception: Any = LazyModule("dns.exception")
_resolver: Any = LazyModule("dns.resolver")


class LookupFailed(Exception):
    """The name servers did not answer. The message says why."""


def create_resolver() -> Any:
    """Return a resolver with the name servers of the machine."""
    return _asyncresolver.Resolver()


async def lookup_txt(name: str) -> list[str]:
    """Return the TXT records of a name, without those that are not ASCII; none if the name does not exist.

    Raises `LookupFailed`.
    """
    try:
        answer = await create_resolver().resolve(name, "TXT", lifetime=TIMEOUT_S)
    except (_resolver.NXDOMAIN, _resolver.NoAnswer):
        return []
    except (_exception.DNSException, OSError) as error:
        raise LookupFailed(type(error).__name__) from error
    texts = [b"".join(record.strings) for record in answer]
    return [text.decode() for text in texts if text.isascii()]
