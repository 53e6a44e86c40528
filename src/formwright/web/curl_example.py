"""A first call of the API, as a line to copy."""

from typing import Any

from litestar import Request

from formwright.web.session import get_app_context, public_origin


def curl_command(request: Request[Any, Any, Any], key: str, path: str, options: str = "") -> str:
    """The line that calls `path` of the API of the server that was asked; `more` stands before the address."""
    settings = get_app_context(request).settings
    base = public_origin(request)
    ca = settings.data_dir / "tls" / "ca.pem"
    # Only this machine trusts nobody yet who vouches for localhost.
    trust = f"--cacert {ca} " if base.startswith("https://localhost") and ca.exists() else ""
    return f'curl {trust}-H "X-Api-Key: {key}" {options}{base}/api/v1.0{path}'
