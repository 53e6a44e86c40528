"""Whether answers fit a version: settled by its rules first, then all faults at once, each with its pointer."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import islice
from typing import Any

from msgspec import UNSET

from formwright.core.errors import MOST_ERRORS, Invalid, ValidationFault, pointer
from formwright.core.json_schema_errors import count_values
from formwright.core.lru_cache import LRUCache
from formwright.core.offload import offload
from formwright.domain.forms.answer_errors import AnswerSchema
from formwright.domain.forms.answer_limits import Size, largest, too_large
from formwright.domain.forms.cel.costs import SUBMISSION_STEPS
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
"""Fewer answers than this are validated at once: handing them to a thread would take longer."""
_QUICK_STEPS = SUBMISSION_STEPS // 25
"""Rules that need no more than this (about 20 ms) are evaluated at once."""
_FILES = {PhotoField, SignatureField, FileField}


class Compiled:
    """The validators of a version. Rules and schema are compiled on first use: with many rules, that takes seconds."""

    def __init__(self, version: Version) -> None:
        self._fields = version.definition.fields
        self.language = version.definition.settings.language
        self.words = words_in(self.language)
        self.kinds = {type(field) for field in every(version.definition.fields)}
        """The types of its fields, also of those in repeats."""
        self.largest = largest(version.definition.fields)
        self.is_ready = False
        """Whether `program` and `schema` have been used, and so cost nothing more."""

    @cached_property
    def program(self) -> Program:
        return compile_program(self._fields)

    @cached_property
    def schema(self) -> AnswerSchema:
        return AnswerSchema(self._fields, self.words)


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


def judged(
    version: Version, data: Mapping[str, Any], *, steps: int = SUBMISSION_STEPS
) -> tuple[dict[str, Any], list[ValidationFault]]:
    """Return the answers with the rules applied, and the validation errors; their pointers begin with `/data`.

    The rules may take `steps` together. Raises `Invalid` if the answers are larger than answers to this version can be.
    """
    compiled = _compiled(version)
    if found := first(too_large(version.definition.fields, data, ("data",), compiled.words)):
        # Rules and schema would be at it for long, and whoever reads the answers afterwards too.
        raise Invalid(found, more=True)
    settled = compiled.program.settle(data, ("data",), steps=steps)
    compiled.is_ready = True
    if settled.is_unfinished:
        return settled.answers, list(_rule_faults(compiled, settled))
    found = compiled.schema.errors(settled.answers, ("data",))
    wrong = {fault.pointer for fault in found}
    found += [fault for fault in _rule_faults(compiled, settled) if fault.pointer not in wrong]
    return settled.answers, found


async def judge(version: Version, data: Mapping[str, Any]) -> tuple[dict[str, Any], list[ValidationFault]]:
    """Like `judged`, but in a thread if it takes long: many answers, costly rules, or rules not compiled yet."""
    if _compiled(version).is_ready and count_values(data, _FEW) < _FEW:
        result = judged(version, data, steps=_QUICK_STEPS)
        if not any(fault.code == "value.rule.too_costly" for fault in result[1]):
            return result
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
