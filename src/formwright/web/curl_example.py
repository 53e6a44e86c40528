"""A first call of the API, as a line to copy."""

from typing import Any

from litestar import Request

from formwright.web.session import get_app_context, origin_of


def curl(request: Request[Any, Any, Any], key: str, path: str, more: str = "") -> str:
    """The line that calls `path` of the API of the server that was asked; `more` stands before the address."""
    settings = get_app_context(request).settings
    base = origin_of(request)
    ca = settings.data_dir / "tls" / "ca.pem"
    # Only this machine trusts nobody yet who vouches for localhost.
    trust = f"--cacert {ca} " if base.startswith("https://localhost") and ca.exists() else ""
    return f'curl {trust}-H "X-Api-Key: {key}" {more}{base}/api/v1.0{path}'
