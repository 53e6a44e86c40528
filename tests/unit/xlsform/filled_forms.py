"""Fills in imported forms and their originals with the same answers, and compares what people see."""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from fixtures.node import NodeScript
from msgspec import UNSET
from unit.xlsform.random_forms import Author

from formwright.domain.forms.answers.error_messages import messages_for
from formwright.domain.forms.answers.errors import AnswerValidator
from formwright.domain.forms.fields.structure import AnyField, RepeatField, SectionField, walk_fields
from formwright.domain.forms.rules.costs import COSTS
from formwright.domain.forms.rules.program import compile_program
from formwright.domain.forms.xlsform.report import Note
from formwright.web.fill.rule_program import program

Path = tuple[str | int, ...]
Action = tuple[Path, str]
"""The path of a question with its answer as JavaRosa writes it, or of a row with `!row`."""
State = dict[tuple[str, str], Any]
"""What people see, by the path of the question and the aspect."""
NEW_ROW = "!row"
ANSWERS = {
    "text": ["a", "b c", "7", "02", "yes"],
    "int": ["-1", "0", "2", "3", "5", "12"],
    "decimal": ["-1.5", "0.5", "2.5", "10.0", "99.5"], "date": ["1999-12-31", "2026-03-29", "2050-01-01"],
    "moment": ["2010-05-04T10:00:00.000+00:00", "2050-01-01T00:00:00.000+00:00"],
    "time": ["08:00:00.000", "23:30:00.000"],
    "place": ["10.0 20.0 0.0 0.0", "-5.5 7.25 0.0 4.0"], "ok": ["OK"],
    "area": ["10.0 20.0 0.0 0.0;10.001 20.0 0.0 0.0;10.001 20.001 0.0 0.0;10.0 20.0 0.0 0.0"],
}  # fmt: skip
_OPTIONS = {"abc": ["a", "b", "c"], "num": ["1", "2", "10"], "padded": ["02", "2", "x"], "yn": ["yes", "no"],
            "towns": ["t1", "t2", "t3", "t4"]}  # fmt: skip
_COMPUTED = ("calculate", "hidden", "today", "note")


def write_actions(author: Author, form: str, actions: Sequence[Action]) -> str:
    """Return the line for the program `FormState`, with the groups around questions in their paths."""
    cells = [form]
    for path, text in actions:
        names = [step for step in path if isinstance(step, str)]
        whole, rows = [], dict(zip(path[::2], path[1::2], strict=False))
        for name in [*author.groups_around(names[-1]), names[-1]]:
            whole += [name, str(rows[name])] if name in rows else [name]
        cells += ["/".join(whole), text]
    return "\t".join(cells)


def draw_actions(author: Author, chance: random.Random) -> Iterator[Action]:
    """Yield the answers of a person, in the order of the questions, most of which are answered."""
    counts: dict[Path, int] = {}
    rows = {row["name"]: row for row in author.rows if "name" in row}
    for _, _, repeats in author.seen:
        for depth in range(1, len(repeats) + 1):
            for place in _places(repeats[: depth - 1], counts):
                path = (*place, repeats[depth - 1])
                if path not in counts:
                    fixed = rows[repeats[depth - 1]].get("repeat_count", "")
                    counts[path] = int(fixed) if fixed.isdecimal() else chance.randint(1, 3)
                    yield from (((*path, index), NEW_ROW) for index in range(counts[path]))
    for name, kind, repeats in author.seen:
        row = rows[name]
        if row["type"] in _COMPUTED or ("calculation" in row and "trigger" not in row):
            continue
        for place in _places(repeats, counts):
            if chance.random() < 0.8:
                yield (*place, name), _draw_answer(author, row, kind, chance)


def _places(repeats: Sequence[str], counts: Mapping[Path, int]) -> list[Path]:
    """Return the paths of all rows of these repeats, one in the other."""
    found: list[Path] = [()]
    for name in repeats:
        found = [(*place, name, index) for place in found for index in range(counts.get((*place, name), 0))]
    return found


def _draw_answer(author: Author, row: Mapping[str, str], kind: str, chance: random.Random) -> str:
    what, _, listed = row["type"].partition(" ")
    if what == "range":
        ends = dict(re.findall(r"(\w+)=(\S+)", row["parameters"])) or {"start": "1", "end": "10", "step": "1"}
        first, last, step = (float(ends[name]) for name in ("start", "end", "step"))
        value = min(first, last) + step * chance.randint(0, int(abs(last - first) / step))
        return str(value) if step % 1 else str(int(value))
    if listed:
        name = listed.split()[0]
        # pyxform adds the choice to the list, which other questions may have, too.
        options = [
            *_OPTIONS[name],
            *(["other"] if any(f"{name} or_other" in one["type"] for one in author.rows) else []),
        ]
        if what == "rank":
            return " ".join(chance.sample(options, len(options)))
        many = chance.randint(1, 3) if what == "select_multiple" else 1
        return " ".join(chance.sample(options, min(many, len(options))))
    return chance.choice(ANSWERS[kind])


def to_answer(kind: AnyField, text: str) -> Any:
    """Return an answer as the API has it."""
    match kind.__struct_config__.tag:
        case "integer" | "slider":
            return int(text)
        case "decimal":
            return float(text)
        case "boolean":
            return text == "OK"
        case "choices" | "ranking":
            return text.split(" ")
        case "time":
            return text[:8]
        case "datetime":
            return text[:16]
        case "location":
            return _to_point(text)
        case "area":
            return [_to_point(point) for point in text.split(";")]
    return text


def _to_point(text: str) -> dict[str, float]:
    latitude, longitude, _, accuracy = map(float, text.split())
    return {"latitude": latitude, "longitude": longitude, "accuracy": accuracy}


@dataclass(frozen=True, slots=True)
class ImportedFilling:
    """Fills in an imported form with the page's modules, and has the server check the answers."""

    fields: Sequence[AnyField]
    page: NodeScript
    device_time: str
    by_name: dict[str, AnyField] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.by_name.update({one.name: one for one in walk_fields(self.fields)})

    def fill(self, actions: Sequence[Action]) -> State:
        defaults = {
            name: one.default
            for name, one in self.by_name.items()
            if not one.hidden and getattr(one, "default", UNSET) is not UNSET
        }
        form = {
            "steps": program(self.fields), "costs": COSTS, "defaults": defaults,
            "deviceTime": self.device_time,
        }  # fmt: skip
        given = [
            (path, text if text == NEW_ROW else to_answer(self.by_name[str(path[-1])], text)) for path, text in actions
        ]
        found = self.page.ask([form, given])
        return dict(self._states(found["level"], ())) | self._check(found)

    def _check(self, found: Mapping[str, Any]) -> State:
        """Return the errors of answers. The server must find the same answers and errors as the page."""
        settled = compile_program(self.fields).evaluate(found["sent"], device_time=self.device_time)
        assert settled.answers == found["level"]["answers"]
        broken = [(list(path), what) for path, _, what in settled.violations]
        assert sorted(map(str, broken)) == sorted(str((path, what)) for path, what in found["broken"])
        errors = AnswerValidator(self.fields, messages_for("en")).find_errors(settled.answers, ())
        wrong = {error.pointer[1:] for error in errors if error.code != "value.required"}
        wrong |= {"/".join(map(str, path)) for path, what in broken if what == "rule"}
        # An error may be that of an item of an answer. Those of repeats are about the number of rows.
        paths = {re.sub(r"(/\d+)+$", "", path) for path in wrong}
        asked = {path for path in paths if not isinstance(self.by_name[path.rpartition("/")[2]], RepeatField)}
        return {(path, "constraint"): "broken" for path in asked}

    def _states(self, level: Mapping[str, Any], path: Path) -> Iterator[tuple[tuple[str, str], Any]]:
        for name in level["shown"]:
            one, here = self.by_name[name], "/".join(map(str, (*path, name)))
            if isinstance(one, RepeatField):
                if one.count_rule is not UNSET or one.min:
                    yield (here, "count"), level["counts"].get(name, one.min)
                for index, row in enumerate(level["rows"].get(name, [])):
                    yield from self._states(row, (*path, name, index))
            elif not isinstance(one, SectionField):
                yield from (((here, aspect), value) for aspect, value in self._state(one, level) if value is not None)

    @staticmethod
    def _state(one: AnyField, level: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        yield "shown", "yes"
        yield "value", level["answers"].get(one.name) if one.has_answer else None
        asks = one.calculate is UNSET and not one.hidden
        if (one.required and asks) or one.name in level["required"]:
            yield "required", "yes"
        if asks and one.has_answer and (one.read_only or one.name in level["readOnly"]):
            yield "readonly", "yes"
        if options := getattr(one, "options", ()):
            yield "choices", " ".join(sorted(level["offered"].get(one.name, [option.value for option in options])))


def read_state(line: str, asked: Mapping[str, AnyField]) -> State:
    """Return what people see in JavaRosa, for the fields that the imported form has. Groups are not part of a path."""
    cells = line.split("\t")[:-1]
    state: State = {}
    for key, value in zip(cells[::2], cells[1::2], strict=True):
        path, _, aspect = key.partition("!")
        steps = path.split("/")
        named = [
            step for at, step in enumerate(steps)
            if step.isdecimal() or at == len(steps) - 1 or steps[at + 1].isdecimal()
        ]  # fmt: skip
        one = asked.get(named[-1])
        if one is None or (aspect == "" and not one.has_answer):
            continue
        if aspect == "readonly" and (not one.has_answer or one.calculate is not UNSET or one.hidden):
            continue
        # A number of rows below 0 means none.
        state["/".join(named), aspect or "value"] = str(max(float(value), 0)) if aspect == "count" else value
    return state


@dataclass(frozen=True, slots=True)
class Comparison:
    """Finds differences that no note of the report announces, and that the reference does not name."""

    author: Author
    notes: Sequence[Note]

    def find_silent(self, ours: State, theirs: State) -> list[tuple[str, str, Any, Any]]:
        different = {
            key: (ours.get(key), theirs.get(key))
            for key in ours.keys() | theirs.keys()
            if not same(ours.get(key), theirs.get(key))
        }
        names = {path.rpartition("/")[2] for path, aspect in different if aspect in ("value", "shown")}
        found = []
        for (path, aspect), (mine, other) in sorted(different.items()):
            name = path.rpartition("/")[2]
            depends_on = self._dependencies(name)
            if not (names & depends_on - {name}) and not self._is_announced({name, *depends_on}):
                found.append((path, aspect, mine, other))
        return found

    def _is_announced(self, names: set[str]) -> bool:
        numbers = {at for at, row in enumerate(self.author.rows, start=2) if row.get("name") in names}
        return any(note.row in numbers and note.sheet == "survey" for note in self.notes) or any(
            pattern.search(text) for name in names for text in self._texts(name) for pattern in _DOCUMENTED
        )

    def _texts(self, name: str) -> list[str]:
        """Return the cells of a question, without what only people read."""
        row = next((row for row in self.author.rows if row.get("name") == name), None)
        if row is None:  # The text field of `or_other`, which depends on the choice.
            return [f"${{{name.removesuffix('_other')}}}"]
        return [text for column, text in row.items() if column not in ("label", "name")]

    def _dependencies(self, name: str) -> set[str]:
        """Return the names that an answer depends on, also by the groups around it."""
        found, waiting = set[str](), [name]
        while waiting:
            one = waiting.pop()
            around = self.author.groups_around(one)
            names = {*around, *re.findall(r"\$\{(\w+)\}", " ".join(self._texts(one)))} - found
            found |= names
            waiting += names
        return found


_DOCUMENTED = [re.compile(pattern) for pattern in (
    r"[<>]=? *'\d{4}-\d\d-\d\d'",  # A date is compared with a literal date.
    r"\bmax\(",  # Negative numbers.
    r"^time$",  # Times of day are equal.
    r"\bcount\(",  # All rows, also in a row.
    r"\b(area|distance)\(",  # On the ellipsoid of the Earth.
)]  # fmt: skip


def same(ours: Any, theirs: str | None) -> bool:
    """Whether an answer of the API is that of JavaRosa."""
    match ours:
        case None:
            return theirs in (None, "", "NaN")
        case bool():
            return theirs in (("OK", "true", "1") if ours else ("false", "0"))
        case int() | float():
            return theirs is not None and _is_close(theirs, ours)
        case [dict(), *_]:
            return theirs is not None and all(same(*pair) for pair in zip(ours, theirs.split(";"), strict=True))
        case list():
            return " ".join(ours) == theirs
        case dict():
            return theirs is not None and [*map(float, theirs.split())][:2] == [ours["latitude"], ours["longitude"]]
    if theirs is not None and re.fullmatch(r"\d{4}-\d\d-\d\d", ours):
        theirs = theirs.removesuffix(
            "T00:00:00.000Z"
        )  # JavaRosa stores a date that is calculated as the start of the day.
    return theirs is not None and _canonical(ours) == _canonical(theirs)


def _is_close(text: str, number: float) -> bool:
    try:
        return abs(float(text) - number) <= 1e-9 * max(1, abs(number))
    except ValueError:
        return False


def _canonical(text: str) -> str:
    """Return a text without what JavaRosa writes in another way: seconds, offsets and spaces."""
    moment = re.sub(r"^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$", r"\1", " ".join(text.split()))
    return re.sub(r"^(\d\d:\d\d:\d\d)\.\d+(Z|[+-]\d\d:\d\d)?$", r"\1", moment)
