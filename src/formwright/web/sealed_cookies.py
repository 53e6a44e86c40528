"""Encrypted cookies: they carry what only this installation may read or change, and what is stored nowhere else.

A page that shows a new secret once gets it in such a cookie, so that reloading the page does not create another.
"""

from cryptography.fernet import InvalidToken

from formwright.context import AppContext
from formwright.settings import Settings
from formwright.web.http import Cookie, Response
from formwright.web.page import PublicPage
from formwright.web.session import make_cookie


def seal_cookie(ctx: AppContext, name: str, text: str, seconds: int) -> Cookie:
    """Return a cookie with the encrypted text."""
    return make_cookie(ctx.settings, name, ctx.secret_box.close(text), seconds)


def host_cookie_name(settings: Settings, name: str) -> str:
    """Return the name of a cookie that sites on the same domain cannot set, to sign people in as somebody else."""
    return name if settings.insecure_http else f"__Host-{name}"


def open_cookie(page: PublicPage, name: str) -> str:
    """Return the text of a sealed cookie; empty if there is none, or another installation has encrypted it."""
    try:
        return page.ctx.secret_box.open(page.cookies.get(name, ""))
    except (InvalidToken, ValueError):
        return ""


def forget_cookie(page: PublicPage, response: Response, name: str) -> Response:
    """Delete a cookie of the request with the response, so that its text is not shown again."""
    if name in page.cookies:
        response.set_cookie(make_cookie(page.ctx.settings, name, "", 0))
    return response
