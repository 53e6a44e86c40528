"""Whether answers fit a version: settled by its rules first, then all faults at once, each with its pointer."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from msgspec import UNSET

from formwright.core.errors import MOST_ERRORS, Invalid, ValidationFault, pointer
from formwright.core.json_schema_errors import count_values
from formwright.core.lru_cache import LRUCache
from formwright.core.offload import offload
from formwright.domain.forms.answer_errors import AnswerSchema
from formwright.domain.forms.answer_limits import Size, largest, too_large
from formwright.domain.forms.cel.program import Program, Settled, compile_program
from formwright.domain.forms.definition import (
    AnyField,
    FileField,
    LookupField,
    NoteField,
    PhotoField,
    SectionField,
    SignatureField,
    every,
    flat,
    words,
)
from formwright.domain.forms.error_messages import words_in
from formwright.domain.forms.models import Version

_FEW = 1000
"""So many answers are judged at once: handing them to a thread would take longer."""
_FILES = {PhotoField, SignatureField, FileField}


class Compiled:
    """What a version becomes once: its schema as a validator, its rules as a program."""

    def __init__(self, version: Version) -> None:
        self.language = version.definition.settings.language
        self.words = words_in(self.language)
        self.kinds = {type(field) for field in every(version.definition.fields)}
        """The types of its fields, also of those in repeats."""
        self.program: Program = compile_program(version.definition.fields)
        self.schema = AnswerSchema(version.definition.fields, self.words)
        self.largest = largest(version.definition.fields)


_kept = LRUCache[tuple[str, int], Compiled](512)
"""A draft that was changed has another revision, and so is compiled anew."""


def _compiled(version: Version) -> Compiled:
    key = (version.id, version.revision)
    return _kept.get(key) or _kept.keep(key, Compiled(version))


def checked(version: Version, data: Mapping[str, Any]) -> dict[str, Any]:
    """The answers as they are kept: hidden fields carry none, calculated ones are ours. `Invalid` names all faults."""
    settled, found = judged(version, data)
    if found:
        raise Invalid(found)
    return settled


def judged(version: Version, data: Mapping[str, Any]) -> tuple[dict[str, Any], list[ValidationFault]]:
    """The settled answers, and what is wrong with them; the pointers begin with `/data`.

    `Invalid` at once where they are larger than answers to this version can be.
    """
    compiled = _compiled(version)
    if found := first(too_large(version.definition.fields, data, ("data",), compiled.words)):
        # Rules and schema would be at it for long, and whoever reads the answers afterwards too.
        raise Invalid(found, more=True)
    settled = compiled.program.settle(data, ("data",))
    if settled.is_unfinished:
        return settled.answers, list(_rule_faults(compiled, settled))
    found = compiled.schema.errors(settled.answers, ("data",))
    wrong = {fault.pointer for fault in found}
    found += [fault for fault in _rule_faults(compiled, settled) if fault.pointer not in wrong]
    return settled.answers, found


async def judge(version: Version, data: Mapping[str, Any]) -> tuple[dict[str, Any], list[ValidationFault]]:
    """As `judged`; nobody waits for it while many answers are looked at."""
    if count_values(data, _FEW) < _FEW:
        return judged(version, data)
    return await offload(judged, version, data)


def first(found: Iterable[ValidationFault]) -> list[ValidationFault]:
    """As many as a response lists, and one that says that there are more."""
    return list(islice(found, MOST_ERRORS + 1))


def most_of(version: Version) -> Size:
    """How large the answers to this version can be."""
    return _compiled(version).largest


def _rule_faults(compiled: Compiled, settled: Settled) -> Iterator[ValidationFault]:
    for path, field, what in settled.broken:
        if what == "costly":
            yield ValidationFault(pointer(*path), "value.rule.too_costly", compiled.words["costly"])
        elif what == "required":
            yield ValidationFault(pointer(*path), "value.required", compiled.words["required"])
        else:
            yield ValidationFault(pointer(*path), "value.rule", _message(field, compiled))


def _message(field: AnyField, compiled: Compiled) -> str:
    if field.message is UNSET:
        return compiled.words["rule"]
    return words(field.message, (compiled.language, compiled.language.partition("-")[0]))


def looks_up(version: Version) -> bool:
    """Whether it asks for rows of datasources."""
    return LookupField in _compiled(version).kinds


def asks_for_files(version: Version) -> bool:
    """Whether it asks for photos, signatures or files."""
    return not _compiled(version).kinds.isdisjoint(_FILES)


def unknown(version: Version, data: Mapping[str, Any]) -> list[ValidationFault]:
    """What an unfinished set of answers holds that the version does not ask for, or that no answer can be."""
    asked = {f.name for f in flat(version.definition.fields) if not isinstance(f, NoteField | SectionField)}
    words = words_in(version.definition.settings.language)
    said = words["additionalProperties"]
    if found := first(too_large(version.definition.fields, data, ("data",), words)):
        return found
    return first(ValidationFault(pointer("data", name), "value.unknown", said) for name in data if name not in asked)
