"""The durations between pulls."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.domain.datasources.models import format_duration, parse_duration


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("PT15M", 900),
        ("PT90M", 5400),
        ("PT1H30M", 5400),
        ("PT24H", 86400),
        ("P1D", 86400),
        ("P1DT12H", 129600),
        ("P7D", 604800),
        ("P1W", 604800),
    ],
)
def test_durations_are_parsed(text: str, seconds: int) -> None:
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    "text",
    ["", "P", "PT", "P1DT", "15", "PT15", "PT15S", "P1M", "P1Y", "pt15m", "-PT15M", "P1W2D", "PT1.5H", "PT١M", "P1D\n"],
)
def test_invalid_durations_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(text)}$"):
        parse_duration(text)


@given(st.integers(1, 100_000))
def test_formatted_durations_are_parsed_again(minutes: int) -> None:
    assert parse_duration(format_duration(minutes * 60)) == minutes * 60
