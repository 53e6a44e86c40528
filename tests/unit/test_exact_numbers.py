"""Numbers that a 64-bit float keeps, and those that would be rounded."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.core.exact_numbers import is_exact

EXACT = [
    "0", "-0.0", "0.1", "1e300", "123456789012345", "0.123456789012345", "9007199254740992", "100000000000000000000",
    "0.10000000000000000000", "0.10000000000000001", "0.1000000000000000055511151231257827021181583404541015625",
    "12345678901234567168", "5.960464477539062e-8", "5.960464477539063e-8",
]  # fmt: skip
ROUNDED = [
    "12345678901234567890", "9007199254740993", "0.12345678901234567890", "123456789.123456789123", "1e400", "1e-400",
    "1e999999999",
]  # fmt: skip


@pytest.mark.parametrize("literal", EXACT)
def test_numbers_that_a_float_keeps_are_exact(literal: str) -> None:
    assert is_exact(literal)


@pytest.mark.parametrize("literal", ROUNDED)
def test_numbers_that_would_be_rounded_are_not(literal: str) -> None:
    assert not is_exact(literal)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(16, 40))
def test_every_float_is_exact_however_many_digits_a_program_writes(value: float, digits: int) -> None:
    assert is_exact(repr(value))
    assert is_exact(f"{value:.{digits}e}")


@given(st.integers(-(10**15) + 1, 10**15 - 1), st.integers(-250, 250))
def test_fifteen_digits_are_always_exact(digits: int, exponent: int) -> None:
    assert is_exact(str(Decimal(digits).scaleb(exponent)))
