"""How responses are read."""

from collections.abc import Mapping
from typing import Any

import httpx

from formwright_client.errors import ApiError
from formwright_client.retry_policy import parse_retry_after


class TaggedDict(dict[str, Any]):
    """A resource with the ETag of its response."""

    etag: str = ""


def etag(resource: Mapping[str, Any]) -> str:
    """Return the ETag of a resource, to pass as `if_match`.

    Args:
        resource: What a call that returns one resource has returned, such as `client.forms.get(…)`.

    Raises:
        ValueError: The resource has no ETag, because it is an item of a list or was not returned by a call.
    """
    found = getattr(resource, "etag", "")
    if not found:
        raise ValueError("Only a resource returned by a call of its own has an ETag: read it with get(…).")
    return str(found)


def parse_json(response: httpx.Response) -> Any:
    """Return the JSON of a response; an object with its ETag.

    Raises:
        ApiError: The response is not JSON, so it is from a proxy.
    """
    if response.headers.get("content-type", "").partition(";")[0] not in ("application/json", "application/geo+json"):
        raise ApiError(response.status_code, {})
    content = response.json()
    if isinstance(content, dict):
        content = TaggedDict(content)
        content.etag = response.headers.get("etag", "")
    return content


def parse_error(response: httpx.Response) -> ApiError:
    """Return the error that a response describes."""
    problem: Any = None
    if response.headers.get("content-type", "").startswith("application/problem+json"):
        problem = response.json()
    return ApiError(response.status_code, problem if isinstance(problem, dict) else {}, parse_retry_after(response))
