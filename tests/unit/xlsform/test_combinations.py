"""Forms with any combination of types, parameters and columns are imported, exported or refused, but never fail."""

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from unit.xlsform.odk import find_errors, is_valid, needs_java, run_java, to_xform
from unit.xlsform.workbooks import workbook

from formwright.core.errors import Invalid
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.xlsform.choice_files import ChoiceSource
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_opened, open_xlsform

TYPES = [
    "text", "integer", "decimal", "range", "note", "geopoint", "geotrace", "geoshape", "date", "time", "dateTime",
    "image", "audio", "video", "file", "barcode", "acknowledge", "trigger", "calculate", "hidden", "today", "start",
    "end", "deviceid", "username", "email", "phonenumber", "simserial", "subscriberid", "audit", "start-geopoint",
    "background-audio", "background-geopoint", "osm", "csv-external", "xml-external", "select_one yn", "range", "range",
    "select_one yn or_other", "select_multiple towns", "select_multiple towns or_other", "select_one towns",
    "rank towns", "select_one numbers", "select_multiple numbers", "select_one ${k}", "select_multiple ${k}",
    "select_one_from_file towns.csv", "select_multiple_from_file towns.csv", "select_one_from_file places.geojson",
    "select_one_from_file places.xml", "select_one_external cities", "select_one formwright_boolean", "begin group",
    "begin repeat", "begin loop over yn",
]  # fmt: skip
EXPRESSIONS = [
    "", "yes", "no", "TRUE", "true()", "false()", "1", "-1.5", "'a'", "${n} > 1", "${m} = 'y'", "${a}", "${k}", ". > 1",
    "selected(., 'y')", "${m} = ${a}", "count-selected(.) >= 2", "once(${n})", "once(random())", "position(..)",
    "pulldata('towns', 'land', 'name', ${a})", "count(${r})", "instance('yn')/root/item[name = ${m}]/label",
    "${last-saved#a}", "indexed-repeat(${k}, ${r}, 1)", "jr:choice-name(${m}, '${m}')", "regex(., '[a-z]{2,}')",
    "string-length(.) < 9", ". >= ${n} and . <= 9", "concat(${a}, '\u20ac')", "now() + 1", "today()", "2020-01-01",
    "if(${n} > 1, 'a', 2)", "sum(${k})", "12:30:00.000+01:00", "10 20", "10 20 0 0; 11 21 0 0", "x" * 300, "'it'",
]  # fmt: skip
FILTERS = [
    "",
    "name = ${m}",
    "land = ${m}",
    "land = ${a} and name != 'x'",
    "land != ''",
    "selected(${m}, land)",
    "true()",
]
DEFAULTS = [*EXPRESSIONS, "y", "it's", "02", "y n", "unlisted", "a.png", "3"]
PARAMETERS = {
    "range": [
        "start=0 end=10 step=1", "start=5 end=1 step=-1", "start=1 end=9 step=0.5", "start=1 end=5 step=1", "end=7",
        "start=0 end=10 step=1 tick_labelset=yn_ticks", "start=2 end=8 step=2 tick_interval=2 placeholder=4",
        "start=0 end=4 step=1 tick_labelset=yn_ticks",
    ],
    "select_one": ["randomize=true", "randomize=true seed=3", "randomize=true seed=${n}", "value=land label=name"],
    "text": ["rows=4"], "image": ["max-pixels=640"], "audio": ["quality=low"], "background-audio": ["quality=low"],
    "geopoint": ["capture-accuracy=5 warning-accuracy=9", "reference-geometry=towns", "reference-geometry=${r}"],
    "audit": ["location-priority=balanced location-min-interval=60 location-max-age=120", "track-changes=true"],
}  # fmt: skip
APPEARANCES = [
    "", "multiline", "numbers", "minimal", "likert", "label", "list-nolabel", "list", "field-list", "table-list",
    "field-list table-list", "signature", "annotate", "draw", "rating", "nps no-ticks", "quick", "w1 columns-2", "map",
    "placement-map", "bearing", "month-year",
]  # fmt: skip
TEXTS = ["", "Text", "Text ${a}", "**bold** <span style='color:red'>x</span>", "=1+1", "{{a}}", "${m} ${k}"]
COLUMNS = {
    **dict.fromkeys((
        "required", "read_only", "relevant", "constraint", "calculation", "repeat_count", "instance_name",
    ), EXPRESSIONS),
    **dict.fromkeys((
        "label", "label::English (en)", "label::French (fr)", "hint", "guidance_hint", "required_message",
        "constraint_message", "a note",
    ), TEXTS),
    **dict.fromkeys(("image", "media::audio", "big-image"), ("", "a.png", "${a}")),
    "trigger": ["", "${a}", "${n}, ${m}"], "choice_filter": FILTERS, "default": DEFAULTS, "appearance": APPEARANCES,
    "disabled": ["", "no", "yes"], "autoplay": ["", "audio"], "body::accept": ["", ".pdf"],
    "bind::odk:length": ["", "9"],
    "save_to": ["", "height"], "intent": ["", "a.b.c"], "hxl": ["", "#geo"], "rows": ["", "3"],
    "name": ["meta", "data", "a-b", "a.b", "\u00fc", "name", "_", "x" * 90, "if", "size", "yn", "towns", "q.1"],
}  # fmt: skip
WRONG = {
    "type": [
        "end group", "end repeat", "end loop", "", "unheard of", "add text prompt", "q picture", "form_title",
        "number of days in last year", "select_one yn yn", "select_one missing", "osm tags", "rank",
        "begin loop over x",
    ],
    "name": ["a", "m", "r", "1a", "", "a b", "\u20ac", "a"],
    "parameters": ["start=a end=b", "value=missing", "tick_labelset=missing", "=", "a=b;c=d", "start=1 end=1 step=9"],
    **dict.fromkeys((
        "relevant", "constraint", "calculation", "default", "choice_filter", "trigger", "label", "repeat_count",
    ), (
        "${missing}", "))((", "'", "${", "${}", "../a", "./x = 'y'", "a b", "unknown()", "name = ", "${r}", "-",
    )),
    "appearance": ["search('towns')", "${a}", "label list-nolabel"], "image": ["../x", "a" * 300],
}  # fmt: skip
CHOICES = [
    ["list_name", "name", "label", "label::French (fr)", "land", "points", "image"],
    *([name, value, f"{name} {value}", value, land, points, ""]
      for name in ("yn", "towns")
      for value, land, points in (("y", "de", "1"), ("n", "fr", "x"), ("it's", "", ""), ("other_one", "fr", "2.5"))),
    ["towns", "y", "towns y", "y", "it", "", ""],
    ["towns", "y", "Another", "", "fr", "", ""],
    *(["numbers", number, number, "", "", number, f"{number}.png"] for number in ("1", "02", "3.50", "-4")),
    *(["yn_ticks", number, f"T{number}", "", "", "", ""] for number in "0124"),
]  # fmt: skip
WRONG_CHOICES = [
    ["", "lost", "Lost", "", "", "", ""],
    ["yn", "", "Nameless", "", "", "", ""],
    ["towns", "a b"] + [""] * 5,
]
EXTERNAL = [["list_name", "name", "label", "land"], ["cities", "c", "C", "de"], ["cities", "c", "D", "fr"]]
FIRST = [
    {"type": "text", "name": "a", "label": "A"},
    {"type": "integer", "name": "n", "label": "N"},
    {"type": "select_one yn", "name": "m", "label": "M"},
    {"type": "begin repeat", "name": "r", "label": "R"},
    {"type": "integer", "name": "k", "label": "K"},
    {"type": "end repeat"},
]
SOURCES = {
    name: ChoiceSource(f"dat_{number:026d}", key, ("name", "id", "label", "title", "land"), name)
    for number, (name, key) in enumerate(
        [("towns.csv", "name"), ("places.geojson", "id"), ("places.xml", "name"), ("cities", "name")], start=1
    )
}


def draw_rows(chance: random.Random, *, is_wrong: bool) -> Iterator[dict[str, str]]:
    """Yield up to six rows."""
    opened: list[str] = []
    for number in range(chance.randint(1, 6)):
        row = {"type": chance.choice(TYPES), "name": f"q{number}", "label": f"Q {number}"}
        for column in chance.sample(sorted(COLUMNS), chance.randint(0, 6)):
            row[column] = chance.choice(COLUMNS[column])
        if chance.random() < 0.7 and (given := PARAMETERS.get(row["type"].split()[0])):
            row["parameters"] = chance.choice(given)
        for column in chance.sample(sorted(WRONG), is_wrong * chance.randint(0, 2)):
            row[column] = chance.choice(WRONG[column])
        if row["type"] == "audit":
            row["name"] = "audit"
        yield row
        if row["type"].startswith("begin "):
            opened.append(row["type"].split()[1])
            yield {"type": "text", "name": f"t{number}", "label": "T"}
    while opened:
        yield {"type": f"end {opened.pop()}"}


def draw_form(seed: int) -> bytes:
    """Return a form. Every third one has mistakes."""
    chance = random.Random(seed)
    is_wrong = seed % 3 == 0
    rows = [*FIRST, *draw_rows(chance, is_wrong=is_wrong)]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    settings = {
        "form_title": "F",
        "instance_name": chance.choice([*EXPRESSIONS, "${n}"]),
        "style": chance.choice(["", "pages", "theme-grid"]),
        "clean_text_values": chance.choice(["", "no"]),
        "allow_choice_duplicates": "yes",
    }
    book = {
        "survey": [columns, *([row.get(column, "") for column in columns] for row in rows)],
        "choices": [*CHOICES, *(WRONG_CHOICES if seed % 9 == 0 else ())],
        "external_choices": EXTERNAL,
        "settings": [list(settings), list(settings.values())],
    }
    if chance.random() < 0.2 or "save_to" in columns:
        book["entities"] = [["list_name", "label"], ["trees", "${a}"]]
    return workbook(book)


def round_trip(content: bytes) -> bytes | None:
    """Return the export of an imported form, or None if the import refuses it. Both may fail in no other way."""
    try:
        opened = open_xlsform(content)
        sources = {name: source for name, source in SOURCES.items() if name in opened.choice_files}
        found = import_opened(opened, "form.xlsx", sources)
    except Invalid:
        return None
    by_id = {source.id: source for source in sources.values()}
    return export_xlsform(found.name, Definition(found.definition_fields, found.settings), found.form_id, by_id)[0]


def test_no_combination_fails(read_in_this_process: None) -> None:
    taken = [seed for seed in range(80) if round_trip(draw_form(seed)) is not None]
    assert len(taken) > 20


@pytest.mark.slow
@needs_java
def test_exports_mean_what_the_forms_mean_in_javarosa(tmp_path: Path, read_in_this_process: None) -> None:
    """Both forms have the same values after the same answers, apart from what the reports say."""
    forms = dict[str, tuple[bytes, bytes]]()
    for seed in range(1, 600):
        content = draw_form(seed)
        # JavaRosa alone has no function pulldata().
        if is_valid(content) and "pulldata(" not in to_xform(content) and (exported := faithful_export(content)):
            forms[str(seed)] = content, exported
    originals = {name: content for name, (content, _) in forms.items()}
    valid = [name for name, errors in find_errors(tmp_path, originals).items() if not errors]
    assert len(valid) > 25
    lines = []
    for name in valid:
        for kind, content in zip("ab", forms[name], strict=True):
            path = tmp_path / f"{name}.{kind}.xml"
            path.write_text(to_xform(content), encoding="utf-8")
            lines += ["\t".join([str(path), *answers]) for answers in ANSWERS]
    values = [without_clock(line) for line in run_java(tmp_path, "Filler", "\n".join(lines) + "\n")]
    assert len(values) == len(lines)
    count = len(ANSWERS)
    compared, different = 0, {}
    for place, name in enumerate(valid):
        first = 2 * count * place
        for before, after in zip(values[first : first + count], values[first + count : first + 2 * count], strict=True):
            compared += "failed" not in before
            if before != after and "failed" not in before:
                different[name] = sorted(set(before.items()) ^ set(after.items()))
    assert compared > 60
    assert different == {}


ANSWERS = [
    ["a", "x", "n", "5", "m", "y", "r/0/k", "3", "r/1/k", "4"],
    ["a", "it", "n", "0", "m", "it's", "r/0/k", "1"],
    ["n", "-2", "m", "n"],
    ["r/0/k", ""],
]
"""Answers to the questions that all forms have."""
_CONVERTED = ("default_invalid", "default_later", "metadata", "or_other", "range", "renamed")


def faithful_export(content: bytes) -> bytes | None:
    """Return the export of a form if neither report names anything that other systems would compute differently."""
    opened = open_xlsform(content)
    try:
        found = import_opened(opened, "", {name: one for name, one in SOURCES.items() if name in opened.choice_files})
    except Invalid:
        return None
    sources = {source.id: source for source in SOURCES.values()}
    exported, notes = export_xlsform(found.name, Definition(found.definition_fields, found.settings), "f", sources)
    losses = [note for note in (*found.report, *notes) if note.effect in ("questions", "rules")]
    changes = [note for note in (*found.report, *notes) if note.code.removeprefix("xlsform.") in _CONVERTED]
    return None if losses or changes else exported


def without_clock(line: str) -> dict[str, str]:
    """Return the values by path, without those that no two fillings share."""
    cells = line.split("\t")[:-1]
    values = {path: _CLOCK.sub("now", value) for path, value in zip(cells[::2], cells[1::2], strict=True)}
    return {path: value for path, value in values.items() if "meta/" not in path and path != "instance_name"}


_CLOCK = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)?")


@pytest.mark.slow
@needs_java
def test_odk_accepts_the_exports_of_the_forms_that_it_accepts(tmp_path: Path, read_in_this_process: None) -> None:
    forms = {seed: draw_form(seed) for seed in range(100, 1100)}
    exports = {seed: exported for seed, content in forms.items() if (exported := round_trip(content)) is not None}
    assert len(exports) > 800
    originals = {str(seed): forms[seed] for seed in exports if is_valid(forms[seed])}
    assert [seed for seed in originals if not is_valid(exports[int(seed)])] == []
    valid = [name for name, errors in find_errors(tmp_path, originals).items() if not errors]
    assert len(valid) > 150
    errors = find_errors(tmp_path, {name: exports[int(name)] for name in valid})
    assert {name: text for name, text in errors.items() if text} == {}
