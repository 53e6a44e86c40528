"""Which column of a file has which answer or property of a submission."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from formwright.core.errors import Invalid, ValidationFault
from formwright.domain.forms.answer_fields import list_answer_fields
from formwright.domain.forms.fields import AnyField, RepeatField

ANSWER_PREFIX = "answers."
ROW_PREFIX, ROW_HEADING = "row.", "Row ({})"
"""The names of columns with the number of the row around a row: `row.orders` and `Row (orders)`."""
_MAX_LISTED = 20


class Property(StrEnum):
    """A property of a submission that a column can have."""

    ID = "id"
    """The id in the file, to which rows of repeats in other sheets refer. The submission gets another one."""
    EXTERNAL_ID = "externalId"
    SUBMITTED_AT = "submittedAt"
    USER_ID = "userId"
    LATITUDE = "latitude"
    LONGITUDE = "longitude"
    ACCURACY = "accuracy"


_EXPORTED_HEADINGS = {
    "Submission": Property.ID,
    "Submitted": Property.SUBMITTED_AT,
    "External id": Property.EXTERNAL_ID,
    "Latitude": Property.LATITUDE,
    "Longitude": Property.LONGITUDE,
    "Accuracy (m)": Property.ACCURACY,
}
_IGNORED = {"status", "updated", "note", "formid", "form", "changed", "who", "row"}
"""Columns of exports that an import cannot set."""
_EXPORT_ONLY_HEADINGS = {"Status", "Changed", "Who", "Note", "Form", "Row"}
_EXPORT_SIGNS = {"Submission", "Submitted", "Changed", "Who", "External id", "Accuracy (m)"}

Target = Property | AnyField


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """The target of each mapped column by its index, and the names of the other columns.

    `repeated` are those of the other columns whose target an earlier column has, with the name of that column.
    """

    targets: Mapping[int, Target]
    unmapped: Sequence[str]
    repeated: Mapping[str, str] = field(default_factory=dict)


def target_name(target: Target) -> str:
    """Return the name by which a request refers to the target."""
    return target.value if isinstance(target, Property) else ANSWER_PREFIX + target.name


def suggest_mapping(header: Sequence[str], fields: Sequence[AnyField]) -> ColumnMapping:
    """Map the columns whose names are those of properties or fields, or labels of fields. Each target is used once."""
    own = _list_export_columns(header)
    targets: dict[int, Target] = {
        index: _EXPORTED_HEADINGS[name] for index, name in own.items() if name in _EXPORTED_HEADINGS
    }
    used = {target_name(target): index for index, target in targets.items()}
    repeated: dict[str, str] = {}
    for known in _known_names(fields):
        for index, name in enumerate(header):
            target = known.get(name.strip()) or known.get(name.strip().casefold())
            if target is None or index in targets or index in own:
                continue
            first = used.setdefault(target_name(target), index)
            if first == index:
                targets[index] = target
            else:
                repeated.setdefault(name, header[first])
    unmapped = [
        name
        for index, name in enumerate(header)
        if index not in targets and index not in own and (name in repeated or name.strip().casefold() not in _IGNORED)
    ]
    return ColumnMapping(targets, unmapped, {name: repeated[name] for name in unmapped if name in repeated})


def _list_export_columns(header: Sequence[str]) -> dict[int, str]:
    """Return the columns of one of our exports that all submissions have; none for other files.

    Fields with the same label have another heading there, so these are no answers.
    """
    names = [name.strip() for name in header]
    is_export = len(_EXPORT_SIGNS.intersection(names)) >= (2 if "Submission" in names else 3)
    headings = _EXPORT_ONLY_HEADINGS | _EXPORTED_HEADINGS.keys()
    is_rows = {"Submission", "Row"} <= {*names}
    return {index: name for index, name in enumerate(names) if (is_export or is_rows) and name in headings}


def _known_names(fields: Sequence[AnyField]) -> list[dict[str, Target]]:
    """Return targets by the name of a column, the most reliable names first."""
    properties: dict[str, Target] = {one.value: one for one in Property}
    named: dict[str, Target] = {field.name: field for field in fields}
    labels: dict[str, Target] = {}
    full_labels: dict[str, Target] = {}
    for one in fields:
        for label in one.label.values() if isinstance(one.label, dict) else [one.label]:
            full_labels.setdefault(f"{label} ({one.name})", one)
            for text in (label, label.casefold()):
                labels.setdefault(text, one)
    prefixed: dict[str, Target] = {ANSWER_PREFIX + name: field for name, field in named.items()}
    exported: dict[str, Target] = dict(_EXPORTED_HEADINGS)
    return [prefixed, properties, named, full_labels, labels, exported]


def resolve_mapping(
    header: Sequence[str], fields: Sequence[AnyField], requested: Mapping[str, str] | None, *, skip_unmapped: bool
) -> ColumnMapping:
    """Return the requested mapping, or the suggested one if `requested` is None.

    `requested` are names of columns by target. Raises `Invalid` if a target or column does not exist, if no column has
    an answer, or if columns remain that are neither mapped nor known.
    """
    found = suggest_mapping(header, fields) if requested is None else _map_requested(header, fields, requested)
    if not any(not isinstance(target, Property) for target in found.targets.values()):
        detail = f"No column has the name of a field. The columns are: {_join(header)}."
        raise Invalid.at("?columns", "import.columns.none", detail)
    if found.repeated and not skip_unmapped:
        raise Invalid([_repeated_column(column, first) for column, first in found.repeated.items()])
    if found.unmapped and not skip_unmapped:
        detail = f"The form has no field for these columns: {_join(found.unmapped)}. Map or skip them."
        raise Invalid.at("?columns", "import.columns.unmapped", detail)
    return found


def _repeated_column(column: str, first: str) -> ValidationFault:
    detail = (
        f"The columns {first[:100]!r} and {column[:100]!r} are for the same field. Rename or remove one of them, or say"
        " with `columns` which one has the answers."
    )
    return ValidationFault("?columns", "import.columns.same_field", detail)


def _map_requested(header: Sequence[str], fields: Sequence[AnyField], requested: Mapping[str, str]) -> ColumnMapping:
    known: dict[str, Target] = {field.name: field for field in fields}
    known |= {one.value: one for one in Property} | {ANSWER_PREFIX + field.name: field for field in fields}
    targets: dict[int, Target] = {}
    faults: list[ValidationFault] = []
    # Browsers send all line breaks as CR LF, also those in the names of columns.
    indexes = {normalize_newlines(column): index for index, column in enumerate(header)}
    indexes |= {column: index for index, column in enumerate(header)}
    for name, column in requested.items():
        where, index = f"?columns.{name}", indexes.get(column)
        if name not in known:
            faults.append(ValidationFault(where, "import.columns.target", "The form has no field with this name."))
        elif index is None:
            detail = f"The file has no column {column[:100]!r}. Its columns are: {_join(header)}."
            faults.append(ValidationFault(where, "import.columns.unknown", detail))
        elif index in targets:
            faults.append(ValidationFault(where, "import.columns.repeated", "This column is already mapped."))
        else:
            targets[index] = known[name]
    if faults:
        raise Invalid(faults)
    # Columns that an explicit mapping leaves out are left out deliberately.
    return ColumnMapping(targets, [])


def normalize_newlines(name: str) -> str:
    """Return the name of a column as browsers send it."""
    return re.sub(r"\r\n?|\n", "\r\n", name)


RepeatPath = tuple[RepeatField, ...]
"""A repeat, after the repeats that contain it, from the outside in."""


def match_sheet(title: str, repeats: Sequence[RepeatPath]) -> RepeatPath | None:
    """Return the repeat whose name or label is the title of a sheet, as far as a title can contain it."""
    for path in repeats:
        field = path[-1]
        labels = field.label.values() if isinstance(field.label, dict) else [field.label]
        # Excel allows 31 characters in a title, and no apostrophe at its ends.
        if title.casefold() in {text[:31].strip(" '").casefold() for text in (field.name, *labels)}:
            return path
    return None


@dataclass(frozen=True, slots=True)
class RepeatColumns:
    """The index of the column with the id of the submission, of those with the numbers of the rows around a row, from
    the outside in, and the field of each other column.
    """

    link: int
    outer: Sequence[int]
    fields: Mapping[int, AnyField]


def map_repeat(header: Sequence[str], path: RepeatPath) -> RepeatColumns | None:
    """Return the columns of the sheet of a repeat; None if one of those that say where its rows belong is missing."""
    mapping = suggest_mapping(header, list_answer_fields(path[-1].fields)).targets
    link = next((index for index, target in mapping.items() if target is Property.ID), None)
    fields = {index: target for index, target in mapping.items() if not isinstance(target, Property)}
    indexes = {name.strip(): index for index, name in reversed(list(enumerate(header)))}
    outer = [
        indexes.get(f"{ROW_PREFIX}{repeat.name}", indexes.get(ROW_HEADING.format(repeat.name))) for repeat in path[:-1]
    ]
    known = [index for index in outer if index is not None]
    return None if link is None or len(known) < len(outer) else RepeatColumns(link, known, fields)


def _join(names: Sequence[str]) -> str:
    return ", ".join(names[:_MAX_LISTED]) + (" …" if len(names) > _MAX_LISTED else "")
