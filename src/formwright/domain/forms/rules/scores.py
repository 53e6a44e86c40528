"""Points of options: what an answer counts, and the most that a field can bring.

Points are added as whole hundredths, so that the server and the page compute the same number, and 0.1 + 0.2 is 0.3.
"""

from collections.abc import Mapping, Sequence

from msgspec import UNSET

from formwright.domain.forms.fields import (
    AnyField,
    ChoiceField,
    ChoicesField,
    RepeatField,
    SectionField,
    flatten_sections,
)

SCALE = 100
"""How many units of `field_points` are a point."""


def field_points(field: AnyField) -> Mapping[str, int]:
    """Return the points of the options that have some, in hundredths, by their values."""
    options = field.options if isinstance(field, ChoiceField | ChoicesField) else []
    return {option.value: to_hundredths(option.points) for option in options if option.points}


def to_hundredths(points: float) -> int:
    """Return the points as a whole number of hundredths."""
    return round(points * SCALE)


def max_points(field: AnyField) -> int:
    """Return the most points that an answer can bring, in hundredths: at least 0, which is what no answer counts."""
    points = field_points(field)
    if not isinstance(field, ChoicesField):
        return max(0, *points.values()) if points else 0
    alone = [points.get(option.value, 0) for option in field.options if option.exclusive]
    together = sorted((points.get(option.value, 0) for option in field.options if not option.exclusive), reverse=True)
    limit = len(together) if field.max_choices is UNSET else field.max_choices
    return max(0, sum(one for one in together[:limit] if one > 0), *alone)


def scored_names(fields: Sequence[AnyField]) -> set[str]:
    """Return the names of the fields on this level on which the score depends, and of the repeats that contain some."""
    return {field.name for field in flatten_sections(fields) if is_scored(field)}


def is_scored(field: AnyField) -> bool:
    """Whether options of the field, or of a field in it, have points."""
    if isinstance(field, SectionField | RepeatField):
        return any(map(is_scored, field.fields))
    return bool(field_points(field))
