"""Pages of answers in columns, for computations over all submissions of a form."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import msgspec

from formwright.core.pagination import Position

_integers = msgspec.json.Decoder(list[int])
_answers = msgspec.json.Decoder(list[Any])


@dataclass(frozen=True, slots=True)
class AnswersPage:
    """The submissions of a page: in each column one value per submission, in the order of the list.

    `times` order the list by submission (milliseconds), `spans` are from the start to the submission (milliseconds, 0
    for drafts). `data` has the answers as a JSON array.
    """

    ids: Sequence[str]
    versions: Sequence[str]
    statuses: Sequence[str]
    times: Sequence[int]
    spans: Sequence[int]
    data: bytes
    next: Position | None

    def decode(self) -> list[Any]:
        """Return the answers of each submission. This takes milliseconds, so it is not part of reading the page."""
        return _answers.decode(self.data)


NO_ANSWERS = AnswersPage((), (), (), (), (), b"[]", None)


def to_answers_page(
    ids: str, versions: str, statuses: str, times: str, spans: str, data: bytes, *, limit: int
) -> AnswersPage:
    """Return the page of columns joined by spaces, and by commas if they are JSON."""
    id_list, time_list = ids.split(" "), _integers.decode(f"[{times}]")
    # A full page may be the last one; the next is then empty.
    last = Position(time_list[-1], id_list[-1]) if len(id_list) == limit else None
    columns = (versions.split(" "), statuses.split(" "), time_list, _integers.decode(f"[{spans}]"))
    return AnswersPage(id_list, *columns, b"[%b]" % data, last)
