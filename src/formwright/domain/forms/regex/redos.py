r"""The positions of a regular expression and what can follow each (Glushkov 1961): does backtracking explode?

How many steps a browser takes at most to match a regular expression that does not explode, by the text's length.

Two loops of which one can hand over to the other anywhere in the same text, as in `\s+\s+$`, are tried for each
place: n²/2 steps; three such in a row n³/6 (the degree of polynomial ambiguity, Weber and Seidl 1991). An expression
that is not held at the start is tried from each place too, as if a loop that reads anything stood before it.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import factorial, prod

Token = tuple[str, str]

MOST_POSITIONS = 400
_SAMPLES = "aZ0_ -.,@é٣\n\t"
_WRITTEN_OUT = 4
"""How often what is counted is written out; beyond, it is taken for endless. A fixed number of one is exact longer."""
_FIXED = 32
_MOST_FORKS = 12
_CATEGORY = re.compile(r"\\([pP])\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the expression: the positions it can begin and end with, and whether it can be empty."""

    empty: bool = True
    first: frozenset[int] = frozenset()
    last: frozenset[int] = frozenset()


class Automaton:
    """Built from pairs of a kind (`one at open close either repeat`) and a text. `OverflowError`: it is too large."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self.samples = frozenset(_SAMPLES).union(*(_around(char) for _, text in tokens for char in text))
        self.reads: list[frozenset[str]] = []
        """The characters that matter and that each position reads."""
        self.after: list[set[int]] = []
        """The positions that can come after each."""
        self.loops: list[tuple[range, int | None]] = []
        """What is repeated without being written out, and how often at most."""
        self._doubtful = False
        self.whole, end = self._choice(0)
        if end != len(tokens):
            raise ValueError("A bracket closes that was not opened.")

    def explodes(self) -> bool:
        """Whether within a loop one text can be read in two ways that meet again, or all along in very many."""
        after = _shared(self.after)
        return self._doubtful or sum(map(self._forks, set(after))) > _MOST_FORKS or self._meets(after)

    def _forks(self, ahead: Collection[int]) -> bool:
        """Whether two of what comes next read the same."""
        reads = [self.reads[position] for position in ahead]
        return sum(map(len, reads)) > len(frozenset().union(*reads))

    def _meets(self, after: Sequence[frozenset[int]]) -> bool:
        """Walk all pairs of readings that are in one loop, from where they are together until they are so again."""
        ahead = [self._reached(position) for position in range(len(after))]
        seen = {(position, position) for position, reached in enumerate(ahead) if position in reached}
        todo, done = list(seen), set()
        while todo:
            here = todo.pop()
            apart = here[0] != here[1]
            if (next_ones := (after[here[0]], after[here[1]], apart)) in done:
                continue
            done.add(next_ones)
            for one, other in self._steps(after[here[0]], after[here[1]]):
                if one == other and apart:
                    return True
                if (one, other) not in seen and one in ahead[other] and other in ahead[one]:
                    seen.add((one, other))
                    todo.append((one, other))
        return False

    def _reached(self, start: int) -> set[int]:
        reached: set[int] = set()
        todo = [start]
        while todo:
            fresh = self.after[todo.pop()] - reached
            reached |= fresh
            todo += fresh
        return reached

    def _steps(self, left: Iterable[int], right: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Where two readings can both go by one character."""
        for one, other in product(left, right):
            if not self.reads[one].isdisjoint(self.reads[other]):
                yield min(one, other), max(one, other)

    def _choice(self, at: int) -> tuple[Part, int]:
        whole, at = self._sequence(at)
        while at < len(self._tokens) and self._tokens[at][0] == "either":
            other, at = self._sequence(at + 1)
            whole = Part(whole.empty or other.empty, whole.first | other.first, whole.last | other.last)
        return whole, at

    def _sequence(self, at: int) -> tuple[Part, int]:
        whole = Part()
        while at < len(self._tokens) and self._tokens[at][0] not in ("either", "close"):
            part, at = self._repeated(at)
            whole = self._join(whole, part)
        return whole, at

    def _repeated(self, at: int) -> tuple[Part, int]:
        """One piece with the repetition behind it."""
        begin = len(self.reads)
        part, end = self._piece(at)
        if end == len(self._tokens) or self._tokens[end][0] != "repeat":
            return part, end
        low, high = _times(self._tokens[end][1])
        self._doubtful |= part.empty and (high is None or high > 1)
        exact = _FIXED if self._tokens[at][0] == "one" and low == high else _WRITTEN_OUT
        if high is not None and high <= exact:
            return self._written_out(part, at, low, high), end + 1
        self._follow(part.last, part.first)
        self.loops.append((range(begin, len(self.reads)), high))
        return Part(part.empty or low == 0, part.first, part.last), end + 1

    def _written_out(self, part: Part, at: int, low: int, high: int) -> Part:
        whole = Part()
        for turn in range(high):
            again = part if turn == 0 else self._piece(at)[0]
            whole = self._join(whole, Part(again.empty or turn >= low, again.first, again.last))
        return whole

    def _piece(self, at: int) -> tuple[Part, int]:
        kind, text = self._tokens[at]
        if kind == "open":
            part, end = self._choice(at + 1)
            return part, end + 1
        if kind == "at":
            return Part(), at + 1
        if len(self.reads) == MOST_POSITIONS:
            raise OverflowError
        self.reads.append(self._characters(text))
        self.after.append(set())
        here = frozenset({len(self.after) - 1})
        return Part(empty=False, first=here, last=here), at + 1

    def _join(self, left: Part, right: Part) -> Part:
        self._follow(left.last, right.first)
        return Part(
            left.empty and right.empty,
            left.first | right.first if left.empty else left.first,
            left.last | right.last if right.empty else right.last,
        )

    def _follow(self, ends: Iterable[int], begins: frozenset[int]) -> None:
        """What can follow in two ways, as in `(a+)+`, is doubtful."""
        for end in ends:
            self._doubtful |= not self.after[end].isdisjoint(begins)
            self.after[end] |= begins

    def _characters(self, text: str) -> frozenset[str]:
        """Which of the characters that matter it reads."""
        one = re.compile(_CATEGORY.sub(self._listed, text), re.ASCII)
        return frozenset(char for char in self.samples if one.fullmatch(char))

    def _listed(self, category: re.Match[str]) -> str:
        """The characters that matter of a Unicode category, which Python's expressions do not know."""
        wanted = category[1] == "p"
        chars = (char for char in self.samples if unicodedata.category(char).startswith(category[2]) == wanted)
        listed = "".join(map(re.escape, chars)) or "\0"
        return listed if category.string.startswith("[") else f"[{listed}]"


def _shared(sets: Sequence[set[int]]) -> list[frozenset[int]]:
    """The sets, equal ones being one object, which makes them quick to compare."""
    known: dict[frozenset[int], frozenset[int]] = {}
    return [known.setdefault(frozen, frozen) for frozen in map(frozenset, sets)]


def _around(char: str) -> Iterator[str]:
    yield from (chr(code) for code in range(max(ord(char) - 1, 0), min(ord(char) + 1, 0x10FFFF) + 1))


def _times(text: str) -> tuple[int, int | None]:
    """How often at least and at most; None without end."""
    text = text[:-1] if len(text) > 1 and text.endswith("?") else text
    if text in "*+?":
        return int(text == "+"), 1 if text == "?" else None
    low, comma, high = text.strip("{}").partition(",")
    return int(low), int(high) if high else None if comma else int(low)


_MOST_LOOKED_AT = 100_000

Chain = tuple[float, int]
"""The product of the lengths of the loops that hand over to each other, and how many they are."""


@dataclass(frozen=True, slots=True)
class _Loop:
    """Positions that reach each other, and how often a text of the length goes round at most."""

    inside: frozenset[int]
    often: float


class Backtracking:
    """`OverflowError` where the expression is too large to be looked through."""

    def __init__(self, automaton: Automaton, *, held: bool, open_end: bool) -> None:
        """`held` at the start by `^`; with an `open_end` it matches as soon as its last position has read."""
        # What is matched at once never goes back.
        done = automaton.whole.last if open_end else frozenset[int]()
        self._read = list(automaton.reads)
        self._after = [frozenset(ahead - done) for ahead in automaton.after]
        self._bounds = automaton.loops
        self._looked = 0
        if not held:
            self._read.append(automaton.samples)
            self._after.append(frozenset(automaton.whole.first - done | {len(self._after)}))

    def steps(self, length: int) -> float:
        """About how many steps the worst text of this length takes."""
        loops = self._loops(length)
        longest: list[Chain] = []
        for index, loop in enumerate(loops):
            chains = [(loop.often, 1)]
            for one, (size, count) in zip(loops[:index], longest, strict=True):
                if self._leads(one, loop):
                    chains.append((size * loop.often, count + 1) if self._hands_over(one, loop) else (size, count))
            longest.append(max(chains, key=_steps))
        return max(map(_steps, longest), default=float(length))

    def _loops(self, length: int) -> list[_Loop]:
        """Each before those that it leads to."""
        found = {
            frozenset(other for other in reached if position in self._reached[other])
            for position, reached in enumerate(self._reached)
            if position in reached
        }
        loops = [_Loop(inside, min(length, self._bound(inside))) for inside in found]
        return sorted(loops, key=lambda loop: -len(self._reached[min(loop.inside)]))

    def _bound(self, inside: frozenset[int]) -> float:
        """How long a text the loop can read, where it is counted: `[a-z]{5,40}`."""
        around = [most for places, most in self._bounds if inside <= set(places)]
        return prod((float("inf") if most is None else most for most in around or [None]), start=float(len(inside)))

    @cached_property
    def _reached(self) -> list[set[int]]:
        """The positions that can follow each, sooner or later."""
        return [self._walk(position) for position in range(len(self._after))]

    def _walk(self, start: int) -> set[int]:
        reached: set[int] = set()
        todo = [start]
        while todo:
            fresh = self._after[todo.pop()] - reached
            reached |= fresh
            todo += fresh
        return reached

    def _leads(self, one: _Loop, other: _Loop) -> bool:
        return not other.inside.isdisjoint(self._reached[min(one.inside)])

    def _hands_over(self, one: _Loop, other: _Loop) -> bool:
        """Whether some text leads round the one, from the one to the other, and round the other."""
        return any(self._meets(p, q, one, other) for p in one.inside for q in other.inside)

    def _meets(self, p: int, q: int, one: _Loop, other: _Loop) -> bool:
        between = {at for at in range(len(self._after)) if q in self._reached[at] or at == q}
        seen, todo = {(p, p, q)}, [(p, p, q)]
        while todo:
            for step in self._together(todo.pop(), one, other, between):
                if step == (p, q, q):
                    return True
                if step not in seen:
                    seen.add(step)
                    todo.append(step)
                    self._looked += 1
                    if self._looked > _MOST_LOOKED_AT:
                        raise OverflowError
        return False

    def _together(
        self, at: tuple[int, int, int], one: _Loop, other: _Loop, between: set[int]
    ) -> Iterator[tuple[int, int, int]]:
        """Where three readings can go by one character: round the one, between them, round the other."""
        for first in self._after[at[0]] & one.inside:
            for third in self._after[at[2]] & other.inside:
                both = self._read[first] & self._read[third]
                for second in self._after[at[1]] & between if both else ():
                    if not both.isdisjoint(self._read[second]):
                        yield first, second, third


def _steps(chain: Chain) -> float:
    size, count = chain
    return size / factorial(count)
