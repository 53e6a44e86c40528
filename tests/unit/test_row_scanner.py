"""The scanner finds the same rows in a segment as a search of each row would."""

import random

import pytest

from formwright.domain.datasources.imports.validation import DuplicateKeys
from formwright.domain.datasources.search.normalize import split_words, to_needle, to_search_text
from formwright.domain.datasources.search.scanner import RowMatcher, to_search_bytes
from formwright.domain.datasources.segment_compaction import count_mergeable, group_small

NAMES = ("name", "town", "note")
WORDS = [
    "",
    "a",
    "ab",
    "Müller",
    "mull",
    "Straße",
    "東京都",
    "x y",
    "-",
    "🎉",
    "\x01",
    "one\x1ftwo",
    "y" * 250,
    "  ",
    "é",
]


def places(rows: list[dict[str, str]], sought: RowMatcher) -> list[int]:
    there = [name for name in sought.columns if any(name in row for row in rows)]
    return sought.find_candidates(
        {name: to_search_bytes(to_search_text(row.get(name, "") for row in rows)) for name in there}, len(rows)
    )


def one_by_one(rows: list[dict[str, str]], text: str, shown: list[str], by: dict[str, str]) -> list[int]:
    def fits(row: dict[str, str]) -> bool:
        held = to_search_text(row.get(name, "") for name in shown)
        same = all(to_search_text([row.get(name, "")]) == to_search_text([cell]) for name, cell in by.items())
        return same and all(to_needle(word) in held for word in split_words(text))

    return [place for place, row in enumerate(rows) if fits(row)]


@pytest.mark.parametrize("seed", range(100))
def test_the_scanner_finds_the_rows_that_contain_the_words(seed: int) -> None:
    some = random.Random(seed)
    rows = [
        {name: " ".join(some.choices(WORDS, k=some.randint(0, 3))) for name in some.sample(NAMES, some.randint(0, 3))}
        for _ in range(some.randint(1, 30))
    ]
    for _ in range(20):
        text = " ".join(some.choices([*WORDS, "ull", "b", "京", "zzz"], k=some.randint(0, 3)))
        shown = some.sample(NAMES, some.randint(0, 3))
        by = {name: some.choice(some.choice(rows).get(name, "") or WORDS) for name in some.sample(NAMES, 1)}
        by = by if some.random() < 0.5 else {}
        sought = RowMatcher.parse(text, shown, by)
        if sought.words or by:
            assert places(rows, sought) == one_by_one(rows, text, shown, by), (text, shown, by)


@pytest.mark.parametrize(
    ("sizes", "count"),
    [([1], 1), ([1, 1], 2), ([2, 1], 1), ([2, 1, 1], 3), ([2000, 7], 1), ([1500, 400, 300], 1), ([8, 4, 2, 1, 1], 5)],
)
def test_the_last_segments_are_merged_once_they_are_as_large_as_the_previous_one(sizes: list[int], count: int) -> None:
    assert count_mergeable(sizes) == count


def test_single_rows_are_rewritten_a_few_times_and_leave_few_segments() -> None:
    sizes: list[int] = []
    written = 0
    for _ in range(10_000):
        sizes.append(1)
        count = count_mergeable(sizes)
        sizes[-count:] = [sum(sizes[-count:])]
        written += sizes[-1]
    assert sum(sizes) == 10_000
    assert len(sizes) < 20
    assert written < 10_000 * 12


@pytest.mark.parametrize(
    ("sizes", "groups"),
    [
        ([], []),
        ([10], []),
        ([10, 10], [(0, 2)]),
        ([1001, 10, 10, 2000, 5], [(1, 3)]),
        ([1000, 1000, 1000], [(0, 2)]),
        ([900, 900, 900, 900, 900], [(0, 2), (2, 4)]),
        ([10, 2000, 10], []),
    ],
)
def test_small_neighbours_are_merged(sizes: list[int], groups: list[tuple[int, int]]) -> None:
    assert [(part.start, part.stop) for part in group_small(sizes)] == groups


def test_duplicate_keys_are_found() -> None:
    keys = DuplicateKeys()
    for number in (*range(1000), 7, 7, -3, 900):
        keys.add(number * 12345)
    assert keys.count_distinct() == keys.count == 1001
    assert keys.duplicates == {7 * 12345, 900 * 12345}
    keys.add(7 * 12345)
    assert keys.count_distinct() == 1001
