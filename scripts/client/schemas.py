"""The modules of schemas: a `TypedDict` for each object, and an alias for each union and enumeration."""

import keyword
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.client.openapi_document import (
    EVENT,
    Json,
    event_types,
    modules_by_tag,
    schema_modules,
    unions,
)
from scripts.client.python_syntax import (
    NOTICE,
    describe,
    docstring,
    first_sentence,
    indented,
    property_type,
    wrapped,
)

_PACKAGE = "formwright_client.schemas"
_IMPORTS = "from typing import Any, Literal, NotRequired, TypeAlias, TypedDict, final"
_SUMMARIES = {
    "shared": "Schemas used by several modules.",
    "events": "The events of each type.",
    "fields": "The fields of a form.",
}


@dataclass(frozen=True)
class _Property:
    name: str
    type: str
    description: str


@dataclass(frozen=True)
class _Base:
    """A class with the properties that all members of a union have."""

    name: str
    summary: str
    properties: tuple[_Property, ...]


def generate(document: Json) -> dict[str, str]:
    """Return the text of each module by its name; `__init__` exports all schemas."""
    definitions = _definitions(document)
    modules = schema_modules(document)
    summaries = _SUMMARIES | {module: f"Schemas of {tag}." for tag, module in modules_by_tag(document).items()}
    homes = {name: modules.get(name) or ("fields" if name == "Field" else "events") for name in definitions}
    texts = {}
    for module in sorted(set(homes.values())):
        body = "\n\n".join(text for name, text in definitions.items() if homes[name] == module)
        texts[module] = _module(module, summaries[module], body, homes)
    return texts | {"__init__": _exports(homes)}


def _definitions(document: Json) -> dict[str, str]:
    """Return the definition of each schema by its name. Bases come before the classes that derive from them."""
    schemas = document["components"]["schemas"]
    types = event_types(document)
    properties = {name: tuple(_properties(schema, schemas)) for name, schema in schemas.items()}
    for name, literals in types.items():
        tag = f"Literal[{', '.join(map(repr, literals))}]"
        properties[name] = tuple(
            _Property("type", tag, one.description) if one.name == "type" else one for one in properties[name]
        )
    groups = {union.removeprefix("Any"): members for union, members in unions(schemas)}
    groups["EventMetadata"] = list(types)
    bases = _bases(groups, properties)
    found = {base.name: _class(base.name, "TypedDict", base.summary, base.properties) for base in bases.values()}
    for name, schema in schemas.items():
        if name != EVENT and not _is_page(name):
            found[name] = _definition(name, schema, properties[name], bases.get(name))
    found |= {union: f"{union}: TypeAlias = {' | '.join(members)}" for union, members in unions(schemas)}
    summary = "An event; its `type` determines its `data`. Newer servers may send types that are missing here."
    return found | {EVENT: f"{EVENT}: TypeAlias = {' | '.join(types)}\n{docstring(summary)}"}


def _is_page(name: str) -> bool:
    """Return whether a schema is a page of a list, which the client returns item by item."""
    return name.endswith("List") and name != f"{EVENT}List"


def _properties(schema: Json, schemas: Json) -> Iterator[_Property]:
    for name, inner in schema.get("properties", {}).items():
        type_ = property_type(inner)
        if name not in schema.get("required", ()):
            type_ = f"NotRequired[{type_}]"
        yield _Property(name, type_, describe(inner, schemas))


def _bases(groups: dict[str, list[str]], properties: dict[str, tuple[_Property, ...]]) -> dict[str, _Base]:
    """Return the base of each member of a union, if the members have several properties in common."""
    found: dict[str, _Base] = {}
    for name, members in groups.items():
        first, *others = (properties[member] for member in members)
        common = tuple(one for one in first if all(one in other for other in others))
        if len(common) > 1:
            summary = "What all events have." if name == "EventMetadata" else f"What every {name.lower()} has."
            found |= dict.fromkeys(members, _Base(name, summary, common))
    return found


def _definition(name: str, schema: Json, properties: tuple[_Property, ...], base: _Base | None) -> str:
    summary = first_sentence(schema.get("description", ""))
    if base and base.name == "EventMetadata":
        summary = f"An event of the types `{name.removesuffix(EVENT).lower()}.*`."
    if not properties:
        alias = f"{name}: TypeAlias = {property_type(schema)}"
        return f"{alias}\n{docstring(wrapped(schema['description']))}" if summary else alias
    if any(keyword.iskeyword(one.name) for one in properties):
        items = "".join(f"{one.name!r}: {one.type!r}, " for one in properties)
        return f"{name} = TypedDict({name!r}, {{{items}}})\n{docstring(summary)}"
    if base:
        own = tuple(one for one in properties if one not in base.properties)
        return _class(name, base.name, summary, own, final=True)
    return _class(name, "TypedDict", summary, properties, final=True)


def _class(name: str, base: str, summary: str, properties: tuple[_Property, ...], *, final: bool = False) -> str:
    """Return a class. Only a final one is narrowed by whether it has a key."""
    lines = []
    for one in properties:
        lines.append(f"{one.name}: {one.type}")
        if one.description:
            lines.append(docstring(wrapped(one.description)))
    decorator = "@final\n" if final else ""
    return f"{decorator}class {name}({base}):\n" + indented("\n".join([docstring(summary), "", *lines])) + "\n"


def _module(module: str, summary: str, body: str, homes: dict[str, str]) -> str:
    imports = [_IMPORTS]
    imports += [f"from {_PACKAGE}.{home} import {name}" for name, home in homes.items() if home != module]
    head = f"{docstring(summary)}\n\n{NOTICE}\n\nfrom __future__ import annotations\n\n"
    return head + "\n".join(imports) + f"\n\n{body}\n"


def _exports(homes: dict[str, str]) -> str:
    imports = "\n".join(f"from {_PACKAGE}.{home} import {name}" for name, home in homes.items())
    names = ", ".join(f'"{name}"' for name in sorted(homes))
    summary = "The schemas of the API as types. Newer servers may send more properties and values."
    return f"{docstring(summary)}\n\n{NOTICE}\n\n{imports}\n\n__all__ = [{names}]\n"
