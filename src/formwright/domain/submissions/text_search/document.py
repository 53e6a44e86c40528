"""The searchable text of a submission: its answers as people see them, and its external id."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.lru_cache import LRUCache
from formwright.domain.datasources.cell_types import to_text
from formwright.domain.datasources.search.normalize import fold
from formwright.domain.forms.answers.validation import CompiledVersion
from formwright.domain.forms.fields import (
    AnyField,
    AudioField,
    ChoiceField,
    ChoicesField,
    DateField,
    FileField,
    LookupField,
    LookupsField,
    OptionField,
    PhotoField,
    RankingField,
    RepeatField,
    RowsField,
    VideoField,
    flatten_sections,
)
from formwright.domain.forms.models import Version
from formwright.domain.submissions import attachments
from formwright.domain.submissions.models import Submission
from formwright.domain.submissions.text_search import store

MAX_CHARACTERS = 100_000
"""How much of the text of a submission is searched."""


@dataclass(slots=True)
class _Document:
    """The parts of a text, the rows that lookups refer to, and the names of files by their id."""

    parts: list[str]
    file_names: Mapping[str, str]
    rows: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)


_AddAnswer = Callable[[_Document, Any], None]
_FieldTexts = Mapping[str, _AddAnswer]
"""The functions that add an answer to a document, by the name of the field."""
_compiled = LRUCache[tuple[str, int], _FieldTexts](500)


async def build_text(tx: ReadTransaction, compiled: CompiledVersion, submission: Submission) -> str:
    """Return the normalised text of a submission to this version.

    A line break separates answers, so no word spans two of them. Choices have the labels of all languages.
    """
    version, data = compiled.version, msgspec.json.decode(submission.data)
    names: dict[str, str] = {}
    if compiled.has_file_fields:
        file_ids = [one.file_id for one in attachments.find_file_references(version.definition.fields, data)]
        if file_ids:
            names = await store.list_file_names(tx, Scope(submission.customer_id), submission.form_id, file_ids)
    document = _Document([submission.external_id] if submission.external_id else [], names)
    if submission.lookups:
        for row in msgspec.json.decode(submission.lookups):
            # Two lookups may show different columns of the same row.
            document.rows.setdefault((row["datasourceId"], row["key"]), {}).update(row["data"] or {})
    _add_answers(document, _compile_version(version), data)
    return normalize("\n".join(document.parts)[:MAX_CHARACTERS])


def normalize(text: str) -> str:
    """Return a text as it is stored and searched: in lower case, without accents and NUL."""
    return fold(text).replace("\0", " ")


def _compile_version(version: Version) -> _FieldTexts:
    key = (version.id, version.revision)
    return _compiled.get(key) or _compiled.put(key, _compile_fields(version.definition.fields))


def _compile_fields(fields: Sequence[AnyField]) -> _FieldTexts:
    return {one.name: _compile_field(one) for one in flatten_sections(fields) if one.is_searched}


def _compile_field(one: AnyField) -> _AddAnswer:
    match one:
        case ChoiceField() | ChoicesField() | RankingField():
            return _choice_adder(one)
        case LookupField() | LookupsField():
            return _lookup_adder(one)
        case RepeatField():
            inner = _compile_fields(one.fields)
            return lambda document, value: _add_rows(document, inner, value)
        case DateField():
            return _add_date
        case PhotoField() | AudioField() | VideoField() | FileField():
            return _add_file_names
    return _add_value


def _add_answers(document: _Document, texts: _FieldTexts, answers: Mapping[str, Any]) -> None:
    for name, value in answers.items():
        if add := texts.get(name):
            add(document, value)


def _add_value(document: _Document, value: Any) -> None:
    if isinstance(value, str):
        document.parts.append(value)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        document.parts.append(str(value))


def _add_date(document: _Document, value: Any) -> None:
    _add_value(document, value)
    try:
        day = date.fromisoformat(value)
    except (TypeError, ValueError):  # Drafts may contain any value.
        return
    document.parts.append(f"{day.day} {day:%b %Y}")


def _add_rows(document: _Document, texts: _FieldTexts, rows: Any) -> None:
    for row in rows if isinstance(rows, list) else []:
        if isinstance(row, dict):
            _add_answers(document, texts, row)


def _add_file_names(document: _Document, ids: Any) -> None:
    for file_id in ids if isinstance(ids, list) else []:
        if isinstance(file_id, str) and (name := document.file_names.get(file_id)):
            document.parts.append(name)


def _choice_adder(one: OptionField) -> _AddAnswer:
    labels = {
        option.value: option.label if isinstance(option.label, str) else "\n".join(option.label.values())
        for option in one.options
    }

    def add(document: _Document, value: Any) -> None:
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str):
                document.parts.append(labels.get(item) or item)

    return add


def _lookup_adder(one: RowsField) -> _AddAnswer:
    def add(document: _Document, value: Any) -> None:
        for key in value if isinstance(value, list) else [value]:
            if isinstance(key, str):
                document.parts.append(key)
                row = document.rows.get((one.datasource_id, key), {})
                document.parts += [text for column in one.display if (text := to_text(row.get(column)))]

    return add
