"""Import of each question type and column of an XLSForm, or the note if it is left out."""

import io
from typing import Any

import msgspec
import pytest
from openpyxl import load_workbook
from unit.xlsform.odk import is_valid, to_xform
from unit.xlsform.workbooks import survey, workbook

from formwright.core.errors import Invalid
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.rules.compiler import cel_types, compile_rule
from formwright.domain.forms.rules.costs import Budget
from formwright.domain.forms.rules.dialect import FORBIDDEN_FIELD_NAMES
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import ImportedForm, import_xlsform
from formwright.domain.forms.xlsform.report import NoteEffect, NoteKind

YES_NO = [["list_name", "name", "label"], ["yn", "yes", "Yes"], ["yn", "no", "No"]]


def documents(found: ImportedForm) -> list[Any]:
    return msgspec.to_builtins(found.definition_fields)


def codes(found: ImportedForm) -> set[tuple[int | None, str]]:
    return {(note.row, note.code.removeprefix("xlsform.")) for note in found.report}


@pytest.mark.parametrize(
    ("type_", "kind"),
    [
        ("text", "text"),
        ("string", "text"),
        ("add text prompt", "text"),
        ("integer", "integer"),
        ("int", "integer"),
        ("decimal", "decimal"),
        ("note", "note"),
        ("geopoint", "location"),
        ("gps", "location"),
        ("geotrace", "line"),
        ("geoshape", "area"),
        ("date", "date"),
        ("time", "time"),
        ("dateTime", "datetime"),
        ("date time", "datetime"),
        ("image", "photo"),
        ("photo", "photo"),
        ("audio", "audio"),
        ("video", "video"),
        ("file", "file"),
        ("barcode", "barcode"),
        ("acknowledge", "boolean"),
        ("trigger", "boolean"),
        ("range", "slider"),
        ("select_one yn", "choice"),
        ("select one from yn", "choice"),
        ("select1 yn", "choice"),
        ("select_multiple yn", "choices"),
        ("select all that apply from yn", "choices"),
        ("rank yn", "ranking"),
    ],
)
def test_a_question_becomes_a_field(type_: str, kind: str) -> None:
    found = import_xlsform(survey([type_, "a", "A"], choices=YES_NO))
    assert [(d["type"], d["name"], d["label"]) for d in documents(found)] == [(kind, "a", "A")]


@pytest.mark.parametrize(
    ("type_", "code"),
    [
        ("background-audio", "metadata"),
        *((type_, "left_out") for type_ in ("select_one_external towns", "select_one_from_file towns.csv")),
        ("telepathy", "type_unknown"),
        ("select_one nowhere", "list_unknown"),
        *((type_, "list_unknown") for type_ in ("select_one", "select_multiple", "rank")),
        ("calculate", "calculation_missing"),
    ],
)
def test_unsupported_questions_are_reported(type_: str, code: str) -> None:
    found = import_xlsform(survey([type_, "a", "A"], ["text", "b", "B"], choices=YES_NO))
    assert [document["name"] for document in documents(found)] == ["b"]
    assert (2, code) in codes(found)


def test_a_form_without_usable_questions_is_rejected_with_all_reasons() -> None:
    with pytest.raises(Invalid) as caught:
        import_xlsform(survey(["telepathy", "a", "A"], ["select_one_external x", "b", "B"]))
    assert {("/survey/2/type", "xlsform.type_unknown"), ("/survey/3/type", "xlsform.left_out")} <= {
        (fault.pointer, fault.code) for fault in caught.value.faults
    }


@pytest.mark.parametrize(
    ("rows", "pointer", "code"),
    [
        ([["begin group", "g", "G"], ["text", "a", "A"]], "/survey/2/type", "xlsform.not_closed"),
        ([["text", "a", "A"], ["end group", "", ""]], "/survey/3/type", "xlsform.not_open"),
        ([["begin group", "g", "G"], ["end repeat", "", ""]], "/survey/3/type", "xlsform.not_open"),
        ([["begin group", f"g{n}", "G"] for n in range(10)], "/survey/11/type", "xlsform.too_deep"),
    ],
)
def test_groups_must_be_closed_in_order(rows: list[list[str]], pointer: str, code: str) -> None:
    with pytest.raises(Invalid) as caught:
        import_xlsform(survey(*rows))
    assert [(fault.pointer, fault.code) for fault in caught.value.faults] == [(pointer, code)]


def test_properties_of_questions() -> None:
    content = survey(
        ["text", "a", "A", "Say it", "yes", "yes", "", ""],
        ["integer", "b", "B", "", "true()", "", "5", ""],
        ["decimal", "c", "C", "", "no", "", "1.5", ""],
        ["select_one yn", "d", "D", "", "", "", "no", "minimal"],
        ["image", "e", "E", "", "", "", "", "signature"],
        ["text", "f", "F", "", "", "", "", "multiline"],
        ["image", "h", "H", "", "", "", "", "new annotate"],
        ["acknowledge", "i", "I", "", "yes", "", "", ""],
        ["select_one yn", "j", "J", "", "${i} = 'OK'", "", "", "likert"],
        ["date", "g", "G", "", "${a} = 'x'", "", "today()", ""],
        columns="type name label hint required read_only default appearance",
        choices=YES_NO,
    )
    found = import_xlsform(content)
    options = [{"value": "yes", "label": "Yes"}, {"value": "no", "label": "No"}]
    assert documents(found) == [
        {"type": "text", "name": "a", "label": "A", "hint": "Say it", "required": True, "readOnly": True},
        {"type": "integer", "name": "b", "label": "B", "required": True, "default": 5},
        {"type": "decimal", "name": "c", "label": "C", "default": 1.5},
        {
            "type": "choice",
            "name": "d",
            "label": "D",
            "options": options,
            "default": "no",
            "xlsformColumns": {"appearance": "minimal"},
        },
        {"type": "signature", "name": "e", "label": "E"},
        {"type": "textarea", "name": "f", "label": "F"},
        {"type": "photo", "name": "h", "label": "H", "drawing": "photo", "xlsformColumns": {"appearance": "new"}},
        {"type": "boolean", "name": "i", "label": "I", "required": True, "agreement": True},
        {"type": "choice", "name": "j", "label": "J", "options": options, "requiredIf": "i", "likert": True},
        {"type": "date", "name": "g", "label": "G", "requiredIf": "a == 'x'", "defaultRule": "today()"},
    ]
    assert [(note.row, note.column, note.code) for note in found.report] == [
        (row, "appearance", "xlsform.kept") for row in (5, 8)
    ]


def test_rules_for_required_and_read_only() -> None:
    content = survey(
        ["text", "a", "A", "", "", ""],
        ["text", "b", "B", "${a} != ''", "Say why", "selected(${a}, 'x')"],
        ["integer", "c", "C", "pulldata('x', 'y', 'z', ${a}) = 1", "", ""],
        ["note", "d", "D", "${a} = 'x'", "", ""],
        columns="type name label required required_message read_only",
    )
    found = import_xlsform(content)
    _, b, c, d = documents(found)
    assert (b["requiredIf"], b["requiredMessage"], b["readOnlyIf"]) == ("answered.a", "Say why", "'x' in a.words()")
    assert "requiredIf" not in c | d
    assert codes(found) >= {(4, "rule_left_out")}


def test_metadata_becomes_hidden_fields() -> None:
    clock = {"start": "start", "today": "today", "end": "get end time"}
    texts = {
        "deviceid": "deviceId", "username": "userName", "uri:email": "email", "get phone number": "phoneNumber",
        "sim id": "simSerial", "subscriberid": "subscriberId",
    }  # fmt: skip
    rows = [[written, f"{name}_", ""] for name, written in clock.items()]
    rows += [[written, f"t{number}", ""] for number, written in enumerate(texts)]
    content = survey(*rows, ["note", "seen", "On ${t0}"])
    found = import_xlsform(content)
    start, today, end, *about, note = documents(found)
    assert [about_["metadata"] for about_ in about] == list(texts.values())
    assert (start["type"], start["defaultRule"], end["type"], end["calculate"]) == (
        "datetime",
        "now()",
        "datetime",
        "now()",
    )
    assert (today["type"], today["defaultRule"], note["label"]) == ("date", "today()", "On {{t0}}")
    assert all(one["hidden"] for one in (start, today, end, *about))
    assert codes(found) == {(8, "metadata_unknown"), (9, "metadata_unknown"), (10, "metadata_unknown"), (10, "remark")}
    exported, notes = export_xlsform("A", Definition(found.definition_fields, found.settings))
    assert notes == []
    assert import_xlsform(exported).definition_fields == found.definition_fields
    kinds = [row[0] for row in load_workbook(io.BytesIO(exported))["survey"].iter_rows(values_only=True)]
    assert kinds[1:4] == ["start", "today", "end"]
    assert kinds[4:-1] == ["deviceid", "username", "email", "phonenumber", "simserial", "subscriberid"]


def test_the_times_of_questions_and_the_position_at_the_start_belong_to_the_form() -> None:
    content = survey(
        ["begin repeat", "r", "R", ""],
        ["start-geopoint", "place", "", ""],
        ["text", "a", "A", ""],
        ["end repeat", "", "", ""],
        ["audit", "", "", "track-changes=true"],
        ["audit", "audit", "", ""],
        columns="type name label parameters",
    )
    found = import_xlsform(content)
    place, audit = (next(one for one in documents(found) if one["type"] == kind) for kind in ("location", "file"))
    assert (place["name"], place["metadata"], place["hidden"]) == ("place", "startLocation", True)
    assert (audit["name"], audit["metadata"], audit["hidden"]) == ("audit", "audit", True)
    assert audit["xlsformColumns"] == {"parameters": "track-changes=true"}
    assert codes(found) >= {(6, "metadata"), (7, "metadata")}
    assert all(note.effect is NoteEffect.NONE for note in found.report if note.row == 6)
    fields = [
        msgspec.structs.replace(one, name="times") if one.name == "audit" else one for one in found.definition_fields
    ]
    exported, notes = export_xlsform("A", Definition(fields, found.settings))
    assert [note.code for note in notes] == ["xlsform.renamed"]
    assert import_xlsform(exported).definition_fields == found.definition_fields


def test_rules_that_nobody_could_satisfy_are_left_out() -> None:
    """XLSForm clients never apply the constraint of a calculation; here it would reject every submission."""
    content = survey(
        ["integer", "n", "N", "", ". > 1", ""],
        ["calculate", "twice", "", "${n} * 2", ". < 10", "yes"],
        columns="type name label calculation constraint required",
    )
    found = import_xlsform(content)
    assert documents(found)[1] == {
        "type": "integer", "name": "twice", "label": "twice", "hidden": True, "calculate": "n * 2",
    }  # fmt: skip
    left = {(note.column, note.code, note.effect) for note in found.report if note.row == 3}
    assert left == {("constraint", "xlsform.no_effect", "none"), ("required", "xlsform.no_effect", "none")}


def test_defaults_of_notes_are_answers_that_nobody_can_change() -> None:
    content = survey(
        ["text", "a", "A", "", ""],
        ["note", "b", "B", "See the guide", ""],
        ["note", "c", "C", "concat('a', 'b')", ""],
        ["note", "d", "D", "left over", "${a}"],
        ["note", "e", "E ${b}", "", ""],
        columns="type name label default calculation",
    )
    found = import_xlsform(content)
    fields = documents(found)
    shown = {"type": "text", "readOnly": True}
    assert fields[1:3] == [
        {"name": "b", "label": "B", "default": "See the guide", **shown},
        {"name": "c", "label": "C", "defaultRule": "'a' + 'b'", **shown},
    ]
    assert (fields[3]["calculate"], fields[4]["type"]) == ("a", "note")
    assert {note.effect for note in found.report} == {"converted"}
    exported, notes = export_xlsform("N", Definition(found.definition_fields, found.settings))
    assert notes == []
    assert "<b>See the guide</b>" in to_xform(exported)
    assert import_xlsform(exported).definition_fields == found.definition_fields


@pytest.mark.parametrize("read", ["${instanceID}", "concat('', /data/meta/instanceID)"])
def test_the_id_of_a_submission_can_be_read(read: str) -> None:
    content = survey(
        ["text", "instance_id", "Taken", ""],
        ["begin group", "g", "G", ""],
        ["note", "n", "Your number: ${instanceID}", ""],
        ["calculate", "c", "", read],
        ["end group", "", "", ""],
        columns="type name label calculation",
    )
    found = import_xlsform(content)
    hidden, _, group = documents(found)
    assert hidden == {
        "type": "text", "name": "instance_id_", "label": "instance_id_", "hidden": True,
        "defaultRule": "'uuid:' + uuid()",
    }  # fmt: skip
    assert group["fields"][0]["label"] == "Your number: {{instance_id_}}"
    assert "instance_id_" in group["fields"][1]["calculate"]
    assert [(note.code, note.effect) for note in found.report] == [("xlsform.instance_id", "converted")]
    exported, notes = export_xlsform("A", Definition(found.definition_fields, found.settings))
    assert notes == []
    assert is_valid(exported)
    assert import_xlsform(exported).definition_fields == found.definition_fields


def test_a_number_of_rows_of_a_group_has_no_effect() -> None:
    rows = [["begin group", "g", "G", "3"], ["text", "t", "T", ""], ["end group", "", "", ""]]
    found = import_xlsform(survey(*rows, columns="type name label repeat_count"))
    assert [(note.column, note.effect) for note in found.report] == [("repeat_count", "none")]


def test_notes_tell_what_respondents_notice() -> None:
    content = workbook(
        {
            "survey": [
                ["type", "name", "label", "relevant", "appearance", "note to self", "trigger", "image"],
                ["text", "a", "A", "pulldata('x', 'y', 'z', 'a') = 1", "numbers", "check", "", "a.png"],
                ["select_one_external x", "b", "B", "", "", "again", "", ""],
                ["calculate", "c", "", "", "", "", "${a}", ""],
                ["range", "d", "D", "", "", "", "", ""],
            ],
            "settings": [["form_id", "version", "style", "public_key"], ["an_id", "7", "theme-grid pages", "key"]],
        }
    )
    found = import_xlsform(content)
    effects = {(note.row, note.column): note.effect for note in found.report}
    assert effects[2, "relevant"] == "rules"
    assert effects[2, "appearance"] == "looks"
    assert effects[3, "type"] == effects[4, "type"] == "questions"
    assert effects[None, "note_to_self"] == "none"
    assert [note.column for note in found.report].count("note_to_self") == 1
    settings = {note.column: note.effect for note in found.report if note.sheet == "settings" and note.row}
    assert settings == {"style": "looks", "public_key": "none"}
    assert found.settings.question_per_page
    assert (found.form_id, found.settings.xlsform.version) == ("an_id", "7")


def test_ranges_become_sliders_ratings_or_numbers() -> None:
    content = survey(
        ["range", "a", "A", "start=0 end=20 step=5", ""],
        ["range", "b", "B", "start=1;end=5;step=1", "rating"],
        ["range", "c", "C", "start=0 end=1 step=0.5", ""],
        ["range", "d", "D", "start=9 end=1 step=-1", ""],
        columns="type name label parameters appearance",
    )
    a, b, c, d = documents(import_xlsform(content))
    assert (d["type"], d["min"], d["max"], d.get("step", 1)) == ("slider", 1, 9, 1)
    assert (a["type"], a.get("min", 0), a["max"], a["step"]) == ("slider", 0, 20, 5)
    assert (b["type"], b.get("max", 5)) == ("rating", 5)
    assert (c["type"], c["min"], c["max"]) == ("decimal", 0.0, 1.0)


def test_groups_and_repeats() -> None:
    content = survey(
        ["begin group", "g", "", "field-list", ""],
        ["text", "a", "A", "", ""],
        ["end group", "", "", "", ""],
        ["begin repeat", "r", "R", "", "3"],
        ["text", "b", "B", "", ""],
        ["begin repeat", "rr", "RR", "", ""],
        ["text", "c", "C", "", ""],
        ["end repeat", "", "", "", ""],
        ["end repeat", "", "", "", ""],
        ["begin repeat", "s", "S", "", "${b}"],
        ["text", "d", "D", "", ""],
        ["end repeat", "", "", "", ""],
        ["begin repeat", "u", "U", "", "count(${r}) + 1"],
        ["text", "e", "E", "", ""],
        ["end repeat", "", "", "", ""],
        ["begin group", "empty", "E", "", ""],
        ["audit", "x", "", "", ""],
        ["end group", "", "", "", ""],
        columns="type name label appearance repeat_count",
    )
    found = import_xlsform(content)
    section, repeat, first, other, third, audit = documents(found)
    assert (audit["name"], audit["metadata"]) == ("x", "audit")
    assert (section["type"], section["label"], section["page"], len(section["fields"])) == ("section", "g", True, 1)
    assert (repeat["type"], repeat["min"], repeat["max"]) == ("repeat", 3, 3)
    assert [inner["type"] for inner in repeat["fields"]] == ["text", "repeat"]
    assert (first["calculate"], other["countRule"]) == ("string(r[1 - 1].b)", "int(number(b_first))")
    assert (third["countRule"], third["max"]) == ("(answered.r ? size(r) : 0) + 1", 200)
    said = {(2, "label_missing"), (11, "first_row"), (17, "group_empty")}
    assert said <= codes(found)


def test_repeats_in_repeats() -> None:
    content = survey(
        ["integer", "most", "Most", "", "", ""],
        ["begin repeat", "order", "Order", "", "", ""],
        ["text", "shop", "Shop", "", "", ""],
        ["begin group", "part", "Part", "", "", ""],
        ["begin repeat", "item", "Item ${price}", "", "", "${most}"],
        ["integer", "price", "Price", "", "${most} > 1 and ${shop} = 'x' and position(../../..) < 3", ""],
        ["end repeat", "", "", "", "", ""],
        ["end group", "", "", "", "", ""],
        ["calculate", "total", "", "sum(${price})", "", ""],
        ["end repeat", "", "", "", "", ""],
        ["calculate", "all", "", "sum(${price})", "", ""],
        columns="type name label calculation relevant repeat_count",
    )
    found = import_xlsform(content)
    _, order, all_ = documents(found)
    part, total = order["fields"][1:]
    item = part["fields"][0]
    assert (item["type"], item["countRule"], item["rowLabel"]) == ("repeat", "most", "Item {{price}}")
    rule = item["fields"][0]["visibleIf"]
    assert "position(order) < 3" in rule
    assert total["calculate"] == "(answered.item ? sum(item.filter(r, has(r.price)).map(r, r.price)) : 0.0)"
    inner = "sum(r.item.filter(s, has(s.price)).map(s, s.price))"
    assert all_["calculate"] == f"(answered.order ? sum(order.filter(r, has(r.item)).map(r, {inner})) : 0.0)"
    assert {one for one in codes(found) if one[1] == "rule_left_out"} == set()
    assert not find_errors(found.definition_fields)

    exported, report = export_xlsform("Orders", Definition(found.definition_fields, found.settings))
    assert report == []
    again = documents(import_xlsform(exported))
    # The sum tests first whether there are rows, which is a condition in XPath.
    assert again[1]["fields"][-1].pop("calculate").endswith(f"{total['calculate']} : 0.0)")
    expected = documents(found)
    expected[1]["fields"][-1].pop("calculate")
    assert again == expected

    deep = [["begin repeat", f"r{depth}", "R"] for depth in range(4)]
    found = import_xlsform(survey(*deep, ["text", "a", "A"], *[["end repeat", "", ""]] * 4))
    assert codes(found) == {(5, "repeat_in_repeat")}


def test_rows_are_counted_in_their_repeat_and_choices_are_read_by_the_number_of_the_row() -> None:
    content = survey(
        ["select_multiple yn", "m", "M", "", ""],
        ["begin repeat", "people", "People", "", "count-selected(${m})"],
        ["calculate", "who", "", "selected-at(${m}, position(..) - 1)", ""],
        ["calculate", "last", "", "if(position(..) = count(${people}), 'yes', 'no')", ""],
        ["begin repeat", "visits", "Visits", "", ""],
        ["calculate", "of", "", "concat(count(${visits}), '/', count(${people}))", ""],
        ["end repeat", "", "", "", ""],
        ["end repeat", "", "", "", ""],
        columns="type name label calculation repeat_count",
        choices=YES_NO,
    )
    found = import_xlsform(content)
    assert codes(found) == set()
    who, last, visits = documents(found)[1]["fields"]
    assert who["calculate"] == "m[position(people) - 1]"
    assert last["calculate"] == "(position(people) == rowCount(people) ? 'yes' : 'no')"
    assert visits["fields"][0]["calculate"] == "string(rowCount(visits)) + '/' + string(rowCount(people))"
    exported, report = export_xlsform("A", Definition(found.definition_fields, found.settings))
    assert report == []
    assert documents(import_xlsform(exported)) == documents(found)


def test_numbers_and_titles_of_rows() -> None:
    content = survey(
        ["begin repeat", "child", "Child: ${name}", "", ""],
        ["begin group", "g", "G", "", ""],
        ["text", "name", "Name of child ${number}", "", "${number} < 9"],
        ["end group", "", "", "", ""],
        ["calculate", "number", "", "position(..)", ""],
        ["calculate", "before", "", "indexed-repeat(${name}, ${child}, position(..) - 1)", ""],
        ["end repeat", "", "", "", ""],
        ["begin repeat", "place", "Place", "", ""],
        ["integer", "age", "Age", "", "position(../..) = 1"],
        ["calculate", "who", "", "indexed-repeat(${name}, ${child}, position(..))", ""],
        ["end repeat", "", "", "", ""],
        ["calculate", "first", "", "indexed-repeat(${name}, ${child}, 1)", ""],
        ["calculate", "none", "", "position(..)", ""],
        columns="type name label calculation relevant",
    )
    found = import_xlsform(content)
    child, place, first, none = documents(found)
    assert (child["label"], child["rowLabel"]) == ("Child", "Child: {{name}}")
    assert [one["name"] for one in child["fields"]] == ["g", "number", "before"]
    assert (child["fields"][0]["fields"][0]["label"], child["fields"][1]["type"]) == (
        "Name of child {{number}}",
        "integer",
    )
    assert child["fields"][1]["calculate"] == "position(child)"
    assert place["fields"][1]["calculate"] == "string(child[position(place) - 1].name)"
    assert first["calculate"] == "string(child[1 - 1].name)"
    assert (
        child["fields"][2]["calculate"] == "(position(child) > 1 ? string(child[position(child) - 1 - 1].name) : name)"
    )
    assert none["calculate"] == "1"
    assert not [one for one in codes(found) if one[1] == "rule_left_out"]

    exported, report = export_xlsform("Children", Definition(found.definition_fields, found.settings))
    assert report == []
    assert documents(import_xlsform(exported)) == documents(found)


def test_loops_become_a_group_for_each_choice() -> None:
    content = survey(
        ["begin loop over yn", "use", "Use", "", ""],
        ["integer", "count", "How many %(label)s?", "%(name)s, 100%%", ""],
        ["begin loop over yn", "again", "And %(name)s", "", ""],
        ["end loop", "", "", "", ""],
        ["text", "why_%(name)s", "Why?", "", "${why_%(name)s} != 'x'"],
        ["end loop", "", "", "", ""],
        ["text", "after", "After", "", ""],
        columns="type name label hint constraint",
        choices=[*YES_NO, ["yn", "none", "None"]],
    )
    found = import_xlsform(content)
    loop, after = documents(found)
    assert [(one["name"], one["label"]) for one in loop["fields"]] == [("use_yes", "Yes"), ("use_no", "No")]
    count, why = loop["fields"][0]["fields"]
    assert (count["name"], count["label"], count["hint"]) == ("count_yes", "How many Yes?", "yes, 100%")
    assert (why["name"], why["validIf"], after["name"]) == ("why_yes", "why_yes != 'x'", "after")
    assert {note.effect for note in found.report} <= {NoteEffect.CONVERTED, NoteEffect.QUESTIONS}
    assert {(2, "loop"), (4, "loop"), (4, "group_empty")} <= codes(found)


def test_loops_without_choices_are_left_out_with_their_content() -> None:
    found = import_xlsform(
        survey(["text", "a", "A"], ["begin loop over x", "l", "L"], ["text", "b", "B"], ["end loop", "", ""])
    )
    assert [document["name"] for document in documents(found)] == ["a"]
    assert {(3, "left_out"), (4, "left_out")} <= codes(found)


def test_rows_that_are_no_questions_and_no_choices_are_no_loss() -> None:
    content = survey(
        ["", "", "", "yes"],
        ["select_one yn", "a", "A", ""],
        ["", "", "B", ""],
        columns="type name label required",
        choices=[*YES_NO, ["", "", "A heading"], ["yn", "", "No name"]],
    )
    found = {(note.sheet, note.row): note.effect for note in import_xlsform(content).report}
    assert (found["survey", 2], found["survey", 4]) == (NoteEffect.NONE, NoteEffect.QUESTIONS)
    assert (found["choices", 4], found["choices", 5]) == (NoteEffect.NONE, NoteEffect.QUESTIONS)


def test_or_other_adds_a_choice_and_a_text_field() -> None:
    choice, other = documents(import_xlsform(survey(["select_multiple yn or_other", "a", "A"], choices=YES_NO)))
    assert [option["value"] for option in choice["options"]] == ["yes", "no", "other"]
    assert (other["name"], other["visibleIf"]) == ("a_other", "'other' in a")


def test_names_become_valid_and_unique_also_in_rules() -> None:
    content = survey(
        ["text", "first-name", "A", ""],
        ["begin group", "g", "G", ""],
        ["text", "first_name", "B", "${first-name} = 'x'"],
        ["end group", "", "", ""],
        ["integer", "in", "C", "${in} > 2"],
        ["text", "_1", "D", "${in} > 2"],
        columns="type name label relevant",
    )
    found = import_xlsform(content)
    a, section, c, d = documents(found)
    assert (a["name"], section["fields"][0]["name"], c["name"], d["name"]) == (
        "first_name",
        "first_name_2",
        "in_",
        "f_1",
    )
    assert (section["fields"][0]["visibleIf"], d["visibleIf"]) == ("first_name == 'x'", "in_ > 2")
    assert {(2, "renamed"), (4, "renamed"), (6, "renamed"), (7, "renamed")} <= codes(found)
    assert (6, "rule_left_out") in codes(found)  # It would control its own visibility: a cycle.


def test_several_invalid_rules_are_each_removed_from_their_own_field() -> None:
    long = " + ".join(["${n}"] * 40)
    content = survey(
        ["integer", "n", "N", "", ""],
        ["calculate", "a", "", "", long],
        ["calculate", "b", "", "", long],
        ["note", "kept", "Kept", "${n} > 1", ""],
        ["note", "deep", "Deep", f"{long} > 1", ""],
        columns="type name label relevant calculation",
    )
    found = import_xlsform(content)
    rules = {document["name"]: document.get("visibleIf") for document in documents(found)}
    assert rules == {"n": None, "kept": "n > 1", "deep": None}
    assert {(3, "rule_left_out"), (4, "rule_left_out"), (6, "rule_left_out")} <= codes(found)


def test_names_that_differ_in_case_only_are_renamed_and_followed_by_references() -> None:
    found = import_xlsform(
        survey(
            ["integer", "age", "Age", ""],
            ["integer", "Age", "Age of the other", ""],
            ["text", "AGE", "Both?", "${age} > 1 and ${Age} > 2"],
            columns="type name label relevant",
        )
    )
    first, second, third = documents(found)
    assert (first["name"], second["name"], third["name"]) == ("age", "Age_2", "AGE_3")
    assert third["visibleIf"] == "age > 1 && Age_2 > 2"
    assert {(3, "renamed"), (4, "renamed")} <= codes(found)


def test_names_of_javascript_object_properties_are_renamed() -> None:
    taken = sorted(FORBIDDEN_FIELD_NAMES)
    found = import_xlsform(survey(*(["text", name, "A"] for name in taken), columns="type name label"))
    assert [document["name"] for document in documents(found)] == [f"{name}_" for name in taken]
    assert {(row, "renamed") for row in range(2, len(taken) + 2)} <= codes(found)


def test_languages() -> None:
    columns = ["type", "name", "label::English (en)", "label::Deutsch", "label::Klingon", "hint::English (en)"]
    content = workbook(
        {
            "survey": [columns, ["text", "a", "Name", "Name", "pong", "Yours"], ["text", "b", "Age", "", "", ""]],
            "settings": [["form_title", "default_language"], ["Form", "English (en)"]],
        }
    )
    found = import_xlsform(content)
    a, b = found.definition_fields
    assert (found.name, found.settings.language) == ("Form", "en")
    assert a.label == {"en": "Name", "de": "Name", "qaa": "pong"}
    assert (a.hint, b.label) == ("Yours", "Age")
    tagged = {note.column for note in found.report if note.code == "xlsform.language_tagged"}
    assert tagged == {"label::Deutsch", "label::Klingon"}


def test_labels_without_a_language_next_to_translations_get_another_language() -> None:
    french = [["type", "name", "label", "label::French (fr)"], ["text", "a", "Name", "Nom"]]
    found = import_xlsform(workbook({"survey": french}))
    assert (found.settings.language, found.definition_fields[0].label) == ("en", {"en": "Name", "fr": "Nom"})
    assert "xlsform.language_assumed" in {note.code for note in found.report}

    english = [["type", "name", "label", "label::English"], ["text", "a", "Nombre", "Name"], ["text", "b", "Sí", "Yes"]]
    found = import_xlsform(workbook({"survey": english}))
    assert (found.settings.language, found.definition_fields[1].label) == ("qaa", {"qaa": "Sí", "en": "Yes"})

    stated = [["default_language"], ["English (en)"]]
    found = import_xlsform(workbook({"survey": english, "settings": stated}))
    left = [note.detail for note in found.report if note.code == "xlsform.column_dropped"]
    assert [fields.label for fields in found.definition_fields] == ["Name", "Yes"]
    assert left[0] == "The text without a language was left out, because there is another one in en: Nombre"


def test_the_first_of_two_columns_for_a_language_is_used_and_the_other_reported() -> None:
    rows = [["type", "name", "label::French (fr)", "label::Français"], ["text", "a", "Nom", "Appellation"]]
    found = import_xlsform(workbook({"survey": rows}))
    assert found.definition_fields[0].label == "Nom"
    left = [note.detail for note in found.report if note.code == "xlsform.column_dropped"]
    assert left == ["The text in Français was left out, because there is another one in fr: Appellation"]


def test_hidden_questions_become_calculations() -> None:
    content = survey(
        ["hidden", "a", "", "it's", ""],
        ["integer", "n", "N", "", ""],
        ["calculate", "late", "", "", "${twice} + 0.5"],
        ["calculate", "twice", "", "", "${n} * 2"],
        ["calculate", "big", "", "", "${twice} > 10"],
        ["calculate", "today_", "", "", "version()"],
        ["note", "x", "X", "", ""],
        ["calculate", "after", "", "", "concat(${today_}, 'x')"],
        columns="type name label default calculation",
    )
    found = import_xlsform(content)
    kinds = {document["name"]: (document["type"], document.get("calculate")) for document in documents(found)}
    assert kinds == {
        "a": ("text", "'it\\'s'"),
        "n": ("integer", None),
        "late": ("decimal", "double(twice) + 0.5"),
        "twice": ("integer", "n * 2"),
        "big": ("boolean", "answered.twice && twice > 10"),
        "x": ("note", None),
    }
    assert {(7, "rule_left_out"), (9, "rule_left_out")} <= codes(found)


def test_computed_defaults_and_triggers() -> None:
    content = survey(
        ["datetime", "t", "T", "now()", "", ""],
        ["date", "d", "D", "now()", "", ""],
        ["select_multiple yn", "m", "M", "yes no", "", ""],
        ["geopoint", "g", "G", "1.5 2 0 4", "", ""],
        ["calculate", "first", "", "", "once(concat(${t}, ')'))", ""],
        ["integer", "s", "S", "", "string-length(${first})", "${d},${t}"],
        ["calculate", "k", "", "", "${s} * 2", "${s}"],
        ["text", "u", "U", "uuid()", "", ""],
        ["text", "w", "W", "", "'x'", "${gone}"],
        ["image", "p", "P", "today()", "", ""],
        ["text", "r", "R", "${last-saved#w}", "", ""],
        ["integer", "v", "V", "if(${last-saved#s} != '', ${last-saved#s} + ${s}, 1)", "", ""],
        ["calculate", "l", "", "", "concat(${last-saved#w}, '!')", ""],
        ["integer", "x", "X", "${last-saved#p}", "", ""],
        ["image", "q", "Q", "", "", "${d}"],
        ["text", "cleared", "Cleared", "", "", "${d}, ${s}"],
        ["note", "none", "None", "", "", "${d}"],
        ["integer", "y", "Y", "${last-saved#s}", "${s} * 2", ""],
        ["begin group", "group", "Group", "x", "", "${d}"],
        ["text", "inside", "Inside", "", "", ""],
        ["end group", "", "", "", "", ""],
        columns="type name label default calculation trigger",
        choices=YES_NO,
    )
    found = import_xlsform(content)
    rules = {
        one["name"]: (one.get("defaultRule") or one.get("default"), one.get("recalculateOn"))
        for one in documents(found)
    }
    assert rules == {
        "t": ("now()", None),
        "d": ("today()", None),
        "m": (["yes", "no"], None),
        "g": ({"latitude": 1.5, "longitude": 2.0, "accuracy": 4.0}, None),
        "first": ("(answered.t ? t.substring(0, 10) : '') + ')'", None),
        "s": ("(answered.first ? size(first) : 0)", ["d", "t"]),
        "k": ("s * 2", ["s"]),
        "u": ("uuid()", None),
        **dict.fromkeys("wp", (None, None)),
        "r": ("lastSaved.w", None),
        "v": ("(has(lastSaved.s) ? lastSaved.s + s : 1)", None),
        "l": ("(has(lastSaved.w) ? lastSaved.w : '') + '!'", None),
        "x": (None, None),
        "q": (None, ["d"]),
        "cleared": (None, ["d", "s"]),
        **dict.fromkeys(("none", "y", "group"), (None, None)),
    }
    assert [one["name"] for one in documents(found) if "calculate" in one] == ["y"]
    assert codes(found) == {
        (10, "rule_left_out"),
        (13, "default_later"),
        (10, "faulty"),
        (11, "column_dropped"),
        (15, "rule_left_out"),
        (18, "no_effect"),
        (20, "no_effect"),
    }
    again = import_xlsform(export_xlsform("A", Definition(found.definition_fields, found.settings))[0])
    assert again.definition_fields == found.definition_fields


def test_random_initial_answers_and_titles_with_a_unique_id() -> None:
    content = workbook(
        {
            "survey": [
                ["type", "name", "label", "calculation", "default"],
                ["text", "a", "A", "", ""],
                ["calculate", "group", "", "once(random())", ""],
                ["decimal", "draw", "Draw", "", "round(random() * 10)"],
                ["calculate", "again", "", "${group} + random()", ""],
                ["text", "b", "B", "", ""],
                ["calculate", "code", "", "concat(${b}, random())", ""],
            ],
            "settings": [["form_title", "default_language", "instance_name"], ["A", "en", "concat(${a}, '-', uuid())"]],
        }
    )
    found = import_xlsform(content)
    fields = {document["name"]: document for document in documents(found)}
    assert codes(found) == set()
    assert (fields["again"]["defaultRule"], fields["again"]["recalculateOn"]) == ("group + random()", ["group"])
    assert (fields["group"]["type"], fields["group"]["defaultRule"]) == ("decimal", "random()")
    assert fields["draw"]["defaultRule"] == "roundHalfUp(random() * 10.0)"
    assert fields["unique_id"] | {"type": "text", "hidden": True, "defaultRule": "uuid()"} == fields["unique_id"]
    assert fields["instance_name"]["calculate"].endswith("+ '-' + (answered.unique_id ? unique_id : '')")
    assert not find_errors(found.definition_fields)
    exported, report = export_xlsform("A", Definition(found.definition_fields, found.settings))
    assert report == []
    again = {document["name"]: document for document in documents(import_xlsform(exported))}
    assert [again[name]["defaultRule"] for name in ("group", "draw", "unique_id")] == [
        fields[name]["defaultRule"] for name in ("group", "draw", "unique_id")
    ]


def test_triggers_of_notes_and_by_notes_have_no_effect() -> None:
    content = survey(
        ["text", "a", "A", "", ""],
        ["note", "n", "N", "", "${a}"],
        ["text", "never", "Never", "'x'", "${n}"],
        ["text", "once", "Once", "'y'", "${n}, ${a}"],
        columns="type name label calculation trigger",
    )
    found = import_xlsform(content)
    assert codes(found) == {(3, "no_effect"), (4, "no_effect")}
    _, _, never, once = documents(found)
    assert never == {"type": "text", "name": "never", "label": "Never"}
    assert (once["defaultRule"], once["recalculateOn"]) == ("'y'", ["a"])


def test_labels_of_choices_in_calculations() -> None:
    content = survey(
        ["select_one yn", "c", "C", ""],
        ["hidden", "h", "", ""],
        ["calculate", "l", "", "concat(jr:choice-name(${c}, '${c}'), '!', ${h})"],
        ["select_multiple yn", "m", "M", ""],
        ["select_one colours", "k", "K", ""],
        ["calculate", "n", "", "jr:choice-name(${k}, '${k}')"],
        ["calculate", "s", "", "instance('yn')/root/item[name = concat(${h}, 's')]/label"],
        columns="type name label calculation",
        choices=[
            ["list_name", "name", "label", "label::German (de)"],
            *([*row, row[2]] for row in YES_NO[1:]),
            ["colours", "r", "Red", "Rot"],
        ],
    )
    found = import_xlsform(content)
    _, hidden, label, _, _, colour, table = documents(found)
    assert hidden == {"type": "text", "name": "h", "label": "h", "hidden": True}
    assert (7, "choice_label") in codes(found)
    assert colour["calculate"] == "{'r': 'Red'}[k]"
    content, notes = export_xlsform("A", Definition(found.definition_fields, found.settings))
    assert "rule_left_out" not in {note.code for note in notes}
    again = import_xlsform(content)
    assert (documents(again)[5]["calculate"], documents(again)[6]["calculate"]) == (
        colour["calculate"],
        table["calculate"],
    )
    kinds = dict(zip("ch", found.definition_fields, strict=False))
    rule = compile_rule(label["calculate"], cel_types(list(kinds.values())))
    assert rule.evaluate({"c": "no", "h": "x"}, Budget()) == "No!x"
    assert rule.evaluate({}, Budget()) == "!"


def test_constraints_become_bounds_or_rules() -> None:
    content = survey(
        ["integer", "a", "A", ". >= 1 and . <= 9", ""],
        ["integer", "b", "B", ". >= 1 and . < ${a}", "Less than A, please."],
        ["text", "c", "C", "regex(., '[a-z]+') and string-length(.) <= 5", ""],
        ["text", "d", "D", "regex(., '(?=a)b')", ""],
        ["date", "e", "E", ". <= pulldata('x', 'y', 'z', 'a')", ""],
        ["date", "f", "F", ". >= date('2020-01-01')", ""],
        columns="type name label constraint constraint_message",
    )
    found = import_xlsform(content)
    a, b, c, d, e, f = documents(found)
    assert (a["min"], a["max"], "validIf" in a) == (1, 9, False)
    assert (b["validIf"], b["message"]) == ("b >= 1 && b < a", "Less than A, please.")
    assert (c["pattern"], c["maxLength"]) == ("^(?:[a-z]+)$", 5)
    assert f["validIf"] == "f >= '2020-01-01'"
    assert "pattern" not in d
    assert "validIf" not in {**d, **e}
    assert {(5, "rule_left_out"), (6, "rule_left_out")} <= codes(found)


def test_left_out_rules_are_quoted() -> None:
    rule = "pulldata('fruits', 'name', 'key', ${a}) = 'x'"
    found = import_xlsform(survey(["text", "a", "A", ""], ["text", "b", "B", rule], columns="type name label relevant"))
    note = next(note for note in found.report if note.code == "xlsform.rule_left_out")
    assert (note.sheet, note.row, note.column, note.kind) == ("survey", 3, "relevant", NoteKind.REFUSED)
    assert rule in note.detail
    assert "there is no list of choices and no data source named fruits" in note.detail


def test_cycles_are_removed_and_reported() -> None:
    content = survey(
        ["integer", "a", "A", "${b} + 1"], ["integer", "b", "B", "${a} + 1"], columns="type name label calculation"
    )
    found = import_xlsform(content)
    assert not find_errors(found.definition_fields)
    assert sum("calculate" in document for document in documents(found)) == 1
    note = next(note for note in found.report if note.code == "xlsform.rule_left_out")
    assert note.column == "calculation"
    assert "in a cycle" in note.detail


def test_rules_in_a_repeat_see_their_row_and_others_do_not() -> None:
    content = survey(
        ["integer", "o", "O", ""],
        ["begin repeat", "r", "R", ""],
        ["integer", "i", "I", "${o} > 1"],
        ["text", "j", "J", "${i} > 1"],
        ["end repeat", "", "", ""],
        ["text", "k", "K", "${i} > 1"],
        ["text", "l", "L", "count(${r}) > 1"],
        columns="type name label relevant",
    )
    found = import_xlsform(content)
    _, repeat, first, k, l_ = documents(found)
    assert [inner["visibleIf"] for inner in repeat["fields"]] == ["o > 1", "i > 1"]
    assert (first["calculate"], k["visibleIf"]) == ("int(r[1 - 1].i)", "i_first > 1")
    assert l_["visibleIf"] == "(answered.r ? size(r) : 0) > 1"
    assert (7, "first_row") in codes(found)


def test_pyxform_errors_are_in_the_report() -> None:
    found = import_xlsform(survey(["text", "a", "A", "${missing} = 1"], columns="type name label relevant"))
    said = [note for note in found.report if note.code == "xlsform.faulty"]
    assert [note.kind for note in said] == [NoteKind.REFUSED]
    assert "missing" in said[0].detail


def test_unsupported_columns_settings_and_sheets_are_reported() -> None:
    content = workbook(
        {
            "survey": [
                ["type", "name", "label", "media::image", "choice_filter", "trigger", "disabled"],
                ["select_one yn", "a", "A ${b}", "a.png", "cf=1", "", ""],
                ["text", "b", "B", "", "", "${a}", ""],
                ["text", "c", "C", "", "", "", "yes"],
            ],
            "choices": [
                ["list name", "name", "label", "cf"],
                ["yn", 1, "One", 1],
                ["yn", 1, "Two", 2],
                ["yn", 2, "", 1],
            ],
            "settings": [["form_id", "version", "style"], ["an_id", "2", "theme-grid"]],
        }
    )
    found = import_xlsform(content)
    places = {(note.sheet, note.row, note.column) for note in found.report}
    assert found.name == "an_id"
    one = {"value": "1", "label": "One / Two", "columns": {"cf": "1"}}
    assert documents(found)[0]["options"] == [one, {"value": "2", "label": "2", "columns": {"cf": "1"}}]
    assert (documents(found)[0]["label"], documents(found)[0]["optionFilter"]) == (
        "A {{b}}",
        "option.cf == '1'",
    )
    assert places >= {
        ("survey", 4, "type"),
        ("choices", 3, "name"),
        ("choices", 4, "label"),
        ("settings", 2, "style"),
        ("settings", None, "default_language"),
    }


@pytest.mark.parametrize(
    ("file_name", "name"),
    [
        ("Site  visit.v2.xlsx", "Site visit.v2"),
        ("", "Imported form"),
        (".xlsx", ".xlsx"),
        ("x" * 300 + ".xlsx", "x" * 200),
    ],
)
def test_a_form_without_a_title_is_named_after_its_file(file_name: str, name: str) -> None:
    found = import_xlsform(survey(["text", "q", "Q"], settings=[["default_language"], ["en"]]), file_name)
    assert found.name == name
    assert (None, "title_missing") in codes(found)


def test_calculated_questions_keep_what_odk_checks_and_nothing_else() -> None:
    content = survey(
        ["integer", "n", "N", "", "", "", ""],
        ["integer", "twice", "Twice", "${n} * 2", "yes", ". < 9", ""],
        ["integer", "half", "Half", "${n} div 2", "${n} > 1", "", ""],
        ["range", "part", "Part", "${n}", "", "", "start=0 end=1 step=0.1"],
        columns="type name label calculation required constraint parameters",
    )
    found = import_xlsform(content)
    _, twice, half, part = documents(found)
    assert twice | {"requiredIf": "true", "validIf": "twice < 9"} == twice
    assert half["requiredIf"] == "n > 1"
    assert "required" not in twice
    assert part == {"type": "decimal", "name": "part", "label": "Part", "calculate": "n"}
    again = import_xlsform(export_xlsform("Again", Definition(found.definition_fields, found.settings))[0])
    assert documents(again) == documents(found)
