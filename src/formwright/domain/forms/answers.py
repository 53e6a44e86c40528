"""Whether answers fit a version: settled by its rules first, then all faults at once, each with its pointer."""

from collections.abc import Iterator, Mapping
from typing import Any

import jsonschema_rs
from msgspec import UNSET

from formwright.core.kernel.errors import Fault, Invalid, pointer
from formwright.core.kernel.recent import Recent
from formwright.core.kernel.schema_faults import schema_faults
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
from formwright.domain.forms.messages import words_in
from formwright.domain.forms.model import Version
from formwright.domain.forms.patterns import LINEAR
from formwright.domain.forms.program import Program, Settled, compile_program
from formwright.domain.forms.schema import answers_schema

_FILES = {PhotoField, SignatureField, FileField}


class Compiled:
    """What a version becomes once: its schema as a validator, its rules as a program."""

    def __init__(self, version: Version) -> None:
        self.language = version.definition.settings.language
        self.words = words_in(self.language)
        self.kinds = {type(field) for field in every(version.definition.fields)}
        """The types of its fields, also of those in repeats."""
        self.program: Program = compile_program(version.definition.fields)
        self.validator = jsonschema_rs.Draft202012Validator(
            answers_schema(version.definition), validate_formats=True, pattern_options=LINEAR
        )


_kept = Recent[tuple[str, int], Compiled](512)
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


def judged(version: Version, data: Mapping[str, Any]) -> tuple[dict[str, Any], list[Fault]]:
    """The settled answers, and all that is wrong with them; the pointers begin with `/data`."""
    compiled = _compiled(version)
    settled = compiled.program.settle(data, ("data",))
    if settled.is_unfinished:
        return settled.answers, list(_rule_faults(compiled, settled))
    found = schema_faults(compiled.validator, settled.answers, ("data",), compiled.words)
    wrong = {fault.pointer for fault in found}
    found += [fault for fault in _rule_faults(compiled, settled) if fault.pointer not in wrong]
    return settled.answers, found


def _rule_faults(compiled: Compiled, settled: Settled) -> Iterator[Fault]:
    for path, field, what in settled.broken:
        if what == "costly":
            yield Fault(pointer(*path), "value.rule.too_costly", compiled.words["costly"])
        elif what == "required":
            yield Fault(pointer(*path), "value.required", compiled.words["required"])
        else:
            yield Fault(pointer(*path), "value.rule", _message(field, compiled))


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


def unknown(version: Version, data: Mapping[str, Any]) -> list[Fault]:
    """What an unfinished set of answers holds that the version does not ask for."""
    asked = {f.name for f in flat(version.definition.fields) if not isinstance(f, NoteField | SectionField)}
    said = words_in(version.definition.settings.language)["additionalProperties"]
    return [Fault(pointer("data", name), "value.unknown", said) for name in data if name not in asked]
