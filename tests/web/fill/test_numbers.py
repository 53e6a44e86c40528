"""What the page makes of typed numbers: each text is one number in every language, or it is refused."""

from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from factories.definitions import fields
from fixtures import node
from hypothesis import given
from hypothesis import strategies as st

from formwright.domain.forms.lookups import parse_cell

POINT, COMMA = ".", ","
DIGITS = {"wrong": ["checkDigits", 15]}
NO_NUMBER = {"wrong": ["checkNumber"]}

IN_EVERY_LANGUAGE: dict[str, float | dict[str, Any]] = {
    "1,5": 1.5, "1.5": 1.5, "1.234,5": 1234.5, "1,234.5": 1234.5, "1 234,5": 1234.5, "1'234.5": 1234.5,
    "1.234.567": 1234567, "12,34,567.8": 1234567.8, "1234,567": 1234.567, "1,2345": 1.2345,
    "0,125": 0.125, "00,125": 0.125, "-0,500": -0.5, ",125": 0.125, "5,": 5, "-0": 0,
    "١٫٥": 1.5, "١٬٢٣٤٫٥": 1234.5, "۱٫۵": 1.5, "۱۲": 12, "१२": 12, "１２": 12, "١،٥": 1.5,
    "1e3": 1000, "1,5E3": 1500, "25e-1": 2.5, "+5": 5, "−5": -5, "\u200f-5": -5, "- 5": -5,
    "123456789012345": 123456789012345, "0.1234567890123": 0.1234567890123, "1e300": 1e300,
    "12345678901234567890": DIGITS, "9007199254740993": DIGITS, "0.12345678901234567890": DIGITS,
    "1e400": DIGITS, "1e-400": DIGITS, "9" * 1000: DIGITS,
    "-": NO_NUMBER, "1e": NO_NUMBER, ",": NO_NUMBER, "12.03.2024": NO_NUMBER, "1,2,3": NO_NUMBER, "1 5": NO_NUMBER,
    "0.000.000": NO_NUMBER, "1.234,567.8": NO_NUMBER, "5-": NO_NUMBER, "0x10": NO_NUMBER, "5²": NO_NUMBER,
    "1g234": NO_NUMBER, "1d5": NO_NUMBER, "five": NO_NUMBER, "": {}, " ": {},
}  # fmt: skip


@pytest.fixture(scope="module")
def page() -> Iterator[node.NodeScript]:
    with node.run_script(Path(__file__).with_name("numbers.mjs")) as script:
        yield script


def read(page: node.NodeScript, text: str, mark: str, *, whole: bool = False) -> Any:
    return page.ask(["parseNumber", text, {"mark": mark, "whole": whole}])


@pytest.mark.parametrize("mark", [POINT, COMMA])
@pytest.mark.parametrize("text", IN_EVERY_LANGUAGE)
def test_texts_with_one_reading_are_read_or_refused_in_every_language(
    page: node.NodeScript, text: str, mark: str
) -> None:
    expected = IN_EVERY_LANGUAGE[text]
    assert read(page, text, mark) == (expected if isinstance(expected, dict) else {"value": expected})


def test_a_group_that_could_be_decimals_is_refused_with_both_readings(page: node.NodeScript) -> None:
    assert read(page, "1,234", POINT) == {"wrong": ["checkAmbiguous", "1,234", "1234", "1.234"]}
    assert read(page, "-1.234", COMMA) == {"wrong": ["checkAmbiguous", "-1.234", "-1234", "-1.234"]}
    assert read(page, "1,234e3", POINT) == {"wrong": ["checkAmbiguous", "1,234e3", "1234000", "1234"]}
    assert read(page, "1.234", POINT) == read(page, "1,234", COMMA) == {"value": 1.234}


def test_in_whole_numbers_the_group_mark_of_the_language_has_one_reading(page: node.NodeScript) -> None:
    assert read(page, "1,234", POINT, whole=True) == read(page, "1.234", COMMA, whole=True) == {"value": 1234}
    assert read(page, "1.000", POINT, whole=True) == {"wrong": ["checkAmbiguous", "1.000", "1000", "1"]}
    assert read(page, "1.234", POINT, whole=True) == {"value": 1.234}, "which is not whole"


@given(st.text(alphabet="0123456789.,٫٬ '-+e٠٥۵", max_size=12))
def test_no_text_is_different_numbers_in_two_languages(page: node.NodeScript, text: str) -> None:
    found = {one["value"] for one in (read(page, text, mark) for mark in (POINT, COMMA)) if "value" in one}
    assert len(found) <= 1


NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53), 2**53)


@given(NUMBERS, st.sampled_from(["en", "de", "de-CH", "ar", "ar-EG", "fa", "es-MX", "hi"]))
def test_what_the_page_writes_it_reads_unchanged(page: node.NodeScript, value: float, tag: str) -> None:
    notation = page.ask(["numberNotation", tag])
    assert float(read(page, page.ask(["formatNumber", value, notation]), notation["mark"])["value"]) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, places=3, min_value=-(10**17), max_value=10**17))
def test_a_number_is_read_exactly_or_refused(page: node.NodeScript, value: Decimal) -> None:
    found = read(page, str(value), POINT)
    # Python and JavaScript write the shortest text that is the same number of 64 bits.
    is_exact = Decimal(repr(float(value))) == value
    assert found == ({"value": float(value)} if is_exact else DIGITS)


CELLS = ["12", "4.50", " 1e3 ", "-.5", "5.", "+7", "0x10", "1_000", "1,5", "nan", "1e999", "٢", ".", "9007199254740993",
         "0.12345678901234567890"]  # fmt: skip


@pytest.mark.parametrize("kind", ["integer", "decimal"])
def test_cells_of_rows_are_the_same_numbers_as_on_the_server(page: node.NodeScript, kind: str) -> None:
    [field] = fields({"type": kind, "name": "it"})
    assert [page.ask(["parseCell", {"type": kind}, cell]) for cell in CELLS] == [parse_cell(field, c) for c in CELLS]
