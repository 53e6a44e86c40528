"""The addresses of forms and folders."""

from formwright.web.pages import folders
from formwright.web.pages.forms import form, overview, templates

HANDLERS = [*overview.HANDLERS, *form.HANDLERS, *templates.HANDLERS, *folders.HANDLERS]
