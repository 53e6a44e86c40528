"""Trigonometric functions, exponentials and logarithms.

`static/fill/trigonometry.js` computes the same bits, because both only add, multiply, divide and take square roots,
which IEEE 754 rounds in one way. Those of the platforms differ. Results are exact to about 15 digits. A function raises
for values outside of its domain.
"""

from math import floor, fmod, isfinite, sqrt

PI = 3.141592653589793
_HALF_PI = PI / 2
_HALF_PI_HIGH, _HALF_PI_LOW = 1.57079632673412561417e00, 6.07710050650619224932e-11
"""π / 2 in two parts, the first of which has few enough digits for exact products (as in Sun's fdlibm)."""
_LN2_HIGH, _LN2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10
"""ln 2 in two parts, like π / 2."""
_LN2 = 0.6931471805599453
_LN10 = 2.302585092994046
_MAX_ANGLE = 1_000_000.0
"""Contains fewer than 2²⁰ quarter turns, whose products with the 33 bits of `_HALF_PI_HIGH` are exact."""
_MAX_EXPONENT = 700.0
"""Beyond 708, the results lose digits or exceed the range of doubles."""
# The angle is halved four times, so the result is multiplied by 2⁴.
_HALVINGS, _PARTS = 4, 16


def sine(angle: float) -> float:
    """Return the sine of an angle in radians."""
    return _turn(angle, 0)


def cosine(angle: float) -> float:
    """Return the cosine of an angle in radians."""
    return _turn(angle, 1)


def tangent(angle: float) -> float:
    """Return the tangent of an angle in radians."""
    return _turn(angle, 0) / _turn(angle, 1)


def _turn(angle: float, quarters: int) -> float:
    """Return the sine of an angle after some quarter turns more."""
    _check(isfinite(angle) and abs(angle) <= _MAX_ANGLE)
    count = floor(angle / _HALF_PI + 0.5)
    rest = (angle - count * _HALF_PI_HIGH) - count * _HALF_PI_LOW
    quarter = (count + quarters) % 4
    result = _short_cosine(rest) if quarter % 2 else _short_sine(rest)
    return -result if quarter > 1 else result


def _short_sine(angle: float) -> float:
    result = 1.0
    for factor in range(18, 0, -2):
        result = 1.0 - angle * angle / (factor * (factor + 1)) * result
    return angle * result


def _short_cosine(angle: float) -> float:
    result = 1.0
    for factor in range(17, 0, -2):
        result = 1.0 - angle * angle / (factor * (factor + 1)) * result
    return result


def arctangent(value: float) -> float:
    """Return the angle in radians with this tangent. It is halved until it is a short series."""
    _check(isfinite(value))
    if abs(value) > 1.0:
        return (_HALF_PI if value > 0 else -_HALF_PI) - arctangent(1.0 / value)
    for _ in range(_HALVINGS):
        value = value / (1.0 + sqrt(1.0 + value * value))
    square, series = value * value, 0.0
    for divisor in range(21, 0, -2):
        series = 1.0 / divisor - square * series
    return _PARTS * value * series


def arctangent2(y: float, x: float) -> float:
    """Return the angle in radians from the positive x-axis to a point."""
    _check(isfinite(x) and isfinite(y))
    if x == 0.0:
        return 0.0 if y == 0.0 else (_HALF_PI if y > 0 else -_HALF_PI)
    angle = arctangent(y / x)
    if x > 0:
        return angle
    return angle + PI if y >= 0 else angle - PI


def arcsine(value: float) -> float:
    """Return the angle in radians with this sine."""
    _check(abs(value) <= 1.0)
    return arctangent2(value, sqrt((1.0 - value) * (1.0 + value)))


def arccosine(value: float) -> float:
    """Return the angle in radians with this cosine."""
    _check(abs(value) <= 1.0)
    return arctangent2(sqrt((1.0 - value) * (1.0 + value)), value)


def exponential(value: float) -> float:
    """Return the power of Euler's number."""
    _check(abs(value) <= _MAX_EXPONENT)
    count = floor(value / _LN2 + 0.5)
    rest = (value - count * _LN2_HIGH) - count * _LN2_LOW
    result = 1.0
    for factor in range(20, 0, -1):
        result = 1.0 + rest / factor * result
    for _ in range(abs(count)):
        result = result * 2.0 if count > 0 else result / 2.0
    return result


def logarithm(value: float) -> float:
    """Return the natural logarithm."""
    _check(isfinite(value) and value > 0.0)
    count = 0
    while value >= 1.5:
        value, count = value / 2.0, count + 1
    while value < 0.75:
        value, count = value * 2.0, count - 1
    part = (value - 1.0) / (value + 1.0)
    square, series = part * part, 0.0
    for divisor in range(25, 0, -2):
        series = 1.0 / divisor + square * series
    return count * _LN2_HIGH + (count * _LN2_LOW + 2.0 * part * series)


def logarithm10(value: float) -> float:
    """Return the decimal logarithm, which is a whole number for powers of ten."""
    result = logarithm(value) / _LN10
    whole = floor(result + 0.5)
    ten = 1.0
    for _ in range(min(abs(whole), 22)):  # Higher powers of ten have more digits than a double.
        ten *= 10.0
    return float(whole) if value == (ten if whole >= 0 else 1.0 / ten) else result


def remainder(value: float, divisor: float) -> float:
    """Return what remains of a value after division by a whole number of times, with the sign of the value."""
    _check(isfinite(value) and isfinite(divisor) and divisor != 0.0)
    return fmod(value, divisor)


def _check(is_in_domain: bool) -> None:
    if not is_in_domain:
        raise ValueError("domain")
