"""How a setting is declared: once, beside the attribute that holds its value."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar, cast

T = TypeVar("T")
PREFIX = "FORMWRIGHT_"
Parser = Callable[[str, str], Any]
"""Returns the value of a text that is not empty, or raises `SettingsError`. Its first argument is the variable."""


def _as_it_is(_variable: str, text: str) -> str:
    return text


class SettingsError(ValueError):
    """A setting is invalid. The message names it and says which values are valid."""


@dataclass(frozen=True, slots=True)
class Setting:
    """An environment variable: its name without the prefix, what it means, and how its text is read.

    `meaning` and `default` are Markdown, for docs/reference/settings.md and `formwright settings`.
    """

    name: str
    meaning: str
    parse: Parser = _as_it_is
    default: str = "none"

    @property
    def variable(self) -> str:
        """The name of the environment variable."""
        return PREFIX + self.name


def setting(
    default: T, meaning: str, parse: Parser = _as_it_is, *, name: str = "", shown: str = "", is_secret: bool = False
) -> T:
    """Declare an attribute of a dataclass as a setting with this default.

    `name` is that of the attribute in upper case unless stated, and `shown` the default as the reference states it.
    A secret is left out of the representation of the settings.
    """
    declared = Setting(name, meaning, parse, shown or _describe(default))
    metadata, is_shown = {Setting: declared}, not is_secret
    if isinstance(default, dict):
        field_: Any = field(default_factory=default.copy, repr=is_shown, metadata=metadata)
    else:
        field_ = field(default=default, repr=is_shown, metadata=metadata)
    # Typed as its value, as `dataclasses.field` itself is.
    return cast("T", field_)


def declared_settings(cls: type) -> Iterator[tuple[str, Setting]]:
    """Yield the attributes of a dataclass that are settings, in order."""
    for attribute in fields(cls):
        if declared := attribute.metadata.get(Setting):
            yield attribute.name, declared if declared.name else replace(declared, name=attribute.name.upper())


def read_settings(cls: type, environment: Mapping[str, str]) -> dict[str, Any]:
    """Return the values of those settings of a dataclass that are set, by attribute. Raises `SettingsError`.

    Spaces around a text do not count, and an empty one is like none.
    """
    return {
        attribute: declared.parse(declared.variable, text)
        for attribute, declared in declared_settings(cls)
        if (text := environment.get(declared.variable, "").strip())
    }


def _describe(default: object) -> str:
    match default:
        case bool():
            return "off"
        case int():
            return str(default)
        case str() if default:
            return f"`{default}`"
    return "none"
