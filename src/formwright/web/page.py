"""A page while it is requested: who requests it, what it reads with, and how it is rendered."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import fields
from functools import partial
from typing import TYPE_CHECKING, Self

from markupsafe import Markup

from formwright.core.auth import request_context
from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.db.lazy_reading import LazyReadTransaction
from formwright.core.errors import Unavailable
from formwright.domain.users.auth import sessions
from formwright.web.http import Request, Response
from formwright.web.navigation import visible_places
from formwright.web.session import SignInRequired, Visitor, cookie_name
from formwright.web.templating import PAGE_HEADERS, format_time, template_environment

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class PublicPage(Request):
    """A page that everybody may open.

    `tx` is what it reads with. A GET request has one transaction, until its handler has returned, a write begins, or it
    has to wait for something else than the database and calls `end_reading`. So no request waits for a connection of
    the database, or for a slow server, while it holds another connection.
    """

    tx: ReadTransaction
    visitor: Visitor | None = None
    _reading: LazyReadTransaction

    @classmethod
    @asynccontextmanager
    async def open(cls, request: Request, *, long: bool = False, listing: bool = False) -> AsyncIterator[Self]:
        """Prepare the page for its handler, and end its transaction afterwards."""
        page = cls(request.scope, request.receive, request.send)
        page.tx = page._reading = LazyReadTransaction(
            request.ctx.db, stays=request.method == "GET", long=long, listing=listing
        )
        try:
            await page.prepare()
            # The transaction itself if it has begun, so that further statements need no detour.
            page.tx = page._reading.current or page._reading
            yield page
        finally:
            await page.end_reading()

    async def prepare(self) -> None:
        """Check who requests the page, before its handler is called."""

    async def find_visitor(self) -> Visitor:
        """Return the signed-in person who sent the request. Raises `SignInRequired` if there is no valid session."""
        now = self.ctx.clock.now()
        token = self.cookies.get(cookie_name(self.ctx.settings), "")
        match = await sessions.find(self.tx, token, now) if token else None
        if match is None:
            raise SignInRequired()
        user, customer, actor, session = match
        allow(request_context.set_actor(actor), Permission.CUSTOMER_READ)
        if sessions.is_stale(session, now):
            # If the database is read-only at the moment, pages can still be read.
            with suppress(Unavailable):
                async with self.writing() as tx:
                    await sessions.update_seen(tx, session)
        return Visitor(user, customer, actor, session)

    def has_mail_server(self) -> bool:
        """Whether emails are sent. Otherwise they are only saved to a folder."""
        return bool(self.ctx.mail_transport.server)

    async def end_reading(self) -> None:
        """End the read transaction. The next statement begins another one."""
        await self._reading.end()
        self.tx = self._reading

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[WriteTransaction]:
        """Open a read-write transaction; see `Database.writing`."""
        await self.end_reading()
        async with self.ctx.db.writing() as tx:
            yield tx

    def render(
        self, template: str, view_model: "DataclassInstance | None" = None, *, section: str = "", status: int = 200
    ) -> Response:
        """Render the page. The fields of the view model are the variables of its template.

        For a visitor, the page has the navigation of signed-in people, in which `section` is marked as the current one.
        """
        visitor = self.visitor
        frame = {
            "me": visitor and visitor.user,
            "account": visitor and visitor.customer,
            "may": visitor.actor.permissions if visitor else frozenset(),
            "places": visible_places(visitor.actor.permissions) if visitor else (),
            "section": section,
            # A function, because the page of an error may be rendered outside of the application.
            "has_mail_server": self.has_mail_server,
            "at": partial(format_time, time_zone=visitor.customer.time_zone) if visitor else None,
            "csrf": Markup('<input type="hidden" name="_csrf_token" value="{}">').format(self.csrf_token),
        }
        variables = {one.name: getattr(view_model, one.name) for one in fields(view_model)} if view_model else {}
        text = template_environment().get_template(template).render(frame | variables)
        return Response(text, status_code=status, media_type="text/html", headers=PAGE_HEADERS)


class Page(PublicPage):
    """A page for a signed-in person, the visitor. Others are led to the sign-in page."""

    visitor: Visitor
    actor: Actor
    """The visitor, and what they are permitted to do."""

    async def prepare(self) -> None:
        self.visitor = await self.find_visitor()
        self.actor = self.visitor.actor

    @asynccontextmanager
    async def changing(self) -> AsyncIterator[WriteTransaction]:
        """Open a read-write transaction that reads what it changes: nobody else changes that until it ends."""
        async with self.writing() as tx:
            await account_lock.hold(tx, self.actor.customer_id)
            yield tx
