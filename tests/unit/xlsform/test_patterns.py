"""Patterns of Java mean the same here, or are left out."""

import pytest

from formwright.domain.forms.xlsform.java_patterns import convert_pattern
from formwright.domain.forms.xlsform.xpath_literals import to_full_match


@pytest.mark.parametrize(
    ("pattern", "converted"),
    [
        (r"^[A-Z]{3}+_+[0-9]{4}+_+[0-9]{3,4}$", r"^[A-Z]{3}_+[0-9]{4}_+[0-9]{3,4}$"),
        (r"a\d{2}+b*+", r"a\d{2}b*"),
        (r"x?+$", r"x?$"),
        ("[a+]+", "[a+]+"),
        ("[{2}+]", "[{2}+]"),
        (r"\++", r"\++"),
        (r"[\w-.]{2}+", r"[\w\-.]{2}"),
        # These take as much as they can and give nothing back, so they may not match where RE2 does.
        ("a++a", "a++a"),
        ("(a|ab){2}+c", "(a|ab){2}+c"),
        ("a{1,2}+a", "a{1,2}+a"),
    ],
)
def test_quantifiers_that_give_nothing_back(pattern: str, converted: str) -> None:
    assert convert_pattern(pattern) == converted


@pytest.mark.parametrize(
    ("pattern", "exported"),
    [
        ("^(?:a|b)$", "a|b"),
        (r"^(?:[)(]\)(c))$", r"[)(]\)(c)"),
        ("^(?:a)|(?:b)$", ".*(?:^(?:a)|(?:b)$).*"),
        ("a", ".*(?:a).*"),
    ],
)
def test_an_exported_pattern_matches_the_same_texts(pattern: str, exported: str) -> None:
    assert to_full_match(pattern) == exported
