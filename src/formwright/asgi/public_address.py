"""The address of this server in links."""

from formwright.settings import Settings


def public_address(settings: Settings, scheme: str, host: str | None) -> str:
    """Return the scheme and host for links: the operator's base URL or, without one, those of the request.

    `host` is the header of the request. `RequestMiddleware` has rejected requests for hosts that are not allowed, so
    nobody else determines where links lead.
    """
    return settings.base_url or f"{scheme}://{host or 'localhost'}"
