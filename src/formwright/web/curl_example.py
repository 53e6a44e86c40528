"""A first API request as a curl command to copy."""

from typing import Any

from litestar import Request

from formwright.web.session import get_app_context, public_origin


def curl_command(request: Request[Any, Any, Any], key: str, path: str, options: str = "") -> str:
    """Return the command that requests `path` of this server's API. `options` is inserted before the URL."""
    settings = get_app_context(request).settings
    base = public_origin(request)
    ca = settings.data_dir / "tls" / "ca.pem"
    # The certificate for localhost is signed by the server's own CA, which the machine does not trust by default.
    trust = f"--cacert {ca} " if base.startswith("https://localhost") and ca.exists() else ""
    return f'curl {trust}-H "X-Api-Key: {key}" {options}{base}/api/v1.0{path}'
