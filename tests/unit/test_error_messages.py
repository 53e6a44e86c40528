"""Validation errors of answers in the language of the form."""

import string
from typing import Any

import pytest
from factories.definitions import version

from formwright.core.json_schema_errors import CODES, ENGLISH
from formwright.domain.forms.answers import validation as answer_validation
from formwright.domain.forms.answers.error_messages import MESSAGES, messages_for

OPTIONS = [{"value": f"v{index}", "label": "Option"} for index in range(25)]
EVERY: list[dict[str, Any]] = [
    {"type": "text", "name": "missing", "required": True},
    {"type": "text", "name": "hidden", "required": True, "visibleIf": "true"},
    {"type": "text", "name": "short", "minLength": 3},
    {"type": "text", "name": "long", "maxLength": 3},
    {"type": "text", "name": "shape", "pattern": "^[a-z]+$"},
    {"type": "integer", "name": "whole"},
    {"type": "integer", "name": "small", "min": 3},
    {"type": "decimal", "name": "great", "max": 2.5},
    {"type": "boolean", "name": "mark"},
    {"type": "email", "name": "mail"},
    {"type": "date", "name": "day"},
    {"type": "choice", "name": "one", "options": OPTIONS},
    {"type": "choices", "name": "twice", "options": OPTIONS},
    {"type": "photo", "name": "many"},
    {"type": "repeat", "name": "few", "min": 2, "fields": [{"type": "text", "name": "inner"}]},
    {"type": "text", "name": "ruled", "validIf": "ruled == 'x'"},
]
FILE = "fil_" + "0" * 25
WRONG: dict[str, Any] = {
    "short": "a",
    "long": "abcd",
    "shape": "A",
    "whole": "x",
    "small": 1,
    "great": 3,
    "mark": "yes",
    "mail": "x",
    "day": "x",
    "one": "x",
    "twice": ["v1", "v1"],
    "many": [FILE + "0", FILE + "1"],
    "few": [],
    "ruled": "y",
    "more": 1,
}


def messages(language: str) -> dict[str, str]:
    return {
        fault.pointer: fault.detail
        for fault in answer_validation.validate(version(*EVERY, language=language), WRONG)[1]
    }


@pytest.mark.parametrize("language", MESSAGES)
def test_every_error_is_in_the_language_of_the_form(language: str) -> None:
    found = messages(language)
    assert found.keys() == {f"/data/{name}" for name in [*WRONG, "missing", "hidden"]}
    assert all("{" not in detail and "}" not in detail for detail in found.values())
    if language != "en":
        assert set(found.values()).isdisjoint(messages("en").values())


def test_nesting_is_an_error_of_the_whole_document() -> None:
    deep: Any = []
    for _ in range(300):
        deep = [deep]
    [fault] = answer_validation.validate(version({"type": "text", "name": "it"}, language="de"), {"it": deep})[1]
    assert (fault.pointer, fault.code, fault.detail) == (
        "/data",
        "value.too_deep",
        "Diese Antwort ist zu tief verschachtelt.",
    )


def test_german() -> None:
    found = messages("de")
    assert found["/data/missing"] == found["/data/hidden"] == "Bitte füllen Sie dieses Feld aus."
    assert found["/data/whole"] == "Hier wird eine ganze Zahl erwartet."
    assert found["/data/great"] == "Der Wert darf höchstens 2.5 sein."
    assert found["/data/mail"] == "Diese Antwort ist nicht gültig. Erwartet wird: E-Mail-Adresse."
    assert found["/data/one"].endswith("v19 oder 5 weitere.")
    assert found["/data/ruled"] == "Diese Antwort ist nicht gültig."


@pytest.mark.parametrize(
    ("tag", "spoken"), [("de-AT", "de"), ("pt-BR", "pt"), ("zh-Hant-TW", "en"), ("tlh", "en"), ("de", "de")]
)
def test_language_tags_fall_back(tag: str, spoken: str) -> None:
    assert messages_for(tag) is MESSAGES[spoken]
    assert messages(tag) == messages(spoken)


@pytest.mark.parametrize("language", MESSAGES)
def test_all_languages_have_all_messages_with_the_same_placeholders(language: str) -> None:
    english = MESSAGES["en"]
    assert {"en", "de", "fr", "es", "it", "nl", "pt", "pl"} <= MESSAGES.keys()
    assert MESSAGES[language].keys() == english.keys() >= CODES.keys() | {"rule", "or", "more"}
    for name, sentence in MESSAGES[language].items():
        assert placeholders(sentence) == placeholders(english[name]), name
        assert sentence.strip() == sentence or name in ("or", "more")


def test_messages_of_the_api_are_english() -> None:
    assert ENGLISH["type"] == "This must be {types}."
    assert ENGLISH.keys() >= CODES.keys()


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_a_fields_own_message_in_the_language_of_the_form_has_precedence() -> None:
    message = {"en": "Only x.", "de": "Nur x."}
    kind = {"type": "text", "name": "it", "validIf": "it == 'x'", "message": message}
    for language, expected in [("de", "Nur x."), ("de-AT", "Nur x."), ("en", "Only x."), ("fr", "Only x.")]:
        [fault] = answer_validation.validate(version(kind, language=language), {"it": "y"})[1]
        assert fault.detail == expected
