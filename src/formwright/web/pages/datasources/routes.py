"""The addresses of data sources."""

from formwright.web.pages.datasources import forms, one, overview, pull, upload

HANDLERS = [*overview.HANDLERS, *forms.HANDLERS, *one.HANDLERS, *pull.HANDLERS, *upload.HANDLERS]
