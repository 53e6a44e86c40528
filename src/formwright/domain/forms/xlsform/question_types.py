"""Parses question types of XLSForm, including older spellings."""

import re
from dataclasses import dataclass

from formwright.domain.forms.xlsform.types import FIELD_TYPES, METADATA

_ALIASES = {
    "string": "text", "int": "integer", "percentage": "integer", "gps": "geopoint", "location": "geopoint",
    "datetime": "dateTime", "date time": "dateTime", "photo": "image", "picture": "image", "trigger": "acknowledge",
    "select": "select_multiple", "select1": "select_one",
}  # fmt: skip
_LEFT_OUT = {"background-audio", "background-geopoint"}
_CLOCK = {
    "today": "today", "get today": "today", "end": "end", "end time": "end", "get end time": "end", "start": "start",
    "start time": "start", "get start time": "start",
}  # fmt: skip
"""Metadata that rules compute: the date, and the times of beginning and submitting."""
_SPOKEN_METADATA = {
    "device id": "deviceid", "imei": "deviceid", "phone number": "phonenumber", "sim id": "simserial",
    "subscriber id": "subscriberid",
}  # fmt: skip
_DAYS = {
    "number of days in last month": 31,
    "number of days in last six months": 183,
    "number of days in last year": 365,
}
_TITLES = ("form_title", "set form title", "set_form_title", "form_id", "set form id", "set_form_id")
_CONTROL = re.compile(r"(begin|end)[\s_](group|repeat|lgroup|looped group|loop)(?:\s+(?:over\s+)?(\S+))?")
_SELECT = re.compile(
    r"(?:add )?(select_one_from_file|select_multiple_from_file|select one from file|select multiple from file"
    r"|select_one_external|select one external|select all that apply from|select one from|select multiple from"
    r"|select_one|select_multiple|select one prompt using|select multiple prompt using|select one using"
    r"|select multiple using|select one|select all that apply|select1|rank)"
    r"\s+(\S+)(\s+(?:or specify other|or_other|or other))?"
)


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question type. `type` is its current name in XLSForm, or `left`, `metadata`, `title` or `unknown`.

    `csv-external` and `xml-external` are no questions: they attach a file, whose rows expressions read.
    """

    type: str
    opens: bool = False
    closes: bool = False
    choices: str = ""
    or_other: bool = False
    reason: str = ""
    maximum: int | None = None
    file: str = ""
    """The name of the file with the choices."""


def parse_type(written: str) -> Question:
    """Parse a cell of the column `type`."""
    text = " ".join(written.split())
    lower = text.lower()
    if found := _CONTROL.fullmatch(lower):
        what = {"lgroup": "repeat", "looped group": "repeat"}.get(found[2], found[2])
        over = text[found.start(3) : found.end(3)] if found[3] else ""
        return Question(what, opens=found[1] == "begin", closes=found[1] == "end", choices=over)
    if found := _SELECT.fullmatch(text):
        return _parse_select(found[1].replace(" ", "_"), found[2], or_other=bool(found[3]))
    if lower in _CLOCK:
        return Question(_CLOCK[lower])
    about = lower.removeprefix("get ").removeprefix("uri:")
    if (about := _SPOKEN_METADATA.get(about, about)) in METADATA:
        return Question(about)
    if lower in _LEFT_OUT:
        return Question("metadata")
    if lower in ("csv-external", "xml-external"):
        return Question(lower)
    if lower in _TITLES:
        return Question("title")
    if lower in _DAYS:
        return Question("integer", maximum=_DAYS[lower])
    plain = re.sub(r"^add (.*) prompt$|^q (.*)$", r"\1\2", lower)
    plain = _ALIASES.get(plain, plain)
    if plain.split(" ")[0] == "osm":  # The word after it is a list of tags.
        return Question("osm")
    return Question(plain if plain in FIELD_TYPES and plain not in ("group", "repeat") else "unknown")


def _parse_select(command: str, choices: str, *, or_other: bool) -> Question:
    if "from_file" in command or "external" in command:
        several = "multiple" in command
        return Question("select_multiple_from_file" if several else "select_one_from_file", file=choices)
    if choices.startswith("${"):
        return Question("select_from_answers", choices=choices[2:-1].strip() if choices.endswith("}") else "")
    what = "rank" if command == "rank" else "select_one"
    if "multiple" in command or "all_that_apply" in command:
        what = "select_multiple"
    return Question(what, choices=choices, or_other=or_other)
