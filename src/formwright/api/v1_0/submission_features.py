"""Submissions as GeoJSON (RFC 7946), for maps and geographic information systems."""

from collections.abc import Collection, Mapping, Sequence

import msgspec

from formwright.api.context import RequestContext
from formwright.api.http_messages import PreencodedJson
from formwright.api.operations import OperationGroup
from formwright.api.v1_0.schemas import geojson as schemas
from formwright.api.v1_0.submission_filters import complete_filter, select_names
from formwright.asgi.validation import QueryInvalid
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import ValidationFault
from formwright.core.offload import offload
from formwright.domain.forms import location_fields
from formwright.domain.forms.location_fields import OWN_LOCATION, LocationPath
from formwright.domain.saved_views.models import ViewNotFound
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.geojson import bounding_box, to_features
from formwright.domain.submissions.models import SearchNotReady, SearchTooBroad, Submission, SubmissionFilter

_OWN_LOCATION_NAME = "_location"
OPERATIONS = OperationGroup("Submissions", reads=Permission.SUBMISSIONS_READ)


@OPERATIONS.declare(
    "GET",
    ("listSubmissionFeatures", "/customers/{customerId}/submissions.geojson"),
    raises=(ViewNotFound, SearchTooBroad, SearchNotReady),
)
async def list_submission_features(
    call: RequestContext, query: schemas.SubmissionFeatureQuery
) -> PreencodedJson[schemas.SubmissionFeatureCollection]:
    """List submissions as GeoJSON.

    Returns the submissions that `listSubmissions` returns for the same filters as features (RFC 7946) with their
    answers as properties. A submission without a position is a feature whose `geometry` is null.

    If `field` is in a repeat, each row is a feature with the answers of the row, and `limit` is the number of
    submissions. A submission without rows is a single feature without answers.
    """
    async with call.reading(long=True) as tx:
        filter_, view = await complete_filter(call, tx, query.to_filter(), query)
        page = await submissions.page(tx, call.actor, filter_, query.window())
        form_ids = sorted({record.form_id for record in page.items})
        paths = await _find_paths(tx, call, query.field, filter_, form_ids)
    links = {"nextCursor": call.next_cursor(page.next), "next": call.next_url(page.next)}
    names = select_names(query, view)
    return PreencodedJson(await offload(_encode, page.items, paths, names, links), next=links["next"])


async def _find_paths(
    tx: ReadTransaction, call: RequestContext, field: str | None, filter_: SubmissionFilter, form_ids: Sequence[str]
) -> dict[str, LocationPath]:
    """Return where the submissions of each of these forms have their positions."""
    if field is None:
        return dict.fromkeys(form_ids, OWN_LOCATION) | await location_fields.find_defaults(tx, call.actor, form_ids)
    if field == _OWN_LOCATION_NAME:
        return dict.fromkeys(form_ids, OWN_LOCATION)
    named = await location_fields.find_shapes(tx, call.actor, field, form_ids=filter_.form_ids or form_ids)
    named |= await location_fields.find_named(tx, call.actor, field, form_ids=filter_.form_ids)
    if not named and not filter_.matches_nothing:
        detail = "None of these forms has a location field with this name."
        raise QueryInvalid([ValidationFault("?field", "query.location.unknown", detail)])
    return dict.fromkeys(form_ids, LocationPath(field)) | named


def _encode(
    records: Sequence[Submission],
    paths: dict[str, LocationPath],
    names: Collection[str] | None,
    links: Mapping[str, object],
) -> bytes:
    """Return the page as JSON, feature by feature, so that the thread never holds the GIL for long."""
    located = [pair for record in records for pair in to_features(record, paths[record.form_id], names)]
    if any("id" in feature["properties"] for feature, _ in located):
        # GDAL would read the id of a feature as its missing answer to a field called `id`.
        for feature, _ in located:
            feature["properties"].setdefault("id")
    members = dict(links)
    if box := bounding_box([one for _, positions in located for one in positions]):
        members["bbox"] = box
    features = b",".join(msgspec.json.encode(feature) for feature, _ in located)
    return b'{"type":"FeatureCollection","features":[%b],%b' % (features, msgspec.json.encode(members)[1:])
