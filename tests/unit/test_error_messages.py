"""Faults of answers, in the language of the form."""

import string
from typing import Any

import pytest
from factories.definitions import version

from formwright.core.json_schema_errors import CODES, ENGLISH
from formwright.domain.forms import answer_validation
from formwright.domain.forms.error_messages import MESSAGES, messages_for

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


def said(language: str) -> dict[str, str]:
    return {
        fault.pointer: fault.detail
        for fault in answer_validation.validate(version(*EVERY, language=language), WRONG)[1]
    }


@pytest.mark.parametrize("language", MESSAGES)
def test_every_fault_is_said_in_the_language(language: str) -> None:
    found = said(language)
    assert found.keys() == {f"/data/{name}" for name in [*WRONG, "missing", "hidden"]}
    assert all("{" not in detail and "}" not in detail for detail in found.values())
    if language != "en":
        assert set(found.values()).isdisjoint(said("en").values())


def test_what_is_too_deep_is_said_of_all_answers() -> None:
    deep: Any = []
    for _ in range(300):
        deep = [deep]
    [fault] = answer_validation.validate(version({"type": "text", "name": "it"}, language="de"), {"it": deep})[1]
    assert (fault.pointer, fault.code, fault.detail) == ("/data", "value.too_deep", "Diese Antwort ist zu tief verschachtelt.")


def test_german() -> None:
    found = said("de")
    assert found["/data/missing"] == found["/data/hidden"] == "Bitte füllen Sie dieses Feld aus."
    assert found["/data/whole"] == "Hier wird eine ganze Zahl erwartet."
    assert found["/data/great"] == "Der Wert darf höchstens 2.5 sein."
    assert found["/data/mail"] == "Diese Antwort ist nicht gültig. Erwartet wird: E-Mail-Adresse."
    assert found["/data/one"].endswith("v19 oder 5 weitere.")
    assert found["/data/ruled"] == "Diese Antwort ist nicht gültig."


@pytest.mark.parametrize(
    ("tag", "spoken"), [("de-AT", "de"), ("pt-BR", "pt"), ("zh-Hant-TW", "en"), ("tlh", "en"), ("de", "de")]
)
def test_a_tag_falls_back(tag: str, spoken: str) -> None:
    assert messages_for(tag) is MESSAGES[spoken]
    assert said(tag) == said(spoken)


@pytest.mark.parametrize("language", MESSAGES)
def test_each_language_says_all_with_the_same_places(language: str) -> None:
    english = MESSAGES["en"]
    assert {"en", "de", "fr", "es", "it", "nl", "pt", "pl"} <= MESSAGES.keys()
    assert MESSAGES[language].keys() == english.keys() >= CODES.keys() | {"rule", "or", "more"}
    for name, sentence in MESSAGES[language].items():
        assert places(sentence) == places(english[name]), name
        assert sentence.strip() == sentence or name in ("or", "more")


def test_the_api_speaks_english() -> None:
    assert ENGLISH["type"] == "This must be {types}."
    assert ENGLISH.keys() >= CODES.keys()


def places(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_the_fields_own_message_comes_first_in_the_forms_language() -> None:
    message = {"en": "Only x.", "de": "Nur x."}
    kind = {"type": "text", "name": "it", "validIf": "it == 'x'", "message": message}
    for language, expected in [("de", "Nur x."), ("de-AT", "Nur x."), ("en", "Only x."), ("fr", "Only x.")]:
        [fault] = answer_validation.validate(version(kind, language=language), {"it": "y"})[1]
        assert fault.detail == expected
