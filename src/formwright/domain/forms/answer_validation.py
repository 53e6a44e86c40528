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
from formwright.domain.forms.answer_errors import AnswerValidator
from formwright.domain.forms.answer_limits import Size, find_oversized, max_size
from formwright.domain.forms.cel.costs import SUBMISSION_STEPS
from formwright.domain.forms.cel.program import Evaluation, Program, compile_program
from formwright.domain.forms.definition import (
    AnyField,
    FileField,
    LookupField,
    NoteField,
    PhotoField,
    SectionField,
    SignatureField,
    flatten_sections,
    label_text,
    walk_fields,
)
from formwright.domain.forms.error_messages import messages_for
from formwright.domain.forms.models import Version

_INLINE_LIMIT = 1000
"""Fewer answers than this are validated at once: handing them to a thread would take longer."""
_QUICK_STEPS = SUBMISSION_STEPS // 25
"""Rules that need no more than this (about 20 ms) are evaluated at once."""
_FILE_FIELDS = {PhotoField, SignatureField, FileField}


class CompiledVersion:
    """The validators of a version. Rules and schema are compiled on first use: with many rules, that takes seconds."""

    def __init__(self, version: Version) -> None:
        self._fields = version.definition.fields
        self.language = version.definition.settings.language
        self.messages = messages_for(self.language)
        self.field_types = {type(field) for field in walk_fields(version.definition.fields)}
        """The types of its fields, also of those in repeats."""
        self.max_size = max_size(version.definition.fields)
        self.is_ready = False
        """Whether `program` and `schema` have been used, and so cost nothing more."""

    @cached_property
    def program(self) -> Program:
        return compile_program(self._fields)

    @cached_property
    def validator(self) -> AnswerValidator:
        return AnswerValidator(self._fields, self.messages)


_cache = LRUCache[tuple[str, int], CompiledVersion](512)
"""A draft that was changed has another revision, and so is compiled anew."""


def _compile(version: Version) -> CompiledVersion:
    key = (version.id, version.revision)
    return _cache.get(key) or _cache.keep(key, CompiledVersion(version))


def require_valid(version: Version, data: Mapping[str, Any]) -> dict[str, Any]:
    """The answers as they are kept: hidden fields carry none, calculated ones are ours. `Invalid` names all faults."""
    settled, found = validate(version, data)
    if found:
        raise Invalid(found)
    return settled


def validate(
    version: Version, data: Mapping[str, Any], *, steps: int = SUBMISSION_STEPS
) -> tuple[dict[str, Any], list[ValidationFault]]:
    """Return the answers with the rules applied, and the validation errors; their pointers begin with `/data`.

    The rules may take `steps` together. Raises `Invalid` if the answers are larger than answers to this version can be.
    """
    compiled = _compile(version)
    if found := limit_errors(find_oversized(version.definition.fields, data, ("data",), compiled.messages)):
        # Rules and schema would be at it for long, and whoever reads the answers afterwards too.
        raise Invalid(found, more=True)
    settled = compiled.program.evaluate(data, ("data",), steps=steps)
    compiled.is_ready = True
    if settled.is_over_budget:
        return settled.answers, list(_rule_errors(compiled, settled))
    found = compiled.validator.find_errors(settled.answers, ("data",))
    wrong = {fault.pointer for fault in found}
    found += [fault for fault in _rule_errors(compiled, settled) if fault.pointer not in wrong]
    return settled.answers, found


async def validate_async(version: Version, data: Mapping[str, Any]) -> tuple[dict[str, Any], list[ValidationFault]]:
    """Like `judged`, but in a thread if it takes long: many answers, costly rules, or rules not compiled yet."""
    if _compile(version).is_ready and count_values(data, _INLINE_LIMIT) < _INLINE_LIMIT:
        result = validate(version, data, steps=_QUICK_STEPS)
        if not any(fault.code == "value.rule.too_costly" for fault in result[1]):
            return result
    return await offload(validate, version, data)


def limit_errors(found: Iterable[ValidationFault]) -> list[ValidationFault]:
    """As many as a response lists, and one that says that there are more."""
    return list(islice(found, MOST_ERRORS + 1))


def max_answers_size(version: Version) -> Size:
    """How large the answers to this version can be."""
    return _compile(version).max_size


def _rule_errors(compiled: CompiledVersion, settled: Evaluation) -> Iterator[ValidationFault]:
    for path, field, what in settled.violations:
        if what == "costly":
            yield ValidationFault(pointer(*path), "value.rule.too_costly", compiled.messages["costly"])
        elif what == "required":
            yield ValidationFault(pointer(*path), "value.required", compiled.messages["required"])
        else:
            yield ValidationFault(pointer(*path), "value.rule", _rule_message(field, compiled))


def _rule_message(field: AnyField, compiled: CompiledVersion) -> str:
    if field.message is UNSET:
        return compiled.messages["rule"]
    return label_text(field.message, (compiled.language, compiled.language.partition("-")[0]))


def has_lookups(version: Version) -> bool:
    """Whether it asks for rows of datasources."""
    return LookupField in _compile(version).field_types


def has_file_fields(version: Version) -> bool:
    """Whether it asks for photos, signatures or files."""
    return not _compile(version).field_types.isdisjoint(_FILE_FIELDS)


def find_unknown_answers(version: Version, data: Mapping[str, Any]) -> list[ValidationFault]:
    """What an unfinished set of answers holds that the version does not ask for, or that no answer can be."""
    asked = {f.name for f in flatten_sections(version.definition.fields) if not isinstance(f, NoteField | SectionField)}
    words = messages_for(version.definition.settings.language)
    said = words["additionalProperties"]
    if found := limit_errors(find_oversized(version.definition.fields, data, ("data",), words)):
        return found
    return limit_errors(
        ValidationFault(pointer("data", name), "value.unknown", said) for name in data if name not in asked
    )
