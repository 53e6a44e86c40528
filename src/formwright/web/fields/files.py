"""Fields whose answers are files, on pages."""

from typing import Any

from formwright.domain.forms.fields import AudioField, FileField, FilesField, PhotoField, SignatureField, VideoField
from formwright.web.fields.page_elements import PageElements, set_properties, widget_element


def _element(kind: str, field: FilesField) -> dict[str, Any]:
    return widget_element(kind) | {"maxFiles": field.max_files}


PAGE_ELEMENTS: PageElements = {
    PhotoField: lambda field, _: _element("photo", field) | set_properties(drawing=field.drawing),
    AudioField: lambda field, _: _element("audio", field),
    VideoField: lambda field, _: _element("video", field),
    SignatureField: widget_element("signature"),
    FileField: lambda field, _: _element("file", field),
}
