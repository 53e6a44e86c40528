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
                description="The name of the location field with the positions, or `_location` for where the form was"
                " filled in. Default: the first location field of each form, preferably outside repeats; if there is"
                " none, `_location`. If the field is in a repeat, each row is a feature.",
            ),
        ]
        | None
    ) = None


class GeoPoint(msgspec.Struct):
    """A position on Earth (WGS 84)."""

    type: Literal["Point"]
    coordinates: Annotated[
        list[float], Meta(min_length=2, max_length=2, description="Longitude and latitude in degrees, in this order.")
    ]


class SubmissionFeature(msgspec.Struct):
    """A submission, or a row of one of its repeats, with its position."""

    type: Literal["Feature"]
    id: Annotated[
        str, Meta(description="The id of the submission; for a row, followed by `/` and the number of the row.")
    ]
    geometry: Annotated[GeoPoint | None, Meta(description="The position; null if there is none.")]
    properties: Annotated[
        dict[str, Any],
        Meta(
            description="The answers by field name without nesting, such as `site` and `place.accuracy`, and properties"
            " of the submission, whose names begin with `_`: `_id`, `_row` (from 1; null if the feature is not a row),"
            " `_form_id`, `_version_id`, `_status`, `_started`, `_submitted`, `_updated`, `_user_id`, `_external_id`,"
            " `_note`, `_revision` and `_accuracy` (of the position, in metres).",
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
