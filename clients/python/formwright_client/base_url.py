"""The address of a server."""

import httpx

API_PATH = "/api/v1.0"


def normalize_base_url(base_url: str) -> str:
    """Return the address of the API on a server: `https://forms.example.org/api/v1.0`.

    Raises:
        ValueError: It is not the address of a server.
    """
    try:
        url = httpx.URL(base_url)
    except (httpx.InvalidURL, TypeError) as error:
        raise ValueError(f"base_url is not a URL: {error}") from error
    if url.scheme not in ("http", "https") or not url.host:
        raise ValueError(f"base_url must be like https://forms.example.org, not {base_url!r}.")
    if url.userinfo or url.query or url.fragment or url.path.rstrip("/") not in ("", API_PATH):
        raise ValueError(f"base_url must be a server without path, query or password, not {base_url!r}.")
    return f"{url.scheme}://{url.netloc.decode('ascii')}{API_PATH}"


def check_api_key(api_key: str) -> str:
    """Return the key.

    Raises:
        ValueError: It cannot be a key, so the server would reject every request with it.
    """
    if not api_key or not api_key.isascii() or not api_key.isprintable() or " " in api_key:
        raise ValueError("api_key is empty or has characters that no API key has, such as a line break.")
    return api_key
