"""Submissions as GeoJSON features (RFC 7946)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from math import isfinite
from typing import Any, NamedTuple

import msgspec

from formwright.core.clock import rfc3339
from formwright.domain.forms.answer_fields import iter_rows
from formwright.domain.forms.fields import Shape
from formwright.domain.forms.location_fields import OWN_LOCATION, LocationPath
from formwright.domain.submissions.models import Submission

Json = dict[str, Any]


class GeoPosition(NamedTuple):
    """A position on Earth (WGS 84) in degrees, in GeoJSON's order, and its accuracy in metres."""

    longitude: float
    latitude: float
    accuracy: float | None = None


class Placed(NamedTuple):
    """What has a place: a submission or, with `rows`, a row of a repeat.

    `rows` are the numbers of the row, from 1, and of the rows of the repeats around it, from the outside in.
    `positions` is empty without a place, and has several points for a line or area. `answers` are those of the
    submission or of the row.
    """

    rows: tuple[int, ...]
    positions: Sequence[GeoPosition]
    answers: Mapping[str, Any]


def read_position(value: Any) -> GeoPosition | None:
    """Return the position of an answer. None if it is none, because drafts can contain anything."""
    if not isinstance(value, dict):
        return None
    latitude, longitude = (_to_float(value.get(name)) for name in ("latitude", "longitude"))
    if latitude is None or longitude is None or abs(latitude) > 90 or abs(longitude) > 180:
        return None
    return GeoPosition(longitude, latitude, _to_float(value.get("accuracy")))


def read_positions(value: Any) -> list[GeoPosition]:
    """Return the positions of an answer: one of a location, and all points of a line or area, if the first one is."""
    points = [read_position(one) for one in (value if isinstance(value, list) else [value])]
    return [point for point in points if point] if points and points[0] else []


def _read(path: LocationPath, answers: Mapping[str, Any]) -> list[GeoPosition]:
    value = answers.get(path.field)
    return read_positions(value) if isinstance(value, list) is (path.shape is not Shape.POINT) else []


def _to_float(value: Any) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # A larger integer cannot be converted.
    return float(value) if abs(value) < 1e300 and isfinite(value) else None


def placed(record: Submission, path: LocationPath) -> Iterator[Placed]:
    """Yield the submission or, if the path leads into a repeat, its rows; a submission without rows yields itself."""
    data = msgspec.json.decode(record.data)
    answers = data if isinstance(data, dict) else {}
    if path == OWN_LOCATION:
        yield Placed((), read_positions(msgspec.json.decode(record.location)) if record.location else [], answers)
    elif not path.repeat:
        yield Placed((), _read(path, answers), answers)
    else:
        rows = list(iter_rows(answers, path.repeats))
        for numbers, row in rows:
            yield Placed(numbers, _read(path, row), row)
        if not rows:
            yield Placed((), [], {})


_FEWEST = {Shape.POINT: 1, Shape.LINE: 2, Shape.AREA: 3}


def geometry(shape: Shape, positions: Sequence[GeoPosition]) -> Json | None:
    """Return a point, line or polygon; None if there are too few positions. Polygons are closed, counterclockwise."""
    if len(positions) < _FEWEST[shape]:
        return None
    coordinates = [[one.longitude, one.latitude] for one in positions]
    if shape is Shape.POINT:
        return {"type": "Point", "coordinates": coordinates[0]}
    if shape is Shape.LINE:
        return {"type": "LineString", "coordinates": coordinates}
    ring = coordinates if _is_counterclockwise(coordinates) else coordinates[::-1]
    return {"type": "Polygon", "coordinates": [[*ring, ring[0]]]}


def _is_counterclockwise(ring: Sequence[Sequence[float]]) -> bool:
    """Whether the ring turns as RFC 7946 (3.1.6) wants it. It may cross the antimeridian."""
    pairs = zip(ring, [*ring[1:], ring[0]], strict=True)
    return sum(((x2 - x1 + 180) % 360 - 180) * (y1 + y2) for (x1, y1), (x2, y2) in pairs) <= 0


def to_features(
    record: Submission, path: LocationPath, names: Collection[str] | None = None
) -> Iterator[tuple[Json, Sequence[GeoPosition]]]:
    """Yield the features of a submission, each with its positions.

    With `names`, the properties contain only the answers to these fields; those of rows, if the repeat is among them.
    """
    for one in placed(record, path):
        yield (
            {
                "type": "Feature",
                "id": "/".join([record.id, *map(str, one.rows)]),
                "geometry": geometry(path.shape, one.positions),
                "properties": _built_in_properties(record, one) | flatten_answers(_select(one.answers, path, names)),
            },
            one.positions,
        )


def _select(answers: Mapping[str, Any], path: LocationPath, names: Collection[str] | None) -> Mapping[str, Any]:
    if names is None:
        return answers
    if path.repeat:
        return answers if path.repeats[0] in names else {}
    return {name: value for name, value in answers.items() if name in names}


def _built_in_properties(record: Submission, one: Placed) -> Json:
    """Return the properties of every feature. Names of fields begin with a letter, so they differ from these."""
    return {
        "_id": record.id,
        "_row": one.rows[-1] if one.rows else None,
        "_form_id": record.form_id,
        "_version_id": record.version_id,
        "_status": record.status,
        "_started": rfc3339(record.started),
        "_submitted": None if record.submitted is None else rfc3339(record.submitted),
        "_updated": rfc3339(record.updated),
        "_user_id": record.user_id,
        "_external_id": record.external_id,
        "_note": record.note,
        "_revision": record.revision,
        "_accuracy": one.positions[0].accuracy if len(one.positions) == 1 else None,
    }


def flatten_answers(answers: Mapping[str, Any]) -> Json:
    """Return the answers without nesting: `site.latitude` for the latitude of the location `site`.

    Answers with several values stay lists. The rows of repeats are left out.
    """
    flat: Json = {}
    for name, value in answers.items():
        if isinstance(value, dict):
            flat |= {f"{name}.{part}": inner for part, inner in value.items() if not isinstance(inner, dict | list)}
        elif not isinstance(value, list) or not any(isinstance(inner, dict | list) for inner in value):
            flat[name] = value
    return flat


def bounding_box(positions: Sequence[GeoPosition]) -> list[float] | None:
    """Return the smallest box around the positions: west, south, east, north. None without positions.

    West is greater than east if the box crosses the antimeridian. A box with a pole spans all longitudes (RFC 7946, 5).
    """
    if not positions:
        return None
    south, north = min(one.latitude for one in positions), max(one.latitude for one in positions)
    west, east = (-180.0, 180.0) if south == -90 or north == 90 else _span({one.longitude for one in positions})
    return [west, south, east, north]


def _span(longitudes: set[float]) -> tuple[float, float]:
    """Return the ends of the shortest arc with all longitudes: what remains of the circle without the widest gap."""
    ordered = sorted(longitudes)
    widest, west, east = ordered[0] + 360 - ordered[-1], ordered[0], ordered[-1]
    for before, after in pairwise(ordered):
        if after - before > widest:
            widest, west, east = after - before, after, before
    return west, east
