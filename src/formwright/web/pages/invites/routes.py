"""The addresses of invites."""

from formwright.web.pages.invites import one, overview

HANDLERS = [*overview.HANDLERS, *one.HANDLERS]
