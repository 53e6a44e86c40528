"""What the document says of groups: which operations are in one, and which shapes only one of them needs."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

Json = dict[str, Any]

PREFIX = "/api/v1.0"
_SCHEMAS = "#/components/schemas/"
_OWN = {"AnyField": "fields"}
"""What may be one of so many shapes that these have a module of their own."""


@dataclass(frozen=True)
class Operation:
    """A call, below the address of the API."""

    path: str
    method: str
    told: Json


def operations(document: Json) -> Iterator[Operation]:
    """All of them, as they stand."""
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            yield Operation(path.removeprefix(PREFIX), method.upper(), told)


def groups(document: Json) -> dict[str, str]:
    """The module of each tag: `users_and_groups` of "Users & Groups"."""
    return {tag["name"]: "_".join(_words(tag["name"])).lower() for tag in document["tags"]}


def titled(tag: str) -> str:
    """A tag as the name of a class."""
    return "".join(word.capitalize() for word in _words(tag))


def _words(tag: str) -> list[str]:
    return re.findall(r"\w+", tag.replace("&", "and"))


def union_name(schema: Json) -> str:
    """What may be one of several shapes: `AnyField` where the names of all end so."""
    return "Any" + re.split(r"(?=[A-Z])", members(schema)[0])[-1]


def members(schema: Json) -> list[str]:
    """The shapes of which it may be one."""
    return [one["$ref"].rpartition("/")[2] for one in schema["anyOf"]]


def unions(schema: Any) -> Iterator[tuple[str, list[str]]]:
    """All such, by name."""
    if isinstance(schema, dict):
        if "discriminator" in schema:
            yield union_name(schema), members(schema)
        for value in schema.values():
            yield from unions(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from unions(item)


def named(schema: Any) -> Iterator[str]:
    """The shapes and unions that are named in it."""
    if isinstance(schema, dict):
        if "discriminator" in schema:
            yield union_name(schema)
        elif str(schema.get("$ref", "")).startswith(_SCHEMAS):
            yield schema["$ref"].removeprefix(_SCHEMAS)
        else:
            for value in schema.values():
                yield from named(value)
    elif isinstance(schema, list):
        for item in schema:
            yield from named(item)


def places(document: Json) -> dict[str, str]:
    """The module of each shape: its group's where one alone needs it, else `shared`, or `events` where no call does."""
    schemas = document["components"]["schemas"]
    asked = {name: set(named(schema)) for name, schema in schemas.items()} | {
        name: set(among) for name, among in unions(schemas)
    }
    users: dict[str, set[str]] = {name: set() for name in asked}
    for operation in operations(document):
        for name in _needed(set(named(operation.told)), asked):
            users[name] |= set(operation.told["tags"])
    modules = groups(document)
    found = {name: modules[next(iter(by))] if len(by) == 1 else "shared" for name, by in users.items() if by}
    for union, module in _OWN.items():
        found |= dict.fromkeys(_needed({union}, asked), module)
    return {name: found.get(name, "events") for name in asked}


def _needed(names: set[str], asked: dict[str, set[str]]) -> set[str]:
    """These, and all that they are made of."""
    found: set[str] = set()
    waiting = set(names)
    while waiting:
        found |= waiting
        waiting = {inner for name in waiting for inner in asked[name]} - found
    return found
