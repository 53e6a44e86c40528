"""Fields whose answers are positions, on pages."""

from formwright.domain.forms.fields import AreaField, LineField, LocationField
from formwright.web.fields.page_elements import PageElements, widget_element

PAGE_ELEMENTS: PageElements = {
    LocationField: widget_element("location"),
    LineField: widget_element("line"),
    AreaField: widget_element("area"),
}
