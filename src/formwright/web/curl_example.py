"""A first API request as a curl command to copy."""

from formwright.web.page import PublicPage


def curl_command(page: PublicPage, key: str, path: str, options: str = "") -> str:
    """Return the command that requests `path` of this server's API. `options` is inserted before the URL."""
    settings = page.ctx.settings
    base = page.origin
    ca = settings.data_dir / "tls" / "ca.pem"
    # The certificate for localhost is signed by the server's own CA, which the machine does not trust by default.
    trust = f"--cacert {ca} " if base.startswith("https://localhost") and ca.exists() else ""
    return f'curl {trust}-H "X-Api-Key: {key}" {options}{base}/api/v1.0{path}'
