"""Exporting a definition and importing it again results in the same definition, as far as XLSForm can express it."""

import io
import zipfile
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pyxform.xls2xform import convert
from unit.xlsform.workbooks import survey, workbook

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.fields import AnyField, ChoiceField, RepeatField
from formwright.domain.forms.fields.media import Media
from formwright.domain.forms.form_settings import ButtonLabels, EditAfterSubmitting, FormSettings
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_xlsform
from formwright.domain.forms.xlsform.report import NoteEffect, NoteKind

WORDS = st.sampled_from(["Name", "=1+1", "@x", "Ärger & <b>", "a 'quoted' \"one\"", "日本", "https://example.org"])
LABELS = WORDS | st.fixed_dictionaries({"en": WORDS, "de": WORDS})
OPTIONS = st.lists(st.sampled_from(["a", "b", "c-d", "1"]), min_size=1, unique=True).flatmap(
    lambda values: st.tuples(*(st.fixed_dictionaries({"value": st.just(value), "label": LABELS}) for value in values))
)
CORNERS = [{"latitude": 52.5 + n / 100, "longitude": -13.4 + n * n} for n in range(3)]
KINDS: dict[str, dict[str, st.SearchStrategy[Any]]] = {
    "text": {"minLength": st.integers(0, 3), "maxLength": st.integers(4, 9), "pattern": st.just("^(?:[a-z]+)$")},
    "textarea": {"maxLength": st.integers(1, 100_000)},
    "integer": {"min": st.integers(-9, 0), "max": st.integers(1, 9), "default": st.integers(0, 1)},
    "decimal": {"min": st.just(-1.5), "max": st.floats(1, 1e6), "default": st.sampled_from([0.0, 0.25])},
    "boolean": {"default": st.just(True), "agreement": st.just(True)},
    "choice": {"randomize": st.just(True), "likert": st.just(True)},
    "choices": {"randomize": st.just(True), "minChoices": st.just(1), "maxChoices": st.just(1)},
    "ranking": {"randomize": st.just(True)},
    "nps": {"lowLabel": LABELS, "highLabel": LABELS},
    "rating": {"max": st.integers(2, 10)},
    "line": {"default": st.just([CORNERS[0] | {"accuracy": 4}, CORNERS[1]])},
    "area": {"default": st.just(CORNERS)},
    "photo": {"drawing": st.sampled_from(["photo", "sheet"])},
    "slider": {"min": st.integers(-5, 0), "max": st.integers(5, 90), "step": st.integers(1, 5)},
    **{
        kind: {}
        for kind in (
            "date",
            "time",
            "datetime",
            "signature",
            "audio",
            "video",
            "file",
            "location",
            "barcode",
            "note",
        )
    },
}
RULES = [
    "n > 1",
    "answered.n && n != 3",
    "n >= 0 && answered.t",
    "t == 'x' || n < 2",
    "!answered.t",
    "answered.t && size(t) > 2",
]
INITIAL = {"text": "t + 'x'", "date": "today()", "integer": "n + 1", "decimal": "1.5"}
LIMITS = {"min", "max", "minLength", "maxLength", "pattern"}
"""Limits of fields with computed initial answers become rules."""
CALCULATIONS = {"integer": "n * 2 + 1", "decimal": "double(n) / 2.0", "text": "t + '!'", "boolean": "n > 1"}
FIRST = [{"type": "integer", "name": "n", "label": "N"}, {"type": "text", "name": "t", "label": "T"}]


@st.composite
def documents(draw: st.DrawFn, name: str) -> dict[str, Any]:
    kind = draw(st.sampled_from(sorted(KINDS)))
    found = {"type": kind, "name": name, "label": draw(LABELS)}
    if kind in ("choice", "choices", "ranking"):
        found["options"] = list(draw(OPTIONS))
    found |= draw(st.fixed_dictionaries({}, optional=KINDS[kind]))
    shared = {"hint": LABELS, "visibleIf": st.sampled_from(RULES), "required": st.just(True), "readOnly": st.just(True)}
    found |= draw(st.fixed_dictionaries({}, optional=shared))
    if kind != "note":
        rules = {"requiredIf": st.sampled_from(RULES), "readOnlyIf": st.sampled_from(RULES), "requiredMessage": LABELS}
        more = draw(st.fixed_dictionaries({}, optional=rules))
        found |= {name: value for name, value in more.items() if name.removesuffix("If") not in found}
    if kind in CALCULATIONS and draw(st.booleans()):
        found["calculate"] = CALCULATIONS[kind]
        if found.pop("required", False):
            found["requiredIf"] = "true"
    elif kind in INITIAL and found.keys().isdisjoint(LIMITS | {"default"}) and draw(st.booleans()):
        found |= {"defaultRule": INITIAL[kind]} | draw(st.sampled_from([{}, {"recalculateOn": ["n", "t"]}]))
    if kind == "date" and draw(st.booleans()):
        found |= {"validIf": f"{name} >= '2020-01-01'", "message": draw(LABELS)}
    return found


@st.composite
def definitions(draw: st.DrawFn) -> list[AnyField]:
    names = [f"f{number}" for number in range(draw(st.integers(1, 5)))]
    fields = [draw(documents(name)) for name in names]
    group = draw(st.sampled_from(["", "section", "page", "repeat", "three", "counted"]))
    if group:
        members = {
            "page": {"page": True},
            "three": {"min": 3, "max": 3},
            "counted": {"countRule": "n", "max": 200},
        }.get(group, {})
        kind = "section" if group in ("section", "page") else "repeat"
        fields = [{"type": kind, "name": "group", "label": draw(LABELS), "fields": fields} | members]
    return msgspec.convert(FIRST + fields, list[AnyField])


def _losses(report: list[Any]) -> list[Any]:
    return [note for note in report if note.kind in (NoteKind.DROPPED, NoteKind.REFUSED)]


pytestmark = pytest.mark.usefixtures("read_in_this_process")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(definitions())
def test_definitions_survive_a_round_trip(fields: list[AnyField]) -> None:
    assert not find_errors(fields)
    content, report = export_xlsform("A form", Definition(fields, FormSettings(language="en")))
    assert report == []
    found = import_xlsform(content)
    assert msgspec.to_builtins(found.definition_fields) == msgspec.to_builtins(fields)
    assert (found.name, found.settings.language, _losses(found.report)) == ("A form", "en", [])


def _export(*documents: dict[str, Any], **given: Any) -> tuple[bytes, list[Any]]:
    fields = msgspec.convert(list(documents), list[AnyField])
    assert not find_errors(fields)
    return export_xlsform("A form", Definition(fields, FormSettings(**given)))


@pytest.mark.parametrize(
    ("document", "code"),
    [
        ({"type": "email"}, "as_text"),
        ({"type": "phone"}, "as_text"),
        ({"type": "url"}, "as_text"),
        ({"type": "lookup", "datasourceId": "dat_01j00000000000000000000000"}, "as_text"),
        ({"type": "photo", "maxFiles": 3}, "one_file"),
        ({"type": "slider", "min": 1, "max": 3, "step": 5}, "as_number"),
        ({"type": "text", "indexed": True}, "indexed"),
        ({"type": "integer", "unit": "m²"}, "unit"),
        (
            {"type": "repeat", "min": 2, "max": 4, "fields": [{"type": "text", "name": "b", "label": "B"}]},
            "repeat_range",
        ),
        ({"type": "choices", "options": [{"value": "so so", "label": "So"}]}, "option_renamed"),
        ({"type": "text", "validIf": "a.matches('\\'\"')"}, "rule_left_out"),
        ({"type": "datetime", "validIf": "timestamp(a).getFullYear() > 2000"}, "rule_left_out"),
    ],
)
def test_what_xlsform_cannot_express_is_reported(document: dict[str, Any], code: str) -> None:
    content, report = _export({"name": "a", "label": "A"} | document)
    assert [(note.row if note.sheet == "survey" else 2, note.code) for note in report] == [(2, f"xlsform.{code}")]
    assert import_xlsform(content).definition_fields[0].name == "a"


def test_rows_of_a_data_source_are_not_exported() -> None:
    who = {"type": "lookup", "name": "who", "label": "Who", "datasourceId": "dat_01j00000000000000000000000"}
    _, report = _export({"type": "repeat", "name": "r", "label": "R", "rowsFrom": "who", "fields": [who]})
    assert [(note.row, note.code) for note in report] == [(2, "xlsform.rows_from"), (3, "xlsform.as_text")]


def test_rules_refer_to_renamed_options() -> None:
    options = [{"value": "so so", "label": "So"}, {"value": "so_so", "label": "Other"}]
    content, _ = _export(
        {"type": "choices", "name": "a", "label": "A", "options": options},
        {"type": "text", "name": "b", "label": "B", "visibleIf": "'so so' in a"},
    )
    assert import_xlsform(content).definition_fields[1].visible_if == "'so_so_' in a"


def test_texts_that_look_like_references_remain_texts() -> None:
    content, report = _export({"type": "text", "name": "a", "label": "${a} costs ${price} ${"})
    assert [note.code for note in report] == ["xlsform.text_with_answers"]
    assert import_xlsform(content).definition_fields[0].label == "{{a}} costs $ {price} $ {"


def test_only_the_selected_result_of_a_condition_must_have_a_value() -> None:
    rule = "(answered.t && t == 'x' ? n : 2)"
    content, _ = _export(*FIRST, {"type": "integer", "name": "c", "label": "C", "calculate": rule})
    assert import_xlsform(content).definition_fields[2].calculate == rule


def test_texts_before_and_after_the_form_are_not_exported_but_its_pages_are() -> None:
    field = {"type": "text", "name": "a", "label": "A"}
    editing = EditAfterSubmitting(hours=2)
    content, report = _export(
        field,
        welcome="Hello",
        thanks="Thank you",
        buttons=ButtonLabels(submit="Apply"),
        question_per_page=True,
        edit_after_submitting=editing,
        continue_later=True,
    )
    codes = ["welcome", "thanks", "buttons", "continue_later", "edit_after_submitting"]
    assert [note.code for note in report] == [f"xlsform.{code}" for code in codes]
    assert {note.effect for note in report} == {NoteEffect.NONE}
    assert import_xlsform(content).settings.question_per_page


def test_exports_are_reproducible_and_contain_no_formulas() -> None:
    first, second = (_export({"type": "text", "name": "a", "label": "=1+1"})[0] for _ in range(2))
    assert first == second
    with zipfile.ZipFile(io.BytesIO(first)) as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")


def test_pyxform_accepts_exported_forms() -> None:
    content, _ = _export(
        *FIRST,
        {"type": "boolean", "name": "b", "label": {"en": "B", "de": "B"}, "visibleIf": "n > 1 && t.contains('x')"},
        {"type": "repeat", "name": "r", "label": "R", "fields": [{"type": "date", "name": "d", "label": "D"}]},
    )
    xform = convert(content, validate=False).xform
    assert "${" not in xform
    assert "contains( /data/t , 'x')" in xform


def test_reserved_names_are_renamed_and_followed_by_references() -> None:
    content, report = _export(
        {"type": "text", "name": "meta", "label": "Meta"},
        {"type": "text", "name": "meta_2", "label": "Other"},
        {"type": "integer", "name": "crew_count", "label": "Crew"},
        {"type": "integer", "name": "half_count", "label": "Half", "visibleIf": "answered.meta"},
        {"type": "repeat", "name": "data", "label": "Rows", "fields": [
            {"type": "text", "name": "a", "label": "About {{meta}}", "visibleIf": "meta == 'x'"}]},
        {"type": "repeat", "name": "crew", "label": "Crew", "countRule": "crew_count", "fields": [
            {"type": "text", "name": "b", "label": "B"}]},
        {"type": "repeat", "name": "half", "label": "Half", "countRule": "half_count * 2", "fields": [
            {"type": "text", "name": "c", "label": "C"}]},
        title_field="meta",
    )  # fmt: skip
    assert [(note.row, note.detail.rpartition(" ")[2]) for note in report if note.code == "xlsform.renamed"] == [
        (2, "meta_3."),
        (4, "crew_count_2."),
        (5, "half_count_2."),
        (6, "data_2."),
    ]
    xform = convert(content, validate=False).xform
    assert "${" not in xform
    fields = import_xlsform(content).definition_fields
    assert [field.name for field in fields] == [
        "meta_3",
        "meta_2",
        "crew_count_2",
        "half_count_2",
        "data_2",
        "crew",
        "half",
    ]
    assert isinstance(fields[4], RepeatField)
    assert (fields[4].fields[0].label, fields[4].fields[0].visible_if) == ("About {{meta_3}}", "meta_3 == 'x'")


def test_languages_keep_region_and_script() -> None:
    labels = {"pt-BR": "Nome", "zh-Hant": "名字"}
    content, _ = _export({"type": "text", "name": "a", "label": labels}, language="pt-BR")
    found = import_xlsform(content)
    assert (found.settings.language, found.definition_fields[0].label) == ("pt-BR", labels)


def test_rules_with_hundreds_of_operands_are_left_out_in_both_directions() -> None:
    yes = {"type": "boolean", "name": "a", "label": "A"}
    content, report = _export(yes, {"type": "text", "name": "b", "label": "B", "visibleIf": "||".join(["a"] * 660)})
    assert [note.code for note in report] == ["xlsform.rule_left_out"]
    assert import_xlsform(content).report == []
    found = import_xlsform(survey(["text", "b", "B", " or ".join(["1"] * 700)], columns="type name label relevant"))
    assert [note.code for note in found.report if note.kind is NoteKind.REFUSED] == ["xlsform.rule_left_out"]


def test_the_identity_of_the_form_is_kept() -> None:
    settings = {"settings": [["form_title", "form_id", "version"], ["Site visit", "site-visit.v2", "2026032901"]]}
    found = import_xlsform(survey(["text", "a", "A"], **settings))
    renamed, _ = export_xlsform("Another name", Definition(found.definition_fields, found.settings), found.form_id)
    again = import_xlsform(renamed)
    assert (again.name, again.form_id, again.settings) == ("Another name", "site-visit.v2", found.settings)
    assert convert(io.BytesIO(renamed), file_type=".xlsx", validate=False)._pyxform["id_string"] == "site-visit.v2"


def test_hidden_fields_are_calculations() -> None:
    fields = [
        {"type": "integer", "name": "n", "label": "N"},
        {"type": "integer", "name": "twice", "label": "Doubled", "calculate": "n * 2", "hidden": True},
        {"type": "date", "name": "day", "label": "day", "calculate": "today()", "hidden": True},
    ]
    definition = Definition(msgspec.convert(fields, list[AnyField]), FormSettings())
    content, notes = export_xlsform("Hidden", definition)
    assert notes == []
    assert import_xlsform(content).definition_fields == definition.fields


def test_media_are_names_of_files() -> None:
    survey = [
        ["type", "name", "label::English (en)", "label::German (de)", "media::image::English (en)",
         "media::image::German (de)", "big-image", "media::audio", "video"],
        ["select_one k", "a", "A", "B", "a.png", "b.png", "large.png", "", ""],
        ["note", "n", "N", "M", "", "", "", "n.mp3", "folder/n.mp4"],
        ["begin group", "g", "G", "H", "g.png", "", "", "", ""],
        ["text", "t", "T", "U", "", "", "", "", "t.mp4"],
        ["end group", "", "", "", "", "", "", "", ""],
    ]  # fmt: skip
    choices = [
        ["list_name", "name", "label::English (en)", "label::German (de)", "image"],
        ["k", "x", "X", "Y", "x.png"],
    ]
    found = import_xlsform(workbook({"survey": survey, "choices": choices}))
    a, n, _ = found.definition_fields
    assert a.media == Media(image={"en": "a.png", "de": "b.png"}, big_image="large.png")
    assert isinstance(a, ChoiceField)
    assert a.options[0].media == Media(image="x.png")
    assert n.media == Media(audio="n.mp3")
    dropped = [(note.column, note.effect) for note in found.report if note.code == "xlsform.column_dropped"]
    assert dropped == [("video", NoteEffect.LOOKS)]
    assert found.media == ["a.png", "b.png", "g.png", "large.png", "n.mp3", "t.mp4", "x.png"]
    exported, notes = export_xlsform("Form", Definition(found.definition_fields, found.settings))
    assert notes == []
    assert import_xlsform(exported).definition_fields == found.definition_fields
    xform = convert(io.BytesIO(exported), file_type=".xlsx", validate=False).xform
    for name in ("a.png", "b.png", "large.png", "n.mp3", "x.png"):
        assert f"/{name}" in xform


def test_what_has_no_effect_here_is_kept() -> None:
    media = ["image::English (en)", "guidance_hint::English (en)", "autoplay"]
    rows = [
        ["type", "name", "label", "appearance", "parameters", *media],
        ["text", "a", "A", "numbers multiline", "rows=3", "", "Ask them", ""],
        ["image", "b", "B", "new signature", "max-pixels=100", "b.png", "", "image"],
        ["range", "c", "C", "vertical", "start=1 end=3 step=1 tick_interval=1", "", "", ""],
        ["begin group", "g", "G", "Field-List summary", "", "", "", ""],
        ["text", "d", "D", "${a}", "", "", "", ""],
        ["end group", "", "", "", "", "", "", ""],
    ]
    settings = [
        ["form_title", "default_language", "style", "instance_name", "public_key", "submission_url"],
        ["Form", "English (en)", "theme-grid pages", "concat(${a}, '-')", "AAAA", "https://example.org"],
    ]
    found = import_xlsform(workbook({"survey": rows, "settings": settings}))
    # pyxform remarks that media have no translations.
    assert {note.code for note in found.report} == {"xlsform.kept", "xlsform.remark"}
    a, b, *_ = found.definition_fields
    assert (a.xlsform_columns, a.guidance) == ({"appearance": "numbers"}, "Ask them")
    assert (b.xlsform_columns["parameters"], b.media) == ("max-pixels=100", Media(image="b.png"))
    exported, notes = export_xlsform("Form", Definition(found.definition_fields, found.settings))
    assert notes == []
    again = import_xlsform(exported)
    assert (again.definition_fields, again.settings) == (found.definition_fields, found.settings)
    xform = convert(io.BytesIO(exported), file_type=".xlsx", validate=False).xform
    for text in ("b.png", "multiline numbers", "Ask them", "field-list summary", "AAAA"):
        assert text in xform


@pytest.mark.parametrize(
    ("expression", "title", "calculation"),
    [
        ("${a}", "a", None),
        ("concat(${a}, '-')", "instance_name", "(answered.a ? a : '') + '-'"),
        ("concat(random(), ${a})", None, None),
        ("'Visit'", "instance_name", "'Visit'"),
    ],
)
def test_the_name_of_an_instance_is_the_title_of_a_submission(
    expression: str, title: str | None, calculation: str | None
) -> None:
    rows = [
        ["type", "name", "label"],
        ["text", "a", "A"],
        ["begin repeat", "g", "G"],
        ["text", "r", "R"],
        ["end repeat"],
    ]
    settings = [["form_title", "default_language", "instance_name"], ["Form", "English (en)", expression]]
    found = import_xlsform(workbook({"survey": rows, "settings": settings}))
    assert (found.settings.title_field or None) == title
    calculated = [one for one in found.definition_fields if one.name == "instance_name"]
    assert [one.calculate for one in calculated] == ([calculation] if calculation else [])
    lost = [(note.sheet, note.row, note.column) for note in found.report if note.code == "xlsform.rule_left_out"]
    assert lost == ([] if title else [("settings", 2, "instance_name")])
    exported, notes = export_xlsform("Form", Definition(found.definition_fields, found.settings))
    assert notes == []
    again = import_xlsform(exported)
    assert (again.definition_fields, again.settings) == (found.definition_fields, found.settings)
    assert "instanceName" in convert(io.BytesIO(exported), file_type=".xlsx", validate=False).xform


def test_the_name_of_an_instance_can_be_an_answer_in_the_first_row() -> None:
    rows = [["type", "name", "label"], ["begin repeat", "g", "G"], ["text", "r", "R"], ["end repeat"]]
    settings = [["form_title", "default_language", "instance_name"], ["Form", "en", "${r}"]]
    found = import_xlsform(workbook({"survey": rows, "settings": settings}))
    assert found.settings.title_field == "instance_name"
    assert {one.name: one.calculate for one in found.definition_fields if one.name != "g"} == {
        "r_first": "string(g[1 - 1].r)",
        "instance_name": "r_first",
    }


def test_entities_are_kept_and_calculations_have_no_default() -> None:
    rows = [
        ["type", "name", "label", "calculation", "default", "save_to"],
        ["text", "a", "A", "", "x", "species"],
        ["calculate", "b", "", "1 + 1", "'no'", ""],
        ["calculate", "c", "", "today()", "now()", ""],
    ]
    entities = [["list_name", "label", "create_if"], ["trees", "Tree ${a}", "${a} != ''"]]
    found = import_xlsform(workbook({"survey": rows, "entities": entities}))
    assert {note.effect for note in found.report} <= {NoteEffect.NONE, NoteEffect.CONVERTED}
    assert found.settings.xlsform
    assert found.settings.xlsform.entities == [dict(zip(*entities, strict=True))]
    exported, notes = export_xlsform("Form", Definition(found.definition_fields, found.settings))
    assert notes == []
    again = import_xlsform(exported)
    assert (again.definition_fields, again.settings.xlsform.entities) == (
        found.definition_fields,
        found.settings.xlsform.entities,
    )
    xform = convert(io.BytesIO(exported), file_type=".xlsx", validate=False).xform
    assert 'dataset="trees"' in xform
    assert 'entities:saveto="species"' in xform
