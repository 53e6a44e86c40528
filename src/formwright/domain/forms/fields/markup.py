"""Markup in the texts of forms: a subset of Markdown, and the HTML tags that authors of XLSForms use.

A text becomes blocks of spans, from which all outputs are made. So nothing but the tags listed here ever reaches a
page, and plain text, HTML and PDF reports agree. Line breaks stay line breaks, unlike in CommonMark.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from html import escape
from typing import Any

from formwright.core.lazy_import import LazyModule

PLACEHOLDER = re.compile(r"\{\{\s*([A-Za-z][A-Za-z0-9_]{0,63})\s*\}\}", re.ASCII)
"""The answer of a field in a text. Other text in double braces is shown unchanged."""
_markdown_it = LazyModule("markdown_it")

_STYLES = {
    "strong": "strong", "b": "strong", "em": "em", "i": "em", "u": "u", "ins": "u", "s": "s", "del": "s", "sub": "sub",
    "sup": "sup", "small": "small",
}  # fmt: skip
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCKS = ("p", "div", "center", *_HEADINGS)
_IGNORED = ("span", "font")
_TAG = re.compile(
    r"<(?P<close>/?)(?P<name>br|{names})(?:\s+[a-z-]+\s*=\s*(?:\"[^\"<]*\"|'[^'<]*'|[^\s\"'<>=]+))*\s*/?>".replace(
        "{names}", "|".join((*_STYLES, *_BLOCKS, *_IGNORED))
    ),
    re.IGNORECASE,
)
_LINK = re.compile(r"(?:https?://|mailto:)[^\s{}]", re.IGNORECASE)
_MARK = re.compile(r"[*_<\[&\\]|^ *(?:[-+#]|\d+[.)])", re.MULTILINE)
_MAYBE = re.compile(r"[*_<\[&\\\n]")
_ITEM = re.compile(r"^( {0,3}(?:[-+*]|\d{1,9}(?=[.)])))(?=[.)]?[ \t])", re.MULTILINE)
_MAX_DEPTH = 20
_MAX_MARKS = 100
"""A text with more characters that may be markup is shown as it is, because parsing could take long."""


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of text. `styles` are names of HTML elements; `url` is the target of a link, or empty."""

    text: str
    styles: tuple[str, ...] = ()
    url: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a heading or an item of a list.

    `depth` is the level of a heading, or how deep an item is nested, from 1. Items of ordered lists have a `number`.
    """

    kind: str
    spans: tuple[Span, ...]
    depth: int = 0
    number: int | None = None


@lru_cache(maxsize=4096)
def parse_markup(text: str, *, document: bool = False) -> tuple[Block, ...]:
    """Return the blocks of a text.

    Headings and lists are recognised in texts of several lines, and in a `document` such as a note: a label like
    “1. Name” or “# of children” is no list and no heading.
    """
    plain = (Block("paragraph", (Span(text),)),)
    if (not _MAYBE.search(text) and not document) or count_marks(text) > _MAX_MARKS:
        return plain
    if "\n" not in text and not document:
        [inline] = _parser().parseInline(text)
        return tuple(_to_blocks("paragraph", inline.children or []))
    return tuple(_read_blocks(_parser().parse(_escape_single_item(text)))) or plain


def count_marks(text: str) -> int:
    """Return how many characters of a text may be markup."""
    return len(_MARK.findall(text))


def has_markup(text: str, *, document: bool = False) -> bool:
    """Return whether a text looks different from its characters."""
    return parse_markup(text, document=document) != (Block("paragraph", (Span(text),)),)


def to_plain_text(text: str) -> str:
    """Return a text without its markup, for tables, emails and names. Items of lists have a dash or their number."""
    if not _MAYBE.search(text):
        return text
    return "".join(span.text for span in to_spans(text))


def to_spans(text: str) -> list[Span]:
    """Return the spans of all blocks in one list, with line breaks and the markers of items between them."""
    spans: list[Span] = []
    for block in parse_markup(text):
        before = ("\n" if spans else "") + _marker(block)
        spans += [Span(before)] * bool(before)
        spans += (
            [Span(one.text, ("strong", *one.styles), one.url) for one in block.spans]
            if block.kind == "heading"
            else block.spans
        )
    return spans


def to_document_html(text: str) -> str:
    """Return the HTML of a text that stands alone, such as a note."""
    return to_html(text, document=True)


def to_html(text: str, *, document: bool = False) -> str:
    """Return the HTML of a text. `{{name}}` stays as it is, outside of tags only."""
    blocks = parse_markup(text, document=document)
    if len(blocks) == 1 and blocks[0].kind == "paragraph" and not document:
        return _spans_html(blocks[0].spans)
    parts: list[str] = []
    open_lists: list[str] = []
    for block in blocks:
        parts += _list_tags(block, open_lists)
        parts.append(_block_html(block))
    return "".join(parts) + _close_lists(open_lists, 0)


def _marker(block: Block) -> str:
    if block.kind != "item":
        return ""
    return "  " * (block.depth - 1) + ("- " if block.number is None else f"{block.number}. ")


def _block_html(block: Block) -> str:
    inside = _spans_html(block.spans)
    if block.kind == "heading":
        return f'<p><strong class="heading-{block.depth}">{inside}</strong></p>'
    return inside if block.kind == "item" else f"<p>{inside}</p>"


def _list_tags(block: Block, open_lists: list[str]) -> Iterator[str]:
    """Yield the tags before a block, which close lists and open others."""
    depth = block.depth if block.kind == "item" else 0
    yield _close_lists(open_lists, depth)
    if not depth:
        return
    tag = "ul" if block.number is None else "ol"
    if len(open_lists) == depth and open_lists[-1] != tag:
        yield _close_lists(open_lists, depth - 1)
    if len(open_lists) == depth:
        yield "</li>"
    while len(open_lists) < depth:
        open_lists.append(tag)
        yield f"<{tag}>" if block.number in (None, 1) else f'<{tag} start="{block.number}">'
    yield "<li>"


def _close_lists(open_lists: list[str], depth: int) -> str:
    closed = ""
    while len(open_lists) > depth:
        closed += f"</li></{open_lists.pop()}>"
    return closed


def _spans_html(spans: Sequence[Span]) -> str:
    return "".join(map(_span_html, spans))


def _span_html(span: Span) -> str:
    inside = escape(span.text).replace("\n", "<br>")
    for style in reversed(span.styles):
        inside = f"<{style}>{inside}</{style}>"
    if span.url:
        inside = f'<a href="{escape(span.url)}" target="_blank" rel="noopener noreferrer">{inside}</a>'
    return inside


def _escape_single_item(text: str) -> str:
    """Return the text with a backslash in its only item: “1. Name” in the first line is no list."""
    items = _ITEM.findall(text)
    if len(items) != 1:
        return text
    return _ITEM.sub(lambda found: found[1] + "\\" if found[1].strip().isdigit() else f"\\{found[1].strip()}", text)


def _read_blocks(tokens: Sequence[Any]) -> Iterator[Block]:
    numbers: list[int | None] = []
    kind, level = "paragraph", 0
    for token in tokens:
        match token.type:
            case "bullet_list_open":
                numbers.append(None)
            case "ordered_list_open":
                numbers.append(int(token.attrs.get("start", 1)) - 1)
            case "bullet_list_close" | "ordered_list_close":
                numbers.pop()
            case "list_item_open":
                numbers[-1] = None if numbers[-1] is None else numbers[-1] + 1
                kind = "item"
            case "heading_open":
                kind, level = "heading", int(token.tag[1:])
            case "inline":
                is_item = kind == "item"
                depth, number = (len(numbers), numbers[-1]) if is_item else (level if kind == "heading" else 0, None)
                yield from _to_blocks(kind, token.children or [], depth, number)
                kind = "paragraph"


def _to_blocks(kind: str, children: Sequence[Any], depth: int = 0, number: int | None = None) -> Iterator[Block]:
    """Yield the blocks of a paragraph: several, if it contains HTML tags of blocks."""
    spans: list[Span] = []
    paired = _paired_tags(children)
    # Counted, because a style may be open several times, as in `<b>a <strong>b</strong> c</b>`.
    styles: Counter[str] = Counter()
    url, heading = "", 0
    for place, token in enumerate(children):
        tag = token.meta.get("tag", "")
        if token.type == "tag" and place in paired and tag in _BLOCKS:
            if _has_text(spans):
                yield _block(kind, spans, depth, number, heading)
            spans, kind, depth = [], "paragraph", 0
            heading = int(tag[1]) if tag in _HEADINGS and token.nesting == 1 else 0
        elif token.type == "tag" and place in paired:
            styles[_STYLES.get(tag, "")] += token.nesting
        elif token.type in ("strong_open", "strong_close", "em_open", "em_close"):
            styles[token.tag] += token.nesting
        elif token.type == "link_open":
            url = str(token.attrs["href"])
        elif token.type == "link_close":
            url = ""
        else:
            used = tuple(style for style in dict.fromkeys(_STYLES.values()) if styles[style] > 0)
            spans.append(Span("\n" if token.type in ("softbreak", "hardbreak") else token.content, used, url))
    if _has_text(spans):
        yield _block(kind, spans, depth, number, heading)


def _block(kind: str, spans: Sequence[Span], depth: int, number: int | None, heading: int) -> Block:
    joined: list[Span] = []
    for span in spans:
        if joined and (joined[-1].styles, joined[-1].url) == (span.styles, span.url):
            joined[-1] = Span(joined[-1].text + span.text, span.styles, span.url)
        elif span.text:
            joined.append(span)
    return Block("heading", tuple(joined), heading) if heading else Block(kind, tuple(joined), depth, number)


def _has_text(spans: Sequence[Span]) -> bool:
    return any(span.text.strip() for span in spans)


def _paired_tags(children: Sequence[Any]) -> set[int]:
    """Return the places of HTML tags that are opened and closed. Others stay text."""
    paired: set[int] = set()
    waiting: dict[str, list[int]] = {}
    for place, token in enumerate(children):
        if token.type != "tag":
            continue
        opened = waiting.setdefault(token.meta["tag"], [])
        if token.nesting == 1:
            opened.append(place)
        elif opened:
            paired |= {opened.pop(), place}
    return paired


@cache
def _parser() -> Any:
    """Return the parser. It has no rules for images, code, tables, other HTML and link definitions."""
    parser = _markdown_it.MarkdownIt("zero", {"maxNesting": _MAX_DEPTH})
    parser.enable(["heading", "list", "newline", "escape", "emphasis", "link", "autolink", "entity"])
    parser.inline.ruler.before("escape", "placeholder", _read_placeholder)
    parser.inline.ruler.before("emphasis", "star_in_word", _read_star_in_word)
    parser.inline.ruler.before("autolink", "tag", _read_tag)
    parser.validateLink = lambda url: bool(_LINK.match(url))
    return parser


def _read_placeholder(state: Any, silent: bool) -> bool:
    """An underscore in `{{name}}` is no emphasis."""
    found = PLACEHOLDER.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        state.pending += found[0]
    state.pos = found.end()
    return True


def _read_star_in_word(state: Any, silent: bool) -> bool:
    """A single star within a word is one: “Schüler*innen”, “5*3”. In scripts without spaces, it may be emphasis."""
    text, at = state.src, state.pos
    around = text[max(at - 1, 0) : at], text[at + 1 : at + 2]
    if text[at] != "*" or not all(map(_is_cased, around)):
        return False
    if not silent:
        state.pending += "*"
    state.pos += 1
    return True


def _is_cased(letter: str) -> bool:
    return letter.isdigit() or letter.lower() != letter.upper()


def _read_tag(state: Any, silent: bool) -> bool:
    found = _TAG.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        tag = found["name"].lower()
        if tag == "br":
            state.push("hardbreak", "br", 0)
        else:
            token = state.push("tag", tag, 0)
            token.nesting, token.content, token.meta = (-1 if found["close"] else 1), found[0], {"tag": tag}
    state.pos = found.end()
    return True
