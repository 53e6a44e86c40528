"""Whether a decimal number is kept by the 64-bit float that programs read it as."""

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Context, Decimal
from math import isfinite

DIGITS = 15
"""The most digits that every number keeps."""


def is_exact(literal: str) -> bool:
    """Return whether the nearest float is this number, when it is written with as many digits.

    Programs that write more digits than a float needs, such as `0.10000000000000001`, still send that float.
    """
    number, nearest = Decimal(literal), float(literal)
    if not isfinite(nearest):
        return False
    digits = "".join(map(str, number.as_tuple().digits)).strip("0")
    most = max(len(digits), 1)
    # Programs differ in how they round a number that is halfway between two.
    roundings = (Context(prec=most, rounding=kind) for kind in (ROUND_HALF_EVEN, ROUND_HALF_UP))
    return any(one.create_decimal(Decimal(nearest)) == number for one in roundings)
