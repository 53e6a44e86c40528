"""The cost of rules, estimated before each evaluation from the sizes of the answers.

The CEL library can neither be interrupted nor limited in memory, so a rule that might need too much time or memory is
not evaluated. The estimate is an upper bound that depends on the rule and the sizes of the answers only, so the page
(`static/fill/rule_costs.js`) calculates the same number and stops at the same rule.

The unit is a step, which takes the C++ implementation about 0.1 µs.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import Any

from formwright.domain.forms.fields.patterns import pattern_size
from formwright.domain.forms.rules import functions
from formwright.domain.forms.rules.syntax import Node

RULE_STEPS = 1_000_000
"""The limit for one evaluation of a rule."""
SUBMISSION_STEPS = 5_000_000
"""The limit for all rules of a submission."""
ITERATIONS = 9_999
"""The limit for the iterations of all loops in an evaluation. The C++ implementation fails at 10,000."""

_EVALUATION = 50
_READ_PER_STEP, _WRITTEN_PER_STEP = 100, 10
"""Characters that are read, and characters that are written to a new text, in one step."""
_STEPS_PER_MATCH, _MATCHED_PER_STEP = 50, 6
"""Steps for a call of `matches`, and characters × parts of the pattern that RE2 compares in one step at worst."""
_STEPS_PER_INPUT = 3
"""Steps to convert an item into a value of the library."""
_COPIED_PER_STEP = 5
"""Items, squared, that `map` and `filter` copy in one step: the C++ implementation copies the list for each item."""
_MAX_CONVERTED_LENGTH = 40
"""The longest text that `string()` returns for a number or a time."""
_STEPS_PER_OWN_CALL, _STEPS_PER_NUMBER = 20, 3
"""Steps to call a function in Python, and to pass it a number of a list."""
_STEPS_PER_POINT = 80
"""Steps for a point of a distance or an area."""
_DATE_LENGTH, _DIGEST_LENGTH = 10, 128
COSTS = {
    "RULE_STEPS": RULE_STEPS,
    "SUBMISSION_STEPS": SUBMISSION_STEPS,
    "ITERATIONS": ITERATIONS,
    "EVALUATION": _EVALUATION,
    "READ_PER_STEP": _READ_PER_STEP,
    "WRITTEN_PER_STEP": _WRITTEN_PER_STEP,
    "STEPS_PER_MATCH": _STEPS_PER_MATCH,
    "MATCHED_PER_STEP": _MATCHED_PER_STEP,
    "STEPS_PER_INPUT": _STEPS_PER_INPUT,
    "COPIED_PER_STEP": _COPIED_PER_STEP,
    "MAX_CONVERTED_LENGTH": _MAX_CONVERTED_LENGTH,
    "STEPS_PER_OWN_CALL": _STEPS_PER_OWN_CALL,
    "STEPS_PER_NUMBER": _STEPS_PER_NUMBER,
    "STEPS_PER_POINT": _STEPS_PER_POINT,
    "DATE_LENGTH": _DATE_LENGTH,
    "DIGEST_LENGTH": _DIGEST_LENGTH,
}
"""What the page takes over, so that it counts the same steps."""
_LOOPS = frozenset({"all", "exists", "exists_one", "map", "filter"})


_OWN = functions.FUNCTIONS | functions.METHODS


class OverBudgetError(Exception):
    """Evaluating a rule might take more steps than allowed."""


@dataclass(frozen=True, slots=True)
class Size:
    """An upper bound for a value of any type.

    `text` is the number of characters of a text, `count` the number of items of a list or map, `key` the longest key of
    a map, and `item` a bound for all items. The type of a value does not matter: a number is a text without characters.
    One bound for all items keeps bounds as small as values are deep, however a rule nests them.
    """

    text: int = 0
    count: int = 0
    item: "Size | None" = None
    key: int = 0

    def weight(self) -> int:
        """Return the steps to read the whole value once."""
        inside = self.count * (1 + self.key // _READ_PER_STEP + self.item_bound().weight()) if self.count else 0
        return self.text // _READ_PER_STEP + inside

    def item_bound(self) -> "Size":
        return self.item or EMPTY


EMPTY = Size()
TYPICAL = Size(100, 10, Size(100, 10, Size(100), 64))
"""A text of 100 characters, a list of 10 items, or 10 rows with 10 answers each."""
HUGE = Size(10**7, 10**7, Size(10**7, 10**7, Size(10**7), 10**7))
"""Larger than any answer."""


def upper_bound(sizes: Iterable[Size]) -> Size:
    """Return an upper bound for all of these sizes."""
    return reduce(_larger, sizes, EMPTY)


def _larger(one: Size, other: Size) -> Size:
    if one is EMPTY or one is other:
        return other
    if other is EMPTY:
        return one
    item = _larger(one.item, other.item) if one.item and other.item else one.item or other.item
    return Size(max(one.text, other.text), max(one.count, other.count), item, max(one.key, other.key))


def measure(value: Any) -> Size:
    """Return the size of an answer as rules see it."""
    match value:
        case str():
            return Size(text=len(value))
        case list():
            return Size(count=len(value), item=upper_bound(map(measure, value)))
        case dict():
            key = max(map(len, value), default=0)
            return Size(count=len(value), item=upper_bound(map(measure, value.values())), key=key)
    return EMPTY


@dataclass(slots=True)
class Budget:
    """The remaining steps for the rules of a submission. Caches the sizes of lists, which many rules may read."""

    remaining: int = SUBMISSION_STEPS
    _measured: dict[int, tuple[Any, Size]] = field(default_factory=dict)

    def spend(self, steps: int) -> None:
        """Subtract steps. Raises `OverBudgetError` if fewer are left, or if a single rule may not take as many."""
        self.remaining -= steps
        if steps > RULE_STEPS or self.remaining < 0:
            raise OverBudgetError

    def input_steps(self, value: Any) -> int:
        """Return the steps to pass an answer to the library."""
        if isinstance(value, str):
            return len(value) // _READ_PER_STEP * _STEPS_PER_INPUT
        return self.measure(value).weight() * _STEPS_PER_INPUT if isinstance(value, list | dict) else 0

    def measure(self, value: Any) -> Size:
        if not isinstance(value, list | dict):
            return measure(value)
        # The value is stored with its size, so that it lives on and no other value can have its id.
        if id(value) not in self._measured:
            self._measured[id(value)] = value, measure(value)
        return self._measured[id(value)][1]


def estimate_steps(tree: Node, sizes: Mapping[str, Size]) -> int:
    """Return the steps of an evaluation without passing the answers. Raises `OverBudgetError` above the limit."""
    estimate = _Estimate(sizes)
    estimate.charge(_EVALUATION)
    result = estimate.visit(tree, {})
    estimate.charge(_WRITTEN_PER_STEP * result.weight())
    return estimate.steps


class _Estimate:
    """Walks the syntax tree. The body of a loop is visited once, and its steps are multiplied by the iterations."""

    def __init__(self, sizes: Mapping[str, Size]) -> None:
        self.steps = 0
        self._sizes = sizes
        self._times = 1
        self._iterations = 0

    def charge(self, steps: int) -> None:
        self.steps += steps * self._times
        if self.steps > RULE_STEPS:
            raise OverBudgetError

    # The page charges the same steps (`static/fill/rule_costs.js`), so that it refuses what the server refuses.
    def visit(self, node: Node, local: Mapping[str, Size]) -> Size:
        self.charge(1)
        match node.op:
            case "value":
                return EMPTY
            case "string":
                return Size(text=len(node.text))
            case "name":
                return local.get(node.text) or self._sizes.get(node.text, EMPTY)
            case "method" if node.text in _LOOPS:
                return self._loop(node, local)
        found = [self.visit(one, local) for one in node.args]
        match node.op:
            case "!-":
                self.charge(len(node.text) - 1)
                return EMPTY
            case "&&" | "||":
                self.charge(len(found) - 2)
                return EMPTY
            case "select" | "index":
                return found[0].item_bound()
            case "list":
                self.charge(len(found))
                return Size(count=len(found), item=upper_bound(found))
            case "map":
                self.charge(len(found))
                return Size(count=len(found) // 2, item=upper_bound(found[1::2]), key=upper_bound(found[::2]).text)
            case "?:":
                return upper_bound(found[1:])
            case "+":
                return self._sum(*found)
            case "method" if node.text == "matches":
                self.charge(_STEPS_PER_MATCH + found[0].text * pattern_size(node.args[1].text) // _MATCHED_PER_STEP)
                return EMPTY
            case "call" | "method":
                return self._call(node.text, *found)
        return self._operator(node.op, *found)

    def _sum(self, one: Size, other: Size) -> Size:
        item = upper_bound([one.item_bound(), other.item_bound()])
        whole = Size(one.text + other.text, one.count + other.count, item)
        self.charge(whole.text // _WRITTEN_PER_STEP + whole.count)
        return whole

    def _call(self, name: str, on: Size, *args: Size) -> Size:
        length = args[0].text if args else 0
        if name in _OWN:
            self.charge(_STEPS_PER_OWN_CALL)
            return self._own_call(name, on, *args)
        match name:
            case "contains":
                self.charge(on.text * max(length, 1) // _READ_PER_STEP)
            case "startsWith" | "endsWith":
                self.charge(min(on.text, length) // _READ_PER_STEP)
            case "string":
                self.charge(on.text // _WRITTEN_PER_STEP)
                return Size(text=max(on.text, _MAX_CONVERTED_LENGTH))
            case _:
                self.charge(on.text // _READ_PER_STEP)
        return EMPTY

    def _own_call(self, name: str, on: Size, *args: Size) -> Size:
        match name:
            case "sum" | "min" | "max":
                self.charge(on.count * _STEPS_PER_NUMBER)
                return EMPTY
            case "distance" | "perimeter" | "area":
                self.charge(on.count * _STEPS_PER_POINT)
                return EMPTY
            case "join":
                made = on.count * (on.item_bound().text + args[0].text)
                self.charge(on.count + made // _WRITTEN_PER_STEP)
                return Size(text=made)
            case "words":
                self.charge(on.text // _WRITTEN_PER_STEP + on.text // 2)
                # The most words are single characters with a space between them.
                return Size(count=(on.text + 1) // 2, item=Size(text=on.text))
            case "replace":
                # At worst, every character is replaced.
                made = on.text * max(args[1].text, 1)
                self.charge((on.text + made) // _WRITTEN_PER_STEP)
                return Size(text=made)
            case "digest":
                self.charge(on.text // _WRITTEN_PER_STEP)
                return Size(text=_DIGEST_LENGTH)
            case "addDays" | "addMonths":
                self.charge(on.text // _READ_PER_STEP)
                return Size(text=_DATE_LENGTH)
            case "indexOf":
                self.charge(on.text * max(args[0].text, 1) // _READ_PER_STEP)
                return EMPTY
            case _ if name in functions.METHODS:
                self.charge((on.text + sum(one.text for one in args)) // _WRITTEN_PER_STEP)
                return Size(text=on.text)
        self.charge((on.text + sum(one.text for one in args)) // _READ_PER_STEP)
        return EMPTY

    def _operator(self, op: str, one: Size, other: Size = EMPTY) -> Size:
        if op in ("==", "!="):
            self.charge(min(one.weight(), other.weight()))
        elif op in ("<", "<=", ">", ">="):
            self.charge(min(one.text, other.text) // _READ_PER_STEP)
        elif op == "in":
            self.charge(
                other.count * (1 + min(one.weight(), max(other.key // _READ_PER_STEP, other.item_bound().weight())))
            )
        return EMPTY

    def _loop(self, node: Node, local: Mapping[str, Size]) -> Size:
        through, variable, *bodies = node.args
        whole = self.visit(through, local)
        # A loop over a map iterates over its keys.
        turns, each = whole.count, upper_bound([whole.item_bound(), Size(text=whole.key)])
        before = self._times
        self._times *= turns
        self._iterations += self._times
        if self._iterations > ITERATIONS:
            raise OverBudgetError
        found = [self.visit(body, {**local, variable.text: each}) for body in bodies]
        self._times = before
        if node.text not in ("map", "filter"):
            return EMPTY
        self.charge(turns * turns // _COPIED_PER_STEP)
        return Size(count=turns, item=found[-1] if node.text == "map" else each)
