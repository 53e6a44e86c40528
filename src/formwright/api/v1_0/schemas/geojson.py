"""Schemas of submissions as GeoJSON (RFC 7946)."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.binary_bodies import TypedJson
from formwright.api.v1_0.schemas.submissions import SubmissionListQuery


class SubmissionFeatureQuery(SubmissionListQuery):
    """Filters of the list of submissions, and the field with their positions."""

    field: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=64,
                description="The name of the location, line or area with the positions, or `_location` for where the"
                " form was filled in. Default: the first of these fields of each form, preferably outside repeats; if"
                " there is none, `_location`. If the field is in a repeat, each row is a feature.",
            ),
        ]
        | None
    ) = None


Coordinates = Annotated[
    list[float], Meta(min_length=2, max_length=2, description="Longitude and latitude in degrees, in this order.")
]


class GeoPoint(msgspec.Struct, tag_field="type", tag="Point"):
    """A position on Earth (WGS 84)."""

    coordinates: Coordinates


class GeoLineString(msgspec.Struct, tag_field="type", tag="LineString"):
    """A line on Earth (WGS 84)."""

    coordinates: Annotated[list[Coordinates], Meta(min_length=2, description="The points in their order.")]


class GeoPolygon(msgspec.Struct, tag_field="type", tag="Polygon"):
    """An area on Earth (WGS 84)."""

    coordinates: Annotated[
        list[Annotated[list[Coordinates], Meta(min_length=4)]],
        Meta(min_length=1, max_length=1, description="The outline, counterclockwise. It ends with its first point."),
    ]


class SubmissionFeature(msgspec.Struct):
    """A submission, or a row of one of its repeats, with its position."""

    type: Literal["Feature"]
    id: Annotated[
        str, Meta(description="The id of the submission; for a row, followed by `/` and the number of the row.")
    ]
    geometry: Annotated[
        GeoPoint | GeoLineString | GeoPolygon | None,
        Meta(description="The position, or the line or area if `field` is one; null if there is none."),
    ]
    properties: Annotated[
        dict[str, Any],
        Meta(
            description="The answers by field name without nesting, such as `site` and `place.accuracy`, and properties"
            " of the submission, whose names begin with `_`: `_id`, `_row` (from 1; null if the feature is not a row),"
            " `_form_id`, `_version_id`, `_status`, `_started`, `_submitted`, `_updated`, `_user_id`, `_external_id`,"
            " `_note`, `_revision` and `_accuracy` (of a single position, in metres).",
            examples=[{"_id": "sub_01h455vb4pex5vsknk084sn02q", "_status": "SUBMITTED", "site": "Harbour 4"}],
        ),
    ]


class SubmissionFeatureCollection(TypedJson):
    """A page of features."""

    media_type: ClassVar[str] = "application/geo+json"

    type: Literal["FeatureCollection"]
    features: Annotated[list[SubmissionFeature], Meta(description="The features of this page.")]
    next_cursor: Annotated[str | None, Meta(description="The `cursor` of the next page; null on the last page.")] = (
        msgspec.field(name="nextCursor")
    )
    next: Annotated[str | None, Meta(description="The absolute URL of the next page; null on the last page.")]
    bbox: (
        Annotated[
            list[float],
            Meta(
                min_length=4,
                max_length=4,
                description="The box around the positions of this page: west, south, east, north. West is greater than"
                " east if it crosses the antimeridian. Missing if no feature has a position.",
            ),
        ]
        | UnsetType
    ) = UNSET
