"""Random forms that pyxform and JavaRosa accept: all types of questions, with rules about each other's answers."""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from unit.xlsform.workbooks import workbook

CHOICES = [
    ["list_name", "name", "label", "land", "size"],
    ["abc", "a", "A", "", "1"], ["abc", "b", "B", "", "2"], ["abc", "c", "C", "", "30"],
    *(["num", number, f"No. {number}", "", ""] for number in ("1", "2", "10")),
    *(["padded", number, f"No. {number}", "", ""] for number in ("02", "2", "x")),
    ["towns", "t1", "T1", "a", "1"], ["towns", "t2", "T2", "b", "2"], ["towns", "t3", "T3", "b", "10"],
    ["towns", "t4", "T4", "c", "2.5"], ["yn", "yes", "Yes", "", ""], ["yn", "no", "No", "", ""],
]  # fmt: skip
TYPES = {
    "text": "text", "barcode": "text", "integer": "int", "decimal": "decimal", "range": "int", "date": "date",
    "dateTime": "moment", "time": "time", "geopoint": "place", "geoshape": "area", "acknowledge": "ok", "note": "note",
    "select_one abc": "choice", "select_one num": "number", "select_one padded": "number", "select_one yn": "choice",
    "select_one towns": "choice", "select_multiple abc": "choices", "select_multiple towns": "choices",
    "rank abc": "choices", "select_one abc or_other": "choice", "select_multiple abc or_other": "choices",
    "calculate": "any", "hidden": "text", "today": "date",
}  # fmt: skip
"""Question types with the kind of their answers in expressions."""
WEIGHTS = {
    "integer": 5,
    "text": 4,
    "calculate": 6,
    "decimal": 2,
    "select_one abc": 3,
    "select_multiple abc": 3,
    "date": 3,
}
PARAMETERS = ["", "start=0 end=10 step=1", "start=1 end=5 step=2", "start=-4 end=4 step=2", "start=10 end=0 step=1"]
PARAMETERS += ["start=0 end=1 step=0.25"]
CONSTANTS = {
    "text": ["a", "it is", "7", "02"], "int": ["3", "-2", "0"], "decimal": ["1.5", "2"], "date": ["2026-03-29"],
    "place": ["10 20 0 0"],
    "choice": ["a", "t2", "yes", "unlisted"], "number": ["2", "1", "02"], "choices": ["a", "a b", "t1", "unlisted"],
}  # fmt: skip
CONDITIONS = {
    "int": ["{} > 2", "{} <= ${{n}}", "{} = 3", "{} != ''", "not({} > 1)", "{} mod 2 = 0", "{}", "{} + 1 > ${{n}} * 2"],
    "decimal": ["{} > 1.5", "{} < ${{n}}", "round({}) = 2", "int({}) >= 1", "{} != ''", "not({} = 2.5)"],
    "text": ["{} = 'a'", "{} != ''", "{} = ''", "string-length({}) > 1", "contains({}, 'a')", "regex({}, '[a-z]+')",
             "starts-with({}, '0')", "{} != 'x'", "not({} = 'a')", "coalesce({}, 'none') = 'none'", "{} > 3"],
    "choice": ["{} = 'a'", "selected({}, 'b')", "{} != 'yes'", "not(selected({}, 'a'))", "{} = ''", "{} = ${{c}}",
               "selected(${{m}}, {})"],
    "number": ["{} > 1", "{} = 2", "{} = '02'", "{} != 2", "selected({}, '2')", "{} + 1 > ${{n}}"],
    "choices": ["selected({}, 'a')", "count-selected({}) > 1", "{} != ''", "not(selected({}, 'b'))", "{} = 'a b'",
                "selected({}, ${{c}})", "count-selected({}) <= ${{n}}"],
    "date": ["{} > today()", "{} <= today() - 30", "{} = ${{day}}", "{} + 7 > ${{day}}", "{} != ''",
             "format-date({}, '%Y') = '2026'", "{} < ${{day}}"],
    "moment": ["{} < now()", "{} > ${{day}}", "{} != ''"],
    "time": ["{} != ''"], "place": ["{} != ''"], "area": ["area({}) > 1", "{} = ''"], "ok": ["{} = 'OK'", "{} != ''"],
    "any": ["{} = 'yes'", "{} != ''", "{} > 2", "string-length({}) > 2", "not({} = '')", "{} = ${{n}}"],
    "note": ["true()"],
}  # fmt: skip
VALUES = {
    "int": ["{} + 1", "{} * ${{n}}", "{} div 2", "if({} > 2, 'yes', 'no')", "concat({}, '-')", "coalesce({}, 0) + 1",
            "max({}, ${{n}})", "{}", "if({} > 1, {}, '')", "string({})", "pow({}, 2)", "{} - ${{n}}"],
    "decimal": ["round({}, 1)", "{} * 2", "int({})", "if({} > 1.5, {}, 0)", "concat({}, ' kg')", "{}"],
    "text": ["concat({}, '!')", "{}", "string-length({})", "if({} = '', 'none', {})", "substr({}, 0, 2)", "number({})",
             "normalize-space({})", "coalesce({}, ${{t}})", "translate({}, 'abc', 'xyz')", "{} + 1"],
    "choice": ["{}", "jr:choice-name({0}, '{0}')", "concat({}, '-', ${{t}})", "if({} = 'a', 1, 2)", "string({})"],
    "number": ["{} * 2", "{}", "if({} = 2, 'two', 'other')", "sum({}, ${{n}})"],
    "choices": ["{}", "count-selected({})", "selected-at({}, 0)", "join(', ', {})", "if(selected({}, 'a'), 'A', '')"],
    "date": ["{}", "{} + 7", "format-date({}, '%d.%m.%Y')", "today() - {}", "int((today() - {}) div 365.25)",
             "date({})", "decimal-date-time({})", "concat({}, '')"],
    "moment": ["{}", "format-date-time({}, '%Y-%m-%d %H:%M')", "date({})", "decimal-date-time({})"],
    "time": ["{}"], "place": ["{}", "distance({})"], "area": ["round(area({}), 2)"],
    "ok": ["{}", "if({} = 'OK', 1, 0)"],
    "any": ["{}", "concat({}, '/')", "{} + 1", "if({} = 'yes', 1, 0)", "string-length({})", "number({})"],
    "note": ["1"],
}  # fmt: skip
DEFAULTS = {
    "text": ["concat(${t}, '!')", "${c}"],
    "int": ["${n}", "1 + 2"],
    "decimal": ["${n} * 2"],
    "date": ["today()"],
}
OVER_ROWS = ["count(${{{r}}})", "sum(${{{k}}})", "max(${{{k}}})", "min(${{{k}}})", "join(',', ${{{k}}})",
             "count(${{{k}}})", "count-non-empty(${{{k}}})", "indexed-repeat(${{{k}}}, ${{{r}}}, 1)",
             "concat(${{{k}}})"]  # fmt: skip
IN_ROWS = ["position(..)", "count(${{{r}}})", "indexed-repeat(${{{k}}}, ${{{r}}}, position(..) - 1)", "sum(${{{k}}})"]
OWN = {
    "int": [". > 0", ". >= -2 and . <= 9", ". < ${n}", ". != 3", ". > 0 or . = -1", "not(. = 2)"],
    "decimal": [". >= 0.5", ". <= ${n}", ". < 99.5"],
    "text": ["string-length(.) < 3", "regex(., '[a-z ]+')", ". != ${t}"],
    "choice": [". != 'a'", ". != ${c}"], "number": [". > 1", ". != '02'"],
    "choices": ["count-selected(.) <= 2", "not(selected(., 'a') and count-selected(.) > 1)",
                "count-selected(.) >= ${n}"],
    "date": [". <= today()", ". > ${day}", ". >= '2010-01-01'", ". > date('2010-01-01')"],
    "moment": [". <= now()"],
    "area": ["area(.) > 5"],
}  # fmt: skip
FILTERS = ["land = ${c}", "selected(${m}, land)", "land != ${c}", "size > ${n}", "name != ${t}", "land = 'b'",
           "land = ${c} and size < 5", "true()", "land = ${c} or ${n} > 2"]  # fmt: skip
FIRST = [("text", "t"), ("integer", "n"), ("select_one abc", "c"), ("select_multiple abc", "m"), ("date", "day")]


@dataclass(slots=True)
class Author:
    """Writes a form. `seen` are the questions so far, with their kinds and the repeats around them."""

    chance: random.Random
    seen: list[tuple[str, str, tuple[str, ...]]] = field(default_factory=list)
    repeats: list[str] = field(default_factory=list)
    rows: list[dict[str, str]] = field(default_factory=list)

    def write(self) -> None:
        for kind, name in FIRST:
            self._add(kind, name, {})
        open_groups: list[str] = []
        for number in range(self.chance.randint(5, 14)):
            if self.chance.random() < 0.15 and len(open_groups) < 3:
                open_groups.append(self._open(f"g{number}"))
                self._add("integer", f"k{number}", {})
            elif open_groups and self.chance.random() < 0.2:
                self._close(open_groups.pop())
            else:
                self._question(f"q{number}")
        while open_groups:
            self._close(open_groups.pop())
        for number in range(2):
            self._question(f"z{number}")

    def groups_around(self, name: str) -> list[str]:
        """Return the groups and repeats around a question or group, the outermost first."""
        around: list[str] = []
        for row in self.rows:
            if row.get("name") == name.removesuffix("_other"):
                return around
            if row["type"].startswith("begin"):
                around = [*around, row["name"]]
            elif row["type"].startswith("end"):
                around = around[:-1]
        return []

    def _open(self, name: str) -> str:
        what = self.chance.choice(["group", "repeat"])
        cells = {"relevant": self._condition()} if self.chance.random() < 0.4 else {}
        if what == "repeat":
            if self.chance.random() < 0.4:
                cells["repeat_count"] = self.chance.choice(["2", "${n}", "count-selected(${m})", "${n} + 1"])
            self.repeats.append(name)
        self.rows.append({"type": f"begin {what}", "name": name, "label": name, **cells})
        return what

    def _close(self, what: str) -> None:
        self.rows.append({"type": f"end {what}"})
        if what == "repeat":
            self.repeats.pop()

    def _add(self, kind: str, name: str, cells: Mapping[str, str]) -> None:
        self.rows.append({"type": kind, "name": name, "label": name.upper(), **cells})
        self.seen.append((name, TYPES[kind], tuple(self.repeats)))

    def _question(self, name: str) -> None:
        kind = self.chance.choices(list(TYPES), [WEIGHTS.get(one, 1) for one in TYPES])[0]
        self._add(kind, name, dict(self._cells(kind, TYPES[kind])))

    def _cells(self, kind: str, answer: str) -> Iterator[tuple[str, str]]:
        some = self.chance.random
        if kind == "range":
            yield "parameters", self.chance.choice(PARAMETERS)
        if some() < 0.35:
            yield "relevant", self._condition()
        if kind == "calculate":
            yield "calculation", self._value()
            if some() < 0.15:
                yield "trigger", f"${{{self._asked()}}}"
            return
        if kind in ("hidden", "today", "note"):
            if kind == "hidden":
                yield "default", "h"
            return
        if some() < 0.4:
            yield "required", self.chance.choice(["yes", "no", "true()", self._condition()])
        if some() < 0.15:
            yield "read_only", self.chance.choice(["no", self._condition()])
        if some() < 0.5 and answer in OWN:
            yield "constraint", self.chance.choice(OWN[answer])
        if "towns" in kind and some() < 0.8:
            yield "choice_filter", self.chance.choice(FILTERS)
        yield from self._computed(answer)

    def _computed(self, answer: str) -> Iterator[tuple[str, str]]:
        some = self.chance.random()
        if some < 0.12 and answer in CONSTANTS:
            yield "default", self.chance.choice(CONSTANTS[answer])
        elif some < 0.2 and answer in DEFAULTS:
            yield "default", self.chance.choice(DEFAULTS[answer])
        elif some < 0.32 and answer in ("text", "int", "decimal", "date", "choice"):
            yield "calculation", self._value()
            if self.chance.random() < 0.5:
                yield "trigger", f"${{{self._asked()}}}"
        elif some < 0.36:
            yield "trigger", f"${{{self._asked()}}}"

    def _visible(self) -> tuple[str, str]:
        """Return a question that rules see from here, most often a late one, and its kind."""
        around = tuple(self.repeats)
        found = [(name, kind) for name, kind, of in self.seen if of == around[: len(of)] and kind != "note"]
        return self.chance.choice(found[-6:] if self.chance.random() < 0.6 else found)

    def _asked(self) -> str:
        """Return a question that people see and that rules see from here."""
        around = tuple(self.repeats)
        computed = {row["name"] for row in self.rows if row["type"] in ("calculate", "hidden", "today")}
        found = [name for name, kind, of in self.seen if of == around[: len(of)] and name not in computed]
        return self.chance.choice(found)

    def _condition(self, depth: int = 0) -> str:
        name, kind = self._visible()
        first = self.chance.choice(CONDITIONS[kind]).replace("{}", "{0}").format(f"${{{name}}}")
        if depth < 2 and self.chance.random() < 0.25:
            return f"{first} {self.chance.choice(['and', 'or'])} {self._condition(depth + 1)}"
        return first

    def _value(self) -> str:
        if self.chance.random() < 0.25 and (found := self._of_rows()):
            return found
        if self.chance.random() < 0.2:
            return f"if({self._condition(1)}, {self._simple()}, {self._simple()})"
        return self._simple()

    def _simple(self) -> str:
        name, kind = self._visible()
        return self.chance.choice(VALUES[kind]).replace("{}", "{0}").format(f"${{{name}}}")

    def _of_rows(self) -> str | None:
        around = tuple(self.repeats)
        inside = [
            (name, of) for name, kind, of in self.seen if of and kind == "int" and of[:-1] == around[: len(of) - 1]
        ]
        if not inside:
            return None
        name, of = self.chance.choice(inside)
        is_own = of == around[: len(of)]
        return self.chance.choice(IN_ROWS if is_own else OVER_ROWS).format(k=name, r=of[-1])


def draw_author(seed: int) -> Author:
    """Return a random form, the same one for each seed."""
    author = Author(random.Random(seed))
    author.write()
    return author


def to_workbook(author: Author) -> bytes:
    columns = list(dict.fromkeys(column for row in author.rows for column in row))
    return workbook(
        {
            "survey": [columns, *([row.get(column, "") for column in columns] for row in author.rows)],
            "choices": CHOICES,
            "settings": [["form_title", "form_id"], ["Random", "random"]],
        }
    )
