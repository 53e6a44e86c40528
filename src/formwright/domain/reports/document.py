"""What a report shows, as data for its template."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import msgspec
from msgspec import structs

from formwright.core.clock import format_minute
from formwright.core.sizes import format_size
from formwright.domain.customers.models import Customer
from formwright.domain.files.models import File
from formwright.domain.forms.fields import AnswerKind, AnyField, RepeatField, SectionField, walk_fields
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.markup import to_spans
from formwright.domain.forms.fields.places import format_location
from formwright.domain.forms.models import Form, Version
from formwright.domain.reports.map_thumbnail import draw_map
from formwright.domain.reports.templates import BUILT_IN, ReportTemplate
from formwright.domain.submissions.answer_text import Json, answer_blocks, format_title, read_geo_uri
from formwright.domain.submissions.lookup_snapshots import with_rows
from formwright.domain.submissions.models import Submission

_RIGHT_TO_LEFT = {"ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"}
_MAX_COLUMNS = 6
"""Repeats with more columns are shown row by row, because a table would not fit the page."""
_MAX_TITLE_IN_NAME = 80
_MAX_MAPS = 20


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that a report shows. `author` is empty if it is unknown or may not be seen."""

    submission: Submission
    form: Form
    version: Version
    customer: Customer
    author: str
    attached: Sequence[File]
    logo: bytes | None = None
    template: ReportTemplate = BUILT_IN
    hides_hidden: bool = False
    """Whether hidden fields are left out, as on the page on which the form is filled in."""

    @property
    def tag(self) -> str:
        """A text that changes whenever the report does."""
        shown = [self.submission.id, self.submission.revision, self.form.name, self.customer.revision, self.author]
        shown.append(self.template.tag)
        return hashlib.sha256(repr(shown).encode()).hexdigest()[:32]

    @property
    def file_name(self) -> str:
        """The name of the downloaded document: the form, the title of the submission if it has one, and its id."""
        title = self.title[:_MAX_TITLE_IN_NAME].strip()
        return " ".join(filter(None, (self.form.name, title, f"{self.submission.id}.pdf")))

    @property
    def fields(self) -> Sequence[AnyField]:
        """The fields that the report has."""
        fields = self.version.definition.fields
        return _without_hidden(fields) if self.hides_hidden else fields

    @property
    def display(self) -> DisplayContext:
        """How answers are displayed."""
        language = self.version.definition.settings.language
        return with_rows(DisplayContext(language, self.customer.time_zone), self.submission.lookups)

    @property
    def title(self) -> str:
        """The title of the submission; empty without one."""
        name, answers = self.version.definition.settings.title_field, msgspec.json.decode(self.submission.data)
        return format_title(self.fields, name, answers, self.display)


def build_document(report: Report) -> Json:
    """Return the data of the template: texts, and `blocks` with the answers in the structure of the form."""
    submission, fields, context = report.submission, report.fields, report.display
    language = context.language
    answers = msgspec.json.decode(submission.data)
    files = _describe_files(report)
    blocks = answer_blocks(fields, answers, context, files.get)
    for answer, place in islice(_iter_places(blocks), _MAX_MAPS):
        answer["map"] = draw_map(*place)
    return {
        "title": report.form.name,
        "subtitle": report.title,
        "account": report.customer.name,
        "accent": report.customer.print_color or None,
        "id": submission.id,
        "page": "Page",
        "language": language.partition("-")[0],
        "rtl": language.partition("-")[0] in _RIGHT_TO_LEFT,
        "facts": list(_facts(report)),
        "blocks": _with_tables(blocks),
    }


def _without_hidden(fields: Sequence[AnyField]) -> list[AnyField]:
    return [
        structs.replace(one, fields=_without_hidden(one.fields)) if isinstance(one, SectionField | RepeatField) else one
        for one in fields
        if one.hidden is not True
    ]


def _iter_places(blocks: Sequence[Json]) -> Iterator[tuple[Json, tuple[float, float]]]:
    """Yield the answers that are places, with latitude and longitude."""
    for block in blocks:
        match block["kind"]:
            case "answers":
                yield from ((one, read_geo_uri(one["place"])) for one in block["answers"] if one["place"])
            case "section":
                yield from _iter_places(block["blocks"])
            case "repeat":
                for row in block["rows"]:
                    yield from _iter_places(row)


def _facts(report: Report) -> Iterator[tuple[str, str]]:
    submission, zone = report.submission, report.customer.time_zone
    if submission.submitted is not None:
        yield "Submitted", f"{format_minute(submission.submitted, zone)} ({zone})"
    yield "Status", submission.status.capitalize()
    if report.author:
        yield "By", report.author
    if submission.location:
        yield "Submitted from", format_location(msgspec.json.decode(submission.location))
    if submission.external_id:
        yield "External ID", submission.external_id
    if submission.note:
        yield "Review note", submission.note
    yield "Form version", str(report.version.number)


def _describe_files(report: Report) -> Mapping[str, Json]:
    fields = walk_fields(report.version.definition.fields)
    signatures = {one.name for one in fields if one.answer_kind is AnswerKind.FILE}
    return {
        file.id: {
            "name": file.name,
            "size": format_size(file.size),
            "image": file.id if file.is_image else None,
            "signature": file.field.rpartition(".")[2] in signatures,
        }
        for file in report.attached
    }


def _with_tables(blocks: Sequence[Json]) -> list[Json]:
    """Return the blocks with `spans` of labels. Repeats have `columns`, and `cells` if they are shown as a table."""
    shown: list[Json] = []
    for block in blocks:
        match block["kind"]:
            case "section":
                shown.append(_with_spans(block) | {"blocks": _with_tables(block["blocks"])})
            case "repeat":
                rows = {"rows": [_with_tables(row) for row in block["rows"]]}
                shown.append(_with_spans(block) | _table(block) | rows)
            case _:
                shown.append(block | {"answers": [_with_spans(one) for one in block["answers"]]})
    return shown


def _with_spans(item: Json) -> Json:
    return item | {"spans": [asdict(span) for span in to_spans(item["markup"])]}


def _table(repeat: Json) -> Json:
    """Return the columns and the cells of the rows, beginning with their titles if they have any.

    There are no columns if a row has more than a few short answers.
    """
    rows: Sequence[Sequence[Json]] = repeat["rows"]
    answers = [[one for block in row if block["kind"] == "answers" for one in block["answers"]] for row in rows]
    is_plain = all(block["kind"] == "answers" for row in rows for block in row) and not any(
        one["files"] for row in answers for one in row
    )
    columns = list(dict.fromkeys(one["label"] for row in answers for one in row))
    if not is_plain or len(columns) > _MAX_COLUMNS:
        return {"columns": [], "cells": []}
    cells = [_cells(row, columns) for row in answers]
    if any(repeat["titles"]):
        columns = ["", *columns]
        cells = [[title, *row] for title, row in zip(repeat["titles"], cells, strict=True)]
    return {"columns": columns, "cells": cells}


def _cells(row: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> list[str]:
    texts = {one["label"]: one["text"] for one in row}
    return [texts.get(label, "") for label in columns]
