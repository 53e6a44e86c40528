"""Everything that the fill page is told about its form."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import UNSET, structs

from formwright.domain.forms.cel.compiler import type_names
from formwright.domain.forms.definition import AnyField, Definition, LookupField, walk_fields
from formwright.domain.forms.models import Version
from formwright.web.fill import assets
from formwright.web.fill.rule_program import program
from formwright.web.fill.surveyjs import survey

Json = dict[str, Any]


def form_data(
    version: Version,
    base: str,
    prefill: Json | None = None,
    *,
    once: bool = False,
    again: str | None = None,
    begun: int = 0,
) -> Json:
    """What `static/fill.js` reads. `keep`: the addresses to keep for the time without a network.

    `again` names what was sent before and rejected. `once`: it is filled by one person one time, and the server is told
    when she has it before her. `begun` is the revision of what she has saved so far, on whichever device.
    """
    drawn = _version_data(version.id, version.revision, _CacheTransparent(version.definition))
    own = {"prefill": prefill or {}, "once": once, "again": again, "begun": begun}
    return drawn | {"versionId": version.id, "base": base} | own


class _CacheTransparent:
    """A definition handed past the cache's key: the version's id and revision say which it is."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _CacheTransparent)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=128)
def _version_data(version_id: str, revision: int, wrapper: _CacheTransparent) -> Json:
    """What is the same for all who fill this version."""
    definition = wrapper.definition
    languages = {tag: assets.library_translation(tag) for tag in languages_of(definition)}
    lookups = [field.name for field in walk_fields(definition.fields) if isinstance(field, LookupField)]
    ruled = any(isinstance(rule, str) for field in walk_fields(definition.fields) for rule in _rules_of(field))
    return {
        "survey": survey(definition),
        "steps": program(definition.fields),
        "kinds": type_names(definition.fields),
        "ruled": ruled,
        "lookups": lookups,
        "language": definition.settings.language,
        "languages": languages,
        "thanks": None if definition.settings.thanks is UNSET else definition.settings.thanks,
        "keep": [
            *filter(None, languages.values()),
            *assets.translation_modules(languages),
            *(assets.rule_modules() if ruled else ()),
            *(assets.row_modules() if lookups else ()),
        ],
    }


def _rules_of(field: AnyField) -> tuple[object, ...]:
    return field.visible_if, field.valid_if, field.calculate


def languages_of(definition: Definition) -> list[str]:
    """The form's own language, then the others in which any of its texts is written, in the order of their first."""
    own = definition.settings.language
    found = [tag for field in walk_fields(definition.fields) for tag in _label_languages(field)]
    return list(dict.fromkeys([own, *found]))


def _label_languages(field: AnyField) -> Iterator[str]:
    members = structs.asdict(field)
    for name in ("label", "hint", "message"):
        yield from _languages_of_label(members[name])
    for option in members.get("options", ()):
        yield from _languages_of_label(option.label)


def _languages_of_label(label: object) -> list[str]:
    return list(label) if isinstance(label, dict) else []
