"""The options of choices and rankings."""

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.domain.forms.fields.labels import Label
from formwright.domain.forms.fields.media import Media

MAX_POINTS = 10_000
SCALE = 100
"""How many units of points are one. Points are added as whole hundredths, so that the server and the page compute the
same number, and 0.1 + 0.2 is 0.3."""
ColumnName = Annotated[
    str,
    Meta(
        pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$(?!\n)", description="The name of a column of options, like a field name."
    ),
]


class Option(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True, frozen=True):
    """An option of a choice."""

    value: Annotated[str, Meta(min_length=1, max_length=200, description="The value of the option in the answer.")]
    label: Label
    columns: Annotated[
        dict[ColumnName, Annotated[str, Meta(max_length=200)]],
        Meta(max_length=20, description="What `optionFilter` knows about the option, by the name of the column."),
    ] = {}
    media: Annotated[Media, Meta(description="Media below the label.")] | UnsetType = UNSET
    exclusive: Annotated[
        bool,
        Meta(
            description="Whether a multiple choice has no other options beside it, as in “None of the above”. A single "
            "choice ignores it."
        ),
    ] = False
    points: Annotated[
        float,
        Meta(
            ge=-MAX_POINTS,
            le=MAX_POINTS,
            description="What the option counts in `points()` and `score()` of rules, with up to two decimals. A "
            "ranking ignores it.",
        ),
    ] = 0.0


Options = Annotated[list[Option], Meta(min_length=1, max_length=1000, description="The options to choose from.")]


def to_hundredths(points: float) -> int:
    """Return points as a whole number of hundredths."""
    return round(points * SCALE)
