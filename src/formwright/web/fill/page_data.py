"""The JSON that the fill page receives about its form."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from msgspec import UNSET, to_builtins

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField, walk_fields
from formwright.domain.forms.fields.metadata import find_by_metadata
from formwright.domain.forms.fields.properties import FileMetadata, LocationMetadata
from formwright.domain.forms.models import Version
from formwright.domain.forms.rules.costs import COSTS
from formwright.domain.forms.rules.last_saved import list_kept_names
from formwright.domain.submissions.return_links import ReturnLink
from formwright.web.fill import assets
from formwright.web.fill.page_fields import page_fields
from formwright.web.fill.rule_program import program
from formwright.web.fill.surveyjs import survey

Json = dict[str, Any]

MORE_TYPES = {"paneldynamic", "dropdown", "tagbox", "rating", "slider", "boolean", "checkbox"}
"""The elements that only some forms have, and whose part of the form library only they load: `LATER` in
`scripts/survey_parts.mjs`."""
DEVICE_WIDGETS = {"photo", "audio", "video", "file", "signature", "location", "line", "area", "barcode"}
"""The widgets of `static/fill/widgets/device_widgets.js`."""


def form_data(
    version: Version,
    base: str,
    prefill: Json | None = None,
    *,
    once: bool = False,
    again: str | None = None,
    begun: int = 0,
    one_per_device: bool = False,
    redirect: str | None = None,
    person: Json | None = None,
    files: Json | None = None,
    link: ReturnLink | None = None,
    device_base: str | None = None,
) -> Json:
    """Return what `static/fill.js` reads. `keep` lists the URLs to store for offline use.

    `again` is the client id of a rejected submission that is being corrected. `once` is set for a personal link, which
    is filled in once: the page then reports when it is opened. `begun` is the revision of the answers saved so far.
    With `one_per_device`, the page identifies the device when it submits. `redirect` is the URL to open afterwards.
    `person` is who fills in the form, for fields with `metadata`. `files` are those of the answers so far, by id.
    `link` is the return link with which the page was opened. `device_base` is the path by which the device knows the
    form: that of its public link.
    """
    version_data = _version_data(version.id, version.revision, _CacheTransparent(version.definition))
    personal = {"prefill": prefill or {}, "once": once, "again": again, "begun": begun}
    personal |= {"onePerDevice": one_per_device, "redirect": redirect, "person": person or {}}
    personal |= {"files": files or {}, "deviceBase": device_base or base}
    personal |= {"returned": link is not None, "position": link.state.position if link else None}
    return version_data | {"versionId": version.id, "form": version.form_id, "base": base} | personal


class _CacheTransparent:
    """Passes a definition through `lru_cache` without being part of the key: version id and revision identify it."""

    def __init__(self, definition: Definition) -> None:
        self.definition = definition

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _CacheTransparent)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=128)
def _version_data(version_id: str, revision: int, wrapper: _CacheTransparent) -> Json:
    """The part that is the same for everyone who fills in this version."""
    definition = wrapper.definition
    languages = {tag: assets.translation_module(tag) for tag in languages_of(definition)}
    lookups = [field.name for field in walk_fields(definition.fields) if field.datasource_id]
    has_patterns = any(_has_pattern(field) for field in walk_fields(definition.fields))
    # The word may also be part of a text in the rule. The page then only loads a module that it does not need.
    has_digests = any("digest" in rule for field in walk_fields(definition.fields) for _, rule in field.rules())
    has_rules = any(True for field in walk_fields(definition.fields) for _ in field.rules())
    drawn = survey(definition)
    elements = list(_walk_elements(drawn["pages"]))
    has_more_types = any(element.get("type") in MORE_TYPES for element in elements)
    has_device_widgets = any(element.get("widget") in DEVICE_WIDGETS for element in elements)
    return {
        "survey": drawn,
        "moreTypes": has_more_types,
        "deviceWidgets": has_device_widgets,
        "steps": program(page_fields(definition)),
        "costs": COSTS,
        "ruled": has_rules,
        "patterns": has_patterns,
        "patternsAtOnce": any(_needs_patterns_at_once(field) for field in walk_fields(definition.fields)),
        "digests": has_digests,
        "lookups": lookups,
        "lastSaved": list_kept_names(definition.fields),
        "language": definition.settings.language,
        "languages": languages,
        "audit": find_by_metadata(definition.fields, FileMetadata.AUDIT),
        "startLocation": find_by_metadata(definition.fields, LocationMetadata.START_LOCATION),
        "thanks": None if definition.settings.thanks is UNSET else definition.settings.thanks,
        "buttons": {} if definition.settings.buttons is UNSET else to_builtins(definition.settings.buttons),
        "score": None if definition.settings.score is UNSET else to_builtins(definition.settings.score),
        "keep": [
            *filter(None, languages.values()),
            *assets.needed_modules(
                has_rules=has_rules,
                has_patterns=has_patterns,
                has_digests=has_digests,
                has_lookups=bool(lookups),
                has_more_types=has_more_types,
                has_device_widgets=has_device_widgets,
            ),
        ],
    }


def _walk_elements(elements: list[Json]) -> Iterator[Json]:
    """Yield each element of a survey, also those in others."""
    for element in elements:
        yield element
        yield from _walk_elements([*element.get("elements", ()), *element.get("templateElements", ())])


def _has_pattern(field: AnyField) -> bool:
    """Whether the page needs the engine for regular expressions to evaluate this field."""
    return field.pattern is not UNSET or any("matches" in rule for _, rule in field.rules())


def _needs_patterns_at_once(field: AnyField) -> bool:
    """Whether a text is matched before people have typed one: by a rule, or because a rule or default sets it."""
    properties = dict(field.rules())
    is_set = {"calculate", "defaultRule"} & properties.keys() or field.default is not UNSET
    return any("matches" in rule for rule in properties.values()) or (field.pattern is not UNSET and bool(is_set))


def languages_of(definition: Definition) -> list[str]:
    """Return the form's language, then all others in which any of its texts is written, in order of appearance."""
    default = definition.settings.language
    labels = [label for field in walk_fields(definition.fields) for _, label in field.texts()]
    return list(dict.fromkeys([default, *(tag for label in labels if isinstance(label, dict) for tag in label)]))
