"""Links as QR codes."""

import io

import segno

from formwright.web.http import Response
from formwright.web.templating import PAGE_HEADERS

_TYPES = {"png": "image/png", "svg": "image/svg+xml"}
_SCALE = 12
"""Pixels per module: the code of a link is about 500 pixels wide, which prints sharply on a page."""


def render_qr_code(url: str, kind: str) -> Response:
    """Return the QR code of a URL as a picture: `png` or `svg`."""
    picture = io.BytesIO()
    more = {"xmldecl": False} if kind == "svg" else {}
    # Scanners need a quiet zone of four modules (ISO/IEC 18004).
    segno.make_qr(url, error="m").save(picture, kind=kind, scale=_SCALE, border=4, dark="#000", light="#fff", **more)
    return Response(picture.getvalue(), media_type=_TYPES[kind], headers=PAGE_HEADERS)
