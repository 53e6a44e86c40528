"""Pages and cursors."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from formwright.api.pagination import check_cursor, decode_cursor, encode_cursor, list_of, listing
from formwright.asgi.validation import QueryInvalid
from formwright.core.pagination import Page, Position, cut_page

HERE = list_of("cus_1", "/submissions", [("formId", "a"), ("order", "updated")])


def place(row: int) -> Position:
    return Position(row, f"id{row}")


def test_the_next_page_starts_after_the_last_row() -> None:
    assert cut_page([1, 2, 3], 2, place) == Page([1, 2], Position(2, "id2"))


@pytest.mark.parametrize("rows", [[], [1], [1, 2]])
def test_the_last_page_has_no_next(rows: list[int]) -> None:
    assert cut_page(rows, 2, place) == Page(rows, None)


# \x1f separates the id from the key, which is JSON.
TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\n\x1f"), max_size=60)


@given(st.integers(-(10**18) + 1, 10**18 - 1), TEXTS, TEXTS)
@example(1, "sub_1", json.dumps("\x01" * 200))
def test_a_cursor_encodes_its_position(number: int, row_id: str, key: str) -> None:
    position = Position(number, row_id, key)
    assert decode_cursor(encode_cursor(position, HERE)) == position


@given(st.text(max_size=40))
def test_any_text_is_rejected_or_a_valid_cursor(word: str) -> None:
    try:
        found = encode_cursor(decode_cursor(word), HERE)
    except QueryInvalid:
        return
    assert found == word


def test_next_repeats_the_query_except_for_the_position() -> None:
    page = Page([1], Position(1, "a"))
    query = [("formId", "x"), ("formId", "y"), ("cursor", "old"), ("after", "7"), ("from", "2026+1 & ä")]
    found = listing(page, str, "https://forms.test/api/v1.0/submissions", query, HERE).next
    assert found == (
        "https://forms.test/api/v1.0/submissions?formId=x&formId=y&from=2026%2B1+%26+%C3%A4&cursor="
        + encode_cursor(Position(1, "a"), HERE)
    )


@pytest.mark.parametrize(
    ("customer", "path", "query", "same"),
    [
        ("cus_1", "/submissions", [("order", "updated"), ("formId", "a")], True),
        ("cus_1", "/submissions", [("formId", "a"), ("order", "updated"), ("limit", "3"), ("cursor", "x")], True),
        ("cus_2", "/submissions", [("formId", "a"), ("order", "updated")], False),
        ("cus_1", "/tasks", [("formId", "a"), ("order", "updated")], False),
        ("cus_1", "/submissions", [("formId", "b"), ("order", "updated")], False),
        ("cus_1", "/submissions", [("formId", "a"), ("order", "-updated")], False),
        ("cus_1", "/submissions", [("formId", "a")], False),
        ("cus_1", "/submissions", [("formId", "a"), ("formId", "\ud800"), ("order", "updated")], False),
    ],
)
def test_a_cursor_is_valid_for_one_list(customer: str, path: str, query: list[tuple[str, str]], same: bool) -> None:
    given = encode_cursor(Position(1, "a"), HERE)
    if same:
        return check_cursor(given, list_of(customer, path, query))
    with pytest.raises(QueryInvalid) as refused:
        check_cursor(given, list_of(customer, path, query))
    assert [(fault.pointer, fault.code) for fault in refused.value.faults] == [("?cursor", "cursor.other_list")]
    return None
