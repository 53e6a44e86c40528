"""Regular expressions: the server and the page get the same results, in linear time for every pattern."""

import random
import time
from collections.abc import Sequence

import pytest
from fixtures import node
from hypothesis import given
from hypothesis import strategies as st

from formwright.domain.forms.answers.error_messages import messages_for
from formwright.domain.forms.answers.errors import AnswerValidator
from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.fields import TextField, patterns
from formwright.domain.forms.rules.compiler import STRING, compile_rule
from formwright.domain.forms.rules.costs import Budget

TABLE: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "": (["", "a"], []),
    # Anchors
    "b": (["b", "abc"], ["", "ac"]),
    "^b": (["b", "bc"], ["ab", "a\nb"]),
    "b$": (["b", "ab"], ["ba", "b\n", "b\na"]),
    "^(?:a|b)$": (["a", "b"], ["ab", "", "a\n", "\na"]),
    "^a|b$": (["ac", "cb"], ["ca", "bc"]),
    r"\bword\b": (["word", "a word.", "wordé", "éword"], ["sword", "words", "word_"]),
    r"\Bx": (["ax"], ["x", "éx"]),
    # Classes
    r"^\d+$": (["0", "1234567890"], ["", "٣", "1a", "²"]),
    r"^\D$": (["a", "٣", "🙂"], ["1", "ab"]),
    r"^\w+$": (["aZ09_"], ["é", "a-b", "ß", "\u212a"]),
    r"^\W$": (["é", "-", "🙂"], ["a", "_"]),
    r"^\s$": ([" ", "\t", "\n", "\f", "\r"], ["\v", "\u00a0", "\u2028", "\ufeff", "\u0085", "a"]),
    r"^\S$": (["\v", "\u00a0", "\u2028", "\ufeff", "a", "🙂"], [" ", "\n"]),
    r"^[\S]$": (["\u00a0", "a"], [" "]),
    r"^[^\s]$": (["\u00a0", "a"], [" ", "\t"]),
    "^.$": (["a", "é", "🙂", "\r", "\u2028"], ["\n", "", "ab", "e\u0301"]),
    "^[^a]$": (["b", "\n", "🙂"], ["a", ""]),
    r"^[\]\-^\\/_]+$": (["]", "-^", "\\/_"], ["a", ""]),
    r"^\_\@\-\#$": (["_@-#"], ["_@-"]),
    r"^\t\n\r\f\v$": (["\t\n\r\f\v"], [" "]),
    # Unicode
    "^é$": (["é"], ["e\u0301", "É", "e"]),
    "^[à-ü]+$": (["éü"], ["e", "É", "ÿ"]),
    "^[🙂-🙃]$": (["🙂", "🙃"], ["🙁", "a"]),
    "^🙂{2}$": (["🙂🙂"], ["🙂"]),
    r"^\p{L}+$": (["Straße", "日本語", "Ωμέγα", "𐐷"], ["a1", "-", "🙂"]),
    r"^\P{L}$": (["1", "🙂"], ["a", "é"]),
    r"^\p{Lu}\p{Ll}$": (["Éé", "Ωμ", "Aa"], ["éé", "aA", "ǅa"]),
    r"^[\p{Lu}\d]+$": (["Ä1"], ["ä", "٣"]),
    r"^[^\p{L}]$": (["1"], ["a"]),
    r"^\p{Nd}$": (["1", "٣"], ["²", "½"]),
    r"^\p{Sc}\p{Zs}?\p{N}$": (["€1", "£\u00a02"], ["a1"]),
    # Repetitions
    "^a{2,3}$": (["aa", "aaa"], ["a", "aaaa"]),
    "^a{2,}?b$": (["aab", "aaaab"], ["ab"]),
    "^a{0}b$": (["b"], ["ab"]),
    "^(ab)*?c+$": (["c", "ababcc"], ["abc ", "abac"]),
    "^(|a)*$": (["", "aaa"], ["b"]),
    # Realistic patterns
    r"^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$": (["DE89370400440532013000"], ["DE8937", "de89370400440532013000"]),
    r"^[\w.+-]+@([\w-]+\.)+\w{2,}$": (["a.b+c@d-e.example.org"], ["a@b", "@b.org", "a b@c.de"]),
    r"^(\+|00)?[1-9][0-9 ]{3,14}$": (["+49 40 1234", "0041 44 12"], ["0123", "+0 40"]),
    r"^\p{Lu}\p{L}*( \p{Lu}\p{L}*)*$": (["Ana", "Élodie Müller"], ["ana", "Ana  B"]),
    r"^\$?\d{1,3}(,\d{3})*(\.\d\d)?$": (["$1,234,567.89", "12"], ["1,23", "1.234"]),
}
"""For each pattern, texts that match and texts that do not."""

CASE_INSENSITIVE: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "(?i)^straße$": (["STRAßE", "straẞe"], ["strasse"]),
    "(?i)^k$": (["K", "\u212a"], ["x"]),
    "(?i)^[a-f]+$": (["aF"], ["g"]),
    "(?i)^éΣ$": (["ÉΣ", "éς", "Éσ"], ["eΣ"]),
    "(?i)s": (["ſ", "S"], ["z"]),
}
"""Flags are not part of the syntax of forms, but the engines agree on them."""

BACKTRACKING = {
    r"^(a+)+$": "a",
    r"^(a|a)*$": "a",
    r"^(a|aa)+$": "a",
    r"^([a-z]*[0-9]*)*$": "a",
    r"^(\w+\s?)*$": "a",
    r"^(.*a){20}$": "a",
    r"^(a?){50}a{50}$": "a",
    r"^([a-zA-Z0-9_.-]+)*@x$": "a",
    r"^(\p{L}+\p{Lu}*)+$": "A",
    r"^(?:(?:ab|a)(?:b|))*$": "ab",
    "^" + ".?" * 60 + "b{60}$": "b",
    r"\s+\s+\s+$": " ",
    r"^\w*\w*\w*\w*!$": "a",
    r"^(\w+ )*(\d+ )*(\S+ )*$": "1 ",
}
"""For each pattern, a text that takes a backtracking engine minutes or longer if it is repeated."""

REFUSED = [
    *("(", ")", "[", "a**", "a++", "*a", "a{2,1}", "[z-a]", "x{", "{2}", "a]", "a}", "^*", "a|*", "[]a]", "[^]]", "[]"),
    *("a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b", r"(a)\1", "(?i)a", "(?<n>a)", "(?P<n>a)", "(?#c)", r"\Aa\z", r"\Qa\E"),
    *(r"\h", r"\x41", r"\u0041", r"\cA", r"\0", r"\C", r"\pL", r"\p{Greek}", r"\p{C}", r"\p{Script=Greek}", "a\\"),
    *("[[:alpha:]]", "[:alpha:]", r"[a-\d]", r"[\w-z]", r"[\p{L}-z]", "[a&&b]", "[a--b]", "[a[b]]", "a{1000}"),
    *("(a{100}){100}", "a{999}b{999}", r"(\p{L}{500}a){2}"),
]


@pytest.mark.parametrize("pattern", [*TABLE, *CASE_INSENSITIVE])
def test_server_and_page_match_the_same_texts(pattern: str, matcher: node.NodeScript) -> None:
    fits, fails = (TABLE | CASE_INSENSITIVE)[pattern]
    expected = [True] * len(fits) + [False] * len(fails)
    texts = [*fits, *fails]
    assert [patterns.matches(pattern, text) for text in texts] == expected
    assert matcher.ask([pattern, texts])["matched"] == expected


@pytest.mark.parametrize("pattern", TABLE)
def test_fields_and_rules_use_the_same_engine(pattern: str) -> None:
    texts = [text for text in (*TABLE[pattern][0], *TABLE[pattern][1]) if text]
    expected = [patterns.matches(pattern, text) for text in texts]
    validator = AnswerValidator([_text(pattern)] if pattern else [], messages_for("en"))
    if pattern:
        assert [validator.find_errors({"a": text}, ()) == [] for text in texts] == expected
    rule = compile_rule(f"a.matches(r'''{pattern}''')", {"a": STRING})
    assert [rule.is_true({"a": text}, Budget()) for text in texts] == expected


@pytest.mark.parametrize("pattern", [*TABLE, *BACKTRACKING])
def test_patterns_that_forms_can_contain(pattern: str) -> None:
    assert patterns.pattern_error(pattern) is None


@pytest.mark.parametrize("pattern", REFUSED)
def test_patterns_that_forms_cannot_contain(pattern: str) -> None:
    assert (patterns.pattern_error(pattern) or "").startswith("This ")


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("a(?=b)", "syntax that is not supported, such as look-around"),
        ("(a", "not a valid regular expression: missing ): (a."),
        ("a{999}b{2}", "too large: 1001 parts"),
    ],
)
def test_errors_name_the_reason_when_the_form_is_saved(pattern: str, reason: str) -> None:
    [fault] = find_errors([_text(pattern)])
    assert (fault.pointer, fault.code) == ("/fields/0/pattern", "field.pattern")
    assert reason in fault.detail
    [fault] = find_errors([TextField(name="a", label="A", valid_if=f"a.matches('{pattern}')")])
    assert (fault.pointer, fault.code) == ("/fields/0/validIf", "field.rule")
    assert reason in fault.detail.replace(" (at column 11)", "")


@pytest.mark.parametrize("pattern", BACKTRACKING)
def test_no_pattern_takes_exponential_time(pattern: str, matcher: node.NodeScript) -> None:
    text = (BACKTRACKING[pattern] * 10_000)[:10_000] + "#"
    began = time.process_time()
    matched = patterns.matches(pattern, text)
    assert time.process_time() - began < 1
    answer = matcher.ask([pattern, [text]])
    assert answer["seconds"] < 2
    assert answer["matched"] == [matched]


@pytest.mark.slow
def test_the_largest_patterns_take_seconds_at_most(matcher: node.NodeScript) -> None:
    """The automaton has so many states that both engines simulate it instead of building it."""
    text = "xy" + "".join(random.Random(1).choices("ab", k=10_000)) + "_"
    for pattern in ("[ab]*a[ab]{990}[xy]", "(?:[ab]*a){30}[ab]{900}[xy]"):
        assert patterns.pattern_error(pattern) is None
        began = time.process_time()
        assert not patterns.matches(pattern, text)
        assert time.process_time() - began < 5
        assert matcher.ask([pattern, [text]])["seconds"] < 15


SIZES = {
    "": 0,
    "^(?:ab){3}$": 8,
    r"\p{L}{1,30}-[^\]a-z]{2}\{3\}": 36,
    "((a{2}b){3}c){4,}": 40,
    "a{0}(": 0,
    ")a": 1,
}


@pytest.mark.parametrize("pattern", [*SIZES, *TABLE, *BACKTRACKING, *REFUSED])
def test_server_and_page_find_the_same_size(pattern: str, matcher: node.NodeScript) -> None:
    size = patterns.pattern_size(pattern)
    assert size == SIZES.get(pattern, size)
    assert matcher.ask([pattern, []])["size"] == size


def _text(pattern: str) -> TextField:
    return TextField(name="a", label="A", pattern=pattern)


ATOMS = st.sampled_from(
    [
        "a",
        "b",
        "é",
        "🙂",
        "1",
        ".",
        r"\d",
        r"\w",
        r"\W",
        r"\s",
        r"\S",
        r"\b",
        r"\B",
        "^",
        "$",
        "[ab1]",
        "[^a-c]",
        r"\p{L}",
    ]
)
REPEATED = st.sampled_from(["", "", "", "*", "+", "?", "*?", "{2}", "{1,3}", "{2,}"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, REPEATED).map(lambda pair: f"({pair[0]}){pair[1]}"),
    ),
    max_leaves=12,
)


@given(PATTERNS, st.lists(st.text("ab1é🙂 \n_-", max_size=8), min_size=1, max_size=5))
def test_server_and_page_agree_on_random_patterns(matcher: node.NodeScript, pattern: str, texts: list[str]) -> None:
    if patterns.pattern_error(pattern):
        return
    assert matcher.ask([pattern, texts])["matched"] == [patterns.matches(pattern, text) for text in texts]
