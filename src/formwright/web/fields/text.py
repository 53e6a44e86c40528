"""Fields whose answer is a text, on pages."""

from formwright.domain.forms.fields import BarcodeField, EmailField, PhoneField, TextareaField, TextField, UrlField
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
