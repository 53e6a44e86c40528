"""The fields of a summary: those of all final versions of a form.

Answers belong to the version that was filled in. A field that has changed its kind is two fields, so the answers to
one are never counted among those to the other.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from formwright.domain.forms.diff import ChangeKind, compare_definitions
from formwright.domain.forms.fields import AnswerKind, AnyField, NpsField, RepeatField, flatten_sections
from formwright.domain.forms.fields.choices import RankingField
from formwright.domain.forms.fields.labels import Label
from formwright.domain.forms.fields.lookups import LookupField, LookupsField
from formwright.domain.forms.fields.numbers import RatingField, SliderField
from formwright.domain.forms.models import Version
from formwright.domain.summaries.models import SummaryKind

_KINDS: Mapping[AnswerKind, SummaryKind | None] = {
    AnswerKind.TEXT: SummaryKind.TEXT,
    AnswerKind.INTEGER: SummaryKind.NUMBER,
    AnswerKind.DECIMAL: SummaryKind.NUMBER,
    AnswerKind.BOOLEAN: SummaryKind.BOOLEAN,
    AnswerKind.DATE: SummaryKind.DATE,
    AnswerKind.TIME: SummaryKind.TIME,
    AnswerKind.DATETIME: SummaryKind.DATETIME,
    AnswerKind.CHOICE: SummaryKind.CHOICE,
    AnswerKind.CHOICES: SummaryKind.CHOICES,
    AnswerKind.FILE: SummaryKind.FILES,
    AnswerKind.FILES: SummaryKind.FILES,
    AnswerKind.POSITION: SummaryKind.LOCATION,
    AnswerKind.POSITIONS: SummaryKind.LOCATION,
    AnswerKind.ROWS: SummaryKind.REPEAT,
    AnswerKind.NONE: None,
}
_KINDS_OF_TYPES: Mapping[type[AnyField], SummaryKind] = {
    RankingField: SummaryKind.RANKING,
    LookupField: SummaryKind.LOOKUP,
    LookupsField: SummaryKind.LOOKUPS,
    NpsField: SummaryKind.NPS,
    RatingField: SummaryKind.RATING,
    SliderField: SummaryKind.SLIDER,
}
"""The types with other summaries than their kind of answers has."""


def summary_kind(field: AnyField) -> SummaryKind | None:
    """Return what a summary of the field contains; None if the field has no answers."""
    return _KINDS_OF_TYPES.get(type(field)) or _KINDS[field.answer_kind]


@dataclass(frozen=True, slots=True)
class FieldId:
    """What two fields of different versions must have in common to be summarized together.

    `repeat` is the name of the repeat that contains the field, or empty; `source` the data source of a lookup.
    """

    repeat: str
    name: str
    kind: SummaryKind
    source: str = ""


@dataclass(slots=True)
class SummaryField:
    """A field of one or more versions. `definition` is that of the published version or, if removed, the newest.

    `options` are the labels of a choice by value: those of the definition, then those of older versions, which are
    `removed_options`. `integers`: in all versions, answers are integers.
    """

    id: FieldId
    definition: AnyField
    removed: bool
    renamed_to: str | None = None
    versions: list[int] = field(default_factory=list)
    options: dict[str, Label] = field(default_factory=dict)
    removed_options: set[str] = field(default_factory=set)
    integers: bool = True


@dataclass(frozen=True, slots=True)
class SummaryFields:
    """The fields in their order: those of the published version as in the form, then removed ones, newest first.

    `by_version` has the fields of each version, by its id.
    """

    fields: Mapping[FieldId, SummaryField]
    by_version: Mapping[str, Sequence[FieldId]]


def collect_fields(versions: Sequence[Version], published_id: str | None) -> SummaryFields:
    """Return the fields of these versions, which are all final ones of a form."""
    by_number = sorted(versions, key=lambda version: version.number)
    fields: dict[FieldId, SummaryField] = {}
    by_version = {}
    for version in sorted(versions, key=lambda one: (one.id != published_id, -one.number)):
        own = dict(_iter_fields(version.definition.fields))
        by_version[version.id] = list(own)
        for id_, definition in own.items():
            found = fields.setdefault(id_, SummaryField(id_, definition, version.id != published_id))
            _add_version(found, definition, version.number)
    names = _current_names(by_number, published_id)
    for one in fields.values():
        one.versions.sort()
        one.renamed_to = names.get((one.versions[-1], one.id.name)) if one.removed else None
    return SummaryFields(fields, by_version)


def _iter_fields(fields: Sequence[AnyField], repeat: str = "") -> Iterator[tuple[FieldId, AnyField]]:
    """Yield the fields that have answers, in reading order; those of a repeat follow it."""
    for one in flatten_sections(fields):
        if kind := summary_kind(one):
            yield FieldId(repeat, one.name, kind, one.datasource_id), one
        if isinstance(one, RepeatField):
            yield from _iter_fields(one.fields, one.name)


def _add_version(found: SummaryField, definition: AnyField, number: int) -> None:
    if definition.options:
        labels = {option.value: option.label for option in definition.options}
        if found.versions:
            found.removed_options |= labels.keys() - found.options.keys()
        found.options = labels | found.options if not found.options else found.options | _without(labels, found.options)
    found.versions.append(number)
    found.integers = found.integers and definition.answer_kind is not AnswerKind.DECIMAL


def _without(labels: Mapping[str, Label], known: Mapping[str, Label]) -> dict[str, Label]:
    return {value: label for value, label in labels.items() if value not in known}


def _current_names(versions: Sequence[Version], published_id: str | None) -> dict[tuple[int, str], str]:
    """Return the published names of renamed fields, by the number of an older version and the name there."""
    numbers = [version.number for version in versions if version.id == published_id]
    older = [version for version in versions if numbers and version.number <= numbers[0]]
    found: dict[tuple[int, str], str] = {}
    names: dict[str, str] = {}
    for before, after in reversed(list(pairwise(older))):
        changes = compare_definitions(before.definition, after.definition)
        renamed = {
            change.before: change.after
            for change in changes
            if change.kind is ChangeKind.RENAMED and change.before and change.after
        }
        gone = {change.before for change in changes if change.kind is ChangeKind.REMOVED}
        names = {name: now for name, now in names.items() if name not in gone}
        names |= {old: names.get(new, new) for old, new in renamed.items()}
        found |= {(before.number, name): now for name, now in names.items()}
    return found


def list_splits(fields: SummaryFields) -> list[tuple[str, Label]]:
    """Return the names and labels of the single choices by which submissions can be split."""
    return [
        (one.id.name, one.definition.label) for id_, one in fields.fields.items() if find_split(fields, id_.name) is one
    ]


def find_split(fields: SummaryFields, name: str) -> SummaryField | None:
    """Return the single choice with this name by which submissions can be split: outside repeats, and not removed."""
    found = fields.fields.get(FieldId("", name, SummaryKind.CHOICE))
    return None if found is None or found.removed else found


def select(fields: SummaryFields, names: frozenset[str] | None) -> SummaryFields:
    """Return only the fields with these names, and those in repeats with these names; None selects all."""
    if names is None:
        return fields
    outer = {id_.name: id_.repeat for id_ in fields.fields if id_.kind is SummaryKind.REPEAT}

    def outermost(id_: FieldId) -> str:
        name, around = id_.name, id_.repeat
        while around:
            name, around = around, outer.get(around, "")
        return name

    chosen = {id_: one for id_, one in fields.fields.items() if outermost(id_) in names}
    by_version = {key: [id_ for id_ in ids if id_ in chosen] for key, ids in fields.by_version.items()}
    return replace(fields, fields=chosen, by_version=by_version)
