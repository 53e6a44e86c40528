"""Imported expressions mean what they mean in JavaRosa, the reference implementation of ODK, with random answers.

JavaRosa is part of the validator that pyxform ships. The test is skipped without Java.
"""

import random
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from unit.xlsform.odk import needs_java, run_java, to_xform
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.rules.device_time import device_time_at
from formwright.domain.forms.rules.program import compile_program
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_xlsform

pytestmark = needs_java

CHOICES = [
    ["list_name", "name", "label", "size", "points"],
    ["abc", "a", "A", "1", "2"],
    ["abc", "b", "B", "", ""],
    ["abc", "c", "C", "3", "-0.5"],
    *(["num", number, f"No. {number}", "", ""] for number in ("1", "2", "10")),
    *(["padded", number, f"No. {number}", "", ""] for number in ("02", "2", "10", "x")),
]
QUESTIONS = [
    ("integer", "n"), ("integer", "k"), ("decimal", "d"), ("text", "t"), ("select_one abc", "c"),
    ("select_multiple abc", "m"), ("select_one num", "q"), ("date", "day"), ("date", "until"),
    ("dateTime", "moment"), ("dateTime", "later"), ("select_one padded", "z"), ("text", "many"),
    ("geopoint", "home"), ("geopoint", "site"), ("geoshape", "plot"), ("time", "hour"),
]  # fmt: skip
VALUES: dict[str, list[Any]] = {
    "n": [-3, 0, 1, 2, 17],
    "k": [-1, 1, 2, 5],
    "d": [-1.5, 0.25, 2.5, 3.75, 10.0],
    "t": ["a", " b  c ", "x-y/z", "Grüße", "7"],
    "c": ["a", "b", "c"],
    "q": ["1", "2", "10"],
    "m": [["a"], ["a", "b"], ["b", "c"]],
    "day": ["1988-02-29", "2001-12-31", "2026-03-29", "2050-01-01"],
    "until": ["1999-01-01", "2026-03-29", "2040-02-29"],
    "moment": ["2026-03-29T03:00:00.000Z", "2001-12-31T23:30:00.000Z"],
    "later": ["2026-03-29T05:30:00.000Z", "2002-01-01T00:30:00.000Z"],
    "z": ["02", "2", "10", "x"],
    "hour": ["00:00:00.000Z", "10:30:00.000Z", "23:59:30.000Z"],
    "many": ["b", "a  b ", "1,5", " 7 ", "1e5", "5.", "c a", "-2.5", "x"],
}
CONDITIONS = [
    "${n} > 1 and ${k} < 3", "${n} = 2 or ${t} = 'a'", "not(${n} > 1)", "${t} != 'a'",
    "${c} = 'a' or selected(${m}, 'b')",
    "not(selected(${m}, 'a'))", "count-selected(${m}) > 1", "string-length(${t}) > 3", "${day} < today()",
    "${day} <= now()", "${until} > ${day}", "${day} = ${until}", "(today() - ${day}) > 9000",
    "${day} > date('2001-01-01')",
    "int((today() - ${day}) div 365.25) >= 18", "decimal-date-time(${until}) - decimal-date-time(${day}) > 365",
    "regex(${t}, '[a-z]+')", "contains(${t}, 'b') and starts-with(${t}, ' ')", "${d} * 2 > ${n} + 1", "${n} mod 2 = 1",
    "date(${day} + 7) > ${until}", "coalesce(${t}, 'none') = 'none'", "${t} = ''", "${n} != '' and ${n} != 2",
    "coalesce(${n}, 'x') = 2", "${c} = if(${n} > 1, 'a', -1)", "if(${d} > 1, ${n}, 'x') != 2",
    "coalesce(${c}, -1) != 'a'",
    "${q} > 2", "${q} = 2", "${q} = ${n} + 1", "not(${q} <= 2)",
    "boolean-from-string(${t})", "boolean-from-string(${q})",
    "sum(instance('abc')/root/item[name = ${c}]/points) > 1",
    "not(sum(instance('abc')/root/item[selected(${m}, name)]/points) >= 1.5)",
    "${day} >= today() - 30", "${day} + 7 > ${until}", "${until} < today() - 365", "7 + ${day} <= ${until} - ${k}",
    "${day} < today() - 365.25 * 18", "${day} + 1 = ${until}", "${day} = ${moment}", "date(${moment}) = ${day}",
    "${moment} < ${later}", "${moment} = ${later}", "${moment} > today() - 9000", "${moment} < now()", "${day} > 20000",
    "decimal-date-time(${day}) > 20000", "decimal-date-time(${later}) - decimal-date-time(${moment}) < 0.1",
    "${z} = 2", "${z} != 2", "not(${z} > 2)", "${z} = '02'", "${z} = 02", "${n} = ${k}", "${n} != ${k}",
    "${n} = ${many}",
    "not(${many} > 2)", "${many} != 7", "${many} + 1 > 2", "int(${many}) = 1", "selected(${many}, 'a')",
    "not(selected(${many}, 'b'))", "selected(${m}, ${c})", "selected(${c}, ${c})", "selected(${m}, '')",
    "${m} = 'a'", "${m} = 'a b'", "${m} != 'a b'", "${m} = ${c}", "${m} != ${c}", "${m} = ${many}", "${m} != 1",
    "regex(${many}, '[\\w-\\.]+')", "regex(${m}, '[a-b ]+')", "${c} = a",
    "${c} = b or ${t} = 'a'", "contains(${m}, 'b')",
    "abs(${many})", "not(round(${z}))", "${n} = ${n}", "${t} != ${t}",
    "count-selected(${many}) > 1", "string-length(${m}) > 1", "count(${n}) = 1", "count-non-empty(${n}) > 0",
    "${n} = 'NaN'", "${n} != 'many'", "not(${d} = 'NaN')", "${n} < 'many'", "'just text'", "''", "concat(${t}, ${n})",
    "normalize-space(${t})", "boolean(concat(${c}, ''))", "no", "not(FALSE)", "yes or ${n} > 1", "${day} + 1",
    "${n} > 1 or.5 > ${d}", "${n} < 0 or(${k} > 1)", "${n} > 0 and'x'", "5 div${k} > 1", "${d} mod 2 = 0.5",
    "string-length(${home}) > 0", "string-length(${plot}) = 0", "regex(${t}, '[a-z/\\-]{5}+')",
    "regex(${many}, '[a-z]++')",
    "selected(concat(${t}, ' b'), 'b')", "not(selected(concat(${many}, ''), 'a'))",
    "selected('a b', 'b')", "selected(concat(${m}, ''), ' b ')", "selected-at(${m}, 0) != 'a'",
    "not(selected-at(${many}, 1) = 'b')", "selected-at(${t}, ${k}) != selected-at(${many}, 0)",
    "selected-at(${many}, 0) != '7' and count-selected(${many}) > 0", "(${t} != '') != 'x'", "(${n} > 1) = ''",
    "${t} + ' ' = 'a '", "${t} + 'x' != 3", "position(..) = 1", "coalesce(${n} = 1, ${k}) = 1",
    "coalesce(if(selected(${m}, 'a'), ${n}, 0), 1) > 1", "decimal-time(${hour}) > 0.4",
    "(selected(${m}, 'a') or ${n} > 1) > 0", "(${t} = 'a') < ${k}", "or ${c} or ${n} = 2",
    "${n} > 0 and and ${t} = 'a'",
    "regex(${t}, '[:digit:]+')", "regex(${t}, '[[a-z]0-9]+')", "not(regex(${many}, '[:bx]'))",
    "${n} > 1 or and ${t} = ''", "${n} > 1 and not ${t} = ''", "div div ${n} = ''",
]  # fmt: skip
NUMBERS = [
    "round(15 div sqrt(cos(atan(${d} div 100))), 2)", "sin(${n})", "tan(${d})", "asin(${d} div 20)",
    "acos(${n} div 20)",
    "atan2(${n}, ${d})", "exp(${d})", "log(${k})", "log10(${q})", "pi() * ${d}", "${d} mod 0.75", "${n} mod 365.25",
    "(${n} > 1) + (${t} = 'a')", "number(${n} = 1) * 3", "selected-at(${home}, 0) + 1", "0 - selected-at(${home}, 1)",
    "round(number(selected-at(${home}, 3)), 1)",
    "${q} + 1", "${q} * ${d}", "(${q} + ${n}) div 2",
    "round(${d}, 1)", "int(${d})", "abs(${n})", "abs(${d})", "pow(${n}, 2)", "min(${n}, ${k})", "max(${n}, ${d}, 3)",
    "${n} div 4", "${d} - ${k}", "until_days", "if(${n} > 1, 5, '')", "if(${t} = 'a', '', ${n})", "string-length(${t})",
    "sum(instance('abc')/root/item[name = ${c}]/points)",
    "2 * sum(instance('abc')/root/item[selected(${m}, name)]/points)",
    "round(${d})", "round(0 - ${d} * 0.1, 1)", "area(${plot})", "enclosed-area(${plot})",
    "distance(${plot})", "distance(${home}, ${site})",
    "decimal-date-time(${day})", "decimal-date-time(${moment})", "${day} + 7", "${day} - ${n}", "${moment} + 1",
    "number(${day})", "int(${moment})", "${later} - ${moment}", "${many} + 1", "${many} * ${n}", "${z} + 1",
    "${z} * ${d}",
    "number(${many})", "round(${many}, 1)", "count-selected(${many})", "count-selected(${c})",
    "count-selected(' a b ')", "count(${t})",
    f"{''.join(f'if(${{n}} = {place}, {place // 20}, ' for place in range(45))}9{')' * 45}",
    "coalesce(if(${n} = 2, 0, ${n}), 0) + coalesce(if(${k} = -1, 0, ${k}), 0)", "coalesce(${n} + ${k}, 7)",
    "coalesce(round(${d}), ${n})", "coalesce(coalesce(${n}, ${k}), 5)", "coalesce(number(${many}), ${n})",
    "coalesce('', ${n})", "coalesce(count-selected(${m}), 0)", "sum(${n})", "sum(${many}) + 1",
    "max(${q})", "min(${many})", "min(${n}, ${many})", "max(${q}, ${k} + 9)", "round(${n}, -1)", "round(${d} * 7, -1)",
    "round(${n} * 99, -2)",
    "exp10(${k})", "exp10(${d} div 4)", "decimal-time(${hour})", "decimal-time(${moment}) * 24", "${t} + ' '",
    "decimal-date-time(${later}) - decimal-date-time(${day})", "if(${n} > 1, ${day} + 1, 7)",
    "sum(instance('abc')/root/item[name = ${c}]/points) + sum(instance('abc')/root/item[selected(${m}, name)]/points)",
]  # fmt: skip
TEXTS = [
    "format-date(${day}, '%a, %b %e')", "concat(format-date(${until}, '%b'), '!')", "selected-at('a b c', ${k})",
    "coalesce(concat(${t}, ''), 'none')", "coalesce(if(${n} > 1, 'b', ''), ${t})",
    "concat(${t}, '-', ${n})", "substr(${t}, 0, 2)", "normalize-space(${t})", "translate(${t}, '-/', '_')",
    "format-date(${day}, '%Y/%m/%d')", "format-date(${day}, '%e.%n.%y')", "if(${n} > 1, 'many', 'few')",
    "selected-at(${m}, 0)", "join(' ', ${t}, ${c})", "coalesce(${t}, 'none')",
    "jr:choice-name(${c}, '${c}')", "jr:choice-name(${m}, '${m}')", "jr:choice-name(selected-at(${m}, 0), '${m}')",
    "concat('(', jr:choice-name(${q}, '${q}'), ')')", "instance('abc')/root/item[name = ${t}]/label",
    "instance('num')/root/item[name = ${n} + 1]/label", "instance('num')/root/item[label = concat('No. ', ${n})]/name",
    "selected-at(${m}, ${k} - 1)", "selected-at(${many}, 1)", "selected-at(${many}, ${n})", "concat(${m}, '-', ${z})",
    "${m}", "${z}", "concat(${moment}, '!')", "substr(${moment}, 0, 7)", "concat(${day} + 1, '-')",
    "concat(${n} * 2, '-')",
    "concat(if(${n} > 1, ${n}, ''), '-')", "concat(coalesce(${n}, ''), '-')", "format-date(${day} + ${k}, '%Y/%m/%d')",
    "format-date(date(${day} - 1), '%d')", "concat(round(${d}), '-')", "string(${day} + 1)",
    "join('-', ${n}, ${m}, ${z})",
    "digest(${t}, 'SHA-256')", "digest(concat(${many}, ${n}), 'MD5', 'hex')", "digest(${c}, 'SHA-512', 'base64')",
    "${t} + ' ' + ${c}", "concat(${n} + 'x', '-')", "concat('<', selected-at(${m}, 1), '>')", "join('-', ${n})",
    "if(${n} < count-selected(${m}), selected-at(${m}, ${n} - 1), -1)", "coalesce(selected-at(${many}, 1), ${c})",
    "substring-before(${t}, '-')", "substring-after(${t}, '-')", "substring-before(${many}, ${c})",
    "substring-after(concat(${m}, ' '), ' ')",
    "concat(substring-after(${t}, ''), '|', substring-after(${t}, ${c}), '!')",
    "translate(${t}, ' b-/', '-c ')", "translate(${many}, concat('ab', ${c}), ' .a')", "translate(${t}, 'aab', 'xy')",
    "substr(${t}, -3)", "substr(${t}, 0, -2)", "substr(${t}, -20, -1)", "substr(${t}, ${k})",
    "substr(${t}, ${n}, ${k})", "format-date-time(${moment}, '%d/%H')",
    "substr(${t}, ${d})", "substr(${t}, ${many})", "format-date-time(${moment}, '%H:%M:%S.%3')",
    "format-date-time(${day}, '%Y-%m-%dT%H:%M:%S.%3%%')", "format-date-time(${hour}, '%h:%M:%S.%3')",
    "concat('<', selected-at('x y', ${n} - 1), '>')", "coalesce(if(${n} > 1, ${t}, ''), ${c})",
    "instance('abc')/root/item[name = ${c}]/label", "concat('-', instance('abc')/root/item[name=${c}]/size)",
    "concat('<', jr:choice-name(${t}, '${t}'), '>')", "concat('-', ${n} > 1)", "string(selected(${m}, 'a'))",
    "concat(if(${n} > 1, true(), 'no'), '-', not(${t} = 'a'))",
]  # fmt: skip
EXPRESSIONS = {
    **{f"q{place}": f"if({text}, 'yes', 'no')" for place, text in enumerate(CONDITIONS)},
    **{f"v{place}": text.replace("until_days", "${until} - ${day}") for place, text in enumerate(NUMBERS)},
    **{f"w{place}": text for place, text in enumerate(TEXTS)},
}


def build() -> bytes:
    rows = [[kind, name, name.upper(), ""] for kind, name in QUESTIONS]
    rows += [["calculate", name, "", text] for name, text in EXPRESSIONS.items()]
    return survey(*rows, columns="type name label calculation", choices=CHOICES)


def fill_with_javarosa(folder: Path, content: bytes, fillings: list[dict[str, Any]]) -> list[dict[str, str]]:
    """Return all values of the form after each filling, as JavaRosa writes them."""
    form = folder / "form.xml"
    form.write_text(to_xform(content), encoding="utf-8")
    lines = "\n".join("\t".join(f"{name}\t{written(value)}" for name, value in one.items()) for one in fillings)
    found = [line.split("\t")[:-1] for line in run_java(folder, "Filler", f"{lines}\n", str(form))]
    return [dict(zip(cells[::2], cells[1::2], strict=True)) for cells in found]


def draw_fillings(count: int, *, seed: int) -> list[dict[str, Any]]:
    """Draw answers, some of them missing."""
    chance = random.Random(seed)
    return [
        {name: chance.choice(values) for name, values in VALUES.items() if chance.random() < 0.8} for _ in range(count)
    ]


def written(value: Any) -> str:
    if isinstance(value, dict):
        return f"{value['latitude']} {value['longitude']} 0 0"
    if isinstance(value, list) and isinstance(value[0], dict):
        return ";".join(map(written, value))
    return " ".join(value) if isinstance(value, list) else str(value)


def same(ours: Any, theirs: str | None) -> bool:
    if ours is None or theirs is None:
        return ours is None and theirs in (None, "", "NaN")
    if isinstance(ours, int | float) and not isinstance(ours, bool):
        return abs(float(theirs) - ours) < 1e-9
    return str(ours) == theirs


@pytest.mark.slow
def test_expressions_mean_what_they_mean_in_javarosa(tmp_path: Path) -> None:
    content = build()
    found = import_xlsform(content)
    assert not [note.detail for note in found.report if note.code == "xlsform.rule_left_out"]
    program = compile_program(found.definition_fields)
    fillings = draw_fillings(60, seed=7)
    now = device_time_at(int(datetime.now(UTC).timestamp() * 1000))
    differences: dict[str, list[Any]] = {}
    for sent, theirs in zip(fillings, fill_with_javarosa(tmp_path, content, fillings), strict=True):
        ours = program.evaluate(sent, device_time=now).answers
        for name, text in EXPRESSIONS.items():
            if not same(ours.get(name), theirs.get(name)):
                used = {one: value for one, value in sent.items() if f"{{{one}}}" in text}
                differences.setdefault(text, []).append((used, ours.get(name), theirs.get(name)))
    assert differences == {}


@pytest.mark.slow
def test_exported_expressions_mean_the_same(tmp_path: Path) -> None:
    found = import_xlsform(build())
    content, notes = export_xlsform("Again", Definition(found.definition_fields, found.settings))
    assert not [note.detail for note in notes if note.code == "xlsform.rule_left_out"]
    program = compile_program(found.definition_fields)
    fillings = draw_fillings(40, seed=11)
    now = device_time_at(int(datetime.now(UTC).timestamp() * 1000))
    for sent, theirs in zip(fillings, fill_with_javarosa(tmp_path, content, fillings), strict=True):
        ours = program.evaluate(sent, device_time=now).answers
        assert [name for name in EXPRESSIONS if not same(ours.get(name), theirs.get(name))] == []


ORDERS = [
    ["integer", "most", "Most", "", ""],
    ["text", "picks", "Picks", "", ""],
    ["begin repeat", "orders", "Orders", "", ""],
    ["text", "shop", "Shop", "", ""],
    ["begin group", "group", "Group", "", ""],
    ["note", "note", "Note", "", ""],
    ["end group", "", "", "", ""],
    ["calculate", "code", "", "concat(${shop}, position(..))", ""],
    ["begin repeat", "items", "Items", "", ""],
    ["integer", "price", "Price", "", ""],
    ["calculate", "place", "", "concat(position(../..), '.', position(..), '/', ${shop})", ""],
    ["select_multiple abc", "tags", "Tags", "", ""],
    ["integer", "late", "Late", "", "position(..) > 1 and ${price} > ${most}"],
    ["calculate", "twice", "", "${price} * 2 + position(..)", "${late} != ''"],
    ["calculate", "rows_here", "", "count(${items})", ""],
    ["calculate", "orders_around", "", "count(${shop}) + count(${group})", ""],
    ["calculate", "before", "", "indexed-repeat(${price}, ${items}, position(..) - 1)", ""],
    ["calculate", "number", "", "position(..)", ""],
    ["calculate", "before_again", "", "concat('-', indexed-repeat(${price}, ${items}, ${number} - 1))", ""],
    ["calculate", "start", "", "indexed-repeat(${price}, ${items}, 1)", ""],
    ["integer", "rise", "Rise", "", "indexed-repeat(${price}, ${items}, position(..) - 1) < ${price}"],
    ["end repeat", "", "", "", ""],
    ["calculate", "total", "", "sum(${price})", ""],
    ["calculate", "all_tags", "", "join('|', ${tags})", ""],
    ["calculate", "first_again", "", "${items}[1 = position()]/price", ""],
    ["calculate", "third", "", "${items}[position() = 3]/price", ""],
    ["calculate", "asked", "", "count(${price})", ""],
    ["calculate", "priced", "", "count-non-empty(${price})", ""],
    ["calculate", "chosen", "", "selected-at(${picks}, position(..) - 1)", ""],
    ["calculate", "shop_before", "", "indexed-repeat(${shop}, ${orders}, position(..) - 1)", ""],
    ["calculate", "greatest", "", "max(${price})", "count(${items}) > 1"],
    ["calculate", "first", "", "indexed-repeat(${price}, ${items}, 1)", ""],
    ["end repeat", "", "", "", ""],
    ["calculate", "sum_of_totals", "", "sum(${total})", ""],
    ["calculate", "places", "", "join(',', ${code})", ""],
    ["calculate", "second", "", "indexed-repeat(${shop}, ${orders}, 2)", ""],
    ["calculate", "second_again", "", "${orders}[position() = 2]/shop", ""],
    ["calculate", "halfway", "", "indexed-repeat(${shop}, ${orders}, int(${most} div 2.5))", "${most} > 2"],
    ["calculate", "picked", "", "indexed-repeat(${shop}, ${orders}, ${most} - 1)", ""],
    ["calculate", "picked_by_text", "", "indexed-repeat(${shop}, ${orders}, substr(${picks}, 0, 1))", ""],
    ["calculate", "picked_part", "", "concat('<', indexed-repeat(${shop}, ${orders}, ${most}), '>')", ""],
    ["calculate", "is_picked", "", "if(indexed-repeat(${shop}, ${orders}, ${most}) != 'a', 'yes', 'no')", ""],
    ["calculate", "is_none", "", "if(indexed-repeat(${shop}, ${orders}, 2) = '', 'none', 'some')", ""],
    ["calculate", "much", "", "if(max(${total}) > ${most}, 'much', 'little')", ""],
    ["calculate", "many", "", "count(${orders})", ""],
    ["calculate", "all_items", "", "count(${items})", ""],
    ["calculate", "all_asked", "", "count(${price})", ""],
    ["calculate", "all_priced", "", "count-non-empty(${price})", ""],
    ["calculate", "sum_of_all", "", "sum(${price})", ""],
    ["calculate", "shops", "", "join('-', ${shop})", ""],
    ["calculate", "all_shops", "", "concat(${shop})", ""],
    ["calculate", "named", "", "count-non-empty(${shop})", ""],
    ["calculate", "groups", "", "count(${group}) + count(${note}) * 10", ""],
]


def draw_orders(count: int, *, seed: int) -> list[dict[str, Any]]:
    """Draw rows of rows, some of whose answers are missing."""
    chance = random.Random(seed)

    def some(**given: Any) -> dict[str, Any]:
        return {name: value for name, value in given.items() if chance.random() < 0.8}

    def items() -> list[dict[str, Any]]:
        return [
            some(price=chance.randint(0, 9), tags=chance.choice([["a"], ["b", "c"]]), late=chance.randint(0, 3), rise=1)
            for _ in range(chance.randint(1, 3))
        ]

    return [
        some(most=chance.randint(0, 6), picks=chance.choice(["a b", "2  d e", "f"]))
        | {"orders": [some(shop=chance.choice("abc")) | {"items": items()} for _ in range(chance.randint(1, 3))]}
        for _ in range(count)
    ]


def flatten(answers: Any, path: str = "") -> dict[str, Any]:
    """Return all answers by their path, such as `orders/0/shop`."""
    members = answers.items() if isinstance(answers, dict) else enumerate(answers)
    found: dict[str, Any] = {}
    for name, value in members:
        is_inside = isinstance(value, dict) or (isinstance(value, list) and isinstance(value[0], dict))
        found |= flatten(value, f"{path}{name}/") if is_inside else {f"{path}{name}": value}
    return found


def list_rows(sent: dict[str, Any]) -> list[str]:
    """Return a path into each row, which creates it."""
    return [
        f"orders/{place}/items/{inner}/price"
        for place, order in enumerate(sent["orders"])
        for inner in range(len(order["items"]))
    ]


@pytest.mark.slow
def test_rules_of_rows_in_rows_mean_what_they_mean_in_javarosa(tmp_path: Path) -> None:
    content = survey(*ORDERS, columns="type name label calculation relevant", choices=CHOICES)
    found = import_xlsform(content)
    assert not [note.detail for note in found.report if note.code == "xlsform.rule_left_out"]
    assert export_xlsform("Again", Definition(found.definition_fields, found.settings))[1] == []
    program = compile_program(found.definition_fields)
    fillings = draw_orders(60, seed=3)
    rows = [dict.fromkeys(list_rows(sent), "") | flatten(sent) for sent in fillings]
    differences: dict[str, Any] = {}
    for sent, theirs in zip(fillings, fill_with_javarosa(tmp_path, content, rows), strict=True):
        ours = flatten(program.evaluate(sent).answers)
        theirs.pop("meta/instanceID")
        for path in ours.keys() | theirs.keys():
            found_here = ours.get(path)
            if not same(" ".join(found_here) if isinstance(found_here, list) else found_here, theirs.get(path)):
                differences[path.rpartition("/")[2]] = path, sent, ours.get(path), theirs.get(path)
    assert differences == {}
