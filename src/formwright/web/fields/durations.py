"""Fields whose answer is a length of time, on pages."""

from formwright.domain.forms.fields.durations import DurationField
from formwright.web.fields.designer_entries import DesignerEntries, DesignerEntry, MenuGroup
from formwright.web.fields.page_elements import PageElements, widget_element

PAGE_ELEMENTS: PageElements = {DurationField: widget_element("duration")}

DESIGNER_ENTRIES: DesignerEntries = {
    DurationField: DesignerEntry(
        MenuGroup.DATES,
        "Duration",
        "M5 2h6M8 2v2M8 4a5 5 0 1 0 0 10A5 5 0 0 0 8 4zM8 9l2-2",
        labels={"min": "Shortest", "max": "Longest"},
    )
}
