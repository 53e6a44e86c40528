"""The addresses of the designer."""

from formwright.web.pages.designer import building, excel, new, preview, versions

HANDLERS = [*building.HANDLERS, *excel.HANDLERS, *new.HANDLERS, *preview.HANDLERS, *versions.HANDLERS]
