"""Regular expressions: those that stall a browser are refused, the others are quick and read alike on both sides."""

import time
from concurrent.futures import ThreadPoolExecutor

import jsonschema_rs
import pytest
from fixtures import node

from formwright.domain.forms.definition import AnyField, RepeatField, TextareaField, TextField
from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.regex.patterns import LINEAR, pattern_fault, slow_fault

LONG = 50_000

STALLING = {
    r"^(a+)+$": "a",
    r"^(a*)*$": "a",
    r"^(a|a)*$": "a",
    r"^(a|aa)+$": "a",
    r"^([a-z]+)*$": "a",
    r"^([a-z]*[0-9]*)*$": "a",
    r"^(\d+\s?)+$": "1",
    r"^(\w+\s?)*$": "a",
    r"^(\w|\d)+$": "1",
    r"^(x+x+)+y$": "x",
    r"^(.*a){20}$": "a",
    r"^(a?){50}a{50}$": "a",
    r"^(a|aa){80}$": "a",
    r"^(([a-z])+.)+[A-Z]([a-z])+$": "a",
    r"^([a-zA-Z0-9_.-]+)*@x$": "a",
    r"^(([\w.-])*)+@$": "a",
    r"^((a{1,3}){1,3}){5,}$": "a",
    r"^(\p{L}+\p{Lu}*)+$": "A",
    r"^([^,]*,?)+;$": "a",
    r"^(?:(?:ab|a)(?:b|))*$": "ab",
    "^" + ".?" * 60 + "b{60}$": "b",
    "^" + "(.a?)" * 80 + "$": "a",
}
"""Each with what, often repeated, keeps a browser busy."""

UNREADABLE = [
    *("(", ")", "[", "a**", "a++", "*a", "a{2,1}", "[z-a]", "x{", "{2}", "a]", "a}", "^*", "a|*"),
    *("a(?=b)", "(?<=a)b", r"(a)\1", "(?i)a", "(?<n>a)", "(?P<n>a)", "(?#c)", r"\Aa\z", r"\Qa\E", r"\h", r"\x41"),
    *(
        r"\u0041",
        r"\cA",
        r"\0",
        "[[:alpha:]]",
        "[]a]",
        "[^]]",
        "[]",
        "[a-\\d]",
        "[\\w-z]",
        "[a&&b]",
        "[a--b]",
        "[a[b]]",
    ),
    *(r"\pL", r"\p{Greek}", r"\p{Script=Greek}", r"[\S]", "é{1000}", "(" * 21 + "a" + ")" * 21, "a\\"),
]

HARMLESS = {
    "": ["a"],
    r"^[a-z]+(-[a-z]+)*$": ["a-", "a", "-"],
    r"^[\w.+-]+@([\w-]+\.)+\w{2,}$": ["a", "a@", "a.", "a@a."],
    r"^(\d{1,3}\.){3}\d{1,3}$": ["1", "1.", "111."],
    r"^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$": ["A", "AA11A", "1"],
    r"^\d{4}-\d{2}-\d{2}$": ["1", "1111-", "1111-11-11"],
    r"^(\+|00)?[1-9][0-9 ]{3,14}$": ["1", "0", " ", "+1 "],
    r"^(red|green|blue)(,(red|green|blue))*$": ["red,", "red", ","],
    r"^\p{Lu}\p{L}*( \p{Lu}\p{L}*)*$": ["É", "Éé ", "Éé"],
    r"^#?([a-f0-9]{6}|[a-f0-9]{3})$": ["a", "#"],
    r"^\$?\d{1,3}(,\d{3})*(\.\d\d)?$": ["1", "1,", "111,"],
    r"^.{1,500}$": ["a", "\n", "👍"],
    r"^([0-9a-fA-F]{4}:){7}[0-9a-fA-F]{4}$": ["a", "aaaa:"],
    r"^(\d{5}){5}$": ["1"],
    r"^\S+ \S+$": ["a", "a ", " "],
    r"^\s*[a-z]+\s*$": [" ", "a", " a"],
    r"^[^@\s]+@[^@\s]+$": ["a", "a@", "@"],
    r"^(?:[a-z]\d)*\.$": ["a1", "a", "1"],
    r"^a+?b$": ["a", "ab"],
    r"^[\]\-^\\/_]+$": ["]", "-", "^\\/_", "a"],
    r"^\_\@\-\#$": ["_@-#", "_"],
    r"\bword\b": ["word", "word ", "wor"],
    r"[A-Z]{3}-\d{4}": ["A", "AAA-", "AAA-111"],
}


@pytest.mark.parametrize("pattern", STALLING)
def test_what_stalls_is_refused(pattern: str) -> None:
    assert "browser forever" in (pattern_fault(pattern) or "")


@pytest.mark.parametrize("pattern", [r"^(a+)+$", r"^(a|aa)+$", r"^(\w+\s?)*$", r"^(.*a){20}$", r"^(x+x+)+y$"])
def test_and_it_does_stall(pattern: str, hanging: node.Told) -> None:
    """The analysis is about something real: a short text is enough."""
    with ThreadPoolExecutor() as pool:
        asked = pool.submit(hanging.ask, [pattern, [STALLING[pattern] * 45 + "!"]])
        with pytest.raises(TimeoutError):
            asked.result(timeout=1)
        hanging.end()
        assert isinstance(asked.exception(), RuntimeError)


@pytest.mark.parametrize("pattern", UNREADABLE)
def test_what_is_not_read_alike_is_refused(pattern: str) -> None:
    assert "alike" in (pattern_fault(pattern) or "")


def test_what_is_too_large_to_look_through_is_refused() -> None:
    assert "too large" in (pattern_fault("((((a{4}){4}){4}){4}){4}") or "")


def test_looking_at_one_takes_no_time() -> None:
    """The longest that a field may have, of the kinds that make the most of the analysis."""
    worst = ["^(" + "|".join(f"w{n:03}" for n in range(98)) + ")*$", "(.a?)" * 80, ".?" * 250, "[a-z]{32}" * 12]
    for pattern in [*worst, "(" * 20 + "a|b" + ")*" * 20]:
        began = time.process_time()
        pattern_fault(pattern[:500])
        assert time.process_time() - began < 1


@pytest.mark.parametrize("pattern", HARMLESS)
def test_harmless_ones_are_taken(pattern: str) -> None:
    assert pattern_fault(pattern) is None


def texts(pattern: str) -> list[str]:
    """The pieces once, and often, with an end that does not fit, and without."""
    once = [piece * times for piece in HARMLESS[pattern] for times in (1, 2, 3)]
    often = [(piece * LONG)[:LONG] for piece in HARMLESS[pattern]]
    return [*once, *(text + "!" for text in once), *often, *(text + "!" for text in often)]


@pytest.mark.parametrize("pattern", HARMLESS)
def test_harmless_ones_are_quick_and_read_alike(pattern: str, matcher: node.Told) -> None:
    """Each against 50,000 characters, on the server and under Node."""
    milliseconds, matched = matcher.ask([pattern, texts(pattern)])
    assert milliseconds < 1000
    validator = jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=LINEAR)
    began = time.process_time()
    assert [validator.is_valid(text) for text in texts(pattern)] == matched
    assert time.process_time() - began < 1


SLOW = {
    r"\s+$": (" ", 2),
    r"^\s+\s+$": (" ", 2),
    r"\s+\s+$": (" ", 3),
    r"\s+\s+\s+$": (" ", 4),
    r"^.*.*x$": ("a", 2),
    r"^.*.*.*x": ("a", 3),
    r".*.*.*x": ("a", 4),
    r"^.*,.*;$": (",", 2),
    r"^\w*\w*\w*\w*!$": ("a", 4),
    r"^(a|b)*(a|c)*(b|a)*$": ("a", 3),
    r"^(\w+ )*(\d+ )*(\S+ )*$": ("1 ", 3),
    r"(ab?)+c": ("a", 2),
}
"""Each with what, often repeated, keeps a browser busy, and the power of the length with which its steps grow."""

LENGTHS = {2: 4000, 3: 300, 4: 100}
"""The longest texts that are still quick enough: 15 to 35 ms where this was written."""


@pytest.mark.parametrize("pattern", SLOW)
def test_what_is_slow_for_long_answers_is_refused_for_those(pattern: str) -> None:
    assert pattern_fault(pattern) is None
    length = LENGTHS[SLOW[pattern][1]]
    assert f"at most {length} characters" in (slow_fault(pattern, 10_000) or "")
    assert slow_fault(pattern, length) is None


@pytest.mark.parametrize("pattern", SLOW)
def test_steps_grow_faster_than_the_text(pattern: str, matcher: node.Told) -> None:
    piece, power = SLOW[pattern]
    short = (piece * LENGTHS[power])[: LENGTHS[power]] + "#"
    matcher.ask([pattern, ["", short]])  # compiled and warm
    quick = min(matcher.ask([pattern, [short]])[0] for _ in range(3))
    long = (piece * 10_000)[: min(10_000, LENGTHS[power] * 3)] + "#"
    assert min(matcher.ask([pattern, [long]])[0] for _ in range(2)) > 2 * quick


@pytest.mark.parametrize(
    "pattern", [*HARMLESS, r"^\d+-\d+$", r"^[^ ]+ [^ ]+ [^ ]+$", r"^[a-z]{1,10}[a-z0-9]{1,20}$", r"\d+"]
)
def test_harmless_ones_are_quick_enough_for_every_length(pattern: str) -> None:
    assert slow_fault(pattern, 100_000) is None


def test_looking_how_slow_one_is_takes_no_time() -> None:
    worst = ["^(" + "|".join(f"w{n:03}" for n in range(98)) + ")*$", "[a-z]{32}" * 12, r"(\w+ )*" + r"x(\S+ )*" * 60]
    for pattern in [*worst, "".join(f"[{chr(97 + n)}-{chr(99 + n)}]+" for n in range(20)), "-".join(["[a-z ]+"] * 60)]:
        began = time.process_time()
        slow_fault(pattern[:500], 10_000)
        assert time.process_time() - began < 1.5


def _text(**members: object) -> TextField:
    return TextField(name="a", label="A", **members)  # type: ignore[arg-type]


def _codes(*fields: AnyField) -> list[tuple[str, str]]:
    return [(fault.pointer, fault.code) for fault in find_errors(fields)]


def test_the_length_is_that_of_the_field() -> None:
    assert _codes(_text(pattern=r"^\s+\s+$")) == [("/fields/0/pattern", "field.pattern")]
    assert _codes(_text(pattern=r"^\s+\s+$", max_length=4000)) == []
    assert _codes(_text(pattern=r"^(a+)+$")) == [("/fields/0/pattern", "field.pattern")]


def test_in_a_rule_it_is_that_of_the_longest_answer_it_names() -> None:
    rule = r"a.matches(r'^\s+\s+$')"
    assert _codes(_text(visible_if="1 > 0", valid_if=rule)) == [("/fields/0/validIf", "field.rule")]
    assert _codes(_text(valid_if=rule, max_length=100)) == []
    long = TextareaField(name="b", label="B", max_length=50_000)
    assert _codes(_text(valid_if=f"{rule} && b != ''", max_length=100), long) == [("/fields/0/validIf", "field.rule")]
    rows = RepeatField(name="rows", label="Rows", fields=[_text()])
    asks = TextField(name="c", label="C", visible_if=r"rows.exists(row, row.a.matches(r'\s+$'))")
    assert _codes(rows, asks) == [("/fields/1/visibleIf", "field.rule")]
