"""Fields whose answer is a text, on pages."""

from formwright.domain.forms.fields import TextField
from formwright.domain.forms.fields.text import BarcodeField, EmailField, PhoneField, TextareaField, UrlField
from formwright.web.fields.designer_entries import DesignerEntries, DesignerEntry, MenuGroup
from formwright.web.fields.page_elements import PageElements, input_element, widget_element

PAGE_ELEMENTS: PageElements = {
    TextField: {"type": "text"},
    TextareaField: {"type": "comment", "rows": 3, "autoGrow": True},
    # The library validates inputs of type `email` more strictly than the server.
    EmailField: {"type": "text", "autocomplete": "email", "keypad": "email"},
    PhoneField: input_element("tel", autocomplete="tel"),
    UrlField: input_element("url", autocomplete="url", placeholder="https://"),
    BarcodeField: widget_element("barcode"),
}

DESIGNER_ENTRIES: DesignerEntries = {
    TextField: DesignerEntry(MenuGroup.TEXT, "Short text", "M3 4h10M8 4v9M6 13h4", button_place=1),
    TextareaField: DesignerEntry(MenuGroup.TEXT, "Long text", "M2 4h12M2 8h12M2 12h7"),
    EmailField: DesignerEntry(MenuGroup.TEXT, "Email address", "M2 4h12v8H2zM2 4l6 5 6-5"),
    PhoneField: DesignerEntry(
        MenuGroup.TEXT, "Phone number", "M4 2h3l1 4-2 1a8 8 0 0 0 3 3l1-2 4 1v3c-6 2-12-4-10-10z"
    ),
    UrlField: DesignerEntry(
        MenuGroup.TEXT,
        "Web address",
        "M6 10l4-4M7 4l1-1a3.5 3.5 0 0 1 5 5l-1 1M9 12l-1 1a3.5 3.5 0 0 1-5-5l1-1",
    ),
    BarcodeField: DesignerEntry(MenuGroup.PLACES, "Barcode", "M2 3v10M5 3v10M7 3v10M10 3v10M12 3v10M14 3v10"),
}
