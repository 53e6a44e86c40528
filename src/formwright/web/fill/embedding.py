"""Which sites may show a fill page in a frame. All other pages refuse frames."""

from collections.abc import Sequence

from formwright.web.http import Response
from formwright.web.templating import PAGE_HEADERS

_POLICY = PAGE_HEADERS["content-security-policy"]
_NO_FRAMES = "frame-ancestors 'none'"


def allow_frames(response: Response, origins: Sequence[str]) -> None:
    """Let pages of these origins show the page in a frame (CSP Level 3, frame-ancestors)."""
    if origins:
        ancestors = " ".join(["frame-ancestors 'self'", *origins])
        response.headers["content-security-policy"] = _POLICY.replace(_NO_FRAMES, ancestors)
