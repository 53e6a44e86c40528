"""Fields whose answer is a date, a time or both, on pages."""

from formwright.domain.forms.fields import DateField, DatetimeField, TimeField
from formwright.web.fields.page_elements import PageElements, input_element

PAGE_ELEMENTS: PageElements = {
    DateField: input_element("date"),
    TimeField: input_element("time"),
    DatetimeField: input_element("datetime-local"),
}
