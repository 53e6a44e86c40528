"""What pages know about field types: a module per family, as in `domain/forms/fields`."""

from collections.abc import Mapping

from formwright.domain.forms.fields import FIELD_CLASSES
from formwright.web.fields import choices, dates, durations, files, lookups, numbers, places, structure, text
from formwright.web.fields.designer_entries import DesignerEntry, MenuGroup
from formwright.web.fields.page_elements import PageElements

_FAMILIES = (numbers, choices, lookups, dates, durations, files, places, text)
PAGE_ELEMENTS: PageElements = {one: element for family in _FAMILIES for one, element in family.PAGE_ELEMENTS.items()}
"""What the page of a form shows for fields of each type, except for notes and groups."""

# A barcode is after the places in their group.
_ENTRIES = {one: entry for family in (*_FAMILIES, structure) for one, entry in family.DESIGNER_ENTRIES.items()}
_NAMES = {one: name for name, one in FIELD_CLASSES.items()}
DESIGNER_ENTRIES: Mapping[str, DesignerEntry] = {
    _NAMES[one]: entry for group in MenuGroup for one, entry in _ENTRIES.items() if entry.group is group
}
"""How the designer presents each type, in the order of its menu."""
