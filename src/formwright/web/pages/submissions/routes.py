"""The addresses of submissions."""

from formwright.web.pages.submissions import edit, one, overview
from formwright.web.pages.submissions.export import streamed, whole

HANDLERS = [*overview.HANDLERS, *one.HANDLERS, *edit.HANDLERS, *streamed.HANDLERS, *whole.HANDLERS]
