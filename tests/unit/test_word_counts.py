"""The most frequent words: what a word is, and how memory is bounded."""

import re
import unicodedata
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.domain.summaries import word_counts
from formwright.domain.summaries.word_counts import WordCounter


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Don't STOP, don’t stop!", {"don't": 1, "don’t": 1, "stop": 2}),
        ("हिन्दी भाषा", {"हिन्दी": 1, "भाषा": 1}),
        ("e\u0301te\u0301 \u00e9t\u00e9", {"été": 2}),
        ("a I 東京 4th ''x'' x_1", {"東京": 1, "4th": 1, "x_1": 1}),
        ("ΟΔΥΣΣΕΥΣ", {"οδυσσευς": 1}),
        ("y" * 101, {}),
        ("Harbour 12345, 2026-03-29, ٤٢ and 10,000", {"harbour": 1, "and": 1}),
    ],
)
def test_words_of_all_scripts_are_counted(text: str, words: dict[str, int]) -> None:
    counter = WordCounter()
    counter.add([text])
    assert dict(counter.most_common(9)) == words


@given(texts=st.lists(st.text("aB12 é'’.\n\t\u00a0\u3000Σ\u0301-", max_size=30)))
def test_splitting_at_spaces_first_finds_the_same_words(texts: list[str]) -> None:
    pattern = word_counts._pattern()
    expected = Counter(
        word
        for text in texts
        for word in pattern.findall(unicodedata.normalize("NFC", text.lower()))
        if len(word) >= word_counts.MIN_LENGTH and not word.isdecimal()
    )
    counter = WordCounter()
    counter.add(texts)
    assert dict(counter.most_common(999)) == dict(expected)
    assert re.fullmatch(pattern, "a'b")


def test_once_there_are_too_many_words_known_ones_are_counted_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_counts, "MAX_WORDS", 2)
    monkeypatch.setattr(word_counts, "_MAX_SIZE", 5)
    counter = WordCounter()
    counter.add(["one two", "two"])
    assert counter.complete
    counter.add(["three two"])
    assert counter.most_common(9) == [("two", 3), ("one", 1)]
    assert not counter.complete
