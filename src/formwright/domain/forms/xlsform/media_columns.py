"""Media of questions and choices: columns with the names of files, which have to be attached to the form."""

from typing import Any

import msgspec

from formwright.domain.forms.fields.media import Media
from formwright.domain.forms.xlsform.languages import Languages
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import Row

COLUMNS = {"image": "image", "big-image": "bigImage", "audio": "audio", "video": "video"}
"""The columns with the properties of media, as the API names them."""


def read_media(row: Row, languages: Languages, report: Report, sheet: str = "survey") -> dict[str, Any]:
    """Return the `media` of a question or choice, empty without any. Names that no file can have are reported."""
    media: dict[str, Any] = {}
    for column, member in COLUMNS.items():
        names = languages.label(row, column, sheet)
        if names is None:
            continue
        try:
            msgspec.convert({member: names}, Media)
            media[member] = names
        except msgspec.ValidationError:
            detail = f"No file can have this name: {next(iter(row.texts(column).values()))[:120]}"
            report.add_drop(sheet, row.number, column, "column_dropped", detail)
    return {"media": media} if media else {}
