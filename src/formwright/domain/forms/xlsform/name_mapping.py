"""Field names for the questions of an XLSForm, which allows other characters and the same name in several groups."""

import re

from formwright.core.errors import Invalid
from formwright.domain.forms.rules.dialect import FORBIDDEN_FIELD_NAMES
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.syntax_tree import Untranslatable

_MAX_LENGTH = 64
_RESERVED_BY_CEL = frozenset((
    "answered", "as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let",
    "loop", "namespace", "null", "package", "return", "true", "var", "void", "while", "size", "int", "uint", "double",
    "string", "bool", "bytes", "list", "map", "type", "timestamp", "duration", "matches", "contains", "startsWith",
    "endsWith", "has", "all", "exists", "exists_one", "filter", "dyn",
))  # fmt: skip
_RESERVED = _RESERVED_BY_CEL | FORBIDDEN_FIELD_NAMES


class NameMapping:
    """Maps the names in a survey to the unique names of fields."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._used: set[str] = set()
        self._by_written: dict[str, str] = {}
        self._ambiguous: set[str] = set()
        self._left_out: dict[str, str] = {}

    def add(self, written: str, row: int) -> str:
        """Return a new field name: unchanged if it is valid and unique."""
        name = self._unique(_to_valid_name(written))
        if name != written:
            detail = (
                f"{written} was renamed to {name}." if written else f"The question had no name and was named {name}."
            )
            self._report.add_change("survey", row, "name", "renamed", detail)
        self._used.add(name.casefold())
        if written in self._by_written:
            self._ambiguous.add(written)
        self._by_written.setdefault(written, name)
        return name

    def add_generated(self, wanted: str) -> str:
        """Return a new name for a field without a row. No `${…}` refers to it."""
        name = self._unique(_to_valid_name(wanted))
        self._used.add(name.casefold())
        return name

    def leave_out(self, written: str, row: int) -> None:
        """Record a question that has no field, for error messages."""
        self._left_out[written] = f"it refers to {written}, which was left out (row {row})"

    def reason_without(self, written: str) -> str:
        """Return why a question has no field, or an empty text if it has one or does not exist."""
        return self._left_out.get(written, "")

    def resolve(self, written: str) -> str:
        """Return the field that `${written}` refers to. Raises `Untranslatable` if there is none, or more than one."""
        if written in self._ambiguous:
            raise Untranslatable(f"it refers to {written}, which is the name of several fields")
        if written in self._by_written:
            return self._by_written[written]
        raise Untranslatable(self._left_out.get(written, f"it refers to {written}, which is not a question"))

    def _unique(self, name: str) -> str:
        # Names of fields must not differ in case only.
        if name.casefold() not in self._used:
            return name
        for number in range(2, 10_000):
            ending = f"_{number}"
            other = name[: _MAX_LENGTH - len(ending)] + ending
            if other.casefold() not in self._used:
                return other
        raise Invalid.at("/survey", "xlsform.names", f"Too many questions have the name {name}.")


def _to_valid_name(written: str) -> str:
    name = re.sub(r"[^A-Za-z0-9_]+", "_", written)
    if not re.match(r"[A-Za-z]", name):
        name = f"f{name}" if name.startswith("_") else f"f_{name}"
    name = name[:_MAX_LENGTH]
    return f"{name[: _MAX_LENGTH - 1]}_" if name in _RESERVED else name
