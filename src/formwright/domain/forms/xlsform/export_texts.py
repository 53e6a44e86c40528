"""Writes the texts of exports, with answers in them."""

import re
from collections.abc import Set
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.fields.markup import PLACEHOLDER
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.workbook_writer import Cells

_DOLLAR = re.compile(r"\$\{([^}]*)\}?")


class TextWriter:
    """Writes texts to cells of an export, with `${name}` for `{{name}}` if there is a field with that name."""

    def __init__(self, names: Set[str], report: Report) -> None:
        self._names, self._report = names, report

    def fill(self, row: Cells, column: str, label: Any, place: tuple[str, int]) -> None:
        """Write a text, which may be UNSET, in all its languages. `place` is the sheet and the number of the row."""
        if label is UNSET:
            return
        texts = label if isinstance(label, dict) else {"": label}
        row.update({(column, tag): self._write(text, column, place) for tag, text in texts.items()})

    def _write(self, text: str, column: str, place: tuple[str, int]) -> str:
        """Return the text. Other `${…}`, which XLSForm would replace, are escaped."""
        if "${" in text:
            why = "because an XLSForm would display an answer there"
            detail = f"In the text {text[:60]!r}, a space was added to ${{…}}, {why}."
            self._report.add_change(*place, column, "text_with_answers", detail)
            text = _DOLLAR.sub(lambda found: found[0] if found[1] in self._names else f"$ {found[0][1:]}", text)
        return PLACEHOLDER.sub(lambda match: f"${{{match[1]}}}" if match[1] in self._names else match[0], text)
