"""Signing in and out."""

from typing import Any

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.domain.people import service as people
from formwright.domain.people.passwords import MAX_LENGTH
from formwright.web.render import page
from formwright.web.session import cookie_name, house_of, safe_next, session_cookie

_WRONG = "The e-mail address or the password is wrong. Try again."
_LONGEST_ADDRESS = 254


@get("/")
async def start() -> Redirect:
    """The first place."""
    return Redirect("/forms", status_code=303)


@get("/sign-in")
async def sign_in_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The form to sign in with."""
    return page(request, "sign_in.html", error="", email="", next=request.query_params.get("next", ""))


@post("/sign-in", status_code=303)
async def sign_in(request: Request[Any, Any, Any]) -> Response[Any]:
    """Begin a session for whoever's password it is."""
    form = await request.form()
    email, password = (str(form.get(name, ""))[:1000] for name in ("email", "password"))
    come_back = str(form.get("next", ""))
    token = await _begin(request, email, password)
    if token is None:
        return page(request, "sign_in.html", 422, error=_WRONG, email=email[:_LONGEST_ADDRESS], next=come_back)
    settings = house_of(request).settings
    return Redirect(safe_next(come_back), status_code=303, cookies=[session_cookie(settings, token)])


async def _begin(request: Request[Any, Any, Any], email: str, password: str) -> str | None:
    house = house_of(request)
    if "\0" in email or len(password) > MAX_LENGTH:
        return None
    async with house.db.reading() as tx:
        candidates = await people.sign_ins(tx, email)
    if not candidates:
        # As slow as a wrong password, so that nobody learns who has an account here.
        await house.passwords.fits(password, None)
    for who in candidates:
        if await house.passwords.fits(password, who.password_hash):
            async with house.db.writing() as tx:
                return await people.begin_session(tx, who)
    return None


@post("/sign-out", status_code=303)
async def sign_out(request: Request[Any, Any, Any]) -> Redirect:
    """End the session."""
    house = house_of(request)
    async with house.db.writing() as tx:
        await people.end_session(tx, request.cookies.get(cookie_name(house.settings), ""))
    return Redirect("/sign-in", status_code=303, cookies=[session_cookie(house.settings, "")])


HANDLERS = [start, sign_in_page, sign_in, sign_out]
