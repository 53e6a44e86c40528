"""The addresses of settings."""

from formwright.web.pages.settings import api_keys, audit, mail, organisation, overview

HANDLERS = [*overview.HANDLERS, *api_keys.HANDLERS, *audit.HANDLERS, *mail.HANDLERS, *organisation.HANDLERS]
