"""How many steps a browser takes at most to match a regular expression that does not explode, by the text's length.

Two loops of which one can hand over to the other anywhere in the same text, as in `\\s+\\s+$`, are tried for each
place: n²/2 steps; three such in a row n³/6 (the degree of polynomial ambiguity, Weber and Seidl 1991). An expression
that is not held at the start is tried from each place too, as if a loop that reads anything stood before it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import factorial, prod

from formwright.domain.forms.automaton import Automaton

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
