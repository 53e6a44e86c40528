"""What fields contain: their rules, their texts, and the media beside them."""

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from formwright.domain.forms.fields.choices import ChoiceField, ChoicesField, OptionField
from formwright.domain.forms.fields.labels import Label
from formwright.domain.forms.fields.media import file_names
from formwright.domain.forms.fields.numbers import NpsField
from formwright.domain.forms.fields.structure import AnyField, RepeatField, walk_fields


def field_rules(field: AnyField) -> Iterator[tuple[str, str]]:
    """Yield the rules of a field with the names of their properties in the API."""
    for member, text in (
        ("visibleIf", field.visible_if),
        ("requiredIf", field.required_if),
        ("readOnlyIf", field.read_only_if),
        ("validIf", field.valid_if),
        ("calculate", field.calculate),
        ("defaultRule", field.default_rule),
        ("optionFilter", field.option_filter if isinstance(field, ChoiceField | ChoicesField) else UNSET),
        ("countRule", field.count_rule if isinstance(field, RepeatField) else UNSET),
    ):
        if isinstance(text, str):
            yield member, text


def field_texts(field: AnyField) -> Iterator[tuple[str, Label]]:
    """Yield the texts of a field that can contain answers, with the names of their properties in the API."""
    for member, label in (
        ("label", field.label),
        ("hint", field.hint),
        ("guidance", field.guidance),
        ("requiredMessage", field.required_message),
        ("message", field.message),
        ("lowLabel", field.low_label if isinstance(field, NpsField) else UNSET),
        ("highLabel", field.high_label if isinstance(field, NpsField) else UNSET),
        ("rowLabel", field.row_label if isinstance(field, RepeatField) else UNSET),
        ("media/alt", field.media.alt if field.media is not UNSET else UNSET),
    ):
        if label is not UNSET:
            yield member, label
    for place, option in enumerate(field.options if isinstance(field, OptionField) else ()):
        yield f"options/{place}/label", option.label


def media_names(fields: Sequence[AnyField]) -> set[str]:
    """Return the names of the files of the media of all fields and of their options, in all languages."""
    return {name for field in walk_fields(fields) for name in _own_media_names(field)}


def _own_media_names(field: AnyField) -> Iterator[str]:
    yield from file_names(field.media)
    for option in field.options if isinstance(field, OptionField) else ():
        yield from file_names(option.media)
