"""The addresses of tasks."""

from formwright.web.pages.tasks import given, mine

HANDLERS = [*given.HANDLERS, *mine.HANDLERS]
