"""Which keys of very many came twice, in eight bytes a key."""

from array import array
from collections import Counter
from collections.abc import Collection

_PARTS = 256


class Keys:
    """Keys by their hashes. Which ones came twice is known after `settle`; whoever needs it earlier says which."""

    def __init__(self, twice: Collection[int] = ()) -> None:
        self.twice: set[int] = set()
        self.count = 0
        self._suspects = frozenset(twice)
        self._seen: set[int] = set()
        self._parts = [array("q") for _ in range(_PARTS)]

    def has(self, key: int) -> bool:
        """Whether it is one of the suspects and came before."""
        return key in self._seen

    def add(self, key: int) -> None:
        if key in self._suspects:
            self._seen.add(key)
        self._parts[key % _PARTS].append(key)
        self.count += 1

    def settle(self) -> int:
        """How many different ones there are. Only those of one part are looked at together."""
        for place, part in enumerate(self._parts):
            once = set(part)
            if len(once) < len(part):
                self.twice |= {key for key, times in Counter(part).items() if times > 1}
                self._parts[place] = array("q", once)
        self.count = sum(map(len, self._parts))
        return self.count
