"""The offline search of the page finds the same rows as the server, with every letter of Unicode."""

import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from fixtures import node

from formwright.domain.datasources.search.normalize import fold, split_words, to_needle, to_search_text

FOUND: list[tuple[list[str], str, bool]] = [
    (["C-1", "Harbour Works"], "harbour", True),
    (["C-1", "Harbour Works"], "HARBOUR works", True),
    (["C-1", "Harbour Works"], "works harb", True),
    (["C-1", "Harbour Works"], "arb", True),
    (["C-1", "Harbour Works"], "ha", True),
    (["C-1", "Harbour Works"], "ar", False),
    (["C-1", "Harbour Works"], "c-", True),
    (["C-1", "Harbour Works"], "C-1", True),
    (["C-1", "Harbour Works"], "harbour x", False),
    (["C-1", "Harbour Works"], "ourwor", False),
    (["C-1", "Harbour Works"], "", True),
    (["C-1", "Harbour Works"], " \t\n", True),
    (["Müller & Söhne"], "muller sohne", True),
    (["Muller"], "Müller", True),
    (["Mu\u0308ller"], "Müller", True),
    (["Straße"], "strasse", True),
    (["STRASSE"], "straße", True),
    (["STRAẞE"], "strasse", True),
    (["Łódź"], "lodz", True),
    (["Ørsted"], "orsted", True),
    (["Æblegård"], "aeblegard", True),
    (["Þór Œuvre đak Ħal"], "thor oeuvre dak hal", True),
    (["İstanbul Diyarbakır"], "istanbul diyarbakir", True),
    (["ΟΔΟΣ"], "οδός", True),
    (["ὈΔΥΣΣΕΎΣ"], "οδυσσευς", True),
    (["ᾳ"], "αι", True),
    (["Łukasz"], "uka", True),
    (["ﬁnanz ﬂuss"], "finanz fluss", True),
    (["２０ Ｔｏｋｙｏ"], "20 tokyo", True),
    (["東京都港区"], "港", True),
    (["東京都港区"], "京都", True),
    (["東京都港区"], "区", True),
    (["東京都港区"], "東京港", False),
    (["𠀋𠀌𠀍 a"], "𠀌𠀍", True),
    (["กรุงเทพ"], "เท", True),
    (["서울특별시"], "서울", True),
    (["서울특별시"], "특별", False),
    (["हिन्दी"], "हिन्दी", True),
    (["a\u00a0b\u2003c\u1680d"], "b c d", True),
    (["a\ufeffb"], "b", False),
    (["a\x1cb\x85c"], "b c", True),
    (["🎉 Party"], "🎉", True),
    (["x" * 250 + " end"], "end", False),
    (["🎉" * 199 + "ab"], "🎉a", False),
    (["🎉" * 190 + " ab"], "ab", True),
    (["one", "two"], "onetwo", False),
    (["on\x01e", "two"], "e two", True),
    (["one", "two"], "one\x01two", True),
    (["on\x1fe"], "e", True),
    (["", " ", "one"], "one", True),
    (["one"], " ".join(["one"] * 30 + ["two"]), True),
    (["n" + str(n) for n in range(25)], " ".join(f"n{n}" for n in range(20)) + " nowhere", True),
]


@pytest.fixture(scope="module")
def page() -> Iterator[node.NodeScript]:
    with node.run_script(Path(__file__).with_name("text_normalization.mjs")) as script:
        yield script


def server_finds(cells: Sequence[str], text: str) -> bool:
    """Compare the way `searching` does."""
    return all(to_needle(word) in to_search_text(cells) for word in split_words(text)[:20])


@pytest.mark.parametrize(("cells", "text", "found"), FOUND)
def test_the_server_finds_the_examples(cells: list[str], text: str, found: bool) -> None:
    assert server_finds(cells, text) is found


def test_the_page_finds_the_same_examples(page: node.NodeScript) -> None:
    answers = page.ask({"call": "found", "given": [[cells, text] for cells, text, _ in FOUND]})
    assert dict(enumerate(answers)) == {at: found for at, (_, _, found) in enumerate(FOUND)}


def test_both_produce_the_same_search_text(page: node.NodeScript) -> None:
    given = [cells for cells, _, _ in FOUND]
    assert page.ask({"call": "toSearchText", "given": given}) == [to_search_text(cells) for cells in given]


@pytest.mark.slow
@pytest.mark.parametrize("around", ["{}", "a{}\u0301b", "\u0345\u0323{}x"])
def test_every_letter_is_folded_the_same_way(page: node.NodeScript, around: str) -> None:
    """Checks all letters of Unicode 3.2. For Cherokee, Python and browsers fold the case in opposite directions."""
    texts = [around.format(letter) for letter in letters()]
    given: list[Any] = []
    for start in range(0, len(texts), 10_000):
        given += page.ask({"call": "fold", "given": texts[start : start + 10_000]})
    wrong = {text: (fold(text), other) for text, other in zip(texts, given, strict=True) if fold(text) != other}
    assert {text: both for text, both in wrong.items() if both[0].upper() != both[1].upper()} == {}
    assert len(texts) > 90_000
    assert all("CHEROKEE" in unicodedata.name(extract_letter(text, around)) for text in wrong)


def extract_letter(text: str, around: str) -> str:
    before, _, after = around.partition("{}")
    return text[len(before) : len(text) - len(after)]


def letters() -> Iterator[str]:
    for number in range(1, 0x110000):
        letter = chr(number)
        if unicodedata.ucd_3_2_0.category(letter) not in ("Cn", "Cs", "Co"):
            yield letter
