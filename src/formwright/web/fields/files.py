"""Fields whose answers are files, on pages."""

from typing import Any

from formwright.domain.forms.fields import PhotoField
from formwright.domain.forms.fields.base import omit_unset
from formwright.domain.forms.fields.files import AudioField, FileField, FilesField, SignatureField, VideoField
from formwright.web.fields.designer_entries import DesignerEntries, DesignerEntry, MenuGroup
from formwright.web.fields.page_elements import PageElements, widget_element


def _element(kind: str, field: FilesField) -> dict[str, Any]:
    return widget_element(kind) | {"maxItems": field.max_files}


PAGE_ELEMENTS: PageElements = {
    PhotoField: lambda field, _: _element("photo", field) | omit_unset(drawing=field.drawing),
    AudioField: lambda field, _: _element("audio", field),
    VideoField: lambda field, _: _element("video", field),
    SignatureField: widget_element("signature"),
    FileField: lambda field, _: _element("file", field),
}

DESIGNER_ENTRIES: DesignerEntries = {
    PhotoField: DesignerEntry(
        MenuGroup.MEDIA,
        "Photo",
        "M2 5h3l1-2h4l1 2h3v8H2zM8 7a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
        labels={"maxFiles": "Maximum number of photos"},
    ),
    AudioField: DesignerEntry(
        MenuGroup.MEDIA,
        "Audio",
        "M6 3a2 2 0 0 1 4 0v5a2 2 0 0 1-4 0zM3 8a5 5 0 0 0 10 0M8 13v2",
        labels={"maxFiles": "Maximum number of recordings"},
    ),
    VideoField: DesignerEntry(
        MenuGroup.MEDIA, "Video", "M2 4h8v8H2zM10 7l4-2v6l-4-2", labels={"maxFiles": "Maximum number of videos"}
    ),
    SignatureField: DesignerEntry(MenuGroup.MEDIA, "Signature", "M2 13h12M3 10c2-9 5-9 4-4s1 5 2 3 2-1 4-1"),
    FileField: DesignerEntry(MenuGroup.MEDIA, "File", "M4 2h5l3 3v9H4zM9 2v3h3"),
}
