"""How the designer presents a type of field: in the menu of types, in the list of fields and in its settings."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from formwright.domain.forms.fields import AnyField


class MenuGroup(StrEnum):
    """The groups of the menu of types, in their order."""

    TEXT = "Text"
    NUMBERS = "Numbers"
    CHOICE = "Choice"
    DATES = "Date and time"
    MEDIA = "Media"
    PLACES = "Location and codes"
    STRUCTURE = "Structure"


@dataclass(frozen=True, slots=True)
class DesignerEntry:
    """The presentation of a type.

    `icon` is an SVG path in a square of 16 × 16. `labels` are those of settings that other types call differently, and
    `placeholders` show what holds while a setting without a default is empty, both by the name of the setting.
    """

    group: MenuGroup
    title: str
    icon: str
    new_label: str = ""
    """The label of a new field, if it is not the title."""
    button_place: int = 0
    """The place of the type among the buttons beside the menu, or 0 if it has none there."""
    labels: Mapping[str, str] = field(default_factory=dict)
    placeholders: Mapping[str, Any] = field(default_factory=dict)


DesignerEntries = Mapping[type[AnyField], DesignerEntry]
