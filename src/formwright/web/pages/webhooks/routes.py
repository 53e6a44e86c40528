"""The addresses of webhooks."""

from formwright.web.pages.webhooks import again, delivery, one, overview

HANDLERS = [*overview.HANDLERS, *again.HANDLERS, *delivery.HANDLERS, *one.HANDLERS]
