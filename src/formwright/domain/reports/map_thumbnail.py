"""Small maps of places: the outlines of countries, with a mark, as SVG."""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

_OUTLINES = Path(__file__).parents[2] / "web/bundles/countries-110m.json"
"""The outlines that the pages use: those of world-atlas, made from Natural Earth."""
_WIDTH, _HEIGHT = 24.0, 12.0
"""What a map shows, in degrees of longitude at the equator of Mercator's projection. Outlines show no smaller areas."""
_EDGE = 85.0
"""The latitude at which Mercator's projection ends here, in both directions."""
_SEA, _LAND, _BORDER, _MARK = "#dfe8f0", "#f6f4ee", "#8a94a3", "#c02b2b"

Ring = Sequence[tuple[float, float]]


class _Outline(NamedTuple):
    """A ring of a country in projected degrees, and its bounds."""

    ring: Ring
    west: float
    east: float
    north: float
    south: float


def draw_map(latitude: float, longitude: float) -> str:
    """Return a map around a place as SVG, twice as wide as high; empty if the outlines are not installed."""
    outlines = _load_outlines()
    if not outlines:
        return ""
    x, y = longitude, _project(latitude)
    west, north = x - _WIDTH / 2, y - _HEIGHT / 2
    paths = "".join(
        _draw_ring(outline.ring, shift)
        for outline in outlines
        for shift in (-360.0, 0.0, 360.0)
        if outline.west + shift < west + _WIDTH
        and outline.east + shift > west
        and outline.north < north + _HEIGHT
        and outline.south > north
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{west:.3f} {north:.3f} {_WIDTH} {_HEIGHT}">'
        f'<rect x="{west:.3f}" y="{north:.3f}" width="{_WIDTH}" height="{_HEIGHT}" fill="{_SEA}"/>'
        f'<path d="{paths}" fill="{_LAND}" stroke="{_BORDER}" stroke-width="0.06"/>'
        f'<circle cx="{x:.3f}" cy="{y:.3f}" r="0.4" fill="{_MARK}" stroke="#ffffff" stroke-width="0.12"/></svg>'
    )


def _project(latitude: float) -> float:
    """Return the distance from the equator in Mercator's projection, in degrees of longitude; the north is negative."""
    radians = math.radians(max(-_EDGE, min(_EDGE, latitude)))
    return -math.degrees(math.asinh(math.tan(radians)))


def _draw_ring(ring: Ring, shift: float) -> str:
    return "M" + "L".join(f"{x + shift:.2f} {y:.2f}" for x, y in ring) + "Z"


@cache
def _load_outlines() -> Sequence[_Outline]:
    try:
        topology = msgspec.json.decode(_OUTLINES.read_bytes())
    except OSError:
        return ()
    arcs = [list(_decode_arc(arc, topology["transform"])) for arc in topology["arcs"]]
    return [
        _measure(_continue_beyond_date_line(_join(arcs, indexes)))
        for country in topology["objects"]["countries"]["geometries"]
        for polygon in ([country["arcs"]] if country["type"] == "Polygon" else country["arcs"])
        for indexes in polygon
    ]


def _decode_arc(arc: Sequence[Sequence[int]], transform: dict[str, Any]) -> Iterator[tuple[float, float]]:
    """Yield the positions of an arc of a TopoJSON file, which has the differences of its integers."""
    (wide, high), (left, bottom) = transform["scale"], transform["translate"]
    x = y = 0
    for right, up in arc:
        x, y = x + right, y + up
        yield x * wide + left, y * high + bottom


def _join(arcs: Sequence[Ring], indexes: Sequence[int]) -> list[tuple[float, float]]:
    """Return the ring of these arcs; `~i` is the arc `i` in the other direction."""
    ring: list[tuple[float, float]] = []
    for index in indexes:
        arc = arcs[index] if index >= 0 else arcs[~index][::-1]
        ring += arc[1:] if ring else arc
    return ring


def _continue_beyond_date_line(ring: Ring) -> list[tuple[float, float]]:
    """Return a ring without jumps from 180° to -180°. One around the pole is closed along the edge of the map."""
    shift, before, continued = 0, ring[0][0], []
    for longitude, latitude in ring:
        shift += 360 * round((before - longitude) / 360)
        before = longitude
        continued.append((longitude + shift, latitude))
    return [*continued, (continued[-1][0], -_EDGE), (continued[0][0], -_EDGE)] if shift else continued


def _measure(ring: Ring) -> _Outline:
    projected = [(x, _project(latitude)) for x, latitude in ring]
    xs, ys = [x for x, _ in projected], [y for _, y in projected]
    return _Outline(projected, min(xs), max(xs), min(ys), max(ys))
