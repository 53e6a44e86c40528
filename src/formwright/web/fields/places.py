"""Fields whose answers are positions, on pages."""

from formwright.domain.forms.fields.places import MAX_POINTS, AreaField, LineField, LocationField
from formwright.web.fields.designer_entries import DesignerEntries, DesignerEntry, MenuGroup
from formwright.web.fields.page_elements import PageElements, widget_element

PAGE_ELEMENTS: PageElements = {
    LocationField: widget_element("location"),
    LineField: widget_element("line") | {"maxItems": MAX_POINTS},
    AreaField: widget_element("area") | {"maxItems": MAX_POINTS},
}

DESIGNER_ENTRIES: DesignerEntries = {
    LocationField: DesignerEntry(MenuGroup.PLACES, "Location", "M8 14c-3-4-4-5-4-7a4 4 0 0 1 8 0c0 2-1 3-4 7zM8 6v1"),
    LineField: DesignerEntry(MenuGroup.PLACES, "Line", "M3 13l3-6 4 3 3-7"),
    AreaField: DesignerEntry(MenuGroup.PLACES, "Area", "M3 12l1-8 8-1 2 7-5 3z"),
}
