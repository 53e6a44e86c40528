"""Fields and versions as domain objects."""

from collections.abc import Mapping
from itertools import count
from typing import Any

import msgspec

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.models import Version, VersionStatus

_numbers = count(1)


def fields(*kinds: Mapping[str, Any]) -> list[AnyField]:
    """Return fields from their JSON; the label can be omitted."""
    return msgspec.convert([labelled(kind) for kind in kinds], list[AnyField])


def labelled(kind: Mapping[str, Any]) -> dict[str, Any]:
    whole = {"label": str(kind.get("name", "It")), **kind}
    if "fields" in whole:
        whole["fields"] = [labelled(inner) for inner in whole["fields"]]
    return whole


def version(*kinds: Mapping[str, Any], language: str = "en") -> Version:
    """Return a version that is not stored, with a unique id."""
    settings = {"language": language}
    definition = msgspec.convert({"fields": [labelled(kind) for kind in kinds], "settings": settings}, Definition)
    number = next(_numbers)
    return Version(
        f"ver_{number}",
        "cus_1",
        "frm_1",
        number,
        VersionStatus.FINAL,
        "",
        definition,
        0,
        0,
        1,
    )
