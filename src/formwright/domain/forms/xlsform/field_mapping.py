"""Converts the columns of a survey row, except for its rules, to properties of a field."""

import re
from contextlib import suppress
from typing import Any, assert_never

from formwright.domain.forms.fields import FIELD_CLASSES, MAX_ROWS, AnswerKind
from formwright.domain.forms.fields.answer_kinds import Shape
from formwright.domain.forms.fields.point_lists import parse_xlsform_text
from formwright.domain.forms.fields.structure import MAX_TABLE_COLUMNS
from formwright.domain.forms.xlsform.choice_files import ChoiceSources, default_label
from formwright.domain.forms.xlsform.choices_sheet import Options
from formwright.domain.forms.xlsform.kept_cells import keep
from formwright.domain.forms.xlsform.languages import Languages
from formwright.domain.forms.xlsform.media_columns import COLUMNS, read_media
from formwright.domain.forms.xlsform.question_types import Question, parse_type
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import Row
from formwright.domain.forms.xlsform.types import BOOLEANS, TYPES_BY_APPEARANCE

_KNOWN_COLUMNS = frozenset((
    "type", "name", "label", "hint", "guidance_hint", "required", "relevant", "constraint", "constraint_message",
    "calculation", "required_message", "default", "read_only", "appearance", "parameters", "repeat_count",
    "disabled", "choice_filter", "rows", *COLUMNS,
))  # fmt: skip
_KEPT_COLUMNS = frozenset((
    "autoplay", "body::accept", "body::kb:flash",
    "body::intent", "intent", "hxl", "big_image", "save_to",
))  # fmt: skip
_XLSFORM_COLUMNS = frozenset((
    "trigger", "instance_name", "save_to", "autoplay", "body::accept",
    "body::kb:flash", "body::intent", "intent", "query", "bind::odk:length", "hxl", "big_image",
))  # fmt: skip
_TEXTS = (
    ("hint", "hint"),
    ("guidance_hint", "guidance"),
    ("constraint_message", "message"),
    ("required_message", "requiredMessage"),
)
TABLE_LOOKS = ("label", "list-nolabel")
"""The appearances of the question that labels the columns of a table, and of its rows."""
LOOK = "_look"
_SEARCHED_LISTS = ("minimal", "autocomplete", "search", "quick")
YES = ("yes", "true", "true()")
NO = ("", "no", "false", "false()")
_DRAWINGS = {"annotate": "photo", "draw": "sheet"}
_MULTILINE = ("multiline", "multi-line", "textarea")

Document = dict[str, Any]


class FieldMapper:
    """Fills in the properties of fields, and reports columns that have no equivalent."""

    def __init__(self, options: Options, languages: Languages, report: Report, sources: ChoiceSources) -> None:
        self._options, self._languages, self._report, self._sources = options, languages, report, sources

    def fill(self, document: Document, row: Row, question: Question) -> None:
        """Fill in the properties of a question."""
        self._fill_common(document, row)
        given = parse_parameters(row)
        appearance = row.value("appearance").split()
        for word in [one for one in appearance if (question.type, one) in TYPES_BY_APPEARANCE]:
            appearance.remove(word)
            document["type"] = TYPES_BY_APPEARANCE[question.type, word]
        match question.type:
            case "text":
                self._fill_text(document, given, appearance, row)
            case "range":
                self._fill_range(document, given, appearance, row)
            case "image":
                self._fill_image(document, appearance)
            case "select_one" | "select_multiple" | "rank":
                self._fill_choices(document, row, question)
                self._fill_random_order(document, row, given)
                self._fill_look(document, appearance)
                if question.type == "select_one" and "likert" in appearance and document["type"] == "choice":
                    appearance.remove("likert")
                    document["likert"] = True
            case "select_one_from_file" | "select_multiple_from_file":
                self._fill_lookup(document, given, appearance, question.file)
            case "acknowledge":
                document["agreement"] = True
            case "osm":
                document["xlsformColumns"] = {"type": "osm"}
                detail = "No map editor opens here: people attach the file with the features."
                self._report.add_change("survey", row.number, "type", "osm", detail)
            case "audit" if given:
                self._keep_audit_parameters(document, row, given)
        if question.maximum is not None:
            document |= {"min": 0, "max": question.maximum}
        self._fill_default(document, row)
        self._keep_rest(document, row, appearance, given)

    def fill_group(self, document: Document, row: Row) -> None:
        """Fill in the properties of a group or repeat."""
        self._fill_common(document, row)
        appearance = row.value("appearance").split()
        lists = [word for word in appearance if word.lower() == "field-list"]
        if document["type"] == "section" and lists:
            appearance.remove(lists[0])
            document["page"] = True
        if document["type"] == "section" and "table-list" in appearance:
            appearance.remove("table-list")
            document["table"] = True
        if count := row.value("repeat_count"):
            if document["type"] != "repeat" and parse_type(row.value("type")).type == "group":
                detail = "Only repeats have a number of rows."
                self._report.add_drop("survey", row.number, "repeat_count", "no_effect", detail)
            elif document["type"] != "repeat":
                self._drop(row, "repeat_count", f"{document['name']} is no repeat, so it has no number of rows.")
            elif not count.isdecimal():
                document["max"] = MAX_ROWS
                document.pop("required", None)
            elif 1 <= int(count) <= MAX_ROWS:
                document |= {"min": int(count), "max": int(count)}
            else:
                detail = f"The number of rows is not between 1 and {MAX_ROWS}, so it is not limited."
                self._drop(row, "repeat_count", detail)
        for column in ("default", "trigger"):
            if row.value(column):
                detail = f"The {column} of a group has no effect in XLSForm, so it was left out."
                self._report.add_drop("survey", row.number, column, "no_effect", detail)
        self._keep_rest(document, row, appearance, parse_parameters(row))

    def _fill_common(self, document: Document, row: Row) -> None:
        document |= read_media(row, self._languages, self._report)
        for column, member in _TEXTS:
            if text := self._languages.label(row, column):
                document[member] = text
        for column, member in (("required", "required"), ("read_only", "readOnly")):
            given = row.value(column).lower().replace(" ", "")
            if given in YES:
                document[member] = True

    def _fill_text(self, document: Document, parameters: dict[str, str], appearance: list[str], row: Row) -> None:
        lines = [word for word in appearance if word in _MULTILINE]
        for word in lines:
            appearance.remove(word)
        if parameters.pop("rows", "") or row.value("rows") or lines:
            document["type"] = "textarea"

    def _fill_image(self, document: Document, appearance: list[str]) -> None:
        for word, drawing in _DRAWINGS.items():
            if word in appearance and document["type"] == "photo":
                appearance.remove(word)
                document["drawing"] = drawing

    def _fill_range(self, document: Document, parameters: dict[str, str], appearance: list[str], row: Row) -> None:
        start, end, step = parameters.pop("start", "1"), parameters.pop("end", "10"), parameters.pop("step", "1")
        numbers = [_parse_number(one) for one in (start, end, step)]
        if None in numbers or not all(float(one).is_integer() for one in numbers if one is not None):
            document["type"] = "decimal"
            # ODK does not compare a calculated answer with the ends of the range.
            ends = () if row.value("calculation") else zip(("min", "max"), numbers, strict=False)
            document |= {k: v for k, v in ends if v is not None}
            detail = "The range does not consist of whole numbers, so the field is a decimal."
            self._report.add_change("survey", row.number, "parameters", "range", detail)
            return
        first, last, by = (int(one) for one in numbers if one is not None)
        low, high = sorted((first, last))
        if first > last:
            self._report.add_change(
                "survey", row.number, "parameters", "range", "The range was reversed, because it must be ascending."
            )
        if (low, high, by) == (0, 10, 1) and ("nps" in appearance or parameters.get("tick_labelset")):
            self._fill_nps(document, parameters, appearance)
        elif "rating" in appearance and (low, by) == (1, 1) and 2 <= high <= 10:
            appearance.remove("rating")
            document |= {"type": "rating", "max": high}
        else:
            document |= {"min": low, "max": high, "step": max(abs(by), 1)}
        if row.value("calculation") and row.value("trigger"):
            detail = "A value that its trigger computes is only set if it is in the range."
            self._report.add_change("survey", row.number, "parameters", "range", detail)

    def _fill_nps(self, document: Document, parameters: dict[str, str], appearance: list[str]) -> None:
        """Convert a scale from 0 to 10 with labels at its ends. Other labels stay as they are, and are reported."""
        ends = {
            option["value"]: option["label"] for option in self._options.get(parameters.get("tick_labelset", ""), ())
        }
        if not ends.keys() <= {"0", "10"} or not (ends or "nps" in appearance):
            document |= {"min": 0, "max": 10}
            return
        for word in ("nps", "no-ticks"):
            if word in appearance:
                appearance.remove(word)
        parameters.pop("tick_labelset", "")
        document["type"] = "nps"
        document |= {name: ends[end] for name, end in (("lowLabel", "0"), ("highLabel", "10")) if end in ends}

    def _fill_choices(self, document: Document, row: Row, question: Question) -> None:
        options = list(self._options[question.choices])
        if question.choices == BOOLEANS:
            document["type"] = "boolean"
            return
        # Rules are translated later. Then it is known which columns they use.
        document["options"] = options
        if question.type == "rank" and row.value("choice_filter"):
            self._drop(row, "choice_filter", f"{document['name']} is a ranking, which always has all of its choices.")

    def _fill_look(self, document: Document, appearance: list[str]) -> None:
        """Note the part that the question may have in a table, until its group is closed."""
        for word in TABLE_LOOKS:
            if word in appearance:
                appearance.remove(word)
                document[LOOK] = word

    def _fill_lookup(
        self, document: Document, parameters: dict[str, str], appearance: list[str], file_name: str
    ) -> None:
        """Look up the rows of the data source. Its list is always searched, which some appearances ask for."""
        source = self._sources[file_name]
        label = parameters.pop("label", default_label(file_name))
        parameters.pop("value", "")
        document |= {"datasourceId": source.id, "display": [label] if label in source.columns else []}
        appearance[:] = [word for word in appearance if word not in _SEARCHED_LISTS]

    def _fill_random_order(self, document: Document, row: Row, parameters: dict[str, str]) -> None:
        if "options" not in document or parameters.pop("randomize", "").lower() not in YES:
            return
        document["randomize"] = True
        if parameters.pop("seed", ""):
            detail = "The seed has no effect: each person sees an order of their own, which stays the same."
            self._report.add_drop("survey", row.number, "parameters", "no_effect", detail)

    def _keep_audit_parameters(self, document: Document, row: Row, parameters: dict[str, str]) -> None:
        """Keep what else the audit would record in other systems. People who fill in the form notice no difference."""
        text = _write_parameters(parameters)
        if keep(document.setdefault("xlsformColumns", {}), "parameters", text):
            detail = f"The times of questions are recorded without {text[:120]}. Exports write it again."
            self._report.add_change("survey", row.number, "parameters", "metadata", detail)
            parameters.clear()

    def _fill_default(self, document: Document, row: Row) -> None:
        default, class_ = row.value("default"), FIELD_CLASSES[document["type"]]
        if not default or (is_expression(default) and class_.accepts_default_rule):
            return  # Expressions are translated later.
        if "default" not in class_.__struct_fields__:
            self._drop(row, "default", f"The default {default[:60]} was left out: such a question always begins empty.")
        elif (value := _parse_default(document, default)) is None or not class_.can_have("default", value):
            detail = f"The default {default[:60]!r} cannot be the answer to the question, which begins without one."
            self._report.add_drop("survey", row.number, "default", "default_invalid", detail)
        else:
            document["default"] = value

    def _keep_rest(self, document: Document, row: Row, appearance: list[str], parameters: dict[str, str]) -> None:
        """Keep and report whatever the other methods have not converted."""
        if appearance:
            self.keep(document, row, "appearance", " ".join(appearance))
        if parameters:
            self.keep(document, row, "parameters", _write_parameters(parameters))
        for (column, language), text in row.cells.items():
            if column == "trigger":
                continue  # It is translated when all fields are known.
            if column not in _KNOWN_COLUMNS and column in _KEPT_COLUMNS:
                self.keep(document, row, f"{column}::{language}" if language else column, text)
            elif column not in _KNOWN_COLUMNS and column in _XLSFORM_COLUMNS:
                self._drop(row, column, f"The column {column} is not supported.")
            elif column not in _KNOWN_COLUMNS:
                # Notes of the author: once for the sheet is enough.
                detail = f"XLSForm does not know the column {column}, so it was left out."
                self._report.add_drop("survey", None, column, "no_effect", detail)

    def keep(self, document: Document, row: Row, column: str, text: str) -> None:
        """Keep a cell for exports, and report it."""
        if keep(document.setdefault("xlsformColumns", {}), column, text):
            detail = f"The {column} {text[:120]!r} has no effect here. Exports write it again."
            self._report.add_change("survey", row.number, column, "kept", detail)
        else:
            self._drop(row, column, f"The {column} {text[:120]!r} is not supported.")

    def _drop(self, row: Row, column: str, detail: str) -> None:
        self._report.add_drop("survey", row.number, column, "column_dropped", detail)


def are_table_rows(rows: list[dict[str, Any]]) -> bool:
    """Whether these are choices of one type with the same options, of which no more than a table can have."""
    return (
        len({one["type"] for one in rows}) == 1
        and rows[0]["type"] in ("choice", "choices")
        and all(one["options"] == rows[0]["options"] and "randomize" not in one for one in rows)
        and 2 <= len(rows[0]["options"]) <= MAX_TABLE_COLUMNS
    )


def parse_parameters(row: Row) -> dict[str, str]:
    """Return the parameters of a question by name."""
    pairs = re.findall(r"([\w-]+)\s*=\s*('[^']*'|\"[^\"]*\"|[^\s;,]+)", row.value("parameters"))
    return {name.lower(): value.strip("'\"") for name, value in pairs}


def _write_parameters(parameters: dict[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in parameters.items())


def is_expression(default: str) -> bool:
    """Whether a default is an expression instead of a value."""
    return "${" in default or re.search(r"[\w-]+\(", default) is not None


def _parse_default(document: Document, text: str) -> Any:
    """Return the answer that a default is, or None if it cannot be an answer to the question."""
    words, class_ = text.split(), FIELD_CLASSES[document["type"]]
    match kind := class_.answer_kind:
        case AnswerKind.TEXT | AnswerKind.DATE | AnswerKind.TIME | AnswerKind.DATETIME:
            return text[:2000]
        case AnswerKind.INTEGER:
            return int(text) if re.fullmatch(r"-?\d{1,16}", text) else None
        case AnswerKind.DECIMAL:
            return _parse_number(text)
        case AnswerKind.BOOLEAN:
            return text.lower() != "false" if text.lower() in ("true", "false", "ok") else None
        case AnswerKind.CHOICE | AnswerKind.CHOICES:
            words = [text] if kind is AnswerKind.CHOICE else list(dict.fromkeys(words))
            is_offered = {option["value"] for option in document["options"]} >= set(words)
            return None if not is_offered else text if kind is AnswerKind.CHOICE else words
        case AnswerKind.POSITION:
            return _parse_location(text) if re.fullmatch(r"-?[\d.]+( -?[\d.]+){1,3}", text) else None
        case AnswerKind.POSITIONS:
            with suppress(ValueError):
                return parse_xlsform_text(text, is_area=class_.shape is Shape.AREA)
            return None
        case AnswerKind.FILE | AnswerKind.FILES | AnswerKind.ROWS | AnswerKind.NONE:
            return None
    assert_never(kind)


def _parse_location(text: str) -> dict[str, float] | None:
    """Parse latitude, longitude, altitude and accuracy. The altitude is not kept."""
    numbers = [_parse_number(one) for one in text.split()]
    names = ("latitude", "longitude", None, "accuracy")
    found = {name: number for name, number in zip(names, numbers, strict=False) if name and number is not None}
    return found if len(found) >= 2 else None


def _parse_number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"-?(\d{1,15}(\.\d*)?|\.\d+)", text) else None
