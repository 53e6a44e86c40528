"""The texts of a form as a table: complete, and the same after an export and an import."""

import io
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st

from formwright.core.errors import Invalid
from formwright.core.tables.base import TableUnreadable
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField, Field
from formwright.domain.forms.fields.options import Option
from formwright.domain.forms.form_settings import ButtonLabels, FormSettings
from formwright.domain.forms.translations import (
    BUTTON_TEXTS,
    SETTINGS_TEXTS,
    TEXT_PROPERTIES,
    change_texts,
    export_texts,
    import_texts,
    list_languages,
    list_texts,
)

FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": "Site", "hint": {"en": "Where?", "de": "Wo?"}},
    {"type": "choice", "name": "kind", "label": "Kind", "options": [
        {"value": "a/b", "label": "A"}, {"value": "=c", "label": {"ar": "ج"}},
    ]},
    {"type": "section", "name": "more", "label": "More", "fields": [
        {"type": "repeat", "name": "visits", "label": "Visits", "fields": [
            {"type": "text", "name": "site", "label": "Site", "required": True, "requiredMessage": "Name it."},
        ]},
    ]},
]  # fmt: skip


def define(fields: list[dict[str, Any]] = FIELDS, **settings: Any) -> Definition:
    return Definition(msgspec.convert(fields, list[AnyField]), msgspec.convert(settings, FormSettings))


def workbook(*rows: list[str]) -> io.BytesIO:
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        for number, row in enumerate(rows):
            for place, cell in enumerate(row):
                sheet.write_string(number, place, cell)
    content.seek(0)
    return content


def kinds(info: msgspec.inspect.Type) -> Iterator[type[msgspec.inspect.Type]]:
    """Yield the alternatives of a type."""
    if isinstance(info, msgspec.inspect.Metadata):
        yield from kinds(info.type)
    elif isinstance(info, msgspec.inspect.UnionType):
        for one in info.types:
            yield from kinds(one)
    else:
        yield type(info)


def label_properties(struct: type[msgspec.Struct]) -> Iterator[str]:
    """Yield the properties that hold a text or one for each language."""
    for one in msgspec.structs.fields(struct):
        if {msgspec.inspect.StrType, msgspec.inspect.DictType} <= {*kinds(msgspec.inspect.type_info(one.type))}:
            yield one.encode_name


def test_every_text_that_has_languages_is_listed() -> None:
    common = set(label_properties(Field))
    for kind in Field.__subclasses__():
        assert common <= set(label_properties(kind)) <= set(TEXT_PROPERTIES), kind
    assert [*label_properties(Option)] == ["label"]
    assert [*label_properties(FormSettings)] == [*SETTINGS_TEXTS]
    assert [*label_properties(ButtonLabels)] == [*BUTTON_TEXTS]


def test_texts_have_keys_in_reading_order() -> None:
    definition = define(language="en", thanks="Bye", buttons={"submit": "Apply"})
    assert [text.key for text in list_texts(definition)] == [
        "site/label", "site/hint", "kind/label", "kind/options/a/b", "kind/options/=c", "more/label", "visits/label",
        "visits/site/label", "visits/site/requiredMessage", "settings/thanks",
        "settings/buttons/submit",
    ]  # fmt: skip
    assert list_languages(definition) == ["en", "de", "ar"]


def test_texts_are_added_changed_and_removed() -> None:
    texts = {"site/label": {"de": "Ort"}, "site/hint": {"de": ""}, "kind/options/=c": {"en": "C"}, "gone": {"de": "x"}}
    done = change_texts(define(), texts)
    assert (done.changed, done.unknown) == (3, ["gone"])
    site, kind, _ = done.definition.fields
    assert (site.label, site.hint) == ({"en": "Site", "de": "Ort"}, "Where?")
    assert kind.options[1].label == {"ar": "ج", "en": "C"}
    with pytest.raises(Invalid) as error:
        change_texts(define(), {"kind/options/=c": {"ar": ""}})
    assert [(fault.pointer, fault.code) for fault in error.value.faults] == [("/kind~1options~1=c", "value.required")]


SHORT = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=8).map(str.strip).filter(bool)


@settings(max_examples=10)  # Each one starts a process that reads the workbook.
@given(st.data())
def test_an_import_of_an_export_is_the_identity(data: st.DataObject) -> None:
    languages = ["en", "de", "pt-BR", "ar"]
    texts = {
        text.key: data.draw(st.dictionaries(st.sampled_from(languages), SHORT, min_size=1), label=text.key)
        for text in list_texts(define())
    }
    filled = change_texts(define(), texts).definition
    again = import_texts(filled, io.BytesIO(export_texts(filled, list_languages(filled))))
    assert (again.changed, again.unknown, again.definition) == (0, [], filled)
    onto_original = import_texts(define(), io.BytesIO(export_texts(filled, languages))).definition
    for before, after in zip(list_texts(filled), list_texts(onto_original), strict=True):
        assert before.texts.items() <= after.texts.items()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([["Text", "en"]], "The first column must be “key”"),
        ([["key", "Klingon speech"]], "“Klingon speech” is not a language"),
        ([["key", "German (de)", "de"]], "Two columns have the same language"),
        ([["key", "de"], ["site/label", "x" * 2001]], "/2/de A text has at most 2000 characters."),
        ([["key", "de"], ["site/label", "a"], ["site/label", "b"]], "/3/key The key is in row 2, too."),
        ([], "The sheet is empty"),
    ],
)
def test_files_that_cannot_be_used_are_refused(rows: list[list[str]], expected: str) -> None:
    with pytest.raises((TableUnreadable, Invalid)) as error:
        import_texts(define(), workbook(*rows))
    faults = error.value.faults if isinstance(error.value, Invalid) else ()
    found = [f"{fault.pointer} {fault.detail}" for fault in faults] or [str(error.value)]
    assert found[0].startswith(expected), found
    with pytest.raises(TableUnreadable):
        import_texts(define(), io.BytesIO(b"key,de\n"))
