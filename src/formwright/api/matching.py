"""Which operation a path and a method name."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Place:
    """What stands behind the words so far: fixed words, any word, and by method what ends here."""

    words: dict[str, "_Place"] = field(default_factory=dict)
    any: "_Place | None" = None
    ends: dict[str, tuple[object, tuple[str, ...]]] = field(default_factory=dict)


class Paths(Generic[T]):
    """Paths like `/forms/{formId}`, each with a method and what they lead to. A fixed word goes before any word."""

    def __init__(self) -> None:
        self._root = _Place()
        self.known: list[tuple[str, str]] = []

    def add(self, method: str, path: str, target: T) -> None:
        """One more path."""
        place, names = self._root, []
        for word in words(path):
            if word.startswith("{"):
                names.append(word[1:-1])
                place.any = place = place.any or _Place()
            else:
                place = place.words.setdefault(word, _Place())
        place.ends[method] = (target, tuple(names))
        self.known.append((method, path))

    def find(self, method: str, path: str) -> tuple[T | None, dict[str, str], Sequence[str]]:
        """What is there, the words that stand for its names, and the methods that the path takes; none: no path."""
        found = _find(self._root, words(path), 0, ())
        if found is None:
            return None, {}, ()
        ends, given = found
        target, names = ends.get(method, (None, ()))
        return target, dict(zip(names, given, strict=False)), tuple(ends)  # type: ignore[return-value]


def words(path: str) -> list[str]:
    """The words between the slashes."""
    return [word for word in path.split("/") if word]


def _find(
    place: _Place, path: list[str], at: int, given: tuple[str, ...]
) -> tuple[dict[str, tuple[object, tuple[str, ...]]], tuple[str, ...]] | None:
    if at == len(path):
        return (place.ends, given) if place.ends else None
    word = path[at]
    if (inner := place.words.get(word)) and (found := _find(inner, path, at + 1, given)):
        return found
    return _find(place.any, path, at + 1, (*given, word)) if place.any else None
