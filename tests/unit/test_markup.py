"""Markup in the texts of forms: what becomes HTML and plain text, and that nothing else does."""

import re

import msgspec
import pytest

from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.fields.markup import to_document_html, to_html, to_plain_text

LINK = 'target="_blank" rel="noopener noreferrer"'
CASES = [
    ("plain {{a}} text", "plain {{a}} text", None),
    ("**a** and _b_", "<strong>a</strong> and <em>b</em>", "a and b"),
    ("**a *b***", "<strong>a </strong><strong><em>b</em></strong>", "a b"),
    ("**重要**です", "<strong>重要</strong>です", "重要です"),
    ("Schüler*innen und Bürger*innen, 5*3*2", "Schüler*innen und Bürger*innen, 5*3*2", None),
    ("snake_case_name, a * b * c", "snake_case_name, a * b * c", None),
    ("_{{a_}}_ {{b_}}", "<em>{{a_}}</em> {{b_}}", "{{a_}} {{b_}}"),
    (r"2 \* 3 \_x\_", "2 * 3 _x_", "2 * 3 _x_"),
    ("[a](https://b.org/?c=1&d)", f'<a href="https://b.org/?c=1&amp;d" {LINK}>a</a>', "a"),
    ("<mailto:a@b.org>", f'<a href="mailto:a@b.org" {LINK}>mailto:a@b.org</a>', "mailto:a@b.org"),
    ("[a](javascript:alert(1)) [b](/c) [d](//e)", "[a](javascript:alert(1)) [b](/c) [d](//e)", None),
    ("[a](https:{{b}})", "[a](https:{{b}})", None),
    ("<data:text/html,x> <script>a</script>", "&lt;data:text/html,x&gt; &lt;script&gt;a&lt;/script&gt;", None),
    ('<b onclick="x()">a</b>', "<strong>a</strong>", "a"),
    ("<b>a <i>b</b> c</i>", "<strong>a </strong><strong><em>b</em></strong><em> c</em>", "a b c"),
    ("H<sub>2</sub>O <b>", "H<sub>2</sub>O &lt;b&gt;", "H2O <b>"),
    ("a<b and c>d", "a&lt;b and c&gt;d", None),
    ("<span style='color:red'>a</span><br/>b", "a<br>b", "a\nb"),
    ("<font color=red>a</font> &lt;b&gt;", "a &lt;b&gt;", "a <b>"),
    ("<p align='center'>a</p><h2>b</h2>c", '<p>a</p><p><strong class="heading-2">b</strong></p><p>c</p>', "a\nb\nc"),
    ("# of children", "# of children", None),
    ("1. Name\nas in your passport", "1. Name<br>as in your passport", None),
    ("- one\nline", "- one<br>line", None),
    ("# A\nb\n\nc", '<p><strong class="heading-1">A</strong></p><p>b</p><p>c</p>', "A\nb\nc"),
    ("- a\n- b\n  1. c\n  2. d\n- e", "<ul><li>a</li><li>b<ol><li>c</li><li>d</li></ol></li><li>e</li></ul>",
     "- a\n- b\n  1. c\n  2. d\n- e"),
    ("![a](https://b.org/c.png) `d` ~~e~~", f'!<a href="https://b.org/c.png" {LINK}>a</a> `d` ~~e~~', "!a `d` ~~e~~"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "html", "plain"), CASES)
def test_a_text_becomes_html_and_plain_text(text: str, html: str, plain: str | None) -> None:
    assert to_html(text) == html
    assert to_plain_text(text) == (text if plain is None else plain)


def test_a_note_has_headings_and_lists_in_one_line() -> None:
    assert to_document_html("# Welcome") == '<p><strong class="heading-1">Welcome</strong></p>'
    assert to_document_html("- a") == "<p>- a</p>"
    assert to_document_html("a < b") == "<p>a &lt; b</p>"


BOMBS = [
    "[" * 100, "*a **a " * 33, "<b>" * 100, "<p>" * 60 + "</p>" * 40, "- a\n" * 100, "a\n\n" * 600, "<b " + " " * 1990,
    "\n".join(" " * 2 * depth + "- a" for depth in range(40)), "<b a='" * 100, "[a](" * 100, "\\*" * 50, "<" * 2000,
]  # fmt: skip


@pytest.mark.parametrize("text", BOMBS)
def test_a_bomb_has_only_known_tags_and_stays_small(text: str) -> None:
    html = to_html(text)
    assert len(html) < 20 * len(text)
    assert set(re.findall(r"</?(\w+)", html)) <= {"p", "ul", "li", "strong", "br", "a", "em"}


def test_a_text_with_too_many_marks_is_shown_as_it_is() -> None:
    assert to_html("**a** " * 25) == "<strong>a</strong> " * 25
    assert to_html("**a** " * 26) == to_plain_text("**a** " * 26) == "**a** " * 26


def test_a_form_has_a_limited_amount_of_markup() -> None:
    options = [{"value": str(number), "label": "*" * 90} for number in range(250)]
    [field] = msgspec.convert([{"type": "choice", "name": "a", "label": "A", "options": options}], list[AnyField])
    assert [(one.code, one.pointer) for one in find_errors([field])] == [("form.markup", "/fields")]
