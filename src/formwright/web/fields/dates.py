"""Fields whose answer is a date, a time or both, on pages."""

from formwright.domain.forms.fields.dates import DateField, DatetimeField, TimeField
from formwright.web.fields.designer_entries import DesignerEntries, DesignerEntry, MenuGroup
from formwright.web.fields.page_elements import PageElements, input_element

PAGE_ELEMENTS: PageElements = {
    DateField: input_element("date"),
    TimeField: input_element("time"),
    DatetimeField: input_element("datetime-local"),
}

DESIGNER_ENTRIES: DesignerEntries = {
    DateField: DesignerEntry(MenuGroup.DATES, "Date", "M2 4h12v10H2zM2 7h12M5 2v3M11 2v3"),
    TimeField: DesignerEntry(MenuGroup.DATES, "Time", "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zM8 5v3l2 2"),
    DatetimeField: DesignerEntry(
        MenuGroup.DATES, "Date and time", "M2 3h9v4M2 6h7M2 3v10h4M11 8a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM11 10v1h1"
    ),
}
