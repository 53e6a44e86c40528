"""Validation of answers: the rules of the version are applied first, then all errors are collected."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from typing import Any

from msgspec import UNSET, UnsetType

from formwright.core.errors import MAX_ERRORS, Invalid, ValidationFault, pointer
from formwright.core.json_schema_errors import count_values, to_fault
from formwright.core.lru_cache import LRUCache
from formwright.core.offload import offload
from formwright.domain.forms.answers.error_messages import messages_for
from formwright.domain.forms.answers.errors import AnswerValidator
from formwright.domain.forms.answers.exact import inexact_errors, list_decimals
from formwright.domain.forms.answers.limits import find_oversized
from formwright.domain.forms.answers.texts import fill_placeholders
from formwright.domain.forms.fields import RepeatField, answerable_fields, walk_fields
from formwright.domain.forms.fields.labels import Label, label_template
from formwright.domain.forms.fields.structure import max_size
from formwright.domain.forms.models import Version
from formwright.domain.forms.rules.compiler import reads_clock
from formwright.domain.forms.rules.costs import SUBMISSION_STEPS
from formwright.domain.forms.rules.filled_fields import is_calculated_lookup, is_filled_by_rows
from formwright.domain.forms.rules.initial_answers import fill_initial_answers, has_initial_answer
from formwright.domain.forms.rules.program import Evaluation, Program, compile_program

_INLINE_LIMIT = 1000
"""Answers with fewer values than this are validated at once: passing them to a thread would take longer."""
_QUICK_STEPS = SUBMISSION_STEPS // 25
"""Rules that need no more than this (about 20 ms) are evaluated at once."""


class CompiledVersion:
    """The validators of a version. Rules and schema are compiled on first use: with many rules, that takes seconds."""

    def __init__(self, version: Version) -> None:
        self.version = version
        self._fields = version.definition.fields
        self._answerable = answerable_fields(self._fields)
        self.language = version.definition.settings.language
        self.messages = messages_for(self.language)
        self._by_name = {field.name: field for field in walk_fields(self._fields)}
        fields = self._by_name.values()
        self.has_lookups = any(field.datasource_id for field in fields)
        """Whether it asks for rows of data sources, also in repeats."""
        self.fills_hidden = any(
            is_filled_by_rows(self._by_name[name]) for field in fields for name in field.mapping.values()
        )
        """Whether the rows of lookups fill in hidden fields, which the server does itself."""
        self.has_calculated_lookups = any(map(is_calculated_lookup, fields))
        """Whether rules compute the keys of rows."""
        self.has_file_fields = any(field.answer_kind.is_file for field in fields)
        """Whether it asks for photos, signatures or files, also in repeats."""
        self.has_indexed_fields = any(field.indexed and field.is_filterable for field in fields)
        self.reads_clock = any(reads_clock(rule) for field in fields for _, rule in field.rules())
        """Whether a rule depends on the date or time, so that the time on the device must be kept."""
        self.has_initial_answers = any(map(has_initial_answer, fields))
        """Whether hidden fields have an initial answer, which nobody can remove."""
        self.max_size = max_size(self._fields)
        """An upper bound for the size of answers."""
        self._decimals = list_decimals(self._fields)
        self._is_ready = False
        """Whether `program` and `validator` have been used, and so cost nothing more."""

    @cached_property
    def program(self) -> Program:
        return compile_program(self._fields)

    @cached_property
    def validator(self) -> AnswerValidator:
        return AnswerValidator(self._fields, self.messages)

    def validate(
        self, data: Mapping[str, Any], *, steps: int = SUBMISSION_STEPS, device_time: str | None = None
    ) -> tuple[dict[str, Any], list[ValidationFault]]:
        """Return the answers with the rules applied, and the validation errors; their pointers begin with `/data`.

        The rules may take `steps` together; `device_time` is what `today()` and `now()` show in them. Raises `Invalid`
        if the answers are larger than answers to this version can be.
        """
        if found := limit_errors(find_oversized(self._answerable, data, ("data",), self.messages)):
            # Rules and schema would take long, and so would everything that reads the answers afterwards.
            raise Invalid(found, more=True)
        settled = self.program.evaluate(data, ("data",), steps=steps, device_time=device_time)
        self._is_ready = True
        if settled.is_over_budget:
            return settled.answers, list(_rule_errors(self, settled))
        found = [
            self._with_own_message(fault, settled.answers)
            for fault in self.validator.find_errors(settled.answers, ("data",))
        ]
        # An answer that the schema rejects often breaks a rule, too, but one error is enough.
        wrong = {fault.pointer for fault in found}
        inexact = inexact_errors(self._decimals, settled.answers, ("data",), self.messages)
        found += [fault for fault in (*inexact, *_rule_errors(self, settled)) if fault.pointer not in wrong]
        return settled.answers, found

    def fill_initial_answers(self, data: Mapping[str, Any], device_time: str | None) -> Mapping[str, Any]:
        """Return the answers with the initial ones of hidden fields. Answers that are too large stay as they are."""
        if any(find_oversized(self._answerable, data, ("data",), self.messages)):
            return data
        return fill_initial_answers(self.program, data, self.validator.is_valid_answer, device_time=device_time)

    async def fill_initial_answers_async(self, data: Mapping[str, Any], device_time: str | None) -> Mapping[str, Any]:
        """Like `fill_initial_answers`, but in a thread if it may take long."""
        if not self.has_initial_answers:
            return data
        if self._is_ready and count_values(data, _INLINE_LIMIT) < _INLINE_LIMIT:
            return self.fill_initial_answers(data, device_time)
        return await offload(partial(self.fill_initial_answers, device_time=device_time), data)

    def own_message(self, label: Label | UnsetType, place: str, answers: Mapping[str, Any]) -> str:
        """Return a message of the form with the answers in it, for the answer at this pointer. May be empty."""
        if label is UNSET:
            return ""
        text = label_template(label, (self.language, self.language.partition("-")[0]))
        return fill_placeholders(text, self._by_name, _answers_around(place, answers), self.language)

    def _with_own_message(self, fault: ValidationFault, answers: Mapping[str, Any]) -> ValidationFault:
        """Return the error with the form's own message, if it has one for this missing answer."""
        field = self._by_name.get(fault.pointer.rpartition("/")[2])
        if fault.code != "value.required" or field is None or field.required_message is UNSET:
            return fault
        return replace(fault, detail=self.own_message(field.required_message, fault.pointer, answers))

    async def validate_async(
        self, data: Mapping[str, Any], *, device_time: str | None = None
    ) -> tuple[dict[str, Any], list[ValidationFault]]:
        """Like `validate`, but in a thread if it takes long: many answers, costly rules, or rules not compiled yet."""
        if self._is_ready and count_values(data, _INLINE_LIMIT) < _INLINE_LIMIT:
            result = self.validate(data, steps=_QUICK_STEPS, device_time=device_time)
            # The limit here is that of the event loop. The thread evaluates the rules again with the whole budget.
            if not any(fault.code == "value.rule.too_costly" for fault in result[1]):
                return result
        return await offload(partial(self.validate, device_time=device_time), data)


_cache = LRUCache[tuple[str, int], CompiledVersion](512)
"""By id and revision, because a draft that changes is compiled again."""


def compile_version(version: Version) -> CompiledVersion:
    """Return the validators of a version, which are cached."""
    key = (version.id, version.revision)
    return _cache.get(key) or _cache.put(key, CompiledVersion(version))


def validate(
    version: Version, data: Mapping[str, Any], *, steps: int = SUBMISSION_STEPS
) -> tuple[dict[str, Any], list[ValidationFault]]:
    """Validate answers to a version, as `CompiledVersion.validate` does."""
    return compile_version(version).validate(data, steps=steps)


async def validate_async(
    version: Version, data: Mapping[str, Any], *, device_time: str | None = None
) -> tuple[dict[str, Any], list[ValidationFault]]:
    """Validate answers to a version, as `CompiledVersion.validate_async` does."""
    return await compile_version(version).validate_async(data, device_time=device_time)


def limit_errors(errors: Iterable[ValidationFault]) -> list[ValidationFault]:
    """Return as many errors as a response lists, and one more to show that there are more."""
    return list(islice(errors, MAX_ERRORS + 1))


def _rule_errors(compiled: CompiledVersion, settled: Evaluation) -> Iterator[ValidationFault]:
    for path, field, what in settled.violations:
        if what == "costly":
            yield ValidationFault(pointer(*path), "value.rule.too_costly", compiled.messages["costly"])
        elif what == "required":
            own = compiled.own_message(field.required_message, pointer(*path), settled.answers)
            yield ValidationFault(pointer(*path), "value.required", own or compiled.messages["required"])
        elif what == "limit" and isinstance(field, RepeatField):
            yield to_fault("maxItems", path, compiled.messages, limit=field.max)
        elif what == "rows":
            yield ValidationFault(pointer(*path), "value.rows.count", compiled.messages["rows"])
        elif what == "option":
            yield ValidationFault(pointer(*path), "value.choice.filtered", compiled.messages["filtered"])
        else:
            own = compiled.own_message(field.message, pointer(*path), settled.answers)
            yield ValidationFault(pointer(*path), "value.rule", own or compiled.messages["rule"])


def _answers_around(place: str, answers: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the answers that a text beside the answer at this pointer sees: those of its row, and those outside."""
    _, _, *steps = place.split("/")
    known, level = answers, answers
    # A pointer into a row has the name of a repeat, the index of the row, and so on for repeats inside it.
    for repeat, index in zip(steps[::2], steps[1:-1:2], strict=False):
        rows = level.get(repeat)
        if not isinstance(rows, list) or not isinstance(level := rows[int(index)], dict):
            break
        known = {**known, **level}
    return known


def find_unknown_answers(version: Version, data: Mapping[str, Any]) -> list[ValidationFault]:
    """Return errors for answers of a draft that the version has no field for, or that are larger than any answer."""
    asked = answerable_fields(version.definition.fields)
    words = messages_for(version.definition.settings.language)
    said = words["additionalProperties"]
    if found := limit_errors(find_oversized(asked, data, ("data",), words)):
        return found
    return limit_errors(
        ValidationFault(pointer("data", name), "value.unknown", said) for name in data if name not in asked
    )
