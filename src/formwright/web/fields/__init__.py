"""What pages know about field types: a module per family, as in `domain/forms/fields`."""

from formwright.web.fields import choices, dates, files, lookups, numbers, places, text
from formwright.web.fields.page_elements import PageElements

_FAMILIES = (numbers, choices, lookups, dates, files, places, text)
PAGE_ELEMENTS: PageElements = {one: element for family in _FAMILIES for one, element in family.PAGE_ELEMENTS.items()}
"""What the page of a form shows for fields of each type, except for notes and groups."""
