"""Encrypted cookies: they carry what only this installation may read or change, and what is stored nowhere else.

A page that shows a new secret once gets it in such a cookie, so that reloading the page does not create another.
"""

from typing import Any

from cryptography.fernet import InvalidToken
from litestar import Request
from litestar.datastructures import Cookie
from litestar.response import Response

from formwright.context import AppContext
from formwright.settings import Settings
from formwright.web.session import get_app_context, make_cookie


def seal_cookie(ctx: AppContext, name: str, text: str, seconds: int) -> Cookie:
    """Return a cookie with the encrypted text."""
    return make_cookie(ctx.settings, name, ctx.secret_box.close(text), seconds)


def host_cookie_name(settings: Settings, name: str) -> str:
    """Return the name of a cookie that sites on the same domain cannot set, to sign people in as somebody else."""
    return name if settings.insecure_http else f"__Host-{name}"


def open_cookie(request: Request[Any, Any, Any], name: str) -> str:
    """Return the text of a sealed cookie; empty if there is none, or another installation has encrypted it."""
    try:
        return get_app_context(request).secret_box.open(request.cookies.get(name, ""))
    except (InvalidToken, ValueError):
        return ""


def forget_cookie(request: Request[Any, Any, Any], response: Response[str], name: str) -> Response[str]:
    """Delete a cookie of the request with the response, so that its text is not shown again."""
    if name in request.cookies:
        response.set_cookie(make_cookie(get_app_context(request).settings, name, "", 0))
    return response
