"""Excerpts of submissions that a search found: the part of an answer that contains the words."""

from collections.abc import Iterator, Sequence

import msgspec

from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.fields.display import SearchContext, read_texts
from formwright.domain.forms.fields.structure import text_readers
from formwright.domain.submissions.lookup_snapshots import read_rows
from formwright.domain.submissions.models import Submission
from formwright.domain.submissions.text_search.document import normalize
from formwright.domain.submissions.text_search.words import split_matches

_BEFORE = 40
_LENGTH = 140
"""How many characters an excerpt has at most, and how many of them before the first match."""

Parts = Sequence[tuple[str, bool]]


def find_excerpt(fields: Sequence[AnyField], submission: Submission, words: Sequence[str]) -> Parts:
    """Return the parts of the answer with the most of these words, each with whether it matches; empty if none has any.

    `fields` are those of the form. A long answer is shortened to its first match and what is around it.
    """
    if not words:
        return ()
    best = max(_iter_texts(fields, submission), key=lambda text: len(find_words(text, words)), default="")
    if not find_words(best, words):
        return ()
    line = " ".join(best.split())
    [(before, is_match), *_] = split_matches(line, words) or [("", True)]
    start = 0 if is_match else max(len(before) - _BEFORE, 0)
    end = start + _LENGTH
    shown = ("…" if start else "") + line[start:end] + ("…" if end < len(line) else "")
    return split_matches(shown, words)


def find_words(text: str, words: Sequence[str]) -> list[str]:
    """Return which of these normalised words a text contains."""
    normalised = normalize(text)
    return [word for word in words if word in normalised]


def _iter_texts(fields: Sequence[AnyField], submission: Submission) -> Iterator[str]:
    rows = read_rows(submission.lookups) if submission.lookups else {}
    yield from read_texts(text_readers(fields), msgspec.json.decode(submission.data), SearchContext(rows))
    if submission.external_id:
        yield submission.external_id
