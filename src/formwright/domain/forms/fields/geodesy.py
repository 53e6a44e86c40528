"""Lengths and areas on the Earth (WGS 84), in metres and square metres.

`static/fill/geodesy.js` computes the same bits, because both only add, multiply, divide and take square roots, which
IEEE 754 rounds in one way. Sines of the platforms differ.
"""

from itertools import pairwise
from math import pi, sqrt
from typing import Any

_EQUATOR = 6_378_137.0
_FLATTENING = 1 / 298.257223563
_ECCENTRICITY = _FLATTENING * (2 - _FLATTENING)
"""The square of the eccentricity of the ellipsoid."""
_MEAN_RADIUS = 6_371_008.7714
"""The mean of the three semi-axes of the ellipsoid."""
_RADIANS = pi / 180
_HALVINGS = 4
_PARTS = 16
"""How many parts halving an angle so often results in."""

Point = tuple[float, float]
"""Latitude and longitude in degrees."""


def distance(points: list[Any]) -> float:
    """Return the length of a line through these points.

    The chord of two points, from their coordinates in space (EPSG Guidance Note 7-2, 4.1.1), is lengthened to an arc of
    a sphere with the Earth's mean radius (IUGG). Compared with geodesics, a side is exact to 2 mm up to 50 km,
    to 0.06 % up to 6,000 km, and to 5 % at any length.
    """
    return _length([_to_point(one) for one in points])


def perimeter(points: list[Any]) -> float:
    """Return the length of the line around these corners, which ends where it begins."""
    corners = [_to_point(one) for one in points]
    return _length([*corners, *corners[:1]])


def area(points: list[Any]) -> float:
    """Return the area within these corners.

    It is that of the polygon of great circles on a sphere with the area of the ellipsoid, from the spherical excess
    between each side and the equator (Snyder, Map Projections: A Working Manual, USGS 1987, equations 3-11 to 3-13;
    Todhunter, Spherical Trigonometry, article 103). It must not contain a pole.
    Raises `ZeroDivisionError` if a side spans half the Earth.
    """
    corners = [_to_point(one) for one in points]
    halves = [_half_tangent(latitude) for latitude, _ in corners]
    total = 0.0
    for at, (_, longitude) in enumerate(corners):
        end = (at + 1) % len(corners)
        half_turn = _shortest_turn(corners[end][1] - longitude) / 2
        tangent = _sine(half_turn) / _sine(90 - abs(half_turn))
        total += 2 * _arctangent(tangent * (halves[at] + halves[end]) / (1 + halves[at] * halves[end]))
    return abs(total) * _EQUATOR * _EQUATOR * _equal_area_height(1.0)


def _to_point(value: Any) -> Point:
    latitude, longitude = value["latitude"], value["longitude"]
    if {type(latitude), type(longitude)} - {int, float} or abs(latitude) > 90 or abs(longitude) > 180:
        raise ValueError("point")
    return float(latitude), float(longitude)


def _length(points: list[Point]) -> float:
    total = 0.0
    for (x1, y1, z1), (x2, y2, z2) in pairwise(map(_coordinates, points)):
        square = (x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1) + (z2 - z1) * (z2 - z1)
        total += _arc(sqrt(square))
    return total


def _coordinates(point: Point) -> tuple[float, float, float]:
    """Return the position in space, in metres from the centre of the Earth."""
    latitude, longitude = point
    sine = _sine(latitude)
    normal = _EQUATOR / sqrt(1 - _ECCENTRICITY * sine * sine)
    from_axis = normal * _sine(90 - abs(latitude))
    return from_axis * _sine(90 - abs(longitude)), from_axis * _sine(longitude), normal * (1 - _ECCENTRICITY) * sine


def _arc(chord: float) -> float:
    """Return the length of the arc over a chord. Half the angle is halved until its arcsine is a short series."""
    sine = min(chord / (2 * _MEAN_RADIUS), 1.0)
    for _ in range(_HALVINGS):
        sine = sine / sqrt(2 * (1 + sqrt(1 - sine * sine)))
    square = sine * sine
    series = 1 + square * (1 / 6 + square * (3 / 40 + square * (15 / 336 + square * (105 / 3456))))
    return 2 * _MEAN_RADIUS * _PARTS * sine * series


def _sine(degrees: float) -> float:
    """Return the sine of -180 to 180 degrees, by its Taylor series."""
    # The series has enough terms up to a quarter turn. Beyond it, sines repeat in reverse.
    if degrees > 90:
        degrees = 180 - degrees
    elif degrees < -90:
        degrees = -180 - degrees
    angle = degrees * _RADIANS
    result = 1.0
    for factor in range(22, 0, -2):
        result = 1 - angle * angle / (factor * (factor + 1)) * result
    return angle * result


def _half_tangent(latitude: float) -> float:
    """Return the tangent of half the latitude on the sphere with the same areas (authalic latitude)."""
    sine = _equal_area_height(_sine(latitude)) / _equal_area_height(1.0)
    return sine / (1 + sqrt(max(1 - sine * sine, 0.0)))


def _equal_area_height(sine: float) -> float:
    """Return the area between the equator and the latitude with this sine, as a fraction of 2π times squared radius."""
    square = _ECCENTRICITY * sine * sine
    logarithm = 1 / 15
    for divisor in range(13, 0, -2):
        logarithm = 1 / divisor + square * logarithm
    return (1 - _ECCENTRICITY) * sine * (1 / (1 - square) + logarithm) / 2


def _arctangent(tangent: float) -> float:
    """Return the arctangent in radians. The angle is halved until it is a short series."""
    for _ in range(_HALVINGS):
        tangent = tangent / (1 + sqrt(1 + tangent * tangent))
    square = tangent * tangent
    series = 1 - square * (1 / 3 - square * (1 / 5 - square * (1 / 7 - square * (1 / 9 - square * (1 / 11)))))
    return _PARTS * tangent * series


def _shortest_turn(degrees: float) -> float:
    """Return a difference of longitudes from -180 to 180 degrees."""
    if degrees > 180:
        return degrees - 360
    return degrees + 360 if degrees < -180 else degrees
