"""Fields whose answers are positions (WGS 84)."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, UnsetType

from formwright.domain.forms.fields.answer_kinds import AnswerKind, Shape
from formwright.domain.forms.fields.base import OTHER_MAX_LENGTH, CompoundField, Json, Size
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.numbers import MAX_FLOAT
from formwright.domain.forms.fields.point_lists import format_points
from formwright.domain.forms.fields.properties import DEFAULT, LocationMetadata

MAX_POINTS = 1000
"""The most points of a line or an area."""
_POSITION_SCHEMA: Json = {
    "type": "object",
    "properties": {
        "latitude": {"type": "number", "minimum": -90, "maximum": 90},
        "longitude": {"type": "number", "minimum": -180, "maximum": 180},
        "accuracy": {"type": "number", "minimum": 0, "maximum": MAX_FLOAT},
    },
    "required": ["latitude", "longitude"],
    "additionalProperties": False,
}
_POSITION_SIZE = Size(4, OTHER_MAX_LENGTH)


class _PlaceField(CompoundField, frozen=True, kw_only=True):
    """A field whose answer is a position or several. None of them is a text or a cell."""

    is_searched: ClassVar[bool] = False


class LocationField(_PlaceField, tag="location", frozen=True, kw_only=True):
    """A position (WGS 84): an object with `latitude` and `longitude` in degrees, and `accuracy` in metres."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.POSITION
    shape: ClassVar[Shape | None] = Shape.POINT
    default: Annotated[dict[str, float], DEFAULT] | UnsetType = UNSET
    metadata: (
        Annotated[
            LocationMetadata,
            Meta(description="The position that the page fills in, for a hidden field without a default."),
        ]
        | UnsetType
    ) = UNSET

    def typed_schema(self) -> Json:
        return _POSITION_SCHEMA

    def max_answer_size(self) -> Size:
        return _POSITION_SIZE

    def format_value(self, value: Any, context: DisplayContext) -> str:
        return format_location(value)


class _PointsField(_PlaceField, frozen=True, kw_only=True):
    """A field whose answer is a list of positions."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.POSITIONS
    is_filterable: ClassVar[bool] = False
    min_points: ClassVar[int]

    def typed_schema(self) -> Json:
        return {"type": "array", "items": _POSITION_SCHEMA, "minItems": self.min_points, "maxItems": MAX_POINTS}

    def max_answer_size(self) -> Size:
        return Size(_POSITION_SIZE.values * MAX_POINTS + 1, _POSITION_SIZE.bytes * MAX_POINTS)

    def format_value(self, value: Any, context: DisplayContext) -> str:
        return format_points(self, value) if isinstance(value, list) else str(value)


class LineField(_PointsField, tag="line", frozen=True, kw_only=True):
    """A line on the map: the list of its 2 to 1,000 points, each like the answer of a `location`."""

    shape: ClassVar[Shape | None] = Shape.LINE
    min_points: ClassVar[int] = 2
    default: Annotated[list[dict[str, float]], DEFAULT] | UnsetType = UNSET


class AreaField(_PointsField, tag="area", frozen=True, kw_only=True):
    """An area on the map: the list of its 3 to 1,000 corners, each like the answer of a `location`. The first corner is
    not repeated at the end."""

    shape: ClassVar[Shape | None] = Shape.AREA
    min_points: ClassVar[int] = 3
    default: Annotated[list[dict[str, float]], DEFAULT] | UnsetType = UNSET


def format_location(location: Mapping[str, Any]) -> str:
    """Return a location to the metre with its accuracy, such as “52.52001° N, 13.40495° E (± 5 m)”."""
    latitude, longitude = float(location["latitude"]), float(location["longitude"])
    position = (
        f"{abs(latitude):.5f}° {'N' if latitude >= 0 else 'S'}, {abs(longitude):.5f}° {'E' if longitude >= 0 else 'W'}"
    )
    accuracy = location.get("accuracy")
    return position if accuracy is None else f"{position} (± {float(accuracy):,.0f} m)"
